/* How far a copy is behind: the age of the oldest change that it lacks. */
#include "core/lag.h"

#include "ipr_test.h"

static void test_none(void **state)
{
    struct ipr_lag lag = { 0 };

    (void)state;
    assert_int_equal(ipr_lag_ms(&lag, 100, 100, 1000), 0);
    assert_int_equal(ipr_lag_ms(&lag, 100, 100, 9000), 0); /* nothing was written for long */
    assert_int_equal(ipr_lag_ms(&lag, 200, 200, 9500), 0);
}

/* The age counts from when the change was seen first, not from when the copy moved last. */
static void test_behind(void **state)
{
    struct ipr_lag lag = { 0 };

    (void)state;
    assert_int_equal(ipr_lag_ms(&lag, 100, 100, 0), 0);
    assert_int_equal(ipr_lag_ms(&lag, 200, 100, 5000), 0);
    assert_int_equal(ipr_lag_ms(&lag, 300, 100, 7000), 2000);
    assert_int_equal(ipr_lag_ms(&lag, 300, 250, 9000), 2000); /* 200 is reached, 300 is of 7000 */
    assert_int_equal(ipr_lag_ms(&lag, 300, 300, 9500), 0);
}

/* A day behind, a look each second: the marks are thinned out, and the age stays right. */
static void test_long(void **state)
{
    struct ipr_lag lag = { 0 };
    int64_t ms = 0;

    (void)state;
    for (int64_t i = 0; i <= 86400; i++)
        ms = ipr_lag_ms(&lag, 1000 + i, 999, i * 1000);
    assert_int_equal(ms, 86400000);
    assert_true(lag.n <= IPR_LAG_MARKS);
    /* Half of it is caught up: right to what the marks left. */
    ms = ipr_lag_ms(&lag, 87400, 1000 + 43200, 86400000);
    assert_in_range(ms, 86400000 - 43200000 - 6000000, 43200000);
    assert_int_equal(ipr_lag_ms(&lag, 87400, 87400, 86401000), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_none),
        cmocka_unit_test(test_behind),
        cmocka_unit_test(test_long),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
