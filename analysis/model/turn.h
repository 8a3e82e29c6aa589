#ifndef IPR_MODEL_TURN_H
#define IPR_MODEL_TURN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * One decision, as input of the models: final evaluations only, clamped to +-1000 cp (a mate is
 * +-1000), from the mover's point of view. `cp[0 .. lines)` are the judge's K best moves, best
 * first; when the move played is not among them it is cp[lines] and n_cp = lines + 1. Raw order:
 * the models sort in the move played where they need to.
 */
struct ipr_turn {
    int32_t game;      /* cluster: turns of one game share it; any numbering */
    int32_t year;      /* calendar year, 0 unknown */
    uint16_t ply;      /* half-moves before it, 0-based; move number = ply / 2 + 1 */
    uint8_t mover;     /* enum ipr_colour */
    uint8_t lines;     /* judge's lines, min(K, legal) */
    uint8_t n_cp;      /* lines, or lines + 1 */
    uint8_t played;    /* index into cp */
    uint8_t legal;     /* number of legal moves >= n_cp */
    bool repeated;     /* position occurred before in the game */
    const int16_t *cp; /* borrowed */
};

#define IPR_CP_LIMIT 1000

static inline int ipr_cp_clamp(int cp)
{
    cp = cp > IPR_CP_LIMIT ? IPR_CP_LIMIT : cp;
    return cp < -IPR_CP_LIMIT ? -IPR_CP_LIMIT : cp;
}

#endif
