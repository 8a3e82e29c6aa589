/* Corrects predictors by the games of earlier years. */
#include <gsl/gsl_linalg.h>
#include <math.h>
#include <string.h>

#include "lab/predictors/table.h"

#define EARLIER 300 /* games that a correction is fitted to, at least */
#define TERMS   4   /* 1, logit p, logit of the other p, White */

static double logit_within(double p)
{
    const double q = p < TABLE_LIMIT ? TABLE_LIMIT : p > 1 - TABLE_LIMIT ? 1 - TABLE_LIMIT : p;

    return log(q / (1 - q));
}

static void correction_terms(const struct predictors_unit *u, const struct column *c,
                             double x[TERMS])
{
    x[0] = 1;
    x[1] = logit_within(u->p[c->of]);
    x[2] = c->with == PREDICTORS ? 0 : logit_within(u->p[c->with]);
    x[3] = u->white ? 1 : -1;
}

static double correction_apply(const double b[TERMS], const double x[TERMS])
{
    double sum = 0;

    for (int k = 0; k < TERMS; k++)
        sum += b[k] * x[k];
    return 1 / (1 + exp(-sum));
}

/* One step of Newton's method, with a ridge of a thousandth of a game for terms that do not vary.
 */
static double correction_step(const struct table *t, size_t n, const struct column *c,
                              double b[TERMS])
{
    double h[TERMS * TERMS] = { 0 }, g[TERMS] = { 0 }, moved = 0;

    for (size_t i = 0; i < n; i++) {
        double x[TERMS];

        correction_terms(t->unit[i], c, x);
        const double p = correction_apply(b, x), w = p * (1 - p);
        for (int k = 0; k < TERMS; k++) {
            g[k] += (t->unit[i]->score - p) * x[k];
            for (int l = 0; l < TERMS; l++)
                h[k * TERMS + l] += w * x[k] * x[l];
        }
    }
    for (int k = 0; k < TERMS; k++) {
        h[k * TERMS + k] += 0.001;
        g[k] -= 0.001 * b[k];
    }
    gsl_matrix_view m = gsl_matrix_view_array(h, TERMS, TERMS);
    gsl_vector_view v = gsl_vector_view_array(g, TERMS);

    gsl_linalg_cholesky_decomp1(&m.matrix);
    gsl_linalg_cholesky_svx(&m.matrix, &v.vector);
    for (int k = 0; k < TERMS; k++) {
        b[k] += g[k];
        moved += fabs(g[k]);
    }
    return moved;
}

/* Fits to the first n games. */
static void correction_fit(const struct table *t, size_t n, const struct column *c, double b[TERMS])
{
    memset(b, 0, TERMS * sizeof *b);
    for (int step = 0; step < 50 && correction_step(t, n, c, b) > 1e-10; step++)
        ;
}

void table_correct(struct table *t, size_t column)
{
    const struct column *const c = &t->column[column];
    double b[TERMS] = { 0 };
    size_t before = 0;

    for (size_t i = 0; i < t->n; i++) {
        double x[TERMS];

        if (i == 0 || t->unit[i]->year != t->unit[before]->year) {
            before = i;
            if (i >= EARLIER)
                correction_fit(t, i, c, b);
        }
        correction_terms(t->unit[i], c, x);
        t->correct[column * t->n + i] = before >= EARLIER ? correction_apply(b, x) : NAN;
        t->raw[column * t->n + i] = c->with == PREDICTORS ? t->unit[i]->p[c->of] : NAN;
    }
}
