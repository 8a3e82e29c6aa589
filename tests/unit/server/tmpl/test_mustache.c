#include "tmpl/mustache.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ipr_test.h"
#include "tmpl/number.h"

static const char *const raw_names[] = { ".", "html", "a.b", NULL };

/* ---- formatters as a caller may have them ---- */

static json_t *format_twice(const json_t *value, const char *const *args, size_t n_args)
{
    (void)args;
    (void)n_args;
    return json_is_integer(value) ? json_integer(2 * json_integer_value(value)) : NULL;
}

static json_t *format_between(const json_t *value, const char *const *args, size_t n_args)
{
    (void)n_args;
    return json_sprintf("%s%" JSON_INTEGER_FORMAT "%s", args[0], json_integer_value(value),
                        args[1]);
}

static json_t *format_list(const json_t *value, const char *const *args, size_t n_args)
{
    (void)args;
    (void)n_args;
    return json_pack("[{s:O}, {s:i}]", "v", value, "v", 7);
}

static json_t *format_absent(const json_t *value, const char *const *args, size_t n_args)
{
    (void)n_args;
    return value == NULL ? json_string(args[0]) : json_incref((json_t *)(uintptr_t)value);
}

static bool accepts_x(const char *const *args, size_t n_args)
{
    return n_args == 1 && strcmp(args[0], "x") == 0;
}

static const struct ipr_tmpl_formatter formatters[] = {
    { "twice", 0, 0, format_twice, NULL, false },
    { "between", 2, 2, format_between, NULL, false },
    { "list", 0, 1, format_list, NULL, false },
    { "absent", 1, 1, format_absent, NULL, true },
    { "choosy", 1, 1, format_absent, accepts_x, false },
    { NULL, 0, 0, NULL, NULL, false },
};

/* Renders `text` as a page, with partial "p". */
static enum ipr_code render(const char *text, const char *partial, const char *json,
                            struct ipr_buf *out, struct ipr_err *err)
{
    struct ipr_tmpl_set *set = ipr_tmpl_set_new(raw_names, formatters);
    json_error_t why;
    json_t *data = json_loads(json, JSON_DECODE_ANY, &why);

    assert_non_null(data);
    enum ipr_code rc = ipr_tmpl_set_add(set, IPR_TMPL_PAGE, "page", ipr_str_c(text), err);
    if (rc == IPR_OK && partial != NULL)
        rc = ipr_tmpl_set_add(set, IPR_TMPL_PARTIAL, "p", ipr_str_c(partial), err);
    if (rc == IPR_OK)
        rc = ipr_tmpl_set_link(set, err);
    if (rc == IPR_OK)
        rc = ipr_tmpl_render(set, "page", data, out, err);
    json_decref(data);
    ipr_tmpl_set_free(&set);
    assert_null(set);
    return rc;
}

struct row {
    const char *name, *text, *partial, *json, *want;
};

