#include "ipr_test.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "core/interchange.h"
#include "core/judge_json.h"
#include "ingest/lines.h"
#include "ingest/unpack.h"

/* The documented form, to the byte. */
#define JUDGE                                                                                      \
    "{\"name\":\"tiny\",\"engine\":\"Test 1\",\"network\":\"\",\"multipv\":2,"                     \
    "\"limit\":{\"depth\":2},\"threads\":1,\"hash_mb\":1,\"clear\":\"position\",\"first_move\":1}"
#define TURN_0                                                                                     \
    "{\"ply\":0,\"mover\":\"w\",\"depth\":2,\"moves\":[\"d2d4\",\"e2e4\"],"                        \
    "\"scores\":[[null,30],[20,25]],\"played\":1,\"legal\":20,\"nodes\":100}"
#define TURN_1                                                                                     \
    "{\"ply\":1,\"mover\":\"b\",\"depth\":2,\"moves\":[\"c7c5\",\"e7e6\",\"e7e5\"],"               \
    "\"scores\":[[-10,-20],[null,-20],[{\"mate\":-3},{\"mate\":5}]],\"played\":2,\"legal\":20,"    \
    "\"nodes\":0}"
#define TURN_2                                                                                     \
    ",{\"ply\":2,\"mover\":\"w\",\"depth\":2,\"moves\":[\"g1f3\",\"e1e2\"],"                       \
    "\"scores\":[[41,41],[-9,-8]],\"played\":1,\"legal\":29,\"nodes\":7,\"settled\":true}"
#define LINE                                                                                       \
    "{\"tags\":{\"White\":\"A\",\"Black\":\"Nov\xc3\xa1k\",\"Note\":\"say \\\"hi\\\" \\\\\"},"     \
    "\"result\":\"*\",\"moves\":\"e2e4 e7e5 e1e2\",\"judge\":" JUDGE ",\"turns\":[" TURN_0         \
    "," TURN_1 TURN_2 "]}"

#define CONFIRMED                                                                                  \
    "{\"judge\":{\"name\":\"confirm\",\"engine\":\"Test 1\",\"network\":\"\",\"multipv\":2,"       \
    "\"limit\":{\"nodes\":500},\"threads\":1,\"hash_mb\":1,\"clear\":\"position\",\"first_move\":" \
    "1},"                                                                                          \
    "\"turns\":[{\"ply\":1,\"mover\":\"b\",\"depth\":21,\"moves\":[\"c7c5\",\"e7e6\",\"e7e5\"],"   \
    "\"scores\":[-20,-25,{\"mate\":-3}],\"played\":2,\"legal\":20,\"nodes\":700}]}"

static void expect_same(const char *line)
{
    struct ipr_arena mem = IPR_ARENA_INIT;
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_interchange_game g;
    struct ipr_buf out = IPR_BUF_INIT;

    assert_ok(ipr_interchange_read(ipr_str_c(line), 1, &mem, &g, &err), &err);
    ipr_interchange_write(&out, &g);
    assert_int_equal(out.p[out.n - 1], '\n');
    out.p[out.n - 1] = '\0';
    assert_string_equal(out.p, line);
    ipr_buf_release(&out);
    ipr_arena_release(&mem);
}

static void test_golden(void **state)
{
    (void)state;
    expect_same(LINE);
    char *confirmed = ipr_xstrdup(LINE ",\"confirmed\":" CONFIRMED "}");
    char *end = strstr(confirmed, "},\"confirmed");
    memmove(end, end + 1, strlen(end)); /* within the line */
    expect_same(confirmed);
    free(confirmed);
}

