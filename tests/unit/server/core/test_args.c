/* Options as getopt_long reads them, with the table of a command beside the settings. */
#include "core/args.h"

#include <string.h>

#include "core/config.h"
#include "ipr_test.h"

static const struct ipr_option options[] = {
    { "by", "game|player", "what" },
    { "limit", "N", "how many" },
    { "judge", NULL, "own" },
    { 0 },
};

static enum ipr_code read_line(const char *line, struct ipr_config *c, struct ipr_args *args,
                               struct ipr_err *err)
{
    static char text[200];
    static char *argv[20];
    int argc = 0;

    ipr_err_clear(err);
    snprintf(text, sizeof text, "rate %s", line);
    for (char *p = strtok(text, " "); p != NULL; p = strtok(NULL, " "))
        argv[argc++] = p;
    argv[argc] = NULL;
    return ipr_config_read(argc, argv, options, c, args, err);
}

static void test_reads(void **state)
{
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_config c;
    struct ipr_args a;
    int by = 7, limit = 3;

    (void)state;
    assert_ok(read_line("a.pgn --by game --limit=1 - --limit=12 --judge --workers 2 -- --by", &c,
                        &a, &err),
              &err);
    assert_int_equal(a.n, 3);
    assert_string_equal(a.words[0], "a.pgn");
    assert_string_equal(a.words[1], "-");
    assert_string_equal(a.words[2], "--by");
    assert_ok(ipr_args_choice(&a, "by", &by, &err), &err);
    assert_ok(ipr_args_number(&a, "limit", 1, 20, &limit, &err), &err);
    assert_int_equal(by, 0);
    assert_int_equal(limit, 12);
    const char *limits[3];
    assert_int_equal(ipr_args_values(&a, "limit", limits, 1), 1);
    assert_int_equal(ipr_args_values(&a, "limit", limits, 3), 2);
    assert_string_equal(limits[0], "1");
    assert_string_equal(limits[1], "12");
    assert_true(ipr_args_has(&a, "judge"));
    assert_string_equal(c.judge, "rating"); /* the option of the command, not the setting */
    assert_int_equal(c.workers, 2);
    assert_ok(read_line("", &c, &a, &err), &err);
    assert_ok(ipr_args_choice(&a, "by", &by, &err), &err);
    assert_ok(ipr_args_number(&a, "limit", 1, 2, &limit, &err), &err);
    assert_int_equal(by, 0);
    assert_int_equal(limit, 12);
    assert_false(ipr_args_has(&a, "judge"));
}

static void test_refuses(void **state)
{
    static const struct {
        const char *line, *message;
    } rows[] = {
        { "--bye=x", "--bye: no such flag" },
        { "x --by", "--by needs a value" },
        { "--judge=x", "--judge takes no value" },
        { "-x", "-x: no such flag" },
        { "--=x", "--: no such flag" },
        { "--workers=many y", "'many' is not a whole number" },
    };
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_config c;
    struct ipr_args a;
    int n = 0;

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_int_equal(read_line(rows[i].line, &c, &a, &err), IPR_EPARSE);
        if (strstr(err.msg, rows[i].message) == NULL)
            fail_msg("%s: %s", rows[i].line, err.msg);
    }
    assert_ok(read_line("--by=gam --limit=0", &c, &a, &err), &err);
    assert_int_equal(ipr_args_choice(&a, "by", &n, &err), IPR_EPARSE);
    assert_non_null(strstr(err.msg, "'gam' is not one of game|player"));
    ipr_err_clear(&err);
    assert_int_equal(ipr_args_number(&a, "limit", 1, 9, &n, &err), IPR_EPARSE);
    assert_int_equal(n, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_reads),
                                        cmocka_unit_test(test_refuses) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
