/* Judging: queue it, see how far it is, steer it. */
#include "db/analyses.h"

#include <string.h>

#include "core/log.h"
#include "http/body.h"
#include "http/reply.h"
#include "http/routes.h"
#include "http/url.h"

#define PRIORITY_FIRST   1
#define PRIORITY_DEFAULT 5
#define PRIORITY_LAST    9
#define LIST_DEFAULT     100
#define LIST_MAX         1000

static enum ipr_code bad(struct ipr_err *err, const char *what)
{
    return ipr_err_at(err, IPR_EPARSE, "bad_parameter", 0, 0, -1, "%s", what);
}

/* ---- which games ---- */

#define SELECTION "upload", "game", "player", "year", "judge"

/* A query as the object that a body is: texts for values. New reference. */
static json_t *query_object(const struct ipr_req *req)
{
    json_t *o = json_object();

    for (size_t i = 0; i < req->n_params; i++)
        json_object_set_new(o, req->param[i].name, json_string(req->param[i].value));
    return o;
}

/* `from` is borrowed as long as the selection. */
static enum ipr_code read_selection(const json_t *from, struct ipr_db_selection *out,
                                    struct ipr_err *err)
{
    struct {
        const char *name;
        int64_t max, n;
    } ids[] = { { "upload", INT64_MAX, 0 },
                { "game", INT64_MAX, 0 },
                { "player", INT32_MAX, 0 },
                { "year", IPR_YEAR_MAX, 0 } };
    enum ipr_code rc = IPR_OK;
    bool there;

    for (size_t i = 0; rc == IPR_OK && i < sizeof ids / sizeof *ids; i++)
        rc = ipr_body_int(from, ids[i].name, 1, ids[i].max, &ids[i].n, &there, err);
    if (rc == IPR_OK)
        rc = ipr_body_text(from, "judge", &out->judge, err);
    if (rc != IPR_OK)
        return rc;
    out->upload = ids[0].n;
    out->game = ids[1].n;
    out->person = (int32_t)ids[2].n;
    out->year = (int)ids[3].n;
    return out->year != 0 && out->person == 0 ? bad(err, "year goes with a player") : IPR_OK;
}

static bool names_games(const struct ipr_db_selection *s)
{
    return s->upload != 0 || s->game != 0 || s->person != 0;
}

/* Everything there is must be asked for in so many words: an argument that got lost shall not
 * empty the queue. */
static enum ipr_code read_steered(const json_t *from, struct ipr_db_selection *out,
                                  struct ipr_err *err)
{
    bool all = false;
    enum ipr_code rc = read_selection(from, out, err);

    if (rc == IPR_OK)
        rc = ipr_body_flag(from, "all", &all, err);
    if (rc != IPR_OK)
        return rc;
    if (!all && !names_games(out) && out->judge == NULL)
        return bad(err, "which games: say upload, game, player or judge, or all: true");
    if (all && (names_games(out) || out->judge != NULL))
        return bad(err, "all: true goes with no other selection");
    return IPR_OK;
}

static enum ipr_code read_priority(const json_t *body, int preset, int *out, bool *there,
                                   struct ipr_err *err)
{
    int64_t n = preset;
    const enum ipr_code rc =
        ipr_body_int(body, "priority", PRIORITY_FIRST, PRIORITY_LAST, &n, there, err);

    *out = (int)n;
    return rc;
}

/* ---- reading ---- */

enum ipr_code ipr_res_analyses(struct ipr_req *req, const struct ipr_view *view, json_t **out,
                               struct ipr_err *err)
{
    struct ipr_db_selection s = { 0 };
    json_t *query = query_object(req);
    int64_t limit = 0, after = 0;

    enum ipr_code rc = read_selection(query, &s, err);
    if (rc == IPR_OK)
        rc = ipr_req_int(req, "limit", 1, LIST_MAX, LIST_DEFAULT, &limit, err);
    if (rc == IPR_OK)
        rc = ipr_req_int(req, "after", 0, INT64_MAX, 0, &after, err);
    if (rc == IPR_OK)
        rc = ipr_view_analyses(view, &s, ipr_req_param(req, "state"), after, (int)limit, out, err);
    json_decref(query);
    return rc;
}

