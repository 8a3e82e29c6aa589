/* The web service from outside, storage and views replaced: every route, every refusal, every
 * failure, uploads, streams. */
#include "http/http.h"

#include <netinet/in.h>
#include <strings.h>
#include <sys/socket.h>

#include "client.h"
#include "core/log.h"
#include "fakes.h"
#include "http/events.h"
#include "http/listen.h"
#include "http/routes.h"

#define MIB  (1024 * 1024)
#define PGN  "Content-Type: application/x-chess-pgn"
#define JSON "Content-Type: application/json"
#define FORM "Content-Type: application/x-www-form-urlencoded"

static struct ipr_config config = {
    .database_url = "fake", .listen = "127.0.0.1:0", .judge = "standard", .max_upload_mb = 1
};
static struct ipr_tmpl_set *templates;
static struct ipr_http *http;

static void start(const char *address)
{
    const struct ipr_http_options o = { .config = &config,
                                        .pool = &fake_pool,
                                        .templates = templates,
                                        .static_dir = "tests/http/fixtures/static",
                                        .listen = address };
    struct ipr_err err = IPR_ERR_INIT;

    assert_ok(ipr_http_start(&o, &http, &err), &err);
    client_port = ipr_http_port(http);
}

static int begin_all(void **state)
{
    struct ipr_err err = IPR_ERR_INIT;

    (void)state;
    ipr_log_level("error");
    curl_global_init(CURL_GLOBAL_ALL);
    fake.notify_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    assert_ok(ipr_tmpl_set_load("tests/http/fixtures/templates", NULL, &templates, &err), &err);
    start(NULL);
    return 0;
}

static int end_all(void **state)
{
    (void)state;
    ipr_http_stop(&http);
    assert_null(http);
    ipr_tmpl_set_free(&templates);
    curl_global_cleanup();
    assert_int_equal(fake.leased, 0);
    return 0;
}

static int before_each(void **state)
{
    (void)state;
    fake_reset();
    return 0;
}

/* ---- routes ---- */

/* One request that must succeed for each row of the table, and what the view is asked. */
static const struct {
    const char *pattern, *path, *call, *body; /* JSON of a write; NULL: none, or games */
} good[] = {
    { "/", "/", "dashboard", NULL },
    { "/players", "/players?search=b%C3%A9la+x&limit=5&after=c&judge=quick",
      "players béla x c 5 quick", NULL },
    { "/players/doubtful", "/players/doubtful?after=1-2-x", "doubtful page 1-2-x", NULL },
    { "/players/{id}", "/players/12?judge=deep", "player 12 deep", NULL },
    { "/players/{id}/{year}", "/players/12/1971", "ratings 12 1971 -", NULL },
    { "/compare", "/compare?white=1:1971&black=2:1972", "compare 1:1971 2:1972 -", NULL },
    { "/games/{id}", "/games/5?judge=deep", "game 5 deep", NULL },
    { "/uploads/{id}", "/uploads/7", "upload 7", NULL },
    { "/calibrations", "/calibrations", "calibrations", NULL },
    { "/calibrations/{name}", "/calibrations/a%20b", "calibration a b", NULL },
    { "/static/{dir}/{file}", "/static/css/site.css", "", NULL },
    { "/health", "/health", "", NULL },
    { "/ready", "/ready", "", NULL },
    { "/api/v1/dashboard", "/api/v1/dashboard", "dashboard", NULL },
    { "/api/v1/uploads", "/api/v1/uploads", "upload 7", NULL },
    { "/api/v1/uploads/{id}", "/api/v1/uploads/7", "upload 7", NULL },
    { "/api/v1/uploads/{id}/duplicates", "/api/v1/uploads/7/duplicates", "duplicates 7 0 100",
      NULL },
    { "/api/v1/uploads/{id}/events", "/api/v1/uploads/7/events", "", NULL },
    { "/api/v1/players", "/api/v1/players?q=tal", "players tal - 50 -", NULL },
    { "/api/v1/players/{id}", "/api/v1/players/12", "player 12 -", NULL },
    { "/api/v1/players/{id}/years", "/api/v1/players/12/years", "years 12 -", NULL },
    { "/api/v1/players/{id}/ratings", "/api/v1/players/12/ratings?year=1971&judge=quick",
      "ratings 12 1971 quick", NULL },
    { "/api/v1/players/doubtful", "/api/v1/players/doubtful?limit=7", "doubtful - 7", NULL },
    { "/api/v1/players/{id}/merge", "/api/v1/players/12/merge", "change 5", "{\"into\": 3}" },
    { "/api/v1/players/{id}/distinct", "/api/v1/players/12/distinct", "change 5", "{\"from\": 3}" },
    { "/api/v1/players/{id}/split", "/api/v1/players/12/split", "change 5",
      "{\"name\": \"X, Y\", \"games\": [4]}" },
    { "/api/v1/identity-changes", "/api/v1/identity-changes?after=9&limit=2", "changes 9 2", NULL },
    { "/api/v1/identity-changes/{id}", "/api/v1/identity-changes/4", "change 4", NULL },
    { "/api/v1/identity-changes/{id}/undo", "/api/v1/identity-changes/4/undo", "change 4", "" },
    { "/api/v1/games/{id}", "/api/v1/games/5?judge=2", "game 5 2", NULL },
    { "/api/v1/predictions", "/api/v1/predictions?white=1:1971&black=2:2013&method=elo",
      "prediction 1:1971 2:2013 elo -", NULL },
    { "/api/v1/judges", "/api/v1/judges", "judges", NULL },
    { "/api/v1/calibrations", "/api/v1/calibrations", "calibrations", NULL },
    { "/api/v1/calibrations/{name}", "/api/v1/calibrations/standard", "calibration standard",
      NULL },
};
#define N_GOOD (sizeof good / sizeof *good)

