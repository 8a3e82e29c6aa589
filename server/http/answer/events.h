#ifndef IPR_HTTP_EVENTS_H
#define IPR_HTTP_EVENTS_H

#include "base/error.h"

struct ipr_http;
struct ipr_events;

/** Open streams at a time; one more gets 503 with Retry-After. */
#define IPR_EVENTS_MAX    256
#define IPR_EVENTS_BEAT_S 15

/** Starts the thread that queries the progress. */
IPR_CHECK enum ipr_code ipr_events_start(struct ipr_http *http, struct ipr_events **out,
                                         struct ipr_err *err);

/** Ends the thread and every stream, so that MHD can stop. New streams end at once. */
void ipr_events_quiesce(struct ipr_events *e);

/** Call after MHD has stopped. Accepts NULL inside. */
void ipr_events_free(struct ipr_events **e);

#endif
