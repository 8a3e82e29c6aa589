/* Other people's machines, from outside: clients of versions 1 and 2, real engines, real storage.
 */
#include "service.h"

#include <signal.h>
#include <sodium.h>

#include "core/judge_json.h"
#include "db/jobs.h"
#include "db/judges.h"
#include "db/records.h"
#include "db/remote.h"
#include "db/turns.h"
#include "engine/check.h"
#include "engine/fleet.h"
#include "engine/process.h"
#include "fishnet_client.h"
#include "http/fishnet_work.h"
#include "uci/remote.h"

#define AGENT_2 "User-Agent: fishnet-linux-x86_64/2.14.1"
#define JSON    "Content-Type: application/json"
/* curl sends no such header for an empty one. */
#define NO_TYPE "Content-Type:\nUser-Agent: python-requests/2.28.1"
#define GAME(white, black, moves)                                                                  \
    "[Event \"Test\"]\n[Date \"2001.02.03\"]\n[White \"" white "\"]\n[Black \"" black              \
    "\"]\n[Result \"*\"]\n\n" moves " *\n\n"
/* Castling on both sides, and moves no engine lists; then one that ends in mate. */
#define LONG_GAME                                                                                  \
    GAME("Anna", "Bela",                                                                           \
         "1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. O-O Nf6 5. d3 d6 6. h4 Bg4 7. a4 Qd7 "                 \
         "8. Ra3 O-O-O 9. Qd2 Kb8 10. Qe1 h6")
#define SHORT_GAME GAME("Cora", "Dina", "1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7#")

static const struct ipr_judge tiny = { .name = "tiny",
                                       .program = "fishnet",
                                       .multipv = 4,
                                       .depth = 8,
                                       .hash_mb = 16,
                                       .threads = 1,
                                       .first_move = 3,
                                       .clear = IPR_CLEAR_REMOTE,
                                       .apart = IPR_APART_AFTER };
static struct ipr_db *db;
static struct ipr_arena mem;
static const char *stockfish;
static struct fish_engine engine;

static void add_key(const char *kind, const char *name, const char *secret)
{
    unsigned char digest[32];
    struct ipr_err err = IPR_ERR_INIT;

    crypto_generichash(digest, sizeof digest, (const unsigned char *)secret, strlen(secret), NULL,
                       0);
    assert_ok(ipr_db_token_put(db, name, kind, digest, &err), &err);
}

static int64_t add_game(const char *pgn, int priority)
{
    struct ipr_err err = IPR_ERR_INIT;
    int32_t queued = 0;
    struct reply r = ask_with("POST", "/api/v1/uploads?analyse=false",
                              PGN "\nAuthorization: Bearer write", pgn, strlen(pgn));

    expect_status(&r, 202, "upload");
    reply_release(&r);
    const int64_t id = ipr_db_test_int("SELECT max(id) FROM game");
    assert_ok(ipr_db_jobs_enqueue(db, &id, 1, "tiny", priority, "local", &queued, &err), &err);
    assert_int_equal(queued, 1);
    return id;
}

static int begin(void **state)
{
    struct ipr_err err = IPR_ERR_INIT;
    bool fresh = false;

    if (begin_all(state) != 0)
        return -1;
    assert_ok(ipr_db_lease(pool, &db, &err), &err);
    assert_ok(ipr_db_definition_add(db, &tiny, "test", &fresh, &err), &err);
    assert_ok(ipr_engine_find("", &mem, &stockfish, &err), &err);
    engine = fish_engine_start(stockfish);
    return 0;
}

static int end(void **state)
{
    fish_engine_stop(&engine);
    ipr_db_return(&db);
    ipr_arena_release(&mem);
    return end_all(state);
}

static int before(void **state)
{
    (void)wipe(state);
    (void)ipr_db_test_sql("SET client_min_messages = warning; TRUNCATE token CASCADE");
    add_key("api", "writer", "write");
    add_key("fishnet", "first", "K1");
    add_key("fishnet", "second", "K2");
    config.fishnet_check = 0;
    config.fishnet_leases = 64;
    return 0;
}

/* ---- requests ---- */

static struct reply post_2(const char *path, const char *key, const char *body)
{
    char headers[256];

    snprintf(headers, sizeof headers, AGENT_2 "\n" JSON "\nAuthorization: Bearer %s", key);
    return ask_with("POST", path, headers, body, strlen(body));
}

static struct fish_job acquire_2(const char *key)
{
    struct reply r = post_2("/fishnet/acquire?slow=false", key, "{}");

