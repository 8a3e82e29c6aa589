/* The real Stockfish: the same answers every time, at low priority, and those that another program
 * was given. */
#include "game.h"

#include <archive.h>
#include <archive_entry.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

#include "engine/jail.h"

static const char *stockfish(struct ipr_arena *mem)
{
    const char *path = NULL;

    if (ipr_engine_find(NULL, mem, &path, NULL) == IPR_OK)
        return path;
    print_message("skipped: no stockfish is installed\n");
    return NULL;
}

/* A game for it; the test is skipped without. */
static const char *set_up_stockfish(struct game *g)
{
    set_up(g);
    const char *path = stockfish(&g->mem);
    if (path == NULL) {
        tear_down(g);
        skip();
    }
    return path;
}

static void same_turns(const struct ipr_judged_game *a, const struct ipr_judged_game *b)
{
    assert_int_equal(a->n, b->n);
    for (size_t i = 0; i < a->n; i++) {
        const struct ipr_judged_turn *t = &a->turns[i], *u = &b->turns[i];

        assert_int_equal(t->nodes, u->nodes);
        assert_int_equal(t->depth, u->depth);
        assert_int_equal(t->lines, u->lines);
        assert_memory_equal(t->moves, u->moves, t->lines * sizeof *t->moves);
        assert_memory_equal(t->score, u->score, (size_t)t->lines * t->depth * sizeof *t->score);
    }
}

/* The same answers from a fresh process as from one that has judged before. */
static void test_repeats_itself(void **state)
{
    struct ipr_judged_game first = { NULL, 0 };
    struct ipr_engine *e = NULL;
    struct game g;

    (void)state;
    const char *path = set_up_stockfish(&g);
    g.judge.depth = 6;
    for (int round = 0; round < 2; round++) {
        assert_ok(ipr_engine_start(path, &g.judge, NULL, NULL, &e, &g.err), &g.err);
        assert_non_null(strstr(ipr_engine_judge_of(e)->engine, "Stockfish"));
        for (int again = 0; again < 2; again++) {
            assert_ok(judge(&g, e), &g.err);
            assert_int_equal(g.out.n, 4);
            if (round == 0 && again == 0)
                first = g.out;
            same_turns(&g.out, &first);
        }
        const pid_t pid = ipr_engine_pid(e);
        ipr_engine_stop(&e);
        assert_no_child(pid);
    }
    tear_down(&g);
}

/* The jail changes nothing that it finds. */
static void test_same_in_jail(void **state)
{
    static const char *const modes[] = { "on", "off" };
    struct ipr_judged_game found[2] = { { NULL, 0 } };
    struct ipr_engine *e = NULL;
    struct game g;

    (void)state;
    const char *path = set_up_stockfish(&g);
    g.judge.depth = 14;
    for (int i = 0; i < 2; i++) {
        assert_ok(ipr_jail_open(modes[i], NULL, &g.err), &g.err);
        assert_ok(ipr_engine_start(path, &g.judge, NULL, NULL, &e, &g.err), &g.err);
        assert_ok(judge(&g, e), &g.err);
        found[i] = g.out;
        ipr_engine_stop(&e);
    }
    ipr_jail_close();
    assert_int_equal(found[0].n, 4);
    same_turns(&found[0], &found[1]);
    tear_down(&g);
}

/* Stockfish 15.1 ends its search of this position with an upper bound for the second line
 * (uci/search.h). */
static void test_bound(void **state)
{
    struct ipr_engine *e = NULL;
    struct game g;

    (void)state;
    const char *path = set_up_stockfish(&g);
    assert_true(ipr_judge_builtin("rating", &g.judge));
    g.judge.first_move = 1; /* of this game of one move */
    assert_ok(
        ipr_pos_from_fen(&g.start, IPR_STR("8/1P4p1/8/1K4p1/5p2/6P1/4pk2/8 w - - 0 70"), &g.err),
        &g.err);
    g.n = 1;
    assert_ok(ipr_move_from_uci(&g.start, IPR_STR("b7b8q"), g.moves, &g.err), &g.err);
    assert_ok(ipr_engine_start(path, &g.judge, NULL, NULL, &e, &g.err), &g.err);
    assert_ok(judge(&g, e), &g.err);
    const struct ipr_judged_turn first = g.out.turns[0];
    assert_ok(judge(&g, e), &g.err);
    const struct ipr_judged_turn *t = g.out.turns;
    assert_memory_equal(t->score, first.score, (size_t)t->lines * t->depth * sizeof *t->score);
    if (strcmp(ipr_engine_judge_of(e)->engine, "Stockfish 15.1") == 0) {
        assert_true(t->settled);
        assert_int_equal(t->lines, 3);
        assert_int_equal(t->played, 2);
        assert_int_equal(ipr_judged_final(t, 0), -619);
        assert_int_equal(ipr_judged_final(t, 1), -621);
    }
    ipr_engine_stop(&e);
    tear_down(&g);
}

/* Its search threads have the low priority too. */
static void test_priority(void **state)
{
    struct ipr_engine *e = NULL;
    struct dirent *entry;
    char tasks[64];
    unsigned n = 0;
    struct game g;

    (void)state;
    const char *path = set_up_stockfish(&g);
    g.judge.threads = 2;
    assert_ok(ipr_engine_start(path, &g.judge, NULL, NULL, &e, &g.err), &g.err);
    snprintf(tasks, sizeof tasks, "/proc/%ld/task", (long)ipr_engine_pid(e));
    DIR *d = opendir(tasks);
    assert_non_null(d);
    while ((entry = readdir(d)) != NULL) {
        if (entry->d_name[0] == '.')
            continue;
        assert_int_equal(getpriority(PRIO_PROCESS, (id_t)strtol(entry->d_name, NULL, 10)), 19);
        n++;
    }
    closedir(d);
    assert_true(n >= 3);
    ipr_engine_stop(&e);
    tear_down(&g);
}

