// Which judges are left alone, and for how long.
#include "ipr_test.h"

#include <stdio.h>

#include "engine/backoff.h"

static void assert_resting(struct ipr_backoff *r, int64_t now, size_t expected)
{
    size_t n = 99;

    (void)ipr_backoff_names(r, now, &n);
    assert_int_equal(n, expected);
}

static void test_each_for_itself(void **state)
{
    struct ipr_backoff r = { 0 };
    size_t n;

    (void)state;
    assert_resting(&r, 0, 0);
    assert_int_equal(ipr_backoff_failed(&r, "huge", 0), 1000);
    assert_int_equal(ipr_backoff_failed(&r, "huge", 1000), 2000);
    assert_int_equal(ipr_backoff_failed(&r, "wide", 1000), 1000);
    assert_resting(&r, 1999, 2);
    assert_string_equal(ipr_backoff_names(&r, 2000, &n)[0], "huge");
    assert_int_equal(n, 1);
    assert_resting(&r, 3000, 0);
    assert_int_equal(ipr_backoff_failed(&r, "huge", 3000), 4000); /* it is not forgotten */
    ipr_backoff_release(&r);
}

static void test_success_forgives(void **state)
{
    struct ipr_backoff r = { 0 };

    (void)state;
    ipr_backoff_failed(&r, "huge", 0);
    ipr_backoff_failed(&r, "wide", 0);
    ipr_backoff_worked(&r, "quick"); /* never failed */
    assert_resting(&r, 1, 2);
    ipr_backoff_worked(&r, "huge");
    assert_resting(&r, 1, 1);
    assert_int_equal(ipr_backoff_failed(&r, "huge", 1), 1000);
    ipr_backoff_release(&r);
}

static void test_many(void **state)
{
    struct ipr_backoff r = { 0 };
    char name[32];
    size_t n;

    (void)state;
    for (int i = 0; i < 100; i++) {
        snprintf(name, sizeof name, "judge-%d", i);
        ipr_backoff_failed(&r, name, 0);
    }
    const char *const *names = ipr_backoff_names(&r, 1, &n);
    assert_int_equal(n, 100);
    assert_string_equal(names[99], "judge-99");
    ipr_backoff_release(&r);
    assert_resting(&r, 1, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_for_itself),
        cmocka_unit_test(test_success_forgives),
        cmocka_unit_test(test_many),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
