/* A service that others can reach, through proxies and under a public name. Storage and views are
 * replaced. */
#include "hush.h"

static void test_beyond_loopback(void **state)
{
    struct ipr_http *kept = http;
    const int port = client_port;

    (void)state;
    start(":0");
    struct reply r = ask_with("POST", "/api/v1/uploads", PGN, "x", 1);
    expect_problem(&r, 401, "token_needed", "no token exists, others can connect");
    r = ask("/health", "Host: chess.example");
    expect_status(&r, 200, "any name");
    reply_release(&r);
    ipr_http_stop(&http);
    http = kept;
    client_port = port;
}

/* A service with these settings, beside the one of all tests. */
static struct ipr_http *kept_http;
static int kept_port;

static void start_public(const char *public_url, const char *proxies)
{
    kept_http = http;
    kept_port = client_port;
    config.public_url = public_url;
    config.trusted_proxies = proxies;
    start(NULL);
}

static void stop_public(void)
{
    ipr_http_stop(&http);
    http = kept_http;
    client_port = kept_port;
    config.public_url = config.trusted_proxies = NULL;
}

/* As soon as anything says that a proxy passed the request on, writing needs a token: the proxy of
 * an operator who made none must not open it to the world. */
static void test_passed_on(void **state)
{
    static const char *const fields[] = {
        "X-Forwarded-For: 203.0.113.5",
        "X-Forwarded-For: 127.0.0.1",
        "X-Forwarded-Proto: https",
        "x-forwarded-host: localhost",
        "X-Forwarded-Port: 443",
        "Forwarded: for=127.0.0.1",
        "Via: 1.1 proxy",
        "X-Real-IP: 127.0.0.1",
    };
    char headers[128];

    (void)state;
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        snprintf(headers, sizeof headers, PGN "\n%s", fields[i]);
        struct reply r = ask_with("POST", "/api/v1/uploads", headers, "x", 1);
        const size_t n = strcspn(fields[i], ":");
        const char *said = strcasestr(ipr_buf_c(&r.body), "a proxy passed the request on (");

        assert_non_null(said);
        assert_int_equal(strncasecmp(said + 31, fields[i], n), 0);
        assert_non_null(strstr(said, "intrinsic token create"));
        expect_problem(&r, 401, "token_needed", fields[i]);
        assert_int_equal(fake.ingest_bytes, -1);
        r = ask("/api/v1/judges", fields[i]);
        expect_status(&r, 200, "reading stays open");
        reply_release(&r);
    }
    struct reply r = ask_with("POST", "/api/v1/uploads", PGN, "x", 1);
    expect_status(&r, 202, "without such a field");
    reply_release(&r);
}

/* nginx adds no field by itself, but speaks HTTP/1.0 to the service. */
static void test_passed_on_by_plain_nginx(void **state)
{
    struct reply r;
    struct curl_slist *list;
    CURL *c = client_handle("POST", "/api/v1/uploads", PGN, &r, &list);

    (void)state;
    curl_easy_setopt(c, CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_1_0);
    curl_easy_setopt(c, CURLOPT_POSTFIELDS, "x");
    assert_int_equal(client_perform(c, list, &r), CURLE_OK);
    expect_problem(&r, 401, "token_needed", "HTTP/1.0");
}

/* What is set for a proxy closes writing without a token, whatever the proxy sends. */
static void test_behind_a_set_proxy(void **state)
{
    static const char *const settings[][2] = { { "https://chess.example/", NULL },
                                               { NULL, "127.0.0.1" } };

    (void)state;
    for (size_t i = 0; i < 2; i++) {
        start_public(settings[i][0], settings[i][1]);
        struct reply r = ask_with("POST", "/api/v1/uploads", PGN, "x", 1);
        expect_problem(&r, 401, "token_needed", "set for a proxy");
        stop_public();
    }
}

#define FROM_5 PGN "\nX-Forwarded-For: 203.0.113.5"

