#include "http/answer/reading.h"

#include <string.h>

#include "db/replica.h"
#include "db/versions.h"
#include "http/answer/concurrency.h"
#include "http/base/authorization.h"
#include "http/base/fetching.h"
#include "http/base/upload_key.h"
#include "http/base/visitors.h"
#include "resource/write.h"
#include "view/setting.h"

/* ---- versions ---- */

/* The version of the player that a parameter names. */
static enum ipr_code player_version(struct ipr_req *req, struct ipr_db *db, const char *param,
                                    const char **out, struct ipr_err *err)
{
    const int64_t person = ipr_params_id(req->resource, req->params, param);

    return ipr_db_player_version(db, (int32_t)person, &req->mem, out, err);
}

/* Version of a resource's data; NULL: it is computed each time. */
static enum ipr_code data_version(struct ipr_req *req, struct ipr_db *db, const char **out,
                                  struct ipr_err *err)
{
    const char *other = "";
    enum ipr_code rc = IPR_OK;

    switch (req->resource->depends) {
    case IPR_DEPENDS_STORE:
        return ipr_db_store_version(db, &req->mem, out, err);
    case IPR_DEPENDS_PLAYER:
        return player_version(req, db, "player", out, err);
    case IPR_DEPENDS_EVENT:
        return ipr_db_event_version(db, (int32_t)ipr_params_id(req->resource, req->params, "event"),
                                    &req->mem, out, err);
    case IPR_DEPENDS_GAME:
        return ipr_db_game_version(db, ipr_params_id(req->resource, req->params, "game"), &req->mem,
                                   out, err);
    case IPR_DEPENDS_SIDES:
        rc = player_version(req, db, "white", out, err);
        if (rc == IPR_OK)
            rc = player_version(req, db, "black", &other, err);
        if (rc == IPR_OK)
            *out = ipr_arena_printf(&req->mem, "%s %s", *out, other);
        return rc;
    case IPR_DEPENDS_NOTHING:
    case IPR_DEPENDS_QUEUE:
        break;
    }
    return rc;
}

/* A page with a view of its own shows more than its resource. */
static enum ipr_code page_version(struct ipr_req *req, struct ipr_db *db, const char **version,
                                  struct ipr_err *err)
{
    const char *store = "", *queue = "";
    bool token = false;
    enum ipr_code rc = IPR_OK;

    if (req->route->own_view)
        rc = ipr_db_store_version(db, &req->mem, &store, err);
    if (rc == IPR_OK && req->route->queue)
        rc = ipr_db_queue_version(db, &req->mem, &queue, err);
    if (rc == IPR_OK && (req->resource->flags & IPR_FLAG_FORMS))
        rc = ipr_authorize_asks(req, db, &token, err);
    *version = ipr_arena_printf(&req->mem, "%s %s %s %d", *version, store, queue, token);
    return rc;
}

/* Covers everything in the database that the answer depends on. */
static enum ipr_code version_in(struct ipr_req *req, struct ipr_db *db, const char **version,
                                struct ipr_err *err)
{
    const char *judges = "";
    enum ipr_code rc = data_version(req, db, version, err);

    if (rc == IPR_OK && *version != NULL && ipr_resource_param(req->resource, "judge") != NULL)
        rc = ipr_db_judges_version(db, &req->mem, &judges, err);
    if (rc == IPR_OK && *version != NULL && req->route->page != NULL)
        rc = page_version(req, db, version, err);
    if (rc == IPR_OK && *version != NULL)
        *version = ipr_arena_printf(&req->mem, "%s\n%s", *version, judges);
    return rc;
}

static enum ipr_code version_of_primary(struct ipr_req *req, const char **version,
                                        struct ipr_err *err)
{
    struct ipr_db *db = NULL;
    enum ipr_code rc = ipr_req_lease(req, &db, err);

    if (rc == IPR_OK)
        rc = version_in(req, db, version, err);
    ipr_db_return(&db);
    return rc;
}

/* ---- the replica ---- */

/* A connection of it and what it has; NULL: it cannot say. */
static struct ipr_db *replica_lease(struct ipr_req *req, const char **version)
{
    struct ipr_db_replica *replica = req->http->o.replica;
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_db *db = ipr_db_replica_lease(replica);

