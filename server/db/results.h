#ifndef IPR_DB_RESULTS_H
#define IPR_DB_RESULTS_H

#include "db/db.h"

/*
 * Strength from results (model/whr.h), fitted to all stored games with a known result and year, two
 * players, moves, and classical or unknown time control. Players are persons.
 *
 * Offset of a component, the persons whom games connect: if it has IPR_RESULTS_RATINGS player-years
 * with IPR_RESULTS_GAMES games and Elo in their tags in the IPR_RESULTS_SPAN years from its first
 * one since 1971, their mean difference; else the one that is shipped.
 */

#define IPR_RESULTS_VERSION 1
#define IPR_RESULTS_RATINGS 10
#define IPR_RESULTS_GAMES   30
#define IPR_RESULTS_SPAN    10
/** There are no strengths of more games than this, to limit memory to about 1 GB. */
#define IPR_RESULTS_GAMES_MAX 5000000

/** Fits and stores the strengths if results have changed, but takes at most a twentieth of the
 * time; to be called from time to time. Opens a transaction of its own. */
IPR_CHECK enum ipr_code ipr_db_results_fit(struct ipr_db *db, bool *fitted, struct ipr_err *err);

#include "db/players.h"
#include "queries/results.h"

#endif
