/* Judges, the queue and the service's own figures over HTTP; storage and views are replaced. */
#include "fixture.h"
#include "ipr_prometheus.h"

#define BROWSER FORM "\nAccept: text/html"

/* ---- queue and steer ---- */

static void test_writes(void **state)
{
    static const struct {
        const char *method, *path, *type, *body, *decided, *answer;
    } rows[] = {
        { "POST", "analyses", JSON, "{\"upload\": 7}",
          "queue upload 7 game 0 person 0 0 - for standard at 5 by local",
          "{\"judge\":\"standard\",\"priority\":5,\"estimate\":false,\"games\":4,\"queued\":3,"
          "\"there\":1,\"turns\":120,\"turns_there\":20,\"core_hours\":null,\"left_out\":[]}\n" },
        { "POST", "analyses", JSON,
          "{\"players\": [12, 14], \"from\": 1970, \"to\": 1972, \"judge\": \"deep\"}",
          "queue upload 0 game 0 person 0 0 - 2 spans 12.. from 1970 to 1972 own for deep at 5 by "
          "local",
          NULL },
        { "POST", "analyses", JSON, "{\"games\": [5, 9]}",
          "queue upload 0 game 0 person 0 0 - 2 listed 5.. for standard at 5 by local", NULL },
        { "POST", "analyses", JSON, "{\"players\": \"12\", \"sides\": \"both\"}",
          "queue upload 0 game 0 person 0 0 - 1 spans 12.. from 0 to 0 for standard at 5 by "
          "local",
          NULL },
        { "POST", "analyses", JSON,
          "{\"player\": 13, \"year\": 1971, \"judge\": \"deep\", \"priority\": 9}",
          "queue upload 0 game 0 person 12 1971 - 1 spans 12.. from 1971 to 1971 for deep at 9 by "
          "local",
          NULL },
        { "POST", "analyses", JSON,
          "{\"predict\": [{\"players\": [12, 14], \"year\": 1972}], \"earlier\": 2}",
          "queue upload 0 game 0 person 0 0 - 1 spans 12.. from 2 to 0 own for standard at 5 by "
          "local",
          NULL },
        { "POST", "analyses", FORM, "predict=alliot-2017/5&sides=both",
          "queue upload 0 game 0 person 0 0 - 1 spans 12.. from 4 to 0 for standard at 5 by local",
          NULL },
        { "POST", "analyses", FORM, "game=5&judge=narrow&priority=1&back=/games/5",
          "queue upload 0 game 5 person 0 0 - for narrow at 1 by local", NULL },
        { "PATCH", "analyses", JSON, "{\"action\": \"pause\", \"upload\": 7}",
          "pause 0 upload 7 game 0 person 0 0 -", "{\"action\":\"pause\",\"changed\":4}\n" },
        { "PATCH", "analyses", JSON, "{\"action\": \"resume\", \"judge\": \"quick\"}",
          "resume 0 upload 0 game 0 person 0 0 quick", NULL },
        { "PATCH", "analyses", JSON, "{\"action\": \"retry\", \"all\": true}",
          "retry 0 upload 0 game 0 person 0 0 -", NULL },
        { "PATCH", "analyses", JSON, "{\"action\": \"cancel\", \"player\": 12}",
          "cancel 0 upload 0 game 0 person 12 0 -", NULL },
        { "PATCH", "analyses", JSON, "{\"priority\": 3, \"game\": 5}",
          "priority 3 upload 0 game 5 person 0 0 -", NULL },
        { "PATCH", "analyses", JSON, "{\"action\": \"priority\", \"priority\": 9, \"game\": 5}",
          "priority 9 upload 0 game 5 person 0 0 -", NULL },
        { "PATCH", "analyses", JSON, "{\"action\": \"cancel\", \"all\": true}",
          "cancel 0 upload 0 game 0 person 0 0 -", NULL },
        { "POST", "/queue?action=retry&game=5&judge=quick", FORM, "back=/queue",
          "retry 0 upload 0 game 5 person 0 0 quick", NULL },
        { "POST", "/queue?action=priority&upload=7", FORM, "priority=4",
          "priority 4 upload 7 game 0 person 0 0 -", NULL },
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char path[128];

        fake_reset();
        snprintf(path, sizeof path, "%s%s", rows[i].path[0] == '/' ? "" : "/api/v1/", rows[i].path);
        struct reply r = ask_with(rows[i].method, path, rows[i].type, rows[i].body,
                                  rows[i].body != NULL ? strlen(rows[i].body) : 0);
        expect_status(&r,
                      strcmp(rows[i].path, "analyses") == 0 && rows[i].method[1] == 'O' ? 202 : 200,
                      rows[i].decided);
        assert_string_equal(fake.decided, rows[i].decided);
        if (rows[i].answer != NULL)
            assert_string_equal(ipr_buf_c(&r.body), rows[i].answer);
        reply_release(&r);
    }
}

