#include "rate/judging.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/config.h"
#include "core/progress.h"
#include "core/signals.h"
#include "db/strength.h"
#include "engine/process.h"

#define TRIES 3

struct work {
    const struct ipr_rate_judging *j;
    pthread_mutex_t lock;
    size_t next;    /* game to analyse */
    size_t settled; /* games before it are summed up and saved */
    size_t n_saved; /* games with moves before that one */
    struct ipr_err err;
    atomic_size_t turns; /* analysed in this run */
    size_t turns_total;  /* of this run, at most */
    size_t games_total;  /* of this run */
    atomic_size_t games; /* analysed in this run */
    atomic_bool stop;
};

static size_t turns_at_most(const struct work *w, const struct ipr_rate_game *g)
{
    const size_t first = ipr_judge_first_ply(&w->j->games->judge);

    return g->text->n_moves > first ? g->text->n_moves - first : 0;
}

static bool needs_engine(const struct ipr_rate_game *g)
{
    return ipr_rate_game_for_engine(g) && g->text->sides != ipr_rate_game_sides(g->text);
}

/* By an engine, or by the networks of human moves, which take a while, too. */
static bool needs_work(const struct ipr_rate_game *g)
{
    return needs_engine(g) || (g->source == IPR_RATE_HUMANS && !g->summed);
}

size_t ipr_rate_engine_games(const struct ipr_rate_games *games)
{
    size_t n = 0;

    for (size_t i = 0; i < games->n; i++)
        n += needs_engine(games->at[i]);
    return n;
}

/* ---- in order ---- */

static enum ipr_code settle_game(struct work *w, struct ipr_rate_game *g)
{
    enum ipr_code rc = IPR_OK;

    if (ipr_rate_game_for_engine(g) && ++w->n_saved > w->j->n_saved && w->j->saved != NULL)
        rc = ipr_rate_saved_put(w->j->saved, g, &w->err);
    if (w->j->games->keep_texts)
        return rc;
    ipr_arena_release(&g->judged_mem);
    if (g->text != NULL)
        g->text->judged = (struct ipr_judged_game){ NULL, 0 };
    return rc;
}

/* Saves the games up to the first one that is under way. */
static void settle_done(struct work *w)
{
    const struct ipr_rate_games *games = w->j->games;

    while (w->settled < games->n && games->at[w->settled]->summed && !atomic_load(&w->stop)) {
        if (settle_game(w, games->at[w->settled]) != IPR_OK)
            atomic_store(&w->stop, true);
        else
            w->settled++;
    }
}

/* ---- one thread ---- */

struct hand {
    struct work *w;
    struct ipr_engine *engine;
    size_t counted; /* turns of the game at hand that are in w->turns */
};

static enum ipr_code hand_on_tick(void *payload, size_t done, size_t total)
{
    struct hand *h = payload;

    (void)total;
    atomic_fetch_add(&h->w->turns, done - h->counted);
    h->counted = done;
    return atomic_load(&h->w->stop) ? IPR_ECONFLICT : IPR_OK;
}

static enum ipr_code hand_engine(struct hand *h, struct ipr_err *err)
{
    const struct ipr_rate_judging *j = h->w->j;
    struct ipr_engine_limits limits = ipr_engine_limits_default;

    if (h->engine != NULL)
        return IPR_OK;
    limits.search_ms = (uint32_t)j->config->search_timeout_s * 1000U;
    const enum ipr_code rc =
        ipr_engine_start(j->engine, &j->games->judge, NULL, &limits, &h->engine, err);
    if (rc != IPR_OK)
        return rc;
    const struct ipr_judge *judge = ipr_engine_judge_of(h->engine);
    if (ipr_rate_is_of(j->games, judge))
        return IPR_OK;
    return ipr_err_set(err, IPR_EDATA, "%s is %s%s%s; other games are analysed by another engine",
                       j->engine, judge->engine, judge->network[0] != '\0' ? ", " : "",
                       judge->network);
}

static enum ipr_code hand_judge(struct hand *h, struct ipr_rate_game *g, struct ipr_err *err)
{
    enum ipr_code rc = IPR_EIO;

    for (int i = 0; i < TRIES && rc != IPR_OK && !atomic_load(&h->w->stop); i++) {
        ipr_err_clear(err);
        rc = hand_engine(h, err);
        if (rc == IPR_EDATA)
            break;
        if (rc == IPR_OK) {
            const struct ipr_engine_task task = { .start = &g->text->start,
                                                  .moves = g->text->moves,
                                                  .n_moves = g->text->n_moves,
                                                  .sides = 3u,
                                                  .tick = hand_on_tick,
                                                  .payload = h };

            h->counted = 0;
            rc = ipr_engine_judge(h->engine, &task, &g->judged_mem, &g->text->judged, NULL, err);
            if (rc == IPR_OK) {
                g->text->judge = *ipr_engine_judge_of(h->engine);
                g->text->sides = ipr_rate_game_sides(g->text);
            } else {
                atomic_fetch_sub(&h->w->turns, h->counted);
                ipr_arena_release(&g->judged_mem);
            }
        }
        if (rc != IPR_OK)
            ipr_engine_stop(&h->engine);
    }
    return rc;
}

