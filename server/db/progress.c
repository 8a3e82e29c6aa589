/* Progress of judging a selection, and the time remaining. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "db/selection.h"
#include "queries/analyses_inside.h"

static bool is_open(const struct ipr_db_job_group *g)
{
    return strcmp(g->state, "ready") == 0 || strcmp(g->state, "leased") == 0;
}

/* ---- time -------------------------------------------------------------------------------------
 */

/* The work to be done, and the engines for it. */
struct plan {
    const struct ipr_db_job_group *groups;
    struct ipr_db_work_share *shares;
    double *seconds;                        /* [n_shares] a turn of each; < 0: not measured */
    struct ipr_db_program_engines *engines; /* one for each program */
    size_t n_groups, n_shares, n_engines;
};

/* Engines for the programs of ready or running jobs, and of those ahead. */
static enum ipr_code find_engines(struct ipr_db *db, struct ipr_arena *mem, struct plan *plan,
                                  struct ipr_err *err)
{
    const char **programs = ipr_arena_alloc(mem, plan->n_groups + plan->n_shares, sizeof *programs);
    size_t n = 0;

    for (size_t i = 0; i < plan->n_groups; i++)
        if (is_open(&plan->groups[i]))
            programs[n++] = plan->groups[i].program;
    for (size_t i = 0; i < plan->n_shares; i++)
        programs[n++] = plan->shares[i].program;
    return ipr_db_worker_engines(db, programs, n, mem, &plan->engines, &plan->n_engines, err);
}

/* Seconds of one engine for so many turns of a share; < 0: not measured. */
static double share_time(const struct plan *plan, const struct ipr_db_work_share *s, int64_t turns)
{
    return (double)turns * plan->seconds[s - plan->shares];
}

static int engines_of(const struct plan *plan, const char *program)
{
    for (size_t i = 0; i < plan->n_engines; i++)
        if (strcmp(plan->engines[i].program, program) == 0)
            return plan->engines[i].engines;
    return 0;
}

/* True if the selection itself is waiting for the program. */
static bool is_own(const struct plan *plan, const char *program)
{
    for (size_t i = 0; i < plan->n_groups; i++)
        if (is_open(&plan->groups[i]) && strcmp(plan->groups[i].program, program) == 0)
            return true;
    return false;
}

/* Jobs that no engine can do do not delay others. */
static void drop_skipped(struct plan *plan)
{
    size_t n = 0;

    for (size_t i = 0; i < plan->n_shares; i++) {
        const struct ipr_db_work_share s = plan->shares[i];

        if (is_own(plan, s.program) || engines_of(plan, s.program) > 0)
            plan->shares[n++] = s;
    }
    plan->n_shares = n;
}

/* Why the time of a share is not known; NULL: it is. */
static const char *why_share_unknown(const struct plan *plan, const struct ipr_db_work_share *s)
{
    if (strcmp(s->program, "fishnet") == 0)
        return "external";
    if (engines_of(plan, s->program) == 0)
        return "no_worker";
    return share_time(plan, s, 1) < 0.0 ? "not_measured" : NULL;
}

/* Seconds that one engine would need for the turns with a known time; program NULL: for all. */
static double work_time(const struct plan *plan, const char *program)
{
    double sum = 0.0;

    for (size_t i = 0; i < plan->n_shares; i++) {
        const struct ipr_db_work_share *s = &plan->shares[i];

        if (why_share_unknown(plan, s) == NULL &&
            (program == NULL || strcmp(s->program, program) == 0))
            sum += share_time(plan, s, s->turns);
    }
    return sum;
}

/* Seconds that one engine needs for the longest of these games. */
static double longest_game(const struct plan *plan, const struct ipr_db_job_group *g)
{
    for (size_t i = 0; is_open(g) && i < plan->n_shares; i++) {
        const struct ipr_db_work_share *s = &plan->shares[i];

        if (strcmp(s->program, g->program) == 0 && strcmp(s->judge, g->judge) == 0)
            return why_share_unknown(plan, s) == NULL ? share_time(plan, s, g->longest) : 0.0;
    }
    return 0.0;
}

/* All engines share all work; but those that lack a program do not work for it, and no game is
 * analysed by two engines. */
static double time_needed(const struct plan *plan)
{
    double time = work_time(plan, NULL) / plan->engines[0].of_any;

    for (size_t i = 0; i < plan->n_engines; i++)
        if (plan->engines[i].engines > 0 && is_own(plan, plan->engines[i].program))
            time = fmax(time, work_time(plan, plan->engines[i].program) / plan->engines[i].engines);
    for (size_t i = 0; i < plan->n_groups; i++)
        time = fmax(time, longest_game(plan, &plan->groups[i]));
    return time;
}

