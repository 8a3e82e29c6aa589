/* Where settings come from; an empty variable is as good as none, as containers pass them. */
#include "core/config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ipr_test.h"

static const char *const variables[] = {
#define X(kind, field, env, flag, def, min, max, help) env,
    IPR_CONFIG(X)
#undef X
};

static void clear(void)
{
    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++)
        unsetenv(variables[i]);
}

static struct ipr_config read_config(int argc, char **argv)
{
    struct ipr_config c;
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_args args;

    assert_ok(ipr_config_read(argc, argv, NULL, &c, &args, &err), &err);
    return c;
}

static void test_empty_is_default(void **state)
{
    char name[] = "intrinsic", *argv[] = { name, NULL };

    (void)state;
    clear();
    const struct ipr_config none = read_config(1, argv);
    assert_int_equal(none.workers, -1);
    assert_int_equal(none.lease_s, 20);
    assert_string_equal(none.judge, "rating");
    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++)
        setenv(variables[i], "", 1);
    const struct ipr_config empty = read_config(1, argv);
#define TEXT_SAME(field)                               assert_string_equal(empty.field, none.field);
#define INT_SAME(field)                                assert_int_equal(empty.field, none.field);
#define X(kind, field, env, flag, def, min, max, help) kind##_SAME(field)
    IPR_CONFIG(X)
#undef X
    clear();
}

static void test_order(void **state)
{
    char name[] = "intrinsic", flag[] = "--judge=deep", *argv[] = { name, flag, NULL };

    (void)state;
    clear();
    setenv("INTRINSIC_JUDGE", "quick", 1);
    assert_string_equal(read_config(1, argv).judge, "quick");
    assert_string_equal(read_config(2, argv).judge, "deep");
    clear();
}

static void test_wrong(void **state)
{
    static const struct {
        const char *variable, *value;
    } rows[] = { { "INTRINSIC_LEASE_S", "1" },
                 { "INTRINSIC_LEASE_S", "twenty" },
                 { "INTRINSIC_LOG", "loud" },
                 { "INTRINSIC_LEASES", "20" } };
    char name[] = "intrinsic", *argv[] = { name, NULL };

    (void)state;
    clear();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct ipr_err err = IPR_ERR_INIT;
        struct ipr_config c;
        struct ipr_args args;

        setenv(rows[i].variable, rows[i].value, 1);
        assert_int_equal(ipr_config_read(1, argv, NULL, &c, &args, &err), IPR_EPARSE);
        assert_non_null(strstr(err.msg, rows[i].variable));
        unsetenv(rows[i].variable);
    }
}

/* A file with this text, as the environment names it; gone with unlink. */
static void secret_file(char path[], const void *text, size_t n)
{
    strcpy(path, "/tmp/ipr_secret_XXXXXX");
    const int fd = mkstemp(path);

    assert_true(fd >= 0);
    assert_int_equal(write(fd, text, n), n);
    close(fd);
}

static void test_secret_files(void **state)
{
    static const char *const names[] = { "DATABASE_URL", "DATABASE_URL_READ", "PGPASSWORD" };
    char name[] = "intrinsic", *argv[] = { name, NULL }, path[32], from[32];

    (void)state;
    clear();
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        secret_file(path, " its secret \r\n\n", 15);
        snprintf(from, sizeof from, "%s_FILE", names[i]);
        setenv(names[i], "", 1); /* as containers pass what is not set */
        setenv(from, path, 1);
        const struct ipr_config c = read_config(1, argv);
        unlink(path);
        assert_string_equal(i == 0   ? c.database_url
                            : i == 1 ? c.database_url_read
                                     : getenv("PGPASSWORD"),
                            " its secret ");
        assert_null(getenv(from)); /* read once: a second reading finds the value alone */
        (void)read_config(1, argv);
        unsetenv(names[i]);
    }
    setenv("DATABASE_URL_FILE", "", 1);
    assert_string_equal(read_config(1, argv).database_url, "");
    unsetenv("DATABASE_URL_FILE");
}

static void test_wrong_secret_files(void **state)
{
    static char large[5000];
    static const struct {
        const char *text;
        size_t n;
        const char *expected;
    } rows[] = { { "", 0, "is empty" },
                 { "\n\r\n", 3, "is empty" },
                 { "one\ntwo\n", 8, "not one line" },
                 { "a\0b\n", 4, "not one line" },
                 { large, sizeof large, "not one line of at most 4095 bytes" } };
    char name[] = "intrinsic", *argv[] = { name, NULL }, path[32];
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_config c;
    struct ipr_args args;

    (void)state;
    clear();
    memset(large, 'x', sizeof large);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        secret_file(path, rows[i].text, rows[i].n);
        setenv("PGPASSWORD_FILE", path, 1);
        assert_int_equal(ipr_config_read(1, argv, NULL, &c, &args, &err), IPR_EPARSE);
        unlink(path);
        assert_ptr_equal(strstr(err.msg, "PGPASSWORD_FILE: /tmp/ipr_secret_"), err.msg);
        assert_non_null(strstr(err.msg, rows[i].expected));
        err = (struct ipr_err)IPR_ERR_INIT;
    }
    for (int folder = 0; folder < 2; folder++) {
        setenv("PGPASSWORD_FILE", folder ? "/tmp" : "/nowhere/secret", 1);
        assert_int_equal(ipr_config_read(1, argv, NULL, &c, &args, &err), IPR_EIO);
        assert_string_equal(err.msg,
                            folder ? "PGPASSWORD_FILE: cannot read /tmp: Is a directory"
                                   : "PGPASSWORD_FILE: cannot read /nowhere/secret: No such file "
                                     "or directory");
        err = (struct ipr_err)IPR_ERR_INIT;
    }
    setenv("PGPASSWORD", "other", 1);
    assert_int_equal(ipr_config_read(1, argv, NULL, &c, &args, &err), IPR_EPARSE);
    assert_string_equal(err.msg, "PGPASSWORD and PGPASSWORD_FILE are both set: leave one out");
    unsetenv("PGPASSWORD");
    unsetenv("PGPASSWORD_FILE");
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_empty_is_default),
                                        cmocka_unit_test(test_order), cmocka_unit_test(test_wrong),
                                        cmocka_unit_test(test_secret_files),
                                        cmocka_unit_test(test_wrong_secret_files) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