/* A form goes back to its page, and to none but ours. */
static void test_forms(void **state)
{
    static const struct {
        const char *path, *body, *location;
    } rows[] = {
        { "analyses", "upload=7", "/queue" },
        { "analyses", "player=12&year=1971&back=/players/12/1971", "/players/12/1971" },
        { "analyses", "upload=7&back=/uploads/7", "/uploads/7" },
        { "analyses", "upload=7&back=https://evil.example/queue", "/queue" },
        { "analyses", "upload=7&back=//evil.example/", "/queue" },
        { "analyses", "upload=7&back=/players/%0d%0aX-Bad:1", "/players/%0D%0AX-Bad:1" },
        { "/queue?action=pause&upload=7", "back=/queue", "/queue" },
        { "/queue?action=cancel&all=true", "", "/queue" },
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char path[128];

        snprintf(path, sizeof path, "%s%s", rows[i].path[0] == '/' ? "" : "/api/v1/", rows[i].path);
        struct reply r = ask_with("POST", path, BROWSER, rows[i].body, strlen(rows[i].body));
        expect_status(&r, 303, rows[i].body);
        assert_string_equal(header(&r, "Location"), rows[i].location);
        reply_release(&r);
    }
}

static void test_refusals(void **state)
{
    static const struct {
        const char *method, *path, *body;
        long status;
        const char *type, *says;
    } rows[] = {
        { "POST", "analyses", "{}", 400, "bad_parameter",
          "upload: expected upload, game, games, event, player, players or predict, got nothing" },
        { "POST", "analyses", "{\"judge\": \"quick\"}", 400, "bad_parameter",
          "upload: expected upload, game, games, event, player, players or predict, got nothing" },
        { "POST", "analyses", "{\"all\": true}", 400, "unknown_parameter", "all" },
        { "POST", "analyses", "{\"upload\": 0}", 400, "bad_parameter", "upload" },
        { "POST", "analyses", "{\"upload\": \"x\"}", 400, "bad_parameter", "upload" },
        { "POST", "analyses", "{\"upload\": 7, \"judge\": \"nobody\"}", 400, "bad_parameter",
          "nobody" },
        { "POST", "analyses", "{\"upload\": 7, \"priority\": 10}", 400, "bad_parameter",
          "priority" },
        { "POST", "analyses", "{\"upload\": 7, \"year\": 1971}", 400, "bad_parameter", "player" },
        { "POST", "analyses", "{\"player\": 99}", 404, "not_found", "99" },
        { "POST", "analyses", "{\"player\": 4294967296}", 400, "bad_parameter", "player" },
        { "POST", "analyses", "[7]", 400, "bad_body", "object" },
        { "PATCH", "analyses", "{\"action\": \"pause\"}", 400, "bad_parameter",
          "all: expected true, or upload, game, player or judge, got nothing" },
        { "PATCH", "analyses", "{\"upload\": 7}", 400, "bad_parameter", "action" },
        { "PATCH", "analyses", "{\"upload\": 7, \"action\": \"stop\"}", 400, "bad_parameter",
          "action" },
        { "PATCH", "analyses", "{\"upload\": 7, \"action\": \"priority\"}", 400, "bad_parameter",
          "priority" },
        { "PATCH", "analyses", "{\"upload\": 7, \"action\": \"pause\", \"priority\": 3}", 400,
          "bad_parameter", "priority: expected only with action=priority" },
        { "PATCH", "analyses", "{\"upload\": 7, \"all\": true, \"action\": \"pause\"}", 400,
          "bad_parameter", "all" },
        { "PATCH", "analyses", "{\"uplaod\": 7, \"action\": \"pause\"}", 400, "unknown_parameter",
          "uplaod" },
        { "POST", "analyses", "{\"game\": 5, \"sides\": \"own\"}", 400, "bad_parameter", "sides" },
        { "POST", "analyses", "{\"player\": 12, \"year\": 1971, \"to\": 1972}", 400,
          "bad_parameter", "year" },
        { "POST", "analyses", "{\"players\": \"12\", \"predict\": []}", 400, "bad_parameter",
          "predict: expected" },
        { "POST", "analyses", "{\"upload\": 7, \"own_games\": true}", 400, "bad_parameter",
          "predict" },
        { "POST", "analyses", "{\"predict\": \"alliot-2017/5\", \"to\": 1972}", 400,
          "bad_parameter", "from: expected only with player or players" },
        { "POST", "analyses", "{\"games\": [5], \"upload\": 7}", 400, "bad_parameter", "games" },
        { "POST", "analyses", "{\"games\": [5], \"sides\": \"own\"}", 400, "bad_parameter",
          "sides" },
        { "POST", "analyses", "{\"players\": \"12,x\"}", 400, "bad_parameter", "players" },
        { "PATCH", "analyses", "{\"action\": \"cancel\", \"year\": 1971}", 400, "bad_parameter",
          "player" },
        { "PATCH", "analyses", "{\"action\": \"cancel\", \"all\": \"yes\"}", 400, "bad_parameter",
          "all" },
        { "PATCH", "analyses", "{\"action\": \"cancel\", \"player\": 99}", 404, "not_found", "99" },
        { "PATCH", "analyses", "{\"upload\": 99, \"action\": \"pause\"}", 404, "not_found", "99" },
        { "PATCH", "analyses?upload=7", "{\"action\": \"pause\"}", 400, "unknown_parameter",
          "upload" },
        { "POST", "/queue", "{\"upload\": 7, \"action\": \"stop\"}", 400, "bad_parameter",
          "action" },
        { "DELETE", "analyses", NULL, 405, "method_not_allowed", "PATCH" },
        { "GET", "analyses?state=ready&limit=0", NULL, 400, "bad_parameter", "limit" },
        { "GET", "players/12/events?year=x", NULL, 400, "bad_parameter", "year" },
        { "GET", "players/x/events", NULL, 404, "not_found", "" },
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char path[128];

        fake_reset();
        snprintf(path, sizeof path, "%s%s", rows[i].path[0] == '/' ? "" : "/api/v1/", rows[i].path);
        struct reply r = ask_with(rows[i].method, path, JSON, rows[i].body,
                                  rows[i].body != NULL ? strlen(rows[i].body) : 0);
        if (strstr(ipr_buf_c(&r.body), rows[i].says) == NULL)
            fail_msg("%s %s does not say %s: %s", path, shown(rows[i].body), rows[i].says,
                     ipr_buf_c(&r.body));
        expect_problem(&r, rows[i].status, rows[i].type, shown(rows[i].body));
        assert_string_equal(fake.decided, "");
    }
}

