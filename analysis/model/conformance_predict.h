#ifndef IPR_MODEL_CONFORMANCE_PREDICT_H
#define IPR_MODEL_CONFORMANCE_PREDICT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "model/conformance.h"
#include "model/turn.h"
#include "stats/clustered.h"
#include "stats/interval.h"

/* Expected score from accumulated conformance: Alliot's ACS. */

struct ipr_acs_params {
    struct ipr_conformance_params loss;
    double threshold; /* pawns, >= 0 */
    double alpha;     /* White's advantage on the -1 .. +1 scale */
    double beta;      /* > 0 */
};

/** A's: weighted losses (k1 = 0.75, k2 = -3.30) at 0.30, alpha = -0.007, beta = 3.64. */
struct ipr_acs_params ipr_acs_default(void);

/** Turns of one player, as the window gave them: turns[keep[i]], keep NULL: turns[0 .. n). */
struct ipr_acs_player {
    const struct ipr_turn *turns;
    const size_t *keep;
    size_t n;
    int32_t year; /* turns up to the year count, with the weights of ipr_year_weight */
};

/** Player 1's view; scores within [0, 1]. Wins and draws are not predicted. */
struct ipr_acs_prediction {
    double as_white, as_black, expected; /* the last is the mean of both */
    double se;                           /* of expected, before it is clipped; 0 if not known */
    struct ipr_interval interval;        /* 95 %, of expected; [0, 1] if not known */
    bool interval_known;
    struct ipr_share q1, q2; /* accumulated conformance of either player */
};

/**
 * Score of player 1 against player 2: with q = Q1 - Q2 of ipr_conformance_accumulated,
 *   as White (1 + beta q + alpha)/2, as Black (1 + beta q - alpha)/2, clipped to [0, 1].
 * alpha is of the first move: A regressed White's result (+1, 0, -1) on White's conformance less
 * Black's (section 4.2.1: "computed by subtracting Black's value from White's").
 *
 * out   untouched on error
 *
 * The interval is that of q, carried over by the same lines (clipped as they are). It is Newcombe's
 * for a difference of shares: from the players' game-clustered intervals [l, u],
 *   q - r sqrt((q1 - l1)^2 + (u2 - q2)^2)  to  q + r sqrt((u1 - q1)^2 + (q2 - l2)^2),
 * as shares of 0.9 and more are skewed, and known too when no turn lost more than the threshold; r
 * is Student's quantile over the normal one below 30 games of either player. Not known when a
 * player has too few games for a standard error. alpha and beta are taken as exact: the default
 * ones are of another engine's evaluations, and no interval here includes their error for these
 * turns.
 *
 * Coverage over 2,000 simulated matches each, the largest 500 (tests/unit/analysis/model/
 * test_conformance_predict; games of 25 turns in three years, whose Q differ by up to 0.05; its
 * sampling error is 0.5 %, the largest's 1 %):
 *   turns of each player       500    2,000   10,000
 *   E = 0.50, Q = 0.90       95.0 %   96.0 %   94.6 %   (sd of E 0.04, 0.02, 0.01)
 *   E = 0.61, Q = 0.95, 0.89 94.2 %   94.8 %   95.6 %
 *
 * IPR_EDATA when a player has no turn that counts; IPR_EINVAL for parameters out of range.
 * Source: A sections 4.2.1, 4.2.4; methods section 1; R. G. Newcombe, Statistics in Medicine 17
 * (1998) 873-890, method 10.
 */
IPR_CHECK enum ipr_code ipr_acs_predict(const struct ipr_acs_player *player1,
                                        const struct ipr_acs_player *player2,
                                        const struct ipr_acs_params *params,
                                        struct ipr_acs_prediction *out, struct ipr_err *err);

#endif
