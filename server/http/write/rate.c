/* Ratings of games that are not stored: `intrinsic rate` over HTTP. */
#include <inttypes.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "edge/address.h"
#include "http/base/client.h"
#include "http/base/compute_pool.h"
#include "http/base/format.h"
#include "http/base/rate_limit.h"
#include "http/base/reply.h"
#include "http/base/routes.h"
#include "http/base/spool.h"
#include "rate/answer.h"

#define STREAM_BLOCK 4096

struct rate {
    struct ipr_req *req;
    int body, client; /* descriptors */
    size_t place;     /* among those that are computed */
};

static enum ipr_code rate_admit(const struct ipr_req *req, size_t *place, struct ipr_err *err)
{
    struct ipr_http *http = req->http;
    size_t own = 0;

    *place = IPR_RATES_MAX;
    pthread_mutex_lock(&http->rates.lock);
    for (size_t i = 0; i < IPR_RATES_MAX; i++)
        if (!http->rates.taken[i])
            *place = i;
        else
            own += ipr_address_same(&http->rates.of[i], &req->client);
    const bool free = *place < IPR_RATES_MAX && own == 0;
    if (free) {
        http->rates.taken[*place] = true;
        http->rates.of[*place] = req->client;
    }
    pthread_mutex_unlock(&http->rates.lock);
    return free ? IPR_OK
                : ipr_err_type(err, IPR_ERETRY, "busy_computing",
                               "games are rated for one request of an address at a time, and for "
                               "%d in all; retry later",
                               IPR_RATES_MAX);
}

static void rate_leave(struct ipr_http *http, size_t place)
{
    pthread_mutex_lock(&http->rates.lock);
    http->rates.taken[place] = false;
    pthread_mutex_unlock(&http->rates.lock);
}

static struct ipr_rate_question rate_question(const struct ipr_http *http,
                                              const struct ipr_games_rated_request *p)
{
    struct ipr_rate_question q = { .config = http->o.config,
                                   .spelling = http->o.spelling,
                                   .choice = { .by = (enum ipr_rate_by)p->by,
                                               .n_players = p->player.n,
                                               .times = p->time_class,
                                               .since = p->since,
                                               .rated_only = p->rated_only },
                                   .evals_only = p->evals >= 0,
                                   .format = IPR_RATE_JSON,
                                   .at_a_time = IPR_RATES_MAX };

    _Static_assert(IPR_PARAM_TEXTS_MAX == IPR_RATE_NAMES, "as many as may be given");
    memcpy(q.choice.player, p->player.v, sizeof p->player.v);
    return q;
}

/* ---- an answer at the end ---- */

/* While a connection is suspended nobody else looks. */
static bool client_has_gone(void *arg)
{
    return ipr_client_hung_up(((const struct rate *)arg)->client);
}

static bool rate_on_pool(void *arg)
{
    static const enum ipr_rate_format formats[] = { [IPR_FORMAT_JSON] = IPR_RATE_JSON,
                                                    [IPR_FORMAT_NDJSON] = IPR_RATE_NDJSON,
                                                    [IPR_FORMAT_CSV] = IPR_RATE_CSV,
                                                    [IPR_FORMAT_PGN] = IPR_RATE_PGN };
    struct rate *r = arg;
    struct ipr_req *req = r->req;
    struct ipr_rate_question question = rate_question(req->http, req->params);
    struct ipr_buf body = IPR_BUF_INIT;
    struct ipr_err err = IPR_ERR_INIT;
    uint64_t rejected = 0;

    question.format = formats[req->format];
    question.stop = client_has_gone;
    question.arg = r;
    const enum ipr_code rc = ipr_rate_answer(&question, r->body, &body, &rejected, &err);

    rate_leave(req->http, r->place);
    if (rejected > 0)
        ipr_reply_header(req, "Left-Out",
                         ipr_arena_printf(&req->mem, "rejected=%" PRIu64, rejected));
    if (rc == IPR_OK)
        (void)ipr_reply_buf(req, MHD_HTTP_OK, ipr_format_type(req->format), &body);
    else
        (void)ipr_reply_error(req, &err);
    return true;
}

/* ---- a stream of events ---- */

/* Shared by the thread that rates and by the response; the last of the two releases it. The request
 * is gone when its client is. */
struct rate_stream {
    struct ipr_http *http;
    struct MHD_Connection *conn;
    struct ipr_rate_question question;
    struct ipr_arena mem; /* of its texts */
    char request_id[17];
    size_t place;
    int body, client;
    pthread_mutex_t lock; /* of what follows; libmicrohttpd's locks are taken inside it */
    struct ipr_buf out;   /* from `sent` on not yet read */
    size_t sent;
    bool suspended, ended, gone; /* gone: there is no response any more */
};

/* A service that stops waits for it, so that the client gets the last event. */
static void stream_release(struct rate_stream *s)
{
    struct ipr_http *const http = s->http;

    ipr_buf_release(&s->out);
    ipr_arena_release(&s->mem);
    pthread_mutex_destroy(&s->lock);
    close(s->body);
    free(s);
    pthread_mutex_lock(&http->rates.lock);
    http->rates.streams--;
    pthread_cond_signal(&http->rates.changed);
    pthread_mutex_unlock(&http->rates.lock);
}

