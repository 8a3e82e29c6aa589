#ifndef IPR_UCI_REMOTE_H
#define IPR_UCI_REMOTE_H

#include "uci/remote_text.h"

/* Games judged on other people's machines, by clients of the fishnet protocol. */

/** True if such clients can work as this judge: a depth of at least 2, no tablebases, no nodes or
 * time (their last complete depth is not in what clients send). */
bool ipr_remote_judge_fits(const struct ipr_judge *judge);

/** First position, counted from 0 at the start of the game, that a client has to judge; those
 * before are skipped. The last one, after n_moves, is always judged, so that no game is empty. */
size_t ipr_remote_first_position(const struct ipr_judge *judge, size_t n_moves);

/** Milliseconds a client may spend on a position: 7 s up to depth 12, and for each further ply 1.6
 * times as long (a search of two plies more costs 2.5 times as much), at most two minutes. */
unsigned ipr_remote_timeout_ms(const struct ipr_judge *judge);

/**
 * The game as judged by a client, from a report that is not partial. Of every turn the K =
 * min(multipv, legal) best lines at the judge's depth; a shallower score of a line is what its root
 * move got at that depth, IPR_SCORE_NONE where it was not among the lines or got two different
 * ones. A move played outside the lines is judged by the position after it (IPR_APART_AFTER). Both
 * spellings of castling are read. Then ipr_judged_check. Memory from `mem`; moves must be legal.
 *
 * IPR_EPARSE "bad_evaluation" or "missing_turn", with ply: positions too few or too many, a line
 * missing or too much at the judge's depth, an illegal move among the lines at any depth, a move
 * twice at the judge's depth, a score that no engine gives.
 */
IPR_CHECK enum ipr_code ipr_remote_judged(const struct ipr_judge *judge,
                                          const struct ipr_pos *start, const ipr_move *moves,
                                          size_t n_moves, struct ipr_remote_report *report,
                                          struct ipr_arena *mem, struct ipr_judged_game *out,
                                          struct ipr_err *err);

#endif
