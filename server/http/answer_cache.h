#ifndef IPR_HTTP_ANSWER_CACHE_H
#define IPR_HTTP_ANSWER_CACHE_H

#include "http/reply.h"

/*
 * Finished bodies of computed answers, keyed by the address as it was sent and by Accept, for as
 * long as the data they rest on have the same version (db/versions.h). Bounded in bytes; the least
 * recently used go first.
 *
 * The database is asked whether anything was written at most twenty times a second. As long as
 * nothing was, also not through this process, an answer that is here costs no question to it;
 * otherwise the version of the answer's own data is looked up, and when that is the same the answer
 * still holds. Simultaneous requests for one answer share one computation.
 */

struct ipr_answers;
struct ipr_cached; /* one body, counted */

/** `pool` must outlive the cache; NULL: no database, nothing is ever fresh. */
IPR_CHECK enum ipr_code ipr_answers_start(size_t max_bytes, struct ipr_db_pool *pool,
                                          struct ipr_answers **out, struct ipr_err *err);
/** After the last request. NULL inside is fine. */
void ipr_answers_free(struct ipr_answers **cache);

/** Something was written through this process: answers hold only if their own data have the same
 * version. */
void ipr_answers_written(struct ipr_answers *cache);

/** The answer to this request when it is here and fresh; NULL otherwise. */
struct ipr_cached *ipr_answers_fresh(struct ipr_req *req);

/** The place of the request's answer: with `digest`, that of its version, when it is here; else
 * empty, and to be filled by the caller, whom other requests for the same wait for, by
 * ipr_answers_put or ipr_answers_give_up. */
struct ipr_cached *ipr_answers_claim(struct ipr_req *req, const char *digest, bool *filled);
void ipr_answers_put(struct ipr_req *req, struct ipr_cached *c, const char *type, const char *link,
                     struct ipr_buf *body);
void ipr_answers_give_up(struct ipr_req *req, struct ipr_cached *c);

/** Answers by it, and releases it. */
enum MHD_Result ipr_answers_reply(struct ipr_req *req, struct ipr_cached *c);

/** Releases what ipr_answers_fresh gave, where no answer was made of it. */
void ipr_answers_drop(struct ipr_req *req);

/** For /metrics. */
struct ipr_answers_counts {
    size_t bytes, entries;
    uint64_t hits, misses;
};
struct ipr_answers_counts ipr_answers_counted(struct ipr_answers *cache);

#endif
