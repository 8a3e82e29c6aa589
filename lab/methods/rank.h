#ifndef IPR_LAB_RANK_H
#define IPR_LAB_RANK_H

#include <stddef.h>

#include "base/error.h"

/** Agreement of two orders. */
struct ipr_rank_correlation {
    double spearman; /* Pearson's rho of the ranks, equal values having their mean rank */
    double kendall;  /* tau-b: pairs in the same order less those in the other one, over the root of
                        the pairs that x and that y distinguishes */
    size_t n;
};

/**
 * x[n], y[n]   finite
 * out          untouched on error
 *
 * O(n^2). IPR_EDATA if n < 3 or if all values of x or of y are equal: there is no order.
 * Source: M. G. Kendall, The treatment of ties in ranking problems, Biometrika 33 (1945).
 */
IPR_CHECK enum ipr_code ipr_stats_rank_correlation(const double *x, const double *y, size_t n,
                                                   struct ipr_rank_correlation *out,
                                                   struct ipr_err *err);

#endif
