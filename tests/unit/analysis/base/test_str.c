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

static void test_varints(void **state)
{
    static const struct {
        const char *bytes;
        size_t n;
        uint64_t most;
    } bad[] = {
        { "", 0, 9 },         { "\x80", 1, 9 },
        { "\x80\x00", 2, 9 }, { "\x81\x00", 2, 9 },
        { "\x0A", 1, 9 },     { "\x80\x80\x80\x80\x80\x80\x80\x80\x80\x01", 10, UINT64_MAX }
    };
    static const uint64_t values[] = { 0, 1, 127, 128, 300, UINT32_MAX, INT64_MAX };
    struct ipr_buf b = IPR_BUF_INIT;

    (void)state;
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        ipr_buf_put_varint(&b, values[i]);
    struct ipr_bytes in = { (const unsigned char *)b.p, (const unsigned char *)b.p + b.n, false };
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        assert_true(ipr_bytes_varint(&in, values[i]) == values[i]);
    assert_ptr_equal(in.p, in.end);
    assert_false(in.bad);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        const unsigned char *const p = (const unsigned char *)bad[i].bytes;

        in = (struct ipr_bytes){ p, p + bad[i].n, false };
        assert_true(ipr_bytes_varint(&in, bad[i].most) == 0);
        assert_true(in.bad);
    }
    ipr_buf_release(&b);
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
        cmocka_unit_test(test_varints),
        cmocka_unit_test(test_printed),
        cmocka_unit_test(test_cap),
    };

    return cmocka_run_group_tests_name("buffers", tests, NULL, NULL);
}
