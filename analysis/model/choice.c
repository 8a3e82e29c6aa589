#include "model/choice.h"

#include "model/move_mark.h"
#include "model/regan_prob.h"

/* Adds `n` moves of probability p each and evaluation cp. */
static void choice_add(struct ipr_choice *sum, unsigned n, double p, int cp, int best, int played)
{
    sum->loss += n * p * (ipr_points(best) - ipr_points(cp));
    if (cp >= played)
        sum->as_good += n * p;
}

enum ipr_code ipr_choice(const struct ipr_rh_params *params, const struct ipr_turn *turn, double s,
                         double c, struct ipr_choice *out, struct ipr_err *err)
{
    struct ipr_rh_probs probs;
    struct ipr_rh_list list;
    const enum ipr_code rc = ipr_rh_probs(params, turn, s, c, &probs, err);

    if (rc != IPR_OK)
        return rc;
    ipr_rh_list(params, turn, &list);
    const int best = list.cp[0], played = list.extra ? list.extra_cp : list.cp[list.played];
    struct ipr_choice sum = { .played = probs.played };

    for (unsigned i = 0; i < list.lines; i++)
        choice_add(&sum, 1, probs.p[i], list.cp[i], best, played);
    choice_add(&sum, probs.tail, probs.tail_each, list.tail_cp, best, played);
    if (list.extra)
        choice_add(&sum, 1, probs.extra, list.extra_cp, best, played);
    *out = sum;
    return IPR_OK;
}
