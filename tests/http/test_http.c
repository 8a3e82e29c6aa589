/* The web service from outside, storage and views replaced: every route, every refusal, every
 * failure. */
#include "fixture.h"

/* ---- routes ---- */

/* One request that must succeed for each row of the table, and what the view is asked. A pattern
 * has its method in front unless that is GET, or POST with a body. */
static const struct {
    const char *pattern, *path, *call, *body; /* JSON of a write; NULL: none, or games */
} good[] = {
    { "/api/v1", "/api/v1", "", NULL },
    { "/docs", "/docs", "", NULL },
    { "/openapi.json", "/openapi.json", "", NULL },
    { "/", "/", "/api/v1/dashboard", NULL },
    { "/players", "/players?q=b%C3%A9la+x&limit=5&judge=quick",
      "/api/v1/players?q=b%C3%A9la%20x limit=5 judge=quick", NULL },
    { "/players/doubtful", "/players/doubtful", "/api/v1/players/doubtful", NULL },
    { "/players/{player}", "/players/12?judge=deep", "page /api/v1/players/12?judge=deep", NULL },
    { "/players/{player}/{year}", "/players/12/1971", "page /api/v1/players/12/ratings?year=1971",
      NULL },
    { "/compare", "/compare?white=1:1971&black=2:1972",
      "page /api/v1/predictions?white=1:1971 black=2:1972", NULL },
    { "/events", "/events?q=wijk+aan&year=1971", "/api/v1/events?q=wijk%20aan year=1971", NULL },
    { "/events/{event}", "/events/9?judge=deep", "/api/v1/events/9?judge=deep", NULL },
    { "/games/{game}", "/games/5?judge=deep", "/api/v1/games/5?judge=deep", NULL },
    { "/uploads", "/uploads?limit=5", "/api/v1/uploads?limit=5", NULL },
    { "/uploads/{upload}", "/uploads/7", "/api/v1/uploads/7", NULL },
    { "/royale", "/royale?active=1000&time_class=all", "report royale active=1000", NULL },
    { "/comparisons", "/comparisons?least=5",
      "report comparisons least=5 year=event without_match=false limit=100", NULL },
    { "/reports", "/reports?judge=quick", "/api/v1/reports?judge=quick", NULL },
    { "/reports/conformance", "/reports/conformance?games=20", "report conformance games=20",
      NULL },
    { "/reports/complexity", "/reports/complexity", "report complexity players=20", NULL },
    { "/reports/covariance", "/reports/covariance?loss=raw",
      "report covariance loss=raw games=1000", NULL },
    { "/reports/score_curve", "/reports/score_curve", "report score_curve band=200 games=5000",
      NULL },
    { "/queue", "/queue", "/api/v1/queue", NULL },
    { "/validation", "/validation", "/api/v1/validation", NULL },
    { "/calibrations", "/calibrations", "/api/v1/calibrations", NULL },
    { "/calibrations/{name}", "/calibrations/a%20b", "/api/v1/calibrations/a%20b", NULL },
    { "/static/{dir}/{file}", "/static/css/site.css", "", NULL },
    { "/problems/{type}", "/problems/illegal_move", "", NULL },
    { "/health", "/health", "", NULL },
    { "/ready", "/ready", "", NULL },
    { "/metrics", "/metrics", "metrics", NULL },
    { "/status", "/status", "", NULL },
    { "/api/v1/dashboard", "/api/v1/dashboard", "/api/v1/dashboard", NULL },
    { "/api/v1/uploads", "/api/v1/uploads", "/api/v1/uploads", NULL },
    { "POST /api/v1/uploads", "/api/v1/uploads", "/api/v1/uploads/7", NULL },
    { "DELETE /api/v1/uploads/{upload}", "/api/v1/uploads/7", "delete upload 7", NULL },
    { "/api/v1/uploads/{upload}/delete", "/api/v1/uploads/7/delete", "delete upload 7", "" },
    { "/api/v1/uploads/{upload}", "/api/v1/uploads/7", "/api/v1/uploads/7", NULL },
    { "/api/v1/uploads/{upload}/duplicates", "/api/v1/uploads/7/duplicates",
      "/api/v1/uploads/7/duplicates", NULL },
    { "/api/v1/uploads/{upload}/events", "/api/v1/uploads/7/events", "", NULL },
    { "/api/v1/players/{player}/events", "/api/v1/players/12/events?year=1971", "", NULL },
    { "/api/v1/players", "/api/v1/players?q=tal", "/api/v1/players?q=tal", NULL },
    { "/api/v1/players/{player}", "/api/v1/players/12", "/api/v1/players/12", NULL },
    { "/api/v1/players/{player}/queue", "/api/v1/players/12/queue?year=1971&judge=deep",
      "/api/v1/players/12/queue?year=1971 judge=deep", NULL },
    { "/api/v1/players/{player}/years", "/api/v1/players/12/years", "/api/v1/players/12/years",
      NULL },
    { "/api/v1/players/{player}/ratings", "/api/v1/players/12/ratings?year=1971&judge=quick",
      "/api/v1/players/12/ratings?year=1971 judge=quick", NULL },
    { "/api/v1/players/doubtful", "/api/v1/players/doubtful?limit=7",
      "/api/v1/players/doubtful?limit=7", NULL },
    { "/api/v1/players/{player}/merge", "/api/v1/players/12/merge", "/api/v1/identity-changes/5",
      "{\"into\": 3}" },
    { "/api/v1/players/{player}/distinct", "/api/v1/players/12/distinct",
      "/api/v1/identity-changes/5", "{\"from\": 3}" },
    { "/api/v1/players/{player}/split", "/api/v1/players/12/split", "/api/v1/identity-changes/5",
      "{\"name\": \"X, Y\", \"games\": [4]}" },
    { "/api/v1/identity-changes", "/api/v1/identity-changes?limit=2",
      "/api/v1/identity-changes?limit=2", NULL },
    { "/api/v1/identity-changes/{change}", "/api/v1/identity-changes/4",
      "/api/v1/identity-changes/4", NULL },
    { "/api/v1/identity-changes/{change}/undo", "/api/v1/identity-changes/4/undo",
      "/api/v1/identity-changes/4", "" },
    { "/api/v1/player-years", "/api/v1/player-years?active=true&sort=-rating&imported=false",
      "/api/v1/player-years?active=true sort=-rating imported=false", NULL },
    { "/api/v1/games", "/api/v1/games?player=12&color=black&result=1/2-1/2&sort=id",
      "/api/v1/games?player=12 color=black result=1%2F2-1%2F2 sort=id", NULL },
    { "DELETE /api/v1/games/{game}", "/api/v1/games/5", "delete game 5", NULL },
    { "/api/v1/evaluations", "/api/v1/evaluations?upload=3&judge=quick&limit=1",
      "/api/v1/evaluations?upload=3 limit=1 judge=quick", NULL },
    { "POST /api/v1/evaluations", "/api/v1/evaluations", "/api/v1/uploads/7", NULL },
    { "/api/v1/games/{game}", "/api/v1/games/5?judge=2", "/api/v1/games/5?judge=2", NULL },
    { "/api/v1/predictions",
      "/api/v1/predictions?white=1:1971&black=2:2013&method=markov&edges=10,20",
      "/api/v1/predictions?white=1:1971 black=2:2013 method=markov edges=10,20", NULL },
    { "/api/v1/events", "/api/v1/events?limit=7&judge=quick", "/api/v1/events?limit=7 judge=quick",
      NULL },
    { "/api/v1/events/{event}", "/api/v1/events/9?limit=100", "/api/v1/events/9?limit=100", NULL },
    { "/api/v1/elo", "/api/v1/elo?player=12&year=1971", "/api/v1/elo?player=12 year=1971", NULL },
    { "/api/v1/royale", "/api/v1/royale?judge=quick", "report royale active=500 judge=quick",
      NULL },
    { "/api/v1/comparisons", "/api/v1/comparisons",
      "report comparisons least=4 year=event without_match=false limit=100", NULL },
    { "/api/v1/reports", "/api/v1/reports?judge=quick", "/api/v1/reports?judge=quick", NULL },
    { "/api/v1/reports/royale", "/api/v1/reports/royale", "report royale active=500", NULL },
    { "/api/v1/reports/comparisons", "/api/v1/reports/comparisons?limit=1",
      "report comparisons least=4 year=event without_match=false limit=1", NULL },
    { "/api/v1/reports/conformance", "/api/v1/reports/conformance", "report conformance games=5000",
      NULL },
    { "/api/v1/reports/complexity",
      "/api/v1/reports/complexity?players=", "report complexity players=20", NULL },
    { "/api/v1/reports/covariance", "/api/v1/reports/covariance",
      "report covariance loss=weighted games=1000", NULL },
    { "/api/v1/reports/score_curve", "/api/v1/reports/score_curve",
      "report score_curve band=200 games=5000", NULL },
    { "/api/v1/queue", "/api/v1/queue", "/api/v1/queue", NULL },
    { "/api/v1/analyses",
      "/api/v1/"
      "analyses?upload=7&game=5&player=13&year=1971&judge=quick&state=failed&limit=2",
      "/api/v1/"
      "analyses?upload=7 game=5 player=13 year=1971 judge=quick state=failed limit=2",
      NULL },
    { "/api/v1/analyses", "/api/v1/analyses", "", "{\"upload\": 7}" },
    { "PATCH /api/v1/analyses", "/api/v1/analyses", "", "{\"upload\": 7, \"action\": \"pause\"}" },
    { "DELETE /api/v1/analyses", "/api/v1/analyses?upload=7", "", NULL },
    { "/api/v1/analyses/{action}", "/api/v1/analyses/pause?upload=7", "", "" },
    { "/api/v1/judges", "/api/v1/judges", "/api/v1/judges", NULL },
    { "/api/v1/judges", "/api/v1/judges", "/api/v1/judges/mine",
      "{\"name\": \"mine\", \"program\": \"stockfish\", \"multipv\": 5, \"depth\": 12}" },
    { "/api/v1/judges/{name}", "/api/v1/judges/quick", "/api/v1/judges/quick", NULL },
    { "/api/v1/validation", "/api/v1/validation", "/api/v1/validation", NULL },
    { "/api/v1/calibrations", "/api/v1/calibrations", "/api/v1/calibrations", NULL },
    { "POST /api/v1/calibrations", "/api/v1/calibrations?name=mine",
      "/api/v1/calibrations/mine?reference=false", NULL },
    { "/api/v1/calibrations/{name}", "/api/v1/calibrations/standard?reference=false",
      "/api/v1/calibrations/standard?reference=false", NULL },
};
#define N_GOOD    (sizeof good / sizeof *good)
#define N_STREAMS 1 /* /api/v1/queue/events never ends: test_streams.c */

