/* Analysis of stored games: queueing and control. */
#include "db/analyses.h"

#include <string.h>

#include "core/log.h"
#include "http/reply.h"
#include "http/routes.h"
#include "http/url.h"

/* ---- which games ---- */

static bool names_games(const struct ipr_db_selection *s)
{
    return s->upload != 0 || s->game != 0 || s->person != 0;
}

static enum ipr_code check_selection(const struct ipr_db_selection *s, struct ipr_err *err)
{
    return s->year != 0 && s->person == 0 ? ipr_param_refuse(err, "year", "only with player")
                                          : IPR_OK;
}

/* All games need `all`, so that a lost argument does not empty the queue.
 */
static enum ipr_code check_steered(const struct ipr_db_selection *s, bool all, struct ipr_err *err)
{
    const bool some = names_games(s) || s->judge != NULL;

    if (!all && !some)
        return ipr_param_refuse(err, "all",
                                "missing; expected true, or upload, game, player or judge");
    if (all && some)
        return ipr_param_refuse(err, "all", "only without upload, game, player and judge");
    return check_selection(s, err);
}

/* ---- answering a write ---- */

/* The page of the form, if it is one of ours. */
static const char *page_of(struct ipr_req *req, const char *back)
{
    static const char *const ours[] = { "/queue", "/players/", "/uploads/", "/games/" };

    for (size_t i = 0; back != NULL && i < sizeof ours / sizeof *ours; i++)
        if (strncmp(back, ours[i], strlen(ours[i])) == 0)
            return ipr_url_encode_path(&req->mem, back);
    return ours[0];
}

/* Takes `answer`; a form goes back to its page. */
static enum MHD_Result answer_write(struct ipr_req *req, unsigned status, const char *back,
                                    json_t *answer)
{
    if (!req->html)
        return ipr_reply_json(req, status, answer);
    json_decref(answer);
    ipr_reply_header(req, "Location", page_of(req, back));
    return ipr_reply_empty(req, MHD_HTTP_SEE_OTHER);
}

/* ---- queueing ---- */

static enum ipr_code queue_analyses(struct ipr_req *req, const struct ipr_analyses_post_request *p,
                                    json_t **out, struct ipr_err *err)
{
    const struct ipr_config *config = req->http->o.config;
    struct ipr_view view = { .config = config, .mem = &req->mem };
    struct ipr_db_selection s = {
        .upload = p->upload, .game = p->game, .person = p->player, .year = p->year
    };
    const char *judge = p->judge != NULL ? p->judge : config->judge;
    int32_t queued = 0, there = 0;

    enum ipr_code rc = check_selection(&s, err);
    if (rc == IPR_OK && !names_games(&s))
        rc = ipr_param_refuse(err, "upload", "missing; expected upload, game or player");
    if (rc == IPR_OK)
        rc = ipr_req_lease(req, &view.db, err);
    if (rc == IPR_OK)
        rc = ipr_req_judge(view.db, judge, err);
    if (rc == IPR_OK)
        rc = ipr_view_selection(&view, &s, err);
    if (rc == IPR_OK)
        rc = ipr_db_analyses_queue(view.db, &s, judge, p->priority, req->writer, &queued, &there,
                                   err);
    ipr_db_return(&view.db);
    if (rc != IPR_OK)
        return rc;
    ipr_log(IPR_LOG_INFO, "analyses_queued", "judge=%s queued=%d there=%d by=\"%s\"", judge,
            (int)queued, (int)there, ipr_log_text(req->writer));
    *out = json_pack("{s:s, s:i, s:i, s:i}", "judge", judge, "priority", p->priority, "queued",
                     (int)queued, "there", (int)there);
    return IPR_OK;
}

/* POST /api/v1/analyses */
enum MHD_Result ipr_http_analyses_post(struct ipr_req *req)
{
    const struct ipr_analyses_post_request *p = req->params;
    struct ipr_err err = IPR_ERR_INIT;
    json_t *done = NULL;

    if (queue_analyses(req, p, &done, &err) != IPR_OK)
        return ipr_reply_error(req, &err);
    return answer_write(req, MHD_HTTP_ACCEPTED, p->back, done);
}

/* ---- control ---- */

/* An action and its games. */
struct steering {
    struct ipr_db_selection games;
    bool all;
    int action, priority; /* an action of PATCH; priority 0: none */
};

