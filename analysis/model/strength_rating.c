#include "model/strength_rating.h"

#include <gsl/gsl_linalg.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "stats/resample.h"

/* Classes of players that the bootstrap draws: player modulo this. */
#define STRENGTH_PLAYERS   4096
#define STRENGTH_DRAWS     200
#define STRENGTH_GRID_LO   1000.
#define STRENGTH_GRID_STEP 10.

static const double strength_knot[IPR_STRENGTH_KNOTS] = { 1600, 2000, 2400, 2800 };

double ipr_strength_weight(const struct ipr_strength_spread *s, double information)
{
    return information > 0 ? 1 / (s->factor / information + s->game + s->player) : 0;
}

/* Segment of an Elo, and its position in it; outside 0 to 1 beyond the curve. */
static size_t strength_curve_segment(double elo, double *along)
{
    size_t i = 0;

    while (i + 2 < IPR_STRENGTH_KNOTS && elo > strength_knot[i + 1])
        i++;
    *along = (elo - strength_knot[i]) / (strength_knot[i + 1] - strength_knot[i]);
    return i;
}

double ipr_strength_curve_at(const struct ipr_strength_curve *c, double elo)
{
    double t;
    const size_t i = strength_curve_segment(elo, &t);

    return c->z[i] + t * (c->z[i + 1] - c->z[i]);
}

double ipr_strength_curve_se(const struct ipr_strength_curve *c, double elo)
{
    double t;
    const size_t i = strength_curve_segment(elo, &t);

    return sqrt((1 - t) * (1 - t) * c->var[i] + 2 * t * (1 - t) * c->cov[i] +
                t * t * c->var[i + 1]);
}

/* Adjacent knots in the wrong order are drawn together until the values rise (or fall). */
static void strength_curve_order(double z[IPR_STRENGTH_KNOTS])
{
    const double way = z[IPR_STRENGTH_KNOTS - 1] < z[0] ? -1 : 1;

    for (int round = 0; round < 100; round++)
        for (size_t i = 0; i + 1 < IPR_STRENGTH_KNOTS; i++)
            if (way * (z[i + 1] - z[i]) < 0)
                z[i] = z[i + 1] = (z[i] + z[i + 1]) / 2;
}

/* Least squares of z on the knots; times: how often a player's class was drawn, NULL for once. */
static void strength_curve_solve(const struct ipr_strength_side *side,
                                 const struct ipr_strength_spread *s, const bool *take, size_t n,
                                 const double *times, double z[IPR_STRENGTH_KNOTS])
{
    double a[IPR_STRENGTH_KNOTS * IPR_STRENGTH_KNOTS] = { 0 };
    gsl_matrix_view h = gsl_matrix_view_array(a, IPR_STRENGTH_KNOTS, IPR_STRENGTH_KNOTS);
    gsl_vector_view b = gsl_vector_view_array(z, IPR_STRENGTH_KNOTS);

    memset(z, 0, IPR_STRENGTH_KNOTS * sizeof *z);
    for (size_t j = 0; j < IPR_STRENGTH_KNOTS; j++)
        a[j * IPR_STRENGTH_KNOTS + j] = 1e-9;
    for (size_t i = 0; i < n; i++) {
        double t, w = take[i] ? ipr_strength_weight(s, side[i].information) : 0;
        const size_t j = strength_curve_segment(side[i].elo, &t);
        const double v[2] = { 1 - t, t };

        w *= times != NULL ? times[side[i].player % STRENGTH_PLAYERS] : 1;
        for (size_t p = 0; p < 2; p++) {
            z[j + p] += w * v[p] * side[i].z;
            for (size_t q = 0; q < 2; q++)
                a[(j + p) * IPR_STRENGTH_KNOTS + j + q] += w * v[p] * v[q];
        }
    }
    gsl_linalg_cholesky_decomp1(&h.matrix);
    gsl_linalg_cholesky_svx(&h.matrix, &b.vector);
    strength_curve_order(z);
}

static void strength_curve_errors(const struct ipr_strength_side *side, const bool *take, size_t n,
                                  struct ipr_strength_calibration *m)
{
    double *times = malloc(STRENGTH_PLAYERS * sizeof *times), z[IPR_STRENGTH_KNOTS];
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);

    memset(m->curve.var, 0, sizeof m->curve.var);
    memset(m->curve.cov, 0, sizeof m->curve.cov);
    for (int k = 0; times != NULL && rng != NULL && k < STRENGTH_DRAWS; k++) {
        ipr_resample(rng, STRENGTH_PLAYERS, times);
        strength_curve_solve(side, &m->spread, take, n, times, z);
        for (size_t j = 0; j < IPR_STRENGTH_KNOTS; j++) {
            const double d = z[j] - m->curve.z[j];

            m->curve.var[j] += d * d / STRENGTH_DRAWS;
            if (j > 0)
                m->curve.cov[j - 1] += d * (z[j - 1] - m->curve.z[j - 1]) / STRENGTH_DRAWS;
        }
    }
    gsl_rng_free(rng);
    free(times);
}

