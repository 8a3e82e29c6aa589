#include "http/base/import_queue.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/queue.h>
#include <sys/stat.h>

#include "core/log.h"
#include "db/judges.h"
#include "db/records.h"
#include "db/uploads.h"
#include "http/base/fetching.h"
#include "http/base/reply.h"
#include "http/base/spool.h"

#define TRY_S       1 /* waiting for another process's lock, between checks for a stop */
#define BYTES_PER_S ((int64_t)1 << 20) /* about what one second imports */
#define ANSWER_S    30                 /* for sending answers when the service stops */

#define BEGUN_MAX    4                  /* that take turns; small ones besides */
#define SMALL_BYTES  ((int64_t)1 << 20) /* of one that may begin beside these */
#define PASSES_BYTES 4                  /* as often the bytes of one that passes at once */
#define TURN_US      ((int64_t)5000000) /* until one of about the same size is let pass */
#define BEGUN_AGES   16                 /* how much faster one that has begun grows old */
#define SHOWN_US     ((int64_t)500000)  /* between two records of the progress */
#define LOST_US                                                                                    \
    ((int64_t)2000000) /* until what was sent to the database is there or never will be */

struct ipr_import {
    STAILQ_ENTRY(ipr_import) link; /* among those waiting */
    struct ipr_import_queue *queue;
    struct ipr_req *req; /* which waits for its end; NULL: none does */
    char log_id[17];
    const char *fetch; /* whose games the body names, while they are not there; else NULL */
    const struct ipr_http *http;
    bool cancelled;          /* while they were fetched */
    struct ipr_spool *spool; /* of an import */
    int fd;
    int64_t bytes;           /* of the body */
    unsigned char token[32]; /* digest of the sender's; zeros: none, it is on this machine */
    struct ipr_ingest_options options;
    struct ipr_arena mem;    /* of their texts */
    ipr_import_work_fn work; /* NULL: an import */
    void *arg;
    struct ipr_ingest *ingest;      /* NULL: not begun */
    int64_t received_us, queued_us; /* the latter again after each turn */
    int64_t turn_us, shown_us;
    /* Written by the thread, read by the request after it is resumed. */
    struct ipr_ingest_result result;
    struct ipr_err err;
};

/* See ipr_import_queue_lose. */
struct lost {
    STAILQ_ENTRY(lost) link;
    int64_t upload_id, since_us;
};

struct ipr_import_queue {
    unsigned waiting_max;
    int64_t wait_us;
    struct ipr_db_pool *pool;
    pthread_t thread, fetcher;
    bool running, fetches;
    /* Used by the thread only: */
    int64_t had_lock_us; /* end of our last turn that had the lock */
    struct ipr_db *db;   /* of its imports that have begun: it shows that they go on */
    /* Protects all members below and every `link`. MHD's locks are taken while it is held. */
    pthread_mutex_t lock;
    pthread_cond_t changed; /* work for the thread; after its end, answers sent */
    STAILQ_HEAD(, ipr_import) items;
    STAILQ_HEAD(, lost) lost;
    unsigned waiting, begun;
    const struct ipr_import *working; /* NULL: none */
    struct ipr_import *fetching;      /* NULL: none */
    const struct ipr_import *passed;  /* has just let others pass */
    unsigned open;                    /* items of requests that are not yet freed */
    atomic_bool stopping;             /* set under the lock, read without it by running work */
};

/* ---- whose turn it is ---- */

static int64_t import_left(const struct ipr_import *im)
{
    return im->ingest != NULL ? ipr_ingest_left(im->ingest) : im->bytes;
}

/* Imports are ordered by this: each second of waiting is worth BYTES_PER_S, so that small ones pass
 * large ones, but none is passed for ever. */
static int64_t import_rank(const struct ipr_import *im, int64_t now_us)
{
    const int64_t aged = (now_us - im->queued_us) / 1000000 * BYTES_PER_S;

    return import_left(im) - (im->ingest != NULL ? BEGUN_AGES * aged : aged);
}

