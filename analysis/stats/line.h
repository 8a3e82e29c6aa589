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
 * The part that errors in measuring x add to the residual variance of y = a + b x: b^2 times the
 * mean of their squares by weight. The rest of it is the points' own scatter.
 *
 * se[n]   standard errors of x; 0 where not known
 * w[n]    the weights of the line
 *
 * 0 if a point with weight has no error: then none of the residual variance is accounted for.
 */
double ipr_stats_line_sampling(double b, const double *se, const double *w, size_t n);

/** Standard deviation that is left of a residual variance: 0 where sampling accounts for it. */
double ipr_stats_line_excess(double residual_variance, double sampling_variance);

/**
 * Half a 95 % interval of what is read off a line through n >= 2 points: sqrt(own^2 + t^2
 * (line_se^2
 * + excess^2)), t Student's with n - 2 degrees of freedom, as the line's errors are from its
 * residuals.
 *
 * own       half the interval of what is read off it, on the scale of y, as if the line were known
 * line_se   of the line there
 * excess    of the points around the line, by ipr_stats_line_excess
 */
double ipr_stats_line_half(double own, double line_se, double excess, size_t n);

/**
 * Pearson's correlation coefficient of x[n] and y[n], within [-1, 1].
 *
 * IPR_EDATA if n < 2 or if one of them is constant.
 */
IPR_CHECK enum ipr_code ipr_stats_pearson(const double *x, const double *y, size_t n, double *rho,
                                          struct ipr_err *err);

#endif
