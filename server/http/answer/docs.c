/* The API's index, its page and its OpenAPI document. They are made at build time (api/). */
#include "http/answer/files.h"
#include "http/base/client.h"
#include "http/base/problems.h"
#include "http/base/reply.h"
#include "http/base/routes.h"
#include "view/figure/shape.h"

static enum MHD_Result docs_are_missing(struct ipr_req *req)
{
    return ipr_reply_problem(req, ipr_problem_make("not_found", "file not found"));
}

static enum MHD_Result docs_send(struct ipr_req *req, const char *name)
{
    const struct ipr_stored *file = ipr_files_get(req->http->files, "api", name);

    if (file == NULL)
        return docs_are_missing(req);
    const bool packed = file->body[IPR_CODING_GZIP].p != NULL;
    return ipr_reply_stored(req, file, ipr_reply_coding(req, packed), IPR_NO_CACHE, NULL, NULL);
}

/* With a member that is of this service; takes `value`. NULL: there is no such file. */
static json_t *docs_with(const struct ipr_req *req, const char *name, const char *member,
                         json_t *value)
{
    const struct ipr_stored *file = ipr_files_get(req->http->files, "api", name);
    json_t *out = file != NULL ? json_loadb(file->body[IPR_CODING_NONE].p,
                                            file->body[IPR_CODING_NONE].n, 0, NULL)
                               : NULL;

    if (out == NULL)
        json_decref(value);
    else
        json_object_set_new(out, member, value);
    return out;
}

/* GET /api/v1 and /docs */
enum MHD_Result ipr_http_index(struct ipr_req *req)
{
    if (req->route->page == NULL)
        return docs_send(req, "index.json");
    json_t *const docs = docs_with(req, "docs.json", "base", json_string(ipr_client_base(req)));
    return docs != NULL ? ipr_reply_page(req, req->route->page, docs) : docs_are_missing(req);
}

/* GET /openapi.json */
enum MHD_Result ipr_http_openapi(struct ipr_req *req)
{
    const char *origin = req->http->public_name.origin;

    if (origin[0] == '\0')
        return docs_send(req, "openapi.json");
    json_t *const openapi =
        docs_with(req, "openapi.json", "servers", json_pack("[{s:s}]", "url", origin));
    return openapi != NULL ? ipr_reply_json(req, MHD_HTTP_OK, openapi) : docs_are_missing(req);
}

/* GET /problems/{type} */
enum MHD_Result ipr_http_problem(struct ipr_req *req)
{
    const struct ipr_problem_type *type = ipr_problem_find(req->ids[0]);

    if (type == NULL)
        return ipr_reply_problem(req,
                                 ipr_problem_make("not_found", "there is no problem of that type"));
    const struct ipr_answer_problem_type known = { type->type, type->status, type->title,
                                                   type->meaning, type->remedy };
    json_t *resource = ipr_shape_json(IPR_SHAPE_PROBLEM_TYPE, &known);
    return req->html ? ipr_reply_page(req, "problem", resource)
                     : ipr_reply_json(req, MHD_HTTP_OK, resource);
}