static struct row rows[] = {
    { "plain text", "a\nb", NULL, "{}", "a\nb" },
    { "escaping", "{{x}}", NULL, "{\"x\":\"a<b>&\\\"'\"}", "a&lt;b&gt;&amp;&quot;&#39;" },
    { "raw, on the list", "{{{html}}}{{&html}}", NULL, "{\"html\":\"<b>\"}", "<b><b>" },
    { "raw dotted", "{{{a.b}}}", NULL, "{\"a\":{\"b\":\"<\"}}", "<" },
    { "integers as they are", "{{x}}", NULL, "{\"x\":9007199254740993}", "9007199254740993" },
    { "shortest decimal", "{{x}}", NULL, "{\"x\":0.1}", "0.1" },
    { "whole real keeps its point", "{{x}}", NULL, "{\"x\":3.0}", "3.0" },
    { "true and false print", "{{t}} {{f}}", NULL, "{\"t\":true,\"f\":false}", "true false" },
    { "null, missing, object, array", "[{{n}}{{m}}{{o}}{{a}}]", NULL,
      "{\"n\":null,\"o\":{},\"a\":[1]}", "[]" },
    { "zero is a figure", "{{#x}}{{.}}{{/x}}{{^x}}none{{/x}}", NULL, "{\"x\":0}", "0" },
    { "empty text is nothing", "{{#x}}some{{/x}}{{^x}}none{{/x}}", NULL, "{\"x\":\"\"}", "none" },
    { "list with outer names", "{{#l}}{{.}}{{sep}}{{/l}}", NULL, "{\"l\":[1,2],\"sep\":\";\"}",
      "1;2;" },
    { "dotted section", "{{#a.b}}{{c}}{{/a.b}}", NULL, "{\"a\":{\"b\":[{\"c\":1},{\"c\":2}]}}",
      "12" },
    { "inner name hides the outer", "{{#a}}{{x}}{{/a}}", NULL,
      "{\"x\":\"outer\",\"a\":{\"x\":null}}", "" },
    { "lines of section tags vanish", "<ul>\n  {{#l}}\n  <li>{{.}}\n  {{/l}}\n</ul>\n", NULL,
      "{\"l\":[1,2]}", "<ul>\n  <li>1\n  <li>2\n</ul>\n" },
    { "comment over lines", "a\n{{! one\ntwo }}\nb {{!c}}d", NULL, "{}", "a\nb d" },
    { "partial, indented by line", "x\n  {{>p}}\ny\n", "1\n\n{{v}}\n", "{\"v\":\"a\\nb\"}",
      "x\n  1\n\n  a\nb\ny\n" },
    { "partial with section lines", " {{>p}}\n", "{{#l}}\n-{{.}}\n{{/l}}\n", "{\"l\":[1,2]}",
      " -1\n -2\n" },
    { "inline close keeps the indentation", " {{>p}}\n", "{{#t}}\na\n{{/t}} b\n", "{\"t\":true}",
      " a\n  b\n" },
    { "recursive partial", "{{>p}}", "{{v}}{{#kids}}({{>p}}){{/kids}}",
      "{\"v\":1,\"kids\":[{\"v\":2,\"kids\":[]},{\"v\":3,\"kids\":[{\"v\":4,\"kids\":[]}]}]}",
      "1(2)(3(4))" },
    { "delimiters", "{{=<% %>=}}<%x%>{{x}}<%={{ }}=%>{{x}}", NULL, "{\"x\":1}", "1{{x}}1" },
    { "carriage returns", "a\r\n{{#t}}\r\nb\r\n{{/t}}\r\nc", NULL, "{\"t\":1}", "a\r\nb\r\nc" },
    { "unicode names and text", "{{größe}} é", NULL, "{\"größe\":\"Ø\"}", "Ø é" },
    { "no template text", "", NULL, "{}", "" },
    { "formatter", "{{x|twice}} {{a.b|twice|twice}}", NULL, "{\"x\":3,\"a\":{\"b\":1}}", "6 4" },
    { "arguments", "{{x|between:(a b :&)}}{{x|between::}}", NULL, "{\"x\":3}", "(a b 3&amp;)3" },
    { "formatter of the item", "{{#l}}{{.|twice}},{{/l}}", NULL, "{\"l\":[1,2]}", "2,4," },
    { "section over what a formatter makes", "{{#x|list}}{{v}};{{/x}}{{^x|twice}}none{{/x}}", NULL,
      "{\"x\":3}", "3;7;" },
    { "nothing from a formatter", "[{{s|twice}}]{{#s|twice}}some{{/s}}{{^s|twice}}none{{/s}}", NULL,
      "{\"s\":\"a\"}", "[]none" },
    { "nothing to format", "[{{n|between:a:b}}{{m|between:a:b}}]{{n|absent:-}}{{m|absent:-}}", NULL,
      "{\"n\":null}", "[]--" },
    { "nothing in a chain", "{{s|twice|absent:-}}{{s|twice|twice}}", NULL, "{\"s\":\"a\"}", "-" },
    { "innermost object alone", "{{#a}}{{x}}{{.x}}{{#t}}{{.y}}{{.x}}{{/t}}{{/a}}", NULL,
      "{\"x\":1,\"y\":2,\"a\":{\"t\":5,\"y\":3}}", "13" },
    { "of the innermost, in a list", "{{#l}}{{#.a.b}}{{.}}{{/.a.b}},{{/l}}", NULL,
      "{\"a\":{\"b\":9},\"l\":[{\"a\":{\"b\":1}},{}]}", "1,," },
    { "true is no context", "{{#a}}{{#t}}{{.|list}}{{#.}}{{y}}{{/.}}{{/t}}{{/a}}", NULL,
      "{\"a\":{\"t\":true,\"y\":3}}", "3" },
    { "element of an array", "{{a.1}}{{a.b}}{{a.2}}{{a.0.c}}", NULL, "{\"a\":[{\"c\":4},5]}",
      "54" },
};

