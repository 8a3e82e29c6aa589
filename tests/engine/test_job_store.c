// What is stored of an assignment, and that nothing is stored after its lease was lost.
#include "ipr_db_sample.h"
#include "ipr_db_test.h"
#include "ipr_test.h"

#include <stdio.h>
#include <stdlib.h>

#include <libpq-fe.h>
#include <pthread.h>
#include <unistd.h>

#include "engine/job_store.h"

struct fixture {
    struct ipr_db_fixture *db;
    struct ipr_config config;
    struct ipr_job_store one, other; /* two processes, so to speak */
    int64_t game;
};

static struct ipr_err err = IPR_ERR_INIT;

static int set_up(void **state)
{
    struct fixture *f = ipr_xcalloc(1, sizeof *f);

    if (ipr_db_fixture_setup(state) != 0)
        return -1;
    f->db = *state;
    f->config = (struct ipr_config){ .database_url = f->db->url, .lease_s = 20, .hash_mb = 0 };
    assert_ok(ipr_job_store_open(&f->one, &f->config, &err), &err);
    assert_ok(ipr_job_store_open(&f->other, &f->config, &err), &err);
    snprintf(f->other.name, sizeof f->other.name, "elsewhere:1");
    struct ipr_db_new_game game = ipr_sample_game(&f->db->mem, 1, "Alpha, A", "Beta, B", 1990, 24);
    ipr_sample_store(f->db->db, &game, 1, "quick");
    f->game = game.id;
    int32_t queued = 0;
    assert_ok(ipr_db_jobs_enqueue(f->db->db, &f->game, 1, "quick", 5, "local", &queued, &err),
              &err);
    assert_int_equal(queued, 1);
    *state = f;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *f = *state;

    ipr_job_store_close(&f->one);
    ipr_job_store_close(&f->other);
    *state = f->db;
    free(f);
    return ipr_db_fixture_teardown(state);
}

/* Claimed, loaded, and judged after a fashion. */
static struct ipr_assignment *claim(const struct fixture *f, const struct ipr_job_store *l)
{
    struct ipr_db_queue_cursor cursor = { 0 };
    const struct ipr_db_queue_line line = { "stockfish", &cursor };
    struct ipr_db_job job;

    assert_ok(ipr_job_store_claim(l, &line, 1, &job, &err), &err);
    assert_int_equal(job.game_id, f->game);
    struct ipr_assignment *a = ipr_assignment_new(&job);
    assert_ok(ipr_job_store_load(l, a, &err), &err);
    assert_string_equal(a->definition.name, "quick");
    a->judge = a->definition;
    snprintf(a->judge.engine, sizeof a->judge.engine, "An engine 1.0");
    a->judged = ipr_sample_judgement(&a->mem, &a->judge, &a->game, 1);
    a->state = IPR_ASSIGNMENT_JUDGED;
    return a;
}

static bool nobody_has_it(const struct fixture *f, const struct ipr_job_store *l)
{
    struct ipr_db_queue_cursor cursor = { 0 };
    const struct ipr_db_queue_line line = { "stockfish", &cursor };
    struct ipr_db_job job;
    struct ipr_err none = IPR_ERR_INIT;

    (void)f;
    return ipr_job_store_claim(l, &line, 1, &job, &none) == IPR_ENOTFOUND;
}

/* As time does it: the lease runs out, the sweeper comes by, and another claims. */
static void silence(const struct fixture *f)
{
    int32_t expired = 0;

    ipr_db_test_sql("UPDATE job SET lease_until = now() - interval '1 second'");
    assert_ok(ipr_job_store_sweep(&f->other, &expired, &err), &err);
    assert_int_equal(expired, 1);
    ipr_db_test_sql("UPDATE job SET run_at = now(), last_worker = NULL");
}

static enum ipr_code code_of(enum ipr_code rc)
{
    ipr_err_clear(&err);
    return rc;
}

static void test_stored_once(void **state)
{
    struct fixture *f = *state;
    struct ipr_assignment *a = claim(f, &f->one);

    assert_true(nobody_has_it(f, &f->other)); /* it is taken */
    assert_ok(ipr_job_store_renew(&f->one, a, &err), &err);
    assert_ok(ipr_job_store_complete(&f->one, a, &err), &err);
    assert_int_equal(ipr_db_test_int("SELECT count(*) FROM judged_side"), 2);
    assert_int_equal(ipr_db_test_int("SELECT count(*) FROM turn"), 8);
    assert_int_equal(ipr_db_test_int("SELECT count(*) FROM job"), 0);
    assert_int_equal(code_of(ipr_job_store_complete(&f->one, a, &err)), IPR_ECONFLICT);
    assert_int_equal(code_of(ipr_job_store_renew(&f->one, a, &err)), IPR_ECONFLICT);
    assert_int_equal(ipr_db_test_int("SELECT sum(sides) FROM judge_total"), 2);
    ipr_assignment_free(&a);
}

