#include "ipr_test.h"

#include <stdlib.h>

#include "uci/judge.h"

static const ipr_move moves[3] = { 12 | 28 << 6, 0x8000 | 4 | 7 << 6, 52 | 60 << 6 | 4 << 12 };
static const int16_t score[6] = { -20000, 31999, IPR_SCORE_NONE, 20, -31754, 25 };
static const struct ipr_judged_turn turn = {
    .ply = 40, .depth = 2, .lines = 3, .moves = moves, .score = score
};

static enum ipr_code unpack(const struct ipr_buf *b, size_t n, struct ipr_judged_turn *out)
{
    struct ipr_arena mem = IPR_ARENA_INIT;
    char *copy = malloc(n + (n == 0)); /* exact, so that ASan sees a byte too far */
    struct ipr_judged_turn t = *out;

    assert_non_null(copy);
    memcpy(copy, b->p, n);
    const enum ipr_code rc = ipr_judged_unpack((struct ipr_str){ copy, n }, &mem, &t, NULL);
    if (rc != IPR_OK)
        assert_memory_equal(&t, out, sizeof t);
    free(copy);
    ipr_arena_release(&mem);
    return rc;
}

static void test_round_trip(void **state)
{
    struct ipr_buf b = IPR_BUF_INIT;
    struct ipr_arena mem = IPR_ARENA_INIT;
    struct ipr_judged_turn got = { .ply = 7, .played = 1, .nodes = 5 };
    struct ipr_err err = IPR_ERR_INIT;

    (void)state;
    ipr_judged_pack(&turn, &b);
    assert_int_equal(b.n, 3 + 2 * 3 + 2 * 6);
    assert_memory_equal(b.p, "\x01\x03\x02\x0c\x07", 5); /* e2e4 is 12 | 28 << 6 = 0x070c */
    assert_ok(ipr_judged_unpack((struct ipr_str){ b.p, b.n }, &mem, &got, &err), &err);
    assert_int_equal(got.lines, 3);
    assert_int_equal(got.depth, 2);
    assert_memory_equal(got.moves, moves, sizeof moves);
    assert_memory_equal(got.score, score, sizeof score);
    assert_int_equal(got.ply, 7); /* columns beside the blob stay */
    assert_int_equal(got.played, 1);
    assert_int_equal(got.nodes, 5);
    assert_false(got.settled);

    struct ipr_judged_turn settled = turn;
    settled.settled = true;
    b.n = 0;
    ipr_judged_pack(&settled, &b);
    assert_memory_equal(b.p, "\x02\x03\x02\x0c\x07", 5);
    assert_ok(ipr_judged_unpack((struct ipr_str){ b.p, b.n }, &mem, &got, &err), &err);
    assert_true(got.settled);
    assert_memory_equal(got.score, score, sizeof score);
    ipr_arena_release(&mem);
    ipr_buf_release(&b);
}

static void test_length(void **state)
{
    struct ipr_buf b = IPR_BUF_INIT;
    struct ipr_judged_turn t = { .ply = 7 };

    (void)state;
    ipr_judged_pack(&turn, &b);
    const size_t n = b.n;
    for (size_t i = 0; i < n; i++)
        assert_int_equal(unpack(&b, i, &t), IPR_EPARSE);
    ipr_buf_putc(&b, 0);
    assert_int_equal(unpack(&b, n, &t), IPR_OK);
    assert_int_equal(unpack(&b, n + 1, &t), IPR_EPARSE);
    ipr_buf_release(&b);
}

static struct row {
    const char *name;
    size_t at;
    unsigned char byte, byte2;
} rows[] = {
    { "version 0", 0, 0, 3 },
    { "version 3", 0, 3, 3 },
    { "no lines", 1, 0, 2 },
    { "more lines", 1, 4, 2 },
    { "no depth", 2, 0, 0x0c },
    { "more depth", 2, 3, 0x0c },
    { "move none", 3, 0, 0 },
    { "from is to", 3, 0x0c, 0x03 },
    { "promotion 5", 3, 0x0c, 0x57 },
    { "castling promotion", 3, 0x0c, 0x97 },
    { "move twice", 3, 4 | 0xc0, 0x81 },
    { "score 20001", 9, 0x21, 0x4e },
    { "score 32000", 9, 0x00, 0x7d },
    { "final score none", 11, 0x00, 0x80 },
    { "second line above the first", 15, 0xff, 0x7c }, /* mate in 1 too, but see below */
};

static void test_row(void **state)
{
    const struct row *r = *state;
    struct ipr_buf b = IPR_BUF_INIT;
    struct ipr_judged_turn t = { .ply = 7 };

    ipr_judged_pack(&turn, &b);
    if (r->at == 15) { /* the first line's final score, mate in 1, becomes 20 */
        b.p[11] = 19;
        b.p[12] = 0;
    }
    b.p[r->at] = (char)r->byte;
    b.p[r->at + 1] = (char)r->byte2;
    assert_int_equal(unpack(&b, b.n, &t), IPR_EPARSE);
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
        if (ipr_judged_unpack((struct ipr_str){ b.p, b.n }, &mem, &t, NULL) == IPR_OK) {
            ipr_judged_pack(&t, &again);
            assert_int_equal(again.n, b.n);
            assert_memory_equal(again.p, b.p, b.n);
        }
        ipr_arena_release(&mem);
        ipr_buf_release(&again);
        ipr_buf_release(&b);
    }
}

#define N (sizeof rows / sizeof rows[0])

int main(void)
{
    struct CMUnitTest tests[N + 3] = { cmocka_unit_test(test_round_trip),
                                       cmocka_unit_test(test_length),
                                       cmocka_unit_test(test_noise) };

    for (size_t i = 0; i < N; i++)
        tests[3 + i] = (struct CMUnitTest){ .name = rows[i].name,
                                            .test_func = test_row,
                                            .initial_state = &rows[i] };
    return cmocka_run_group_tests_name("uci/judged_blob", tests, NULL, NULL);
}
