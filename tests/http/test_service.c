/* The web service over the real thing: PostgreSQL, ingest, views, the shipped templates. What
 * the stand-ins of test_http.c cannot show: that the layers fit. */
#include "games.h"

#include <sodium.h>

#include "db/records.h"
#include "http/base/routes.h"
#include "ipr_figures_sample.h"
#include "ipr_pack_test.h"
#include "ipr_prometheus.h"

static void test_upload(void **state)
{
    char path[64];

    (void)state;
    struct reply r =
        ask_with("POST", "/api/v1/uploads?judge=quick&priority=2", PGN, GAMES, strlen(GAMES));
    expect_status(&r, 202, "upload");
    assert_int_equal(member(&r, "imported"), 2);
    assert_int_equal(member(&r, "queued"), 2);
    snprintf(path, sizeof path, "/api/v1/uploads/%lld", (long long)member(&r, "id"));
    assert_string_equal(header(&r, "Location"), path);
    reply_release(&r);
    r = ask(path, NULL);
    expect_status(&r, 200, path);
    assert_int_equal(member(&r, "imported"), 2);
    reply_release(&r);
    assert_int_equal(ipr_db_test_int("SELECT count(*) FROM job WHERE judge = 'quick' AND "
                                     "priority = 2"),
                     2);
}

static void test_bad_uploads(void **state)
{
    static const struct {
        const char *body;
        size_t n;
        const char *type;
    } rows[] = {
        { "there is no game here", 21, "no_games" },
        { "\x1f\x8b\x08\0\0\0\0\0\0\3\xff\xff\xff\xff", 14, "bad_archive" },
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct reply r = ask_with("POST", "/api/v1/uploads", PGN, rows[i].body, rows[i].n);

        expect_problem(&r, 400, rows[i].type, rows[i].type);
    }
    assert_string_equal(
        ipr_db_test_sql("SELECT string_agg(concat_ws(' ', state, problem, games_read), ', '"
                        " ORDER BY id) FROM upload"),
        "failed no_games 0, failed bad_archive 0");
}

/* A packed file in an archive stands among the errors and is no game; the others are stored. */
static void test_packed_in_archive(void **state)
{
    const struct ipr_pack_entry entries[] = { { "old.pgn.gz", "" },
                                              { "new.pgn", GAMES },
                                              { "", NULL } };
    const int fd = ipr_pack_zip(entries);
    char packed[4096], path[64];
    const ssize_t n = read(fd, packed, sizeof packed);

    (void)state;
    close(fd);
    assert_true(n > 0);
    struct reply r = ask_with("POST", "/api/v1/uploads", PGN, packed, (size_t)n);
    expect_status(&r, 202, "upload");
    assert_int_equal(member(&r, "imported"), 2);
    assert_int_equal(member(&r, "rejected"), 0);
    snprintf(path, sizeof path, "/uploads/%lld", (long long)member(&r, "id"));
    json_t *upload = json_loads(ipr_buf_c(&r.body), 0, NULL);
    const json_t *errors = json_object_get(upload, "errors");
    const json_t *e = json_array_get(errors, 0);
    assert_int_equal(json_array_size(errors), 1);
    assert_true(json_is_null(json_object_get(e, "game")));
    assert_string_equal(json_string_value(json_object_get(e, "type")), "bad_archive");
    assert_non_null(strstr(json_string_value(json_object_get(e, "detail")), "old.pgn.gz"));
    json_decref(upload);
    reply_release(&r);
    r = ask(path, "Accept: text/html");
    expect_status(&r, 200, path);
    assert_non_null(strstr(ipr_buf_c(&r.body), "<h2 id=\"errors-title\">Rejected</h2>"));
    assert_non_null(strstr(ipr_buf_c(&r.body), "old.pgn.gz"));
    reply_release(&r);
}