static void test_fields(void **state)
{
    struct ipr_arena mem = IPR_ARENA_INIT;
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_interchange_game g;

    (void)state;
    assert_ok(ipr_interchange_read(IPR_STR(LINE), 1, &mem, &g, &err), &err);
    assert_int_equal(g.n_tags, 3);
    assert_true(ipr_str_is(g.tags[2].name, "Note"));
    assert_true(ipr_str_is(g.tags[2].value, "say \"hi\" \\"));
    assert_int_equal(g.n_moves, 3);
    assert_int_equal(g.result, IPR_RESULT_UNKNOWN);
    assert_false(g.custom_start);
    assert_int_equal(g.sides, 3);
    assert_int_equal(g.judged.n, 3);
    assert_string_equal(g.judge.engine, "Test 1");
    const struct ipr_judged_turn *t = &g.judged.turns[1];
    assert_int_equal(t->lines, 3);
    assert_int_equal(t->mover, IPR_BLACK);
    assert_int_equal(t->score[2], IPR_SCORE_NONE);
    assert_int_equal(t->score[4], -IPR_SCORE_MATE + 3);
    assert_int_equal(t->score[5], IPR_SCORE_MATE - 5);
    assert_int_equal(ipr_judged_final(t, 1), -20);
    assert_int_equal(g.judged.turns[2].nodes, 7);
    ipr_arena_release(&mem);
}

/* `line` with the first `from` replaced by `to`; the caller frees. */
static char *replaced(const char *line, const char *from, const char *to)
{
    const char *at = strstr(line, from);
    struct ipr_buf b = IPR_BUF_INIT;

    if (at == NULL)
        abort();
    ipr_buf_add(&b, line, (size_t)(at - line));
    ipr_buf_puts(&b, to);
    ipr_buf_puts(&b, at + strlen(from));
    return ipr_buf_steal(&b);
}

