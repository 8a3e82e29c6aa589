#ifndef IPR_HTTP_IDEMPOTENCY_H
#define IPR_HTTP_IDEMPOTENCY_H

#include "db/idempotency.h"
#include "http/base/request.h"

/*
 * Idempotency-Key (draft-ietf-httpapi-idempotency-key-header-07): a POST or PATCH that is repeated
 * with its key within a day gets the first answer and does nothing. A request is its method,
 * address and body; a key belongs to the token it was sent with.
 *
 * Answers below 500 are stored. After any other, and after one of more than IPR_IDEMPOTENCY_MAX
 * bytes, the key counts as new.
 */

#define IPR_IDEMPOTENCY_MAX ((size_t)1 << 20)

/** Call at the end of the body, before the handler: whether the key alone decides the answer. It is
 * *problem, "idempotency_key_reused" (another request had it) or "idempotency_key_running" (the
 * first one has no answer yet), or, where that has no status, *answer again. */
bool ipr_idempotency_decides(struct ipr_req *req, struct ipr_db_answer *answer,
                             struct ipr_problem *problem);

/** Stores the answer to a request with a key, before it is sent; does nothing for others. `type`
 * and `body` NULL: an empty answer. */
void ipr_idempotency_keep(struct ipr_req *req, unsigned status, const char *type, const char *body,
                          size_t n);

/** Call when the request is over: releases a key without an answer. */
void ipr_idempotency_end(struct ipr_req *req);

#endif
