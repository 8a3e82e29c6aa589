/* Who may ask: hosts, sites, origins. Storage and views are replaced. */
#include "fixture.h"

static void test_hosts(void **state)
{
    static const struct {
        const char *host;
        bool ok;
    } rows[] = {
        { "Host: localhost", true },     { "Host: LOCALHOST:99", true },
        { "Host: 127.0.0.1:1", true },   { "Host: [::1]:8080", true },
        { "Host: evil.example", false }, { "Host: localhost.evil.example", false },
        { "Host: evil:127", false },     { "Host: 127.0.0.1.evil.example:80", false },
        { "Host: [::2]", false },
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct reply r = ask("/health", rows[i].host);

        if (!rows[i].ok) {
            expect_problem(&r, 403, "unknown_host", rows[i].host);
            continue;
        }
        expect_status(&r, 200, rows[i].host);
        reply_release(&r);
    }
}

static void test_sites(void **state)
{
    char own[128];
    const struct {
        const char *headers;
        bool ok;
    } rows[] = {
        { PGN, true },
        { own, true },
        { PGN "\nSec-Fetch-Site: same-origin", true },
        { PGN "\nSec-Fetch-Site: none", true },
        { PGN "\nSec-Fetch-Site: cross-site", false },
        { PGN "\nOrigin: https://evil.example", false },
        { PGN "\nOrigin: null", false },
        { PGN "\nOrigin: http://127.0.0.1:1", false },
    };

    (void)state;
    snprintf(own, sizeof own, PGN "\nOrigin: http://127.0.0.1:%d", client_port);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct reply r = ask_with("POST", "/api/v1/uploads", rows[i].headers, "x", 1);

        assert_string_equal(header(&r, "Access-Control-Allow-Origin"), "");
        if (!rows[i].ok) {
            expect_problem(&r, 403, "cross_site", rows[i].headers);
            continue;
        }
        expect_status(&r, 202, rows[i].headers);
        reply_release(&r);
    }
    /* Reading is open to other sites. */
    struct reply r = ask("/api/v1/judges", "Origin: https://other.example");
    expect_status(&r, 200, "read");
    reply_release(&r);
}

/* OPTIONS as a browser sends it before a write by a page of `origin`. */
static struct reply preflight(const char *origin)
{
    char headers[256];

    snprintf(headers, sizeof headers,
             "Origin: %s\nAccess-Control-Request-Method: POST\n"
             "Access-Control-Request-Headers: authorization, content-type",
             origin);
    return ask_with("OPTIONS", "/api/v1/judges", headers, NULL, 0);
}

static void test_origins(void **state)
{
    static const char post[] = JSON "\nSec-Fetch-Site: cross-site\nOrigin: https://chess.example";
    static const char judge[] = "{\"name\": \"mine\", \"program\": \"stockfish\", "
                                "\"multipv\": 5, \"depth\": 12}";

    (void)state;
    config.origins = "http://127.0.0.1:3000 https://chess.example";
    struct reply r = preflight("https://chess.example");
    expect_status(&r, 204, "preflight of a configured origin");
    assert_string_equal(header(&r, "Access-Control-Allow-Origin"), "*");
    assert_string_equal(header(&r, "Access-Control-Allow-Methods"), "GET, HEAD, POST, OPTIONS");
    assert_string_equal(header(&r, "Access-Control-Allow-Headers"),
                        "Authorization, Content-Type, Idempotency-Key, If-None-Match, Prefer, "
                        "Upload-Key");
    assert_string_equal(header(&r, "Access-Control-Max-Age"), "86400");
    reply_release(&r);
    r = ask_with("POST", "/api/v1/judges", post, judge, sizeof judge - 1);
    expect_status(&r, 201, "a write by a configured origin");
    assert_string_equal(header(&r, "Access-Control-Allow-Origin"), "*");
    assert_non_null(strstr(header(&r, "Access-Control-Expose-Headers"), "ETag"));
    reply_release(&r);
    fake.any_token = true;
    r = ask_with("POST", "/api/v1/judges", post, judge, sizeof judge - 1);
    assert_string_equal(header(&r, "Access-Control-Allow-Origin"), "*");
    expect_problem(&r, 401, "token_needed", "the page gets the reason");

    r = preflight("https://chess.example.evil");
    assert_string_equal(header(&r, "Access-Control-Allow-Methods"), "GET, HEAD");
    assert_string_equal(header(&r, "Access-Control-Allow-Headers"), "If-None-Match");
    reply_release(&r);
    config.origins = NULL;
    r = ask_with("POST", "/api/v1/judges", post, judge, sizeof judge - 1);
    assert_string_equal(header(&r, "Access-Control-Allow-Origin"), "");
    expect_problem(&r, 403, "cross_site", "none is configured");
}

static void test_bad_origins(void **state)
{
    static const char *const bad[] = { "*",
                                       "chess.example",
                                       "https://",
                                       "https://a.example/",
                                       "https://a.example,https://b.example",
                                       "https://*.example",
                                       "https://a.example b.example" };

    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        const struct ipr_config wrong = { .listen = "127.0.0.1:0", .origins = bad[i] };
        const struct ipr_http_options o = { .config = &wrong };
        struct ipr_http *never = NULL;
        struct ipr_err err = IPR_ERR_INIT;

        assert_int_equal(ipr_http_start(&o, &never, &err), IPR_EPARSE);
        assert_memory_equal(err.msg, "INTRINSIC_ORIGINS: ", 19);
    }
}
int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_hosts),
        TEST(test_origins),
        TEST(test_bad_origins),
        TEST(test_sites),
    };

    return cmocka_run_group_tests_name("http access", tests, begin_all, end_all);
}
