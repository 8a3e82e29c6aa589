#include "http/concurrency.h"

#include "http/rate_limit.h"

enum ipr_code ipr_concurrency_begin(struct ipr_req *req, struct ipr_err *err)
{
    const enum ipr_code rc = ipr_rate_limit_take(req, err);

    if (rc != IPR_OK)
        return rc;
    if (atomic_fetch_add(&req->http->heavy, 1) < IPR_CONCURRENCY_MAX) {
        req->heavy = true;
        return IPR_OK;
    }
    atomic_fetch_sub(&req->http->heavy, 1);
    return ipr_err_at(err, IPR_ERETRY, "busy_computing", 0, 0, -1,
                      "%d costly requests are being computed, which is the limit; retry later",
                      IPR_CONCURRENCY_MAX);
}

void ipr_concurrency_end(struct ipr_req *req)
{
    if (req->heavy)
        atomic_fetch_sub(&req->http->heavy, 1);
    req->heavy = false;
}
