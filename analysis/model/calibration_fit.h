#ifndef IPR_MODEL_CALIBRATION_FIT_H
#define IPR_MODEL_CALIBRATION_FIT_H

#include <stddef.h>

#include "base/error.h"
#include "model/regan_delta.h"
#include "model/regan_fit.h"
#include "stats/interval.h"

/** Line that turns AE_ref into Elo, and what concordance tests need. One judge. */
struct ipr_calibration {
    double a, b;              /* Elo = a - b AE_ref; b > 0 where better play errs less */
    double residual_variance; /* Elo^2, of the mileposts around the line */
    double sampling_variance; /* of it, what the sampling of their moves makes; 0: not known */
    double se_a, se_b, cov_ab;
    double elo_min, elo_max;     /* range of the mileposts; outside it is extrapolation */
    double c_intercept, c_slope; /* c_fit(E) = c_intercept + c_slope E, unweighted */
    double se_c_intercept, se_c_slope, cov_c;
    double c_residual_variance;
    size_t mileposts, turns;
};

/** Turns played at one rating, and the figures computed from them. */
struct ipr_milepost {
    /* in */
    double elo;
    /* in for ipr_calibration_line, out of ipr_calibration_fit */
    double s, c;
    size_t turns, games;
    /* out */
    double ae_ref;
    double ae_ref_se;      /* by the delta method, clustered by game; 0: not known */
    double fitted_elo;     /* a - b ae_ref */
    double c_fit;          /* on the line through the c of all mileposts */
    double s_fit;          /* refitted with c_fit fixed; 0 when not available */
    struct ipr_rh_fit fit; /* ipr_calibration_fit only */
};

/**
 * Calibration from known (s, c): AE_ref of each milepost on the reference set, then a straight
 * line Elo = a - b AE_ref with weights `turns`. What their sampling makes is not known then.
 *
 * m[n]        elo, s, c, turns are read; ae_ref, fitted_elo, c_fit are written
 * reference   set of turns of the same judge
 *
 * IPR_EDATA with fewer than 3 mileposts, or when all have one AE_ref.
 * Source: methods section 5.
 */
IPR_CHECK enum ipr_code ipr_calibration_line(struct ipr_milepost *m, size_t n,
                                             const struct ipr_rh_set *reference,
                                             struct ipr_calibration *out, struct ipr_err *err);

/**
 * Sets sampling_variance of a line through mileposts whose turns and ae_ref_se are known; 0 where
 * one has no error.
 */
void ipr_calibration_sampling(const struct ipr_milepost *m, size_t n, struct ipr_calibration *line);

/** Scatter of the mileposts around the line beyond their sampling, a standard deviation [Elo]. */
double ipr_calibration_excess(const struct ipr_calibration *calibration);

/** The line at a mean error, with its uncertainty. */
struct ipr_calibration_point {
    double ae, elo;               /* on the line */
    double se;                    /* of the line there */
    struct ipr_interval line;     /* 95 % interval of the line */
    struct ipr_interval milepost; /* 95 % interval of a further milepost */
};

/**
 * The line at AE_ref = ae with its 95 % band, Student's t with mileposts - 2 degrees of freedom
 * below 30 mileposts: var = var(a) + ae^2 var(b) - 2 ae cov(a, b), and the residual variance
 * beside it. Cannot fail.
 */
struct ipr_calibration_point ipr_calibration_at(const struct ipr_calibration *calibration,
                                                double ae);

/**
 * Half a 95 % interval of the difference of two ratings off one line: the line's height is the same
 * for both, its slope is not known to se_b, and each has a scatter of its own.
 *
 * difference   of the ratings [Elo]
 * half[2]      half the intervals of each, of the sampling of its moves alone
 */
double ipr_calibration_difference(const struct ipr_calibration *calibration, double difference,
                                  const double half[2]);

/**
 * Calibration from sets of turns: fits each, then as above.
 *
 * sets[n]     turns of the mileposts; m[i].elo is read, everything else of m[i] is written
 * options     the fit; R's choice is IPR_RH_PERCENTILE
 *
 * Fails as ipr_rh_fit does when a milepost has no fit; the message names its Elo.
 */
IPR_CHECK enum ipr_code ipr_calibration_fit(const struct ipr_rh_set *const *sets, size_t n,
                                            const struct ipr_rh_set *reference,
                                            const struct ipr_rh_fit_options *options,
                                            struct ipr_milepost *m, struct ipr_calibration *out,
                                            struct ipr_err *err);

#endif
