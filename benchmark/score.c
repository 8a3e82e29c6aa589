#include "benchmark/score.h"

#include <gsl/gsl_linalg.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "stats/resample.h"

#define SCORE_FOLDS     10
#define SCORE_BLIND     5
#define SCORE_PLAYERS   4096 /* classes of players that bootstrap draws: digest modulo this */
#define SCORE_DRAWS     60
#define SCORE_GRID      241
#define SCORE_GRID_LO   1000.
#define SCORE_GRID_STEP 10.

static const double score_knot[BENCH_KNOTS] = { 1600, 1900, 2200, 2500, 2800 };

void bench_split(struct bench_side side[2])
{
    for (size_t k = 0; k < 2; k++) {
        side[k].blind = side[k].player % SCORE_BLIND == 0;
        side[k].fold = side[k].player / SCORE_BLIND % SCORE_FOLDS;
    }
    side[0].blind_game = side[1].blind_game = side[0].blind || side[1].blind;
}

double bench_weight(const struct bench_spread *s, double information)
{
    return information > 0 ? 1 / (s->factor / information + s->game + s->player) : 0;
}

/* Segment of an Elo, and how far along it is; outside 0 to 1 beyond the curve. */
static size_t curve_segment(double elo, double *along)
{
    size_t i = 0;

    while (i + 2 < BENCH_KNOTS && elo > score_knot[i + 1])
        i++;
    *along = (elo - score_knot[i]) / (score_knot[i + 1] - score_knot[i]);
    return i;
}

double bench_curve_at(const struct bench_curve *c, double elo)
{
    double t;
    const size_t i = curve_segment(elo, &t);

    return c->z[i] + t * (c->z[i + 1] - c->z[i]);
}

double bench_curve_se(const struct bench_curve *c, double elo)
{
    double t;
    const size_t i = curve_segment(elo, &t);

    return fabs(c->se[i] + t * (c->se[i + 1] - c->se[i]));
}

/* Adjacent knots in the wrong order are drawn together until the values rise (or fall). */
static void curve_order(double z[BENCH_KNOTS])
{
    const double way = z[BENCH_KNOTS - 1] < z[0] ? -1 : 1;

    for (int round = 0; round < 100; round++)
        for (size_t i = 0; i + 1 < BENCH_KNOTS; i++)
            if (way * (z[i + 1] - z[i]) < 0)
                z[i] = z[i + 1] = (z[i] + z[i + 1]) / 2;
}

/* Least squares of z on the knots; times: how often a player's class was drawn, NULL for once. */
static void curve_fit(const struct bench_side *side, const struct bench_answer *answer,
                      const struct bench_spread *s, const bool *take, size_t n, const double *times,
                      double z[BENCH_KNOTS])
{
    double a[BENCH_KNOTS * BENCH_KNOTS] = { 0 };
    gsl_matrix_view h = gsl_matrix_view_array(a, BENCH_KNOTS, BENCH_KNOTS);
    gsl_vector_view b = gsl_vector_view_array(z, BENCH_KNOTS);

    memset(z, 0, BENCH_KNOTS * sizeof *z);
    for (size_t j = 0; j < BENCH_KNOTS; j++)
        a[j * BENCH_KNOTS + j] = 1e-9;
    for (size_t i = 0; i < n; i++) {
        double t, w = take[i] ? bench_weight(s, answer[i].information) : 0;
        const size_t j = curve_segment(side[i].elo, &t);
        const double v[2] = { 1 - t, t };

        w *= times != NULL ? times[side[i].player % SCORE_PLAYERS] : 1;
        for (size_t p = 0; p < 2; p++) {
            z[j + p] += w * v[p] * answer[i].z;
            for (size_t q = 0; q < 2; q++)
                a[(j + p) * BENCH_KNOTS + j + q] += w * v[p] * v[q];
        }
    }
    gsl_linalg_cholesky_decomp1(&h.matrix);
    gsl_linalg_cholesky_svx(&h.matrix, &b.vector);
    curve_order(z);
}

