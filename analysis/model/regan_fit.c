#include "model/regan_fit.h"

#include <math.h>
#include <string.h>

#include "model/regan_estimate.h"
#include "model/regan_prob.h"
#include "stats/solve.h"

/* Sets of fewer turns can have two minima or a flat valley: every start is followed. */
#define SMALL_SET 300
/* Sets of fewer turns have so few kinks in S that derivatives can stop at one. */
#define ROUGH_SET 1000
/* For sets of more turns the starts of a percentile fit are first followed on about THINNED_SET of
 * them. */
#define LARGE_SET   6000
#define THINNED_SET 2000

/* Grandmaster, club player, beginner, and one across the valley. R section 7 spans the first two.
 */
static const double starts[][2] = {
    { 0.10, 0.48 }, { 0.05, 0.60 }, { 0.25, 0.35 }, { 0.15, 0.80 }
};
enum { FIT_STARTS = sizeof starts / sizeof starts[0] };

/* A point reached from one start. */
struct found {
    double x[2];
    double value; /* the minimised value: S for moments and percentile, deviance for the others */
    unsigned iterations;
};

static enum ipr_code check_fittable(const struct ipr_rh_task *task, struct ipr_err *err)
{
    bool choice = false;

    for (size_t t = 0; t < task->set->n && !choice; t++)
        choice = task->set->turns[t].n > 1 || task->set->count[task->set->turns[t].first] > 1;
    if (!choice)
        return ipr_err_set(err, IPR_EDATA,
                           "no turn of the set offers a choice: s and c cannot be fitted");
    if (task->mm_a >= 1.0 || !(task->ad_a > 0.0))
        return ipr_err_set(err, IPR_EDATA,
                           "no move of the set was an error: s and c have no finite fit");
    if (!(task->mm_a > 0.0) && task->kind == IPR_RH_MOMENTS)
        return ipr_err_set(err, IPR_EDATA,
                           "the first-listed move was never played: s and c have no finite fit");
    return IPR_OK;
}

/*
 * S has a kink wherever a turn's interval meets a quantile, where derivatives are misleading: a
 * simplex of first size `step` continues until it is smaller than `tol`. Its end is never higher
 * than its start.
 */
static void fit_polish(struct ipr_rh_task *task, double step, double tol, struct found *f)
{
    struct found better = *f;
    unsigned steps = 0;

    if (ipr_solve_simplex(ipr_rh_percentile_s, task, step, tol, 2, better.x, &better.value, &steps,
                          NULL) == IPR_OK &&
        better.value < f->value)
        *f = better;
    f->iterations += steps;
}

/* Is S lower a step away along one of the axes? */
static bool lower_near(struct ipr_rh_task *task, double step, const struct found *f)
{
    for (int k = 0; k < 4; k++) {
        double x[2] = { f->x[0], f->x[1] };
        x[k / 2] += k % 2 ? step : -step;
        if (ipr_rh_percentile_s(x, 2, task) < f->value)
            return true;
    }
    return false;
}

/* The kinks of a large set are so many and small that little can be gained: the test is at a
 * hundredth of a standard error. */
static void polish_end(struct ipr_rh_task *task, struct found *f)
{
    if (task->set->n < LARGE_SET)
        fit_polish(task, 0.02, 1e-6, f);
    else if (lower_near(task, 1e-4, f))
        fit_polish(task, 3e-4, 1e-5, f);
}

/* Follows one start to a solution. */
static enum ipr_code fit_follow(struct ipr_rh_task *task, struct found *f)
{
    enum ipr_code rc;

    switch (task->kind) {
    case IPR_RH_MOMENTS:
        rc = ipr_solve_root2(ipr_rh_moments_f, task, 1e-11, f->x, &f->iterations, NULL);
        if (rc == IPR_OK)
            f->value = 0.0; /* S is only computed if there is another to compare */
        return rc;
    case IPR_RH_PERCENTILE:
        rc = ipr_solve_squares2(ipr_rh_quantiles, task, IPR_RH_QUANTILES, 1e-7, f->x, &f->value,
                                &f->iterations, NULL);
        if (rc == IPR_OK && task->set->n < ROUGH_SET)
            fit_polish(task, 0.1, 1e-6, f);
        return rc;
    case IPR_RH_MLE:
    case IPR_RH_RMLE:
    default:
        return ipr_solve_bfgs(ipr_rh_deviance, task, 0.1, 1e-9, 2, f->x, &f->value, &f->iterations,
                              NULL);
    }
}