static void one_route(const struct ipr_route *route, const char *path, const char *call,
                      const char *body)
{
    const bool post = strcmp(route->method, "POST") == 0;
    struct reply r = body != NULL ? ask_with("POST", path, JSON, body, strlen(body))
                     : post       ? ask_with("POST", path, PGN, "1. e4 *", 7)
                                  : ask(path, NULL);

    expect_status(&r, post && body == NULL ? 202 : 200, path);
    assert_string_equal(fake.call, call);
    if (route->page != NULL) {
        char what[64];

        snprintf(what, sizeof what, "<p>%s</p>\n", route->page);
        assert_string_equal(header(&r, "Content-Type"), "text/html; charset=utf-8");
        assert_non_null(strstr(ipr_buf_c(&r.body), call));
        assert_non_null(strstr(ipr_buf_c(&r.body), what));
    }
    assert_string_equal(header(&r, "X-Content-Type-Options"), "nosniff");
    assert_non_null(strstr(header(&r, "Content-Security-Policy"), "script-src 'self';"));
    assert_int_equal(strlen(header(&r, "X-Request-Id")), 16);
    assert_string_equal(header(&r, "Access-Control-Allow-Origin"),
                        strncmp(path, "/api/", 5) == 0 && !post ? "*" : "");
    const size_t length = r.body.n;
    reply_release(&r);

    r = ask_with("HEAD", path, NULL, NULL, 0);
    expect_status(&r, post ? 405 : 200, path);
    assert_int_equal(r.body.n, 0);
    if (!post && strstr(path, "events") == NULL)
        assert_int_equal(strtol(header(&r, "Content-Length"), NULL, 10), (long)length);
    reply_release(&r);

    r = ask_with("OPTIONS", path, NULL, NULL, 0);
    expect_status(&r, 204, path);
    assert_string_equal(header(&r, "Allow"), post ? "POST, OPTIONS" : "GET, HEAD, OPTIONS");
    reply_release(&r);

    r = ask_with("DELETE", path, NULL, NULL, 0);
    assert_non_null(strstr(header(&r, "Allow"), post ? "POST" : "GET"));
    expect_problem(&r, 405, "method_not_allowed", path);
}

static void test_every_route(void **state)
{
    size_t tried = 0, routes = 0;

    (void)state;
    for (const struct ipr_route *route = ipr_routes; route->method != NULL; route++, routes++) {
        for (size_t i = 0; i < N_GOOD; i++) {
            if (strcmp(good[i].pattern, route->path) != 0)
                continue;
            fake_reset();
            one_route(route, good[i].path, good[i].call, good[i].body);
            tried++;
        }
    }
    assert_int_equal(tried, routes);
    assert_int_equal(tried, N_GOOD);
}

static void test_decisions(void **state)
{
    static const struct {
        const char *path, *type, *body, *decided;
    } rows[] = {
        { "players/12/merge", JSON, "{\"into\": 3}", "merge 12 3 by local" },
        { "players/12/merge", FORM, "into=3&back=/players/12", "merge 12 3 by local" },
        { "players/12/merge", JSON, "{\"into\": 3, \"sure\": true}", "merge 12 3 surely by local" },
        { "players/12/merge", JSON, "{\"into\": 3, \"sure\": false}", "merge 12 3 by local" },
        { "players/12/merge", FORM, "into=3&sure=true", "merge 12 3 surely by local" },
        { "players/12/merge", FORM, "token=any&into=3", "merge 12 3 by local" },
        { "players/12/distinct", FORM, "from=%203", "distinct 12 3 by local" },
        { "players/12/split", JSON, "{\"name\": \"X,  Y\", \"years\": [1950, 1999]}",
          "split 12 X,  Y [x,y] 1950-1999 - 0:0 -1 by local" },
        { "players/12/split", JSON,
          "{\"name\": \"X\", \"games\": [4, 9], \"tagged\": \"z\", \"color\": \"black\"}",
          "split 12 X [x] 0-0 z 2:9 1 by local" },
        { "players/12/split", FORM, "name=X+Y&from=1950&to=&tagged=&games=",
          "split 12 X Y [x y] 1950-9999 - 0:0 -1 by local" },
        { "players/12/split", FORM, "name=X&games=4%2C+9+17",
          "split 12 X [x] 0-0 - 3:17 -1 by local" },
        { "identity-changes/4/undo", JSON, "", "undo 4 by local" },
        { "identity-changes/4/undo", FORM, "", "undo 4 by local" },
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char path[64];

        snprintf(path, sizeof path, "/api/v1/%s", rows[i].path);
        struct reply r = ask_with("POST", path, rows[i].type, rows[i].body, strlen(rows[i].body));
        expect_status(&r, 200, rows[i].body);
        assert_string_equal(fake.decided, rows[i].decided);
        reply_release(&r);
    }
}

/* A form goes back to the page it came from, if that is one of ours. */
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

        snprintf(body, sizeof body, "into=3%s", rows[i].back);
        struct reply r = ask_with("POST", "/api/v1/players/12/merge", FORM "\nAccept: text/html",
                                  body, strlen(body));
        expect_status(&r, 303, rows[i].back);
        assert_string_equal(header(&r, "Location"), rows[i].location);
        assert_string_equal(header(&r, "X-Evil"), "");
        reply_release(&r);
    }
}

