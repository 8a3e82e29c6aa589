#include "db/analyses.h"
#include "db/jobs.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "db/judges.h"
#include "db/turns.h"
#include "db/workers.h"
#include "ipr_db_sample.h"
#include "ipr_db_test.h"
#include "ipr_test.h"

/* n games in the database. */
static int64_t *store(struct ipr_db_fixture *f, unsigned n)
{
    static unsigned seed;
    struct ipr_db_new_game *g = ipr_arena_alloc(&f->mem, n, sizeof *g);
    int64_t *ids = ipr_arena_alloc(&f->mem, n, sizeof *ids);

    for (unsigned i = 0; i < n; i++)
        g[i] = ipr_sample_game(&f->mem, ++seed, "a", "b", 2001, 24);
    ipr_sample_store(f->db, g, n, "sample");
    for (unsigned i = 0; i < n; i++)
        ids[i] = g[i].id;
    return ids;
}

static int32_t enqueue_sides(struct ipr_db_fixture *f, int64_t id, int32_t sides, const char *judge)
{
    int32_t queued = -1;

    assert_ok(ipr_db_jobs_enqueue_sides(f->db, &id, &sides, 1, judge, 5, "local", &queued, &f->err),
              &f->err);
    return queued;
}

static int32_t enqueue(struct ipr_db_fixture *f, const int64_t *ids, size_t n, int priority,
                       const char *owner)
{
    int32_t queued = -1;

    assert_ok(ipr_db_jobs_enqueue(f->db, ids, n, "sample", priority, owner, &queued, &f->err),
              &f->err);
    return queued;
}

/* n games, queued for "sample" by one owner. */
static int64_t *queue_for(struct ipr_db_fixture *f, unsigned n, int priority, const char *owner)
{
    int64_t *ids = store(f, n);

    assert_int_equal(enqueue(f, ids, n, priority, owner), n);
    return ids;
}

static int64_t *queue(struct ipr_db_fixture *f, unsigned n, int priority)
{
    return queue_for(f, n, priority, "local");
}

static void assert_state(struct ipr_db_fixture *f, int64_t ready, int64_t leased, int64_t failed)
{
    struct ipr_db_queue q = { 0 };

    assert_ok(ipr_db_queue_state(f->db, &q, &f->err), &f->err);
    assert_int_equal(q.ready, ready);
    assert_int_equal(q.leased, leased);
    assert_int_equal(q.failed, failed);
}

/* From the first one on, as a worker does that has not claimed for a while. */
static enum ipr_code try_claim(struct ipr_db_fixture *f, const char *worker, struct ipr_db_job *job)
{
    struct ipr_db_queue_cursor cursor = { 0 };

    return ipr_db_job_claim(f->db, "stockfish", worker, 60, &cursor, job, &f->err);
}

static struct ipr_db_job claim(struct ipr_db_fixture *f)
{
    struct ipr_db_job job = { 0 };

    assert_ok(try_claim(f, "w1", &job), &f->err);
    return job;
}

static void assert_none(struct ipr_db_fixture *f)
{
    struct ipr_db_job job = { 0 };

    assert_int_equal(try_claim(f, "w1", &job), IPR_ENOTFOUND);
    ipr_err_clear(&f->err);
}

static void test_life(void **state)
{
    struct ipr_db_fixture *f = *state;
    struct ipr_db_running *running = NULL;
    size_t n = 0;

    assert_none(f);
    const int64_t *ids = queue(f, 2, 5);
    struct ipr_db_job job = claim(f);
    assert_int_equal(job.game_id, ids[0]);
    assert_int_equal(job.attempts, 1);
    assert_string_equal(job.judge, "sample");
    assert_state(f, 1, 1, 0);
    assert_ok(ipr_db_job_heartbeat(f->db, &job, 60, 3, 10, &f->err), &f->err);
    assert_ok(ipr_db_jobs_running(f->db, &f->mem, &running, &n, &f->err), &f->err);
    assert_int_equal(n, 1);
    assert_int_equal(running[0].turns_done, 3);
    assert_int_equal(running[0].turns_total, 10);
    assert_string_equal(running[0].worker, "w1");
    assert_ok(ipr_db_job_complete(f->db, &job, &f->err), &f->err);
    assert_state(f, 1, 0, 0);
    assert_int_equal(ipr_db_job_complete(f->db, &job, &f->err), IPR_ECONFLICT);
    ipr_err_clear(&f->err);
}

static void test_order(void **state)
{
    struct ipr_db_fixture *f = *state;
    const int64_t *late = queue(f, 2, 5), *urgent = queue(f, 1, 1);

    assert_int_equal(claim(f).game_id, urgent[0]);
    assert_int_equal(claim(f).game_id, late[0]);
    assert_int_equal(claim(f).game_id, late[1]);
    assert_none(f);
}

static void test_fail(void **state)
{
    struct ipr_db_fixture *f = *state;
    const int64_t *ids = queue(f, 1, 5);

    for (int i = 1; i <= 3; i++) {
        const struct ipr_db_job job = claim(f);

        assert_int_equal(job.attempts, i);
        assert_ok(ipr_db_job_fail(f->db, &job, "engine died", &f->err), &f->err);
        assert_none(f); /* not before its time */
        if (i < 3) {
            const double wait =
                strtod(ipr_db_test_sql("SELECT extract(epoch FROM run_at - now()) FROM job"), NULL);
            assert_in_range(wait * 1000, i == 1 ? 500 : 2500, i == 1 ? 1250 : 5000);
        }
        ipr_db_test_sql("UPDATE job SET run_at = now() - interval '1 second'");
    }
    assert_state(f, 0, 0, 1);
    assert_string_equal(ipr_db_test_sql("SELECT last_error FROM job"), "engine died");

    /* Asked for again: from the beginning. One that is there keeps its place. */
    assert_int_equal(enqueue(f, ids, 1, 5, "local"), 1);
    assert_int_equal(enqueue(f, ids, 1, 1, "local"), 0);
    assert_int_equal(claim(f).attempts, 1);
}