    expect_status(&r, 202, "acquire");
    struct fish_job j = fish_job_read(ipr_buf_c(&r.body), 2);
    reply_release(&r);
    return j;
}

static void expect_no_job(const char *key)
{
    struct reply r = post_2("/fishnet/acquire?slow=false", key, "{}");

    expect_status(&r, 204, "acquire");
    assert_int_equal(r.body.n, 0);
    reply_release(&r);
}

/* Takes `result`. */
static struct reply submit_2(const char *key, const char *id, json_t *result)
{
    char path[128];

    snprintf(path, sizeof path, "/fishnet/analysis/%s?slow=false&stop=true", id);
    char *body = json_dumps(result, JSON_COMPACT);
    struct reply r = post_2(path, key, body);
    free(body);
    json_decref(result);
    return r;
}

static void expect_taken(struct reply r, const char *what)
{
    expect_status(&r, 204, what);
    assert_int_equal(r.body.n, 0);
    reply_release(&r);
}

static struct reply post_1(const char *path, json_t *body)
{
    char *text = json_dumps(body, 0);
    struct reply r = ask_with("POST", path, NO_TYPE, text, strlen(text));

    free(text);
    json_decref(body);
    return r;
}

static int64_t stored(void)
{
    return ipr_db_test_int("SELECT count(*) FROM judged_side");
}

/* ---- good clients ---- */

/* What is stored is what our own engine says, as far as a hash that is not cleared allows. */
static void expect_sound(int64_t game, size_t turns)
{
    struct ipr_db_unchecked u;
    struct ipr_db_game g;
    struct ipr_judged_game theirs, ours;
    struct ipr_check_verdict v;
    struct ipr_engine *e = NULL;
    struct ipr_judge judge = tiny;
    struct ipr_err err = IPR_ERR_INIT;

    assert_ok(ipr_db_unchecked_get(db, game, "tiny", &mem, &u, &err), &err);
    assert_ok(ipr_db_game_get(db, game, &mem, &g, &err), &err);
    assert_ok(ipr_db_game_turns(db, u.judge_id, game, &mem, &theirs, &err), &err);
    assert_int_equal(theirs.n, turns);
    judge.clear = IPR_CLEAR_POSITION;
    judge.apart = IPR_APART_SEARCHMOVES;
    const struct ipr_engine_task task = {
        .start = &g.start, .moves = g.moves, .n_moves = g.n_moves, .sides = 3
    };
    assert_ok(ipr_engine_start(stockfish, &judge, NULL, NULL, &e, &err), &err);
    assert_ok(ipr_engine_judge(e, &task, &mem, &ours, NULL, &err), &err);
    ipr_engine_stop(&e);
    assert_int_equal(ours.n, turns);
    assert_ok(ipr_check_compare(theirs.turns, ours.turns, turns, &v, &err), &err);
    print_message("mean difference over %u turns: %.1f centipawns\n", v.turns, v.difference);
    assert_true(v.passed);
}

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
    assert_int_equal(ipr_db_test_int("SELECT count(*) FROM turn WHERE position_key IS NOT NULL"),
                     0);
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

/* ---- bad clients ---- */

static json_t *result_of(const struct fish_job *j, size_t position)
{
    json_t *all = fish_result_2(j);

    assert_true(json_is_array(
        json_object_get(json_array_get(json_object_get(all, "analysis"), position), "score")));
    return all;
}

static json_t *lines_of(json_t *result, const char *what)
{
    return json_object_get(json_array_get(json_object_get(result, "analysis"), 4), what);
}

static void spoil_line(json_t *result)
{
    json_array_remove(lines_of(result, "score"), 3);
    json_array_remove(lines_of(result, "pv"), 3);
}

static void spoil_depth(json_t *result)
{
    json_array_remove(json_array_get(lines_of(result, "score"), 0), 8);
}

static void spoil_move(json_t *result)
{
    json_t *pv = json_array_get(json_array_get(lines_of(result, "pv"), 1), 8);

    json_array_set_new(pv, 0, json_string("a1a8"));
}

static void spoil_mate(json_t *result)
{
    json_array_set_new(json_array_get(lines_of(result, "score"), 0), 8,
                       json_pack("{s:i}", "mate", 300));
}

static void spoil_positions(json_t *result)
{
    json_array_remove(json_object_get(result, "analysis"), 5);
}

static void spoil_all(json_t *result)
{
    json_object_set_new(result, "analysis", json_string("none"));
}

