#include "ipr_test.h"

#include <stdio.h>

#include "uci/remote.h"

/* 1. e4 e5, judged by two lines to depth 3, in both dialects. White's move is the best line, with
 * the ranks changing on the way; Black's is not among the lines, and judged by the position after
 * it.
 */
#define BY_POSITION                                                                                \
    "[{\"score\":[[null,{\"cp\":20},{\"cp\":30},{\"cp\":35}],"                                     \
    "[null,{\"cp\":10},{\"cp\":25},{\"cp\":28}]],"                                                 \
    "\"pv\":[[null,[\"e2e4\"],[\"d2d4\",\"d7d5\"],[\"e2e4\",\"e7e5\",\"g1f3\"]],"                  \
    "[null,[\"d2d4\"],[\"e2e4\",\"c7c5\"],[\"d2d4\",\"g8f6\"]]],"                                  \
    "\"depth\":3,\"nodes\":100,\"time\":5,\"nps\":20000},"                                         \
    "{\"pv\":[[null,[\"c7c5\"],null,[\"c7c5\"]],[null,[\"e7e6\"],[\"e7e6\"],[\"d7d5\",\"e4d5\"]]]" \
    ","                                                                                            \
    "\"score\":[[null,{\"cp\":-20},null,{\"cp\":-30}],[null,{\"cp\":-25},{\"cp\":-40},"            \
    "{\"mate\":-2}]],\"depth\":3,\"nodes\":200,\"time\":5},"                                       \
    "{\"score\":[[null,{\"cp\":15},{\"mate\":7},{\"cp\":50}],[null,null,null,{\"cp\":45}]],"       \
    "\"pv\":[[null,[\"g1f3\"],[\"g1f3\"],[\"f1c4\"]],[null,null,null,[\"g1f3\"]]],"                \
    "\"depth\":3,\"nodes\":300,\"time\":5}]"

#define BY_COLUMN                                                                                  \
    "{\"time\":[[[null,1,1,1],[null,1,1,1]],[[null,1],[null,1]],[[null,1],[]]],"                   \
    "\"nodes\":[[[null,10,20,100],[null,10,20,90]],[[null,200],[null,7]],[[null,null,300],[]]],"   \
    "\"score\":[[[null,20,30,35],[null,10,25,28]],"                                                \
    "[[null,-20,null,-30],[null,-25,-40,-31998]],"                                                 \
    "[[null,15,31993,50],[null,null,null,45]]],"                                                   \
    "\"pv\":[[[null,\"e2e4\",\"d2d4 d7d5\",\"e2e4 e7e5 g1f3\"],"                                   \
    "[null,\"d2d4\",\"e2e4 c7c5\",\"d2d4 g8f6\"]],"                                                \
    "[[null,\"c7c5\",null,\"c7c5\"],[null,\"e7e6\",\"e7e6\",\"d7d5 e4d5\"]],"                      \
    "[[null,\"g1f3\",\"g1f3\",\"f1c4\"],[null,null,null,\"g1f3\"]]]}"

struct game {
    struct ipr_arena mem;
    struct ipr_judge judge;
    struct ipr_pos start;
    ipr_move moves[16];
    size_t n;
    const bool *chosen;
    struct ipr_judged_game judged;
    struct ipr_err err;
};

static void set_up(struct game *g, const char *fen, const char *moves, unsigned multipv)
{
    struct ipr_str rest = ipr_str_c(moves), word;
    struct ipr_pos pos;

    *g = (struct game){ .mem = IPR_ARENA_INIT, .err = IPR_ERR_INIT };
    g->judge = (struct ipr_judge){ .multipv = (uint16_t)multipv,
                                   .depth = 3,
                                   .hash_mb = 16,
                                   .threads = 1,
                                   .first_move = 1,
                                   .clear = IPR_CLEAR_REMOTE,
                                   .apart = IPR_APART_AFTER };
    ipr_pos_start(&g->start);
    if (fen != NULL)
        assert_ok(ipr_pos_from_fen(&g->start, ipr_str_c(fen), &g->err), &g->err);
    pos = g->start;
    while (ipr_str_word(&rest, &word)) {
        assert_ok(ipr_move_from_uci(&pos, word, &g->moves[g->n], &g->err), &g->err);
        ipr_pos_play(&pos, g->moves[g->n++]);
    }
}

