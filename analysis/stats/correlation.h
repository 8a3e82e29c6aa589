#ifndef IPR_STATS_CORRELATION_H
#define IPR_STATS_CORRELATION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "stats/interval.h"

/** Pearson's correlation of two quantities whose observations come in clusters (games). */
struct ipr_correlation {
    double rho;
    double se;                    /* of rho, (1 - rho^2) times that of atanh(rho); 0 if not known */
    struct ipr_interval interval; /* 95 %; [-1, 1] if not known */
    bool interval_known;
    size_t n, clusters;
};

/**
 * Pearson's rho with an interval that holds when observations of one cluster depend on each other.
 *
 * x[n], y[n]   finite
 * cluster[n]   labels, any numbers; NULL: every observation is a cluster of its own
 * out          untouched on error
 *
 * Interval: tanh(atanh(rho) -+ q se_z), se_z the delete-one-cluster jackknife's error of
 * atanh(rho), q Student's quantile with G - 1 degrees of freedom below 30 clusters, 1.96 from
 * there on. Fisher's own 1/sqrt(n - 3) counts dependent observations as independent, and assumes
 * normal ones. The jackknife needs no seed. Not known with one cluster, when |rho| = 1, and when
 * one cluster has all the variation there is.
 *
 * The result does not depend on the order of the observations.
 * IPR_EDATA if n < 2 or if one of the quantities is constant.
 * Source: methods section 2; B. Efron, The Jackknife, the Bootstrap and Other Resampling Plans
 * (1982), chapter 3.
 */
IPR_CHECK enum ipr_code ipr_stats_correlation(const double *x, const double *y,
                                              const int32_t *cluster, size_t n,
                                              struct ipr_correlation *out, struct ipr_err *err);

#endif
