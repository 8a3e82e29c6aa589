/* Who is who: doubtful pairs, and what people decide about them. */
#include <string.h>

#include "core/log.h"
#include "core/names.h"
#include "db/identity_changes.h"
#include "http/body.h"
#include "http/reply.h"
#include "http/routes.h"
#include "http/url.h"

#define PAIRS_MAX   100
#define CHANGES_MAX 500
#define GAMES_MAX   10000 /* named in one split */

/* ---- reading ----------------------------------------------------------------------------------
 */

enum ipr_code ipr_res_doubtful(struct ipr_req *req, const struct ipr_view *view, json_t **out,
                               struct ipr_err *err)
{
    int64_t limit = 0;
    enum ipr_code rc = ipr_req_int(req, "limit", 1, PAIRS_MAX, 0, &limit, err);

    if (rc == IPR_OK)
        rc = ipr_view_doubtful(view, ipr_req_param(req, "after"), (int)limit, out, err);
    return rc;
}

enum ipr_code ipr_res_doubtful_page(struct ipr_req *req, const struct ipr_view *view, json_t **out,
                                    struct ipr_err *err)
{
    return ipr_view_doubtful_page(view, ipr_req_param(req, "after"), out, err);
}

enum ipr_code ipr_res_identity_changes(struct ipr_req *req, const struct ipr_view *view,
                                       json_t **out, struct ipr_err *err)
{
    int64_t limit = 0;
    enum ipr_code rc = ipr_req_int(req, "limit", 1, CHANGES_MAX, 0, &limit, err);

    if (rc == IPR_OK)
        rc = ipr_view_identity_changes(view, ipr_req_param(req, "after"), (int)limit, out, err);
    return rc;
}

enum ipr_code ipr_res_identity_change(struct ipr_req *req, const struct ipr_view *view,
                                      json_t **out, struct ipr_err *err)
{
    int64_t id;
    enum ipr_code rc = ipr_req_id(req, 0, INT64_MAX, &id, err);

    if (rc == IPR_OK)
        rc = ipr_view_identity_change(view, id, out, err);
    return rc;
}

/* ---- writing ----------------------------------------------------------------------------------
 */

/* What was decided, for a program; a form goes back to its page. */
static enum MHD_Result answer(struct ipr_req *req, const char *page, int64_t id, json_t *change)
{
    ipr_log(IPR_LOG_INFO, "identity_change", "change=%lld by=\"%s\"", (long long)id,
            ipr_log_text(req->writer));
    if (req->html) {
        json_decref(change);
        ipr_reply_header(req, "Location", page);
        return ipr_reply_empty(req, MHD_HTTP_SEE_OTHER);
    }
    ipr_reply_header(req, "Location",
                     ipr_arena_printf(&req->mem, "/api/v1/identity-changes/%lld", (long long)id));
    return ipr_reply_json(req, MHD_HTTP_OK, change);
}

/* Runs one decision; fills the number of its change. */
typedef enum ipr_code (*decide_fn)(struct ipr_req *req, struct ipr_db *db, int64_t id,
                                   const json_t *body, int64_t *change, struct ipr_err *err);

/* `back` is the page of a form that says none itself. */
static enum MHD_Result decide(struct ipr_req *req, const char *const *known, decide_fn fn,
                              const char *back)
{
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_view view = { .config = req->http->o.config, .mem = &req->mem };
    json_t *body = NULL, *change = NULL;
    int64_t id = 0, n = 0;

    enum ipr_code rc = ipr_req_id(req, 0, INT64_MAX, &id, &err);
    if (rc == IPR_OK)
        rc = ipr_body_object(req, known, &body, &err);
    if (rc == IPR_OK)
        rc = ipr_req_lease(req, &view.db, &err);
    if (rc == IPR_OK)
        rc = fn(req, view.db, id, body, &n, &err);
    if (rc == IPR_OK)
        rc = ipr_view_identity_change(&view, n, &change, &err);
    ipr_db_return(&view.db);
    const char *page = json_string_value(json_object_get(body, "back"));
    /* Only to one of our own pages. */
    page = page != NULL && strncmp(page, "/players/", 9) == 0 ? ipr_url_encode_path(&req->mem, page)
                                                              : back;
    json_decref(body);
    return rc == IPR_OK ? answer(req, page, n, change) : ipr_reply_error(req, &err);
}

