#ifndef IPR_MODEL_MARKOV_SIDE_H
#define IPR_MODEL_MARKOV_SIDE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/markov.h"
#include "model/years.h"

/* Internal to the Markov predictor; for the markov and royale files only. */

enum { IPR_MARKOV_CELLS = IPR_MARKOV_MAX * IPR_MARKOV_MAX };

/** A player's transitions, by year and game; those of one game that are alike are one. */
struct ipr_markov_side {
    uint16_t *cell; /* from * classes + to; of the second colour, IPR_MARKOV_CELLS more */
    double *weight;
    size_t n;
    size_t *start; /* first entry of each game; one more entry closes the last */
    size_t games;
    size_t *drawn; /* the games, those of one stratum together */
    struct ipr_stratum *strata;
    size_t n_strata;
    bool triangular; /* no move played was better than the best */
    uint64_t digest; /* of the turns in whatever order */
};

/** IPR_EINVAL unless the number of classes is the edges'. */
IPR_CHECK enum ipr_code ipr_markov_classes_check(const struct ipr_markov_classes *classes,
                                                 struct ipr_err *err);

/** Player 1's results with White and with Black in matrices of both; the chain's classes too. */
struct ipr_markov_both {
    struct ipr_markov_outcome white, black;
    unsigned recurrent[2];
};

/**
 * f1[k], f2[k]   matrices [n * n] of the two players with White (k = 0) and Black (k = 1); the
 *                same pointers when colours are not kept apart
 * zero           the class of 0, where several recurrent classes are entered from
 */
IPR_CHECK enum ipr_code ipr_markov_both_colours(const double *const f1[2],
                                                const double *const f2[2], size_t n, size_t zero,
                                                struct ipr_markov_both *out, struct ipr_err *err);

/** The chain of `f` (with White) against `s` (with Black, its own view); zero as above. */
IPR_CHECK enum ipr_code ipr_markov_chain_of(const double *f, const double *s, size_t n, size_t zero,
                                            struct ipr_markov_chain *out, struct ipr_err *err);

/** Right-stochastic matrix of counts[n*n]: an empty row is pool's row (pool may be NULL), or the
 * identity's. Returns how many had no count. */
unsigned ipr_markov_fill(const double *counts, const double *pool, size_t n, double *matrix);

/**
 * Player 1's expected scores with White and with Black in a block of matches (lanes.h).
 *
 * m1[k], m2[k]   matrices (lanes, n * n), as above
 * triangular     none has an entry above the diagonal
 * white, black   output, [IPR_BLOCK]
 */
IPR_CHECK enum ipr_code ipr_markov_block(const double *const m1[2], const double *const m2[2],
                                         size_t n, size_t zero, bool triangular, double *white,
                                         double *black, struct ipr_err *err);

/** Counts (lanes, n * n) to matrices in place, rows without any as ipr_markov_fill has them. */
void ipr_markov_fill_block(double *counts, const double *pool, size_t n);

/**
 * Interval about an expected score from that of n >= 2 replicates:
 * docs/statistics.md says how and why. sd is theirs (factor 1: taken as it is), sd_logit half the
 * interval on the logit scale / 1.96.
 */
void ipr_markov_interval(double mean, double factor, const double *e, size_t n, double *sd,
                         double *sd_logit, struct ipr_interval *out);

/** Adds the interval to `out`, whose mean is known. */
IPR_CHECK enum ipr_code ipr_markov_bootstrap(const struct ipr_markov_side *s1,
                                             const struct ipr_markov_side *s2, const double *pool,
                                             const struct ipr_markov_params *params,
                                             struct ipr_markov_prediction *out,
                                             struct ipr_err *err);

#endif
