#ifndef IPR_DB_SIMILAR_PAIRS_H
#define IPR_DB_SIMILAR_PAIRS_H

#include "core/name_similarity.h"
#include "db/db.h"

/* Pairs of players that could be one person, for review; nothing is merged automatically. */

#include "queries/similar_pairs.h"

struct ipr_db_doubtful {
    struct ipr_db_suspect a, b;
    enum ipr_similarity why; /* in which way the names are similar */
    const char
        *spelled[2]; /* the similar spellings, when the names shown are not similar; else NULL */
    int32_t common_opponents;
};

/** A position in the order of all pairs: after the pair of identities a and b under one surname. */
struct ipr_db_doubtful_place {
    const char *block; /* "" the start */
    int32_t a, b;
};

/**
 * Pairs from a position on, at most `limit`, in the order of their surnames: persons with two
 * identities that share a surname and have similar names (core/name_similarity.h). Left out:
 * persons that have a FIDE id each, pairs declared distinct or split, persons that have played each
 * other, persons without games. Work is bounded: a call may return fewer pairs than `limit`, or
 * none, although there are more; *next is where to continue, its block NULL at the end. A pair of
 * persons with several identities may occur on more than one page.
 */
IPR_CHECK enum ipr_code ipr_db_doubtful(struct ipr_db *db,
                                        const struct ipr_db_doubtful_place *after, int limit,
                                        struct ipr_arena *mem, struct ipr_db_doubtful **rows,
                                        size_t *n, struct ipr_db_doubtful_place *next,
                                        struct ipr_err *err);

#endif