enum ipr_code ipr_res_queue(struct ipr_req *req, const struct ipr_view *view, json_t **out,
                            struct ipr_err *err)
{
    (void)req;
    return ipr_view_queue(view, out, err);
}

/* ---- answering a write ---- */

/* The page a form was on, if it is one of ours. */
static const char *page_of(struct ipr_req *req, const json_t *body)
{
    static const char *const ours[] = { "/queue", "/players/", "/uploads/", "/games/" };
    const char *back = json_string_value(json_object_get(body, "back"));

    for (size_t i = 0; back != NULL && i < sizeof ours / sizeof *ours; i++)
        if (strncmp(back, ours[i], strlen(ours[i])) == 0)
            return ipr_url_encode_path(&req->mem, back);
    return ours[0];
}

/* Takes `answer`; a form goes back to its page. */
static enum MHD_Result answer_write(struct ipr_req *req, unsigned status, const char *page,
                                    json_t *answer)
{
    if (!req->html)
        return ipr_reply_json(req, status, answer);
    json_decref(answer);
    ipr_reply_header(req, "Location", page);
    return ipr_reply_empty(req, MHD_HTTP_SEE_OTHER);
}

/* ---- queueing ---- */

static enum ipr_code queue(struct ipr_req *req, const json_t *body, json_t **out,
                           struct ipr_err *err)
{
    const struct ipr_config *config = req->http->o.config;
    struct ipr_view view = { .config = config, .mem = &req->mem };
    struct ipr_db_selection s = { 0 };
    int32_t queued = 0, there = 0;
    int priority = 0;
    bool given;

    enum ipr_code rc = read_selection(body, &s, err);
    const char *judge = s.judge != NULL ? s.judge : config->judge;
    s.judge = NULL; /* whom to queue for does not say which games */
    if (rc == IPR_OK)
        rc = read_priority(body, PRIORITY_DEFAULT, &priority, &given, err);
    if (rc == IPR_OK && !names_games(&s))
        rc = bad(err, "which games: say upload, game or player");
    if (rc == IPR_OK)
        rc = ipr_req_lease(req, &view.db, err);
    if (rc == IPR_OK)
        rc = ipr_req_judge(view.db, judge, err);
    if (rc == IPR_OK)
        rc = ipr_view_selection(&view, &s, err);
    if (rc == IPR_OK)
        rc = ipr_db_analyses_queue(view.db, &s, judge, priority, req->writer, &queued, &there, err);
    ipr_db_return(&view.db);
    if (rc != IPR_OK)
        return rc;
    ipr_log(IPR_LOG_INFO, "analyses_queued", "judge=%s queued=%d there=%d by=\"%s\"", judge,
            (int)queued, (int)there, ipr_log_text(req->writer));
    *out = json_pack("{s:s, s:i, s:i, s:i}", "judge", judge, "priority", priority, "queued",
                     (int)queued, "there", (int)there);
    return IPR_OK;
}

/* POST /api/v1/analyses */
enum MHD_Result ipr_http_analyses_post(struct ipr_req *req)
{
    static const char *const known[] = { SELECTION, "priority", "back", NULL };
    struct ipr_err err = IPR_ERR_INIT;
    json_t *body = NULL, *done = NULL;

    enum ipr_code rc = ipr_body_object(req, known, &body, &err);
    if (rc == IPR_OK)
        rc = queue(req, body, &done, &err);
    const char *page = page_of(req, body);
    json_decref(body);
    return rc == IPR_OK ? answer_write(req, MHD_HTTP_ACCEPTED, page, done)
                        : ipr_reply_error(req, &err);
}

/* ---- steering ---- */

static const struct {
    const char *name;
    enum ipr_db_steer what;
} actions[] = { { "cancel", IPR_STEER_CANCEL },
                { "pause", IPR_STEER_PAUSE },
                { "resume", IPR_STEER_RESUME },
                { "retry", IPR_STEER_RETRY },
                { "priority", IPR_STEER_PRIORITY } };

/* Index of an action's name. */
static enum ipr_code read_action(const char *name, size_t *out, struct ipr_err *err)
{
    for (size_t i = 0; name != NULL && i < sizeof actions / sizeof *actions; i++)
        if (strcmp(actions[i].name, name) == 0) {
            *out = i;
            return IPR_OK;
        }
    return bad(err, "action is cancel, pause, resume, retry or priority");
}

