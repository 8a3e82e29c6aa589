/* Analysis of stored games: queueing and control. */
#include "db/analyses.h"
#include "core/setting.h"
#include "db/tournaments.h"

#include <string.h>

#include "core/log.h"
#include "http/base/reply.h"
#include "http/base/routes.h"
#include "resource/write.h"
#include "view/paper/matches.h"
#include "view/queue/analyses.h"
#include "view/view.h"

#define QUEUE_PAGE "/queue"

/* ---- which games ---- */

/* The parameters that select games have the same names in all these resources. */
static struct ipr_db_selection selection_of(const struct ipr_req *req)
{
    const struct ipr_resource *r = req->resource;

    return (struct ipr_db_selection){
        .upload = ipr_params_id(r, req->params, "upload"),
        .game = ipr_params_id(r, req->params, "game"),
        .person = (int32_t)ipr_params_id(r, req->params, "player"),
        .year = (int)ipr_params_id(r, req->params, "year"),
        .judge = ipr_params_text(r, req->params, "judge"),
    };
}

static bool names_games(const struct ipr_db_selection *s)
{
    return s->upload != 0 || s->game != 0 || s->person != 0;
}

/* ---- queueing ---- */

static bool plan_owns(const struct ipr_analyses_post_request *p)
{
    return p->sides < 0 ? p->players.n > 0 || p->predict != NULL
                        : p->sides == IPR_ANALYSES_POST_SIDES_OWN;
}

static enum ipr_code plan_check(const struct ipr_analyses_post_request *p,
                                const struct ipr_db_selection *games, struct ipr_err *err)
{
    const bool players = games->person != 0 || p->players.n > 0;

    if (!names_games(games) && p->games.n == 0 && p->players.n == 0 && p->predict == NULL &&
        p->event == 0)
        return ipr_param_refuse(err, "upload", NULL,
                                "upload, game, games, event, player, players or predict");
    if (plan_owns(p) && !players && p->predict == NULL)
        return ipr_param_refuse(err, "sides", "own", "both, or player, players or predict");
    if (!players && (p->from != 0 || p->to != 0))
        return ipr_param_refuse(err, "from", NULL, "only with player or players");
    if (games->year != 0 && (p->from != 0 || p->to != 0))
        return ipr_param_refuse(err, "year", NULL, "only without from and to");
    return IPR_OK;
}

/* Adds a player or several, all with the same years. */
static void plan_add_spans(const struct ipr_analyses_post_request *p, struct ipr_arena *mem,
                           struct ipr_db_plan *plan)
{
    int32_t ids[IPR_PARAM_INTS_MAX] = { plan->games.person };
    int from, to;

    for (size_t i = 0; i < p->players.n; i++)
        ids[i] = (int32_t)p->players.v[i];

    ipr_view_years(plan->games.year, p->from, p->to, &from, &to);
    plan->n_spans = p->players.n > 0 ? p->players.n : plan->games.person != 0;
    plan->spans = ipr_db_spans(ids, plan->n_spans, from, to, mem);
}

/* The games of an event, as a list. */
static enum ipr_code plan_list_event(const struct ipr_view *v, int event, struct ipr_db_plan *plan,
                                     struct ipr_err *err)
{
    struct ipr_db_event_game *games = NULL;
    size_t n = 0;
    const enum ipr_code rc = ipr_db_event_games(v->db, event, v->mem, &games, &n, err);

    if (rc != IPR_OK)
        return rc;
    if (n == 0)
        return ipr_err_set(err, IPR_ENOTFOUND, "no games with moves of event %d", event);
    int64_t *const ids = ipr_arena_alloc(v->mem, n, sizeof *ids);
    for (size_t i = 0; i < n; i++)
        ids[i] = games[i].id;
    plan->listed = ids;
    plan->n_listed = n;
    return IPR_OK;
}

static enum ipr_code plan_make(const struct ipr_view *v, const struct ipr_analyses_post_request *p,
                               const char *judge, struct ipr_list_match_left_out *left_out,
                               struct ipr_db_plan *plan, struct ipr_err *err)
{
    const struct ipr_view_matches matches = { p->predict, p->earlier, p->own_games };
    const enum ipr_code rc = ipr_view_selection(v, &plan->games, err);

    plan->own = plan_owns(p);
    plan->listed = p->games.v;
    plan->n_listed = p->games.n;
    if (rc == IPR_OK && p->event != 0)
        return plan_list_event(v, p->event, plan, err);
    if (rc == IPR_OK && p->predict != NULL)
        return ipr_paper_plan_matches(v, judge, &matches, left_out, plan, err);
    if (rc == IPR_OK)
        plan_add_spans(p, v->mem, plan);
    return rc;
}

static enum ipr_code queue_analyses(struct ipr_req *req, const struct ipr_analyses_post_request *p,
                                    struct ipr_answer_analyses_queued *out, struct ipr_err *err)
{
    struct ipr_view view = { .config = req->http->o.config, .mem = &req->mem };
    struct ipr_db_plan plan = { .games = selection_of(req) };
    const char *judge = ipr_setting_queue(view.config, plan.games.judge);
    struct ipr_db_planned n = { 0 };