static const char *path_of(size_t i)
{
    return strchr(good[i].pattern, '/');
}

static const char *method_of(size_t i)
{
    static const char *const methods[] = { "POST", "PATCH", "DELETE" };

    for (size_t k = 0; k < sizeof methods / sizeof *methods; k++)
        if (strncmp(good[i].pattern, methods[k], strlen(methods[k])) == 0)
            return methods[k];
    return good[i].body != NULL ? "POST" : "GET";
}

static long status_of(size_t i)
{
    static const struct {
        const char *path;
        long status;
    } made[] = { { "/api/v1/uploads", 202 },
                 { "/api/v1/evaluations", 202 },
                 { "/api/v1/analyses", 202 },
                 { "/api/v1/judges", 201 },
                 { "/api/v1/calibrations", 201 } };

    for (size_t k = 0; k < sizeof made / sizeof *made; k++)
        if (strcmp(method_of(i), "POST") == 0 && strcmp(path_of(i), made[k].path) == 0)
            return made[k].status;
    return 200;
}

/* What its address allows, from the rows of this table. */
static bool allows(size_t i, const char *method)
{
    for (size_t k = 0; k < N_GOOD; k++)
        if (strcmp(path_of(k), path_of(i)) == 0 && strcmp(method_of(k), method) == 0)
            return true;
    return false;
}

