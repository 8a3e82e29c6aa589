#include "engine/fleet.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/mem.h"
#include "core/log.h"
#include "db/games.h"
#include "db/jobs.h"
#include "db/judges.h"
#include "db/turns.h"
#include "engine/process.h"

#define BOTH_SIDES    3U
#define POLL_MS       1000
#define SWEEP_MS      5000
#define BACKOFF_MAX_S 30

struct ipr_fleet {
    const struct ipr_config *config;
    struct ipr_db_pool *pool;
    const char *engine_path;
    struct ipr_arena mem; /* holds engine_path */
    atomic_bool stopping;
    pthread_mutex_t lock; /* with wake: sleepers hear of `stopping` at once */
    pthread_cond_t wake;
    struct worker *workers;
    unsigned n;
    pthread_t sweeper;
    bool sweeping; /* the sweeper was started */
};

struct worker {
    struct ipr_fleet *fleet;
    pthread_t thread;
    char name[64]; /* host:pid:number, told to the database */
    struct ipr_engine *engine;
    unsigned failures; /* engine failures in a row, for the back-off */
    struct ipr_db_queue_cursor cursor;
};

/* One game in the hands of a worker. */
struct assignment {
    struct worker *worker;
    struct ipr_db_job job;
    struct ipr_db_game game;
    struct ipr_judge judge;
    struct ipr_judged_game judged;
    unsigned sides;
    time_t last_beat;
    bool no_engine; /* none could be started: no fault of the game's */
    bool lease_lost;
};

static time_t now_s(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec;
}

static bool stopping(const struct worker *w)
{
    return atomic_load(&w->fleet->stopping);
}

/* Sleeps until the time is over or the fleet stops. */
static void pause_ms(struct ipr_fleet *f, long ms)
{
    struct timespec until;

    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_sec += ms / 1000;
    until.tv_nsec += ms % 1000 * 1000000L;
    if (until.tv_nsec >= 1000000000L) {
        until.tv_sec++;
        until.tv_nsec -= 1000000000L;
    }
    pthread_mutex_lock(&f->lock);
    while (!atomic_load(&f->stopping))
        if (pthread_cond_timedwait(&f->wake, &f->lock, &until) != 0)
            break;
    pthread_mutex_unlock(&f->lock);
}

static void back_off(struct worker *w)
{
    long s = 1L << (w->failures < 5 ? w->failures : 5);

    if (s > BACKOFF_MAX_S)
        s = BACKOFF_MAX_S;
    w->failures++;
    pause_ms(w->fleet, s * 1000);
}

/* ---- with a connection of their own ---- */

static enum ipr_code claim(struct worker *w, struct ipr_db_job *job, struct ipr_err *err)
{
    struct ipr_db *db = NULL;
    enum ipr_code rc = ipr_db_lease(w->fleet->pool, &db, err);

    if (rc == IPR_OK)
        rc = ipr_db_job_claim(db, "stockfish", w->name, (int)w->fleet->config->lease_s, &w->cursor,
                              job, err);
    ipr_db_return(&db);
    return rc;
}

static enum ipr_code load(struct assignment *a, struct ipr_arena *mem, struct ipr_err *err)
{
    struct ipr_db *db = NULL;
    enum ipr_code rc = ipr_db_lease(a->worker->fleet->pool, &db, err);

    if (rc == IPR_OK)
        rc = ipr_db_game_get(db, a->job.game_id, mem, &a->game, err);
    ipr_db_return(&db);
    return rc;
}

static enum ipr_code beat(struct assignment *a, size_t done, size_t total, struct ipr_err *err)
{
    struct ipr_db *db = NULL;
    enum ipr_code rc = ipr_db_lease(a->worker->fleet->pool, &db, err);

    if (rc == IPR_OK)
        rc = ipr_db_job_heartbeat(db, &a->job, (int)a->worker->fleet->config->lease_s, (int)done,
                                  (int)total, err);
    ipr_db_return(&db);
    return rc;
}

static enum ipr_code store_in_tx(struct ipr_db *db, void *arg, struct ipr_err *err)
{
    struct assignment *a = arg;
    const struct ipr_db_work work = { .source = a->worker->name,
                                      .keyed = ipr_judge_is_pure(&a->judge) };
    int32_t judge_id;
    unsigned stored;
    enum ipr_code rc = ipr_db_judge_ensure(db, &a->judge, &judge_id, err);