static void test_release(void **state)
{
    struct ipr_db_fixture *f = *state;

    queue(f, 1, 5);
    for (int i = 0; i < 5; i++) {
        const struct ipr_db_job job = claim(f);

        assert_int_equal(job.attempts, 1);
        assert_ok(ipr_db_job_release(f->db, &job, &f->err), &f->err);
        assert_int_equal(ipr_db_job_release(f->db, &job, &f->err), IPR_ECONFLICT);
        ipr_err_clear(&f->err);
    }
}

/* The lease ran out and another worker has the job: whatever the first one says is refused. */
static void test_fencing(void **state)
{
    struct ipr_db_fixture *f = *state;
    int32_t expired = -1;

    queue(f, 1, 5);
    const struct ipr_db_job old = claim(f);
    assert_ok(ipr_db_jobs_sweep(f->db, &expired, &f->err), &f->err);
    assert_int_equal(expired, 0);
    ipr_db_test_sql("UPDATE job SET lease_until = now() - interval '1 second'");
    assert_ok(ipr_db_jobs_sweep(f->db, &expired, &f->err), &f->err);
    assert_int_equal(expired, 1);
    const struct ipr_db_job job = claim(f);
    assert_int_equal(job.id, old.id);
    assert_int_equal(job.attempts, 1); /* a silent worker costs the game none */
    assert_true(job.token != old.token);
    assert_int_equal(ipr_db_job_heartbeat(f->db, &old, 60, 1, 1, NULL), IPR_ECONFLICT);
    assert_int_equal(ipr_db_job_complete(f->db, &old, NULL), IPR_ECONFLICT);
    assert_int_equal(ipr_db_job_fail(f->db, &old, "x", NULL), IPR_ECONFLICT);
    assert_int_equal(ipr_db_job_release(f->db, &old, NULL), IPR_ECONFLICT);
    assert_state(f, 0, 1, 0);
    assert_ok(ipr_db_job_complete(f->db, &job, &f->err), &f->err);
}

static void test_sweep_gives_up(void **state)
{
    struct ipr_db_fixture *f = *state;
    int32_t expired = 0;

    queue(f, 1, 5);
    for (int i = 0; i < 9; i++) {
        assert_state(f, 1, 0, 0);
        claim(f);
        ipr_db_test_sql("UPDATE job SET lease_until = now() - interval '1 second'");
        assert_ok(ipr_db_jobs_sweep(f->db, &expired, &f->err), &f->err);
        assert_int_equal(expired, 1);
    }
    assert_state(f, 0, 0, 1);
    assert_string_equal(ipr_db_test_sql("SELECT last_error FROM job"),
                        "no sign of life from worker w1");
}

struct claimer {
    pthread_t thread;
    struct ipr_db_pool *pool;
    int64_t ids[400];
    size_t n;
    enum ipr_code rc;
};

static void *claim_all(void *arg)
{
    struct claimer *c = arg;
    struct ipr_db_queue_cursor cursor = { 0 };
    struct ipr_db *db = NULL;
    struct ipr_db_job job;

    c->rc = ipr_db_lease(c->pool, &db, NULL);
    while (c->rc == IPR_OK && c->n < 400) {
        c->rc = ipr_db_job_claim(db, "stockfish", "w", 60, &cursor, &job, NULL);
        if (c->rc == IPR_OK)
            c->ids[c->n++] = job.id;
        if (c->rc == IPR_OK && c->n % 2 == 0)
            c->rc = ipr_db_job_complete(db, &job, NULL);
    }
    ipr_db_return(&db);
    return NULL;
}

static void test_two_claimers(void **state)
{
    struct ipr_db_fixture *f = *state;
    struct claimer c[2] = { { .pool = f->pool }, { .pool = f->pool } };
    bool seen[1000] = { false };

    queue(f, 200, 5);
    const int64_t first = ipr_db_test_int("SELECT min(id) FROM job");
    for (int i = 0; i < 2; i++)
        assert_int_equal(pthread_create(&c[i].thread, NULL, claim_all, &c[i]), 0);
    for (int i = 0; i < 2; i++)
        pthread_join(c[i].thread, NULL);
    assert_int_equal(c[0].n + c[1].n, 200);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(c[i].rc, IPR_ENOTFOUND);
        for (size_t k = 0; k < c[i].n; k++) {
            const size_t at = (size_t)(c[i].ids[k] - first);

            assert_in_range(at, 0, 999);
            assert_false(seen[at]);
            seen[at] = true;
        }
    }
}

/* A game both of whose sides a judge of that name has judged is not queued again. */
static void test_judged_is_not_queued(void **state)
{
    struct ipr_db_fixture *f = *state;
    const struct ipr_judge judge = ipr_sample_judge();
    int32_t judge_id = 0;

    const int64_t *ids = queue(f, 2, 5);
    ipr_db_test_sql("DELETE FROM job");
    assert_ok(ipr_db_judge_ensure(f->db, &judge, &judge_id, &f->err), &f->err);
    char sql[200];
    for (int colour = 0; colour < 2; colour++) {
        snprintf(sql, sizeof sql,
                 "INSERT INTO judged_side (game_id, judge_id, colour, turns, nodes, source)"
                 " VALUES (%lld, %d, %d, 0, 0, 'x')",
                 (long long)ids[0], (int)judge_id, colour);
        ipr_db_test_sql(sql);
        const int64_t twice[] = { ids[0], ids[1], ids[0] };
        assert_int_equal(enqueue(f, twice, 3, 5, "local"), colour == 0 ? 2 : 1);
        ipr_db_test_sql("DELETE FROM job");
    }
}

/* ---- whose turn it is -------------------------------------------------------------------------
 */

/* Local programs, and those who have them all. */
#define PROGRAMS 3
static const char *const programs[PROGRAMS] = { "stockfish", "toga2", "fruit" };

struct claims {
    struct ipr_db_queue_cursor cursor[PROGRAMS];
    struct ipr_db_queue_line line[PROGRAMS];
};

static void begin(struct claims *c)
{
    *c = (struct claims){ 0 };
    for (int i = 0; i < PROGRAMS; i++)
        c->line[i] = (struct ipr_db_queue_line){ programs[i], &c->cursor[i] };
}

