#include "db/jobs.h"

#include <stdio.h>

#include "core/clock.h"
#include "db/judges.h"
#include "queries/jobs_inside.h"
#include "queries/reports_inside.h"

/* How long a cursor may skip jobs that were requeued before it, and the minimum as a multiple of
 * the time it takes to read from the start. */
#define CURSOR_MS    1000
#define CURSOR_TIMES 20
/* As a priority: after all others. */
#define AFTER_ALL INT16_MAX
/* Maximum time for which a queue without a free job is not read again. */
#define EMPTY_MS 5000
/* How many jobs of a queue are read to find one that no other worker is taking; and how many if
 * others hold all of these, since a long transaction (an import, a cancellation) may lock many. */
#define FEW        16
#define MANY       10000
#define BOTH_SIDES 3

static const int32_t *both_sides(size_t n, struct ipr_arena *mem)
{
    int32_t *sides = ipr_arena_alloc(mem, n, sizeof *sides);

    for (size_t i = 0; i < n; i++)
        sides[i] = BOTH_SIDES;
    return sides;
}

enum ipr_code ipr_db_jobs_enqueue_sides(struct ipr_db *db, const int64_t *game_ids,
                                        const int32_t *sides, size_t n, const char *judge,
                                        int priority, const char *owner, int32_t *queued,
                                        struct ipr_err *err)
{
    struct ipr_arena mem = IPR_ARENA_INIT;
    struct ipr_judge definition;
    enum ipr_code rc = ipr_db_definition_get(db, judge, &definition, err);

    if (rc == IPR_OK && !ipr_judge_by_side(&definition))
        sides = both_sides(n, &mem);
    if (rc == IPR_OK)
        rc = ipr_db_jobs_lock(db, game_ids, n, judge, sides, n, err);
    if (rc == IPR_OK)
        rc = ipr_db_jobs_add(db, game_ids, n, judge, priority, owner, &definition, sides, n, queued,
                             err);
    ipr_arena_release(&mem);
    return rc;
}

enum ipr_code ipr_db_jobs_enqueue(struct ipr_db *db, const int64_t *game_ids, size_t n,
                                  const char *judge, int priority, const char *owner,
                                  int32_t *queued, struct ipr_err *err)
{
    struct ipr_arena mem = IPR_ARENA_INIT;
    const enum ipr_code rc = ipr_db_jobs_enqueue_sides(db, game_ids, both_sides(n, &mem), n, judge,
                                                       priority, owner, queued, err);

    ipr_arena_release(&mem);
    return rc;
}

/* ---- claiming ---- */

/* Cursors that are due, or all that are not marked as empty, return to the start: places and
 * priorities begin at 1, so zeros come before all of them. Returns whether any of these was not at
 * its start.
 */
static bool rewind_due(const struct ipr_db_queue_line *lines, size_t n, int64_t now, bool all)
{
    bool under_way = false;

    for (size_t i = 0; i < n; i++) {
        struct ipr_db_queue_cursor *c = lines[i].cursor;

        if (c->anew_ms <= now || (all && !c->empty)) {
            c->priority = c->from;
            c->place = c->id = c->anew_ms = 0;
            c->empty = false;
        }
        under_way = under_way || (c->priority != c->from && !c->empty);
    }
    return under_way;
}

/* Sets the cursors to the first jobs; a queue without a row has reached its end. */
static void advance_cursors(const struct ipr_db_queue_line *lines, size_t n,
                            const struct ipr_db_claim *rows, size_t n_rows, int64_t anew_ms)
{
    for (size_t i = 0, k = 0; i < n; i++) {
        struct ipr_db_queue_cursor *c = lines[i].cursor;

        if (c->anew_ms == 0)
            c->anew_ms = anew_ms;
        c->priority = AFTER_ALL;
        if (k < n_rows && rows[k].nth == (int64_t)i + 1) {
            c->priority = rows[k].priority;
            c->place = rows[k].place;
            c->id = rows[k].first_id;
            k++;
        }
    }
}

/* Nothing was found in the queues that were read from their start. If that was quick they are read
 * again. */
static void set_aside(const struct ipr_db_queue_line *lines, size_t n, int64_t begin)
{
    const int64_t end = ipr_now_ms(), pause = CURSOR_TIMES * (end - begin);

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

/* The claiming worker, and the duration of the lease. */
struct claimer {
    const char *worker;
    int lease_s;
};

/* Takes one of the first `few` jobs of the queues, if any is free. */
static enum ipr_code read_lines(struct ipr_db *db, const struct ipr_db_queue_line *lines, size_t n,
                                const struct claimer *who, int few, struct ipr_arena *mem,
                                struct ipr_db_claim **rows, size_t *n_rows, struct ipr_err *err)
{
    const char **without;
    size_t n_without = 0;

    for (size_t i = 0; i < n; i++)
        n_without += lines[i].cursor->n_without;
    without = ipr_arena_alloc(mem, n_without, sizeof *without);
    n_without = 0;
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < lines[i].cursor->n_without; k++)
            without[n_without++] = lines[i].cursor->without[k];
    return ipr_db_job_claim_rows(db, lines, n, who->worker, who->lease_s, without, n_without, few,
                                 mem, rows, n_rows, err);
}

static bool job_found(const struct ipr_db_claim *rows, size_t n_rows)
{
    return n_rows > 0 && rows[0].job.id != 0;
}

