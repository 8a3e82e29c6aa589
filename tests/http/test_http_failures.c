/* Requests that are refused, and answers to failures of the views. */
#include "fixture.h"

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
        { "/compare?white=nobody", 400, "bad_parameter" },
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

/* A game is sent as PGN if the address or the Accept header requests it. */
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
        bool shown; /* whether the message is sent to the client */
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
        assert_int_equal(strstr(ipr_buf_c(&r.body), "inner words") != NULL, rows[i].shown);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_bad_requests),
        TEST(test_game_forms),
        TEST(test_every_code),
        TEST(test_failures_around),
    };

    return cmocka_run_group_tests_name("http_failures", tests, begin_all, end_all);
}