/* A known token is needed for all of them once there is one, and its name goes along. */
static void test_tokens(void **state)
{
    static const struct {
        const char *method, *path, *body;
    } rows[] = {
        { "POST", "/api/v1/analyses", "{\"upload\": 7}" },
        { "PATCH", "/api/v1/analyses", "{\"upload\": 7, \"action\": \"pause\"}" },
        { "POST", "/api/v1/judges", "{\"name\": \"mine\", \"multipv\": 2, \"depth\": 3}" },
    };

    (void)state;
    fake.any_token = true;
    crypto_generichash(fake.token, sizeof fake.token, (const unsigned char *)"hush", 4, NULL, 0);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct reply r =
            ask_with(rows[i].method, rows[i].path, JSON, rows[i].body, strlen(rows[i].body));

        expect_problem(&r, 401, "token_needed", rows[i].path);
        assert_string_equal(fake.decided, "");
        r = ask_with(rows[i].method, rows[i].path, JSON "\nOrigin: https://evil.example",
                     rows[i].body, strlen(rows[i].body));
        expect_problem(&r, 403, "cross_site", rows[i].path);
    }
    struct reply r = ask_with("POST", "/api/v1/analyses", JSON "\nAuthorization: Bearer hush",
                              rows[0].body, strlen(rows[0].body));
    expect_status(&r, 202, "known token");
    reply_release(&r);
    assert_non_null(strstr(fake.decided, "by known token"));
    r = ask_with("POST", "/queue?action=pause&upload=7", BROWSER, "token=hush", 10);
    expect_status(&r, 303, "token in the form");
    reply_release(&r);
}