static void test_bad_decisions(void **state)
{
    static const struct {
        const char *path, *type, *body, *problem;
        long status;
    } rows[] = {
        { "12/merge", JSON, "{}", "bad_parameter", 400 },
        { "12/merge", JSON, "{\"into\": 0}", "bad_parameter", 400 },
        { "12/merge", JSON, "{\"into\": 1.5}", "bad_parameter", 400 },
        { "12/merge", JSON, "{\"into\": 3, \"onto\": 4}", "unknown_parameter", 400 },
        { "12/merge", JSON, "{\"into\": 3, \"sure\": 1}", "bad_parameter", 400 },
        { "12/merge", FORM, "into=3&sure=no", "bad_parameter", 400 },
        { "12/merge", JSON, "{\"into\": 3, \"token\": \"x\"}", "unknown_parameter", 400 },
        { "12/merge", FORM, "into=3&token=x&token=y", "unknown_parameter", 400 },
        { "12/merge", FORM, "into=3&token=%GG", "bad_url", 400 },
        { "12/merge", JSON, "[3]", "bad_body", 400 },
        { "12/merge", JSON, "{\"into\": ", "bad_body", 400 },
        { "12/merge", FORM, "into=3&into=4", "bad_parameter", 400 },
        { "12/merge", "Content-Type: text/plain", "into=3", "unsupported_type", 415 },
        { "x/merge", JSON, "{\"into\": 3}", "not_found", 404 },
        { "9999999999/merge", JSON, "{\"into\": 3}", "not_found", 404 },
        { "12/distinct", JSON, "{\"into\": 3}", "unknown_parameter", 400 },
        { "12/split", JSON, "{\"years\": [1, 2]}", "bad_parameter", 400 },
        { "12/split", JSON, "{\"name\": \"X\"}", "bad_parameter", 400 },
        { "12/split", JSON, "{\"name\": \"?\", \"years\": [1, 2]}", "bad_parameter", 400 },
        { "12/split", JSON, "{\"name\": \"N.N.\", \"years\": [1, 2]}", "bad_parameter", 400 },
        { "12/split", JSON, "{\"name\": \"X\", \"years\": [2]}", "bad_parameter", 400 },
        { "12/split", JSON, "{\"name\": \"X\", \"years\": [2, 1]}", "bad_parameter", 400 },
        { "12/split", JSON, "{\"name\": \"X\", \"games\": []}", "bad_parameter", 400 },
        { "12/split", JSON, "{\"name\": \"X\", \"games\": [\"a\"]}", "bad_parameter", 400 },
        { "12/split", FORM, "name=X&games=4%3B5", "bad_parameter", 400 },
        { "12/split", JSON, "{\"name\": \"X\", \"tagged\": 7}", "bad_parameter", 400 },
        { "12/split", JSON, "{\"name\": \"X\", \"tagged\": \"z\", \"color\": \"red\"}",
          "bad_parameter", 400 },
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char path[64];

        fake_reset();
        snprintf(path, sizeof path, "/api/v1/players/%s", rows[i].path);
        struct reply r = ask_with("POST", path, rows[i].type, rows[i].body, strlen(rows[i].body));
        assert_string_equal(fake.decided, "");
        expect_problem(&r, rows[i].status, rows[i].problem, rows[i].body);
    }
    fake_fail(&fake.decide_fail, IPR_ECONFLICT, "already_merged", "name the other");
    struct reply r = ask_with("POST", "/api/v1/players/12/merge", JSON, "{\"into\": 3}", 11);
    expect_problem(&r, 409, "already_merged", "conflict");
    fake_reset();
    char *large = ipr_xcalloc(1, (2u << 20) + 1);
    memset(large, ' ', 2u << 20);
    r = ask_with("POST", "/api/v1/players/12/merge", JSON, large, 2u << 20);
    expect_problem(&r, 413, "body_too_large", "two mebibytes");
    free(large);
    r = ask_with("POST", "/api/v1/players/12/merge", JSON "\nOrigin: http://evil.example",
                 "{\"into\": 3}", 11);
    expect_problem(&r, 403, "cross_site", "another site");
    assert_string_equal(fake.decided, "");
}

static void test_time_classes(void **state)
{
    (void)state;
    struct reply r = ask("/api/v1/players/12/ratings?time_class=all", NULL);
    expect_status(&r, 200, "all");
    assert_int_equal(fake.times, IPR_TIME_SET_ALL);
    reply_release(&r);
    r = ask("/api/v1/players/12/ratings", NULL);
    assert_int_equal(fake.times, 0);
    reply_release(&r);
    r = ask("/api/v1/players/12/ratings?time_class=slow", NULL);
    expect_problem(&r, 400, "bad_parameter", "slow");
    r = ask("/api/v1/players?time_class=all", NULL);
    expect_problem(&r, 400, "unknown_parameter", "a list has none");
}

static void test_compare_forms(void **state)
{
    static const struct {
        const char *path, *call;
    } rows[] = {
        { "/compare", "compare 0:0 0:0 -" },
        { "/compare?white=&black=", "compare 0:0 0:0 -" },
        { "/compare?white=3:1960", "compare 3:1960 0:0 -" },
        { "/compare?white=3&white_year=1960&black=4&black_year=1961", "compare 3:1960 4:1961 -" },
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct reply r = ask(rows[i].path, NULL);

        expect_status(&r, 200, rows[i].path);
        assert_string_equal(fake.call, rows[i].call);
        reply_release(&r);
    }
}

