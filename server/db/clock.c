#include "db/clock.h"

#include "db/reports.h"
#include "queries/clock_inside.h"

/* Less is no jump of the clock: adjustments by NTP, and what a query takes. */
#define CLOCK_SLACK_US 1000000

static enum ipr_code clock_settle(struct ipr_db *db, void *arg, struct ipr_err *err)
{
    const bool *service = arg;
    const enum ipr_code rc = ipr_db_clock_settle_jobs(db, err);

    return rc == IPR_OK && *service ? ipr_db_clock_settle_rest(db, err) : rc;
}

enum ipr_code ipr_db_clock_check(struct ipr_db *db, struct ipr_db_clock *clock, struct ipr_err *err)
{
    int64_t now = 0;
    bool service = false;
    enum ipr_code rc = ipr_db_clock_us(db, &now, &service, err);
    const int64_t back = clock->us - now;
    const bool first = clock->us == 0;

    if (rc == IPR_OK && (first || back > CLOCK_SLACK_US))
        rc = ipr_db_tx(db, clock_settle, &service, err);
    if (rc != IPR_OK)
        return rc;
    *clock = (struct ipr_db_clock){ .us = now, .back_us = first || back < 0 ? 0 : back };
    return IPR_OK;
}
