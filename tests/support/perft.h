#ifndef PERFT_H
#define PERFT_H

#include "chess/position.h"

/** The number of lines of so many plies. Moves to leaves are generated and counted, but not played.
 */
static uint64_t perft(const struct ipr_pos *pos, unsigned depth)
{
    ipr_move list[IPR_MAX_MOVES];
    uint64_t nodes = 0;

    if (depth == 0)
        return 1;
    const size_t n = ipr_pos_legal(pos, list);
    if (depth == 1)
        return n;
    for (size_t i = 0; i < n; i++) {
        struct ipr_pos next = *pos;

        ipr_pos_play(&next, list[i]);
        nodes += perft(&next, depth - 1);
    }
    return nodes;
}

#endif