static void test_bad_requests(void **state)
{
    static const struct {
        const char *path;
        long status;
        const char *type;
    } rows[] = {
        { "/nowhere", 404, "no_such_address" },
        { "/api/v1", 404, "no_such_address" },
        { "/players/", 404, "no_such_address" },
        { "/players/12/", 404, "no_such_address" },
        { "//players", 404, "no_such_address" },
        { "/players/abc", 404, "not_found" },
        { "/players/0", 404, "not_found" },
        { "/players/12/0", 404, "not_found" },
        { "/api/v1/players/99999999999", 404, "not_found" },
        { "/api/v1/uploads/99999999999999999999", 404, "not_found" },
        { "/api/v1/uploads/x/events", 404, "not_found" },
        { "/static/css/none.css", 404, "not_found" },
        { "/static/secret/key.txt", 404, "not_found" },
        { "/static/css/notes.md", 404, "not_found" },
        { "/static/css/../secret/key.txt", 404, "no_such_address" },
        { "/static/css/..%2Fsecret%2Fkey.txt", 404, "not_found" },
        { "/static/..%2Fpages/error.html", 404, "not_found" },
        { "/static/%2E%2E/%2E%2E", 404, "not_found" },
        { "/static/css/%00", 400, "bad_url" },
        { "/players/%zz", 400, "bad_url" },
        { "/players/%4", 400, "bad_url" },
        { "/api/v1/calibrations/%ff", 400, "bad_url" },
        { "/api/v1/players?q=%ff", 400, "bad_url" },
        { "/api/v1/players?Q=tal", 400, "unknown_parameter" },
        { "/api/v1/judges?x", 400, "unknown_parameter" },
        { "/api/v1/players?q=a&q=b", 400, "bad_parameter" },
        { "/api/v1/players?limit=0", 400, "bad_parameter" },
        { "/api/v1/players?limit=501", 400, "bad_parameter" },
        { "/api/v1/players?limit=ten", 400, "bad_parameter" },
        { "/api/v1/players/1/ratings?year=19x1", 400, "bad_parameter" },
        { "/api/v1/predictions", 400, "bad_parameter" },
        { "/api/v1/predictions?white=1:1971", 400, "bad_parameter" },
        { "/api/v1/predictions?white=1&black=2:1971", 400, "bad_parameter" },
        { "/api/v1/predictions?white=1:x&black=2:1971", 400, "bad_parameter" },
        { "/api/v1/predictions?white=:1971&black=2:1971", 400, "bad_parameter" },
        { "/compare?white=1", 400, "bad_parameter" },
        { "/games/x", 404, "not_found" },
        { "/games/5.pgn", 404, "not_found" },
        { "/api/v1/games/0", 404, "not_found" },
        { "/api/v1/games/.pgn", 404, "not_found" },
        { "/api/v1/games/x.pgn", 404, "not_found" },
        { "/api/v1/games/5.pgn.pgn", 404, "not_found" },
        { "/api/v1/games/5.pgn?evals=yes", 400, "bad_parameter" },
        { "/api/v1/games/5.pgn?form=fancy", 400, "bad_parameter" },
        { "/api/v1/games/5.pgn?form=alliot&evals=true", 400, "bad_parameter" },
        { "/api/v1/games/5?color=w", 400, "unknown_parameter" },
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct reply r = ask(rows[i].path, NULL);

        expect_problem(&r, rows[i].status, rows[i].type, rows[i].path);
    }
    struct reply r = ask_with("OPTIONS", "/nowhere", NULL, NULL, 0);
    expect_problem(&r, 404, "no_such_address", "OPTIONS");
    r = ask_with("OPTIONS", "*", NULL, NULL, 0);
    expect_status(&r, 204, "OPTIONS *");
    reply_release(&r);
}

/* A game is PGN where the address or the client says so. */
static void test_game_forms(void **state)
{
    static const struct {
        const char *path, *accept, *call;
    } rows[] = {
        { "/api/v1/games/5.pgn", NULL, "pgn 5 1 0 -" },
        { "/api/v1/games/5.pgn?evals=true&judge=2", NULL, "pgn 5 1 1 2" },
        { "/api/v1/games/5.pgn?evals=false", NULL, "pgn 5 1 0 -" },
        { "/api/v1/games/5.pgn?form=plain", NULL, "pgn 5 0 0 -" },
        { "/api/v1/games/5.pgn?form=alliot&judge=deep", NULL, "pgn 5 2 0 deep" },
        { "/api/v1/games/5", "Accept: application/x-chess-pgn", "pgn 5 1 0 -" },
        { "/api/v1/games/5?form=plain", "Accept: application/vnd.chess-pgn, */*", "pgn 5 0 0 -" },
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct reply r = ask(rows[i].path, rows[i].accept);

        expect_status(&r, 200, rows[i].path);
        assert_string_equal(fake.call, rows[i].call);
        assert_string_equal(header(&r, "Content-Type"), "application/x-chess-pgn; charset=utf-8");
        assert_string_equal(ipr_buf_c(&r.body), "1. e4 *\n\n");
        reply_release(&r);
    }
    fake_fail(&fake.fail, IPR_ECONFLICT, "not_judged", "game 5 has none");
    struct reply r = ask("/api/v1/games/5.pgn?evals=true", NULL);
    expect_problem(&r, 409, "not_judged", "not judged");
}

/* ---- failures ---- */

static void test_every_code(void **state)
{
    static const struct {
        enum ipr_code code;
        const char *type;
        long status;
        const char *want_type;
        bool told; /* whether the message reaches the client */
    } rows[] = {
        { IPR_EINVAL, "", 500, "internal_error", false },
        { IPR_EPARSE, "illegal_move", 400, "illegal_move", true },
        { IPR_EPARSE, "", 400, "bad_request", true },
        { IPR_ENOTFOUND, "", 404, "not_found", true },
        { IPR_ECONFLICT, "", 409, "conflict", true },
        { IPR_EDATA, "", 422, "too_little_data", true },
        { IPR_ENOCONV, "", 422, "no_convergence", true },
        { IPR_ELIMIT, "", 413, "limit_passed", true },
        { IPR_ERETRY, "", 503, "try_again", false },
        { IPR_ERETRY, "import_running", 503, "import_running", true },
        { IPR_EIO, "secret_kind", 500, "internal_error", false },
        { IPR_EDB, "", 500, "internal_error", false },
        { IPR_EDENIED, "", 403, "denied", true },
        { IPR_EDENIED, "token_unknown", 401, "token_unknown", true },
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        fake_fail(&fake.fail, rows[i].code, rows[i].type, "inner words");
        struct reply r = ask("/api/v1/judges", "Accept: text/html");
        assert_int_equal(strstr(ipr_buf_c(&r.body), "inner words") != NULL, rows[i].told);
        assert_int_equal(strstr(ipr_buf_c(&r.body), "\"line\":3,\"column\":7") != NULL,
                         rows[i].code == IPR_EPARSE);
        assert_string_equal(header(&r, "Retry-After"), rows[i].status == 503 ? "5" : "");
        assert_int_equal(header(&r, "WWW-Authenticate")[0] != '\0', rows[i].status == 401);
        assert_string_equal(header(&r, "Access-Control-Allow-Origin"), "*");
        expect_problem(&r, rows[i].status, rows[i].want_type, rows[i].want_type);

        r = ask("/calibrations", "Accept: text/html,*/*");
        expect_status(&r, rows[i].status, "page");
        assert_string_equal(header(&r, "Content-Type"), "text/html; charset=utf-8");
        assert_non_null(strstr(ipr_buf_c(&r.body), "<h1>"));
        reply_release(&r);
    }
}

