/* Who may ask for what: hosts, sites, tokens. Storage and views are replaced. */
#include "fixture.h"

static void test_hosts(void **state)
{
    static const struct {
        const char *host;
        bool ok;
    } rows[] = {
        { "Host: localhost", true },       { "Host: LOCALHOST:99", true },
        { "Host: 127.0.0.1:1", true },     { "Host: [::1]:8080", true },
        { "Host: evil.example", false },   { "Host: localhost.evil.example", false },
        { "Host: evil:127.0.0.1", false }, { "Host: 127.0.0.1.evil.example:80", false },
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
                        "Authorization, Content-Type, Idempotency-Key, If-None-Match, Prefer");
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

static void test_tokens(void **state)
{
    static const char secret[] = "hush";

    (void)state;
    fake.any_token = true;
    crypto_generichash(fake.token, sizeof fake.token, (const unsigned char *)secret, 4, NULL, 0);
    struct reply r = ask_with("POST", "/api/v1/uploads", PGN, "x", 1);
    assert_string_equal(header(&r, "WWW-Authenticate"), "Bearer realm=\"intrinsic\"");
    expect_problem(&r, 401, "token_needed", "none");
    r = ask_with("POST", "/api/v1/uploads", PGN "\nAuthorization: Bearer wrong", "x", 1);
    expect_problem(&r, 401, "token_unknown", "wrong");
    r = ask_with("POST", "/api/v1/uploads", PGN "\nAuthorization: Basic hush", "x", 1);
    expect_problem(&r, 401, "token_needed", "another scheme");
    assert_int_equal(fake.ingest_bytes, -1);
    r = ask_with("POST", "/api/v1/uploads", PGN "\nAuthorization: bearer hush", "x", 1);
    expect_status(&r, 202, "right");
    reply_release(&r);
    r = ask("/api/v1/judges", NULL);
    expect_status(&r, 200, "reading stays open");
    reply_release(&r);
}

static void hush(void)
{
    fake.any_token = true;
    crypto_generichash(fake.token, sizeof fake.token, (const unsigned char *)"hush", 4, NULL, 0);
}

/* What the last write left behind: that is noted before its answer is sent. */
static void expect_audited(const char *want)
{
    char got[sizeof fake.audited];

    pthread_mutex_lock(&fake.lock);
    memcpy(got, fake.audited, sizeof got);
    pthread_mutex_unlock(&fake.lock);
    assert_string_equal(got, want);
}

#define HUSH "\nAuthorization: Bearer hush"

/* Each write has a scope, and a token without it is refused by its name. */
static void test_scopes(void **state)
{
    static const struct {
        const char *method, *path, *headers, *body, *scope;
        int needs;
    } rows[] = {
        { "POST", "/api/v1/uploads", PGN, "x", "upload", IPR_SCOPE_UPLOAD },
        { "DELETE", "/api/v1/uploads/7", JSON, NULL, "admin", IPR_SCOPE_ADMIN },
        { "POST", "/api/v1/players/12/merge", JSON, "{\"into\": 3}", "admin", IPR_SCOPE_ADMIN },
        { "POST", "/api/v1/analyses", JSON, "{\"upload\": 7}", "judge", IPR_SCOPE_JUDGE },
        { "PATCH", "/api/v1/analyses", JSON, "{\"upload\": 7, \"action\": \"pause\"}", "judge",
          IPR_SCOPE_JUDGE },
    };
    char headers[128], want[64];

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        fake_reset();
        hush();
        snprintf(headers, sizeof headers, "%s" HUSH, rows[i].headers);
        const size_t n = rows[i].body != NULL ? strlen(rows[i].body) : 0;
        fake.token_scopes = IPR_SCOPES_ALL & ~rows[i].needs;
        struct reply r = ask_with(rows[i].method, rows[i].path, headers, rows[i].body, n);
        snprintf(want, sizeof want, "a token of the scope %s;", rows[i].scope);
        assert_non_null(strstr(ipr_buf_c(&r.body), want));
        expect_problem(&r, 403, "scope_needed", rows[i].path);
        assert_string_equal(fake.decided, "");
        assert_int_equal(fake.token_bytes, 0);
        snprintf(want, sizeof want, "known token 127.0.0.1 %s %s 403", rows[i].method,
                 rows[i].path);
        expect_audited(want);
        fake.token_scopes = rows[i].needs;
        r = ask_with(rows[i].method, rows[i].path, headers, rows[i].body, n);
        assert_true(r.status < 300);
        reply_release(&r);
    }
}

static void test_scope_of_form(void **state)
{
    (void)state;
    hush();
    fake.token_scopes = IPR_SCOPE_UPLOAD;
    struct reply r = ask_with("POST", "/api/v1/players/12/merge", FORM, "into=3&token=hush", 17);
    expect_problem(&r, 403, "scope_needed", "in the form");
    assert_string_equal(fake.decided, "");
}