static struct row {
    const char *name, *from, *to, *type; /* type "": accepted */
    int ply;
} rows[] = {
    { "accepted: legal left out", "\"legal\":20,", "", "", -1 },
    { "accepted: name of the judge left out", "\"name\":\"tiny\",", "", "", -1 },
    { "accepted: network left out", "\"network\":\"\",", "", "", -1 },
    { "accepted: clear left out", "\"clear\":\"position\",", "", "", -1 },
    { "accepted: nodes left out", ",\"nodes\":7", "", "", -1 },
    { "accepted: settled is false", "\"settled\":true", "\"settled\":false", "", -1 },
    { "settled is a number", "\"settled\":true", "\"settled\":1", "bad_evaluation", 2 },
    { "accepted: White only", "," TURN_1, "", "", -1 },
    { "accepted: member that is not ours", "\"result\"", "\"more\":[1.5],\"result\"", "", -1 },
    { "no quotes", "\"result\"", "result", "bad_json", -1 },
    { "member twice", "\"result\":\"*\"", "\"result\":\"*\",\"result\":\"*\"", "bad_json", -1 },
    { "text after the object", "}]}", "}]}x", "bad_json", -1 },
    { "NUL in a text", "\"A\"", "\"A\\u0000\"", "bad_json", -1 },
    { "an array", LINE, "[]", "bad_json", -1 },
    { "no tags", "\"tags\"", "\"Tags\"", "bad_json", -1 },
    { "tag that is no text", "\"A\"", "1", "bad_json", -1 },
    { "tag with a line end", "\"A\"", "\"A\\n[Black \\\"B\\\"]\"", "bad_json", -1 },
    { "tag name with a space", "\"White\"", "\"White \"", "bad_json", -1 },
    { "tag without a name", "\"White\"", "\"\"", "bad_json", -1 },
    { "no result", "\"result\"", "\"Result\"", "bad_json", -1 },
    { "result of nobody", "\"*\"", "\"2-0\"", "bad_json", -1 },
    { "no moves", "\"moves\":\"e2e4", "\"move\":\"e2e4", "bad_json", -1 },
    { "illegal move", "e7e5 e1e2\"", "e7e5 e1e3\"", "illegal_move", 2 },
    { "no move at all", "e7e5 e1e2\"", "e7e5 castles\"", "illegal_move", 2 },
    { "bad FEN", "\"Note\":\"say", "\"FEN\":\"say", "bad_fen", -1 },
    { "no judge", "\"judge\"", "\"jury\"", "bad_judge", -1 },
    { "judge that is not built in", JUDGE, "\"nobody\"", "bad_judge", -1 },
    { "judge with a borrowed name", "\"tiny\"", "\"standard\"", "bad_judge", -1 },
    { "judge without an engine", "\"Test 1\"", "\"\"", "bad_judge", -1 },
    { "judge that remembers", "\"clear\":\"position\"", "\"clear\":\"never\"", "bad_judge", -1 },
    { "judge with two limits", "{\"depth\":2}", "{\"depth\":2,\"nodes\":5}", "bad_judge", -1 },
    { "judge of no depth", "{\"depth\":2}", "{\"depth\":0}", "bad_judge", -1 },
    { "judge of half a line", "\"multipv\":2", "\"multipv\":1.5", "bad_judge", -1 },
    { "judge with a long name", "\"tiny\"", "\"a name of more than thirty-one bytes\"", "bad_judge",
      -1 },
    { "turns that are none", "\"turns\":[", "\"turns\":{},\"x\":[", "bad_json", -1 },
    { "turn that is none", TURN_1, "7", "bad_evaluation", -1 },
    { "ply outside the game", "\"ply\":2", "\"ply\":3", "bad_evaluation", -1 },
    { "ply twice", "\"ply\":1", "\"ply\":0", "bad_evaluation", -1 },
    { "wrong mover", "\"mover\":\"b\"", "\"mover\":\"w\"", "bad_evaluation", 1 },
    { "wrong depth", "\"depth\":2,\"moves\"", "\"depth\":3,\"moves\"", "bad_evaluation", 0 },
    { "wrong number of legal moves", "\"legal\":29", "\"legal\":28", "bad_evaluation", 2 },
    { "played another move", "\"played\":1,\"legal\":29", "\"played\":0,\"legal\":29",
      "bad_evaluation", 2 },
    { "played nothing", "\"played\":1,\"legal\":29", "\"legal\":29", "bad_evaluation", 2 },
    { "illegal line", "\"g1f3\"", "\"g1g3\"", "bad_evaluation", 2 },
    { "line twice", "\"g1f3\"", "\"e1e2\"", "bad_evaluation", 2 },
    { "too few lines", "[\"d2d4\",\"e2e4\"],\"scores\":[[null,30],[20,25]],\"played\":1",
      "[\"e2e4\"],\"scores\":[[20,25]],\"played\":0", "bad_evaluation", 0 },
    { "lines not in order", "[null,30]", "[null,24]", "bad_evaluation", 0 },
    { "too few scores", "[20,25]", "[25]", "bad_evaluation", 0 },
    { "too few lists of scores", ",[20,25]", "", "bad_evaluation", 0 },
    { "score missing at the end", "[20,25]", "[20,null]", "bad_evaluation", 0 },
    { "score with a fraction", "[20,25]", "[20,25.5]", "bad_evaluation", 0 },
    { "score as text", "[20,25]", "[20,\"25\"]", "bad_evaluation", 0 },
    { "score out of range", "[null,30]", "[null,20001]", "bad_evaluation", 0 },
    { "mate in none", "{\"mate\":5}", "{\"mate\":0}", "bad_evaluation", 1 },
    { "mate too far", "{\"mate\":5}", "{\"mate\":247}", "bad_evaluation", 1 },
    { "mate of two kinds", "{\"mate\":5}", "{\"mate\":5,\"cp\":3}", "bad_evaluation", 1 },
    { "nodes below none", "\"nodes\":7", "\"nodes\":-7", "bad_evaluation", 2 },
    { "turn left out", TURN_2, "", "missing_turn", 2 },
};

static void test_row(void **state)
{
    const struct row *r = *state;
    struct ipr_arena mem = IPR_ARENA_INIT;
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_interchange_game g;
    char *line = replaced(LINE, r->from, r->to);
    const enum ipr_code rc = ipr_interchange_read(ipr_str_c(line), 7, &mem, &g, &err);

    assert_string_equal(err.type, r->type);
    assert_int_equal(rc, r->type[0] != '\0' ? IPR_EPARSE : IPR_OK);
    if (rc != IPR_OK) {
        assert_int_equal(err.line, 7);
        assert_int_equal(err.ply, r->ply);
        assert_int_equal(g.n_moves, 0);
    }
    free(line);
    ipr_arena_release(&mem);
}

