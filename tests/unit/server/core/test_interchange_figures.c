/* Lines of games without moves. */
#include "ipr_test.h"

#include <stdlib.h>

#include "base/mem.h"
#include "core/interchange.h"

/* The documented form, to the byte. */
#define HEAD                                                                                       \
    "{\"tags\":{\"White\":\"A\",\"Black\":\"B\"},\"result\":\"1/2-1/2\","                          \
    "\"moves\":{\"plies\":5,\"key\":\"0f0000000000a0b1\"},\"judge\":{\"name\":\"tiny\","           \
    "\"engine\":\"Test 1\",\"network\":\"\",\"multipv\":2,\"limit\":{\"depth\":2},\"threads\":1,"  \
    "\"hash_mb\":1,\"clear\":\"position\",\"first_move\":1},\"figures\":["
#define WHITE                                                                                      \
    "{\"mover\":\"w\",\"best\":[30,1000,-7],\"second\":[25,-1000,null],\"played\":[20,1000,-7],"   \
    "\"legal\":[20,29,1],\"repeated\":[2],"                                                        \
    "\"rating\":{\"version\":1,\"score\":-1200000,\"information\":900000,\"moves\":2}}"
#define BLACK                                                                                      \
    "{\"mover\":\"b\",\"best\":[0,4],\"second\":[0,4],\"played\":[0,-80],\"legal\":[20,255]}"
#define LINE HEAD WHITE "," BLACK "]}"

static char *replaced(const char *from, const char *to)
{
    const char *at = strstr(LINE, from);
    struct ipr_buf b = IPR_BUF_INIT;

    assert_non_null(at);
    ipr_buf_add(&b, LINE, (size_t)(at - LINE));
    ipr_buf_puts(&b, to);
    ipr_buf_puts(&b, at + strlen(from));
    return ipr_buf_steal(&b);
}

static void test_round_trip(void **state)
{
    struct ipr_arena mem = IPR_ARENA_INIT;
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_interchange_game g;
    struct ipr_buf out = IPR_BUF_INIT;

    (void)state;
    assert_ok(ipr_interchange_read(IPR_STR(LINE), 1, &mem, &g, &err), &err);
    assert_null(g.moves);
    assert_int_equal(g.n_moves, 5);
    assert_true(g.moves_key == INT64_C(0x0f0000000000a0b1));
    assert_int_equal(g.judged.n, 0);
    assert_int_equal(g.sides, 3);
    const struct ipr_side_figures *const white = &g.figures[0], *const black = &g.figures[1];
    assert_int_equal(white->n, 3);
    assert_int_equal(white->turns[1].ply, 2);
    assert_true(white->turns[1].repeated);
    assert_int_equal(white->second[1], -1000);
    assert_int_equal(white->second[2], IPR_FIGURES_NONE);
    assert_int_equal(white->sums.version, 1);
    assert_int_equal(white->sums.moves, 2);
    assert_int_equal(black->n, 2);
    assert_int_equal(black->turns[1].ply, 3);
    assert_int_equal(black->turns[1].legal, 255);
    assert_int_equal(black->turns[1].played_cp, -80);
    assert_int_equal(black->sums.version, 0);
    ipr_interchange_write(&out, &g);
    assert_int_equal(out.p[out.n - 1], '\n');
    out.p[out.n - 1] = '\0';
    assert_string_equal(out.p, LINE);
    ipr_buf_release(&out);
    ipr_arena_release(&mem);
}

