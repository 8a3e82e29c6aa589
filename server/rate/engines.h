#ifndef IPR_RATE_ENGINES_H
#define IPR_RATE_ENGINES_H

#include "model/strength_engines.h"
#include "rate/games.h"

/* Whose evaluations the ratings are of. */

/** The engine that has analysed a game for its rating; NULL: no engine of the setting with ratings.
 */
const struct ipr_judge *ipr_rate_engine(const struct ipr_rate_game *g);

/** Of two such engines, of which the first may be NULL, the one whose ratings have the wider error.
 */
const struct ipr_judge *ipr_rate_engine_wider(const struct ipr_judge *a, const struct ipr_judge *b);

/** A line for each engine other than that of the calibration, with the error that it adds. */
void ipr_rate_engines_write(const struct ipr_rate_games *games, struct ipr_buf *out);

#endif
