#ifndef IPR_UCI_REMOTE_H
#define IPR_UCI_REMOTE_H

#include "uci/remote_text.h"

/* Games judged on other people's machines, by clients of the fishnet protocol. */

/** True if such clients can judge whole games as this judge: a depth of at least 2, no tablebases,
 * no nodes or time (their last complete depth is not in what clients send). */
bool ipr_remote_judge_fits(const struct ipr_judge *judge);

/** True if a client has to search that position, counted from 0 at the start of the game. Where
 * moves are `chosen` (n_moves; NULL: all from the judge's first on), those before and after them.
 * Without, the last one, after n_moves, is always searched, so that no game is empty. */
bool ipr_remote_asks(const struct ipr_judge *judge, const bool *chosen, size_t n_moves,
                     size_t position);

/** Milliseconds a client may spend on a position: 7 s up to depth 12, and for each further ply 1.6
 * times as long (a search of two plies more costs 2.5 times as much), or 7 s for every million
 * nodes; at most two minutes. */
unsigned ipr_remote_timeout_ms(const struct ipr_judge *judge);

/**
 * The game as judged by a client, from a report that is not partial. Of every turn the K =
 * min(multipv, legal) best lines at the judge's depth; a shallower score of a line is what its root
 * move got at that depth, IPR_SCORE_NONE where it was not among the lines or got two different
 * ones. A move played outside the lines is judged by the position after it (IPR_APART_AFTER). Both
 * spellings of castling are read. Then ipr_judged_check. Memory from `mem`; moves must be legal.
 *
 * `chosen`: NULL, or which moves alone, by a judge with a limit of nodes. The depth of a turn is
 * then the last one that its search completed, as far as is known; the move played outside the
 * lines has the depth that the position after it was searched to, and takes the place of the last
 * line. A search must have had half of the nodes at least: what an engine prints last may be from
 * well before its end.
 *
 * IPR_EPARSE "bad_evaluation" or "missing_turn", with ply: positions too few or too many, a search
 * too short, a line missing or too much at the judge's depth, an illegal move among the lines at
 * any depth, a move twice at the judge's depth, a score that no engine gives.
 */
IPR_CHECK enum ipr_code ipr_remote_judged(const struct ipr_judge *judge,
                                          const struct ipr_pos *start, const ipr_move *moves,
                                          size_t n_moves, const bool *chosen,
                                          struct ipr_remote_report *report, struct ipr_arena *mem,
                                          struct ipr_judged_game *out, struct ipr_err *err);

#endif
