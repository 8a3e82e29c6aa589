/* Routing: the resource of an address. */
#include "http/base/routes.h"

#include <string.h>

#include "http/base/body.h"
#include "http/base/cors.h"
#include "http/base/format.h"
#include "http/base/reply.h"
#include "http/base/url.h"

/* True if a page has a fixed piece of that name: "moves" after an id is no name of a player. */
static bool page_has_piece(struct ipr_str name)
{
    for (const struct ipr_address *a = ipr_addresses; a->method != NULL; a++) {
        const char *at = a->page != NULL ? a->path : NULL;

        while ((at = at != NULL ? strchr(at, '/') : NULL) != NULL) {
            at++;
            if (ipr_str_eq((struct ipr_str){ at, strcspn(at, "/") }, name))
                return true;
        }
    }
    return false;
}

/* Returns what follows the first id in a path and is no piece of an address; p NULL: nothing. */
static struct ipr_str path_name(struct ipr_str path)
{
    const char *end = path.p + path.n;

    for (const char *at = path.p, *next; at < end; at = next) {
        const char *id = at + 1, *id_end = id + strspn(id, "0123456789"), *name = id_end + 1;

        next = id + strcspn(id, "/?");
        if (id_end == id || id_end != next || id_end >= end)
            continue;
        const struct ipr_str piece = { name, strcspn(name, "/?") };
        if (piece.n > 0 && strspn(name, "0123456789") != piece.n && !page_has_piece(piece))
            return piece;
    }
    return (struct ipr_str){ NULL, 0 };
}

/* "/players/12/fischer-robert-j/1972" is "/players/12/1972": a name after an id is for readers;
 * where it is another one the answer is a redirect (http/answer/named.c). */
static struct ipr_str path_without_name(struct ipr_req *req, struct ipr_str path)
{
    const struct ipr_str name = path_name(path);

    if (name.p == NULL)
        return path;
    const char *const rest = name.p + name.n, *const end = path.p + path.n;
    return ipr_str_c(ipr_arena_printf(&req->mem, "%.*s%.*s", (int)(name.p - 1 - path.p), path.p,
                                      (int)(end - rest), rest));
}

static struct ipr_str path_as_sent(const struct ipr_req *req)
{
    return (struct ipr_str){ req->target, strcspn(req->target, "?") };
}

struct ipr_str ipr_route_name(const struct ipr_req *req)
{
    return req->api ? (struct ipr_str){ NULL, 0 } : path_name(path_as_sent(req));
}

static struct ipr_str path_of(struct ipr_req *req)
{
    return req->api ? path_as_sent(req) : path_without_name(req, path_as_sent(req));
}

/* Methods of an address as "GET, HEAD, OPTIONS", NULL when there is no such address. */
static const char *route_methods(struct ipr_req *req)
{
    struct ipr_str ids[IPR_REQ_IDS], path = path_of(req);
    const char *list = NULL;

    if (req->api)
        (void)ipr_format_suffix(&path);
    for (const struct ipr_address *a = ipr_addresses; a->method != NULL; a++) {
        if (!ipr_url_match(a->path, path, ids))
            continue;
        const char *with = strcmp(a->method, "GET") == 0 ? "GET, HEAD" : a->method;
        if (list == NULL)
            list = with;
        else if (strstr(list, with) == NULL) /* one address may fit two patterns */
            list = ipr_arena_printf(&req->mem, "%s, %s", list, with);
    }
    return list != NULL ? ipr_arena_printf(&req->mem, "%s, OPTIONS", list) : NULL;
}

static enum ipr_code take_pieces(struct ipr_req *req, const struct ipr_str ids[IPR_REQ_IDS],
                                 struct ipr_err *err)
{
    enum ipr_code rc = IPR_OK;

    for (size_t i = 0; i < IPR_REQ_IDS && rc == IPR_OK && ids[i].p != NULL; i++) {
        rc = ipr_url_decode(&req->mem, ids[i], false, &req->ids[i], err);
        req->given[req->n_given++] =
            (struct ipr_given){ .name = ipr_route_piece(req, req->route, i),
                                .text = req->ids[i],
                                .place = IPR_GIVEN_PATH };
    }
    return rc;
}