/* Each that has begun takes memory and a thread that reads; a service that stops begins none. */
static bool may_run(const struct ipr_import_queue *q, const struct ipr_import *im)
{
    if (im->ingest != NULL)
        return true;
    if (im->fetch != NULL)
        return false;
    return !q->stopping && (q->begun < BEGUN_MAX || im->bytes <= SMALL_BYTES);
}

/* Under the lock. The one that has let others pass comes first only if there is no other. */
static struct ipr_import *import_choose(const struct ipr_import_queue *q)
{
    const int64_t now_us = ipr_now_us();
    struct ipr_import *im = NULL, *other;

    STAILQ_FOREACH(other, &q->items, link)
        if (may_run(q, other) &&
            (im == NULL || im == q->passed ||
             (other != q->passed && import_rank(other, now_us) < import_rank(im, now_us))))
            im = other;
    return im;
}

static void queue_remove(struct ipr_import_queue *q, struct ipr_import *im)
{
    STAILQ_REMOVE(&q->items, im, ipr_import, link);
    q->waiting--;
}

static void queue_insert(struct ipr_import_queue *q, struct ipr_import *im)
{
    im->queued_us = ipr_now_us();
    STAILQ_INSERT_TAIL(&q->items, im, link);
    q->waiting++;
}

/* Under the lock: whether the running one makes room. By its size: the reader may be ahead of it by
 * some megabytes, so that what is left says too little. */
static bool is_to_pass(const struct ipr_import_queue *q, const struct ipr_import *im)
{
    const bool long_enough = ipr_now_us() - im->turn_us >= TURN_US;
    const struct ipr_import *other;

    STAILQ_FOREACH(other, &q->items, link)
        if (!q->stopping && may_run(q, other) &&
            (long_enough || import_left(other) <= im->bytes / PASSES_BYTES))
            return true;
    return false;
}

/* ---- the thread ---- */

static void import_show(struct ipr_import *im, int64_t upload_id,
                        const struct ipr_ingest_progress *p)
{
    const struct ipr_db_upload u = { .id = upload_id,
                                     .bytes_read = p->bytes_read,
                                     .games_read = p->counts->games_read,
                                     .imported = p->counts->imported,
                                     .duplicate = p->counts->duplicate,
                                     .rejected = p->counts->rejected,
                                     .judged = p->counts->judged };
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_db *db = NULL;

    if (ipr_now_us() - im->shown_us < SHOWN_US)
        return;
    im->shown_us = ipr_now_us();
    enum ipr_code rc = ipr_db_lease_in(im->queue->pool, ipr_db_space_of(upload_id), &db, &err);
    if (rc == IPR_OK)
        rc = ipr_db_upload_progress(db, &u, &err);
    ipr_db_return(&db);
    if (rc != IPR_OK)
        ipr_log(IPR_LOG_DEBUG, "upload_progress", "msg=\"%s\"", ipr_log_text(err.msg));
}

/* An ipr_ingest_look_fn. */
static bool import_look(void *arg, int64_t upload_id, const struct ipr_ingest_progress *progress)
{
    struct ipr_import *im = arg;

    import_show(im, upload_id, progress);
    pthread_mutex_lock(&im->queue->lock);
    const bool pass = is_to_pass(im->queue, im);
    pthread_mutex_unlock(&im->queue->lock);
    return pass;
}

/* The next one; NULL: stop. */
static struct ipr_import *queue_next(struct ipr_import_queue *q)
{
    struct ipr_import *im;

    pthread_mutex_lock(&q->lock);
    while ((im = import_choose(q)) == NULL && !q->stopping)
        pthread_cond_wait(&q->changed, &q->lock);
    if (im != NULL)
        queue_remove(q, im);
    q->passed = NULL;
    q->working = im;
    pthread_mutex_unlock(&q->lock);
    return im;
}