/* No beginning of a line is taken for the whole. */
static void test_cut(void **state)
{
    (void)state;
    for (size_t n = 0; n < sizeof LINE - 1; n++) {
        struct ipr_arena mem = IPR_ARENA_INIT;
        struct ipr_interchange_game g;
        char *cut = ipr_xmalloc(n);

        memcpy(cut, LINE, n);
        assert_int_equal(ipr_interchange_read((struct ipr_str){ cut, n }, 1, &mem, &g, NULL),
                         IPR_EPARSE);
        free(cut);
        ipr_arena_release(&mem);
    }
}

/* A game from a set-up position, its promotion, castling by the king's two squares. */
#define SET_UP                                                                                     \
    "{\"tags\":{\"White\":\"A\",\"Black\":\"B\",\"SetUp\":\"1\","                                  \
    "\"FEN\":\"4k3/P7/8/8/8/8/8/4K2R w K - 0 40\"},\"result\":\"1-0\","                            \
    "\"moves\":\"a7a8q e8d7 e1g1\",\"judge\":\"standard\",\"turns\":[]}"

static void test_own_start(void **state)
{
    (void)state;
    expect_same(SET_UP);
}

/* A promotion without its piece is no move, and is named as the sender wrote it. */
static void test_lost_promotion(void **state)
{
    struct ipr_arena mem = IPR_ARENA_INIT;
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_interchange_game g;
    char *line = replaced(SET_UP, "a7a8q", "a7a8");

    (void)state;
    assert_int_equal(ipr_interchange_read(ipr_str_c(line), 3, &mem, &g, &err), IPR_EPARSE);
    assert_string_equal(err.type, "illegal_move");
    assert_string_equal(err.msg, "Move 40 of White, a7a8, is not legal.");
    assert_int_equal(err.ply, 0);
    assert_int_equal(g.n_moves, 0);
    assert_int_equal(g.n_tags, 4);
    free(line);
    ipr_arena_release(&mem);
}

/* A game whose start is not in its tags does not lose it. */
static void test_start_without_tag(void **state)
{
    struct ipr_arena mem = IPR_ARENA_INIT;
    struct ipr_interchange_game g = { .custom_start = true, .judge = { .name = "x" } }, back;
    struct ipr_buf out = IPR_BUF_INIT;
    struct ipr_err err = IPR_ERR_INIT;

    (void)state;
    assert_ok(ipr_pos_from_fen(&g.start, IPR_STR("4k3/8/8/8/8/8/8/4K2R b K - 3 40"), &err), &err);
    assert_true(ipr_judge_builtin("quick", &g.judge));
    ipr_interchange_write(&out, &g);
    assert_ok(ipr_interchange_read((struct ipr_str){ out.p, out.n }, 1, &mem, &back, &err), &err);
    assert_true(back.custom_start);
    assert_int_equal(back.start.key, g.start.key);
    assert_int_equal(back.start.fullmove, 40);
    ipr_buf_release(&out);
    ipr_arena_release(&mem);
}

static struct ipr_judge read_judge(const char *text)
{
    struct ipr_judge j = { 0 };
    struct ipr_err err = IPR_ERR_INIT;
    json_t *json = json_loads(text, JSON_DECODE_ANY, NULL);

    assert_ok(ipr_judge_from_json(json, &j, &err), &err);
    json_decref(json);
    return j;
}

#define SETTINGS(depth)                                                                            \
    "\"engine\":\"Stockfish 15.1\",\"network\":\"nn\",\"multipv\":20,\"limit\":{\"depth\":" depth  \
    "},\"threads\":1,\"hash_mb\":16,\"clear\":\"position\",\"first_move\":9}"

static void test_judge_names(void **state)
{
    (void)state;
    assert_string_equal(read_judge("{" SETTINGS("10")).name, "standard");
    assert_string_equal(read_judge("{" SETTINGS("8")).name, "quick");
    assert_string_equal(read_judge("{" SETTINGS("11")).name, "");
    assert_string_equal(read_judge("{\"name\":\"mine\"," SETTINGS("10")).name, "mine");
    assert_string_equal(read_judge("\"deep\"").name, "deep");
    assert_string_equal(read_judge("\"deep\"").engine, "");
    assert_int_equal(read_judge("\"deep\"").depth, 14);
}

