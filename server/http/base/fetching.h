#ifndef IPR_HTTP_FETCHING_H
#define IPR_HTTP_FETCHING_H

#include <jansson.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "core/config.h"

/* Games of a player on another site as an upload: the body is lichess:NAME or chesscom:NAME, and
 * intrinsic-fetch, the program beside this one, gets the file (docs/fetch.md). The service goes out
 * only where INTRINSIC_FETCH names the site. */

#define IPR_FETCH_WHO   64  /* bytes of such a body, with the end */
#define IPR_FETCH_GAMES 200 /* of lichess, the newest */
#define IPR_FETCH_DAYS  90  /* of chess.com, which has no such choice */

/** Those sites, as prefixes of names. New reference. */
json_t *ipr_fetch_sites(const struct ipr_config *config);

/** True if the body in a file, read from its start, is such a name. */
bool ipr_fetch_named(int fd, char who[IPR_FETCH_WHO]);

/** IPR_EDENIED "fetch_off": this service does not go to that site. */
IPR_CHECK enum ipr_code ipr_fetch_allowed(const struct ipr_config *config, const char *who,
                                          struct ipr_err *err);

/** Has the descriptor refer to a file of the games, from its start. Ends soon after *stop, with
 * IPR_ERETRY. IPR_EDATA "fetch_failed" with what the program says: no such player, no games, the
 * site does not answer. */
IPR_CHECK enum ipr_code ipr_fetch_into(const struct ipr_config *config, const char *who,
                                       const char *folder, const atomic_bool *stop, int fd,
                                       struct ipr_err *err);

#endif
