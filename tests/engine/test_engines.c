#include "ipr_test.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "engine/process.h"
#include "engine/tablebase.h"
#include "pgn/reader.h"

/*
 * Real engines, each of its own manner, on the ten games of the shipped match of 1910. Depths are
 * small: it is the protocol that is tested. An engine that is not installed is skipped by name.
 */
#define SAMPLE "static/samples/unjudged.pgn"
#define GAMES  10

static const struct ipr_engine_limits patient = { 30000, 30000, 60000, 60000, 5000 };

struct game {
    struct ipr_pos start;
    ipr_move moves[512];
    size_t n;
};

static struct game games[GAMES];
static size_t n_games;

static enum ipr_code take_game(void *payload, const struct ipr_pgn_game *g, struct ipr_err *err)
{
    struct game *to = &games[n_games];

    (void)payload;
    (void)err;
    if (n_games == GAMES || g->error.code != IPR_OK || g->n_moves > 512)
        return IPR_OK;
    to->start = g->start;
    to->n = g->n_moves;
    memcpy(to->moves, g->moves, g->n_moves * sizeof *g->moves);
    n_games++;
    return IPR_OK;
}

static int read_games(void **state)
{
    struct ipr_pgn_reader *r = ipr_pgn_reader_new(NULL, take_game, NULL);
    FILE *f = fopen(SAMPLE, "r");
    enum ipr_code rc = f != NULL ? IPR_OK : IPR_EIO;
    char part[4096];
    size_t n;

    (void)state;
    while (rc == IPR_OK && (n = fread(part, 1, sizeof part, f)) > 0)
        rc = ipr_pgn_reader_feed(r, part, n, NULL);
    if (rc == IPR_OK)
        rc = ipr_pgn_reader_finish(r, NULL);
    ipr_pgn_reader_free(&r);
    if (f != NULL)
        fclose(f);
    return rc == IPR_OK && n_games == GAMES ? 0 : -1;
}

static enum ipr_code judge(struct ipr_engine *e, const struct game *g, struct ipr_arena *mem,
                           struct ipr_judged_game *out, struct ipr_err *err)
{
    const struct ipr_engine_task task = {
        .start = &g->start, .moves = g->moves, .n_moves = g->n, .sides = 3
    };

    return ipr_engine_judge(e, &task, mem, out, NULL, err);
}

/* All that is stored of a turn. */
static bool same_turn(const struct ipr_judged_turn *a, const struct ipr_judged_turn *b)
{
    struct ipr_buf x = IPR_BUF_INIT, y = IPR_BUF_INIT;

    ipr_judged_pack(a, &x);
    ipr_judged_pack(b, &y);
    const bool same = x.n == y.n && memcmp(x.p, y.p, x.n) == 0 && a->ply == b->ply &&
                      a->mover == b->mover && a->played == b->played && a->legal == b->legal &&
                      a->repeated == b->repeated && a->nodes == b->nodes;
    ipr_buf_release(&x);
    ipr_buf_release(&y);
    return same;
}

static void assert_same(const struct ipr_judged_game *a, const struct ipr_judged_game *b)
{
    assert_int_equal(a->n, b->n);
    for (size_t i = 0; i < a->n; i++)
        assert_true(same_turn(&a->turns[i], &b->turns[i]));
}

/* A judge and what it must turn out to be. */
static struct row {
    const char *name, *path;
    struct ipr_judge judge;
    size_t n_games;
    uint8_t apart;
    bool pure;
    const char *options;
} rows[] = {
    { "toga2, ten games",
      "/usr/games/toga2",
      { .multipv = 10, .depth = 2, .hash_mb = 4, .threads = 1, .first_move = 20 },
      GAMES,
      IPR_APART_EACH,
      false,
      "irreproducible; OwnBook=false" },
    { "toga2, one line",
      "/usr/games/toga2",
      { .multipv = 1, .depth = 5, .hash_mb = 4, .threads = 1, .first_move = 9 },
      1,
      IPR_APART_AFTER,
      false,
      "irreproducible; OwnBook=false" },
    { "ethereal-chess, ten games",
      "/usr/games/ethereal-chess",
      { .multipv = 8, .depth = 4, .hash_mb = 4, .threads = 1, .first_move = 15 },
      GAMES,
      IPR_APART_AFTER,
      true,
      "" },
    { "ethereal-chess, backwards",
      "/usr/games/ethereal-chess",
      { .multipv = 2,
        .depth = 6,
        .hash_mb = 4,
        .threads = 1,
        .first_move = 9,
        .clear = IPR_CLEAR_GAME },
      1,
      IPR_APART_AFTER,
      false,
      "" },
    { "stockfish, nodes",
      NULL,
      { .multipv = 4, .nodes = 10000, .hash_mb = 4, .threads = 1, .first_move = 9 },
      1,
      IPR_APART_SEARCHMOVES,
      true,
      "" },
    { "stockfish, backwards",
      NULL,
      { .multipv = 8,
        .depth = 4,
        .hash_mb = 4,
        .threads = 1,
        .first_move = 9,
        .clear = IPR_CLEAR_GAME },
      1,
      IPR_APART_SEARCHMOVES,
      false,
      "" },
};

