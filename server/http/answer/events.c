/* Progress as server-sent events, of an upload (GET /api/v1/uploads/{id}/events), of a player's
 * games (/api/v1/players/{id}/events), or of the whole queue (/api/v1/queue/events).
 *
 * One thread queries the progress once per change and topic, for any number of clients; connections
 * with nothing to send are suspended and use no thread.
 *
 * The id of an event is a digest of the state, so that it is still valid after a restart: a client
 * that reconnects with it (Last-Event-ID) gets the events that it missed, or none. */
#include "http/answer/events.h"

#include <poll.h>
#include <pthread.h>
#include <sodium.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/queue.h>
#include <unistd.h>

#include "core/log.h"
#include "core/outage.h"
#include "db/analyses.h"
#include "http/answer/concurrency.h"
#include "http/base/reply.h"
#include "http/base/routes.h"
#include "resource/write.h"
#include "tmpl/number.h"

#define POLL_MS            1000
#define CALM_MS            200 /* between two queries: many notifications are one change for a client */
#define CALM_MAX_MS        10000
#define CALM_SHARE         4 /* times as long as a query took: a long queue takes long to count */
#define RETRY_MS           3000
#define EVENTS_BLOCK_BYTES 4096
#define ID_TEXT            (2 * crypto_shorthash_BYTES + 1)
#define ID_DONE            "-done" /* ends the id of the last event */

/* The topic: an upload, a player's games (of a year unless it is 0), or with all 0 the whole
 * queue; and what its queries see (ipr_db_enter). */
struct topic {
    int64_t space, upload;
    int32_t player, year;
};

/* The progress at one moment. */
struct state {
    struct ipr_buf text;
    char id[ID_TEXT]; /* of the members that distinguish states; estimates of time do not */
    bool done;
};

struct stream {
    LIST_ENTRY(stream) link;
    struct ipr_events *events;
    struct MHD_Connection *conn;
    struct topic topic;
    char last[ID_TEXT]; /* id of the client's state; "" before the first */
    struct ipr_buf out; /* not yet read by MHD */
    size_t sent;        /* of `out` */
    int64_t written_s;  /* when something was last put into `out` */
    bool suspended, ended;
};

struct ipr_events {
    struct ipr_http *http;
    struct ipr_db_listener *listener;
    pthread_t thread;
    bool running;
    int wake_fd;
    struct ipr_outage outage; /* the thread's */
    /* Guards all below and every stream's fields. MHD's own locks are taken inside it. */
    pthread_mutex_t lock;
    LIST_HEAD(, stream) streams;
    size_t n;
    bool stopping;
};

static int64_t events_now_s(void)
{
    return ipr_now_us() / 1000000;
}

/* ---- under the lock ---- */

static void stream_resume(struct stream *s)
{
    if (!s->suspended)
        return;
    s->suspended = false;
    MHD_resume_connection(s->conn);
}

/* The event "done" has an id of its own: a client that lost the stream just before it gets it. */
static void stream_put_event(struct stream *s, const char *event, const char *suffix,
                             const struct state *state)
{
    ipr_buf_printf(&s->out, "id: %s%s\nevent: %s\ndata: %s\n\n", state->id, suffix, event,
                   ipr_buf_c(&state->text));
    s->written_s = events_now_s();
}

static void stream_put_news(struct stream *s, const struct state *state)
{
    if (strcmp(s->last, state->id) != 0) {
        memcpy(s->last, state->id, sizeof s->last);
        stream_put_event(s, "progress", "", state);
    }
    if (state->done)
        stream_put_event(s, "done", ID_DONE, state);
    s->ended = state->done;
}

/* A client slower than the changes gets the newest state when it has read the earlier events. */
static void stream_put_state(struct stream *s, const struct state *state)
{
    if (s->ended || s->sent < s->out.n)
        return;
    stream_put_news(s, state);
    if (s->sent < s->out.n)
        stream_resume(s);
}

/* ---- MHD's side ---- */