static bool is_held_up(const struct ipr_err *err)
{
    return err->code == IPR_ERETRY && strcmp(err->type, "import_running") == 0;
}

/* Time in our own queue does not count: the wait for another process's import begins when the
 * upload was received, or when our turn before it ended. */
static bool waits_on(const struct ipr_import *im)
{
    const struct ipr_import_queue *q = im->queue;
    const int64_t since = im->received_us > q->had_lock_us ? im->received_us : q->had_lock_us;

    return is_held_up(&im->err) && !atomic_load(&q->stopping) && ipr_now_us() - since < q->wait_us;
}

static void log_import(const struct ipr_import *im)
{
    const struct ipr_ingest_result *r = &im->result;

    ipr_log(IPR_LOG_INFO, "upload",
            "id=%lld read=%d imported=%d duplicate=%d rejected=%d judged=%d queued=%d ms=%.1f",
            (long long)r->upload_id, (int)r->games_read, (int)r->imported, (int)r->duplicate,
            (int)r->rejected, (int)r->judged, (int)r->queued,
            (double)(ipr_now_us() - im->received_us) / 1000.0);
}

static void count_begun(struct ipr_import_queue *q, int more)
{
    pthread_mutex_lock(&q->lock);
    q->begun += (unsigned)more;
    pthread_mutex_unlock(&q->lock);
}

/* The token has paid for what was sent. What that was unpacked to is known only now. */
static void import_charge(const struct ipr_import *im)
{
    const int64_t more = im->result.unpacked_bytes - im->bytes;
    struct ipr_err err = IPR_ERR_INIT;
    int64_t rows = 0;

    if (more > 0 && ipr_db_token_use(im->queue->db, im->token, more, false, &rows, &err) != IPR_OK)
        ipr_log(IPR_LOG_WARN, "upload_not_counted", "bytes=%lld msg=\"%s\"", (long long)more,
                ipr_log_text(err.msg));
}

static enum ipr_code import_advance(struct ipr_import *im, bool *ended)
{
    struct ipr_import_queue *q = im->queue;
    enum ipr_code rc = q->db != NULL ? IPR_OK : ipr_db_lease(q->pool, &q->db, &im->err);

    if (rc == IPR_OK)
        rc = ipr_db_enter(q->db, ipr_db_space_of(im->options.upload_id), &im->err);
    if (rc == IPR_OK && im->ingest == NULL) {
        rc = ipr_ingest_open(im->fd, &im->options, &im->ingest, &im->err);
        count_begun(q, rc == IPR_OK);
    }
    return rc == IPR_OK ? ipr_ingest_run(im->ingest, q->db, ended, &im->err) : rc;
}

/* Its record gives the reason of a failure as an answer does. */
static struct ipr_err failure_told(const struct ipr_err *err)
{
    const struct ipr_problem p = ipr_problem_of(err);
    struct ipr_err told = IPR_ERR_INIT;

    (void)ipr_err_type(&told, err->code, p.type, "%s", p.detail);
    return told;
}

/* An import that cannot be undone now is undone later: here if nothing of it has begun, or else by
 * ipr_db_uploads_settle. */
static void import_undo(struct ipr_import *im)
{
    const struct ipr_err why = failure_told(&im->err);
    struct ipr_import_queue *q = im->queue;
    struct ipr_err err = IPR_ERR_INIT;
    enum ipr_code rc;

    ipr_db_return(&q->db); /* it may be broken */
    rc = ipr_db_lease_in(q->pool, ipr_db_space_of(im->options.upload_id), &q->db, &err);
    if (rc == IPR_OK && im->ingest != NULL)
        rc = ipr_ingest_undo(im->ingest, q->db, &why, &err);
    else if (rc == IPR_OK)
        rc = ipr_db_upload_fail(q->db, im->options.upload_id, why.type, why.msg, &err);
    if (rc == IPR_OK || err.code == IPR_ENOTFOUND) /* it was deleted */
        return;
    ipr_import_queue_lose(q, im->options.upload_id);
    ipr_log(IPR_LOG_WARN, "upload_undo_failed", "id=%lld msg=\"%s\"",
            (long long)im->options.upload_id, ipr_log_text(err.msg));
}

