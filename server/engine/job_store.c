#include "engine/job_store.h"

#include <stdio.h>
#include <unistd.h>

#include "db/judges.h"
#include "db/known_turns.h"
#include "db/strength.h"
#include "db/turns.h"

#define RENEW_MS 2000 /* short, because renewing a lease also stores the progress of the game */

/* No lease is renewed while this thread waits for a lock. */
static enum ipr_code connection_borrow(const struct ipr_job_store *l, struct ipr_db **db,
                                       struct ipr_err *err)
{
    const enum ipr_code rc = ipr_db_lease_in(l->pool, IPR_DB_ALL, db, err);

    return rc == IPR_OK ? ipr_db_lock_patience(*db, ipr_job_store_renew_ms(l) / 2, err) : rc;
}

static enum ipr_code with_db(const struct ipr_job_store *l, ipr_db_tx_fn fn, void *arg,
                             struct ipr_err *err)
{
    struct ipr_db *db = NULL;
    enum ipr_code rc = connection_borrow(l, &db, err);

    if (rc == IPR_OK)
        rc = fn(db, arg, err);
    ipr_db_return(&db);
    return rc;
}

/* ---- the process ---- */

static enum ipr_code judges_ensure(struct ipr_db *db, void *arg, struct ipr_err *err)
{
    (void)arg;
    return ipr_db_definitions_ensure(db, err);
}

enum ipr_code ipr_job_store_open(struct ipr_job_store *l, const struct ipr_config *config,
                                 struct ipr_err *err)
{
    l->config = config;
    char host[32] = "?";
    gethostname(host, sizeof host);
    host[sizeof host - 1] = '\0';
    snprintf(l->name, sizeof l->name, "%s:%ld", host, (long)getpid());
    const enum ipr_code rc = ipr_db_pool_open(config->database_url, 1, &l->pool, err);
    return rc == IPR_OK ? with_db(l, judges_ensure, NULL, err) : rc;
}

void ipr_job_store_close(struct ipr_job_store *l)
{
    ipr_db_pool_close(&l->pool);
}

/* The argument of the functions below. */
struct entry {
    const struct ipr_job_store *job_store;
    struct ipr_assignment *a;
};

static enum ipr_code with_entry(const struct ipr_job_store *l, struct ipr_assignment *a,
                                ipr_db_tx_fn fn, struct ipr_err *err)
{
    struct entry e = { l, a };

    return with_db(l, fn, &e, err);
}

/* ---- claiming and loading ---- */

enum ipr_code ipr_job_store_claim(const struct ipr_job_store *l,
                                  const struct ipr_db_queue_line *lines, size_t n,
                                  struct ipr_db_job *out, struct ipr_err *err)
{
    struct ipr_db *db = NULL;
    enum ipr_code rc = connection_borrow(l, &db, err);

    if (rc == IPR_OK)
        rc = ipr_db_job_claim_any(db, lines, n, l->name, (int)l->config->lease_s, out, err);
    ipr_db_return(&db);
    return rc;
}

static enum ipr_code judge_definition(const struct ipr_job_store *l, struct ipr_db *db,
                                      const char *name, struct ipr_judge *out, struct ipr_err *err)
{
    const enum ipr_code rc = ipr_db_definition_get(db, name, out, err);

    if (rc == IPR_OK && l->config->hash_mb > 0)
        out->hash_mb = (uint16_t)l->config->hash_mb;
    return rc;
}

enum ipr_code ipr_job_store_definition(const struct ipr_job_store *l, const char *name,
                                       struct ipr_judge *out, struct ipr_err *err)
{
    struct ipr_db *db = NULL;
    enum ipr_code rc = connection_borrow(l, &db, err);

    if (rc == IPR_OK)
        rc = judge_definition(l, db, name, out, err);
    ipr_db_return(&db);
    return rc;
}

/* Number of half-moves of the given sides from ply `from` on. */
static size_t plies_of(const struct ipr_db_game *g, size_t from, unsigned sides)
{
    const size_t n = g->n_moves > from ? g->n_moves - from : 0;
    const unsigned first = g->start.turn ^ (from & 1U);

    return (sides >> first & 1U) * ((n + 1) / 2) + (sides >> (first ^ 1U) & 1U) * (n / 2);
}

static uint32_t confirm_nodes(const struct ipr_job_store *l)
{
    return (uint32_t)l->config->confirm_nodes;
}

static enum ipr_code game_load(struct ipr_db *db, void *arg, struct ipr_err *err)
{
    const struct entry *e = arg;
    struct ipr_assignment *a = e->a;
    enum ipr_code rc = ipr_db_game_get(db, a->job.game_id, &a->mem, &a->game, err);

