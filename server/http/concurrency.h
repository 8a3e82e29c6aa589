#ifndef IPR_HTTP_CONCURRENCY_H
#define IPR_HTTP_CONCURRENCY_H

#include "http/request.h"

/*
 * Answers that take longer than half a second to compute: ratings with `include`, ratings of a
 * scope that is not kept and may be a whole career, reports of events with more players than usual.
 * Each holds a thread of the pool and a connection to the database, so that a few of them at a time
 * are computed and the others told to come again: the rest of the pool answers everybody else.
 */

#define IPR_CONCURRENCY_MAX 2 /* at a time in this process, of 8 threads */

/** Called by a resource before it computes such an answer. IPR_ERETRY "busy_computing" when
 * IPR_CONCURRENCY_MAX others are computed, "rate_limited" when the client had its share. What was
 * given is given back by ipr_concurrency_end. */
IPR_CHECK enum ipr_code ipr_concurrency_begin(struct ipr_req *req, struct ipr_err *err);

/** Once the resource is computed, or is not; nothing for a request that was not given a place. */
void ipr_concurrency_end(struct ipr_req *req);

#endif