static enum ipr_code claim_any(struct ipr_db_fixture *f, struct claims *c, struct ipr_db_job *job)
{
    return ipr_db_job_claim_any(f->db, c->line, PROGRAMS, "w1", 60, job, &f->err);
}

/* A judge for each program, of its name: what is queued for "stockfish" is judged by it. */
static void define(struct ipr_db_fixture *f, const char *program)
{
    struct ipr_judge judge = ipr_sample_judge();
    bool fresh;

    snprintf(judge.name, sizeof judge.name, "%s", program);
    snprintf(judge.program, sizeof judge.program, "%s", program);
    assert_ok(ipr_db_definition_add(f->db, &judge, "anna", &fresh, &f->err), &f->err);
}

static void queue_on(struct ipr_db_fixture *f, const char *program, unsigned n, int priority,
                     const char *owner)
{
    const int64_t *ids = store(f, n);
    int32_t queued = -1;

    assert_ok(ipr_db_jobs_enqueue(f->db, ids, n, program, priority, owner, &queued, &f->err),
              &f->err);
    assert_int_equal(queued, n);
}

/* Takes and finishes n jobs; the owners' initials in their order. */
static const char *take(struct ipr_db_fixture *f, int n)
{
    struct claims c;
    char *owners = ipr_arena_alloc(&f->mem, (size_t)n + 1, 1);

    begin(&c);
    for (int i = 0; i < n; i++) {
        struct ipr_db_job job;
        char sql[100];

        assert_ok(claim_any(f, &c, &job), &f->err);
        snprintf(sql, sizeof sql, "SELECT owner FROM job WHERE id = %lld", (long long)job.id);
        owners[i] = ipr_db_test_sql(sql)[0];
        assert_ok(ipr_db_job_complete(f->db, &job, &f->err), &f->err);
    }
    return owners;
}

static void test_owners_alternate(void **state)
{
    struct ipr_db_fixture *f = *state;

    queue_for(f, 100, 5, "anna");
    queue_for(f, 3, 5, "bert");
    assert_string_equal(take(f, 8), "abababaa");
}

/* Neither behind all that waits, nor before all of it. */
static void test_late_joiner(void **state)
{
    struct ipr_db_fixture *f = *state;

    queue_for(f, 100, 5, "anna");
    take(f, 50);
    queue_for(f, 4, 5, "bert");
    assert_string_equal(take(f, 5), "ababa");
    queue_for(f, 2, 5, "carl");
    queue_for(f, 2, 5, "bert"); /* after what it has waiting */
    assert_string_equal(take(f, 9), "bcabcabab");
}

/* What somebody queues piece by piece takes no more turns than what is queued at once. */
static void test_piece_by_piece(void **state)
{
    struct ipr_db_fixture *f = *state;

    queue_for(f, 20, 5, "anna");
    for (int i = 0; i < 4; i++)
        queue_for(f, 1, 5, "bert");
    assert_string_equal(take(f, 9), "ababababa");
    for (int i = 0; i < 3; i++) {
        queue_for(f, 1, 5, "bert");
        const char *owners = take(f, 2);

        assert_true(owners[0] == 'a' || owners[1] == 'a');
    }
}

static void test_priorities_are_strict(void **state)
{
    struct ipr_db_fixture *f = *state;

    queue_for(f, 3, 6, "anna");
    queue_for(f, 3, 5, "bert");
    queue_for(f, 3, 4, "carl");
    assert_string_equal(take(f, 9), "cccbbbaaa");
}

/* ---- several programs -------------------------------------------------------------------------
 */

static void define_all(struct ipr_db_fixture *f)
{
    for (int i = 0; i < PROGRAMS; i++)
        define(f, programs[i]);
}

static void test_priorities_across_programs(void **state)
{
    struct ipr_db_fixture *f = *state;

    define_all(f);
    queue_on(f, "stockfish", 3, 7, "x");
    queue_on(f, "toga2", 3, 7, "y");
    queue_on(f, "fruit", 2, 1, "a");
    queue_on(f, "toga2", 2, 1, "b");
    queue_on(f, "stockfish", 2, 4, "c");
    assert_string_equal(take(f, 12), "ababccxyxyxy");
    assert_none(f);
}

/* Who queues for three programs has no more turns than who queues for one. */
static void test_owners_across_programs(void **state)
{
    struct ipr_db_fixture *f = *state;

    define_all(f);
    for (int i = 0; i < PROGRAMS; i++)
        queue_on(f, programs[i], 4, 5, "anna");
    queue_on(f, "toga2", 4, 5, "bert");
    assert_string_equal(take(f, 10), "ababababaa");
    queue_on(f, "stockfish", 2, 5, "carl"); /* beside those whose turn it is */
    assert_string_equal(take(f, 5), "acaca");
}

static void worker_lives(const char *engines)
{
    char sql[160];

    snprintf(sql, sizeof sql,
             "INSERT INTO worker (name, version, engines, tablebases, threads) "
             "VALUES ('host:1', '1', '%s', 0, 1)",
             engines);
    ipr_db_test_sql(sql);
}

/* What nobody can do holds nobody back, nor does it put those forward who come. */
static void test_program_that_rests(void **state)
{
    struct ipr_db_fixture *f = *state;
    struct ipr_db_queue_cursor cursor = { 0 };
    struct ipr_db_job job;

    define_all(f);
    define(f, "absent");
    worker_lives("{stockfish,toga2}");
    queue_on(f, "absent", 3, 5, "zoe");
    queue_on(f, "stockfish", 10, 5, "anna");
    for (int i = 0; i < 6; i++)
        assert_ok(ipr_db_job_claim(f->db, "stockfish", "w1", 60, &cursor, &job, &f->err), &f->err);
    queue_on(f, "toga2", 4, 5, "bert");
    assert_string_equal(take(f, 6), "ababab");
}

/* One program's jobs are far ahead of another's: who comes new to the latter does not wait for all
 * that is there. */
static void test_program_far_ahead(void **state)
{
    struct ipr_db_fixture *f = *state;

    define_all(f);
    queue_on(f, "stockfish", 20, 5, "anna");
    assert_string_equal(take(f, 1), "a");
    queue_on(f, "toga2", 1, 5, "zoe");
    ipr_db_test_sql("UPDATE job SET state = 'leased', place = 50000 WHERE owner = 'zoe'");
    queue_on(f, "stockfish", 1, 5, "bert");
    assert_int_equal(ipr_db_test_int("SELECT place FROM job WHERE owner = 'bert'"), 2);
}