static void test_failures_around(void **state)
{
    (void)state;
    fake_fail(&fake.db_fail, IPR_EDB, "", "pool");
    struct reply r = ask("/api/v1/players/1", NULL);
    expect_problem(&r, 500, "internal_error", "lease");
    r = ask("/ready", NULL);
    expect_problem(&r, 503, "try_again", "ready without database");
    r = ask("/health", NULL);
    expect_status(&r, 200, "health without database");
    reply_release(&r);
    r = ask_with("POST", "/api/v1/uploads", PGN, "x", 1);
    expect_problem(&r, 500, "internal_error", "upload without database");

    fake_reset();
    fake_fail(&fake.ready_fail, IPR_ECONFLICT, "", "old schema");
    r = ask("/ready", NULL);
    assert_string_equal(header(&r, "Retry-After"), "5");
    expect_problem(&r, 503, "try_again", "ready with an old schema");

    fake_reset();
    fake_fail(&fake.page_fail, IPR_EINVAL, "", "page");
    r = ask("/", "Accept: text/html");
    expect_problem(&r, 500, "internal_error", "page and error page both fail");
}

static void test_not_modified(void **state)
{
    static const char *const paths[] = { "/", "/api/v1/judges", "/static/js/app.js", "/health" };
    char etag[128], headers[256];

    (void)state;
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        struct reply r = ask(paths[i], NULL);
        snprintf(etag, sizeof etag, "%s", header(&r, "ETag"));
        assert_int_equal(strlen(etag), 34);
        assert_string_equal(header(&r, "Cache-Control"), "no-cache");
        reply_release(&r);
        snprintf(headers, sizeof headers, "If-None-Match: \"other\", W/%s", etag);
        r = ask(paths[i], headers);
        expect_status(&r, 304, paths[i]);
        assert_int_equal(r.body.n, 0);
        assert_string_equal(header(&r, "ETag"), etag);
        reply_release(&r);
        r = ask(paths[i], "If-None-Match: \"0123456789abcdef0123456789abcdef\"");
        expect_status(&r, 200, paths[i]);
        reply_release(&r);
    }
}

static void test_json_form(void **state)
{
    (void)state;
    struct reply r = ask("/api/v1/judges", NULL);
    assert_string_equal(header(&r, "Content-Type"), "application/json");
    assert_string_equal(ipr_buf_c(&r.body), "{\"call\":\"judges\",\"share\":0.1}\n");
    reply_release(&r);
}

static void test_static_types(void **state)
{
    static const struct {
        const char *path, *type, *body;
    } rows[] = {
        { "/static/css/site.css", "text/css; charset=utf-8", "body { margin: 0 }\n" },
        { "/static/js/app.js", "text/javascript; charset=utf-8", "export {};\n" },
        { "/static/img/favicon.svg", "image/svg+xml", "<svg/>\n" },
        { "/static/samples/one.pgn", "application/x-chess-pgn; charset=utf-8",
          "[Event \"x\"]\n\n1. e4 *\n" },
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct reply r = ask(rows[i].path, NULL);

        expect_status(&r, 200, rows[i].path);
        assert_string_equal(header(&r, "Content-Type"), rows[i].type);
        assert_string_equal(ipr_buf_c(&r.body), rows[i].body);
        reply_release(&r);
    }
}

/* ---- who may ---- */

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

/* ---- uploads ---- */

static void expect_ingest(long long bytes, const char *options)
{
    assert_int_equal(fake.ingest_bytes, bytes);
    assert_string_equal(fake.ingest, options);
}

static void test_upload_raw(void **state)
{
    static const struct {
        const char *path, *headers, *options;
    } rows[] = {
        { "/api/v1/uploads", PGN, "api standard 5 1048576" },
        { "/api/v1/uploads", "Content-Type:", "api standard 5 1048576" },
        { "/api/v1/uploads", "Content-Type: text/plain; charset=utf-8", "api standard 5 1048576" },
        { "/api/v1/uploads?judge=quick&priority=1", "Content-Type: application/vnd.chess-pgn",
          "api quick 1 1048576" },
        { "/api/v1/uploads?analyse=false", "Content-Type: application/x-www-form-urlencoded",
          "api - 5 1048576" },
        { "/api/v1/uploads?judge=deep&analyse=true", "Content-Type: application/octet-stream",
          "api deep 5 1048576" },
        { "/api/v1/uploads", PGN "\nContent-Encoding: gzip", "api standard 5 1048576" },
        { "/api/v1/uploads", PGN "\nContent-Encoding: zstd", "api standard 5 1048576" },
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct reply r = ask_with("POST", rows[i].path, rows[i].headers, "1. e4 *", 7);

        expect_status(&r, 202, rows[i].path);
        assert_string_equal(header(&r, "Location"), "/api/v1/uploads/7");
        assert_string_equal(ipr_buf_c(&r.body), "{\"call\":\"upload 7\",\"share\":0.1}\n");
        expect_ingest(7, rows[i].options);
        reply_release(&r);
    }
}

static void test_upload_refused(void **state)
{
    static const struct {
        const char *path, *headers, *body;
        long status;
        const char *type;
    } rows[] = {
        { "", "Content-Type: image/png", "x", 415, "unsupported_type" },
        { "", "Content-Type: text/plainly", "x", 415, "unsupported_type" },
        { "", PGN "\nContent-Encoding: br", "x", 415, "unsupported_encoding" },
        { "", PGN "\nContent-Encoding: gzip, gzip", "x", 415, "unsupported_encoding" },
        { "", PGN, "", 400, "empty_body" },
        { "?judge=other", PGN, "x", 400, "bad_parameter" },
        { "?priority=0", PGN, "x", 400, "bad_parameter" },
        { "?priority=10", PGN, "x", 400, "bad_parameter" },
        { "?analyse=yes", PGN, "x", 400, "bad_parameter" },
        { "?analyze=true", PGN, "x", 400, "unknown_parameter" },
        { "", "Content-Type: multipart/form-data", "x", 400, "bad_form" },
        { "", "Content-Type: multipart/form-data; boundary=b", "nonsense", 400, "bad_form" },
        { "", "Content-Type: multipart/form-data; boundary=b", "", 400, "bad_form" },
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char path[128];

        snprintf(path, sizeof path, "/api/v1/uploads%s", rows[i].path);
        struct reply r =
            ask_with("POST", path, rows[i].headers, rows[i].body, strlen(rows[i].body));
        expect_problem(&r, rows[i].status, rows[i].type, rows[i].headers);
        assert_int_equal(fake.ingest_bytes, -1);
    }
    fake_fail(&fake.ingest_fail, IPR_EPARSE, "no_games", "no game in it");
    struct reply r = ask_with("POST", "/api/v1/uploads", PGN, "x", 1);
    assert_non_null(strstr(ipr_buf_c(&r.body), "\"line\":3"));
    expect_problem(&r, 400, "no_games", "ingest refuses");
}

