/* Weights of the depths by maximum likelihood. */
#include <gsl/gsl_blas.h>
#include <gsl/gsl_linalg.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "model/regan_depth_set.h"
#include "model/regan_prob.h"
#include "model/regan_set.h"
#include "stats/solve.h"

/* Gradient of the mean ln p, in variables of which it has about unit curvature, at the end of a
 * search and of a first look: sqrt(turns) times this is in standard errors. */
#define FLAT   1e-6
#define SLOPED 1e-3
/* This share of the mean curvature is added to each: a weight next to 0 has hardly any. */
#define RIDGE 1e-3
/* Minimum gain per turn and unit of weight for including the weight. */
#define RISES 1e-5
/* A weight below the first is 0; one below the second is when the likelihood rises without it. */
#define NOTHING 1e-4
#define LITTLE  1e-2
/* An included weight begins with this share. */
#define SEED_WEIGHT 0.02
/* Step of the differences that the curvature is taken from. */
#define DELTA_STEP 1e-4

enum { PARAMETERS = 2 + IPR_RH_DEPTHS_MAX };

/* The state of the fit. w is 0 for depths not in use. */
struct point {
    double log_s, log_c;
    double w[IPR_RH_DEPTHS_MAX];
    double loglik;
};

/* The state of the fit beside the point. */
struct fitting {
    struct ipr_rh_depth_task task;
    unsigned depths;
    unsigned active[IPR_RH_DEPTHS_MAX], n_active; /* depths whose logarithms are variables */
    double origin[PARAMETERS];                    /* x = origin + root^-T z */
    gsl_matrix *root;                             /* of the curvature there */
    double z[PARAMETERS], value, g[PARAMETERS];   /* where the deviance was taken last */
    unsigned iterations;
};

static void fitting_activate(struct fitting *f, const struct point *p)
{
    f->n_active = 0;
    for (unsigned d = 0; d < f->depths; d++)
        if (p->w[d] > 0.0)
            f->active[f->n_active++] = d;
}

/* (ln s, ln c, ln w of the active depths) to a point: the weights are the softmax. */
static struct point fitting_point(const struct fitting *f, const double *x)
{
    struct point p = { .log_s = x[0], .log_c = x[1] };
    double most = -INFINITY;
    double total = 0.0;

    for (unsigned k = 0; k < f->n_active; k++)
        most = fmax(most, x[2 + k]);
    for (unsigned k = 0; k < f->n_active; k++)
        total += p.w[f->active[k]] = fmax(exp(x[2 + k] - most), 1e-300);
    for (unsigned k = 0; k < f->n_active; k++)
        p.w[f->active[k]] /= total;
    return p;
}

static void variables_of(const struct fitting *f, const struct point *p, double *x)
{
    x[0] = p->log_s;
    x[1] = p->log_c;
    for (unsigned k = 0; k < f->n_active; k++)
        x[2 + k] = log(p->w[f->active[k]]);
}

/* Gradient by (ln s, ln c, ln w) from one by (ln s, ln c, w). */
static void by_variables(const struct fitting *f, const struct point *p, const double *score,
                         double *g)
{
    double common = 0.0;

    for (unsigned k = 0; k < f->n_active; k++)
        common += p->w[f->active[k]] * score[2 + f->active[k]];
    g[0] = score[0];
    g[1] = score[1];
    for (unsigned k = 0; k < f->n_active; k++)
        g[2 + k] = p->w[f->active[k]] * (score[2 + f->active[k]] - common);
}

/* Sum of the games' scores. */
static void total_score(const struct fitting *f, double *sum)
{
    const size_t m = 2U + f->depths;

    memset(sum, 0, m * sizeof *sum);
    for (size_t g = 0; g < f->task.set->games; g++)
        for (size_t k = 0; k < m; k++)
            sum[k] += f->task.score[g * m + k];
}

/* -mean ln p_played at x = (ln s, ln c, ln w) with its gradient. */
static double fitting_deviance(struct fitting *f, const double *x, double *g)
{
    const double turns = (double)f->task.set->n;
    const struct point p = fitting_point(f, x);
    double score[PARAMETERS];
    double loglik;

    if (!ipr_rh_in_domain(exp(x[0]), exp(x[1]))) {
        memset(g, 0, (2 + f->n_active) * sizeof *g);
        return INFINITY;
    }
    loglik = ipr_rh_depth_at(&f->task, p.log_s, p.log_c, p.w, IPR_RH_DEPTH_GRADIENT);
    total_score(f, score);
    by_variables(f, &p, score, g);
    for (unsigned k = 0; k < 2 + f->n_active; k++)
        g[k] /= -turns;
    return -loglik / turns;
}