/* Of another game, whose positions have no FEN. */
static void test_other_game(void **state)
{
    static const char go[] =
        "{\"tags\":{\"White\":\"A\",\"Black\":\"B\",\"FEN\":\"19/19\"},\"result\":\"1-0\","
        "\"domain\":\"go_19x19\",\"moves\":{\"plies\":1,\"key\":\"0000000000000001\"},\"judge\":{"
        "\"name\":\"net\",\"engine\":\"KataGo\",\"network\":\"\",\"multipv\":2,\"limit\":{"
        "\"nodes\":64},\"threads\":1,\"hash_mb\":1,\"clear\":\"position\",\"first_move\":1},"
        "\"figures\":[{\"mover\":\"w\",\"best\":[3],\"second\":[2],\"played\":[1],"
        "\"legal\":[255]}]}";
    struct ipr_arena mem = IPR_ARENA_INIT;
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_interchange_game g;
    struct ipr_buf out = IPR_BUF_INIT;

    (void)state;
    assert_ok(ipr_interchange_read(IPR_STR(go), 1, &mem, &g, &err), &err);
    assert_string_equal(g.domain, "go_19x19");
    assert_false(g.custom_start);
    ipr_interchange_write(&out, &g);
    out.p[out.n - 1] = '\0';
    assert_string_equal(out.p, go);
    ipr_buf_release(&out);
    ipr_arena_release(&mem);
}

/* Of a judge that begins later, and from a position with Black to move, the sides have fewer
 * turns; a short game has none. */
static void test_turns_of_side(void **state)
{
    static const struct {
        const char *from, *to;
        size_t n[2];
        unsigned first[2];
    } rows[] = {
        { "\"first_move\":1", "\"first_move\":2", { 2, 1 }, { 2, 3 } },
        { "\"first_move\":1", "\"first_move\":4", { 0, 0 }, { 0, 0 } },
        { "\"Black\":\"B\"",
          "\"Black\":\"B\",\"FEN\":\"4k3/8/8/8/8/8/8/4K2R b K - 3 40\"",
          { 2, 3 },
          { 1, 0 } },
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct ipr_arena mem = IPR_ARENA_INIT;
        struct ipr_err err = IPR_ERR_INIT;
        struct ipr_interchange_game g;
        char *const line = replaced(rows[i].from, rows[i].to);
        struct ipr_buf b = IPR_BUF_INIT;

        ipr_buf_add(&b, line, (size_t)(strstr(line, "\"figures\":[") - line));
        ipr_buf_puts(&b, "\"figures\":[");
        for (unsigned c = 0; c < 2; c++) {
            static const char *const name[] = { "best", "second", "played", "legal" };

            ipr_buf_printf(&b, "%s{\"mover\":\"%s\"", c == 0 ? "" : ",", c == 0 ? "w" : "b");
            for (size_t k = 0; k < 4; k++) {
                ipr_buf_printf(&b, ",\"%s\":[", name[k]);
                for (size_t t = 0; t < rows[i].n[c]; t++)
                    ipr_buf_puts(&b, t == 0 ? "9" : ",9");
                ipr_buf_putc(&b, ']');
            }
            ipr_buf_putc(&b, '}');
        }
        ipr_buf_puts(&b, "]}");
        assert_ok(ipr_interchange_read((struct ipr_str){ b.p, b.n }, 1, &mem, &g, &err), &err);
        for (unsigned c = 0; c < 2; c++) {
            assert_int_equal(g.figures[c].n, rows[i].n[c]);
            if (g.figures[c].n > 0)
                assert_int_equal(g.figures[c].turns[0].ply, rows[i].first[c]);
        }
        ipr_buf_release(&b);
        free(line);
        ipr_arena_release(&mem);
    }
}

#define NO_PLIES                                                                                   \
    "The line has a game without moves that gives no number of half-moves from 1 to 32767."
#define DOMAIN     "The line has a domain that is not 1 to 31 of a-z, 0-9, _ and -."
#define NO_KEY     "The line has a game without moves whose key is not 16 hexadecimal digits."
#define NO_MOVER   "The figures of a side name no mover \"w\" or \"b\", or one twice."
#define WHITE_3    "The side of White needs lists best, second, played and legal of 3 turns each."
#define IMPOSSIBLE "The side of White has a turn with impossible figures."
#define SECOND                                                                                     \
    "The side of White has a second evaluation that its engine setting cannot have, or lacks one."