    if (db != NULL && version_in(req, db, version, &err) != IPR_OK) {
        ipr_db_return(&db);
        ipr_db_replica_failed(replica, &err);
    }
    return db;
}

/* Returns the version that the replica has, while the primary does not answer. */
static enum ipr_code version_without_primary(struct ipr_req *req, const char **version,
                                             const struct ipr_err *cause, struct ipr_err *err)
{
    const bool away = cause->code == IPR_ERETRY && strcmp(cause->type, IPR_DB_AWAY) == 0;
    struct ipr_db *db = away && req->http->o.replica != NULL ? replica_lease(req, version) : NULL;

    if (db == NULL || *version == NULL) {
        ipr_db_return(&db);
        return ipr_err_pass(err, cause);
    }
    ipr_db_return(&db);
    req->reading = IPR_READING_REPLICA;
    return IPR_OK;
}

enum ipr_code ipr_reading_version(struct ipr_req *req, const char **version, struct ipr_err *err)
{
    struct ipr_err cause = IPR_ERR_INIT;
    enum ipr_code rc = IPR_OK;

    *version = NULL;
    if (req->resource->depends <= IPR_DEPENDS_QUEUE || req->unlisted)
        return IPR_OK;
    rc = version_of_primary(req, version, &cause);
    if (rc != IPR_OK)
        rc = version_without_primary(req, version, &cause, err);
    req->version = rc == IPR_OK ? *version : NULL;
    return rc;
}

/* The replica, if it has the version of the request's data; NULL: the primary answers. */
static struct ipr_db *replica_current(struct ipr_req *req)
{
    const char *there = NULL;
    struct ipr_db *db = replica_lease(req, &there);

    if (db != NULL && (there == NULL || strcmp(there, req->version) != 0)) {
        ipr_db_return(&db);
        ipr_db_replica_count(req->http->o.replica, IPR_REPLICA_BEHIND);
    }
    return db;
}

/* NULL: the primary answers. */
static struct ipr_db *reading_replica(struct ipr_req *req)
{
    struct ipr_err err = IPR_ERR_INIT;
    const char *version = NULL;
    struct ipr_db *db = NULL;

    if (req->http->o.replica == NULL || req->unlisted || req->reading == IPR_READING_PRIMARY)
        return NULL;
    if (req->reading == IPR_READING_UNKNOWN && req->version == NULL &&
        ipr_reading_version(req, &version, &err) != IPR_OK)
        return NULL; /* the primary will say what is wrong */
    if (req->reading == IPR_READING_REPLICA)
        db = ipr_db_replica_lease(req->http->o.replica);
    else if (req->version != NULL)
        db = replica_current(req);
    req->reading = db != NULL ? IPR_READING_REPLICA : IPR_READING_PRIMARY;
    return db;
}

enum ipr_code ipr_reading_do(struct ipr_req *req, ipr_reading_fn fn, void *arg, struct ipr_err *err)
{
    struct ipr_db *db = reading_replica(req);
    struct ipr_err why = IPR_ERR_INIT;
    enum ipr_code rc = IPR_ERETRY;

    if (db != NULL) {
        rc = fn(db, req->http->o.pool, arg, &why);
        ipr_db_return(&db);
        /* The primary would refuse for the same reason where that is in the data or the request. */
        if (rc != IPR_ERETRY && rc != IPR_EDB && rc != IPR_ECONFLICT) {
            ipr_db_replica_count(req->http->o.replica, IPR_REPLICA_ANSWERED);
            return rc == IPR_OK ? rc : ipr_err_pass(err, &why);
        }
        ipr_db_replica_failed(req->http->o.replica, &why);
        req->reading = IPR_READING_PRIMARY;
    }
    rc = ipr_req_lease(req, &db, err);
    if (rc == IPR_OK)
        rc = fn(db, NULL, arg, err);
    ipr_db_return(&db); /* before rendering */
    return rc;
}

/* ---- by a view ---- */

