#include "http/concurrency.h"

#include <string.h>

#include "edge/address.h"
#include "http/rate_limit.h"
#include "http/reply.h"
#include "http/routes.h"

/* Ratings of one year or of the whole career are cached; other requests may take long. */
bool ipr_ratings_are_heavy(const void *params)
{
    const struct ipr_ratings_request *p = params;
    const int from = p->year != 0 ? p->year : p->from, to = p->year != 0 ? p->year : p->to;
    const bool career = from == 0 && to == 0 && p->event == 0;

    return p->include != 0 || from != to || (career && p->color >= 0);
}

bool ipr_event_is_heavy(const void *params)
{
    const struct ipr_event_request *p = params;
    const struct ipr_event_request init = IPR_EVENT_REQUEST_INIT;

    return p->limit > init.limit;
}

/* A resampling of one's own is of no other client, and no cache spares it. */
bool ipr_prediction_is_heavy(const void *params)
{
    const struct ipr_prediction_request *p = params;

    return p->replicates > 0 || p->seed != IPR_PARAM_ABSENT;
}

/* Up to all moves of twenty players. */
bool ipr_paper_figure_is_heavy(const void *params)
{
    (void)params;
    return true;
}

/* Up to hundreds of predictions. */
bool ipr_paper_table_is_heavy(const void *params)
{
    (void)params;
    return true;
}

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

/* Each pair is a head to head, and of a phase the moves are read. */
bool ipr_careers_are_heavy(const void *params)
{
    const struct ipr_careers_request *p = params;

    for (size_t i = 0; i < p->set.n; i++)
        if (strstr(p->set.v[i], "phase=") != NULL)
            return true;
    return p->set.n > 2;
}

enum ipr_code ipr_concurrency_stream(struct ipr_req *req, struct ipr_err *err)
{
    const size_t size = ipr_address_size(&req->client);
    struct ipr_http *http = req->http;
    const struct ipr_req *other;
    unsigned n = 0;

    pthread_mutex_lock(&http->streams.lock);
    LIST_FOREACH(other, &http->streams.list, stream_link)
        n += memcmp(&other->client, &req->client, size) == 0;
    req->streams = n < IPR_STREAMS_OF_CLIENT;
    if (req->streams)
        LIST_INSERT_HEAD(&http->streams.list, req, stream_link);
    pthread_mutex_unlock(&http->streams.lock);
    if (req->streams)
        return IPR_OK;
    ipr_reply_header(req, "Retry-After", "5");
    return ipr_err_type(err, IPR_ERETRY, "rate_limited",
                        "%d lists are being read from this address as streams, which is the limit; "
                        "retry later",
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
