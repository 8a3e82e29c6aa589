/* Jobs for one side of a game, and requests for sides that are already judged. */
#include "jobs.h"

#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static int32_t enqueue_sides(struct ipr_db_fixture *f, int64_t id, int32_t sides, const char *judge)
{
    int32_t queued = -1;

    assert_ok(ipr_db_jobs_enqueue_sides(f->db, &id, &sides, 1, judge, 5, "local", &queued, &f->err),
              &f->err);
    return queued;
}

static int64_t turns_waiting(void)
{
    return ipr_db_test_int("SELECT coalesce(sum(turns), 0) FROM job_total WHERE state = 'ready'");
}

/* A game is queued unless a judge of that name has judged both sides. */
static void test_judged_game_is_not_queued(void **state)
{
    struct ipr_db_fixture *f = *state;
    const int64_t *ids = store(f, 2);
    const int32_t judge_id = ipr_sample_judge_id(f->db);
    char sql[200];

    for (int colour = 0; colour < 2; colour++) {
        snprintf(sql, sizeof sql,
                 "INSERT INTO judged_side (game_id, judge_id, colour, turns, nodes, source)"
                 " VALUES (%lld, %d, %d, 0, 0, 'x')",
                 (long long)ids[0], (int)judge_id, colour);
        ipr_db_test_sql(sql);
        const int64_t twice[] = { ids[0], ids[1], ids[0] };
        assert_int_equal(enqueue(f, twice, 3, "sample", 5, "local"), colour == 0 ? 2 : 1);
        ipr_db_test_sql("DELETE FROM job");
    }
}

/* Two requests for one game make one job, for the sides of both; 8 of 24 half-moves count. */
static void test_sides_of_two_requests(void **state)
{
    struct ipr_db_fixture *f = *state;
    const int64_t game = *store(f, 1);

    assert_int_equal(enqueue_sides(f, game, 1, "sample"), 1);
    assert_int_equal(turns_waiting(), 4);
    assert_int_equal(enqueue_sides(f, game, 1, "sample"), 0);
    assert_int_equal(enqueue_sides(f, game, 2, "sample"), 1);
    assert_int_equal(turns_waiting(), 8);
    assert_int_equal(enqueue(f, &game, 1, "sample", 5, "anna"), 0);
    const struct ipr_db_job job = ipr_sample_claim(f->db);
    assert_int_equal(job.sides, 3);
    assert_none(f);
    assert_ok(ipr_db_job_complete(f->db, &job, &f->err), &f->err);
    assert_state(f, 0, 0, 0);
}

/* A running job keeps its sides; the new one is another job, with attempts of its own. */
static void test_side_requested_while_running(void **state)
{
    struct ipr_db_fixture *f = *state;
    const int64_t game = *store(f, 1);

    assert_int_equal(enqueue_sides(f, game, 2, "sample"), 1);
    const struct ipr_db_job black = ipr_sample_claim(f->db);
    assert_int_equal(black.sides, 2);
    assert_int_equal(enqueue_sides(f, game, 1, "sample"), 1);
    assert_state(f, 0, 1, 0);
    assert_ok(ipr_db_job_complete(f->db, &black, &f->err), &f->err);
    assert_state(f, 1, 0, 0);
    assert_int_equal(turns_waiting(), 4);
    assert_int_equal(ipr_db_job_complete(f->db, &black, &f->err), IPR_ECONFLICT);
    ipr_err_clear(&f->err);
    const struct ipr_db_job white = ipr_sample_claim(f->db);
    assert_int_equal(white.sides, 1);
    assert_int_equal(white.attempts, 1);
    assert_ok(ipr_db_job_complete(f->db, &white, &f->err), &f->err);
    assert_state(f, 0, 0, 0);
}

struct requester {
    pthread_t thread;
    struct ipr_db_pool *pool;
    struct ipr_db_job done;
    enum ipr_code rc;
};

static enum ipr_code request_white(struct ipr_db *db, void *arg, struct ipr_err *err)
{
    const struct requester *r = arg;
    const int32_t white = 1;
    int32_t queued = -1;