static enum ipr_code read(struct game *g, const char *analysis)
{
    struct ipr_remote_report report;
    enum ipr_code rc = ipr_remote_report_open(ipr_str_c(analysis), &report, &g->err);

    if (rc == IPR_OK)
        rc = ipr_remote_judged(&g->judge, &g->start, g->moves, g->n, g->chosen, &report, &g->mem,
                               &g->judged, &g->err);
    return rc;
}

static void expect_line(const struct ipr_pos *pos, const struct ipr_judged_turn *t, unsigned line,
                        const char *move, int d1, int d2, int d3)
{
    const int want[] = { d1, d2, d3 };
    char text[IPR_UCI_MAX];

    assert_true(line < t->lines);
    ipr_move_to_uci(pos, t->moves[line], text);
    assert_string_equal(text, move);
    for (unsigned d = 0; d < 3; d++)
        assert_int_equal(t->score[line * 3 + d], want[d]);
}

static void test_dialects(void **state)
{
    static const char *const dialects[] = { BY_POSITION, BY_COLUMN };
    struct game g;

    (void)state;
    for (size_t i = 0; i < 2; i++) {
        set_up(&g, NULL, "e2e4 e7e5", 2);
        struct ipr_pos pos = g.start;

        assert_ok(read(&g, dialects[i]), &g.err);
        assert_int_equal(g.judged.n, 2);
        const struct ipr_judged_turn *t = g.judged.turns;
        assert_int_equal(t[0].lines, 2);
        assert_int_equal(t[0].played, 0);
        assert_int_equal(t[0].legal, 20);
        assert_int_equal(t[0].nodes, 100);
        expect_line(&pos, &t[0], 0, "e2e4", 20, 25, 35);
        expect_line(&pos, &t[0], 1, "d2d4", 10, 30, 28);
        ipr_pos_play(&pos, g.moves[0]);
        assert_int_equal(t[1].ply, 1);
        assert_int_equal(t[1].lines, 3);
        assert_int_equal(t[1].played, 2);
        assert_int_equal(t[1].nodes, 200);
        expect_line(&pos, &t[1], 0, "c7c5", -20, IPR_SCORE_NONE, -30);
        expect_line(&pos, &t[1], 1, "d7d5", IPR_SCORE_NONE, IPR_SCORE_NONE, -31998);
        /* White mates in 7 after it: Black is mated in 7. */
        expect_line(&pos, &t[1], 2, "e7e5", IPR_SCORE_NONE, -15, -31993);
        ipr_arena_release(&g.mem);
    }
}