static void fitting_place(const struct fitting *f, const double *z, double *x)
{
    const unsigned m = 2 + f->n_active;
    gsl_vector_view at = gsl_vector_view_array(x, m);

    memcpy(x, z, m * sizeof *x);
    gsl_blas_dtrsv(CblasLower, CblasTrans, CblasNonUnit, f->root, &at.vector);
    for (unsigned k = 0; k < m; k++)
        x[k] += f->origin[k];
}

/* The same in z; an ipr_fng. Value and gradient are requested in turn. */
static double scaled_deviance(const double *z, double *g, void *arg)
{
    struct fitting *f = arg;
    const size_t size = (2 + f->n_active) * sizeof *z;

    if (memcmp(z, f->z, size) != 0) {
        gsl_vector_view by_z = gsl_vector_view_array(f->g, 2 + f->n_active);
        double x[PARAMETERS];

        fitting_place(f, z, x);
        f->value = fitting_deviance(f, x, f->g);
        gsl_blas_dtrsv(CblasLower, CblasNoTrans, CblasNonUnit, f->root, &by_z.vector);
        memcpy(f->z, z, size);
    }
    if (g != NULL)
        memcpy(g, f->g, size);
    return f->value;
}

/*
 * Sets origin and root at p: root root' is the mean over turns of gradient gradient', which is the
 * curvature as far as the model is right (Berndt, Hall, Hall & Hausman). Scaling all weights
 * changes nothing; that direction gets the mean curvature.
 */
static bool fitting_rescale(struct fitting *f, const struct point *p)
{
    const size_t m = 2U + f->n_active;
    const size_t all = 2U + f->depths;
    double mean = 0.0;

    ipr_rh_depth_at(&f->task, p->log_s, p->log_c, p->w,
                    IPR_RH_DEPTH_GRADIENT | IPR_RH_DEPTH_SPREAD);
    variables_of(f, p, f->origin);
    f->root = gsl_matrix_alloc(m, m);
    for (size_t i = 0; i < m; i++)
        for (size_t j = 0; j <= i; j++) {
            const size_t a = i < 2 ? i : 2 + f->active[i - 2];
            const size_t b = j < 2 ? j : 2 + f->active[j - 2];
            const double of_i = i < 2 ? 1.0 : p->w[a - 2];
            const double of_j = j < 2 ? 1.0 : p->w[b - 2];
            const double x = of_i * of_j * f->task.spread[all * a + b] / (double)f->task.set->n;
            gsl_matrix_set(f->root, i, j, x);
            gsl_matrix_set(f->root, j, i, x);
            mean += i == j ? x / (double)m : 0.0;
        }
    for (size_t i = 0; i < m; i++)
        for (size_t j = 0; j < m; j++) {
            const double ridge = i == j ? RIDGE * mean : 0.0;
            *gsl_matrix_ptr(f->root, i, j) += ridge + (i >= 2 && j >= 2 ? mean / (double)m : 0.0);
        }
    f->z[0] = NAN;
    return gsl_linalg_cholesky_decomp1(f->root) == GSL_SUCCESS;
}

/* Minimises with the weights in use at p. */
static enum ipr_code fitting_descend(struct fitting *f, double tol, struct point *p)
{
    double z[PARAMETERS] = { 0 };
    double x[PARAMETERS];
    double value = 0.0;
    unsigned steps = 0;
    enum ipr_code rc = IPR_ENOCONV;

    fitting_activate(f, p);
    if (fitting_rescale(f, p))
        rc = ipr_solve_bfgs(scaled_deviance, f, 0.1, tol, 2 + f->n_active, z, &value, &steps, NULL);
    f->iterations += steps;
    if (rc == IPR_OK) {
        fitting_place(f, z, x);
        *p = fitting_point(f, x);
        p->loglik = -value * (double)f->task.set->n;
    }
    gsl_matrix_free(f->root);
    f->root = NULL;
    return rc;
}

static void share_out(struct point *p, unsigned depths)
{
    double total = 0.0;

    for (unsigned d = 0; d < depths; d++)
        total += p->w[d];
    for (unsigned d = 0; d < depths; d++)
        p->w[d] /= total;
}

/* Removes weights that approach 0, or adds the one with the largest gain. Returns whether there is
 * anything left to do. */
