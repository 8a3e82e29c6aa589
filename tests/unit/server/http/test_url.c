#include "http/base/url.h"

#include "ipr_test.h"
#include "resource/read.h"

static struct decode_row {
    const char *name, *in;
    bool form;
    const char *want; /* NULL: refused */
} decodes[] = {
    { "plain", "abc", false, "abc" },
    { "empty", "", false, "" },
    { "hex of both cases", "%c3%A9", false, "é" },
    { "plus in a path", "a+b", false, "a+b" },
    { "plus in a form", "a+b%2B", true, "a b+" },
    { "once only", "%2541", false, "%41" },
    { "cut short", "a%4", false, NULL },
    { "cut shorter", "a%", false, NULL },
    { "not hex", "%g0", false, NULL },
    { "not hex either", "%0g", false, NULL },
    { "zero byte", "a%00b", false, NULL },
    { "not UTF-8", "%ff", false, NULL },
    { "overlong", "%c0%af", false, NULL },
    { "surrogate", "%ed%a0%80", false, NULL },
};

static void test_decode(void **state)
{
    const struct decode_row *r = *state;
    struct ipr_arena mem = IPR_ARENA_INIT;
    struct ipr_err err = IPR_ERR_INIT;
    const char *got = "untouched";

    const enum ipr_code rc = ipr_url_decode(&mem, ipr_str_c(r->in), r->form, &got, &err);
    assert_int_equal(rc, r->want != NULL ? IPR_OK : IPR_EPARSE);
    assert_string_equal(got, r->want != NULL ? r->want : "untouched");
    assert_string_equal(err.type, r->want != NULL ? "" : "bad_url");
    ipr_arena_release(&mem);
}

static struct query_row {
    const char *name, *in, *type; /* type NULL: fine */
    size_t n;
    const char *first_name, *first_value;
} queries[] = {
    { "none", "", NULL, 0, NULL, NULL },
    { "one", "q=tal", NULL, 1, "q", "tal" },
    { "two, order kept", "limit=3&q=x", NULL, 2, "limit", "3" },
    { "stray separators", "&&q=x&", NULL, 1, "q", "x" },
    { "empty value", "q=&limit=1", NULL, 2, "q", "" },
    { "no value", "q", NULL, 1, "q", "" },
    { "value with equal sign", "q=a=b", NULL, 1, "q", "a=b" },
    { "encoded name", "%71=x", NULL, 1, "q", "x" },
    { "no name", "=x", NULL, 1, "", "x" },
    { "twice", "q=a&q=b", NULL, 2, "q", "a" },
    { "bad value", "q=%", "bad_url", 1, NULL, NULL },
};

static void test_query(void **state)
{
    const struct query_row *r = *state;
    struct ipr_arena mem = IPR_ARENA_INIT;
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_given list[IPR_REQ_GIVEN];
    size_t n = 0;

    const enum ipr_code rc = ipr_url_query(&mem, ipr_str_c(r->in), list, &n, &err);
    assert_int_equal(rc, r->type == NULL ? IPR_OK : IPR_EPARSE);
    assert_string_equal(err.type, r->type != NULL ? r->type : "");
    assert_int_equal(n, r->n);
    if (r->first_name != NULL) {
        assert_string_equal(list[0].name, r->first_name);
        assert_string_equal(list[0].text, r->first_value);
        assert_int_equal(list[0].place, IPR_GIVEN_QUERY);
    }
    ipr_arena_release(&mem);
}

/* What is given already stays, and there is an end to it. */
static void test_query_appends(void **state)
{
    struct ipr_arena mem = IPR_ARENA_INIT;
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_given list[IPR_REQ_GIVEN] = { { .name = "player" } };
    size_t n = IPR_REQ_GIVEN - 2;

    (void)state;
    assert_ok(ipr_url_query(&mem, ipr_str_c("q=a&&x="), list, &n, &err), &err);
    assert_int_equal(n, IPR_REQ_GIVEN);
    assert_string_equal(list[0].name, "player");
    assert_string_equal(list[n - 2].name, "q");
    assert_int_equal(ipr_url_query(&mem, ipr_str_c("one=more"), list, &n, &err), IPR_ELIMIT);
    assert_int_equal(n, IPR_REQ_GIVEN);
    ipr_arena_release(&mem);
}

static struct match_row {
    const char *name, *pattern, *path;
    bool want;
    const char *id0, *id1;
} matches[] = {
    { "root", "/", "/", true, NULL, NULL },
    { "root is not all", "/", "/a", false, NULL, NULL },
    { "exact", "/a/b", "/a/b", true, NULL, NULL },
    { "longer path", "/a/b", "/a/b/c", false, NULL, NULL },
    { "shorter path", "/a/b", "/a", false, NULL, NULL },
    { "slash at the end", "/a", "/a/", false, NULL, NULL },
    { "one id", "/p/{id}", "/p/12", true, "12", NULL },
    { "two ids", "/p/{id}/{year}", "/p/12/1971", true, "12", "1971" },
    { "id within", "/p/{id}/years", "/p/x%2Fy/years", true, "x%2Fy", NULL },
    { "empty id", "/p/{id}", "/p/", false, NULL, NULL },
    { "another word", "/p/{id}/years", "/p/12/ratings", false, NULL, NULL },
    { "case matters", "/p", "/P", false, NULL, NULL },
};

static void test_match(void **state)
{
    const struct match_row *r = *state;
    struct ipr_str ids[IPR_REQ_IDS] = { { NULL, 0 }, { NULL, 0 } };

    assert_int_equal(ipr_url_match(r->pattern, ipr_str_c(r->path), ids), r->want);
    if (r->want) {
        assert_true(ipr_str_is(ids[0], r->id0));
        assert_true(ipr_str_is(ids[1], r->id1));
    }
}

static void test_encode_path(void **state)
{
    static const char *const rows[][2] = {
        { "/players/7?after=1-2-x", "/players/7?after=1-2-x" },
        { "/p\xc3\xbc s\r\n\x7f", "/p%C3%BC%20s%0D%0A%7F" },
        { "", "" },
    };
    struct ipr_arena mem = IPR_ARENA_INIT;

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_string_equal(ipr_url_encode_path(&mem, rows[i][0]), rows[i][1]);
    ipr_arena_release(&mem);
}

#define COUNT(a) (sizeof(a) / sizeof *(a))

int main(void)
{
    struct CMUnitTest tests[COUNT(decodes) + COUNT(queries) + COUNT(matches) + 2];
    size_t n = 0;

    for (size_t i = 0; i < COUNT(decodes); i++)
        tests[n++] = (struct CMUnitTest){ decodes[i].name, test_decode, NULL, NULL, &decodes[i] };
    for (size_t i = 0; i < COUNT(queries); i++)
        tests[n++] = (struct CMUnitTest){ queries[i].name, test_query, NULL, NULL, &queries[i] };
    for (size_t i = 0; i < COUNT(matches); i++)
        tests[n++] = (struct CMUnitTest){ matches[i].name, test_match, NULL, NULL, &matches[i] };
    tests[n++] = (struct CMUnitTest)cmocka_unit_test(test_query_appends);
    tests[n++] = (struct CMUnitTest)cmocka_unit_test(test_encode_path);
    return cmocka_run_group_tests_name("url", tests, NULL, NULL);
}
