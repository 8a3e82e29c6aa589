#include "ipr_test.h"

#include <stdio.h>
#include <stdlib.h>

#include "uci/parse.h"

static struct row {
    const char *line;
    struct ipr_uci_line want;
} rows[] = {
    { "uciok", { .kind = IPR_UCI_UCIOK } },
    { "  readyok \r", { .kind = IPR_UCI_READYOK } },
    { "readyokay", { .kind = IPR_UCI_OTHER } },
    { "", { .kind = IPR_UCI_OTHER } },
    { " \t ", { .kind = IPR_UCI_OTHER } },
    { "Stockfish 15.1 by the Stockfish developers", { .kind = IPR_UCI_OTHER } },
    { "id name  Stockfish 15.1 ", { .kind = IPR_UCI_ID_NAME, .text = { "Stockfish 15.1", 14 } } },
    { "id name", { .kind = IPR_UCI_BAD } },
    { "id author name", { .kind = IPR_UCI_OTHER } },
    { "id", { .kind = IPR_UCI_OTHER } },
    { "option name Debug Log File type string default ",
      { .kind = IPR_UCI_OPTION, .name = { "Debug Log File", 14 } } },
    { "option name EvalFile type string default nn-ad9b42354671.nnue",
      { .kind = IPR_UCI_OPTION,
        .name = { "EvalFile", 8 },
        .text = { "nn-ad9b42354671.nnue", 20 } } },
    { "option name SyzygyPath type string default <empty>",
      { .kind = IPR_UCI_OPTION, .name = { "SyzygyPath", 10 } } },
    { "option name MultiPV type spin default 1 min 1 max 500",
      { .kind = IPR_UCI_OPTION,
        .name = { "MultiPV", 7 },
        .text = { "1", 1 },
        .lo = 1,
        .hi = 500 } },
    { "option name Style type spin default 1.5 min one max 18446744073709551615",
      { .kind = IPR_UCI_OPTION,
        .name = { "Style", 5 },
        .text = { "1.5", 3 },
        .lo = INT64_MIN,
        .hi = INT64_MAX } },
    { "option name Clear Hash type button",
      { .kind = IPR_UCI_OPTION, .name = { "Clear Hash", 10 } } },
    { "option name type spin", { .kind = IPR_UCI_OTHER } },
    { "option name", { .kind = IPR_UCI_OTHER } },
    { "bestmove e2e4 ponder e7e5", { .kind = IPR_UCI_BESTMOVE, .move = { "e2e4", 4 } } },
    { "bestmove (none)", { .kind = IPR_UCI_BESTMOVE, .move = { "(none)", 6 } } },
    { "bestmove", { .kind = IPR_UCI_BAD } },
    { "info depth 3 seldepth 2 multipv 2 score cp -44 nodes 267 nps 133500 hashfull 0 tbhits 0 "
      "time 2 pv c7c5 b1c3",
      { .kind = IPR_UCI_INFO,
        .depth = 3,
        .multipv = 2,
        .has_score = true,
        .score = -44,
        .has_nodes = true,
        .nodes = 267,
        .move = { "c7c5", 4 } } },
    { "info depth 9 multipv 1 score mate -3 pv a1a2",
      { .kind = IPR_UCI_INFO,
        .depth = 9,
        .multipv = 1,
        .has_score = true,
        .mate = true,
        .score = -3,
        .move = { "a1a2", 4 } } },
    { "info score cp 5 lowerbound depth 4",
      { .kind = IPR_UCI_INFO, .depth = 4, .has_score = true, .score = 5, .bound = IPR_UCI_LOWER } },
    { "info score cp 5 upperbound",
      { .kind = IPR_UCI_INFO, .has_score = true, .score = 5, .bound = IPR_UCI_UPPER } },
    { "info depth 10 currmove e2e4 currmovenumber 1", { .kind = IPR_UCI_INFO, .depth = 10 } },
    { "info string depth 3 score cp 4 pv e2e4", { .kind = IPR_UCI_OTHER } },
    { "info", { .kind = IPR_UCI_INFO } },
    { "info new_word 7 depth 2", { .kind = IPR_UCI_INFO, .depth = 2 } },
    { "info depth", { .kind = IPR_UCI_BAD } },
    { "info depth -1", { .kind = IPR_UCI_BAD } },
    { "info depth 0x10", { .kind = IPR_UCI_BAD } },
    { "info depth 99999999999999999999", { .kind = IPR_UCI_BAD } },
    { "info multipv 1001", { .kind = IPR_UCI_BAD } },
    { "info score", { .kind = IPR_UCI_BAD } },
    { "info score wdl 1 2 3", { .kind = IPR_UCI_BAD } },
    { "info score cp", { .kind = IPR_UCI_BAD } },
    { "info score cp 1e3", { .kind = IPR_UCI_BAD } },
    { "info score cp 9999999", { .kind = IPR_UCI_BAD } },
    { "info score mate nan", { .kind = IPR_UCI_BAD } },
    { "info nodes -5 time 1.5 depth 2", { .kind = IPR_UCI_INFO, .depth = 2 } },
    { "info depth 2 time 4294967295",
      { .kind = IPR_UCI_INFO, .depth = 2, .has_time = true, .time_ms = UINT32_MAX } },
    { "info time 4294967296", { .kind = IPR_UCI_INFO } },
    { "info nodes 9223372036854775808", { .kind = IPR_UCI_INFO } },
    { "info pv", { .kind = IPR_UCI_INFO } },
    { "info depth 14 seldepth 25 multipv 1 score cp 130 upperbound time 2642 nodes 5 nps 2 pv ",
      { .kind = IPR_UCI_INFO,
        .depth = 14,
        .multipv = 1,
        .has_score = true,
        .score = 130,
        .bound = IPR_UCI_UPPER,
        .has_nodes = true,
        .nodes = 5,
        .has_time = true,
        .time_ms = 2642 } },
    { "info pv \x01\xff\x80", { .kind = IPR_UCI_INFO, .move = { "\x01\xff\x80", 3 } } },
};