static enum ipr_code steer(struct ipr_req *req, const json_t *from, size_t action, int priority,
                           json_t **out, struct ipr_err *err)
{
    struct ipr_view view = { .config = req->http->o.config, .mem = &req->mem };
    struct ipr_db_selection s = { 0 };
    int32_t changed = 0;

    enum ipr_code rc = read_steered(from, &s, err);
    if (rc == IPR_OK)
        rc = ipr_req_lease(req, &view.db, err);
    if (rc == IPR_OK)
        rc = ipr_view_selection(&view, &s, err);
    if (rc == IPR_OK)
        rc = ipr_db_analyses_steer(view.db, &s, actions[action].what, priority, &changed, err);
    ipr_db_return(&view.db);
    if (rc != IPR_OK)
        return rc;
    ipr_log(IPR_LOG_INFO, "analyses_steered", "action=%s changed=%d by=\"%s\"",
            actions[action].name, (int)changed, ipr_log_text(req->writer));
    *out = json_pack("{s:s, s:i}", "action", actions[action].name, "changed", (int)changed);
    return IPR_OK;
}

/* `action` NULL: the body says it, or brings a priority alone. */
static enum ipr_code read_change(const json_t *body, const char *action, size_t *out, int *priority,
                                 struct ipr_err *err)
{
    bool given = false;
    enum ipr_code rc = read_priority(body, 0, priority, &given, err);

    if (rc == IPR_OK && action == NULL)
        rc = ipr_body_text(body, "action", &action, err);
    if (rc == IPR_OK)
        rc = read_action(action == NULL && given ? "priority" : action, out, err);
    if (rc != IPR_OK)
        return rc;
    if ((actions[*out].what == IPR_STEER_PRIORITY) != given)
        return bad(err, given ? "a priority goes with no other action"
                              : "priority is missing: 1, first, to 9, last");
    return IPR_OK;
}

/* `query` NULL: the body says which games. */
static enum MHD_Result change(struct ipr_req *req, const char *const *known, const json_t *query,
                              const char *action)
{
    struct ipr_err err = IPR_ERR_INIT;
    json_t *body = NULL, *done = NULL;
    size_t what = 0;
    int priority = 0;

    enum ipr_code rc = ipr_body_object(req, known, &body, &err);
    if (rc == IPR_OK)
        rc = read_change(body, action, &what, &priority, &err);
    if (rc == IPR_OK)
        rc = steer(req, query != NULL ? query : body, what, priority, &done, &err);
    const char *page = page_of(req, body);
    json_decref(body);
    return rc == IPR_OK ? answer_write(req, MHD_HTTP_OK, page, done) : ipr_reply_error(req, &err);
}

/* PATCH /api/v1/analyses */
enum MHD_Result ipr_http_analyses_patch(struct ipr_req *req)
{
    static const char *const known[] = { SELECTION, "all", "action", "priority", NULL };

    return change(req, known, NULL, NULL);
}

/* POST /api/v1/analyses/{action}?upload=…: for the buttons of a page, of which one form has many.
 */
enum MHD_Result ipr_http_analyses_form(struct ipr_req *req)
{
    static const char *const known[] = { "priority", "back", NULL };
    json_t *query = query_object(req);
    const enum MHD_Result answered = change(req, known, query, req->ids[0]);

    json_decref(query);
    return answered;
}

/* DELETE /api/v1/analyses?upload=… */
enum MHD_Result ipr_http_analyses_delete(struct ipr_req *req)
{
    struct ipr_err err = IPR_ERR_INIT;
    json_t *query = query_object(req), *done = NULL;
    size_t cancel = 0;

    enum ipr_code rc = read_action("cancel", &cancel, &err);
    if (rc == IPR_OK)
        rc = steer(req, query, cancel, 0, &done, &err);
    json_decref(query);
    if (rc != IPR_OK)
        return ipr_reply_error(req, &err);
    json_t *answer = json_pack("{s:O}", "cancelled", json_object_get(done, "changed"));
    json_decref(done);
    return ipr_reply_json(req, MHD_HTTP_OK, answer);
}
