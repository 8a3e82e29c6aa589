#ifndef IPR_MODEL_COVARIANCE_H
#define IPR_MODEL_COVARIANCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "model/gain.h"
#include "stats/interval.h"

#define IPR_COVARIANCE_N0_MAX 1000

/** The score of a game by its summed gain S. */
enum ipr_covariance_score {
    IPR_COVARIANCE_BOUND, /* win S > b, draw |S| <= b, loss S < -b */
    IPR_COVARIANCE_TANH   /* expected score (1 + tanh(a S))/2; no win, draw, loss */
};

struct ipr_covariance_params {
    enum ipr_covariance_score score;
    unsigned n0;         /* further pairs of moves: S is the sum of n0 + 1; <= N0_MAX */
    double b;            /* pawns, >= 0; 1e-6 cp of rounding */
    double a;            /* per pawn, > 0 */
    unsigned replicates; /* of the game bootstrap; 0 or 1: no interval */
    uint64_t seed;
};

/** A's better setting: bound 2.40 after n0 = 32; a = 1.16; 1000 replicates, seed 1. */
struct ipr_covariance_params ipr_covariance_default(void);

/** Turns of one player, as the window and the form of loss gave them (model/gain.h); any order. */
struct ipr_covariance_player {
    const struct ipr_gain_turn *turns;
    size_t n;
    /* Weight of each turn, > 0, the same in all games of a year; NULL: all weigh the same. */
    const double *weight;
};

/** Data about one of the players of a prediction. */
struct ipr_covariance_evidence {
    size_t turns, games;
    size_t clipped;   /* losses of 10.00 and more, counted as 10.00 */
    double mean_loss; /* pawns, after clipping */
};

/** Player 1's view. */
struct ipr_covariance_prediction {
    bool outcome_known;           /* false with IPR_COVARIANCE_TANH: the next three are 0 */
    double win, draw, loss;       /* probabilities; they sum to 1 */
    double expected;              /* score, within [0, 1] */
    struct ipr_interval interval; /* 95 %, of expected; [0, 1] if not known */
    bool interval_known;
    double sd;           /* of expected over the replicates */
    double sd_logit;     /* of its logit */
    unsigned replicates; /* 0: none requested */
    struct ipr_covariance_evidence player1, player2;
};

/**
 * Score of player 1 against player 2 from the distributions of their losses: D = L2 - L1 is the
 * gain of a pair of moves, S the sum of n0 + 1 independent copies of it. n0 = 0, b = 0 is
 * Ferreira's, n0 = 32, b = 2.4 A's better setting, n0 = 0 with tanh A's smooth gain vector.
 *
 * out   untouched on error
 *
 * The distribution of S is computed by its characteristic function (model/covariance_spectrum.h);
 * what is left out of it is below 1e-12. The interval is that of stats/logit.h from replicates
 * which draw each player's games with replacement, among those of the same weight (ipr_strata), q
 * being Student's quantile below 30 games of either player; not known when no loss varies. The same
 * seed gives the same answer; neither the order of the turns nor the numbers of the games nor the
 * order of the players matters (swapped players give the complement).
 *
 * Coverage over 500 simulated matches each (tests/bench/recovery_covariance; 25 turns a game, games
 * differ in skill by 20 %; its sampling error is 1 %):
 *   turns of each player             500    2,000   10,000
 *   n0 = 32, b = 2.4, E = 0.50      94.8 %   96.4 %   95.2 %   (sd of E 0.09, 0.04, 0.02)
 *   n0 = 32, b = 2.4, E = 0.60      95.6 %   94.8 %   95.8 %
 *   n0 = 0, b = 0, E = 0.54         95.0 %   94.6 %   93.8 %
 *   n0 = 0, tanh, E = 0.52          95.2 %   95.0 %   94.2 %
 *
 * Both players without any error: draw 1, expected 1/2. IPR_EDATA when a player has no turn, or
 * turns of one game only and an interval is requested (replicates > 1): one game gives no interval.
 * IPR_EINVAL for parameters out of range. Source: A sections 3.3, 4.3 (its printed formula for the
 * sum has slips); methods section 3.
 */
IPR_CHECK enum ipr_code ipr_covariance_predict(const struct ipr_covariance_player *player1,
                                               const struct ipr_covariance_player *player2,
                                               const struct ipr_covariance_params *params,
                                               struct ipr_covariance_prediction *out,
                                               struct ipr_err *err);

#endif