static struct ipr_engine *start(const struct row *r, struct ipr_arena *mem, struct ipr_err *err)
{
    const char *path = r->path;
    struct ipr_engine *e = NULL;

    if (ipr_engine_find(path, mem, &path, NULL) != IPR_OK) {
        print_message("skipped: %s is not installed\n", r->path != NULL ? r->path : "stockfish");
        return NULL;
    }
    assert_ok(ipr_engine_start(path, &r->judge, NULL, &patient, &e, err), err);
    return e;
}

/* Twice, by two processes; the second in another order, so that nothing is left over from the
 * games before. What is cleared only once a game repeats itself too, game by game. */
static void test_games(void **state)
{
    const struct row *r = *state;
    struct ipr_arena mem = IPR_ARENA_INIT;
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_judged_game first[GAMES] = { { NULL, 0 } }, second;
    struct ipr_engine *e = start(r, &mem, &err);

    if (e == NULL) {
        ipr_arena_release(&mem);
        skip();
    }
    const struct ipr_judge is = *ipr_engine_judge_of(e);
    const size_t opening = ipr_judge_first_ply(&is);
    assert_int_equal(is.apart, r->apart);
    assert_int_equal(ipr_judge_is_pure(&is), r->pure);
    assert_string_equal(is.options, r->options);
    for (size_t i = 0; i < r->n_games; i++) {
        const struct game *g = &games[i];

        assert_ok(judge(e, g, &mem, &first[i], &err), &err);
        assert_int_equal(first[i].n, g->n > opening ? g->n - opening : 0);
        assert_ok(ipr_judged_check(&is, &g->start, g->moves, g->n, 3, &first[i], &err), &err);
    }
    ipr_engine_stop(&e);
    if (strstr(is.options, IPR_IRREPRODUCIBLE) == NULL) {
        e = start(r, &mem, &err);
        for (size_t i = r->n_games; i-- > 0;) {
            assert_ok(judge(e, &games[i], &mem, &second, &err), &err);
            assert_same(&first[i], &second);
        }
        ipr_engine_stop(&e);
    }
    ipr_arena_release(&mem);
}

/* Evaluations of a pure judge do not depend on which turns are judged: known ones are taken as
 * they are, and the others come out as before. */
static void test_known(void **state)
{
    const struct row r = {
        .judge = { .multipv = 3, .depth = 5, .hash_mb = 4, .threads = 1, .first_move = 9 }
    };
    struct ipr_arena mem = IPR_ARENA_INIT;
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_judged_game all = { NULL, 0 }, half = { NULL, 0 }, again = { NULL, 0 };
    struct ipr_engine *e = start(&r, &mem, &err);
    int32_t ms[2] = { -1, -1 };
    struct game g = games[0];

    (void)state;
    if (e == NULL) {
        ipr_arena_release(&mem);
        skip();
    }
    g.n = 40;
    assert_ok(judge(e, &g, &mem, &all, &err), &err);
    half.turns = ipr_arena_alloc(&mem, all.n, sizeof *half.turns);
    for (size_t i = 0; i < all.n; i += 2) /* White's */
        half.turns[half.n++] = all.turns[i];
    struct ipr_engine_task task = {
        .start = &g.start, .moves = g.moves, .n_moves = g.n, .sides = 3, .known = &half
    };
    assert_ok(ipr_engine_judge(e, &task, &mem, &again, ms, &err), &err);
    assert_same(&all, &again);
    assert_int_equal(ms[0], 0);
    assert_true(ms[1] > 0);

    task.known = &all;
    assert_ok(ipr_engine_judge(e, &task, &mem, &again, ms, &err), &err);
    assert_same(&all, &again);
    assert_int_equal(ms[1], 0);
    ipr_engine_stop(&e);
    ipr_arena_release(&mem);
}

