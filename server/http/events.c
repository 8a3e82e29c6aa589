/* Progress as server-sent events, of an upload (GET /api/v1/uploads/{id}/events), of a player's
 * games (/api/v1/players/{id}/events), or of the whole queue (/api/v1/queue/events).
 *
 * One thread asks for progress once per change and topic, however many watch it; connections
 * with nothing to send are suspended and cost no thread. */
#include "http/events.h"

#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "core/log.h"
#include "core/outage.h"
#include "db/analyses.h"
#include "http/reply.h"
#include "http/routes.h"
#include "tmpl/number.h"

#define POLL_MS     1000
#define CALM_MS     200 /* between two looks: a storm of notices is one change to a reader */
#define CALM_MAX_MS 10000
#define CALM_SHARE  4 /* times as long as a look took: a long queue takes long to count */
#define RETRY_MS    3000
#define BLOCK_BYTES 4096

/** What is watched: an upload, a player's games (of a year unless it is 0), or with all 0 the whole
 * queue. */
struct topic {
    int64_t upload;
    int32_t player, year;
};

struct stream {
    struct stream *prev, *next;
    struct ipr_events *events;
    struct MHD_Connection *conn;
    struct topic topic;
    char *last;         /* progress as last sent */
    struct ipr_buf out; /* not yet read by MHD */
    size_t sent;        /* of `out` */
    int64_t written_s;  /* when something was last put into `out` */
    uint64_t serial;
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
    struct stream *first;
    size_t n;
    bool stopping;
};

static int64_t now_s(void)
{
    return ipr_now_us() / 1000000;
}

static void wake(const struct ipr_events *e)
{
    const uint64_t one = 1;

    (void)!write(e->wake_fd, &one, sizeof one);
}

/* ---- under the lock ---- */

static void resume(struct stream *s)
{
    if (!s->suspended)
        return;
    s->suspended = false;
    MHD_resume_connection(s->conn);
}

static void put_event(struct stream *s, const char *event, const char *data)
{
    ipr_buf_printf(&s->out, "id: %llu\nevent: %s\ndata: %s\n\n", (unsigned long long)++s->serial,
                   event, data);
    s->written_s = now_s();
}

/* A reader slower than the changes gets the newest state once it has read what it was sent. */
static void put_progress(struct stream *s, const char *progress, bool done)
{
    if (s->ended || s->sent < s->out.n)
        return;
    if (s->last == NULL || strcmp(s->last, progress) != 0) {
        free(s->last);
        s->last = ipr_xstrdup(progress);
        put_event(s, "progress", progress);
    }
    if (done) {
        put_event(s, "done", progress);
        s->ended = true;
    }
    if (s->sent < s->out.n)
        resume(s);
}

static void put_beat(struct stream *s, int64_t now)
{
    if (s->ended || s->sent < s->out.n || now - s->written_s < IPR_EVENTS_BEAT_S)
        return;
    ipr_buf_puts(&s->out, ": beat\n\n");
    s->written_s = now;
    resume(s);
}

/* ---- MHD's side ---- */

static ssize_t on_read(void *cls, uint64_t pos, char *buf, size_t max)
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

static void on_free(void *cls)
{
    struct stream *s = cls;
    struct ipr_events *e = s->events;

    pthread_mutex_lock(&e->lock);
    if (s->prev != NULL)
        s->prev->next = s->next;
    else
        e->first = s->next;
    if (s->next != NULL)
        s->next->prev = s->prev;
    e->n--;
    pthread_mutex_unlock(&e->lock);
    free(s->last);
    ipr_buf_release(&s->out);
    free(s);
}

/* ---- progress ---- */

static int64_t compare(const struct topic *a, const struct topic *b)
{
    if (a->upload != b->upload)
        return a->upload - b->upload;
    return a->player != b->player ? a->player - b->player : a->year - b->year;
}

static enum ipr_code fetch(struct ipr_http *http, struct ipr_db *db, const struct topic *topic,
                           struct ipr_buf *text, bool *done, struct ipr_err *err)
{
    struct ipr_arena mem = IPR_ARENA_INIT;
    const struct ipr_view view = { .config = http->o.config, .db = db, .mem = &mem };
    json_t *progress = NULL;

