#include "http/import_queue.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/queue.h>
#include <sys/stat.h>

#include "core/log.h"

#define TRY_S       1 /* waiting for another process's lock, between checks for a stop */
#define BYTES_PER_S ((int64_t)1 << 20) /* about what one second imports */
#define ANSWER_S    30                 /* for sending answers when the service stops */

struct ipr_import {
    STAILQ_ENTRY(ipr_import) link; /* among those waiting */
    struct ipr_import_queue *queue;
    struct ipr_req *req;
    int fd;
    int64_t bytes; /* of the body */
    struct ipr_ingest_options options;
    ipr_import_work_fn work; /* NULL: an import */
    void *arg;
    int64_t queued_us;
    /* Written by the thread, read by the request after it is resumed. */
    struct ipr_ingest_result result;
    struct ipr_err err;
};

struct ipr_import_queue {
    unsigned waiting_max;
    int64_t wait_us;
    int64_t had_lock_us; /* end of our last import that had the lock; used by the thread only */
    pthread_t thread;
    bool running;
    /* Protects all members below and every `link`. MHD's locks are taken while it is held. */
    pthread_mutex_t lock;
    pthread_cond_t changed; /* work for the thread; after its end, answers sent */
    STAILQ_HEAD(, ipr_import) items;
    unsigned waiting;
    bool working;
    unsigned open;        /* items of requests that are not yet freed */
    atomic_bool stopping; /* set under the lock, read without it by running work */
};

/* What an import has to wait for: each second of waiting is worth BYTES_PER_S, so that small ones
 * pass large ones, but none is passed for ever. */
static int64_t import_rank(const struct ipr_import *im, int64_t now_us)
{
    return im->bytes - (now_us - im->queued_us) / 1000000 * BYTES_PER_S;
}

/* Under the lock. */
static struct ipr_import *queue_pop(struct ipr_import_queue *q)
{
    const int64_t now_us = ipr_now_us();
    struct ipr_import *im = STAILQ_FIRST(&q->items), *other;

    if (im == NULL)
        return NULL;
    STAILQ_FOREACH(other, &q->items, link)
        if (import_rank(other, now_us) < import_rank(im, now_us))
            im = other;
    STAILQ_REMOVE(&q->items, im, ipr_import, link);
    q->waiting--;
    return im;
}

/* ---- the thread ---- */

/* The next one; NULL: stop. */
static struct ipr_import *queue_next(struct ipr_import_queue *q)
{
    pthread_mutex_lock(&q->lock);
    while (STAILQ_EMPTY(&q->items) && !q->stopping)
        pthread_cond_wait(&q->changed, &q->lock);
    struct ipr_import *im = q->stopping ? NULL : queue_pop(q);
    q->working = im != NULL;
    pthread_mutex_unlock(&q->lock);
    return im;
}

static bool is_held_up(const struct ipr_err *err)
{
    return err->code == IPR_ERETRY && strcmp(err->type, "import_running") == 0;
}

/* Time in our own queue does not count: the wait for another process's import begins when the
 * upload was received, or when our import before it ended. */
static void import_retried(struct ipr_import *im, struct ipr_db *db)
{
    struct ipr_import_queue *q = im->queue;
    const int64_t since = im->queued_us > q->had_lock_us ? im->queued_us : q->had_lock_us;
    enum ipr_code rc;

    do {
        ipr_err_clear(&im->err);
        rc = ipr_ingest_fd(db, im->fd, &im->options, &im->result, &im->err);
    } while (rc != IPR_OK && is_held_up(&im->err) && !atomic_load(&q->stopping) &&
             ipr_now_us() - since < q->wait_us);
    if (rc == IPR_OK || !is_held_up(&im->err))
        q->had_lock_us = ipr_now_us();
}

static void log_import(const struct ipr_import *im, int64_t begun_us)
{
    const struct ipr_ingest_result *r = &im->result;

    ipr_log(IPR_LOG_INFO, "upload",
            "id=%lld read=%d imported=%d duplicate=%d rejected=%d judged=%d queued=%d "
            "waited_ms=%.1f ms=%.1f",
            (long long)r->upload_id, (int)r->games_read, (int)r->imported, (int)r->duplicate,
            (int)r->rejected, (int)r->judged, (int)r->queued,
            (double)(begun_us - im->queued_us) / 1000.0,
            (double)(ipr_now_us() - begun_us) / 1000.0);
}

static void import_logged(struct ipr_import *im)
{
    const int64_t begun_us = ipr_now_us();
    struct ipr_db *db = NULL;

    if (ipr_req_lease(im->req, &db, &im->err) == IPR_OK)
        import_retried(im, db);
    ipr_db_return(&db);
    if (im->err.code == IPR_OK)
        log_import(im, begun_us);
}

static void import_work(struct ipr_import *im)
{
    ipr_log_context(im->req->id);
    if (im->work != NULL)
        (void)!im->work(im->req, im->arg, &im->queue->stopping, &im->err); /* copied to err */
    else
        import_logged(im);
    ipr_log_context(NULL);
}