static void test_row(void **state)
{
    const struct row *r = *state;
    struct ipr_buf out = IPR_BUF_INIT;
    struct ipr_err err = IPR_ERR_INIT;

    assert_ok(render(r->text, r->partial, r->json, &out, &err), &err);
    assert_string_equal(ipr_buf_c(&out), r->want);
    ipr_buf_release(&out);
}

static struct bad {
    const char *name, *text;
    uint32_t line, column;
    const char *msg;
} bads[] = {
    { "raw not on the list", "a\n {{{x}}}", 2, 2, "page:2:2: may not be printed raw: x" },
    { "raw by ampersand", "{{&x}}", 1, 1, "page:1:1: may not be printed raw: x" },
    { "tag not closed", "a {{x", 1, 3, "page:1:3: tag is never closed" },
    { "section not closed", "\n\n{{#x}}", 3, 1, "page:3:1: section is never closed: x" },
    { "inner section not closed", "{{#x}}\n{{#y}}{{/x}}", 2, 7,
      "page:2:7: end of another section than the open one: x" },
    { "end of nothing", "{{/x}}", 1, 1, "page:1:1: end of a section that is not open: x" },
    { "bad name", "{{a b}}", 1, 1, "page:1:1: not a name: a b" },
    { "empty name", "{{}}", 1, 1, "page:1:1: not a name:" },
    { "dots alone", "{{a..b}}", 1, 1, "page:1:1: not a name: a..b" },
    { "unknown formatter", "a\n{{x|thrice}}", 2, 1, "page:2:1: no formatter thrice" },
    { "unknown in a section", "{{^x|twice|}}{{/x}}", 1, 1, "page:1:1: no formatter" },
    { "too few arguments", "{{x|between:a}}", 1, 1,
      "page:1:1: wrong number of arguments: between:a" },
    { "too many arguments", "{{x|twice:a}}", 1, 1, "page:1:1: wrong number of arguments: twice:a" },
    { "argument refused", "{{x|choosy:y}}", 1, 1, "page:1:1: wrong argument: choosy:y" },
    { "name with a blank before the bar", "{{x |twice}}", 1, 1, "page:1:1: not a name: x " },
    { "closed with a formatter", "{{#x|twice}}{{/x|twice}}", 1, 13,
      "page:1:13: end of another section than the open one: x|twice" },
    { "raw and formatted", "{{{html|twice}}}", 1, 1,
      "page:1:1: may not be printed raw: html|twice" },
    { "bad delimiters", "{{=<%=}}", 1, 1, "page:1:1: bad delimiters <%" },
    { "missing partial", "{{#a}}\n\n{{>nope}}{{/a}}", 3, 1, "page:3:1: no partial nope" },
};

static void test_bad(void **state)
{
    const struct bad *b = *state;
    struct ipr_buf out = IPR_BUF_INIT;
    struct ipr_err err = IPR_ERR_INIT;

    assert_int_equal(render(b->text, NULL, "{}", &out, &err), IPR_EPARSE);
    assert_string_equal(err.msg, b->msg);
    assert_int_equal(err.line, b->line);
    assert_int_equal(err.column, b->column);
    assert_string_equal(err.type, "bad_template");
    assert_int_equal(out.n, 0);
}

