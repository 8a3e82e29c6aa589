#ifndef IPR_VIEW_PREDICTION_POOL_H
#define IPR_VIEW_PREDICTION_POOL_H

#include "view/context.h"

/* The pool of Markov's matrices: the transitions of the calibration's own turns, which stand for a
 * row that a player lacks. It does not change with what is stored, so neither does a prediction. */

/**
 * Sets counts[classes->n ^ 2] and returns them; NULL where the context has no calibration, or one
 * without a pool: such rows are then the identity's.
 */
const double *ipr_predict_pool(const struct ipr_view_context *c,
                               const struct ipr_markov_classes *classes, double *counts);

/** Sets "pool", the calibration's name, and "pool_digest"; nulls and "pool_reason" without one. */
void ipr_predict_pool_json(const struct ipr_view_context *c, json_t *out);

#endif
