#ifndef IPR_TEST_HTTP_FISHNET_H
#define IPR_TEST_HTTP_FISHNET_H

/* A service with an engine and keys, and clients of the fishnet protocol, versions 1 and 2. */

#include "service.h"

#include <signal.h>
#include <sodium.h>

#include "db/jobs.h"
#include "db/judges.h"
#include "db/records.h"
#include "db/remote.h"
#include "db/turns.h"
#include "engine/check.h"
#include "engine/process.h"
#include "fishnet_client.h"

#define AGENT_2 "User-Agent: fishnet-linux-x86_64/2.14.1"
#define JSON    "Content-Type: application/json"
/* An empty value makes curl omit the header. */
#define NO_TYPE "Content-Type:\nUser-Agent: python-requests/2.28.1"
#define GAME(white, black, moves)                                                                  \
    "[Event \"Test\"]\n[Date \"2001.02.03\"]\n[White \"" white "\"]\n[Black \"" black              \
    "\"]\n[Result \"*\"]\n\n" moves " *\n\n"
/* A game with castling on both sides and moves that no engine lists; then one that ends in mate. */
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

static inline int64_t add_game(const char *pgn, int priority)
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

    signal(SIGPIPE, SIG_IGN);
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
    config.confirm_nodes = 0;
    return 0;
}

/* ---- requests ---- */

static inline struct reply post_2(const char *path, const char *key, const char *body)
{
    char headers[256];

    snprintf(headers, sizeof headers, AGENT_2 "\n" JSON "\nAuthorization: Bearer %s", key);
    return ask_with("POST", path, headers, body, strlen(body));
}

static inline struct fish_job acquire_2(const char *key)
{
    struct reply r = post_2("/fishnet/acquire?slow=false", key, "{}");

    expect_status(&r, 202, "acquire");
    struct fish_job j = fish_job_read(ipr_buf_c(&r.body), 2);
    reply_release(&r);
    return j;
}

static inline void expect_no_job(const char *key)
{
    struct reply r = post_2("/fishnet/acquire?slow=false", key, "{}");

    expect_status(&r, 204, "acquire");
    assert_int_equal(r.body.n, 0);
    reply_release(&r);
}

/* Consumes `result`. */
static inline struct reply submit_2(const char *key, const char *id, json_t *result)
{
    char path[128];

    snprintf(path, sizeof path, "/fishnet/analysis/%s?slow=false&stop=true", id);
    char *body = json_dumps(result, JSON_COMPACT);
    struct reply r = post_2(path, key, body);
    free(body);
    json_decref(result);
    return r;
}

static inline void expect_taken(struct reply r, const char *what)
{
    expect_status(&r, 204, what);
    assert_int_equal(r.body.n, 0);
    reply_release(&r);
}

static inline struct reply post_1(const char *path, json_t *body)
{
    char *text = json_dumps(body, 0);
    struct reply r = ask_with("POST", path, NO_TYPE, text, strlen(text));

    free(text);
    json_decref(body);
    return r;
}

static inline int64_t stored(void)
{
    return ipr_db_test_int("SELECT count(*) FROM judged_side");
}

/* The stored evaluations equal those of our own engine, except for effects of a hash that is not
 * cleared. */
static inline void expect_sound(int64_t game, size_t turns)
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

static inline void add_games(int n)
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

/* Does the work of a local worker for a check. */
static inline void run_check(int64_t game)
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

/* Replaces the evaluations by false ones, with legal moves and all lines and depths. They are so
 * wrong that a check of any turns detects them. */
static inline void lie(struct fish_job *j)
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

/* Two ways to spoil a result of version 2, of whatever it is. */
static inline void spoil_end(json_t *result)
{
    json_t *all = json_object_get(result, "analysis");

    json_array_remove(all, json_array_size(all) - 1);
}

static inline void spoil_flavor(json_t *result)
{
    json_object_del(result, "stockfish");
}

#define FISH(f) cmocka_unit_test_setup(f, before)

#endif