/* Replaces one piece of text, which must be there. */
static char *changed(struct ipr_arena *mem, const char *text, const char *from, const char *to)
{
    const char *at = strstr(text, from);

    if (at == NULL)
        fail_msg("%s is not in the text", from);
    return ipr_arena_printf(mem, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
}

static const struct change {
    const char *name, *base, *from, *to, *why; /* why NULL: still good */
} changes[] = {
    { "skipped, but not before the first turn", BY_POSITION, "{\"score\":[[null,{\"cp\":20}",
      "{\"skipped\":true},{\"score\":[[null,{\"cp\":20}", "missing" },
    { "a position missing", BY_POSITION, "\"depth\":3,\"nodes\":300,\"time\":5}]",
      "\"depth\":3,\"nodes\":300,\"time\":5},{\"skipped\":true}]", "more positions" },
    { "no word of the last", BY_COLUMN, ",[[null,15,31993,50],[null,null,null,45]]]", "]",
      "no word" },
    { "lines without moves", BY_COLUMN,
      ",[[null,\"g1f3\",\"g1f3\",\"f1c4\"],[null,null,null,\"g1f3\"]]]", "]", "malformed" },
    { "final depth missing", BY_POSITION, ",{\"cp\":35}]", ",null]", "missing at the depth" },
    { "final depth not reached", BY_COLUMN, ",35]", "]", "missing at the depth" },
    { "a line missing", BY_COLUMN, ",[null,10,25,28]]", "]", "missing at the depth" },
    { "a line too much", BY_COLUMN, ",[null,10,25,28]]", ",[null,10,25,28],[null,1,1,1]]",
      "lines that were requested" },
    { "deeper than asked", BY_POSITION, ",{\"cp\":35}]", ",{\"cp\":35},{\"cp\":99}]", NULL },
    { "illegal at the last depth", BY_POSITION, "[\"d2d4\",\"g8f6\"]", "[\"d2d5\",\"g8f6\"]",
      "illegal move among the lines" },
    { "illegal at a shallower depth", BY_POSITION, "[\"e2e4\",\"c7c5\"]", "[\"e7e5\",\"c7c5\"]",
      "shallower" },
    { "no move at all", BY_COLUMN, "\"d2d4 g8f6\"", "\"hello\"", "illegal move among the lines" },
    { "a text that is too long", BY_COLUMN, "\"d2d4 g8f6\"", "\"d2d4g8f6\"", "malformed" },
    { "empty pv", BY_POSITION, "[\"d2d4\",\"g8f6\"]", "[]", "missing at the depth" },
    { "twice at the last depth", BY_POSITION, "[\"d2d4\",\"g8f6\"]", "[\"e2e4\",\"g8f6\"]",
      "twice" },
    { "mate too far off", BY_POSITION, "{\"mate\":-2}", "{\"mate\":-247}", "malformed" },
    { "mate as far as can be", BY_POSITION, "{\"mate\":-2}", "{\"mate\":-246}", NULL },
    { "mate in none", BY_POSITION, "{\"mate\":-2}", "{\"mate\":0}", "missing at the depth" },
    { "mate too far off, 1.x", BY_COLUMN, "-31998", "-31753", "malformed" },
    { "score beyond any", BY_POSITION, "{\"cp\":35}", "{\"cp\":20001}", "malformed" },
    { "score beyond any, 1.x", BY_COLUMN, "-31998", "-29999", "malformed" },
    { "score not whole", BY_POSITION, "{\"cp\":35}", "{\"cp\":35.5}", "malformed" },
    { "score of another kind", BY_POSITION, "{\"cp\":35}", "{\"wdl\":35}", "malformed" },
    { "score of two kinds", BY_POSITION, "{\"cp\":35}", "{\"cp\":35,\"mate\":1}", "malformed" },
    { "dialects mixed", BY_POSITION, "{\"cp\":35}", "35", "malformed" },
    { "score as a text", BY_COLUMN, ",35]", ",\"35\"]", "malformed" },
    { "without matrices", BY_POSITION,
      "\"score\":[[null,{\"cp\":15},{\"mate\":7},{\"cp\":50}],[null,null,null,{\"cp\":45}]]",
      "\"score\":{\"cp\":15}", "malformed" },
    { "not sorted", BY_COLUMN, ",28]]", ",99]]", NULL },
    { "after the move played too shallow", BY_POSITION, "{\"mate\":7}", "null", "lacks the depth" },
    { "after the move played illegal", BY_COLUMN, "\"g1f3\",\"f1c4\"", "\"g1g3\",\"f1c4\"",
      "after the move played" },
    { "nodes as a text", BY_POSITION, "\"nodes\":100", "\"nodes\":\"100\"", "malformed" },
    { "unknown member", BY_POSITION, "\"nps\":20000", "\"nps\":20000,\"wdl\":[[1,{}]]", NULL },
    { "no nodes", BY_POSITION, "\"nodes\":100,", "", NULL },
    { "no nodes, 1.x", BY_COLUMN, "\"nodes\"", "\"knots\"", NULL },
    { "no scores, 1.x", BY_COLUMN, "\"score\"", "\"scores\"", "without lists" },
    { "cut off", BY_POSITION, "\"time\":5}]", "\"time\":5}", "malformed" },
};

static void test_changes(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        const struct change *c = &changes[i];
        struct game g;

        set_up(&g, NULL, "e2e4 e7e5", 2);
        const enum ipr_code rc = read(&g, changed(&g.mem, c->base, c->from, c->to));
        if (rc != (c->why == NULL ? IPR_OK : IPR_EPARSE) ||
            (c->why != NULL && strstr(g.err.msg, c->why) == NULL))
            fail_msg("%s: %s: %s", c->name, ipr_code_name(rc), g.err.msg);
        if (c->why != NULL) {
            assert_string_equal(g.err.type, "bad_evaluation");
            assert_int_equal(g.judged.n, 0);
        }
        ipr_arena_release(&g.mem);
    }
}

/* A line printed again at another rank while the next depth was under way: once. With two scores it
 * is not known which was the last. */
