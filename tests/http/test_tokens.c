/* What a token may do, and what is recorded of it. Storage and views are replaced. */
#include "hush.h"

#define MERGE  "{\"kind\": \"merge\", \"player\": 12, \"other\": 3}"
#define FIELDS "kind=merge&player=12&other=3"

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

/* Each write has a scope, and a token without it is refused by its name. */
static void test_scopes(void **state)
{
    static const struct {
        const char *method, *path, *headers, *body, *scope;
        int needs;
    } rows[] = {
        { "POST", "/api/v1/uploads", PGN, "x", "upload", IPR_SCOPE_UPLOAD },
        { "DELETE", "/api/v1/uploads/7", JSON, NULL, "admin", IPR_SCOPE_ADMIN },
        { "POST", "/api/v1/identity-changes", JSON, MERGE, "admin", IPR_SCOPE_ADMIN },
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
        expect_audited(""); /* the log has it */
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
    struct reply r = ask_with("POST", "/api/v1/identity-changes", FORM, FIELDS "&token=hush",
                              strlen(FIELDS "&token=hush"));
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
    expect_audited("known token 127.0.0.1 POST /api/v1/uploads 202"); /* the one before */
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
    r = ask_with("POST", "/api/v1/identity-changes", JSON HUSH, MERGE, strlen(MERGE));
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
        { FORM, FIELDS, "token_needed", 401 },
        { FORM, FIELDS "&token=", "token_needed", 401 },
        { FORM, FIELDS "&token=wrong", "token_unknown", 401 },
        { FORM, FIELDS "&xtoken=hush%21", "token_needed", 401 },
        { FORM "\nAuthorization: Bearer wrong", FIELDS "&token=hush%21", "token_unknown", 401 },
        { FORM "\nOrigin: http://evil.example", FIELDS "&token=hush%21", "cross_site", 403 },
        { JSON, "{\"kind\": \"merge\", \"player\": 12, \"other\": 3, \"token\": \"hush!\"}",
          "token_needed", 401 },
        { FORM, FIELDS "&token=hush%21", NULL, 200 },
        { FORM, "token=hush%21&" FIELDS, NULL, 200 },
        { FORM, "sure=true&token=+hush%21+&" FIELDS, NULL, 200 },
        { FORM "\nAuthorization: Bearer hush!", "token=wrong&" FIELDS, NULL, 200 },
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        fake_reset();
        fake.any_token = true;
        crypto_generichash(fake.token, sizeof fake.token, (const unsigned char *)"hush!", 5, NULL,
                           0);
        struct reply r = ask_with("POST", "/api/v1/identity-changes", rows[i].headers, rows[i].body,
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
int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_tokens),
        TEST(test_token_in_form),
        TEST(test_scopes),
        TEST(test_scope_of_form),
        TEST(test_expired),
        TEST(test_quota),
        TEST(test_quota_while_it_comes),
        TEST(test_audit_first),
        TEST(test_private),
        TEST(test_audit_of_strangers),
    };

    return cmocka_run_group_tests_name("http tokens", tests, begin_all, end_all);
}
