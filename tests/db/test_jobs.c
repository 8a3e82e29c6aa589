#include "db/jobs.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "db/judges.h"
#include "db/turns.h"
#include "ipr_db_sample.h"
#include "ipr_db_test.h"
#include "ipr_test.h"

/* n games in the database, queued for "sample". */
static int64_t *queue(struct ipr_db_fixture *f, unsigned n, int priority)
{
    static unsigned seed;
    struct ipr_db_new_game *g = ipr_arena_alloc(&f->mem, n, sizeof *g);
    int64_t *ids = ipr_arena_alloc(&f->mem, n, sizeof *ids);
    int32_t queued = -1;

    for (unsigned i = 0; i < n; i++)
        g[i] = ipr_sample_game(&f->mem, ++seed, "a", "b", 2001, 24);
    ipr_sample_store(f->db, g, n, "sample");
    for (unsigned i = 0; i < n; i++)
        ids[i] = g[i].id;
    assert_ok(ipr_db_jobs_enqueue(f->db, ids, n, "sample", priority, &queued, &f->err), &f->err);
    assert_int_equal(queued, n);
    return ids;
}

static void assert_state(struct ipr_db_fixture *f, int64_t ready, int64_t leased, int64_t failed)
{
    struct ipr_db_queue q = { 0 };

    assert_ok(ipr_db_queue_state(f->db, &q, &f->err), &f->err);
    assert_int_equal(q.ready, ready);
    assert_int_equal(q.leased, leased);
    assert_int_equal(q.failed, failed);
}

static struct ipr_db_job claim(struct ipr_db_fixture *f)
{
    struct ipr_db_job job = { 0 };

    assert_ok(ipr_db_job_claim(f->db, "w1", 60, &job, &f->err), &f->err);
    return job;
}

static void assert_none(struct ipr_db_fixture *f)
{
    struct ipr_db_job job = { 0 };

    assert_int_equal(ipr_db_job_claim(f->db, "w1", 60, &job, &f->err), IPR_ENOTFOUND);
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
    int32_t queued = -1;

    for (int i = 1; i <= 3; i++) {
        const struct ipr_db_job job = claim(f);

        assert_int_equal(job.attempts, i);
        assert_ok(ipr_db_job_fail(f->db, &job, "engine died", &f->err), &f->err);
        assert_none(f); /* not before its time */
        if (i < 3) {
            const double wait =
                strtod(ipr_db_test_sql("SELECT extract(epoch FROM run_at - now()) FROM job"), NULL);
            assert_close(wait, i == 1 ? 1.0 : 4.0, 0.9);
        }
        ipr_db_test_sql("UPDATE job SET run_at = now() - interval '1 second'");
    }
    assert_state(f, 0, 0, 1);
    assert_string_equal(ipr_db_test_sql("SELECT last_error FROM job"), "engine died");

    /* Asked for again: from the beginning. One that is there keeps its place. */
    assert_ok(ipr_db_jobs_enqueue(f->db, ids, 1, "sample", 5, &queued, &f->err), &f->err);
    assert_int_equal(queued, 1);
    assert_ok(ipr_db_jobs_enqueue(f->db, ids, 1, "sample", 1, &queued, &f->err), &f->err);
    assert_int_equal(queued, 0);
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
    struct ipr_db *db = NULL;
    struct ipr_db_job job;

    c->rc = ipr_db_lease(c->pool, &db, NULL);
    while (c->rc == IPR_OK && c->n < 400) {
        c->rc = ipr_db_job_claim(db, "w", 60, &job, NULL);
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
    int32_t judge_id = 0, queued = -1;

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
        assert_ok(ipr_db_jobs_enqueue(f->db, twice, 3, "sample", 5, &queued, &f->err), &f->err);
        assert_int_equal(queued, colour == 0 ? 2 : 1);
        ipr_db_test_sql("DELETE FROM job");
    }
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
        cmocka_unit_test_setup_teardown(test_judged_is_not_queued, ipr_db_fixture_setup,
                                        ipr_db_fixture_teardown),
    };

    return cmocka_run_group_tests_name("jobs", tests, NULL, NULL);
}
