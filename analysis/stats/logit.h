#ifndef IPR_STATS_LOGIT_H
#define IPR_STATS_LOGIT_H

#include <stdbool.h>
#include <stddef.h>

#include "stats/interval.h"

/** Logit of a probability held within [0.001, 0.999]. */
double ipr_stats_logit(double p);

/** Standard deviation of x[n], n >= 2, or of f(x[n]). */
double ipr_stats_sd(double (*f)(double), const double *x, size_t n);

/** 95 % interval of a probability from bootstrap replicates, on the logit scale. */
struct ipr_logit_interval {
    struct ipr_interval interval; /* contains the estimate; [0, 1] if not known */
    bool known;
    double sd;       /* of the replicates */
    double sd_logit; /* of their logits */
};

/**
 * ipr_stats_logit(E) -+ q sd of the logits of the replicates, mapped back.
 *
 * estimate       [probability]
 * replicate[n]   [probability]
 * q              half width in standard deviations, IPR_Z95 or ipr_stats_quantile95
 *
 * Not known when n < 2 or no replicate differs from another: a sample without variation has no
 * error estimate. Source: methods section 4.
 */
struct ipr_logit_interval ipr_stats_logit_interval(double estimate, const double *replicate,
                                                   size_t n, double q);

#endif