    plan.games.judge = NULL; /* the parameter names the judge to use; it does not select games */
    enum ipr_code rc = plan_check(p, &plan.games, err);
    if (rc == IPR_OK)
        rc = ipr_req_lease(req, &view.db, err);
    if (rc == IPR_OK)
        rc = ipr_req_judge(view.db, judge, err);
    if (rc == IPR_OK)
        rc = plan_make(&view, p, judge, &out->left_out, &plan, err);
    if (rc == IPR_OK)
        rc = ipr_db_analyses_queue(view.db, &plan, judge, p->priority, req->writer, p->estimate, &n,
                                   err);
    ipr_db_return(&view.db);
    if (rc != IPR_OK)
        return rc;
    if (!p->estimate)
        ipr_log(IPR_LOG_INFO, "analyses_queued", "judge=%s queued=%lld there=%lld by=\"%s\"", judge,
                (long long)(n.games - n.there), (long long)n.there, ipr_log_text(req->writer));
    out->judge = judge;
    out->priority = p->priority;
    out->estimate = p->estimate;
    out->games = n.games;
    out->queued = n.games - n.there;
    out->there = n.there;
    out->turns = n.turns;
    out->turns_there = n.turns_there;
    out->core_hours = n.core_hours;
    return IPR_OK;
}

/* POST /api/v1/analyses */
enum MHD_Result ipr_http_analyses_post(struct ipr_req *req)
{
    const struct ipr_analyses_post_request *p = req->params;
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_answer_analyses_queued *const done =
        ipr_shape_new(IPR_SHAPE_ANALYSES_QUEUED, &req->mem);

    if (queue_analyses(req, p, done, &err) != IPR_OK)
        return ipr_reply_error(req, &err);
    return ipr_reply_written(req, p->estimate ? MHD_HTTP_OK : MHD_HTTP_ACCEPTED, NULL, QUEUE_PAGE,
                             ipr_shape_json(IPR_SHAPE_ANALYSES_QUEUED, done));
}

/* ---- control ---- */

static enum ipr_code check_steering(const struct ipr_analyses_patch_request *p, int action,
                                    const struct ipr_db_selection *games, struct ipr_err *err)
{
    const bool priority = action == IPR_ANALYSES_PATCH_ACTION_PRIORITY;

    if (action < 0)
        return ipr_param_refuse(err, "action", NULL, "cancel, pause, resume, retry or priority");
    if (priority && p->priority == 0)
        return ipr_param_refuse(err, "priority", NULL, "a whole number from 1 to 9");
    if (!priority && p->priority != 0)
        return ipr_param_refuse(err, "priority", (const char[]){ (char)('0' + p->priority), '\0' },
                                "only with action=priority");
    /* All games need `all`, so that a lost argument does not empty the queue. */
    if (!p->all && !names_games(games) && games->judge == NULL)
        return ipr_param_refuse(err, "all", NULL, "true, or upload, game, player or judge");
    return IPR_OK;
}

/* PATCH /api/v1/analyses, and POST /queue of the buttons of that page. A priority alone needs no
 * action. */
enum MHD_Result ipr_http_analyses_steer(struct ipr_req *req)
{
    static const struct {
        const char *name;
        enum ipr_db_steer steer;
    } actions[] = {
        [IPR_ANALYSES_PATCH_ACTION_CANCEL] = { "cancel", IPR_STEER_CANCEL },
        [IPR_ANALYSES_PATCH_ACTION_PAUSE] = { "pause", IPR_STEER_PAUSE },
        [IPR_ANALYSES_PATCH_ACTION_RESUME] = { "resume", IPR_STEER_RESUME },
        [IPR_ANALYSES_PATCH_ACTION_RETRY] = { "retry", IPR_STEER_RETRY },
        [IPR_ANALYSES_PATCH_ACTION_PRIORITY] = { "priority", IPR_STEER_PRIORITY },
    };
    const struct ipr_analyses_patch_request *p = req->params;
    const int action =
        p->action < 0 && p->priority != 0 ? IPR_ANALYSES_PATCH_ACTION_PRIORITY : p->action;
    struct ipr_view view = { .config = req->http->o.config, .mem = &req->mem };
    struct ipr_db_selection games = selection_of(req);
    struct ipr_err err = IPR_ERR_INIT;
    int32_t changed = 0;

    enum ipr_code rc = check_steering(p, action, &games, &err);
    if (rc == IPR_OK)
        rc = ipr_req_lease(req, &view.db, &err);
    if (rc == IPR_OK)
        rc = ipr_view_selection(&view, &games, &err);
    if (rc == IPR_OK)
        rc = ipr_db_analyses_steer(view.db, &games, actions[action].steer, p->priority, &changed,
                                   &err);
    ipr_db_return(&view.db);
    if (rc != IPR_OK)
        return ipr_reply_error(req, &err);
    ipr_log(IPR_LOG_INFO, "analyses_steered", "action=%s changed=%d by=\"%s\"",
            actions[action].name, (int)changed, ipr_log_text(req->writer));
    const struct ipr_answer_analyses_changed done = { actions[action].name, changed };
    return ipr_reply_written(req, MHD_HTTP_OK, NULL, QUEUE_PAGE,
                             ipr_shape_json(IPR_SHAPE_ANALYSES_CHANGED, &done));
}
