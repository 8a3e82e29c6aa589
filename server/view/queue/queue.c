/* The whole queue, for operators: running games, waiting games and their owners, failures,
 * workers. */
#include <math.h>

#include "core/confirmed.h"
#include "db/monitor.h"
#include "db/workers.h"
#include "view/queue/analyses.h"
#include "view/queue/findings.h"

#define OWNERS_SHOWN  50
#define NEXT_SHOWN    20
#define UPLOADS_SHOWN 50
#define FAILED_SHOWN  50

static double known_share(int64_t part, int64_t of)
{
    return of > 0 ? (double)part / (double)of : NAN;
}

static enum ipr_code queue_workers(const struct ipr_view *v, struct ipr_answer_queue *out,
                                   struct ipr_err *err)
{
    struct ipr_db_worker *rows = NULL;
    int64_t turns = 0, cached = 0;
    size_t n = 0;

    const enum ipr_code rc = ipr_db_workers(v->db, v->mem, &rows, &n, err);
    out->workers = (struct ipr_list_worker){ ipr_shape_list(IPR_SHAPE_WORKER, n, v->mem), n };
    for (size_t i = 0; i < n; i++) {
        out->workers.at[i].row = &rows[i];
        out->workers.at[i].cached_share = known_share(rows[i].cached, rows[i].turns);
        turns += rows[i].turns;
        cached += rows[i].cached;
    }
    out->cache = (struct ipr_answer_evaluation_cache){ turns, cached, known_share(cached, turns) };
    return rc;
}

/* The games that are analysed now, and those that come next. */
static enum ipr_code queue_games(const struct ipr_view *v, struct ipr_answer_queue *out,
                                 struct ipr_err *err)
{
    struct ipr_db_running *running = NULL;
    struct ipr_db_waiting_owner *owners = NULL;
    struct ipr_db_waiting_game *waiting = NULL;
    struct ipr_db_upload_jobs *uploads = NULL;

    enum ipr_code rc = ipr_db_jobs_running(v->db, v->mem, &running, &out->running.n, err);
    if (rc == IPR_OK)
        rc = ipr_db_waiting_owners(v->db, OWNERS_SHOWN, v->mem, &owners, &out->owners.n, err);
    if (rc == IPR_OK)
        rc = ipr_db_waiting_games(v->db, NEXT_SHOWN, v->mem, &waiting, &out->waiting.n, err);
    if (rc == IPR_OK)
        rc = ipr_db_upload_jobs(v->db, UPLOADS_SHOWN, v->mem, &uploads, &out->uploads.n, err);
    out->running.at = running;
    out->owners.at = owners;
    out->waiting.at = waiting;
    out->uploads.at = uploads;
    return rc;
}

enum ipr_code ipr_fill_queue(const struct ipr_view *v,
                             const struct ipr_queue_request *p __attribute__((unused)),
                             struct ipr_answer_queue *out, struct ipr_err *err)
{
    const struct ipr_analyses_request failed = { .state = IPR_ANALYSES_STATE_FAILED,
                                                 .limit = FAILED_SHOWN };
    const struct ipr_db_selection confirmed = { .judge = IPR_CONFIRM };
    struct ipr_answer_analyses *const found = ipr_shape_new(IPR_SHAPE_ANALYSES, v->mem);
    struct ipr_db_progress *const confirmations = ipr_arena_alloc(v->mem, 1, sizeof *confirmations);

    enum ipr_code rc = ipr_view_queue_progress(v, &out->queue, err);
    if (rc == IPR_OK)
        rc = queue_games(v, out, err);
    if (rc == IPR_OK)
        rc = ipr_db_analyses_progress(v->db, &confirmed, confirmations, err);
    if (rc == IPR_OK)
        rc = ipr_fill_analyses(v, &failed, found, err);
    if (rc == IPR_OK)
        rc = queue_workers(v, out, err);
    if (rc != IPR_OK)
        return rc;
    out->confirmations = confirmations;
    out->failed = found->analyses;
    out->finding = ipr_queue_finding(&out->queue, v->mem);
    return IPR_OK;
}