/* factor, and game by regression of r^2 - player on 1 / information; neither below 0. Of sides of
 * one information only the sum is known: all of it is the factor's. */
static void strength_spread_fit(const struct ipr_strength_side *side, const bool *take, size_t n,
                                struct ipr_strength_calibration *m)
{
    const struct ipr_strength_spread old = m->spread;
    double s[5] = { 0 }, determinant;

    for (size_t i = 0; i < n; i++) {
        const double w = take[i] ? ipr_strength_weight(&old, side[i].information) : 0;
        const double z = side[i].z - ipr_strength_curve_at(&m->curve, side[i].elo);
        const double r = z * z - old.player;
        const double v = w > 0 ? 1 / side[i].information : 0;

        s[0] += w * w;
        s[1] += w * w * v;
        s[2] += w * w * v * v;
        s[3] += w * w * r;
        s[4] += w * w * v * r;
    }
    determinant = s[0] * s[2] - s[1] * s[1];
    if (determinant > 1e-9 * s[0] * s[2]) {
        m->spread.factor = (s[0] * s[4] - s[1] * s[3]) / determinant;
        m->spread.game = (s[3] - m->spread.factor * s[1]) / s[0];
    }
    if (!(determinant > 1e-9 * s[0] * s[2]) || m->spread.game < 0) {
        m->spread.game = 0;
        m->spread.factor = s[4] / s[2];
    }
    m->spread.factor = fmax(m->spread.factor, .2 * s[3] / s[1]);
}

/* Covariance of sides of one player in different games: moments over pairs. */
static void strength_spread_players(const struct ipr_strength_side *side, const bool *take,
                                    size_t n, struct ipr_strength_calibration *m)
{
    double *sum = calloc(4 * STRENGTH_PLAYERS * 16, sizeof *sum), top = 0, bottom = 0;
    const size_t classes = STRENGTH_PLAYERS * 16;

    for (size_t i = 0; sum != NULL && i < n; i++) {
        const double w = take[i] ? ipr_strength_weight(&m->spread, side[i].information) : 0;
        const double r = side[i].z - ipr_strength_curve_at(&m->curve, side[i].elo);
        double *s = sum + 4 * (side[i].player % classes);

        s[0] += w * r;
        s[1] += w * w * r * r;
        s[2] += w;
        s[3] += w * w;
    }
    for (size_t i = 0; sum != NULL && i < classes; i++) {
        const double *s = sum + 4 * i;
        top += s[0] * s[0] - s[1];
        bottom += s[2] * s[2] - s[3];
    }
    m->spread.player = bottom > 0 ? fmax(top / bottom, 0) : 0;
    free(sum);
}

