#ifndef IPR_MODEL_OUTCOME_FIT_H
#define IPR_MODEL_OUTCOME_FIT_H

#include "model/outcome.h"

struct ipr_outcome_result {
    double white, black, year; /* Elo, Elo, year; finite */
    int halves;                /* points of White: 0, 1, 2 halves */
};

/**
 * Maximum likelihood by Fisher's scoring.
 *
 * game[n]    those with take[i], all where it is NULL
 * use        the terms that are fitted; the others are 0
 * model      in: where to start, and the link; out: the fit, untouched on error
 *
 * IPR_EINVAL if a game that is taken is outside the domain above; IPR_EDATA if none is taken or a
 * term is not independent of the others; IPR_ENOCONV without a maximum after 50 steps, or where a
 * step is not finite.
 */
IPR_CHECK enum ipr_code ipr_outcome_fit(const struct ipr_outcome_result *game, const bool *take,
                                        size_t n, const bool use[IPR_OUTCOME_TERMS],
                                        struct ipr_outcome_model *model, struct ipr_err *err);

#endif
