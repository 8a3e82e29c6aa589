#ifndef IPR_FETCH_FETCH_H
#define IPR_FETCH_FETCH_H

#include <stdbool.h>

#include "base/error.h"
#include "fetch/file.h"

/* Games of a player from a site's public export, into a PGN file. Only `intrinsic fetch` uses
 * this: the service itself never goes out. */

struct ipr_fetch_request {
    const char *who;    /* "lichess:NAME" or "chesscom:NAME" */
    const char *output; /* NULL: NAME.pgn */
    const char *url;    /* of the site; NULL: its own */
    const char *perf;   /* lichess: speeds and variants, by commas; NULL: all */
    const char *contact;
    struct ipr_fetch_span span;
    int max; /* lichess: the newest so many; 0: all */
    int silence_s;
    bool quiet;
};

/** Fetches, and says on standard output what is in the file. IPR_EPARSE: the request is wrong. */
IPR_CHECK enum ipr_code ipr_fetch(const struct ipr_fetch_request *r, struct ipr_err *err);

#endif
