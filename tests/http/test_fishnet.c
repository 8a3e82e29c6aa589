/* Other people's machines, from outside: clients of versions 1 and 2, real engines, real storage.
 */
#include "fishnet.h"

#include "core/judge_json.h"
#include "http/fishnet/work.h"

/* ---- good clients ---- */

static void expect_judge(int64_t game, const char *engine_name, const char *source)
{
    char path[64], sql[256];

    snprintf(path, sizeof path, "/api/v1/games/%lld?judge=tiny", (long long)game);
    struct reply r = ask(path, NULL);
    expect_status(&r, 200, path);
    json_t *all = json_loads(ipr_buf_c(&r.body), 0, NULL);
    const json_t *judge = json_object_get(all, "judge");
    assert_string_equal(json_string_value(json_object_get(judge, "engine")), engine_name);
    assert_true(json_array_size(json_object_get(all, "turns")) > 0);
    json_decref(all);
    reply_release(&r);
    snprintf(sql, sizeof sql,
             "SELECT string_agg(source, ' ') FROM judged_side WHERE game_id = %lld",
             (long long)game);
    assert_string_equal(ipr_db_test_sql(sql), source);
    assert_int_equal(ipr_db_test_int("SELECT count(position_keys) FROM side_turns"), 0);
}

static void test_version_2(void **state)
{
    (void)state;
    const int64_t game = add_game(LONG_GAME, 5);
    struct fish_job j = acquire_2("K1");

    assert_string_equal(j.variant, "standard");
    assert_int_equal(j.n_moves, 20);
    for (size_t i = 0; i <= j.n_moves; i++)
        assert_int_equal(j.skip[i], i < 4);
    expect_no_job("K2");
    fish_analyse_2(&engine, &j);
    expect_taken(submit_2("K1", j.id, fish_result_2(&j)), "submit");
    assert_int_equal(ipr_db_test_int("SELECT count(*) FROM job"), 0);
    expect_judge(game, "fishnet 2.14.1 nnue", "fishnet:first fishnet:first");
    expect_sound(game, 16);
    /* Again: its lease is over, and nothing happens. */
    expect_taken(submit_2("K1", j.id, fish_result_2(&j)), "again");
    assert_int_equal(stored(), 2);
    fish_job_release(&j);
}

static void test_version_1(void **state)
{
    char path[128];

    (void)state;
    const int64_t games[2] = { add_game(LONG_GAME, 5), add_game(SHORT_GAME, 5) };
    struct reply r = post_1("/fishnet/acquire", fish_about_1(&engine, "K1"));
    expect_status(&r, 202, "acquire");
    struct fish_job j = fish_job_read(ipr_buf_c(&r.body), 1);
    reply_release(&r);
    /* A report under way. */
    (void)ipr_db_test_sql("UPDATE job SET lease_until = now() + interval '2 s' WHERE state = "
                          "'leased'");
    json_t *partial = fish_about_1(&engine, "K1");
    json_object_set_new(
        partial, "analysis",
        json_pack("[n, {s:s, s:{s:i}, s:i}]", "pv", "e2e4", "score", "cp", 20, "depth", 5));
    snprintf(path, sizeof path, "/fishnet/analysis/%s", j.id);
    expect_taken(post_1(path, partial), "partial");
    assert_int_equal(ipr_db_test_int("SELECT count(*) FROM job WHERE state = 'leased' AND "
                                     "lease_until > now() + interval '1 minute'"),
                     1);
    assert_int_equal(stored(), 0);
    fish_analyse_1(&engine, &j);
    r = post_1(path, fish_result_1(&engine, "K1", &j));
    expect_status(&r, 202, "submit"); /* with the next game */
    struct fish_job next = fish_job_read(ipr_buf_c(&r.body), 1);
    reply_release(&r);
    expect_judge(games[0], engine.name, "fishnet:first fishnet:first");
    expect_sound(games[0], 16);
    assert_string_equal(
        ipr_db_test_sql("SELECT options || ' ' || clear || ' ' || apart FROM judge"),
        "fishnet 1 remote after");
    fish_analyse_1(&engine, &next);
    snprintf(path, sizeof path, "/fishnet/analysis/%s?stop=true", next.id);
    expect_taken(post_1(path, fish_result_1(&engine, "K1", &next)), "submit and stop");
    expect_judge(games[1], engine.name, "fishnet:first fishnet:first");
    expect_sound(games[1], 3);
    fish_job_release(&next);
    fish_job_release(&j);
}

