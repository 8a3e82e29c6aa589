#ifndef IPR_MODEL_STRENGTH_EVALS_H
#define IPR_MODEL_STRENGTH_EVALS_H

#include "model/strength_shipped.h"

/* Strength from one evaluation a position, as files of other programs have them: the estimator of
 * the rating without what such evaluations do not tell. docs/benchmark.md, "Evaluations in files".
 */

/** A move of which only these are known; evaluations from the mover's view, within +-1000. */
struct ipr_evals_move {
    uint16_t ply;
    uint8_t legal;
    bool repeated;
    int16_t best, after; /* before the move and after it: `after` may be greater */
};

/** Adds a move's score and information; false: it does not count. */
bool ipr_evals_add(const struct ipr_evals_move *move, struct ipr_strength_score *sum);

/** The fit: its curve is that of evaluations of unknown depth from 12 on, and its errors include
 * that the depth is unknown. `results` and `null_sets` are not tested for such evaluations. */
extern const struct ipr_strength_shipped ipr_strength_evals;

/** Depth that a file must tell at least, if it tells one. */
#define IPR_EVALS_DEPTH 12

#endif
