#ifndef IPR_INGEST_KEPT_H
#define IPR_INGEST_KEPT_H

#include "ingest/duplicates.h"

/* The games that those of one batch are compared with: stored ones that could be the same, and
 * those of the batch that are new. */

struct ipr_kept {
    struct ipr_db_new_game *game;
    bool stored;    /* is in the database; else a new one of the batch */
    bool improved;  /* differs from what is stored */
    bool new_moves; /* the same of its moves */
};

struct ipr_kept_set;

struct ipr_kept_set *ipr_kept_new(void);
void ipr_kept_free(struct ipr_kept_set **set);

/** Adds a resolved game, borrowed. */
void ipr_kept_add(struct ipr_kept_set *set, struct ipr_db_new_game *game, bool stored);

/** Which kept game `sent` is a duplicate of, and how; NULL: none. Looks at a bounded number. */
struct ipr_kept *ipr_kept_find(struct ipr_kept_set *set, const struct ipr_db_new_game *sent,
                               enum ipr_duplicate *kind);

/** The kept game takes what it lacks, and is found by it from then on (ipr_duplicate_enrich). True
 * when it took anything. */
bool ipr_kept_enrich(struct ipr_kept_set *set, struct ipr_kept *kept,
                     const struct ipr_db_new_game *sent, enum ipr_duplicate kind,
                     const struct ipr_db_apart *apart, struct ipr_arena *mem, unsigned *conflicts);

/** All of them, stored and new, in the order of adding; pointers stay until ipr_kept_free. */
struct ipr_kept *const *ipr_kept_all(const struct ipr_kept_set *set, size_t *n);

#endif
