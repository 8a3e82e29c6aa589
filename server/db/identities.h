#ifndef IPR_DB_IDENTITIES_H
#define IPR_DB_IDENTITIES_H

#include "core/identity.h"
#include "db/db.h"

/** The player that stands for nobody: games without a name belong to it, ratings never do. */
#define IPR_PLAYER_NOBODY 0

struct ipr_db_identity {
    int32_t id;     /* what game rows carry */
    int32_t person; /* what it is merged into, or id */
    /* Of games compared with others (db/duplicate_candidates.h), else as zeroed: */
    const char *known; /* key of the name the identity is known by; NULL: that of the mention */
    int32_t was;       /* the id, and the person, that the stored game has */
    int32_t was_person;
    bool decided; /* a person moved this side here */
};

/** A name of a player. */
struct ipr_db_new_spelling {
    int32_t player_id;
    const char *key, *name;
};

/** Ids of identities, new ones added, in the caller's transaction; out[n], nobody is
 * IPR_PLAYER_NOBODY. Any n; doubles are fine. Rows are locked in the order of their keys, so that
 * two imports wait for each other instead of deadlocking. At work. */
IPR_CHECK enum ipr_code ipr_db_identities(struct ipr_db *db, const struct ipr_identity *who,
                                          size_t n, struct ipr_db_identity *out,
                                          struct ipr_err *err);

#endif