/* Every address, with an upload and players behind it. */
static void test_every_route(void **state)
{
    (void)state;
    const int64_t upload = post_games("");
    const int64_t player = ipr_db_test_int("SELECT id FROM player ORDER BY id LIMIT 1");
    const int64_t event = ipr_db_test_int("SELECT max(event_id) FROM game");
    const int64_t in_event =
        ipr_db_test_int("SELECT white_id FROM game ORDER BY event_id DESC, id LIMIT 1");

    for (const struct ipr_address *route = ipr_addresses; route->method != NULL; route++) {
        const unsigned flags = ipr_resource_at(route->id)->flags;
        char path[256];
        const bool of_upload = strstr(route->path, "{upload}") != NULL;
        const bool of_event = strstr(route->path, "{event}") != NULL;
        const char *brace = strstr(route->path, "{");
        long want = route->moved != NULL ? 308 : 200;

        if (strcmp(route->method, "GET") != 0 || (flags & (IPR_FLAG_STREAM | IPR_FLAG_FISHNET)))
            continue;
        if (strstr(route->path, "identity-changes/") != NULL)
            want = 404; /* nothing was decided */
        if (strstr(route->path, "/calibrations/{name}") != NULL)
            want = 404; /* none is stored */
        if (strstr(route->path, "{name}") != NULL)
            snprintf(path, sizeof path, "%.*sstandard", (int)(brace - route->path), route->path);
        else if (strstr(route->path, "{type}") != NULL)
            snprintf(path, sizeof path, "/problems/illegal_move");
        else if (strstr(route->path, "{dir}") != NULL)
            snprintf(path, sizeof path, "/static/css/intrinsic.css");
        else if (strstr(route->path, "{paper}") != NULL)
            snprintf(path, sizeof path, "%.*salliot-2017/%s", (int)(brace - route->path),
                     route->path, strstr(route->path, "{table}") != NULL ? "7" : "figures/8");
        else if ((of_event || of_upload) && strstr(route->path, "{player}") != NULL)
            snprintf(path, sizeof path, "%.*s%lld/players/%lld", (int)(brace - route->path),
                     route->path, (long long)(of_event ? event : upload), (long long)in_event);
        else if (brace != NULL)
            snprintf(path, sizeof path, "%.*s%lld%s", (int)(brace - route->path), route->path,
                     (long long)(of_upload  ? upload
                                 : of_event ? event
                                            : player),
                     strstr(brace, "{year}") != NULL ? "/1960" : strchr(brace, '}') + 1);
        else
            snprintf(path, sizeof path, "%s", route->path);
        if (strcmp(path, "/api/v1/profile") == 0)
            snprintf(path, sizeof path, "/api/v1/profile?player=%lld", (long long)player);
        if (strcmp(path, "/api/v1/predictions") == 0)
            snprintf(path, sizeof path, "/api/v1/predictions?white=%lld:1960&black=%lld:1961",
                     (long long)player, (long long)player);
        if (strcmp(path, "/api/v1/elo") == 0)
            snprintf(path, sizeof path, "/api/v1/elo?player=%lld", (long long)player);
        struct reply r = ask(path, route->page != NULL ? "Accept: text/html" : NULL);
        if (strstr(path, "predictions") != NULL && r.status == 422)
            want = 422; /* nothing is judged yet */
        if (r.status == 202 && (flags & IPR_FLAG_REPORT))
            want = 202; /* a report that is being computed */
        expect_status(&r, want, path);
        if (route->page != NULL) {
            assert_string_equal(header(&r, "Content-Type"), "text/html; charset=utf-8");
            assert_non_null(strstr(ipr_buf_c(&r.body), "</html>"));
        }
        reply_release(&r);
    }
}

static struct reply post_figures(const char *query, const struct ipr_buf *figures)
{
    char path[128];

    snprintf(path, sizeof path, "/api/v1/calibrations%s", query);
    return ask_with("POST", path, "Content-Type: application/x-ndjson", figures->p, figures->n);
}