static size_t give(char *to, size_t size, size_t n, void *left)
{
    size_t *rest = left;
    const size_t now = size * n < *rest ? size * n : *rest;

    memset(to, 'x', now);
    *rest -= now;
    return now;
}

/* POST of `n` bytes; chunked when the length is not told. */
static struct reply post_long(size_t n, bool told, const char *headers, CURLcode *rc)
{
    struct reply r;
    struct curl_slist *list;
    CURL *c = client_handle("POST", "/api/v1/uploads", headers, &r, &list);
    size_t left = n;

    curl_easy_setopt(c, CURLOPT_POST, 1L);
    curl_easy_setopt(c, CURLOPT_CUSTOMREQUEST, NULL);
    curl_easy_setopt(c, CURLOPT_READFUNCTION, give);
    curl_easy_setopt(c, CURLOPT_READDATA, &left);
    curl_easy_setopt(c, CURLOPT_POSTFIELDSIZE_LARGE, told ? (curl_off_t)n : (curl_off_t)-1);
    *rc = client_perform(c, list, &r);
    return r;
}

static void test_upload_limit(void **state)
{
    CURLcode rc;

    (void)state;
    struct reply r = post_long(MIB, true, PGN "\nExpect: 100-continue", &rc);
    expect_status(&r, 202, "exactly the limit");
    assert_non_null(strstr(ipr_buf_c(&r.head), "100 Continue"));
    assert_int_equal(fake.ingest_bytes, MIB);
    reply_release(&r);

    r = post_long(MIB, false, PGN "\nTransfer-Encoding: chunked", &rc);
    expect_status(&r, 202, "exactly the limit, chunked");
    assert_int_equal(fake.ingest_bytes, MIB);
    reply_release(&r);

    fake_reset();
    r = post_long(MIB + 1, true, PGN "\nExpect: 100-continue", &rc);
    assert_null(strstr(ipr_buf_c(&r.head), "100 Continue"));
    expect_problem(&r, 413, "upload_too_large", "by its length");
    r = post_long(MIB + 1, true, PGN "\nExpect:", &rc);
    expect_problem(&r, 413, "upload_too_large", "by its length, not waiting");
    r = post_long(3 * MIB, false, PGN "\nTransfer-Encoding: chunked", &rc);
    expect_problem(&r, 413, "upload_too_large", "while streaming");

    /* Far beyond: hung up on, with an answer or without, and nothing is kept. */
    r = post_long((size_t)200 * MIB, false, PGN "\nTransfer-Encoding: chunked\nExpect:", &rc);
    assert_int_not_equal(r.status, 202);
    reply_release(&r);
    assert_int_equal(fake.ingest_bytes, -1);
}

struct part {
    const char *name, *filename, *data;
};

static struct reply post_form(const struct part *parts, size_t n, const char *headers)
{
    struct reply r;
    struct curl_slist *list;
    CURL *c = client_handle("POST", "/api/v1/uploads", headers, &r, &list);
    curl_mime *form = curl_mime_init(c);

    for (size_t i = 0; i < n; i++) {
        curl_mimepart *part = curl_mime_addpart(form);

        curl_mime_name(part, parts[i].name);
        curl_mime_data(part, parts[i].data, CURL_ZERO_TERMINATED);
        if (parts[i].filename != NULL)
            curl_mime_filename(part, parts[i].filename);
    }
    curl_easy_setopt(c, CURLOPT_MIMEPOST, form);
    curl_easy_perform(c);
    curl_easy_getinfo(c, CURLINFO_RESPONSE_CODE, &r.status);
    curl_easy_cleanup(c);
    curl_mime_free(form);
    curl_slist_free_all(list);
    return r;
}

static void test_upload_form(void **state)
{
    const struct part file = { "file", "C:\\games\\été.pgn", "1. e4 e5 *\n" };
    const struct part with_fields[] = { { "judge", NULL, "quick" },
                                        file,
                                        { "priority", NULL, "9" } };
    const struct part wrong_field[] = { file, { "colour", NULL, "red" } };
    const struct part no_file[] = { { "judge", NULL, "quick" } };
    const struct part empty_file[] = { { "file", "a.pgn", "" } };
    const struct part two[] = { file, file };
    const struct part bad_value[] = { file, { "priority", NULL, "soon" } };
    char long_value[100];
    const struct part long_field[] = { file, { "judge", NULL, long_value } };

    (void)state;
    memset(long_value, 'j', sizeof long_value);
    long_value[sizeof long_value - 1] = '\0';
    struct reply r = post_form(&file, 1, NULL);
    expect_status(&r, 202, "file");
    expect_ingest(11, "été.pgn standard 5 1048576");
    reply_release(&r);

    r = post_form(with_fields, 3, "Accept: text/html,application/xhtml+xml");
    expect_status(&r, 303, "from a browser");
    assert_string_equal(header(&r, "Location"), "/uploads/7");
    expect_ingest(11, "été.pgn quick 9 1048576");
    reply_release(&r);

    fake_reset();
    r = post_form(wrong_field, 2, NULL);
    expect_problem(&r, 400, "bad_form", "unknown field");
    r = post_form(no_file, 1, NULL);
    expect_problem(&r, 400, "bad_form", "no file");
    r = post_form(empty_file, 1, NULL);
    expect_status(&r, 400, "empty file");
    reply_release(&r);
    r = post_form(two, 2, NULL);
    expect_problem(&r, 400, "bad_form", "two files");
    r = post_form(bad_value, 2, NULL);
    expect_problem(&r, 400, "bad_parameter", "bad value");
    r = post_form(long_field, 2, NULL);
    expect_problem(&r, 400, "bad_form", "long value");
    assert_int_equal(fake.ingest_bytes, -1);

    fake_fail(&fake.ingest_fail, IPR_EPARSE, "no_games", "no game in it");
    r = post_form(&file, 1, "Accept: text/html");
    expect_status(&r, 400, "a browser sees a page");
    assert_non_null(strstr(ipr_buf_c(&r.body), "<h1>400 No games</h1><p>no game in it</p>"));
    reply_release(&r);
}

