#ifndef IPR_DB_SIMILAR_PAIRS_H
#define IPR_DB_SIMILAR_PAIRS_H

#include "core/name_similarity.h"
#include "db/db.h"

/* Pairs of players that could be one person. Computed, never acted upon. */

#include "queries/similar_pairs.h"

struct ipr_db_doubtful {
    struct ipr_db_suspect a, b;
    enum ipr_similarity why; /* how the names are alike */
    const char *spelled[2];  /* the spellings that are, when the names shown are not; else NULL */
    int32_t common_opponents;
};

/** A place in the order of all pairs: after the pair of identities a and b under one surname. */
struct ipr_db_doubtful_place {
    const char *block; /* "" the start */
    int32_t a, b;
};

/**
 * Pairs from a place on, at most `limit`, in the order of their surnames: persons of whom two
 * identities share a surname and have names that are alike (core/name_similarity.h). Left out:
 * persons that have a FIDE id each, pairs declared two persons or split, persons that have played
 * each other, persons without games. Work is bounded: a call may give fewer pairs than `limit`, or
 * none, with more to come; *next is where to go on, block NULL when all is seen. A pair of persons
 * with several identities may come on more than one page.
 */
IPR_CHECK enum ipr_code ipr_db_doubtful(struct ipr_db *db,
                                        const struct ipr_db_doubtful_place *after, int limit,
                                        struct ipr_arena *mem, struct ipr_db_doubtful **rows,
                                        size_t *n, struct ipr_db_doubtful_place *next,
                                        struct ipr_err *err);

#endif
