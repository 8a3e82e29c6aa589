#include "stats/solve.h"

#include <gsl/gsl_errno.h>
#include <gsl/gsl_machine.h>
#include <gsl/gsl_min.h>
#include <gsl/gsl_multifit_nlinear.h>
#include <gsl/gsl_multimin.h>
#include <gsl/gsl_multiroots.h>
#include <gsl/gsl_roots.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/mem.h"

struct call1 {
    ipr_fn1 f;
    void *arg;
};

static double gsl_call1(double x, void *p)
{
    const struct call1 *c = p;

    return c->f(x, c->arg);
}

enum ipr_code ipr_solve_root(ipr_fn1 f, void *arg, double lo, double hi, double tol, double *x,
                             struct ipr_err *err)
{
    struct call1 call = { f, arg };
    gsl_function fn = { gsl_call1, &call };
    const double at_lo = f(lo, arg);
    const double at_hi = f(hi, arg);
    gsl_root_fsolver *solver;
    bool done = false;

    if (!(at_lo <= 0.0 && at_hi >= 0.0) && !(at_lo >= 0.0 && at_hi <= 0.0))
        return ipr_err_set(err, IPR_EDATA, "no solution between %g and %g", lo, hi);
    solver = gsl_root_fsolver_alloc(gsl_root_fsolver_brent);
    if (gsl_root_fsolver_set(solver, &fn, lo, hi) == GSL_SUCCESS) {
        for (int i = 0; i < 200 && !done; i++) {
            if (gsl_root_fsolver_iterate(solver) != GSL_SUCCESS)
                break;
            done =
                gsl_root_test_interval(gsl_root_fsolver_x_lower(solver),
                                       gsl_root_fsolver_x_upper(solver), tol, 0.0) == GSL_SUCCESS;
        }
    }
    if (done)
        *x = gsl_root_fsolver_root(solver);
    gsl_root_fsolver_free(solver);
    return done ? IPR_OK : ipr_err_set(err, IPR_ENOCONV, "the search for a root did not settle");
}

struct call2 {
    ipr_fn2 f;
    void *arg;
};

static int gsl_call2(const gsl_vector *x, void *p, gsl_vector *f, gsl_matrix *j)
{
    const struct call2 *c = p;
    const double at[2] = { gsl_vector_get(x, 0), gsl_vector_get(x, 1) };
    double fv[2];
    double jv[4];

    if (!isfinite(at[0]) || !isfinite(at[1]) || c->f(at, fv, j != NULL ? jv : NULL, c->arg) != 0)
        return GSL_EDOM;
    for (size_t i = 0; i < 2; i++) {
        if (f != NULL)
            gsl_vector_set(f, i, fv[i]);
        for (size_t k = 0; k < 2 && j != NULL; k++)
            gsl_matrix_set(j, i, k, jv[2 * i + k]);
    }
    return GSL_SUCCESS;
}

static int gsl_call2_f(const gsl_vector *x, void *p, gsl_vector *f)
{
    return gsl_call2(x, p, f, NULL);
}

static int gsl_call2_df(const gsl_vector *x, void *p, gsl_matrix *j)
{
    return gsl_call2(x, p, NULL, j);
}

enum ipr_code ipr_solve_root2(ipr_fn2 f, void *arg, double tol, double x[2], unsigned *steps,
                              struct ipr_err *err)
{
    struct call2 call = { f, arg };
    gsl_multiroot_function_fdf fn = { gsl_call2_f, gsl_call2_df, gsl_call2, 2, &call };
    gsl_vector_view start = gsl_vector_view_array(x, 2);
    gsl_multiroot_fdfsolver *solver =
        gsl_multiroot_fdfsolver_alloc(gsl_multiroot_fdfsolver_hybridsj, 2);
    bool done = false;
    unsigned i = 0;

