#include "db/contribution.h"

#include "model/turn.h"
#include "model/window.h"

int16_t ipr_contribution_clamp(int16_t score)
{
    const int limit = IPR_CP_LIMIT, high = score > limit ? limit : score;

    return (int16_t)(high < -limit ? -limit : high);
}

struct ipr_turn_figures ipr_turn_figures_of(const struct ipr_judged_turn *t)
{
    const int16_t best = ipr_contribution_clamp(ipr_judged_final(t, 0));
    const int16_t played = ipr_contribution_clamp(ipr_judged_final(t, t->played));

    return (struct ipr_turn_figures){
        .ply = t->ply,
        .legal = t->legal,
        .repeated = t->repeated,
        .best_cp = played > best ? played : best,
        .played_cp = played,
    };
}

static bool in_window(int ply, int legal)
{
    const struct ipr_window w = ipr_window_default(IPR_WINDOW_CONFORMANCE);

    return (unsigned)ply / 2u + 1u >= w.first_move && legal > 1;
}

void ipr_contribution_count(struct ipr_contribution *c, const struct ipr_turn_figures *f)
{
    c->turns++;
    if (!in_window(f->ply, f->legal))
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
