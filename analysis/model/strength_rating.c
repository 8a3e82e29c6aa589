#include "model/strength_rating.h"

#include <gsl/gsl_linalg.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "stats/resample.h"

/* Classes of players that the bootstrap draws: player modulo this. */
#define STRENGTH_PLAYERS   4096
#define STRENGTH_DRAWS     200
#define STRENGTH_GRID_OVER 600.
#define STRENGTH_GRID_STEP 10.
#define STRENGTH_TERMS     (IPR_STRENGTH_KNOTS + IPR_STRENGTH_ERAS)

double ipr_strength_weight(const struct ipr_strength_spread *s, double information)
{
    return information > 0 ? 1 / (s->factor / information + s->game + s->player) : 0;
}

/* Segment of an Elo, and its position in it; outside 0 to 1 beyond the curve. */
static size_t strength_curve_segment(const struct ipr_strength_curve *c, double elo, double *along)
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
    const size_t i = strength_curve_segment(c, elo, &t);

    return c->z[i] + t * (c->z[i + 1] - c->z[i]);
}

double ipr_strength_curve_se(const struct ipr_strength_curve *c, double elo)
{
    double t;
    const size_t i = strength_curve_segment(c, elo, &t);

    return sqrt((1 - t) * (1 - t) * c->var[i] + 2 * t * (1 - t) * c->cov[i] +
                t * t * c->var[i + 1]);
}

/* 1 of a curve that rises, else -1. */
static double strength_way(const struct ipr_strength_curve *c)
{
    return c->z[c->knots - 1] < c->z[0] ? -1 : 1;
}

static double strength_curve_slope(const struct ipr_strength_curve *c, double elo)
{
    return (ipr_strength_curve_at(c, elo + 50) - ipr_strength_curve_at(c, elo - 50)) / 100;
}

/* Weights of the era's years in linear interpolation at `year`, without that of the first year. */
static void strength_era_shares(const struct ipr_strength_era *era, double year,
                                double share[IPR_STRENGTH_ERAS])
{
    for (size_t k = 0; k < IPR_STRENGTH_ERAS; k++) {
        const double *knot = &era->year[k];
        const double rise = (year - knot[0]) / (knot[1] - knot[0]);
        const double fall = k + 1 < IPR_STRENGTH_ERAS ? (knot[2] - year) / (knot[2] - knot[1]) : 1;

        share[k] = knot[1] > knot[0] ? fmax(fmin(fmin(rise, fall), 1), 0) : 0;
    }
}

/* The weights less their mean over the sides of this Elo. */
static void strength_era_terms(const struct ipr_strength_calibration *m, double elo, double year,
                               double x[IPR_STRENGTH_ERAS])
{
    const struct ipr_strength_era *const era = &m->era;
    double t;
    const size_t i = strength_curve_segment(&m->curve, elo, &t);

    strength_era_shares(era, year, x);
    for (size_t k = 0; k < IPR_STRENGTH_ERAS; k++)
        x[k] = year > 0 ? x[k] - (1 - t) * era->centre[k][i] - t * era->centre[k][i + 1] : 0;
}

double ipr_strength_era_at(const struct ipr_strength_calibration *m, double elo, double year)
{
    double x[IPR_STRENGTH_ERAS], sum = 0;

    strength_era_terms(m, elo, year, x);
    for (size_t k = 0; k < IPR_STRENGTH_ERAS; k++)
        sum += x[k] * m->era.elo[k];
    return sum;
}

static double strength_era_variance(const struct ipr_strength_era *era,
                                    const double x[IPR_STRENGTH_ERAS])
{
    double v = 0;

    for (size_t k = 0; k < IPR_STRENGTH_ERAS; k++)
        for (size_t j = 0; j < IPR_STRENGTH_ERAS; j++)
            v += x[k] * x[j] * era->cov[k][j];
    return v;
}

double ipr_strength_era_se(const struct ipr_strength_calibration *m, double elo, double year)
{
    double x[IPR_STRENGTH_ERAS];

    strength_era_terms(m, elo, year, x);
    return sqrt(fmax(strength_era_variance(&m->era, x), 0));
}