static void check_allow(size_t i, const char *list)
{
    static const char *const methods[] = { "GET", "POST", "PATCH", "DELETE" };

    for (size_t k = 0; k < sizeof methods / sizeof *methods; k++)
        assert_int_equal(strstr(list, methods[k]) != NULL, allows(i, methods[k]));
    assert_int_equal(strstr(list, "HEAD") != NULL, allows(i, "GET"));
    assert_non_null(strstr(list, "OPTIONS"));
}

static const char *type_of_games(const char *path)
{
    return strcmp(path, "/api/v1/uploads") == 0 ? PGN : "Content-Type: application/x-ndjson";
}

static void one_route(const struct ipr_address *route, size_t i)
{
    const char *path = good[i].path, *method = method_of(i);
    const bool get = strcmp(method, "GET") == 0;
    const bool games = strcmp(method, "POST") == 0 && good[i].body == NULL;
    const char *body = games ? "1. e4 *" : good[i].body;
    const bool stream = ipr_resource_at(route->id)->flags & IPR_FLAG_STREAM;
    struct reply r = ask_with(method, path,
                              games          ? type_of_games(path)
                              : body != NULL ? JSON
                                             : NULL,
                              body, body != NULL ? strlen(body) : 0);

    expect_status(&r, status_of(i), path);
    assert_string_equal(fake.call, good[i].call);
    if (route->page != NULL) {
        char what[64];

        snprintf(what, sizeof what, "<p>%s</p>\n", route->page);
        assert_string_equal(header(&r, "Content-Type"), "text/html; charset=utf-8");
        assert_non_null(strstr(ipr_buf_c(&r.body), good[i].call));
        assert_non_null(strstr(ipr_buf_c(&r.body), what));
    }
    assert_string_equal(header(&r, "X-Content-Type-Options"), "nosniff");
    assert_non_null(strstr(header(&r, "Content-Security-Policy"), "script-src 'self';"));
    assert_int_equal(strlen(header(&r, "X-Request-Id")), 16);
    const bool open =
        strncmp(path, "/api/", 5) == 0 || (ipr_resource_at(route->id)->flags & IPR_FLAG_OPEN) != 0;
    assert_string_equal(header(&r, "Access-Control-Allow-Origin"), open && get ? "*" : "");
    const size_t length = r.body.n;
    reply_release(&r);

    r = ask_with("HEAD", path, NULL, NULL, 0);
    if (allows(i, "GET") && !get)
        assert_true(r.status == 200 || r.status == 400); /* the query is that of a write */
    else
        expect_status(&r, get ? 200 : 405, path);
    assert_int_equal(r.body.n, 0);
    if (get && !stream && strcmp(path, "/metrics") != 0)
        assert_int_equal(strtol(header(&r, "Content-Length"), NULL, 10), (long)length);
    reply_release(&r);

    r = ask_with("OPTIONS", path, NULL, NULL, 0);
    expect_status(&r, 204, path);
    check_allow(i, header(&r, "Allow"));
    reply_release(&r);

    r = ask_with("PUT", path, NULL, NULL, 0);
    check_allow(i, header(&r, "Allow"));
    assert_string_equal(header(&r, "Access-Control-Allow-Origin"), open ? "*" : "");
    expect_problem(&r, 405, "method_not_allowed", path);
}