    if (rc == IPR_OK)
        rc = ipr_db_sides_store(db, judge_id, &a->game, &a->judged, a->sides, &work, &stored, err);
    /* The job last, as an import takes its locks: game, aggregates, job. */
    if (rc == IPR_OK) {
        rc = ipr_db_job_complete(db, &a->job, err);
        a->lease_lost = rc == IPR_ECONFLICT;
    }
    return rc;
}

static enum ipr_code store_once(struct assignment *a, struct ipr_err *err)
{
    struct ipr_db *db = NULL;
    enum ipr_code rc = ipr_db_lease(a->worker->fleet->pool, &db, err);

    if (rc == IPR_OK)
        rc = ipr_db_tx(db, store_in_tx, a, err);
    ipr_db_return(&db);
    return rc;
}

/* A judged game is worth waiting for a database that is away for a moment. Should the lease run
 * out meanwhile the token no longer fits, and nothing is stored twice. */
static enum ipr_code store(struct assignment *a, struct ipr_err *err)
{
    enum ipr_code rc = store_once(a, err);

    for (int64_t i = 0; i < a->worker->fleet->config->lease_s; i++) {
        if ((rc != IPR_ERETRY && rc != IPR_EDB) || stopping(a->worker))
            break;
        ipr_log(IPR_LOG_WARN, "store_retried", "game=%" PRId64 " msg=\"%s\"", a->job.game_id,
                ipr_log_text(err->msg));
        pause_ms(a->worker->fleet, POLL_MS);
        ipr_err_clear(err);
        rc = store_once(a, err);
    }
    return rc;
}

/* Says what became of a game that was not judged. When even that fails the lease runs out and
 * the sweeper does the rest. */
static void give_back(struct assignment *a, const char *reason)
{
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_db *db = NULL;
    enum ipr_code rc = ipr_db_lease(a->worker->fleet->pool, &db, &err);

    if (rc == IPR_OK)
        rc = reason == NULL ? ipr_db_job_release(db, &a->job, &err)
                            : ipr_db_job_fail(db, &a->job, reason, &err);
    ipr_db_return(&db);
    if (rc != IPR_OK)
        ipr_log(IPR_LOG_WARN, "job_not_returned", "msg=\"%s\"", ipr_log_text(err.msg));
}

/* ---- judging ---- */

/* How often the database hears of a running game: often enough to be worth watching, and four
 * times within a lease. */
static time_t beat_every(const struct ipr_config *c)
{
    return c->lease_s >= 8 ? 2 : 1;
}

static enum ipr_code on_tick(void *payload, size_t done, size_t total)
{
    struct assignment *a = payload;
    struct ipr_err err = IPR_ERR_INIT;

    if (stopping(a->worker))
        return IPR_ERETRY;
    const time_t now = now_s();
    if (now - a->last_beat < beat_every(a->worker->fleet->config))
        return IPR_OK;
    a->last_beat = now;
    const enum ipr_code rc = beat(a, done, total, &err);
    if (rc == IPR_ECONFLICT) {
        a->lease_lost = true;
        return rc;
    }
    if (rc != IPR_OK) /* the database is away; the search goes on while the lease may hold */
        ipr_log(IPR_LOG_WARN, "heartbeat_missed", "msg=\"%s\"", ipr_log_text(err.msg));
    return IPR_OK;
}

static enum ipr_code engine_for(struct worker *w, const struct ipr_judge *judge,
                                struct ipr_err *err)
{
    const struct ipr_config *c = w->fleet->config;
    struct ipr_engine_limits limits = ipr_engine_limits_default;

    if (w->engine != NULL && (!ipr_engine_alive(w->engine) ||
                              !ipr_judge_same_search(ipr_engine_judge_of(w->engine), judge)))
        ipr_engine_stop(&w->engine);
    if (w->engine != NULL)
        return IPR_OK;
    limits.search_ms = (uint32_t)c->search_timeout_s * 1000U;
    if (limits.silent_ms > limits.search_ms)
        limits.silent_ms = limits.search_ms;
    return ipr_engine_start(w->fleet->engine_path, judge, NULL, &limits, &w->engine, err);
}

