#ifndef IPR_CORE_DIGEST_H
#define IPR_CORE_DIGEST_H

#include "chess/position.h"

/** SHA-256 of a game's moves: the FEN of the start ("" for the initial position), a NUL, then two
 * bytes a half-move, little endian, as ipr_move is. The first eight bytes, big endian, are
 * game.moves_key. */
void ipr_moves_digest(const char *start_fen, const ipr_move *moves, size_t n,
                      unsigned char out[32]);

#endif