/* Alliot's rule at four tenths of a second a turn: the depth is what was reached, the same for
 * both lines and the move played. */
static void test_adaptive(void **state)
{
    const struct row r = { .judge = { .multipv = 2,
                                      .time_ms = 400,
                                      .hash_mb = 16,
                                      .threads = 1,
                                      .first_move = 10,
                                      .clear = IPR_CLEAR_GAME } };
    struct ipr_arena mem = IPR_ARENA_INIT;
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_judged_game out = { NULL, 0 };
    struct game g = games[0];
    struct ipr_engine *e = start(&r, &mem, &err);

    (void)state;
    if (e == NULL) {
        ipr_arena_release(&mem);
        skip();
    }
    g.n = 24;
    assert_ok(judge(e, &g, &mem, &out, &err), &err);
    assert_ok(ipr_judged_check(&r.judge, &g.start, g.moves, g.n, 3, &out, &err), &err);
    assert_int_equal(out.n, 6);
    assert_false(ipr_judge_is_pure(ipr_engine_judge_of(e)));
    for (size_t i = 0; i < out.n; i++)
        assert_true(out.turns[i].lines >= 1 && out.turns[i].depth >= 1);
    ipr_engine_stop(&e);
    ipr_arena_release(&mem);
}

/* After two and a half seconds of a search Ethereal begins to tell bounds, and of those on which
 * all moves failed low it names no move: nothing of that is a fault. As deep as such a search
 * takes. */
static void test_long_search(void **state)
{
    struct row r = {
        .path = "/usr/games/ethereal-chess",
        .judge = { .multipv = 8, .depth = 11, .hash_mb = 16, .threads = 1, .first_move = 9 },
    };
    struct ipr_arena mem = IPR_ARENA_INIT;
    struct ipr_err err = IPR_ERR_INIT;
    struct game g = games[0];
    int32_t ms[2] = { 0, 0 };

    (void)state;
    g.n = 17;
    const struct ipr_engine_task task = {
        .start = &g.start, .moves = g.moves, .n_moves = g.n, .sides = 3
    };
    while (ms[0] < 3000 && r.judge.depth < 30) {
        struct ipr_judged_game out = { NULL, 0 };

        r.judge.depth++;
        struct ipr_engine *e = start(&r, &mem, &err);
        if (e == NULL) {
            ipr_arena_release(&mem);
            skip();
        }
        assert_ok(ipr_engine_judge(e, &task, &mem, &out, ms, &err), &err);
        assert_int_equal(out.n, 1);
        assert_int_equal(out.turns[0].depth, r.judge.depth);
        assert_true(out.turns[0].lines >= 8);
        ipr_engine_stop(&e);
    }
    ipr_arena_release(&mem);
}

/* Its limit of address space. */
static uint64_t space_of(pid_t pid)
{
    char path[64], line[128];
    uint64_t bytes = 0;

    snprintf(path, sizeof path, "/proc/%ld/limits", (long)pid);
    FILE *f = fopen(path, "r");
    assert_non_null(f);
    while (fgets(line, sizeof line, f) != NULL)
        if (strncmp(line, "Max address space ", 18) == 0)
            bytes = strtoull(line + 18, NULL, 10);
    fclose(f);
    return bytes;
}

/* King and pawn against king, won by one move alone: a shallow search sees a pawn's worth of it,
 * one with tables a win. Only a judge that wants them is given them, and then says which. */
static void test_tablebases(void **state)
{
    const char *path = ipr_test_shared("data/syzygy");
    const struct ipr_engine_tables tables = { path, "4 men, for the test" };
    struct row r = { .judge = {
                         .multipv = 2, .depth = 2, .hash_mb = 4, .threads = 1, .first_move = 1 } };
    struct ipr_arena mem = IPR_ARENA_INIT;
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_judged_game out = { NULL, 0 };
    struct game g = { .n = 1 };
    const char *engine;

    (void)state;
    if (path == NULL || ipr_engine_find(NULL, &mem, &engine, NULL) != IPR_OK) {
        print_message("skipped: no tables or no stockfish\n");
        ipr_arena_release(&mem);
        skip();
    }
    assert_ok(ipr_pos_from_fen(&g.start, IPR_STR("3k4/8/3K4/3P4/8/8/8/8 w - - 0 1"), &err), &err);
    assert_ok(ipr_move_from_uci(&g.start, IPR_STR("d6e6"), &g.moves[0], &err), &err);
    for (int with = 0; with < 2; with++) {
        struct ipr_engine *e = NULL;

        r.judge.tablebases = with;
        assert_ok(ipr_engine_start(engine, &r.judge, &tables, &patient, &e, &err), &err);
        assert_string_equal(ipr_engine_judge_of(e)->options,
                            with ? "SyzygyPath=4 men, for the test" : "");
        assert_int_equal(space_of(ipr_engine_pid(e)), /* they are mapped */
                         ((1024U + 4 + 128) << 20) + (with ? ipr_tablebase_bytes(path) : 0));
        assert_ok(judge(e, &g, &mem, &out, &err), &err);
        assert_int_equal(ipr_judged_final(&out.turns[0], 0) > 5000, with);
        ipr_engine_stop(&e);
    }
    ipr_arena_release(&mem);
}

