/* The web service from outside, storage and views replaced: every route, every refusal, every
 * failure. */
#include "fixture.h"

#include "api/docs.h"

#define IPR_API_INSIDE
#include "api_addresses.h"

/* ---- routes ---- */

struct good {
    const char *pattern, *path, *call, *body; /* JSON of a write; NULL: none, or games */
};

/* Requests that must succeed, and what the view is asked. A pattern has its method in front unless
 * that is GET, or POST with a body. What has no row here is asked as its example in resources.def
 * is, its page as the path of that. */
static const struct good written[] = {

    { "/api/v1", "/api/v1", "", NULL },
    { "/docs", "/docs", "", NULL },
    { "/openapi.json", "/openapi.json", "", NULL },
    { "/players", "/players?q=b%C3%A9la+x&limit=5&judge=quick",
      "page /api/v1/players?q=b%C3%A9la%20x limit=5 judge=quick", NULL },
    { "/search", "/search?q=fisher+72", "/api/v1/search?q=fisher%2072", NULL },
    { "/api/v1/search", "/api/v1/search?q=tal&limit=3", "/api/v1/search?q=tal limit=3", NULL },
    { "/players/{player}", "/players/12?judge=deep", "page /api/v1/players/12?judge=deep", NULL },
    { "/players/{player}/{year}", "/players/12/any-name/1971",
      "page /api/v1/players/12/ratings?year=1971", NULL },
    { "/api/v1/careers", "/api/v1/careers?set=12&set=&set=15:1984",
      "/api/v1/careers?set=12 set=15:1984", NULL },
    { "/careers", "/careers?set=12:1968-1972,color=white&set=15&by=age",
      "/api/v1/careers?set=12:1968-1972,color=white set=15 by=age", NULL },
    { "/compare", "/compare?white=1:1971&black=2:1972",
      "page /api/v1/predictions?white=1:1971 black=2:1972", NULL },
    { "/events", "/events?q=wijk+aan&year=1971", "/api/v1/events?q=wijk%20aan year=1971", NULL },
    { "/events/{event}", "/events/9/any-name?judge=deep", "page /api/v1/events/9?judge=deep",
      NULL },
    { "/moves", "/moves?player=5", "/api/v1/moves?player=5", NULL },
    { "/players/{player}/profile", "/players/12/profile?year=1972",
      "/api/v1/profile?player=12 year=1972", NULL },
    { "/uploads/{upload}/players/{player}", "/uploads/3/players/12",
      "/api/v1/profile?player=12 upload=3", NULL },
    { "/players/{player}/moves", "/players/12/any-name/moves?phase=endgame",
      "/api/v1/moves?player=12 phase=endgame", NULL },
    { "/players/{player}/{year}/moves", "/players/12/any-name/1971/moves",
      "/api/v1/moves?player=12 year=1971", NULL },
    { "/events/{event}/moves", "/events/9/any-name/moves", "/api/v1/moves?event=9", NULL },
    { "/events/{event}/players/{player}/moves", "/events/9/any-name/players/12/moves",
      "/api/v1/moves?player=12 event=9", NULL },
    { "/uploads/{upload}/moves", "/uploads/7/moves", "/api/v1/moves?upload=7", NULL },
    { "/games/{game}", "/games/5?judge=deep", "/api/v1/games/5?judge=deep", NULL },
    { "/uploads", "/uploads?limit=5", "/api/v1/uploads?limit=5", NULL },
    { "/royale", "/royale?active=1000&time_class=all",
      "report royale active=1000 method=recommended forgetting=0", NULL },
    { "/comparisons", "/comparisons?least=5",
      "report comparisons least=5 year=auto without_match=false limit=100", NULL },
    { "/reports", "/reports?judge=quick", "/api/v1/reports?judge=quick", NULL },
    { "/reports/conformance", "/reports/conformance?games=20", "report conformance games=20",
      NULL },
    { "/reports/complexity", "/reports/complexity", "report complexity players=20", NULL },
    { "/reports/covariance", "/reports/covariance?loss=raw",
      "report covariance loss=raw games=1000", NULL },
    { "/reports/score-curve", "/reports/score-curve", "report score_curve band=200 games=5000",
      NULL },
    { "/papers/{paper}/{table}", "/papers/a/5", "page /api/v1/papers/a/5", NULL },
    { "/calibrations/{name}", "/calibrations/a%20b", "page /api/v1/calibrations/a%20b", NULL },
    { "/static/{dir}/{file}", "/static/css/site.css", "", NULL },
    { "/problems/{type}", "/problems/illegal_move", "", NULL },
    { "/health", "/health", "", NULL },
    { "/ready", "/ready", "", NULL },
    { "/metrics", "/metrics", "metrics", NULL },
    { "/status", "/status", "", NULL },
    { "POST /api/v1/uploads", "/api/v1/uploads", "/api/v1/uploads/7", NULL },
    { "DELETE /api/v1/uploads/{upload}", "/api/v1/uploads/7", "delete upload 7", NULL },
    { "/uploads/{upload}", "/uploads/7", "delete upload 7", "" },
    { "/api/v1/uploads/{upload}/events", "/api/v1/uploads/7/events", "", NULL },
    { "/api/v1/players/{player}/events", "/api/v1/players/12/events?year=1971", "", NULL },
    { "/api/v1/players", "/api/v1/players?q=tal", "/api/v1/players?q=tal", NULL },
    { "/api/v1/players/{player}/ratings", "/api/v1/players/12/ratings?year=1971&judge=quick",
      "/api/v1/players/12/ratings?year=1971 judge=quick", NULL },
    { "/api/v1/players/doubtful", "/api/v1/players/doubtful?limit=7",
      "/api/v1/players/doubtful?limit=7", NULL },
    { "/api/v1/identity-changes", "/api/v1/identity-changes", "/api/v1/identity-changes",
      "{\"kind\": \"merge\", \"player\": 12, \"other\": 3}" },
    { "/api/v1/identity-changes", "/api/v1/identity-changes?limit=2",
      "/api/v1/identity-changes?limit=2", NULL },
    { "/api/v1/player-years", "/api/v1/player-years?active=true&sort=-rating&imported=false",
      "/api/v1/player-years?active=true sort=-rating imported=false", NULL },
    { "/api/v1/games", "/api/v1/games?player=12&color=black&result=1/2-1/2&sort=id",
      "/api/v1/games?player=12 color=black result=1%2F2-1%2F2 sort=id", NULL },
    { "DELETE /api/v1/games/{game}", "/api/v1/games/5", "delete game 5", NULL },
    { "/api/v1/evaluations", "/api/v1/evaluations?upload=3&judge=quick&limit=1",
      "/api/v1/evaluations?upload=3 limit=1 judge=quick", NULL },
    { "POST /api/v1/evaluations", "/api/v1/evaluations", "/api/v1/uploads/7", NULL },
    { "POST /api/v1/rate", "/api/v1/rate?by=year", "rate 1. e4 * 2 2", NULL },
    { "/api/v1/moves", "/api/v1/moves?player=5", "/api/v1/moves?player=5", NULL },
    { "/api/v1/games/{game}", "/api/v1/games/5?judge=2", "/api/v1/games/5?judge=2", NULL },
    { "/api/v1/predictions",
      "/api/v1/predictions?white=1:1971&black=2:2013&method=markov&edges=10,20",
      "/api/v1/predictions?white=1:1971 black=2:2013 method=markov edges=10,20", NULL },
    { "/api/v1/events", "/api/v1/events?limit=7&judge=quick", "/api/v1/events?limit=7 judge=quick",
      NULL },
    { "/api/v1/events/{event}", "/api/v1/events/9?limit=100", "/api/v1/events/9?limit=100", NULL },
    { "/api/v1/elo", "/api/v1/elo?player=12&year=1971", "/api/v1/elo?player=12 year=1971", NULL },
    { "/api/v1/reports/royale", "/api/v1/reports/royale?judge=quick",
      "report royale active=500 method=recommended forgetting=0 judge=quick", NULL },
    { "/api/v1/reports", "/api/v1/reports?judge=quick", "/api/v1/reports?judge=quick", NULL },
    { "/api/v1/reports/comparisons", "/api/v1/reports/comparisons?limit=1",
      "report comparisons least=4 year=auto without_match=false limit=1", NULL },
    { "/api/v1/reports/conformance", "/api/v1/reports/conformance", "report conformance games=5000",
      NULL },
    { "/api/v1/reports/complexity",
      "/api/v1/reports/complexity?players=", "report complexity players=20", NULL },
    { "/api/v1/reports/covariance", "/api/v1/reports/covariance",
      "report covariance loss=weighted games=1000", NULL },
    { "/api/v1/reports/score-curve", "/api/v1/reports/score-curve",
      "report score_curve band=200 games=5000", NULL },
    { "/api/v1/analyses",
      "/api/v1/"
      "analyses?upload=7&game=5&player=13&year=1971&judge=quick&state=failed&limit=2",
      "/api/v1/"
      "analyses?upload=7 game=5 player=13 year=1971 judge=quick state=failed limit=2",
      NULL },
    { "/api/v1/analyses", "/api/v1/analyses", "", "{\"upload\": 7}" },
    { "PATCH /api/v1/analyses", "/api/v1/analyses", "", "{\"upload\": 7, \"action\": \"pause\"}" },
    { "/queue", "/queue", "", "{\"upload\": 7, \"action\": \"pause\"}" },
    { "/api/v1/judges", "/api/v1/judges", "/api/v1/judges/mine",
      "{\"name\": \"mine\", \"program\": \"stockfish\", \"multipv\": 5, \"depth\": 12}" },
    { "POST /api/v1/calibrations", "/api/v1/calibrations?name=mine",
      "/api/v1/calibrations/mine?reference=false", NULL },
    { "/api/v1/calibrations/{name}", "/api/v1/calibrations/standard?reference=false",
      "/api/v1/calibrations/standard?reference=false", NULL },
};