static void test_late_result(void **state)
{
    struct fixture *f = *state;
    struct ipr_assignment *late = claim(f, &f->one), *a;

    silence(f);
    a = claim(f, &f->other);
    assert_int_not_equal(a->job.token, late->job.token);
    assert_int_equal(code_of(ipr_job_store_renew(&f->one, late, &err)), IPR_ECONFLICT);
    assert_int_equal(code_of(ipr_job_store_complete(&f->one, late, &err)), IPR_ECONFLICT);
    assert_int_equal(ipr_db_test_int("SELECT count(*) FROM turn"), 0);
    assert_int_equal(ipr_db_test_int("SELECT count(*) FROM judge_total"), 0);
    assert_int_equal(code_of(ipr_job_store_fail(&f->one, late, &err)), IPR_ECONFLICT);
    assert_int_equal(code_of(ipr_job_store_release(&f->one, late, &err)), IPR_ECONFLICT);
    assert_ok(ipr_job_store_complete(&f->other, a, &err), &err);
    assert_string_equal(ipr_db_test_sql("SELECT DISTINCT source FROM judged_side"), "elsewhere:1");
    assert_int_equal(code_of(ipr_job_store_complete(&f->one, late, &err)), IPR_ECONFLICT);
    assert_int_equal(ipr_db_test_int("SELECT count(*) FROM turn"), 8);
    ipr_assignment_free(&late);
    ipr_assignment_free(&a);
}

static void test_given_back(void **state)
{
    struct fixture *f = *state;
    struct ipr_assignment *a = claim(f, &f->one);

    assert_int_equal(ipr_db_test_int("SELECT attempts FROM job"), 1);
    assert_ok(ipr_job_store_release(&f->one, a, &err), &err);
    assert_int_equal(ipr_db_test_int("SELECT attempts FROM job WHERE state = 'ready'"), 0);
    ipr_assignment_free(&a);

    a = claim(f, &f->one);
    ipr_err_at(&a->why, IPR_EIO, "engine_died", 0, 0, 0, "signal 11");
    assert_ok(ipr_job_store_fail(&f->one, a, &err), &err);
    assert_int_equal(ipr_db_test_int("SELECT attempts FROM job WHERE state = 'ready'"), 1);
    assert_string_equal(
        ipr_db_test_sql("SELECT last_error FROM job"),
        "at ply 0 (rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1): signal 11");
    ipr_assignment_free(&a);
}

static void test_what_is_not_there(void **state)
{
    struct fixture *f = *state;
    struct ipr_assignment *a = claim(f, &f->one);
    struct ipr_judge judge;

    assert_int_equal(code_of(ipr_job_store_definition(&f->one, "oracle", &judge, &err)),
                     IPR_ENOTFOUND);
    ipr_db_test_sql("DELETE FROM game");
    assert_int_equal(code_of(ipr_job_store_complete(&f->one, a, &err)), IPR_ENOTFOUND);
    assert_int_equal(code_of(ipr_job_store_renew(&f->one, a, &err)), IPR_ECONFLICT);
    ipr_assignment_free(&a);
}

/* An import may hold a job or a game for minutes; other games' leases must not run out over it. */
static void test_locked_by_others(void **state)
{
    struct fixture *f = *state;
    struct ipr_assignment *a = claim(f, &f->one);
    PGconn *import = PQconnectdb(f->db->url);

    PQclear(PQexec(import, "BEGIN"));
    PGresult *res = PQexec(import, "SELECT FROM job JOIN game ON true FOR UPDATE");
    assert_int_equal(PQntuples(res), 1);
    PQclear(res);
    assert_int_equal(code_of(ipr_job_store_renew(&f->one, a, &err)), IPR_ERETRY);
    assert_int_equal(code_of(ipr_job_store_complete(&f->one, a, &err)), IPR_ERETRY);
    PQclear(PQexec(import, "COMMIT"));
    PQfinish(import);
    assert_ok(ipr_job_store_renew(&f->one, a, &err), &err);
    assert_ok(ipr_job_store_complete(&f->one, a, &err), &err);
    assert_int_equal(ipr_db_test_int("SELECT count(*) FROM turn"), 8);
    ipr_assignment_free(&a);
}

