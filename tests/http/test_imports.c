/* Many uploads over the real thing, and imports of other processes, whose lock the test holds. */
#include "service.h"

#include <time.h>

#include "db/duplicate_candidates.h"
#include "posters.h"

#define UPLOADERS 24

static void start_posters(struct poster *p, int n)
{
    posters_reset();
    for (int i = 0; i < n; i++) {
        p[i] = (struct poster){ 0 };
        snprintf(p[i].body, sizeof p[i].body,
                 "[White \"Writer %d\"]\n[Black \"Other\"]\n[Date \"1960.01.01\"]\n\n1. e4 *\n\n",
                 i);
        poster_start(&p[i]);
    }
}

static void test_uploads_at_once(void **state)
{
    struct poster p[UPLOADERS];

    (void)state;
    start_posters(p, UPLOADERS);
    for (int i = 0; i < UPLOADERS; i++)
        expect_accepted(&p[i]);
    assert_int_equal(ipr_db_test_int("SELECT count(*) FROM game"), UPLOADERS);
    assert_int_equal(ipr_db_test_int("SELECT count(*) FROM upload"), UPLOADERS);
}

/* What another process's import does first, and then `meanwhile`. */
static enum ipr_code hold_lock(struct ipr_db *db, void *meanwhile, struct ipr_err *err)
{
    void (**then)(void) = meanwhile;
    const enum ipr_code rc = ipr_db_import_begin(db, 0, err);

    if (rc == IPR_OK)
        (*then)();
    return rc;
}

static void while_locked(void (*meanwhile)(void))
{
    struct ipr_db *db = NULL;
    struct ipr_err err = IPR_ERR_INIT;

    assert_ok(ipr_db_lease(pool, &db, &err), &err);
    assert_ok(ipr_db_tx(db, hold_lock, &meanwhile, &err), &err);
    ipr_db_return(&db);
}

/* Until an import waits for the lock. */
static void await_attempt(void)
{
    static const struct timespec pause = { 0, 20000000 };

    while (ipr_db_test_int("SELECT count(*) FROM pg_stat_activity WHERE pid <> pg_backend_pid() "
                           "AND datname = current_database() AND state <> 'idle' "
                           "AND query LIKE '%pg_advisory_xact_lock(%'") == 0)
        nanosleep(&pause, NULL);
}

static struct poster crowd[UPLOADERS];

static void crowd_and_pages(void)
{
    static const char *const pages[] = { "/", "/players", "/api/v1/players", "/health" };

    start_posters(crowd, UPLOADERS);
    await_attempt();
    for (int i = 0; i < 20; i++) {
        struct reply r = ask(pages[i % 4], i % 4 < 2 ? "Accept: text/html" : NULL);

        expect_status(&r, 200, pages[i % 4]);
        reply_release(&r);
    }
    assert_int_equal(posters_answered(), 0);
}

/* However many uploads wait for another import, pages are answered, and then they all are in. */
static void test_pages_meanwhile(void **state)
{
    (void)state;
    while_locked(crowd_and_pages);
    for (int i = 0; i < UPLOADERS; i++)
        expect_accepted(&crowd[i]);
    assert_int_equal(ipr_db_test_int("SELECT count(*) FROM game"), UPLOADERS);
}

static void start_one(void)
{
    start_posters(crowd, 1);
    await_attempt();
}

static void store_file(void)
{
    static const struct timespec takes = { 0, 200000000 };

    nanosleep(&takes, NULL);
}

/* A command that imports file after file lets an upload in between. */
static void test_between_files(void **state)
{
    (void)state;
    while_locked(start_one);
    for (int file = 0; file < 5; file++)
        while_locked(store_file);
    assert_int_equal(posters_answered(), 1);
    expect_accepted(&crowd[0]);
}

/* Those who left find it on record. */
static void expect_failed(const char *problem, int n)
{
    struct ipr_buf sql = IPR_BUF_INIT;

    ipr_buf_printf(&sql, "SELECT count(*) FROM upload WHERE state = 'failed' AND problem = '%s'",
                   problem);
    assert_int_equal(ipr_db_test_int(ipr_buf_c(&sql)), n);
    assert_int_equal(ipr_db_test_int("SELECT count(*) FROM upload"), n);
    assert_int_equal(ipr_db_test_int("SELECT count(*) FROM game"), 0);
    ipr_buf_release(&sql);
}

static void give_up(void)
{
    struct ipr_http *impatient = service_start(1);

    start_posters(crowd, 3);
    for (int i = 0; i < 3; i++)
        expect_refused(&crowd[i], "import_running");
    ipr_http_stop(&impatient);
}

/* Another import that runs for too long. */
static void test_other_import(void **state)
{
    (void)state;
    while_locked(give_up);
    client_port = ipr_http_port(http);
    expect_failed("import_running", 3);
}

static void stop_meanwhile(void)
{
    struct ipr_http *second = service_start(WAIT_LONG_S);

    start_posters(crowd, 1);
    await_attempt();
    ipr_http_stop(&second);
    expect_refused(&crowd[0], "import_running");
}

/* A stop does not wait for other processes. */
static void test_stop(void **state)
{
    (void)state;
    while_locked(stop_meanwhile);
    client_port = ipr_http_port(http);
    expect_failed("import_running", 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_uploads_at_once),
        TEST(test_pages_meanwhile),
        TEST(test_between_files),
        TEST(test_other_import),
        TEST(test_stop),
    };

    return cmocka_run_group_tests_name("imports", tests, begin_all, end_all);
}