#define N_WRITTEN (sizeof written / sizeof *written)
#define N_STREAMS 1 /* /api/v1/queue/events never ends: test_streams.c */

static struct good good[200];
static size_t n_good;

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
    for (size_t k = 0; k < n_good; k++)
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

static bool is_written(const struct ipr_address *route)
{
    for (size_t i = 0; i < N_WRITTEN; i++)
        if (strcmp(path_of(i), route->path) == 0 && strcmp(method_of(i), route->method) == 0)
            return true;
    return false;
}

/* A request to the resource, as the documentation shows it. */
static const char *example_of(const struct ipr_address *route)
{
    for (const struct ipr_api_address *a = addresses; a->method != NULL; a++)
        if (a->id == route->id)
            return a->example;
    fail_msg("%s: want a row of `written', as its resource has no example", route->path);
    return NULL;
}

/* The part of the example's path that is {name} of the API's. */
static struct ipr_str example_piece(const struct ipr_address *route, const char *name, size_t n)
{
    const char *pattern = ipr_resource_at(route->id)->api, *path = example_of(route);

    while (*pattern != '\0') {
        const size_t piece = strcspn(path, "/?");

        if (*pattern != '{') {
            assert_int_equal(*pattern++, *path++);
            continue;
        }
        if (strncmp(pattern + 1, name, n) == 0 && pattern[n + 1] == '}')
            return (struct ipr_str){ path, piece };
        pattern = strchr(pattern, '}') + 1;
        path += piece;
    }
    fail_msg("%s: want a row of `written', as its example has no %.*s", route->path, (int)n, name);
    return (struct ipr_str){ NULL, 0 };
}

