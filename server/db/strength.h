#ifndef IPR_DB_STRENGTH_H
#define IPR_DB_STRENGTH_H

#include "db/contribution.h"
#include "db/games.h"
#include "db/players.h"
#include "db/turns.h"
#include "model/strength_shipped.h"

/** Name of the judge whose evaluations tell strength. */
#define IPR_STRENGTH_JUDGE "rating"

/** Stored scores and information are integers in units of 1/IPR_STRENGTH_UNIT, so that what was
 * added can be subtracted without a rest. */
#define IPR_STRENGTH_UNIT 1e6

/** Whether evaluations by a judge are what the estimate of strength is fitted to: the search of
 * the built-in `rating` by the same engine and network. */
bool ipr_judge_tells_strength(const struct ipr_judge *judge);

/** Sets strength_score, strength_information and strength_moves of White's and Black's side. */
void ipr_side_strength(const struct ipr_db_game *game, const struct ipr_judged_game *judged,
                       struct ipr_contribution side[2]);

/** The rating of stored sums, from the prior that it ships with. */
struct ipr_strength_estimate ipr_strength_of_stored(int64_t score, int64_t information);

/** Computes those of a stored game again, and the aggregates of its sides, in the caller's
 * transaction: what a side tells depends on the moves between its own. */
IPR_CHECK enum ipr_code ipr_db_strength_renew_game(struct ipr_db *db, int64_t game_id,
                                                   int32_t judge_id, struct ipr_err *err);

/** The same of all games that have them not of this version of the estimate: after an upgrade. A
 * transaction each; `n` counts them. */
IPR_CHECK enum ipr_code ipr_db_strength_renew(struct ipr_db *db, unsigned *n, struct ipr_err *err);

#include "queries/strength.h"

#endif