static void one_move(const struct ipr_address *route)
{
    char path[64], to[64];

    snprintf(path, sizeof path, "%s?judge=quick", route->path);
    snprintf(to, sizeof to, "%s?judge=quick", route->moved);
    struct reply r = ask(path, NULL);
    expect_status(&r, 308, path);
    assert_string_equal(header(&r, "Location"), to);
    reply_release(&r);
}

static void test_every_route(void **state)
{
    size_t tried = 0, routes = 0;

    (void)state;
    for (const struct ipr_address *route = ipr_addresses; route->method != NULL; route++) {
        if (ipr_resource_at(route->id)->flags & IPR_FLAG_FISHNET)
            continue; /* other manners: test_fishnet.c */
        if (route->moved != NULL) {
            one_move(route);
            continue;
        }
        routes++;
        for (size_t i = 0; i < N_GOOD; i++) {
            if (strcmp(path_of(i), route->path) != 0 || strcmp(method_of(i), route->method) != 0)
                continue;
            fake_reset();
            one_route(route, i);
            tried++;
        }
    }
    assert_int_equal(tried, N_GOOD);
    assert_int_equal(routes, N_GOOD + N_STREAMS);
}

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
        { "12/split", JSON, "{\"name\": \"X\\u0001\", \"years\": [1, 2]}", "bad_parameter", 400 },
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
    r = ask("/api/v1/events?time_class=all", NULL);
    expect_problem(&r, 400, "unknown_parameter", "a list without figures has none");
}

