#include "db/jobs.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "db/judges.h"
#include "db/pq.h"

/* How long a cursor may pass over what has come back ahead of it, and how many times as long as it
 * takes to look there. */
#define CURSOR_MS    1000
#define CURSOR_TIMES 20

static void fill_count(struct ipr_db_row *r, void *out)
{
    int32_t *n = out;

    *n = (int32_t)ipr_db_col_int(r, "jobs", 0, INT32_MAX);
}

enum ipr_code ipr_db_jobs_enqueue(struct ipr_db *db, const int64_t *game_ids, size_t n,
                                  const char *judge, int priority, const char *owner,
                                  int32_t *queued, struct ipr_err *err)
{
    struct ipr_db_array ids = { 0 };
    struct ipr_db_params p = { 0 };
    struct ipr_judge definition;
    int32_t jobs = 0;
    enum ipr_code rc = ipr_db_definition_get(db, judge, &definition, err);

    if (rc != IPR_OK)
        return rc;
    for (size_t i = 0; i < n; i++)
        ipr_db_array_int(&ids, game_ids[i]);
    ipr_db_p_array_take(&p, &ids);
    ipr_db_p_text(&p, judge);
    ipr_db_p_int(&p, priority);
    ipr_db_p_text(&p, owner);
    ipr_db_p_text(&p, definition.program);
    ipr_db_p_int(&p, ipr_judge_first_ply(&definition));
    rc = ipr_db_one(db, IPR_Q_JOBS_ENQUEUE, &p, NULL, sizeof jobs, fill_count, &jobs, "queue", err);
    if (rc == IPR_OK && queued != NULL)
        *queued = jobs;
    return rc;
}

enum ipr_code ipr_db_job_add_check(struct ipr_db *db, int64_t game_id, const char *judge,
                                   struct ipr_err *err)
{
    struct ipr_db_params p = { 0 };

    ipr_db_p_int(&p, game_id);
    ipr_db_p_text(&p, judge);
    return ipr_db_exec(db, IPR_Q_JOB_ADD_CHECK, &p, NULL, err);
}

/* A job and where it stood. */
struct taken {
    struct ipr_db_job job;
    int priority;
    int64_t place;
};

static void fill_taken(struct ipr_db_row *r, void *out)
{
    struct taken *t = out;
    struct ipr_arena mem = IPR_ARENA_INIT, *outer = r->mem;

    t->job.id = ipr_db_col_i64(r, "id");
    t->job.game_id = ipr_db_col_i64(r, "game_id");
    t->job.token = ipr_db_col_i64(r, "lease_token");
    t->job.attempts = ipr_db_col_i32(r, "attempts");
    t->priority = ipr_db_col_i32(r, "priority");
    t->place = ipr_db_col_i64(r, "place");
    r->mem = &mem; /* its texts are not kept */
    snprintf(t->job.judge, sizeof t->job.judge, "%s", ipr_db_col_text(r, "judge"));
    t->job.kind = strcmp(ipr_db_col_text(r, "kind"), "check") == 0 ? IPR_JOB_CHECK : IPR_JOB_JUDGE;
    r->mem = outer;
    ipr_arena_release(&mem);
}

static int64_t now_ms(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static enum ipr_code claim_after(struct ipr_db *db, const char *program, const char *worker,
                                 int lease_s, const struct ipr_db_queue_cursor *cursor,
                                 struct taken *out, struct ipr_err *err)
{
    struct ipr_db_params p = { 0 };

    ipr_db_p_text(&p, program);
    ipr_db_p_text(&p, worker);
    ipr_db_p_int(&p, lease_s);
    ipr_db_p_int(&p, cursor->priority);
    ipr_db_p_int(&p, cursor->place);
    ipr_db_p_int(&p, cursor->id);
    return ipr_db_one(db, IPR_Q_JOB_CLAIM, &p, NULL, sizeof *out, fill_taken, out, "job is ready",
                      err);
}

/* Passes on what was kept back until it was known to be an error. */
static enum ipr_code tell(const struct ipr_err *e, struct ipr_err *err)
{
    if (err != NULL && err->code == IPR_OK)
        *err = *e;
    return e->code;
}

/* Places and priorities begin at 1, so that a cursor of zeros is before all of them. */
static enum ipr_code claim_anew(struct ipr_db *db, const char *program, const char *worker,
                                int lease_s, struct ipr_db_queue_cursor *cursor, struct taken *out,
                                struct ipr_err *err)
{
    const int64_t begin = now_ms();

    *cursor = (struct ipr_db_queue_cursor){ 0 };
    const enum ipr_code rc = claim_after(db, program, worker, lease_s, cursor, out, err);
    const int64_t end = now_ms(), pause = CURSOR_TIMES * (end - begin);

    cursor->anew_ms = end + (pause > CURSOR_MS ? pause : CURSOR_MS);
    return rc;
}

enum ipr_code ipr_db_job_claim(struct ipr_db *db, const char *program, const char *worker,
                               int lease_s, struct ipr_db_queue_cursor *cursor,
                               struct ipr_db_job *out, struct ipr_err *err)
{
    struct ipr_err e = IPR_ERR_INIT;
    enum ipr_code rc = IPR_ENOTFOUND;
    struct taken taken;

    if (cursor->id != 0 && now_ms() < cursor->anew_ms)
        rc = claim_after(db, program, worker, lease_s, cursor, &taken, &e);
    if (rc == IPR_ENOTFOUND) {
        ipr_err_clear(&e);
        rc = claim_anew(db, program, worker, lease_s, cursor, &taken, &e);
    }
    if (rc != IPR_OK)
        return tell(&e, err);
    cursor->priority = taken.priority;
    cursor->place = taken.place;
    cursor->id = taken.job.id;
    *out = taken.job;
    return IPR_OK;
}

static enum ipr_code lost(int64_t id, struct ipr_err *err)
{
    return ipr_err_set(err, IPR_ECONFLICT, "the lease of job %lld is lost", (long long)id);
}

enum ipr_code ipr_db_job_held(struct ipr_db *db, int64_t id, int64_t token, struct ipr_db_job *out,
                              struct ipr_err *err)
{
    struct ipr_db_params p = { 0 };
    struct ipr_err e = IPR_ERR_INIT;
    struct taken taken;

    ipr_db_p_int(&p, id);
    ipr_db_p_int(&p, token);
    const enum ipr_code rc = ipr_db_one(db, IPR_Q_JOB_HELD, &p, NULL, sizeof taken, fill_taken,
                                        &taken, "such lease", &e);
    if (rc == IPR_ENOTFOUND)
        return lost(id, err);
    if (rc != IPR_OK)
        return tell(&e, err);
    *out = taken.job;
    return IPR_OK;
}

/* Statements that act on the holder's lease touch one row, or the lease is lost. */
static enum ipr_code fenced(struct ipr_db *db, enum ipr_query q, struct ipr_db_params *p,
                            const struct ipr_db_job *job, struct ipr_err *err)
{
    int64_t rows = 0;
    const enum ipr_code rc = ipr_db_exec_count(db, q, p, &rows, err);

    if (rc == IPR_OK && rows == 0)
        return lost(job->id, err);
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
    enum ipr_code rc = ipr_db_exec_count(db, IPR_Q_JOBS_SWEEP, NULL, &rows, err);

    if (rc == IPR_OK)
        rc = ipr_db_exec(db, IPR_Q_QUEUE_TOTALS_FOLD, NULL, NULL, err);
    if (rc == IPR_OK && expired != NULL)
        *expired = (int32_t)rows;
    return rc;
}
