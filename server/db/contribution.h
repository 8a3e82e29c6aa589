#ifndef IPR_DB_CONTRIBUTION_H
#define IPR_DB_CONTRIBUTION_H

#include "core/figures.h"

/** The contribution of one judged side to the aggregates of its player-year and its judge. */
struct ipr_contribution {
    int32_t turns;
    int32_t counted, at_0, at_30; /* in the window of the conformance methods */
    int64_t nodes;
    /* Sums from which the rating is computed (model/strength.h), in millionths, and the number of
     * moves in them. */
    int64_t strength_score, strength_information;
    int32_t strength_moves;
};

/** Adds a turn: _count without its nodes, _add with them. Window: from move 10 (ply >= 18), more
 * than one legal move. */
void ipr_contribution_count(struct ipr_contribution *c, const struct ipr_turn_figures *f);
void ipr_contribution_add(struct ipr_contribution *c, const struct ipr_judged_turn *t);

/** Adds sign times `c`. */
void ipr_contribution_sum(struct ipr_contribution *to, const struct ipr_contribution *c, int sign);

#endif
