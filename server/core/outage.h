#ifndef IPR_CORE_OUTAGE_H
#define IPR_CORE_OUTAGE_H

#include <stdbool.h>
#include <stdint.h>

/**
 * Something that is tried again and again and may fail for hours (the database is away), told as
 * lines of the log that a person reads: when it begins, once a minute while it lasts, when it is
 * over. Zero but for the names; one thread's. Times are milliseconds of any monotonic clock.
 */
struct ipr_outage {
    const char *begins, *ends; /* events of the log */
    int64_t since, last, told; /* the first failure, the latest, the latest line */
    uint64_t failures;         /* in all; 0: all is well */
    uint64_t untold;           /* since the latest line */
};

/** A failure: of what, and why, in one line. */
void ipr_outage_failed(struct ipr_outage *o, const char *what, const char *msg, int64_t now_ms);

/** Something went well. The outage is over when nothing has failed for a while: what is tried may
 * be several things, of which some fail. */
void ipr_outage_worked(struct ipr_outage *o, int64_t now_ms);

#endif
