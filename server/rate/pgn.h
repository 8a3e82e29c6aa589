#ifndef IPR_RATE_PGN_H
#define IPR_RATE_PGN_H

#include "rate/games.h"

/**
 * Appends a game whose text was kept as PGN, with its own notes.
 *
 * Rated by an engine's analysis: after each analysed move [%eval pawns,depth], White's view,
 * instead of evaluations in the file, and a tag Evaluator. Else these stay as they are.
 *
 * Marks, and the points that a marked move loses, come from confirmed searches alone, which only
 * analysed games have: of the moves that lose 0.10 points by the rating's search nearly half lose
 * less than 0.05 when they are searched again (docs/rate.md).
 */
void ipr_rate_game_pgn(const struct ipr_rate_game *g, struct ipr_buf *out);

#endif
