#ifndef IPR_DB_RESULTS_H
#define IPR_DB_RESULTS_H

#include "db/db.h"
#include "model/whr_scale.h"

/*
 * Strength from results (model/whr.h), fitted to all stored games with a known result and year, two
 * players, moves, and classical or unknown time control. Players are persons.
 *
 * Each component, the persons whom games connect, is on the scale of the Elo in its own tags since
 * 1971 (model/whr_scale.h, with the constants of model/results_shipped.h). Without enough of them
 * it is on the scale of no list. With them the first years of players of whom too little is known
 * have no strength: it would often be far too high, and pages, charts and chances take it for an
 * Elo.
 */

#define IPR_RESULTS_VERSION 3
/** There are no strengths of more games than this, to limit memory to about 1 GB. */
#define IPR_RESULTS_GAMES_MAX 5000000

/** Fits and stores the strengths if results have changed, but takes at most a twentieth of the
 * time; to be called from time to time. Opens a transaction of its own. */
IPR_CHECK enum ipr_code ipr_db_results_fit(struct ipr_db *db, bool *fitted, struct ipr_err *err);

#include "db/players.h"
#include "queries/results.h"

/** The scale of a component; without ratings: on the scale of no list. */
IPR_CHECK enum ipr_code ipr_db_results_scale(struct ipr_db *db, int32_t component,
                                             struct ipr_whr_scale *out, struct ipr_err *err);

#endif
