#include "ipr_test.h"

#include "http/base/rate_limit.h"

#define QUOTA  6
#define SECOND 1000000

/* A full bucket gives its quota at once, then one for every tenth of a minute. */
static void test_bucket(void **state)
{
    struct ipr_rate_bucket b = { QUOTA, 0 };

    (void)state;
    for (int i = 0; i < QUOTA; i++)
        assert_true(ipr_rate_bucket_take(&b, QUOTA, 0));
    assert_false(ipr_rate_bucket_take(&b, QUOTA, 0));
    assert_int_equal(ipr_rate_bucket_wait_s(&b, QUOTA, 1), 10);
    assert_int_equal(ipr_rate_bucket_wait_s(&b, QUOTA, QUOTA), 60);
    assert_false(ipr_rate_bucket_take(&b, QUOTA, 9 * SECOND));
    assert_int_equal(ipr_rate_bucket_wait_s(&b, QUOTA, 1), 1);
    assert_true(ipr_rate_bucket_take(&b, QUOTA, 10 * SECOND));
    assert_false(ipr_rate_bucket_take(&b, QUOTA, 10 * SECOND));
}

static void test_bucket_does_not_overflow(void **state)
{
    struct ipr_rate_bucket b = { 0, 0 };

    (void)state;
    assert_true(ipr_rate_bucket_take(&b, QUOTA, (int64_t)86400 * SECOND));
    for (int i = 1; i < QUOTA; i++)
        assert_true(ipr_rate_bucket_take(&b, QUOTA, (int64_t)86400 * SECOND));
    assert_false(ipr_rate_bucket_take(&b, QUOTA, (int64_t)86400 * SECOND));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bucket),
        cmocka_unit_test(test_bucket_does_not_overflow),
    };

    return cmocka_run_group_tests_name("rate limit", tests, NULL, NULL);
}
