#ifndef IPR_MODEL_ELO_H
#define IPR_MODEL_ELO_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "stats/interval.h"

/** Slope of the expected score E, as a multiple of E(1 - E): ln 10 / 400 per Elo. */
#define IPR_ELO_SLOPE (log(10) / 400)

/** Expected score of a player rated `a` against one rated `b`: 1/(1 + 10^-((a-b)/400)). */
double ipr_elo_expect(double a, double b);

struct ipr_elo_performance {
    double rating; /* R_p with sum_i E(R_p - R_i) = score */
    bool bounded;  /* score of 0 or 100 %: rating is the mean opponent -+ 800, a bound */
    /*
     * Delta method: sd of the score over its derivative by the rating, 400/ln 10 / sqrt V with
     * V = sum E(1 - E) at R_p. 0 when bounded: a bound has no error.
     */
    double se;
    /*
     * 95 %: the ratings at which the score is within 1.96 sqrt V of its expectation, so that it
     * stands at 0 and 100 % too, where one end is open and repeats the rating, or the closed end
     * when that lies beyond. V is the maximum variance of games with these expectations, if games
     * are independent: with draws both `se` and the interval are too wide.
     */
    struct ipr_interval interval;
    bool open_lo, open_hi; /* 0 %: no lower end; 100 %: no upper end */
    double fide;           /* mean opponent + dp of FIDE's table */
    double mean_opponent;  /* mean of the ratings */
    double score;          /* points */
    size_t games;
};

/**
 * Performance rating.
 *
 * ratings[n]   opponents, one a game [Elo], finite
 * score        points, 0 <= score <= n
 *
 * IPR_EDATA if n = 0; IPR_EINVAL if score is out of range or a rating is not finite.
 * Source: methods section 7; FIDE Handbook B.02, table 8.1.1 (p rounded to two decimals).
 */
IPR_CHECK enum ipr_code ipr_elo_performance(const double *ratings, size_t n, double score,
                                            struct ipr_elo_performance *out, struct ipr_err *err);

struct ipr_elo_expected {
    double score; /* points: sum E(own_i - opponent_i) */
    /* sqrt sum E(1 - E): maximum standard deviation of the score of games with these expectations:
     * with draws it is less. Games are assumed independent and the ratings exact, so that the
     * expectation itself has no error. */
    double score_sd;
    /* score -+ 1.96 score_sd within [0, n]: contains about 95 % of actual scores when the ratings
     * are right, more with draws. */
    struct ipr_interval score_interval;
};

/**
 * Score expected of games by the ratings of both sides.
 *
 * own[n], opponents[n]  one a game [Elo], finite
 *
 * IPR_EDATA if n = 0; IPR_EINVAL if a rating is not finite. Source: methods section 7.
 */
IPR_CHECK enum ipr_code ipr_elo_expected_score(const double *own, const double *opponents, size_t n,
                                               struct ipr_elo_expected *out, struct ipr_err *err);

/** FIDE's rating difference dp for a share of points p in [0, 1]; odd around 0.5, +-800 at most. */
double ipr_elo_fide_dp(double p);

#endif