void ipr_strength_calibrate(const struct ipr_strength_side *side, const bool *take, size_t n,
                            struct ipr_strength_calibration *m)
{
    m->spread = (struct ipr_strength_spread){ 1, 0, 0 };
    memcpy(m->curve.elo, strength_knot, sizeof strength_knot);
    for (int round = 0; round < 5; round++) {
        strength_curve_solve(side, &m->spread, take, n, NULL, m->curve.z);
        strength_spread_players(side, take, n, m);
        strength_spread_fit(side, take, n, m);
    }
    strength_curve_solve(side, &m->spread, take, n, NULL, m->curve.z);
    strength_curve_errors(side, take, n, m);
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

/* Score and variance of a set: sampling, games and players. */
static double strength_estimate_pool(const struct ipr_strength_calibration *m,
                                     const struct ipr_strength_side *side, const size_t *at,
                                     size_t k, double *variance)
{
    struct strength_share *share = ipr_xcalloc(k, sizeof *share);
    double sum = 0, z = 0, v = 0;

    for (size_t i = 0; i < k; i++) {
        const struct ipr_strength_side *a = &side[at[i]];
        const double w = ipr_strength_weight(&m->spread, a->information);

        share[i] = (struct strength_share){ a->player, w };
        sum += w;
        z += w * a->z;
        v += w > 0 ? w * w * (m->spread.factor / a->information + m->spread.game) : 0;
    }
    v += strength_player_squares(share, k) * m->spread.player;
    free(share);
    *variance = v / (sum * sum);
    return z / sum;
}

/* Elo at which the curve passes z, within 1400 and 3000. */
static double strength_curve_inverse(const struct ipr_strength_curve *c, double z)
{
    double lo = 1400, hi = 3000;
    const double way = c->z[IPR_STRENGTH_KNOTS - 1] < c->z[0] ? -1 : 1;

    while (hi - lo > .01) {
        const double mid = (lo + hi) / 2;

        if (way * (ipr_strength_curve_at(c, mid) - z) < 0)
            lo = mid;
        else
            hi = mid;
    }
    return (lo + hi) / 2;
}

double ipr_strength_grid_elo(size_t i)
{
    return STRENGTH_GRID_LO + STRENGTH_GRID_STEP * (double)i;
}

void ipr_strength_posterior(const double p[IPR_STRENGTH_GRID], struct ipr_strength_estimate *out)
{
    double sum = 0, below = 0, mean = 0, square = 0;

    for (size_t i = 0; i < IPR_STRENGTH_GRID; i++) {
        const double elo = ipr_strength_grid_elo(i);

        sum += p[i];
        mean += p[i] * elo;
        square += p[i] * elo * elo;
    }
    out->mean = mean / sum;
    out->sd = sqrt(fmax(square / sum - out->mean * out->mean, 0));
    out->lo = out->hi = NAN;
    for (size_t i = 0; i < IPR_STRENGTH_GRID; i++) {
        const double elo = ipr_strength_grid_elo(i) + STRENGTH_GRID_STEP / 2;

        if (below < .025 * sum && below + p[i] >= .025 * sum)
            out->lo = elo - STRENGTH_GRID_STEP * (below + p[i] - .025 * sum) / p[i];
        if (below < .975 * sum && below + p[i] >= .975 * sum)
            out->hi = elo - STRENGTH_GRID_STEP * (below + p[i] - .975 * sum) / p[i];
        below += p[i];
    }
}

static void strength_estimate_posterior(const struct ipr_strength_calibration *m, double z,
                                        double variance, double prior_mean, double prior_sd,
                                        struct ipr_strength_estimate *out)
{
    double p[IPR_STRENGTH_GRID];

    for (size_t i = 0; i < IPR_STRENGTH_GRID; i++) {
        const double elo = ipr_strength_grid_elo(i);
        const double r = z - ipr_strength_curve_at(&m->curve, elo),
                     e = (elo - prior_mean) / prior_sd;
        const double se = ipr_strength_curve_se(&m->curve, elo);

        p[i] = exp(-r * r / (2 * (variance + se * se)) - e * e / 2) / sqrt(variance + se * se);
    }
    ipr_strength_posterior(p, out);
}

static struct ipr_strength_estimate strength_estimate_of(const struct ipr_strength_calibration *m,
                                                         double z, double variance,
                                                         double prior_mean, double prior_sd)
{
    const double way = m->curve.z[IPR_STRENGTH_KNOTS - 1] < m->curve.z[0] ? -1 : 1;
    struct ipr_strength_estimate out = { .z = z, .variance = variance };
    double half;

    out.raw = strength_curve_inverse(&m->curve, z);
    half = 1.96 * sqrt(variance + pow(ipr_strength_curve_se(&m->curve, out.raw), 2));
    out.raw_lo = strength_curve_inverse(&m->curve, z - way * half);
    out.raw_hi = strength_curve_inverse(&m->curve, z + way * half);
    strength_estimate_posterior(m, z, variance, prior_mean, prior_sd, &out);
    return out;
}

struct ipr_strength_estimate ipr_strength_of_sums(const struct ipr_strength_calibration *m,
                                                  double score, double information,
                                                  double prior_mean, double prior_sd)
{
    return strength_estimate_of(m, score / information,
                                m->spread.factor / information + m->spread.player, prior_mean,
                                prior_sd);
}

struct ipr_strength_estimate ipr_strength_estimate(const struct ipr_strength_calibration *m,
                                                   const struct ipr_strength_side *side,
                                                   const size_t *at, size_t k, double prior_mean,
                                                   double prior_sd)
{
    double variance;
    const double z = strength_estimate_pool(m, side, at, k, &variance);

    return strength_estimate_of(m, z, variance, prior_mean, prior_sd);
}

double ipr_strength_surprise(const struct ipr_strength_calibration *m, double score,
                             double information, double elo)
{
    const double way = m->curve.z[IPR_STRENGTH_KNOTS - 1] < m->curve.z[0] ? -1 : 1;
    const double se = ipr_strength_curve_se(&m->curve, elo);
    const double variance = m->spread.factor / information + m->spread.player + se * se;

    return way * (score / information - ipr_strength_curve_at(&m->curve, elo)) / sqrt(variance);
}