/* Figures sent become the record that the page shows and ratings rest on. */
static void test_calibration(void **state)
{
    struct ipr_judge judge;
    struct ipr_buf figures = IPR_BUF_INIT;

    (void)state;
    assert_true(ipr_judge_builtin("standard", &judge));
    snprintf(judge.engine, sizeof judge.engine, "Engine 1");
    judge.multipv = 12;
    snprintf(judge.name, sizeof judge.name, "twelve");
    ipr_sample_mileposts(&figures, &judge);

    struct reply r = post_figures("?name=standard", &figures);
    expect_status(&r, 201, "new");
    assert_string_equal(header(&r, "Location"), "/api/v1/calibrations/standard");
    assert_int_equal(member(&r, "games"), 280);
    assert_null(strstr(ipr_buf_c(&r.body), "\"played\":0,\"cp\"")); /* no reference turns */
    reply_release(&r);
    r = post_figures("?name=standard", &figures);
    expect_status(&r, 200, "the very same");
    reply_release(&r);
    assert_int_equal(ipr_db_test_int("SELECT count(*) FROM calibration"), 1);
    r = ask("/calibrations/standard", "Accept: text/html");
    expect_status(&r, 200, "page");
    assert_non_null(strstr(ipr_buf_c(&r.body), "Curve families side by side"));
    reply_release(&r);

    ipr_buf_puts(&figures, "\n{\"game\":1}\n");
    r = post_figures("?name=more", &figures);
    expect_problem(&r, 400, "bad_figures", "a line that is none");
    ipr_buf_reset(&figures);
    ipr_sample_figures(&figures, &judge, &(struct ipr_figures_player){ 2000, 2, 3, 5 }, 0);
    r = post_figures("?name=few", &figures);
    expect_problem(&r, 400, "thin_milepost", "one milepost");
    judge.depth = 5; /* other figures under the same name */
    ipr_buf_reset(&figures);
    ipr_sample_mileposts(&figures, &judge);
    r = post_figures("?name=standard", &figures);
    expect_problem(&r, 409, "calibration_exists", "another of that name");
    assert_int_equal(ipr_db_test_int("SELECT count(*) FROM calibration"), 1);
    ipr_buf_release(&figures);
}

static void define(const char *body, long status)
{
    struct reply r = ask_with("POST", "/api/v1/judges", JSON, body, strlen(body));

    expect_status(&r, status, body);
    reply_release(&r);
}

/* A judge defined by a user is requested by uploads and pages like any other. */
static void test_own_judge(void **state)
{
    (void)state;
    define("{\"name\": \"mine\", \"multipv\": 5, \"depth\": 6}", 201);
    define("{\"name\": \"mine\", \"multipv\": 5, \"depth\": 6, \"hash_mb\": 16}", 200);
    define("{\"name\": \"mine\", \"multipv\": 5, \"depth\": 7}", 409);
    define("{\"name\": \"standard\", \"multipv\": 20, \"depth\": 6}", 409);
    struct reply r = ask("/api/v1/judges/mine", NULL);
    expect_status(&r, 200, "judge");
    assert_int_equal(member(&r, "depth"), 6);
    reply_release(&r);

    r = ask_with("POST", "/api/v1/uploads?judge=nobody", PGN, GAMES, strlen(GAMES));
    expect_problem(&r, 400, "bad_parameter", "no such judge");
    assert_int_equal(ipr_db_test_int("SELECT count(*) FROM game"), 0);
    post_games("?judge=mine");
    assert_int_equal(ipr_db_test_int("SELECT count(*) FROM job WHERE judge = 'mine'"), 2);
    r = ask("/api/v1/players?judge=mine", NULL);
    expect_status(&r, 200, "players");
    reply_release(&r);
    r = ask("/api/v1/players?judge=nobody", NULL);
    expect_problem(&r, 400, "bad_parameter", "no such judge");

    static const char cancel[] = "{\"action\": \"cancel\", \"judge\": \"mine\"}";
    r = ask_with("PATCH", "/api/v1/analyses", JSON, cancel, strlen(cancel));
    expect_status(&r, 200, "cancel");
    assert_int_equal(member(&r, "changed"), 2);
    reply_release(&r);
    (void)ipr_db_test_sql("DELETE FROM judge_definition WHERE name = 'mine'");
}