/* Nothing is at work, and what waits longest is for a program that no living worker has. */
static void test_program_of_nobody(void **state)
{
    struct ipr_db_fixture *f = *state;

    define_all(f);
    define(f, "absent");
    queue_on(f, "absent", 1, 5, "zoe");
    queue_on(f, "stockfish", 3, 5, "anna");
    ipr_db_test_sql("UPDATE job SET place = place + 50000 WHERE owner = 'anna'");
    worker_lives("{stockfish}");
    queue_on(f, "stockfish", 1, 5, "bert");
    assert_int_equal(ipr_db_test_int("SELECT place - (SELECT min(place) FROM job WHERE "
                                     "owner = 'anna') FROM job WHERE owner = 'bert'"),
                     0);
}

/* However far its clients are, it is another queue. */
static void test_fishnet_is_apart(void **state)
{
    struct ipr_db_fixture *f = *state;

    define_all(f);
    queue_on(f, "fishnet", 50, 5, "anna");
    queue_on(f, "stockfish", 3, 5, "bert");
    queue_on(f, "toga2", 3, 5, "anna");
    assert_string_equal(take(f, 6), "bababa");
    assert_int_equal(ipr_db_test_int("SELECT max(place) FROM job WHERE program = 'fishnet'"), 50);
    queue_on(f, "fishnet", 1, 5, "bert");
    assert_int_equal(ipr_db_test_int("SELECT place FROM job WHERE owner = 'bert'"), 1);
}

/* A claim under way keeps nothing from others but what it takes. */
static enum ipr_code claim_within(struct ipr_db *db, void *arg, struct ipr_err *err)
{
    struct ipr_db_fixture *f = arg;
    struct ipr_db_queue_cursor cursor = { 0 };
    struct ipr_db *other = NULL;
    struct ipr_db_job first, job;
    struct claims c;

    (void)db; /* the fixture's */
    begin(&c);
    enum ipr_code rc = claim_any(f, &c, &first);
    assert_string_equal(first.program, "stockfish");
    if (rc == IPR_OK)
        rc = ipr_db_lease(f->pool, &other, err);
    if (rc == IPR_OK)
        rc = ipr_db_job_claim(other, "toga2", "w2", 60, &cursor, &job, err);
    if (rc == IPR_OK)
        assert_int_equal(ipr_db_test_int("SELECT min(id) FROM job WHERE program = 'toga2'"),
                         job.id);
    /* What is taken is passed over, although nobody can see yet that it is. */
    cursor = (struct ipr_db_queue_cursor){ 0 };
    if (rc == IPR_OK)
        rc = ipr_db_job_claim(other, "stockfish", "w2", 60, &cursor, &job, err);
    assert_int_equal(job.id, first.id + 1);
    ipr_db_return(&other);
    return rc;
}

static void test_claims_side_by_side(void **state)
{
    struct ipr_db_fixture *f = *state;

    define_all(f);
    queue_on(f, "stockfish", 2, 1, "anna");
    queue_on(f, "toga2", 2, 1, "anna");
    assert_ok(ipr_db_tx(f->db, claim_within, f, &f->err), &f->err);
    assert_state(f, 1, 3, 0);
}

/* More jobs than a claim looks at first are held by others: it comes to what is behind them. */
static enum ipr_code claim_behind(struct ipr_db *db, void *arg, struct ipr_err *err)
{
    struct ipr_db_fixture *f = arg;
    struct ipr_db_queue_cursor cursor = { 0 };
    struct ipr_db *other = NULL;
    struct ipr_db_job job = { 0 };
    enum ipr_code rc = IPR_OK;

    for (int i = 0; i < 20 && rc == IPR_OK; i++)
        rc = ipr_db_job_claim(db, "stockfish", "w1", 60, &cursor, &job, err);
    const int64_t last = job.id;
    cursor = (struct ipr_db_queue_cursor){ 0 };
    if (rc == IPR_OK)
        rc = ipr_db_lease(f->pool, &other, err);
    if (rc == IPR_OK)
        rc = ipr_db_job_claim(other, "stockfish", "w2", 60, &cursor, &job, err);
    if (rc == IPR_OK) {
        assert_int_equal(job.id, last + 1);
        assert_int_equal(cursor.id, last - 19); /* for these may come back */
        assert_int_equal(ipr_db_job_claim(other, "stockfish", "w2", 60, &cursor, &job, NULL),
                         IPR_ENOTFOUND);
    }
    ipr_db_return(&other);
    return rc;
}

static void test_many_are_held(void **state)
{
    struct ipr_db_fixture *f = *state;

    queue(f, 21, 5);
    assert_ok(ipr_db_tx(f->db, claim_behind, f, &f->err), &f->err);
    assert_state(f, 0, 21, 0);
}

/* Jobs of one program are not handed to those who have another. */
static void test_programs(void **state)
{
    struct ipr_db_fixture *f = *state;
    struct ipr_judge toga = ipr_sample_judge();
    struct ipr_db_queue_cursor cursor = { 0 };
    struct ipr_db_job job;
    int32_t queued;
    bool fresh;

    snprintf(toga.name, sizeof toga.name, "toga");
    snprintf(toga.program, sizeof toga.program, "toga2");
    assert_ok(ipr_db_definition_add(f->db, &toga, "anna", &fresh, &f->err), &f->err);
    const int64_t *ids = store(f, 1);
    assert_ok(ipr_db_jobs_enqueue(f->db, ids, 1, "toga", 5, "anna", &queued, &f->err), &f->err);
    assert_none(f);
    assert_ok(ipr_db_job_claim(f->db, "toga2", "w1", 60, &cursor, &job, &f->err), &f->err);
    assert_string_equal(job.judge, "toga");
    assert_int_equal(job.kind, IPR_JOB_JUDGE);
    /* Of the judge's first move the turns are known before a worker says so. */
    assert_int_equal(ipr_db_test_int("SELECT turns_total FROM job"), 24 - 16);
    assert_int_equal(ipr_db_jobs_enqueue(f->db, ids, 1, "nobody", 5, "a", &queued, &f->err),
                     IPR_ENOTFOUND);
    assert_string_equal(f->err.type, "no_such_judge");
    ipr_err_clear(&f->err);
}

