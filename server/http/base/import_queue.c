#include "http/base/import_queue.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "core/log.h"
#include "db/uploads.h"
#include "http/base/fetching.h"
#include "http/base/import_item.h"

#define TRY_S           1  /* waiting for another process's lock, between checks for a stop */
#define IMPORT_ANSWER_S 30 /* for sending answers when the service stops */

/* ---- the thread ---- */

/* The next one; NULL: stop. */
static struct ipr_import *queue_next(struct ipr_import_queue *q)
{
    struct ipr_import *im;

    pthread_mutex_lock(&q->lock);
    while ((im = ipr_import_choose(q)) == NULL && !q->stopping)
        pthread_cond_wait(&q->changed, &q->lock);
    if (im != NULL)
        ipr_import_remove(q, im);
    q->passed = NULL;
    q->working = im;
    pthread_mutex_unlock(&q->lock);
    return im;
}

static bool import_work(struct ipr_import *im)
{
    bool over = true;

    ipr_log_context(im->log_id);
    if (im->work != NULL)
        (void)!im->work(im->req, im->arg, &im->queue->stopping, &im->err); /* copied to err */
    else
        over = ipr_import_turn(im);
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
            ipr_import_insert(q, im);
        }
        pthread_mutex_unlock(&q->lock);
        if (idle)
            ipr_db_return(&q->db);
    }
    return NULL;
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
        ipr_import_remove(q, im);
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
            ipr_import_record_refusal(im);
        pthread_mutex_lock(&q->lock);
        q->fetching = NULL;
        if (rc == IPR_OK && !im->cancelled && !q->stopping)
            ipr_import_insert(q, im);
        else
            import_answer(im);
        pthread_cond_broadcast(&q->changed);
        pthread_mutex_unlock(&q->lock);
    }
    return NULL;
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
                            "%d uploads with this token, or of this address, are waiting, which is "
                            "the limit of one sender; retry later",
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
        ipr_import_insert(q, im);
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
    im->options.look = ipr_import_look;
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
        ipr_import_remove(q, im);
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
        ipr_import_remove(q, im);
        (void)ipr_err_set(&im->err, IPR_ERETRY,
                          "the service stopped before this upload was imported");
        pthread_mutex_unlock(&q->lock);
        ipr_import_record_refusal(im);
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
    ipr_clock_await_none(&q->lock, &q->changed, &q->open, IMPORT_ANSWER_S);
}

void ipr_import_queue_free(struct ipr_import_queue **queue)
{
    struct ipr_import_queue *q = *queue;
    struct ipr_import_lost *lost;

    if (q == NULL)
        return;
    if (q->running || q->fetches)
        ipr_import_queue_quiesce(q);
    while ((lost = STAILQ_FIRST(&q->lost)) != NULL)
        ipr_import_lost_remove(q, lost);
    pthread_cond_destroy(&q->changed);
    pthread_mutex_destroy(&q->lock);
    free(q);
    *queue = NULL;
}