/* ---- judges ---- */

static void test_judges(void **state)
{
    static const struct {
        const char *body;
        long status;
        const char *says; /* decided, or in the problem */
    } rows[] = {
        { "{\"name\": \"mine\", \"program\": \"stockfish\", \"multipv\": 5, \"depth\": 12}", 201,
          "judge mine stockfish 5 lines depth 12 nodes 0 by local" },
        { "{\"name\": \"wide\", \"program\": \"ethereal\", \"multipv\": 50, \"nodes\": 100000}",
          201, "judge wide ethereal 50 lines depth 0 nodes 100000 by local" },
        { "{\"name\": \"away\", \"program\": \"fishnet\", \"multipv\": 5, \"depth\": 9}", 201,
          "judge away fishnet 5 lines depth 9 nodes 0 by local" },
        { "{\"name\": \"there\", \"program\": \"stockfish\", \"multipv\": 5, \"depth\": 12}", 200,
          "judge there stockfish 5 lines depth 12 nodes 0 by local" },
        { "{\"name\": \"x\", \"program\": \"crafty\", \"multipv\": 5, \"depth\": 12}", 400,
          "crafty" },
        { "{\"name\": \"x\", \"program\": \"/bin/sh\", \"multipv\": 5, \"depth\": 12}", 400,
          "program" },
        { "{\"name\": \"12\", \"program\": \"stockfish\", \"multipv\": 5, \"depth\": 12}", 400,
          "name" },
        { "{\"name\": \"X y\", \"program\": \"stockfish\", \"multipv\": 5, \"depth\": 12}", 400,
          "name" },
        { "{\"name\": \"x\", \"program\": \"stockfish\", \"multipv\": 0, \"depth\": 12}", 400,
          "multipv" },
        { "{\"name\": \"x\", \"program\": \"stockfish\", \"multipv\": 5, \"depth\": 12, "
          "\"nodes\": 50000}",
          400, "depth" },
        { "{\"name\": \"x\", \"program\": \"stockfish\", \"multipv\": 5}", 400, "depth" },
        { "{\"name\": \"x\", \"program\": \"stockfish\", \"multipv\": 5, \"depth\": 12, "
          "\"Debug Log File\": \"/tmp/x\"}",
          400, "Debug Log File" },
        { "{\"name\": \"x\", \"program\": \"fishnet\", \"depth\": 1}", 400,
          "depth: expected 2 or more with fishnet, and no other limit" },
        { "{}", 400, "name" },
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        fake_reset();
        struct reply r =
            ask_with("POST", "/api/v1/judges", JSON, rows[i].body, strlen(rows[i].body));

        expect_status(&r, rows[i].status, rows[i].body);
        if (rows[i].status == 400) {
            assert_string_equal(fake.decided, "");
            if (strstr(ipr_buf_c(&r.body), rows[i].says) == NULL)
                fail_msg("%s: no %s in %s", rows[i].body, rows[i].says, ipr_buf_c(&r.body));
        } else {
            assert_string_equal(fake.decided, rows[i].says);
            assert_string_equal(header(&r, "Location"),
                                strstr(rows[i].body, "mine")   ? "/api/v1/judges/mine"
                                : strstr(rows[i].body, "wide") ? "/api/v1/judges/wide"
                                : strstr(rows[i].body, "away") ? "/api/v1/judges/away"
                                                               : "/api/v1/judges/there");
        }
        reply_release(&r);
    }
    static const char same_name[] =
        "{\"name\": \"mine\", \"program\": \"stockfish\", \"multipv\": 5, \"depth\": 13}";
    fake_fail(&fake.decide_fail, IPR_ECONFLICT, "judge_exists", "mine has other settings");
    struct reply r = ask_with("POST", "/api/v1/judges", JSON, same_name, strlen(same_name));
    expect_problem(&r, 409, "judge_exists", "another judge of that name");
}

/* ---- metrics ---- */

static double refused_requests(void)
{
    struct reply r = ask("/metrics", NULL);
    const double n =
        ipr_prometheus_value(ipr_buf_c(&r.body), "intrinsic_http_requests_total{status=\"4xx\"}");

    reply_release(&r);
    return n;
}

/* A request counts when its answer is sent, which the client can see a moment before. */
static void wait_for_refused_requests(double n)
{
    for (int i = 0; i < 1000 && refused_requests() < n; i++)
        nanosleep(&(struct timespec){ .tv_nsec = 10000000 }, NULL);
}

