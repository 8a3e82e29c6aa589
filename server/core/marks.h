#ifndef IPR_CORE_MARKS_H
#define IPR_CORE_MARKS_H

#include "model/move_mark.h"
#include "model/turning.h"
#include "pgn/result.h"
#include "uci/judge.h"

/**
 * A half-move as every page and every list speaks of it. Marks come from confirmed searches
 * (core/confirm.h) alone: model/move_mark.h has the rule.
 */
struct ipr_marked {
    const struct ipr_judged_turn *by; /* the confirmed search; NULL: none */
    enum ipr_mark mark;
    double lost;  /* expected points: by it, else by the rating's search; NAN: not analysed */
    double white; /* White's expected score in the position before the move; NAN: not known */
};

/**
 * Marks the half-moves of a game.
 *
 * judged     the turns of the rating's search, ascending
 * shown      those of the setting that is shown, for moves that are not among the judged
 * confirmed  those that were confirmed, ascending
 * out        n_moves + 1; of the last one, the final position, only `white` is set
 *
 * Where a confirmed evaluation contradicts the stored ones of the positions after it, these are
 * taken to be blind to it: `white` stays at the confirmed value for at most IPR_CONFIRM_WINDOW
 * half-moves, until they have come as far, or as long as they are within IPR_CONFIRM_BLIND of it.
 */
void ipr_mark_moves(const struct ipr_pos *start, const ipr_move *moves, size_t n_moves,
                    const struct ipr_judged_game *judged, const struct ipr_judged_game *shown,
                    const struct ipr_judged_game *confirmed, struct ipr_marked *out);

/** Where a game of n_moves half-moves turned; nowhere, if nobody won. */
struct ipr_turning ipr_marked_turning(const struct ipr_marked *marked, size_t n_moves,
                                      enum ipr_colour start, enum ipr_result result);

/** The turn at a ply; NULL: there is none. */
const struct ipr_judged_turn *ipr_judged_turn_at(const struct ipr_judged_game *judged,
                                                 unsigned ply);

#endif
