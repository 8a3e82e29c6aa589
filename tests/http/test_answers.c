/* What every answer has around it: content coding, tags, names of files. Storage and views are
 * replaced. */
#include <sys/stat.h>

#include "fixture.h"

/* ---- content coding ---- */

/* GET with Accept-Encoding, the body as it is sent. */
static struct reply ask_coded(const char *path, const char *accept, const char *more)
{
    char headers[512];

    snprintf(headers, sizeof headers, "Accept-Encoding: %s%s%s", accept, more != NULL ? "\n" : "",
             more != NULL ? more : "");
    return ask(path, headers);
}

/* The same, decoded by curl. */
static struct reply ask_decoded(const char *path, const char *coding)
{
    struct reply r;
    struct curl_slist *list;
    CURL *c = client_handle("GET", path, NULL, &r, &list);

    curl_easy_setopt(c, CURLOPT_ACCEPT_ENCODING, coding);
    assert_int_equal(client_perform(c, list, &r), CURLE_OK);
    return r;
}

static void test_codings(void **state)
{
    static const char *const paths[] = { "/metrics", "/static/css/large.css",
                                         "/static/js/main.js" };
    static const char *const codings[] = { "gzip", "zstd" };

    (void)state;
    for (size_t i = 0; i < 2 * sizeof paths / sizeof *paths; i++) {
        const char *path = paths[i / 2], *coding = codings[i % 2];
        const bool small = i / 2 == 2;
        struct reply plain = ask(path, NULL), r = ask_decoded(path, coding);

        expect_status(&r, 200, path);
        assert_string_equal(header(&plain, "Content-Encoding"), "");
        assert_string_equal(header(&r, "Content-Encoding"), small ? "" : coding);
        assert_string_equal(header(&r, "Vary"), "Accept, Accept-Encoding");
        if (i / 2 > 0) /* the metrics have counted meanwhile */
            assert_string_equal(ipr_buf_c(&r.body), ipr_buf_c(&plain.body));
        assert_int_equal(strstr(header(&r, "ETag"), coding) != NULL, !small);
        reply_release(&plain);
        reply_release(&r);
    }
}

/* A client that has it in one coding has it in all; each coding has a tag of its own. */
static void test_tags(void **state)
{
    static const char *const paths[] = { "/static/css/large.css", "/api/v1/judges" };
    char plain[64], gzip[64], headers[128];

    (void)state;
    fake.same_data = true;
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        struct reply r = ask(paths[i], NULL);
        snprintf(plain, sizeof plain, "%s", header(&r, "ETag"));
        reply_release(&r);
        r = ask_coded(paths[i], "gzip, identity;q=0", NULL);
        expect_status(&r, 200, paths[i]);
        assert_string_equal(header(&r, "Content-Encoding"), "gzip");
        snprintf(gzip, sizeof gzip, "%s", header(&r, "ETag"));
        assert_memory_equal(plain, gzip, strlen(plain) - 1);
        assert_string_equal(gzip + strlen(plain) - 1, "-gzip\"");
        reply_release(&r);

        snprintf(headers, sizeof headers, "If-None-Match: W/%s", gzip);
        r = ask(paths[i], headers);
        expect_status(&r, 304, "the tag of another coding");
        assert_string_equal(header(&r, "ETag"), plain);
        reply_release(&r);
        snprintf(headers, sizeof headers, "If-None-Match: \"x\", %s", plain);
        r = ask_coded(paths[i], "gzip, identity;q=0", headers);
        expect_status(&r, 304, "the plain tag");
        assert_string_equal(header(&r, "ETag"), gzip);
        assert_string_equal(header(&r, "Content-Encoding"), "");
        reply_release(&r);
    }
}

static void test_unacceptable(void **state)
{
    (void)state;
    struct reply r = ask_coded("/api/v1/judges", "br, identity;q=0", NULL);
    expect_problem(&r, 406, "not_acceptable", "JSON");
    r = ask_coded("/static/css/large.css", "*;q=0", NULL);
    expect_problem(&r, 406, "not_acceptable", "a file");
    r = ask_coded("/nowhere", "*;q=0", NULL);
    expect_problem(&r, 404, "no_such_address", "a problem is answered anyway");
}

/* ---- files ---- */

/* The address that follows `before` in a text, up to a quote or bracket. */
static void address_after(const struct reply *r, const char *before, char out[128])
{
    const char *at = strstr(ipr_buf_c(&r->body), before);

    assert_non_null(at);
    at += strlen(before);
    snprintf(out, 128, "%.*s", (int)strcspn(at, "\"')"), at);
}

static void expect_kept(const char *path, const char *type)
{
    struct reply r = ask(path, NULL);

    expect_status(&r, 200, path);
    assert_string_equal(header(&r, "Cache-Control"), "public, max-age=31536000, immutable");
    assert_string_equal(header(&r, "Content-Type"), type);
    reply_release(&r);
}