static void test_ranks_again(void **state)
{
    struct game g;

    (void)state;
    set_up(&g, NULL, "e2e4 e7e5", 2);
    const char *text = changed(&g.mem, BY_COLUMN, "[null,10,25,28]", "[null,20,25,28]");
    text = changed(&g.mem, text, "[null,\"d2d4\",", "[null,\"e2e4\",");
    assert_ok(read(&g, text), &g.err);
    expect_line(&g.start, &g.judged.turns[0], 0, "e2e4", 20, 25, 35);
    expect_line(&g.start, &g.judged.turns[0], 1, "d2d4", IPR_SCORE_NONE, 30, 28);
    assert_ok(read(&g, changed(&g.mem, text, "[null,20,25,28]", "[null,21,25,28]")), &g.err);
    expect_line(&g.start, &g.judged.turns[0], 0, "e2e4", IPR_SCORE_NONE, 25, 35);
    /* Lines that come in another order are put into theirs. */
    assert_ok(read(&g, changed(&g.mem, BY_COLUMN, ",28]]", ",99]]")), &g.err);
    expect_line(&g.start, &g.judged.turns[0], 0, "d2d4", 10, 30, 99);
    expect_line(&g.start, &g.judged.turns[0], 1, "e2e4", 20, 25, 35);
    assert_int_equal(g.judged.turns[0].played, 1);
    ipr_arena_release(&g.mem);
}

/* What was not requested is ignored. */
static void test_skipped(void **state)
{
    static const char *const skipped[] = {
        "[{\"skipped\":true},{\"skipped\":true},{\"score\":[[null,{\"cp\":1},{\"cp\":2},{\"cp\":3}]"
        "],"
        "\"pv\":[[null,[\"g1f3\"],[\"g1f3\"],[\"g1f3\"]]]},"
        "{\"score\":[[null,{\"cp\":1},{\"cp\":2},{\"cp\":3}]],"
        "\"pv\":[[null,[\"b8c6\"],[\"b8c6\"],[\"b8c6\"]]]}]",
        "{\"score\":[[],[],[[null,1,2,3]],[[null,1,2,3]]],"
        "\"pv\":[[],[],[[null,\"g1f3\",\"g1f3\",\"g1f3\"]],[[null,\"b8c6\",\"b8c6\",\"b8c6\"]]]}",
    };
    struct game g;

    (void)state;
    for (size_t i = 0; i < 2; i++) {
        set_up(&g, NULL, "e2e4 e7e5 g1f3", 1);
        g.judge.first_move = 2;
        assert_ok(read(&g, skipped[i]), &g.err);
        assert_int_equal(g.judged.n, 1);
        assert_int_equal(g.judged.turns[0].ply, 2);
        for (size_t p = 0; p <= g.n; p++)
            assert_int_equal(ipr_remote_asks(&g.judge, NULL, g.n, p), p >= 2);
        g.judge.first_move = 3; /* no turn to judge */
        assert_ok(read(&g, skipped[i]), &g.err);
        assert_int_equal(g.judged.n, 0);
        for (size_t p = 0; p <= g.n; p++)
            assert_int_equal(ipr_remote_asks(&g.judge, NULL, g.n, p), p == 3);
        ipr_arena_release(&g.mem);
    }
}

/* 1. e4 e5 2. Nf3 with the second move chosen, by 1000 nodes a search. The depth that the nodes
 * ended is not used, nor the one of which a line was printed again at another rank. */
#define SEARCHED                                                                                   \
    "[{\"skipped\":true},"                                                                         \
    "{\"score\":[[null,{\"cp\":-10},{\"cp\":-20},{\"cp\":-30},{\"cp\":-35},{\"cp\":-90}],"         \
    "[null,{\"cp\":-15},{\"cp\":-25},{\"cp\":-40},{\"cp\":-36}]],"                                 \
    "\"pv\":[[null,[\"c7c5\"],[\"c7c5\"],[\"c7c5\"],[\"c7c5\"],[\"e7e6\"]],"                       \
    "[null,[\"e7e6\"],[\"e7e6\"],[\"e7e6\"],[\"c7c5\"]]],\"nodes\":1001},"                         \
    "{\"score\":[[null,{\"cp\":30},{\"cp\":45},{\"cp\":50},{\"cp\":60}],"                          \
    "[null,{\"cp\":20},{\"cp\":40}]],"                                                             \
    "\"pv\":[[null,[\"g1f3\"],[\"g1f3\"],[\"f1c4\"],[\"g1f3\"]],[null,[\"f1c4\"],[\"f1c4\"]]],"    \
    "\"nodes\":1002},{\"skipped\":true}]"

