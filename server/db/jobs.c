#include "db/jobs.h"

#include <stdio.h>
#include <string.h>

#include "db/judges.h"
#include "queries/jobs_inside.h"
#include "queries/reports_inside.h"

/* How long a cursor may skip jobs that were requeued ahead of it, and how many times as long as it
 * takes to look there. */
#define CURSOR_MS    1000
#define CURSOR_TIMES 20
/* As a priority: behind all there are. */
#define AFTER_ALL INT16_MAX
/* How long a line in which nothing was found is not read, at most. */
#define EMPTY_MS 5000
/* How many jobs of a line are looked at for one that nobody is about to take; and when others have
 * all of them, for a long transaction (an import, a cancellation) may hold many. */
#define FEW  16
#define MANY 10000

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
    rc = ipr_db_one(db, IPR_Q_JOBS_ENQUEUE, &p, NULL, sizeof jobs, fill_count, &jobs, "no queue",
                    err);
    if (rc == IPR_OK && queued != NULL)
        *queued = jobs;
    return rc;
}

static void copy_column(struct ipr_db_row *r, const char *column, char out[32])
{
    snprintf(out, 32, "%s", ipr_db_col_text(r, column));
}

static void fill_job(struct ipr_db_row *r, void *out)
{
    struct ipr_db_job *j = out;
    struct ipr_arena mem = IPR_ARENA_INIT, *outer = r->mem;

    j->id = ipr_db_col_i64(r, "id");
    j->game_id = ipr_db_col_i64(r, "game_id");
    j->token = ipr_db_col_i64(r, "lease_token");
    j->attempts = ipr_db_col_i32(r, "attempts");
    r->mem = &mem; /* its texts are not kept */
    copy_column(r, "program", j->program);
    copy_column(r, "judge", j->judge);
    j->kind = strcmp(ipr_db_col_text(r, "kind"), "check") == 0 ? IPR_JOB_CHECK : IPR_JOB_JUDGE;
    r->mem = outer;
    ipr_arena_release(&mem);
}

/* ---- claiming ---- */

/* The job taken, and where the nth line (from 1) begins. */
struct taken {
    struct ipr_db_job job;
    int64_t nth;
    int priority;
    int64_t place, id;
    int64_t seen; /* how many of the line were looked at */
};

static void fill_taken(struct ipr_db_row *r, void *out)
{
    struct taken *t = out;

    if (ipr_db_col_i32_or(r, "attempts", -1) >= 0)
        fill_job(r, &t->job);
    t->seen = ipr_db_col_i64(r, "seen");
    t->nth = ipr_db_col_i64(r, "nth");
    t->priority = ipr_db_col_i32(r, "priority");
    t->place = ipr_db_col_i64(r, "place");
    t->id = ipr_db_col_i64(r, "first_id");
}

/* Passes on what was kept back until it was known to be an error. */
static enum ipr_code pass_error(const struct ipr_err *e, struct ipr_err *err)
{
    if (err != NULL && err->code == IPR_OK)
        *err = *e;
    return e->code;
}

/* Those that are due, or all that are not taken for empty, start anew: places and priorities begin
 * at 1, zeros are before all of them. Returns whether any of these is elsewhere than at its start.
 */
static bool rewind_due(const struct ipr_db_queue_line *lines, size_t n, int64_t now, bool all)
{
    bool under_way = false;

    for (size_t i = 0; i < n; i++) {
        struct ipr_db_queue_cursor *c = lines[i].cursor;

        if (c->anew_ms <= now || (all && !c->empty)) {
            c->priority = 0;
            c->place = c->id = c->anew_ms = 0;
            c->empty = false;
        }
        under_way = under_way || (c->priority != 0 && !c->empty);
    }
    return under_way;
}

/* To where the lines begin; a line without a row has come to its end. */
static void advance_cursors(const struct ipr_db_queue_line *lines, size_t n,
                            const struct taken *rows, size_t n_rows, int64_t anew_ms)
{
    for (size_t i = 0, k = 0; i < n; i++) {
        struct ipr_db_queue_cursor *c = lines[i].cursor;

        if (c->anew_ms == 0)
            c->anew_ms = anew_ms;
        c->priority = AFTER_ALL;
        if (k < n_rows && rows[k].nth == (int64_t)i + 1) {
            c->priority = rows[k].priority;
            c->place = rows[k].place;
            c->id = rows[k].id;
            k++;
        }
    }
}

/* Nothing was found in those that were read, and they were read from their start. Where that was
 * quick they are as well read again. */
