#include "model/regan_random.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "model/regan_estimate.h"
#include "model/regan_fit.h"
#include "stats/solve.h"
#include "stats/sum.h"

/* Start of the search for ln e; a smaller share counts as none. */
#define SHARE_MIN 1e-6
/* Step in ln e of the differences along the profile. */
#define RANDOM_STEP 0.05

/* The sets during the search for the best share: each keeps its last fit. */
struct profile {
    struct ipr_rh_task *task; /* [n] */
    double (*x)[2];           /* [n] (ln s, ln c) */
    size_t n;
    unsigned profiles;
    bool failed; /* a set had no fit: the result of the search is invalid */
};

/* Fits every set at share e, from where it was last; the derivative of the profile by e. */
static double random_slope_at(struct profile *p, double e)
{
    struct ipr_sum slope = { 0 };

    p->profiles++;
    for (size_t i = 0; i < p->n && !p->failed; i++) {
        double value = 0.0;

        p->task[i].random_share = e;
        p->failed = ipr_solve_bfgs(ipr_rh_deviance, &p->task[i], 0.02, 1e-9, 2, p->x[i], &value,
                                   NULL, NULL) != IPR_OK;
        if (!p->failed)
            ipr_sum_add(&slope, ipr_rh_mixture_slope(&p->task[i], p->x[i], NULL));
    }
    return ipr_sum_value(&slope);
}

/* An ipr_fn1 of ln e. */
static double slope_log(double log_e, void *arg)
{
    return random_slope_at(arg, exp(log_e));
}

static double profile_loglik(const struct profile *p)
{
    struct ipr_sum sum = { 0 };

    for (size_t i = 0; i < p->n; i++)
        ipr_sum_add(&sum, -p->task[i].turns * ipr_rh_deviance(p->x[i], NULL, &p->task[i]));
    return ipr_sum_value(&sum);
}

/* Sum over the games of all sets of the squared efficient score. `along`: d(ln s, ln c)/de. */
static double score_squares(const struct profile *p, double (*const along)[2])
{
    struct ipr_sum squares = { 0 };

    for (size_t i = 0; i < p->n; i++) {
        const size_t games = p->task[i].set->games;
        double *u = ipr_xcalloc(3 * games, sizeof *u);

        ipr_rh_mixture_slope(&p->task[i], p->x[i], u);
        for (size_t g = 0; g < games; g++) {
            const double score = u[3 * g + 2] + along[i][0] * u[3 * g] + along[i][1] * u[3 * g + 1];
            ipr_sum_add(&squares, score * score);
        }
        free(u);
    }
    return ipr_sum_value(&squares);
}

/* The error at the root e; leaves the sets fitted there. */
static void find_error(struct profile *p, double e, struct ipr_rh_random *out)
{
    const double up = e * exp(RANDOM_STEP), down = e * exp(-RANDOM_STEP);
    double(*along)[2] = ipr_xcalloc(p->n, sizeof *along);
    double curvature = random_slope_at(p, up);

    for (size_t i = 0; i < p->n; i++)
        memcpy(along[i], p->x[i], sizeof along[i]);
    curvature = (curvature - random_slope_at(p, down)) / (up - down);
    for (size_t i = 0; i < p->n; i++)
        for (int k = 0; k < 2; k++)
            along[i][k] = (along[i][k] - p->x[i][k]) / (up - down);
    random_slope_at(p, e);
    if (!p->failed && out->games > 1 && curvature < 0.0) {
        const double games = (double)out->games;
        out->se = sqrt(games / (games - 1.0) * score_squares(p, along)) / -curvature;
        out->se_known = isfinite(out->se) && out->se > 0.0;
    }
    free(along);
}

static enum ipr_code profile_search(struct profile *p, struct ipr_rh_random *out,
                                    struct ipr_err *err)
{
    double log_e = 0.0;
    enum ipr_code rc = IPR_OK;

    const double first = random_slope_at(p, SHARE_MIN);
    if (!p->failed && first <= 0.0) {
        out->at_zero = true;
        random_slope_at(p, 0.0);
        out->loglik = profile_loglik(p);
        return p->failed ? IPR_ENOCONV : IPR_OK;
    }
    rc = ipr_solve_root(slope_log, p, log(SHARE_MIN), log(IPR_RH_RANDOM_MAX), 1e-7, &log_e, err);
    if (rc == IPR_EDATA) /* no change of sign */
        return ipr_err_set(err, IPR_ENOCONV, "more than %g of the moves would be random",
                           IPR_RH_RANDOM_MAX);
    if (rc != IPR_OK)
        return rc;
    out->share = exp(log_e);
    find_error(p, out->share, out);
    out->loglik = profile_loglik(p);
    const double half = out->se_known ? IPR_Z95 * out->se / out->share : 0.0;
    out->interval = (struct ipr_interval){ out->share * exp(-half), out->share * exp(half) };
    return IPR_OK;
}

enum ipr_code ipr_rh_random_share(const struct ipr_rh_set *const *sets, size_t n,
                                  struct ipr_rh_random *out, struct ipr_err *err)
{
    const struct ipr_rh_fit_options plain = { .kind = IPR_RH_MLE };
    const struct ipr_rh_fit_options mixed = { .kind = IPR_RH_RMLE, .random_share = SHARE_MIN };
    struct profile p = { .n = 0 };
    struct ipr_rh_random r = { 0 };
    enum ipr_code rc = IPR_OK;

    if (n == 0)
        return ipr_err_set(err, IPR_EDATA, "a share of random moves needs a set of moves");
    p.task = ipr_xcalloc(n, sizeof *p.task);
    p.x = ipr_xcalloc(n, sizeof *p.x);
    for (; rc == IPR_OK && p.n < n; p.n++) {
        struct ipr_rh_fit fit;

        ipr_rh_task_init(&p.task[p.n], sets[p.n], &mixed);
        rc = ipr_rh_fit(sets[p.n], &plain, &fit, err);
        if (rc != IPR_OK)
            continue;
        p.x[p.n][0] = log(fit.s);
        p.x[p.n][1] = log(fit.c);
        r.turns += fit.turns;
        r.games += fit.games;
        r.loglik_zero += fit.loglik;
    }
    if (rc == IPR_OK)
        rc = profile_search(&p, &r, err);
    if (p.failed)
        rc = ipr_err_set(err, IPR_ENOCONV, "a set has no fit with a share of random moves");
    r.profiles = p.profiles;
    for (size_t i = 0; i < p.n; i++)
        ipr_rh_task_release(&p.task[i]);
    free(p.task);
    free(p.x);
    if (rc == IPR_OK)
        *out = r;
    return rc;
}
