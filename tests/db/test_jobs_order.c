/* The order of the queue: priorities, then owners in turn, over all programs of this machine. */
#include "jobs.h"

#include <stdio.h>

/* Claims and completes n jobs; the initials of their owners in that order. */
static const char *take(struct ipr_db_fixture *f, int n)
{
    struct claims c;
    char *owners = ipr_arena_alloc(&f->mem, (size_t)n + 1, 1);

    claims_begin(&c);
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

static void test_claim_order(void **state)
{
    struct ipr_db_fixture *f = *state;
    const int64_t *late = queue(f, 2, 5), *urgent = queue(f, 1, 1);

    assert_int_equal(ipr_sample_claim(f->db).game_id, urgent[0]);
    assert_int_equal(ipr_sample_claim(f->db).game_id, late[0]);
    assert_int_equal(ipr_sample_claim(f->db).game_id, late[1]);
    assert_none(f);
}

static void test_owners_alternate(void **state)
{
    struct ipr_db_fixture *f = *state;

    queue_for(f, 100, 5, "anna");
    queue_for(f, 3, 5, "bert");
    assert_string_equal(take(f, 8), "abababaa");
}

/* A new owner is placed neither behind all waiting jobs nor before all of them. */
static void test_late_owner(void **state)
{
    struct ipr_db_fixture *f = *state;

    queue_for(f, 100, 5, "anna");
    take(f, 50);
    queue_for(f, 4, 5, "bert");
    assert_string_equal(take(f, 5), "ababa");
    queue_for(f, 2, 5, "carl");
    queue_for(f, 2, 5, "bert"); /* after the jobs it has */
    assert_string_equal(take(f, 9), "bcabcabab");
}

/* Many small requests get no larger share than one large request. */
static void test_small_requests(void **state)
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

/* An owner with jobs for three programs gets the same share as an owner with jobs for one. */
static void test_owners_across_programs(void **state)
{
    struct ipr_db_fixture *f = *state;

    define_all(f);
    for (int i = 0; i < PROGRAMS; i++)
        queue_on(f, programs[i], 4, 5, "anna");
    queue_on(f, "toga2", 4, 5, "bert");
    assert_string_equal(take(f, 10), "ababababaa");
    queue_on(f, "stockfish", 2, 5, "carl"); /* starts level with the others */
    assert_string_equal(take(f, 5), "acaca");
}

/* Jobs that no worker can run neither delay others nor change the place of new jobs. */
static void test_program_without_worker(void **state)
{
    struct ipr_db_fixture *f = *state;
    struct ipr_db_queue_cursor cursor = { 0 };
    struct ipr_db_job job;

    define_all(f);
    ipr_sample_define(f->db, "absent", "absent");
    ipr_sample_worker(f->db, "host:1", "stockfish toga2", 1);
    queue_on(f, "absent", 3, 5, "zoe");
    queue_on(f, "stockfish", 10, 5, "anna");
    for (int i = 0; i < 6; i++)
        assert_ok(ipr_db_job_claim(f->db, "stockfish", "w1", 60, &cursor, &job, &f->err), &f->err);
    queue_on(f, "toga2", 4, 5, "bert");
    assert_string_equal(take(f, 6), "ababab");
}

/* A running job with a high place does not put a new owner of another program behind all jobs. */
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

/* No job is running, and the oldest is for a program that no live worker has. */
static void test_oldest_job_without_worker(void **state)
{
    struct ipr_db_fixture *f = *state;

    define_all(f);
    ipr_sample_define(f->db, "absent", "absent");
    queue_on(f, "absent", 1, 5, "zoe");
    queue_on(f, "stockfish", 3, 5, "anna");
    ipr_db_test_sql("UPDATE job SET place = place + 50000 WHERE owner = 'anna'");
    ipr_sample_worker(f->db, "host:1", "stockfish", 1);
    queue_on(f, "stockfish", 1, 5, "bert");
    assert_int_equal(ipr_db_test_int("SELECT place - (SELECT min(place) FROM job WHERE "
                                     "owner = 'anna') FROM job WHERE owner = 'bert'"),
                     0);
}

/* fishnet has its own queue: places in it do not count in the queue of this machine. */
static void test_fishnet_is_separate(void **state)
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_DB(test_claim_order),
        WITH_DB(test_owners_alternate),
        WITH_DB(test_late_owner),
        WITH_DB(test_small_requests),
        WITH_DB(test_priorities_are_strict),
        WITH_DB(test_priorities_across_programs),
        WITH_DB(test_owners_across_programs),
        WITH_DB(test_program_without_worker),
        WITH_DB(test_program_far_ahead),
        WITH_DB(test_oldest_job_without_worker),
        WITH_DB(test_fishnet_is_separate),
    };

    return cmocka_run_group_tests_name("order of jobs", tests, NULL, NULL);
}