/* A page with forms says whether they need a token. Releases the resource on failure. */
static enum ipr_code add_page_extras(struct ipr_req *req, struct ipr_db *db, json_t **resource,
                                     struct ipr_err *err)
{
    bool needed = false;

    if (req->route->page == NULL || !(req->resource->flags & IPR_FLAG_FORMS))
        return IPR_OK;
    const enum ipr_code rc = ipr_authorize_asks(req, db, &needed, err);
    if (rc == IPR_OK) {
        json_object_set_new(*resource, "token_needed",
                            json_boolean(needed && req->owner_key == NULL));
        json_object_set_new(*resource, "fetches", ipr_fetch_sites(req->http->o.config));
    } else {
        json_decref(*resource);
        *resource = NULL;
    }
    return rc;
}

/* An answer being computed, and what it has added to a stream before. */
struct computing {
    struct ipr_req *req;
    const void *params;
    struct ipr_view *view;
    size_t lines;
    json_t **out;
};

/* Which games an answer is about that does not name the classes of time control: links and cursors
 * name them from then on. */
static enum ipr_code times_choose(struct computing *c, struct ipr_db *db, struct ipr_err *err)
{
    const struct ipr_resource *const r = c->req->resource;
    const struct ipr_times_scope scope = {
        .player = ipr_params_id(r, c->params, "player"),
        .year = ipr_params_id(r, c->params, "year"),
        .event = ipr_params_id(r, c->params, "event"),
        .upload = ipr_params_id(r, c->params, "upload"),
    };
    unsigned times = 0;

    if (!(r->flags & IPR_FLAG_SCOPED) || ipr_params_asks_times(r, c->params))
        return IPR_OK;
    const enum ipr_code rc = ipr_setting_times(db, &scope, &c->req->mem, &times, err);
    if (rc != IPR_OK || times == 0)
        return rc;
    c->params = ipr_params_with_times(r, c->params, times, &c->req->mem);
    c->view->time_classes = ipr_params_times(r, c->params);
    if (c->view->chosen != NULL)
        *c->view->chosen = c->params;
    return IPR_OK;
}

/* An ipr_reading_fn. */
static enum ipr_code compute_from(struct ipr_db *db, struct ipr_db_pool *keep, void *arg,
                                  struct ipr_err *err)
{
    struct computing *c = arg;
    struct ipr_view *view = c->view;

    view->db = db;
    view->keep = keep;
    if (view->lines != NULL)
        view->lines->n = c->lines;
    enum ipr_code rc = times_choose(c, db, err);
    if (rc == IPR_OK)
        rc = c->req->route->view(view, c->params, c->out, err);
    return rc == IPR_OK ? add_page_extras(c->req, db, c->out, err) : rc;
}

enum ipr_code ipr_answer_compute(struct ipr_req *req, const void *params, struct ipr_view *view,
                                 json_t **out, struct ipr_err *err)
{
    const bool heavy = req->resource->cost == IPR_COST_HEAVY &&
                       (req->route->heavy == NULL || req->route->heavy(params));
    const char *const era = ipr_params_text(req->resource, params, "era");
    struct computing c = { req, params, view, view->lines != NULL ? view->lines->n : 0, out };
    enum ipr_code rc = heavy ? ipr_concurrency_begin(req, err) : IPR_OK;

    view->config = req->http->o.config;
    view->upload_key = req->upload_key;
    view->uploads_open = ipr_visitors_may(req);
    view->uploads_private = ipr_upload_is_private(req) || view->uploads_open;
    view->spelling = req->http->o.spelling;
    view->calibration = ipr_params_text(req->resource, params, "calibration");
    view->time_classes = ipr_params_times(req->resource, params);
    view->for_its_time = era != NULL && strcmp(era, "for-its-time") == 0;
    if (rc == IPR_OK)
        rc = ipr_reading_do(req, compute_from, &c, err);
    ipr_concurrency_end(req);
    if (rc == IPR_OK && (view->time_classes & IPR_TIME_OWN))
        json_object_set_new(*out, "imported", json_false()); /* as requested */
    if (rc == IPR_OK && era != NULL)
        json_object_set_new(*out, "era", json_string(era));
    return rc;
}
