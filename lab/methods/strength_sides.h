#ifndef IPR_LAB_STRENGTH_SIDES_H
#define IPR_LAB_STRENGTH_SIDES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/strength_rating.h"

/* Calibrations of ratings by moves (model/strength_rating.h) from the sides of games, and ratings
 * of sets of sides. */

/** Data of one side of a game. */
struct ipr_strength_side {
    uint64_t player;    /* any number, unique to its player */
    double elo, year;   /* for calibration; year 0: unknown */
    double z;           /* score / information, of mean f(Elo) */
    double information; /* inverse of the variance of z, up to a factor; 0: no moves */
};

/**
 * Fits curve, era and spread to sides of known Elo, alternating weighted least squares and moments.
 * Each z must come from a fit without the side's player. Sets spread.event to 0.
 *
 * take[n]   sides to use
 * m         its curve.knots and curve.elo are given, ascending; and spread.player, where it is
 *           known from elsewhere (of sides of which no player has two), else 0: fitted
 */
void ipr_strength_calibrate(const struct ipr_strength_side *side, const bool *take, size_t n,
                            struct ipr_strength_calibration *m);

/** The same for ratings from sums: spread.game is 0, what games add is in the factor, and
 * spread.level is set. */
void ipr_strength_calibrate_levels(const struct ipr_strength_side *side, const bool *take, size_t n,
                                   struct ipr_strength_calibration *m);

/**
 * Rating of the sides at[0 .. k), one of which at least has moves. Intervals include the errors of
 * sampling, games, players and the curve.
 *
 * prior_mean, prior_sd   of Elo, normal
 */
struct ipr_strength_estimate ipr_strength_estimate(const struct ipr_strength_calibration *m,
                                                   const struct ipr_strength_side *side,
                                                   const size_t *at, size_t k, double prior_mean,
                                                   double prior_sd);

/** Weight of a side in a set: 1 / (factor / information + game + player); 0 of one without moves.
 */
double ipr_strength_weight(const struct ipr_strength_spread *s, double information);

#endif
