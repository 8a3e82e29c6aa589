/* Pages whose form stays filled in where the request is refused. */
#include "http/answer/form.h"

#include <string.h>

#include "http/base/reply.h"
#include "http/base/routes.h"
#include "resource/write.h"

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
