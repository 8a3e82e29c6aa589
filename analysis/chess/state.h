#ifndef IPR_CHESS_STATE_H
#define IPR_CHESS_STATE_H

#include "chess/position.h"

/** The state of a position in a game by the laws; FIDE Laws of Chess (2023) 5.1,
 * 5.2, 9.2, 9.3, 9.6. Several may hold at once. */
struct ipr_state {
    uint16_t halfmove;    /* plies since the last capture or pawn move */
    uint16_t repetitions; /* times the position has been on the board, this one included; positions
                             are equal as in 9.2.3: placement, mover, castling rights, a legal
                             en-passant capture */
    bool check;
    bool checkmate;
    bool stalemate;
    bool insufficient; /* neither side can mate by any play: K-K, K+N-K, or kings and any bishops
                          on squares of one colour (5.2.2) */
    bool threefold;    /* a draw may be claimed (9.2) */
    bool fifty;        /* a draw may be claimed (9.3): 100 plies, unless the last move mated */
    bool fivefold;     /* drawn (9.6.1) */
    bool seventy_five; /* drawn (9.6.2): 150 plies, unless the last move mated */
};

/** States of the start position and after each of the n legal moves: out[n + 1]. Time is linear in
 * n except for long runs of moves without capture or pawn move. */
void ipr_game_states(const struct ipr_pos *start, const ipr_move *moves, size_t n,
                     struct ipr_state *out);

/** "checkmate", "stalemate", "insufficient_material", "fivefold_repetition",
 * "seventy_five_moves" when the state ends the game, else "threefold_repetition", "fifty_moves"
 * when a draw may be claimed, else "". */
const char *ipr_state_name(const struct ipr_state *s);

#endif
