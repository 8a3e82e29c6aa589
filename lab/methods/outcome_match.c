#include "lab/methods/outcome_match.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"

static bool match_valid(const struct ipr_outcome_side *s)
{
    return isfinite(s->elo) && isfinite(s->se) && s->se >= 0;
}

enum ipr_code ipr_outcome_match(const struct ipr_outcome_model *model,
                                const struct ipr_outcome_side *first,
                                const struct ipr_outcome_side *second, double year, unsigned white,
                                unsigned black, double *chance, struct ipr_outcome_match *out,
                                struct ipr_err *err)
{
    const unsigned n = white + black, games[2] = { white, black };
    double *one;

    if (white > IPR_OUTCOME_GAMES || black > IPR_OUTCOME_GAMES || n < 1 || n > IPR_OUTCOME_GAMES ||
        !match_valid(first) || !match_valid(second) || !isfinite(year))
        return ipr_err_set(err, IPR_EINVAL, "match: games or strengths out of range");
    one = ipr_xcalloc(2 * (size_t)n + 1, sizeof *one);
    for (unsigned k = 0; k <= 2 * n; k++)
        chance[k] = 0;
    for (size_t i = 0; i < IPR_OUTCOME_NODES; i++)
        for (size_t j = 0; j < IPR_OUTCOME_NODES; j++)
            ipr_outcome_add(model, ipr_outcome_at_node(first, i), ipr_outcome_at_node(second, j),
                            year, games, ipr_outcome_weight[i] * ipr_outcome_weight[j] / M_PI, one,
                            chance);
    free(one);
    *out = ipr_outcome_summary(chance, n);
    return IPR_OK;
}
