#ifndef IPR_MODEL_STRENGTH_PARTS_H
#define IPR_MODEL_STRENGTH_PARTS_H

#include "model/strength_rating.h"

/**
 * A rating as a sum over its moves.
 *
 * The rating is a curve R of the sums S of the moves' scores and W of their information. A player
 * of an Elo whose mean score per information is z0 is expected, to first order, to score z0 w in a
 * move of information w. As a score moves from z0 W to S, each move's in the same proportion, the
 * rating moves from R(z0 W, W) to R(S, W), and a move's part in that is
 *
 *   k (s - z0 w),   k = (R(S, W) - R(z0 W, W)) / (S - z0 W)
 *
 * (Aumann and Shapley's value along that line: Sundararajan, Taly and Yan, ICML 2017, eq. 1). The
 * parts of all moves add up to R(S, W) - R(z0 W, W), whatever the curve.
 */
struct ipr_strength_parts {
    double from, to; /* R(z0 W, W), R(S, W); Elo */
    double z0;       /* mean score per information of players of the reference Elo */
    double slope;    /* k; R's derivative by S where S is z0 W */
};

/**
 * score, information   sums over all moves; information above 0
 * elo                  of the reference
 * prior_mean, prior_sd as of ipr_strength_of_sums
 */
struct ipr_strength_parts ipr_strength_parts(const struct ipr_strength_calibration *m, double score,
                                             double information, double elo, double prior_mean,
                                             double prior_sd);

/** The part of moves whose scores and information add up to these, Elo. */
double ipr_strength_part(const struct ipr_strength_parts *p, double score, double information);

#endif
