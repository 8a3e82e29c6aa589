#ifndef IPR_INGEST_STAGED_H
#define IPR_INGEST_STAGED_H

#include "ingest/duplicates.h"

/* Staged games: the games with which those of a batch are compared, stored candidates and new games
 * of the batch. */

struct ipr_staged {
    struct ipr_db_new_game *game;
    bool stored;    /* in the database; else a new one of the batch */
    bool improved;  /* differs from the stored row */
    bool new_moves; /* its moves differ */
    struct ipr_duplicate_marks marks;
};

struct ipr_staged_set;

struct ipr_staged_set *ipr_staged_new(void);
void ipr_staged_free(struct ipr_staged_set **set);

/** Adds a resolved game, borrowed. */
void ipr_staged_add(struct ipr_staged_set *set, struct ipr_db_new_game *game, bool stored);

/** The staged game of which `sent` is a duplicate, and its kind; NULL: none. Compares a bounded
 * number. */
struct ipr_staged *ipr_staged_find(struct ipr_staged_set *set, const struct ipr_db_new_game *sent,
                                   enum ipr_duplicate *kind);

/** Completes the staged game (ipr_duplicate_enrich) and indexes it by its new data. True when
 * anything changed. */
bool ipr_staged_enrich(struct ipr_staged_set *set, struct ipr_staged *kept,
                       const struct ipr_db_new_game *sent, enum ipr_duplicate kind,
                       const struct ipr_db_distinct_pairs *distinct, struct ipr_arena *mem,
                       unsigned *conflicts);

/** All games, stored and new, in the order of adding; pointers are valid until ipr_staged_free. */
struct ipr_staged *const *ipr_staged_all(const struct ipr_staged_set *set, size_t *n);

#endif