/* Regressors of the expected z: weights of the curve's knots, then of the era's elo[]. */
static void strength_terms(const struct ipr_strength_calibration *m, double elo, double year,
                           double x[STRENGTH_TERMS])
{
    const double slope = strength_curve_slope(&m->curve, elo);
    double t;
    const size_t i = strength_curve_segment(&m->curve, elo, &t);

    memset(x, 0, STRENGTH_TERMS * sizeof *x);
    x[i] = 1 - t;
    x[i + 1] = t;
    strength_era_terms(m, elo, year, x + IPR_STRENGTH_KNOTS);
    for (size_t k = 0; k < IPR_STRENGTH_ERAS; k++)
        x[IPR_STRENGTH_KNOTS + k] *= slope;
}

double ipr_strength_expected(const struct ipr_strength_calibration *m, double elo, double year)
{
    return ipr_strength_curve_at(&m->curve, elo) +
           strength_curve_slope(&m->curve, elo) * ipr_strength_era_at(m, elo, year);
}

double ipr_strength_expected_se(const struct ipr_strength_calibration *m, double elo, double year)
{
    const double se = ipr_strength_curve_se(&m->curve, elo);
    double x[STRENGTH_TERMS], v;

    strength_terms(m, elo, year, x);
    v = strength_era_variance(&m->era, x + IPR_STRENGTH_KNOTS);
    for (size_t k = 0; k < IPR_STRENGTH_ERAS; k++)
        for (size_t i = 0; i < IPR_STRENGTH_KNOTS; i++)
            v += 2 * x[IPR_STRENGTH_KNOTS + k] * x[i] * m->era.cov_curve[k][i];
    return sqrt(fmax(se * se + v, 0));
}

/* Sides with their weights and regressors. */
struct strength_rows {
    const struct ipr_strength_side *side;
    size_t n;
    double *w, (*x)[STRENGTH_TERMS];
};

static struct strength_rows strength_rows_make(const struct ipr_strength_side *side,
                                               const bool *take, size_t n,
                                               const struct ipr_strength_calibration *m)
{
    struct strength_rows rows = { side, n, ipr_xcalloc(n + 1, sizeof *rows.w),
                                  ipr_xcalloc(n + 1, sizeof *rows.x) };

    for (size_t i = 0; i < n; i++) {
        rows.w[i] = take[i] ? ipr_strength_weight(&m->spread, side[i].information) : 0;
        if (rows.w[i] > 0)
            strength_terms(m, side[i].elo, side[i].year, rows.x[i]);
    }
    return rows;
}

static void strength_rows_free(struct strength_rows *rows)
{
    free(rows->w);
    free(rows->x);
}

/* Weighted least squares of z on the first `knots` knots and the era. times[c]: how often the
 * resample drew the class c of players; NULL: each class once. */
static void strength_curve_solve(const struct strength_rows *rows, size_t knots,
                                 const double *times, double z[STRENGTH_TERMS])
{
    double a[STRENGTH_TERMS * STRENGTH_TERMS] = { 0 };
    gsl_matrix_view h = gsl_matrix_view_array(a, STRENGTH_TERMS, STRENGTH_TERMS);
    gsl_vector_view b = gsl_vector_view_array(z, STRENGTH_TERMS);

    memset(z, 0, STRENGTH_TERMS * sizeof *z);
    for (size_t j = 0; j < STRENGTH_TERMS; j++)
        a[j * STRENGTH_TERMS + j] = 1e-9;
    for (size_t i = 0; i < rows->n; i++) {
        const double *x = rows->x[i];
        const double drawn = times != NULL ? times[rows->side[i].player % STRENGTH_PLAYERS] : 1;
        const double w = drawn * rows->w[i];

        for (size_t p = 0; w > 0 && p < STRENGTH_TERMS; p++) {
            z[p] += w * x[p] * rows->side[i].z;
            for (size_t q = 0; q < STRENGTH_TERMS; q++)
                a[p * STRENGTH_TERMS + q] += w * x[p] * x[q];
        }
    }
    gsl_linalg_cholesky_decomp1(&h.matrix);
    gsl_linalg_cholesky_svx(&h.matrix, &b.vector);
    /* Adjacent knots in the wrong order are drawn together until the values rise (or fall). */
    const double way = z[knots - 1] < z[0] ? -1 : 1;

    for (int round = 0; round < 100; round++)
        for (size_t i = 0; i + 1 < knots; i++)
            if (way * (z[i + 1] - z[i]) < 0)
                z[i] = z[i + 1] = (z[i] + z[i + 1]) / 2;
}

