/* Ratings of games that are not stored: `intrinsic rate` over HTTP. */
#include <inttypes.h>
#include <poll.h>
#include <string.h>

#include "edge/address.h"
#include "http/base/compute_pool.h"
#include "http/base/format.h"
#include "http/base/rate_limit.h"
#include "http/base/reply.h"
#include "http/base/routes.h"
#include "http/base/spool.h"
#include "rate/answer.h"

struct rate {
    struct ipr_req *req;
    int body, client; /* descriptors */
};

static enum ipr_code rate_admit(const struct ipr_req *req, struct ipr_err *err)
{
    const size_t size = ipr_address_size(&req->client);
    struct ipr_http *http = req->http;
    size_t place = IPR_RATES_MAX, own = 0;

    pthread_mutex_lock(&http->rates.lock);
    for (size_t i = 0; i < IPR_RATES_MAX; i++)
        if (http->rates.of[i] == NULL)
            place = i;
        else
            own += memcmp(&http->rates.of[i]->client, &req->client, size) == 0;
    const bool free = place < IPR_RATES_MAX && own == 0;
    if (free)
        http->rates.of[place] = req;
    pthread_mutex_unlock(&http->rates.lock);
    return free ? IPR_OK
                : ipr_err_type(err, IPR_ERETRY, "busy_computing",
                               "games are rated for one request of an address at a time, and for "
                               "%d in all; retry later",
                               IPR_RATES_MAX);
}

static void rate_leave(const struct ipr_req *req)
{
    pthread_mutex_lock(&req->http->rates.lock);
    for (size_t i = 0; i < IPR_RATES_MAX; i++)
        if (req->http->rates.of[i] == req)
            req->http->rates.of[i] = NULL;
    pthread_mutex_unlock(&req->http->rates.lock);
}

/* While a connection is suspended nobody else looks. */
static bool client_has_gone(void *arg)
{
    struct pollfd client = { .fd = ((const struct rate *)arg)->client, .events = POLLRDHUP };

    return poll(&client, 1, 0) > 0;
}

static bool rate_on_pool(void *arg)
{
    static const enum ipr_rate_format formats[] = { [IPR_FORMAT_JSON] = IPR_RATE_JSON,
                                                    [IPR_FORMAT_NDJSON] = IPR_RATE_NDJSON,
                                                    [IPR_FORMAT_CSV] = IPR_RATE_CSV,
                                                    [IPR_FORMAT_PGN] = IPR_RATE_PGN };
    struct rate *r = arg;
    struct ipr_req *req = r->req;
    const struct ipr_games_rated_request *p = req->params;
    const struct ipr_rate_question question = { .config = req->http->o.config,
                                                .spelling = req->http->o.spelling,
                                                .choice = { .by = (enum ipr_rate_by)p->by,
                                                            .player = p->player,
                                                            .times = p->time_class,
                                                            .since = p->since,
                                                            .rated_only = p->rated_only },
                                                .evals_only = p->evals >= 0,
                                                .format = formats[req->format],
                                                .at_a_time = IPR_RATES_MAX,
                                                .stop = client_has_gone,
                                                .arg = r };
    struct ipr_buf body = IPR_BUF_INIT;
    struct ipr_err err = IPR_ERR_INIT;
    uint64_t rejected = 0;
    const enum ipr_code rc = ipr_rate_answer(&question, r->body, &body, &rejected, &err);

    rate_leave(req);
    if (rejected > 0)
        ipr_reply_header(req, "Left-Out",
                         ipr_arena_printf(&req->mem, "rejected=%" PRIu64, rejected));
    if (rc == IPR_OK)
        (void)ipr_reply_buf(req, MHD_HTTP_OK, ipr_format_type(req->format), &body);
    else
        (void)ipr_reply_error(req, &err);
    return true;
}

/* POST /api/v1/rate, at the end of the body. */
enum MHD_Result ipr_http_rate(struct ipr_req *req)
{
    struct rate *r = ipr_arena_alloc(&req->mem, 1, sizeof *r);
    struct ipr_problem problem = { 0 };
    struct ipr_err err = IPR_ERR_INIT;

    r->req = req;
    r->client = MHD_get_connection_info(req->conn, MHD_CONNECTION_INFO_CONNECTION_FD)->connect_fd;
    enum ipr_code rc = ipr_spool_finish(req->spool, &r->body, &err);
    if (rc == IPR_OK)
        rc = ipr_req_params(req, &err);
    const struct ipr_games_rated_request *p = req->params;
    if (rc == IPR_OK && p->since != NULL && !ipr_rate_is_date(p->since))
        rc = ipr_param_refuse(&err, "since", p->since, "a date as 2024, 2024-05 or 2024-05-31");
    if (rc == IPR_OK && p->format >= 0)
        req->format = (enum ipr_format)(IPR_FORMAT_JSON + p->format);
    if (rc == IPR_OK)
        problem = ipr_format_choose(req);
    if (problem.status != 0)
        return ipr_reply_problem(req, problem);
    if (rc == IPR_OK)
        rc = ipr_rate_limit_take(req, &err);
    if (rc == IPR_OK)
        rc = rate_admit(req, &err);
    if (rc != IPR_OK)
        return ipr_reply_error(req, &err);
    if (!ipr_compute_put(req, rate_on_pool, r)) /* the service stops, and so does this */
        rate_on_pool(r);
    return MHD_YES;
}
