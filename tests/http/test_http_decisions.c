/* Posts of calibrations and of decisions on identities. */
#include "fixture.h"

#define CHANGES "/api/v1/identity-changes"
#define MERGE   "{\"kind\": \"merge\", \"player\": 12, \"other\": 3}"

static void test_calibration_post(void **state)
{
    static const struct {
        const char *query, *body;
        long status;
        const char *type;
    } rows[] = {
        { "?name=mine", "{}", 201, NULL },
        { "?name=known", "{}", 200, NULL },
        { "?name=taken", "{}", 409, "calibration_exists" },
        { "", "{}", 400, "bad_parameter" },
        { "?name=", "{}", 400, "bad_parameter" },
        { "?name=A", "{}", 400, "bad_parameter" },
        { "?name=a%2Fb", "{}", 400, "bad_parameter" },
        { "?name=a123456789012345678901234567890123456789012345678901234567890123", "{}", 400,
          "bad_parameter" },
        { "?nam=mine", "{}", 400, "unknown_parameter" },
        { "?name=mine", "", 400, "empty_body" },
        { "?name=mine", "\x28\xb5\x2f\xfd broken", 400, "bad_archive" },
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char path[160];

        fake_reset();
        snprintf(path, sizeof path, "/api/v1/calibrations%s", rows[i].query);
        struct reply r = ask_with("POST", path, "Content-Type: application/x-ndjson", rows[i].body,
                                  strlen(rows[i].body));
        if (rows[i].type) {
            expect_problem(&r, rows[i].status, rows[i].type, path);
            continue;
        }
        expect_status(&r, rows[i].status, path);
        assert_string_equal(header(&r, "Location"), rows[i].status == 201
                                                        ? "/api/v1/calibrations/mine"
                                                        : "/api/v1/calibrations/known");
        reply_release(&r);
    }
    char *large = ipr_xcalloc(17, 1u << 20);
    memset(large, 'x', 17u << 20);
    struct reply r =
        ask_with("POST", "/api/v1/calibrations?name=mine", NULL, large, (size_t)17 << 20);
    expect_problem(&r, 413, "upload_too_large", "17 MiB");
    free(large);
    r = ask_with("POST", "/api/v1/calibrations?name=mine", "Origin: http://evil.example", "{}", 2);
    expect_problem(&r, 403, "cross_site", "another site");
    fake.any_token = true;
    r = ask_with("POST", "/api/v1/calibrations?name=mine", NULL, "{}", 2);
    expect_problem(&r, 401, "token_needed", "no token");
    fake_reset();
    r = ask("/api/v1/calibrations/standard?reference=no", NULL);
    expect_problem(&r, 400, "bad_parameter", "reference");
}

static void test_decisions(void **state)
{
    static const struct {
        const char *type, *body, *decided;
    } rows[] = {
        { JSON, "{\"kind\": \"merge\", \"player\": 12, \"other\": 3}", "merge 12 3 by local" },
        { FORM, "kind=merge&player=12&other=3&back=/players/12", "merge 12 3 by local" },
        { JSON, "{\"kind\": \"merge\", \"player\": 12, \"other\": 3, \"sure\": true}",
          "merge 12 3 surely by local" },
        { JSON, "{\"kind\": \"merge\", \"player\": 12, \"other\": 3, \"sure\": false}",
          "merge 12 3 by local" },
        { FORM, "kind=merge&player=12&other=3&sure=true", "merge 12 3 surely by local" },
        { FORM, "kind=merge&player=12&token=any&other=3", "merge 12 3 by local" },
        { FORM, "kind=distinct&player=12&other=%203", "distinct 12 3 by local" },
        { JSON,
          "{\"kind\": \"split\", \"player\": 12, \"name\": \"X,  Y\", \"from\": 1950, \"to\": "
          "1999}",
          "split 12 X,  Y [x,y] 1950-1999 - 0:0 -1 by local" },
        { JSON,
          "{\"kind\": \"split\", \"player\": 12, \"name\": \"X\", \"games\": [4, 9], \"tagged\": "
          "\"z\", \"color\": \"black\"}",
          "split 12 X [x] 0-0 z 2:9 1 by local" },
        { FORM, "kind=split&player=12&name=X+Y&from=1950&to=&tagged=&games=",
          "split 12 X Y [x y] 1950-9999 - 0:0 -1 by local" },
        { FORM, "kind=split&player=12&name=X&games=4%2C+9+17",
          "split 12 X [x] 0-0 - 3:17 -1 by local" },
        { JSON, "{\"kind\": \"undo\", \"change\": 4}", "undo 4 by local" },
        { FORM, "kind=undo&change=4", "undo 4 by local" },
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct reply r =
            ask_with("POST", CHANGES, rows[i].type, rows[i].body, strlen(rows[i].body));
        expect_status(&r, 200, rows[i].body);
        assert_string_equal(fake.decided, rows[i].decided);
        reply_release(&r);
    }
}

