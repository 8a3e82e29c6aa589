#ifndef IPR_HTTP_ANSWER_CACHE_H
#define IPR_HTTP_ANSWER_CACHE_H

#include "http/base/reply.h"

/*
 * Finished bodies of computed answers, keyed by the address as it was sent and by Accept, for as
 * long as their data have the same version (db/versions.h). Bounded in bytes; the least recently
 * used are removed first.
 *
 * The version of the store is queried at most twenty times a second. While it is unchanged, and
 * nothing was written through this process, a cached answer needs no query; otherwise the version
 * of the answer's own data is queried, and the answer is still valid if that is unchanged.
 * Simultaneous requests for one answer share one computation.
 */

struct ipr_answers;
struct ipr_cached; /* one body, counted */

/** `pool` must outlive the cache; NULL: no database, nothing is ever fresh. */
IPR_CHECK enum ipr_code ipr_answers_start(size_t max_bytes, struct ipr_db_pool *pool,
                                          struct ipr_answers **out, struct ipr_err *err);
/** After the last request. Accepts NULL inside. */
void ipr_answers_free(struct ipr_answers **cache);

/** The cached answer to this request if it is fresh; NULL otherwise. */
struct ipr_cached *ipr_answers_fresh(struct ipr_req *req);

/** The entry of the request's answer: filled, if the answer of the version `digest` is cached; else
 * empty, and the caller must end it by ipr_answers_put or ipr_answers_give_up. NULL: another
 * request is computing it, which ipr_answers_wait waits for. */
struct ipr_cached *ipr_answers_claim(struct ipr_req *req, const char *digest, bool *filled);
/** True if the request, whose connection is suspended, now waits for that answer: then only its
 * thread uses it. It is resumed with the answer in req->cached, or if there is none its own work is
 * done again (http/base/compute_pool.h). False: the other request has ended; claim again. */
bool ipr_answers_wait(struct ipr_req *req, const char *digest);
void ipr_answers_put(struct ipr_req *req, struct ipr_cached *c, const char *type, const char *link,
                     struct ipr_buf *body);
void ipr_answers_give_up(struct ipr_req *req, struct ipr_cached *c);

/** Answers by it, and releases it. */
enum MHD_Result ipr_answers_reply(struct ipr_req *req, struct ipr_cached *c);

/** Releases a result of ipr_answers_fresh that was not sent. */
void ipr_answers_drop(struct ipr_req *req);

/** For /metrics. */
struct ipr_answers_counts {
    size_t bytes, entries;
    uint64_t hits, misses;
};
struct ipr_answers_counts ipr_answers_counted(struct ipr_answers *cache);

#endif
