#ifndef IPR_LAB_OUTCOME_FIT_H
#define IPR_LAB_OUTCOME_FIT_H

#include "model/outcome.h"

struct ipr_outcome_result {
    double white, black, year; /* Elo, Elo, year; finite */
    int halves;                /* White's score in half points: 0, 1, 2 */
};

/**
 * Maximum likelihood by Fisher scoring.
 *
 * game[n]    game[i] is used if take[i]; all games are if `take` is NULL
 * use        the terms to fit; the others are 0
 * model      in: starting values and the link; out: the fit, untouched on error
 *
 * IPR_EINVAL if a game used is outside the domain above; IPR_EDATA if no game is used or the terms
 * are collinear; IPR_ENOCONV if there is no maximum after 50 steps or a step is not finite.
 */
IPR_CHECK enum ipr_code ipr_outcome_fit(const struct ipr_outcome_result *game, const bool *take,
                                        size_t n, const bool use[IPR_OUTCOME_TERMS],
                                        struct ipr_outcome_model *model, struct ipr_err *err);

#endif
