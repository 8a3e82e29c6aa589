#include "http/concurrency.h"

enum ipr_code ipr_concurrency_begin(struct ipr_req *req, struct ipr_err *err)
{
    if (atomic_fetch_add(&req->http->heavy, 1) < IPR_CONCURRENCY_MAX) {
        req->heavy = true;
        return IPR_OK;
    }
    atomic_fetch_sub(&req->http->heavy, 1);
    return ipr_err_at(err, IPR_ERETRY, "busy_computing", 0, 0, -1,
                      "%d requests that take long to compute, as this one would, are under way. "
                      "Ask again when they are over.",
                      IPR_CONCURRENCY_MAX);
}

void ipr_concurrency_end(struct ipr_req *req)
{
    if (req->heavy)
        atomic_fetch_sub(&req->http->heavy, 1);
    req->heavy = false;
}
