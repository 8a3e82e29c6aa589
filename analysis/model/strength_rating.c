#include "model/strength_rating.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "model/strength_curve.h"

#define STRENGTH_GRID_OVER 600.
#define STRENGTH_GRID_STEP 10.

double ipr_strength_weight(const struct ipr_strength_spread *s, double information)
{
    return information > 0 ? 1 / (s->factor / information + s->game + s->player) : 0;
}

struct strength_share {
    uint64_t player;
    double weight;
};

static int strength_by_player(const void *a, const void *b)
{
    const struct strength_share *x = a, *y = b;

    return x->player < y->player ? -1 : x->player > y->player;
}

/* Sum over players of the square of their weight. */
static double strength_player_squares(struct strength_share *share, size_t k)
{
    double sum = 0, own = 0;

    qsort(share, k, sizeof *share, strength_by_player);
    for (size_t i = 0; i < k; i++) {
        own += share[i].weight;
        if (i + 1 == k || share[i + 1].player != share[i].player) {
            sum += own * own;
            own = 0;
        }
    }
    return sum;
}

/* The variance of a set's z at an Elo, of which `sampling` is the part that varies with the level.
 */
struct strength_variance {
    double sampling, rest;
};

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
                                   struct strength_variance v, double elo)
{
    const double se = ipr_strength_curve_se(&m->curve, elo);

    return v.sampling * ipr_strength_level(m, elo) + v.rest + se * se;
}

static struct ipr_strength_estimate strength_estimate_of(const struct ipr_strength_calibration *m,
                                                         double z, struct strength_variance v,
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
    const struct strength_variance v = { m->spread.factor / information, m->spread.player };

    return strength_estimate_of(m, score / information, v, prior_mean, prior_sd);
}

struct ipr_strength_estimate ipr_strength_estimate(const struct ipr_strength_calibration *m,
                                                   const struct ipr_strength_side *side,
                                                   const size_t *at, size_t k, double prior_mean,
                                                   double prior_sd)
{
    struct strength_share *share = ipr_xcalloc(k, sizeof *share);
    struct strength_variance v = { 0, 0 };
    double sum = 0, z = 0;

    for (size_t i = 0; i < k; i++) {
        const struct ipr_strength_side *a = &side[at[i]];
        const double w = ipr_strength_weight(&m->spread, a->information);

        share[i] = (struct strength_share){ a->player, w };
        sum += w;
        z += w * a->z;
        v.sampling += w > 0 ? w * w * m->spread.factor / a->information : 0;
        v.rest += w * w * m->spread.game;
    }
    v.rest += strength_player_squares(share, k) * m->spread.player;
    v.sampling /= sum * sum;
    v.rest /= sum * sum;
    free(share);
    return strength_estimate_of(m, z / sum, v, prior_mean, prior_sd);
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
