#include "db/db.h"

#include <stdio.h>

#include "ipr_db_test.h"
#include "ipr_test.h"

/* A database of its own for each test: each leaves it in another state. */
static int fresh(void **state)
{
    *(const char **)state = ipr_db_test_create();
    return 0;
}

static void test_twice(void **state)
{
    const char *url = *state;
    struct ipr_err err = IPR_ERR_INIT;
    unsigned applied = 99;

    assert_ok(ipr_db_migrate(url, &applied, &err), &err);
    assert_true(applied >= 1);
    assert_int_equal(applied, ipr_db_test_int("SELECT count(*) FROM schema_migration"));
    assert_ok(ipr_db_migrate(url, &applied, &err), &err);
    assert_int_equal(applied, 0);
}

static void test_changed_text(void **state)
{
    const char *url = *state;
    struct ipr_err err = IPR_ERR_INIT;

    assert_ok(ipr_db_migrate(url, NULL, &err), &err);
    ipr_db_test_sql("UPDATE schema_migration SET checksum = 'other' WHERE number = 1");
    assert_int_equal(ipr_db_migrate(url, NULL, &err), IPR_EDB);
    assert_non_null(strstr(err.msg, "0001_house was applied with another text"));
}

static void test_newer(void **state)
{
    const char *url = *state;
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_db_pool *pool = NULL;
    struct ipr_db *db = NULL;

    assert_ok(ipr_db_migrate(url, NULL, &err), &err);
    assert_ok(ipr_db_pool_open(url, 1, &pool, &err), &err);
    assert_ok(ipr_db_lease(pool, &db, &err), &err);
    assert_ok(ipr_db_ready(db, &err), &err);

    ipr_db_test_sql("INSERT INTO schema_migration (number, name, checksum)"
                    " VALUES (9999, 'later', 'x')");
    assert_int_equal(ipr_db_ready(db, &err), IPR_EDB);
    assert_non_null(strstr(err.msg, "newer than this program"));
    ipr_db_return(&db);
    ipr_db_pool_close(&pool);

    ipr_err_clear(&err);
    assert_int_equal(ipr_db_migrate(url, NULL, &err), IPR_EDB);
    assert_non_null(strstr(err.msg, "newer than this program"));
    ipr_err_clear(&err);
    assert_int_equal(ipr_db_pool_open(url, 1, &pool, &err), IPR_EDB);
    assert_null(pool);
}

static void test_not_migrated(void **state)
{
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_db_pool *pool = NULL;

    assert_int_equal(ipr_db_pool_open(*state, 1, &pool, &err), IPR_EDB);
    assert_non_null(strstr(err.msg, "intrinsic migrate"));
}

/* A migration that fails leaves nothing, neither of itself nor a record. */
static void test_failing(void **state)
{
    struct ipr_err err = IPR_ERR_INIT;

    ipr_db_test_sql("CREATE TABLE turn (x integer)");
    assert_int_equal(ipr_db_migrate(*state, NULL, &err), IPR_EDB);
    assert_non_null(strstr(err.msg, "0001_house"));
    assert_string_equal(ipr_db_test_sql("SELECT to_regclass('judge')"), "");
    assert_string_equal(ipr_db_test_sql("SELECT to_regclass('schema_migration')"), "");
    ipr_db_test_sql("DROP TABLE turn");
    ipr_err_clear(&err);
    assert_ok(ipr_db_migrate(*state, NULL, &err), &err);
}

static void test_nowhere(void **state)
{
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_db_pool *pool = NULL;

    (void)state;
    assert_int_equal(ipr_db_migrate("host=/nonexistent dbname=x", NULL, &err), IPR_EDB);
    assert_null(strchr(err.msg, '\n'));
    ipr_err_clear(&err);
    assert_int_equal(ipr_db_pool_open("host=/nonexistent dbname=x", 2, &pool, &err), IPR_EDB);
    assert_non_null(strstr(err.msg, "no connection to the database"));
    assert_null(strchr(err.msg, '\n'));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_twice, fresh, ipr_db_test_teardown),
        cmocka_unit_test_setup_teardown(test_changed_text, fresh, ipr_db_test_teardown),
        cmocka_unit_test_setup_teardown(test_newer, fresh, ipr_db_test_teardown),
        cmocka_unit_test_setup_teardown(test_not_migrated, fresh, ipr_db_test_teardown),
        cmocka_unit_test_setup_teardown(test_failing, fresh, ipr_db_test_teardown),
        cmocka_unit_test(test_nowhere),
    };

    return cmocka_run_group_tests_name("migrate", tests, NULL, NULL);
}
