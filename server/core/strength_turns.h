#ifndef IPR_CORE_STRENGTH_TURNS_H
#define IPR_CORE_STRENGTH_TURNS_H

#include "model/strength.h"
#include "uci/judge.h"

/**
 * Positions of an analysed game as the estimate of strength sees them.
 *
 * judged   two lines at least, IPR_STRENGTH_DEPTHS depths (what is missing is IPR_STRENGTH_NONE)
 * out      [judged->n]
 */
void ipr_strength_turns(const struct ipr_pos *start, const ipr_move *moves, size_t n_moves,
                        const struct ipr_judged_game *judged, struct ipr_strength_turn *out);

#endif