/* True if it is over. */
static bool import_turn(struct ipr_import *im)
{
    struct ipr_err err = IPR_ERR_INIT;
    bool ended = false, renewed = false;

    im->turn_us = ipr_now_us();
    const enum ipr_code rc = import_advance(im, &ended);
    if (rc == IPR_OK || !is_held_up(&im->err))
        im->queue->had_lock_us = ipr_now_us();
    if ((rc == IPR_OK && !ended) || waits_on(im)) {
        ipr_err_clear(&im->err);
        return false;
    }
    if (rc == IPR_OK) {
        im->result = *ipr_ingest_result(im->ingest);
        import_charge(im);
        log_import(im);
        /* The statistics of the planner are soon renewed without this, too. */
        if (ipr_db_games_analyse(im->queue->db, im->result.imported + im->result.judged, &renewed,
                                 &err) != IPR_OK)
            ipr_log(IPR_LOG_WARN, "upload_not_analysed", "msg=\"%s\"", ipr_log_text(err.msg));
    } else {
        import_undo(im);
    }
    if (im->ingest != NULL)
        count_begun(im->queue, -1);
    ipr_ingest_close(&im->ingest);
    return true;
}

static bool import_work(struct ipr_import *im)
{
    bool over = true;

    ipr_log_context(im->log_id);
    if (im->work != NULL)
        (void)!im->work(im->req, im->arg, &im->queue->stopping, &im->err); /* copied to err */
    else
        over = import_turn(im);
    ipr_log_context(NULL);
    return over;
}

static void import_release(struct ipr_import *im)
{
    ipr_spool_free(&im->spool);
    ipr_arena_release(&im->mem);
    free(im);
}

/* Under the lock. */
static void import_answer(struct ipr_import *im)
{
    if (im->req != NULL)
        MHD_resume_connection(im->req->conn);
    else
        import_release(im);
}

static void *import_thread(void *cls)
{
    struct ipr_import_queue *q = cls;
    struct ipr_import *im;

    while ((im = queue_next(q)) != NULL) {
        const bool over = import_work(im);

        pthread_mutex_lock(&q->lock);
        q->working = NULL;
        const bool idle = q->begun == 0;
        if (over) {
            import_answer(im);
        } else {
            q->passed = im;
            queue_insert(q, im);
        }
        pthread_mutex_unlock(&q->lock);
        if (idle)
            ipr_db_return(&q->db);
    }
    return NULL;
}

/* Its record says why; without a database that is said at the next start. */
static void record_refusal(struct ipr_import *im)
{
    const struct ipr_err why = failure_told(&im->err);
    struct ipr_db *db = NULL;

    if (im->work == NULL && ipr_db_lease_in(im->queue->pool, ipr_db_space_of(im->options.upload_id),
                                            &db, NULL) == IPR_OK)
        (void)!ipr_db_upload_fail(db, im->options.upload_id, why.type, why.msg, NULL);
    ipr_db_return(&db);
}

/* ---- games of another site ---- */

/* The next one; NULL: stop. It is in no list meanwhile. */
static struct ipr_import *fetch_next(struct ipr_import_queue *q)
{
    struct ipr_import *im = NULL;

    pthread_mutex_lock(&q->lock);
    while (!q->stopping) {
        STAILQ_FOREACH(im, &q->items, link)
            if (im->fetch != NULL)
                break;
        if (im != NULL)
            break;
        pthread_cond_wait(&q->changed, &q->lock);
    }
    if (im != NULL)
        queue_remove(q, im);
    q->fetching = im;
    pthread_mutex_unlock(&q->lock);
    return im;
}

/* Games of one player at a time, so that no site is asked twice at once. Then the upload is as any
 * other. */
