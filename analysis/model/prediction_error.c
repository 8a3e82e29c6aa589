#include "model/prediction_error.h"

#include <gsl/gsl_rng.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "stats/resample.h"
#include "stats/sum.h"

enum { REPLICATES = 5000 };

/* Bootstrap over error[n], sorted so that the same matches give the same draws. */
static void add_interval(const double *error, size_t n, struct ipr_prediction_error *out)
{
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    double *mean = ipr_xcalloc(REPLICATES, sizeof *mean);
    double *times = ipr_xcalloc(n, sizeof *times);

    for (size_t r = 0; r < REPLICATES; r++) {
        double sum = 0.0;
        ipr_resample(rng, n, times);
        for (size_t i = 0; i < n; i++)
            sum += times[i] * error[i];
        mean[r] = sum / (double)n;
    }
    gsl_sort(mean, 1, REPLICATES);
    out->se = gsl_stats_sd(mean, 1, REPLICATES);
    out->interval =
        (struct ipr_interval){ gsl_stats_quantile_from_sorted_data(mean, 1, REPLICATES, 0.025),
                               gsl_stats_quantile_from_sorted_data(mean, 1, REPLICATES, 0.975) };
    free(times);
    free(mean);
    gsl_rng_free(rng);
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
    gsl_sort(error, 1, n);
    e.mean_absolute = ipr_stats_mean(error, n);
    e.bias = ipr_sum_value(&bias) / (double)n;
    e.interval = (struct ipr_interval){ e.mean_absolute, e.mean_absolute };
    e.interval_known = n > 1;
    if (e.interval_known)
        add_interval(error, n, &e);
    free(error);
    *out = e;
    return IPR_OK;
}
