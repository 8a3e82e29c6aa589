#include "db/workers.h"

#include "ipr_db_sample.h"
#include "ipr_db_test.h"
#include "ipr_test.h"

static void test_register(void **state)
{
    struct ipr_db_fixture *f = *state;
    struct ipr_db_worker w = { .name = "h:2",
                               .version = "4",
                               .engines = "stockfish toga2",
                               .tablebases = 5,
                               .threads = 2,
                               .games = 3,
                               .turns = 200,
                               .cached = 20,
                               .failures = 1,
                               .leases_lost = 2 };
    struct ipr_db_worker *rows = NULL;
    size_t n = 0;

    assert_ok(ipr_db_worker_beat(f->db, &w, &f->err), &f->err);
    ipr_db_test_sql("UPDATE worker SET started = started - interval '1 day'");
    w.games = 4;
    assert_ok(ipr_db_worker_beat(f->db, &w, &f->err), &f->err);
    assert_int_equal(ipr_db_test_int("SELECT (now() - started > interval '1 hour')::int"
                                     " FROM worker"),
                     1);
    ipr_sample_worker(f->db, "h:1", "", 1);
    assert_ok(ipr_db_workers(f->db, &f->mem, &rows, &n, &f->err), &f->err);
    assert_int_equal(n, 2);
    assert_string_equal(rows[0].name, "h:1");
    assert_string_equal(rows[0].engines, "");
    assert_string_equal(rows[1].engines, "stockfish toga2");
    assert_string_equal(rows[1].version, "4");
    assert_int_equal(rows[1].tablebases, 5);
    assert_int_equal(rows[1].threads, 2);
    assert_int_equal(rows[1].games, 4);
    assert_int_equal(rows[1].turns, 200);
    assert_int_equal(rows[1].cached, 20);
    assert_int_equal(rows[1].failures, 1);
    assert_int_equal(rows[1].leases_lost, 2);
    assert_true(rows[1].seen_s >= 0.0 && rows[1].seen_s < 60.0);

    /* A new process of the same name. */
    w.games = w.turns = 0;
    assert_ok(ipr_db_worker_beat(f->db, &w, &f->err), &f->err);
    assert_int_equal(ipr_db_test_int("SELECT count(*) FROM worker"
                                     " WHERE now() - started > interval '1 hour'"),
                     0);

    ipr_db_test_sql("UPDATE worker SET seen = now() - interval '2 minutes' WHERE name = 'h:1'");
    assert_ok(ipr_db_workers(f->db, &f->mem, &rows, &n, &f->err), &f->err);
    assert_int_equal(n, 1);
    ipr_db_test_sql("UPDATE worker SET seen = now() - interval '2 hours' WHERE name = 'h:1'");
    assert_ok(ipr_db_worker_beat(f->db, &w, &f->err), &f->err);
    assert_int_equal(ipr_db_test_int("SELECT count(*) FROM worker"), 1);
    assert_ok(ipr_db_worker_leave(f->db, "h:2", &f->err), &f->err);
    assert_int_equal(ipr_db_test_int("SELECT count(*) FROM worker"), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_DB(test_register),
    };

    return cmocka_run_group_tests_name("workers", tests, NULL, NULL);
}
