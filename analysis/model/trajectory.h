#ifndef IPR_MODEL_TRAJECTORY_H
#define IPR_MODEL_TRAJECTORY_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "model/strength_rating.h"

/*
 * A player's strength over time, from the sums over the moves of each year: a local level with a
 * damped trend.
 *
 *   z_t ~ N(curve(theta_t), v_t)                     the rating's curve and variance, by level
 *   theta_{t+1} = theta_t + rise_t + N(0, walk)      Elo, a step a year
 *   rise_{t+1} = damping rise_t
 *   theta_1 ~ the rating's prior, rise_1 ~ N(0, rise^2)
 *
 * Games of a year are clustered by event: v_t = factor level / information + event (sum of the
 * squares of the events' shares). The deviation of a player's
 * moves from others of equal strength, spread.player, is the same in all years: it and the curve's
 * error are in the intervals, not in the path. The young change most, and the rise at the start of
 * the games that are known says so without an age: at 12 it is large, at 40 it is soon found to be
 * none.
 *
 * Solved by Kalman's filter and smoother about the smoothed path, repeated as the curve bends
 * (iterated extended Kalman smoother). Sources: J. Durbin and S. J. Koopman, Time Series Analysis
 * by State Space Methods (2nd ed., 2012) sections 3.2, 4.4, 10.2; E. S. Gardner and E. McKenzie,
 * Management Science 31 (1985) 1237-1246, for the damped trend; C. K. Carter and R. Kohn,
 * Biometrika 81 (1994) 541-553, for the draws.
 */

struct ipr_trajectory_model {
    double walk;    /* variance that each year adds [Elo^2] */
    double rise;    /* standard deviation of the first year's change [Elo] */
    double damping; /* of the change, what is left of it a year later; above 0, below 1 */
};

/** Fitted to the careers of twenty world champions (lab/trajectory, docs/trajectory.md). */
extern const struct ipr_trajectory_model ipr_trajectory_shipped;

/** The moves of a year. */
struct ipr_trajectory_year {
    int32_t year;
    double score, information; /* sums over the moves; information above 0 */
    double events;             /* sum of the squares of the events' shares in it; 1: one event */
};

struct ipr_trajectory_point {
    double mean, sd; /* of the path [Elo] */
    double apart;    /* with the player's deviation: for comparing players */
    double lo, hi;   /* 95 % interval of the strength, which includes the player's deviation and the
                        curve's error */
};

struct ipr_trajectory_state; /* the filter's */

struct ipr_trajectory {
    int32_t first;                      /* year */
    size_t n;                           /* calendar years from it */
    struct ipr_trajectory_point *point; /* [n] */
    struct ipr_trajectory_state *state; /* [n] */
    struct ipr_trajectory_model model;
    const struct ipr_strength_calibration *calibration; /* outlives it */
};

/**
 * year[n]  ascending
 * out      to be released; untouched on error
 *
 * IPR_EDATA without a year; IPR_EINVAL for years that do not ascend, information that is not above
 * 0, a model out of its domain.
 */
IPR_CHECK enum ipr_code ipr_trajectory_fit(const struct ipr_trajectory_model *model,
                                           const struct ipr_strength_calibration *calibration,
                                           double prior_mean, double prior_sd,
                                           const struct ipr_trajectory_year *year, size_t n,
                                           struct ipr_trajectory *out, struct ipr_err *err);
void ipr_trajectory_release(struct ipr_trajectory *t);

/**
 * Has the strengths for their time: of each year the Elo whose play in that year was as strong,
 * by the era of the calibration, which is constant before its first year and after its last. The
 * effect's error enters every error. For the points, and for a peak that is computed afterwards.
 */
void ipr_trajectory_for_its_time(struct ipr_trajectory *t);

/** So many years after the last one, at least 0, by the games up to it. */
struct ipr_trajectory_point ipr_trajectory_ahead(const struct ipr_trajectory *t, unsigned years);

/** Logarithm of the density of the years' z, each given the years before; for the model's fit. */
double ipr_trajectory_log_density(const struct ipr_trajectory *t);

#define IPR_TRAJECTORY_PEAK_YEARS 3
#define IPR_TRAJECTORY_RISE_YEARS 5

/** The largest rise over IPR_TRAJECTORY_RISE_YEARS, of years with games in the first and the last:
 * the five years in which the smoothed path rises most. */
struct ipr_trajectory_rise {
    int32_t from, to; /* 0: there are no such years */
    double mean, sd;  /* NAN: none [Elo] */
};

/** The best IPR_TRAJECTORY_PEAK_YEARS running, of which those with games count, at least two; of a
 * career without two of them, the best year. */
struct ipr_trajectory_peak {
    int32_t from, to;               /* first and last of these years */
    struct ipr_trajectory_point at; /* of their mean strength: of the best years of each path */
    struct ipr_trajectory_rise rise;
};

/** By 2,000 draws of the path with seed 1: the mean is off by .022 sd. */
struct ipr_trajectory_peak ipr_trajectory_peak(const struct ipr_trajectory *t);

#endif
