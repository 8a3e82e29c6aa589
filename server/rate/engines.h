#ifndef IPR_RATE_ENGINES_H
#define IPR_RATE_ENGINES_H

#include "db/strength.h"
#include "rate/games.h"

/* Whose evaluations the ratings are of. */

/** The engine that has analysed a game for its rating; NULL: no engine of the setting with ratings.
 */
const struct ipr_judge *ipr_rate_engine(const struct ipr_rate_game *g);

/** Adds the engine of a game whose side has so much information to the equations in sums, and its
 * name. */
void ipr_rate_engine_add(const struct ipr_rate_game *g, double information,
                         struct ipr_db_strength *sums);

/** A line for each engine other than that of the calibration, with the error that it adds. */
void ipr_rate_engines_write(const struct ipr_rate_games *games, struct ipr_buf *out);

#endif
