/* Alliot's searched moves as turns, with notes of our own making: order, limits, what is missing.
 */
#include "core/annotated.h"

#include <stdio.h>
#include <string.h>

#include "ipr_test.h"

#define TAG                                                                                        \
    "Program:E 1, Network:net, TB:none, Hash Size:%s, %s, Lines:2, First move:1, Format:value"

struct seen {
    bool read;
    struct ipr_interchange_game game;
    struct ipr_arena *mem;
};

static enum ipr_code take_game(void *payload, const struct ipr_pgn_game *game, struct ipr_err *err)
{
    struct seen *seen = payload;

    (void)err;
    assert_int_equal(game->error.code, IPR_OK);
    seen->read = ipr_annotated_read(game, seen->mem, &seen->game);
    return IPR_OK;
}

static struct seen read_text(const char *hash, const char *limit, const char *moves,
                             struct ipr_arena *mem)
{
    const struct ipr_pgn_limits limits = { .notes = true };
    struct seen seen = { .mem = mem };
    struct ipr_err err = IPR_ERR_INIT;
    char text[1024], tag[256];

    snprintf(tag, sizeof tag, TAG, hash, limit);
    snprintf(text, sizeof text, "[Annotator \"%s\"]\n\n%s *\n", tag, moves);
    struct ipr_pgn_reader *r = ipr_pgn_reader_new(&limits, take_game, &seen);
    assert_ok(ipr_pgn_reader_feed(r, text, strlen(text), &err), &err);
    assert_ok(ipr_pgn_reader_finish(r, &err), &err);
    ipr_pgn_reader_free(&r);
    return seen;
}

#define V(value, depth) "{" value "," depth ",-,-,-,-,(-,-)}"

static void test_order(void **state)
{
    struct ipr_arena mem = IPR_ARENA_INIT;
    /* Two others beside the move played, which is better than either and apart all the same; mates
     * and values out of range; another depth a move. */
    const struct seen s =
        read_text("2048K", "Eval Time:5000ms",
                  "1. e4 " V("40", "20") " (1. d4 " V("30", "20") ") (1. c4 " V(
                      "35", "19") ") 1... e5 " V("-31999", "61") " (1... c5 " V("-29000", "70") ")",
                  &mem);
    const struct ipr_judged_turn *t = s.game.judged.turns;

    (void)state;
    assert_true(s.read);
    assert_int_equal(s.game.sides, 3);
    assert_int_equal(s.game.judge.hash_mb, 2);
    assert_int_equal(s.game.judge.time_ms, 5000);
    assert_string_equal(s.game.judge.network, "net");
    assert_string_equal(s.game.judge.options, "");
    assert_int_equal(t[0].lines, 3);
    assert_int_equal(t[0].played, 2);
    assert_int_equal(t[0].depth, 19);
    assert_int_equal(ipr_judged_final(&t[0], 0), 35);
    assert_int_equal(ipr_judged_final(&t[0], 1), 30);
    assert_int_equal(ipr_judged_final(&t[0], 2), 40);
    assert_int_equal(t[1].depth, 60);
    assert_int_equal(t[1].played, 1);
    assert_int_equal(ipr_judged_final(&t[1], 0), -20000);
    assert_int_equal(ipr_judged_final(&t[1], 1), -31999);
    ipr_arena_release(&mem);
}

static void test_limits(void **state)
{
    static const struct {
        const char *hash, *limit;
        uint16_t mb, depth;
        uint32_t ms, nodes;
    } rows[] = {
        { "16M", "Depth:20", 16, 20, 0, 0 },
        { "2G", "at most 240 s", 2048, 0, 240000, 0 },
        { "", "1000000 nodes", 1, 0, 0, 1000000 },
        { "100K", "Avg Depth:25, Eval Time:7ms", 1, 0, 7, 0 },
        { "16M", "Avg Depth:25", 0, 0, 0, 0 },
        { "16M", "Depth:0", 0, 0, 0, 0 },
        { "16M", "Eval Time:99999999999ms", 0, 0, 0, 0 },
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct ipr_arena mem = IPR_ARENA_INIT;
        const struct seen s = read_text(rows[i].hash, rows[i].limit,
                                        "1. e4 " V("40", "20") " (1. d4 " V("30", "20") ")", &mem);

        assert_int_equal(s.read, rows[i].mb > 0);
        if (s.read) {
            assert_int_equal(s.game.judge.hash_mb, rows[i].mb);
            assert_int_equal(s.game.judge.depth, rows[i].depth);
            assert_int_equal(s.game.judge.time_ms, rows[i].ms);
            assert_int_equal(s.game.judge.nodes, rows[i].nodes);
            assert_int_equal(s.game.judged.n, 1);
            assert_int_equal(s.game.sides, 3); /* Black has no move */
        }
        ipr_arena_release(&mem);
    }
}

static void test_missing(void **state)
{
    struct ipr_arena mem = IPR_ARENA_INIT;

    (void)state;
    assert_false(read_text("1M", "Depth:9", "1. e4 e5", &mem).read);
    assert_false(read_text("1M", "Depth:9", "1. e4 " V("1", "9") " e5", &mem).read);
    assert_false(read_text("1M", "Depth:9", "1. e4 (1. d4 " V("1", "9") ") e5", &mem).read);
    const struct seen s = read_text(
        "1M", "Depth:9", "1. e4 e5 " V("1", "9") " (1... c5 " V("0", "9") ") 2. d4", &mem);
    assert_true(s.read);
    assert_int_equal(s.game.sides, 2);
    ipr_arena_release(&mem);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_order), cmocka_unit_test(test_limits),
                                        cmocka_unit_test(test_missing) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
