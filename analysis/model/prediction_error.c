#include "model/prediction_error.h"

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "stats/sum.h"

/* Differences below this are rounding errors. */
#define ALIKE 1e-9

/* Student's interval of the mean's logarithm; error[n] ascends. */
static void error_add_interval(const double *error, size_t n, struct ipr_prediction_error *out)
{
    const double mean = out->mean_absolute;
    const bool alike = error[n - 1] - error[0] < ALIKE;

    out->interval = (struct ipr_interval){ 0.0, 1.0 };
    out->interval_known = n >= IPR_PREDICTION_ERROR_MATCHES && !alike;
    if (!out->interval_known)
        return;
    out->se = gsl_stats_sd_m(error, 1, n, mean) / sqrt((double)n);
    const double factor = exp(ipr_stats_quantile95(n) * out->se / mean);
    out->interval = (struct ipr_interval){ mean / factor, fmin(mean * factor, 1.0) };
}

enum ipr_code ipr_prediction_error(const double *predicted, const double *actual, size_t n,
                                   struct ipr_prediction_error *out, struct ipr_err *err)
{
    struct ipr_prediction_error e = { .matches = n };
    struct ipr_sum bias = { 0 };
    double *error;

    if (n == 0)
        return ipr_err_set(err, IPR_EDATA, "there is no match with a prediction");
    for (size_t i = 0; i < n; i++)
        if (!(predicted[i] >= 0.0 && predicted[i] <= 1.0 && actual[i] >= 0.0 && actual[i] <= 1.0))
            return ipr_err_set(err, IPR_EINVAL, "prediction %g of a score of %g", predicted[i],
                               actual[i]);
    error = ipr_xcalloc(n, sizeof *error);
    for (size_t i = 0; i < n; i++) {
        error[i] = fabs(predicted[i] - actual[i]);
        ipr_sum_add(&bias, predicted[i] - actual[i]);
    }
    gsl_sort(error, 1, n); /* the sums do not depend on the order given */
    e.mean_absolute = ipr_stats_mean(error, n);
    e.bias = ipr_sum_value(&bias) / (double)n;
    error_add_interval(error, n, &e);
    free(error);
    *out = e;
    return IPR_OK;
}
