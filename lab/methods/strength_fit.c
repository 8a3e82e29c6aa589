#include "lab/methods/strength_fit.h"

#include <assert.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_linalg.h>
#include <string.h>

#define FIT_N         IPR_STRENGTH_FITTED
#define FIT_NEWTON    8
#define FIT_REFIT     10
#define FIT_PENALTY   10.0
#define FIT_PENALTY_G 300.0

void ipr_strength_centre(const struct ipr_strength_sample *s, struct ipr_strength_model *m)
{
    double n = 0, sum[IPR_STRENGTH_FEATURES] = { 0 }, square[IPR_STRENGTH_FEATURES] = { 0 };

    for (size_t i = 0; i < s->n; i++) {
        if (!s->take[i])
            continue;
        n++;
        for (size_t k = 0; k < IPR_STRENGTH_FEATURES; k++) {
            sum[k] += s->x[i][k];
            square[k] += s->x[i][k] * s->x[i][k];
        }
    }
    for (size_t k = 0; k < IPR_STRENGTH_FEATURES; k++) {
        const double v = square[k] / n - sum[k] / n * (sum[k] / n);

        m->centre[k] = sum[k] / n;
        m->scale[k] = v > 1e-9 ? 1 / sqrt(v) : 0;
    }
}

__attribute__((optimize("O3"))) static void fit_add(double *restrict to, const double *restrict v,
                                                    double by, size_t n)
{
    for (size_t i = 0; i < n; i++)
        to[i] += by * v[i];
}

__attribute__((optimize("O3"))) static double fit_dot(const double *restrict a,
                                                      const double *restrict b)
{
    double sum[4] = { 0 };

    static_assert(FIT_N % 4 == 0, "four sums");
    for (size_t j = 0; j < FIT_N; j += 4)
        for (size_t k = 0; k < 4; k++)
            sum[k] += a[j + k] * b[j + k];
    return sum[0] + sum[1] + (sum[2] + sum[3]);
}

/* Gradient of the penalty, and its curvature unless h is NULL. */
static void fit_penalise(const double w[FIT_N], double g[FIT_N], double *h)
{
    for (size_t j = 0; j < FIT_N; j++) {
        const bool slope = j >= IPR_STRENGTH_FEATURES;
        const bool constant = j == 0 || j == IPR_STRENGTH_FEATURES;
        const double shrinks = slope ? FIT_PENALTY_G : FIT_PENALTY;
        const double penalty = constant ? 1e-6 : shrinks;

        g[j] = -penalty * w[j];
        for (size_t i = 0; h != NULL && i < FIT_N; i++)
            h[j * FIT_N + i] = i == j ? penalty : 0;
    }
}

/* True if a move reaches step k. */
static bool fit_reaches(const struct ipr_strength_sample *s, size_t i, size_t k)
{
    return s->take[i] && (k == 0 || s->loss[i] > ipr_strength_step[k - 1]);
}

static void fit_row(const struct ipr_strength_sample *s, const bool *use, size_t i,
                    double row[FIT_N])
{
    double u[IPR_STRENGTH_SLOPES];

    memcpy(row, s->x[i], sizeof s->x[i]);
    for (size_t j = 0; use != NULL && j < IPR_STRENGTH_FEATURES; j++)
        row[j] = use[j] ? row[j] : 0;
    ipr_strength_slope(s->x[i], u);
    for (size_t j = 0; j < IPR_STRENGTH_SLOPES; j++)
        row[IPR_STRENGTH_FEATURES + j] = u[j] * s->theta[i];
}

/* Adds a move's gradient of the log-likelihood of step k; the variance of the step. */
static double fit_add_move(const struct ipr_strength_sample *s, size_t i, size_t k,
                           const double row[FIT_N], const double w[FIT_N], double g[FIT_N])
{
    const double p = 1 / (1 + exp(-fit_dot(row, w)));

    fit_add(g, row, (s->loss[i] > ipr_strength_step[k] ? 1 : 0) - p, FIT_N);
    return p * (1 - p);
}

