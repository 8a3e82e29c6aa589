#include "model/strength_rating.h"

#include <math.h>

#include "model/strength_curve.h"

#define STRENGTH_GRID_OVER 600.
#define STRENGTH_GRID_STEP 10.

size_t ipr_strength_grid_size(const struct ipr_strength_curve *c)
{
    const double width = c->elo[c->knots - 1] - c->elo[0] + 2 * STRENGTH_GRID_OVER;

    return (size_t)(width / STRENGTH_GRID_STEP) + 1;
}

double ipr_strength_grid_elo(const struct ipr_strength_curve *c, size_t i)
{
    return c->elo[0] - STRENGTH_GRID_OVER + STRENGTH_GRID_STEP * (double)i;
}

void ipr_strength_posterior(const struct ipr_strength_curve *c, const double p[IPR_STRENGTH_GRID],
                            struct ipr_strength_estimate *out)
{
    const size_t n = ipr_strength_grid_size(c);
    double sum = 0, below = 0, mean = 0, square = 0;

    for (size_t i = 0; i < n; i++) {
        const double elo = ipr_strength_grid_elo(c, i);

        sum += p[i];
        mean += p[i] * elo;
        square += p[i] * elo * elo;
    }
    out->mean = mean / sum;
    out->sd = sqrt(fmax(square / sum - out->mean * out->mean, 0));
    out->lo = out->hi = NAN;
    for (size_t i = 0; i < n; i++) {
        const double elo = ipr_strength_grid_elo(c, i) + STRENGTH_GRID_STEP / 2;

        if (below < .025 * sum && below + p[i] >= .025 * sum)
            out->lo = elo - STRENGTH_GRID_STEP * (below + p[i] - .025 * sum) / p[i];
        if (below < .975 * sum && below + p[i] >= .975 * sum)
            out->hi = elo - STRENGTH_GRID_STEP * (below + p[i] - .975 * sum) / p[i];
        below += p[i];
    }
}

double ipr_strength_level(const struct ipr_strength_calibration *m, double elo)
{
    const double *const level = m->spread.level;
    double t;
    const size_t i = ipr_strength_curve_segment(&m->curve, elo, &t);

    t = fmin(fmax(t, 0), 1);
    return level[0] > 0 ? level[i] + t * (level[i + 1] - level[i]) : 1;
}

static double strength_variance_at(const struct ipr_strength_calibration *m,
                                   struct ipr_strength_variance v, double elo)
{
    const double se = ipr_strength_curve_se(&m->curve, elo);

    return v.sampling * ipr_strength_level(m, elo) + v.rest + se * se;
}

struct ipr_strength_estimate ipr_strength_estimate_of(const struct ipr_strength_calibration *m,
                                                      double z, struct ipr_strength_variance v,
                                                      double prior_mean, double prior_sd)
{
    const double way = ipr_strength_curve_way(&m->curve);
    const size_t n = ipr_strength_grid_size(&m->curve);
    struct ipr_strength_estimate out = { .z = z };
    double p[IPR_STRENGTH_GRID], half;

    out.raw = ipr_strength_curve_elo(&m->curve, z);
    out.variance = v.sampling * ipr_strength_level(m, out.raw) + v.rest;
    half = 1.96 * sqrt(strength_variance_at(m, v, out.raw));
    out.raw_lo = ipr_strength_curve_elo(&m->curve, z - way * half);
    out.raw_hi = ipr_strength_curve_elo(&m->curve, z + way * half);
    for (size_t i = 0; i < n; i++) {
        const double elo = ipr_strength_grid_elo(&m->curve, i);
        const double r = z - ipr_strength_curve_at(&m->curve, elo);
        const double e = (elo - prior_mean) / prior_sd;
        const double variance = strength_variance_at(m, v, elo);

        p[i] = exp(-r * r / (2 * variance) - e * e / 2) / sqrt(variance);
    }
    ipr_strength_posterior(&m->curve, p, &out);
    return out;
}

struct ipr_strength_estimate ipr_strength_of_sums(const struct ipr_strength_calibration *m,
                                                  double score, double information,
                                                  double prior_mean, double prior_sd)
{
    const struct ipr_strength_variance v = { m->spread.factor / information, m->spread.player };

    return ipr_strength_estimate_of(m, score / information, v, prior_mean, prior_sd);
}

double ipr_strength_surprise(const struct ipr_strength_calibration *m,
                             const struct ipr_strength_set *set)
{
    const double way = ipr_strength_curve_way(&m->curve);
    const double se = ipr_strength_expected_se(m, set->elo, set->year);
    const double variance = m->spread.factor * ipr_strength_level(m, set->elo) / set->information +
                            m->spread.player + m->spread.event * set->events + se * se;

    return way * (set->score / set->information - ipr_strength_expected(m, set->elo, set->year)) /
           sqrt(variance);
}