static enum ipr_code check_steering(const struct steering *s, struct ipr_err *err)
{
    const bool priority = s->action == IPR_ANALYSES_PATCH_ACTION_PRIORITY;

    if (s->action < 0)
        return ipr_param_refuse(err, "action",
                                "missing; expected cancel, pause, resume, retry or priority");
    if (priority && s->priority == 0)
        return ipr_param_refuse(err, "priority", "missing; expected a whole number from 1 to 9");
    if (!priority && s->priority != 0)
        return ipr_param_refuse(err, "priority", "only with action=priority");
    return check_steered(&s->games, s->all, err);
}

static enum ipr_code steer_analyses(struct ipr_req *req, struct steering *s, int32_t *changed,
                                    struct ipr_err *err)
{
    static const enum ipr_db_steer steps[] = {
        [IPR_ANALYSES_PATCH_ACTION_CANCEL] = IPR_STEER_CANCEL,
        [IPR_ANALYSES_PATCH_ACTION_PAUSE] = IPR_STEER_PAUSE,
        [IPR_ANALYSES_PATCH_ACTION_RESUME] = IPR_STEER_RESUME,
        [IPR_ANALYSES_PATCH_ACTION_RETRY] = IPR_STEER_RETRY,
        [IPR_ANALYSES_PATCH_ACTION_PRIORITY] = IPR_STEER_PRIORITY,
    };
    struct ipr_view view = { .config = req->http->o.config, .mem = &req->mem };
    enum ipr_code rc = check_steering(s, err);

    if (rc == IPR_OK)
        rc = ipr_req_lease(req, &view.db, err);
    if (rc == IPR_OK)
        rc = ipr_view_selection(&view, &s->games, err);
    if (rc == IPR_OK)
        rc = ipr_db_analyses_steer(view.db, &s->games, steps[s->action], s->priority, changed, err);
    ipr_db_return(&view.db);
    return rc;
}

static enum MHD_Result steer_and_answer(struct ipr_req *req, struct steering *s, const char *back)
{
    const struct ipr_resource *patch = ipr_resource_at(IPR_RESOURCE_ANALYSES_PATCH);
    struct ipr_err err = IPR_ERR_INIT;
    int32_t changed = 0;

    if (s->action < 0 && s->priority != 0) /* a priority alone */
        s->action = IPR_ANALYSES_PATCH_ACTION_PRIORITY;
    if (steer_analyses(req, s, &changed, &err) != IPR_OK)
        return ipr_reply_error(req, &err);
    const char *name = ipr_resource_param(patch, "action")->words[s->action];
    ipr_log(IPR_LOG_INFO, "analyses_steered", "action=%s changed=%d by=\"%s\"", name, (int)changed,
            ipr_log_text(req->writer));
    if (req->route->id == IPR_RESOURCE_ANALYSES_DELETE)
        return ipr_reply_json(req, MHD_HTTP_OK, json_pack("{s:i}", "cancelled", (int)changed));
    return answer_write(req, MHD_HTTP_OK, back,
                        json_pack("{s:s, s:i}", "action", name, "changed", (int)changed));
}

/* The selection of a struct of parameters, whose members have the same names in all of them. */
#define SELECTION(p)                                                                               \
    {                                                                                              \
        .upload = (p)->upload, .game = (p)->game, .person = (p)->player, .year = (p)->year,        \
        .judge = (p)->judge                                                                        \
    }

/* PATCH /api/v1/analyses */
enum MHD_Result ipr_http_analyses_patch(struct ipr_req *req)
{
    const struct ipr_analyses_patch_request *p = req->params;
    struct steering s = { SELECTION(p), p->all, p->action, p->priority };

    return steer_and_answer(req, &s, NULL);
}

/* POST /api/v1/analyses/{action}?upload=…: for pages, whose forms have several buttons.
 */
enum MHD_Result ipr_http_analyses_form(struct ipr_req *req)
{
    const struct ipr_analyses_form_request *p = req->params;
    struct steering s = { SELECTION(p), p->all, p->action, p->priority };

    return steer_and_answer(req, &s, p->back);
}

/* DELETE /api/v1/analyses?upload=… */
enum MHD_Result ipr_http_analyses_delete(struct ipr_req *req)
{
    const struct ipr_analyses_delete_request *p = req->params;
    struct steering s = { SELECTION(p), p->all, IPR_ANALYSES_PATCH_ACTION_CANCEL, 0 };

    return steer_and_answer(req, &s, NULL);
}
