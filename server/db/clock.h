#ifndef IPR_DB_CLOCK_H
#define IPR_DB_CLOCK_H

#include "db/db.h"

/** The database's clock, by which leases end and back-offs are over. Zero at first. */
struct ipr_db_clock {
    int64_t us;      /* when it was looked at */
    int64_t back_us; /* what it had gone back since the time before */
};

/** Looks at it. The first time, and when it has gone back, everything that would wait for a time
 * that is far off is made due, and what seems to be alive for that reason is not. */
IPR_CHECK enum ipr_code ipr_db_clock_check(struct ipr_db *db, struct ipr_db_clock *clock,
                                           struct ipr_err *err);

#endif