static void test_metrics(void **state)
{
    (void)state;
    struct reply r;
    const double before = refused_requests();

    for (int i = 0; i < 3; i++) {
        r = ask("/nowhere", NULL);
        reply_release(&r);
    }
    wait_for_refused_requests(before + 3.0);
    r = ask("/metrics", NULL);
    expect_status(&r, 200, "metrics");
    assert_string_equal(header(&r, "Content-Type"), "text/plain; version=0.0.4; charset=utf-8");
    const char *text = ipr_buf_c(&r.body);
    assert_true(ipr_prometheus_read(text) >= 9);
    assert_close(ipr_prometheus_value(text, "intrinsic_http_requests_total{status=\"4xx\"}"),
                 before + 3.0, 0.0);
    assert_true(ipr_prometheus_value(text, "intrinsic_http_request_duration_seconds_count") >= 4.0);
    assert_true(ipr_prometheus_value(text, "process_resident_memory_bytes") > 1e6);
    assert_true(ipr_prometheus_value(text, "process_start_time_seconds") > 1.6e9);
    assert_close(ipr_prometheus_value(text, "intrinsic_database_up"), 1.0, 0.0);
    assert_close(ipr_prometheus_value(text, "intrinsic_database_connections_max"), 10.0, 0.0);
    assert_close(ipr_prometheus_value(text, "fake"), 1.0, 0.0);
    reply_release(&r);
}

static void test_metrics_of_cache(void **state)
{
    static const char hits[] = "intrinsic_answer_cache_hits_total",
                      misses[] = "intrinsic_answer_cache_misses_total",
                      bytes[] = "intrinsic_answer_cache_bytes";
    struct reply before = ask("/metrics", NULL);

    (void)state;
    fake.same_data = true;
    for (int i = 0; i < 4; i++) {
        struct reply r = ask("/api/v1/judges", "Accept: application/json;q=0.9");

        expect_status(&r, 200, "judges");
        reply_release(&r);
    }
    struct reply after = ask("/metrics", NULL);
    const char *was = ipr_buf_c(&before.body), *is = ipr_buf_c(&after.body);
    assert_close(ipr_prometheus_value(is, hits), ipr_prometheus_value(was, hits) + 3.0, 0.0);
    assert_close(ipr_prometheus_value(is, misses), ipr_prometheus_value(was, misses) + 1.0, 0.0);
    assert_true(ipr_prometheus_value(is, bytes) > ipr_prometheus_value(was, bytes));
    reply_release(&before);
    reply_release(&after);
}

/* While requests come in quick succession none of them waits for the question whether anything was
 * written, however long the database takes for it; the first one may. */
static void test_slow_question(void **state)
{
    int late = 0;

    (void)state;
    fake.same_data = true;
    fake.question_ms = 200;
    while (fake.questions < 8) {
        const int64_t began = ipr_now_us();
        struct reply r = ask("/api/v1/judges", NULL);

        expect_status(&r, 200, "judges");
        reply_release(&r);
        late += ipr_now_us() - began >= 200000 ? 1 : 0;
    }
    assert_in_range(late, 0, 4);
}

/* Metrics are read when the database is down: the known ones are returned. */
static void test_metrics_without_database(void **state)
{
    (void)state;
    for (int half = 0; half < 2; half++) {
        fake_reset();
        fake_fail(half ? &fake.fail : &fake.db_fail, IPR_EDB, "", "gone");
        struct reply r = ask("/metrics", NULL);

        expect_status(&r, 200, "metrics");
        ipr_prometheus_read(ipr_buf_c(&r.body));
        assert_close(ipr_prometheus_value(ipr_buf_c(&r.body), "intrinsic_database_up"), 0.0, 0.0);
        assert_null(strstr(ipr_buf_c(&r.body), "fake"));
        reply_release(&r);
    }
}

static int begin_with_cache(void **state)
{
    config.cache_mb = 1;
    return begin_all(state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_writes),           TEST(test_forms),         TEST(test_refusals),
        TEST(test_tokens),           TEST(test_judges),        TEST(test_metrics),
        TEST(test_metrics_of_cache), TEST(test_slow_question), TEST(test_metrics_without_database),
    };

    return cmocka_run_group_tests_name("http judging", tests, begin_with_cache, end_all);
}
