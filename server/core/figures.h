#ifndef IPR_CORE_FIGURES_H
#define IPR_CORE_FIGURES_H

#include "base/mem.h"
#include "uci/judge.h"

/** A score limited to +-IPR_CP_LIMIT; mates are at the limit. */
int16_t ipr_figures_clamp(int16_t score);

#define IPR_FIGURES_NONE INT16_MIN

/** Maximum lines of a judge whose sides can be stored as figures: with more lines, some methods
 * need all of them. */
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

/** The final evaluation of the second line, within +-IPR_CP_LIMIT; IPR_FIGURES_NONE if there is
 * only one legal move or the judge has one line. */
int16_t ipr_figures_second(const struct ipr_judged_turn *t, unsigned multipv);

/** A turn of these values and that of its second line: of one depth, and its `moves` are NULL. */
struct ipr_judged_turn ipr_turn_of_figures(const struct ipr_turn_figures *f, int colour,
                                           int16_t second, struct ipr_arena *mem);

/** Stored scores and information are integers in units of 1/IPR_STRENGTH_UNIT, so that subtracting
 * a side from a sum leaves no rounding error. */
#define IPR_STRENGTH_UNIT 1e6

/** Sums over the moves of a side, from which its rating is computed (model/strength.h), in units of
 * 1/IPR_STRENGTH_UNIT. */
struct ipr_side_sums {
    int version; /* of the estimate; 0: no sums; negative: of evaluations in a file
                    (core/file_evals.h), which are in no aggregate */
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
