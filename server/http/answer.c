/* Answers by the views: the same resource as JSON and as a page. */
#include <stdlib.h>
#include <string.h>

#include "http/answer.h"
#include "http/authorization.h"
#include "http/concurrency.h"
#include "http/reply.h"
#include "http/routes.h"
#include "http/rows.h"

/* Ratings of one year or of the whole career are stored; what else is asked for may take long. */
static bool ratings_are_heavy(const struct ipr_ratings_request *p)
{
    const int from = p->year != 0 ? p->year : p->from, to = p->year != 0 ? p->year : p->to;
    const bool career = from == 0 && to == 0 && p->event == 0;

    return p->include != 0 || from != to || (career && p->color >= 0);
}

static bool event_is_heavy(const struct ipr_event_request *p)
{
    const struct ipr_event_request init = IPR_EVENT_REQUEST_INIT;

    return p->limit > init.limit;
}

/* Whether an answer may take longer than half a second (http/concurrency.h). */
static bool is_heavy(const struct ipr_req *req)
{
    if (req->route->id == IPR_RESOURCE_RATINGS)
        return ratings_are_heavy(req->params);
    if (req->route->id == IPR_RESOURCE_EVENT)
        return event_is_heavy(req->params);
    return req->resource->cost == IPR_COST_HEAVY;
}

static enum ipr_code tell_token(struct ipr_req *req, struct ipr_db *db, json_t *resource,
                                struct ipr_err *err)
{
    bool needed = false;
    const enum ipr_code rc = ipr_authorize_asks(req, db, &needed, err);

    if (rc == IPR_OK)
        json_object_set_new(resource, "token_needed", json_boolean(needed));
    else
        json_decref(resource);
    return rc;
}

/* Takes `resource` where it fails. */
static enum ipr_code add_page_extras(struct ipr_req *req, struct ipr_db *db, json_t *resource,
                                     struct ipr_err *err)
{
    if (req->route->page == NULL || !(req->resource->flags & IPR_FLAG_FORMS))
        return IPR_OK;
    return tell_token(req, db, resource, err);
}

/* Where the page of an identity that is part of a person is: at that of the person. */
static const char *person_page(struct ipr_req *req, const json_t *resource)
{
    const json_t *player = json_object_get(resource, "player");
    const json_int_t root =
        json_integer_value(json_object_get(player != NULL ? player : resource, "id"));
    const char *query = strchr(req->target, '?');

    if (req->route->page == NULL || !(req->resource->flags & IPR_FLAG_PERSON) || root == 0 ||
        root == atoll(req->ids[0]))
        return NULL;
    return ipr_arena_printf(&req->mem, "/players/%lld%s%s%s", (long long)root,
                            req->ids[1] != NULL ? "/" : "", req->ids[1] != NULL ? req->ids[1] : "",
                            query != NULL ? query : "");
}

enum ipr_code ipr_answer_compute(struct ipr_req *req, const void *params, struct ipr_arena *mem,
                                 json_t **out, struct ipr_err *err)
{
    struct ipr_view view = {
        .config = req->http->o.config,
        .mem = mem,
        .calibration = ipr_params_text(req->resource, params, "calibration"),
        .time_classes = ipr_params_times(req->resource, params),
    };
    enum ipr_code rc = is_heavy(req) ? ipr_concurrency_begin(req, err) : IPR_OK;

    if (rc == IPR_OK)
        rc = ipr_req_lease(req, &view.db, err);
    if (rc == IPR_OK)
        rc = req->route->view(&view, params, out, err);
    ipr_concurrency_end(req);
    if (rc == IPR_OK)
        rc = add_page_extras(req, view.db, *out, err);
    ipr_db_return(&view.db); /* before rendering */
    return rc;
}

enum MHD_Result ipr_http_resource(struct ipr_req *req)
{
    struct ipr_err err = IPR_ERR_INIT;
    json_t *resource = NULL;

    const bool rows = req->route->page == NULL && req->resource->rows != NULL;

    if (rows && req->format != IPR_FORMAT_JSON && !req->head)
        return ipr_rows_stream(req);
    enum ipr_code rc = ipr_answer_compute(req, req->params, &req->mem, &resource, &err);
    if (rc == IPR_OK && rows)
        rc = ipr_rows_select(req, resource, &err);
    if (rc != IPR_OK) {
        json_decref(resource);
        return ipr_reply_error(req, &err);
    }
    const char *page = person_page(req, resource);
    if (page != NULL) {
        json_decref(resource);
        ipr_reply_header(req, "Location", page);
        return ipr_reply_empty(req, MHD_HTTP_TEMPORARY_REDIRECT);
    }
    if (req->route->page != NULL)
        return ipr_reply_page(req, req->route->page, resource);
    ipr_rows_link(req, resource);
    return ipr_reply_json(req, MHD_HTTP_OK, resource);
}

static enum MHD_Result moved(struct ipr_req *req)
{
    const char *query = strchr(req->target, '?');

    ipr_reply_header(
        req, "Location",
        ipr_arena_printf(&req->mem, "%s%s", req->route->moved, query != NULL ? query : ""));
    return ipr_reply_empty(req, MHD_HTTP_PERMANENT_REDIRECT);
}

enum MHD_Result ipr_http_answer(struct ipr_req *req)
{
    if (req->route == NULL)
        return ipr_route_options(req);
    if (req->route->moved != NULL)
        return moved(req);
    if (req->resource->flags & IPR_FLAG_REPORT)
        return ipr_http_report(req);
    return req->route->handle != NULL ? req->route->handle(req) : ipr_http_resource(req);
}
