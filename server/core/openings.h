#ifndef IPR_CORE_OPENINGS_H
#define IPR_CORE_OPENINGS_H

#include "chess/position.h"

/** The ECO code ("B90") of a game by its moves: that of the last position that is in openings.inc,
 * in whichever order the moves led there; NULL: none is. */
const char *ipr_opening_code(const struct ipr_pos *start, const ipr_move *moves, size_t n);

/** The number of the opening, from 1, by the ECO code of the tags, and where that is none ("", "?")
 * by the moves; 0: neither tells. */
uint32_t ipr_opening_of(struct ipr_str eco, const struct ipr_pos *start, const ipr_move *moves,
                        size_t n);

/** "Sicilian Defence"; NULL of 0. */
const char *ipr_opening_name(uint32_t number);

#endif
