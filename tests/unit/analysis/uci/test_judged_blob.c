#include "ipr_test.h"

#include <stdlib.h>

#include "uci/judge.h"

static const ipr_move moves[3] = { 12 | 28 << 6, 0x8000 | 4 | 7 << 6, 52 | 60 << 6 | 4 << 12 };
static const int16_t score[6] = { -20000, 31999, IPR_SCORE_NONE, 20, -31754, 25 };
static const struct ipr_judged_turn turn = { .ply = 40,
                                             .depth = 2,
                                             .lines = 3,
                                             .played = 1,
                                             .nodes = 300,
                                             .apart_nodes = 5,
                                             .moves = moves,
                                             .score = score };

static enum ipr_code unpack(const char *p, size_t n, struct ipr_judged_turn *out)
{
    struct ipr_arena mem = IPR_ARENA_INIT;
    char *copy = malloc(n + (n == 0)); /* exact, so that ASan sees a byte too far */
    struct ipr_judged_turn t = *out;
    struct ipr_str rest = { copy, n };

    assert_non_null(copy);
    memcpy(copy, p, n);
    const enum ipr_code rc = ipr_judged_unpack(&rest, &mem, &t, NULL);
    if (rc != IPR_OK) {
        assert_memory_equal(&t, out, sizeof t);
        assert_int_equal(rest.n, n);
    }
    free(copy);
    ipr_arena_release(&mem);
    return rc;
}

static void assert_turn(const struct ipr_judged_turn *got)
{
    assert_int_equal(got->lines, 3);
    assert_int_equal(got->depth, 2);
    assert_int_equal(got->played, 1);
    assert_int_equal(got->nodes, 300);
    assert_int_equal(got->apart_nodes, 5);
    assert_memory_equal(got->moves, moves, sizeof moves);
    assert_memory_equal(got->score, score, sizeof score);
    assert_int_equal(got->ply, 7); /* members that are not in the bytes are unchanged */
}

/* Two turns in a row, the second one settled. */
static void test_round_trip(void **state)
{
    struct ipr_buf b = IPR_BUF_INIT;
    struct ipr_arena mem = IPR_ARENA_INIT;
    struct ipr_judged_turn got = { .ply = 7 }, settled = turn;
    struct ipr_err err = IPR_ERR_INIT;

    (void)state;
    settled.settled = true;
    ipr_judged_pack(&turn, &b);
    /* 300 is 2 * 128 + 44; e2e4 is 12 | 28 << 6 = 0x070c */
    assert_memory_equal(b.p, "\x03\x03\x02\x01\xac\x02\x05\x0c\x07", 9);
    ipr_judged_pack(&settled, &b);
    struct ipr_str rest = { b.p, b.n };
    assert_ok(ipr_judged_unpack(&rest, &mem, &got, &err), &err);
    assert_turn(&got);
    assert_false(got.settled);
    assert_int_equal(rest.n, b.n / 2);
    assert_ok(ipr_judged_unpack(&rest, &mem, &got, &err), &err);
    assert_turn(&got);
    assert_true(got.settled);
    assert_int_equal(rest.n, 0);
    ipr_arena_release(&mem);
    ipr_buf_release(&b);
}

/* The format of databases with a row for each turn, as the migration assembles it. */
static void test_row_format(void **state)
{
    static const char bytes[] = "\x02\x03\x02" /* settled */
                                "\x0c\x07\xc4\x81\x34\x4f"
                                "\xe0\xb1\xff\x7c\x00\x80\x14\x00\xf6\x83\x19\x00"
                                "\x01"
                                "\0\0\0\0\0\0\x01\x2c\0\0\0\0\0\0\0\x05";
    struct ipr_arena mem = IPR_ARENA_INIT;
    struct ipr_judged_turn got = { .ply = 7 };
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_str rest = { bytes, sizeof bytes - 1 };

    (void)state;
    assert_ok(ipr_judged_unpack(&rest, &mem, &got, &err), &err);
    assert_turn(&got);
    assert_true(got.settled);
    assert_int_equal(rest.n, 0);
    for (size_t n = 0; n < sizeof bytes - 1; n++)
        assert_int_equal(unpack(bytes, n, &got), IPR_EPARSE);
    ipr_arena_release(&mem);
}

/* Each depth takes a byte if the score changes little. */
static void test_size(void **state)
{
    static const int16_t calm[20] = { 30, 31, 35, 28, 25, 60, 44, 30, 31, 31,
                                      20, 25, 27, 20, 3,  50, 41, 22, 18, 12 };
    const struct ipr_judged_turn t = {
        .depth = 10, .lines = 2, .nodes = 30000, .moves = moves, .score = calm
    };
    struct ipr_buf b = IPR_BUF_INIT;

    (void)state;
    ipr_judged_pack(&t, &b);
    assert_int_equal(b.n, 4 + 3 + 1 + 2 * 2 + 20);
    ipr_buf_release(&b);
}

