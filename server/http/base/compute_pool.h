#ifndef IPR_HTTP_COMPUTE_POOL_H
#define IPR_HTTP_COMPUTE_POOL_H

#include "http/base/request.h"

/*
 * Threads that compute answers. The connection is suspended meanwhile, so that libmicrohttpd's
 * threads only receive and send: a slow answer delays no other connection of its thread. Clients
 * take turns, however many requests each of them has waiting.
 */

#define IPR_COMPUTE_THREADS   8
#define IPR_COMPUTE_OF_CLIENT 4 /* at a time, so that others find a free one */

struct ipr_compute_pool;

/** IPR_EIO when a thread cannot be started. */
IPR_CHECK enum ipr_code ipr_compute_pool_start(struct ipr_compute_pool **out, struct ipr_err *err);

/** Suspends the connection and calls work(arg) on a thread of the pool. If that returns true the
 * connection is resumed; if false, someone else calls ipr_compute_resume or ipr_compute_again, and
 * may have done so already. After this only `work` uses the request. False when the service stops:
 * nothing is suspended, and the caller does the work itself. */
bool ipr_compute_put(struct ipr_req *req, bool (*work)(void *arg), void *arg);

/** The work is done: libmicrohttpd calls the handler again. */
void ipr_compute_resume(struct ipr_req *req);
/** The same work again, for a request that is still suspended. */
void ipr_compute_again(struct ipr_req *req);

/** Call when the answer is sent, or is a stream that has begun: the service does not wait for it
 * any longer when it stops. Does nothing for a request that was not handed over. */
void ipr_compute_end(struct ipr_req *req);

/** Finishes all work, and waits briefly for the answers: nothing is suspended afterwards. */
void ipr_compute_pool_quiesce(struct ipr_compute_pool *pool);

/** Call after stopping MHD, whose connections refer to it. Accepts NULL inside. */
void ipr_compute_pool_free(struct ipr_compute_pool **pool);

#endif