/* ---- the cursor -------------------------------------------------------------------------------
 */

/* A claim moves the cursors of all programs to what is left, for they are all read. */
static void test_cursors(void **state)
{
    struct ipr_db_fixture *f = *state;
    struct ipr_db_job job;
    struct claims c;

    define_all(f);
    queue_on(f, "stockfish", 1, 5, "anna");
    queue_on(f, "toga2", 1, 6, "anna");
    begin(&c);
    assert_ok(claim_any(f, &c, &job), &f->err);
    assert_string_equal(job.program, "stockfish");
    assert_int_equal(c.cursor[0].id, job.id);
    assert_int_equal(c.cursor[1].id, job.id + 1);
    assert_int_equal(c.cursor[1].priority, 6);
    assert_int_equal(c.cursor[2].id, 0);
    for (int i = 0; i < PROGRAMS; i++)
        assert_true(c.cursor[i].anew_ms > 0);

    /* Behind its end a program is not read, until it is time or nothing else is there. */
    queue_on(f, "fruit", 2, 2, "bert");
    for (int i = 0; i < PROGRAMS; i++)
        c.cursor[i].anew_ms = INT64_MAX;
    assert_ok(claim_any(f, &c, &job), &f->err);
    assert_string_equal(job.program, "toga2");
    assert_ok(claim_any(f, &c, &job), &f->err);
    assert_string_equal(job.program, "fruit");
    queue_on(f, "stockfish", 1, 1, "carl");
    c.cursor[0].anew_ms = 0;
    assert_ok(claim_any(f, &c, &job), &f->err);
    assert_string_equal(job.program, "stockfish");
    assert_ok(claim_any(f, &c, &job), &f->err);
    assert_string_equal(job.program, "fruit");
    assert_int_equal(claim_any(f, &c, &job), IPR_ENOTFOUND);
    ipr_err_clear(&f->err);
    for (int i = 0; i < PROGRAMS; i++)
        assert_int_equal(c.cursor[i].id, 0);
}

/* It passes over what comes back ahead of it, but not for long, and not when it is all there is. */
static void test_cursor(void **state)
{
    struct ipr_db_fixture *f = *state;
    struct ipr_db_queue_cursor cursor = { 0 };
    struct ipr_db_job first, job;

    const int64_t *ids = queue(f, 4, 5);
    assert_ok(ipr_db_job_claim(f->db, "stockfish", "w1", 60, &cursor, &first, &f->err), &f->err);
    assert_int_equal(first.game_id, ids[0]);
    assert_ok(ipr_db_job_claim(f->db, "stockfish", "w1", 60, &cursor, &job, &f->err), &f->err);
    assert_int_equal(job.game_id, ids[1]);
    assert_ok(ipr_db_job_release(f->db, &first, &f->err), &f->err);

    cursor.anew_ms = INT64_MAX; /* however slow this machine is */
    assert_ok(ipr_db_job_claim(f->db, "stockfish", "w1", 60, &cursor, &job, &f->err), &f->err);
    assert_int_equal(job.game_id, ids[2]);
    cursor.anew_ms = 0; /* long ago */
    assert_ok(ipr_db_job_claim(f->db, "stockfish", "w1", 60, &cursor, &first, &f->err), &f->err);
    assert_int_equal(first.game_id, ids[0]);
    assert_true(cursor.anew_ms > 0);

    cursor.anew_ms = INT64_MAX;
    assert_ok(ipr_db_job_claim(f->db, "stockfish", "w1", 60, &cursor, &job, &f->err), &f->err);
    assert_int_equal(job.game_id, ids[3]);
    cursor.anew_ms = INT64_MAX;
    assert_ok(ipr_db_job_release(f->db, &first, &f->err), &f->err);
    assert_ok(ipr_db_job_claim(f->db, "stockfish", "w1", 60, &cursor, &job, &f->err), &f->err);
    assert_int_equal(job.game_id, ids[0]);
    assert_int_equal(ipr_db_job_claim(f->db, "stockfish", "w1", 60, &cursor, &job, &f->err),
                     IPR_ENOTFOUND);
    ipr_err_clear(&f->err);
}

/* What has been found empty is not read until it is time; what else there is, is. */
static void test_found_empty(void **state)
{
    struct ipr_db_fixture *f = *state;
    struct ipr_db_job job;
    struct claims c;

    define_all(f);
    queue_on(f, "stockfish", 1, 1, "anna");
    queue_on(f, "toga2", 1, 5, "anna");
    begin(&c);
    c.cursor[0].priority = INT16_MAX;
    c.cursor[0].anew_ms = INT64_MAX;
    c.cursor[0].empty = true;
    assert_ok(claim_any(f, &c, &job), &f->err);
    assert_string_equal(job.program, "toga2");
    assert_int_equal(claim_any(f, &c, &job), IPR_ENOTFOUND);
    ipr_err_clear(&f->err);
    assert_true(c.cursor[0].empty);
    assert_true(c.cursor[0].anew_ms == INT64_MAX);
    c.cursor[0].anew_ms = 1; /* long ago */
    assert_ok(claim_any(f, &c, &job), &f->err);
    assert_string_equal(job.program, "stockfish");
    assert_false(c.cursor[0].empty);
}

