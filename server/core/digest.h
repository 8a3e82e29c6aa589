#ifndef IPR_CORE_DIGEST_H
#define IPR_CORE_DIGEST_H

#include "chess/position.h"

/** SHA-256 of a game's moves: the FEN of the start ("" for the initial position), a NUL, then two
 * bytes a half-move, little endian, as ipr_move is. The first eight bytes, big endian, are
 * game.moves_key. */
void ipr_moves_digest(const char *start_fen, const ipr_move *moves, size_t n,
                      unsigned char out[32]);

/** game.moves_key. */
int64_t ipr_moves_key(const char *start_fen, const ipr_move *moves, size_t n);

/** game.stem: the first four bytes, big endian, of the digest of the first IPR_STEM_PLIES
 * half-moves; 0 for a shorter game. One game can only be the continuation of another when their
 * stems are equal or one is 0. */
#define IPR_STEM_PLIES 12
int32_t ipr_moves_stem(const char *start_fen, const ipr_move *moves, size_t n);

#endif
