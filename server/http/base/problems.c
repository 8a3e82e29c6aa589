#include "http/base/problems.h"

#include <string.h>

#include "http/base/reply.h"
#include "http/base/routes.h"

static const struct ipr_problem_type types[] = {
#include "problem_types.h"
};

const struct ipr_problem_type *ipr_problem_find(const char *type)
{
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (strcmp(types[i].type, type) == 0)
            return &types[i];
    return NULL;
}

const struct ipr_problem_type *ipr_problem_at(size_t i)
{
    return i < sizeof types / sizeof *types ? &types[i] : NULL;
}

/* GET /problems/{type} */
enum MHD_Result ipr_http_problem(struct ipr_req *req)
{
    const struct ipr_problem_type *type = ipr_problem_find(req->ids[0]);

    if (type == NULL)
        return ipr_reply_problem(req,
                                 ipr_problem_make("not_found", "there is no problem of that type"));
    json_t *resource =
        json_pack("{s:s, s:i, s:s, s:s, s:s}", "type", type->type, "status", (int)type->status,
                  "title", type->title, "meaning", type->meaning, "remedy", type->remedy);
    return req->html ? ipr_reply_page(req, "problem", resource)
                     : ipr_reply_json(req, MHD_HTTP_OK, resource);
}
