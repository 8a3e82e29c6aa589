#include "stats/logit.h"

#include <math.h>

#include "stats/sum.h"

static double logit_of(double e)
{
    e = fmax(0.001, fmin(0.999, e));
    return log(e / (1.0 - e));
}

static double logit_same(double e)
{
    return e;
}

/* Standard deviation of f(x[i]), n >= 2. */
static double logit_sd_of(double (*f)(double), const double *x, size_t n)
{
    struct ipr_sum sum = { 0 };
    struct ipr_sum ss = { 0 };

    for (size_t i = 0; i < n; i++)
        ipr_sum_add(&sum, f(x[i]));
    const double mean = ipr_sum_value(&sum) / (double)n;
    for (size_t i = 0; i < n; i++)
        ipr_sum_add(&ss, (f(x[i]) - mean) * (f(x[i]) - mean));
    return sqrt(ipr_sum_value(&ss) / (double)(n - 1));
}

struct ipr_logit_interval ipr_stats_logit_interval(double estimate, const double *replicate,
                                                   size_t n, double q)
{
    struct ipr_logit_interval r = { .interval = { 0.0, 1.0 } };

    if (n < 2)
        return r;
    r.sd = logit_sd_of(logit_same, replicate, n);
    r.sd_logit = logit_sd_of(logit_of, replicate, n);
    /* Rounding aside: replicates that are all alike. */
    r.known = r.sd > 1e-12;
    if (!r.known)
        return r;
    const double centre = logit_of(estimate);
    const double half = q * r.sd_logit;
    /* Where the logit is clamped the estimate itself may be outside. */
    r.interval.lo = fmin(estimate, 1.0 / (1.0 + exp(-(centre - half))));
    r.interval.hi = fmax(estimate, 1.0 / (1.0 + exp(-(centre + half))));
    return r;
}
