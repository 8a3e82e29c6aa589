#ifndef IPR_DB_MONITOR_H
#define IPR_DB_MONITOR_H

#include "db/db.h"

/* What those look at who keep judging going; nothing here is changed. */
#include "queries/monitor.h"

/** What a turn took judges of this name lately, in seconds of one engine, turns that were known
 * among them; below 0: nothing was measured. */
IPR_CHECK enum ipr_code ipr_db_turn_cost(struct ipr_db *db, const char *judge, double *seconds,
                                         struct ipr_err *err);

#endif