static void *import_thread(void *cls)
{
    struct ipr_import_queue *q = cls;
    struct ipr_import *im;

    while ((im = queue_next(q)) != NULL) {
        import_work(im);
        pthread_mutex_lock(&q->lock);
        q->working = false;
        MHD_resume_connection(im->req->conn);
        pthread_mutex_unlock(&q->lock);
    }
    return NULL;
}

/* ---- a request's side ---- */

static enum ipr_code import_refuse(const struct ipr_import_queue *q, bool stopping,
                                   struct ipr_err *err)
{
    if (stopping)
        return ipr_err_set(err, IPR_ERETRY, "the service is stopping");
    if (q->waiting_max == 0)
        return ipr_err_type(err, IPR_ERETRY, "work_running",
                            "a calibration is being made; retry later");
    return ipr_err_type(err, IPR_ERETRY, "import_running",
                        "%u uploads are waiting, which is the limit; retry later", q->waiting_max);
}

/* `what` is copied; its request, queue and time are set here. */
static enum ipr_code queue_put(struct ipr_import_queue *q, struct ipr_req *req,
                               const struct ipr_import *what, struct ipr_err *err)
{
    pthread_mutex_lock(&q->lock);
    const bool stopping = q->stopping;
    const bool room = !stopping && q->waiting + q->working <= q->waiting_max;
    if (room) {
        struct ipr_import *im = ipr_xcalloc(1, sizeof *im);

        *im = *what;
        im->queue = q;
        im->req = req;
        im->queued_us = ipr_now_us();
        im->options.wait_s = TRY_S;
        req->import = im;
        q->open++;
        STAILQ_INSERT_TAIL(&q->items, im, link);
        q->waiting++;
        MHD_suspend_connection(req->conn);
        pthread_cond_signal(&q->changed);
    }
    pthread_mutex_unlock(&q->lock);
    return room ? IPR_OK : import_refuse(q, stopping, err);
}

enum ipr_code ipr_import_queue_put(struct ipr_req *req, int fd,
                                   const struct ipr_ingest_options *options, struct ipr_err *err)
{
    struct stat body;
    const int64_t bytes = fstat(fd, &body) == 0 ? body.st_size : 0;

    return queue_put(
        req->http->imports, req,
        &(struct ipr_import){ .fd = fd, .bytes = bytes, .options = *options, .err = IPR_ERR_INIT },
        err);
}

enum ipr_code ipr_import_queue_work(struct ipr_req *req, ipr_import_work_fn fn, void *arg,
                                    struct ipr_err *err)
{
    return queue_put(req->http->works, req,
                     &(struct ipr_import){ .fd = -1, .work = fn, .arg = arg, .err = IPR_ERR_INIT },
                     err);
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
    free(im);
    *import = NULL;
}

/* ---- life ---- */

enum ipr_code ipr_import_queue_start(unsigned waiting_max, int wait_s,
                                     struct ipr_import_queue **out, struct ipr_err *err)
{
    struct ipr_import_queue *q = ipr_xcalloc(1, sizeof *q);

    STAILQ_INIT(&q->items);
    q->waiting_max = waiting_max;
    q->wait_us = (int64_t)wait_s * 1000000;
    pthread_mutex_init(&q->lock, NULL);
    ipr_clock_cond_init(&q->changed);
    q->running = pthread_create(&q->thread, NULL, import_thread, q) == 0;
    if (!q->running) {
        ipr_import_queue_free(&q);
        return ipr_err_set(err, IPR_EIO, "cannot start a thread");
    }
    *out = q;
    return IPR_OK;
}

/* Waiting requests are refused at once; the running one may take longer. */
static void refuse_waiting(struct ipr_import_queue *q)
{
    struct ipr_import *im;

    pthread_mutex_lock(&q->lock);
    atomic_store(&q->stopping, true);
    while ((im = queue_pop(q)) != NULL) {
        (void)ipr_err_set(&im->err, IPR_ERETRY,
                          "the service stopped before this upload was imported");
        MHD_resume_connection(im->req->conn);
    }
    pthread_cond_signal(&q->changed);
    pthread_mutex_unlock(&q->lock);
}

void ipr_import_queue_quiesce(struct ipr_import_queue *q)
{
    refuse_waiting(q);
    if (q->running)
        pthread_join(q->thread, NULL);
    q->running = false;
    /* Stopping MHD closes connections that were resumed but not answered yet. */
    ipr_clock_await_none(&q->lock, &q->changed, &q->open, ANSWER_S);
}

void ipr_import_queue_free(struct ipr_import_queue **queue)
{
    struct ipr_import_queue *q = *queue;

    if (q == NULL)
        return;
    if (q->running)
        ipr_import_queue_quiesce(q);
    pthread_cond_destroy(&q->changed);
    pthread_mutex_destroy(&q->lock);
    free(q);
    *queue = NULL;
}
