#ifndef IPR_MODEL_WINDOW_H
#define IPR_MODEL_WINDOW_H

#include <stdbool.h>
#include <stddef.h>

#include "model/judged.h"
#include "model/turn.h"

/** Methods that have a window of their own (methods section 0). */
enum ipr_window_method {
    IPR_WINDOW_CONFORMANCE, /* also gain and Markov: from move 10, no forced moves */
    IPR_WINDOW_GUID_BRATKO, /* the same with |v_b| <= 2.00 */
    IPR_WINDOW_REGAN,       /* from move 9, |v_0| <= 3.00, no repeated, no forced */
    IPR_WINDOW_BAYES        /* from move 13, no forced, move played among the top 10 */
};

/** The rule that decides which turns count. */
struct ipr_window {
    unsigned first_move;         /* first move number judged, from 1 */
    int limit_cp;                /* |v_b| <= limit_cp, inclusive; 0: no limit */
    bool drop_forced;            /* one legal move */
    bool drop_repeated;          /* position has occurred before in the game */
    unsigned top;                /* the move played is among the first `top`; 0: no matter */
    enum ipr_played_order order; /* IPR_PLAYED_PLACED */
};

/** Why a turn was left out; the first reason that applies, in this order. */
enum ipr_excluded {
    IPR_EXCLUDED_BEFORE_FIRST, /* before the first move judged */
    IPR_EXCLUDED_UNJUDGED,     /* no (valid) evaluations */
    IPR_EXCLUDED_FORCED,       /* one legal move */
    IPR_EXCLUDED_REPEATED,     /* position occurred before in the game */
    IPR_EXCLUDED_DECIDED,      /* |v_b| above the limit */
    IPR_EXCLUDED_NOT_TOP,      /* move played not among the top */
    IPR_EXCLUDED_REASONS
};

struct ipr_window_counts {
    size_t turns; /* all turns */
    size_t used;
    size_t excluded[IPR_EXCLUDED_REASONS]; /* sum = turns - used */
};

/** The defaults of methods section 0. */
struct ipr_window ipr_window_default(enum ipr_window_method method);

/**
 * Selects the turns that a method counts.
 *
 * turns[n]   any order
 * keep[n]    output, indexes of the turns kept, ascending; room for n
 * counts     output; may be NULL
 *
 * Returns the number kept. Cannot fail.
 */
size_t ipr_window_select(const struct ipr_window *w, const struct ipr_turn *turns, size_t n,
                         size_t *keep, struct ipr_window_counts *counts);

/** Adds them up. */
void ipr_window_counts_add(struct ipr_window_counts *to, const struct ipr_window_counts *c);

/** "before_first_move", "unjudged", "forced", "repeated", "decided", "not_among_top". */
const char *ipr_excluded_name(enum ipr_excluded reason);

#endif