static void spoil_flavor(json_t *result)
{
    json_object_del(result, "stockfish");
}

static void test_refused(void **state)
{
    static const struct {
        const char *name;
        void (*spoil)(json_t *);
    } rows[] = {
        { "line missing", spoil_line },          { "depth not reached", spoil_depth },
        { "illegal move", spoil_move },          { "mate too far off", spoil_mate },
        { "position missing", spoil_positions }, { "no analysis", spoil_all },
        { "no engine", spoil_flavor },
    };

    (void)state;
    add_game(SHORT_GAME, 5);
    struct fish_job j = acquire_2("K1");
    fish_analyse_2(&engine, &j);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        json_t *result = result_of(&j, 4);

        (void)ipr_db_test_sql("UPDATE token SET refused = 0");
        rows[i].spoil(result);
        struct reply r = submit_2("K1", j.id, result);
        expect_problem(&r, 400, "bad_evaluation", rows[i].name);
        assert_int_equal(stored(), 0);
        assert_int_equal(ipr_db_test_int("SELECT count(*) FROM job WHERE state <> 'leased' AND "
                                         "last_error LIKE 'refused from fishnet key first: %'"),
                         1);
        assert_int_equal(ipr_db_test_int("SELECT sum(refused) FROM token"), IPR_DB_KEY_REFUSAL);
        /* The attempt counted: after the third the job is dead. Back to the start, for the next. */
        (void)ipr_db_test_sql("UPDATE job SET state = 'ready', attempts = 0, run_at = now(), "
                              "last_worker = NULL");
        fish_job_release(&j);
        j = acquire_2("K1");
        fish_analyse_2(&engine, &j);
    }
    (void)ipr_db_test_sql("UPDATE token SET refused = 3 WHERE name = 'first'");
    expect_taken(submit_2("K1", j.id, result_of(&j, 4)), "unspoilt");
    assert_int_equal(ipr_db_test_int("SELECT sum(refused) FROM token"), 2);
    fish_job_release(&j);
}

static void test_refused_too_often(void **state)
{
    (void)state;
    add_game(LONG_GAME, 5);
    add_game(SHORT_GAME, 5);
    for (int i = 1; i <= IPR_DB_KEY_REFUSALS; i++) {
        struct fish_job j = acquire_2("K1");
        struct reply r = submit_2("K1", j.id, json_pack("{s:[]}", "analysis"));

        expect_problem(&r, 400, "bad_evaluation", "nothing");
        fish_job_release(&j);
        (void)ipr_db_test_sql("UPDATE job SET run_at = now(), last_worker = NULL");
    }
    /* Three attempts at one game and two at the other. */
    assert_string_equal(
        ipr_db_test_sql("SELECT string_agg(state || attempts, ' ' ORDER BY id) FROM job"),
        "failed3 ready2");
    struct reply r = post_2("/fishnet/acquire", "K1", "{}");
    expect_problem(&r, 403, "key_suspended", "acquire");
    assert_non_null(strstr(ipr_db_test_sql("SELECT suspended FROM token WHERE name = 'first'"),
                           "too many results refused"));
}

/* ---- greedy clients ---- */

static void add_games(int n)
{
    char pgn[512];

    for (int i = 0; i < n; i++) {
        snprintf(pgn, sizeof pgn,
                 "[Event \"Test\"]\n[Date \"19%02d.02.03\"]\n[White \"Ina\"]\n[Black "
                 "\"Jana\"]\n[Result \"*\"]\n\n1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# *\n\n",
                 i);
        add_game(pgn, 5);
    }
}

static void test_greedy(void **state)
{
    (void)state;
    config.fishnet_leases = 3;
    add_games(5);
    for (int i = 0; i < 3; i++) {
        struct fish_job j = acquire_2("K1");

        if (i == 2) { /* one that is done makes room for another */
            expect_no_job("K1");
            fish_analyse_2(&engine, &j);
            expect_taken(submit_2("K1", j.id, fish_result_2(&j)), "honest");
            fish_job_release(&j);
            j = acquire_2("K1");
        }
        fish_job_release(&j);
    }
    expect_no_job("K1");
    assert_int_equal(ipr_db_test_int("SELECT count(*) FROM job WHERE worker = 'fishnet:first'"), 3);
    struct fish_job j = acquire_2("K2");
    fish_job_release(&j);
    /* It never came back with any of them: the next request finds that out. */
    (void)ipr_db_test_sql("UPDATE job SET lease_until = now() - interval '1 s' WHERE worker = "
                          "'fishnet:first'");
    expect_no_job("K1"); /* they are for the other one now */
    assert_int_equal(ipr_db_test_int("SELECT silences FROM token WHERE name = 'first'"), 3);
    for (int i = 0; i < 2; i++) {
        j = acquire_2("K2");
        fish_job_release(&j);
    }
}