static void test_expired(void **state)
{
    (void)state;
    hush();
    fake.token_expired = true;
    struct reply r = ask_with("POST", "/api/v1/uploads", PGN HUSH, "x", 1);
    expect_problem(&r, 401, "token_expired", "expired");
    assert_int_equal(fake.ingest_bytes, -1);
}

/* A write counts its body, and 1 kB at least; one of unknown length as it comes. */
static void test_quota(void **state)
{
    static char body[3000];
    (void)state;
    memset(body, 'x', sizeof body);
    hush();
    fake.token_quota = 5000;
    struct reply r = ask_with("POST", "/api/v1/uploads", PGN HUSH, "x", 1);
    expect_status(&r, 202, "small");
    reply_release(&r);
    assert_int_equal(fake.token_bytes, 1024);
    r = ask_with("POST", "/api/v1/uploads", PGN HUSH "\nTransfer-Encoding: chunked", body,
                 sizeof body);
    expect_status(&r, 202, "without a length");
    reply_release(&r);
    expect_audited("known token 127.0.0.1 POST /api/v1/uploads 202");
    assert_int_equal(fake.token_bytes, 1024 + sizeof body);
    fake.ingest_bytes = -1;
    r = ask_with("POST", "/api/v1/uploads", PGN HUSH "\nTransfer-Encoding: chunked", body,
                 sizeof body);
    expect_problem(&r, 429, "quota_exceeded", "its first kilobyte is left");
    assert_int_equal(fake.ingest_bytes, -1);
    fake.token_bytes = 4024;
    r = ask_with("POST", "/api/v1/uploads", PGN HUSH, "x", 1);
    assert_in_range(strtol(header(&r, "Retry-After"), NULL, 10), 1, 86400);
    expect_problem(&r, 429, "quota_exceeded", "beyond it");
    assert_int_equal(fake.ingest_bytes, -1);
    expect_audited("known token 127.0.0.1 POST /api/v1/uploads 429");
}

/* Nor is a megabyte taken of a body that goes on: what comes after it is thrown away. */
static void test_quota_while_it_comes(void **state)
{
    static char body[MIB + 100000];
    (void)state;
    hush();
    fake.token_quota = 5000;
    struct reply r = ask_with("POST", "/api/v1/uploads", PGN HUSH "\nTransfer-Encoding: chunked",
                              body, sizeof body);
    expect_problem(&r, 429, "quota_exceeded", "too long, and larger than an upload may be");
    assert_int_equal(fake.token_bytes, 1024);
}

/* Nothing is done that cannot be put on record. */
static void test_audit_first(void **state)
{
    (void)state;
    hush();
    fake_fail(&fake.audit_fail, IPR_ERETRY, IPR_DB_AWAY, "gone");
    struct reply r = ask_with("POST", "/api/v1/uploads", PGN HUSH, "x", 1);
    expect_problem(&r, 503, "database_away", "no record");
    assert_int_equal(fake.ingest_bytes, -1);
    r = ask_with("POST", "/api/v1/players/12/merge", JSON HUSH, "{\"into\": 3}", 11);
    expect_problem(&r, 503, "database_away", "no record");
    assert_string_equal(fake.decided, "");
    ipr_err_clear(&fake.audit_fail);
    r = ask_with("POST", "/api/v1/uploads", PGN HUSH, "x", 1);
    expect_status(&r, 202, "again");
    reply_release(&r);
}

/* Where reading is not open, a token of that scope opens it: as a bearer's, or as the password that
 * browsers ask for, which writes nothing. */