static void set_aside(const struct ipr_db_queue_line *lines, size_t n, int64_t begin)
{
    const int64_t end = ipr_db_clock_ms(), pause = CURSOR_TIMES * (end - begin);

    if (pause <= CURSOR_MS)
        return;
    for (size_t i = 0; i < n; i++) {
        struct ipr_db_queue_cursor *c = lines[i].cursor;

        if (!c->empty) {
            c->empty = true;
            c->priority = AFTER_ALL;
            c->anew_ms = end + (pause < EMPTY_MS ? pause : EMPTY_MS);
        }
    }
}

/* Who claims, and for how long. */
struct claimer {
    const char *worker;
    int lease_s;
};

/* Takes one of the first `few` jobs of each line, if any is free. */
static enum ipr_code read_lines(struct ipr_db *db, const struct ipr_db_queue_line *lines, size_t n,
                                const struct claimer *who, int few, struct ipr_arena *mem,
                                struct taken **rows, size_t *n_rows, struct ipr_err *err)
{
    struct ipr_db_array programs = { 0 }, priorities = { 0 }, places = { 0 }, ids = { 0 },
                        without = { 0 };
    struct ipr_db_params p = { 0 };
    void *list = NULL;

    for (size_t i = 0; i < n; i++) {
        ipr_db_array_text(&programs, lines[i].program);
        ipr_db_array_int(&priorities, lines[i].cursor->priority);
        ipr_db_array_int(&places, lines[i].cursor->place);
        ipr_db_array_int(&ids, lines[i].cursor->id);
        for (size_t k = 0; k < lines[i].cursor->n_without; k++)
            ipr_db_array_text(&without, lines[i].cursor->without[k]);
    }
    ipr_db_p_array_take(&p, &programs);
    ipr_db_p_text(&p, who->worker);
    ipr_db_p_int(&p, who->lease_s);
    ipr_db_p_array_take(&p, &priorities);
    ipr_db_p_array_take(&p, &places);
    ipr_db_p_array_take(&p, &ids);
    ipr_db_p_array_take(&p, &without);
    ipr_db_p_int(&p, few);
    const enum ipr_code rc =
        ipr_db_list(db, IPR_Q_JOB_CLAIM, &p, mem, sizeof **rows, fill_taken, &list, n_rows, err);
    *rows = list;
    return rc;
}

static bool job_found(const struct taken *rows, size_t n_rows)
{
    return n_rows > 0 && rows[0].job.id != 0;
}

/* Others have all that were looked at, and there may be more. */
static bool look_further(const struct taken *rows, size_t n_rows)
{
    bool more = false;

    for (size_t i = 0; i < n_rows; i++)
        more = more || rows[i].seen >= FEW;
    return more && !job_found(rows, n_rows);
}

/* From where the cursors are; IPR_ENOTFOUND when nothing is there. */
static enum ipr_code claim_on(struct ipr_db *db, const struct ipr_db_queue_line *lines, size_t n,
                              const struct claimer *who, struct ipr_db_job *out,
                              struct ipr_err *err)
{
    struct ipr_arena mem = IPR_ARENA_INIT;
    struct taken *rows = NULL;
    size_t n_rows = 0;
    const int64_t begin = ipr_db_clock_ms();
    enum ipr_code rc = read_lines(db, lines, n, who, FEW, &mem, &rows, &n_rows, err);
    if (rc == IPR_OK && look_further(rows, n_rows))
        rc = read_lines(db, lines, n, who, MANY, &mem, &rows, &n_rows, err);
    const int64_t end = ipr_db_clock_ms(), pause = CURSOR_TIMES * (end - begin);

    if (rc == IPR_OK && job_found(rows, n_rows)) {
        advance_cursors(lines, n, rows, n_rows, end + (pause > CURSOR_MS ? pause : CURSOR_MS));
        *out = rows[0].job;
    } else if (rc == IPR_OK) {
        rc = ipr_err_set(err, IPR_ENOTFOUND, "no job is ready");
    }
    ipr_arena_release(&mem);
    return rc;
}

enum ipr_code ipr_db_job_claim_any(struct ipr_db *db, const struct ipr_db_queue_line *lines,
                                   size_t n, const char *worker, int lease_s,
                                   struct ipr_db_job *out, struct ipr_err *err)
{
    const struct claimer who = { worker, lease_s };
    struct ipr_err e = IPR_ERR_INIT;

    const int64_t begin = ipr_db_clock_ms();

    const bool under_way = rewind_due(lines, n, begin, false);
    enum ipr_code rc = claim_on(db, lines, n, &who, out, &e);
    if (rc == IPR_ENOTFOUND && under_way) {
        ipr_err_clear(&e);
        (void)rewind_due(lines, n, 0, true);
        rc = claim_on(db, lines, n, &who, out, &e);
    }
    if (rc == IPR_ENOTFOUND)
        set_aside(lines, n, begin);
    return rc == IPR_OK ? IPR_OK : pass_error(&e, err);
}

