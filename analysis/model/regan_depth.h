#ifndef IPR_MODEL_REGAN_DEPTH_H
#define IPR_MODEL_REGAN_DEPTH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "model/regan_delta.h"
#include "model/turn.h"

/*
 * The Regan-Haworth model of a player who sees the moves at several depths (R section 8):
 *   y_i = sum_d w_d exp(-(delta_(i,d)/s)^c),  p_i = exp(-L/y_i),  sum p_i = 1.
 * delta_(i,d) are scaled pawns >= 0, w_d shares.
 */

#define IPR_RH_DEPTHS_MAX 64

/* A depth did not report the move exactly. */
#define IPR_RH_DEPTH_NONE INT16_MIN

/**
 * The evaluations of a turn's moves at the depths before the last; those at the last are in the
 * turn.
 *
 * depths                1 .. IPR_RH_DEPTHS_MAX, that were completed
 * cp[n_cp * depths]     cp[i * depths + d - 1] of the turn's i-th move at depth d, mover's view,
 *                       clamped as the turn's own, or IPR_RH_DEPTH_NONE; the last of each is not
 *                       read
 */
struct ipr_rh_depth_scores {
    unsigned depths;
    const int16_t *cp;
};

/** Scaled differences of one turn at each depth. */
struct ipr_rh_depth_list {
    unsigned n; /* entries: the lines, the moves not evaluated, the move
                   played when it was judged apart */
    unsigned count[IPR_RH_LINES_MAX + 2];
    unsigned played; /* entry of the move played */
    double *delta;   /* [n * depths] of one move of entry i at depth d:
                        i * depths + d - 1; room for (n_cp + 1) * depths */
};

/**
 * The list of a turn at depths 1 .. depths (>= those of the scores: deeper ones are the last).
 *
 * At each depth the best move is that with the highest score there, of several the first listed;
 * the others' differences are from it, with the tie rule; the moves not evaluated are extrapolated
 * from the scores of that depth. At the last depth this is ipr_rh_list.
 *
 * A depth that does not report a line had better ones: the line counts as at the next deeper depth
 * that reports it, but not above the lowest line that is reported. For a move that was judged apart
 * the next deeper score is used unchanged. A line that is not among those of the last depth is not
 * stored and does not occur.
 *
 * The turn and the parameters must be valid. out->delta is the caller's. Cannot fail.
 */
void ipr_rh_depth_list(const struct ipr_rh_params *params, const struct ipr_turn *turn,
                       const struct ipr_rh_depth_scores *scores, unsigned depths,
                       struct ipr_rh_depth_list *out);

struct ipr_rh_depth_set;

/**
 * Turns prepared for the fit.
 *
 * params            of the curve e^-z and the conversion p_0^(1/y) alone
 * turns, scores     parallel; keep[n] the n that count, NULL: the first n. Not needed afterwards
 * out               ipr_rh_depth_set_free it; untouched on error
 *
 * IPR_EDATA if n = 0; IPR_EINVAL for parameters or depths out of domain or a turn that is not
 * valid. The order of the turns does not matter.
 */
IPR_CHECK enum ipr_code ipr_rh_depth_set_new(const struct ipr_rh_params *params,
                                             const struct ipr_turn *turns,
                                             const struct ipr_rh_depth_scores *scores,
                                             const size_t *keep, size_t n,
                                             struct ipr_rh_depth_set **out, struct ipr_err *err);

/** Accepts NULL; clears the pointer. */
void ipr_rh_depth_set_free(struct ipr_rh_depth_set **set);

/** Minimum number of turns for each parameter of the fit. */
#define IPR_RH_DEPTH_TURNS_EACH 25

struct ipr_rh_depth_fit {
    unsigned depths;
    double s, c;
    double w[IPR_RH_DEPTHS_MAX]; /* of depth d at d - 1, sum 1 */
    double mean_depth;           /* sum w_d d */
    /*
     * Clustered by game, of what is free: a weight found to be 0 is held there, and has none.
     * Weights of neighbouring depths are strongly correlated, the mean depth is steadier.
     */
    bool se_known; /* false: as many games as parameters at most, or no curvature; then all are 0 */
    double ln_s_se, ln_c_se;
    double w_se[IPR_RH_DEPTHS_MAX];
    double mean_depth_se;
    double loglik;
    double s_last, c_last, loglik_last; /* with the last depth alone: the mle of regan_fit.h */
    unsigned degrees;                   /* weights that the gain of loglik is owed to: depths - 1 */
    size_t turns, games;
    unsigned starts, iterations; /* of all starts */
};

/**
 * Fits s, c and the weights by maximum likelihood (BFGS over ln s, ln c and the logarithms of the
 * weights, whose softmax they are) from several starts, the last depth alone among them: the
 * likelihood is never below that of the last depth. Weights that go to 0 are taken out, and back
 * in where the likelihood rises with them; at the end it rises with none.
 *
 * The sandwich errors are those of regan_fit.h, of the softmax parameters, carried to the weights
 * by the delta method. At a weight of 0 twice the gain is not distributed as chi-squared with
 * `degrees` degrees of freedom but less spread out: reading it so errs on the safe side, as far as
 * turns are independent.
 *
 * IPR_EDATA with one depth, with depths that do not differ, with fewer than
 * IPR_RH_DEPTH_TURNS_EACH (depths + 1) turns, when no turn offers a choice and when no move, or
 * every move, was an error; IPR_ENOCONV when no start settles inside the domain. `out` is untouched
 * on error.
 * Source: R section 8; methods section 5.
 */
IPR_CHECK enum ipr_code ipr_rh_depth_fit(const struct ipr_rh_depth_set *set,
                                         struct ipr_rh_depth_fit *out, struct ipr_err *err);

#endif
