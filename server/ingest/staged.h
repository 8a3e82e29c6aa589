#ifndef IPR_INGEST_STAGED_H
#define IPR_INGEST_STAGED_H

#include "ingest/duplicates.h"

/* The games that those of one batch are compared with: stored ones that could be the same, and
 * those of the batch that are new. */

struct ipr_staged {
    struct ipr_db_new_game *game;
    bool stored;    /* is in the database; else a new one of the batch */
    bool improved;  /* differs from what is stored */
    bool new_moves; /* the same of its moves */
};

struct ipr_staged_set;

struct ipr_staged_set *ipr_staged_new(void);
void ipr_staged_free(struct ipr_staged_set **set);

/** Adds a resolved game, borrowed. */
void ipr_staged_add(struct ipr_staged_set *set, struct ipr_db_new_game *game, bool stored);

/** Which kept game `sent` is a duplicate of, and how; NULL: none. Looks at a bounded number. */
struct ipr_staged *ipr_staged_find(struct ipr_staged_set *set, const struct ipr_db_new_game *sent,
                                   enum ipr_duplicate *kind);

/** The kept game takes what it lacks, and is found by it from then on (ipr_duplicate_enrich). True
 * when it took anything. */
bool ipr_staged_enrich(struct ipr_staged_set *set, struct ipr_staged *kept,
                       const struct ipr_db_new_game *sent, enum ipr_duplicate kind,
                       const struct ipr_db_distinct_pairs *distinct, struct ipr_arena *mem,
                       unsigned *conflicts);

/** All of them, stored and new, in the order of adding; pointers stay until ipr_staged_free. */
struct ipr_staged *const *ipr_staged_all(const struct ipr_staged_set *set, size_t *n);

#endif
