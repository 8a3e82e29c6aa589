#include "base/sort.h"

#include <stdint.h>

#include "ipr_test.h"

struct item {
    int32_t key;
    int nth;
};

static void test_unique(void **state)
{
    int64_t ids[] = { 7, -3, 7, INT64_MAX, 0, -3, INT64_MIN };
    const int64_t want[] = { INT64_MIN, -3, 0, 7, INT64_MAX };

    (void)state;
    assert_int_equal(ipr_sort_unique(ids, 7, sizeof *ids, ipr_compare_int64), 5);
    assert_memory_equal(ids, want, sizeof want);
    assert_int_equal(ipr_sort_unique(NULL, 0, sizeof *ids, ipr_compare_int64), 0);
    assert_int_equal(ipr_sort_unique(ids, 1, sizeof *ids, ipr_compare_int64), 1);
}

/* Items whose key comes first are compared by it. */
static void test_items(void **state)
{
    struct item items[] = { { 5, 0 }, { INT32_MIN, 1 }, { 5, 2 }, { INT32_MAX, 3 } };

    (void)state;
    assert_int_equal(ipr_sort_unique(items, 4, sizeof *items, ipr_compare_int32), 3);
    assert_int_equal(items[0].nth, 1);
    assert_int_equal(items[1].key, 5);
    assert_int_equal(items[2].nth, 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_unique),
                                        cmocka_unit_test(test_items) };

    return cmocka_run_group_tests_name("sort", tests, NULL, NULL);
}