static void same_text(struct ipr_str got, struct ipr_str want)
{
    assert_int_equal(got.n, want.n);
    if (got.n > 0)
        assert_memory_equal(got.p, want.p, got.n);
}

static void test_row(void **state)
{
    const struct row *r = *state;
    const struct ipr_uci_line *want = &r->want;
    struct ipr_uci_line got;

    ipr_uci_parse(ipr_str_c(r->line), &got);
    assert_int_equal(got.kind, want->kind);
    if (want->kind == IPR_UCI_BAD || want->kind == IPR_UCI_OTHER)
        return;
    same_text(got.name, want->name);
    same_text(got.text, want->text);
    same_text(got.move, want->move);
    if (want->hi != 0) {
        assert_int_equal(got.lo, want->lo);
        assert_int_equal(got.hi, want->hi);
    }
    assert_int_equal(got.depth, want->depth);
    assert_int_equal(got.multipv, want->multipv);
    assert_int_equal(got.has_score, want->has_score);
    assert_int_equal(got.mate, want->mate);
    assert_int_equal(got.score, want->score);
    assert_int_equal(got.bound, want->bound);
    assert_int_equal(got.has_nodes, want->has_nodes);
    assert_int_equal(got.nodes, want->nodes);
    if (want->has_time) {
        assert_true(got.has_time);
        assert_int_equal(got.time_ms, want->time_ms);
    }
}

/* A zero byte is an ordinary byte of a word, and the text need not be terminated. */
static void test_zero_bytes(void **state)
{
    struct ipr_uci_line got;

    (void)state;
    ipr_uci_parse((struct ipr_str){ "uciok\0", 6 }, &got);
    assert_int_equal(got.kind, IPR_UCI_OTHER);
    ipr_uci_parse((struct ipr_str){ "info depth 1\0 2", 15 }, &got);
    assert_int_equal(got.kind, IPR_UCI_BAD);
    ipr_uci_parse((struct ipr_str){ "uciokxyz", 5 }, &got);
    assert_int_equal(got.kind, IPR_UCI_UCIOK);
}

/* Every beginning of every line is read within its bounds: exact heap copies, for ASan. */
static void test_truncations(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        for (size_t n = 0; n <= strlen(rows[i].line); n++) {
            char *copy = malloc(n + (n == 0));
            struct ipr_uci_line got;

            assert_non_null(copy);
            memcpy(copy, rows[i].line, n);
            ipr_uci_parse((struct ipr_str){ copy, n }, &got);
            free(copy);
        }
    }
}

#define N (sizeof rows / sizeof rows[0])

int main(void)
{
    struct CMUnitTest tests[N + 2];

    for (size_t i = 0; i < N; i++)
        tests[i] = (struct CMUnitTest){ .name = rows[i].line,
                                        .test_func = test_row,
                                        .initial_state = &rows[i] };
    tests[N] = (struct CMUnitTest)cmocka_unit_test(test_zero_bytes);
    tests[N + 1] = (struct CMUnitTest)cmocka_unit_test(test_truncations);
    return cmocka_run_group_tests_name("uci/parse", tests, NULL, NULL);
}