    if (gsl_multiroot_fdfsolver_set(solver, &fn, &start.vector) == GSL_SUCCESS) {
        done = gsl_multiroot_test_residual(solver->f, tol) == GSL_SUCCESS;
        while (!done && i < 100) {
            i++;
            if (gsl_multiroot_fdfsolver_iterate(solver) != GSL_SUCCESS)
                break;
            done = gsl_multiroot_test_residual(solver->f, tol) == GSL_SUCCESS;
        }
    }
    if (done) {
        x[0] = gsl_vector_get(solver->x, 0);
        x[1] = gsl_vector_get(solver->x, 1);
    }
    if (steps != NULL)
        *steps = i;
    gsl_multiroot_fdfsolver_free(solver);
    return done ? IPR_OK : ipr_err_set(err, IPR_ENOCONV, "two equations have no common root near");
}

/*
 * Is the bracket of a minimum as narrow as wanted, or as narrow as GSL's Brent makes it? That never
 * steps by less than sqrt(epsilon) |x|, as f is flat to rounding there, and so keeps twice that: an
 * absolute tolerance below it is never met.
 */
static bool min1_settled(const gsl_min_fminimizer *solver, double tol)
{
    const double x = gsl_min_fminimizer_x_minimum(solver);
    const double finest = 2.01 * GSL_SQRT_DBL_EPSILON * fabs(x);

    return gsl_min_test_interval(gsl_min_fminimizer_x_lower(solver),
                                 gsl_min_fminimizer_x_upper(solver), fmax(tol, finest),
                                 0.0) == GSL_SUCCESS;
}

enum ipr_code ipr_solve_min1(ipr_fn1 f, void *arg, double lo, double hi, double tol, double *x,
                             struct ipr_err *err)
{
    /* A grid finds the valley (the function may have several), Brent's method its bottom. */
    enum { GRID = 48 };
    struct call1 call = { f, arg };
    gsl_function fn = { gsl_call1, &call };
    gsl_min_fminimizer *solver;
    double best = f(lo, arg);
    int at = 0;
    bool done = false;

    if (!(lo < hi))
        return ipr_err_set(err, IPR_EINVAL, "minimum between %g and %g", lo, hi);
    for (int i = 1; i <= GRID; i++) {
        const double v = f(lo + (hi - lo) * i / GRID, arg);
        if (v < best) {
            best = v;
            at = i;
        }
    }
    if (at == 0 || at == GRID) {
        *x = at == 0 ? lo : hi;
        return IPR_OK;
    }
    solver = gsl_min_fminimizer_alloc(gsl_min_fminimizer_brent);
    if (gsl_min_fminimizer_set(solver, &fn, lo + (hi - lo) * at / GRID,
                               lo + (hi - lo) * (at - 1) / GRID,
                               lo + (hi - lo) * (at + 1) / GRID) == GSL_SUCCESS) {
        for (int i = 0; i < 200 && !done; i++) {
            if (gsl_min_fminimizer_iterate(solver) != GSL_SUCCESS)
                break;
            done = min1_settled(solver, tol);
        }
        *x = gsl_min_fminimizer_x_minimum(solver);
    } else {
        /* A flat valley: the grid's point is as good as any. */
        *x = lo + (hi - lo) * at / GRID;
        done = true;
    }
    gsl_min_fminimizer_free(solver);
    return done ? IPR_OK : ipr_err_set(err, IPR_ENOCONV, "the search for a minimum did not settle");
}

struct calln {
    ipr_fnn f;
    void *arg;
};

static double gsl_calln(const gsl_vector *x, void *p)
{
    const struct calln *c = p;
    double at[8];
    double v;

    for (size_t i = 0; i < x->size; i++)
        at[i] = gsl_vector_get(x, i);
    v = c->f(at, x->size, c->arg);
    return isfinite(v) ? v : 1e300; /* GSL gives up at an infinity; this is only avoided */
}