/* From another start, with castling that only Chess960 can tell. */
static void test_other_start(void **state)
{
    static const char pgn[] =
        "[Event \"Test\"]\n[White \"Eva\"]\n[Black \"Fay\"]\n[SetUp \"1\"]\n"
        "[FEN \"r3k2r/pppq1ppp/2npbn2/2b1p3/2B1P3/2NPBN2/PPPQ1PPP/R3K2R w KQkq - 0 1\"]\n"
        "[Result \"*\"]\n\n1. O-O O-O-O 2. h3 Kb8 3. a3 h6 4. b4 Bxe3 *\n\n";

    (void)state;
    for (int version = 1; version <= 2; version++) {
        (void)wipe(NULL);
        const int64_t game = add_game(pgn, 5);
        struct reply r = version == 1 ? post_1("/fishnet/acquire", fish_about_1(&engine, "K1"))
                                      : post_2("/fishnet/acquire", "K1", "{}");
        expect_status(&r, 202, "acquire");
        struct fish_job j = fish_job_read(ipr_buf_c(&r.body), version);
        reply_release(&r);
        assert_string_equal(j.variant, "chess960");
        assert_string_equal(j.moves[0], "e1h1");
        assert_string_equal(j.moves[1], "e8a8");
        if (version == 1) {
            char path[128];

            fish_analyse_1(&engine, &j);
            snprintf(path, sizeof path, "/fishnet/analysis/%s?stop=true", j.id);
            expect_taken(post_1(path, fish_result_1(&engine, "K1", &j)), "1");
        } else {
            fish_analyse_2(&engine, &j);
            expect_taken(submit_2("K1", j.id, fish_result_2(&j)), "2");
        }
        expect_sound(game, 4);
        fish_job_release(&j);
    }
}

/* ---- leases ---- */

static void test_late(void **state)
{
    (void)state;
    const int64_t game = add_game(SHORT_GAME, 5);
    struct fish_job slow = acquire_2("K1");

    fish_analyse_2(&engine, &slow);
    (void)ipr_db_test_sql("UPDATE job SET lease_until = now() - interval '1 s'");
    struct fish_job quick = acquire_2("K2"); /* no local worker looks after leases here */
    assert_string_not_equal(slow.id, quick.id);
    expect_taken(submit_2("K1", slow.id, fish_result_2(&slow)), "late");
    assert_int_equal(stored(), 0);
    /* Nor may another key use a lease it has heard of. */
    expect_taken(submit_2("K1", quick.id, fish_result_2(&slow)), "another key's");
    assert_int_equal(stored(), 0);
    fish_analyse_2(&engine, &quick);
    expect_taken(submit_2("K2", quick.id, fish_result_2(&quick)), "in time");
    expect_judge(game, "fishnet 2.14.1 nnue", "fishnet:second fishnet:second");
    fish_job_release(&quick);
    fish_job_release(&slow);
}

/* Ids that nobody was given; version 1 is given the next game all the same. */
static void test_unknown_ids(void **state)
{
    static const char *const ids[] = { "x",
                                       "0",
                                       "zzzzzzzzzzzzzzzzzzzzzz",
                                       "1AAAAAAAAAAA",
                                       "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
                                       "1-AAAAAAAAAA",
                                       "%20" };

    (void)state;
    for (size_t i = 0; i < sizeof ids / sizeof *ids; i++) {
        char path[128];

        snprintf(path, sizeof path, "/fishnet/analysis/%s?stop=true", ids[i]);
        expect_taken(post_2(path, "K1", "{\"analysis\":[{\"skipped\":true}]}"), path);
        snprintf(path, sizeof path, "/fishnet/abort/%s", ids[i]);
        expect_taken(post_2(path, "K1", "{}"), path);
        snprintf(path, sizeof path, "/fishnet/move/%s", ids[i]);
        expect_taken(post_2(path, "K1", "{\"move\":{\"bestmove\":null}}"), path);
    }
    add_game(SHORT_GAME, 5);
    struct reply r = post_2("/fishnet/analysis/1AAAAAAAAAAA", "K1", "{}");
    expect_status(&r, 202, "the next game");
    reply_release(&r);
}