static void test_scopes(void **state)
{
    static const struct {
        const char *query, *call;
    } rows[] = {
        { "", "/api/v1/players/12/ratings" },
        { "?from=1960&to=1962&event=7&color=black&judge=quick",
          "/api/v1/players/12/ratings?from=1960 to=1962 event=7 color=black judge=quick" },
        { "?to=1962&color=white", "/api/v1/players/12/ratings?to=1962 color=white" },
        { "?from=1962&to=1962", "/api/v1/players/12/ratings?from=1962 to=1962" },
        { "?year=1962&event=7", "/api/v1/players/12/ratings?year=1962 event=7" },
        { "?include=gain,fits&year=1962",
          "/api/v1/players/12/ratings?year=1962 include=fits,gain" },
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char path[128];

        snprintf(path, sizeof path, "/api/v1/players/12/ratings%s", rows[i].query);
        struct reply r = ask(path, NULL);
        expect_status(&r, 200, path);
        assert_string_equal(fake.call, rows[i].call);
        reply_release(&r);
    }
}

static void test_compare_forms(void **state)
{
    static const struct {
        const char *path, *call;
    } rows[] = {
        { "/compare", "page /api/v1/predictions" },
        { "/compare?white=&black=", "page /api/v1/predictions" },
        { "/compare?white=3:1960", "page /api/v1/predictions?white=3:1960" },
        { "/compare?white=3&white_year=1960&black=4&black_year=1961",
          "page /api/v1/predictions?white=3:1960 black=4:1961" },
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
        { "/api/v2", 404, "no_such_address" },
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
        { "/events/x", 404, "not_found" },
        { "/api/v1/events/0", 404, "not_found" },
        { "/api/v1/events/9?limit=101", 400, "bad_parameter" },
        { "/api/v1/events/9?year=1971", 400, "unknown_parameter" },
        { "/api/v1/events?limit=501", 400, "bad_parameter" },
        { "/api/v1/events?year=MCM", 400, "bad_parameter" },
        { "/api/v1/events?search=cup", 400, "unknown_parameter" },
        { "/api/v1/players/1/ratings?year=19x1", 400, "bad_parameter" },
        { "/api/v1/players/1/ratings?from=0", 400, "bad_parameter" },
        { "/api/v1/players/1/ratings?to=12345", 400, "bad_parameter" },
        { "/api/v1/players/1/ratings?event=0", 400, "bad_parameter" },
        { "/api/v1/players/1/ratings?event=Bled", 400, "bad_parameter" },
        { "/api/v1/players/1/ratings?color=w", 400, "bad_parameter" },
        { "/api/v1/players/1/ratings?colour=white", 400, "unknown_parameter" },
        { "/players/1/1971?year=1972", 400, "bad_parameter" },
        { "/api/v1/predictions", 400, "bad_parameter" },
        { "/api/v1/predictions?white=1:1971", 400, "bad_parameter" },
        { "/api/v1/predictions?white=1&black=2:1971", 400, "bad_parameter" },
        { "/api/v1/predictions?white=1:x&black=2:1971", 400, "bad_parameter" },
        { "/api/v1/predictions?white=:1971&black=2:1971", 400, "bad_parameter" },
        { "/compare?white=1", 400, "bad_parameter" },
        { "/games/x", 404, "not_found" },
        { "/games/5.pgn", 404, "not_found" },
        { "/api/v1/games/0", 404, "not_found" },
        { "/api/v1/games/.pgn", 404, "no_such_address" },
        { "/api/v1/games/x.pgn", 404, "not_found" },
        { "/api/v1/games/5.pgn.pgn", 404, "not_found" },
        { "/api/v1/games/5.pgn?evals=yes", 400, "bad_parameter" },
        { "/api/v1/games/5.pgn?form=fancy", 400, "bad_parameter" },
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
        { "/api/v1/games/5.pgn", NULL, "pgn /api/v1/games/5" },
        { "/api/v1/games/5.pgn?evals=true&judge=2", NULL,
          "pgn /api/v1/games/5?evals=true judge=2" },
        { "/api/v1/games/5.pgn?evals=false", NULL, "pgn /api/v1/games/5" },
        { "/api/v1/games/5.pgn?form=plain", NULL, "pgn /api/v1/games/5?form=plain" },
        { "/api/v1/games/5.pgn?form=alliot&judge=deep", NULL,
          "pgn /api/v1/games/5?form=alliot judge=deep" },
        { "/api/v1/games/5", "Accept: application/x-chess-pgn", "pgn /api/v1/games/5" },
        { "/api/v1/games/5?form=plain", "Accept: application/vnd.chess-pgn, */*",
          "pgn /api/v1/games/5?form=plain" },
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
        { IPR_ERETRY, IPR_DB_AWAY, 503, "database_away", false },
        { IPR_EIO, "secret_kind", 500, "internal_error", false },
        { IPR_EDB, "", 500, "internal_error", false },
        { IPR_EDENIED, "", 403, "denied", true },
        { IPR_EDENIED, "token_unknown", 401, "token_unknown", true },
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        fake_fail(&fake.fail, rows[i].code, rows[i].type, "inner words");
        struct reply r = ask("/api/v1/judges", "Accept: text/html,*/*");
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
    expect_problem(&r, 503, "database_not_ready", "ready without a connection");
    r = ask("/health", NULL);
    expect_status(&r, 200, "health without database");
    reply_release(&r);
    r = ask_with("POST", "/api/v1/uploads", PGN, "x", 1);
    expect_problem(&r, 500, "internal_error", "upload without database");

    fake_reset();
    fake_fail(&fake.db_fail, IPR_ERETRY, IPR_DB_AWAY, "connection to server at 10.0.0.1 refused");
    r = ask("/ready", NULL);
    assert_non_null(strstr(ipr_buf_c(&r.body), "The database of this service is unavailable"));
    assert_null(strstr(ipr_buf_c(&r.body), "10.0.0.1"));
    expect_problem(&r, 503, "database_away", "ready without database");
    r = ask("/players", "Accept: text/html");
    assert_non_null(strstr(ipr_buf_c(&r.body), "The database of this service is unavailable"));
    expect_status(&r, 503, "page without database");
    reply_release(&r);

    fake_reset();
    fake_fail(&fake.ready_fail, IPR_EDB, IPR_DB_SCHEMA, "migration 3 of 4");
    r = ask("/ready", NULL);
    assert_string_equal(header(&r, "Retry-After"), "5");
    assert_non_null(strstr(ipr_buf_c(&r.body), "migration 3 of 4"));
    expect_problem(&r, 503, "database_schema", "ready with an old schema");

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
    fake.same_data = true;
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
    assert_string_equal(ipr_buf_c(&r.body), "{\"call\":\"/api/v1/judges\",\"share\":0.1}\n");
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_every_route),    TEST(test_calibration_post), TEST(test_decisions),
        TEST(test_decision_forms), TEST(test_bad_decisions),    TEST(test_time_classes),
        TEST(test_scopes),         TEST(test_compare_forms),    TEST(test_bad_requests),
        TEST(test_game_forms),     TEST(test_every_code),       TEST(test_failures_around),
        TEST(test_not_modified),   TEST(test_json_form),        TEST(test_static_types),
    };

    return cmocka_run_group_tests_name("http", tests, begin_all, end_all);
}