static const struct change searched_changes[] = {
    { "as it was", SEARCHED, "\"nodes\":1001", "\"nodes\":1001", NULL },
    { "the position before it skipped", SEARCHED,
      "{\"skipped\":true},{\"score\":[[null,{\"cp\":-10",
      "{\"skipped\":true},{\"skipped\":true},{\"score\":[[null,{\"cp\":-10", "not searched" },
    { "a position too few", SEARCHED, ",{\"skipped\":true}]", "]", "no word" },
    { "half of the nodes", SEARCHED, "\"nodes\":1001", "\"nodes\":500", NULL },
    { "too few nodes", SEARCHED, "\"nodes\":1001", "\"nodes\":499", "with the nodes requested" },
    { "too few nodes after it", SEARCHED, "\"nodes\":1002", "\"nodes\":499",
      "after it not with the nodes requested" },
    { "no nodes", SEARCHED, ",\"nodes\":1001", "", "with the nodes requested" },
    { "one line only", SEARCHED, ",[null,[\"e7e6\"],[\"e7e6\"],[\"e7e6\"],[\"c7c5\"]]]", "]",
      "with the nodes requested" },
    { "an illegal move", SEARCHED, "[null,[\"e7e6\"],[\"e7e6\"],[\"e7e6\"]",
      "[null,[\"e7e6\"],[\"e7e6\"],[\"e2e4\"]", "illegal move among the lines" },
    { "an illegal move after it", SEARCHED, "[\"g1f3\"],[\"f1c4\"]", "[\"g1g3\"],[\"f1c4\"]",
      "illegal move in the position after" },
};

static void test_chosen(void **state)
{
    static const bool chosen[] = { false, true, false };

    (void)state;
    for (size_t i = 0; i < sizeof searched_changes / sizeof *searched_changes; i++) {
        const struct change *c = &searched_changes[i];
        struct game g;

        set_up(&g, NULL, "e2e4 e7e5 g1f3", 2);
        g.chosen = chosen;
        g.judge.depth = 0, g.judge.nodes = 1000;
        for (size_t p = 0; p <= g.n; p++)
            assert_int_equal(ipr_remote_asks(&g.judge, chosen, g.n, p), p == 1 || p == 2);
        const enum ipr_code rc = read(&g, changed(&g.mem, c->base, c->from, c->to));
        if (rc != (c->why == NULL ? IPR_OK : IPR_EPARSE) ||
            (c->why != NULL && strstr(g.err.msg, c->why) == NULL))
            fail_msg("%s: %s: %s", c->name, ipr_code_name(rc), g.err.msg);
        if (c->why == NULL) {
            struct ipr_pos pos = g.start;
            const struct ipr_judged_turn *t = g.judged.turns;

            assert_int_equal(g.judged.n, 1);
            assert_int_equal(t->ply, 1);
            assert_int_equal(t->mover, IPR_BLACK);
            assert_int_equal(t->legal, 20);
            assert_int_equal(t->depth, 3);
            assert_int_equal(t->lines, 2);
            assert_int_equal(t->played, 1);
            ipr_pos_play(&pos, g.moves[0]);
            expect_line(&pos, t, 0, "c7c5", -10, -20, -30);
            /* That search has both lines up to depth 2. */
            expect_line(&pos, t, 1, "e7e5", IPR_SCORE_NONE, -30, -45);
        }
        ipr_arena_release(&g.mem);
    }
}

/* Clients of version 2 write castling as king takes rook whatever the variant. */
static void test_castling(void **state)
{
    static const char *const spelled[] = { "e1g1", "e1h1" };
    struct game g;

    (void)state;
    for (size_t i = 0; i < 2; i++) {
        set_up(&g, "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1g1", 1);
        assert_ok(read(&g, ipr_arena_printf(&g.mem,
                                            "{\"score\":[[[null,1,2,3]],[[null,1,2,3]]],"
                                            "\"pv\":[[[null,\"%s\",\"e1c1\",\"%s\"]],"
                                            "[[null,\"e8a8\",\"e8c8\",\"e8a8\"]]]}",
                                            spelled[i], spelled[i])),
                  &g.err);
        assert_int_equal(g.judged.turns[0].played, 0);
        expect_line(&g.start, &g.judged.turns[0], 0, "e1g1", 1, IPR_SCORE_NONE, 3);
        ipr_arena_release(&g.mem);
    }
}

