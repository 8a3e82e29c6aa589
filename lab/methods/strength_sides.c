#include "lab/methods/strength_sides.h"

#include <gsl/gsl_linalg.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "model/strength_curve.h"
#include "stats/resample.h"

/* Classes of players that the bootstrap draws: player modulo this. */
#define STRENGTH_PLAYERS 4096
#define STRENGTH_DRAWS   200

double ipr_strength_weight(const struct ipr_strength_spread *s, double information)
{
    return information > 0 ? 1 / (s->factor / information + s->game + s->player) : 0;
}

/* Sides with their weights and regressors. */
struct strength_rows {
    const struct ipr_strength_side *side;
    size_t n;
    double *w, (*x)[IPR_STRENGTH_TERMS];
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
            ipr_strength_terms(m, side[i].elo, side[i].year, rows.x[i]);
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
                                 const double *times, double z[IPR_STRENGTH_TERMS])
{
    double a[IPR_STRENGTH_TERMS * IPR_STRENGTH_TERMS] = { 0 };
    gsl_matrix_view h = gsl_matrix_view_array(a, IPR_STRENGTH_TERMS, IPR_STRENGTH_TERMS);
    gsl_vector_view b = gsl_vector_view_array(z, IPR_STRENGTH_TERMS);

    memset(z, 0, IPR_STRENGTH_TERMS * sizeof *z);
    for (size_t j = 0; j < IPR_STRENGTH_TERMS; j++)
        a[j * IPR_STRENGTH_TERMS + j] = 1e-9;
    for (size_t i = 0; i < rows->n; i++) {
        const double *x = rows->x[i];
        const double drawn = times != NULL ? times[rows->side[i].player % STRENGTH_PLAYERS] : 1;
        const double w = drawn * rows->w[i];

        for (size_t p = 0; w > 0 && p < IPR_STRENGTH_TERMS; p++) {
            z[p] += w * x[p] * rows->side[i].z;
            for (size_t q = 0; q < IPR_STRENGTH_TERMS; q++)
                a[p * IPR_STRENGTH_TERMS + q] += w * x[p] * x[q];
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
        const size_t j = ipr_strength_curve_segment(&m->curve, side[i].elo, &t);
        const double v[2] = { 1 - t, t };

        if (!take[i] || !(side[i].year > 0))
            continue;
        w = ipr_strength_weight(&m->spread, side[i].information) *
            pow(300 * ipr_strength_curve_slope(&m->curve, side[i].elo), 2);
        ipr_strength_era_shares(&m->era, side[i].year, share);
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

static void strength_curve_fit(const struct ipr_strength_side *side, const bool *take, size_t n,
                               struct ipr_strength_calibration *m)
{
    struct strength_rows rows = strength_rows_make(side, take, n, m);
    double z[IPR_STRENGTH_TERMS];

    strength_curve_solve(&rows, m->curve.knots, NULL, z);
    memcpy(m->curve.z, z, sizeof m->curve.z);
    memcpy(m->era.elo, z + IPR_STRENGTH_KNOTS, sizeof m->era.elo);
    strength_rows_free(&rows);
}

/* Covariances of curve and era from fits to resampled players. */
static void strength_curve_errors(const struct ipr_strength_side *side, const bool *take, size_t n,
                                  struct ipr_strength_calibration *m)
{
    struct strength_rows rows = strength_rows_make(side, take, n, m);
    double *times = malloc(STRENGTH_PLAYERS * sizeof *times), z[IPR_STRENGTH_TERMS];
    struct ipr_twister rng;

    ipr_twister_seed(&rng, 0);
    for (int k = 0; times != NULL && k < STRENGTH_DRAWS; k++) {
        ipr_resample(&rng, STRENGTH_PLAYERS, times);
        strength_curve_solve(&rows, m->curve.knots, times, z);
        for (size_t j = 0; j < IPR_STRENGTH_TERMS; j++)
            z[j] -= j < IPR_STRENGTH_KNOTS ? m->curve.z[j] : m->era.elo[j - IPR_STRENGTH_KNOTS];
        for (size_t j = 0; j < IPR_STRENGTH_KNOTS; j++) {
            m->curve.var[j] += z[j] * z[j] / STRENGTH_DRAWS;
            if (j > 0)
                m->curve.cov[j - 1] += z[j] * z[j - 1] / STRENGTH_DRAWS;
        }
        for (size_t e = 0; e < IPR_STRENGTH_ERAS; e++) {
            const double era = z[IPR_STRENGTH_KNOTS + e] / STRENGTH_DRAWS;

            for (size_t j = 0; j < IPR_STRENGTH_KNOTS; j++)
                m->era.cov_curve[e][j] += era * z[j];
            for (size_t j = 0; j < IPR_STRENGTH_ERAS; j++)
                m->era.cov[e][j] += era * z[IPR_STRENGTH_KNOTS + j];
        }
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

/* The factor by level: at each knot the mean of the residuals' squares less the players' variance,
 * in units of what the factor alone expects. Residuals are shared among the knots by distance. */
static void strength_spread_levels(const struct ipr_strength_side *side, const bool *take, size_t n,
                                   struct ipr_strength_calibration *m)
{
    double top[IPR_STRENGTH_KNOTS] = { 0 }, bottom[IPR_STRENGTH_KNOTS] = { 0 };

    for (size_t i = 0; i < n; i++) {
        double t;
        const size_t k = ipr_strength_curve_segment(&m->curve, side[i].elo, &t);
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
    double games = 0, moves = 0;

    ipr_strength_calibrate(side, take, n, m);
    /* The variance of games is in the factor: sums over games do not know their number. */
    for (size_t i = 0; i < n; i++) {
        const double w = take[i] ? ipr_strength_weight(&m->spread, side[i].information) : 0;

        games += w * w;
        moves += w > 0 ? w * w / side[i].information : 0;
    }
    m->spread.factor += moves > 0 ? m->spread.game * games / moves : 0;
    m->spread.game = 0;
    strength_spread_levels(side, take, n, m);
}

void ipr_strength_calibrate(const struct ipr_strength_side *side, const bool *take, size_t n,
                            struct ipr_strength_calibration *m)
{
    const struct ipr_strength_curve given = m->curve;
    const double between = m->spread.player;
    double first = INFINITY, last = -INFINITY;

    *m = (struct ipr_strength_calibration){ .curve = { .knots = given.knots },
                                            .spread = { .factor = 1, .player = between } };
    memcpy(m->curve.elo, given.elo, sizeof given.elo);
    /* The era's years are spaced equally over those of the sides. */
    for (size_t i = 0; i < n; i++)
        if (take[i] && side[i].year > 0) {
            first = fmin(first, side[i].year);
            last = fmax(last, side[i].year);
        }
    for (size_t k = 0; first <= last && k <= IPR_STRENGTH_ERAS; k++)
        m->era.year[k] = first + (double)k * (last - first) / IPR_STRENGTH_ERAS;
    for (int round = 0; round < 5; round++) {
        strength_curve_fit(side, take, n, m);
        strength_era_centre(side, take, n, m);
        if (!(between > 0))
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

struct ipr_strength_estimate ipr_strength_estimate(const struct ipr_strength_calibration *m,
                                                   const struct ipr_strength_side *side,
                                                   const size_t *at, size_t k, double prior_mean,
                                                   double prior_sd)
{
    struct strength_share *share = ipr_xcalloc(k, sizeof *share);
    struct ipr_strength_variance v = { 0, 0 };
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
    return ipr_strength_estimate_of(m, z / sum, v, prior_mean, prior_sd);
}
