#include "http/routes.h"

#include <stdio.h>
#include <string.h>

#include "http/authorization.h"
#include "http/concurrency.h"
#include "http/cors.h"
#include "http/fishnet.h"
#include "http/reply.h"
#include "http/url.h"

static const char *const judge[] = { "judge", "time_class", NULL };
static const char *const player_year[] = { "judge", "calibration", "time_class", "include", NULL };
static const char *const page[] = { "limit", "after", NULL };
static const char *const after[] = { "after", NULL };
static const char *const search[] = { "q", "search", "limit", "after", "judge", NULL };
static const char *const events[] = { "q", "year", "limit", "after", "judge", NULL };
static const char *const event[] = { "limit", "after", "judge", "time_class", NULL };
static const char *const game[] = { "judge", "evals", "form", NULL };
static const char *const ratings[] = { "year",  "from",        "to",         "event",   "color",
                                       "judge", "calibration", "time_class", "include", NULL };
static const char *const pair[] = { "white",      "black",    "method", "judge",   "calibration",
                                    "time_class", "alpha",    "beta",   "k1",      "k2",
                                    "n0",         "b",        "a",      "score",   "loss",
                                    "replicates", "seed",     "edges",  "classes", "empty_row",
                                    "colours",    "matrices", NULL };
static const char *const pair_form[] = { "white", "white_year", "black", "black_year",
                                         "judge", "time_class", NULL };
static const char *const elo[] = { "player", "year", "from", "to", "time_class", NULL };
static const char *const year[] = { "year", NULL };
static const char *const player_queue[] = { "year", "judge", NULL };
static const char *const analyses[] = { "upload", "game",  "player", "year", "judge",
                                        "state",  "limit", "after",  NULL };
static const char *const steered[] = { "upload", "game", "player", "year", "judge", "all", NULL };
static const char *const fishnet[] = { "slow", "stop", NULL };
static const char *const royale[] = { "active", "judge", "time_class", NULL };
static const char *const upload[] = { "judge", "priority", "analyse", NULL };
static const char *const name[] = { "name", NULL };
static const char *const reference[] = { "reference", NULL };

#define API "/api/v1"

