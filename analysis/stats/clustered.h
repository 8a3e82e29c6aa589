#ifndef IPR_STATS_CLUSTERED_H
#define IPR_STATS_CLUSTERED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "stats/interval.h"

/** A share of decisions with both its intervals. */
struct ipr_share {
    double share;                  /* hits / trials */
    double se;                     /* clustered standard error; 0 when not known */
    double n_eff;                  /* trials that independent draws would need for the same error */
    struct ipr_interval wilson;    /* 95 %, as if turns were independent */
    struct ipr_interval clustered; /* 95 %, turns of one game may depend on each other */
    bool clustered_known;          /* false with one game: `clustered` is [0, 1] */
    size_t hits, trials, games;
};

/**
 * Share of hits with Wilson and cluster-robust 95 % intervals:
 *   p = sum x_g / N,  var = G/(G-1) sum_g (x_g - p n_g)^2 / N^2,
 *   n_eff = p(1-p)/var (N when var = 0), clustered = Wilson(p, n_eff).
 *
 * hit[n], game[n]   outcome and cluster label of each trial; labels are any numbers, in any order
 * out               untouched on error
 *
 * IPR_EDATA if n = 0. The result does not depend on the order of the trials.
 * Source: methods section 1; Wilson as in stats/interval.h.
 */
IPR_CHECK enum ipr_code ipr_stats_share(const bool *hit, const int32_t *game, size_t n,
                                        struct ipr_share *out, struct ipr_err *err);

/**
 * The same for trials with different weights, such as turns of years long past:
 *   p = sum w x / W,  var = K/(K-1) sum_g (sum_{i in g} w_i (x_i - p))^2 / W^2,  W = sum w,
 * with K = (sum_g w_g)^2 / sum_g w_g^2 effective games, w_g the mean weight of a trial of game g:
 * many games of small weight do not replace one of large weight. The independent trials that
 * `wilson` is of are W^2 / sum w^2, and n_eff as above. Equal weights give what ipr_stats_share
 * gives.
 *
 * weight[n]   finite, > 0; their scale does not matter
 *
 * `clustered` is not known with K < 2. hits, trials and games count each trial once.
 * IPR_EDATA if n = 0; IPR_EINVAL for a weight out of domain.
 * Source: linearisation of a ratio, W. G. Cochran, Sampling Techniques (1977), sections 6.4, 9A.
 */
IPR_CHECK enum ipr_code ipr_stats_weighted_share(const bool *hit, const double *weight,
                                                 const int32_t *game, size_t n,
                                                 struct ipr_share *out, struct ipr_err *err);

/**
 * Cluster-robust standard error of the mean m of x[n]:
 *   sqrt(G/(G-1) sum_g (sum_{i in g} (x_i - m))^2) / n.
 *
 * game[n]   cluster labels
 * games     output, G; may be NULL
 *
 * 0 with fewer than two clusters.
 */
double ipr_stats_mean_se(const double *x, const int32_t *game, size_t n, size_t *games);

/**
 * Weighted mean sum w x / sum w, and the influence of each entry on it, w (x - mean) / sum w. The
 * influences of a difference of two means are those of the first, and those of the second with the
 * opposite sign.
 *
 * weight[n]      finite, >= 0, their sum > 0
 * influence[n]   output
 */
double ipr_stats_weighted_mean(const double *x, const double *weight, size_t n, double *influence);

/**
 * Cluster-robust standard error from influences u: sqrt(G/(G-1) sum_g (sum_{i in g} u_i)^2).
 *
 * cluster[n]   labels
 * clusters     G, >= 2; of a difference of two means that of the one with fewer
 *
 * Source: linearisation, as for ipr_stats_weighted_share.
 */
double ipr_stats_influence_se(const double *influence, const int32_t *cluster, size_t n,
                              size_t clusters);

/**
 * Numbers clusters 0 .. G-1 in ascending order of their labels.
 *
 * game[n]   labels
 * index[n]  output, cluster of each entry
 *
 * Returns G, the number of different labels.
 */
size_t ipr_stats_cluster(const int32_t *game, size_t n, uint32_t *index);

#endif
