/* Text of others in lines of the log and on terminals. */
#include "ipr_test.h"

#include "core/log.h"

static void test_text(void **state)
{
    static const struct {
        const char *text, *shown;
    } rows[] = {
        { "M\xC3\xBCller \xE2\x99\x98 \xF0\x9F\x98\x80", NULL },
        { "\xC2\xA0\xE2\x80\xA7\xE2\x80\xAF\xE2\x81\xAA", NULL },
        { "a\nb\x1B[31m\x7F", "a b [31m " },
        { "a\xC2\x9B"
          "31m\xC2\x80",
          "a 31m " },
        { "a\x9B"
          "31m\x80",
          "a 31m " },
        { "\xE2\x80\xAE"
          "abc\xE2\x80\x8E\xE2\x80\xA8\xE2\x81\xA6\xE2\x81\xA9",
          " abc    " },
        { "cut\xE2\x80", "cut\xE2\x80" },
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const bool plain = rows[i].shown == NULL;

        assert_string_equal(ipr_log_text(rows[i].text), plain ? rows[i].text : rows[i].shown);
        if (i < 6)
            assert_int_equal(ipr_log_is_plain(rows[i].text), plain);
    }
    assert_string_equal(ipr_log_text("say \"x\""), "say 'x'");
    assert_string_equal(ipr_log_text(NULL), "");
}

/* No character is shown in part. */
static void test_long(void **state)
{
    char text[1024] = "";

    (void)state;
    for (size_t i = 0; i < 300; i++)
        strcat(text, "\xE2\x99\x98");
    const size_t n = strlen(ipr_log_text(text));
    assert_int_equal(n, 510);
    assert_memory_equal(ipr_log_text(text), text, n);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_text), cmocka_unit_test(test_long) };

    return cmocka_run_group_tests_name("core/log", tests, NULL, NULL);
}