static ssize_t stream_on_read(void *cls, uint64_t pos, char *buf, size_t max)
{
    struct stream *s = cls;
    ssize_t n = 0;

    (void)pos;
    pthread_mutex_lock(&s->events->lock);
    const size_t left = s->out.n - s->sent;
    if (left > 0) {
        n = (ssize_t)(left < max ? left : max);
        memcpy(buf, s->out.p + s->sent, (size_t)n);
        s->sent += (size_t)n;
        if (s->sent == s->out.n) {
            ipr_buf_reset(&s->out);
            s->sent = 0;
        }
    } else if (s->ended || s->events->stopping) {
        n = MHD_CONTENT_READER_END_OF_STREAM;
    } else {
        s->suspended = true;
        MHD_suspend_connection(s->conn);
    }
    pthread_mutex_unlock(&s->events->lock);
    return n;
}

static void stream_on_free(void *cls)
{
    struct stream *s = cls;
    struct ipr_events *e = s->events;

    pthread_mutex_lock(&e->lock);
    LIST_REMOVE(s, link);
    e->n--;
    pthread_mutex_unlock(&e->lock);
    ipr_buf_release(&s->out);
    free(s);
}

/* ---- progress ---- */

static int64_t topic_compare(const struct topic *a, const struct topic *b)
{
    if (a->space != b->space)
        return a->space - b->space;
    if (a->upload != b->upload)
        return a->upload - b->upload;
    return a->player != b->player ? a->player - b->player : a->year - b->year;
}

/* Members that change all the time, with the clock, the speed of engines and other users' games:
 * they are sent with the next change of the others. */
static void state_drop_estimates(json_t *value)
{
    static const char *const names[] = { "turns_ahead", "seconds", "at_least", "remaining",
                                         "oldest_ready_seconds" };
    const char *name;
    json_t *member;

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        json_object_del(value, names[i]);
    json_object_foreach(value, name, member)
        state_drop_estimates(member);
}

/* Takes `progress`. */
static void state_set(struct state *state, json_t *progress)
{
    struct ipr_buf lasting = IPR_BUF_INIT;
    unsigned char digest[crypto_shorthash_BYTES];
    const unsigned char key[crypto_shorthash_KEYBYTES] = { 0 }; /* ids outlive the process */

    ipr_buf_reset(&state->text);
    ipr_json_write(progress, &state->text);
    state->done = json_is_true(json_object_get(progress, "done"));
    state_drop_estimates(progress);
    ipr_json_write(progress, &lasting);
    json_decref(progress);
    crypto_shorthash(digest, (const unsigned char *)lasting.p, lasting.n, key);
    sodium_bin2hex(state->id, sizeof state->id, digest, sizeof digest);
    ipr_buf_release(&lasting);
}

static enum ipr_code topic_fetch(struct ipr_http *http, struct ipr_db *db,
                                 const struct topic *topic, struct state *state,
                                 struct ipr_err *err)
{
    struct ipr_arena mem = IPR_ARENA_INIT;
    const struct ipr_view view = { .config = http->o.config, .db = db, .mem = &mem };
    json_t *progress = NULL;

    const struct ipr_db_selection games = { .person = topic->player, .year = topic->year };
    enum ipr_code rc = ipr_db_enter(db, topic->space, err);
    if (rc == IPR_OK)
        rc = topic->upload > 0 ? ipr_view_progress(&view, topic->upload, &progress, err)
                               : ipr_view_judging(&view, &games, &progress, err);
    if (rc == IPR_OK)
        state_set(state, progress);
    ipr_arena_release(&mem);
    return rc;
}

/* The first watched topic after `after` (NULL: of all); false when there is none. */
static bool events_next_topic(struct ipr_events *e, const struct topic *after, struct topic *topic)
{
    const struct stream *s;
    bool found = false;

    pthread_mutex_lock(&e->lock);
    LIST_FOREACH(s, &e->streams, link) {
        if (!s->ended && (after == NULL || topic_compare(&s->topic, after) > 0) &&
            (!found || topic_compare(&s->topic, topic) < 0)) {
            *topic = s->topic;
            found = true;
        }
    }
    pthread_mutex_unlock(&e->lock);
    return found;
}

