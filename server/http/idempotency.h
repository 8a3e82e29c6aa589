#ifndef IPR_HTTP_IDEMPOTENCY_H
#define IPR_HTTP_IDEMPOTENCY_H

#include "http/request.h"

/*
 * Idempotency-Key (draft-ietf-httpapi-idempotency-key-header-07): a POST or PATCH that is sent
 * again with its key gets the answer of the first time, for a day, and does nothing. A request is
 * its method, address and body; a key belongs to the token it came with.
 *
 * Answers below 500 are kept. After any other, and after one of more than IPR_IDEMPOTENCY_MAX
 * bytes, the key is as new.
 */

#define IPR_IDEMPOTENCY_MAX ((size_t)1 << 20)

/** At the end of the body, before the handler: whether the request is answered by the key alone, by
 * *result. A problem: "idempotency_key_reused" (another request had it), "idempotency_key_running"
 * (the first one has no answer yet). */
bool ipr_idempotency_answers(struct ipr_req *req, enum MHD_Result *result);

/** Keeps the answer to a request with a key, before it is sent; nothing for others. `type` and
 * `body` NULL: an empty answer. */
void ipr_idempotency_keep(struct ipr_req *req, unsigned status, const char *type, const char *body,
                          size_t n);

/** When the request is over: gives up a key that has no answer. */
void ipr_idempotency_end(struct ipr_req *req);

#endif
