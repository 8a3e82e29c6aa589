#ifndef IPR_CORE_OPENINGS_H
#define IPR_CORE_OPENINGS_H

#include "base/mem.h"
#include "chess/position.h"

/** The ECO code ("B90") of a game by its moves: that of the last position that is in openings.inc,
 * in whichever order the moves led there; NULL: none is. */
const char *ipr_opening_code(const struct ipr_pos *start, const ipr_move *moves, size_t n);

struct ipr_opening {
    uint32_t number; /* from 1; 0: not known */
    char eco[4];     /* "B22" */
};

/** The opening by the ECO code of the tags, and where that is none ("", "?") by the moves. */
struct ipr_opening ipr_opening_of(struct ipr_str eco, const struct ipr_pos *start,
                                  const ipr_move *moves, size_t n);

/** "Sicilian Defence"; NULL of 0. */
const char *ipr_opening_name(uint32_t number);

/** The codes that have that name, "C50" or "B20–B26"; NULL of 0. */
const char *ipr_opening_codes(uint32_t number, struct ipr_arena *mem);

#endif