static bool same_point(const double a[2], const double b[2], double within)
{
    return fabs(a[0] - b[0]) < within && fabs(a[1] - b[1]) < within;
}

static bool fit_at_edge(const double x[2])
{
    return !ipr_rh_in_domain(exp(x[0]) / 1.01, exp(x[1]) / 1.01) ||
           !ipr_rh_in_domain(exp(x[0]) * 1.01, exp(x[1]) * 1.01);
}

/* Returns the points to start from: the starts, or their different ends on a part of the set. */
static unsigned starts_of(struct ipr_rh_task *task, double from[FIT_STARTS][2])
{
    unsigned n = 0;

    /*
     * The starts of a large set's percentile fit are followed on a part of it, every so many blocks
     * (stratified, as blocks are in order of length); the whole set is only used at their ends.
     */
    task->stride = task->kind == IPR_RH_PERCENTILE && task->set->n >= LARGE_SET
                       ? task->set->n / THINNED_SET
                       : 1;
    for (unsigned k = 0; k < FIT_STARTS; k++) {
        struct found f = { .x = { log(starts[k][0]), log(starts[k][1]) } };
        bool known = false;

        if (task->stride > 1 && fit_follow(task, &f) != IPR_OK)
            continue;
        for (unsigned i = 0; i < n && !known; i++)
            known = same_point(f.x, from[i], 0.02);
        if (!known)
            memcpy(from[n++], f.x, sizeof f.x);
    }
    task->stride = 1;
    return n;
}

/*
 * Follows the starts and keeps the best end. For moments all ends are exact, so S decides between
 * different ones. Large sets have one minimum: the first start that converges is enough.
 */
static enum ipr_code fit_search(struct ipr_rh_task *task, struct found *best, unsigned *tried,
                                struct ipr_err *err)
{
    double from[FIT_STARTS][2];
    const unsigned n = starts_of(task, from);
    bool have = false;

    *tried = FIT_STARTS;
    for (unsigned k = 0; k < n; k++) {
        struct found f = { .x = { from[k][0], from[k][1] } };

        if (have && task->set->n >= SMALL_SET && task->kind != IPR_RH_PERCENTILE) {
            *tried = k;
            break;
        }
        if (fit_follow(task, &f) != IPR_OK || fit_at_edge(f.x))
            continue;
        if (have && same_point(f.x, best->x, 1e-6))
            continue;
        if (have && task->kind == IPR_RH_MOMENTS) {
            f.value = ipr_rh_percentile_s(f.x, 2, task);
            best->value = ipr_rh_percentile_s(best->x, 2, task);
        }
        if (!have || f.value < best->value)
            *best = f;
        have = true;
    }
    if (!have)
        return ipr_err_set(err, IPR_ENOCONV,
                           "no s and c within reach match the moves of the set (%zu moves)",
                           task->set->n);
    return IPR_OK;
}

static enum ipr_code fit_describe(const struct ipr_rh_task *task, const struct found *f,
                                  struct ipr_rh_fit *out, struct ipr_err *err)
{
    struct ipr_rh_task own = *task;
    double r[IPR_RH_QUANTILES];
    double g[2];

    out->kind = task->kind;
    out->s = exp(f->x[0]);
    out->c = exp(f->x[1]);
    out->turns = task->set->n;
    out->games = task->set->games;
    out->iterations = f->iterations;
    out->converged = true;
    if (ipr_rh_moments_f(f->x, g, NULL, &own) != 0 || ipr_rh_quantiles(f->x, r, NULL, &own) != 0)
        return ipr_err_set(err, IPR_ENOCONV, "the fit ended outside the model");
    out->mm_a = task->mm_a;
    out->ad_a = task->ad_a;
    out->mm_p = g[0] + task->mm_a;
    out->ad_p = g[1] + task->ad_a;
    for (int i = 0; i < IPR_RH_QUANTILES; i++)
        out->s_score += r[i] * r[i];
    out->loglik = -ipr_rh_deviance(f->x, NULL, &own) * task->turns;
    out->cov_known = ipr_rh_sandwich(task, f->x, out->cov);
    if (!out->cov_known)
        memset(out->cov, 0, sizeof out->cov);
    return IPR_OK;
}