/* Toga knows no Chess960: such a game is refused, and the engine goes on. */
static void test_chess960(void **state)
{
    struct ipr_arena mem = IPR_ARENA_INIT;
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_judged_game out = { NULL, 0 };
    struct game g = { .n = 0 };
    struct ipr_engine *e = start(&rows[0], &mem, &err);

    (void)state;
    if (e == NULL) {
        ipr_arena_release(&mem);
        skip();
    }
    assert_ok(ipr_pos_from_fen(&g.start, IPR_STR("4k3/8/8/8/8/8/8/4KR2 w F - 0 1"), &err), &err);
    assert_int_equal(judge(e, &g, &mem, &out, &err), IPR_EDATA);
    assert_string_equal(err.type, "engine_unable");
    assert_true(ipr_engine_alive(e));
    ipr_engine_stop(&e);
    ipr_arena_release(&mem);
}

/* Ethereal ignores a limit of nodes; this is detected before a game. */
static void test_no_nodes(void **state)
{
    const struct ipr_engine_limits limits = { 30000, 30000, 1500, 1500, 5000 };
    const struct ipr_judge judge = {
        .name = "deaf", .multipv = 2, .nodes = 10000, .hash_mb = 4, .threads = 1, .first_move = 9
    };
    struct ipr_arena mem = IPR_ARENA_INIT;
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_engine *e = NULL;
    const char *path;

    (void)state;
    if (ipr_engine_find("/usr/games/ethereal-chess", &mem, &path, NULL) != IPR_OK) {
        print_message("skipped: ethereal-chess is not installed\n");
        ipr_arena_release(&mem);
        skip();
    }
    assert_int_equal(ipr_engine_start(path, &judge, NULL, &limits, &e, &err), IPR_EDATA);
    assert_string_equal(err.type, "engine_unable");
    assert_non_null(strstr(err.msg, "does not know nodes"));
    assert_null(e);
    ipr_arena_release(&mem);
}

/* Without usable lines only a depth can be requested. */
static void test_unable(void **state)
{
    struct row r = rows[0];
    struct ipr_arena mem = IPR_ARENA_INIT;
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_engine *e = NULL;
    const char *path;

    (void)state;
    if (ipr_engine_find(r.path, &mem, &path, NULL) != IPR_OK) {
        print_message("skipped: %s is not installed\n", r.path);
        ipr_arena_release(&mem);
        skip();
    }
    r.judge.depth = 0;
    r.judge.nodes = 50000;
    assert_int_equal(ipr_engine_start(path, &r.judge, NULL, &patient, &e, &err), IPR_EDATA);
    assert_string_equal(err.type, "engine_unable");
    assert_null(e);
    ipr_arena_release(&mem);
}

#define ROWS (sizeof rows / sizeof rows[0])

int main(void)
{
    struct CMUnitTest tests[ROWS + 7] = {
        cmocka_unit_test(test_known),      cmocka_unit_test(test_adaptive),
        cmocka_unit_test(test_chess960),   cmocka_unit_test(test_unable),
        cmocka_unit_test(test_tablebases), cmocka_unit_test(test_long_search),
        cmocka_unit_test(test_no_nodes),
    };

    signal(SIGPIPE, SIG_IGN);
    for (size_t i = 0; i < ROWS; i++)
        tests[7 + i] = (struct CMUnitTest){ .name = rows[i].name,
                                            .test_func = test_games,
                                            .initial_state = &rows[i] };
    return cmocka_run_group_tests_name("engine/engines", tests, read_games, NULL);
}