const struct ipr_route ipr_routes[] = {
    { "GET", "/", ipr_res_dashboard, "dashboard", NULL, NULL, 0 },
    { "GET", "/players", ipr_res_players, "players", NULL, search, 0 },
    { "GET", "/players/doubtful", ipr_res_doubtful_page, "doubtful", NULL, after, IPR_ROUTE_FORMS },
    { "GET", "/players/{id}", ipr_res_player, "player", NULL, judge, IPR_ROUTE_FORMS },
    { "GET", "/players/{id}/{year}", ipr_res_player_year, "player_year", NULL, player_year,
      IPR_ROUTE_FORMS },
    { "GET", "/compare", ipr_res_compare, "compare", NULL, pair_form, 0 },
    { "GET", "/royale", NULL, "report", ipr_http_report, royale, 0 },
    { "GET", "/comparisons", NULL, "report", ipr_http_report, ipr_url_any, 0 },
    { "GET", "/reports", ipr_res_reports, "reports", NULL, judge, 0 },
    { "GET", "/reports/{kind}", NULL, "report", ipr_http_report, ipr_url_any, 0 },
    { "GET", "/events", ipr_res_events, "events", NULL, events, 0 },
    { "GET", "/events/{id}", ipr_res_event, "event", NULL, event, 0 },
    { "GET", "/games/{id}", ipr_res_game, "game", NULL, judge, 0 },
    { "GET", "/uploads/{id}", ipr_res_upload, "upload", NULL, NULL, 0 },
    { "GET", "/queue", ipr_res_queue, "queue", NULL, NULL, IPR_ROUTE_FORMS },
    { "GET", "/calibrations", ipr_res_calibrations, "calibrations", NULL, NULL, 0 },
    { "GET", "/calibrations/{name}", ipr_res_calibration, "calibration", NULL, NULL, 0 },
    { "GET", "/static/{dir}/{file}", NULL, NULL, ipr_http_file, NULL, 0 },
    { "GET", "/problems/{type}", NULL, NULL, ipr_http_problem, NULL, 0 },
    { "GET", "/health", NULL, NULL, ipr_http_health, NULL, 0 },
    { "GET", "/ready", NULL, NULL, ipr_http_ready, NULL, 0 },
    { "GET", "/metrics", NULL, NULL, ipr_http_metrics, NULL, 0 },

    { "GET", "/status", NULL, NULL, ipr_http_status, NULL, 0 },
    { "GET", "/fishnet/status", NULL, NULL, ipr_http_fishnet_status, NULL, IPR_ROUTE_FISHNET },
    { "GET", "/fishnet/key", NULL, NULL, ipr_http_fishnet_key, NULL, IPR_ROUTE_FISHNET },
    { "GET", "/fishnet/key/{key}", NULL, NULL, ipr_http_fishnet_key, NULL, IPR_ROUTE_FISHNET },
    { "POST", "/fishnet/acquire", NULL, NULL, ipr_http_fishnet_acquire, fishnet,
      IPR_ROUTE_FISHNET | IPR_ROUTE_BODY },
    { "POST", "/fishnet/analysis/{id}", NULL, NULL, ipr_http_fishnet_analysis, fishnet,
      IPR_ROUTE_FISHNET },
    { "POST", "/fishnet/move/{id}", NULL, NULL, ipr_http_fishnet_move, fishnet,
      IPR_ROUTE_FISHNET | IPR_ROUTE_BODY },
    { "POST", "/fishnet/abort/{id}", NULL, NULL, ipr_http_fishnet_abort, fishnet,
      IPR_ROUTE_FISHNET | IPR_ROUTE_BODY },

    { "GET", API "/dashboard", ipr_res_dashboard, NULL, NULL, NULL, 0 },
    { "POST", API "/uploads", NULL, NULL, ipr_http_upload_post, upload, IPR_ROUTE_UPLOAD },
    { "GET", API "/uploads/{id}", ipr_res_upload, NULL, NULL, NULL, 0 },
    { "GET", API "/uploads/{id}/duplicates", ipr_res_upload_duplicates, NULL, NULL, page, 0 },
    { "GET", API "/uploads/{id}/events", NULL, NULL, ipr_http_upload_events, NULL, 0 },
    { "GET", API "/players", ipr_res_players, NULL, NULL, search, 0 },
    { "GET", API "/players/doubtful", ipr_res_doubtful, NULL, NULL, page, 0 },
    { "GET", API "/players/{id}", ipr_res_player, NULL, NULL, judge, 0 },
    { "GET", API "/players/{id}/years", ipr_res_player_years, NULL, NULL, judge, 0 },
    { "GET", API "/players/{id}/ratings", ipr_res_ratings, NULL, NULL, ratings, 0 },
    { "GET", API "/players/{id}/queue", ipr_res_player_queue, NULL, NULL, player_queue, 0 },
    { "GET", API "/players/{id}/events", NULL, NULL, ipr_http_player_events, year, 0 },
    { "GET", API "/games/{id}", ipr_res_game, NULL, ipr_http_game, game, 0 },
    { "POST", API "/players/{id}/merge", NULL, NULL, ipr_http_merge, NULL, IPR_ROUTE_BODY },
    { "POST", API "/players/{id}/split", NULL, NULL, ipr_http_split, NULL, IPR_ROUTE_BODY },
    { "POST", API "/players/{id}/distinct", NULL, NULL, ipr_http_distinct, NULL, IPR_ROUTE_BODY },
    { "GET", API "/identity-changes", ipr_res_identity_changes, NULL, NULL, page, 0 },
    { "GET", API "/identity-changes/{id}", ipr_res_identity_change, NULL, NULL, NULL, 0 },
    { "POST", API "/identity-changes/{id}/undo", NULL, NULL, ipr_http_identity_undo, NULL,
      IPR_ROUTE_BODY },
    { "GET", API "/predictions", ipr_res_prediction, NULL, NULL, pair, 0 },
    { "GET", API "/elo", ipr_res_elo, NULL, NULL, elo, 0 },
    { "GET", API "/royale", NULL, NULL, ipr_http_report, royale, 0 },
    { "GET", API "/comparisons", NULL, NULL, ipr_http_report, ipr_url_any, 0 },
    { "GET", API "/reports", ipr_res_reports, NULL, NULL, judge, 0 },
    { "GET", API "/reports/{kind}", NULL, NULL, ipr_http_report, ipr_url_any, 0 },
    { "GET", API "/events", ipr_res_events, NULL, NULL, events, 0 },
    { "GET", API "/events/{id}", ipr_res_event, NULL, NULL, event, 0 },
    { "GET", API "/queue", ipr_res_queue, NULL, NULL, NULL, 0 },
    { "GET", API "/queue/events", NULL, NULL, ipr_http_queue_events, NULL, 0 },
    { "GET", API "/analyses", ipr_res_analyses, NULL, NULL, analyses, 0 },
    { "POST", API "/analyses", NULL, NULL, ipr_http_analyses_post, NULL, IPR_ROUTE_BODY },
    { "PATCH", API "/analyses", NULL, NULL, ipr_http_analyses_patch, NULL, IPR_ROUTE_BODY },
    { "DELETE", API "/analyses", NULL, NULL, ipr_http_analyses_delete, steered, 0 },
    { "POST", API "/analyses/{action}", NULL, NULL, ipr_http_analyses_form, steered,
      IPR_ROUTE_BODY },
    { "GET", API "/judges", ipr_res_judges, NULL, NULL, NULL, 0 },
    { "POST", API "/judges", NULL, NULL, ipr_http_judges_post, NULL, IPR_ROUTE_BODY },
    { "GET", API "/judges/{name}", ipr_res_judge, NULL, NULL, NULL, 0 },
    { "GET", API "/calibrations", ipr_res_calibrations, NULL, NULL, NULL, 0 },
    { "POST", API "/calibrations", NULL, NULL, ipr_http_calibrations_post, name, IPR_ROUTE_RAW },
    { "GET", API "/calibrations/{name}", ipr_res_calibration, NULL, NULL, reference, 0 },
    { NULL, NULL, NULL, NULL, NULL, NULL, 0 },
};

