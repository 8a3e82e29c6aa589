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
    struct ipr_encoding seen = { false, 0 };
    const struct ipr_str got =
        ipr_text_to_utf8(&mem, (struct ipr_str){ bytes, sizeof bytes }, &seen);
    assert_true(ipr_str_is(got, want));
    assert_true(seen.cp1252);
    assert_int_equal(seen.undecodable, 5);
    ipr_arena_release(&mem);
}

/* Texts judged one by one: UTF-8 stays, and what was seen adds up. */
static void test_texts(void **state)
{
    struct ipr_arena mem = IPR_ARENA_INIT;
    struct ipr_encoding seen = { false, 0 };
    const struct ipr_str utf8 = IPR_STR("a\xC3\xA9\xEF\xBF\xBD");

    (void)state;
    assert_ptr_equal(ipr_text_to_utf8(&mem, utf8, &seen).p, utf8.p);
    assert_false(seen.cp1252);
    assert_int_equal(seen.undecodable, 0);
    assert_true(
        ipr_str_is(ipr_text_to_utf8(&mem, IPR_STR("a\xE9\xFF"), &seen), "a\xC3\xA9\xC3\xBF"));
    assert_true(seen.cp1252);
    assert_int_equal(seen.undecodable, 0);
    assert_true(
        ipr_str_is(ipr_text_to_utf8(&mem, IPR_STR("\x81\x8D"), &seen), "\xEF\xBF\xBD\xEF\xBF\xBD"));
    assert_ptr_equal(ipr_text_to_utf8(&mem, utf8, &seen).p, utf8.p);
    assert_true(seen.cp1252);
    assert_int_equal(seen.undecodable, 2);
    ipr_arena_release(&mem);
}

int main(void)
{
    enum { N_ROWS = sizeof rows / sizeof *rows };
    struct CMUnitTest tests[N_ROWS + 2] = { [N_ROWS] = cmocka_unit_test(test_every_byte),
                                            [N_ROWS + 1] = cmocka_unit_test(test_texts) };

    for (size_t i = 0; i < N_ROWS; i++)
        tests[i] = (struct CMUnitTest){ .name = rows[i].name,
                                        .test_func = test_valid,
                                        .initial_state = &rows[i] };
    return cmocka_run_group_tests_name("charset", tests, NULL, NULL);
}
