/* Turns of an import with the database, and how it ends. */
#include <string.h>

#include "core/log.h"
#include "db/judges.h"
#include "db/records.h"
#include "db/uploads.h"
#include "http/base/import_item.h"
#include "http/base/reply.h"

#define SHOWN_US ((int64_t)500000) /* between two records of the progress */

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

bool ipr_import_look(void *arg, int64_t upload_id, const struct ipr_ingest_progress *progress)
{
    struct ipr_import *im = arg;

    import_show(im, upload_id, progress);
    pthread_mutex_lock(&im->queue->lock);
    const bool pass = ipr_import_is_to_pass(im->queue, im);
    pthread_mutex_unlock(&im->queue->lock);
    return pass;
}

static bool is_held_up(const struct ipr_err *err)
{
    return err->code == IPR_ERETRY && strcmp(err->type, "import_running") == 0;
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

bool ipr_import_turn(struct ipr_import *im)
{
    struct ipr_err err = IPR_ERR_INIT;
    bool ended = false, renewed = false;

    im->turn_us = ipr_now_us();
    const enum ipr_code rc = import_advance(im, &ended);
    if (rc == IPR_OK || !is_held_up(&im->err))
        im->queue->had_lock_us = ipr_now_us();
    /* Time in our own queue does not count: the wait for another process's import begins when the
     * upload was received, or when our turn before it ended. */
    const struct ipr_import_queue *const q = im->queue;
    const int64_t since = im->received_us > q->had_lock_us ? im->received_us : q->had_lock_us;
    if ((rc == IPR_OK && !ended) ||
        (is_held_up(&im->err) && !atomic_load(&q->stopping) && ipr_now_us() - since < q->wait_us)) {
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

void ipr_import_record_refusal(struct ipr_import *im)
{
    const struct ipr_err why = failure_told(&im->err);
    struct ipr_db *db = NULL;

    if (im->work == NULL && ipr_db_lease_in(im->queue->pool, ipr_db_space_of(im->options.upload_id),
                                            &db, NULL) == IPR_OK)
        (void)!ipr_db_upload_fail(db, im->options.upload_id, why.type, why.msg, NULL);
    ipr_db_return(&db);
}
