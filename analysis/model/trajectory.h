#ifndef IPR_MODEL_TRAJECTORY_H
#define IPR_MODEL_TRAJECTORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/mem.h"
#include "model/strength_rating.h"

/*
 * A player's strength over time, from the sums over the moves of each year: a local level with a
 * damped trend.
 *
 *   z_t ~ N(curve(theta_t), v_t)                     the rating's curve and variance, by level
 *   theta_{t+1} = theta_t + damping^(t-1) R + N(0, walk)      Elo, a step a year
 *   theta_1 ~ the rating's prior, R ~ N(0, rise^2)
 *
 * From IPR_TRAJECTORY_IDLE years without games on there is no rise until the next game: nothing
 * shows that the player is still improving.
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

/** Grows when strengths over time, or what their peaks are, change. */
#define IPR_TRAJECTORY_VERSION 2

#define IPR_TRAJECTORY_IDLE 3

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
    int32_t moves;             /* in the sums */
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
/** Moves it into an arena: it is released with that. */
struct ipr_trajectory *ipr_trajectory_keep(struct ipr_trajectory *t, struct ipr_arena *mem);

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

/* ---- sums of years ---- */

/** First and last year. */
struct ipr_trajectory_span {
    int32_t from, to;
};

/** The mean strength in the years of a span that have IPR_TRAJECTORY_MOVES moves, else in those
 * with games; its error is that of the joint distribution of all years. NAN: it has no games. */
struct ipr_trajectory_point ipr_trajectory_mean(const struct ipr_trajectory *t,
                                                struct ipr_trajectory_span s);

struct ipr_trajectory_change {
    double mean, sd; /* NAN: none [Elo] */
};

/** From the mean of a span to that of another one. The player's deviation, which is the same in
 * both, does not count, and neither do years that both have. */
struct ipr_trajectory_change ipr_trajectory_change(const struct ipr_trajectory *t,
                                                   struct ipr_trajectory_span from,
                                                   struct ipr_trajectory_span to);

/* ---- the peak ---- */

#define IPR_TRAJECTORY_MOVES      150 /* of a year that counts, as for a rating of it */
#define IPR_TRAJECTORY_PEAK_YEARS 3
#define IPR_TRAJECTORY_RISE_YEARS 5

/** The largest rise over IPR_TRAJECTORY_RISE_YEARS, of which the first and the last count: the five
 * years in which the smoothed path rises most. */
struct ipr_trajectory_rise {
    int32_t from, to; /* 0: there are no such years */
    struct ipr_trajectory_change by;
};

/**
 * The IPR_TRAJECTORY_PEAK_YEARS running in which the smoothed path is highest, and its mean in
 * them: of the years that count, at least two; of a career without two of them in three years, the
 * best year that counts; without any, as if each year with games did. Since levels of a career are
 * drawn together by the model, the choice of the highest needs no correction.
 */
struct ipr_trajectory_peak {
    struct ipr_trajectory_span years; /* the first and the last that count */
    struct ipr_trajectory_point at;
    struct ipr_trajectory_rise rise;
};

struct ipr_trajectory_peak ipr_trajectory_peak(const struct ipr_trajectory *t);

/** The years that the best three, chosen in the same way, lie in with 95 %: from the 2.5 % quantile
 * of their first to the 97.5 % quantile of their last, by 2,000 draws of the path with seed 1. */
struct ipr_trajectory_span ipr_trajectory_peak_within(const struct ipr_trajectory *t);

/** Sets carried[t->n]: true for years that are in no three of which a peak could be, whose
 * strength is that of other years carried on. */
void ipr_trajectory_carried(const struct ipr_trajectory *t, bool *carried);

#endif
