#ifndef IPR_MODEL_SCORE_CURVE_H
#define IPR_MODEL_SCORE_CURVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "stats/interval.h"

/*
 * The expected score of an evaluation: the share of points that players of a rating band scored
 * from positions evaluated v,
 *   p_v = A + (1 - 2A)/(1 + e^(-B v)),  0 <= A < 1/2,  B > 0.
 *
 * Source: Regan, LNCS 10000, section 3.3, eq. (2); methods section 7.
 */

/** One position that was reached. */
struct ipr_score_position {
    int32_t game; /* cluster; any numbering */
    double v;     /* pawns, within +-10, from the side whose score is given */
    double score; /* within [0, 1]: what that side scored in the game */
};

#define IPR_SCORE_CURVE_B_MAX 50.0 /* per pawn; a steeper curve is a step */

struct ipr_score_curve {
    double a; /* share of completely won games that is not won */
    double b; /* per pawn */
    double log_likelihood;
    bool a_at_bound; /* a is 0, fixed there: it has no error, b that of a curve without a */
    /*
     * Game-clustered sandwich errors; a single likelihood's own are not valid, as draws make it
     * a quasi-likelihood and positions of one game share its score.
     */
    bool errors_known;                 /* false with one game, or with a and b undetermined */
    double se_a, se_b, cov_ab;         /* se_a, cov_ab 0 at the bound */
    struct ipr_interval a_interval;    /* 95 %, cut to [0, 1/2]; [0, 0] at the bound */
    struct ipr_interval b_interval;    /* 95 %, not below 0; Student's t below 30 games */
    size_t positions, games, distinct; /* distinct evaluations */
    unsigned evaluations;              /* of the profile likelihood of b */
};

/**
 * Fits A and B by maximising the quasi-likelihood sum y ln p + (1 - y) ln(1 - p).
 *
 * x[n]   positions, any order; the result does not depend on it
 * out    untouched on error
 *
 * For each B the best A is the root of a monotone function; the profile that this leaves is
 * searched over B from 1e-3 to IPR_SCORE_CURVE_B_MAX before its best point is refined, so that a
 * second maximum does not mislead it.
 *
 * At the bound a = 0 the likelihood falls with a, so that a solves no equation and no sandwich
 * contains it. L leaves open what errors are given then: a has none, and b that of the curve with a
 * fixed at 0.
 *
 * IPR_EDATA without positions, when scores do not rise with the evaluation (as when all
 * evaluations are 0, or all games drawn), and when a jump at 0 fits as well as a curve (as when
 * every position better for one side scored alike, or all are equally good). IPR_EINVAL when v or a
 * score is outside its domain.
 */
IPR_CHECK enum ipr_code ipr_score_curve(const struct ipr_score_position *x, size_t n,
                                        struct ipr_score_curve *out, struct ipr_err *err);

/** p_v at v pawns. */
double ipr_score_curve_at(double a, double b, double v);

/** Positions within a range of evaluations, for the plot. */
struct ipr_score_bin {
    double lo, hi; /* pawns; lo < v <= hi for v > 0, mirrored for v < 0; the outer ones are open:
                      -INFINITY, INFINITY */
    double v;      /* mean evaluation; the middle of an empty bin, were all of one width */
    double score;  /* share of points; 0 in an empty bin */
    double se;     /* game-clustered */
    bool se_known; /* false, and se 0, with one game, or where all positions scored alike */
    struct ipr_interval interval; /* 95 %, see below */
    bool interval_known;          /* false with fewer than two games: [0, 1] */
    size_t positions, games;
};

/** Bins that ipr_score_bins makes: one about 0 and `each` on either side. */
#define IPR_SCORE_BINS(each) (2 * (size_t)(each) + 1)

/**
 * Binned points: bins of `width` pawns, the middle one about 0, `each` on either side; values
 * beyond are in the last one.
 *
 * x[n]    positions as above, any order
 * width   pawns, > 0
 * bins    output, [IPR_SCORE_BINS(each)], by evaluation
 *
 * The interval is Wilson's of p = score and n trials, with Student's quantile below 30 games: n =
 * p(1 - p)/se^2 or the number of games, whichever is less; so it also has a width if all games had
 * the same result, and few positions of a game with another result do not make it narrow. In
 * simulated bins of 2 to 200 games, of 4 positions each on the average, it contained the true value
 * in 94.8 % to 100 %: rather too wide if most games are drawn, since a draw varies less than
 * Wilson's trials.
 *
 * IPR_EINVAL for what is outside its domain.
 */
IPR_CHECK enum ipr_code ipr_score_bins(const struct ipr_score_position *x, size_t n, double width,
                                       unsigned each, struct ipr_score_bin *bins,
                                       struct ipr_err *err);

#endif