static enum ipr_code judge_spec(const struct worker *w, const char *name, struct ipr_judge *out,
                                struct ipr_err *err)
{
    if (!ipr_judge_builtin(name, out))
        return ipr_err_set(err, IPR_ENOTFOUND, "no judge is named '%s'", name);
    if (w->fleet->config->hash_mb > 0)
        out->hash_mb = (uint16_t)w->fleet->config->hash_mb;
    return IPR_OK;
}

static enum ipr_code judge_game(struct assignment *a, struct ipr_arena *mem, struct ipr_err *err)
{
    struct worker *w = a->worker;
    struct ipr_judge spec;
    enum ipr_code rc = judge_spec(w, a->job.judge, &spec, err);

    if (rc == IPR_OK) {
        rc = engine_for(w, &spec, err);
        a->no_engine = rc != IPR_OK;
    }
    if (rc != IPR_OK)
        return rc;
    a->judge = *ipr_engine_judge_of(w->engine);
    a->sides = BOTH_SIDES;
    a->last_beat = now_s();
    const struct ipr_engine_task task = { .start = &a->game.start,
                                          .moves = a->game.moves,
                                          .n_moves = a->game.n_moves,
                                          .sides = a->sides,
                                          .tick = on_tick,
                                          .payload = a };
    return ipr_engine_judge(w->engine, &task, mem, &a->judged, NULL, err);
}

static void report_failure(struct assignment *a, const struct ipr_err *err)
{
    char reason[sizeof err->msg + 64];

    if (err->ply >= 0)
        snprintf(reason, sizeof reason, "at ply %d: %s", err->ply, err->msg);
    else
        snprintf(reason, sizeof reason, "%s", err->msg);
    ipr_log(IPR_LOG_WARN, "game_not_judged", "game=%" PRId64 " attempt=%d msg=\"%s\"",
            a->job.game_id, a->job.attempts, ipr_log_text(reason));
    give_back(a, reason);
}

/* True when the worker had something to do. */
static bool work_once(struct worker *w)
{
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_arena mem = IPR_ARENA_INIT;
    struct assignment a = { .worker = w };
    enum ipr_code rc = claim(w, &a.job, &err);

    if (rc != IPR_OK) {
        if (rc != IPR_ENOTFOUND)
            ipr_log(IPR_LOG_WARN, "claim_failed", "msg=\"%s\"", ipr_log_text(err.msg));
        return false;
    }
    rc = load(&a, &mem, &err);
    if (rc == IPR_OK)
        rc = judge_game(&a, &mem, &err);
    const bool engine_failed = rc == IPR_EIO || rc == IPR_ECONFLICT;
    if (rc == IPR_OK)
        rc = store(&a, &err);

    if (rc == IPR_OK) {
        w->failures = 0;
        ipr_log(IPR_LOG_INFO, "game_judged", "game=%" PRId64 " judge=%s turns=%zu", a.job.game_id,
                a.job.judge, a.judged.n);
    } else if (a.lease_lost) {
        ipr_log(IPR_LOG_WARN, "lease_lost", "game=%" PRId64, a.job.game_id);
    } else if (stopping(w)) {
        give_back(&a, NULL);
    } else if (a.no_engine) {
        ipr_log(IPR_LOG_ERROR, "no_engine", "msg=\"%s\"", ipr_log_text(err.msg));
        give_back(&a, NULL);
    } else {
        report_failure(&a, &err);
    }
    if (w->engine != NULL && !ipr_engine_alive(w->engine))
        ipr_engine_stop(&w->engine);
    ipr_arena_release(&mem);
    if (engine_failed && !a.lease_lost && !stopping(w))
        back_off(w);
    return true;
}

static void *run(void *arg)
{
    struct worker *w = arg;
    const char *number = strrchr(w->name, ':');
    char id[16];

    snprintf(id, sizeof id, "worker%s", number != NULL ? number : "");
    ipr_log_context(id);
    while (!stopping(w))
        if (!work_once(w))
            pause_ms(w->fleet, POLL_MS);
    ipr_engine_stop(&w->engine);
    return NULL;
}

/* ---- games of workers that have fallen silent ---- */

static void sweep(struct ipr_fleet *f)
{
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_db *db = NULL;
    int32_t expired = 0;
    enum ipr_code rc = ipr_db_lease(f->pool, &db, &err);

    if (rc == IPR_OK)
        rc = ipr_db_jobs_sweep(db, &expired, &err);
    ipr_db_return(&db);
    if (rc != IPR_OK)
        ipr_log(IPR_LOG_WARN, "sweep_failed", "msg=\"%s\"", ipr_log_text(err.msg));
    else if (expired > 0)
        ipr_log(IPR_LOG_WARN, "leases_expired", "jobs=%" PRId32, expired);
}

