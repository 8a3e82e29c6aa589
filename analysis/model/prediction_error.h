#ifndef IPR_MODEL_PREDICTION_ERROR_H
#define IPR_MODEL_PREDICTION_ERROR_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "stats/interval.h"

/** How far a predictor's scores were from the actual ones. */
struct ipr_prediction_error {
    double mean_absolute; /* share of points, within [0, 1] */
    double bias;          /* mean of predicted - actual */
    double se;            /* of mean_absolute: sd of the bootstrap */
    /*
     * 95 %, percentiles of 5,000 bootstrap means over matches (fixed seed). With some ten matches
     * such an interval is rather too narrow.
     */
    struct ipr_interval interval;
    bool interval_known; /* two matches or more */
    size_t matches;
};

/**
 * Error of one predictor over matches.
 *
 * predicted[n], actual[n]   share of points of the same player of each match, within [0, 1]; the
 *                           matches that this predictor says something about, in any order (the
 *                           result does not depend on it)
 *
 * IPR_EDATA if n = 0; IPR_EINVAL if a share is outside [0, 1].
 * Source: A, table 5; methods section 7.
 */
IPR_CHECK enum ipr_code ipr_prediction_error(const double *predicted, const double *actual,
                                             size_t n, struct ipr_prediction_error *out,
                                             struct ipr_err *err);

#endif
