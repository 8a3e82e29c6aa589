#ifndef IPR_MODEL_REGAN_ESTIMATE_H
#define IPR_MODEL_REGAN_ESTIMATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/regan_fit.h"
#include "model/regan_set.h"

/* Estimating functions of the fits; for regan_fit.c, regan_bootstrap.c and regan_random.c
 * only. */

/** The last ln L of each turn, from which the next search starts. */
struct ipr_rh_warm {
    double x[2];       /* (ln s, ln c) */
    double *log_l;     /* [slots], NaN at first */
    double *dlog_l[2]; /* [slots] by ln s, ln c; 0 until known */
};

/** A set being fitted, the payload of the solvers. Owns its buffers. */
struct ipr_rh_task {
    const struct ipr_rh_set *set;
    enum ipr_rh_fit_kind kind;
    double random_share;
    struct ipr_rh_warm *warm;
    double *weight;     /* [slots] of each turn, 0 for slots without one */
    bool weighted;      /* with others than 1 */
    size_t stride;      /* of the quantiles: only every stride-th block is looked at */
    double turns;       /* sum of the weights over turns */
    double mm_a, ad_a;  /* weighted */
    double fixed_log_c; /* of one-dimensional fits */
};

void ipr_rh_task_init(struct ipr_rh_task *task, const struct ipr_rh_set *set,
                      const struct ipr_rh_fit_options *options);
void ipr_rh_task_release(struct ipr_rh_task *task);

/** Weights of the games for the next fits (NULL: 1 each); recomputes what depends on them. */
void ipr_rh_task_weigh(struct ipr_rh_task *task, const double *weight);

/** mm_p - mm_a and ad_p - ad_a at x = (ln s, ln c), with derivatives unless j is NULL; an ipr_fn2.
 */
int ipr_rh_moments_f(const double x[2], double f[2], double j[4], void *task);

/** -mean ln p_played at x = (ln s, ln c) with its gradient; an ipr_fng. */
double ipr_rh_deviance(const double x[2], double g[2], void *task);

/**
 * Derivative of sum ln((1 - e) p_played + e/legal) by the share e at x; returns the sum.
 *
 * games   output, [3 * games] row a game: derivatives of its own sum by ln s, ln c and e; may be
 *         NULL. The set's turns count 1 each.
 */
double ipr_rh_mixture_slope(const struct ipr_rh_task *task, const double x[2], double *games);

/** R_q - q at x (an ipr_fnr with IPR_RH_QUANTILES residuals); `jac` [2*IPR_RH_QUANTILES], by ln s
 * then ln c for each q, may be NULL. */
int ipr_rh_quantiles(const double x[2], double *r, double *jac, void *task);

/** S = sum of squares of those; +infinity outside the domain; an ipr_fnn. */
double ipr_rh_percentile_s(const double *x, size_t n, void *task);

/** Game-clustered sandwich of (ln s, ln c) at x; false when it does not exist. */
bool ipr_rh_sandwich(const struct ipr_rh_task *task, const double x[2], double cov[4]);

#endif
