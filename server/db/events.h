#ifndef IPR_DB_EVENTS_H
#define IPR_DB_EVENTS_H

#include "db/db.h"

/** The event that stands for none. */
#define IPR_EVENT_NONE 0

struct ipr_db_event {
    const char *name; /* "" for none */
    int year;         /* 0 unknown */
};

/** Ids of events, new ones added, in the caller's transaction; out[n]. Any n; doubles are fine.
 * Rows are locked in the order of their digests. */
IPR_CHECK enum ipr_code ipr_db_events(struct ipr_db *db, const struct ipr_db_event *events,
                                      size_t n, int32_t *out, struct ipr_err *err);

/** An event by its id, name in mem; IPR_ENOTFOUND. */
IPR_CHECK enum ipr_code ipr_db_event_get(struct ipr_db *db, int32_t id, struct ipr_arena *mem,
                                         struct ipr_db_event *out, struct ipr_err *err);

#endif