#define SUMS     "The side of White has sums of its rating that are missing or impossible."
#define REPEATED "The side of White has a repeated position at a ply that it lacks."

static struct row {
    const char *name, *from, *to, *type, *message; /* type "": accepted */
} rows[] = {
    { "accepted: White alone", "," BLACK, "", "", "" },
    { "accepted: no rating",
      ",\"rating\":{\"version\":1,\"score\":-1200000,\"information\":900000,"
      "\"moves\":2}",
      "", "", "" },
    { "accepted: rating of a later version", "\"version\":1", "\"version\":9", "", "" },
    { "accepted: member that is not ours", "\"plies\":5", "\"more\":{},\"plies\":5", "", "" },
    { "accepted: chess named", "\"moves\":{", "\"domain\":\"chess\",\"moves\":{", "", "" },
    { "rating of another game", "\"moves\":{", "\"domain\":\"go\",\"moves\":{", "bad_evaluation",
      "The side of White has sums of a rating, which only chess has." },
    { "domain in capitals", "\"moves\":{", "\"domain\":\"Go\",\"moves\":{", "bad_json", DOMAIN },
    { "domain without a name", "\"moves\":{", "\"domain\":\"\",\"moves\":{", "bad_json", DOMAIN },
    { "domain with a long name", "\"moves\":{",
      "\"domain\":\"a-name-of-more-than-thirty-one-b\",\"moves\":{", "bad_json", DOMAIN },
    { "domain as number", "\"moves\":{", "\"domain\":1,\"moves\":{", "bad_json", DOMAIN },
    { "moves of another game", "\"moves\":{\"plies\":5,\"key\":\"0f0000000000a0b1\"}",
      "\"domain\":\"go\",\"moves\":\"e2e4\"", "bad_json",
      "The line has moves of another game than chess: it can only have figures." },
    { "no half-moves", "\"plies\":5", "\"plies\":0", "bad_json", NO_PLIES },
    { "too many half-moves", "\"plies\":5", "\"plies\":32768", "bad_json", NO_PLIES },
    { "half-moves as text", "\"plies\":5", "\"plies\":\"5\"", "bad_json", NO_PLIES },
    { "key in capitals", "a0b1", "A0B1", "bad_json", NO_KEY },
    { "short key", "0f0", "f0", "bad_json", NO_KEY },
    { "long key", "0f0", "00f0", "bad_json", NO_KEY },
    { "key as number", "\"0f0000000000a0b1\"", "7", "bad_json", NO_KEY },
    { "three lines", "\"multipv\":2", "\"multipv\":3", "bad_judge",
      "The judge of a game without moves has at most 2 lines." },
    { "no figures", "\"figures\"", "\"digits\"", "bad_json",
      "The line has a game with neither moves nor figures." },
    { "figures that are no list", "\"figures\":[", "\"figures\":{},\"x\":[", "bad_json",
      "The line has a game with neither moves nor figures." },
    { "no mover", "\"mover\":\"w\"", "\"mover\":\"x\"", "bad_evaluation", NO_MOVER },
    { "mover twice", "\"mover\":\"b\"", "\"mover\":\"w\"", "bad_evaluation", NO_MOVER },
    { "side that is no object", BLACK, "[]", "bad_evaluation", NO_MOVER },
    { "too few turns", "[30,1000,-7]", "[30,1000]", "missing_turn", WHITE_3 },
    { "too many turns", "[20,29,1]", "[20,29,1,1]", "missing_turn", WHITE_3 },
    { "no list", "\"played\"", "\"Played\"", "missing_turn", WHITE_3 },
    { "best out of range", "[30,1000,-7]", "[30,1001,-7]", "bad_evaluation", IMPOSSIBLE },
    { "best below range", "[30,1000,-7]", "[30,1000,-1001]", "bad_evaluation", IMPOSSIBLE },
    { "best is null", "[30,1000,-7]", "[null,1000,-7]", "bad_evaluation", IMPOSSIBLE },
    { "best with a fraction", "[30,1000,-7]", "[30.5,1000,-7]", "bad_evaluation", IMPOSSIBLE },
    { "played is better", "[20,1000,-7]", "[31,1000,-7]", "bad_evaluation", IMPOSSIBLE },
    { "forced move that loses", "[20,1000,-7]", "[20,1000,-8]", "bad_evaluation", IMPOSSIBLE },
    { "no legal move", "[20,29,1]", "[20,0,1]", "bad_evaluation", IMPOSSIBLE },
    { "too many legal moves", "[20,29,1]", "[20,256,1]", "bad_evaluation", IMPOSSIBLE },
    { "second is better", "[25,-1000,null]", "[31,-1000,null]", "bad_evaluation", SECOND },
    { "second is missing", "[25,-1000,null]", "[null,-1000,null]", "bad_evaluation", SECOND },
    { "second of a forced move", "[25,-1000,null]", "[25,-1000,-7]", "bad_evaluation", SECOND },
    { "second of a judge of one line", "\"multipv\":2", "\"multipv\":1", "bad_evaluation", SECOND },
    { "repeated before the game", "\"repeated\":[2]", "\"repeated\":[-2]", "bad_evaluation",
      REPEATED },
    { "repeated after the game", "\"repeated\":[2]", "\"repeated\":[6]", "bad_evaluation",
      REPEATED },
    { "repeated by the opponent", "\"repeated\":[2]", "\"repeated\":[3]", "bad_evaluation",
      REPEATED },
    { "repeated is no list", "\"repeated\":[2]", "\"repeated\":2", "bad_evaluation",
      "The side of White has repeated positions that are not a list." },
    { "rating without version", "\"version\":1", "\"version\":0", "bad_evaluation", SUMS },
    { "rating of no moves", "\"moves\":2}}", "\"moves\":0}}", "bad_evaluation", SUMS },
    { "rating of more moves", "\"moves\":2}}", "\"moves\":4}}", "bad_evaluation", SUMS },
    { "negative information", "\"information\":900000", "\"information\":-1", "bad_evaluation",
      SUMS },
    { "score that would overflow", "-1200000", "-2000000001", "bad_evaluation", SUMS },
    { "rating is a number", "\"rating\":{", "\"rating\":1,\"x\":{", "bad_evaluation", SUMS },
    { "no moves at all", "\"moves\":{", "\"more\":{", "bad_json", "The line has no moves." },
};

