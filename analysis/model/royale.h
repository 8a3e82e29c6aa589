#ifndef IPR_MODEL_ROYALE_H
#define IPR_MODEL_ROYALE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "model/conformance_predict.h"
#include "model/covariance.h"
#include "model/hierarchy.h"
#include "model/markov.h"

/* Every player-year against every other by one predictor, and what order the data support. */

enum ipr_royale_method {
    IPR_ROYALE_MARKOV,
    IPR_ROYALE_COVARIANCE,
    IPR_ROYALE_CONFORMANCE,
    IPR_ROYALE_RATING /* a difference of ratings on the scale of Elo */
};

/** One player-year that takes part. */
struct ipr_royale_entry {
    int64_t player; /* any numbering */
    int32_t year;   /* >= 1 */
    /* Turns of the player, those of other years too: the methods give earlier ones weight, as their
     * predictors do; covariance only as `losses.forgetting` says. Borrowed. Of a rating: none. */
    const struct ipr_markov_turn *turns;
    size_t n;
    double rating, rating_se; /* [Elo], of a rating only; NaN: no error is known */
};

struct ipr_royale_params {
    enum ipr_royale_method method;
    struct ipr_markov_classes classes;
    const double *pool; /* as in ipr_markov_predict; NULL: empty rows are the identity's */
    struct ipr_acs_params conformance;
    struct ipr_covariance_params covariance;
    struct ipr_conformance_params losses; /* of covariance; forgetting 0: each year alone */
    unsigned replicates;                  /* of each entry's games, for its error; >= 2 */
    unsigned splits;                      /* of the games into halves; >= 1 */
    struct ipr_hierarchy_params posterior;
    uint64_t seed;
};

/** The predictors' own defaults; 200 replicates, 20 splits, seed 1. */
struct ipr_royale_params ipr_royale_default(enum ipr_royale_method method);

struct ipr_royale_row {
    int64_t player;
    int32_t year;
    size_t turns, games; /* of the year itself */

    /* Scores by the predictor against every other one: with earlier years where it reads them. */
    double expected;                   /* mean expected score */
    size_t favoured, even, unfavoured; /* opponents against whom it is above, at and below 1/2 */

    /* Scores by the year's own games, against the average of the field. */
    double own;    /* expected score */
    double own_se; /* of its logit; NaN: not known */

    /* Scores against the average of the field, ranks and chances; NaN and 0 where own_se is not
     * known, or is known of fewer than two. */
    struct ipr_hierarchy_row posterior;

    size_t rank; /* from 1: by the posterior's mean, after these by `expected` */
    bool best;   /* the player's best year, in the same order */

    /* Markov's only. */
    double weight;       /* turns with those of earlier years, weighing 2^(their year - year) */
    double exits_top;    /* weighted transitions out of the best class */
    bool never_left;     /* no such transition in the year itself: own_se is not known */
    unsigned empty_rows; /* filled from the pool or the identity */
};

enum ipr_royale_verdict {
    IPR_ROYALE_NO_ERRORS,  /* of fewer than two entries an error is known */
    IPR_ROYALE_SAME,       /* they differ by no more than their errors: Q's p >= 0.05 */
    IPR_ROYALE_DISORDERED, /* they differ, but half of the games gives another order: tau < 0.7 */
    IPR_ROYALE_ORDERED
};

#define IPR_ROYALE_TAU_LEAST 0.7

struct ipr_royale {
    struct ipr_royale_row *rows; /* by player, then year */
    size_t n;
    double *pair;    /* [n*n] expected score of row i against row j, both colours averaged */
    size_t *ranking; /* [n] rows by rank */
    size_t *best;    /* [players] best years in the same order */
    size_t players;
    struct ipr_hierarchy posterior; /* without rows; mu, tau and drift are logits */
    size_t compared;                /* rows of it */
    double tau, tau_sd;             /* Kendall's, of halves: mean and sd over the splits; or NaN */
    bool tau_simulated;             /* from the errors, as no games are read */
    enum ipr_royale_verdict verdict;
};

/**
 * Plays the royale.
 *
 * entries[n]   in any order, no player-year twice
 * out          to be released; untouched on error
 *
 * A row's own strength is its expected score against the average of all rows, from the games of its
 * year alone, so that errors of a player's years are independent: against the mean of their
 * matrices (Markov), the mean of their distributions of losses (covariance: the exact mean of its
 * scores), of their shares (conformance) or of their ratings. Its error is the standard deviation
 * of the logit over replicates of its games, times sqrt(G/(G - 1)) for G games; as
 * ipr_markov_interval takes it. The field is taken as given: what its errors add is common to all
 * rows. Not known of one game, nor if no replicate differs (Markov: if the player never left the
 * best class, or never was in it, in that year).
 *
 * ipr_hierarchy makes the posterior of the logits of these strengths. For `tau` each row's games
 * are split into random halves, the rows ranked by either half, and the ranks correlated; without
 * games it is that of two simulated halves, whose errors are sqrt(2) as large.
 *
 * IPR_EDATA with fewer than two entries, or one without a turn of its year; IPR_EINVAL for
 * malformed classes and parameters, a player-year that comes twice or a rating that is not finite.
 * Order of the work: n^2/2 chains or scores, then n times replicates. Memory: 8 n^2 bytes, 8 n
 * classes.n^2, and what ipr_hierarchy needs. Source: A section 4.4, table 9.
 */
IPR_CHECK enum ipr_code ipr_royale(const struct ipr_royale_entry *entries, size_t n,
                                   const struct ipr_royale_params *params, struct ipr_royale *out,
                                   struct ipr_err *err);
void ipr_royale_release(struct ipr_royale *r);

#endif