static void curve_errors(const struct bench_side *side, const struct bench_answer *answer,
                         const bool *take, size_t n, struct bench_model *m)
{
    double *times = malloc(SCORE_PLAYERS * sizeof *times), z[BENCH_KNOTS];
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);

    memset(m->curve.se, 0, sizeof m->curve.se);
    for (int k = 0; times != NULL && rng != NULL && k < SCORE_DRAWS; k++) {
        ipr_resample(rng, SCORE_PLAYERS, times);
        curve_fit(side, answer, &m->spread, take, n, times, z);
        for (size_t j = 0; j < BENCH_KNOTS; j++)
            m->curve.se[j] += (z[j] - m->curve.z[j]) * (z[j] - m->curve.z[j]) / SCORE_DRAWS;
    }
    for (size_t j = 0; j < BENCH_KNOTS; j++)
        m->curve.se[j] = sqrt(m->curve.se[j]);
    gsl_rng_free(rng);
    free(times);
}

/* factor and the whole excess by regression of r^2 on 1 / information. */
static void spread_fit(const struct bench_side *side, const struct bench_answer *answer,
                       const bool *take, size_t n, struct bench_model *m)
{
    const struct bench_spread old = m->spread;
    double s[5] = { 0 };

    for (size_t i = 0; i < n; i++) {
        const double w = take[i] ? bench_weight(&old, answer[i].information) : 0;
        const double r = answer[i].z - bench_curve_at(&m->curve, side[i].elo);
        const double v = w > 0 ? 1 / answer[i].information : 0;

        s[0] += w * w;
        s[1] += w * w * v;
        s[2] += w * w * v * v;
        s[3] += w * w * r * r;
        s[4] += w * w * v * r * r;
    }
    m->spread.factor = (s[0] * s[4] - s[1] * s[3]) / (s[0] * s[2] - s[1] * s[1]);
    m->spread.factor = fmax(m->spread.factor, .2 * s[3] / s[1]);
    m->spread.game = fmax((s[3] - m->spread.factor * s[1]) / s[0], 0);
    m->spread.player = 0;
}

