#include "lab/methods/outcome_fit.h"

#include <gsl/gsl_linalg.h>
#include <math.h>
#include <string.h>

enum { TERMS = IPR_OUTCOME_TERMS, STEPS = 50 };

#define OUTCOME_TOL 1e-9 /* of the terms */

/* Gradient and Fisher information of the log-likelihood, upper triangle. */
struct outcome_sums {
    double gradient[TERMS], curvature[TERMS * TERMS];
    size_t n;
};

/* Probabilities of 0, 1 and 2 half points for White, and their derivatives by m and t. */
static void outcome_derivatives(const struct ipr_outcome_model *model, double m, double t,
                                double p[3], double d[2][3])
{
    const struct ipr_outcome o = ipr_outcome_link(model, m, t);
    const double win = o.win, draw = o.draw, loss = o.loss;
    const double e = exp(t), w = win * (1 - win), l = loss * (1 - loss);

    p[0] = loss;
    p[1] = draw;
    p[2] = win;
    d[0][0] = model->davidson ? -loss * (1 + win - loss) : -l;
    d[0][2] = model->davidson ? win * (1 - win + loss) : w;
    d[1][0] = model->davidson ? -loss * draw : -l * e;
    d[1][2] = model->davidson ? -win * draw : -w * e;
    d[0][1] = -d[0][0] - d[0][2];
    d[1][1] = -d[1][0] - d[1][2];
}

static void outcome_sum_game(struct outcome_sums *s, const struct ipr_outcome_model *model,
                             const struct ipr_outcome_result *g)
{
    double term[TERMS], m, t, p[3], d[2][3], score[2], information[2][2] = { { 0 } };

    ipr_outcome_terms(g->white, g->black, g->year, term);
    ipr_outcome_predictors(model, term, &m, &t);
    outcome_derivatives(model, m, t, p, d);
    for (size_t a = 0; a < 2; a++) {
        score[a] = d[a][g->halves] / p[g->halves];
        for (size_t b = 0; b < 2; b++)
            for (size_t k = 0; k < 3; k++)
                information[a][b] += d[a][k] * d[b][k] / p[k];
    }
    for (size_t i = 0; i < TERMS; i++) {
        s->gradient[i] += score[i >= IPR_OUTCOME_MEAN] * term[i];
        for (size_t k = i; k < TERMS; k++)
            s->curvature[i * TERMS + k] +=
                information[i >= IPR_OUTCOME_MEAN][k >= IPR_OUTCOME_MEAN] * term[i] * term[k];
    }
    s->n++;
}

/* The scoring step for the terms in use. */
static enum ipr_code outcome_step(struct outcome_sums *s, const bool *use, double step[TERMS],
                                  struct ipr_err *err)
{
    gsl_matrix_view h = gsl_matrix_view_array(s->curvature, TERMS, TERMS);
    gsl_vector_view g = gsl_vector_view_array(s->gradient, TERMS);
    gsl_vector_view x = gsl_vector_view_array(step, TERMS);

    for (size_t i = 0; i < TERMS; i++)
        for (size_t k = i; k < TERMS; k++) {
            double *at = &s->curvature[i * TERMS + k];

            if (!use[i] || !use[k])
                *at = i == k ? 1 : 0;
            s->curvature[k * TERMS + i] = *at;
        }
    for (size_t i = 0; i < TERMS; i++)
        s->gradient[i] = use[i] ? s->gradient[i] : 0;
    if (gsl_linalg_cholesky_decomp1(&h.matrix) != 0 ||
        gsl_linalg_cholesky_solve(&h.matrix, &g.vector, &x.vector) != 0)
        return ipr_err_set(err, IPR_EDATA, "outcomes: a term is not independent of the others");
    return IPR_OK;
}

static enum ipr_code outcome_check(const struct ipr_outcome_result *game, const bool *take,
                                   size_t n, struct ipr_err *err)
{
    for (size_t i = 0; i < n; i++)
        if ((take == NULL || take[i]) &&
            !(isfinite(game[i].white) && isfinite(game[i].black) && isfinite(game[i].year) &&
              game[i].halves >= 0 && game[i].halves <= 2))
            return ipr_err_set(err, IPR_EINVAL, "outcomes: game %zu out of domain", i);
    return IPR_OK;
}

static enum ipr_code outcome_score(const struct ipr_outcome_result *game, const bool *take,
                                   size_t n, const bool *use, struct ipr_outcome_model *model,
                                   double *longest, struct ipr_err *err)
{
    struct outcome_sums s = { .n = 0 };
    double step[TERMS];
    enum ipr_code rc;

    for (size_t i = 0; i < n; i++)
        if (take == NULL || take[i])
            outcome_sum_game(&s, model, &game[i]);
    if (s.n == 0)
        return ipr_err_set(err, IPR_EDATA, "outcomes: no games");
    rc = outcome_step(&s, use, step, err);
    *longest = 0;
    for (size_t i = 0; i < TERMS && rc == IPR_OK; i++)
        *longest = isfinite(step[i]) ? fmax(*longest, fabs(step[i])) : INFINITY;
    /* A longer step from a poor start could leave the range of e^t. */
    for (size_t i = 0; i < TERMS && rc == IPR_OK; i++)
        model->term[i] += step[i] / fmax(*longest, 1);
    return rc;
}

enum ipr_code ipr_outcome_fit(const struct ipr_outcome_result *game, const bool *take, size_t n,
                              const bool use[IPR_OUTCOME_TERMS], struct ipr_outcome_model *model,
                              struct ipr_err *err)
{
    struct ipr_outcome_model m = *model;
    double longest = INFINITY;
    enum ipr_code rc = outcome_check(game, take, n, err);

    for (size_t i = 0; i < TERMS; i++)
        m.term[i] = use[i] ? m.term[i] : 0;
    for (int steps = 0; rc == IPR_OK && longest > OUTCOME_TOL; steps++) {
        rc = outcome_score(game, take, n, use, &m, &longest, err);
        if (rc == IPR_OK && (steps == STEPS || !isfinite(longest)))
            return ipr_err_set(err, IPR_ENOCONV, "outcomes: no maximum after %d steps", steps);
    }
    if (rc == IPR_OK)
        *model = m;
    return rc;
}