static void test_length(void **state)
{
    struct ipr_buf b = IPR_BUF_INIT;
    struct ipr_judged_turn t = { .ply = 7 };

    (void)state;
    ipr_judged_pack(&turn, &b);
    for (size_t i = 0; i < b.n; i++)
        assert_int_equal(unpack(b.p, i, &t), IPR_EPARSE);
    assert_int_equal(unpack(b.p, b.n, &t), IPR_OK);
    ipr_buf_release(&b);
}

static struct row {
    const char *name;
    enum { BYTE, MOVE, SCORE } what;
    size_t at;
    int value;
} rows[] = {
    { "version 0", BYTE, 0, 0 },
    { "version 5", BYTE, 0, 5 },
    { "no lines", BYTE, 1, 0 },
    { "more lines", BYTE, 1, 4 },
    { "no depth", BYTE, 2, 0 },
    { "more depth", BYTE, 2, 3 },
    { "a move played that has no line", BYTE, 3, 3 },
    { "a number with a byte too many", BYTE, 5, 0 },
    { "move none", MOVE, 0, 0 },
    { "from is to", MOVE, 0, 12 | 12 << 6 },
    { "promotion 5", MOVE, 0, 12 | 28 << 6 | 5 << 12 },
    { "castling promotion", MOVE, 0, 0x8000 | 12 | 28 << 6 | 1 << 12 },
    { "move twice", MOVE, 0, 0x8000 | 4 | 7 << 6 },
    { "score 20001", SCORE, 0, 20001 },
    { "score 32000", SCORE, 0, 32000 },
    { "final score none", SCORE, 1, IPR_SCORE_NONE },
    { "second line above the first", SCORE, 1, 19 },
};

static void test_row(void **state)
{
    const struct row *r = *state;
    ipr_move changed_moves[3];
    int16_t changed[6];
    struct ipr_buf b = IPR_BUF_INIT;
    struct ipr_judged_turn t = { .ply = 7 }, bad = turn;

    bad.moves = memcpy(changed_moves, moves, sizeof moves);
    bad.score = memcpy(changed, score, sizeof score);
    if (r->what == MOVE)
        changed_moves[r->at] = (ipr_move)r->value;
    if (r->what == SCORE)
        changed[r->at] = (int16_t)r->value;
    ipr_judged_pack(&bad, &b);
    if (r->what == BYTE)
        b.p[r->at] = (char)r->value;
    assert_int_equal(unpack(b.p, b.n, &t), IPR_EPARSE);
    ipr_buf_release(&b);
}

/* Any bytes at all: refused, or packed again to the same. */
static void test_noise(void **state)
{
    uint32_t seed = 1;

    (void)state;
    for (int i = 0; i < 20000; i++) {
        struct ipr_buf b = IPR_BUF_INIT, again = IPR_BUF_INIT;
        struct ipr_arena mem = IPR_ARENA_INIT;
        struct ipr_judged_turn t = { 0 };

        ipr_judged_pack(&turn, &b);
        for (int k = 0; k < 3; k++) {
            seed = seed * 1664525 + 1013904223;
            b.p[(seed >> 8) % b.n] = (char)(seed >> 24);
        }
        struct ipr_str rest = { b.p, b.n };

        if (b.p[0] > 2 && ipr_judged_unpack(&rest, &mem, &t, NULL) == IPR_OK) {
            ipr_judged_pack(&t, &again);
            assert_int_equal(again.n, b.n - rest.n);
            assert_memory_equal(again.p, b.p, again.n);
        }
        ipr_arena_release(&mem);
        ipr_buf_release(&again);
        ipr_buf_release(&b);
    }
}

#define N (sizeof rows / sizeof rows[0])

int main(void)
{
    struct CMUnitTest tests[N + 5] = { cmocka_unit_test(test_round_trip),
                                       cmocka_unit_test(test_row_format),
                                       cmocka_unit_test(test_size), cmocka_unit_test(test_length),
                                       cmocka_unit_test(test_noise) };

    for (size_t i = 0; i < N; i++)
        tests[5 + i] = (struct CMUnitTest){ .name = rows[i].name,
                                            .test_func = test_row,
                                            .initial_state = &rows[i] };
    return cmocka_run_group_tests_name("uci/judged_blob", tests, NULL, NULL);
}