enum ipr_code ipr_solve_simplex(ipr_fnn f, void *arg, double step, double tol, size_t n, double *x,
                                double *value, unsigned *steps, struct ipr_err *err)
{
    struct calln call = { f, arg };
    gsl_multimin_function fn = { gsl_calln, n, &call };
    gsl_multimin_fminimizer *solver;
    gsl_vector *first;
    gsl_vector_view start;
    bool done = false;
    unsigned i = 0;

    if (n < 1 || n > 8)
        return ipr_err_set(err, IPR_EINVAL, "simplex in %zu dimensions", n);
    start = gsl_vector_view_array(x, n);
    first = gsl_vector_alloc(n);
    gsl_vector_set_all(first, step);
    solver = gsl_multimin_fminimizer_alloc(gsl_multimin_fminimizer_nmsimplex2, n);
    if (gsl_multimin_fminimizer_set(solver, &fn, &start.vector, first) == GSL_SUCCESS) {
        for (; i < 2000 && !done; i++) {
            if (gsl_multimin_fminimizer_iterate(solver) != GSL_SUCCESS)
                break;
            done = gsl_multimin_test_size(gsl_multimin_fminimizer_size(solver), tol) == GSL_SUCCESS;
        }
    }
    if (done) {
        *value = solver->fval;
        for (size_t k = 0; k < n; k++)
            x[k] = gsl_vector_get(solver->x, k);
    }
    if (steps != NULL)
        *steps = i;
    gsl_multimin_fminimizer_free(solver);
    gsl_vector_free(first);
    return done ? IPR_OK : ipr_err_set(err, IPR_ENOCONV, "the search for a minimum did not settle");
}

struct callg {
    ipr_fng f;
    void *arg;
};

static void gsl_callg_fdf(const gsl_vector *x, void *p, double *f, gsl_vector *g)
{
    const struct callg *c = p;
    double at[IPR_SOLVE_MAX];
    double gv[IPR_SOLVE_MAX] = { 0.0 };
    double v;

    for (size_t i = 0; i < x->size; i++)
        at[i] = gsl_vector_get(x, i);
    v = c->f(at, g != NULL ? gv : NULL, c->arg);
    if (f != NULL)
        *f = v;
    for (size_t i = 0; i < x->size && g != NULL; i++)
        gsl_vector_set(g, i, gv[i]);
}

static double gsl_callg_f(const gsl_vector *x, void *p)
{
    double v;

    gsl_callg_fdf(x, p, &v, NULL);
    return v;
}

static void gsl_callg_df(const gsl_vector *x, void *p, gsl_vector *g)
{
    gsl_callg_fdf(x, p, NULL, g);
}

enum ipr_code ipr_solve_bfgs(ipr_fng f, void *arg, double step, double tol, size_t n, double *x,
                             double *value, unsigned *steps, struct ipr_err *err)
{
    struct callg call = { f, arg };
    gsl_multimin_function_fdf fn = { gsl_callg_f, gsl_callg_df, gsl_callg_fdf, n, &call };
    gsl_multimin_fdfminimizer *solver;
    gsl_vector_view start;
    bool done = false;
    unsigned i = 0;

    if (n < 1 || n > IPR_SOLVE_MAX)
        return ipr_err_set(err, IPR_EINVAL, "minimum in %zu dimensions", n);
    start = gsl_vector_view_array(x, n);
    solver = gsl_multimin_fdfminimizer_alloc(gsl_multimin_fdfminimizer_vector_bfgs2, n);
    if (gsl_multimin_fdfminimizer_set(solver, &fn, &start.vector, step, 0.1) == GSL_SUCCESS) {
        for (; i < 100 * n && !done; i++) {
            const int rc = gsl_multimin_fdfminimizer_iterate(solver);
            if (rc == GSL_ENOPROG) /* the line search can't lower f: rounding's floor */
                done = true;
            else if (rc != GSL_SUCCESS)
                break;
            else
                done = gsl_multimin_test_gradient(solver->gradient, tol) == GSL_SUCCESS;
        }
    }
    if (done) {
        *value = solver->f;
        for (size_t k = 0; k < n; k++)
            x[k] = gsl_vector_get(solver->x, k);
    }
    if (steps != NULL)
        *steps = i;
    gsl_multimin_fdfminimizer_free(solver);
    return done ? IPR_OK : ipr_err_set(err, IPR_ENOCONV, "the search for a minimum did not settle");
}

