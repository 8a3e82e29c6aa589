#ifndef IPR_DB_LISTED_YEARS_H
#define IPR_DB_LISTED_YEARS_H

#include "db/db.h"

/** The stored list of player-years and careers of a judge and of these classes of time control,
 * with their ratings, up to date: what has changed since the last call is computed again. `times`
 * is a set of IPR_TIME_BIT. */
IPR_CHECK enum ipr_code ipr_db_year_list(struct ipr_db *db, int32_t judge_id, unsigned times,
                                         int32_t *id, struct ipr_err *err);

#include "queries/listed_years.h"

#endif
