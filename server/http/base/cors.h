#ifndef IPR_HTTP_CORS_H
#define IPR_HTTP_CORS_H

#include "http/base/request.h"

/*
 * Requests by pages of other sites. Reads of the API are open to all of them, without credentials.
 * Pages of the origins in INTRINSIC_ORIGINS may write, too, with a token.
 */

/** Checks the setting. IPR_EPARSE naming the part that is not an origin. */
IPR_CHECK enum ipr_code ipr_cors_check(const struct ipr_config *config, struct ipr_err *err);

/** True if the request comes from a page of a configured origin. */
bool ipr_cors_is_allowed(const struct ipr_req *req);

/** Headers of the answer to OPTIONS. `methods`: of the address, as Allow has them. */
void ipr_cors_preflight(struct ipr_req *req, const char *methods);

/** Headers of every answer. */
void ipr_cors_answer(struct ipr_req *req);

#endif
