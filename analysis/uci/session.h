#ifndef IPR_UCI_SESSION_H
#define IPR_UCI_SESSION_H

#include "uci/judge.h"

/**
 * The protocol of judging one game, as a state machine without I/O: it returns what to send and
 * reads the lines that the engine prints. For every turn that is not known yet: ucinewgame, isready
 * (before every position, or once a game, by the judge's `clear`), position with the moves since
 * the last irreversible one, go (UCI_Chess960 is set as the start position needs it before); a move
 * played that is not among the lines is searched separately (enum ipr_judge_apart). Turns are
 * judged forwards, or, with IPR_CLEAR_GAME, backwards.
 *
 * With a time limit the search is ended by Alliot's rule (uci/adaptive.h), by the time the engine
 * itself reports: the session then sends "stop".
 */
struct ipr_session;

enum ipr_session_want {
    IPR_SESSION_SEND, /* take the text of ipr_session_out and write it to the engine; a search may
                         be under way ("stop") */
    IPR_SESSION_READ, /* feed the next line */
    IPR_SESSION_DONE  /* every turn is judged */
};

/** All memory from `mem`; everything else is borrowed until the last call. `sides` as in
 * ipr_judged_check. `known`, may be NULL: turns that need no search, ascending by ply; they are
 * taken as they are (and checked with the rest). All moves must be legal (IPR_EINVAL). */
IPR_CHECK enum ipr_code ipr_session_new(const struct ipr_judge *judge, const struct ipr_pos *start,
                                        const ipr_move *moves, size_t n_moves, unsigned sides,
                                        const struct ipr_judged_game *known, struct ipr_arena *mem,
                                        struct ipr_session **out, struct ipr_err *err);
enum ipr_session_want ipr_session_want(const struct ipr_session *s);

/** Commands to write, newline-terminated lines; valid until the next call. */
struct ipr_str ipr_session_out(struct ipr_session *s);

/** One line without its newline. IPR_EPARSE (type "engine_protocol") when the engine breaks
 * the protocol: illegal root move or best move, missing line, depth not reached, |mate| > 246.
 * The session and the engine are then of no further use. Unknown lines are skipped. */
IPR_CHECK enum ipr_code ipr_session_line(struct ipr_session *s, struct ipr_str line,
                                         struct ipr_err *err);

/** Half-moves before the turn being judged, -1 once DONE. */
int32_t ipr_session_ply(const struct ipr_session *s);

/** True from the text with "go" until its "bestmove": the longer deadline applies. */
bool ipr_session_searching(const struct ipr_session *s);

/** Turns judged so far, and how many there will be. */
size_t ipr_session_turns_done(const struct ipr_session *s);
size_t ipr_session_turns_total(const struct ipr_session *s);

/** The result, once DONE; memory as `mem`. Checked by ipr_judged_check. */
const struct ipr_judged_game *ipr_session_result(const struct ipr_session *s);

#endif
