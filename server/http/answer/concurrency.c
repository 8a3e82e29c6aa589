#include "http/answer/concurrency.h"

#include "edge/address.h"
#include "http/base/client.h"
#include "http/base/rate_limit.h"
#include "http/base/reply.h"
#include "http/base/routes.h"

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
    return ipr_err_type(err, IPR_ERETRY, "busy_computing",
                        "%d costly requests are being computed, which is the limit; retry later",
                        IPR_CONCURRENCY_MAX);
}

void ipr_concurrency_end(struct ipr_req *req)
{
    if (req->heavy)
        atomic_fetch_sub(&req->http->heavy, 1);
    req->heavy = false;
}

enum ipr_code ipr_concurrency_stream(struct ipr_req *req, struct ipr_err *err)
{
    struct ipr_http *http = req->http;
    const struct ipr_req *other;
    unsigned n = 0;

    pthread_mutex_lock(&http->streams.lock);
    LIST_FOREACH(other, &http->streams.list, stream_link)
        n += ipr_address_same(&other->client, &req->client) &&
             !ipr_client_hung_up(
                 MHD_get_connection_info(other->conn, MHD_CONNECTION_INFO_CONNECTION_FD)
                     ->connect_fd); /* the library notices that at the next beat */
    req->streams = n < IPR_STREAMS_OF_CLIENT;
    if (req->streams)
        LIST_INSERT_HEAD(&http->streams.list, req, stream_link);
    pthread_mutex_unlock(&http->streams.lock);
    if (req->streams)
        return IPR_OK;
    ipr_reply_header(req, "Retry-After", "5");
    return ipr_err_type(err, IPR_ERETRY, "rate_limited",
                        "%d streams of lists or events are open from this address, which is the "
                        "limit; retry later",
                        IPR_STREAMS_OF_CLIENT);
}

void ipr_concurrency_stream_end(struct ipr_req *req)
{
    if (!req->streams)
        return;
    pthread_mutex_lock(&req->http->streams.lock);
    LIST_REMOVE(req, stream_link);
    pthread_mutex_unlock(&req->http->streams.lock);
}
