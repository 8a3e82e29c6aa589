#ifndef IPR_MODEL_COMPLEXITY_H
#define IPR_MODEL_COMPLEXITY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "stats/correlation.h"

#define IPR_TRACE_NONE INT16_MIN /* no exact score at this depth */

/** The judge's final best move was first in the list at a depth, or not. */
enum ipr_trace_first { IPR_FIRST_UNKNOWN = 0, IPR_FIRST_NO, IPR_FIRST_YES };

/**
 * Evaluations by depth of the judge's final best move of one turn. Entry d - 1 is depth d.
 * Evaluations are the mover's view in cp, limited to +-IPR_CP_LIMIT here (so a mate may come as any
 * number beyond it).
 */
struct ipr_trace {
    unsigned depths;      /* last depth; 0: nothing known */
    const int16_t *score; /* [depths] of the final best move, or IPR_TRACE_NONE; borrowed */
    const uint8_t *first; /* [depths] enum ipr_trace_first; borrowed */
};

enum ipr_complexity_kind {
    IPR_COMPLEXITY_STABILITY,        /* mean |v(d+1) - v(d)| [cp] */
    IPR_COMPLEXITY_JUMP_VALUE,       /* the largest such difference [cp] */
    IPR_COMPLEXITY_JUMP_DEPTH,       /* the depth d of its pair, the lowest of several */
    IPR_COMPLEXITY_JUMP_VALUE_DEPTH, /* their product */
    IPR_COMPLEXITY_SULLIVAN,         /* see ipr_complexity */
    IPR_COMPLEXITY_DEPTH_TIME,       /* C(m), see ipr_complexity_depth_time */
    IPR_COMPLEXITY_KINDS
};

/** Indicators of one turn; value[k] is 0 where known[k] is false. */
struct ipr_complexity {
    double value[IPR_COMPLEXITY_KINDS];
    bool known[IPR_COMPLEXITY_KINDS];
};

/** "stability", "jump_value", "jump_depth", "jump_value_depth", "sullivan", "depth_time". */
const char *ipr_complexity_name(enum ipr_complexity_kind kind);

/**
 * Indicators of one turn except for depth against time. Differences are taken over pairs of depths
 * d and d + 1 that both have a score; without such a pair the first four are not known.
 *
 * Sullivan's: |score of the best move at the iteration I from which on it was always first
 * - its score at I - 1| * I / 10; 0 when it was first from the lowest depth recorded on. Not known
 * when one of the two scores is missing, when that iteration is unknown, or when
 * the move is not first at the last depth.
 *
 * Cannot fail. Source: A section 3.1 and its note 7; methods section 2.
 */
void ipr_complexity(const struct ipr_trace *trace, struct ipr_complexity *out);

/** Depth that a search limited by time reached. */
struct ipr_depth_time {
    uint32_t time_ms; /* the limit; 0: the judge is not limited by time */
    uint16_t depth;
};

/**
 * Depth against time. With p(d, t) the share of the searches of t that reached depth d, pmax its
 * maximum at depth dmax (the lowest of several):
 *   C = (p(d,t) - pmax)/pmax for d <= dmax,  (pmax - p(d,t))/pmax for d >= dmax,
 * so that it is negative for a shallower and positive for a deeper search than most.
 *
 * moves[n]   all searches of one judge, the population that the shares are of; any order
 * out[n]     IPR_COMPLEXITY_DEPTH_TIME is written, the rest left alone; not known for a judge that
 *            is limited by depth or nodes
 *
 * Cannot fail. Source: A section 3.1.
 */
void ipr_complexity_depth_time(const struct ipr_depth_time *moves, size_t n,
                               struct ipr_complexity *out);

/** A turn's indicators beside the size of the error made in it. */
struct ipr_complexity_turn {
    int32_t game; /* cluster: turns of one game share it; any numbering */
    double loss;  /* pawns, finite, >= 0 */
    struct ipr_complexity complexity;
};

/** The reason for no correlation. */
enum ipr_complexity_status {
    IPR_COMPLEXITY_OK = 0,
    IPR_COMPLEXITY_NOT_AVAILABLE,  /* no turn has this indicator */
    IPR_COMPLEXITY_TOO_FEW,        /* one turn has it */
    IPR_COMPLEXITY_SAME_LOSS,      /* every loss is the same, such as none at all */
    IPR_COMPLEXITY_SAME_INDICATOR, /* the indicator is the same in every turn */
};

/** "ok", "not_available", "too_few", "same_loss", "same_indicator". */
const char *ipr_complexity_status_name(enum ipr_complexity_status status);

/** Correlation of one indicator with the loss. */
struct ipr_complexity_rho {
    enum ipr_complexity_status status;
    struct ipr_correlation rho; /* zero unless IPR_COMPLEXITY_OK; interval as it says there */
    size_t turns, games;        /* that have the indicator */
    size_t without;             /* turns that do not */
};

/**
 * Pearson's rho of every indicator with the loss over a set of turns: a player's, a group's, all
 * (A's Table 4), with its game-clustered interval.
 *
 * turns[n]   any order
 *
 * Cannot fail: `status` names missing indicators.
 *
 * For the coverage of the interval see stats/correlation.h.
 * Source: A section 4.1; methods section 2.
 */
void ipr_complexity_correlations(const struct ipr_complexity_turn *turns, size_t n,
                                 struct ipr_complexity_rho out[IPR_COMPLEXITY_KINDS]);

#endif