/* What sides of one player in different games share: moments over pairs. */
static void spread_players(const struct bench_side *side, const struct bench_answer *answer,
                           const bool *take, size_t n, struct bench_model *m)
{
    double *sum = calloc(4 * SCORE_PLAYERS * 16, sizeof *sum), top = 0, bottom = 0;
    const size_t classes = SCORE_PLAYERS * 16;

    for (size_t i = 0; sum != NULL && i < n; i++) {
        const double w = take[i] ? bench_weight(&m->spread, answer[i].information) : 0;
        const double r = answer[i].z - bench_curve_at(&m->curve, side[i].elo);
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
    m->spread.player = bottom > 0 ? fmin(fmax(top / bottom, 0), m->spread.game) : 0;
    m->spread.game -= m->spread.player;
    free(sum);
}

void bench_model_fit(const struct bench_side *side, const struct bench_answer *answer,
                     const bool *take, size_t n, struct bench_model *m)
{
    m->spread = (struct bench_spread){ 1, 0, 0 };
    memcpy(m->curve.elo, score_knot, sizeof score_knot);
    for (int round = 0; round < 4; round++) {
        curve_fit(side, answer, &m->spread, take, n, NULL, m->curve.z);
        spread_fit(side, answer, take, n, m);
    }
    curve_fit(side, answer, &m->spread, take, n, NULL, m->curve.z);
    spread_players(side, answer, take, n, m);
    curve_errors(side, answer, take, n, m);
}

/* Weighted sums of a band: w, w e, w z, w e e, w e z, moves. */
static void sd_sums(const struct bench_side *side, const struct bench_answer *answer,
                    const struct bench_spread *s, const bool *take, size_t n, const double *times,
                    double lo, double hi, double sum[6])
{
    memset(sum, 0, 6 * sizeof *sum);
    for (size_t i = 0; i < n; i++) {
        const double e = side[i].elo - 2200, z = answer[i].z;
        const double c = times != NULL ? times[side[i].game] : 1;
        double w;

        if (!take[i] || side[i].elo < lo || side[i].elo >= hi)
            continue;
        w = c * bench_weight(s, answer[i].information);
        sum[0] += w;
        sum[1] += w * e;
        sum[2] += w * z;
        sum[3] += w * e * e;
        sum[4] += w * e * z;
        sum[5] += c * side[i].moves;
    }
}

static double sd_slope(const double sum[6])
{
    return (sum[0] * sum[4] - sum[1] * sum[2]) / (sum[0] * sum[3] - sum[1] * sum[1]);
}

double bench_sd(const struct bench_side *side, const struct bench_answer *answer,
                const struct bench_spread *s, const bool *take, size_t n, const double *times,
                double lo, double hi, bool own)
{
    double sum[6], band[6], b, square = 0;

    sd_sums(side, answer, s, take, n, times, 0, 1e9, sum);
    sd_sums(side, answer, s, take, n, times, lo, hi, band);
    b = sd_slope(own ? band : sum);
    for (size_t i = 0; i < n; i++) {
        const double w = bench_weight(s, answer[i].information);
        double r;

        if (!take[i] || side[i].elo < lo || side[i].elo >= hi)
            continue;
        r = answer[i].z - band[2] / band[0] - b * (side[i].elo - 2200 - band[1] / band[0]);
        square += (times != NULL ? times[side[i].game] : 1) * w * w * r * r;
    }
    return sqrt(square) / (fabs(b) * band[0]) * sqrt(band[5] / 1000);
}

/* Score and variance of a set: sampling, games and players. */
static double estimate_pool(const struct bench_model *m, const struct bench_side *side,
                            const struct bench_answer *answer, const size_t *at, size_t k,
                            double *variance)
{
    double sum = 0, z = 0, v = 0;

    for (size_t i = 0; i < k; i++) {
        const struct bench_answer *a = &answer[at[i]];
        const double w = bench_weight(&m->spread, a->information);

        sum += w;
        z += w * a->z;
        for (size_t j = 0; w > 0 && j < k; j++)
            if (side[at[j]].player == side[at[i]].player)
                v += w * bench_weight(&m->spread, answer[at[j]].information) * m->spread.player;
        v += w > 0 ? w * w * (m->spread.factor / a->information + m->spread.game) : 0;
    }
    *variance = v / (sum * sum);
    return z / sum;
}

/* Elo at which the curve passes z, within 1400 and 3000. */
static double curve_inverse(const struct bench_curve *c, double z)
{
    double lo = 1400, hi = 3000;
    const double way = c->z[BENCH_KNOTS - 1] < c->z[0] ? -1 : 1;

    while (hi - lo > .01) {
        const double mid = (lo + hi) / 2;

        if (way * (bench_curve_at(c, mid) - z) < 0)
            lo = mid;
        else
            hi = mid;
    }
    return (lo + hi) / 2;
}

static void estimate_posterior(const struct bench_model *m, double z, double variance,
                               double prior_mean, double prior_sd, struct bench_estimate *out)
{
    double p[SCORE_GRID], sum = 0, below = 0, mean = 0;

    for (size_t i = 0; i < SCORE_GRID; i++) {
        const double elo = SCORE_GRID_LO + SCORE_GRID_STEP * (double)i;
        const double r = z - bench_curve_at(&m->curve, elo), e = (elo - prior_mean) / prior_sd;
        const double se = bench_curve_se(&m->curve, elo);

        p[i] = exp(-r * r / (2 * (variance + se * se)) - e * e / 2) / sqrt(variance + se * se);
        sum += p[i];
        mean += p[i] * elo;
    }
    out->mean = mean / sum;
    out->lo = out->hi = NAN;
    for (size_t i = 0; i < SCORE_GRID; i++) {
        const double elo = SCORE_GRID_LO + SCORE_GRID_STEP * ((double)i + .5);

        if (below < .025 * sum && below + p[i] >= .025 * sum)
            out->lo = elo - SCORE_GRID_STEP * (below + p[i] - .025 * sum) / p[i];
        if (below < .975 * sum && below + p[i] >= .975 * sum)
            out->hi = elo - SCORE_GRID_STEP * (below + p[i] - .975 * sum) / p[i];
        below += p[i];
    }
}

struct bench_estimate bench_estimate(const struct bench_model *m, const struct bench_side *side,
                                     const struct bench_answer *answer, const size_t *at, size_t k,
                                     double prior_mean, double prior_sd)
{
    const double way = m->curve.z[BENCH_KNOTS - 1] < m->curve.z[0] ? -1 : 1;
    struct bench_estimate out;
    double v, half;
    const double z = estimate_pool(m, side, answer, at, k, &v);

    out.raw = curve_inverse(&m->curve, z);
    half = 1.96 * sqrt(v + pow(bench_curve_se(&m->curve, out.raw), 2));
    out.raw_lo = curve_inverse(&m->curve, z - way * half);
    out.raw_hi = curve_inverse(&m->curve, z + way * half);
    estimate_posterior(m, z, v, prior_mean, prior_sd, &out);
    return out;
}