/* The move that ends the game needs no engine, whatever is said of the position after it. */
static void test_end(void **state)
{
    static const struct {
        const char *name, *fen, *move, *other, *end;
        int score;
    } rows[] = {
        { "mate, 2.x", "7k/8/6K1/8/8/8/8/R7 w - - 0 1", "a1a8", "a1a2",
          "{\"score\":[[{\"mate\":0}]],\"pv\":[[[]]],\"depth\":0,\"nodes\":0,\"time\":0}", 31999 },
        { "mate, 2.x with null", "7k/8/6K1/8/8/8/8/R7 w - - 0 1", "a1a8", "a1a2",
          "{\"score\":[[{\"mate\":0}]],\"pv\":[[null]],\"depth\":0,\"nodes\":0,\"time\":0}",
          31999 },
        { "stalemate, 2.x", "7k/8/8/8/8/6Q1/8/K7 w - - 0 1", "g3g6", "g3g1",
          "{\"score\":[[{\"cp\":0}]],\"pv\":[[[]]],\"depth\":0}", 0 },
        { "skipped", "7k/8/8/8/8/6Q1/8/K7 w - - 0 1", "g3g6", "g3g1", "{\"skipped\":true}", 0 },
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct game g;

        set_up(&g, rows[i].fen, rows[i].move, 1);
        assert_ok(
            read(&g, ipr_arena_printf(&g.mem,
                                      "[{\"score\":[[null,{\"cp\":1},{\"cp\":2},{\"cp\":3}]],"
                                      "\"pv\":[[null,[\"%s\"],[\"%s\"],[\"%s\"]]]},%s]",
                                      rows[i].other, rows[i].other, rows[i].other, rows[i].end)),
            &g.err);
        assert_int_equal(g.judged.turns[0].lines, 2);
        expect_line(&g.start, &g.judged.turns[0], 1, rows[i].move, rows[i].score, rows[i].score,
                    rows[i].score);
        ipr_arena_release(&g.mem);
    }
}

static void test_forms(void **state)
{
    static const struct {
        const char *text;
        int form; /* -1: none */
    } rows[] = {
        { BY_POSITION, IPR_REMOTE_BY_POSITION },
        { BY_COLUMN, IPR_REMOTE_BY_COLUMN },
        { "[null,{\"pv\":\"e2e4\",\"score\":{\"cp\":1},\"depth\":9}]", IPR_REMOTE_PARTIAL },
        { "[{\"skipped\":true},null,null]", IPR_REMOTE_PARTIAL },
        { "[]", IPR_REMOTE_BY_POSITION },
        { "[null", -1 },
        { "null", -1 },
        { "\"x\"", -1 },
        { "{}", -1 },
        { "{\"score\":1,\"pv\":2}", -1 },
    };
    struct ipr_remote_report r;

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const enum ipr_code rc = ipr_remote_report_open(ipr_str_c(rows[i].text), &r, NULL);

        assert_int_equal(rc, rows[i].form < 0 ? IPR_EPARSE : IPR_OK);
        if (rc == IPR_OK)
            assert_int_equal(r.form, rows[i].form);
    }
}