/* Figures of service and database together: no family occurs twice. */
static void test_metrics(void **state)
{
    (void)state;
    post_games("");
    struct reply r = ask("/metrics", NULL);
    const char *text = ipr_buf_c(&r.body);
    expect_status(&r, 200, "metrics");
    assert_true(ipr_prometheus_read(text) > 20);
    assert_close(ipr_prometheus_value(text, "intrinsic_database_up"), 1.0, 0.0);
    assert_close(ipr_prometheus_value(
                     text, "intrinsic_jobs{judge=\"standard\",kind=\"judge\",state=\"ready\"}"),
                 2.0, 0.0);
    assert_close(ipr_prometheus_value(text, "intrinsic_database_connections_max"), 10.0, 0.0);
    reply_release(&r);
}

static void test_pages_of_nothing(void **state)
{
    static const struct {
        const char *path;
        long status;
    } rows[] = {
        { "/", 200 },          { "/players", 200 },      { "/compare", 200 },
        { "/players/1", 404 }, { "/uploads/1", 404 },    { "/players/1/1960", 404 },
        { "/events", 200 },    { "/events/99999", 404 }, { "/events?after=x", 400 },
        { "/nowhere", 404 },   { "/players?x=1", 400 },  { "/compare?white=x", 400 },
        { "/players/x", 404 }, { "/calibrations", 200 }, { "/players?after=%21", 400 },
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct reply r = ask(rows[i].path, "Accept: text/html");

        expect_status(&r, rows[i].status, rows[i].path);
        assert_string_equal(header(&r, "Content-Type"), "text/html; charset=utf-8");
        assert_non_null(strstr(ipr_buf_c(&r.body), "</html>"));
        reply_release(&r);
    }
}

static void test_search(void **state)
{
    (void)state;
    post_games("?analyse=false");
    struct reply r = ask("/api/v1/players?q=tal", NULL);
    expect_status(&r, 200, "search");
    assert_non_null(strstr(ipr_buf_c(&r.body), "Tal, Mikhail"));
    assert_null(strstr(ipr_buf_c(&r.body), "Keres"));
    reply_release(&r);
    assert_int_equal(ipr_db_test_int("SELECT count(*) FROM job"), 0);
}

/* Pages of one event, one after another, are the list; a game leads to its event. */
static void test_tournaments(void **state)
{
    char path[64];

    (void)state;
    post_games("?analyse=false");
    struct reply r = ask("/api/v1/events?q=te&limit=1", NULL);
    expect_status(&r, 200, "first");
    assert_non_null(strstr(ipr_buf_c(&r.body), "\"year\":1961,\"games\":1"));
    json_t *first = json_loads(ipr_buf_c(&r.body), 0, NULL);
    snprintf(path, sizeof path, "/events?q=te&limit=1&after=%s",
             json_string_value(json_object_get(first, "next")));
    json_decref(first);
    reply_release(&r);
    r = ask(path, NULL);
    expect_status(&r, 200, path);
    assert_non_null(strstr(ipr_buf_c(&r.body), "<td>1960</td>"));
    assert_null(strstr(ipr_buf_c(&r.body), "<td>1961</td>"));
    assert_null(strstr(ipr_buf_c(&r.body), "More events"));
    reply_release(&r);
    r = ask("/api/v1/events?year=1962", NULL);
    assert_non_null(strstr(ipr_buf_c(&r.body), "\"events\":[]"));
    assert_non_null(strstr(ipr_buf_c(&r.body), "\"next\":null"));
    reply_release(&r);
    snprintf(path, sizeof path, "/games/%lld",
             (long long)ipr_db_test_int("SELECT min(id) FROM game"));
    r = ask(path, NULL);
    snprintf(path, sizeof path, "href=\"/events/%lld/",
             (long long)ipr_db_test_int("SELECT event_id FROM game ORDER BY id LIMIT 1"));
    assert_non_null(strstr(ipr_buf_c(&r.body), path));
    reply_release(&r);
}