/* Where it takes long to find nothing, it is not done at every claim. */
static void test_slow_to_find_nothing(void **state)
{
    struct ipr_db_fixture *f = *state;
    struct ipr_db_queue_cursor cursor = { 0 };
    struct ipr_db_pool *pool = NULL;
    struct ipr_db *db = NULL;
    struct ipr_db_job job;

    queue(f, 1, 5);
    /* It is for another worker, and to see that there is one takes 200 ms. */
    ipr_db_test_sql("UPDATE job SET last_worker = 'w1', run_at = now() + interval '-1 second';"
                    "INSERT INTO worker (name, version, engines, tablebases, threads, seen)"
                    " VALUES ('w2', '1', '{stockfish}', 0, 1, now() + interval '1 hour');"
                    "ALTER TABLE worker RENAME TO there;"
                    "CREATE VIEW worker AS SELECT * FROM there WHERE pg_sleep(0.2) IS NOT NULL");
    assert_ok(ipr_db_pool_open(f->url, 1, &pool, &f->err), &f->err);
    assert_ok(ipr_db_lease(pool, &db, &f->err), &f->err);
    assert_int_equal(ipr_db_job_claim(db, "stockfish", "w1", 60, &cursor, &job, NULL),
                     IPR_ENOTFOUND);
    assert_true(cursor.empty);
    assert_true(cursor.anew_ms > 0);
    cursor.anew_ms = INT64_MAX; /* however slow this machine is */
    ipr_db_test_sql("DELETE FROM there");
    assert_int_equal(ipr_db_job_claim(db, "stockfish", "w1", 60, &cursor, &job, NULL),
                     IPR_ENOTFOUND);
    cursor.anew_ms = 1; /* long ago */
    assert_ok(ipr_db_job_claim(db, "stockfish", "w1", 60, &cursor, &job, &f->err), &f->err);
    ipr_db_return(&db);
    ipr_db_pool_close(&pool);
}

/* Judges that the claimer leaves alone, until it does not. */
static void test_without(void **state)
{
    static const char *const without[] = { "wide", "it's {\"odd\"}", "sample" };
    struct ipr_db_fixture *f = *state;
    struct ipr_judge other = ipr_sample_judge();
    struct ipr_db_queue_cursor cursor = { .without = without, .n_without = 3 };
    struct ipr_db_job job;
    int32_t queued;
    bool fresh;

    snprintf(other.name, sizeof other.name, "other");
    assert_ok(ipr_db_definition_add(f->db, &other, "anna", &fresh, &f->err), &f->err);
    const int64_t *ids = queue(f, 2, 5); /* for "sample" */
    assert_ok(ipr_db_jobs_enqueue(f->db, ids, 1, "other", 5, "anna", &queued, &f->err), &f->err);
    assert_ok(ipr_db_job_claim(f->db, "stockfish", "w1", 60, &cursor, &job, &f->err), &f->err);
    assert_string_equal(job.judge, "other");
    assert_int_equal(ipr_db_job_claim(f->db, "stockfish", "w1", 60, &cursor, &job, &f->err),
                     IPR_ENOTFOUND);
    ipr_err_clear(&f->err);
    cursor.n_without = 2;
    cursor.anew_ms = 0; /* however long it took to find nothing */
    assert_ok(ipr_db_job_claim(f->db, "stockfish", "w1", 60, &cursor, &job, &f->err), &f->err);
    assert_string_equal(job.judge, "sample");
    assert_int_equal(job.game_id, ids[0]);
}

/* ---- who failed with it -----------------------------------------------------------------------
 */

static void beat(struct ipr_db_fixture *f, const char *name, int threads)
{
    const struct ipr_db_worker w = {
        .name = name, .version = "1", .engines = "stockfish toga2", .threads = threads
    };

    assert_ok(ipr_db_worker_beat(f->db, &w, &f->err), &f->err);
}

/* Another one gets it first, if there is another one. */
static void test_another_worker(void **state)
{
    struct ipr_db_fixture *f = *state;
    struct ipr_db_job job = { 0 };

    queue(f, 1, 5);
    beat(f, "host:1", 2); /* two engines, one process: it claims under one name */
    assert_ok(try_claim(f, "host:1", &job), &f->err);
    assert_ok(ipr_db_job_fail(f->db, &job, "it died", &f->err), &f->err);
    ipr_db_test_sql("UPDATE job SET run_at = now()");
    /* Nobody else: the same one. */
    assert_ok(try_claim(f, "host:1", &job), &f->err);
    assert_ok(ipr_db_job_fail(f->db, &job, "it died", &f->err), &f->err);
    ipr_db_test_sql("UPDATE job SET run_at = now()");

    beat(f, "host:12", 0); /* nor one without engines */
    assert_ok(try_claim(f, "host:1", &job), &f->err);
    assert_ok(ipr_db_job_release(f->db, &job, &f->err), &f->err);
    beat(f, "host:12", 1);
    assert_int_equal(try_claim(f, "host:1", &job), IPR_ENOTFOUND);
    ipr_err_clear(&f->err);
    assert_ok(try_claim(f, "host:12", &job), &f->err);
    assert_ok(ipr_db_job_release(f->db, &job, &f->err), &f->err);
    ipr_db_test_sql("UPDATE worker SET seen = now() - interval '2 minutes' WHERE name = 'host:12'");
    assert_ok(try_claim(f, "host:1", &job), &f->err);
    assert_ok(ipr_db_job_release(f->db, &job, &f->err), &f->err);

    beat(f, "host:12", 1);
    assert_int_equal(try_claim(f, "host:1", &job), IPR_ENOTFOUND);
    ipr_err_clear(&f->err);
    /* Not for ever. */
    ipr_db_test_sql("UPDATE job SET run_at = now() - interval '11 seconds'");
    assert_ok(try_claim(f, "host:1", &job), &f->err);
}

/* ---- sides ------------------------------------------------------------------------------------
 */

static int64_t turns_waiting(void)
{
    return ipr_db_test_int("SELECT coalesce(sum(turns), 0) FROM job_total WHERE state = 'ready'");
}

/* Requests for one game are one job, for the sides of all of them; of 24 half-moves 8 count. */
static void test_sides_of_two_requests(void **state)
{
    struct ipr_db_fixture *f = *state;
    const int64_t game = *store(f, 1);

    assert_int_equal(enqueue_sides(f, game, 1, "sample"), 1);
    assert_int_equal(turns_waiting(), 4);
    assert_int_equal(enqueue_sides(f, game, 1, "sample"), 0);
    assert_int_equal(enqueue_sides(f, game, 2, "sample"), 1);
    assert_int_equal(turns_waiting(), 8);
    assert_int_equal(enqueue(f, &game, 1, 5, "anna"), 0);
    const struct ipr_db_job job = claim(f);
    assert_int_equal(job.sides, 3);
    assert_none(f);
    assert_ok(ipr_db_job_complete(f->db, &job, &f->err), &f->err);
    assert_state(f, 0, 0, 0);
}

