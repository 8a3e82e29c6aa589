#include "stats/logit.h"

#include <math.h>

#include "stats/sum.h"

double ipr_stats_logit(double p)
{
    p = fmax(0.001, fmin(0.999, p));
    return log(p / (1.0 - p));
}

double ipr_stats_sd(double (*f)(double), const double *x, size_t n)
{
    struct ipr_sum sum = { 0 }, ss = { 0 };

    for (size_t i = 0; i < n; i++)
        ipr_sum_add(&sum, f != NULL ? f(x[i]) : x[i]);
    const double mean = ipr_sum_value(&sum) / (double)n;
    for (size_t i = 0; i < n; i++) {
        const double d = (f != NULL ? f(x[i]) : x[i]) - mean;
        ipr_sum_add(&ss, d * d);
    }
    return sqrt(ipr_sum_value(&ss) / (double)(n - 1));
}

struct ipr_logit_interval ipr_stats_logit_interval(double estimate, const double *replicate,
                                                   size_t n, double q)
{
    struct ipr_logit_interval r = { .interval = { 0.0, 1.0 } };

    if (n < 2)
        return r;
    r.sd = ipr_stats_sd(NULL, replicate, n);
    r.sd_logit = ipr_stats_sd(ipr_stats_logit, replicate, n);
    /* Rounding aside: replicates that are all alike. */
    r.known = r.sd > 1e-12;
    if (!r.known)
        return r;
    const double centre = ipr_stats_logit(estimate);
    const double half = q * r.sd_logit;
    /* Where the logit is clamped the estimate itself may be outside. */
    r.interval.lo = fmin(estimate, 1.0 / (1.0 + exp(-(centre - half))));
    r.interval.hi = fmax(estimate, 1.0 / (1.0 + exp(-(centre + half))));
    return r;
}
