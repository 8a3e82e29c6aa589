#include "db/contribution.h"

#include "model/markov.h"
#include "model/turn.h"
#include "model/window.h"

int16_t ipr_contribution_clamp(int16_t score)
{
    const int limit = IPR_CP_LIMIT, high = score > limit ? limit : score;

    return (int16_t)(high < -limit ? -limit : high);
}

void ipr_contribution_cp(const struct ipr_judged_turn *t, int16_t *best_cp, int16_t *played_cp)
{
    const int16_t best = ipr_contribution_clamp(ipr_judged_final(t, 0));
    const int16_t played = ipr_contribution_clamp(ipr_judged_final(t, t->played));

    *best_cp = best;
    if (played > best)
        *best_cp = played;
    *played_cp = played;
}

static bool in_window(const struct ipr_judged_turn *t)
{
    const struct ipr_window w = ipr_window_default(IPR_WINDOW_CONFORMANCE);

    return t->ply / 2u + 1u >= w.first_move && t->legal > 1;
}

void ipr_contribution_add(struct ipr_contribution *c, const struct ipr_judged_turn *t)
{
    const struct ipr_markov_classes classes = ipr_markov_classes_19();
    int16_t best, played;

    c->turns++;
    c->nodes += (int64_t)t->nodes;
    if (!in_window(t))
        return;
    ipr_contribution_cp(t, &best, &played);
    c->counted++;
    c->at_0 += best == played;
    c->at_30 += best - played <= 30;
    c->transitions[ipr_markov_class(&classes, best) * IPR_TRANSITION_CLASSES +
                   ipr_markov_class(&classes, played)]++;
}