/* The worker does what it was given; the rest is another job's work, with attempts of its own. */
static void test_side_requested_meanwhile(void **state)
{
    struct ipr_db_fixture *f = *state;
    const int64_t game = *store(f, 1);

    assert_int_equal(enqueue_sides(f, game, 2, "sample"), 1);
    const struct ipr_db_job black = claim(f);
    assert_int_equal(black.sides, 2);
    assert_int_equal(enqueue_sides(f, game, 1, "sample"), 1);
    assert_state(f, 0, 1, 0);
    assert_ok(ipr_db_job_complete(f->db, &black, &f->err), &f->err);
    assert_state(f, 1, 0, 0);
    assert_int_equal(turns_waiting(), 4);
    assert_int_equal(ipr_db_job_complete(f->db, &black, &f->err), IPR_ECONFLICT);
    ipr_err_clear(&f->err);
    const struct ipr_db_job white = claim(f);
    assert_int_equal(white.sides, 1);
    assert_int_equal(white.attempts, 1);
    assert_ok(ipr_db_job_complete(f->db, &white, &f->err), &f->err);
    assert_state(f, 0, 0, 0);
}

struct asker {
    pthread_t thread;
    struct ipr_db_pool *pool;
    struct ipr_db_job done;
    enum ipr_code rc;
};

static enum ipr_code ask_for_white(struct ipr_db *db, void *arg, struct ipr_err *err)
{
    const struct asker *a = arg;
    const int32_t white = 1;
    int32_t queued = -1;

    return ipr_db_jobs_enqueue_sides(db, &a->done.game_id, &white, 1, "sample", 5, "local", &queued,
                                     err);
}

static void *ask(void *arg)
{
    struct asker *a = arg;
    struct ipr_db *db = NULL;

    a->rc = ipr_db_lease(a->pool, &db, NULL);
    if (a->rc == IPR_OK)
        a->rc = ipr_db_tx(db, ask_for_white, a, NULL);
    ipr_db_return(&db);
    return NULL;
}

/* Ends when the other connection waits for it. */
static enum ipr_code complete_while_asked(struct ipr_db *db, void *arg, struct ipr_err *err)
{
    struct asker *a = arg;
    const enum ipr_code rc = ipr_db_job_complete(db, &a->done, err);

    if (rc != IPR_OK)
        return rc;
    assert_int_equal(pthread_create(&a->thread, NULL, ask, a), 0);
    while (ipr_db_test_int("SELECT count(*) FROM pg_stat_activity WHERE datname = "
                           "current_database() AND wait_event_type = 'Lock'") == 0)
        usleep(1000);
    return IPR_OK;
}

/* The request sees the job of the other side, which is gone when it may change it. */
static void test_side_requested_at_the_end(void **state)
{
    struct ipr_db_fixture *f = *state;
    const int64_t game = *store(f, 1);
    struct asker a = { .pool = f->pool };

    assert_int_equal(enqueue_sides(f, game, 2, "sample"), 1);
    a.done = claim(f);
    assert_ok(ipr_db_tx(f->db, complete_while_asked, &a, &f->err), &f->err);
    pthread_join(a.thread, NULL);
    assert_int_equal(a.rc, IPR_OK);
    assert_int_equal(claim(f).sides, 1);
}

/* The last attempt was one at the other side. */
static void test_side_requested_before_failure(void **state)
{
    struct ipr_db_fixture *f = *state;
    const int64_t game = *store(f, 1);

    assert_int_equal(enqueue_sides(f, game, 1, "sample"), 1);
    ipr_db_test_sql("UPDATE job SET attempts = max_attempts - 1");
    const struct ipr_db_job white = claim(f);
    assert_int_equal(enqueue_sides(f, game, 2, "sample"), 1);
    assert_ok(ipr_db_job_fail(f->db, &white, "it died", &f->err), &f->err);
    assert_state(f, 1, 0, 0);
    assert_int_equal(turns_waiting(), 8);
    ipr_db_test_sql("UPDATE job SET run_at = now()");
    const struct ipr_db_job both = claim(f);
    assert_int_equal(both.sides, 3);
    assert_int_equal(both.attempts, 1);
}

static void test_failed_side(void **state)
{
    struct ipr_db_fixture *f = *state;
    const int64_t game = *store(f, 1);

    assert_int_equal(enqueue_sides(f, game, 2, "sample"), 1);
    ipr_db_test_sql("UPDATE job SET state = 'failed', attempts = 3");
    assert_int_equal(enqueue_sides(f, game, 1, "sample"), 1);
    assert_int_equal(turns_waiting(), 8);
    assert_int_equal(claim(f).sides, 3);
}

/* What is judged is not queued again, unless both sides have to be of one engine, or depend on each
 * other. */
static void test_judged_side_is_not_queued(void **state)
{
    struct ipr_db_fixture *f = *state;
    const int64_t id = *store(f, 1);
    struct ipr_judge judge = ipr_sample_judge();
    struct ipr_db_game game;

    assert_ok(ipr_db_game_get(f->db, id, &f->mem, &game, &f->err), &f->err);
    const struct ipr_judged_game all = ipr_sample_judgement(&f->mem, &judge, &game, 1);
    ipr_sample_judged(f->db, ipr_sample_judge_id(f->db), &game, &all, 1);
    assert_int_equal(enqueue_sides(f, id, 1, "sample"), 0);
    assert_int_equal(enqueue_sides(f, id, 3, "sample"), 1);
    assert_int_equal(turns_waiting(), 4);
    ipr_db_test_sql("DELETE FROM job");
    assert_int_equal(enqueue_sides(f, id, 1, "fishnet"), 1);
    assert_int_equal(enqueue_sides(f, id, 1, "alliot"), 1);
    assert_int_equal(ipr_db_test_int("SELECT count(*) FROM job WHERE sides = 3"), 2);
}

/* ---- other people's work ----------------------------------------------------------------------
 */