static void set_time(const struct plan *plan, struct ipr_db_progress *out)
{
    bool any = false;

    for (size_t i = 0; i < plan->n_shares; i++) {
        const struct ipr_db_work_share *s = &plan->shares[i];
        const char *why = why_share_unknown(plan, s);

        out->turns_ahead += s->turns;
        if (why == NULL) {
            any = true;
        } else if (out->unknown == NULL || strcmp(out->unknown, "external") == 0) {
            /* reasons that the operator can change come first */
            out->unknown = why;
            snprintf(out->unmeasured, sizeof out->unmeasured, "%s",
                     strcmp(why, "not_measured") == 0 ? s->judge : "");
        }
    }
    if (!any && out->unknown == NULL) /* no turns are left, only games to be finished */
        out->seconds = 0.0;
    if (any) {
        out->seconds = time_needed(plan);
        out->engine_seconds = work_time(plan, NULL);
    }
}

static enum ipr_code find_shares(struct ipr_db *db, const struct ipr_db_selection *s,
                                 struct ipr_arena *mem, struct plan *plan, struct ipr_err *err)
{
    const bool whole = ipr_db_is_whole_queue(s);

    if (whole && s->judge == NULL) {
        /* All of the queue is ahead. Groups of one judge may belong to several shares. */
        plan->shares = ipr_arena_alloc(mem, plan->n_groups, sizeof *plan->shares);
        for (size_t i = 0; i < plan->n_groups; i++) {
            const struct ipr_db_job_group *g = &plan->groups[i];

            if (is_open(g))
                plan->shares[plan->n_shares++] = (struct ipr_db_work_share){ .program = g->program,
                                                                             .judge = g->judge,
                                                                             .turns = g->turns };
        }
        return IPR_OK;
    }
    if (whole)
        return ipr_db_queue_ahead(db, s->judge, mem, &plan->shares, &plan->n_shares, err);
    return ipr_db_analyses_ahead(db, s, mem, &plan->shares, &plan->n_shares, err);
}

static enum ipr_code find_time(struct ipr_db *db, const struct ipr_db_selection *s,
                               const struct ipr_db_job_group *groups, size_t n,
                               struct ipr_arena *mem, struct ipr_db_progress *out,
                               struct ipr_err *err)
{
    struct plan plan = { .groups = groups, .n_groups = n };
    size_t n_speeds = 0;
    enum ipr_code rc = find_shares(db, s, mem, &plan, err);

    if (rc == IPR_OK)
        rc = find_engines(db, mem, &plan, err);
    drop_skipped(&plan);
    const char **judges = ipr_arena_alloc(mem, plan.n_shares, sizeof *judges);
    for (size_t i = 0; i < plan.n_shares; i++)
        judges[i] = plan.shares[i].judge;
    if (rc == IPR_OK)
        rc = ipr_db_judge_speeds(db, judges, plan.n_shares, mem, &plan.seconds, &n_speeds, err);
    if (rc != IPR_OK)
        return rc;
    out->engines = plan.n_engines > 0 ? plan.engines[0].of_any : 0;
    set_time(&plan, out);
    return IPR_OK;
}

enum ipr_code ipr_db_analyses_progress(struct ipr_db *db, const struct ipr_db_selection *s,
                                       struct ipr_db_progress *out, struct ipr_err *err)
{
    const bool whole = ipr_db_is_whole_queue(s);
    struct ipr_arena mem = IPR_ARENA_INIT;
    struct ipr_db_progress progress = { .seconds = -1.0 };
    struct ipr_db_job_group *groups = NULL;
    size_t n = 0;
    enum ipr_code rc = whole ? ipr_db_queue_groups(db, s->judge, &mem, &groups, &n, err)
                             : ipr_db_analyses_groups(db, s, &mem, &groups, &n, err);

    if (rc == IPR_OK) {
        for (size_t i = 0; i < n; i++) {
            if (strcmp(groups[i].state, "ready") == 0) {
                progress.ready += groups[i].jobs;
                if (groups[i].age_s > progress.oldest_s)
                    progress.oldest_s = groups[i].age_s;
            } else if (strcmp(groups[i].state, "leased") == 0) {
                progress.running += groups[i].jobs;
            } else if (strcmp(groups[i].state, "paused") == 0) {
                progress.paused += groups[i].jobs;
            } else {
                progress.failed += groups[i].jobs;
            }
            if (is_open(&groups[i]))
                progress.turns_left += groups[i].turns;
        }
        rc = whole ? ipr_db_queue_judged(db, s->judge, &progress.judged, err)
                   : ipr_db_selection_judged(db, s, &progress.judged, err);
    }
    if (rc == IPR_OK && progress.ready + progress.running > 0)
        rc = find_time(db, s, groups, n, &mem, &progress, err);
    else if (rc == IPR_OK && progress.paused > 0)
        progress.unknown = "paused";
    else if (rc == IPR_OK)
        progress.seconds = 0.0;
    ipr_arena_release(&mem);
    if (rc == IPR_OK)
        *out = progress;
    return rc;
}
