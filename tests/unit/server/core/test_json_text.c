#include <stdlib.h>

#include <jansson.h>

#include "core/json_text.h"
#include "ipr_test.h"

static struct row {
    const char *name;
    struct ipr_str text;
    const char *json;
} rows[] = {
    { "empty", { "", 0 }, "\"\"" },
    { "plain", { "Fischer, R", 10 }, "\"Fischer, R\"" },
    { "quote and backslash", { "a\"b\\c", 5 }, "\"a\\\"b\\\\c\"" },
    { "control characters", { "\t\n\x1b", 3 }, "\"\\u0009\\u000a\\u001b\"" },
    { "a NUL", { "a\0b", 3 }, "\"a\\u0000b\"" },
    { "UTF-8", { "Nov\xc3\xa1k \xf0\x9f\x90\xb4", 11 }, "\"Nov\xc3\xa1k \xf0\x9f\x90\xb4\"" },
    { "a lone byte", { "Nov\xe1k", 5 }, "\"Nov\xef\xbf\xbdk\"" },
    { "cut within a character", { "Nov\xc3", 4 }, "\"Nov\xef\xbf\xbd\"" },
    { "overlong", { "\xc0\xaf", 2 }, "\"\xef\xbf\xbd\xef\xbf\xbd\"" },
    { "a surrogate", { "\xed\xa0\x80", 3 }, "\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\"" },
};

static void test_row(void **state)
{
    const struct row *r = *state;
    struct ipr_buf out = IPR_BUF_INIT;

    ipr_json_string(&out, r->text);
    assert_string_equal(ipr_buf_c(&out), r->json);
    ipr_buf_release(&out);
}

/* Every pair of bytes comes out as what another JSON reader takes. */
static void test_every_pair(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 65536; i++) {
        const char pair[2] = { (char)(i >> 8), (char)(i & 0xff) };
        struct ipr_buf out = IPR_BUF_INIT;

        ipr_json_string(&out, (struct ipr_str){ pair, 2 });
        json_t *json = json_loadb(out.p, out.n, JSON_DECODE_ANY | JSON_ALLOW_NUL, NULL);
        if (json == NULL)
            fail_msg("bytes %04x: %s", i, out.p);
        if (i < 0x8000 && (i & 0x80) == 0) {
            assert_int_equal(json_string_length(json), 2);
            assert_memory_equal(json_string_value(json), pair, 2);
        }
        json_decref(json);
        ipr_buf_release(&out);
    }
}

int main(void)
{
    enum { N = sizeof rows / sizeof *rows };
    struct CMUnitTest tests[N + 1] = { 0 };

    for (size_t i = 0; i < N; i++)
        tests[i] = (struct CMUnitTest){ .name = rows[i].name,
                                        .test_func = test_row,
                                        .initial_state = &rows[i] };
    tests[N] = (struct CMUnitTest)cmocka_unit_test(test_every_pair);
    return cmocka_run_group_tests_name("json text", tests, NULL, NULL);
}
