#ifndef IPR_MODEL_IPR_H
#define IPR_MODEL_IPR_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "model/calibration_fit.h"
#include "model/concordance.h"
#include "model/regan_fit.h"
#include "stats/interval.h"

/** Intrinsic performance rating of a set of turns. */
struct ipr_rating {
    double ipr;                   /* a - b ae [Elo] */
    double se;                    /* sampling error by the delta method, clustered by game */
    struct ipr_interval sampling; /* 95 % of it: -+1.96 se, Student's t below 30 games */
    double quantile;              /* the factor used for it */
    double line_se;               /* of the calibration's line at ae, by the delta method */
    double excess_sd;             /* of the mileposts around it, beyond their sampling */
    struct ipr_interval interval; /* 95 % of all three, ipr_stats_line_half */
    bool extrapolated;            /* ipr is outside the calibration's range */
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

#endif
