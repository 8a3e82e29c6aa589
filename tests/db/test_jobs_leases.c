/* Claimed jobs: completed, failed, released, or with an expired lease. */
#include "jobs.h"

#include <stdlib.h>

#include "db/clock.h"

static void test_claim_and_complete(void **state)
{
    struct ipr_db_fixture *f = *state;
    struct ipr_db_running *running = NULL;
    size_t n = 0;

    assert_none(f);
    const int64_t *ids = queue(f, 2, 5);
    struct ipr_db_job job = ipr_sample_claim(f->db);
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

static void test_retry_after_failure(void **state)
{
    struct ipr_db_fixture *f = *state;
    const int64_t *ids = queue(f, 1, 5);

    for (int i = 1; i <= 3; i++) {
        const struct ipr_db_job job = ipr_sample_claim(f->db);

        assert_int_equal(job.attempts, i);
        assert_ok(ipr_db_job_fail(f->db, &job, "engine died", &f->err), &f->err);
        assert_none(f); /* backs off */
        if (i < 3) {
            const double wait =
                strtod(ipr_db_test_sql("SELECT extract(epoch FROM run_at - now()) FROM job"), NULL);
            assert_in_range(wait * 1000, i == 1 ? 500 : 2500, i == 1 ? 1250 : 5000);
        }
        ipr_db_test_sql("UPDATE job SET run_at = now() - interval '1 second'");
    }
    assert_state(f, 0, 0, 1);
    assert_string_equal(ipr_db_test_sql("SELECT last_error FROM job"), "engine died");

    /* A new request resets the attempts; a job that is ready keeps its place. */
    assert_int_equal(enqueue(f, ids, 1, "sample", 5, "local"), 1);
    assert_int_equal(enqueue(f, ids, 1, "sample", 1, "local"), 0);
    assert_int_equal(ipr_sample_claim(f->db).attempts, 1);
}

static void test_release_costs_no_attempt(void **state)
{
    struct ipr_db_fixture *f = *state;

    queue(f, 1, 5);
    for (int i = 0; i < 5; i++) {
        const struct ipr_db_job job = ipr_sample_claim(f->db);

        assert_int_equal(job.attempts, 1);
        assert_ok(ipr_db_job_release(f->db, &job, &f->err), &f->err);
        assert_int_equal(ipr_db_job_release(f->db, &job, &f->err), IPR_ECONFLICT);
        ipr_err_clear(&f->err);
    }
}

/* Once another worker has claimed the job every call of the first worker is refused. */
static void test_expired_lease_is_fenced(void **state)
{
    struct ipr_db_fixture *f = *state;
    int32_t expired = -1;

    queue(f, 1, 5);
    const struct ipr_db_job old = ipr_sample_claim(f->db);
    assert_ok(ipr_db_jobs_sweep(f->db, &expired, &f->err), &f->err);
    assert_int_equal(expired, 0);
    ipr_db_test_sql("UPDATE job SET lease_until = now() - interval '1 second'");
    assert_ok(ipr_db_jobs_sweep(f->db, &expired, &f->err), &f->err);
    assert_int_equal(expired, 1);
    const struct ipr_db_job job = ipr_sample_claim(f->db);
    assert_int_equal(job.id, old.id);
    assert_int_equal(job.attempts, 1); /* an expired lease is not counted as an attempt */
    assert_true(job.token != old.token);
    assert_int_equal(ipr_db_job_heartbeat(f->db, &old, 60, 1, 1, NULL), IPR_ECONFLICT);
    assert_int_equal(ipr_db_job_complete(f->db, &old, NULL), IPR_ECONFLICT);
    assert_int_equal(ipr_db_job_fail(f->db, &old, "x", NULL), IPR_ECONFLICT);
    assert_int_equal(ipr_db_job_release(f->db, &old, NULL), IPR_ECONFLICT);
    assert_state(f, 0, 1, 0);
    assert_ok(ipr_db_job_complete(f->db, &job, &f->err), &f->err);
}

static void test_silent_workers_fail_the_job(void **state)
{
    struct ipr_db_fixture *f = *state;
    int32_t expired = 0;

    queue(f, 1, 5);
    for (int i = 0; i < 9; i++) {
        assert_state(f, 1, 0, 0);
        ipr_sample_claim(f->db);
        ipr_db_test_sql("UPDATE job SET lease_until = now() - interval '1 second'");
        assert_ok(ipr_db_jobs_sweep(f->db, &expired, &f->err), &f->err);
        assert_int_equal(expired, 1);
    }
    assert_state(f, 0, 0, 1);
    assert_string_equal(ipr_db_test_sql("SELECT last_error FROM job"),
                        "no sign of life from worker w1");
}

/* A job that failed is first left to another worker, if there is one. */
static void test_retry_by_another_worker(void **state)
{
    struct ipr_db_fixture *f = *state;
    struct ipr_db_job job = { 0 };

    queue(f, 1, 5);
    ipr_sample_worker(f->db, "host:1", "stockfish toga2",
                      2); /* two engines of one process claim under one name */
    assert_ok(try_claim(f, "host:1", &job), &f->err);
    assert_ok(ipr_db_job_fail(f->db, &job, "it died", &f->err), &f->err);
    ipr_db_test_sql("UPDATE job SET run_at = now()");
    /* There is no other worker. */
    assert_ok(try_claim(f, "host:1", &job), &f->err);
    assert_ok(ipr_db_job_fail(f->db, &job, "it died", &f->err), &f->err);
    ipr_db_test_sql("UPDATE job SET run_at = now()");

    ipr_sample_worker(f->db, "host:12", "stockfish toga2", 0); /* has no engine */
    assert_ok(try_claim(f, "host:1", &job), &f->err);
    assert_ok(ipr_db_job_release(f->db, &job, &f->err), &f->err);
    ipr_sample_worker(f->db, "host:12", "stockfish toga2", 1);
    assert_int_equal(try_claim(f, "host:1", &job), IPR_ENOTFOUND);
    ipr_err_clear(&f->err);
    assert_ok(try_claim(f, "host:12", &job), &f->err);
    assert_ok(ipr_db_job_release(f->db, &job, &f->err), &f->err);
    ipr_db_test_sql("UPDATE worker SET seen = now() - interval '2 minutes' WHERE name = 'host:12'");
    assert_ok(try_claim(f, "host:1", &job), &f->err);
    assert_ok(ipr_db_job_release(f->db, &job, &f->err), &f->err);

    ipr_sample_worker(f->db, "host:12", "stockfish toga2", 1);
    assert_int_equal(try_claim(f, "host:1", &job), IPR_ENOTFOUND);
    ipr_err_clear(&f->err);
    /* After ten seconds any worker may claim it. */
    ipr_db_test_sql("UPDATE job SET run_at = now() - interval '11 seconds'");
    assert_ok(try_claim(f, "host:1", &job), &f->err);
}

static void test_check_job(void **state)
{
    struct ipr_db_fixture *f = *state;
    const int64_t *ids = store(f, 1);
    struct ipr_db_job job, held;

    assert_ok(ipr_db_job_add_check(f->db, ids[0], "fishnet", &f->err), &f->err);
    assert_ok(ipr_db_job_add_check(f->db, ids[0], "fishnet", &f->err), &f->err);
    job = ipr_sample_claim(f->db);
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

static enum ipr_code look(struct ipr_db_fixture *f, struct ipr_db_clock *clock)
{
    return ipr_db_clock_check(f->db, clock, &f->err);
}

/* As after the clock of the database went back by a day: what was due is due, and a lease whose
 * worker is gone ends as soon as another. */
static void test_clock_went_back(void **state)
{
    struct ipr_db_fixture *f = *state;
    struct ipr_db_clock clock = { 0 };
    int32_t expired = -1;

    queue(f, 3, 5);
    const struct ipr_db_job held = ipr_sample_claim(f->db);
    assert_ok(look(f, &clock), &f->err);
    assert_int_equal(clock.back_us, 0);
    ipr_db_test_sql("UPDATE job SET run_at = run_at + interval '1 day', created = created + "
                    "interval '1 day', leased_at = leased_at + interval '1 day', lease_until = "
                    "lease_until + interval '1 day'");
    assert_none(f);
    assert_ok(look(f, &clock), &f->err); /* it has not gone back: nothing is touched */
    assert_none(f);
    clock.us += INT64_C(86400) * 1000000;
    assert_ok(look(f, &clock), &f->err);
    assert_in_range(clock.back_us / 1000000, 86390, 86400);
    (void)ipr_sample_claim(f->db);
    assert_ok(ipr_db_job_heartbeat(f->db, &held, 60, 1, 2, &f->err), &f->err);
    assert_int_equal(ipr_db_test_int("SELECT count(*) FROM job WHERE lease_until > now() + "
                                     "interval '61 seconds' OR leased_at > now()"),
                     0);

    /* Nor does a back-off become longer, or none at all. */
    assert_ok(ipr_db_job_fail(f->db, &held, "engine died", &f->err), &f->err);
    clock.us = 0; /* as a process that starts */
    assert_ok(look(f, &clock), &f->err);
    assert_int_equal(ipr_db_test_int("SELECT count(*) FROM job WHERE attempts = 1 AND state = "
                                     "'ready' AND run_at > now()"),
                     1);
    ipr_db_test_sql("UPDATE job SET lease_until = now() - interval '1 second' WHERE state = "
                    "'leased'");
    assert_ok(ipr_db_jobs_sweep(f->db, &expired, &f->err), &f->err);
    assert_int_equal(expired, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_DB(test_claim_and_complete),          WITH_DB(test_retry_after_failure),
        WITH_DB(test_release_costs_no_attempt),    WITH_DB(test_expired_lease_is_fenced),
        WITH_DB(test_silent_workers_fail_the_job), WITH_DB(test_clock_went_back),
        WITH_DB(test_retry_by_another_worker),     WITH_DB(test_check_job),
    };

    return cmocka_run_group_tests_name("leases of jobs", tests, NULL, NULL);
}