static bool fitting_revise(struct fitting *f, struct point *p, unsigned *taken_in)
{
    const double turns = (double)f->task.set->n;
    double score[PARAMETERS];
    double rises = RISES;
    unsigned in = f->depths;
    bool out = false;

    ipr_rh_depth_at(&f->task, p->log_s, p->log_c, p->w, IPR_RH_DEPTH_GRADIENT | IPR_RH_DEPTH_ALL);
    total_score(f, score);
    for (unsigned d = 0; d < f->depths; d++) {
        const double slope = score[2 + d] / turns;

        if (p->w[d] > 0.0 && (p->w[d] < NOTHING || (p->w[d] < LITTLE && slope < -RISES))) {
            p->w[d] = 0.0;
            out = true;
        } else if (!(p->w[d] > 0.0) && slope > rises) {
            rises = slope;
            in = d;
        }
    }
    if (!out && in < f->depths) {
        p->w[in] = SEED_WEIGHT / (1.0 - SEED_WEIGHT);
        ++*taken_in;
    }
    share_out(p, f->depths);
    return out || in < f->depths;
}

static bool point_at_edge(const struct point *p)
{
    return !ipr_rh_in_domain(exp(p->log_s) / 1.01, exp(p->log_c) / 1.01) ||
           !ipr_rh_in_domain(exp(p->log_s) * 1.01, exp(p->log_c) * 1.01);
}

/* Follows a start until no change of a weight is a gain. */
static enum ipr_code fitting_settle(struct fitting *f, struct point *p)
{
    unsigned taken_in = 0;

    do {
        const enum ipr_code rc = fitting_descend(f, FLAT, p);
        if (rc != IPR_OK)
            return rc;
        if (point_at_edge(p) || taken_in > 2 * f->depths)
            return IPR_ENOCONV;
    } while (fitting_revise(f, p, &taken_in));
    return IPR_OK;
}

/* s and c with the last depth alone. */
static enum ipr_code fit_last(struct fitting *f, struct point *best)
{
    static const double starts[][2] = { { 0.10, 0.48 }, { 0.05, 0.60 }, { 0.25, 0.35 } };
    bool have = false;

    for (size_t k = 0; k < sizeof starts / sizeof starts[0]; k++) {
        struct point p = { .log_s = log(starts[k][0]), .log_c = log(starts[k][1]) };

        p.w[f->depths - 1] = 1.0;
        if (fitting_descend(f, FLAT, &p) != IPR_OK || point_at_edge(&p) ||
            (have && p.loglik <= best->loglik))
            continue;
        *best = p;
        have = true;
    }
    return have ? IPR_OK : IPR_ENOCONV;
}

/* All depths alike, weights that rise with the depth, and the last alone. */
enum { DEPTH_STARTS = 3 };

/* The best of the starts after a first look, followed to the end; the others when it has none. */
static enum ipr_code fitting_search(struct fitting *f, const struct point *last, struct point *best,
                                    struct ipr_err *err)
{
    struct point p[DEPTH_STARTS];
    bool left[DEPTH_STARTS];

    for (int k = 0; k < DEPTH_STARTS; k++) {
        p[k] = *last;
        for (unsigned d = 0; d < f->depths && k < 2; d++)
            p[k].w[d] = k == 0 ? 1.0 : 1.0 + d;
        share_out(&p[k], f->depths);
        left[k] = fitting_descend(f, SLOPED, &p[k]) == IPR_OK;
    }
    for (int round = 0; round < DEPTH_STARTS; round++) {
        int first = -1;

        for (int k = 0; k < DEPTH_STARTS; k++)
            if (left[k] && (first < 0 || p[k].loglik > p[first].loglik))
                first = k;
        if (first < 0)
            break;
        left[first] = false;
        if (fitting_settle(f, &p[first]) != IPR_OK || p[first].loglik < last->loglik)
            continue;
        *best = p[first];
        return IPR_OK;
    }
    return ipr_err_set(err, IPR_ENOCONV,
                       "no s, c and weights of depths within reach match the moves of the set "
                       "(%zu turns)",
                       f->task.set->n);
}

/* Sandwich errors: the variables are ln s, ln c and the logarithms of all active weights but the
 * greatest, whose own is fixed. */
struct sandwich {
    size_t m;              /* variables */
    unsigned reference;    /* index into active */
    size_t at[PARAMETERS]; /* of each variable in (ln s, ln c, ln w of active) */
    gsl_matrix *bread, *meat, *cov;
};