static void *fetch_thread(void *cls)
{
    struct ipr_import_queue *q = cls;
    struct ipr_import *im;
    struct stat body;

    while ((im = fetch_next(q)) != NULL) {
        const enum ipr_code rc = ipr_fetch_into(im->http->o.config, im->fetch, im->http->tmp_dir,
                                                &q->stopping, im->fd, &im->err);

        im->bytes = fstat(im->fd, &body) == 0 ? body.st_size : 0;
        im->fetch = NULL;
        if (rc != IPR_OK)
            record_refusal(im);
        pthread_mutex_lock(&q->lock);
        q->fetching = NULL;
        if (rc == IPR_OK && !im->cancelled && !q->stopping)
            queue_insert(q, im);
        else
            import_answer(im);
        pthread_cond_broadcast(&q->changed);
        pthread_mutex_unlock(&q->lock);
    }
    return NULL;
}

/* ---- those that nobody imports ---- */

void ipr_import_queue_lose(struct ipr_import_queue *q, int64_t upload_id)
{
    struct lost *lost = ipr_xcalloc(1, sizeof *lost);

    *lost = (struct lost){ .upload_id = upload_id, .since_us = ipr_now_us() };
    pthread_mutex_lock(&q->lock);
    STAILQ_INSERT_TAIL(&q->lost, lost, link);
    pthread_mutex_unlock(&q->lock);
}

/* The first one; NULL: none, or it is too early. */
static struct lost *lost_first(struct ipr_import_queue *q)
{
    pthread_mutex_lock(&q->lock);
    struct lost *const lost = STAILQ_FIRST(&q->lost);
    pthread_mutex_unlock(&q->lock);
    return lost != NULL && ipr_now_us() - lost->since_us >= LOST_US ? lost : NULL;
}

static void lost_remove(struct ipr_import_queue *q, struct lost *lost)
{
    pthread_mutex_lock(&q->lock);
    STAILQ_REMOVE(&q->lost, lost, lost, link);
    pthread_mutex_unlock(&q->lock);
    free(lost);
}

enum ipr_code ipr_import_queue_settle(struct ipr_import_queue *q, struct ipr_db *db,
                                      struct ipr_err *err)
{
    enum ipr_code rc = IPR_OK;
    struct lost *lost;
    int64_t n = 0;

    while (rc == IPR_OK && (lost = lost_first(q)) != NULL) {
        rc = ipr_db_uploads_interrupt(db, lost->upload_id, &n, err);
        if (rc == IPR_OK)
            lost_remove(q, lost);
    }
    return rc;
}

/* ---- a request's side ---- */

/* Under the lock. Nobody's uploads take the room of all others. */
static bool share_is_full(const struct ipr_import_queue *q, const struct ipr_import *im)
{
    static const unsigned char none[sizeof im->token];
    const struct ipr_import *other;
    unsigned n = 0;

    STAILQ_FOREACH(other, &q->items, link)
        n += memcmp(other->token, im->token, sizeof im->token) == 0;
    return n >= IPR_IMPORTS_SHARE && memcmp(im->token, none, sizeof none) != 0;
}

static enum ipr_code import_refuse(const struct ipr_import_queue *q, bool stopping, bool greedy,
                                   struct ipr_err *err)
{
    if (stopping)
        return ipr_err_set(err, IPR_ERETRY, "the service is stopping");
    if (greedy)
        return ipr_err_type(err, IPR_ERETRY, "import_running",
                            "%d uploads with this token are waiting, which is the limit of one "
                            "token; retry later",
                            IPR_IMPORTS_SHARE);
    if (q->waiting_max == 0)
        return ipr_err_type(err, IPR_ERETRY, "work_running",
                            "a calibration is being made; retry later");
    return ipr_err_type(err, IPR_ERETRY, "import_running",
                        "%u uploads are waiting, which is the limit; retry later", q->waiting_max);
}