static enum ipr_code as_player(int64_t id, int32_t *out, struct ipr_err *err)
{
    if (id > INT32_MAX)
        return ipr_err_set(err, IPR_ENOTFOUND, "no player %lld", (long long)id);
    *out = (int32_t)id;
    return IPR_OK;
}

static enum ipr_code other_player(const json_t *body, const char *name, int32_t *out,
                                  struct ipr_err *err)
{
    int64_t id = 0;
    bool there = false;
    const enum ipr_code rc = ipr_body_int(body, name, 1, INT32_MAX, &id, &there, err);

    if (rc == IPR_OK && !there)
        return ipr_err_at(err, IPR_EPARSE, "bad_parameter", 0, 0, -1,
                          "%s is missing: the id of the other player", name);
    *out = (int32_t)id;
    return rc;
}

static enum ipr_code merge(struct ipr_req *req, struct ipr_db *db, int64_t id, const json_t *body,
                           int64_t *change, struct ipr_err *err)
{
    int32_t who = 0, into = 0;
    bool sure = false;
    enum ipr_code rc = as_player(id, &who, err);

    if (rc == IPR_OK)
        rc = other_player(body, "into", &into, err);
    if (rc == IPR_OK)
        rc = ipr_body_flag(body, "sure", &sure, err);
    return rc == IPR_OK ? ipr_db_merge(db, who, into, sure, req->writer, change, err) : rc;
}

static enum ipr_code distinct(struct ipr_req *req, struct ipr_db *db, int64_t id,
                              const json_t *body, int64_t *change, struct ipr_err *err)
{
    int32_t who = 0, from = 0;
    enum ipr_code rc = as_player(id, &who, err);

    if (rc == IPR_OK)
        rc = other_player(body, "from", &from, err);
    return rc == IPR_OK ? ipr_db_distinct(db, who, from, req->writer, change, err) : rc;
}

static enum ipr_code undo(struct ipr_req *req, struct ipr_db *db, int64_t id, const json_t *body,
                          int64_t *change, struct ipr_err *err)
{
    (void)body;
    *change = id;
    return ipr_db_identity_undo(db, id, req->writer, err);
}

/* ---- split ------------------------------------------------------------------------------------
 */

static enum ipr_code bad(struct ipr_err *err, const char *what)
{
    return ipr_err_at(err, IPR_EPARSE, "bad_parameter", 0, 0, -1, "%s", what);
}

/* "years": [from, to], or the fields from and to of a form; one of them alone is open. */
static enum ipr_code read_years(const json_t *body, struct ipr_db_split *s, struct ipr_err *err)
{
    static const char *const names[] = { "from", "to" };
    const json_t *years = json_object_get(body, "years");
    int64_t year[2] = { 1, IPR_YEAR_MAX };
    bool there[2] = { false, false };
    enum ipr_code rc = IPR_OK;

    if (years != NULL && !json_is_null(years) && json_array_size(years) != 2)
        return bad(err, "years: [first, last]");
    for (size_t i = 0; rc == IPR_OK && i < 2; i++) {
        json_t *one = json_pack("{s:O?}", names[i],
                                json_is_array(years) ? json_array_get(years, i)
                                                     : json_object_get(body, names[i]));
        rc = ipr_body_int(one, names[i], 1, IPR_YEAR_MAX, &year[i], &there[i], err);
        json_decref(one);
    }
    if (rc != IPR_OK || (!there[0] && !there[1]))
        return rc;
    if (year[0] > year[1])
        return bad(err, "years: the first is after the last");
    s->from = (int)year[0];
    s->to = (int)year[1];
    return IPR_OK;
}

/* "games": [ids], or a text of ids from a form. */
static enum ipr_code read_games(struct ipr_req *req, const json_t *body, struct ipr_db_split *s,
                                struct ipr_err *err)
{
    const json_t *games = json_object_get(body, "games");
    const char *text = json_string_value(games);
    int64_t *ids = NULL;
    size_t n = 0;

