#ifndef IPR_MODEL_STRENGTH_CURVE_H
#define IPR_MODEL_STRENGTH_CURVE_H

#include "model/strength_rating.h"

/* The curve, the era and estimates as their fit (lab/methods/strength_sides.c) and
 * strength_rating.c need them; the others have strength_rating.h. */

/** Regressors of the expected z: weights of the curve's knots, then of the era's elo[]. */
#define IPR_STRENGTH_TERMS (IPR_STRENGTH_KNOTS + IPR_STRENGTH_ERAS)

void ipr_strength_terms(const struct ipr_strength_calibration *m, double elo, double year,
                        double x[IPR_STRENGTH_TERMS]);

/** Segment of an Elo, and its position in it; outside 0 to 1 beyond the curve. */
size_t ipr_strength_curve_segment(const struct ipr_strength_curve *c, double elo, double *along);

/** 1 of a curve that rises, else -1. */
double ipr_strength_curve_way(const struct ipr_strength_curve *c);

/** z per Elo. */
double ipr_strength_curve_slope(const struct ipr_strength_curve *c, double elo);

/** Weights of the era's years in linear interpolation at `year`, without that of the first. */
void ipr_strength_era_shares(const struct ipr_strength_era *era, double year,
                             double share[IPR_STRENGTH_ERAS]);

/** The same less their means over the sides of this Elo: the regressors of the era. */
void ipr_strength_era_terms(const struct ipr_strength_calibration *m, double elo, double year,
                            double x[IPR_STRENGTH_ERAS]);

/** Variance of the era's effect by its regressors, or by a sum of them [Elo^2]. */
double ipr_strength_era_variance(const struct ipr_strength_era *era,
                                 const double x[IPR_STRENGTH_ERAS]);

/** The variance of a set's z at an Elo, of which `sampling` is the part that varies with the level.
 */
struct ipr_strength_variance {
    double sampling, rest;
};

struct ipr_strength_estimate ipr_strength_estimate_of(const struct ipr_strength_calibration *m,
                                                      double z, struct ipr_strength_variance v,
                                                      double prior_mean, double prior_sd);

#endif