static void *run_sweeper(void *arg)
{
    struct ipr_fleet *f = arg;

    ipr_log_context("sweeper");
    while (!atomic_load(&f->stopping)) {
        sweep(f);
        pause_ms(f, SWEEP_MS);
    }
    return NULL;
}

/* ---- the fleet ---- */

static enum ipr_code try_engine(struct ipr_fleet *f, struct ipr_err *err)
{
    struct ipr_engine *engine = NULL;
    struct ipr_judge judge;
    enum ipr_code rc = ipr_engine_find(f->config->stockfish_path, &f->mem, &f->engine_path, err);

    if (rc == IPR_OK && !ipr_judge_builtin(f->config->judge, &judge))
        rc = ipr_err_set(err, IPR_EPARSE, "INTRINSIC_JUDGE: no judge is named '%s'",
                         f->config->judge);
    if (rc == IPR_OK)
        rc = ipr_engine_start(f->engine_path, &judge, NULL, NULL, &engine, err);
    if (rc == IPR_OK)
        ipr_log(IPR_LOG_INFO, "engine_found", "path=%s name=\"%s\" network=%s", f->engine_path,
                ipr_log_text(ipr_engine_name(engine)), ipr_engine_network(engine));
    ipr_engine_stop(&engine);
    return rc;
}

static void release(struct ipr_fleet **fleet)
{
    pthread_cond_destroy(&(*fleet)->wake);
    pthread_mutex_destroy(&(*fleet)->lock);
    ipr_arena_release(&(*fleet)->mem);
    free((*fleet)->workers);
    free(*fleet);
    *fleet = NULL;
}

static void name_worker(struct worker *w, unsigned number)
{
    char host[32] = "?";

    gethostname(host, sizeof host);
    host[sizeof host - 1] = '\0';
    snprintf(w->name, sizeof w->name, "%s:%ld:%u", host, (long)getpid(), number);
}

enum ipr_code ipr_fleet_start(const struct ipr_config *config, struct ipr_db_pool *pool,
                              unsigned workers, struct ipr_fleet **out, struct ipr_err *err)
{
    struct ipr_fleet *f = ipr_xcalloc(1, sizeof *f);
    pthread_condattr_t attr;
    enum ipr_code rc = IPR_OK;

    f->config = config;
    f->pool = pool;
    f->workers = ipr_xcalloc(workers, sizeof *f->workers);
    pthread_mutex_init(&f->lock, NULL);
    pthread_condattr_init(&attr);
    pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
    pthread_cond_init(&f->wake, &attr);
    pthread_condattr_destroy(&attr);
    if (workers > 0)
        rc = try_engine(f, err);
    for (unsigned i = 0; i < workers && rc == IPR_OK; i++) {
        struct worker *w = &f->workers[i];
        w->fleet = f;
        name_worker(w, i + 1);
        if (pthread_create(&w->thread, NULL, run, w) != 0)
            rc = ipr_err_set(err, IPR_EIO, "cannot start worker thread %u", i + 1);
        else
            f->n++;
    }
    if (rc == IPR_OK) {
        f->sweeping = pthread_create(&f->sweeper, NULL, run_sweeper, f) == 0;
        if (!f->sweeping)
            rc = ipr_err_set(err, IPR_EIO, "cannot start the sweeper thread");
    }
    *out = f;
    if (rc != IPR_OK)
        ipr_fleet_stop(out);
    return rc;
}

void ipr_fleet_stop(struct ipr_fleet **fleet)
{
    if (*fleet == NULL)
        return;
    pthread_mutex_lock(&(*fleet)->lock);
    atomic_store(&(*fleet)->stopping, true);
    pthread_cond_broadcast(&(*fleet)->wake);
    pthread_mutex_unlock(&(*fleet)->lock);
    for (unsigned i = 0; i < (*fleet)->n; i++)
        pthread_join((*fleet)->workers[i].thread, NULL);
    if ((*fleet)->sweeping)
        pthread_join((*fleet)->sweeper, NULL);
    release(fleet);
}
