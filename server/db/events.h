#ifndef IPR_DB_EVENTS_H
#define IPR_DB_EVENTS_H

#include "db/db.h"

/** The id that means no event. */
#define IPR_EVENT_NONE 0

#include "queries/events.h"

/** Ids of events, new ones added, in the caller's transaction; out[n]. Any n; duplicates are
 * allowed. Rows are locked in the order of their digests. */
IPR_CHECK enum ipr_code ipr_db_events(struct ipr_db *db, const struct ipr_db_event *events,
                                      size_t n, int32_t *out, struct ipr_err *err);

#endif
