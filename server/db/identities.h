#ifndef IPR_DB_IDENTITIES_H
#define IPR_DB_IDENTITIES_H

#include "core/identity.h"
#include "db/db.h"

/** The unknown player: games without a name belong to it, it never has ratings. */
#define IPR_PLAYER_NOBODY 0

struct ipr_db_identity {
    int32_t id;     /* what game rows carry */
    int32_t person; /* the identity that it is merged into, or id */
    bool set_aside; /* the FIDE id is known by names that this one does not fit: it is by name */
    /* These are set for games compared with others (db/duplicate_candidates.h), and otherwise 0: */
    const char *known; /* key of the identity's name; NULL: that of the name as given */
    int32_t was;       /* the id and the person of the stored game */
    int32_t was_person;
    bool decided; /* an editor moved this side here */
};

/** A name of a player. */
struct ipr_db_new_spelling {
    int32_t player_id;
    const char *key, *name;
};

/** Ids of identities, new ones added, in the caller's transaction; out[n], IPR_PLAYER_NOBODY for a
 * missing name. Any n; duplicates are allowed. Rows are locked in the order of their keys, so that
 * two imports wait for each other instead of deadlocking. Asynchronous. */
IPR_CHECK enum ipr_code ipr_db_identities(struct ipr_db *db, const struct ipr_identity *who,
                                          size_t n, struct ipr_db_identity *out,
                                          struct ipr_err *err);

#endif