static void test_upload_form_too_large(void **state)
{
    char *big = malloc((size_t)2 * MIB + 1);
    const struct part file = { "file", "a.pgn", big };

    (void)state;
    memset(big, 'x', (size_t)2 * MIB);
    big[2 * MIB] = '\0';
    struct reply r = post_form(&file, 1, "Expect:");
    expect_problem(&r, 413, "upload_too_large", "form");
    r = post_form(&file, 1, "Expect:\nTransfer-Encoding: chunked");
    expect_problem(&r, 413, "upload_too_large", "chunked form");
    assert_int_equal(fake.ingest_bytes, -1);
    free(big);
}

/* A GET may carry a body; it is read past. */
static void test_body_of_a_read(void **state)
{
    (void)state;
    struct reply r = ask_with("GET", "/health", PGN, "hello", 5);
    expect_status(&r, 200, "GET with a body");
    reply_release(&r);
}

/* ---- events ---- */

struct watcher {
    struct ipr_buf seen;
    int step;
};

/* Each event moves the queue on, so the stream is driven by what arrived. */
static size_t on_event(char *p, size_t size, size_t n, void *cls)
{
    struct watcher *w = cls;

    ipr_buf_add(&w->seen, p, size * n);
    while (w->step > 0) {
        char want[32];

        snprintf(want, sizeof want, "\"queued\":%d,", w->step);
        if (strstr(ipr_buf_c(&w->seen), want) == NULL)
            break;
        fake_queue(--w->step);
    }
    return size * n;
}

static void test_events(void **state)
{
    struct reply r;
    struct curl_slist *list;
    struct watcher w = { .step = 2 };

    (void)state;
    fake_queue(2);
    CURL *c = client_handle("GET", "/api/v1/uploads/7/events", NULL, &r, &list);
    curl_easy_setopt(c, CURLOPT_WRITEFUNCTION, on_event);
    curl_easy_setopt(c, CURLOPT_WRITEDATA, &w);
    assert_int_equal(client_perform(c, list, &r), CURLE_OK);
    assert_string_equal(header(&r, "Content-Type"), "text/event-stream");
    assert_string_equal(header(&r, "Cache-Control"), "no-store");
    assert_string_equal(ipr_buf_c(&w.seen),
                        "retry: 3000\n"
                        "id: 1\nevent: progress\ndata: {\"id\":7,\"queued\":2,\"done\":false}\n\n"
                        "id: 2\nevent: progress\ndata: {\"id\":7,\"queued\":1,\"done\":false}\n\n"
                        "id: 3\nevent: progress\ndata: {\"id\":7,\"queued\":0,\"done\":true}\n\n"
                        "id: 4\nevent: done\ndata: {\"id\":7,\"queued\":0,\"done\":true}\n\n");
    ipr_buf_release(&w.seen);
    reply_release(&r);
}

static void test_events_done_already(void **state)
{
    (void)state;
    struct reply r = ask("/api/v1/uploads/8/events", NULL);
    assert_string_equal(
        ipr_buf_c(&r.body),
        "retry: 3000\nid: 1\nevent: progress\ndata: {\"id\":8,\"queued\":0,\"done\":true}\n\n"
        "id: 2\nevent: done\ndata: {\"id\":8,\"queued\":0,\"done\":true}\n\n");
    reply_release(&r);
    fake_fail(&fake.fail, IPR_ENOTFOUND, "", "no upload 9");
    r = ask("/api/v1/uploads/9/events", NULL);
    expect_problem(&r, 404, "not_found", "no such upload");
}

static int raw_stream(void)
{
    static const char request[] =
        "GET /api/v1/uploads/7/events HTTP/1.1\r\nHost: localhost\r\n\r\n";
    struct sockaddr_in to = { .sin_family = AF_INET,
                              .sin_port = htons((uint16_t)client_port),
                              .sin_addr = { htonl(INADDR_LOOPBACK) } };
    const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

    assert_true(fd >= 0);
    assert_int_equal(connect(fd, (struct sockaddr *)&to, sizeof to), 0);
    assert_int_equal(send(fd, request, sizeof request - 1, 0), (int)sizeof request - 1);
    return fd;
}

/* True once `fd` delivered `what`; false at the end or after ten seconds. */
static bool arrives(int fd, const char *what)
{
    char seen[8192] = "";
    size_t n = 0;
    struct pollfd p = { .fd = fd, .events = POLLIN };

    while (n + 1 < sizeof seen && poll(&p, 1, 10000) == 1) {
        const ssize_t got = recv(fd, seen + n, sizeof seen - n - 1, 0);
        if (got <= 0)
            break;
        n += (size_t)got;
        seen[n] = '\0';
        if (strstr(seen, what) != NULL)
            return true;
    }
    return false;
}