static void test_limits(void **state)
{
    struct ipr_buf out = IPR_BUF_INIT, text = IPR_BUF_INIT;
    struct ipr_err err = IPR_ERR_INIT;

    (void)state;
    assert_int_equal(render("{{>p}}", "{{>p}}", "{}", &out, &err), IPR_ELIMIT);

    ipr_err_clear(&err);
    for (int i = 0; i <= IPR_TMPL_DEPTH; i++)
        ipr_buf_puts(&text, "{{#a}}");
    assert_int_equal(render(ipr_buf_c(&text), NULL, "{}", &out, &err), IPR_EPARSE);

    ipr_err_clear(&err);
    ipr_buf_reset(&out);
    out.cap = 10;
    assert_int_equal(render("{{x}}", NULL, "{\"x\":\"eleven byte\"}", &out, &err), IPR_ELIMIT);
    ipr_buf_release(&text);
    ipr_buf_release(&out);
}

static void put(const char *dir, const char *file, const char *text)
{
    char path[256];

    snprintf(path, sizeof path, "%s/%s", dir, file);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
}

static void test_load(void **state)
{
    char dir[] = "/tmp/ipr_tmpl_XXXXXX", path[256];
    struct ipr_tmpl_set *set = NULL;
    struct ipr_buf out = IPR_BUF_INIT;
    struct ipr_err err = IPR_ERR_INIT;

    (void)state;
    assert_non_null(mkdtemp(dir));
    assert_int_equal(ipr_tmpl_set_load(dir, NULL, NULL, &set, &err), IPR_EIO);
    assert_null(set);
    ipr_err_clear(&err);
    snprintf(path, sizeof path, "%s/pages", dir);
    mkdir(path, 0700);
    snprintf(path, sizeof path, "%s/partials", dir);
    mkdir(path, 0700);
    put(dir, "pages/one.html", "{{>head}}{{x}}\n");
    put(dir, "pages/notes.txt", "{{broken");
    put(dir, "partials/head.html", "<h1>");
    assert_ok(ipr_tmpl_set_load(dir, NULL, NULL, &set, &err), &err);
    json_t *data = json_pack("{s:i}", "x", 7);
    assert_ok(ipr_tmpl_render(set, "one", data, &out, &err), &err);
    assert_string_equal(ipr_buf_c(&out), "<h1>7\n");
    assert_int_equal(ipr_tmpl_render(set, "two", data, &out, &err), IPR_ENOTFOUND);
    json_decref(data);
    assert_int_equal(ipr_tmpl_set_add(set, IPR_TMPL_PAGE, "one", IPR_STR("x"), NULL),
                     IPR_ECONFLICT);
    ipr_tmpl_set_free(&set);

    ipr_err_clear(&err);
    put(dir, "pages/two.html", "\n{{#a}}");
    assert_int_equal(ipr_tmpl_set_load(dir, NULL, NULL, &set, &err), IPR_EPARSE);
    assert_string_equal(err.msg, "two:2:1: section is never closed: a");
    assert_null(set);
    const char *const files[] = { "pages/one.html", "pages/two.html", "pages/notes.txt",
                                  "partials/head.html" };
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        snprintf(path, sizeof path, "%s/%s", dir, files[i]);
        unlink(path);
    }
    snprintf(path, sizeof path, "%s/pages", dir);
    rmdir(path);
    snprintf(path, sizeof path, "%s/partials", dir);
    rmdir(path);
    rmdir(dir);
    ipr_buf_release(&out);
}

static void test_json(void **state)
{
    const char *text = "{\"b\":[1,-2.5,0.1,1e+300,0.30000000000000004,true,false,null,{}],"
                       "\"a\":\"q\\\"\\\\\\n\\u0001/é\",\"ké\\\"y\":[]}";
    struct ipr_buf out = IPR_BUF_INIT;
    json_t *v = json_loads(text, 0, NULL);

    (void)state;
    assert_non_null(v);
    ipr_json_write(v, &out);
    assert_string_equal(ipr_buf_c(&out), text);
    json_t *again = json_loads(ipr_buf_c(&out), 0, NULL);
    assert_true(json_equal(v, again));
    json_decref(again);
    json_decref(v);
    ipr_buf_release(&out);
}

/* ---- the official specification ---- */

static const struct {
    const char *file, *test, *why;
} unsupported[] = {
    { "partials", "Failed Lookup", "a missing partial is an error at start, never an empty text" },
};