/* Where the operator allows it everybody uploads, within a quota, and does nothing else. */
static void test_visitors(void **state)
{
    static const struct {
        const char *method, *path, *headers, *body, *type;
        long status;
    } refused[] = {
        { "POST", "/api/v1/uploads?judge=quick", FROM_5, "x", "token_needed", 401 },
        { "POST", "/api/v1/uploads?priority=4", FROM_5, "x", "token_needed", 401 },
        { "POST", "/api/v1/uploads?listed=true", FROM_5, "x", "scope_needed", 403 },
        { "POST", "/api/v1/uploads", FROM_5 "\nAuthorization: Bearer wrong", "x", "token_unknown",
          401 },
        { "POST", "/api/v1/uploads", FROM_5 "\nOrigin: https://evil.example", "x", "cross_site",
          403 },
        { "POST", "/api/v1/rate", FROM_5, "x", "token_needed", 401 },
        { "POST", "/api/v1/evaluations", "Content-Type: application/x-ndjson", "{}", "token_needed",
          401 },
        { "DELETE", "/api/v1/uploads/7", JSON, NULL, "token_needed", 401 },
        { "POST", "/api/v1/analyses", JSON, "{\"upload\": 7}", "token_needed", 401 },
    };
    char *const tenth = ipr_xcalloc(1, (1 << 20) / 10);
    struct reply r;

    (void)state;
    memset(tenth, 'x', (1 << 20) / 10);
    config.public_uploads_mb = 1;
    start_public(NULL, "127.0.0.1");
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        const size_t n = refused[i].body != NULL ? strlen(refused[i].body) : 0;

        r = ask_with(refused[i].method, refused[i].path, refused[i].headers, refused[i].body, n);
        expect_problem(&r, refused[i].status, refused[i].type, refused[i].path);
        assert_int_equal(fake.ingest_bytes, -1);
    }
    r = ask_with("POST", "/api/v1/uploads", FROM_5, "x", 1);
    expect_status(&r, 202, "a visitor");
    assert_non_null(strstr(header(&r, "Set-Cookie"), "intrinsic_uploads="));
    reply_release(&r);
    assert_non_null(strstr(fake.audited, "visitor"));
    r = ask_with("POST", "/api/v1/uploads", FROM_5, tenth, (1 << 20) / 10);
    assert_true(atol(header(&r, "Retry-After")) > 0);
    expect_problem(&r, 429, "quota_exceeded", "with what this address has sent before");
    for (int i = 0; i < 9; i++) {
        char headers[128];

        snprintf(headers, sizeof headers, PGN "\nX-Forwarded-For: 2001:db8:0:%d::1", i);
        r = ask_with("POST", "/api/v1/uploads", headers, tenth, (1 << 20) / 10);
        expect_status(&r, 202, "another address");
        reply_release(&r);
        r = ask_with("POST", "/api/v1/uploads", headers, "x", 1);
        expect_problem(&r, 429, "quota_exceeded", "its tenth is used up");
    }
    r = ask_with("POST", "/api/v1/uploads", PGN "\nX-Forwarded-For: 203.0.113.9", tenth,
                 (1 << 20) / 10);
    expect_problem(&r, 429, "quota_exceeded", "that of all is");
    stop_public();
    config.read = "token";
    start_public(NULL, "127.0.0.1");
    r = ask_with("POST", "/api/v1/uploads", FROM_5, "x", 1);
    expect_problem(&r, 401, "token_needed", "where reading needs one");
    stop_public();
    config.read = NULL;
    config.public_uploads_mb = 0;
    free(tenth);
}

static void test_public_name(void **state)
{
    static const struct {
        const char *headers;
        long status;
    } reads[] = {
        { "Host: chess.example", 200 },
        { "Host: CHESS.example:443", 200 },
        { "Host: localhost", 200 },
        { "Host: evil.example", 403 },
        { "Host: chess.example.evil", 403 },
        { "Host: evil.example\nX-Forwarded-Host: localhost", 403 },
    };
    static const struct {
        const char *headers;
        long status;
    } writes[] = {
        { "Origin: https://chess.example", 202 },
        { "Origin: https://chess.example\nHost: chess.example", 202 },
        { "Origin: https://chess.example\nSec-Fetch-Site: same-origin", 202 },
        { "Origin: https://evil.example", 403 },
        { "Origin: https://chess.example.evil", 403 },
        { "Origin: http://chess.example", 403 },
        { "Origin: https://evil.example\nX-Forwarded-Host: evil.example", 403 },
    };
    char headers[256];

    (void)state;
    fake.any_token = true;
    crypto_generichash(fake.token, sizeof fake.token, (const unsigned char *)"hush", 4, NULL, 0);
    start_public("https://Chess.example:443/", NULL);
    for (size_t i = 0; i < sizeof reads / sizeof *reads; i++) {
        struct reply r = ask("/health", reads[i].headers);

        expect_status(&r, reads[i].status, reads[i].headers);
        reply_release(&r);
    }
    for (size_t i = 0; i < sizeof writes / sizeof *writes; i++) {
        snprintf(headers, sizeof headers, PGN "\nAuthorization: Bearer hush\n%s",
                 writes[i].headers);
        struct reply r = ask_with("POST", "/api/v1/uploads", headers, "x", 1);

        expect_status(&r, writes[i].status, writes[i].headers);
        reply_release(&r);
    }
    stop_public();
}