/* A page, a script and a style sheet name files by their content. */
static void test_hashed_names(void **state)
{
    char script[128], sheet[128], module[160] = "/static/js/", nested[128];

    (void)state;
    struct reply r = ask("/", "Accept: text/html");
    address_after(&r, "src=\"", script);
    reply_release(&r);
    assert_memory_equal(script, "/static/js/main.", 16);
    assert_int_equal(strlen(script), strlen("/static/js/main.0123456789ab.js"));
    expect_kept(script, "text/javascript; charset=utf-8");

    r = ask(script, NULL);
    address_after(&r, "sheet = \"", sheet);
    address_after(&r, "import './", module + strlen(module));
    expect_kept(sheet, "text/css; charset=utf-8");
    expect_kept(module, "text/javascript; charset=utf-8");
    assert_non_null(strstr(ipr_buf_c(&r.body), "'/static/css/none.css'"));
    assert_non_null(strstr(ipr_buf_c(&r.body), "'see /static/css/large.css'"));
    struct reply same = ask("/static/js/main.js", NULL);
    assert_string_equal(header(&same, "Cache-Control"), "no-cache");
    assert_string_equal(ipr_buf_c(&same.body), ipr_buf_c(&r.body));
    reply_release(&same);
    reply_release(&r);

    r = ask(sheet, NULL);
    address_after(&r, "url(", nested);
    expect_kept(nested, "text/css; charset=utf-8");
    reply_release(&r);
    r = ask("/static/js/main.000000000000.js", NULL);
    expect_problem(&r, 404, "not_found", "another hash");
}

static void write_file(const char *dir, const char *name, const char *text)
{
    char path[256];

    snprintf(path, sizeof path, "%s/js/%s", dir, name);
    FILE *f = fopen(path, "wbe");
    assert_non_null(f);
    assert_int_equal(fputs(text, f) >= 0, 1);
    assert_int_equal(fclose(f), 0);
}

/* The hash of a file changes with what it imports; of a circle no hash can be the first. */
static void test_import_order(void **state)
{
    char dir[] = "/tmp/intrinsic-static-XXXXXX", js[64], first[128] = "", address[128];
    const struct ipr_http_options o = { .config = &config,
                                        .listen = "127.0.0.1:0",
                                        .static_dir = dir };
    struct ipr_http *kept = http;
    const int port = client_port;
    struct ipr_err err = IPR_ERR_INIT;

    (void)state;
    assert_non_null(mkdtemp(dir));
    snprintf(js, sizeof js, "%s/js", dir);
    assert_int_equal(mkdir(js, 0700), 0);
    write_file(dir, "a.js", "import \"./b.js\";\n");
    for (int i = 0; i < 2; i++) {
        write_file(dir, "b.js", i == 0 ? "export {};\n" : "export { first };\n");
        assert_ok(ipr_http_start(&o, &http, &err), &err);
        client_port = ipr_http_port(http);
        struct reply r = ask("/static/js/a.js", NULL);
        snprintf(address, sizeof address, "%s", header(&r, "ETag"));
        reply_release(&r);
        ipr_http_stop(&http);
        assert_string_not_equal(address, first);
        snprintf(first, sizeof first, "%s", address);
    }
    write_file(dir, "b.js", "import './a.js';\n");
    assert_int_equal(ipr_http_start(&o, &http, &err), IPR_EPARSE);
    assert_non_null(strstr(err.msg, "refers to itself"));
    http = kept;
    client_port = port;
    for (int i = 0; i < 2; i++) {
        snprintf(address, sizeof address, "%s/%s.js", js, i == 0 ? "a" : "b");
        unlink(address);
    }
    rmdir(js);
    rmdir(dir);
}

/* ---- problems ---- */

/* The type of a problem document is the address of what it means, for programs and people. */
static void test_problem_types(void **state)
{
    json_error_t why;
    const char *title, *meaning, *remedy, *type;
    int status;

    (void)state;
    struct reply r = ask("/api/v1/players?limit=0", NULL);
    json_t *problem = json_loads(ipr_buf_c(&r.body), 0, &why);
    const char *address = json_string_value(json_object_get(problem, "type"));
    reply_release(&r);
    assert_string_equal(address, "/problems/bad_parameter");
    r = ask(address, NULL);
    expect_status(&r, 200, address);
    json_t *told = json_loads(ipr_buf_c(&r.body), 0, &why);
    assert_int_equal(json_unpack(told, "{s:s, s:i, s:s, s:s, s:s}", "type", &type, "status",
                                 &status, "title", &title, "meaning", &meaning, "remedy", &remedy),
                     0);
    assert_string_equal(type, "bad_parameter");
    assert_int_equal(status, 400);
    assert_string_equal(title, json_string_value(json_object_get(problem, "title")));
    assert_true(strlen(meaning) > 10 && strlen(remedy) > 10);
    reply_release(&r);
    r = ask(address, "Accept: text/html");
    assert_string_equal(header(&r, "Content-Type"), "text/html; charset=utf-8");
    assert_non_null(strstr(ipr_buf_c(&r.body), "<p id=\"what\">problem"));
    reply_release(&r);
    r = ask("/problems/none", NULL);
    expect_problem(&r, 404, "not_found", "an unknown type");
    json_decref(told);
    json_decref(problem);
}

/* curl -d says that any body is a form. */
static void test_json_without_type(void **state)
{
    static const char body[] = " {\"player\":12}";

    (void)state;
    struct reply r = ask_with("POST", "/api/v1/analyses", FORM, body, sizeof body - 1);
    assert_non_null(strstr(ipr_buf_c(&r.body), "Content-Type: application/json is missing"));
    expect_problem(&r, 415, "unsupported_type", "JSON as a form");
    r = ask_with("POST", "/api/v1/analyses", JSON, body, sizeof body - 1);
    expect_status(&r, 202, "JSON");
    reply_release(&r);
    r = ask_with("POST", "/api/v1/analyses", FORM, "player=12", 9);
    expect_status(&r, 202, "a form");
    reply_release(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_codings),           TEST(test_tags),         TEST(test_unacceptable),
        TEST(test_hashed_names),      TEST(test_import_order), TEST(test_problem_types),
        TEST(test_json_without_type),
    };

    return cmocka_run_group_tests_name("http answers", tests, begin_all, end_all);
}