    if (rc != IPR_OK)
        return rc;
    if (a->job.kind == IPR_JOB_CHECK)
        return ipr_check_load(db, &a->job, &a->game, &a->mem, &a->check, &a->definition, err);
    rc = judge_definition(e->job_store, db, a->job.judge, &a->definition, err);
    if (rc == IPR_OK && a->job.kind == IPR_JOB_CONFIRM) {
        rc = ipr_confirm_load(db, &a->game, confirm_nodes(e->job_store), &a->mem, &a->confirm,
                              &a->definition, err);
        if (rc == IPR_OK && a->confirm != NULL)
            atomic_store(&a->total, ipr_confirm_turns(a->confirm));
    } else if (rc == IPR_OK) {
        atomic_store(&a->total, plies_of(&a->game, ipr_judge_first_ply(&a->definition), a->sides));
    }
    return rc;
}

enum ipr_code ipr_job_store_load(const struct ipr_job_store *l, struct ipr_assignment *a,
                                 struct ipr_err *err)
{
    return with_entry(l, a, game_load, err);
}

static enum ipr_code turns_known(struct ipr_db *db, void *arg, struct ipr_err *err)
{
    struct ipr_assignment *a = ((struct entry *)arg)->a;
    unsigned there = 0;
    int32_t judge_id;
    enum ipr_code rc = ipr_db_judge_begin(db, &a->judge, &judge_id, err);

    if (rc == IPR_OK)
        rc = ipr_db_sides_judged(db, judge_id, a->game.id, &there, err);
    a->sides = a->job.sides & ~there;
    if (rc == IPR_OK && a->sides != 0)
        rc = ipr_db_turns_known(db, judge_id, &a->game, &a->judge, &a->mem, &a->known, err);
    if (rc == IPR_OK) {
        size_t n = 0;

        for (size_t i = 0; i < a->known.n; i++)
            if (a->sides >> a->known.turns[i].mover & 1U)
                a->known.turns[n++] = a->known.turns[i];
        a->known.n = n;
    }
    return rc;
}

enum ipr_code ipr_job_store_known_turns(const struct ipr_job_store *l, struct ipr_assignment *a,
                                        struct ipr_err *err)
{
    return with_entry(l, a, turns_known, err);
}

/* ---- renewal ---- */

int ipr_job_store_renew_ms(const struct ipr_job_store *l)
{
    const int64_t quarter = l->config->lease_s * 1000 / 4;

    return quarter < RENEW_MS ? (int)quarter : RENEW_MS;
}

/* Marks the lease as lost; for queries whose only conflict is a lost lease. */
static enum ipr_code lease_fenced(struct ipr_assignment *a, enum ipr_code rc)
{
    if (rc == IPR_ECONFLICT)
        atomic_store(&a->lost, true);
    return rc;
}

static enum ipr_code leases_renew(struct ipr_db *db, void *arg, struct ipr_err *err)
{
    const struct entry *e = arg;

    return lease_fenced(e->a,
                        ipr_db_job_heartbeat(db, &e->a->job, (int)e->job_store->config->lease_s,
                                             (int)atomic_load(&e->a->done),
                                             (int)atomic_load(&e->a->total), err));
}

enum ipr_code ipr_job_store_renew(const struct ipr_job_store *l, struct ipr_assignment *a,
                                  struct ipr_err *err)
{
    return with_entry(l, a, leases_renew, err);
}

/* ---- completion ---- */

static enum ipr_code entry_store_judged(struct ipr_db *db, const struct entry *e,
                                        struct ipr_err *err)
{
    const struct ipr_assignment *a = e->a;
    struct ipr_db_work work = { .source = e->job_store->name,
                                .keyed = ipr_judge_is_pure(&a->judge),
                                .known = &a->known,
                                .search_ms = { a->search_ms[0], a->search_ms[1] } };
    int32_t judge_id;
    unsigned stored;
    enum ipr_code rc = ipr_db_judge_ensure(db, &a->judge, &judge_id, err);

    if (rc == IPR_OK)
        rc = ipr_db_sides_store(db, judge_id, &a->game, &a->judged, a->sides, &work, &stored, err);
    if (rc == IPR_OK && a->n_endgame > 0)
        rc = ipr_db_endgame_store(db, a->game.id, a->endgame, a->n_endgame, err);
    if (rc == IPR_OK && ipr_judge_may_rate(&a->judge))
        rc = ipr_db_confirm_queue(db, &a->game, confirm_nodes(e->job_store), err);
    return rc;
}

/* *left: the job is not done. */
static enum ipr_code confirmation_store(struct ipr_db *db, const struct entry *e, bool *left,
                                        struct ipr_err *err)
{
    return ipr_confirm_store(db, e->a->confirm, &e->a->game, confirm_nodes(e->job_store),
                             e->job_store->name, left, err);
}