/* A check of the game, judged under the key "a"; it is not run, which is no pass. */
static struct ipr_assignment *claim_check(struct fixture *f)
{
    struct ipr_db_queue_cursor cursor = { 0 };
    const struct ipr_db_queue_line line = { "stockfish", &cursor };
    struct ipr_assignment *a = claim(f, &f->one);
    struct ipr_db_job job;

    assert_ok(ipr_job_store_complete(&f->one, a, &err), &err);
    ipr_assignment_free(&a);
    ipr_db_test_sql("INSERT INTO token (name, kind, digest) VALUES ('a', 'fishnet', "
                    "decode(repeat('01', 32), 'hex'))");
    ipr_db_test_sql("INSERT INTO remote_check (game_id, judge_id, token_id) SELECT DISTINCT "
                    "s.game_id, s.judge_id, t.id FROM judged_side AS s CROSS JOIN token AS t");
    assert_ok(ipr_db_job_add_check(f->db->db, f->game, "quick", &err), &err);
    assert_ok(ipr_job_store_claim(&f->one, &line, 1, &job, &err), &err);
    assert_int_equal(job.kind, IPR_JOB_CHECK);
    a = ipr_assignment_new(&job);
    assert_ok(ipr_job_store_load(&f->one, a, &err), &err);
    a->state = IPR_ASSIGNMENT_JUDGED;
    return a;
}

struct storing {
    const struct ipr_job_store *job_store;
    struct ipr_assignment *a;
    enum ipr_code rc;
    struct ipr_err err;
};

static void *store_check(void *arg)
{
    struct storing *s = arg;

    s->rc = ipr_job_store_complete(s->job_store, s->a, &s->err);
    return NULL;
}

/* Who waits for the key has its job locked already: a sweep, which takes keys after jobs, passes
 * over it and waits for nobody. */
static void test_check_locks_job_before_key(void **state)
{
    struct fixture *f = *state;
    struct storing s = { .job_store = &f->one, .a = NULL };
    PGconn *sweep = PQconnectdb(f->db->url);
    pthread_t thread;

    f->config.lease_s = 600;
    s.a = claim_check(f);
    PQclear(PQexec(sweep, "BEGIN"));
    PQclear(PQexec(sweep, "SELECT FROM token FOR NO KEY UPDATE"));
    assert_int_equal(pthread_create(&thread, NULL, store_check, &s), 0);
    while (ipr_db_test_int("SELECT count(*) FROM pg_stat_activity WHERE datname = "
                           "current_database() AND wait_event_type = 'Lock'") == 0)
        usleep(10000);
    PGresult *res = PQexec(sweep, "SELECT FROM job FOR UPDATE SKIP LOCKED");
    const int unlocked = PQntuples(res);
    PQclear(res);
    PQclear(PQexec(sweep, "COMMIT"));
    PQfinish(sweep);
    (void)pthread_join(thread, NULL);
    assert_int_equal(unlocked, 0);
    assert_ok(s.rc, &s.err);
    assert_int_equal(ipr_db_test_int("SELECT checked FROM token"), 1);
    assert_int_equal(ipr_db_test_int("SELECT count(*) FROM job WHERE kind = 'check'"), 0);
    ipr_assignment_free(&s.a);
}

static void test_hash_of_the_operator(void **state)
{
    struct fixture *f = *state;
    struct ipr_judge judge;

    assert_ok(ipr_job_store_definition(&f->one, "standard", &judge, &err), &err);
    assert_int_equal(judge.hash_mb, 16);
    f->config.hash_mb = 64;
    assert_ok(ipr_job_store_definition(&f->one, "standard", &judge, &err), &err);
    assert_int_equal(judge.hash_mb, 64);
}

static void test_register(void **state)
{
    struct fixture *f = *state;
    const struct ipr_db_worker w = {
        .name = f->one.name, .version = "1", .engines = "stockfish toga2", .threads = 3, .games = 5
    };

    assert_ok(ipr_job_store_register(&f->one, &w, &err), &err);
    assert_int_equal(ipr_db_test_int("SELECT threads FROM worker"), 3);
    assert_int_equal(ipr_db_test_int("SELECT cardinality(engines) FROM worker"), 2);
    assert_ok(ipr_job_store_leave(&f->one, &err), &err);
    assert_int_equal(ipr_db_test_int("SELECT count(*) FROM worker"), 0);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_stored_once),      TEST(test_late_result),
        TEST(test_given_back),       TEST(test_what_is_not_there),
        TEST(test_locked_by_others), TEST(test_hash_of_the_operator),
        TEST(test_register),         TEST(test_check_locks_job_before_key),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
