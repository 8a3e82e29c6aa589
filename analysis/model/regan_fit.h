#ifndef IPR_MODEL_REGAN_FIT_H
#define IPR_MODEL_REGAN_FIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "model/regan_delta.h"
#include "model/regan_prob.h"

enum ipr_rh_fit_kind {
    IPR_RH_MOMENTS = 0, /* mm_p = mm_a and ad_p = ad_a */
    IPR_RH_PERCENTILE,  /* least sum over q of (R_q - q)^2 */
    IPR_RH_MLE,         /* greatest sum of ln p_played */
    IPR_RH_RMLE         /* the same with p = (1 - e) p_i + e/legal, e = random_share */
};

struct ipr_rh_fit_options {
    enum ipr_rh_fit_kind kind;
    double random_share; /* e of rmle, within [0, 1) */
};

struct ipr_rh_fit {
    enum ipr_rh_fit_kind kind;
    double s, c;
    double cov[4];  /* of (ln s, ln c), row-major, clustered by game */
    bool cov_known; /* false with one game, or when the equations are singular there */
    double mm_p, mm_a, ad_p, ad_a;
    double s_score; /* S at the solution */
    double loglik;  /* sum ln p_played at the solution (of the mixture for rmle) */
    size_t turns, games;
    unsigned starts;     /* starts tried */
    unsigned iterations; /* of the start that was kept */
    bool converged;      /* always true when IPR_OK */
};

/**
 * Fits (s, c) to a set.
 *
 * out   untouched on error
 *
 * Sandwich covariance V = A^-1 B A^-T, B = G/(G-1) sum_g u_g u_g', u_g the estimating functions
 * (moments: p_0 - [first played], sum p delta - delta_played; mle: the score; percentile: J'(r -
 * q), A = J'J) summed over game g.
 *
 * IPR_EDATA when the set cannot have a finite fit: no move was an error, or every move was, or
 * no turn offers a choice. IPR_ENOCONV when no start converges inside the domain.
 * Source: R section 6; methods section 5.
 */
IPR_CHECK enum ipr_code ipr_rh_fit(const struct ipr_rh_set *set,
                                   const struct ipr_rh_fit_options *options, struct ipr_rh_fit *out,
                                   struct ipr_err *err);

/** s alone at a given c (R section 7); for moments the equation is ad_p = ad_a. Errors as above. */
IPR_CHECK enum ipr_code ipr_rh_fit_s(const struct ipr_rh_set *set,
                                     const struct ipr_rh_fit_options *options, double c, double *s,
                                     struct ipr_err *err);

/**
 * AE of a fit on a reference set, and its standard error by the delta method, clustered by game.
 *
 * se   output; 0 where the fit's covariance is not known
 *
 * Errors as ipr_rh_ae.
 */
IPR_CHECK enum ipr_code ipr_rh_fit_ae(const struct ipr_rh_fit *fit,
                                      const struct ipr_rh_set *reference, double *ae, double *se,
                                      struct ipr_err *err);

struct ipr_rh_bootstrap {
    double cov[4];         /* of (ln s, ln c) over the replicates */
    double ae_mean, ae_sd; /* of AE on the reference set; 0 without one */
    unsigned replicates;   /* that gave a fit */
    unsigned failed;       /* that had none */
};

/**
 * Game bootstrap of the moments fit: games drawn with replacement, refitted from `fit`.
 *
 * fit         of this set, kind IPR_RH_MOMENTS
 * reference   set on which AE is taken each time; may be NULL
 *
 * IPR_EDATA with fewer than 2 games or when fewer than half the replicates (at least 2) have a
 * fit. The same seed gives the same answer.
 */
IPR_CHECK enum ipr_code ipr_rh_bootstrap(const struct ipr_rh_set *set, const struct ipr_rh_fit *fit,
                                         const struct ipr_rh_set *reference, unsigned replicates,
                                         uint64_t seed, struct ipr_rh_bootstrap *out,
                                         struct ipr_err *err);

#endif
