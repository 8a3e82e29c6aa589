#ifndef IPR_STATS_SOLVE_H
#define IPR_STATS_SOLVE_H

#include <stddef.h>

#include "base/error.h"

/*
 * Adapters over GSL: a function and its payload in, a point out, without state. The process must
 * have called gsl_set_error_handler_off(), as GSL's default handler aborts.
 */

/** Value at x; never NaN within the bracket. */
typedef double (*ipr_fn1)(double x, void *arg);

/** F(x) into f[2] and dF_i/dx_j into j[4], row-major, unless j is NULL; nonzero when x is outside
 * the domain. */
typedef int (*ipr_fn2)(const double x[2], double f[2], double j[4], void *arg);

/** Value at x[n]; +infinity outside the domain. */
typedef double (*ipr_fnn)(const double *x, size_t n, void *arg);

/** Value at x and gradient into g of the same size (not written when NULL); +infinity outside the
 * domain. */
typedef double (*ipr_fng)(const double *x, double *g, void *arg);

/**
 * Residuals r[m] at x[2], and their derivatives into jac[2m] (dr_i/dx_k at 2i + k) unless NULL;
 * nonzero when x is outside the domain.
 */
typedef int (*ipr_fnr)(const double x[2], double *r, double *jac, void *arg);

/**
 * Root of f within [lo, hi] by Brent's method, to `tol` in x (absolute).
 *
 * IPR_EDATA if f(lo) and f(hi) have the same sign; IPR_ENOCONV after 200 steps.
 */
IPR_CHECK enum ipr_code ipr_solve_root(ipr_fn1 f, void *arg, double lo, double hi, double tol,
                                       double *x, struct ipr_err *err);

/**
 * Root of two equations by Powell's hybrid method with analytic derivatives.
 *
 * x[2]    in: start; out: root (untouched on failure)
 * tol     |F_1| + |F_2| <= tol
 * steps   output, iterations made; may be NULL
 *
 * IPR_ENOCONV when the method stalls, leaves the domain or makes 100 steps.
 */
IPR_CHECK enum ipr_code ipr_solve_root2(ipr_fn2 f, void *arg, double tol, double x[2],
                                        unsigned *steps, struct ipr_err *err);

/**
 * Minimum of f on [lo, hi] by Brent's method, to `tol` in x or to 3e-8 |x|, the finest that f's own
 * rounding allows, whichever is more; ends are valid minima.
 *
 * IPR_EINVAL unless lo < hi; IPR_ENOCONV after 200 steps.
 */
IPR_CHECK enum ipr_code ipr_solve_min1(ipr_fn1 f, void *arg, double lo, double hi, double tol,
                                       double *x, struct ipr_err *err);

/**
 * Local minimum by Nelder and Mead's simplex from x[n] (n <= 8) with first steps `step`, until
 * the simplex is smaller than `tol`.
 *
 * value   output, f at the minimum
 *
 * IPR_ENOCONV after 2000 steps.
 */
IPR_CHECK enum ipr_code ipr_solve_simplex(ipr_fnn f, void *arg, double step, double tol, size_t n,
                                          double *x, double *value, unsigned *steps,
                                          struct ipr_err *err);

/** Variables of ipr_solve_bfgs. */
#define IPR_SOLVE_MAX 72

/**
 * Local minimum of a smooth function of n variables by BFGS from x[n] (n <= IPR_SOLVE_MAX), until
 * the gradient's norm is at most `tol` or no step lowers f any more.
 *
 * value   output, f at the minimum
 *
 * IPR_ENOCONV after 100 n steps.
 */
IPR_CHECK enum ipr_code ipr_solve_bfgs(ipr_fng f, void *arg, double step, double tol, size_t n,
                                       double *x, double *value, unsigned *steps,
                                       struct ipr_err *err);

/**
 * Local minimum of sum r_i^2 by Levenberg and Marquardt's method from x[2], until the step or the
 * gradient is of relative size `tol`.
 *
 * m       residuals, >= 2
 * value   output, the sum at the minimum
 *
 * IPR_ENOCONV after 100 steps or when the start is outside the domain.
 */
IPR_CHECK enum ipr_code ipr_solve_squares2(ipr_fnr f, void *arg, size_t m, double tol, double x[2],
                                           double *value, unsigned *steps, struct ipr_err *err);

#endif
