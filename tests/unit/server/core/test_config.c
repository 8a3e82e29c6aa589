/* Where settings come from; an empty variable is as good as none, as containers pass them. */
#include "core/config.h"

#include <stdlib.h>
#include <string.h>

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

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_empty_is_default),
                                        cmocka_unit_test(test_order),
                                        cmocka_unit_test(test_wrong) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
