#ifndef IPR_MODEL_CONFORMANCE_H
#define IPR_MODEL_CONFORMANCE_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "model/judged.h"
#include "model/turn.h"
#include "model/years.h"
#include "stats/clustered.h"

enum ipr_loss {
    IPR_LOSS_RAW,     /* v_b - v_p; with the Guid-Bratko window, their variant */
    IPR_LOSS_WEIGHTED /* divided by 1 + v_b/k1 (v_b >= 0) or 1 + v_b/k2 (v_b < 0) */
};

struct ipr_conformance_params {
    enum ipr_loss loss;
    double k1; /* pawns, > 0 */
    double k2; /* pawns, < 0 */
    enum ipr_played_order order;
    double forgetting; /* of ipr_conformance_accumulated: weight of a year against the next, 0..1 */
};

/* Alliot's optimum; his regression's values are 1.44 and -3.53. */
#define IPR_CONFORMANCE_INIT                                                                       \
    {                                                                                              \
        .loss = IPR_LOSS_RAW, .k1 = 0.75, .k2 = -3.30, .order = IPR_PLAYED_PLACED,                 \
        .forgetting = IPR_FORGETTING                                                               \
    }

#define IPR_LOSS_CLASSES 101 /* 0, (0, 0.1], (0.1, 0.2], ... the last takes all above 9.9 */

struct ipr_conformance {
    struct ipr_share share_0;         /* loss = 0 */
    struct ipr_share share_30;        /* loss <= 0.30 */
    double mean_loss;                 /* pawns */
    double mean_loss_se;              /* game-clustered; 0 with one game */
    double classes[IPR_LOSS_CLASSES]; /* turns per class of loss [count] */
    size_t turns, games;
};

/** Loss of a turn in pawns, >= 0. v_b and v_p in cp. Source: A sections 3.2, 4.2. */
double ipr_loss(const struct ipr_conformance_params *params, int best_cp, int played_cp);

/** Class of a loss in pawns: 0 for 0, else max(1, ceil(10 loss - 1e-8)), at most 100. */
unsigned ipr_loss_class(double loss);

/**
 * Conformance of the moves of a set of turns: shares at loss 0 and at loss <= 0.30 (allowing
 * 1e-9 for rounding) with Wilson and game-clustered 95 % intervals, mean loss, classes.
 *
 * turns, keep[n]   the n turns turns[keep[i]]; keep NULL: turns[0 .. n)
 * out              untouched on error
 *
 * IPR_EDATA if n = 0; IPR_EINVAL if k1 <= 0 or k2 >= 0. Source: methods section 1.
 */
IPR_CHECK enum ipr_code ipr_conformance(const struct ipr_conformance_params *params,
                                        const struct ipr_turn *turns, const size_t *keep, size_t n,
                                        struct ipr_conformance *out, struct ipr_err *err);

/** Shares per class R and their running sum R' (IPR_EDATA without turns); outputs may be NULL. */
IPR_CHECK enum ipr_code ipr_conformance_shares(const double classes[IPR_LOSS_CLASSES],
                                               double r[IPR_LOSS_CLASSES],
                                               double cumulative[IPR_LOSS_CLASSES],
                                               struct ipr_err *err);

/**
 * Accumulated conformance with forgetting (A section 4.2) at a loss of `threshold` pawns (1e-9
 * allowed) with its uncertainty: a share of turns
 * with the weights of ipr_year_weight, its error clustered by game (ipr_stats_weighted_share).
 *
 * turns, keep[n]   as in ipr_conformance, of any years; those after `year`, and those of a year
 *                  that is not known (0), do not count
 * threshold        pawns, >= 0: 0, 0.30
 * out              share, standard error, intervals, turns (trials) and games that count;
 *                  untouched on error
 *
 * Only ratios of weights matter, so a last year long before `year` is no less well known.
 * IPR_EDATA when no turn counts; IPR_EINVAL if k1 <= 0, k2 >= 0 or the threshold is out of domain.
 * Source: A section 4.2; methods section 1.
 */
IPR_CHECK enum ipr_code ipr_conformance_accumulated(const struct ipr_conformance_params *params,
                                                    const struct ipr_turn *turns,
                                                    const size_t *keep, size_t n, int32_t year,
                                                    double threshold, struct ipr_share *out,
                                                    struct ipr_err *err);

/* Alliot's values for the prediction of a score (methods section 1). */
#define IPR_ACS_ALPHA (-0.007)
#define IPR_ACS_BETA  3.64

/**
 * Expected score of player 1 from the accumulated conformances at loss <= 0.30:
 *   (1 + beta (q1 - q2) + alpha) / 2, clipped to [0, 1].
 */
double ipr_conformance_score(double q1, double q2, double alpha, double beta);

#endif