/* An outsider's text arrives escaped. */
static void test_escaping(void **state)
{
    const char *games = GAME("<script>alert(1)</script>, A", "\\\"Quoted\\\", B", "1960", "1. e4");

    (void)state;
    struct reply r = ask_with("POST", "/api/v1/uploads", PGN, games, strlen(games));
    expect_status(&r, 202, "upload");
    reply_release(&r);
    r = ask("/players", NULL);
    expect_status(&r, 200, "players");
    assert_null(strstr(ipr_buf_c(&r.body), "<script>alert"));
    assert_non_null(strstr(ipr_buf_c(&r.body), "&lt;script&gt;alert"));
    reply_release(&r);
}

/* Judging as the stream sees it: the queue empties, and somebody says so. */
static size_t on_event(char *p, size_t size, size_t n, void *cls)
{
    struct ipr_buf *seen = cls;
    const bool first = seen->n == 0;

    ipr_buf_add(seen, p, size * n);
    if (first)
        (void)ipr_db_test_sql("WITH gone AS (DELETE FROM job RETURNING id) "
                              "SELECT pg_notify('progress', '') FROM gone");
    return size * n;
}

static void test_events(void **state)
{
    struct ipr_buf seen = IPR_BUF_INIT;
    struct curl_slist *list;
    struct reply r;
    char path[64];

    (void)state;
    snprintf(path, sizeof path, "/api/v1/uploads/%lld/events", (long long)post_games(""));
    CURL *c = client_handle("GET", path, NULL, &r, &list);
    curl_easy_setopt(c, CURLOPT_WRITEFUNCTION, on_event);
    curl_easy_setopt(c, CURLOPT_WRITEDATA, &seen);
    assert_int_equal(client_perform(c, list, &r), CURLE_OK);
    assert_non_null(strstr(ipr_buf_c(&seen), "\"queued\":2,"));
    const char *done = strstr(ipr_buf_c(&seen), "event: done\n");
    assert_non_null(done);
    assert_non_null(strstr(done, "\"queued\":0,"));
    ipr_buf_release(&seen);
    reply_release(&r);
}

static void test_token(void **state)
{
    unsigned char digest[32];
    struct ipr_db *db = NULL;
    struct ipr_err err = IPR_ERR_INIT;

    (void)state;
    crypto_generichash(digest, sizeof digest, (const unsigned char *)"secret", 6, NULL, 0);
    assert_ok(ipr_db_lease(pool, &db, &err), &err);
    assert_ok(ipr_db_token_put(db, "test", "api", digest, &err), &err);
    ipr_db_return(&db);
    struct reply r = ask_with("POST", "/api/v1/uploads", PGN, GAMES, strlen(GAMES));
    expect_problem(&r, 401, "token_needed", "without");
    r = ask_with("POST", "/api/v1/uploads", PGN "\nAuthorization: Bearer other", GAMES,
                 strlen(GAMES));
    expect_problem(&r, 401, "token_unknown", "another");
    r = ask_with("POST", "/api/v1/uploads", PGN "\nAuthorization: Bearer secret", GAMES,
                 strlen(GAMES));
    expect_status(&r, 202, "with");
    reply_release(&r);
    /* The forms ask for it, and take it. */
    const long long tal =
        (long long)ipr_db_test_int("SELECT id FROM player WHERE name LIKE 'Tal,%'");
    char path[64];
    snprintf(path, sizeof path, "/players/%lld", tal);
    expect_text(path, "name=\"token\"", "secret");
    snprintf(path, sizeof path, "/api/v1/identity-changes?kind=split&player=%lld", tal);
    decide(path, FORM, "name=Tal%2C+Other&from=1960&to=1960", 401);
    decide(path, FORM, "name=Tal%2C+Other&from=1960&to=1960&token=other", 401);
    decide(path, FORM, "name=Tal%2C+Other&from=1960&to=1960&token=secret", 303);
    expect_text("/players/doubtful", "name=\"token\"", "secret");
    expect_text("/api/v1/identity-changes", "\"created_by\":\"test\"", NULL);
    (void)ipr_db_test_sql("TRUNCATE token CASCADE");
    expect_text("/players/doubtful", "formaction", "name=\"token\"");
    /* The page is cached now; through a proxy its forms ask for a token all the same. */
    r = ask("/players/doubtful", "X-Forwarded-For: 203.0.113.5");
    assert_non_null(strstr(ipr_buf_c(&r.body), "name=\"token\""));
    reply_release(&r);
    expect_text("/players/doubtful", "formaction", "name=\"token\"");
}

