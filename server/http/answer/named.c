/* Names in addresses: behind the id, "/players/12/fischer-robert-j", where a page is not found
 * twice under another name; and instead of the id, as typed into the form of a comparison. */
#include <string.h>

#include "core/names.h"
#include "http/answer/reading.h"
#include "http/base/reply.h"
#include "http/base/routes.h"
#include "resource/write.h"

/* ---- behind the id ---- */

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

/* True if a player was typed for either, without a year. */
static bool sides_are_players(const json_t *sides)
{
    return side_has(sides, "white", "set") && side_has(sides, "black", "set");
}

/* The address by ids, with the other parameters: of two players without years that of their
 * careers, which are compared there. */
static enum MHD_Result sides_redirect(struct ipr_req *req, const json_t *sides)
{
    json_t *given = ipr_params_given(req->resource, req->params, false), *one;
    static const char *const names[] = { "white", "black" };
    const struct ipr_resource *const of =
        sides_are_players(sides) ? ipr_resource_at(IPR_RESOURCE_CAREERS) : req->resource;
    const char *const member = sides_are_players(sides) ? "set" : "query";
    const char *to = "", *query;
    size_t i;

    for (i = 0; i < 2; i++) {
        query = json_string_value(json_object_get(json_object_get(sides, names[i]), member));
        if (query != NULL)
            to = ipr_arena_printf(&req->mem, "%s%c%s", to, *to == '\0' ? '?' : '&', query);
    }
    json_array_foreach(given, i, one) {
        const char *const name = json_string_value(json_object_get(one, "name"));

        if (strcmp(name, names[0]) != 0 && strcmp(name, names[1]) != 0 &&
            ipr_resource_param(of, name) != NULL)
            to = ipr_arena_printf(&req->mem, "%s&%s", to,
                                  json_string_value(json_object_get(one, "query")));
    }
    json_decref(given);
    ipr_reply_header(req, "Location", ipr_arena_printf(&req->mem, "%s%s", of->page, to));
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
    const bool open = !sides_are_players(l.sides) && (side_is_open(&p->white, l.sides, "white") ||
                                                      side_is_open(&p->black, l.sides, "black"));
    const enum MHD_Result done = open ? sides_offer(req, l.sides) : sides_redirect(req, l.sides);
    json_decref(l.sides);
    return done;
}