static enum ipr_code store_in_tx(struct ipr_db *db, void *arg, struct ipr_err *err)
{
    const struct entry *e = arg;
    bool left = false;
    enum ipr_code rc;

    if (e->a->job.kind == IPR_JOB_JUDGE)
        rc = entry_store_judged(db, e, err);
    else if (e->a->job.kind == IPR_JOB_CONFIRM)
        rc = confirmation_store(db, e, &left, err);
    else
        rc = e->a->check != NULL ? lease_fenced(e->a, ipr_check_store(db, e->a->check, err))
                                 : IPR_OK;
    /* The job last: imports take their locks in the order game, aggregates, job. */
    if (rc != IPR_OK)
        return rc;
    return lease_fenced(e->a, left ? ipr_db_job_release(db, &e->a->job, err)
                                   : ipr_db_job_complete(db, &e->a->job, err));
}

static enum ipr_code entry_store(struct ipr_db *db, void *arg, struct ipr_err *err)
{
    return ipr_db_tx(db, store_in_tx, arg, err);
}

enum ipr_code ipr_job_store_complete(const struct ipr_job_store *l, struct ipr_assignment *a,
                                     struct ipr_err *err)
{
    return with_entry(l, a, entry_store, err);
}

/* Stores what of a confirmation is done, unless the game was deleted, and with it its jobs. */
static enum ipr_code confirmation_keep(struct ipr_db *db, const struct entry *e,
                                       struct ipr_err *err)
{
    bool left;
    const enum ipr_code rc = e->a->confirm != NULL ? confirmation_store(db, e, &left, err) : IPR_OK;

    return rc == IPR_ENOTFOUND ? IPR_OK : rc;
}

static enum ipr_code fail_in_tx(struct ipr_db *db, void *arg, struct ipr_err *err)
{
    const struct entry *e = arg;
    char reason[IPR_REASON_MAX];
    const enum ipr_code rc = confirmation_keep(db, e, err);

    ipr_assignment_reason(e->a, reason);
    return rc == IPR_OK ? lease_fenced(e->a, ipr_db_job_fail(db, &e->a->job, reason, err)) : rc;
}

static enum ipr_code entry_fail(struct ipr_db *db, void *arg, struct ipr_err *err)
{
    return ipr_db_tx(db, fail_in_tx, arg, err);
}

enum ipr_code ipr_job_store_fail(const struct ipr_job_store *l, struct ipr_assignment *a,
                                 struct ipr_err *err)
{
    return with_entry(l, a, entry_fail, err);
}

static enum ipr_code give_back_in_tx(struct ipr_db *db, void *arg, struct ipr_err *err)
{
    const struct entry *e = arg;
    const enum ipr_code rc = confirmation_keep(db, e, err);

    return rc == IPR_OK ? lease_fenced(e->a, ipr_db_job_release(db, &e->a->job, err)) : rc;
}

static enum ipr_code entry_give_back(struct ipr_db *db, void *arg, struct ipr_err *err)
{
    return ipr_db_tx(db, give_back_in_tx, arg, err);
}

enum ipr_code ipr_job_store_release(const struct ipr_job_store *l, struct ipr_assignment *a,
                                    struct ipr_err *err)
{
    return with_entry(l, a, entry_give_back, err);
}

/* ---- register of workers ---- */

static enum ipr_code queue_sweep(struct ipr_db *db, void *arg, struct ipr_err *err)
{
    return ipr_db_jobs_sweep(db, arg, err);
}

enum ipr_code ipr_job_store_sweep(const struct ipr_job_store *l, int32_t *expired,
                                  struct ipr_err *err)
{
    return with_db(l, queue_sweep, expired, err);
}

static enum ipr_code clock_check(struct ipr_db *db, void *arg, struct ipr_err *err)
{
    return ipr_db_clock_check(db, arg, err);
}

enum ipr_code ipr_job_store_clock(const struct ipr_job_store *l, struct ipr_db_clock *clock,
                                  struct ipr_err *err)
{
    return with_db(l, clock_check, clock, err);
}

enum ipr_code ipr_job_store_register(const struct ipr_job_store *l, const struct ipr_db_worker *w,
                                     struct ipr_err *err)
{
    struct ipr_db *db = NULL;
    enum ipr_code rc = connection_borrow(l, &db, err);

    if (rc == IPR_OK)
        rc = ipr_db_worker_beat(db, w, err);
    ipr_db_return(&db);
    return rc;
}

enum ipr_code ipr_job_store_leave(const struct ipr_job_store *l, struct ipr_err *err)
{
    struct ipr_db *db = NULL;
    enum ipr_code rc = connection_borrow(l, &db, err);

    if (rc == IPR_OK)
        rc = ipr_db_worker_leave(db, l->name, err);
    ipr_db_return(&db);
    return rc;
}