/* Good results between the bad ones save neither the key nor cost games. */
static void test_mixed(void **state)
{
    int refused = 0, good = 0;

    (void)state;
    add_games(24);
    for (;;) {
        struct reply r = post_2("/fishnet/acquire", "K2", "{}"); /* the other one lives */

        expect_status(&r, 202, "acquire");
        struct fish_job other = fish_job_read(ipr_buf_c(&r.body), 2);
        reply_release(&r);
        fish_analyse_2(&engine, &other);
        expect_taken(submit_2("K2", other.id, fish_result_2(&other)), "honest");
        fish_job_release(&other);
        (void)ipr_db_test_sql("UPDATE job SET run_at = now() - interval '1 minute' WHERE state = "
                              "'ready'");
        r = post_2("/fishnet/acquire", "K1", "{}");
        if (r.status == 403) {
            expect_problem(&r, 403, "key_suspended", "acquire");
            break;
        }
        expect_status(&r, 202, "acquire");
        struct fish_job j = fish_job_read(ipr_buf_c(&r.body), 2);
        reply_release(&r);
        if ((refused + good) % 2 == 0) {
            r = submit_2("K1", j.id, json_pack("{s:[]}", "analysis"));
            expect_problem(&r, 400, "bad_evaluation", "nothing");
            refused++;
        } else {
            fish_analyse_2(&engine, &j);
            expect_taken(submit_2("K1", j.id, fish_result_2(&j)), "good");
            good++;
        }
        fish_job_release(&j);
    }
    assert_int_equal(refused, IPR_DB_KEY_REFUSALS + 1);
    assert_int_equal(good, IPR_DB_KEY_REFUSALS);
    assert_int_equal(ipr_db_test_int("SELECT count(*) FROM job WHERE attempts > 1"), 0);
    assert_int_equal(ipr_db_test_int("SELECT count(*) FROM job WHERE state = 'failed'"), 0);
}

/* ---- engines ---- */

static void test_engine_text(void **state)
{
    static const struct {
        struct ipr_remote_client client;
        const char *text;
    } rows[] = {
        { { .version = "2.14.1", .flavor = "nnue" }, "fishnet 2.14.1 nnue" },
        { { .version = "1.18.2", .engine = "Stockfish 11 64 BMI2" }, "Stockfish 11" },
        { { .version = "1.18.0", .engine = "Stockfish 11 64 POPCNT" }, "Stockfish 11" },
        { { .engine = "Stockfish 11 64" }, "Stockfish 11" },
        { { .engine = "Stockfish 12" }, "Stockfish 12" },
        { { .engine = "Stockfish 64" }, "Stockfish 64" },
        { { .engine = "Other 64" }, "Other 64" },
        { { .version = "1.18.2" }, "" },
    };
    char text[IPR_FISHNET_ENGINE_MAX];

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        ipr_fishnet_engine(&rows[i].client, text);
        assert_string_equal(text, rows[i].text);
    }
}

static json_t *named(json_t *body, const char *name, const char *threads)
{
    json_t *told = json_object_get(body, "stockfish");

    json_object_set_new(told, "name", json_string(name));
    json_object_set_new(json_object_get(told, "options"), "threads", json_string(threads));
    return body;
}