struct callr {
    ipr_fnr f;
    void *arg;
    size_t m;
    double *r, *jac; /* at `at` */
    double at[2];
};

/* Computes both and caches them: the solver requests f, then the derivatives at the same point. */
static int callr_at(const gsl_vector *x, struct callr *c)
{
    const double at[2] = { gsl_vector_get(x, 0), gsl_vector_get(x, 1) };

    if (!isfinite(at[0]) || !isfinite(at[1]))
        return GSL_EDOM;
    if (at[0] >= c->at[0] && at[0] <= c->at[0] && at[1] >= c->at[1] && at[1] <= c->at[1])
        return GSL_SUCCESS;
    c->at[0] = NAN; /* in case it fails half-way */
    if (c->f(at, c->r, c->jac, c->arg) != 0)
        return GSL_EDOM;
    c->at[0] = at[0];
    c->at[1] = at[1];
    return GSL_SUCCESS;
}

static int gsl_callr_f(const gsl_vector *x, void *p, gsl_vector *f)
{
    struct callr *c = p;
    const int rc = callr_at(x, c);

    for (size_t i = 0; i < c->m && rc == GSL_SUCCESS; i++)
        gsl_vector_set(f, i, c->r[i]);
    return rc;
}

static int gsl_callr_df(const gsl_vector *x, void *p, gsl_matrix *j)
{
    struct callr *c = p;
    const int rc = callr_at(x, c);

    for (size_t i = 0; i < 2 * c->m && rc == GSL_SUCCESS; i++)
        gsl_matrix_set(j, i / 2, i % 2, c->jac[i]);
    return rc;
}

enum ipr_code ipr_solve_squares2(ipr_fnr f, void *arg, size_t m, double tol, double x[2],
                                 double *value, unsigned *steps, struct ipr_err *err)
{
    const gsl_multifit_nlinear_parameters how = gsl_multifit_nlinear_default_parameters();
    struct callr call = { .f = f, .arg = arg, .m = m, .at = { NAN, NAN } };
    gsl_multifit_nlinear_fdf fn = {
        .f = gsl_callr_f, .df = gsl_callr_df, .n = m, .p = 2, .params = &call
    };
    gsl_vector_view start = gsl_vector_view_array(x, 2);
    gsl_multifit_nlinear_workspace *solver;
    bool done = false;
    int info = 0;

    if (m < 2)
        return ipr_err_set(err, IPR_EINVAL, "least squares with %zu residuals", m);
    call.r = ipr_xcalloc(3 * m, sizeof *call.r);
    call.jac = call.r + m;
    solver = gsl_multifit_nlinear_alloc(gsl_multifit_nlinear_trust, &how, m, 2);
    if (gsl_multifit_nlinear_init(&start.vector, &fn, solver) == GSL_SUCCESS) {
        const int rc = gsl_multifit_nlinear_driver(100, tol, tol, 0.0, NULL, NULL, &info, solver);
        /* No progress means that rounding, or a kink, prevents any improvement. */
        done = rc == GSL_SUCCESS || rc == GSL_ENOPROG;
    }
    if (done) {
        *value = 0.0;
        for (size_t i = 0; i < m; i++)
            *value += gsl_vector_get(solver->f, i) * gsl_vector_get(solver->f, i);
        x[0] = gsl_vector_get(solver->x, 0);
        x[1] = gsl_vector_get(solver->x, 1);
        done = isfinite(*value) && isfinite(x[0]) && isfinite(x[1]);
    }
    if (steps != NULL)
        *steps = (unsigned)gsl_multifit_nlinear_niter(solver);
    gsl_multifit_nlinear_free(solver);
    free(call.r);
    return done ? IPR_OK : ipr_err_set(err, IPR_ENOCONV, "the search for a minimum did not settle");
}