static void test_abort(void **state)
{
    char path[128];

    (void)state;
    add_game(SHORT_GAME, 5);
    struct fish_job j = acquire_2("K1");
    snprintf(path, sizeof path, "/fishnet/abort/%s", j.id);
    expect_taken(post_2(path, "K2", "{}"), "another key's");
    assert_int_equal(ipr_db_test_int("SELECT count(*) FROM job WHERE state = 'leased'"), 1);
    expect_taken(post_1(path, fish_about_1(&engine, "K1")), "abort");
    assert_int_equal(
        ipr_db_test_int("SELECT count(*) FROM job WHERE state = 'ready' AND attempts = 0"), 1);
    fish_job_release(&j);
    /* Not to and fro for ever: it is for others now. */
    expect_no_job("K1");
    j = acquire_2("K2");
    fish_job_release(&j);
}

/* Judges whose limit cannot be asked of clients end where the operator looks. */
static void test_unfit_judge(void **state)
{
    struct ipr_judge nodes = tiny;
    struct ipr_err err = IPR_ERR_INIT;
    int32_t queued;
    bool fresh;

    (void)state;
    snprintf(nodes.name, sizeof nodes.name, "nodes");
    nodes.depth = 0, nodes.nodes = 1000;
    assert_ok(ipr_db_definition_add(db, &nodes, "test", &fresh, &err), &err);
    const int64_t game = add_game(SHORT_GAME, 5);
    assert_ok(ipr_db_jobs_enqueue(db, &game, 1, "nodes", 1, "local", &queued, &err), &err);
    struct fish_job j = acquire_2("K1"); /* the one of the other judge */
    assert_int_equal(j.depth, 8);
    assert_string_equal(
        ipr_db_test_sql("SELECT count(*) FROM job WHERE last_error LIKE 'a judge of fishnet%'"),
        "1");
    fish_job_release(&j);
}

/* ---- who may ---- */

static void test_keys(void **state)
{
    static const struct {
        const char *path, *headers;
        long status;
        const char *type;
    } rows[] = {
        { "/fishnet/key", "Authorization: Bearer K1", 200, NULL },
        { "/fishnet/key", "Authorization: bearer  K2", 200, NULL },
        { "/fishnet/key", "Authorization: Bearer K3", 401, "token_unknown" },
        { "/fishnet/key", "Authorization: Bearer ", 401, "token_needed" },
        { "/fishnet/key", "Authorization: Bearer write", 401, "token_unknown" },
        { "/fishnet/key", NULL, 401, "token_needed" },
        { "/fishnet/key/K1", NULL, 200, NULL },
        { "/fishnet/key/K3", NULL, 404, "not_found" },
        { "/fishnet/key/write", NULL, 404, "not_found" },
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct reply r = ask(rows[i].path, rows[i].headers);

        if (rows[i].type != NULL) {
            expect_problem(&r, rows[i].status, rows[i].type, rows[i].path);
            continue;
        }
        expect_status(&r, rows[i].status, rows[i].path);
        reply_release(&r);
    }
    /* A key lets nobody write, and a token judges nothing. */
    struct reply r =
        ask_with("POST", "/api/v1/uploads", PGN "\nAuthorization: Bearer K1", "1. e4 *", 7);
    expect_problem(&r, 401, "token_unknown", "upload by key");
    r = post_2("/fishnet/acquire", "write", "{}");
    expect_problem(&r, 401, "token_unknown", "acquire by token");
    r = post_2("/fishnet/acquire", "", "{}");
    expect_problem(&r, 401, "token_needed", "no key");
    r = post_2("/fishnet/acquire", "", "{\"fishnet\":{\"version\":\"2.6.11\",\"apikey\":\"K1\"}}");
    expect_taken(r, "key in the body");
    r = post_2("/fishnet/acquire", "K1", "{");
    expect_problem(&r, 400, "bad_body", "no JSON");
}

static void test_suspended(void **state)
{
    struct ipr_err err = IPR_ERR_INIT;

    (void)state;
    add_game(SHORT_GAME, 5);
    struct fish_job j = acquire_2("K1");
    (void)ipr_db_test_sql("UPDATE token SET suspended = 'because' WHERE name = 'first'");
    struct reply r = post_2("/fishnet/acquire", "K1", "{}");
    expect_problem(&r, 403, "key_suspended", "acquire");
    fish_analyse_2(&engine, &j);
    r = submit_2("K1", j.id, fish_result_2(&j));
    expect_problem(&r, 403, "key_suspended", "submit");
    r = ask("/fishnet/key", "Authorization: Bearer K1");
    expect_problem(&r, 403, "key_suspended", "key");
    r = ask("/fishnet/key/K1", NULL);
    expect_problem(&r, 404, "not_found", "key, by version 1");
    expect_no_job("K2");
    assert_int_equal(stored(), 0);
    assert_ok(ipr_db_token_resume(db, "first", &err), &err);
    expect_taken(submit_2("K1", j.id, fish_result_2(&j)), "taken again");
    assert_int_equal(stored(), 2);
    fish_job_release(&j);
}

