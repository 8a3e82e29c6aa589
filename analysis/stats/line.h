#ifndef IPR_STATS_LINE_H
#define IPR_STATS_LINE_H

#include <stddef.h>

#include "base/error.h"

/** y = a + b x */
struct ipr_line {
    double a, b;
    double residual_variance; /* sum w r^2 / sum w * n/(n-2); 0 when n = 2 */
    double se_a, se_b;        /* from the residual variance; 0 when n = 2 */
    double cov_ab;
    size_t n;
};

/**
 * Weighted least squares straight line, minimising sum_i w_i (y_i - a - b x_i)^2.
 *
 * x[n], y[n]   finite
 * w[n]         weights >= 0, not all zero; NULL for equal ones
 *
 * IPR_EDATA if n < 2, if the weights are all zero or if all x with weight are equal.
 * Covariance of (a, b): residual variance times (X'WX)^-1 with the weights scaled to mean 1.
 * Source: gsl_fit_wlinear (estimate); methods section 5 and convention 9 (residual variance).
 */
IPR_CHECK enum ipr_code ipr_stats_line(const double *x, const double *y, const double *w, size_t n,
                                       struct ipr_line *out, struct ipr_err *err);

/**
 * Pearson's correlation coefficient of x[n] and y[n], within [-1, 1].
 *
 * IPR_EDATA if n < 2 or if one of them is constant.
 */
IPR_CHECK enum ipr_code ipr_stats_pearson(const double *x, const double *y, size_t n, double *rho,
                                          struct ipr_err *err);

#endif
