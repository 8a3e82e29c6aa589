/* Many workers on one database: each has a connection of its own, registers and sweeps every five
 * seconds, claims a game, holds it as long as an engine would, and completes it, by the queries of
 * `intrinsic worker`. Evaluations are not stored.
 * Usage: bench_fleet DATABASE WORKERS SECONDS GAME_SECONDS: an empty, migrated database; seconds
 * that are measured, once all are connected; how long a game is held.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/str.h"
#include "core/clock.h"
#include "db/jobs.h"
#include "db/workers.h"

#define SAMPLES  4096 /* of one worker */
#define SWEEP_MS 5000
#define POLL_MS  1000
#define STACK    ((size_t)256 * 1024)

struct fleet {
    const char *url;
    unsigned workers;
    double seconds, game_s;
    atomic_uint connected, ended;
    atomic_bool go, stop;
};

struct bench_worker {
    struct fleet *fleet;
    pthread_t thread;
    unsigned number;
    size_t n;                               /* claims and completions */
    unsigned again, games, empty, failures; /* again: tries to connect */
    float took_ms[SAMPLES];
    char why[160]; /* of the first failure */
};

static void pause_ms(double ms)
{
    const struct timespec t = { (time_t)(ms / 1000.0), (long)(ms * 1e6) % 1000000000L };

    nanosleep(&t, NULL);
}

static void worker_failed(struct bench_worker *w, struct ipr_err *err)
{
    if (w->failures++ == 0)
        snprintf(w->why, sizeof w->why, "%.150s", err->msg);
    ipr_err_clear(err);
}

static void worker_took(struct bench_worker *w, int64_t begun_us)
{
    if (w->n < SAMPLES)
        w->took_ms[w->n++] = (float)(ipr_now_us() - begun_us) / 1000.0F;
}

static void worker_beat(struct bench_worker *w, struct ipr_db *db, const char *name)
{
    const struct ipr_db_worker me = {
        .name = name, .version = "bench", .engines = "stockfish", .threads = 1
    };
    struct ipr_err err = IPR_ERR_INIT;
    int32_t expired = 0;

    if (ipr_db_worker_beat(db, &me, &err) != IPR_OK ||
        ipr_db_jobs_sweep(db, &expired, &err) != IPR_OK)
        worker_failed(w, &err);
}

/* False: there was none. */
static bool worker_game(struct bench_worker *w, struct ipr_db *db, const char *name,
                        struct ipr_db_queue_cursor *cursor)
{
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_db_job job;
    int64_t begun = ipr_now_us();
    enum ipr_code rc = ipr_db_job_claim(db, "stockfish", name, 60, cursor, &job, &err);

    worker_took(w, begun);
    if (rc != IPR_OK) {
        if (rc == IPR_ENOTFOUND)
            w->empty++;
        else
            worker_failed(w, &err);
        ipr_err_clear(&err);
        return false;
    }
    pause_ms(w->fleet->game_s * 1000.0 * (0.5 + (double)(ipr_now_us() % 1000) / 1000.0));
    begun = ipr_now_us();
    if (ipr_db_job_complete(db, &job, &err) != IPR_OK)
        worker_failed(w, &err);
    else
        w->games++;
    worker_took(w, begun);
    return true;
}

static void worker_loop(struct bench_worker *w, struct ipr_db *db)
{
    struct ipr_db_queue_cursor cursor = { 0 };
    int64_t beat_at = ipr_now_ms() + w->number % SWEEP_MS; /* fleets do not start in step */
    char name[40];

    snprintf(name, sizeof name, "bench:%u", w->number);
    while (!atomic_load(&w->fleet->stop)) {
        if (ipr_now_ms() >= beat_at) {
            worker_beat(w, db, name);
            beat_at = ipr_now_ms() + SWEEP_MS;
        }
        if (!worker_game(w, db, name, &cursor))
            pause_ms(POLL_MS);
    }
}

/* Again and again, as `intrinsic worker` does: a server that starts a thousand connections at once
 * lets some of them wait for longer than a client does. */
static enum ipr_code worker_connect(struct bench_worker *w, struct ipr_db_pool **pool,
                                    struct ipr_err *err)
{
    enum ipr_code rc;