    const struct ipr_db_selection games = { .person = topic->player, .year = topic->year };
    const enum ipr_code rc = topic->upload > 0
                                 ? ipr_view_progress(&view, topic->upload, &progress, err)
                                 : ipr_view_judging(&view, &games, &progress, err);
    if (rc == IPR_OK) {
        ipr_buf_reset(text);
        ipr_json_write(progress, text);
        *done = json_is_true(json_object_get(progress, "done"));
        json_decref(progress);
    }
    ipr_arena_release(&mem);
    return rc;
}

/* The first watched topic after `after` (NULL: of all); false when there is none. */
static bool next_watched(struct ipr_events *e, const struct topic *after, struct topic *topic)
{
    bool found = false;

    pthread_mutex_lock(&e->lock);
    for (const struct stream *s = e->first; s != NULL; s = s->next) {
        if (!s->ended && (after == NULL || compare(&s->topic, after) > 0) &&
            (!found || compare(&s->topic, topic) < 0)) {
            *topic = s->topic;
            found = true;
        }
    }
    pthread_mutex_unlock(&e->lock);
    return found;
}

static void tell_watchers(struct ipr_events *e, const struct topic *topic, const char *text,
                          bool done)
{
    pthread_mutex_lock(&e->lock);
    for (struct stream *s = e->first; s != NULL; s = s->next)
        if (compare(&s->topic, topic) == 0)
            put_progress(s, text, done);
    pthread_mutex_unlock(&e->lock);
}

static void look(struct ipr_events *e)
{
    struct ipr_buf text = IPR_BUF_INIT;
    struct ipr_db *db = NULL;
    struct ipr_err err = IPR_ERR_INIT;
    enum ipr_code rc = IPR_OK;
    struct topic seen, topic;
    bool any = false, done = false;

    while (rc == IPR_OK && next_watched(e, any ? &seen : NULL, &topic)) {
        if (db == NULL)
            rc = ipr_db_lease(e->http->o.pool, &db, &err);
        if (rc == IPR_OK)
            rc = fetch(e->http, db, &topic, &text, &done, &err);
        if (rc == IPR_OK)
            tell_watchers(e, &topic, ipr_buf_c(&text), done);
        seen = topic;
        any = true;
    }
    if (rc != IPR_OK)
        ipr_outage_failed(&e->outage, ipr_code_name(rc), err.msg, ipr_now_us() / 1000);
    else if (db != NULL)
        ipr_outage_worked(&e->outage, ipr_now_us() / 1000);
    else /* nothing is watched, so nobody knows; the next failure is news */
        e->outage.failures = 0;
    ipr_db_return(&db);
    ipr_buf_release(&text);
}

static bool beat(struct ipr_events *e)
{
    const int64_t now = now_s();

    pthread_mutex_lock(&e->lock);
    const bool go_on = !e->stopping;
    for (struct stream *s = e->first; s != NULL; s = s->next)
        put_beat(s, now);
    pthread_mutex_unlock(&e->lock);
    return go_on;
}

static int rest_after(int64_t look_us)
{
    const int64_t ms = CALM_SHARE * look_us / 1000;

    return ms < CALM_MS ? CALM_MS : ms > CALM_MAX_MS ? CALM_MAX_MS : (int)ms;
}

