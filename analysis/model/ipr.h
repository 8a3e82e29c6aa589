#ifndef IPR_MODEL_IPR_H
#define IPR_MODEL_IPR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "model/calibration_fit.h"
#include "model/regan_fit.h"
#include "stats/interval.h"

/** Intrinsic performance rating of a set of turns. */
struct ipr_rating {
    double ipr;                   /* a - b ae [Elo] */
    double se;                    /* sampling error by the delta method, clustered by game */
    struct ipr_interval interval; /* 95 %: -+1.96 se, Student's t below 30 games */
    double quantile;              /* the factor used for it */
    bool extrapolated;            /* ipr is outside the calibration's range */
    double calibration_sd;        /* sd of the mileposts around the line, apart from `se` */
    double ae, ae_se;             /* projected scaled error on the reference set */
    struct ipr_rh_fit fit;        /* s, c, cov(ln s, ln c), mm, ad, turns, games, iterations */
};

/**
 * IPR: fits (s, c) to the player's turns, projects them onto the calibration's reference set.
 *
 * reference   the calibration's reference set
 * set         the player's turns, of the same judge and parameters
 *
 * IPR_EDATA with fewer than two games (no error bars) and as ipr_rh_fit; IPR_ENOCONV as there.
 * Source: methods section 5; L section 4.
 */
IPR_CHECK enum ipr_code ipr_ipr(const struct ipr_calibration *calibration,
                                const struct ipr_rh_set *reference, const struct ipr_rh_set *set,
                                const struct ipr_rh_fit_options *options, struct ipr_rating *out,
                                struct ipr_err *err);

/** c on the calibration's line and s with AE_ref(s, c) = (a - elo)/b; IPR_EDATA without one. */
IPR_CHECK enum ipr_code ipr_calibration_agent(const struct ipr_calibration *calibration,
                                              const struct ipr_rh_set *reference, double elo,
                                              double *s, double *c, struct ipr_err *err);

/** Play compared with the model's projection at (s, c). */
struct ipr_concordance {
    double mm_p, mm_a, sigma_mm; /* sigma: of the mean, turns independent */
    double ad_p, ad_a, sigma_ad;
    double factor_mm, factor_ad; /* k >= 1, widening for dependence within games */
    double z_mm_unclustered, z_ad_unclustered;
    double z_mm, z_ad;       /* (actual - projected) / (k sigma) */
    double tail_mm, tail_ad; /* simulated P(|z| at least as far out, same side) */
    unsigned replicates;     /* behind the tails; 0: not simulated, tails are 0 */
    size_t turns, games;
};

struct ipr_concordance_options {
    double factor_mm, factor_ad; /* from the milepost sets; 0: from this set */
    unsigned replicates;         /* simulated sets for the tails; 0: none */
    uint64_t seed;
};

/**
 * Concordance test at (s, c).
 *
 *   sigma_mm^2 = sum_t p_0 (1 - p_0) / T^2,  sigma_ad^2 = sum_t Var(delta) / T^2,
 *   k^2 = max(1, G/(G-1) sum_g (sum_t (r_t - mean r))^2 / sum_t (r_t - mean r)^2)
 *
 * with r_t the turn's actual minus projected value. z_ad is skewed when nothing is amiss; the
 * tails come from sets drawn from the model (independent turns), compared with z / 1.
 * IPR_EDATA when the model leaves nothing to chance (sigma = 0); k = 1 with one game.
 * Source: R question 4, L section 4, methods section 5.
 */
IPR_CHECK enum ipr_code ipr_concordance(const struct ipr_rh_set *set, double s, double c,
                                        const struct ipr_concordance_options *options,
                                        struct ipr_concordance *out, struct ipr_err *err);

#endif