static void events_look(struct ipr_events *e)
{
    struct state state = { .text = IPR_BUF_INIT };
    struct ipr_db *db = NULL;
    struct ipr_err err = IPR_ERR_INIT;
    enum ipr_code rc = IPR_OK;
    struct topic seen, topic;
    struct stream *s;
    bool any = false;

    while (rc == IPR_OK && events_next_topic(e, any ? &seen : NULL, &topic)) {
        if (db == NULL)
            rc = ipr_db_lease(e->http->o.pool, &db, &err);
        if (rc == IPR_OK)
            rc = topic_fetch(e->http, db, &topic, &state, &err);
        pthread_mutex_lock(&e->lock);
        LIST_FOREACH(s, &e->streams, link)
            if (rc == IPR_OK && topic_compare(&s->topic, &topic) == 0)
                stream_put_state(s, &state);
        pthread_mutex_unlock(&e->lock);
        seen = topic;
        any = true;
    }
    if (rc != IPR_OK)
        ipr_outage_failed(&e->outage, ipr_code_name(rc), err.msg, ipr_now_ms());
    else if (db != NULL)
        ipr_outage_worked(&e->outage, ipr_now_ms());
    else /* no stream is open; the next failure is logged again */
        e->outage.failures = 0;
    ipr_db_return(&db);
    ipr_buf_release(&state.text);
}

static bool events_beat(struct ipr_events *e)
{
    const int64_t now = events_now_s();
    struct stream *s;

    pthread_mutex_lock(&e->lock);
    const bool go_on = !e->stopping;
    LIST_FOREACH(s, &e->streams, link) {
        if (s->ended || s->sent < s->out.n || now - s->written_s < IPR_EVENTS_BEAT_S)
            continue;
        ipr_buf_puts(&s->out, ": beat\n\n");
        s->written_s = now;
        stream_resume(s);
    }
    pthread_mutex_unlock(&e->lock);
    return go_on;
}

static int events_rest_ms(int64_t look_us)
{
    const int64_t ms = CALM_SHARE * look_us / 1000;

    if (ms < CALM_MS)
        return CALM_MS;
    return ms < CALM_MAX_MS ? (int)ms : CALM_MAX_MS;
}

static void *events_thread(void *cls)
{
    struct ipr_events *e = cls;
    uint64_t drained;

    ipr_log_context("events");
    while (events_beat(e)) {
        const int64_t began = ipr_now_us();
        events_look(e);
        struct pollfd calm = { .fd = e->wake_fd, .events = POLLIN };
        if (poll(&calm, 1, events_rest_ms(ipr_now_us() - began)) == 0)
            (void)ipr_db_listener_wait(e->listener, POLL_MS, e->wake_fd);
        (void)!read(e->wake_fd, &drained, sizeof drained);
    }
    return NULL;
}

/* ---- life ---- */

enum ipr_code ipr_events_start(struct ipr_http *http, struct ipr_events **out, struct ipr_err *err)
{
    struct ipr_events *e = ipr_xcalloc(1, sizeof *e);
    enum ipr_code rc = IPR_OK;

    e->http = http;
    e->outage = (struct ipr_outage){ .begins = "progress_failed", .ends = "progress_works" };
    pthread_mutex_init(&e->lock, NULL);
    e->wake_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (e->wake_fd < 0)
        rc = ipr_err_set(err, IPR_EIO, "cannot create an eventfd");
    if (rc == IPR_OK && http->o.pool != NULL)
        rc = ipr_db_listener_open(http->o.config->database_url, &e->listener, err);
    if (rc == IPR_OK && http->o.pool != NULL) {
        e->running = pthread_create(&e->thread, NULL, events_thread, e) == 0;
        if (!e->running)
            rc = ipr_err_set(err, IPR_EIO, "cannot start a thread");
    }
    if (rc == IPR_OK)
        *out = e;
    else
        ipr_events_free(&e);
    return rc;
}

void ipr_events_quiesce(struct ipr_events *e)
{
    const uint64_t one = 1;
    struct stream *s;

    pthread_mutex_lock(&e->lock);
    e->stopping = true;
    pthread_mutex_unlock(&e->lock);
    (void)!write(e->wake_fd, &one, sizeof one); /* the thread looks up */
    if (e->running)
        pthread_join(e->thread, NULL);
    e->running = false;
    pthread_mutex_lock(&e->lock);
    LIST_FOREACH(s, &e->streams, link) {
        s->ended = true;
        stream_resume(s);
    }
    pthread_mutex_unlock(&e->lock);
}

