#include "model/regan_fit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "model/regan_estimate.h"
#include "stats/resample.h"
#include "stats/solve.h"
#include "stats/sum.h"

/* Estimates of the replicates that had a fit: ln s, ln c, AE. */
struct replicates {
    double *v[3];
    unsigned n;
};

static double replicates_covariance(const double *x, const double *y, size_t n)
{
    const double mx = ipr_stats_mean(x, n);
    const double my = ipr_stats_mean(y, n);
    struct ipr_sum s = { 0 };

    for (size_t i = 0; i < n; i++)
        ipr_sum_add(&s, (x[i] - mx) * (y[i] - my));
    return ipr_sum_value(&s) / (double)(n - 1);
}

static enum ipr_code replicate_fit(struct ipr_rh_task *task, const double from[2],
                                   const struct ipr_rh_set *reference, struct replicates *r)
{
    double x[2] = { from[0], from[1] };
    double ae = 0.0;
    enum ipr_code rc;

    if (!(task->mm_a > 0.0) || task->mm_a >= 1.0 || !(task->ad_a > 0.0))
        return IPR_EDATA;
    rc = ipr_solve_root2(ipr_rh_moments_f, task, 1e-9, x, NULL, NULL);
    if (rc == IPR_OK && reference != NULL)
        rc = ipr_rh_ae(reference, exp(x[0]), exp(x[1]), &ae, NULL, NULL);
    if (rc != IPR_OK)
        return rc;
    r->v[0][r->n] = x[0];
    r->v[1][r->n] = x[1];
    r->v[2][r->n] = ae;
    r->n++;
    return IPR_OK;
}

enum ipr_code ipr_rh_bootstrap(const struct ipr_rh_set *set, const struct ipr_rh_fit *fit,
                               const struct ipr_rh_set *reference, unsigned replicates,
                               uint64_t seed, struct ipr_rh_bootstrap *out, struct ipr_err *err)
{
    const struct ipr_rh_fit_options options = { .kind = IPR_RH_MOMENTS };
    const double from[2] = { log(fit->s), log(fit->c) };
    struct replicates r = { .n = 0 };
    struct ipr_rh_task task;
    struct ipr_twister rng;
    double *weight;
    enum ipr_code rc = IPR_OK;

    if (set->games < 2)
        return ipr_err_set(err, IPR_EDATA, "one game cannot be resampled");
    ipr_twister_seed(&rng, (uint32_t)seed);
    weight = ipr_xcalloc(set->games, sizeof *weight);
    for (int k = 0; k < 3; k++)
        r.v[k] = ipr_xcalloc((size_t)replicates + 1, sizeof(double));
    ipr_rh_task_init(&task, set, &options);
    for (unsigned i = 0; i < replicates; i++) {
        ipr_resample(&rng, set->games, weight);
        ipr_rh_task_weigh(&task, weight);
        replicate_fit(&task, from, reference, &r);
    }
    if (r.n < 2 || 2 * r.n < replicates)
        rc =
            ipr_err_set(err, IPR_EDATA, "only %u of %u resampled sets have a fit", r.n, replicates);
    if (rc == IPR_OK) {
        memset(out, 0, sizeof *out);
        for (int k = 0; k < 4; k++)
            out->cov[k] = replicates_covariance(r.v[k / 2], r.v[k % 2], r.n);
        out->ae_mean = ipr_stats_mean(r.v[2], r.n);
        out->ae_sd = sqrt(replicates_covariance(r.v[2], r.v[2], r.n));
        out->replicates = r.n;
        out->failed = replicates - r.n;
    }
    ipr_rh_task_release(&task);
    for (int k = 0; k < 3; k++)
        free(r.v[k]);
    free(weight);
    return rc;
}