static void test_versions(void **state)
{
    static const struct {
        const char *agent, *version;
        bool good;
    } rows[] = {
        { "python-requests/2.28.1", "1.18.2", true },
        { "python-requests/2.28.1", "1.17.2", false },
        { "fishnet-linux-x86_64/2.0.3", "2.0.3", false },
        { "fishnet-linux-x86_64/2.1.0", "2.1.0", true },
        { "fishnet-macos-aarch64/2.13.0", "", true },
        { "curl/8", "", false },
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char headers[128], body[128];

        snprintf(headers, sizeof headers, "User-Agent: %s", rows[i].agent);
        snprintf(body, sizeof body, "{\"fishnet\":{\"version\":\"%s\",\"apikey\":\"K1\"}}",
                 rows[i].version);
        struct reply r = ask_with("POST", "/fishnet/acquire", headers, body, strlen(body));
        expect_status(&r, rows[i].good ? 204 : 406, rows[i].agent);
        if (!rows[i].good)
            assert_non_null(strstr(ipr_buf_c(&r.body), "Please restart fishnet to upgrade."));
        reply_release(&r);
    }
}

/* ---- what is asked besides ---- */

static void test_status(void **state)
{
    json_int_t acquired, queued, oldest, system[2];
    struct ipr_err err = IPR_ERR_INIT;
    int32_t n;

    (void)state;
    add_game(LONG_GAME, 5);
    const int64_t game = add_game(SHORT_GAME, 6);
    assert_ok(ipr_db_jobs_enqueue(db, &game, 1, "quick", 2, "local", &n, &err), &err);
    (void)ipr_db_test_sql("UPDATE job SET created = now() - interval '90 s'");
    struct fish_job j = acquire_2("K1");
    for (int whole = 0; whole < 2; whole++) {
        struct reply r = ask(whole ? "/status" : "/fishnet/status", NULL);

        expect_status(&r, 200, "status");
        json_t *all = json_loads(ipr_buf_c(&r.body), 0, NULL);
        assert_int_equal(json_unpack(all, "{s:{s:{s:I, s:I, s:I}, s:{s:I, s:I}}}", "analysis",
                                     "user", "acquired", &acquired, "queued", &queued, "oldest",
                                     &oldest, "system", "acquired", &system[0], "queued",
                                     &system[1]),
                         0);
        assert_int_equal(acquired, 1);
        assert_int_equal(queued, whole);
        assert_int_equal(oldest >= 90, whole);
        assert_int_equal(system[0], 0);
        assert_int_equal(system[1], 1);
        json_decref(all);
        reply_release(&r);
    }
    fish_job_release(&j);
}

static void test_too_large(void **state)
{
    char path[128];
    struct reply r;
    struct curl_slist *list;

    (void)state;
    add_game(SHORT_GAME, 5);
    struct fish_job j = acquire_2("K1");
    snprintf(path, sizeof path, "/fishnet/analysis/%s?stop=true", j.id);
    CURL *c =
        client_handle("POST", path, "Authorization: Bearer K1\nExpect: 100-continue", &r, &list);
    curl_easy_setopt(c, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)65 << 20);
    curl_easy_setopt(c, CURLOPT_POSTFIELDS, "x");
    assert_int_equal(client_perform(c, list, &r), CURLE_OK);
    expect_problem(&r, 413, "upload_too_large", "analysis");
    /* Other bodies are small. */
    const size_t n = (size_t)2 << 20;
    char *big = ipr_xmalloc(n);
    memset(big, ' ', n);
    r = ask_with("POST", "/fishnet/acquire", "Authorization: Bearer K1", big, n);
    expect_problem(&r, 413, "body_too_large", "acquire");
    free(big);
    fish_job_release(&j);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        FISH(test_version_2),   FISH(test_version_1), FISH(test_other_start), FISH(test_late),
        FISH(test_unknown_ids), FISH(test_abort),     FISH(test_unfit_judge), FISH(test_keys),
        FISH(test_suspended),   FISH(test_versions),  FISH(test_status),      FISH(test_too_large),
    };

    return cmocka_run_group_tests_name("fishnet", tests, begin, end);
}