static void test_private(void **state)
{
    static const struct {
        const char *path, *headers, *problem;
        long status;
        int scopes;
    } rows[] = {
        { "/api/v1/players", NULL, "token_needed", 401, IPR_SCOPES_ALL },
        { "/", "Accept: text/html", NULL, 401, IPR_SCOPES_ALL },
        { "/metrics", NULL, "token_needed", 401, IPR_SCOPES_ALL },
        { "/healthy", NULL, "token_needed", 401, IPR_SCOPES_ALL },
        { "/api/v1/players", "Authorization: Bearer wrong", "token_unknown", 401, IPR_SCOPES_ALL },
        { "/api/v1/players", "Authorization: Basic eDp3cm9uZw==", "token_unknown", 401,
          IPR_SCOPES_ALL },
        { "/api/v1/players", "Authorization: Basic %", "token_unknown", 401, IPR_SCOPES_ALL },
        { "/api/v1/players", "Authorization: Bearer hush", "scope_needed", 403,
          IPR_SCOPES_ALL & ~IPR_SCOPE_READ },
        { "/api/v1/players", "Authorization: Bearer hush", NULL, 200, IPR_SCOPE_READ },
        { "/api/v1/players", "Authorization: Basic eDpodXNo", NULL, 200, IPR_SCOPE_READ },
        { "/health", NULL, NULL, 200, 0 },
    };

    (void)state;
    hush();
    config.read = "token";
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        fake.token_scopes = rows[i].scopes;
        struct reply r = ask_with("GET", rows[i].path, rows[i].headers, NULL, 0);
        if (rows[i].status == 401)
            assert_non_null(strstr(header(&r, "WWW-Authenticate"), "Basic realm="));
        if (rows[i].problem != NULL) {
            expect_problem(&r, rows[i].status, rows[i].problem, rows[i].path);
            continue;
        }
        expect_status(&r, rows[i].status, rows[i].path);
        reply_release(&r);
    }
    fake.token_scopes = IPR_SCOPES_ALL;
    struct reply r =
        ask_with("POST", "/api/v1/uploads", PGN "\nAuthorization: Basic eDpodXNo", "x", 1);
    config.read = NULL;
    expect_problem(&r, 401, "token_needed", "a password writes nothing");
}

/* Strangers are in the log alone: they must not displace what others did. */
static void test_audit_of_strangers(void **state)
{
    (void)state;
    hush();
    struct reply r = ask_with("POST", "/api/v1/uploads", PGN, "x", 1);
    expect_problem(&r, 401, "token_needed", "none");
    r = ask_with("POST", "/api/v1/uploads", PGN "\nAuthorization: Bearer wrong", "x", 1);
    expect_problem(&r, 401, "token_unknown", "wrong");
    fake.any_token = false;
    r = ask_with("POST", "/api/v1/uploads?analyse=false", PGN, "x", 1);
    reply_release(&r);
    expect_audited("local 127.0.0.1 POST /api/v1/uploads 202");
}

/* A page without JavaScript sends no header: its forms have a field. */
static void test_token_in_form(void **state)
{
    static const struct {
        const char *headers, *body, *problem;
        long status;
    } rows[] = {
        { FORM, "into=3", "token_needed", 401 },
        { FORM, "into=3&token=", "token_needed", 401 },
        { FORM, "into=3&token=wrong", "token_unknown", 401 },
        { FORM, "into=3&xtoken=hush%21", "token_needed", 401 },
        { FORM "\nAuthorization: Bearer wrong", "into=3&token=hush%21", "token_unknown", 401 },
        { FORM "\nOrigin: http://evil.example", "into=3&token=hush%21", "cross_site", 403 },
        { JSON, "{\"into\": 3, \"token\": \"hush!\"}", "token_needed", 401 },
        { FORM, "into=3&token=hush%21", NULL, 200 },
        { FORM, "token=hush%21&into=3", NULL, 200 },
        { FORM, "sure=true&token=+hush%21+&into=3", NULL, 200 },
        { FORM "\nAuthorization: Bearer hush!", "token=wrong&into=3", NULL, 200 },
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        fake_reset();
        fake.any_token = true;
        crypto_generichash(fake.token, sizeof fake.token, (const unsigned char *)"hush!", 5, NULL,
                           0);
        struct reply r = ask_with("POST", "/api/v1/players/12/merge", rows[i].headers, rows[i].body,
                                  strlen(rows[i].body));
        assert_null(strstr(ipr_buf_c(&r.body), "hush"));
        assert_int_equal(fake.decided[0] != '\0', rows[i].problem == NULL);
        if (rows[i].problem != NULL) {
            expect_problem(&r, rows[i].status, rows[i].problem, rows[i].body);
            continue;
        }
        expect_status(&r, rows[i].status, rows[i].body);
        assert_non_null(strstr(fake.decided, "by known token"));
        reply_release(&r);
    }
}

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
        TEST(test_hosts),
        TEST(test_origins),
        TEST(test_bad_origins),
        TEST(test_sites),
        TEST(test_tokens),
        TEST(test_token_in_form),
        TEST(test_beyond_loopback),
        TEST(test_scopes),
        TEST(test_scope_of_form),
        TEST(test_expired),
        TEST(test_quota),
        TEST(test_quota_while_it_comes),
        TEST(test_audit_first),
        TEST(test_private),
        TEST(test_audit_of_strangers),
        TEST(test_passed_on),
        TEST(test_passed_on_by_plain_nginx),
        TEST(test_behind_a_set_proxy),
        TEST(test_public_name),
        TEST(test_forwarded_host),
        TEST(test_https),
        TEST(test_absolute_links),
        TEST(test_bad_public),
    };

    return cmocka_run_group_tests_name("http access", tests, begin_all, end_all);
}