/* A name that a trusted proxy requests in the client's stead is ours, one that others claim is not.
 */
static void test_forwarded_host(void **state)
{
    static const char headers[] = PGN "\nAuthorization: Bearer hush\n"
                                      "Origin: https://chess.example\n"
                                      "X-Forwarded-Host: chess.example";

    (void)state;
    fake.any_token = true;
    crypto_generichash(fake.token, sizeof fake.token, (const unsigned char *)"hush", 4, NULL, 0);
    start_public(NULL, "127.0.0.1");
    struct reply r = ask_with("POST", "/api/v1/uploads", headers, "x", 1);
    expect_status(&r, 202, "trusted");
    reply_release(&r);
    expect_audited("known token 127.0.0.1 POST /api/v1/uploads 202");
    r = ask_with("POST", "/api/v1/uploads", PGN HUSH "\nX-Forwarded-For: 198.51.100.1, 203.0.113.5",
                 "x", 1);
    reply_release(&r);
    expect_audited("known token 203.0.113.5 POST /api/v1/uploads 202");
    stop_public();
    start_public(NULL, "192.0.2.1");
    r = ask_with("POST", "/api/v1/uploads", headers, "x", 1);
    expect_problem(&r, 403, "cross_site", "not trusted");
    stop_public();
}

static void expect_hsts(const char *headers, bool wanted)
{
    struct reply r = ask("/health", headers);

    assert_string_equal(header(&r, "Strict-Transport-Security"), wanted ? "max-age=31536000" : "");
    reply_release(&r);
}

static void test_https(void **state)
{
    (void)state;
    expect_hsts("X-Forwarded-Proto: https", false); /* anybody */
    start_public("https://chess.example", NULL);
    expect_hsts("Host: chess.example", true);
    expect_hsts("Host: localhost", false);
    stop_public();
    start_public("http://chess.example", "127.0.0.1");
    expect_hsts("Host: chess.example", false);
    expect_hsts("X-Forwarded-Proto: https", true);
    expect_hsts("X-Forwarded-Proto: http", false);
    expect_hsts("Forwarded: for=203.0.113.5;proto=https", true);
    stop_public();
}

/* /openapi.json and the lines of curl on /docs. */
static void test_absolute_links(void **state)
{
    (void)state;
    start_public("https://chess.example", NULL);
    struct reply r = ask("/docs", "Accept: text/html");
    assert_non_null(strstr(ipr_buf_c(&r.body), "https://chess.example/api/v1"));
    reply_release(&r);
    stop_public();
    start_public(NULL, "127.0.0.1");
    r = ask("/docs", "Accept: text/html\nX-Forwarded-Host: a.example\nX-Forwarded-Proto: https");
    assert_non_null(strstr(ipr_buf_c(&r.body), "https://a.example/api/v1"));
    reply_release(&r);
    stop_public();
    r = ask("/docs", "Accept: text/html\nX-Forwarded-Host: a.example\nX-Forwarded-Proto: https");
    assert_null(strstr(ipr_buf_c(&r.body), "a.example"));
    reply_release(&r);
}

static void test_bad_public(void **state)
{
    static const char *const bad[] = { "chess.example",
                                       "ftp://chess.example",
                                       "https://",
                                       "https://chess.example/here",
                                       "https://chess.example?",
                                       "https://a.example b.example",
                                       "https://a@b.example",
                                       "https://:8080" };

    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        const struct ipr_config wrong = { .listen = "127.0.0.1:0", .public_url = bad[i] };
        const struct ipr_http_options o = { .config = &wrong };
        struct ipr_http *never = NULL;
        struct ipr_err err = IPR_ERR_INIT;

        assert_int_equal(ipr_http_start(&o, &never, &err), IPR_EPARSE);
        assert_memory_equal(err.msg, "INTRINSIC_PUBLIC_URL: ", 22);
    }
}
int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_beyond_loopback),    TEST(test_passed_on), TEST(test_passed_on_by_plain_nginx),
        TEST(test_behind_a_set_proxy), TEST(test_visitors),  TEST(test_public_name),
        TEST(test_forwarded_host),     TEST(test_https),     TEST(test_absolute_links),
        TEST(test_bad_public),
    };

    return cmocka_run_group_tests_name("http public", tests, begin_all, end_all);
}