/* Takes `im` if there is room. `waits`: the request does, for its end. */
static enum ipr_code queue_put(struct ipr_import_queue *q, struct ipr_req *req, bool waits,
                               struct ipr_import *im, struct ipr_err *err)
{
    pthread_mutex_lock(&q->lock);
    const bool stopping = q->stopping;
    const bool greedy = share_is_full(q, im);
    const bool room = !stopping && !greedy && q->waiting + (q->working != NULL) <= q->waiting_max;
    if (room) {
        im->queue = q;
        snprintf(im->log_id, sizeof im->log_id, "%s", req->id);
        im->received_us = ipr_now_us();
        queue_insert(q, im);
        if (waits) {
            im->req = req;
            req->import = im;
            q->open++;
            MHD_suspend_connection(req->conn);
        }
        pthread_cond_broadcast(&q->changed);
    }
    pthread_mutex_unlock(&q->lock);
    return room ? IPR_OK : import_refuse(q, stopping, greedy, err);
}

static const char *import_text(struct ipr_import *im, const char *text)
{
    return text != NULL ? ipr_arena_strndup(&im->mem, text, strlen(text)) : NULL;
}

enum ipr_code ipr_import_queue_put(struct ipr_req *req, int fd,
                                   const struct ipr_ingest_options *options, const char *fetch,
                                   bool waits, struct ipr_err *err)
{
    struct ipr_import *im = ipr_xcalloc(1, sizeof *im);
    struct stat body;

    *im = (struct ipr_import){ .fd = fd, .options = *options, .err = IPR_ERR_INIT };
    im->bytes = fstat(fd, &body) == 0 ? body.st_size : 0;
    memcpy(im->token, req->writer_digest, sizeof im->token);
    im->options.wait_s = TRY_S;
    im->options.look = import_look;
    im->options.look_arg = im;
    im->options.source = import_text(im, options->source);
    im->options.judge = import_text(im, options->judge);
    im->options.owner = import_text(im, options->owner);
    im->fetch = import_text(im, fetch);
    im->http = req->http;
    im->spool = req->spool;
    req->spool = NULL;
    const enum ipr_code rc = queue_put(req->http->imports, req, waits, im, err);
    if (rc != IPR_OK) {
        req->spool = im->spool;
        im->spool = NULL;
        import_release(im);
    }
    return rc;
}

enum ipr_code ipr_import_queue_work(struct ipr_req *req, ipr_import_work_fn fn, void *arg,
                                    struct ipr_err *err)
{
    struct ipr_import *im = ipr_xcalloc(1, sizeof *im);

    *im = (struct ipr_import){ .fd = -1, .work = fn, .arg = arg, .err = IPR_ERR_INIT };
    const enum ipr_code rc = queue_put(req->http->works, req, true, im, err);
    if (rc != IPR_OK)
        import_release(im);
    return rc;
}

void ipr_import_queue_cancel(struct ipr_import_queue *q, int64_t upload_id)
{
    struct ipr_import *im;

    pthread_mutex_lock(&q->lock);
    if (q->fetching != NULL && q->fetching->options.upload_id == upload_id)
        q->fetching->cancelled = true;
    STAILQ_FOREACH(im, &q->items, link)
        if (im->ingest == NULL && im->options.upload_id == upload_id)
            break;
    if (im != NULL) {
        queue_remove(q, im);
        (void)ipr_err_type(&im->err, IPR_ECONFLICT, "upload_cancelled",
                           "The upload was deleted before it was imported.");
        import_answer(im);
    }
    pthread_mutex_unlock(&q->lock);
}

static bool import_is(const struct ipr_import *im, int64_t upload_id, const unsigned char token[32])
{
    return im->options.upload_id == upload_id && memcmp(im->token, token, sizeof im->token) == 0;
}

