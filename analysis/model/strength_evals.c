#include "model/strength_evals.h"

/* `make evals` writes the constants. */
const struct ipr_strength_shipped ipr_strength_evals = {
#include "model/strength_evals.inc"
};

bool ipr_evals_add(const struct ipr_evals_move *move, struct ipr_strength_score *sum)
{
    const struct ipr_strength_model *m = &ipr_strength_evals.model;
    struct ipr_strength_turn t = { .ply = move->ply,
                                   .legal = move->legal,
                                   .repeated = move->repeated };
    double x[IPR_STRENGTH_FEATURES];

    t.cp[0][IPR_STRENGTH_DEPTHS - 1] = move->best;
    if (!ipr_strength_counts(&t))
        return false;
    ipr_strength_bare_features(&t, x);
    ipr_strength_bare_scale(m, x);
    const struct ipr_strength_score s = ipr_strength_bare_score(m, x, move->best - move->after);
    sum->score += s.score;
    sum->information += s.information;
    return true;
}