/* The lines of a compressed file from ../shared. */
static char *unpack_shared(const char *path)
{
    struct archive *a = archive_read_new();
    struct archive_entry *entry;
    struct ipr_buf text = IPR_BUF_INIT;
    char part[65536];
    la_ssize_t n;

    archive_read_support_filter_zstd(a);
    archive_read_support_format_raw(a);
    assert_int_equal(archive_read_open_filename(a, path, 65536), ARCHIVE_OK);
    assert_int_equal(archive_read_next_header(a, &entry), ARCHIVE_OK);
    while ((n = archive_read_data(a, part, sizeof part)) > 0)
        ipr_buf_add(&text, part, (size_t)n);
    archive_read_free(a);
    return ipr_buf_steal(&text);
}

static int16_t reference_score(const json_t *v)
{
    if (json_is_null(v))
        return IPR_SCORE_NONE;
    if (json_is_integer(v))
        return (int16_t)json_integer_value(v);
    const int mate = (int)json_integer_value(json_object_get(v, "mate"));
    return (int16_t)(mate > 0 ? IPR_SCORE_MATE - mate : -IPR_SCORE_MATE - mate);
}

static void same_turn(const struct ipr_pos *pos, const struct ipr_judged_turn *t, const json_t *ref)
{
    const json_t *moves = json_object_get(ref, "moves"), *scores = json_object_get(ref, "scores");

    assert_int_equal(t->ply, json_integer_value(json_object_get(ref, "ply")));
    assert_int_equal(t->nodes, json_integer_value(json_object_get(ref, "nodes")));
    assert_int_equal(t->played, json_integer_value(json_object_get(ref, "played")));
    assert_int_equal(t->lines, json_array_size(moves));
    for (size_t i = 0; i < t->lines; i++) {
        char text[IPR_UCI_MAX];

        ipr_move_to_uci(pos, t->moves[i], text);
        assert_string_equal(text, json_string_value(json_array_get(moves, i)));
        for (size_t d = 0; d < t->depth; d++)
            assert_int_equal(t->score[i * t->depth + d],
                             reference_score(json_array_get(json_array_get(scores, i), d)));
    }
}

/* The opening turns of a game, against judgements made by another program, which sent the
 * moves from the start position on. */
static void same_game(struct ipr_engine *e, const json_t *ref, size_t n_turns)
{
    struct ipr_str rest = ipr_str_c(json_string_value(json_object_get(ref, "moves"))), word;
    struct ipr_pos pos;
    struct game g;

    set_up(&g);
    ipr_pos_start(&g.start);
    pos = g.start;
    for (g.n = 0; g.n < 16 + n_turns && ipr_str_word(&rest, &word); g.n++) {
        assert_ok(ipr_move_from_uci(&pos, word, &g.moves[g.n], &g.err), &g.err);
        ipr_pos_play(&pos, g.moves[g.n]);
    }
    assert_ok(judge(&g, e), &g.err);
    assert_int_equal(g.out.n, g.n - 16);

    pos = g.start;
    for (size_t i = 0; i < g.n; i++) {
        if (i >= 16)
            same_turn(&pos, &g.out.turns[i - 16],
                      json_array_get(json_object_get(ref, "turns"), i - 16));
        ipr_pos_play(&pos, g.moves[i]);
    }
    tear_down(&g);
}

static void test_reference(void **state)
{
    const char *shared = ipr_test_shared("data/evaluations/wcc-1921.ndjson.zst");
    struct ipr_arena mem = IPR_ARENA_INIT;
    struct ipr_engine *e = NULL;
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_judge judge;

    (void)state;
    const char *path = stockfish(&mem);
    if (shared == NULL || path == NULL) {
        ipr_arena_release(&mem);
        skip();
    }
    assert_true(ipr_judge_builtin("standard", &judge));
    assert_ok(ipr_engine_start(path, &judge, NULL, NULL, &e, &err), &err);
    if (strcmp(ipr_engine_judge_of(e)->engine, "Stockfish 15.1") != 0 ||
        strcmp(ipr_engine_judge_of(e)->network, "nn-ad9b42354671.nnue") != 0) {
        print_message("skipped: %s is not the engine of the reference\n",
                      ipr_engine_judge_of(e)->engine);
        ipr_engine_stop(&e);
        ipr_arena_release(&mem);
        skip();
    }

    char *text = unpack_shared(shared), *line = text;
    for (int i = 0; i < 2; i++) {
        json_t *ref = json_loads(line, JSON_DISABLE_EOF_CHECK, NULL);

        assert_non_null(ref);
        same_game(e, ref, 14);
        json_decref(ref);
        line = strchr(line, '\n') + 1;
    }
    free(text);
    ipr_engine_stop(&e);
    ipr_arena_release(&mem);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_repeats_itself), cmocka_unit_test(test_same_in_jail),
        cmocka_unit_test(test_bound),          cmocka_unit_test(test_priority),
        cmocka_unit_test(test_reference),
    };

    inherit_orphans();
    return cmocka_run_group_tests_name("engine/stockfish", tests, NULL, NULL);
}
