#ifndef IPR_CORE_CONFIRM_H
#define IPR_CORE_CONFIRM_H

#include "uci/judge.h"

struct ipr_confirm_choice {
    uint16_t ply;
    bool drifts; /* what it lost shows in a long search only: a drift, or the last of these */
};

/**
 * The moves of a game that are searched again before anything is said of them. A shallow search is
 * right on average and often wrong on one move, so these are the moves of which it has something to
 * say, and those where it contradicts itself:
 *
 *  - a loss of IPR_CONFIRM_LOSS expected points or more;
 *  - a move that may be called found (model/move_mark.h);
 *  - a sacrifice: after the opponent's reply and the next move the mover has IPR_CONFIRM_GIVEN
 *    pawns of material less than before;
 *  - a swing: with the opponent's move the evaluation falls for the mover by IPR_CONFIRM_SWING, or
 *    the position before it is worth that much more or less than those on either side;
 *  - a drift: within IPR_CONFIRM_WINDOW half-moves the evaluation falls for the mover by
 *    IPR_CONFIRM_DRIFT expected points more than the losses of the moves between say, so that one
 *    of them lost what the search did not see. Of consecutive such moves of a player the first one
 * and the captures;
 *  - a move before one that is confirmed, by which the position between them is worth
 *    IPR_CONFIRM_SWING more or less than the move was thought to leave, or after one, by which it
 * is worth IPR_CONFIRM_BLIND more or less than the move's own search says.
 *
 * judged     the turns of the rating's search, ascending
 * confirmed  those that are confirmed already, ascending
 * out        their plies, ascending; room for judged->n
 *
 * Returns their number. Forced moves are none of them.
 */
size_t ipr_confirm_select(const struct ipr_pos *start, const ipr_move *moves, size_t n_moves,
                          const struct ipr_judged_game *judged,
                          const struct ipr_judged_game *confirmed, struct ipr_confirm_choice *out);

/** Which of the half-moves are such sacrifices: given[n_moves]. */
void ipr_confirm_sacrifices(const struct ipr_pos *start, const ipr_move *moves, size_t n_moves,
                            bool *given);

/** White's expected score after the move of a turn, or, with the points it loses, before it. */
double ipr_confirm_white(const struct ipr_judged_turn *t, double loss);

/** True if a shallow search clearly preferred another move to the one played. */
bool ipr_turn_hidden(const struct ipr_judged_turn *t);

#define IPR_CONFIRM_LOSS   0.075
#define IPR_CONFIRM_GIVEN  2
#define IPR_CONFIRM_SWING  0.10
#define IPR_CONFIRM_BLIND  0.25
#define IPR_CONFIRM_WINDOW 8
#define IPR_CONFIRM_DRIFT  0.20

#endif
