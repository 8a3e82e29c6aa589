#include "model/strength_parts.h"

#include <math.h>

/* Smallest difference of the mean score per information: nearer to the reference the quotient would
 * be rounding. */
#define PARTS_NEAR 1e-4

struct parts_curve {
    const struct ipr_strength_calibration *m;
    double information, prior_mean, prior_sd;
};

static double parts_rating(const struct parts_curve *r, double z)
{
    return ipr_strength_of_sums(r->m, z * r->information, r->information, r->prior_mean,
                                r->prior_sd)
        .mean;
}

/* Slope of the rating by the mean score per information, from z0 to z. */
static double parts_slope(const struct parts_curve *r, double z0, double z)
{
    if (fabs(z - z0) >= PARTS_NEAR)
        return (parts_rating(r, z) - parts_rating(r, z0)) / (z - z0);
    return (parts_rating(r, z0 + PARTS_NEAR) - parts_rating(r, z0 - PARTS_NEAR)) / (2 * PARTS_NEAR);
}

struct ipr_strength_parts ipr_strength_parts(const struct ipr_strength_calibration *m, double score,
                                             double information, double elo, double prior_mean,
                                             double prior_sd)
{
    const struct parts_curve r = { m, information, prior_mean, prior_sd };
    const double z0 = ipr_strength_curve_at(&m->curve, elo), z = score / information;

    return (struct ipr_strength_parts){ .from = parts_rating(&r, z0),
                                        .to = parts_rating(&r, z),
                                        .z0 = z0,
                                        .slope = parts_slope(&r, z0, z) / information };
}

double ipr_strength_part(const struct ipr_strength_parts *p, double score, double information)
{
    return p->slope * (score - p->z0 * information);
}