/* Gradient and curvature of the penalised log-likelihood of step k. */
static void fit_step(const struct ipr_strength_sample *s, const bool *use, size_t k,
                     const double w[FIT_N], double g[FIT_N], double *h)
{
    double row[FIT_N];

    fit_penalise(w, g, h);
    for (size_t i = 0; i < s->n; i++) {
        if (!fit_reaches(s, i, k))
            continue;
        fit_row(s, use, i, row);
        const double variance = fit_add_move(s, i, k, row, w, g);
        for (size_t j = 0; j < FIT_N; j++)
            fit_add(h + j * FIT_N, row, variance * row[j], j + 1);
    }
}

/* Gradients of all steps in one pass: the moves are more than a processor's cache holds. */
static void fit_gradients(const struct ipr_strength_sample *s, const bool *use,
                          double w[IPR_STRENGTH_STEPS][FIT_N], double g[IPR_STRENGTH_STEPS][FIT_N])
{
    double row[FIT_N];

    for (size_t k = 0; k < IPR_STRENGTH_STEPS; k++)
        fit_penalise(w[k], g[k], NULL);
    for (size_t i = 0; i < s->n; i++) {
        if (!s->take[i])
            continue;
        fit_row(s, use, i, row);
        for (size_t k = 0; k < IPR_STRENGTH_STEPS && fit_reaches(s, i, k); k++)
            fit_add_move(s, i, k, row, w[k], g[k]);
    }
}

static void fit_get(const struct ipr_strength_model *m, size_t k, double w[FIT_N])
{
    memcpy(w, m->a[k], sizeof m->a[k]);
    memcpy(w + IPR_STRENGTH_FEATURES, m->g[k], sizeof m->g[k]);
}

static void fit_set(struct ipr_strength_model *m, size_t k, const double w[FIT_N])
{
    memcpy(m->a[k], w, sizeof m->a[k]);
    memcpy(m->g[k], w + IPR_STRENGTH_FEATURES, sizeof m->g[k]);
}

static size_t fit_count(const struct ipr_strength_sample *s)
{
    size_t n = 0;

    for (size_t i = 0; i < s->n; i++)
        n += s->take[i];
    return n;
}

enum ipr_code ipr_strength_fit(const struct ipr_strength_sample *s, const bool *use,
                               struct ipr_strength_model *m, struct ipr_strength_curvature *c,
                               struct ipr_err *err)
{
    double w[FIT_N], g[FIT_N];

    for (size_t k = 0; k < IPR_STRENGTH_STEPS; k++) {
        gsl_matrix_view h = gsl_matrix_view_array(c->h[k], FIT_N, FIT_N);
        gsl_vector_view step = gsl_vector_view_array(g, FIT_N);

        fit_get(m, k, w);
        for (int i = 0; i < FIT_NEWTON; i++) {
            fit_step(s, use, k, w, g, c->h[k]);
            if (gsl_linalg_cholesky_decomp1(&h.matrix) != GSL_SUCCESS)
                return ipr_err_set(err, IPR_EDATA, "the curvature of step %zu is singular", k);
            gsl_linalg_cholesky_svx(&h.matrix, &step.vector);
            for (size_t j = 0; j < FIT_N; j++)
                w[j] += g[j];
        }
        fit_set(m, k, w);
    }
    c->n = (double)fit_count(s);
    return IPR_OK;
}

void ipr_strength_refit(const struct ipr_strength_sample *s, const bool *use,
                        const struct ipr_strength_curvature *c, struct ipr_strength_model *m)
{
    const double more = c->n / (double)fit_count(s);
    double w[IPR_STRENGTH_STEPS][FIT_N], g[IPR_STRENGTH_STEPS][FIT_N];

    for (size_t k = 0; k < IPR_STRENGTH_STEPS; k++)
        fit_get(m, k, w[k]);
    for (int i = 0; i < FIT_REFIT; i++) {
        fit_gradients(s, use, w, g);
        for (size_t k = 0; k < IPR_STRENGTH_STEPS; k++) {
            const gsl_matrix_const_view h = gsl_matrix_const_view_array(c->h[k], FIT_N, FIT_N);
            gsl_vector_view step = gsl_vector_view_array(g[k], FIT_N);

            gsl_linalg_cholesky_svx(&h.matrix, &step.vector);
            for (size_t j = 0; j < FIT_N; j++)
                w[k][j] += more * g[k][j];
        }
    }
    for (size_t k = 0; k < IPR_STRENGTH_STEPS; k++)
        fit_set(m, k, w[k]);
}
