#ifndef IPR_MODEL_STRENGTH_ONLINE_H
#define IPR_MODEL_STRENGTH_ONLINE_H

#include "model/strength_shipped.h"

/** Ratings of lichess in rapid, from evaluations in files (docs/pools.md). `results`, `null_sets`
 * and `opponents_sd` are not known of this pool. */
extern const struct ipr_strength_shipped ipr_strength_online_rapid;

#endif
