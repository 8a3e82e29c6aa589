#include "ipr_test.h"
#include "pgn/charset.h"

static struct row {
    const char *name, *text;
    bool valid;
} rows[] = {
    { "empty", "", true },
    { "ASCII", "Capablanca, Jose Raul", true },
    { "two bytes", "\xC3\xA9", true },
    { "three bytes", "\xE2\x82\xAC", true },
    { "four bytes", "\xF0\x9F\x98\x80", true },
    { "last code point", "\xF4\x8F\xBF\xBF", true },
    { "after eight ASCII bytes", "12345678\xC3\xA9", true },
    { "broken after eight ASCII bytes", "12345678\xC3", false },
    { "Latin-1", "Mart\xEDn", false },
    { "lone continuation", "\x80", false },
    { "cut short", "\xE2\x82", false },
    { "overlong slash", "\xC0\xAF", false },
    { "overlong in three bytes", "\xE0\x9F\xBF", false },
    { "overlong in four bytes", "\xF0\x8F\xBF\xBF", false },
    { "surrogate", "\xED\xA0\x80", false },
    { "past the last", "\xF4\x90\x80\x80", false },
    { "byte FF", "\xFF", false },
};

static void test_valid(void **state)
{
    const struct row *r = *state;

    assert_int_equal(ipr_utf8_valid(ipr_str_c(r->text)), r->valid);
}

/* Each byte against the character that Python's codec gives for it; U+FFFD where it gives none. */
static void test_every_byte(void **state)
{
    static const char want[] =
        "\xE2\x82\xAC\xEF\xBF\xBD\xE2\x80\x9A\xC6\x92\xE2\x80\x9E\xE2\x80\xA6\xE2\x80\xA0"
        "\xE2\x80\xA1\xCB\x86\xE2\x80\xB0\xC5\xA0\xE2\x80\xB9\xC5\x92\xEF\xBF\xBD\xC5\xBD"
        "\xEF\xBF\xBD\xEF\xBF\xBD\xE2\x80\x98\xE2\x80\x99\xE2\x80\x9C\xE2\x80\x9D\xE2\x80\xA2"
        "\xE2\x80\x93\xE2\x80\x94\xCB\x9C\xE2\x84\xA2\xC5\xA1\xE2\x80\xBA\xC5\x93\xEF\xBF\xBD"
        "\xC5\xBE\xC5\xB8\xC2\xA0";
    struct ipr_arena mem = IPR_ARENA_INIT;
    char bytes[33];

    (void)state;
    for (unsigned i = 0; i < sizeof bytes; i++)
        bytes[i] = (char)(0x80 + i);
    const struct ipr_str got = ipr_cp1252_to_utf8(&mem, (struct ipr_str){ bytes, sizeof bytes });
    assert_true(ipr_str_is(got, want));
    assert_true(ipr_str_is(ipr_cp1252_to_utf8(&mem, IPR_STR("a\xE9\xFF")), "a\xC3\xA9\xC3\xBF"));
    ipr_arena_release(&mem);
}

int main(void)
{
    enum { N_ROWS = sizeof rows / sizeof *rows };
    struct CMUnitTest tests[N_ROWS + 1] = { [N_ROWS] = cmocka_unit_test(test_every_byte) };

    for (size_t i = 0; i < N_ROWS; i++)
        tests[i] = (struct CMUnitTest){ .name = rows[i].name,
                                        .test_func = test_valid,
                                        .initial_state = &rows[i] };
    return cmocka_run_group_tests_name("charset", tests, NULL, NULL);
}