    while ((rc = ipr_db_pool_open(w->fleet->url, 1, pool, err)) != IPR_OK &&
           !atomic_load(&w->fleet->go)) {
        const int ms = POLL_MS << (w->again < 2 ? w->again : 2); /* as server/command/command.c */

        w->again++;
        ipr_err_clear(err);
        pause_ms(ms / 2 + (int)(ipr_now_us() % ms));
    }
    return rc;
}

static void *worker_run(void *arg)
{
    struct bench_worker *w = arg;
    struct ipr_db_pool *pool = NULL;
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_db *db = NULL;
    enum ipr_code rc = worker_connect(w, &pool, &err);

    if (rc == IPR_OK)
        rc = ipr_db_lease(pool, &db, &err);
    if (rc != IPR_OK) {
        worker_failed(w, &err);
    } else {
        atomic_fetch_add(&w->fleet->connected, 1);
        while (!atomic_load(&w->fleet->go))
            pause_ms(20);
        worker_loop(w, db);
    }
    ipr_db_return(&db);
    ipr_db_pool_close(&pool);
    atomic_fetch_add(&w->fleet->ended, 1);
    return NULL;
}

static int by_size(const void *a, const void *b)
{
    const float x = *(const float *)a, y = *(const float *)b;

    return (x > y) - (x < y);
}

static void fleet_report(const struct fleet *f, const struct bench_worker *workers,
                         double connect_s, double measured_s)
{
    float *all = calloc(f->workers, sizeof workers->took_ms);
    const char *why = "";
    size_t n = 0;
    unsigned again = 0, games = 0, failures = 0, empty = 0;

    if (all == NULL)
        exit(1);
    for (unsigned i = 0; i < f->workers; i++) {
        const struct bench_worker *w = &workers[i];

        for (size_t k = 0; k < w->n; k++)
            all[n++] = w->took_ms[k];
        again += w->again;
        games += w->games;
        failures += w->failures;
        empty += w->empty;
        if (w->failures > 0 && why[0] == '\0')
            why = w->why;
    }
    qsort(all, n, sizeof *all, by_size);
    printf("workers %u, connected %u in %.1f s (%u tries failed), games of %.1f s: %.0f games/s, "
           "p50 %.1f ms, "
           "p99 %.1f ms, found nothing %u, failures %u%s%s\n",
           f->workers, atomic_load(&f->connected), connect_s, again, f->game_s, games / measured_s,
           n > 0 ? (double)all[n / 2] : 0.0, n > 0 ? (double)all[n * 99 / 100] : 0.0, empty,
           failures, failures > 0 ? ": " : "", why);
    free(all);
}

static void fleet_measure(struct fleet *f)
{
    struct bench_worker *workers = calloc(f->workers, sizeof *workers);
    const int64_t begun = ipr_now_ms();
    pthread_attr_t small;

    if (workers == NULL)
        exit(1);
    pthread_attr_init(&small);
    pthread_attr_setstacksize(&small, STACK);
    for (unsigned i = 0; i < f->workers; i++) {
        workers[i].fleet = f;
        workers[i].number = i;
        if (pthread_create(&workers[i].thread, &small, worker_run, &workers[i]) != 0)
            exit(1);
    }
    while (atomic_load(&f->connected) + atomic_load(&f->ended) < f->workers &&
           ipr_now_ms() - begun < 40000)
        pause_ms(20);
    const int64_t connected = ipr_now_ms();
    atomic_store(&f->go, true);
    pause_ms(f->seconds * 1000.0);
    atomic_store(&f->stop, true);
    const int64_t stopped = ipr_now_ms();
    for (unsigned i = 0; i < f->workers; i++)
        pthread_join(workers[i].thread, NULL);
    fleet_report(f, workers, (double)(connected - begun) / 1000.0,
                 (double)(stopped - connected) / 1000.0);
    free(workers);
    pthread_attr_destroy(&small);
}

int main(int argc, char **argv)
{
    struct fleet f = { 0 };
    int64_t workers = 0;

    if (argc != 5 || !ipr_str_int(ipr_str_c(argv[2]), 1, 10000, &workers) ||
        !ipr_str_double(ipr_str_c(argv[3]), 0.1, 60, &f.seconds) ||
        !ipr_str_double(ipr_str_c(argv[4]), 0.0, 60, &f.game_s)) {
        fprintf(stderr, "usage: bench_fleet DATABASE WORKERS SECONDS GAME_SECONDS\n");
        return 2;
    }
    f.url = argv[1];
    f.workers = (unsigned)workers;
    fleet_measure(&f);
    return 0;
}