static void test_time_classes(void **state)
{
    static const char games[] =
        "[Event \"Test\"]\n[Date \"2001.01.02\"]\n[White \"A, A\"]\n[Black \"B, B\"]\n"
        "[TimeControl \"180+2\"]\n[Result \"1-0\"]\n\n1. e4 1-0\n\n" GAME("A, A", "B, B", "2001",
                                                                          "1. d4");
    char path[128];

    (void)state;
    struct reply r = ask_with("POST", "/api/v1/uploads?analyse=false", PGN, games, strlen(games));
    expect_status(&r, 202, "upload");
    reply_release(&r);
    const long long id = (long long)player_id("A, A");
    snprintf(path, sizeof path, "/api/v1/players/%lld/ratings?year=2001", id);
    expect_text(path,
                "\"time_classes\":[\"classical\",\"unknown\"],\"not_rated\":{\"blitz\":1},"
                "\"games_stored\":1,",
                NULL);
    snprintf(path, sizeof path, "/api/v1/players/%lld/ratings?year=2001&time_class=all", id);
    expect_text(path, "\"not_rated\":{},\"games_stored\":2,", NULL);
    snprintf(path, sizeof path, "/players/%lld", id);
    expect_text(path, "not counted: 1 blitz", NULL);
    expect_text(path, "classical and unknown", NULL);
    snprintf(path, sizeof path, "/players/%lld/2001?time_class=blitz,rapid", id);
    expect_text(path, "rapid and blitz", NULL);
    expect_text(path, "/ratings?year=2001&amp;time_class=rapid,blitz\"", NULL);
    snprintf(path, sizeof path, "/players/%lld/2001?time_class=blitz,swift", id);
    r = ask(path, "Accept: text/html");
    expect_status(&r, 400, path);
    reply_release(&r);
}

/* What takes long to compute is there on request. */
static void test_included_ratings(void **state)
{
    static const char games[] = GAME("Asked, A", "Asked, B", "2001", "1. d4");
    char path[128];

    (void)state;
    struct reply r = ask_with("POST", "/api/v1/uploads?analyse=false", PGN, games, strlen(games));
    expect_status(&r, 202, "upload");
    reply_release(&r);
    const long long id = (long long)player_id("Asked, A");
    snprintf(path, sizeof path, "/api/v1/players/%lld/ratings?year=2001", id);
    expect_text(path, "\"bayes\":{", "\"depth_weighted\"");
    snprintf(path, sizeof path, "/api/v1/players/%lld/ratings?include=fits,depth_weighted", id);
    expect_text(path, "\"depth_weighted\":{", NULL);
    snprintf(path, sizeof path, "/api/v1/players/%lld/ratings?include=everything", id);
    r = ask(path, NULL);
    expect_status(&r, 400, path);
    reply_release(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_upload),      TEST(test_bad_uploads),      TEST(test_packed_in_archive),
        TEST(test_every_route), TEST(test_calibration),      TEST(test_own_judge),
        TEST(test_metrics),     TEST(test_pages_of_nothing), TEST(test_search),
        TEST(test_tournaments), TEST(test_escaping),         TEST(test_time_classes),
        TEST(test_token),       TEST(test_events),           TEST(test_included_ratings),
    };

    return cmocka_run_group_tests_name("service", tests, begin_all, end_all);
}