void ipr_events_free(struct ipr_events **events)
{
    struct ipr_events *e = *events;

    if (e == NULL)
        return;
    if (e->running)
        ipr_events_quiesce(e);
    ipr_db_listener_close(&e->listener);
    if (e->wake_fd >= 0)
        close(e->wake_fd);
    pthread_mutex_destroy(&e->lock);
    free(e);
    *events = NULL;
}

/* ---- the handler ---- */

/* With its first events, whatever the state of the thread; none for a client that has this
 * state. */
static struct stream *events_add_stream(struct ipr_req *req, const struct topic *topic,
                                        const char *last, const struct state *state)
{
    struct ipr_events *e = req->http->events;
    struct stream *s = NULL;

    pthread_mutex_lock(&e->lock);
    if (e->n < IPR_EVENTS_MAX && !e->stopping) {
        s = ipr_xcalloc(1, sizeof *s);
        s->events = e;
        s->conn = req->conn;
        s->topic = *topic;
        LIST_INSERT_HEAD(&e->streams, s, link);
        e->n++;
        if (last != NULL && strcmp(last, state->id) == 0)
            memcpy(s->last, state->id, sizeof s->last);
        ipr_buf_printf(&s->out, "retry: %d\n", RETRY_MS);
        const size_t before = s->out.n;
        stream_put_news(s, state);
        if (s->out.n == before)
            ipr_buf_putc(&s->out, '\n');
    }
    pthread_mutex_unlock(&e->lock);
    return s;
}

static enum MHD_Result events_open_stream(struct ipr_req *req, const struct topic *topic,
                                          const char *last, const struct state *state)
{
    struct ipr_err err = IPR_ERR_INIT;
    struct stream *s = events_add_stream(req, topic, last, state);

    if (s == NULL) {
        (void)ipr_err_type(&err, IPR_ERETRY, "too_many_streams",
                           "%d event streams are open, which is the limit; retry later",
                           IPR_EVENTS_MAX);
        return ipr_reply_error(req, &err);
    }
    struct MHD_Response *r = MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, EVENTS_BLOCK_BYTES,
                                                               stream_on_read, s, stream_on_free);
    if (r == NULL) {
        stream_on_free(s);
        return MHD_NO;
    }
    return ipr_reply_events(req, r);
}

/* Reading the present state shows whether the object exists. */
enum MHD_Result ipr_http_events(struct ipr_req *req)
{
    const struct topic topic = {
        .space = req->space,
        .upload = ipr_params_id(req->resource, req->params, "upload"),
        .player = (int32_t)ipr_params_id(req->resource, req->params, "player"),
        .year = (int32_t)ipr_params_id(req->resource, req->params, "year"),
    };
    const char *last = ipr_req_header(req, "Last-Event-ID");
    struct ipr_err err = IPR_ERR_INIT;
    struct state state = { .text = IPR_BUF_INIT };
    struct ipr_db *db = NULL;
    enum MHD_Result answered;

    enum ipr_code rc = req->head ? IPR_OK : ipr_concurrency_stream(req, &err);
    if (rc == IPR_OK)
        rc = ipr_req_lease(req, &db, &err);
    if (rc == IPR_OK)
        rc = topic_fetch(req->http, db, &topic, &state, &err);
    ipr_db_return(&db);
    if (rc != IPR_OK) {
        answered = ipr_reply_error(req, &err);
    } else if (last != NULL && state.done && strncmp(last, state.id, ID_TEXT - 1) == 0 &&
               strcmp(last + ID_TEXT - 1, ID_DONE) == 0) {
        /* The client had the last event already: a browser comes back to a stream that ended, and
         * 204 stops it. */
        answered = ipr_reply_empty(req, MHD_HTTP_NO_CONTENT);
    } else if (req->head) {
        ipr_reply_header(req, "Content-Type", "text/event-stream");
        answered = ipr_reply_empty(req, MHD_HTTP_OK);
    } else {
        answered = events_open_stream(req, &topic, last, &state);
    }
    ipr_buf_release(&state.text);
    return answered;
}