bool ipr_import_queue_has(struct ipr_import_queue *q, int64_t upload_id,
                          const unsigned char token[32])
{
    const struct ipr_import *im;
    bool has;

    pthread_mutex_lock(&q->lock);
    has = (q->working != NULL && import_is(q->working, upload_id, token)) ||
          (q->fetching != NULL && import_is(q->fetching, upload_id, token));
    STAILQ_FOREACH(im, &q->items, link)
        has = has || import_is(im, upload_id, token);
    pthread_mutex_unlock(&q->lock);
    return has;
}

void *ipr_import_work_arg(const struct ipr_import *im)
{
    return im->arg;
}

enum ipr_code ipr_import_result(const struct ipr_import *im, struct ipr_ingest_result *out,
                                struct ipr_err *err)
{
    if (im->err.code != IPR_OK)
        *err = im->err;
    else if (out != NULL)
        *out = im->result;
    return im->err.code;
}

void ipr_import_free(struct ipr_import **import)
{
    struct ipr_import *im = *import;

    if (im == NULL)
        return;
    pthread_mutex_lock(&im->queue->lock);
    im->queue->open--;
    pthread_cond_signal(&im->queue->changed);
    pthread_mutex_unlock(&im->queue->lock);
    import_release(im);
    *import = NULL;
}

/* ---- life ---- */

enum ipr_code ipr_import_queue_start(struct ipr_db_pool *pool, unsigned waiting_max, int wait_s,
                                     struct ipr_import_queue **out, struct ipr_err *err)
{
    struct ipr_import_queue *q = ipr_xcalloc(1, sizeof *q);

    STAILQ_INIT(&q->items);
    STAILQ_INIT(&q->lost);
    q->pool = pool;
    q->waiting_max = waiting_max;
    q->wait_us = (int64_t)wait_s * 1000000;
    pthread_mutex_init(&q->lock, NULL);
    ipr_clock_cond_init(&q->changed);
    q->running = pthread_create(&q->thread, NULL, import_thread, q) == 0;
    q->fetches = pool != NULL && pthread_create(&q->fetcher, NULL, fetch_thread, q) == 0;
    if (!q->running || (pool != NULL && !q->fetches)) {
        ipr_import_queue_free(&q);
        return ipr_err_set(err, IPR_EIO, "cannot start a thread");
    }
    *out = q;
    return IPR_OK;
}

/* Waiting requests are refused at once; those that have begun may take longer. */
static void refuse_waiting(struct ipr_import_queue *q)
{
    struct ipr_import *im;

    pthread_mutex_lock(&q->lock);
    atomic_store(&q->stopping, true);
    for (;;) {
        STAILQ_FOREACH(im, &q->items, link)
            if (im->ingest == NULL)
                break;
        if (im == NULL)
            break;
        queue_remove(q, im);
        (void)ipr_err_set(&im->err, IPR_ERETRY,
                          "the service stopped before this upload was imported");
        pthread_mutex_unlock(&q->lock);
        record_refusal(im);
        pthread_mutex_lock(&q->lock);
        import_answer(im);
    }
    pthread_cond_broadcast(&q->changed);
    pthread_mutex_unlock(&q->lock);
}

void ipr_import_queue_quiesce(struct ipr_import_queue *q)
{
    refuse_waiting(q);
    if (q->fetches)
        pthread_join(q->fetcher, NULL);
    q->fetches = false;
    if (q->running)
        pthread_join(q->thread, NULL);
    q->running = false;
    /* Stopping MHD closes connections that were resumed but not answered yet. */
    ipr_clock_await_none(&q->lock, &q->changed, &q->open, ANSWER_S);
}

void ipr_import_queue_free(struct ipr_import_queue **queue)
{
    struct ipr_import_queue *q = *queue;
    struct lost *lost;

    if (q == NULL)
        return;
    if (q->running || q->fetches)
        ipr_import_queue_quiesce(q);
    while ((lost = STAILQ_FIRST(&q->lost)) != NULL)
        lost_remove(q, lost);
    pthread_cond_destroy(&q->changed);
    pthread_mutex_destroy(&q->lock);
    free(q);
    *queue = NULL;
}