static const char *why_unsupported(const char *file, const char *test)
{
    for (size_t i = 0; i < sizeof unsupported / sizeof *unsupported; i++)
        if (strcmp(unsupported[i].file, file) == 0 && strcmp(unsupported[i].test, test) == 0)
            return unsupported[i].why;
    return NULL;
}

/* Every name the specification prints raw. */
static const char *const spec_raw[] = { ".",           "string",     "integer",    "power",
                                        "cannot",      "forbidden",  "content",    "a.b.c",
                                        "person.name", "person.age", "a.b.c.name", "mph",
                                        "name",        NULL };

static bool spec_case(const char *file, const json_t *test)
{
    const char *name = json_string_value(json_object_get(test, "name"));
    const char *want = json_string_value(json_object_get(test, "expected"));
    struct ipr_tmpl_set *set = ipr_tmpl_set_new(spec_raw, formatters);
    struct ipr_buf out = IPR_BUF_INIT;
    struct ipr_err err = IPR_ERR_INIT;
    json_t *partials = json_object_get(test, "partials"), *partial;
    const char *key;

    enum ipr_code rc =
        ipr_tmpl_set_add(set, IPR_TMPL_PAGE, "page",
                         ipr_str_c(json_string_value(json_object_get(test, "template"))), &err);
    json_object_foreach(partials, key, partial) {
        if (rc == IPR_OK)
            rc = ipr_tmpl_set_add(set, IPR_TMPL_PARTIAL, key, ipr_str_c(json_string_value(partial)),
                                  &err);
    }
    if (rc == IPR_OK)
        rc = ipr_tmpl_set_link(set, &err);
    if (rc == IPR_OK)
        rc = ipr_tmpl_render(set, "page", json_object_get(test, "data"), &out, &err);
    const char *why = why_unsupported(file, name);
    const bool same = rc == IPR_OK && strcmp(ipr_buf_c(&out), want) == 0;
    if (same == (why != NULL))
        print_error("%s / %s: wanted \"%s\", got \"%s\" %s\n", file, name, want, ipr_buf_c(&out),
                    err.msg);
    ipr_buf_release(&out);
    ipr_tmpl_set_free(&set);
    return same != (why != NULL);
}

static struct spec {
    const char *name;
    size_t cases; /* at least: a file cut short is noticed */
} specs[] = {
    { "comments", 12 }, { "delimiters", 14 }, { "interpolation", 42 },
    { "inverted", 22 }, { "partials", 12 },   { "sections", 34 },
};

static void test_spec(void **state)
{
    const struct spec *s = *state;
    char file[64];
    size_t good = 0;

    snprintf(file, sizeof file, "data/mustache/%s.json", s->name);
    const char *path = ipr_test_shared(file);
    if (path == NULL)
        skip();
    json_error_t why;
    json_t *root = json_load_file(path, 0, &why);
    assert_non_null(root);
    const json_t *tests = json_object_get(root, "tests");
    const size_t n = json_array_size(tests);
    for (size_t i = 0; i < n; i++)
        good += spec_case(s->name, json_array_get(tests, i));
    json_decref(root);
    assert_true(n >= s->cases);
    assert_int_equal(good, n);
}

#define COUNT(a) (sizeof(a) / sizeof *(a))

int main(void)
{
    struct CMUnitTest tests[COUNT(rows) + COUNT(bads) + COUNT(specs) + 3];
    size_t n = 0;

    for (size_t i = 0; i < COUNT(rows); i++)
        tests[n++] = (struct CMUnitTest){ rows[i].name, test_row, NULL, NULL, &rows[i] };
    for (size_t i = 0; i < COUNT(bads); i++)
        tests[n++] = (struct CMUnitTest){ bads[i].name, test_bad, NULL, NULL, &bads[i] };
    for (size_t i = 0; i < COUNT(specs); i++)
        tests[n++] = (struct CMUnitTest){ specs[i].name, test_spec, NULL, NULL, &specs[i] };
    tests[n++] = (struct CMUnitTest)cmocka_unit_test(test_limits);
    tests[n++] = (struct CMUnitTest)cmocka_unit_test(test_load);
    tests[n++] = (struct CMUnitTest)cmocka_unit_test(test_json);
    return cmocka_run_group_tests_name("mustache", tests, NULL, NULL);
}
