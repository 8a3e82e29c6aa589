/* Reports: answers that are computed as jobs and kept. */
#include "view/report/report.h"

#include <string.h>

#include "http/reply.h"
#include "http/report_runner.h"
#include "http/routes.h"

#define RETRY_AFTER_S "1"

/* The kind is the last piece of the address, whether the route spells it out or not. */
static const struct ipr_report_kind *kind_of(const struct ipr_req *req)
{
    const char *last = strrchr(req->route->path, '/') + 1;

    return ipr_report_kind(last[0] == '{' ? req->ids[0] : last);
}

static json_t *given(const struct ipr_req *req)
{
    json_t *out = json_object();

    for (size_t i = 0; i < req->n_params; i++)
        json_object_set_new(out, req->param[i].name, json_string(req->param[i].value));
    return out;
}

static enum ipr_code ask(struct ipr_req *req, const struct ipr_report_query *q, json_t **out,
                         struct ipr_err *err)
{
    struct ipr_view view = { .config = req->http->o.config, .mem = &req->mem };
    const char *times = ipr_req_param(req, "time_class");
    enum ipr_code rc =
        ipr_view_times_read(times != NULL && *times ? times : NULL, &view.time_classes, err);

    if (rc == IPR_OK)
        rc = ipr_req_lease(req, &view.db, err);
    if (rc == IPR_OK)
        rc = ipr_view_report(&view, q, out, err);
    ipr_db_return(&view.db);
    return rc;
}

/* Most are done in a moment; a few requests may wait for that, the other threads answer. */
static enum ipr_code wait_for(struct ipr_req *req, const struct ipr_report_query *q, json_t **out,
                              struct ipr_err *err)
{
    struct ipr_report_runner *runner = req->http->reports;
    const int64_t until = ipr_now_us() + (int64_t)IPR_REPORT_WAIT_MS * 1000;
    enum ipr_code rc = IPR_OK;

    if (!ipr_report_runner_may_wait(runner))
        return IPR_OK;
    while (rc == IPR_OK && ipr_report_pending(*out) && ipr_report_runner_wait(runner, until)) {
        json_t *now = NULL;

        rc = ask(req, q, &now, err);
        if (rc == IPR_OK) {
            json_decref(*out);
            *out = now;
        }
    }
    ipr_report_runner_waited(runner);
    return rc;
}

static enum MHD_Result reply(struct ipr_req *req, const struct ipr_report_kind *kind,
                             json_t *resource)
{
    const bool pending = ipr_report_pending(resource);

    if (pending)
        ipr_reply_header(req, "Retry-After", RETRY_AFTER_S);
    if (req->route->page != NULL)
        return ipr_reply_page(req, kind->page != NULL ? kind->page : kind->name, resource);
    return ipr_reply_json(req, pending ? MHD_HTTP_ACCEPTED : MHD_HTTP_OK, resource);
}

/* The pages of some kinds have addresses of their own: every page has one address. */
static bool lives_elsewhere(const struct ipr_req *req, const struct ipr_report_kind *kind)
{
    return req->route->page != NULL && strchr(req->route->path, '{') != NULL &&
           ipr_report_has_own_page(kind);
}

static enum MHD_Result move(struct ipr_req *req, const struct ipr_report_kind *kind)
{
    const char *query = strchr(req->target, '?');

    ipr_reply_header(req, "Location",
                     ipr_arena_printf(&req->mem, "%s%s", ipr_report_page_path(kind, &req->mem),
                                      query != NULL ? query : ""));
    return ipr_reply_empty(req, MHD_HTTP_PERMANENT_REDIRECT);
}

enum MHD_Result ipr_http_report(struct ipr_req *req)
{
    const struct ipr_report_kind *kind = kind_of(req);
    struct ipr_err err = IPR_ERR_INIT;
    json_t *resource = NULL;

    if (kind == NULL) {
        const struct ipr_problem p = ipr_problem_make(
            "not_found", "there is no report of that kind; /api/v1/reports lists them");
        return ipr_reply_problem(req, &p);
    }
    if (lives_elsewhere(req, kind))
        return move(req, kind);
    json_t *params = given(req);
    const struct ipr_report_query q = { kind, params, req->head };
    enum ipr_code rc = ask(req, &q, &resource, &err);
    if (rc == IPR_OK && !q.look && strcmp(ipr_report_state(resource), "computing") == 0)
        ipr_report_runner_wake(req->http->reports);
    if (rc == IPR_OK && !q.look && ipr_report_pending(resource))
        rc = wait_for(req, &q, &resource, &err);
    json_decref(params);
    if (rc == IPR_OK)
        return reply(req, kind, resource);
    json_decref(resource);
    return ipr_reply_error(req, &err);
}

enum ipr_code ipr_res_reports(struct ipr_req *req, const struct ipr_view *view, json_t **out,
                              struct ipr_err *err)
{
    return ipr_view_reports(view, ipr_req_param(req, "judge"), out, err);
}
