#ifndef IPR_STATS_SUM_H
#define IPR_STATS_SUM_H

#include <stddef.h>

/**
 * Compensated sum: error within 2 ulp of the result plus n^2 eps^2 of the sum of magnitudes, so
 * that long sums do not depend on the order of the games to any digit that is shown.
 * Source: A. Neumaier, ZAMM 54 (1974) 39-51.
 */
struct ipr_sum {
    double total, rest; /* zero-initialised is an empty sum */
};

void ipr_sum_add(struct ipr_sum *s, double x);
double ipr_sum_value(const struct ipr_sum *s);

/** Mean of x[n]; 0 for n = 0. */
double ipr_stats_mean(const double *x, size_t n);

#endif