/* Other workers hold all jobs that were read, and there may be more. */
static bool look_further(const struct ipr_db_claim *rows, size_t n_rows)
{
    bool more = false;

    for (size_t i = 0; i < n_rows; i++)
        more = more || rows[i].seen >= FEW;
    return more && !job_found(rows, n_rows);
}

/* Claims a job from where the cursors are. */
static enum ipr_code claim_on(struct ipr_db *db, const struct ipr_db_queue_line *lines, size_t n,
                              const struct claimer *who, struct ipr_db_job *out, bool *found,
                              struct ipr_err *err)
{
    struct ipr_arena mem = IPR_ARENA_INIT;
    struct ipr_db_claim *rows = NULL;
    size_t n_rows = 0;
    const int64_t begin = ipr_now_ms();
    enum ipr_code rc = read_lines(db, lines, n, who, FEW, &mem, &rows, &n_rows, err);
    if (rc == IPR_OK && look_further(rows, n_rows))
        rc = read_lines(db, lines, n, who, MANY, &mem, &rows, &n_rows, err);
    const int64_t end = ipr_now_ms(), pause = CURSOR_TIMES * (end - begin);

    *found = rc == IPR_OK && job_found(rows, n_rows);
    if (*found) {
        advance_cursors(lines, n, rows, n_rows, end + (pause > CURSOR_MS ? pause : CURSOR_MS));
        *out = rows[0].job;
    }
    ipr_arena_release(&mem);
    return rc;
}

enum ipr_code ipr_db_job_claim_any(struct ipr_db *db, const struct ipr_db_queue_line *lines,
                                   size_t n, const char *worker, int lease_s,
                                   struct ipr_db_job *out, struct ipr_err *err)
{
    const struct claimer who = { worker, lease_s };
    const int64_t begin = ipr_now_ms();
    const bool under_way = rewind_due(lines, n, begin, false);
    bool found = false;
    enum ipr_code rc = claim_on(db, lines, n, &who, out, &found, err);

    if (rc == IPR_OK && !found && under_way) {
        (void)rewind_due(lines, n, 0, true);
        rc = claim_on(db, lines, n, &who, out, &found, err);
    }
    if (rc != IPR_OK || found)
        return rc;
    set_aside(lines, n, begin);
    return ipr_err_set(err, IPR_ENOTFOUND, "no job is ready");
}

enum ipr_code ipr_db_job_claim(struct ipr_db *db, const char *program, const char *worker,
                               int lease_s, struct ipr_db_queue_cursor *cursor,
                               struct ipr_db_job *out, struct ipr_err *err)
{
    const struct ipr_db_queue_line line = { program, cursor };

    return ipr_db_job_claim_any(db, &line, 1, worker, lease_s, out, err);
}

/* ---- postponed requests ---- */

/* Removes the games that were postponed from the list. Both lists are ascending. */
static size_t ids_without(int64_t *ids, size_t n, const int64_t *postponed, size_t n_postponed)
{
    size_t left = 0, k = 0;

    for (size_t i = 0; i < n; i++) {
        while (k < n_postponed && postponed[k] < ids[i])
            k++;
        if (k == n_postponed || postponed[k] != ids[i])
            ids[left++] = ids[i];
    }
    return left;
}

enum ipr_code ipr_db_jobs_enqueue_import(struct ipr_db *db, int64_t *game_ids, size_t n,
                                         const char *judge, int priority, const char *owner,
                                         int32_t *queued, struct ipr_err *err)
{
    struct ipr_arena mem = IPR_ARENA_INIT;
    int64_t *postponed = NULL;
    size_t n_postponed = 0;
    enum ipr_code rc = ipr_db_jobs_postpone(db, game_ids, n, judge, priority, owner, &mem,
                                            &postponed, &n_postponed, err);

    if (rc == IPR_OK) {
        n = ids_without(game_ids, n, postponed, n_postponed);
        rc = ipr_db_jobs_enqueue(db, game_ids, n, judge, priority, owner, queued, err);
    }
    if (rc == IPR_OK)
        *queued += (int32_t)n_postponed;
    ipr_arena_release(&mem);
    return rc;
}

static enum ipr_code postponed_enqueue(struct ipr_db *db, void *arg, struct ipr_err *err)
{
    struct ipr_arena mem = IPR_ARENA_INIT;
    struct ipr_db_postponed *p = NULL;
    size_t *n = arg;
    int32_t queued;
    enum ipr_code rc = ipr_db_job_postponed_take(db, &mem, &p, n, err);

    if (rc == IPR_OK && *n > 0)
        rc = ipr_db_jobs_enqueue(db, &p->game_id, 1, p->judge, p->priority, p->owner, &queued, err);
    ipr_arena_release(&mem);
    return rc;
}

/* ---- leases ---- */

enum ipr_code ipr_db_jobs_sweep(struct ipr_db *db, int32_t *expired, struct ipr_err *err)
{
    int64_t rows = 0;
    enum ipr_code rc = ipr_db_leases_expire(db, &rows, err);

    if (rc == IPR_OK) {
        /* A transaction for each, because it locks a job that a worker may have. */
        size_t n = 1;

        while (rc == IPR_OK && n > 0)
            rc = ipr_db_tx(db, postponed_enqueue, &n, err);
    }
    if (rc == IPR_OK)
        rc = ipr_db_queue_totals_fold(db, err);
    if (rc == IPR_OK)
        rc = ipr_db_game_changes_fold(db, err);
    if (rc == IPR_OK && expired != NULL)
        *expired = (int32_t)rows;
    return rc;
}
