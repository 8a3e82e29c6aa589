/* Reports: answers that are computed as jobs and stored. */
#include "view/report/report.h"

#include <string.h>

#include "http/answer/report_runner.h"
#include "http/answer/rows.h"
#include "http/base/format.h"
#include "http/base/reply.h"
#include "http/base/routes.h"
#include "resource/write.h"

#define RETRY_AFTER_S "1"

static enum ipr_code report_ask(struct ipr_req *req, const struct ipr_report_query *q, json_t **out,
                                struct ipr_err *err)
{
    struct ipr_view view = {
        .config = req->http->o.config,
        .mem = &req->mem,
        .calibration = ipr_params_text(req->resource, req->params, "calibration"),
        .time_classes = ipr_params_times(req->resource, req->params),
    };
    enum ipr_code rc = ipr_req_lease(req, &view.db, err);

    if (rc == IPR_OK)
        rc = ipr_view_report(&view, q, out, err);
    ipr_db_return(&view.db);
    return rc;
}

/* Most take a moment; a few requests may wait for that, the other threads answer. */
static enum ipr_code report_wait(struct ipr_req *req, const struct ipr_report_query *q,
                                 json_t **out, struct ipr_err *err)
{
    struct ipr_report_runner *runner = req->http->reports;
    const int64_t until = ipr_now_us() + (int64_t)IPR_REPORT_WAIT_MS * 1000;
    enum ipr_code rc = IPR_OK;

    if (!ipr_report_runner_may_wait(runner))
        return IPR_OK;
    while (rc == IPR_OK && ipr_report_pending(*out) && ipr_report_runner_wait(runner, until)) {
        json_t *now = NULL;

        rc = report_ask(req, q, &now, err);
        if (rc == IPR_OK) {
            json_decref(*out);
            *out = now;
        }
    }
    ipr_report_runner_waited(runner);
    return rc;
}

/* A report without an answer yet is JSON in any format. */
static enum MHD_Result report_reply(struct ipr_req *req, json_t *resource)
{
    const bool pending = ipr_report_pending(resource);
    struct ipr_buf body = IPR_BUF_INIT;

    if (pending)
        ipr_reply_header(req, "Retry-After", RETRY_AFTER_S);
    if (req->route->page != NULL)
        return ipr_reply_page(req, req->route->page, resource);
    if (pending || req->format == IPR_FORMAT_JSON)
        return ipr_reply_json(req, pending ? MHD_HTTP_ACCEPTED : MHD_HTTP_OK, resource);
    ipr_rows_write(req, resource, &body);
    json_decref(resource);
    return ipr_reply_buf(req, MHD_HTTP_OK, ipr_format_type(req->format), &body);
}

enum MHD_Result ipr_http_report(struct ipr_req *req)
{
    const char *calibration = ipr_params_text(req->resource, req->params, "calibration");
    json_t *params = ipr_params_json(req->resource, req->params, NULL);
    const struct ipr_report_query q = {
        .kind = ipr_report_kind(req->resource->name),
        .params = params,
        .judge = ipr_params_text(req->resource, req->params, "judge"),
        .look = req->head,
    };
    struct ipr_err err = IPR_ERR_INIT;
    json_t *resource = NULL;

    /* Part of the key of the answer: the thread that computes it must know. */
    if (calibration != NULL)
        json_object_set_new(params, "calibration", json_string(calibration));
    enum ipr_code rc = report_ask(req, &q, &resource, &err);
    if (rc == IPR_OK && !q.look && strcmp(ipr_report_state(resource), "computing") == 0)
        ipr_report_runner_wake(req->http->reports);
    if (rc == IPR_OK && !q.look && ipr_report_pending(resource))
        rc = report_wait(req, &q, &resource, &err);
    json_decref(params);
    if (rc == IPR_OK)
        return report_reply(req, resource);
    json_decref(resource);
    return ipr_reply_error(req, &err);
}