enum ipr_code ipr_db_job_claim(struct ipr_db *db, const char *program, const char *worker,
                               int lease_s, struct ipr_db_queue_cursor *cursor,
                               struct ipr_db_job *out, struct ipr_err *err)
{
    const struct ipr_db_queue_line line = { program, cursor };

    return ipr_db_job_claim_any(db, &line, 1, worker, lease_s, out, err);
}

/* ---- holding ---- */

static enum ipr_code job_lease_lost(int64_t id, struct ipr_err *err)
{
    return ipr_err_set(err, IPR_ECONFLICT, "the lease of job %lld is lost", (long long)id);
}

enum ipr_code ipr_db_job_held(struct ipr_db *db, int64_t id, int64_t token, struct ipr_db_job *out,
                              struct ipr_err *err)
{
    struct ipr_db_params p = { 0 };
    struct ipr_err e = IPR_ERR_INIT;
    struct ipr_db_job job;

    ipr_db_p_int(&p, id);
    ipr_db_p_int(&p, token);
    const enum ipr_code rc =
        ipr_db_one(db, IPR_Q_JOB_HELD, &p, NULL, sizeof job, fill_job, &job, "no such lease", &e);
    if (rc == IPR_ENOTFOUND)
        return job_lease_lost(id, err);
    if (rc != IPR_OK)
        return pass_error(&e, err);
    *out = job;
    return IPR_OK;
}

/* Statements that act on the holder's lease touch one row, or the lease is lost. */
static enum ipr_code exec_fenced(struct ipr_db *db, enum ipr_query q, struct ipr_db_params *p,
                                 const struct ipr_db_job *job, struct ipr_err *err)
{
    int64_t rows = 0;
    const enum ipr_code rc = ipr_db_exec_count(db, q, p, &rows, err);

    if (rc == IPR_OK && rows == 0)
        return job_lease_lost(job->id, err);
    return rc;
}

static void holder_params(struct ipr_db_params *p, const struct ipr_db_job *job)
{
    ipr_db_p_int(p, job->id);
    ipr_db_p_int(p, job->token);
}

enum ipr_code ipr_db_job_heartbeat(struct ipr_db *db, const struct ipr_db_job *job, int lease_s,
                                   int turns_done, int turns_total, struct ipr_err *err)
{
    struct ipr_db_params p = { 0 };

    holder_params(&p, job);
    ipr_db_p_int(&p, lease_s);
    ipr_db_p_int(&p, turns_done);
    ipr_db_p_int(&p, turns_total);
    return exec_fenced(db, IPR_Q_JOB_HEARTBEAT, &p, job, err);
}

enum ipr_code ipr_db_job_lock(struct ipr_db *db, const struct ipr_db_job *job, struct ipr_err *err)
{
    struct ipr_db_params p = { 0 };

    holder_params(&p, job);
    return exec_fenced(db, IPR_Q_JOB_LOCK, &p, job, err);
}

enum ipr_code ipr_db_job_complete(struct ipr_db *db, const struct ipr_db_job *job,
                                  struct ipr_err *err)
{
    struct ipr_db_params p = { 0 };

    holder_params(&p, job);
    return exec_fenced(db, IPR_Q_JOB_COMPLETE, &p, job, err);
}

enum ipr_code ipr_db_job_fail(struct ipr_db *db, const struct ipr_db_job *job, const char *reason,
                              struct ipr_err *err)
{
    struct ipr_db_params p = { 0 };

    holder_params(&p, job);
    ipr_db_p_text(&p, reason);
    return exec_fenced(db, IPR_Q_JOB_FAIL, &p, job, err);
}

enum ipr_code ipr_db_job_release(struct ipr_db *db, const struct ipr_db_job *job,
                                 struct ipr_err *err)
{
    struct ipr_db_params p = { 0 };

    holder_params(&p, job);
    return exec_fenced(db, IPR_Q_JOB_RELEASE, &p, job, err);
}

enum ipr_code ipr_db_jobs_sweep(struct ipr_db *db, int32_t *expired, struct ipr_err *err)
{
    int64_t rows = 0;
    enum ipr_code rc = ipr_db_leases_expire(db, &rows, err);

    if (rc == IPR_OK)
        rc = ipr_db_queue_totals_fold(db, err);
    if (rc == IPR_OK)
        rc = ipr_db_game_changes_fold(db, err);
    if (rc == IPR_OK && expired != NULL)
        *expired = (int32_t)rows;
    return rc;
}