static void test_events_many(void **state)
{
    int fd[IPR_EVENTS_MAX];

    (void)state;
    fake_queue(1);
    for (int i = 0; i < IPR_EVENTS_MAX; i++) {
        fd[i] = raw_stream();
        assert_true(arrives(fd[i], "\"queued\":1,"));
    }
    struct reply r = ask("/api/v1/uploads/7/events", NULL);
    assert_string_equal(header(&r, "Retry-After"), "5");
    expect_problem(&r, 503, "try_again", "one too many");

    /* Idle streams hold no thread, and one look serves all who watch. */
    r = ask("/health", NULL);
    expect_status(&r, 200, "still answering");
    reply_release(&r);
    const unsigned calls = fake.progress_calls;
    fake_queue(0);
    for (int i = 0; i < IPR_EVENTS_MAX; i++) {
        assert_true(arrives(fd[i], "event: done"));
        close(fd[i]);
    }
    assert_true(fake.progress_calls - calls < 10);
    for (int i = 0; i < 50; i++) { /* their places are free again, once MHD noticed */
        r = ask("/api/v1/uploads/7/events", NULL);
        const long status = r.status;
        reply_release(&r);
        if (status == 200)
            return;
        usleep(100000);
    }
    fail_msg("streams were not given up");
}

/* A reader that leaves is noticed at the next change and forgotten; stopping ends the others. */
static void test_stop_with_streams(void **state)
{
    (void)state;
    fake_queue(5);
    const int leaves = raw_stream(), stays = raw_stream();
    assert_true(arrives(leaves, "\"queued\":5,"));
    assert_true(arrives(stays, "\"queued\":5,"));
    close(leaves);
    fake_queue(4);
    assert_true(arrives(stays, "\"queued\":4,"));
    ipr_http_stop(&http);
    assert_false(arrives(stays, "never"));
    close(stays);
    start(NULL);
}

/* ---- listening ---- */

static void test_listen(void **state)
{
    static const char *const bad[] = { "",        "8080",          "127.0.0.1",      "host:port",
                                       "a:65536", "127.0.0.1:-1",  "[::1]",          "::1:80",
                                       "[::1:80", "127.0.0.1:80x", "127.0.0.1:80:90" };
    struct ipr_err err = IPR_ERR_INIT;
    int fd, port;
    bool loopback;

    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        ipr_err_clear(&err);
        assert_int_equal(ipr_listen(bad[i], &fd, &port, &loopback, &err), IPR_EPARSE);
    }
    ipr_err_clear(&err);
    assert_ok(ipr_listen("localhost:0", &fd, &port, &loopback, &err), &err);
    assert_true(loopback && port > 0);
    close(fd);
    assert_ok(ipr_listen(":0", &fd, &port, &loopback, &err), &err);
    assert_false(loopback);
    close(fd);
    if (ipr_listen("[::1]:0", &fd, &port, &loopback, NULL) == IPR_OK) { /* where there is IPv6 */
        assert_true(loopback && port > 0);
        close(fd);
    }
    assert_int_equal(ipr_listen("no.such.host.invalid:80", &fd, &port, &loopback, &err), IPR_EIO);
}

static void test_port_in_use(void **state)
{
    char address[64], want[128];
    const struct ipr_http_options o = { .config = &config, .listen = address };
    struct ipr_http *second = NULL;
    struct ipr_err err = IPR_ERR_INIT;

    (void)state;
    snprintf(address, sizeof address, "127.0.0.1:%d", client_port);
    snprintf(want, sizeof want, "cannot listen on %s: address already in use", address);
    assert_int_equal(ipr_http_start(&o, &second, &err), IPR_EIO);
    assert_string_equal(err.msg, want);
    assert_null(second);
}

static void test_without_database(void **state)
{
    struct ipr_http *kept = http;
    const int port = client_port;
    const struct ipr_http_options o = { .config = &config, .listen = "127.0.0.1:0" };
    struct ipr_err err = IPR_ERR_INIT;

    (void)state;
    assert_ok(ipr_http_start(&o, &http, &err), &err);
    client_port = ipr_http_port(http);
    struct reply r = ask("/api/v1/judges", NULL);
    expect_problem(&r, 503, "try_again", "no pool");
    r = ask("/nowhere", "Accept: text/html");
    expect_problem(&r, 404, "no_such_address", "no templates");
    ipr_http_stop(&http);
    http = kept;
    client_port = port;
}

static void *reader(void *failed)
{
    static const char *const paths[] = { "/", "/api/v1/players?q=a", "/static/css/site.css",
                                         "/nowhere" };

    for (int i = 0; i < 40; i++) {
        struct reply r;
        struct curl_slist *list;
        CURL *c = client_handle("GET", paths[i % 4], NULL, &r, &list);

        if (client_perform(c, list, &r) != CURLE_OK || r.status != (i % 4 == 3 ? 404 : 200))
            atomic_fetch_add((atomic_int *)failed, 1);
        reply_release(&r);
    }
    return NULL;
}

static void test_many_readers(void **state)
{
    pthread_t t[6];
    atomic_int failed = 0;

    (void)state;
    for (size_t i = 0; i < 6; i++)
        assert_int_equal(pthread_create(&t[i], NULL, reader, &failed), 0);
    for (size_t i = 0; i < 6; i++)
        pthread_join(t[i], NULL);
    assert_int_equal(failed, 0);
}

#define TEST(f) cmocka_unit_test_setup(f, before_each)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_every_route),
        TEST(test_decisions),
        TEST(test_decision_forms),
        TEST(test_bad_decisions),
        TEST(test_time_classes),
        TEST(test_compare_forms),
        TEST(test_bad_requests),
        TEST(test_game_forms),
        TEST(test_every_code),
        TEST(test_failures_around),
        TEST(test_not_modified),
        TEST(test_json_form),
        TEST(test_static_types),
        TEST(test_hosts),
        TEST(test_sites),
        TEST(test_tokens),
        TEST(test_token_in_form),
        TEST(test_beyond_loopback),
        TEST(test_upload_raw),
        TEST(test_upload_refused),
        TEST(test_upload_limit),
        TEST(test_upload_form),
        TEST(test_upload_form_too_large),
        TEST(test_body_of_a_read),
        TEST(test_events),
        TEST(test_events_done_already),
        TEST(test_events_many),
        TEST(test_stop_with_streams),
        TEST(test_listen),
        TEST(test_port_in_use),
        TEST(test_without_database),
        TEST(test_many_readers),
    };

    return cmocka_run_group_tests_name("http", tests, begin_all, end_all);
}