/* The next game to analyse, after those on the way to it that are only to be summed up; NULL: none.
 */
static struct ipr_rate_game *take_next(struct work *w)
{
    const struct ipr_rate_games *games = w->j->games;
    struct ipr_rate_game *found = NULL;

    pthread_mutex_lock(&w->lock);
    while (found == NULL && w->next < games->n && !atomic_load(&w->stop)) {
        struct ipr_rate_game *g = games->at[w->next++];

        if (needs_work(g)) {
            found = g;
        } else if (!g->summed) { /* saved before, or nothing to analyse */
            ipr_rate_game_sum(games, g);
            g->summed = true;
        }
    }
    settle_done(w);
    pthread_mutex_unlock(&w->lock);
    return found;
}

static void *judging_run(void *arg)
{
    struct hand h = { .w = arg };
    struct ipr_rate_game *g;

    while ((g = take_next(h.w)) != NULL) {
        struct ipr_err why = IPR_ERR_INIT;
        const bool engine = needs_engine(g);
        const enum ipr_code rc = engine ? hand_judge(&h, g, &why) : IPR_OK;

        if (rc == IPR_OK)
            ipr_rate_game_sum(h.w->j->games, g);
        if (!engine)
            atomic_fetch_add(&h.w->turns, turns_at_most(h.w, g));
        pthread_mutex_lock(&h.w->lock);
        if (rc == IPR_OK) {
            g->summed = true;
            atomic_fetch_add(&h.w->games, 1);
            settle_done(h.w);
        } else if (!atomic_exchange(&h.w->stop, true)) {
            ipr_err_set(&h.w->err, rc, "game %" PRIu64 " of %s: %s", g->number, g->file, why.msg);
        }
        pthread_mutex_unlock(&h.w->lock);
    }
    ipr_engine_stop(&h.engine);
    return NULL;
}

/* ---- all ---- */

static bool all_done(struct work *w)
{
    pthread_mutex_lock(&w->lock);
    const bool done = w->settled == w->j->games->n || atomic_load(&w->stop);
    pthread_mutex_unlock(&w->lock);
    return done;
}

enum ipr_code ipr_rate_judge(const struct ipr_rate_judging *j, struct ipr_err *err)
{
    struct work w = { .j = j, .lock = PTHREAD_MUTEX_INITIALIZER, .err = IPR_ERR_INIT };
    pthread_t *thread;
    unsigned n;

    for (size_t i = 0; i < w.j->games->n; i++) {
        const struct ipr_rate_game *g = w.j->games->at[i];

        if (needs_work(g)) {
            w.games_total++;
            w.turns_total += turns_at_most(&w, g);
        }
    }
    if (w.games_total == 0) { /* games that are analysed are summed up, too */
        judging_run(&w);
        return ipr_err_pass(err, &w.err);
    }
    n = w.games_total < j->engines ? (unsigned)w.games_total : j->engines;
    thread = ipr_xcalloc(n, sizeof *thread);
    for (unsigned i = 0; i < n; i++)
        if (pthread_create(&thread[i], NULL, judging_run, &w) != 0)
            abort(); /* as for memory */
    /* Until all is done, or a stop was requested. */
    struct ipr_progress progress = ipr_progress_begin(w.j->quiet);
    size_t told = SIZE_MAX;
    while (!all_done(&w)) {
        const size_t games = atomic_load(&w.games);

        if (j->progress != NULL && games != told)
            j->progress(j->arg, games, w.games_total);
        told = games;
        ipr_progress_say(&progress, (double)atomic_load(&w.turns), (double)w.turns_total,
                         "%zu of %zu games analysed", games, w.games_total);
        if ((ipr_signals_stopped(100) || (j->stop != NULL && j->stop(j->arg))) &&
            !atomic_exchange(&w.stop, true))
            ipr_err_set(&w.err, IPR_EIO, "stopped after %zu of %zu games", atomic_load(&w.games),
                        w.games_total);
    }
    ipr_progress_end(&progress);
    for (unsigned i = 0; i < n; i++)
        pthread_join(thread[i], NULL);
    free(thread);
    return ipr_err_pass(err, &w.err);
}