/* As the view sees an address: blanks for its &, and its blanks escaped. */
static void put_call(struct ipr_buf *out, const char *address)
{
    for (const char *c = address; *c != '\0'; c++)
        if (*c == '+')
            ipr_buf_puts(out, "%20");
        else
            ipr_buf_putc(out, *c == '&' ? ' ' : *c);
}

static struct good of_example(const struct ipr_address *route, struct ipr_arena *mem)
{
    struct ipr_buf path = IPR_BUF_INIT, call = IPR_BUF_INIT;
    const char *const example = example_of(route);
    char asked[200];

    snprintf(asked, sizeof asked, "%.*s", route->page != NULL ? (int)strcspn(example, "?") : 199,
             example);
    for (const char *p = route->path; route->page != NULL && *p != '\0'; p++) {
        const size_t n = strcspn(p + 1, "}");
        if (*p != '{') {
            ipr_buf_putc(&path, *p);
            continue;
        }
        const struct ipr_str piece = example_piece(route, p + 1, n);
        ipr_buf_printf(&path, "%.*s", (int)piece.n, piece.p);
        p += n + 1;
    }
    if (route->page == NULL)
        ipr_buf_puts(&path, asked);
    ipr_buf_puts(&call, route->own_view ? "page " : "");
    put_call(&call, asked);
    const struct good row = { .pattern = route->path,
                              .path = ipr_arena_strndup(mem, ipr_buf_c(&path), path.n),
                              .call = ipr_arena_strndup(mem, ipr_buf_c(&call), call.n) };
    ipr_buf_release(&path);
    ipr_buf_release(&call);
    return row;
}

