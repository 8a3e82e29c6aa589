#include "db/contribution.h"

#include "model/window.h"

void ipr_contribution_count(struct ipr_contribution *c, const struct ipr_turn_figures *f)
{
    const struct ipr_window w = ipr_window_default(IPR_WINDOW_CONFORMANCE);

    c->turns++;
    if (f->ply / 2u + 1u < w.first_move || f->legal <= 1)
        return;
    c->counted++;
    c->at_0 += f->best_cp == f->played_cp;
    c->at_30 += f->best_cp - f->played_cp <= 30;
}

void ipr_contribution_add(struct ipr_contribution *c, const struct ipr_judged_turn *t)
{
    const struct ipr_turn_figures f = ipr_turn_figures_of(t);

    ipr_contribution_count(c, &f);
    c->nodes += (int64_t)t->nodes;
}

void ipr_contribution_sum(struct ipr_contribution *to, const struct ipr_contribution *c, int sign)
{
    to->turns += sign * c->turns;
    to->counted += sign * c->counted;
    to->at_0 += sign * c->at_0;
    to->at_30 += sign * c->at_30;
    to->nodes += sign * c->nodes;
    to->strength_score += sign * c->strength_score;
    to->strength_information += sign * c->strength_information;
    to->strength_moves += sign * c->strength_moves;
}
