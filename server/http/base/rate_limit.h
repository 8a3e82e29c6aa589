#ifndef IPR_HTTP_RATE_LIMIT_H
#define IPR_HTTP_RATE_LIMIT_H

#include "http/base/request.h"

/*
 * Costly requests a minute by client address (INTRINSIC_RATE_LIMIT): a token bucket each, which
 * holds the quota of a minute. IPv6 clients are counted by network of 64 bits. Behind a trusted
 * proxy the client is whom that names (http/base/client.h).
 *
 * The table is of fixed size; if it is full the client that used least is removed.
 */

struct ipr_rate_limit;

/** `per_minute` 0: no limit. */
struct ipr_rate_limit *ipr_rate_limit_new(int64_t per_minute);
void ipr_rate_limit_free(struct ipr_rate_limit **limit);

/** Counts one costly request, and sets RateLimit and RateLimit-Policy
 * (draft-ietf-httpapi-ratelimit-headers-10) to the rest of the quota. IPR_ERETRY "rate_limited",
 * with Retry-After, when it is used up. */
IPR_CHECK enum ipr_code ipr_rate_limit_take(struct ipr_req *req, struct ipr_err *err);

/** For a bucket that holds `quota` and refills in a minute. */
struct ipr_rate_bucket {
    double tokens;
    int64_t at_us; /* time at which it had that many */
};

/** Takes a token at `now_us`; false when there is none. */
bool ipr_rate_bucket_take(struct ipr_rate_bucket *bucket, int64_t quota, int64_t now_us);

/** Seconds, rounded up, until it has so many. */
int64_t ipr_rate_bucket_wait_s(const struct ipr_rate_bucket *bucket, int64_t quota, double tokens);

#endif