/* Mean weights of the years by Elo, by least squares on the knots. Each side is also weighted by
 * the square of the curve's slope, so that fitting the era leaves the curve unchanged. */
static void strength_era_centre(const struct ipr_strength_side *side, const bool *take, size_t n,
                                struct ipr_strength_calibration *m)
{
    double a[IPR_STRENGTH_KNOTS * IPR_STRENGTH_KNOTS] = { 0 };
    gsl_matrix_view h = gsl_matrix_view_array(a, IPR_STRENGTH_KNOTS, IPR_STRENGTH_KNOTS);

    memset(m->era.centre, 0, sizeof m->era.centre);
    for (size_t j = 0; j < IPR_STRENGTH_KNOTS; j++)
        a[j * IPR_STRENGTH_KNOTS + j] = 1e-9;
    for (size_t i = 0; i < n; i++) {
        double t, share[IPR_STRENGTH_ERAS], w;
        const size_t j = strength_curve_segment(&m->curve, side[i].elo, &t);
        const double v[2] = { 1 - t, t };

        if (!take[i] || !(side[i].year > 0))
            continue;
        w = ipr_strength_weight(&m->spread, side[i].information) *
            pow(300 * strength_curve_slope(&m->curve, side[i].elo), 2);
        strength_era_shares(&m->era, side[i].year, share);
        for (size_t p = 0; p < 2; p++) {
            for (size_t k = 0; k < IPR_STRENGTH_ERAS; k++)
                m->era.centre[k][j + p] += w * v[p] * share[k];
            for (size_t q = 0; q < 2; q++)
                a[(j + p) * IPR_STRENGTH_KNOTS + j + q] += w * v[p] * v[q];
        }
    }
    gsl_linalg_cholesky_decomp1(&h.matrix);
    for (size_t k = 0; k < IPR_STRENGTH_ERAS; k++) {
        gsl_vector_view b = gsl_vector_view_array(m->era.centre[k], IPR_STRENGTH_KNOTS);

        gsl_linalg_cholesky_svx(&h.matrix, &b.vector);
    }
}

/* Spaces the era's years equally over the years of the sides. */
static void strength_era_years(const struct ipr_strength_side *side, const bool *take, size_t n,
                               struct ipr_strength_era *era)
{
    double first = INFINITY, last = -INFINITY;

    for (size_t i = 0; i < n; i++)
        if (take[i] && side[i].year > 0) {
            first = fmin(first, side[i].year);
            last = fmax(last, side[i].year);
        }
    for (size_t k = 0; first <= last && k <= IPR_STRENGTH_ERAS; k++)
        era->year[k] = first + (double)k * (last - first) / IPR_STRENGTH_ERAS;
}

static void strength_curve_fit(const struct ipr_strength_side *side, const bool *take, size_t n,
                               struct ipr_strength_calibration *m)
{
    struct strength_rows rows = strength_rows_make(side, take, n, m);
    double z[STRENGTH_TERMS];

    strength_curve_solve(&rows, m->curve.knots, NULL, z);
    memcpy(m->curve.z, z, sizeof m->curve.z);
    memcpy(m->era.elo, z + IPR_STRENGTH_KNOTS, sizeof m->era.elo);
    strength_rows_free(&rows);
}