static struct ipr_str path_of(const struct ipr_req *req)
{
    return (struct ipr_str){ req->target, strcspn(req->target, "?") };
}

static bool serves(const struct ipr_route *r, const char *method)
{
    return strcmp(r->method, method) == 0 ||
           (strcmp(method, "HEAD") == 0 && strcmp(r->method, "GET") == 0);
}

/* Methods of this path as "GET, HEAD, OPTIONS", NULL when there is no such path. */
static const char *allowed(struct ipr_req *req)
{
    struct ipr_str ids[IPR_REQ_IDS];
    const char *list = NULL;

    for (const struct ipr_route *r = ipr_routes; r->method != NULL; r++) {
        if (!ipr_url_match(r->path, path_of(req), ids))
            continue;
        const char *with = strcmp(r->method, "GET") == 0 ? "GET, HEAD" : r->method;
        if (list == NULL)
            list = with;
        else if (strstr(list, with) == NULL) /* one address may fit two patterns */
            list = ipr_arena_printf(&req->mem, "%s, %s", list, with);
    }
    return list != NULL ? ipr_arena_printf(&req->mem, "%s, OPTIONS", list) : NULL;
}

static struct ipr_problem take_route(struct ipr_req *req, const struct ipr_route *r,
                                     const struct ipr_str ids[IPR_REQ_IDS])
{
    const char *query = strchr(req->target, '?');
    struct ipr_err err = IPR_ERR_INIT;
    enum ipr_code rc = IPR_OK;

    req->route = r;
    for (size_t i = 0; i < IPR_REQ_IDS && rc == IPR_OK; i++)
        if (ids[i].p != NULL)
            rc = ipr_url_decode(&req->mem, ids[i], false, &req->ids[i], &err);
    if (rc == IPR_OK && query != NULL)
        rc = ipr_url_query(&req->mem, ipr_str_c(query + 1), r->params, &req->param, &req->n_params,
                           &err);
    struct ipr_problem none = { 0 };
    return rc == IPR_OK ? none : ipr_problem_of(&err);
}

struct ipr_problem ipr_route_find(struct ipr_req *req)
{
    for (const struct ipr_route *r = ipr_routes; r->method != NULL; r++) {
        struct ipr_str ids[IPR_REQ_IDS] = { { NULL, 0 }, { NULL, 0 } };

        if (serves(r, req->method) && ipr_url_match(r->path, path_of(req), ids))
            return take_route(req, r, ids);
    }
    const char *methods = allowed(req);
    if (methods == NULL)
        return ipr_problem_make("no_such_address", "there is nothing at this address");
    ipr_reply_header(req, "Allow", methods);
    return ipr_problem_make("method_not_allowed", "the methods of this address are %s", methods);
}

enum MHD_Result ipr_route_options(struct ipr_req *req)
{
    const bool any = strcmp(req->target, "*") == 0;
    const char *methods = any ? "GET, HEAD, POST, PATCH, DELETE, OPTIONS" : allowed(req);

    if (methods == NULL) {
        const struct ipr_problem p =
            ipr_problem_make("no_such_address", "there is nothing at this address");
        return ipr_reply_problem(req, &p);
    }
    ipr_reply_header(req, "Allow", methods);
    ipr_cors_preflight(req, methods);
    return ipr_reply_empty(req, MHD_HTTP_NO_CONTENT);
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

enum MHD_Result ipr_http_resource(struct ipr_req *req)
{
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_view view = { .config = req->http->o.config,
                             .mem = &req->mem,
                             .calibration = ipr_req_param(req, "calibration") };
    json_t *resource = NULL;

    enum ipr_code rc =
        ipr_view_times_read(ipr_req_param(req, "time_class"), &view.time_classes, &err);
    if (rc == IPR_OK)
        rc = ipr_req_lease(req, &view.db, &err);
    if (rc == IPR_OK)
        rc = req->route->resource(req, &view, &resource, &err);
    ipr_concurrency_end(req);
    if (rc == IPR_OK && (req->route->flags & IPR_ROUTE_FORMS))
        rc = tell_token(req, view.db, resource, &err);
    ipr_db_return(&view.db); /* before rendering */
    if (rc != IPR_OK)
        return ipr_reply_error(req, &err);
    if (req->moved != NULL) {
        json_decref(resource);
        ipr_reply_header(req, "Location", req->moved);
        return ipr_reply_empty(req, MHD_HTTP_TEMPORARY_REDIRECT);
    }
    if (req->route->page != NULL)
        return ipr_reply_page(req, req->route->page, resource);
    return ipr_reply_json(req, MHD_HTTP_OK, resource);
}