static void sandwich_choose(const struct fitting *f, const struct point *p, struct sandwich *s)
{
    s->reference = 0;
    for (unsigned k = 1; k < f->n_active; k++)
        if (p->w[f->active[k]] > p->w[f->active[s->reference]])
            s->reference = k;
    s->m = 0;
    for (unsigned k = 0; k < 2 + f->n_active; k++)
        if (k != 2 + s->reference)
            s->at[s->m++] = k;
    s->bread = gsl_matrix_alloc(s->m, s->m);
    s->meat = gsl_matrix_alloc(s->m, s->m);
    s->cov = gsl_matrix_alloc(s->m, s->m);
}

/* Minus the mean second derivatives, by central differences of the gradient, made symmetric. */
static bool sandwich_curvature(struct fitting *f, const double *x, struct sandwich *s)
{
    for (size_t i = 0; i < s->m; i++) {
        double there[2][PARAMETERS];
        double g[2][PARAMETERS];

        for (int side = 0; side < 2; side++) {
            memcpy(there[side], x, (2 + f->n_active) * sizeof *x);
            there[side][s->at[i]] += side == 0 ? DELTA_STEP : -DELTA_STEP;
            if (!isfinite(fitting_deviance(f, there[side], g[side])))
                return false;
        }
        for (size_t j = 0; j < s->m; j++)
            gsl_matrix_set(s->bread, i, j, (g[0][s->at[j]] - g[1][s->at[j]]) / (2.0 * DELTA_STEP));
    }
    for (size_t i = 0; i < s->m; i++)
        for (size_t j = 0; j < i; j++) {
            const double both =
                0.5 * (gsl_matrix_get(s->bread, i, j) + gsl_matrix_get(s->bread, j, i));
            gsl_matrix_set(s->bread, i, j, both);
            gsl_matrix_set(s->bread, j, i, both);
        }
    return true;
}

/* G/(G-1) sum_g u_g u_g' / turns^2 */
static void sandwich_spread(struct fitting *f, const struct point *p, struct sandwich *s)
{
    const struct ipr_rh_depth_set *set = f->task.set;
    const double games = (double)set->games;
    const double turns = (double)set->n;
    double u[PARAMETERS];

    ipr_rh_depth_at(&f->task, p->log_s, p->log_c, p->w, IPR_RH_DEPTH_GRADIENT);
    gsl_matrix_set_zero(s->meat);
    for (size_t g = 0; g < set->games; g++) {
        by_variables(f, p, &f->task.score[g * (2U + f->depths)], u);
        for (size_t i = 0; i < s->m; i++)
            for (size_t j = 0; j < s->m; j++)
                *gsl_matrix_ptr(s->meat, i, j) += u[s->at[i]] * u[s->at[j]];
    }
    gsl_matrix_scale(s->meat, games / (games - 1.0) / turns / turns);
}

/* cov = bread^-1 meat bread^-1; false when the likelihood has no peak there. */
static bool sandwich_combine(struct sandwich *s)
{
    gsl_matrix *half;
    double rcond = 0.0;
    bool known;

    if (gsl_linalg_cholesky_decomp1(s->bread) != GSL_SUCCESS)
        return false;
    gsl_vector *work = gsl_vector_alloc(3 * s->m);
    known = gsl_linalg_cholesky_rcond(s->bread, &rcond, work) == GSL_SUCCESS && rcond > 1e-10;
    gsl_vector_free(work);
    if (!known || gsl_linalg_cholesky_invert(s->bread) != GSL_SUCCESS)
        return false;
    half = gsl_matrix_alloc(s->m, s->m);
    gsl_blas_dgemm(CblasNoTrans, CblasNoTrans, 1.0, s->bread, s->meat, 0.0, half);
    gsl_blas_dgemm(CblasNoTrans, CblasNoTrans, 1.0, half, s->bread, 0.0, s->cov);
    gsl_matrix_free(half);
    return true;
}

/* Standard error of a figure with these derivatives by the variables. */
static double error_of(const struct sandwich *s, const double *derivative)
{
    double var = 0.0;

    for (size_t i = 0; i < s->m; i++)
        for (size_t j = 0; j < s->m; j++)
            var += derivative[i] * derivative[j] * gsl_matrix_get(s->cov, i, j);
    return sqrt(fmax(0.0, var));
}

/* dw_a/d ln w_b = w_a ([a = b] - w_b) */
static void sandwich_carry(const struct fitting *f, const struct point *p, const struct sandwich *s,
                           struct ipr_rh_depth_fit *out)
{
    double d_mean[PARAMETERS] = { 0 };

