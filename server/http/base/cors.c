#include "http/base/cors.h"

#include <string.h>

#include "http/base/reply.h"
#include "http/base/routes.h"

#define MAX_AGE_S "86400"

/* "https://chess.example", "http://127.0.0.1:3000": as browsers send it. */
static bool cors_is_origin(struct ipr_str s)
{
    const char *authority = memmem(s.p, s.n, "://", 3);

    if (authority == NULL || authority == s.p)
        return false;
    authority += 3;
    const size_t n = s.n - (size_t)(authority - s.p);
    return n > 0 && memchr(authority, '/', n) == NULL && memchr(s.p, '*', s.n) == NULL &&
           memchr(s.p, ',', s.n) == NULL;
}

enum ipr_code ipr_cors_check(const struct ipr_config *config, struct ipr_err *err)
{
    struct ipr_str list = ipr_str_c(config->origins), origin;

    while (ipr_str_word(&list, &origin))
        if (!cors_is_origin(origin))
            return ipr_err_set(err, IPR_EPARSE,
                               "INTRINSIC_ORIGINS: \"%.*s\" is not an origin such as "
                               "https://chess.example; several are separated by spaces",
                               (int)origin.n, origin.p);
    return IPR_OK;
}

bool ipr_cors_is_allowed(const struct ipr_req *req)
{
    const char *from = ipr_req_header(req, "Origin");
    struct ipr_str list = ipr_str_c(req->http->o.config->origins), origin;

    while (from != NULL && ipr_str_word(&list, &origin))
        if (ipr_str_is_like(origin, from))
            return true;
    return false;
}

static bool cors_applies(const struct ipr_req *req)
{
    return req->api || ipr_route_is_open(req);
}

void ipr_cors_preflight(struct ipr_req *req, const char *methods)
{
    const bool allowed = ipr_cors_is_allowed(req);

    if (!cors_applies(req))
        return;
    ipr_reply_header(req, "Access-Control-Allow-Methods", allowed ? methods : "GET, HEAD");
    ipr_reply_header(
        req, "Access-Control-Allow-Headers",
        allowed ? "Authorization, Content-Type, Idempotency-Key, If-None-Match, Prefer, Upload-Key"
                : "If-None-Match");
    ipr_reply_header(req, "Access-Control-Max-Age", MAX_AGE_S);
    ipr_reply_header(req, "Vary", "Origin");
}

void ipr_cors_answer(struct ipr_req *req)
{
    /* Without a route nothing is written: 404 and 405 may be read by all. */
    const bool open = ipr_req_is_read(req) || req->route == NULL;

    if (!cors_applies(req) || !(open || ipr_cors_is_allowed(req)))
        return;
    /* "*" suffices for tokens: they are in a header, not in credentials that a browser adds. */
    ipr_reply_header(req, "Access-Control-Allow-Origin", "*");
    ipr_reply_header(
        req, "Access-Control-Expose-Headers",
        "ETag, Idempotency-Replayed, Left-Out, Link, Location, RateLimit, RateLimit-Policy, "
        "Retry-After, X-Request-Id");
}
