#ifndef IPR_VIEW_RATING_TRACE_H
#define IPR_VIEW_RATING_TRACE_H

#include "base/mem.h"
#include "model/complexity.h"
#include "uci/judge.h"

/* How a judge's evaluation of the best move changed with depth (model/complexity.h), from a turn as
 * it is stored. */

/** The lowest depth recorded in any of turns[n], from 1; 0 when there is none. Depths below it were
 * not recorded; at a depth above it, a move without a score was not among the lines. */
unsigned ipr_trace_lowest(const struct ipr_judged_turn *turns, size_t n);

/**
 * The trace of the best move of the final list: the judge's first line, or the move played and
 * judged apart when its final score is above that.
 *
 * The order of a depth's list is not stored, only the scores of the lines that are in the final
 * one. So the best move counts as first at a depth when no line has a higher score there (of equal
 * ones it is the first, as in the final list), and as not first when one has, or when the depth was
 * recorded (from `lowest` on) and does not have the move. Not known below `lowest`, nor at any
 * depth of a judge with one line, which has no list. A move that was first and is no longer among
 * the final lines is not seen: with many lines this is rare, with two it occurs.
 *
 * multipv   lines of the judge
 * out       borrows from the turn and from mem
 */
void ipr_trace_of(const struct ipr_judged_turn *t, unsigned multipv, unsigned lowest,
                  struct ipr_arena *mem, struct ipr_trace *out);

#endif