static void test_body(void **state)
{
    static const char one[] =
        "{\"fishnet\": {\"version\": \"1.18.2\", \"python\": \"3.11.2\", \"apikey\": \"Ab3\"}, "
        "\"stockfish\": {\"name\": \"Stockfish 15.1\", \"options\": {\"threads\": \"2\", "
        "\"hash\": 64, \"x\": []}}, \"analysis\": [ null ], \"more\": {\"a\": [1]}}";
    static const char two[] = " {\"analysis\":[{}],\"stockfish\":{\"flavor\":\"nnue\"}} ";
    static const char odd[] =
        "{\"fishnet\":{\"apikey\":\"a-b\",\"version\":5},\"stockfish\":{\"name\":\"a\\u0000b\","
        "\"flavor\":null,\"options\":{\"threads\":\"many\",\"hash\":-1}}}";
    static const char *const refused[] = { "[]", "{", "{}x", "null", "{\"fishnet\":}" };
    struct ipr_remote_body b;

    (void)state;
    assert_int_equal(ipr_remote_body_read(ipr_str_c(one), &b, NULL), IPR_OK);
    assert_string_equal(b.client.key, "Ab3");
    assert_string_equal(b.client.version, "1.18.2");
    assert_string_equal(b.client.engine, "Stockfish 15.1");
    assert_true(ipr_str_is(b.analysis, "[ null ]"));
    assert_int_equal(ipr_remote_body_read(ipr_str_c(two), &b, NULL), IPR_OK);
    assert_string_equal(b.client.key, "");
    assert_string_equal(b.client.flavor, "nnue");
    assert_true(ipr_str_is(b.analysis, "[{}]"));
    assert_int_equal(ipr_remote_body_read(ipr_str_c(odd), &b, NULL), IPR_OK);
    assert_string_equal(b.client.key, "");
    assert_string_equal(b.client.version, "");
    assert_string_equal(b.client.engine, "");
    assert_string_equal(b.client.flavor, "");
    assert_int_equal(ipr_remote_body_read(IPR_STR(" \n"), &b, NULL), IPR_OK);
    assert_null(b.analysis.p);
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
        assert_int_equal(ipr_remote_body_read(ipr_str_c(refused[i]), &b, NULL), IPR_EPARSE);
}

static void test_versions(void **state)
{
    static const struct {
        const char *agent, *version;
        bool fits;
    } rows[] = {
        { "fishnet-linux-x86_64/2.14.1", "2.14.1", true },
        { "fishnet-windows-x86_64/2.14.1-dev extra", "2.14.1-dev", true },
        { "fishnet-macos-aarch64/2.1.0", "2.1.0", true },
        { "fishnet-linux-x86_64/2.0.4", "2.0.4", false },
        { "fishnet-linux-x86_64/3.0.0", "3.0.0", false },
        { "fishnet-linux-x86_64/1.18.2", "1.18.2", true },
        { "fishnet-linux-x86_64/1.17.2", "1.17.2", false },
        { "fishnet-linux-x86_64/12", "12", false },
        { "fishnet-linux-x86_64", "", false },
        { "fishnet-linux-x86_64/", "", false },
        { "fishnet-linux-x86_64/2.1.0;rm", "", false },
        { "python-requests/2.28.1", "", false },
    };
    char version[16];

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        ipr_remote_agent_version(rows[i].agent, version);
        assert_string_equal(version, rows[i].version);
        assert_int_equal(ipr_remote_version_fits(version), rows[i].fits);
    }
}

static void test_judges(void **state)
{
    struct ipr_judge j;

    (void)state;
    assert_true(ipr_judge_builtin("fishnet", &j));
    assert_true(ipr_remote_judge_fits(&j));
    assert_int_equal(ipr_remote_timeout_ms(&j), 7000);
    j.depth = 14;
    assert_int_equal(ipr_remote_timeout_ms(&j), 17920);
    j.depth = 60;
    assert_int_equal(ipr_remote_timeout_ms(&j), 120000);
    j.depth = 1;
    assert_false(ipr_remote_judge_fits(&j));
    j.depth = 0, j.nodes = 100000;
    assert_false(ipr_remote_judge_fits(&j));
    assert_int_equal(ipr_remote_timeout_ms(&j), 7000);
    j.nodes = 2000000;
    assert_int_equal(ipr_remote_timeout_ms(&j), 14000);
    j.nodes = 100000000;
    assert_int_equal(ipr_remote_timeout_ms(&j), 120000);
    assert_true(ipr_judge_builtin("fishnet", &j));
    j.tablebases = true;
    assert_false(ipr_remote_judge_fits(&j));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_dialects),    cmocka_unit_test(test_changes),
        cmocka_unit_test(test_ranks_again), cmocka_unit_test(test_skipped),
        cmocka_unit_test(test_castling),    cmocka_unit_test(test_end),
        cmocka_unit_test(test_forms),       cmocka_unit_test(test_body),
        cmocka_unit_test(test_versions),    cmocka_unit_test(test_judges),
        cmocka_unit_test(test_chosen),
    };

    return cmocka_run_group_tests_name("remote", tests, NULL, NULL);
}
