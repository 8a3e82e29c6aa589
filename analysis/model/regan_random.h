#ifndef IPR_MODEL_REGAN_RANDOM_H
#define IPR_MODEL_REGAN_RANDOM_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "model/regan_delta.h"
#include "stats/interval.h"

/*
 * The share e of moves drawn at random from all legal ones, p = (1 - e) p_i + e/legal, that the fit
 * "rmle" assumes as known: slips and errors of notation that no s and c explain.
 */

/** Largest share in the search. */
#define IPR_RH_RANDOM_MAX 0.5

struct ipr_rh_random {
    double share; /* within [0, IPR_RH_RANDOM_MAX] */
    bool at_zero; /* the likelihood falls from 0 on: share is 0 and has no error */
    double se;    /* clustered by game; 0 when not known */
    bool se_known;
    struct ipr_interval interval; /* 95 %, on the scale of ln share; [0, 0] at zero */
    double loglik, loglik_zero;   /* greatest log likelihood at `share`, and without the mixture */
    size_t turns, games;
    unsigned profiles; /* shares that were tried, each with a fit of every set */
};

/**
 * One share for all of n sets, each of which has its own s and c: the maximum of the profile
 *   l(e) = sum_m max_{s_m, c_m} sum_t ln((1 - e) p_t(s_m, c_m) + e/legal_t)
 * as the root of its derivative, which at the sets' own optima is the derivative at fixed s, c.
 *
 * Standard error: game-clustered sandwich of the efficient score, u_e + (d(ln s, ln c)/de)' u_sc,
 * over the curvature of the profile; both derivatives along the profile are central differences.
 *
 * sets[n]   as those of a calibration's mileposts; a game belongs to one set
 * out       untouched on error
 *
 * IPR_EDATA without a set, and as ipr_rh_fit for a set that has no fit; IPR_ENOCONV when a set
 * cannot be fitted at some share, or the likelihood still rises at IPR_RH_RANDOM_MAX.
 * Source: methods section 5 (rmle).
 */
IPR_CHECK enum ipr_code ipr_rh_random_share(const struct ipr_rh_set *const *sets, size_t n,
                                            struct ipr_rh_random *out, struct ipr_err *err);

#endif