/* Takes an event, which is a line, and wakes the connection. */
static void stream_tell(struct rate_stream *s, const char *event, const char *data, bool last)
{
    pthread_mutex_lock(&s->lock);
    ipr_buf_printf(&s->out, "event: %s\ndata: %s\n\n", event, data);
    s->ended = last;
    if (s->suspended)
        MHD_resume_connection(s->conn);
    s->suspended = false;
    pthread_mutex_unlock(&s->lock);
}

/* The connection is open as long as the response is there. */
static bool stream_is_gone(void *arg)
{
    struct rate_stream *const s = arg;

    pthread_mutex_lock(&s->lock);
    const bool gone = s->gone || ipr_client_hung_up(s->client);
    pthread_mutex_unlock(&s->lock);
    return gone;
}

static void stream_progress(void *arg, size_t games, size_t of)
{
    char data[80];

    snprintf(data, sizeof data, "{\"games\":%zu,\"analysed\":%zu}", of, games);
    stream_tell(arg, "progress", data, false);
}

static void *stream_rate(void *arg)
{
    struct rate_stream *const s = arg;
    struct ipr_buf answer = IPR_BUF_INIT;
    struct ipr_err err = IPR_ERR_INIT;
    uint64_t rejected = 0;

    if (ipr_rate_answer(&s->question, s->body, &answer, &rejected, &err) != IPR_OK) {
        const struct ipr_problem p = ipr_problem_log(&err);

        ipr_buf_reset(&answer);
        ipr_reply_problem_text(s->request_id, &p, &answer);
    }
    answer.p[strcspn(answer.p, "\n")] = '\0'; /* an event's data is a line */
    rate_leave(s->http, s->place);
    stream_tell(s, err.code == IPR_OK ? "done" : "failed", answer.p, true);
    ipr_buf_release(&answer);
    pthread_mutex_lock(&s->lock);
    const bool gone = s->gone;
    s->place = IPR_RATES_MAX; /* the response is the last */
    pthread_mutex_unlock(&s->lock);
    if (gone)
        stream_release(s);
    return NULL;
}

static ssize_t rate_stream_read(void *cls, uint64_t pos, char *buf, size_t max)
{
    struct rate_stream *const s = cls;
    ssize_t n = 0;

    (void)pos;
    pthread_mutex_lock(&s->lock);
    const size_t left = s->out.n - s->sent;
    if (left > 0) {
        n = (ssize_t)(left < max ? left : max);
        memcpy(buf, s->out.p + s->sent, (size_t)n);
        s->sent += (size_t)n;
    } else if (s->ended) {
        n = MHD_CONTENT_READER_END_OF_STREAM;
    } else {
        s->suspended = true;
        MHD_suspend_connection(s->conn);
    }
    pthread_mutex_unlock(&s->lock);
    return n;
}

static void rate_stream_free(void *cls)
{
    struct rate_stream *const s = cls;

    pthread_mutex_lock(&s->lock);
    s->gone = true;
    s->suspended = false;
    const bool last = s->place == IPR_RATES_MAX;
    pthread_mutex_unlock(&s->lock);
    if (last)
        stream_release(s);
}

static enum MHD_Result stream_begin(struct ipr_req *req, const struct rate *r)
{
    struct rate_stream *const s = ipr_xcalloc(1, sizeof *s);
    pthread_t thread;

    *s = (struct rate_stream){ .http = req->http,
                               .conn = req->conn,
                               .question = rate_question(req->http, req->params),
                               .place = r->place,
                               .body = dup(r->body),
                               .client = r->client };
    memcpy(s->request_id, req->id, sizeof s->request_id);
    pthread_mutex_init(&s->lock, NULL);
    for (size_t i = 0; i < s->question.choice.n_players; i++)
        s->question.choice.player[i] =
            ipr_arena_printf(&s->mem, "%s", s->question.choice.player[i]);
    if (s->question.choice.since != NULL)
        s->question.choice.since = ipr_arena_printf(&s->mem, "%s", s->question.choice.since);
    s->question.stop = stream_is_gone;
    s->question.progress = stream_progress;
    s->question.arg = s;
    struct MHD_Response *response = MHD_create_response_from_callback(
        MHD_SIZE_UNKNOWN, STREAM_BLOCK, rate_stream_read, s, rate_stream_free);
    if (response == NULL)
        abort(); /* as for memory */
    pthread_mutex_lock(&req->http->rates.lock);
    req->http->rates.streams++;
    pthread_mutex_unlock(&req->http->rates.lock);
    if (pthread_create(&thread, NULL, stream_rate, s) != 0)
        abort();
    pthread_detach(thread);
    return ipr_reply_events(req, response);
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
    if (rc == IPR_OK && p->format >= 0)
        req->format = (enum ipr_format)(IPR_FORMAT_JSON + p->format);
    if (rc == IPR_OK)
        problem = ipr_format_choose(req);
    if (problem.status != 0)
        return ipr_reply_problem(req, problem);
    if (rc == IPR_OK)
        rc = ipr_rate_limit_take(req, &err);
    if (rc == IPR_OK)
        rc = rate_admit(req, &r->place, &err);
    if (rc != IPR_OK)
        return ipr_reply_error(req, &err);
    if (p->progress)
        return stream_begin(req, r);
    if (!ipr_compute_put(req, rate_on_pool, r)) /* the service stops, and so does this */
        rate_on_pool(r);
    return MHD_YES;
}
