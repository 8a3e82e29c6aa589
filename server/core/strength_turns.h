#ifndef IPR_CORE_STRENGTH_TURNS_H
#define IPR_CORE_STRENGTH_TURNS_H

#include "model/strength_side.h"
#include "uci/judge.h"

/**
 * Positions of an analysed game as the estimate of strength sees them.
 *
 * judged   two lines at least, IPR_STRENGTH_DEPTHS depths (what is missing is IPR_STRENGTH_NONE)
 * out      [judged->n]
 */
void ipr_strength_turns(const struct ipr_pos *start, const ipr_move *moves, size_t n_moves,
                        const struct ipr_judged_game *judged, struct ipr_strength_turn *out);

/**
 * The moves of a game of which one evaluation a position is known.
 *
 * cp    [n + 1], of each position, White's view; IPR_STRENGTH_NONE: unknown
 * out   [n]
 */
void ipr_side_moves(const struct ipr_pos *start, const ipr_move *moves, size_t n, const int16_t *cp,
                    struct ipr_side_move *out);

#endif
