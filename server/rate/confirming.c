#include "rate/confirming.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "core/progress.h"
#include "core/signals.h"
#include "engine/confirm.h"
#include "engine/worker.h"

/* A move: it is searched by any of the threads. */
struct confirming_task {
    const struct ipr_evidence_move *move;
    struct ipr_arena mem;
    struct ipr_confirm *confirm;
    struct ipr_db_game game;
};

struct confirming_work {
    const struct ipr_rate_confirming *c;
    struct ipr_judge definition;
    struct confirming_task *task;
    size_t n;
    atomic_size_t next, done;
    atomic_uint running; /* threads */
    atomic_bool stop;
    struct ipr_err err; /* of who has set `stop` */
};

static enum ipr_code confirming_on_tick(void *payload, size_t done, size_t total)
{
    const struct confirming_work *const w = payload;

    (void)done;
    (void)total;
    return atomic_load(&w->stop) ? IPR_ECONFLICT : IPR_OK;
}

static void *confirming_run(void *arg)
{
    struct confirming_work *const w = arg;
    struct ipr_worker worker = { .config = w->c->config };
    size_t i;

    while (!atomic_load(&w->stop) && (i = atomic_fetch_add(&w->next, 1)) < w->n) {
        struct confirming_task *const t = &w->task[i];
        struct ipr_err why = IPR_ERR_INIT;
        enum ipr_code rc = ipr_worker_engine(&worker, w->c->engine, &w->definition, &why);

        if (rc == IPR_OK)
            rc = ipr_confirm_run(t->confirm, worker.engine, confirming_on_tick, w, &t->mem, &why);
        if (rc == IPR_OK) {
            atomic_fetch_add(&w->done, 1);
        } else if (!atomic_exchange(&w->stop, true)) {
            ipr_err_set(&w->err, rc, "confirming errors: %s", why.msg);
        }
    }
    ipr_engine_stop(&worker.engine);
    atomic_fetch_sub(&w->running, 1);
    return NULL;
}

static void confirming_wait(struct confirming_work *w)
{
    struct ipr_progress progress = ipr_progress_begin(w->c->quiet);

    while (atomic_load(&w->running) > 0) {
        ipr_progress_say(&progress, (double)atomic_load(&w->done), (double)w->n,
                         "%zu of %zu errors confirmed", atomic_load(&w->done), w->n);
        if (ipr_signals_stopped(100) && !atomic_exchange(&w->stop, true))
            ipr_err_set(&w->err, IPR_EIO, "stopped while errors were confirmed");
    }
    ipr_progress_end(&progress);
}

static void confirming_threads(struct confirming_work *w)
{
    const unsigned n = w->n < w->c->engines ? (unsigned)w->n : w->c->engines;
    pthread_t *const thread = ipr_xcalloc(n, sizeof *thread);

    atomic_store(&w->running, n);
    for (unsigned i = 0; i < n; i++)
        if (pthread_create(&thread[i], NULL, confirming_run, w) != 0)
            abort(); /* as for memory */
    confirming_wait(w);
    for (unsigned i = 0; i < n; i++)
        pthread_join(thread[i], NULL);
    free(thread);
}

static bool is_confirming(const struct confirming_work *w, const struct ipr_evidence_move *m)
{
    for (size_t i = 0; i < w->n; i++)
        if (w->task[i].move == m)
            return true;
    return ipr_judged_turn_at(&w->c->confirmed[m->game], m->turn->ply) != NULL;
}

static void confirming_add(struct confirming_work *w, const struct ipr_evidence_move *m)
{
    const struct ipr_db_evidence_game *const g = &w->c->games[m->game];
    struct confirming_task *const t = &w->task[w->n];
    const struct ipr_db_unconfirmed left = { .turn = *m->turn };

    if (is_confirming(w, m))
        return;
    w->n++;
    t->move = m;
    t->game = (struct ipr_db_game){ .start = g->start, .moves = g->moves, .n_moves = g->n_moves };
    t->confirm = ipr_confirm_make(&t->game, w->definition.nodes, &left, 1, &t->mem);
}

/* The confirmed turn outlives the task. */
static void confirming_take(const struct confirming_work *w, const struct confirming_task *t,
                            struct ipr_arena *mem)
{
    struct ipr_judged_game *const to = &w->c->confirmed[t->move->game];
    struct ipr_judged_turn turn;
    struct ipr_judged_game found = { &turn, 0 };

    ipr_confirm_settled(t->confirm, &found);
    if (found.n > 0)
        to->turns[to->n++] = ipr_judged_copy(&found, mem).turns[0];
}

enum ipr_code ipr_rate_confirm(const struct ipr_rate_confirming *c,
                               const struct ipr_evidence_move **moves, size_t n,
                               struct ipr_arena *mem, struct ipr_err *err)
{
    struct confirming_work w = { .c = c,
                                 .task = ipr_xcalloc(n + 1, sizeof *w.task),
                                 .err = IPR_ERR_INIT };

    if (!ipr_judge_builtin(IPR_CONFIRM, &w.definition))
        abort(); /* it is built in */
    w.definition.nodes = (uint32_t)c->config->confirm_nodes;
    for (size_t i = 0; i < n; i++)
        confirming_add(&w, moves[i]);
    if (w.n > 0)
        confirming_threads(&w);
    for (size_t i = 0; i < w.n; i++) {
        confirming_take(&w, &w.task[i], mem);
        ipr_arena_release(&w.task[i].mem);
    }
    free(w.task);
    return ipr_err_pass(err, &w.err);
}
