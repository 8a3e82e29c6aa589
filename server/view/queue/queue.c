/* The whole queue, for operators: running games, waiting games and their owners, failures,
 * workers. */
#include <math.h>

#include "core/confirmed.h"
#include "db/monitor.h"
#include "db/workers.h"
#include "view/json.h"
#include "view/queue/analyses.h"
#include "view/queue/findings.h"
#include "view/rows.h"

#define OWNERS_SHOWN  50
#define NEXT_SHOWN    20
#define UPLOADS_SHOWN 50
#define FAILED_SHOWN  50

static enum ipr_code add_owners(const struct ipr_view *v, json_t *out, struct ipr_err *err)
{
    struct ipr_db_waiting_owner *rows = NULL;
    size_t n = 0;

    const enum ipr_code rc = ipr_db_waiting_owners(v->db, OWNERS_SHOWN, v->mem, &rows, &n, err);
    json_object_set_new(out, "owners", ipr_rows_json(IPR_SHAPE_QUEUE_OWNER, rows, n));
    return rc;
}

static enum ipr_code add_next(const struct ipr_view *v, json_t *out, struct ipr_err *err)
{
    struct ipr_db_waiting_game *rows = NULL;
    size_t n = 0;

    const enum ipr_code rc = ipr_db_waiting_games(v->db, NEXT_SHOWN, v->mem, &rows, &n, err);
    json_object_set_new(out, "waiting", ipr_rows_json(IPR_SHAPE_WAITING_GAME, rows, n));
    return rc;
}

static enum ipr_code add_upload_jobs(const struct ipr_view *v, json_t *out, struct ipr_err *err)
{
    struct ipr_db_upload_jobs *rows = NULL;
    size_t n = 0;

    const enum ipr_code rc = ipr_db_upload_jobs(v->db, UPLOADS_SHOWN, v->mem, &rows, &n, err);
    json_object_set_new(out, "uploads", ipr_rows_json(IPR_SHAPE_QUEUED_UPLOAD, rows, n));
    return rc;
}

static enum ipr_code add_failed(const struct ipr_view *v, json_t *out, struct ipr_err *err)
{
    const struct ipr_analyses_request failed = { .state = IPR_ANALYSES_STATE_FAILED,
                                                 .limit = FAILED_SHOWN };
    json_t *found = NULL;

    const enum ipr_code rc = ipr_view_analyses(v, &failed, &found, err);
    if (rc != IPR_OK)
        return rc;
    json_object_set(out, "failed", json_object_get(found, "analyses"));
    json_decref(found);
    return IPR_OK;
}

static double known_share(int64_t part, int64_t of)
{
    return of > 0 ? (double)part / (double)of : NAN;
}

static enum ipr_code add_workers(const struct ipr_view *v, json_t *out, struct ipr_err *err)
{
    struct ipr_db_worker *rows = NULL;
    int64_t turns = 0, cached = 0;
    size_t n = 0;

    const enum ipr_code rc = ipr_db_workers(v->db, v->mem, &rows, &n, err);
    json_t *list = ipr_rows_json(IPR_SHAPE_WORKER, rows, n);
    for (size_t i = 0; i < n; i++) {
        json_object_set_new(json_array_get(list, i), "cached_share",
                            ipr_json_num(known_share(rows[i].cached, rows[i].turns)));
        turns += rows[i].turns;
        cached += rows[i].cached;
    }
    json_object_set_new(out, "workers", list);
    const struct ipr_answer_evaluation_cache cache = { .turns = turns,
                                                       .cached = cached,
                                                       .share = known_share(cached, turns) };
    json_object_set_new(out, "cache", ipr_shape_json(IPR_SHAPE_EVALUATION_CACHE, &cache));
    return rc;
}

static enum ipr_code add_confirmations(const struct ipr_view *v, json_t *out, struct ipr_err *err)
{
    const struct ipr_db_selection games = { .judge = IPR_CONFIRM };
    struct ipr_db_progress p = { 0 };
    const enum ipr_code rc = ipr_db_analyses_progress(v->db, &games, &p, err);

    json_object_set_new(out, "confirmations", ipr_row_json(IPR_SHAPE_STEERED_GAMES, &p));
    return rc;
}

enum ipr_code ipr_view_queue(const struct ipr_view *v, const struct ipr_queue_request *p,
                             json_t **out, struct ipr_err *err)
{
    static enum ipr_code (*const parts[])(const struct ipr_view *, json_t *, struct ipr_err *) = {
        ipr_view_add_queue, ipr_view_add_running, add_owners, add_next,
        add_upload_jobs,    add_confirmations,    add_failed, add_workers
    };
    json_t *queue = json_object();
    enum ipr_code rc = IPR_OK;

    (void)p;
    for (size_t i = 0; rc == IPR_OK && i < sizeof parts / sizeof *parts; i++)
        rc = parts[i](v, queue, err);
    if (rc != IPR_OK) {
        json_decref(queue);
        return rc;
    }
    json_object_set_new(queue, "finding", json_string(ipr_queue_finding(queue, v->mem)));
    *out = queue;
    return IPR_OK;
}
