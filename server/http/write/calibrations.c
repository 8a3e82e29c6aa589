/* Calibrations: the records, and a new one from figures. */
#include <string.h>

#include "core/log.h"
#include "http/base/import_queue.h"
#include "http/base/reply.h"
#include "http/base/routes.h"
#include "http/base/spool.h"
#include "ingest/unpack.h"
#include "view/calibration/calibration.h"

/* Limit of the unpacked figures: five times those of the calibration that is shipped. */
#define FIGURES_MAX IPR_REQ_RAW_MAX

/* ---- a new one ---- */

/* In the memory of the request; the work thread uses it meanwhile. */
struct making {
    const char *name;
    int fd; /* the figures as sent */
    bool fresh;
};

static enum ipr_code unpack_figures(int fd, struct ipr_buf *out, struct ipr_err *err)
{
    const struct ipr_unpack_limits limits = { .max_bytes = FIGURES_MAX, .max_entries = 1 };
    struct ipr_unpack *u = NULL;
    const char *name = NULL;
    char chunk[65536];
    size_t n = 0;

    enum ipr_code rc = ipr_unpack_open(fd, 0, &limits, &u, err);
    if (rc == IPR_OK)
        rc = ipr_unpack_next(u, &name, err);
    if (rc == IPR_OK && name != NULL)
        do {
            rc = ipr_unpack_read(u, chunk, sizeof chunk, &n, err);
            if (rc == IPR_OK)
                ipr_buf_add(out, chunk, n);
        } while (rc == IPR_OK && n > 0);
    ipr_unpack_close(&u);
    return rc;
}

static enum ipr_code calibration_store(struct ipr_req *req, struct making *m, const json_t *record,
                                       struct ipr_err *err)
{
    struct ipr_view view = { .config = req->http->o.config, .mem = &req->mem };

    enum ipr_code rc = ipr_req_lease(req, &view.db, err);
    if (rc == IPR_OK)
        rc = ipr_view_calibration_add(&view, record, &m->fresh, err);
    ipr_db_return(&view.db);
    return rc;
}

/* An ipr_import_work_fn: it takes up to a minute, so it does not run on a thread of the pages.
 */
static enum ipr_code calibration_make(struct ipr_req *req, void *arg, const atomic_bool *stop,
                                      struct ipr_err *err)
{
    struct making *m = arg;
    const int64_t begun_us = ipr_now_us();
    struct ipr_buf text = IPR_BUF_INIT;
    json_t *record = NULL;

    enum ipr_code rc = unpack_figures(m->fd, &text, err);
    const struct ipr_str figures = { ipr_buf_c(&text), text.n };
    if (rc == IPR_OK)
        rc = ipr_calibration_make(m->name, figures, true, stop, &record, err);
    if (rc == IPR_OK)
        rc = calibration_store(req, m, record, err);
    if (rc == IPR_OK)
        ipr_log(IPR_LOG_INFO, "calibration_made", "name=%s bytes=%zu fresh=%d by=\"%s\" ms=%.1f",
                m->name, text.n, m->fresh, ipr_log_text(req->writer),
                (double)(ipr_now_us() - begun_us) / 1000.0);
    json_decref(record);
    ipr_buf_release(&text);
    return rc;
}

/* The body is complete: queues it. */
static enum MHD_Result calibration_hand_over(struct ipr_req *req)
{
    const struct ipr_calibration_post_request *p = req->params;
    struct making *m = ipr_arena_alloc(&req->mem, 1, sizeof *m);
    struct ipr_err err = IPR_ERR_INIT;

    static const char allowed[] = "abcdefghijklmnopqrstuvwxyz0123456789-_";

    *m = (struct making){ .name = p->name, .fd = -1 };
    enum ipr_code rc = ipr_spool_finish(req->spool, &m->fd, &err);
    if (rc == IPR_OK && m->name[strspn(m->name, allowed)] != '\0')
        rc = ipr_param_refuse(&err, "name", m->name, "small letters, digits, - and _");
    if (rc == IPR_OK)
        rc = ipr_import_queue_work(req, calibration_make, m, &err);
    if (rc == IPR_OK)
        return MHD_YES;
    ipr_spool_free(&req->spool);
    return ipr_reply_error(req, &err);
}

/* The record is made, or rejected. */
static enum MHD_Result calibration_answer(struct ipr_req *req)
{
    struct ipr_view view = { .config = req->http->o.config, .mem = &req->mem };
    struct ipr_err err = IPR_ERR_INIT;
    const struct making *m = ipr_import_work_arg(req->import);
    json_t *record = NULL;

    ipr_spool_free(&req->spool);
    enum ipr_code rc = ipr_import_result(req->import, NULL, &err);
    if (rc == IPR_OK)
        rc = ipr_req_lease(req, &view.db, &err);
    if (rc == IPR_OK)
        rc = ipr_view_calibration(&view, &(struct ipr_calibration_request){ .name = m->name },
                                  &record, &err);
    ipr_db_return(&view.db);
    if (rc != IPR_OK)
        return ipr_reply_error(req, &err);
    ipr_reply_header(req, "Location",
                     ipr_arena_printf(&req->mem, "/api/v1/calibrations/%s", m->name));
    return ipr_reply_json(req, m->fresh ? MHD_HTTP_CREATED : MHD_HTTP_OK, record);
}

/* POST /api/v1/calibrations?name=: figures as they are (calibration.h), plain, gzip or zstd. Called
 * at the end of the body, and again when the record is made: 201, or 200 if it exists, with the
 * record without its long lists. */
enum MHD_Result ipr_http_calibrations_post(struct ipr_req *req)
{
    return req->import == NULL ? calibration_hand_over(req) : calibration_answer(req);
}