/* Names one key makes up stand in nobody else's way, and cost no game. */
static void test_engine_names(void **state)
{
    char path[128], name[32];

    (void)state;
    add_games(IPR_DB_KEY_ENGINES + 2);
    for (int i = 0; i <= IPR_DB_KEY_ENGINES; i++) {
        struct reply r = post_2("/fishnet/acquire", "K1", "{}");
        expect_status(&r, 202, "acquire");
        struct fish_job j = fish_job_read(ipr_buf_c(&r.body), 1);
        reply_release(&r);
        fish_analyse_1(&engine, &j);
        snprintf(path, sizeof path, "/fishnet/analysis/%s?stop=true", j.id);
        snprintf(name, sizeof name, "Engine %d", i);
        r = post_1(path, named(fish_result_1(&engine, "K1", &j), name, "1"));
        if (i < IPR_DB_KEY_ENGINES)
            expect_taken(r, name);
        else
            expect_problem(&r, 403, "too_many_engines", name);
        fish_job_release(&j);
    }
    assert_int_equal(stored(), 2 * IPR_DB_KEY_ENGINES);
    assert_int_equal(ipr_db_test_int("SELECT count(*) FROM judge"), IPR_DB_KEY_ENGINES);
    assert_int_equal(ipr_db_test_int("SELECT sum(refused) FROM token"), 0);
    assert_string_equal(ipr_db_test_sql("SELECT string_agg(state || attempts, ' ') FROM job"),
                        "ready0 ready0");
    /* One that says so beforehand is given no game. */
    struct reply r =
        post_1("/fishnet/acquire", named(fish_about_1(&engine, "K1"), "Engine 99", "1"));
    expect_problem(&r, 403, "too_many_engines", "acquire");
    /* Two machines of another key, which differ in what makes no difference. */
    for (int i = 0; i < 2; i++) {
        const char *honest = i == 0 ? "Stockfish 11 64 BMI2" : "Stockfish 11 64";

        r = post_1("/fishnet/acquire",
                   named(fish_about_1(&engine, "K2"), honest, i == 0 ? "1" : "4"));
        expect_status(&r, 202, "acquire");
        struct fish_job j = fish_job_read(ipr_buf_c(&r.body), 1);
        reply_release(&r);
        fish_analyse_1(&engine, &j);
        snprintf(path, sizeof path, "/fishnet/analysis/%s?stop=true", j.id);
        expect_taken(
            post_1(path, named(fish_result_1(&engine, "K2", &j), honest, i == 0 ? "1" : "4")),
            honest);
        fish_job_release(&j);
    }
    assert_int_equal(ipr_db_test_int("SELECT count(*) FROM judge"), IPR_DB_KEY_ENGINES + 1);
    assert_int_equal(ipr_db_test_int("SELECT count(*) FROM job"), 0);
}

/* ---- checks ---- */

/* What a local worker does with a check. */
static void run_check(int64_t game)
{
    struct ipr_db_queue_cursor cursor = { 0 };
    struct ipr_db_job job;
    struct ipr_db_game g;
    struct ipr_check *c = NULL;
    struct ipr_judge judge;
    struct ipr_engine *e = NULL;
    struct ipr_err err = IPR_ERR_INIT;

    assert_ok(ipr_db_job_claim(db, "stockfish", "here:1", 60, &cursor, &job, &err), &err);
    assert_int_equal(job.kind, IPR_JOB_CHECK);
    assert_int_equal(job.game_id, game);
    assert_ok(ipr_db_game_get(db, game, &mem, &g, &err), &err);
    assert_ok(ipr_check_load(db, &job, &g, &mem, &c, &judge, &err), &err);
    assert_string_equal(judge.program, "stockfish");
    assert_ok(ipr_engine_start(stockfish, &judge, NULL, NULL, &e, &err), &err);
    assert_ok(ipr_check_run(c, e, NULL, NULL, &mem, &err), &err);
    ipr_engine_stop(&e);
    assert_ok(ipr_check_store(db, c, &err), &err);
    assert_ok(ipr_db_job_complete(db, &job, &err), &err);
}

/* Legal moves, every line, every depth, and figures that are made up: so far off that it does not
 * matter which turns are drawn. */
static void lie(struct fish_job *j)
{
    uint32_t random = 1;

    for (size_t p = 0; p <= j->n_moves; p++)
        for (int i = 0; i < LINES_MAX; i++)
            for (int d = 0; d < DEPTHS_MAX; d++) {
                random = random * 1664525u + 1013904223u;
                j->table[p].cell[i][d].mate = false;
                j->table[p].cell[i][d].score = random >> 31 ? 480 : -480;
            }
}