/* A form redirects to the page it came from, if that is a page of this service. */
static void test_decision_forms(void **state)
{
    static const struct {
        const char *back, *location;
    } rows[] = {
        { "", "/players/doubtful" },
        { "&back=/players/doubtful?after%3D1-2-m%C3%BCller",
          "/players/doubtful?after=1-2-m%C3%BCller" },
        { "&back=http://evil.example/players/", "/players/doubtful" },
        { "&back=//evil.example", "/players/doubtful" },
        { "&back=/players/1%0d%0aX-Evil:+1", "/players/1%0D%0AX-Evil:%201" },
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char body[128];

        snprintf(body, sizeof body, "other=3%s", rows[i].back);
        struct reply r = ask_with("POST", CHANGES "?kind=merge&player=12",
                                  FORM "\nAccept: text/html", body, strlen(body));
        expect_status(&r, 303, rows[i].back);
        assert_string_equal(header(&r, "Location"), rows[i].location);
        assert_string_equal(header(&r, "X-Evil"), "");
        reply_release(&r);
    }
}

static void test_bad_decisions(void **state)
{
    static const struct {
        const char *type, *body, *problem;
        long status;
    } rows[] = {
        { JSON, "{\"kind\": \"merge\", \"player\": 12}", "bad_parameter", 400 },
        { JSON, "{\"kind\": \"merge\", \"player\": 12, \"other\": 0}", "bad_parameter", 400 },
        { JSON, "{\"kind\": \"merge\", \"player\": 12, \"other\": 1.5}", "bad_parameter", 400 },
        { JSON, "{\"kind\": \"merge\", \"player\": 12, \"other\": 3, \"onto\": 4}",
          "unknown_parameter", 400 },
        { JSON, "{\"kind\": \"merge\", \"player\": 12, \"other\": 3, \"sure\": 1}", "bad_parameter",
          400 },
        { FORM, "kind=merge&player=12&other=3&sure=no", "bad_parameter", 400 },
        { JSON, "{\"kind\": \"merge\", \"player\": 12, \"other\": 3, \"token\": \"x\"}",
          "unknown_parameter", 400 },
        { FORM, "kind=merge&player=12&other=3&token=x&token=y", "unknown_parameter", 400 },
        { FORM, "kind=merge&player=12&other=3&token=%GG", "bad_url", 400 },
        { JSON, "[3]", "bad_body", 400 },
        { JSON, "{\"kind\": \"merge\", \"player\": 12, \"other\": ", "bad_body", 400 },
        { FORM, "kind=merge&player=12&other=3&other=4", "bad_parameter", 400 },
        { "Content-Type: text/plain", "kind=merge&player=12&other=3", "unsupported_type", 415 },
        { JSON, "{\"kind\": \"merge\", \"player\": \"x\", \"other\": 3}", "bad_parameter", 400 },
        { JSON, "{\"kind\": \"merge\", \"player\": 9999999999, \"other\": 3}", "bad_parameter",
          400 },
        { JSON, "{\"kind\": \"merge\", \"other\": 3}", "bad_parameter", 400 },
        { JSON, "{\"player\": 12, \"other\": 3}", "bad_parameter", 400 },
        { JSON, "{\"kind\": \"distinct\", \"player\": 12}", "bad_parameter", 400 },
        { JSON, "{\"kind\": \"undo\"}", "bad_parameter", 400 },
        { JSON, "{\"kind\": \"aliases\"}", "not_found", 404 },
        { JSON, "{\"kind\": \"distinct\", \"player\": 12, \"into\": 3}", "unknown_parameter", 400 },
        { JSON, "{\"kind\": \"split\", \"player\": 12, \"from\": 1, \"to\": 2}", "bad_parameter",
          400 },
        { JSON, "{\"kind\": \"split\", \"player\": 12, \"name\": \"X\"}", "bad_parameter", 400 },
        { JSON, "{\"kind\": \"split\", \"player\": 12, \"name\": \"?\", \"from\": 1, \"to\": 2}",
          "bad_parameter", 400 },
        { JSON, "{\"kind\": \"split\", \"player\": 12, \"name\": \"N.N.\", \"from\": 1, \"to\": 2}",
          "bad_parameter", 400 },
        { JSON,
          "{\"kind\": \"split\", \"player\": 12, \"name\": \"X\\u0001\", \"from\": 1, \"to\": 2}",
          "bad_parameter", 400 },
        { JSON, "{\"kind\": \"split\", \"player\": 12, \"name\": \"X\", \"years\": [2, 1]}",
          "unknown_parameter", 400 },
        { JSON, "{\"kind\": \"split\", \"player\": 12, \"name\": \"X\", \"from\": 2, \"to\": 1}",
          "bad_parameter", 400 },
        { JSON, "{\"kind\": \"split\", \"player\": 12, \"name\": \"X\", \"games\": []}",
          "bad_parameter", 400 },
        { JSON, "{\"kind\": \"split\", \"player\": 12, \"name\": \"X\", \"games\": [\"a\"]}",
          "bad_parameter", 400 },
        { FORM, "kind=split&player=12&name=X&games=4%3B5", "bad_parameter", 400 },
        { JSON, "{\"kind\": \"split\", \"player\": 12, \"name\": \"X\", \"tagged\": 7}",
          "bad_parameter", 400 },
        { JSON,
          "{\"kind\": \"split\", \"player\": 12, \"name\": \"X\", \"tagged\": \"z\", \"color\": "
          "\"red\"}",
          "bad_parameter", 400 },
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        fake_reset();
        struct reply r =
            ask_with("POST", CHANGES, rows[i].type, rows[i].body, strlen(rows[i].body));
        assert_string_equal(fake.decided, "");
        expect_problem(&r, rows[i].status, rows[i].problem, rows[i].body);
    }
    fake_fail(&fake.decide_fail, IPR_ECONFLICT, "already_merged", "name the other");
    struct reply r = ask_with("POST", CHANGES, JSON, MERGE, strlen(MERGE));
    expect_problem(&r, 409, "already_merged", "conflict");
    fake_reset();
    char *large = ipr_xcalloc(1, (2u << 20) + 1);
    memset(large, ' ', 2u << 20);
    r = ask_with("POST", CHANGES, JSON, large, 2u << 20);
    expect_problem(&r, 413, "body_too_large", "two mebibytes");
    free(large);
    r = ask_with("POST", CHANGES, JSON "\nOrigin: http://evil.example", MERGE, strlen(MERGE));
    expect_problem(&r, 403, "cross_site", "another site");
    assert_string_equal(fake.decided, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_calibration_post),
        TEST(test_decisions),
        TEST(test_decision_forms),
        TEST(test_bad_decisions),
    };

    return cmocka_run_group_tests_name("http_decisions", tests, begin_all, end_all);
}