static void test_check(void **state)
{
    struct ipr_db_fixture *f = *state;
    const int64_t *ids = store(f, 1);
    struct ipr_db_job job, held;

    assert_ok(ipr_db_job_add_check(f->db, ids[0], "fishnet", &f->err), &f->err);
    assert_ok(ipr_db_job_add_check(f->db, ids[0], "fishnet", &f->err), &f->err);
    job = claim(f);
    assert_int_equal(job.kind, IPR_JOB_CHECK);
    assert_string_equal(job.judge, "fishnet");
    assert_none(f);
    assert_ok(ipr_db_job_held(f->db, job.id, job.token, &held, &f->err), &f->err);
    assert_int_equal(held.game_id, ids[0]);
    assert_int_equal(held.kind, IPR_JOB_CHECK);
    assert_int_equal(held.token, job.token);
    assert_int_equal(ipr_db_job_held(f->db, job.id, job.token + 1, &held, &f->err), IPR_ECONFLICT);
    ipr_err_clear(&f->err);
    assert_ok(ipr_db_job_complete(f->db, &job, &f->err), &f->err);
    assert_int_equal(ipr_db_job_held(f->db, job.id, job.token, &held, NULL), IPR_ECONFLICT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_life, ipr_db_fixture_setup, ipr_db_fixture_teardown),
        cmocka_unit_test_setup_teardown(test_order, ipr_db_fixture_setup, ipr_db_fixture_teardown),
        cmocka_unit_test_setup_teardown(test_fail, ipr_db_fixture_setup, ipr_db_fixture_teardown),
        cmocka_unit_test_setup_teardown(test_release, ipr_db_fixture_setup,
                                        ipr_db_fixture_teardown),
        cmocka_unit_test_setup_teardown(test_fencing, ipr_db_fixture_setup,
                                        ipr_db_fixture_teardown),
        cmocka_unit_test_setup_teardown(test_sweep_gives_up, ipr_db_fixture_setup,
                                        ipr_db_fixture_teardown),
        cmocka_unit_test_setup_teardown(test_two_claimers, ipr_db_fixture_setup,
                                        ipr_db_fixture_teardown),
        cmocka_unit_test_setup_teardown(test_owners_alternate, ipr_db_fixture_setup,
                                        ipr_db_fixture_teardown),
        cmocka_unit_test_setup_teardown(test_late_joiner, ipr_db_fixture_setup,
                                        ipr_db_fixture_teardown),
        cmocka_unit_test_setup_teardown(test_piece_by_piece, ipr_db_fixture_setup,
                                        ipr_db_fixture_teardown),
        cmocka_unit_test_setup_teardown(test_priorities_are_strict, ipr_db_fixture_setup,
                                        ipr_db_fixture_teardown),
        cmocka_unit_test_setup_teardown(test_programs, ipr_db_fixture_setup,
                                        ipr_db_fixture_teardown),
        cmocka_unit_test_setup_teardown(test_priorities_across_programs, ipr_db_fixture_setup,
                                        ipr_db_fixture_teardown),
        cmocka_unit_test_setup_teardown(test_owners_across_programs, ipr_db_fixture_setup,
                                        ipr_db_fixture_teardown),
        cmocka_unit_test_setup_teardown(test_program_that_rests, ipr_db_fixture_setup,
                                        ipr_db_fixture_teardown),
        cmocka_unit_test_setup_teardown(test_program_far_ahead, ipr_db_fixture_setup,
                                        ipr_db_fixture_teardown),
        cmocka_unit_test_setup_teardown(test_program_of_nobody, ipr_db_fixture_setup,
                                        ipr_db_fixture_teardown),
        cmocka_unit_test_setup_teardown(test_fishnet_is_apart, ipr_db_fixture_setup,
                                        ipr_db_fixture_teardown),
        cmocka_unit_test_setup_teardown(test_claims_side_by_side, ipr_db_fixture_setup,
                                        ipr_db_fixture_teardown),
        cmocka_unit_test_setup_teardown(test_many_are_held, ipr_db_fixture_setup,
                                        ipr_db_fixture_teardown),
        cmocka_unit_test_setup_teardown(test_cursors, ipr_db_fixture_setup,
                                        ipr_db_fixture_teardown),
        cmocka_unit_test_setup_teardown(test_found_empty, ipr_db_fixture_setup,
                                        ipr_db_fixture_teardown),
        cmocka_unit_test_setup_teardown(test_slow_to_find_nothing, ipr_db_fixture_setup,
                                        ipr_db_fixture_teardown),
        cmocka_unit_test_setup_teardown(test_cursor, ipr_db_fixture_setup, ipr_db_fixture_teardown),
        cmocka_unit_test_setup_teardown(test_without, ipr_db_fixture_setup,
                                        ipr_db_fixture_teardown),
        cmocka_unit_test_setup_teardown(test_another_worker, ipr_db_fixture_setup,
                                        ipr_db_fixture_teardown),
        cmocka_unit_test_setup_teardown(test_sides_of_two_requests, ipr_db_fixture_setup,
                                        ipr_db_fixture_teardown),
        cmocka_unit_test_setup_teardown(test_side_requested_meanwhile, ipr_db_fixture_setup,
                                        ipr_db_fixture_teardown),
        cmocka_unit_test_setup_teardown(test_side_requested_at_the_end, ipr_db_fixture_setup,
                                        ipr_db_fixture_teardown),
        cmocka_unit_test_setup_teardown(test_side_requested_before_failure, ipr_db_fixture_setup,
                                        ipr_db_fixture_teardown),
        cmocka_unit_test_setup_teardown(test_failed_side, ipr_db_fixture_setup,
                                        ipr_db_fixture_teardown),
        cmocka_unit_test_setup_teardown(test_judged_side_is_not_queued, ipr_db_fixture_setup,
                                        ipr_db_fixture_teardown),
        cmocka_unit_test_setup_teardown(test_check, ipr_db_fixture_setup, ipr_db_fixture_teardown),
        cmocka_unit_test_setup_teardown(test_judged_is_not_queued, ipr_db_fixture_setup,
                                        ipr_db_fixture_teardown),
    };

    return cmocka_run_group_tests_name("jobs", tests, NULL, NULL);
}
