#ifndef IPR_MODEL_CHOICE_H
#define IPR_MODEL_CHOICE_H

#include "base/error.h"
#include "model/regan_delta.h"

/** The move expected of a player of sensitivity s and consistency c in one position. */
struct ipr_choice {
    double played;  /* probability of the move that was played */
    double as_good; /* of a move whose evaluation is not below that one's */
    double loss;    /* expected points lost against the best move, sum p_i (E(v_0) - E(v_i)) */
};

/**
 * Probabilities of the moves of one turn (ipr_rh_probs), summed up.
 *
 * turn   valid, with the lines that the model needs (the judge's, of the calibration of s and c)
 *
 * Moves without an evaluation have that of params->tail. IPR_EINVAL out of domain (regan_prob.h).
 * Source: R sections 3, 4; E(v): model/move_mark.h.
 */
IPR_CHECK enum ipr_code ipr_choice(const struct ipr_rh_params *params, const struct ipr_turn *turn,
                                   double s, double c, struct ipr_choice *out, struct ipr_err *err);

#endif
