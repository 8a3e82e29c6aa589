#include "engine/worker.h"

#include <stdio.h>
#include <string.h>

#include "core/log.h"
#include "engine/process.h"
#include "engine/tablebase.h"

#define PREFETCH_TURNS 3 /* enough to claim and load the next game meanwhile */

enum ipr_code ipr_worker_engine(struct ipr_worker *w, const char *path,
                                const struct ipr_judge *definition, struct ipr_err *err)
{
    const struct ipr_config *c = w->config;
    const struct ipr_engine_tables tables = { c->syzygy_path, ipr_tablebase_identity() };
    struct ipr_engine_limits limits = ipr_engine_limits_default;

    if (w->engine != NULL && ipr_engine_alive(w->engine) &&
        strcmp(w->definition.name, definition->name) == 0 &&
        strcmp(w->definition.program, definition->program) == 0 &&
        ipr_judge_same_search(&w->definition, definition))
        return IPR_OK;
    ipr_engine_stop(&w->engine);
    limits.search_ms = (uint32_t)c->search_timeout_s * 1000U;
    if (limits.silent_ms > limits.search_ms)
        limits.silent_ms = limits.search_ms;
    if (limits.ready_ms < limits.search_ms) /* whose network is large, or far away */
        limits.ready_ms = limits.search_ms;
    w->definition = *definition;
    return ipr_engine_start(path, definition, &tables, &limits, &w->engine, err);
}

struct task {
    struct ipr_worker *worker;
    struct ipr_assignment *a;
};

/* Why a game is abandoned that the engine did not fail at. */
static bool task_is_over(const struct task *t)
{
    return ipr_handoff_closed(t->worker->handoff) || atomic_load(&t->a->lost) ||
           atomic_load(&t->a->yields);
}

static enum ipr_code on_tick(void *payload, size_t done, size_t total)
{
    const struct task *t = payload;

    atomic_store(&t->a->done, done);
    atomic_store(&t->a->total, total);
    /* A move that is confirmed takes longer than several others. */
    if (total - done <= (t->a->confirm != NULL ? 1 : PREFETCH_TURNS))
        ipr_handoff_prefetch(t->worker->handoff, t->a);
    return task_is_over(t) ? IPR_ECONFLICT : IPR_OK;
}

static enum ipr_code judge_game(struct task *t, struct ipr_err *err)
{
    struct ipr_assignment *a = t->a;
    const struct ipr_judge *judge = ipr_engine_judge_of(t->worker->engine);

    /* The program was replaced since this process identified it. */
    if (!ipr_assignment_same_judge(&a->judge, judge)) {
        a->judge = *judge;
        a->known.n = 0;
        a->sides = a->job.sides;
    }
    const struct ipr_engine_task task = { .start = &a->game.start,
                                          .moves = a->game.moves,
                                          .n_moves = a->game.n_moves,
                                          .sides = a->sides,
                                          .known = &a->known,
                                          .tick = on_tick,
                                          .payload = t };
    const enum ipr_code rc =
        ipr_engine_judge(t->worker->engine, &task, &a->mem, &a->judged, a->search_ms, err);
    if (rc == IPR_OK)
        ipr_tablebase_turns(&a->game.start, a->game.moves, a->game.n_moves, &a->mem, &a->endgame,
                            &a->n_endgame);
    return rc;
}

/* The new state, and whether the engine failed. */
static enum ipr_assignment_state task_outcome(struct task *t, enum ipr_code rc)
{
    struct ipr_assignment *a = t->a;

    if (rc == IPR_OK)
        return IPR_ASSIGNMENT_JUDGED;
    if (task_is_over(t)) {
        ipr_err_clear(&a->why);
        return IPR_ASSIGNMENT_RETURNED;
    }
    a->engine_failed = !ipr_engine_alive(t->worker->engine);
    return IPR_ASSIGNMENT_FAILED;
}

static enum ipr_assignment_state work_at(struct ipr_worker *w, struct ipr_assignment *a)
{
    struct task t = { w, a };

    if (atomic_load(&a->lost) || atomic_load(&a->yields))
        return IPR_ASSIGNMENT_RETURNED;
    const enum ipr_code rc = ipr_worker_engine(w, a->path, &a->definition, &a->why);
    if (rc != IPR_OK) {
        /* A program that does not start here may start elsewhere: the attempt does not count. A
         * judge that the program cannot be configured for must count, or its job would stay first
         * in the queue. */
        a->no_engine = rc == IPR_EIO;
        a->engine_unable = !a->no_engine;
        return a->no_engine ? IPR_ASSIGNMENT_RETURNED : IPR_ASSIGNMENT_FAILED;
    }
    if (a->check != NULL)
        return task_outcome(&t, ipr_check_run(a->check, w->engine, on_tick, &t, &a->mem, &a->why));
    if (a->confirm != NULL)
        return task_outcome(&t,
                            ipr_confirm_run(a->confirm, w->engine, on_tick, &t, &a->mem, &a->why));
    if (!a->identified) {
        a->judge = *ipr_engine_judge_of(w->engine);
        a->identified = true;
        return IPR_ASSIGNMENT_IDENTIFIED;
    }
    return task_outcome(&t, judge_game(&t, &a->why));
}

void *ipr_worker_run(void *arg)
{
    struct ipr_worker *w = arg;
    struct ipr_assignment *a;
    char id[80];

    snprintf(id, sizeof id, "%s/%u", w->process, w->number);
    ipr_log_context(id);
    while ((a = ipr_handoff_take(w->handoff, w->engine != NULL ? &w->definition : NULL)) != NULL) {
        a->state = work_at(w, a);
        /* A dead engine is reaped before the game is returned: that may take a moment. */
        if (w->engine != NULL && !ipr_engine_alive(w->engine))
            ipr_engine_stop(&w->engine);
        ipr_handoff_return(w->handoff, a);
    }
    ipr_engine_stop(&w->engine);
    ipr_handoff_leave(w->handoff);
    return NULL;
}