/* Adds one resampled fit to the covariances. */
static void strength_curve_error(const double z[STRENGTH_TERMS], struct ipr_strength_calibration *m)
{
    double d[STRENGTH_TERMS];

    for (size_t j = 0; j < STRENGTH_TERMS; j++)
        d[j] = z[j] - (j < IPR_STRENGTH_KNOTS ? m->curve.z[j] : m->era.elo[j - IPR_STRENGTH_KNOTS]);
    for (size_t j = 0; j < IPR_STRENGTH_KNOTS; j++) {
        m->curve.var[j] += d[j] * d[j] / STRENGTH_DRAWS;
        if (j > 0)
            m->curve.cov[j - 1] += d[j] * d[j - 1] / STRENGTH_DRAWS;
    }
    for (size_t k = 0; k < IPR_STRENGTH_ERAS; k++) {
        const double era = d[IPR_STRENGTH_KNOTS + k] / STRENGTH_DRAWS;

        for (size_t j = 0; j < IPR_STRENGTH_KNOTS; j++)
            m->era.cov_curve[k][j] += era * d[j];
        for (size_t j = 0; j < IPR_STRENGTH_ERAS; j++)
            m->era.cov[k][j] += era * d[IPR_STRENGTH_KNOTS + j];
    }
}

static void strength_curve_errors(const struct ipr_strength_side *side, const bool *take, size_t n,
                                  struct ipr_strength_calibration *m)
{
    struct strength_rows rows = strength_rows_make(side, take, n, m);
    double *times = malloc(STRENGTH_PLAYERS * sizeof *times), z[STRENGTH_TERMS];
    struct ipr_twister rng;

    ipr_twister_seed(&rng, 0);
    for (int k = 0; times != NULL && k < STRENGTH_DRAWS; k++) {
        ipr_resample(&rng, STRENGTH_PLAYERS, times);
        strength_curve_solve(&rows, m->curve.knots, times, z);
        strength_curve_error(z, m);
    }
    free(times);
    strength_rows_free(&rows);
}

