#include "model/strength_curve.h"

#include <math.h>
#include <string.h>

#define CURVE_BEYOND .44 /* error of the curve, Elo for each beyond its ends */

size_t ipr_strength_curve_segment(const struct ipr_strength_curve *c, double elo, double *along)
{
    size_t i = 0;

    while (i + 2 < c->knots && elo > c->elo[i + 1])
        i++;
    *along = (elo - c->elo[i]) / (c->elo[i + 1] - c->elo[i]);
    return i;
}

double ipr_strength_curve_at(const struct ipr_strength_curve *c, double elo)
{
    double t;
    const size_t i = ipr_strength_curve_segment(c, elo, &t);

    return c->z[i] + t * (c->z[i + 1] - c->z[i]);
}

double ipr_strength_curve_se(const struct ipr_strength_curve *c, double elo)
{
    double t;
    const size_t i = ipr_strength_curve_segment(c, elo, &t);

    const double beyond = fmax(fmax(c->elo[0] - elo, elo - c->elo[c->knots - 1]), 0);

    return hypot(
        sqrt((1 - t) * (1 - t) * c->var[i] + 2 * t * (1 - t) * c->cov[i] + t * t * c->var[i + 1]),
        CURVE_BEYOND * beyond * ipr_strength_curve_slope(c, elo));
}

double ipr_strength_curve_way(const struct ipr_strength_curve *c)
{
    return c->z[c->knots - 1] < c->z[0] ? -1 : 1;
}

double ipr_strength_curve_slope(const struct ipr_strength_curve *c, double elo)
{
    return (ipr_strength_curve_at(c, elo + 50) - ipr_strength_curve_at(c, elo - 50)) / 100;
}

void ipr_strength_era_shares(const struct ipr_strength_era *era, double year,
                             double share[IPR_STRENGTH_ERAS])
{
    for (size_t k = 0; k < IPR_STRENGTH_ERAS; k++) {
        const double *knot = &era->year[k];
        const double rise = (year - knot[0]) / (knot[1] - knot[0]);
        const double fall = k + 1 < IPR_STRENGTH_ERAS ? (knot[2] - year) / (knot[2] - knot[1]) : 1;

        share[k] = knot[1] > knot[0] ? fmax(fmin(fmin(rise, fall), 1), 0) : 0;
    }
}

void ipr_strength_era_terms(const struct ipr_strength_calibration *m, double elo, double year,
                            double x[IPR_STRENGTH_ERAS])
{
    const struct ipr_strength_era *const era = &m->era;
    double t;
    const size_t i = ipr_strength_curve_segment(&m->curve, elo, &t);

    ipr_strength_era_shares(era, year, x);
    for (size_t k = 0; k < IPR_STRENGTH_ERAS; k++)
        x[k] = year > 0 ? x[k] - (1 - t) * era->centre[k][i] - t * era->centre[k][i + 1] : 0;
}

double ipr_strength_era_at(const struct ipr_strength_calibration *m, double elo, double year)
{
    double x[IPR_STRENGTH_ERAS], sum = 0;

    ipr_strength_era_terms(m, elo, year, x);
    for (size_t k = 0; k < IPR_STRENGTH_ERAS; k++)
        sum += x[k] * m->era.elo[k];
    return sum;
}

double ipr_strength_era_variance(const struct ipr_strength_era *era,
                                 const double x[IPR_STRENGTH_ERAS])
{
    double v = 0;

    for (size_t k = 0; k < IPR_STRENGTH_ERAS; k++)
        for (size_t j = 0; j < IPR_STRENGTH_ERAS; j++)
            v += x[k] * x[j] * era->cov[k][j];
    return fmax(v, 0);
}

double ipr_strength_era_se(const struct ipr_strength_calibration *m, double elo, double year)
{
    double x[IPR_STRENGTH_ERAS];

    ipr_strength_era_terms(m, elo, year, x);
    return sqrt(ipr_strength_era_variance(&m->era, x));
}

void ipr_strength_terms(const struct ipr_strength_calibration *m, double elo, double year,
                        double x[IPR_STRENGTH_TERMS])
{
    const double slope = ipr_strength_curve_slope(&m->curve, elo);
    double t;
    const size_t i = ipr_strength_curve_segment(&m->curve, elo, &t);

    memset(x, 0, IPR_STRENGTH_TERMS * sizeof *x);
    x[i] = 1 - t;
    x[i + 1] = t;
    ipr_strength_era_terms(m, elo, year, x + IPR_STRENGTH_KNOTS);
    for (size_t k = 0; k < IPR_STRENGTH_ERAS; k++)
        x[IPR_STRENGTH_KNOTS + k] *= slope;
}

double ipr_strength_expected(const struct ipr_strength_calibration *m, double elo, double year)
{
    return ipr_strength_curve_at(&m->curve, elo) +
           ipr_strength_curve_slope(&m->curve, elo) * ipr_strength_era_at(m, elo, year);
}

double ipr_strength_expected_se(const struct ipr_strength_calibration *m, double elo, double year)
{
    const double se = ipr_strength_curve_se(&m->curve, elo);
    double x[IPR_STRENGTH_TERMS], v;

    ipr_strength_terms(m, elo, year, x);
    v = ipr_strength_era_variance(&m->era, x + IPR_STRENGTH_KNOTS);
    for (size_t k = 0; k < IPR_STRENGTH_ERAS; k++)
        for (size_t i = 0; i < IPR_STRENGTH_KNOTS; i++)
            v += 2 * x[IPR_STRENGTH_KNOTS + k] * x[i] * m->era.cov_curve[k][i];
    return sqrt(fmax(se * se + v, 0));
}

double ipr_strength_curve_elo(const struct ipr_strength_curve *c, double z)
{
    double lo = c->elo[0] - IPR_STRENGTH_BEYOND;
    double hi = c->elo[c->knots - 1] + IPR_STRENGTH_BEYOND;
    const double way = ipr_strength_curve_way(c);

    while (hi - lo > .01) {
        const double mid = (lo + hi) / 2;

        if (way * (ipr_strength_curve_at(c, mid) - z) < 0)
            lo = mid;
        else
            hi = mid;
    }
    return (lo + hi) / 2;
}
