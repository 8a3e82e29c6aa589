// What becomes of games that are finished, and what is made of it for programs and judges.
#include "ipr_db_sample.h"
#include "ipr_db_test.h"
#include "ipr_test.h"

#include <stdio.h>
#include <stdlib.h>

#include "engine/leases.h"

struct fixture {
    struct ipr_db_fixture *db;
    struct ipr_config config;
    struct ipr_job_store job_store;
    struct ipr_handoff *handoff;
    struct ipr_leases leases;
    struct ipr_db_worker tally;
    struct ipr_breaker breaker;
    struct ipr_backoff backoff;
    int64_t game;
};

static struct ipr_err err = IPR_ERR_INIT;

static int set_up(void **state)
{
    struct fixture *f = ipr_xcalloc(1, sizeof *f);

    if (ipr_db_fixture_setup(state) != 0)
        return -1;
    f->db = *state;
    f->config = (struct ipr_config){ .database_url = f->db->url, .lease_s = 20 };
    assert_ok(ipr_job_store_open(&f->job_store, &f->config, &err), &err);
    f->handoff = ipr_handoff_new();
    ipr_leases_init(&f->leases, &f->job_store, f->handoff, &f->tally);
    struct ipr_db_new_game game = ipr_sample_game(&f->db->mem, 1, "Alpha, A", "Beta, B", 1990, 24);
    ipr_sample_store(f->db->db, &game, 1, "quick");
    f->game = game.id;
    *state = f;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *f = *state;

    ipr_leases_release(&f->leases);
    ipr_backoff_release(&f->backoff);
    ipr_handoff_free(&f->handoff);
    ipr_job_store_close(&f->job_store);
    *state = f->db;
    free(f);
    return ipr_db_fixture_teardown(state);
}

static struct ipr_assignment *claim(struct fixture *f)
{
    struct ipr_db_queue_cursor cursor = { 0 };
    const struct ipr_db_queue_line line = { "stockfish", &cursor };
    struct ipr_db_job job;

    assert_ok(ipr_job_store_claim(&f->job_store, &line, 1, &job, &err), &err);
    struct ipr_assignment *a = ipr_assignment_new(&job);
    a->program = "stockfish";
    a->path = "/nowhere";
    a->breaker = &f->breaker;
    a->backoff = &f->backoff;
    return a;
}

/* Queued, claimed, loaded, and judged after a fashion. */
static struct ipr_assignment *judged(struct fixture *f)
{
    int32_t queued = 0;

    assert_ok(ipr_db_jobs_enqueue(f->db->db, &f->game, 1, "quick", 5, "local", &queued, &err),
              &err);
    assert_int_equal(queued, 1);
    struct ipr_assignment *a = claim(f);
    assert_ok(ipr_job_store_load(&f->job_store, a, &err), &err);
    a->judge = a->definition;
    snprintf(a->judge.engine, sizeof a->judge.engine, "An engine 1.0");
    a->judged = ipr_sample_judgement(&a->mem, &a->judge, &a->game, 1);
    a->state = IPR_ASSIGNMENT_JUDGED;
    ipr_leases_add(&f->leases, a);
    return a;
}

/* The store thread's loop, `rounds` times, each when failed writes are due again. */
static void go_round(struct fixture *f, int rounds)
{
    for (int i = 0; i < rounds; i++) {
        ipr_leases_collect(&f->leases);
        f->leases.store_at = 0;
        ipr_leases_store(&f->leases, ipr_now_ms());
    }
}

static void test_stored(void **state)
{
    struct fixture *f = *state;

    ipr_breaker_failed(&f->breaker, false, ipr_now_ms());
    ipr_backoff_failed(&f->backoff, "quick", ipr_now_ms());
    ipr_handoff_return(f->handoff, judged(f));
    go_round(f, 1);
    assert_int_equal(f->leases.n, 0);
    assert_int_equal(f->tally.games, 1);
    assert_int_equal(ipr_db_test_int("SELECT count(*) FROM job"), 0);
    assert_int_equal(ipr_db_test_int("SELECT count(*) FROM turn"), 8);
    assert_int_equal(f->breaker.failures, 0); /* program and judge have worked */
    assert_int_equal(f->backoff.n, 0);
}

static void test_lease_lost(void **state)
{
    struct fixture *f = *state;

    ipr_handoff_return(f->handoff, judged(f));
    ipr_db_test_sql("UPDATE job SET lease_token = lease_token + 1");
    go_round(f, 1);
    assert_int_equal(f->leases.n, 0);
    assert_int_equal(f->tally.leases_lost, 1);
    assert_int_equal(ipr_db_test_int("SELECT count(*) FROM turn"), 0);
    assert_int_equal(ipr_db_test_int("SELECT count(*) FROM job WHERE last_error IS NULL"), 1);
}