    return ipr_db_jobs_enqueue_sides(db, &r->done.game_id, &white, 1, "sample", 5, "local", &queued,
                                     err);
}

static void *request_thread(void *arg)
{
    struct requester *r = arg;
    struct ipr_db *db = NULL;

    r->rc = ipr_db_lease(r->pool, &db, NULL);
    if (r->rc == IPR_OK)
        r->rc = ipr_db_tx(db, request_white, r, NULL);
    ipr_db_return(&db);
    return NULL;
}

/* Returns, and so commits, once the other connection waits for this one. */
static enum ipr_code complete_while_requested(struct ipr_db *db, void *arg, struct ipr_err *err)
{
    struct requester *r = arg;
    const enum ipr_code rc = ipr_db_job_complete(db, &r->done, err);

    if (rc != IPR_OK)
        return rc;
    assert_int_equal(pthread_create(&r->thread, NULL, request_thread, r), 0);
    while (ipr_db_test_int("SELECT count(*) FROM pg_stat_activity WHERE datname = "
                           "current_database() AND wait_event_type = 'Lock'") == 0)
        usleep(1000);
    return IPR_OK;
}

/* The request sees the job for the other side, which is deleted by the time it has the lock. */
static void test_side_requested_at_completion(void **state)
{
    struct ipr_db_fixture *f = *state;
    const int64_t game = *store(f, 1);
    struct requester r = { .pool = f->pool };

    assert_int_equal(enqueue_sides(f, game, 2, "sample"), 1);
    r.done = ipr_sample_claim(f->db);
    assert_ok(ipr_db_tx(f->db, complete_while_requested, &r, &f->err), &f->err);
    pthread_join(r.thread, NULL);
    assert_int_equal(r.rc, IPR_OK);
    assert_int_equal(ipr_sample_claim(f->db).sides, 1);
}

/* The job's last attempt was for the other side only. */
static void test_side_requested_before_failure(void **state)
{
    struct ipr_db_fixture *f = *state;
    const int64_t game = *store(f, 1);

    assert_int_equal(enqueue_sides(f, game, 1, "sample"), 1);
    ipr_db_test_sql("UPDATE job SET attempts = max_attempts - 1");
    const struct ipr_db_job white = ipr_sample_claim(f->db);
    assert_int_equal(enqueue_sides(f, game, 2, "sample"), 1);
    assert_ok(ipr_db_job_fail(f->db, &white, "it died", &f->err), &f->err);
    assert_state(f, 1, 0, 0);
    assert_int_equal(turns_waiting(), 8);
    ipr_db_test_sql("UPDATE job SET run_at = now()");
    const struct ipr_db_job both = ipr_sample_claim(f->db);
    assert_int_equal(both.sides, 3);
    assert_int_equal(both.attempts, 1);
}

static void test_side_added_to_failed_job(void **state)
{
    struct ipr_db_fixture *f = *state;
    const int64_t game = *store(f, 1);

    assert_int_equal(enqueue_sides(f, game, 2, "sample"), 1);
    ipr_db_test_sql("UPDATE job SET state = 'failed', attempts = 3");
    assert_int_equal(enqueue_sides(f, game, 1, "sample"), 1);
    assert_int_equal(turns_waiting(), 8);
    assert_int_equal(ipr_sample_claim(f->db).sides, 3);
}

/* A judged side is not queued again, unless the judge requires both sides from one engine, or the
 * evaluations of one side depend on the other. */
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_DB(test_judged_game_is_not_queued),     WITH_DB(test_sides_of_two_requests),
        WITH_DB(test_side_requested_while_running),  WITH_DB(test_side_requested_at_completion),
        WITH_DB(test_side_requested_before_failure), WITH_DB(test_side_added_to_failed_job),
        WITH_DB(test_judged_side_is_not_queued),
    };

    return cmocka_run_group_tests_name("sides of jobs", tests, NULL, NULL);
}