static void test_checks(void **state)
{
    (void)state;
    config.fishnet_check = 100;
    const int64_t honest = add_game(LONG_GAME, 5);
    struct fish_job j = acquire_2("K1");
    fish_analyse_2(&engine, &j);
    expect_taken(submit_2("K1", j.id, fish_result_2(&j)), "honest");
    run_check(honest);
    assert_int_equal(ipr_db_test_int("SELECT turns FROM remote_check WHERE passed"), 5);
    assert_int_equal(stored(), 2);
    assert_int_equal(ipr_db_test_int("SELECT count(*) FROM token WHERE suspended IS NOT NULL"), 0);
    fish_job_release(&j);

    /* Two games of a liar; the first is checked. */
    config.fishnet_check = 0;
    const int64_t first = add_game(SHORT_GAME, 5);
    for (int i = 0; i < 2; i++) {
        if (i == 1) {
            config.fishnet_check = 100;
            add_game(GAME("Gila", "Hana", "1. d4 d5 2. c4 e6 3. Nc3 Nf6 4. Bg5 Be7 5. e3 h6"), 5);
        }
        j = acquire_2("K2");
        fish_analyse_2(&engine, &j);
        lie(&j);
        expect_taken(submit_2("K2", j.id, fish_result_2(&j)), "made up");
        fish_job_release(&j);
    }
    assert_int_equal(stored(), 6);
    const int64_t second = ipr_db_test_int("SELECT max(id) FROM game");
    run_check(second);
    assert_int_equal(ipr_db_test_int("SELECT count(*) FROM remote_check WHERE NOT passed"), 1);
    assert_true(
        ipr_db_test_int("SELECT min(difference)::integer FROM remote_check WHERE NOT passed") >
        2 * IPR_CHECK_TOLERANCE_CP);
    assert_non_null(strstr(ipr_db_test_sql("SELECT suspended FROM token WHERE name = 'second'"),
                           "turns judged again differ by"));
    struct reply r = post_2("/fishnet/acquire", "K2", "{}");
    expect_problem(&r, 403, "key_suspended", "a liar");
    /* What was made up is forgotten, aggregates included, and queued again; its other game is to be
     * looked at. */
    assert_int_equal(stored(), 4);
    assert_int_equal(ipr_db_test_int("SELECT sum(games) FROM judge_total"), 2);
    assert_int_equal(ipr_db_test_int("SELECT game_id FROM job WHERE kind = 'judge'"), second);
    run_check(first);
    assert_int_equal(stored(), 2);
    assert_int_equal(ipr_db_test_int("SELECT count(*) FROM job WHERE kind = 'judge'"), 2);
    assert_int_equal(ipr_db_test_int("SELECT sum(turns) FROM player_year"), 16);
    /* An honest one judges them anew. */
    config.fishnet_check = 0;
    for (int i = 0; i < 2; i++) {
        j = acquire_2("K1");
        fish_analyse_2(&engine, &j);
        expect_taken(submit_2("K1", j.id, fish_result_2(&j)), "anew");
        fish_job_release(&j);
    }
    expect_no_job("K1");
    assert_int_equal(stored(), 6);
    expect_sound(first, 3);
    expect_sound(second, 6);
}

/* The same by a worker of this service, which judges its own games beside. */
static void test_check_by_worker(void **state)
{
    struct ipr_fleet *fleet = NULL;
    struct ipr_err err = IPR_ERR_INIT;

    (void)state;
    config.fishnet_check = 100;
    add_game(SHORT_GAME, 5);
    struct fish_job j = acquire_2("K1");
    fish_analyse_2(&engine, &j);
    expect_taken(submit_2("K1", j.id, fish_result_2(&j)), "honest");
    fish_job_release(&j);
    add_game(LONG_GAME, 5); /* of the clients, and left to them */
    config.stockfish_path = config.engines = config.syzygy_path = "";
    config.lease_s = 20;
    config.search_timeout_s = 60;
    assert_ok(ipr_fleet_start(&config, 1, &fleet, &err), &err);
    for (int i = 0; i < 600 && ipr_db_test_int("SELECT count(*) FROM job") > 1; i++)
        usleep(100000);
    ipr_fleet_stop(&fleet);
    assert_string_equal(ipr_db_test_sql("SELECT turns || ' ' || passed FROM remote_check"),
                        "3 true");
    assert_string_equal(ipr_db_test_sql("SELECT kind || ' ' || state FROM job"), "judge ready");
}

#define FISH(f) cmocka_unit_test_setup(f, before)

int main(void)
{
    const struct CMUnitTest tests[] = {
        FISH(test_version_2),   FISH(test_version_1),
        FISH(test_other_start), FISH(test_late),
        FISH(test_unknown_ids), FISH(test_abort),
        FISH(test_unfit_judge), FISH(test_keys),
        FISH(test_suspended),   FISH(test_versions),
        FISH(test_status),      FISH(test_too_large),
        FISH(test_refused),     FISH(test_refused_too_often),
        FISH(test_greedy),      FISH(test_mixed),
        FISH(test_engine_text), FISH(test_engine_names),
        FISH(test_checks),      FISH(test_check_by_worker),
    };

    signal(SIGPIPE, SIG_IGN);
    return cmocka_run_group_tests_name("fishnet", tests, begin, end);
}
