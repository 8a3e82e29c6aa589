#ifndef IPR_CORE_FIGURES_H
#define IPR_CORE_FIGURES_H

#include "uci/judge.h"

/** Within +-IPR_CP_LIMIT; a mate is the limit. */
int16_t ipr_figures_clamp(int16_t score);

#define IPR_FIGURES_NONE INT16_MIN

/** Lines of a judge at most: with more, the methods expect all of them. */
#define IPR_FIGURES_LINES 2

/** The values of a turn that do not need its moves. */
struct ipr_turn_figures {
    uint16_t ply;
    uint8_t legal;
    bool repeated;
    int16_t best_cp, played_cp; /* final evaluations of the best move and of the move played, within
                                   +-IPR_CP_LIMIT; equal if the move played was searched separately
                                   and is better than the first line */
};
struct ipr_turn_figures ipr_turn_figures_of(const struct ipr_judged_turn *t);

/** The final evaluation of the second line, limited in the same way; IPR_FIGURES_NONE with one
 * legal move, or if the judge has one line. */
int16_t ipr_figures_second(const struct ipr_judged_turn *t, unsigned multipv);

/** Sums over the moves of a side that its rating rests on (model/strength.h), millionths. */
struct ipr_side_sums {
    int version; /* of the estimate; 0: there are none */
    int64_t score, information;
    int32_t moves;
};

/** The values of a judged side that do not need its moves: every turn from the judge's first move
 * on. */
struct ipr_side_figures {
    struct ipr_turn_figures *turns; /* [n], ascending ply */
    int16_t *second;                /* [n], ipr_figures_second */
    size_t n;
    struct ipr_side_sums sums;
};

#endif
