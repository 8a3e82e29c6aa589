/* Players, their years, their ratings. */
#include <string.h>

#include "chess/position.h"
#include "http/concurrency.h"
#include "http/routes.h"

#define LIMIT_MAX     500
#define LIMIT_DEFAULT 50

enum ipr_code ipr_res_players(struct ipr_req *req, const struct ipr_view *view, json_t **out,
                              struct ipr_err *err)
{
    const char *text = ipr_req_param(req, "q");
    int64_t limit;
    enum ipr_code rc = ipr_req_int(req, "limit", 1, LIMIT_MAX, LIMIT_DEFAULT, &limit, err);

    if (text == NULL)
        text = ipr_req_param(req, "search"); /* the name of what comes back */
    if (rc == IPR_OK)
        rc = ipr_view_players(view, text, ipr_req_param(req, "after"), (int)limit,
                              ipr_req_param(req, "judge"), out, err);
    return rc;
}

/* The page of an identity that is part of another person is that person's; `rest` follows the id.
 */
static void redirect(struct ipr_req *req, int64_t asked, const json_t *id, const char *rest)
{
    const int64_t root = json_integer_value(id);
    const char *query = strchr(req->target, '?');

    if (req->route->page != NULL && root > 0 && root != asked)
        req->moved = ipr_arena_printf(&req->mem, "/players/%lld%s%s", (long long)root, rest,
                                      query != NULL ? query : "");
}

enum ipr_code ipr_res_player(struct ipr_req *req, const struct ipr_view *view, json_t **out,
                             struct ipr_err *err)
{
    int64_t id;
    enum ipr_code rc = ipr_req_id(req, 0, INT32_MAX, &id, err);

    if (rc == IPR_OK)
        rc = ipr_view_player(view, (int32_t)id, ipr_req_param(req, "judge"), out, err);
    if (rc == IPR_OK && req->route->page != NULL)
        rc =
            ipr_view_add_player_queue(view, (int32_t)id, 0, ipr_req_param(req, "judge"), *out, err);
    if (rc == IPR_OK)
        redirect(req, id, json_object_get(*out, "id"), "");
    return rc;
}

enum ipr_code ipr_res_player_years(struct ipr_req *req, const struct ipr_view *view, json_t **out,
                                   struct ipr_err *err)
{
    int64_t id;
    enum ipr_code rc = ipr_req_id(req, 0, INT32_MAX, &id, err);

    if (rc == IPR_OK)
        rc = ipr_view_player_years(view, (int32_t)id, ipr_req_param(req, "judge"), out, err);
    return rc;
}

/* year=, or from= and to= of which either may be missing. */
static enum ipr_code read_years(const struct ipr_req *req, struct ipr_view_scope *scope,
                                struct ipr_err *err)
{
    int64_t year, from, to;
    enum ipr_code rc = ipr_req_int(req, "year", 1, IPR_YEAR_MAX, 0, &year, err);

    if (rc == IPR_OK)
        rc = ipr_req_int(req, "from", 1, IPR_YEAR_MAX, 0, &from, err);
    if (rc == IPR_OK)
        rc = ipr_req_int(req, "to", 1, IPR_YEAR_MAX, 0, &to, err);
    if (rc != IPR_OK)
        return rc;
    if (year && (from || to))
        return ipr_err_at(err, IPR_EPARSE, "bad_parameter", 0, 0, -1,
                          "year goes without from and to: it is both of them");
    scope->from = (int)(year ? year : from);
    scope->to = (int)(year ? year : to);
    return IPR_OK;
}

static enum ipr_code read_color(const struct ipr_req *req, struct ipr_view_scope *scope,
                                struct ipr_err *err)
{
    const char *color = ipr_req_param(req, "color");

    if (color == NULL)
        return IPR_OK;
    if (strcmp(color, "white") == 0)
        scope->colours = 1u << IPR_WHITE;
    else if (strcmp(color, "black") == 0)
        scope->colours = 1u << IPR_BLACK;
    else
        return ipr_err_at(err, IPR_EPARSE, "bad_parameter", 0, 0, -1,
                          "color: \"%.40s\" is neither white nor black", color);
    return IPR_OK;
}

/* What is kept of a year or a career is read; a year, or an event, is computed in a moment. */
static bool is_heavy(const struct ipr_view_scope *s, const char *include)
{
    const bool career = !s->from && !s->to && !s->event;

    return include != NULL || s->from != s->to || (career && s->colours);
}

enum ipr_code ipr_res_ratings(struct ipr_req *req, const struct ipr_view *view, json_t **out,
                              struct ipr_err *err)
{
    struct ipr_view asked = *view;
    struct ipr_view_scope scope = { 0 };
    int64_t id, event = 0;
    enum ipr_code rc = ipr_req_id(req, 0, INT32_MAX, &id, err);

    asked.include = ipr_req_param(req, "include");
    if (rc == IPR_OK)
        rc = read_years(req, &scope, err);
    if (rc == IPR_OK)
        rc = ipr_req_int(req, "event", 1, INT32_MAX, 0, &event, err);
    if (rc == IPR_OK)
        rc = read_color(req, &scope, err);
    scope.event = (int32_t)event;
    if (rc == IPR_OK && is_heavy(&scope, asked.include))
        rc = ipr_concurrency_begin(req, err);
    if (rc == IPR_OK)
        rc =
            ipr_view_ratings_of(&asked, (int32_t)id, &scope, ipr_req_param(req, "judge"), out, err);
    return rc;
}

/* The page /players/{id}/{year}: the same resource with the year in the path. */
enum ipr_code ipr_res_player_year(struct ipr_req *req, const struct ipr_view *view, json_t **out,
                                  struct ipr_err *err)
{
    struct ipr_view asked = *view;
    int64_t id, year;
    enum ipr_code rc = ipr_req_id(req, 0, INT32_MAX, &id, err);

    asked.include = ipr_req_param(req, "include");
    if (rc == IPR_OK)
        rc = ipr_req_id(req, 1, IPR_YEAR_MAX, &year, err);
    if (rc == IPR_OK)
        rc =
            ipr_view_ratings(&asked, (int32_t)id, (int)year, ipr_req_param(req, "judge"), out, err);
    if (rc == IPR_OK)
        rc = ipr_view_add_player_queue(view, (int32_t)id, (int)year, ipr_req_param(req, "judge"),
                                       *out, err);
    if (rc == IPR_OK)
        redirect(req, id, json_object_get(json_object_get(*out, "player"), "id"),
                 ipr_arena_printf(&req->mem, "/%d", (int)year));
    return rc;
}

/* The queue's state of a player's games. */
enum ipr_code ipr_res_player_queue(struct ipr_req *req, const struct ipr_view *view, json_t **out,
                                   struct ipr_err *err)
{
    int64_t id, year = 0;
    enum ipr_code rc = ipr_req_id(req, 0, INT32_MAX, &id, err);

    if (rc == IPR_OK)
        rc = ipr_req_int(req, "year", 1, IPR_YEAR_MAX, 0, &year, err);
    if (rc == IPR_OK)
        rc = ipr_view_player_queue(view, (int32_t)id, (int)year, ipr_req_param(req, "judge"), out,
                                   err);
    return rc;
}
