#include "lab/report.h"

#include <gsl/gsl_linalg.h>
#include <stdlib.h>
#include <string.h>

#define BOTH_TERMS 5

/* The regression terms of one game: a constant, the score of each side's moves, the result,
 * draws. */
static void both_terms(const struct bench_report *r, const struct bench_entry *e, size_t i,
                       size_t terms, double x[BOTH_TERMS])
{
    const size_t own = i, other = i ^ 1;
    const double result = r->d.side[i].result;
    const double all[BOTH_TERMS] = {
        1,
        ipr_strength_estimate(&e->model, e->answer, &own, 1, r->prior_mean, r->prior_sd).mean,
        ipr_strength_estimate(&e->model, e->answer, &other, 1, r->prior_mean, r->prior_sd).mean,
        result,
        result > .4 && result < .6,
    };

    for (size_t k = 0; k < BOTH_TERMS; k++)
        x[k] = k < terms ? (k == 0 ? 1 : k < 3 ? (all[k] - r->prior_mean) / 300 : all[k]) : 0;
}

static bool both_takes(const struct bench_report *r, size_t i)
{
    return r->take[i] && r->take[i ^ 1] && !isnan(r->d.side[i].result);
}

/* Least squares of Elo on the terms in all folds but one. */
static void both_learn(const struct bench_report *r, double (*x)[BOTH_TERMS], unsigned fold,
                       double c[BOTH_TERMS])
{
    double a[BOTH_TERMS * BOTH_TERMS] = { 0 };
    gsl_matrix_view h = gsl_matrix_view_array(a, BOTH_TERMS, BOTH_TERMS);
    gsl_vector_view b = gsl_vector_view_array(c, BOTH_TERMS);

    memset(c, 0, BOTH_TERMS * sizeof *c);
    for (size_t j = 0; j < BOTH_TERMS; j++)
        a[j * BOTH_TERMS + j] = 1e-6;
    for (size_t i = 0; i < r->d.n_sides; i++) {
        if (!both_takes(r, i) || r->d.side[i].fold == fold || r->d.side[i ^ 1].fold == fold)
            continue;
        for (size_t j = 0; j < BOTH_TERMS; j++) {
            c[j] += x[i][j] * (r->d.side[i].elo - r->prior_mean);
            for (size_t k = 0; k < BOTH_TERMS; k++)
                a[j * BOTH_TERMS + k] += x[i][j] * x[i][k];
        }
    }
    gsl_linalg_cholesky_decomp1(&h.matrix);
    gsl_linalg_cholesky_svx(&h.matrix, &b.vector);
}

static json_t *both_row(const struct bench_report *r, const struct bench_entry *e, const char *name,
                        size_t terms)
{
    double(*x)[BOTH_TERMS] = calloc(r->d.n_sides, sizeof *x), c[BOTH_TERMS], s[5] = { 0 };

    for (size_t i = 0; x != NULL && i < r->d.n_sides; i++)
        if (both_takes(r, i))
            both_terms(r, e, i, terms, x[i]);
    for (unsigned fold = 0; x != NULL && fold < BENCH_FOLDS; fold++) {
        both_learn(r, x, fold, c);
        for (size_t i = 0; i < r->d.n_sides; i++) {
            double flat, error;

            if (!both_takes(r, i) || r->d.side[i].fold != fold)
                continue;
            error = flat = r->d.side[i].elo - r->prior_mean;
            for (size_t k = 0; k < BOTH_TERMS; k++)
                error -= c[k] * x[i][k];
            s[0]++;
            s[1] += fabs(error);
            s[2] += error * error;
            s[3] += fabs(flat);
            s[4] += flat * flat;
        }
    }
    free(x);
    return json_pack("{s:s, s:o, s:o, s:o, s:o, s:o, s:o}", "evidence", name, "sides",
                     bench_number(s[0]), "mae", bench_number(s[1] / s[0]), "mae_of_mean",
                     bench_number(s[3] / s[0]), "rmse", bench_number(sqrt(s[2] / s[0])),
                     "rmse_of_mean", bench_number(sqrt(s[4] / s[0])), "less",
                     bench_number(1 - sqrt(s[2] / s[4])));
}

json_t *bench_both(const struct bench_report *r, const struct bench_entry *e)
{
    return json_pack("[ooo]", both_row(r, e, "moves of the side", 2),
                     both_row(r, e, "moves of both sides", 3),
                     both_row(r, e, "moves of both sides and the result", 5));
}
