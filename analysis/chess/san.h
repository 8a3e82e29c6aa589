#ifndef IPR_CHESS_SAN_H
#define IPR_CHESS_SAN_H

#include "chess/position.h"

/** Standard algebraic notation of a legal move, minimal disambiguation, with + and #.
 * Terminated; returns its length. */
size_t ipr_san_write(const struct ipr_pos *pos, ipr_move m, char out[IPR_SAN_MAX]);

/**
 * Reads one SAN token. Accepted besides the standard: 0-0 and 0-0-0, missing or superfluous
 * check marks, !/? suffixes, missing "x", over-disambiguation, promotion as e8Q, e8(Q) or e8/Q,
 * long algebraic and UCI text, figurines, and piece letters in lower case except b. Piece letters
 * of other languages are rejected, since the same letter means different pieces.
 *
 * IPR_EPARSE with type "bad_move" (not a move), "illegal_move" (nothing legal fits) or
 * "ambiguous_move" (several do); the message says what is legal. `out` untouched on error.
 */
IPR_CHECK enum ipr_code ipr_san_read(const struct ipr_pos *pos, struct ipr_str text, ipr_move *out,
                                     struct ipr_err *err);

#endif