/* A constraint that the result breaks is no lost lease, though the code is the same. */
static void test_contradiction(void **state)
{
    static const char *const conditions[] = { "unique_violation", "foreign_key_violation" };
    struct fixture *f = *state;

    for (size_t i = 0; i < 2; i++) {
        char sql[256];

        snprintf(sql, sizeof sql,
                 "CREATE OR REPLACE FUNCTION contradict() RETURNS trigger LANGUAGE plpgsql "
                 "AS $$ BEGIN RAISE %s; END $$",
                 conditions[i]);
        ipr_db_test_sql("DELETE FROM job");
        ipr_db_test_sql(sql);
        ipr_db_test_sql("CREATE OR REPLACE TRIGGER contradict BEFORE INSERT ON judged_side "
                        "FOR EACH ROW EXECUTE FUNCTION contradict()");
        ipr_handoff_return(f->handoff, judged(f));
        go_round(f, 1);
        assert_int_equal(f->leases.n, 1); /* it is tried again */
        assert_int_equal(ipr_db_test_int("SELECT count(*) FROM job WHERE state = 'leased'"), 1);
        go_round(f, 9);
        assert_int_equal(f->leases.n, 0);
        assert_int_equal(f->tally.leases_lost, 0);
        assert_int_equal(ipr_db_test_int("SELECT attempts FROM job WHERE state = 'ready'"), 1);
        assert_non_null(strstr(ipr_db_test_sql("SELECT last_error FROM job"), conditions[i]));
    }
}

/* The same contradiction for a while only: nothing is lost. */
static void test_contradiction_passes(void **state)
{
    struct fixture *f = *state;

    ipr_db_test_sql("CREATE FUNCTION contradict() RETURNS trigger LANGUAGE plpgsql "
                    "AS $$ BEGIN RAISE unique_violation; END $$");
    ipr_db_test_sql("CREATE TRIGGER contradict BEFORE INSERT ON judged_side "
                    "FOR EACH ROW EXECUTE FUNCTION contradict()");
    ipr_handoff_return(f->handoff, judged(f));
    go_round(f, 1);
    ipr_db_test_sql("DROP TRIGGER contradict ON judged_side");
    go_round(f, 1);
    assert_int_equal(f->tally.games, 1);
    assert_int_equal(ipr_db_test_int("SELECT count(*) FROM turn"), 8);
}

/* Nobody's engine has shown anything by that. */
static void test_nothing_to_check(void **state)
{
    struct fixture *f = *state;

    ipr_breaker_failed(&f->breaker, false, ipr_now_ms());
    ipr_backoff_failed(&f->backoff, "quick", ipr_now_ms());
    assert_ok(ipr_db_job_add_check(f->db->db, f->game, "quick", &err), &err);
    struct ipr_assignment *a = claim(f);
    assert_int_equal(a->job.kind, IPR_JOB_CHECK);
    assert_int_equal(ipr_job_store_load(&f->job_store, a, &err), IPR_ENOTFOUND);
    ipr_err_clear(&err);
    a->state = IPR_ASSIGNMENT_JUDGED;
    ipr_leases_add(&f->leases, a);
    ipr_leases_finish(&f->leases, a);
    go_round(f, 1);
    assert_int_equal(f->leases.n, 0);
    assert_int_equal(ipr_db_test_int("SELECT count(*) FROM job"), 0);
    assert_int_equal(f->breaker.failures, 1);
    assert_true(ipr_breaker_open(&f->breaker, f->breaker.until - 1));
    assert_int_equal(f->backoff.n, 1);
}

static void test_unable(void **state)
{
    struct fixture *f = *state;
    struct ipr_assignment *a = judged(f);
    size_t n;

    a->state = IPR_ASSIGNMENT_FAILED;
    a->engine_unable = true;
    ipr_err_at(&a->why, IPR_EDATA, "engine_unable", 0, 0, -1, "too much hash");
    ipr_handoff_return(f->handoff, a);
    go_round(f, 1);
    assert_int_equal(ipr_db_test_int("SELECT attempts FROM job WHERE state = 'ready'"), 1);
    assert_string_equal(ipr_db_test_sql("SELECT last_error FROM job"), "too much hash");
    assert_int_equal(f->breaker.failures, 0); /* the program does not rest, */
    (void)ipr_backoff_names(&f->backoff, f->backoff.all[0].breaker.until - 1, &n);
    assert_int_equal(n, 1); /* the judge does */
    assert_string_equal(f->backoff.all[0].name, "quick");
    assert_int_equal(f->tally.failures, 1);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_stored),        TEST(test_lease_lost),
        TEST(test_contradiction), TEST(test_contradiction_passes),
        TEST(test_unable),        TEST(test_nothing_to_check),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