    if (games == NULL || json_is_null(games))
        return IPR_OK;
    if (json_array_size(games) > GAMES_MAX)
        return bad(err, "games: at most 10000 at once");
    ids = ipr_arena_alloc(&req->mem, GAMES_MAX, sizeof *ids);
    for (; n < json_array_size(games); n++) {
        ids[n] = json_integer_value(json_array_get(games, n));
        if (ids[n] < 1)
            return bad(err, "games: a list of ids");
    }
    while (text != NULL && *(text += strspn(text, ", \t\r\n")) != '\0') {
        const size_t digits = strcspn(text, ", \t\r\n");

        if (n == GAMES_MAX || !ipr_str_int((struct ipr_str){ text, digits }, 1, INT64_MAX, &ids[n]))
            return bad(err, "games: ids with commas between them, at most 10000");
        n++;
        text += digits;
    }
    if (n == 0)
        return bad(err, "games: a list of ids");
    s->games = ids;
    s->n_games = n;
    return IPR_OK;
}

static enum ipr_code read_colour(const json_t *body, struct ipr_db_split *s, struct ipr_err *err)
{
    const char *colour = NULL;
    const enum ipr_code rc = ipr_body_text(body, "color", &colour, err);

    s->colour = -1;
    if (rc != IPR_OK || colour == NULL)
        return rc;
    if (strcmp(colour, "white") != 0 && strcmp(colour, "black") != 0)
        return bad(err, "color: white or black");
    s->colour = strcmp(colour, "black") == 0;
    return IPR_OK;
}

static enum ipr_code read_name(struct ipr_req *req, const json_t *body, struct ipr_db_split *s,
                               struct ipr_err *err)
{
    const enum ipr_code rc = ipr_body_text(body, "name", &s->name, err);

    if (rc != IPR_OK)
        return rc;
    if (s->name == NULL)
        return bad(err, "name is missing: under which name the games go on");
    if (ipr_name_key(s->name, &req->mem, &s->key, NULL) != IPR_OK || ipr_name_of_nobody(s->key))
        return bad(err, "name: not a name of a player");
    return IPR_OK;
}

static enum ipr_code split(struct ipr_req *req, struct ipr_db *db, int64_t id, const json_t *body,
                           int64_t *change, struct ipr_err *err)
{
    struct ipr_db_split s = { 0 };
    int32_t who = 0;
    enum ipr_code rc = as_player(id, &who, err);

    if (rc == IPR_OK)
        rc = read_name(req, body, &s, err);
    if (rc == IPR_OK)
        rc = read_years(body, &s, err);
    if (rc == IPR_OK)
        rc = read_games(req, body, &s, err);
    if (rc == IPR_OK)
        rc = ipr_body_text(body, "tagged", &s.tagged, err);
    if (rc == IPR_OK)
        rc = read_colour(body, &s, err);
    if (rc == IPR_OK && s.from == 0 && s.games == NULL && s.tagged == NULL)
        rc = bad(err, "which games: say years, games or tagged");
    return rc == IPR_OK ? ipr_db_split(db, who, &s, req->writer, change, err) : rc;
}

/* POST /api/v1/players/{id}/merge and so on. */

static const char doubtful_page[] = "/players/doubtful";

enum MHD_Result ipr_http_merge(struct ipr_req *req)
{
    static const char *const known[] = { "into", "sure", "back", NULL };

    return decide(req, known, merge, doubtful_page);
}

enum MHD_Result ipr_http_distinct(struct ipr_req *req)
{
    static const char *const known[] = { "from", "back", NULL };

    return decide(req, known, distinct, doubtful_page);
}

enum MHD_Result ipr_http_split(struct ipr_req *req)
{
    static const char *const known[] = { "name",   "years", "from", "to", "games",
                                         "tagged", "color", "back", NULL };

    return decide(req, known, split, doubtful_page);
}

enum MHD_Result ipr_http_identity_undo(struct ipr_req *req)
{
    static const char *const known[] = { "back", NULL };

    return decide(req, known, undo, doubtful_page);
}
