#ifndef IPR_MODEL_JUDGED_H
#define IPR_MODEL_JUDGED_H

#include "model/turn.h"

/**
 * The place of a move played that is not among the judge's lines (it was searched separately): by
 * its evaluation, behind equal ones (the default; it may then be the best), or always behind the
 * lines, with an evaluation not above the last line's. The test vectors use the second.
 */
enum ipr_played_order { IPR_PLAYED_PLACED = 0, IPR_PLAYED_LAST };

/** Evaluations of the best move and of the move played, mover's view. */
struct ipr_judged {
    int16_t best_cp;   /* v_b, within +-IPR_CP_LIMIT */
    int16_t played_cp; /* v_p <= v_b */
    bool outside;      /* the move played was not among the judge's lines */
};

/**
 * v_b and v_p of a turn: evaluations clamped to +-IPR_CP_LIMIT, lines made non-increasing from
 * the left. The turn must be valid (ipr_turn_valid).
 */
struct ipr_judged ipr_judged(const struct ipr_turn *t, enum ipr_played_order order);

/** Has evaluations, and indices and counts agree: lines >= 1, played < n_cp <= legal, ... */
bool ipr_turn_valid(const struct ipr_turn *t);

/** Move number, from 1. */
static inline unsigned ipr_turn_move(const struct ipr_turn *t)
{
    return t->ply / 2u + 1u;
}

#endif
