// When a program is left alone, and for how long.
#include "ipr_test.h"

#include "engine/breaker.h"

/* Failures one after the other, each as soon as the program is tried again. */
static const struct row {
    const char *name;
    bool started[8];
    int64_t rest[8]; /* after each, in ms; -1: the end */
} rows[] = {
    { "does not start", { 0 }, { 1000, 2000, 4000, 8000, 16000, 32000, 60000, 60000 } },
    { "dies", { 1, 1, 1, 1, 1, 1, 1, 1 }, { 0, 1000, 2000, 4000, 8000, 16000, 32000, 60000 } },
    { "dies, then does not start", { 1, 0, 1 }, { 0, 2000, 2000, -1 } },
};

static void test_rests(void **state)
{
    const struct row *r = *state;
    struct ipr_breaker b = { 0 };
    int64_t now = 5000;

    for (size_t i = 0; i < 8 && r->rest[i] >= 0; i++) {
        assert_false(ipr_breaker_open(&b, now));
        assert_int_equal(ipr_breaker_failed(&b, r->started[i], now), r->rest[i]);
        assert_true(r->rest[i] == 0 || ipr_breaker_open(&b, now + r->rest[i] - 1));
        now += r->rest[i];
        assert_false(ipr_breaker_open(&b, now));
    }
}

static void test_success_forgives(void **state)
{
    struct ipr_breaker b = { 0 };

    (void)state;
    for (int i = 0; i < 5; i++)
        ipr_breaker_failed(&b, true, 0);
    assert_true(ipr_breaker_open(&b, 1));
    ipr_breaker_worked(&b);
    assert_false(ipr_breaker_open(&b, 1));
    assert_int_equal(ipr_breaker_failed(&b, true, 1), 0);
}

/* Others that fail while it rests do not cut the rest short. */
static void test_longest_counts(void **state)
{
    struct ipr_breaker b = { 0 };

    (void)state;
    for (int i = 0; i < 4; i++)
        ipr_breaker_failed(&b, false, 0);
    assert_true(ipr_breaker_open(&b, 7999));
    assert_false(ipr_breaker_open(&b, 8000));
    ipr_breaker_worked(&b);
    ipr_breaker_failed(&b, false, 0);
    b.until = 50000;
    ipr_breaker_failed(&b, false, 1);
    assert_true(ipr_breaker_open(&b, 49999));
}

int main(void)
{
    struct CMUnitTest tests[sizeof rows / sizeof rows[0] + 2];
    size_t n = 0;

    for (; n < sizeof rows / sizeof rows[0]; n++)
        tests[n] = (struct CMUnitTest){ .name = rows[n].name,
                                        .test_func = test_rests,
                                        .initial_state = (void *)(uintptr_t)&rows[n] };
    tests[n++] =
        (struct CMUnitTest){ .name = "success forgives", .test_func = test_success_forgives };
    tests[n++] =
        (struct CMUnitTest){ .name = "the longest rest counts", .test_func = test_longest_counts };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