static void *run(void *cls)
{
    struct ipr_events *e = cls;
    uint64_t drained;

    ipr_log_context("events");
    while (beat(e)) {
        const int64_t began = ipr_now_us();
        look(e);
        struct pollfd calm = { .fd = e->wake_fd, .events = POLLIN };
        if (poll(&calm, 1, rest_after(ipr_now_us() - began)) == 0)
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
        rc = ipr_err_set(err, IPR_EIO, "cannot make an eventfd");
    if (rc == IPR_OK && http->o.pool != NULL)
        rc = ipr_db_listener_open(http->o.config->database_url, &e->listener, err);
    if (rc == IPR_OK && http->o.pool != NULL) {
        e->running = pthread_create(&e->thread, NULL, run, e) == 0;
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
    pthread_mutex_lock(&e->lock);
    e->stopping = true;
    pthread_mutex_unlock(&e->lock);
    wake(e);
    if (e->running)
        pthread_join(e->thread, NULL);
    e->running = false;
    pthread_mutex_lock(&e->lock);
    for (struct stream *s = e->first; s != NULL; s = s->next) {
        s->ended = true;
        resume(s);
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

static struct stream *add_stream(struct ipr_events *e, struct ipr_req *req,
                                 const struct topic *topic)
{
    struct stream *s = NULL;

    pthread_mutex_lock(&e->lock);
    if (e->n < IPR_EVENTS_MAX && !e->stopping) {
        s = ipr_xcalloc(1, sizeof *s);
        s->events = e;
        s->conn = req->conn;
        s->topic = *topic;
        s->next = e->first;
        if (e->first != NULL)
            e->first->prev = s;
        e->first = s;
        e->n++;
    }
    pthread_mutex_unlock(&e->lock);
    return s;
}

/* The first event goes out at once, whatever the thread is at. */
static void first_event(struct ipr_events *e, struct stream *s, const char *text, bool done)
{
    pthread_mutex_lock(&e->lock);
    if (s->last == NULL) {
        ipr_buf_printf(&s->out, "retry: %d\n", RETRY_MS);
        s->last = ipr_xstrdup(text);
        put_event(s, "progress", text);
        if (done)
            put_event(s, "done", text);
        s->ended = done;
    }
    pthread_mutex_unlock(&e->lock);
}

static enum MHD_Result open_stream(struct ipr_req *req, const struct topic *topic, const char *text,
                                   bool done)
{
    struct ipr_events *e = req->http->events;
    struct ipr_err err = IPR_ERR_INIT;
    struct stream *s = add_stream(e, req, topic);

    if (s == NULL) {
        (void)ipr_err_set(&err, IPR_ERETRY, "%d streams are open", IPR_EVENTS_MAX);
        return ipr_reply_error(req, &err);
    }
    first_event(e, s, text, done);
    struct MHD_Response *r =
        MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, BLOCK_BYTES, on_read, s, on_free);
    if (r == NULL) {
        on_free(s);
        return MHD_NO;
    }
    MHD_add_response_header(r, "Content-Type", "text/event-stream");
    MHD_add_response_header(r, "Cache-Control", "no-store");
    MHD_add_response_header(r, "X-Accel-Buffering", "no");
    req->stream = true;
    return ipr_reply_queue(req, MHD_HTTP_OK, r);
}

/* The state as it is now tells whether there is such a thing to watch. */
static enum MHD_Result watch(struct ipr_req *req, const struct topic *topic)
{
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_buf text = IPR_BUF_INIT;
    struct ipr_db *db = NULL;
    enum MHD_Result answered;
    bool done = false;

    enum ipr_code rc = ipr_req_lease(req, &db, &err);
    if (rc == IPR_OK)
        rc = fetch(req->http, db, topic, &text, &done, &err);
    ipr_db_return(&db);
    if (rc != IPR_OK) {
        answered = ipr_reply_error(req, &err);
    } else if (req->head) {
        ipr_reply_header(req, "Content-Type", "text/event-stream");
        answered = ipr_reply_empty(req, MHD_HTTP_OK);
    } else {
        answered = open_stream(req, topic, ipr_buf_c(&text), done);
    }
    ipr_buf_release(&text);
    return answered;
}

enum MHD_Result ipr_http_upload_events(struct ipr_req *req)
{
    struct topic topic = { 0 };
    struct ipr_err err = IPR_ERR_INIT;

    if (ipr_req_id(req, 0, INT64_MAX, &topic.upload, &err) != IPR_OK)
        return ipr_reply_error(req, &err);
    return watch(req, &topic);
}

enum MHD_Result ipr_http_player_events(struct ipr_req *req)
{
    struct topic topic = { 0 };
    struct ipr_err err = IPR_ERR_INIT;
    int64_t id = 0, year = 0;

    enum ipr_code rc = ipr_req_id(req, 0, INT32_MAX, &id, &err);
    if (rc == IPR_OK)
        rc = ipr_req_int(req, "year", 1, IPR_YEAR_MAX, 0, &year, &err);
    if (rc != IPR_OK)
        return ipr_reply_error(req, &err);
    topic.player = (int32_t)id;
    topic.year = (int32_t)year;
    return watch(req, &topic);
}

enum MHD_Result ipr_http_queue_events(struct ipr_req *req)
{
    const struct topic whole = { 0 };

    return watch(req, &whole);
}