    out->ln_s_se = sqrt(gsl_matrix_get(s->cov, 0, 0));
    out->ln_c_se = sqrt(gsl_matrix_get(s->cov, 1, 1));
    for (unsigned a = 0; a < f->n_active; a++) {
        double d[PARAMETERS] = { 0 };

        for (size_t i = 2; i < s->m; i++) {
            const unsigned b = (unsigned)s->at[i] - 2;
            d[i] = p->w[f->active[a]] * ((a == b ? 1.0 : 0.0) - p->w[f->active[b]]);
        }
        out->w_se[f->active[a]] = error_of(s, d);
    }
    for (size_t i = 2; i < s->m; i++) {
        const unsigned b = f->active[s->at[i] - 2];
        d_mean[i] = p->w[b] * (b + 1.0 - out->mean_depth);
    }
    out->mean_depth_se = error_of(s, d_mean);
}

static void fitting_add_errors(struct fitting *f, const struct point *p,
                               struct ipr_rh_depth_fit *out)
{
    struct sandwich s;
    double x[PARAMETERS];

    fitting_activate(f, p);
    if (f->task.set->games <= 1 + f->n_active)
        return;
    sandwich_choose(f, p, &s);
    variables_of(f, p, x);
    sandwich_spread(f, p, &s);
    if (sandwich_curvature(f, x, &s) && sandwich_combine(&s)) {
        sandwich_carry(f, p, &s, out);
        out->se_known = true;
    }
    gsl_matrix_free(s.bread);
    gsl_matrix_free(s.meat);
    gsl_matrix_free(s.cov);
}

static enum ipr_code fitting_check(const struct ipr_rh_depth_set *s, struct ipr_err *err)
{
    const size_t needed = IPR_RH_DEPTH_TURNS_EACH * (s->depths + 1U);

    if (s->depths < 2)
        return ipr_err_set(err, IPR_EDATA, "the engine gives one depth: there is nothing to weigh");
    if (!s->choice)
        return ipr_err_set(err, IPR_EDATA,
                           "no turn of the set offers a choice: s and c cannot be fitted");
    if (!s->differ)
        return ipr_err_set(err, IPR_EDATA, "the evaluations of all depths are the same");
    if (s->n < needed)
        return ipr_err_set(err, IPR_EDATA, "%zu moves are needed for %u depths, there are %zu",
                           needed, s->depths, s->n);
    if (s->first == s->n)
        return ipr_err_set(err, IPR_EDATA,
                           "no move of the set was an error: s and c have no finite fit");
    if (s->first == 0)
        return ipr_err_set(err, IPR_EDATA,
                           "every move of the set was an error: s and c have no finite fit");
    return IPR_OK;
}

enum ipr_code ipr_rh_depth_fit(const struct ipr_rh_depth_set *set, struct ipr_rh_depth_fit *out,
                               struct ipr_err *err)
{
    struct ipr_rh_depth_fit fit = { 0 };
    struct fitting f = { .depths = set->depths };
    struct point last = { 0 };
    struct point best = { 0 };
    enum ipr_code rc = fitting_check(set, err);

    if (rc != IPR_OK)
        return rc;
    ipr_rh_depth_task_init(&f.task, set);
    if (fit_last(&f, &last) != IPR_OK)
        rc = ipr_err_set(err, IPR_ENOCONV,
                         "no s and c within reach match the moves of the set (%zu moves)", set->n);
    if (rc == IPR_OK)
        rc = fitting_search(&f, &last, &best, err);
    if (rc == IPR_OK) {
        fit.depths = set->depths;
        fit.s = exp(best.log_s);
        fit.c = exp(best.log_c);
        memcpy(fit.w, best.w, sizeof fit.w);
        for (unsigned d = 0; d < set->depths; d++)
            fit.mean_depth += best.w[d] * (d + 1.0);
        fit.loglik = best.loglik;
        fit.s_last = exp(last.log_s);
        fit.c_last = exp(last.log_c);
        fit.loglik_last = last.loglik;
        fit.degrees = set->depths - 1;
        fit.turns = set->n;
        fit.games = set->games;
        fit.starts = DEPTH_STARTS;
        fit.iterations = f.iterations;
        fitting_add_errors(&f, &best, &fit);
        *out = fit;
    }
    ipr_rh_depth_task_release(&f.task);
    return rc;
}
