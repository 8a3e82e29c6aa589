/* Claims: the rows they lock, the jobs they skip, the positions of their cursors. */
#include "jobs.h"

#include <pthread.h>

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

static void test_concurrent_claims(void **state)
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

/* An uncommitted claim locks only the job it takes. */
static enum ipr_code claim_uncommitted(struct ipr_db *db, void *arg, struct ipr_err *err)
{
    struct ipr_db_fixture *f = arg;
    struct ipr_db_queue_cursor cursor = { 0 };
    struct ipr_db *other = NULL;
    struct ipr_db_job first, job;
    struct claims c;

    (void)db; /* the fixture's */
    claims_begin(&c);
    enum ipr_code rc = claim_any(f, &c, &first);
    assert_string_equal(first.program, "stockfish");
    if (rc == IPR_OK)
        rc = ipr_db_lease(f->pool, &other, err);
    if (rc == IPR_OK)
        rc = ipr_db_job_claim(other, "toga2", "w2", 60, &cursor, &job, err);
    if (rc == IPR_OK)
        assert_int_equal(ipr_db_test_int("SELECT min(id) FROM job WHERE program = 'toga2'"),
                         job.id);
    /* A job that is claimed but not committed is skipped. */
    cursor = (struct ipr_db_queue_cursor){ 0 };
    if (rc == IPR_OK)
        rc = ipr_db_job_claim(other, "stockfish", "w2", 60, &cursor, &job, err);
    assert_int_equal(job.id, first.id + 1);
    ipr_db_return(&other);
    return rc;
}

static void test_uncommitted_claim(void **state)
{
    struct ipr_db_fixture *f = *state;

    define_all(f);
    queue_on(f, "stockfish", 2, 1, "anna");
    queue_on(f, "toga2", 2, 1, "anna");
    assert_ok(ipr_db_tx(f->db, claim_uncommitted, f, &f->err), &f->err);
    assert_state(f, 1, 3, 0);
}

/* More jobs are locked than a claim reads at first: it finds the one behind them. */
static enum ipr_code claim_behind_uncommitted(struct ipr_db *db, void *arg, struct ipr_err *err)
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
        assert_int_equal(cursor.id, last - 19); /* a rollback makes them ready again */
        assert_int_equal(ipr_db_job_claim(other, "stockfish", "w2", 60, &cursor, &job, NULL),
                         IPR_ENOTFOUND);
    }
    ipr_db_return(&other);
    return rc;
}

static void test_many_uncommitted_claims(void **state)
{
    struct ipr_db_fixture *f = *state;

    queue(f, 21, 5);
    assert_ok(ipr_db_tx(f->db, claim_behind_uncommitted, f, &f->err), &f->err);
    assert_state(f, 0, 21, 0);
}

/* A worker gets jobs of its own programs only. */
static void test_claim_by_program(void **state)
{
    struct ipr_db_fixture *f = *state;
    struct ipr_db_queue_cursor cursor = { 0 };
    struct ipr_db_job job;
    int32_t queued;

    ipr_sample_define(f->db, "toga", "toga2");
    const int64_t *ids = queue_on(f, "toga", 1, 5, "anna");
    assert_none(f);
    assert_ok(ipr_db_job_claim(f->db, "toga2", "w1", 60, &cursor, &job, &f->err), &f->err);
    assert_string_equal(job.judge, "toga");
    assert_int_equal(job.kind, IPR_JOB_JUDGE);
    /* The number of turns follows from the judge's first move before a worker reports it. */
    assert_int_equal(ipr_db_test_int("SELECT turns_total FROM job"), 24 - 16);
    assert_int_equal(ipr_db_jobs_enqueue(f->db, ids, 1, "nobody", 5, "a", &queued, &f->err),
                     IPR_ENOTFOUND);
    assert_string_equal(f->err.type, "no_such_judge");
    ipr_err_clear(&f->err);
}

/* A claim reads all programs, and moves the cursor of each to its first ready job. */
static void test_cursors_of_programs(void **state)
{
    struct ipr_db_fixture *f = *state;
    struct ipr_db_job job;
    struct claims c;

    define_all(f);
    queue_on(f, "stockfish", 1, 5, "anna");
    queue_on(f, "toga2", 1, 6, "anna");
    claims_begin(&c);
    assert_ok(claim_any(f, &c, &job), &f->err);
    assert_string_equal(job.program, "stockfish");
    assert_int_equal(c.cursor[0].id, job.id);
    assert_int_equal(c.cursor[1].id, job.id + 1);
    assert_int_equal(c.cursor[1].priority, 6);
    assert_int_equal(c.cursor[2].id, 0);
    for (int i = 0; i < PROGRAMS; i++)
        assert_true(c.cursor[i].anew_ms > 0);

    /* A program without ready jobs behind its cursor is not read before the cursor returns to the
     * start, unless no other program has jobs. */
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

/* A cursor skips jobs that are released before it, for a while, unless they are the only ones. */
static void test_returned_job_is_skipped(void **state)
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

/* An empty program is not read again until its cursor returns to the start; others are. */
static void test_empty_program_is_skipped(void **state)
{
    struct ipr_db_fixture *f = *state;
    struct ipr_db_job job;
    struct claims c;

    define_all(f);
    queue_on(f, "stockfish", 1, 1, "anna");
    queue_on(f, "toga2", 1, 5, "anna");
    claims_begin(&c);
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

/* A search that takes long to find no job is not repeated at every claim. */
static void test_slow_search_is_not_repeated(void **state)
{
    struct ipr_db_fixture *f = *state;
    struct ipr_db_queue_cursor cursor = { 0 };
    struct ipr_db_pool *pool = NULL;
    struct ipr_db *db = NULL;
    struct ipr_db_job job;

    queue(f, 1, 5);
    /* The job is for another worker, and finding out that there is one takes 200 ms. */
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

/* A claimer may exclude judges, and include them again. */
static void test_excluded_judges(void **state)
{
    static const char *const without[] = { "wide", "it's {\"odd\"}", "sample" };
    struct ipr_db_fixture *f = *state;
    struct ipr_db_queue_cursor cursor = { .without = without, .n_without = 3 };
    struct ipr_db_job job;

    ipr_sample_define(f->db, "other", "stockfish");
    const int64_t *ids = queue(f, 2, 5); /* for "sample" */
    assert_int_equal(enqueue(f, ids, 1, "other", 5, "anna"), 1);
    assert_ok(ipr_db_job_claim(f->db, "stockfish", "w1", 60, &cursor, &job, &f->err), &f->err);
    assert_string_equal(job.judge, "other");
    assert_int_equal(ipr_db_job_claim(f->db, "stockfish", "w1", 60, &cursor, &job, &f->err),
                     IPR_ENOTFOUND);
    ipr_err_clear(&f->err);
    cursor.n_without = 2;
    cursor.anew_ms = 0; /* however slow this machine is */
    assert_ok(ipr_db_job_claim(f->db, "stockfish", "w1", 60, &cursor, &job, &f->err), &f->err);
    assert_string_equal(job.judge, "sample");
    assert_int_equal(job.game_id, ids[0]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_DB(test_concurrent_claims),        WITH_DB(test_uncommitted_claim),
        WITH_DB(test_many_uncommitted_claims),  WITH_DB(test_claim_by_program),
        WITH_DB(test_cursors_of_programs),      WITH_DB(test_returned_job_is_skipped),
        WITH_DB(test_empty_program_is_skipped), WITH_DB(test_slow_search_is_not_repeated),
        WITH_DB(test_excluded_judges),
    };

    return cmocka_run_group_tests_name("claims of jobs", tests, NULL, NULL);
}