/* Parameters in the query of a page or of the API. A button of a form has its own in the address it
 * sends the form to: they are of its body. */
static enum ipr_code take_query(struct ipr_req *req, struct ipr_err *err)
{
    const char *query = strchr(req->target, '?');
    const size_t from = req->n_given;
    enum ipr_code rc = IPR_OK;

    if (query != NULL)
        rc = ipr_url_query(&req->mem, ipr_str_c(query + 1), req->given, &req->n_given, err);
    const bool form = (req->resource->flags & IPR_FLAG_BODY) && ipr_body_is_form(req);
    for (size_t i = from; i < req->n_given && (form || req->route->page != NULL); i++)
        req->given[i].place = form ? IPR_GIVEN_BODY : IPR_GIVEN_PAGE;
    return rc;
}

static struct ipr_problem take_route(struct ipr_req *req, const struct ipr_address *a,
                                     struct ipr_str path)
{
    struct ipr_str ids[IPR_REQ_IDS] = { { NULL, 0 }, { NULL, 0 } };
    struct ipr_err err = IPR_ERR_INIT;

    (void)ipr_url_match(a->path, path, ids);
    req->route = a;
    req->resource = ipr_resource_at(a->id);
    const unsigned flags = req->resource->flags;
    /* A body may have more parameters: then they are read later. */
    const bool all = !(flags & (IPR_FLAG_BODY | IPR_FLAG_UPLOAD)) || (flags & IPR_FLAG_FISHNET);
    const bool formats =
        req->api && ((ipr_req_is_read(req) && a->view != NULL) || (flags & IPR_FLAG_REPORT));
    req->given = ipr_arena_alloc(&req->mem, IPR_REQ_GIVEN, sizeof *req->given);
    if (a->moved != NULL)
        return (struct ipr_problem){ 0 };
    enum ipr_code rc = take_pieces(req, ids, &err);
    if (rc == IPR_OK)
        rc = take_query(req, &err);
    if (rc == IPR_OK)
        rc = all ? ipr_req_params(req, &err)
                 : ipr_params_check(req->resource, req->given, req->n_given, &err);
    if (rc != IPR_OK)
        return ipr_problem_of(&err);
    return formats ? ipr_format_choose(req) : (struct ipr_problem){ 0 };
}

struct ipr_problem ipr_route_find(struct ipr_req *req)
{
    struct ipr_str path = path_of(req);

    const struct ipr_address *found = NULL;
    struct ipr_str ids[IPR_REQ_IDS] = { { NULL, 0 }, { NULL, 0 } };

    /* "/api/v1/players.csv" is the list of players in another format. */
    if (req->api && ipr_req_is_read(req))
        req->format = ipr_format_suffix(&path);
    const char *const method = strcmp(req->method, "HEAD") == 0 ? "GET" : req->method;
    for (const struct ipr_address *a = ipr_addresses; a->method != NULL; a++)
        if (strcmp(a->method, method) == 0 && ipr_url_match(a->path, path, ids) &&
            (found == NULL || ipr_route_pieces(a) < ipr_route_pieces(found)))
            found = a;
    if (found != NULL)
        return take_route(req, found, path);
    const char *methods = route_methods(req);
    if (methods == NULL)
        return ipr_problem_make("no_such_address", "not found");
    ipr_reply_header(req, "Allow", methods);
    return ipr_problem_make("method_not_allowed", "method not allowed; allowed: %s", methods);
}

enum MHD_Result ipr_route_options(struct ipr_req *req)
{
    const bool any = strcmp(req->target, "*") == 0;
    const char *methods = any ? "GET, HEAD, POST, PATCH, DELETE, OPTIONS" : route_methods(req);

    if (methods == NULL)
        return ipr_reply_problem(req, ipr_problem_make("no_such_address", "not found"));
    ipr_reply_header(req, "Allow", methods);
    ipr_cors_preflight(req, methods);
    return ipr_reply_empty(req, MHD_HTTP_NO_CONTENT);
}