/* ---- files judged elsewhere, where they are there ---------------------------------------------
 */

/* Without what a writer may leave out: count of legal moves, name of the judge. */
static json_t *reduced(struct ipr_str line)
{
    json_t *o = json_loadb(line.p, line.n, 0, NULL), *turn;
    size_t i;

    assert_non_null(o);
    json_object_del(json_object_get(o, "judge"), "name");
    json_array_foreach(json_object_get(o, "turns"), i, turn)
        json_object_del(turn, "legal");
    return o;
}

static enum ipr_code check_line(void *payload, struct ipr_str line, uint32_t line_no, bool too_long,
                                struct ipr_err *err)
{
    unsigned *accepted = payload;
    struct ipr_arena mem = IPR_ARENA_INIT;
    struct ipr_interchange_game g;
    struct ipr_buf once = IPR_BUF_INIT, twice = IPR_BUF_INIT;
    struct ipr_err cause = IPR_ERR_INIT;

    (void)err;
    assert_false(too_long);
    assert_ok(ipr_interchange_read(line, line_no, &mem, &g, &cause), &cause);
    (*accepted)++;
    ipr_interchange_write(&once, &g);
    json_t *sent = reduced(line), *written = reduced((struct ipr_str){ once.p, once.n });
    assert_true(json_equal(sent, written));
    json_decref(sent);
    json_decref(written);
    assert_ok(ipr_interchange_read((struct ipr_str){ once.p, once.n }, 1, &mem, &g, &cause),
              &cause);
    ipr_interchange_write(&twice, &g);
    assert_string_equal(once.p, twice.p);
    ipr_buf_release(&once);
    ipr_buf_release(&twice);
    ipr_arena_release(&mem);
    return IPR_OK;
}

/* Reads every game of the file, writes it and reads it back; returns their number. */
static unsigned check_file(const char *path)
{
    const struct ipr_unpack_limits limits = { .max_bytes = 1 << 28 };
    struct ipr_unpack *u = NULL;
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_lines lines;
    unsigned accepted = 0;
    const char *name = NULL;
    char bytes[65536];
    size_t n = 0;
    const int fd = open(path, O_RDONLY | O_CLOEXEC);

    assert_true(fd >= 0);
    ipr_lines_init(&lines, 1 << 24, check_line, &accepted);
    assert_ok(ipr_unpack_open(fd, 0, &limits, &u, &err), &err);
    assert_ok(ipr_unpack_next(u, &name, &err), &err);
    do {
        assert_ok(ipr_unpack_read(u, bytes, sizeof bytes, &n, &err), &err);
        assert_ok(ipr_lines_feed(&lines, bytes, n, &err), &err);
    } while (n > 0);
    assert_ok(ipr_lines_finish(&lines, &err), &err);
    ipr_lines_release(&lines);
    ipr_unpack_close(&u);
    close(fd);
    return accepted;
}

static void test_all_accepted(void **state)
{
    const char *path = ipr_test_shared("data/evaluations/wcc-1921.ndjson.zst");

    (void)state;
    if (path == NULL)
        skip();
    assert_int_equal(check_file(path), 14);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_golden),       cmocka_unit_test(test_fields),
        cmocka_unit_test(test_cut),          cmocka_unit_test(test_own_start),
        cmocka_unit_test(test_judge_names),  cmocka_unit_test(test_start_without_tag),
        cmocka_unit_test(test_all_accepted), cmocka_unit_test(test_lost_promotion),
    };
    struct CMUnitTest row_tests[sizeof rows / sizeof rows[0]] = { 0 };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        row_tests[i].name = rows[i].name;
        row_tests[i].test_func = test_row;
        row_tests[i].initial_state = &rows[i];
    }
    const int failed = cmocka_run_group_tests_name("interchange", tests, NULL, NULL);
    return cmocka_run_group_tests_name("interchange lines", row_tests, NULL, NULL) + failed;
}
