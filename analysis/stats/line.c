#include "stats/line.h"

#include <gsl/gsl_errno.h>
#include <gsl/gsl_fit.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/mem.h"
#include "stats/interval.h"
#include "stats/sum.h"

/* Weights scaled to mean 1; false when they are not usable. */
static bool scaled_weights(const double *w, size_t n, double *out)
{
    double mean;

    if (w == NULL) {
        for (size_t i = 0; i < n; i++)
            out[i] = 1.0;
        return true;
    }
    mean = ipr_stats_mean(w, n);
    if (!(mean > 0.0) || !isfinite(mean))
        return false;
    for (size_t i = 0; i < n; i++) {
        if (!(w[i] >= 0.0))
            return false;
        out[i] = w[i] / mean;
    }
    return true;
}

/* Two different x with weight? */
static bool has_spread(const double *x, const double *w, size_t n)
{
    const double *first = NULL;

    for (size_t i = 0; i < n; i++) {
        if (!(w[i] > 0.0))
            continue;
        if (first == NULL)
            first = &x[i];
        else if (x[i] < *first || x[i] > *first)
            return true;
    }
    return false;
}

static void line_errors(const double *x, const double *y, const double *w, struct ipr_line *l,
                        const double cov[3])
{
    struct ipr_sum rss = { 0 };
    struct ipr_sum total = { 0 };

    for (size_t i = 0; i < l->n; i++) {
        const double r = y[i] - l->a - l->b * x[i];
        ipr_sum_add(&rss, w[i] * r * r);
        ipr_sum_add(&total, w[i]);
    }
    if (l->n < 3)
        return;
    l->residual_variance =
        ipr_sum_value(&rss) / ipr_sum_value(&total) * (double)l->n / (double)(l->n - 2);
    l->se_a = sqrt(l->residual_variance * cov[0]);
    l->se_b = sqrt(l->residual_variance * cov[2]);
    l->cov_ab = l->residual_variance * cov[1];
}

enum ipr_code ipr_stats_line(const double *x, const double *y, const double *w, size_t n,
                             struct ipr_line *out, struct ipr_err *err)
{
    struct ipr_line l = { .n = n };
    double cov[3] = { 0 };
    double chisq = 0.0;
    double *weight;
    enum ipr_code rc = IPR_OK;

    if (n < 2)
        return ipr_err_set(err, IPR_EDATA, "a straight line needs two points, there are %zu", n);
    weight = ipr_xcalloc(n, sizeof *weight);
    if (!scaled_weights(w, n, weight) || !has_spread(x, weight, n))
        rc = ipr_err_set(err, IPR_EDATA, "a straight line needs points at two different places");
    if (rc == IPR_OK && gsl_fit_wlinear(x, 1, weight, 1, y, 1, n, &l.a, &l.b, &cov[0], &cov[1],
                                        &cov[2], &chisq) != GSL_SUCCESS)
        rc = ipr_err_set(err, IPR_EDATA, "no straight line fits these points");
    if (rc == IPR_OK) {
        line_errors(x, y, weight, &l, cov);
        *out = l;
    }
    free(weight);
    return rc;
}

double ipr_stats_line_sampling(double b, const double *se, const double *w, size_t n)
{
    struct ipr_sum squares = { 0 };
    struct ipr_sum total = { 0 };

    for (size_t i = 0; i < n; i++) {
        if (!(w[i] > 0.0))
            continue;
        if (!(se[i] > 0.0))
            return 0.0;
        ipr_sum_add(&squares, w[i] * b * b * se[i] * se[i]);
        ipr_sum_add(&total, w[i]);
    }
    return ipr_sum_value(&total) > 0.0 ? ipr_sum_value(&squares) / ipr_sum_value(&total) : 0.0;
}

double ipr_stats_line_excess(double residual_variance, double sampling_variance)
{
    return sqrt(fmax(0.0, residual_variance - sampling_variance));
}

double ipr_stats_line_half(double own, double line_se, double excess, size_t n)
{
    return hypot(own, ipr_stats_quantile95(n - 1) * hypot(line_se, excess));
}

enum ipr_code ipr_stats_pearson(const double *x, const double *y, size_t n, double *rho,
                                struct ipr_err *err)
{
    double r;

    if (n < 2)
        return ipr_err_set(err, IPR_EDATA, "a correlation needs two points, there are %zu", n);
    r = gsl_stats_correlation(x, 1, y, 1, n);
    if (!isfinite(r))
        return ipr_err_set(err, IPR_EDATA, "a correlation needs two quantities that vary");
    *rho = fmax(-1.0, fmin(1.0, r));
    return IPR_OK;
}