static bool is_tried(const struct ipr_address *route)
{
    /* Other manners: test_fishnet.c, test_streams.c. */
    return !(ipr_resource_at(route->id)->flags & IPR_FLAG_FISHNET) && route->moved == NULL &&
           strcmp(route->path, "/api/v1/queue/events") != 0;
}

static void fill_good(struct ipr_arena *mem)
{
    memcpy(good, written, sizeof written);
    n_good = N_WRITTEN;
    for (const struct ipr_address *a = ipr_addresses; a->method != NULL; a++)
        if (is_tried(a) && !is_written(a)) {
            assert_true(n_good < sizeof good / sizeof *good);
            good[n_good++] = of_example(a, mem);
        }
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
    struct ipr_arena mem = IPR_ARENA_INIT;
    size_t tried = 0, routes = 0;

    (void)state;
    fill_good(&mem);
    for (const struct ipr_address *route = ipr_addresses; route->method != NULL; route++) {
        if (ipr_resource_at(route->id)->flags & IPR_FLAG_FISHNET)
            continue; /* other manners: test_fishnet.c */
        if (route->moved != NULL) {
            one_move(route);
            continue;
        }
        routes++;
        for (size_t i = 0; i < n_good; i++) {
            if (strcmp(path_of(i), route->path) != 0 || strcmp(method_of(i), route->method) != 0)
                continue;
            fake_reset();
            one_route(route, i);
            tried++;
        }
    }
    assert_int_equal(tried, n_good);
    assert_int_equal(routes, n_good + N_STREAMS);
    ipr_arena_release(&mem);
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

/* A name and a year are looked up; what fits one player-year is a redirect to it, with the other
 * parameters. */
static void test_compare_typed(void **state)
{
    static const struct {
        const char *path;
        long status;
        const char *location;
    } rows[] = {
        { "/compare?white=fischer+1971&black=2:1972&games=20&judge=standard", 307,
          "/compare?white=1:1971&black=2:1972&games=20&judge=standard" },
        { "/compare?white=several", 200, NULL },
        { "/compare?white=nobody", 400, NULL },
        { "/compare?white=1:1971&black=2:1972&games=0", 400, NULL },
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct reply r = ask(rows[i].path, "Accept: text/html");

        expect_status(&r, rows[i].status, rows[i].path);
        if (rows[i].location != NULL)
            assert_string_equal(header(&r, "Location"), rows[i].location);
        else
            assert_non_null(strstr(ipr_buf_c(&r.body), "<p id=\"what\">compare</p>"));
        reply_release(&r);
    }
    struct reply r = ask("/api/v1/predictions?white=several&black=2:1972", NULL);
    expect_status(&r, 400, "the API takes ids");
    reply_release(&r);
}

/* The name in the address is for readers, but there is one. */
static void test_other_names(void **state)
{
    static const struct {
        const char *path, *location;
    } rows[] = {
        { "/players/12/other?judge=deep", "/players/12/any-name?judge=deep" },
        { "/players/12/other/1971", "/players/12/any-name/1971" },
        { "/players/12/Any-Name/moves", "/players/12/any-name/moves" },
        { "/events/9/other/players/12", "/events/9/any-name-1971/players/12" },
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct reply r = ask(rows[i].path, NULL);

        expect_status(&r, 308, rows[i].path);
        assert_string_equal(header(&r, "Location"), rows[i].location);
        reply_release(&r);
    }
    struct reply r = ask("/events/9/any-name-1971", NULL);
    expect_status(&r, 200, "an event with its year");
    reply_release(&r);
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
        TEST(test_every_route),   TEST(test_time_classes),  TEST(test_scopes),
        TEST(test_compare_forms), TEST(test_compare_typed), TEST(test_other_names),
        TEST(test_not_modified),  TEST(test_json_form),     TEST(test_static_types),
    };

    return cmocka_run_group_tests_name("http", tests, begin_all, end_all);
}
