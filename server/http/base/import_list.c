/* The imports that wait, whose turn it is, and those that nobody imports. */
#include <stdlib.h>

#include "db/uploads.h"
#include "http/base/import_item.h"

#define BYTES_PER_S  ((int64_t)1 << 20) /* about what one second imports */
#define BEGUN_MAX    4                  /* that take turns; small ones besides */
#define SMALL_BYTES  ((int64_t)1 << 20) /* of one that may begin beside these */
#define PASSES_BYTES 4                  /* as often the bytes of one that passes at once */
#define TURN_US      ((int64_t)5000000) /* until one of about the same size is let pass */
#define BEGUN_AGES   16                 /* how much faster one that has begun grows old */
#define LOST_US                                                                                    \
    ((int64_t)2000000) /* until what was sent to the database is there or never will be */

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

struct ipr_import *ipr_import_choose(const struct ipr_import_queue *q)
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

void ipr_import_remove(struct ipr_import_queue *q, struct ipr_import *im)
{
    STAILQ_REMOVE(&q->items, im, ipr_import, link);
    q->waiting--;
}

void ipr_import_insert(struct ipr_import_queue *q, struct ipr_import *im)
{
    im->queued_us = ipr_now_us();
    STAILQ_INSERT_TAIL(&q->items, im, link);
    q->waiting++;
}

/* By its size: the reader may be ahead of it by some megabytes, so that what is left says too
 * little. */
bool ipr_import_is_to_pass(const struct ipr_import_queue *q, const struct ipr_import *im)
{
    const bool long_enough = ipr_now_us() - im->turn_us >= TURN_US;
    const struct ipr_import *other;

    STAILQ_FOREACH(other, &q->items, link)
        if (!q->stopping && may_run(q, other) &&
            (long_enough || import_left(other) <= im->bytes / PASSES_BYTES))
            return true;
    return false;
}

/* ---- those that nobody imports ---- */

void ipr_import_queue_lose(struct ipr_import_queue *q, int64_t upload_id)
{
    struct ipr_import_lost *lost = ipr_xcalloc(1, sizeof *lost);

    *lost = (struct ipr_import_lost){ .upload_id = upload_id, .since_us = ipr_now_us() };
    pthread_mutex_lock(&q->lock);
    STAILQ_INSERT_TAIL(&q->lost, lost, link);
    pthread_mutex_unlock(&q->lock);
}

/* The first one; NULL: none, or it is too early. */
static struct ipr_import_lost *lost_first(struct ipr_import_queue *q)
{
    pthread_mutex_lock(&q->lock);
    struct ipr_import_lost *const lost = STAILQ_FIRST(&q->lost);
    pthread_mutex_unlock(&q->lock);
    return lost != NULL && ipr_now_us() - lost->since_us >= LOST_US ? lost : NULL;
}

void ipr_import_lost_remove(struct ipr_import_queue *q, struct ipr_import_lost *lost)
{
    pthread_mutex_lock(&q->lock);
    STAILQ_REMOVE(&q->lost, lost, ipr_import_lost, link);
    pthread_mutex_unlock(&q->lock);
    free(lost);
}

enum ipr_code ipr_import_queue_settle(struct ipr_import_queue *q, struct ipr_db *db,
                                      struct ipr_err *err)
{
    enum ipr_code rc = IPR_OK;
    struct ipr_import_lost *lost;
    int64_t n = 0;

    while (rc == IPR_OK && (lost = lost_first(q)) != NULL) {
        rc = ipr_db_uploads_interrupt(db, lost->upload_id, &n, err);
        if (rc == IPR_OK)
            ipr_import_lost_remove(q, lost);
    }
    return rc;
}