static enum ipr_code check_options(const struct ipr_rh_fit_options *o, struct ipr_err *err)
{
    if (o->kind == IPR_RH_RMLE && !(o->random_share >= 0.0 && o->random_share < 1.0))
        return ipr_err_set(err, IPR_EINVAL, "regan: share of random moves %g", o->random_share);
    return IPR_OK;
}

enum ipr_code ipr_rh_fit(const struct ipr_rh_set *set, const struct ipr_rh_fit_options *options,
                         struct ipr_rh_fit *out, struct ipr_err *err)
{
    struct ipr_rh_fit fit;
    struct ipr_rh_task task;
    struct found best = { .value = INFINITY };
    enum ipr_code rc = check_options(options, err);

    if (rc != IPR_OK)
        return rc;
    memset(&fit, 0, sizeof fit);
    ipr_rh_task_init(&task, set, options);
    rc = check_fittable(&task, err);
    if (rc == IPR_OK)
        rc = fit_search(&task, &best, &fit.starts, err);
    if (rc == IPR_OK && options->kind == IPR_RH_PERCENTILE)
        polish_end(&task, &best);
    if (rc == IPR_OK)
        rc = fit_describe(&task, &best, &fit, err);
    if (rc == IPR_OK)
        *out = fit;
    ipr_rh_task_release(&task);
    return rc;
}

/* The equation, or the value to be minimised, of a fit of s alone, at ln s. */
static double along_s(double log_s, void *arg)
{
    struct ipr_rh_task *task = arg;
    const double x[2] = { log_s, task->fixed_log_c };
    double f[2] = { 0.0, 0.0 };

    if (task->kind == IPR_RH_MOMENTS)
        return ipr_rh_moments_f(x, f, NULL, task) == 0 ? f[1] : INFINITY;
    if (task->kind == IPR_RH_PERCENTILE)
        return ipr_rh_percentile_s(x, 2, task);
    return ipr_rh_deviance(x, NULL, task);
}

enum ipr_code ipr_rh_fit_s(const struct ipr_rh_set *set, const struct ipr_rh_fit_options *options,
                           double c, double *s, struct ipr_err *err)
{
    const double lo = log(1e-3);
    const double hi = log(10.0);
    struct ipr_rh_task task;
    double x = 0.0;
    enum ipr_code rc = check_options(options, err);

    if (rc == IPR_OK && !ipr_rh_in_domain(1.0, c))
        rc = ipr_err_set(err, IPR_EINVAL, "regan: c=%g", c);
    if (rc != IPR_OK)
        return rc;
    ipr_rh_task_init(&task, set, options);
    task.fixed_log_c = log(c);
    rc = check_fittable(&task, err);
    if (rc == IPR_OK && options->kind == IPR_RH_MOMENTS)
        rc = ipr_solve_root(along_s, &task, lo, hi, 1e-10, &x, err);
    else if (rc == IPR_OK)
        rc = ipr_solve_min1(along_s, &task, lo, hi, 1e-7, &x, err);
    if (rc == IPR_OK && (x <= lo || x >= hi))
        rc = ipr_err_set(err, IPR_ENOCONV, "no s within reach matches the moves of the set at c %g",
                         c);
    if (rc == IPR_OK)
        *s = exp(x);
    ipr_rh_task_release(&task);
    return rc;
}

enum ipr_code ipr_rh_fit_ae(const struct ipr_rh_fit *fit, const struct ipr_rh_set *reference,
                            double *ae, double *se, struct ipr_err *err)
{
    const double *v = fit->cov; /* zeros where not known */
    double g[2] = { 0.0, 0.0 };
    const enum ipr_code rc = ipr_rh_ae(reference, fit->s, fit->c, ae, g, err);

    if (rc == IPR_OK)
        *se = sqrt(fmax(0.0, g[0] * g[0] * v[0] + 2.0 * g[0] * g[1] * v[1] + g[1] * g[1] * v[3]));
    return rc;
}
