/* Where nothing can be stored: the status says so, and it goes on as soon as it can. What is logged
 * of requests that are refused. */
#include "service.h"

#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#define GAMES "[White \"A\"]\n[Black \"B\"]\n[Result \"1-0\"]\n\n1. e4 1-0\n"

#define SECRET "0123456789abcdef0123456789abcdef0123456789abcdef"

static void expect_upload(long status, const char *type)
{
    struct reply r = ask_with("POST", "/api/v1/uploads?analyse=false",
                              "Content-Type: application/x-chess-pgn", GAMES, strlen(GAMES));

    if (type != NULL) {
        expect_problem(&r, status, type, "upload");
    } else {
        expect_status(&r, status, "upload");
        reply_release(&r);
    }
}

/* For connections from now on; those that there are end. */
static void set_read_only(bool on)
{
    char sql[256];

    snprintf(sql, sizeof sql, "SET transaction_read_only = off; ALTER DATABASE \"%s\" %s",
             ipr_db_test_sql("SELECT current_database()"),
             on ? "SET default_transaction_read_only = on" : "RESET default_transaction_read_only");
    (void)ipr_db_test_sql(sql);
    (void)ipr_db_test_sql("SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE "
                          "datname = current_database() AND pid <> pg_backend_pid()");
}

/* The first answers may still be of connections that ended. */
static void await_writable(bool writable)
{
    const char *want = writable ? "\"writable\":true" : "\"writable\":false";

    for (int i = 0; i < 100; i++) {
        struct reply r = ask("/ready", NULL);
        const bool there = r.status == 200 && strstr(ipr_buf_c(&r.body), want) != NULL;

        reply_release(&r);
        if (there)
            return;
        usleep(100000);
    }
    fail_msg("/ready never said %s", want);
}

static void test_read_only(void **state)
{
    (void)state;
    await_writable(true);
    set_read_only(true);
    await_writable(false);
    expect_upload(503, "database_read_only");
    struct reply r = ask("/api/v1/players", NULL);
    expect_status(&r, 200, "reading");
    reply_release(&r);
    set_read_only(false);
    await_writable(true);
    expect_upload(202, NULL);
}

static void test_no_room(void **state)
{
    static const char dir[] = "/tmp/intrinsic-test-full";
    char *large = ipr_xcalloc(1, 200000);

    (void)state;
    memset(large, ' ', 199999);
    (void)mkdir(dir, 0700);
    if (mount("none", dir, "tmpfs", 0, "size=64k") != 0) {
        free(large);
        rmdir(dir);
        skip(); /* only root can make a small disk */
    }
    ipr_http_stop(&http);
    setenv("TMPDIR", dir, 1);
    http = service_start(WAIT_LONG_S);
    await_writable(false);
    struct reply r = ask_with("POST", "/api/v1/uploads?analyse=false",
                              "Content-Type: application/x-chess-pgn", large, 199999);
    expect_problem(&r, 507, "storage_full", "upload");
    expect_upload(202, NULL);
    ipr_http_stop(&http);
    unsetenv("TMPDIR");
    http = service_start(WAIT_LONG_S);
    assert_int_equal(umount(dir), 0);
    rmdir(dir);
    await_writable(true);
    free(large);
}

/* A token in an address is a mistake, which the log does not repeat. */
static void test_log_of_refused(void **state)
{
    const int log = memfd_create("log", MFD_CLOEXEC), kept = dup(STDERR_FILENO);
    char text[4096] = "";

    (void)state;
    assert_true(log >= 0 && kept >= 0 && dup2(log, STDERR_FILENO) >= 0);
    ipr_log_level("info");
    struct reply r = ask("/api/v1/players?token=hush", NULL);
    const long status = r.status;
    reply_release(&r);
    r = ask("/reports/royale?token=hush", NULL); /* a redirection */
    reply_release(&r);
    r = ask("/api/v1/players?q=" SECRET, NULL);
    reply_release(&r);
    r = ask("/" SECRET, NULL);
    reply_release(&r);
    r = ask("/api/v1/players?q=tal", NULL);
    reply_release(&r);
    usleep(200000);
    ipr_log_level("error");
    (void)dup2(kept, STDERR_FILENO);
    close(kept);
    assert_int_equal(status, 400);
    assert_true(pread(log, text, sizeof text - 1, 0) > 0);
    close(log);
    assert_null(strstr(text, "hush"));
    assert_null(strstr(text, SECRET));
    assert_non_null(strstr(text, "path=\"/***\" status=404"));
    assert_non_null(strstr(text, "path=\"/api/v1/players\" status=400"));
    assert_non_null(strstr(text, "path=\"/api/v1/players?q=tal\" status=200"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_read_only),
        TEST(test_no_room),
        TEST(test_log_of_refused),
    };

    return cmocka_run_group_tests(tests, begin_all, end_all);
}
