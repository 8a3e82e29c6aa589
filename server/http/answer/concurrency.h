#ifndef IPR_HTTP_CONCURRENCY_H
#define IPR_HTTP_CONCURRENCY_H

#include "http/base/request.h"

/*
 * Answers that take longer than half a second to compute: ratings with `include`, ratings of a
 * scope that is not cached and may be a whole career, reports of events with many players. Each
 * occupies a thread of the compute pool and a connection to the database, so only a few are
 * computed at a time, and further ones get 503 with Retry-After: the rest of the pool stays free
 * for other requests.
 */

#define IPR_CONCURRENCY_MAX   2  /* at a time in this process, of IPR_COMPUTE_THREADS */
#define IPR_STREAMS_OF_CLIENT 16 /* at a time */

/** Called by a resource before it computes such an answer. IPR_ERETRY "busy_computing" when
 * IPR_CONCURRENCY_MAX others are computed, "rate_limited" when the client has used its quota.
 * ipr_concurrency_end ends it. */
IPR_CHECK enum ipr_code ipr_concurrency_begin(struct ipr_req *req, struct ipr_err *err);

/** Call when the computation has ended or failed; does nothing for a request that was not
 * admitted. */
void ipr_concurrency_end(struct ipr_req *req);

/** Admits a stream, of rows, which holds a page of them for as long as its client reads, or of
 * events. IPR_ERETRY
 * "rate_limited" when the client has IPR_STREAMS_OF_CLIENT of them. */
IPR_CHECK enum ipr_code ipr_concurrency_stream(struct ipr_req *req, struct ipr_err *err);
/** Call when the client has it all or has gone; does nothing for a request that was not admitted.
 */
void ipr_concurrency_stream_end(struct ipr_req *req);

#endif