/* z of a side less the z expected at its Elo and year. */
static double strength_residual(const struct ipr_strength_calibration *m,
                                const struct ipr_strength_side *side)
{
    return side->z - ipr_strength_expected(m, side->elo, side->year);
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
        const double z = strength_residual(m, &side[i]);
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
        const double r = strength_residual(m, &side[i]);
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

/* What games add becomes part of the factor: sums over games do not know their number. */
static void strength_spread_fold(const struct ipr_strength_side *side, const bool *take, size_t n,
                                 struct ipr_strength_spread *spread)
{
    double games = 0, moves = 0;

    for (size_t i = 0; i < n; i++) {
        const double w = take[i] ? ipr_strength_weight(spread, side[i].information) : 0;

        games += w * w;
        moves += w > 0 ? w * w / side[i].information : 0;
    }
    spread->factor += moves > 0 ? spread->game * games / moves : 0;
    spread->game = 0;
}

/* The factor by level: at each knot the mean of the residuals' squares less the players' variance,
 * in units of what the factor alone expects. Residuals are shared among the knots by distance. */
static void strength_spread_levels(const struct ipr_strength_side *side, const bool *take, size_t n,
                                   struct ipr_strength_calibration *m)
{
    double top[IPR_STRENGTH_KNOTS] = { 0 }, bottom[IPR_STRENGTH_KNOTS] = { 0 };

    for (size_t i = 0; i < n; i++) {
        double t;
        const size_t k = strength_curve_segment(&m->curve, side[i].elo, &t);
        const double w = take[i] ? ipr_strength_weight(&m->spread, side[i].information) : 0;
        const double r = strength_residual(m, &side[i]);

        t = fmin(fmax(t, 0), 1);
        for (size_t j = 0; w > 0 && j < 2; j++) {
            const double share = w * w * (j == 0 ? 1 - t : t);

            top[k + j] += share * (r * r - m->spread.player);
            bottom[k + j] += share * m->spread.factor / side[i].information;
        }
    }
    for (size_t k = 0; k < m->curve.knots; k++)
        m->spread.level[k] = bottom[k] > 0 ? fmax(top[k] / bottom[k], .25) : 1;
}

void ipr_strength_calibrate_levels(const struct ipr_strength_side *side, const bool *take, size_t n,
                                   struct ipr_strength_calibration *m)
{
    ipr_strength_calibrate(side, take, n, m);
    strength_spread_fold(side, take, n, &m->spread);
    strength_spread_levels(side, take, n, m);
}

void ipr_strength_calibrate(const struct ipr_strength_side *side, const bool *take, size_t n,
                            struct ipr_strength_calibration *m)
{
    const struct ipr_strength_curve given = m->curve;

    *m = (struct ipr_strength_calibration){ .curve = { .knots = given.knots },
                                            .spread = { .factor = 1 } };
    memcpy(m->curve.elo, given.elo, sizeof given.elo);
    strength_era_years(side, take, n, &m->era);
    for (int round = 0; round < 5; round++) {
        strength_curve_fit(side, take, n, m);
        strength_era_centre(side, take, n, m);
        strength_spread_players(side, take, n, m);
        strength_spread_fit(side, take, n, m);
    }
    strength_curve_fit(side, take, n, m);
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

/* The variance of a set's z at an Elo, of which `sampling` is the part that varies with the level.
 */
struct strength_variance {
    double sampling, rest;
};

/* Score and variance of a set: sampling; games and players. */
static double strength_estimate_pool(const struct ipr_strength_calibration *m,
                                     const struct ipr_strength_side *side, const size_t *at,
                                     size_t k, struct strength_variance *variance)
{
    struct strength_share *share = ipr_xcalloc(k, sizeof *share);
    double sum = 0, z = 0, sampling = 0, games = 0;

    for (size_t i = 0; i < k; i++) {
        const struct ipr_strength_side *a = &side[at[i]];
        const double w = ipr_strength_weight(&m->spread, a->information);

        share[i] = (struct strength_share){ a->player, w };
        sum += w;
        z += w * a->z;
        sampling += w > 0 ? w * w * m->spread.factor / a->information : 0;
        games += w * w * m->spread.game;
    }
    games += strength_player_squares(share, k) * m->spread.player;
    free(share);
    *variance = (struct strength_variance){ sampling / (sum * sum), games / (sum * sum) };
    return z / sum;
}

double ipr_strength_curve_elo(const struct ipr_strength_curve *c, double z)
{
    double lo = c->elo[0] - IPR_STRENGTH_BEYOND;
    double hi = c->elo[c->knots - 1] + IPR_STRENGTH_BEYOND;
    const double way = strength_way(c);

    while (hi - lo > .01) {
        const double mid = (lo + hi) / 2;

        if (way * (ipr_strength_curve_at(c, mid) - z) < 0)
            lo = mid;
        else
            hi = mid;
    }
    return (lo + hi) / 2;
}

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

static double strength_level(const struct ipr_strength_calibration *m, double elo)
{
    const double *const level = m->spread.level;
    double t;
    const size_t i = strength_curve_segment(&m->curve, elo, &t);

    t = fmin(fmax(t, 0), 1);
    return level[0] > 0 ? level[i] + t * (level[i + 1] - level[i]) : 1;
}

static double strength_variance_at(const struct ipr_strength_calibration *m,
                                   struct strength_variance v, double elo)
{
    const double se = ipr_strength_curve_se(&m->curve, elo);

    return v.sampling * strength_level(m, elo) + v.rest + se * se;
}

static struct ipr_strength_estimate strength_estimate_of(const struct ipr_strength_calibration *m,
                                                         double z, struct strength_variance v,
                                                         double prior_mean, double prior_sd)
{
    const double way = strength_way(&m->curve);
    const size_t n = ipr_strength_grid_size(&m->curve);
    struct ipr_strength_estimate out = { .z = z };
    double p[IPR_STRENGTH_GRID], half;

    out.raw = ipr_strength_curve_elo(&m->curve, z);
    out.variance = v.sampling * strength_level(m, out.raw) + v.rest;
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
    struct strength_variance v;
    const double z = strength_estimate_pool(m, side, at, k, &v);

    return strength_estimate_of(m, z, v, prior_mean, prior_sd);
}

double ipr_strength_surprise(const struct ipr_strength_calibration *m,
                             const struct ipr_strength_set *set)
{
    const double way = strength_way(&m->curve);
    const double se = ipr_strength_expected_se(m, set->elo, set->year);
    const double variance = m->spread.factor * strength_level(m, set->elo) / set->information +
                            m->spread.player + m->spread.event * set->events + se * se;

    return way * (set->score / set->information - ipr_strength_expected(m, set->elo, set->year)) /
           sqrt(variance);
}
