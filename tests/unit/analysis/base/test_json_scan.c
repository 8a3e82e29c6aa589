#include "ipr_test.h"

#include <jansson.h>

#include "base/json_scan.h"

/* Whether a text is JSON: the same as jansson says. */
static const char *const texts[] = {
    "null",
    "true",
    "false",
    " \t\r\n0 ",
    "-0",
    "-12.50e+3",
    "1E9",
    "\"\"",
    "\"a b\"",
    "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9\"",
    "[]",
    "[ ]",
    "{}",
    "{ }",
    "[1,2,[3,[],{}],{\"a\":[null]}]",
    "{\"a\":1,\"b\":{\"c\":[true,false]}}",
    "[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]",
    "",
    " ",
    "nul",
    "nulll",
    "tru",
    "01",
    "1.",
    ".5",
    "-",
    "+1",
    "1e",
    "1e+",
    "0x1",
    "\"",
    "\"a",
    "\"\\x\"",
    "\"\\u12g4\"",
    "\"\\u12",
    "\"a\nb\"",
    "'a'",
    "[",
    "[1",
    "[1,",
    "[1,]",
    "[,1]",
    "[1 2]",
    "[1}",
    "{",
    "{\"a\"",
    "{\"a\":",
    "{\"a\":1",
    "{\"a\":1,}",
    "{,\"a\":1}",
    "{a:1}",
    "{1:1}",
    "{\"a\" 1}",
    "{\"a\":1]",
    "[] []",
    "]",
    "}",
    "[1],",
};

static void test_whole(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct ipr_scan s = ipr_scan_of(ipr_str_c(texts[i]));
        json_t *value = json_loads(texts[i], JSON_DECODE_ANY, NULL);

        ipr_scan_skip(&s, NULL);
        if (ipr_scan_done(&s) != (value != NULL))
            fail_msg("%s: jansson %s", texts[i], value != NULL ? "takes it" : "refuses it");
        json_decref(value);
    }
}

static void test_depth(void **state)
{
    char text[2 * IPR_SCAN_DEPTH + 3];

    (void)state;
    for (size_t n = IPR_SCAN_DEPTH; n <= IPR_SCAN_DEPTH + 1; n++) {
        memset(text, '[', n);
        memset(text + n, ']', n);
        struct ipr_scan s = ipr_scan_of((struct ipr_str){ text, 2 * n });

        assert_int_equal(ipr_scan_skip(&s, NULL), n == IPR_SCAN_DEPTH);
        assert_int_equal(ipr_scan_done(&s), n == IPR_SCAN_DEPTH);
    }
}

static void test_walk(void **state)
{
    struct ipr_scan s = ipr_scan_of(
        IPR_STR(" {\"a\" : [ 1, -20 ,[], null], \"skip\":{\"x\":[1]}, \"b\":\"t\\\"\"} "));
    struct ipr_str name, text;
    int64_t n;

    (void)state;
    assert_int_equal(ipr_scan_peek(&s), '{');
    assert_true(ipr_scan_object(&s));
    assert_true(ipr_scan_member(&s, &name));
    assert_true(ipr_str_is(name, "a"));
    assert_true(ipr_scan_array(&s));
    assert_true(ipr_scan_next(&s));
    assert_true(ipr_scan_integer(&s, 0, 1, &n));
    assert_int_equal(n, 1);
    assert_true(ipr_scan_next(&s));
    assert_true(ipr_scan_integer(&s, -20, 0, &n));
    assert_int_equal(n, -20);
    assert_true(ipr_scan_next(&s));
    assert_true(ipr_scan_array(&s));
    assert_false(ipr_scan_next(&s));
    assert_true(ipr_scan_next(&s));
    assert_int_equal(ipr_scan_peek(&s), 'n');
    assert_true(ipr_scan_null(&s));
    assert_false(ipr_scan_next(&s));
    assert_true(ipr_scan_member(&s, &name));
    struct ipr_scan copy = s;
    assert_true(ipr_scan_skip(&s, &text));
    assert_true(ipr_str_is(text, "{\"x\":[1]}"));
    assert_true(ipr_scan_object(&copy)); /* goes on from where it was taken */
    assert_true(ipr_scan_member(&s, &name));
    assert_true(ipr_str_is(name, "b"));
    assert_true(ipr_scan_string(&s, &text));
    assert_true(ipr_str_is(text, "t\\\""));
    assert_false(ipr_scan_member(&s, &name));
    assert_true(ipr_scan_done(&s));
}

static void test_refusals(void **state)
{
    static const char *const integers[] = { "11", "-1", "1.0", "1e1", "\"1\"", "null", "[1]", "" };
    struct ipr_str text;
    int64_t n = 7;

    (void)state;
    for (size_t i = 0; i < sizeof integers / sizeof *integers; i++) {
        struct ipr_scan s = ipr_scan_of(ipr_str_c(integers[i]));

        if (ipr_scan_integer(&s, 0, 10, &n) && ipr_scan_done(&s))
            fail_msg("%s", integers[i]);
        /* Failure stays. */
        if (s.bad) {
            assert_int_equal(ipr_scan_peek(&s), '\0');
            assert_false(ipr_scan_skip(&s, NULL));
            assert_false(ipr_scan_array(&s));
            assert_false(ipr_scan_null(&s));
        }
    }
    struct ipr_scan s = ipr_scan_of(IPR_STR("[1]"));
    assert_false(ipr_scan_string(&s, &text));
    assert_true(s.bad);
    s = ipr_scan_of(IPR_STR("1"));
    assert_false(ipr_scan_next(&s)); /* in no array */
    assert_true(s.bad);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_whole),
        cmocka_unit_test(test_depth),
        cmocka_unit_test(test_walk),
        cmocka_unit_test(test_refusals),
    };

    return cmocka_run_group_tests_name("json scan", tests, NULL, NULL);
}
