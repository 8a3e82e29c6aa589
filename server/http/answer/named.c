/* Pages with a name behind the id in their address, "/players/12/fischer-robert-j": under another
 * name they are not found twice. */
#include <string.h>

#include "core/names.h"
#include "http/answer/answer.h"
#include "http/answer/reading.h"
#include "http/base/reply.h"
#include "http/base/routes.h"
#include "resource/write.h"

struct naming {
    struct ipr_req *req;
    const char *name;
    int year;
};

/* An ipr_reading_fn. */
static enum ipr_code named_read(struct ipr_db *db, struct ipr_db_pool *keep, void *arg,
                                struct ipr_err *err)
{
    struct naming *n = arg;
    struct ipr_req *req = n->req;
    const bool event = strncmp(req->route->path, "/events/{", 9) == 0;
    const int64_t id = ipr_params_id(req->resource, req->params, event ? "event" : "player");
    const struct ipr_view view = { .mem = &req->mem, .db = db, .keep = keep };

    return event ? ipr_view_event_name(&view, (int32_t)id, &n->name, &n->year, err)
                 : ipr_view_player_name(&view, (int32_t)id, &n->name, err);
}

static enum MHD_Result named_redirect(struct ipr_req *req, struct ipr_str given, const char *name)
{
    const int before = (int)(given.p - req->target) - 1; /* without the slash */
    const char *const rest = given.p + given.n;

    ipr_reply_header(req, "Location",
                     ipr_arena_printf(&req->mem, "%.*s%s%s%s", before, req->target,
                                      *name != '\0' ? "/" : "", name, rest));
    return ipr_reply_empty(req, MHD_HTTP_PERMANENT_REDIRECT);
}

enum MHD_Result ipr_http_named(struct ipr_req *req)
{
    struct naming n = { .req = req };
    struct ipr_err err = IPR_ERR_INIT; /* the answer fails for the same reason, and says so */
    const struct ipr_str given = ipr_route_name(req);

    if (req->route->page == NULL || given.p == NULL ||
        ipr_reading_do(req, named_read, &n, &err) != IPR_OK)
        return ipr_http_resource(req);
    /* An event is right with its year and without. */
    const char *const plain = ipr_name_slug(n.name, &req->mem);
    const char *const dated = ipr_name_slug(ipr_name_dated(n.name, n.year, &req->mem), &req->mem);
    if (ipr_str_eq(ipr_str_c(plain), given) || ipr_str_eq(ipr_str_c(dated), given))
        return ipr_http_resource(req);
    return named_redirect(req, given, dated);
}
