#include "db/jobs.h"

#include <stdio.h>

#include "db/pq.h"

enum ipr_code ipr_db_jobs_enqueue(struct ipr_db *db, const int64_t *game_ids, size_t n,
                                  const char *judge, int priority, int32_t *queued,
                                  struct ipr_err *err)
{
    struct ipr_db_array ids = { 0 };
    struct ipr_db_params p = { 0 };
    int64_t rows = 0;

    for (size_t i = 0; i < n; i++)
        ipr_db_array_int(&ids, game_ids[i]);
    ipr_db_p_array_take(&p, &ids);
    ipr_db_p_text(&p, judge);
    ipr_db_p_int(&p, priority);
    const enum ipr_code rc = ipr_db_exec_count(db, IPR_Q_JOBS_ENQUEUE, &p, &rows, err);
    if (rc == IPR_OK && queued != NULL)
        *queued = (int32_t)rows;
    return rc;
}

static void fill_job(struct ipr_db_row *r, void *out)
{
    struct ipr_db_job *job = out;
    struct ipr_arena mem = IPR_ARENA_INIT, *outer = r->mem;

    job->id = ipr_db_col_i64(r, "id");
    job->game_id = ipr_db_col_i64(r, "game_id");
    job->token = ipr_db_col_i64(r, "lease_token");
    job->attempts = ipr_db_col_i32(r, "attempts");
    r->mem = &mem;
    snprintf(job->judge, sizeof job->judge, "%s", ipr_db_col_text(r, "judge"));
    r->mem = outer;
    ipr_arena_release(&mem);
}

enum ipr_code ipr_db_job_claim(struct ipr_db *db, const char *worker, int lease_s,
                               struct ipr_db_job *out, struct ipr_err *err)
{
    struct ipr_db_params p = { 0 };

    ipr_db_p_text(&p, worker);
    ipr_db_p_int(&p, lease_s);
    return ipr_db_one(db, IPR_Q_JOB_CLAIM, &p, NULL, sizeof *out, fill_job, out, "job is ready",
                      err);
}

/* Statements that act on the holder's lease touch one row, or the lease is lost. */
static enum ipr_code fenced(struct ipr_db *db, enum ipr_query q, struct ipr_db_params *p,
                            const struct ipr_db_job *job, struct ipr_err *err)
{
    int64_t rows = 0;
    const enum ipr_code rc = ipr_db_exec_count(db, q, p, &rows, err);

    if (rc == IPR_OK && rows == 0)
        return ipr_err_set(err, IPR_ECONFLICT, "the lease of job %lld is lost", (long long)job->id);
    return rc;
}

static void holder(struct ipr_db_params *p, const struct ipr_db_job *job)
{
    ipr_db_p_int(p, job->id);
    ipr_db_p_int(p, job->token);
}

enum ipr_code ipr_db_job_heartbeat(struct ipr_db *db, const struct ipr_db_job *job, int lease_s,
                                   int turns_done, int turns_total, struct ipr_err *err)
{
    struct ipr_db_params p = { 0 };

    holder(&p, job);
    ipr_db_p_int(&p, lease_s);
    ipr_db_p_int(&p, turns_done);
    ipr_db_p_int(&p, turns_total);
    return fenced(db, IPR_Q_JOB_HEARTBEAT, &p, job, err);
}

enum ipr_code ipr_db_job_complete(struct ipr_db *db, const struct ipr_db_job *job,
                                  struct ipr_err *err)
{
    struct ipr_db_params p = { 0 };

    holder(&p, job);
    return fenced(db, IPR_Q_JOB_COMPLETE, &p, job, err);
}

enum ipr_code ipr_db_job_fail(struct ipr_db *db, const struct ipr_db_job *job, const char *reason,
                              struct ipr_err *err)
{
    struct ipr_db_params p = { 0 };

    holder(&p, job);
    ipr_db_p_text(&p, reason);
    return fenced(db, IPR_Q_JOB_FAIL, &p, job, err);
}

enum ipr_code ipr_db_job_release(struct ipr_db *db, const struct ipr_db_job *job,
                                 struct ipr_err *err)
{
    struct ipr_db_params p = { 0 };

    holder(&p, job);
    return fenced(db, IPR_Q_JOB_RELEASE, &p, job, err);
}

enum ipr_code ipr_db_jobs_sweep(struct ipr_db *db, int32_t *expired, struct ipr_err *err)
{
    int64_t rows = 0;
    const enum ipr_code rc = ipr_db_exec_count(db, IPR_Q_JOBS_SWEEP, NULL, &rows, err);

    if (rc == IPR_OK && expired != NULL)
        *expired = (int32_t)rows;
    return rc;
}

static void fill_queue(struct ipr_db_row *r, void *out)
{
    struct ipr_db_queue *q = out;

    q->ready = ipr_db_col_i64(r, "ready");
    q->leased = ipr_db_col_i64(r, "leased");
    q->failed = ipr_db_col_i64(r, "failed");
    q->judged_games = ipr_db_col_i64(r, "judged_games");
    q->judged_turns = ipr_db_col_i64(r, "judged_turns");
}

enum ipr_code ipr_db_queue_state(struct ipr_db *db, struct ipr_db_queue *out, struct ipr_err *err)
{
    return ipr_db_one(db, IPR_Q_QUEUE_STATE, NULL, NULL, sizeof *out, fill_queue, out, "queue",
                      err);
}

static void fill_running(struct ipr_db_row *r, void *out)
{
    struct ipr_db_running *g = out;

    g->game_id = ipr_db_col_i64(r, "game_id");
    g->white = ipr_db_col_text(r, "white");
    g->black = ipr_db_col_text(r, "black");
    g->event = ipr_db_col_text(r, "event");
    g->worker = ipr_db_col_text_or(r, "worker", "");
    g->judge = ipr_db_col_text(r, "judge");
    g->year = ipr_db_col_i32(r, "year");
    g->turns_done = ipr_db_col_i32(r, "turns_done");
    g->turns_total = ipr_db_col_i32(r, "turns_total");
    g->attempts = ipr_db_col_i32(r, "attempts");
}

enum ipr_code ipr_db_jobs_running(struct ipr_db *db, struct ipr_arena *mem,
                                  struct ipr_db_running **rows, size_t *n, struct ipr_err *err)
{
    void *list = NULL;
    const enum ipr_code rc =
        ipr_db_list(db, IPR_Q_JOBS_RUNNING, NULL, mem, sizeof **rows, fill_running, &list, n, err);

    if (rc == IPR_OK)
        *rows = list;
    return rc;
}
