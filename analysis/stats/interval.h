#ifndef IPR_STATS_INTERVAL_H
#define IPR_STATS_INTERVAL_H

#include <stddef.h>

#include "base/error.h"

/* Two-sided 95 % quantile of the standard normal distribution. */
#define IPR_Z95 1.959963984540054

struct ipr_interval {
    double lo, hi; /* closed, on the scale of the estimate */
};

/**
 * Wilson score interval for a binomial proportion p = k/n:
 *   (p + z^2/2n  -+  z sqrt(p(1-p)/n + z^2/4n^2)) / (1 + z^2/n)
 *
 * k, n   successes and trials [count]; 0 <= k <= n
 * z      two-sided normal quantile [1], finite, > 0; IPR_Z95 for 95 %
 * out    [probability] within [0, 1]; untouched on error
 *
 * IPR_EINVAL if k > n or z is out of domain; IPR_EDATA if n = 0. Thread-safe.
 * Draws are not successes; score whole games elsewhere.
 * Source: E. B. Wilson, JASA 22 (1927) 209-212.
 */
IPR_CHECK enum ipr_code ipr_stats_wilson(unsigned long k, unsigned long n, double z,
                                         struct ipr_interval *out, struct ipr_err *err);

/**
 * The same for a share p and an effective number of trials, which need not be whole.
 *
 * p      [probability] within [0, 1]
 * n_eff  [1] finite, > 0
 *
 * IPR_EINVAL outside these domains.
 */
IPR_CHECK enum ipr_code ipr_stats_wilson_eff(double p, double n_eff, double z,
                                             struct ipr_interval *out, struct ipr_err *err);

/**
 * Half width of a 95 % interval in standard errors: IPR_Z95 for 30 clusters and more, Student's
 * t with clusters - 1 degrees of freedom below that (12.706 for two). clusters >= 2.
 */
double ipr_stats_quantile95(size_t clusters);

#endif
