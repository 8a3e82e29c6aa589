/* Growing buffers. */
#include "base/str.h"

#include <inttypes.h>

#include "ipr_test.h"

static void test_integers(void **state)
{
    static const int64_t values[] = { 0, 7, -7, 10, -32768, 1234567890, INT64_MAX, INT64_MIN };
    struct ipr_buf fast = IPR_BUF_INIT, printed = IPR_BUF_INIT;

    (void)state;
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        ipr_buf_put_int(&fast, values[i]);
        ipr_buf_printf(&printed, "%" PRId64, values[i]);
        assert_string_equal(ipr_buf_c(&fast), ipr_buf_c(&printed));
    }
    ipr_buf_release(&printed);
    ipr_buf_release(&fast);
}

/* Of every length, at every place of the memory that is there. */
static void test_printed(void **state)
{
    char want[200];

    (void)state;
    memset(want, 'x', sizeof want);
    for (size_t before = 0; before < 130; before++)
        for (size_t n = 0; n < sizeof want - before; n++) {
            struct ipr_buf b = IPR_BUF_INIT;

            ipr_buf_add(&b, want, before);
            ipr_buf_printf(&b, "%.*s", (int)n, want);
            assert_int_equal(b.n, before + n);
            assert_memory_equal(b.p, want, b.n);
            assert_int_equal(b.p[b.n], '\0');
            ipr_buf_release(&b);
        }
}

/* What does not fit leaves what there is. */
static void test_cap(void **state)
{
    struct ipr_buf b = { .cap = 10 };

    (void)state;
    ipr_buf_printf(&b, "%s", "12345678");
    ipr_buf_printf(&b, "%d", 901);
    assert_true(b.over);
    ipr_buf_printf(&b, "%d", 9);
    assert_string_equal(ipr_buf_c(&b), "12345678");
    ipr_buf_release(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_integers),
        cmocka_unit_test(test_printed),
        cmocka_unit_test(test_cap),
    };

    return cmocka_run_group_tests_name("buffers", tests, NULL, NULL);
}
