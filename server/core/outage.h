#ifndef IPR_CORE_OUTAGE_H
#define IPR_CORE_OUTAGE_H

#include <stdint.h>

/** Logs an outage, something that is retried and may fail for hours (no database), in few lines:
 * when it begins, once a minute, and when it is over. Zero except for the names; for one thread.
 * Times are milliseconds of any monotonic clock.
 */
struct ipr_outage {
    const char *begins, *ends;   /* names of the log events */
    int64_t since, last, logged; /* first failure, latest failure, latest log line */
    uint64_t failures;           /* in total; 0: no outage */
    uint64_t unlogged;           /* since the latest log line */
};

/** Records a failure: of what, and why, in one line. */
void ipr_outage_failed(struct ipr_outage *o, const char *what, const char *msg, int64_t now_ms);

/** Records a success. The outage is over when nothing has failed for a while, since of several
 * operations only some may fail. */
void ipr_outage_worked(struct ipr_outage *o, int64_t now_ms);

#endif