static void test_row(void **state)
{
    const struct row *r = *state;
    struct ipr_arena mem = IPR_ARENA_INIT;
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_interchange_game g;
    char *line = replaced(r->from, r->to);
    const enum ipr_code rc = ipr_interchange_read(ipr_str_c(line), 7, &mem, &g, &err);

    assert_string_equal(err.msg, r->message);
    assert_string_equal(err.type, r->type);
    assert_int_equal(rc, r->type[0] != '\0' ? IPR_EPARSE : IPR_OK);
    if (rc != IPR_OK) {
        assert_int_equal(err.line, 7);
        assert_int_equal(g.n_moves, 0);
        assert_null(g.figures);
    }
    free(line);
    ipr_arena_release(&mem);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trip),
        cmocka_unit_test(test_turns_of_side),
        cmocka_unit_test(test_other_game),
    };
    struct CMUnitTest row_tests[sizeof rows / sizeof rows[0]] = { 0 };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        row_tests[i].name = rows[i].name;
        row_tests[i].test_func = test_row;
        row_tests[i].initial_state = &rows[i];
    }
    const int failed = cmocka_run_group_tests_name("figures", tests, NULL, NULL);
    return cmocka_run_group_tests_name("figures of lines", row_tests, NULL, NULL) + failed;
}
