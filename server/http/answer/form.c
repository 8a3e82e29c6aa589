/* Pages whose form stays filled in: names that were typed are looked up, and a refused request has
 * its form again. */
#include "http/answer/form.h"

#include <string.h>

#include "http/answer/reading.h"
#include "http/base/description.h"
#include "http/base/reply.h"
#include "http/base/routes.h"
#include "resource/write.h"

/* ---- refused ---- */

static bool form_is_kept(const struct ipr_req *req, const struct ipr_problem *p)
{
    return p->status == MHD_HTTP_BAD_REQUEST && req->html && ipr_req_is_read(req) &&
           req->given != NULL && req->route != NULL && req->route->page != NULL &&
           (req->resource->flags & IPR_FLAG_KEEPS);
}

/* As they were sent, each with whether it is the one that was refused. */
static void refused_add_given(struct ipr_req *req, const struct ipr_problem *p, json_t *page)
{
    json_t *given = json_array(), *chosen = json_object(), *shared = json_array();
    uint32_t before = 0; /* values of the refused parameter */

    for (size_t i = 0; i < req->n_given; i++) {
        const struct ipr_given *g = &req->given[i];
        const struct ipr_param_def *d = ipr_resource_param(req->resource, g->name);

        if (g->place == IPR_GIVEN_PATH || g->text == NULL || g->text[0] == '\0' || d == NULL)
            continue;
        json_t *one = ipr_given_json(g->name, g->text);
        const bool refused = strcmp(g->name, p->param) == 0;
        json_object_set_new(
            one, "wrong",
            json_boolean(refused && (d->type != IPR_PARAM_TEXTS || before == p->nth)));
        before += refused;
        json_object_set_new(chosen, g->name, json_string(g->text));
        if (d->shared)
            json_array_append(shared, one);
        json_array_append_new(given, one);
    }
    json_object_set_new(page, "given", given);
    json_object_set_new(page, "chosen", chosen);
    json_object_set_new(page, "shared", shared);
}

static enum ipr_code form_render(struct ipr_req *req, const struct ipr_problem *p,
                                 struct ipr_buf *out, struct ipr_err *err)
{
    json_t *resource =
        json_pack("{s:{s:s, s:s}}", "refused", "name", p->param, "detail", p->detail + p->reason);
    enum ipr_code rc = req->http->o.templates == NULL
                           ? ipr_err_set(err, IPR_EINVAL, "there are no templates")
                           : ipr_view_page(req->route->page, resource, err);

    if (rc == IPR_OK) {
        refused_add_given(req, p, json_object_get(resource, "page"));
        rc = ipr_tmpl_render(req->http->o.templates, req->route->page, resource, out, err);
    }
    json_decref(resource);
    return rc;
}

enum MHD_Result ipr_form_refuse(struct ipr_req *req, const struct ipr_problem *p)
{
    struct ipr_buf out = IPR_BUF_INIT;
    struct ipr_err err = IPR_ERR_INIT;

    if (form_is_kept(req, p) && form_render(req, p, &out, &err) == IPR_OK)
        return ipr_reply_buf(req, p->status, IPR_HTML_TYPE, &out);
    ipr_buf_release(&out);
    ipr_err_clear(&err);
    return ipr_reply_problem(req, *p);
}

enum MHD_Result ipr_form_error(struct ipr_req *req, const struct ipr_err *err)
{
    const struct ipr_problem p = ipr_problem_log(err);

    return ipr_form_refuse(req, &p);
}

/* ---- player-years by name and year ---- */

struct looking_up {
    struct ipr_req *req;
    json_t *sides;
};

/* An ipr_reading_fn. */
static enum ipr_code sides_look_up(struct ipr_db *db, struct ipr_db_pool *keep, void *arg,
                                   struct ipr_err *err)
{
    struct looking_up *l = arg;
    struct ipr_req *req = l->req;
    const struct ipr_view view = { .mem = &req->mem,
                                   .db = db,
                                   .keep = keep,
                                   .config = req->http->o.config,
                                   .spelling = req->http->o.spelling,
                                   .time_classes = ipr_params_times(req->resource, req->params) };

    json_decref(l->sides);
    l->sides = NULL;
    return ipr_view_compare_sides(&view, req->params, &l->sides, err);
}

static bool side_has(const json_t *sides, const char *side, const char *member)
{
    return json_is_string(json_object_get(json_object_get(sides, side), member));
}

/* The address by ids, with the other parameters. */
static enum MHD_Result sides_redirect(struct ipr_req *req, const json_t *sides)
{
    json_t *given = ipr_params_given(req->resource, req->params, false), *one;
    static const char *const names[] = { "white", "black" };
    const char *to = "", *query;
    size_t i;

    for (i = 0; i < 2; i++) {
        query = json_string_value(json_object_get(json_object_get(sides, names[i]), "query"));
        if (query != NULL)
            to = ipr_arena_printf(&req->mem, "%s%c%s", to, *to == '\0' ? '?' : '&', query);
    }
    json_array_foreach(given, i, one) {
        const char *const name = json_string_value(json_object_get(one, "name"));

        if (strcmp(name, names[0]) != 0 && strcmp(name, names[1]) != 0)
            to = ipr_arena_printf(&req->mem, "%s&%s", to,
                                  json_string_value(json_object_get(one, "query")));
    }
    json_decref(given);
    ipr_reply_header(req, "Location", ipr_arena_printf(&req->mem, "%s%s", req->resource->page, to));
    return ipr_reply_empty(req, MHD_HTTP_TEMPORARY_REDIRECT);
}

/* With what was found to choose from; 400 where nothing was. */
static enum MHD_Result sides_offer(struct ipr_req *req, json_t *sides)
{
    const bool white = side_has(sides, "white", "reason");
    const bool none = white || side_has(sides, "black", "reason");
    struct ipr_buf out = IPR_BUF_INIT;
    struct ipr_err err = IPR_ERR_INIT;

    if (none && !req->html) { /* a client that reads no pages */
        const char *const side = white ? "white" : "black";
        const json_t *const why = json_object_get(json_object_get(sides, side), "reason");

        return ipr_reply_problem(
            req, ipr_problem_make("bad_parameter", "%s: %s", side, json_string_value(why)));
    }
    json_t *resource = json_pack("{s:n, s:O}", "prediction", "sides", sides);
    if (ipr_reply_render(req, req->route->page, resource, &out, &err) == IPR_OK)
        return ipr_reply_buf(req, none ? MHD_HTTP_BAD_REQUEST : MHD_HTTP_OK, IPR_HTML_TYPE, &out);
    ipr_buf_release(&out);
    return ipr_reply_error(req, &err);
}

static bool side_is_open(const struct ipr_param_side *side, const json_t *sides, const char *name)
{
    return side->typed != NULL && !side_has(sides, name, "query");
}

enum MHD_Result ipr_http_compare(struct ipr_req *req)
{
    const struct ipr_prediction_request *p = req->params;
    struct looking_up l = { .req = req };
    struct ipr_err err = IPR_ERR_INIT;

    if (p->white.typed == NULL && p->black.typed == NULL)
        return ipr_http_resource(req);
    if (ipr_reading_do(req, sides_look_up, &l, &err) != IPR_OK) {
        json_decref(l.sides);
        return ipr_reply_error(req, &err);
    }
    const bool open =
        side_is_open(&p->white, l.sides, "white") || side_is_open(&p->black, l.sides, "black");
    const enum MHD_Result done = open ? sides_offer(req, l.sides) : sides_redirect(req, l.sides);
    json_decref(l.sides);
    return done;
}
