#ifndef IPR_DB_ELO_H
#define IPR_DB_ELO_H

#include "core/elo_lists.h"
#include "db/db.h"

/* Ratings on published lists: histories of identities, read as those of persons. */

#include "queries/elo.h"

struct ipr_db_elo_history {
    int32_t player_id;
    bool by_id; /* matched by FIDE id, not by name */
    const char *name;
    const struct ipr_elo_ratings *ratings; /* one of them at least */
};
/* The next two in the caller's transaction. */

/** Replaces the stored histories. changed[n] takes the identities whose
 * history is not what it was. `source`: name of the file. */
IPR_CHECK enum ipr_code ipr_db_elo_put(struct ipr_db *db, const struct ipr_db_elo_history *h,
                                       size_t n, const char *source, int32_t *changed,
                                       size_t *n_changed, struct ipr_err *err);
/** What is kept of the persons of these identities, and of those who played them, becomes void. */
IPR_CHECK enum ipr_code ipr_db_elo_touch(struct ipr_db *db, const int32_t *ids, size_t n,
                                         struct ipr_err *err);

/** A person and a month whose rating is looked up. */
struct ipr_db_elo_at {
    int32_t person; /* root */
    char month[11]; /* "1972-07-01" (ipr_elo_month) */
    /* The answer: the rating on the latest list that is not after the month and at most a year
     * older, and that list, "1972-07"; 0 and "" when there is none. */
    int elo;
    char listed[8];
};
/** Fills in the answers. */
IPR_CHECK enum ipr_code ipr_db_elo_at(struct ipr_db *db, struct ipr_db_elo_at *at, size_t n,
                                      struct ipr_err *err);

#endif
