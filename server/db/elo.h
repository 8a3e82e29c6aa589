#ifndef IPR_DB_ELO_H
#define IPR_DB_ELO_H

#include "core/elo_lists.h"
#include "db/db.h"

/* Ratings on published lists: histories of identities, read as those of persons. */

/** An identity, with those of its person together. */
struct ipr_db_elo_identity {
    int32_t person, id;
    int32_t fide_id; /* 0 none */
    const char *name_key;
};
/** All identities of the next `limit` persons after one, by person, then id. */
IPR_CHECK enum ipr_code ipr_db_elo_people(struct ipr_db *db, int32_t after, int limit,
                                          struct ipr_arena *mem, struct ipr_db_elo_identity **rows,
                                          size_t *n, struct ipr_err *err);

struct ipr_db_elo_history {
    int32_t player_id;
    bool by_id; /* matched by FIDE id, not by name */
    const char *name;
    const struct ipr_elo_ratings *ratings; /* one of them at least */
};
/* The next three in the caller's transaction. */

/** Stores histories in place of those that were there. changed[n] takes the identities whose
 * history is not what it was. `source`: name of the file. */
IPR_CHECK enum ipr_code ipr_db_elo_put(struct ipr_db *db, const struct ipr_db_elo_history *h,
                                       size_t n, const char *source, int32_t *changed,
                                       size_t *n_changed, struct ipr_err *err);
/** Forgets the histories of all but these identities: *dropped, in mem. */
IPR_CHECK enum ipr_code ipr_db_elo_keep_only(struct ipr_db *db, const int32_t *ids, size_t n,
                                             struct ipr_arena *mem, int32_t **dropped,
                                             size_t *n_dropped, struct ipr_err *err);
/** What is kept of the persons of these identities, and of those who played them, becomes void. */
IPR_CHECK enum ipr_code ipr_db_elo_touch(struct ipr_db *db, const int32_t *ids, size_t n,
                                         struct ipr_err *err);

/** Whose rating is asked for, and when. */
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

struct ipr_db_elo_listed {
    const char *month; /* "1972-07": of the list */
    int elo;
    const char *name; /* in the file */
    const char *matched_by, *source;
};
/** A person's ratings on the lists of some years, ascending; `to` 0: of all. */
IPR_CHECK enum ipr_code ipr_db_elo_history(struct ipr_db *db, int32_t person, int from, int to,
                                           struct ipr_arena *mem, struct ipr_db_elo_listed **rows,
                                           size_t *n, struct ipr_err *err);

#endif
