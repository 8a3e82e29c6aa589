/* Stripping leaves the value of each position, and nothing else. */
#include <stdlib.h>

#include "base/mem.h"
#include "ipr_test.h"
#include "lab/evals.h"

#define LAST (IPR_STRENGTH_DEPTHS - 1)

static struct ipr_strength_turn turn(uint16_t ply, int16_t best, int16_t second, int16_t played)
{
    struct ipr_strength_turn t = { .ply = ply,
                                   .legal = 25,
                                   .check = true,
                                   .pieces = { 20, 21 },
                                   .pawns = { 7, 6 },
                                   .kind = { 1, 2 } };

    for (size_t k = 0; k < IPR_STRENGTH_DEPTHS; k++) {
        t.cp[0][k] = (int16_t)(best + (int)(LAST - k));
        t.cp[1][k] = second;
        t.cp[2][k] = played;
    }
    return t;
}

static void expect_stripped(const struct ipr_strength_turn *t, int best, int played)
{
    assert_int_equal(t->cp[0][LAST], best);
    assert_int_equal(t->cp[2][LAST], played);
    for (size_t k = 0; k < LAST; k++)
        assert_true(t->cp[0][k] == IPR_STRENGTH_NONE && t->cp[2][k] == IPR_STRENGTH_NONE);
    for (size_t k = 0; k <= LAST; k++)
        assert_true(t->cp[1][k] == IPR_STRENGTH_NONE);
    assert_true(t->legal == 25 && !t->check &&
                t->pieces[0] + t->pieces[1] + t->pawns[0] + t->pawns[1] + t->kind[0] + t->kind[1] ==
                    0);
}

static void test_strip(void **state)
{
    struct ipr_strength_turn turns[] = { turn(16, 30, 20, 25), turn(17, -10, -40, -40),
                                         turn(18, 55, 50, 55), turn(16, 5, 0, 5) };
    struct bench_side side[] = { { .game = 0 }, { .game = 0 }, { .game = 1 }, { .game = 1 } };
    size_t of[] = { 0, 1, 0, 2 };
    const struct bench_data d = {
        .side = side, .n_sides = 4, .turn = turns, .of = of, .n_turns = 4
    };
    struct bench_data out;

    (void)state;
    bench_evals_strip(&d, IPR_STRENGTH_DEPTHS, &out); /* the next position's value */
    assert_int_equal(out.n_turns, 2);
    expect_stripped(&out.turn[0], 30, 10);
    expect_stripped(&out.turn[1], -10, -55);
    assert_true(out.side[0].moves == 1 && out.side[1].moves == 1 && out.side[2].moves == 0);
    bench_evals_free(&out);

    bench_evals_strip(&d, 9, &out); /* the better line of a lesser depth */
    expect_stripped(&out.turn[0], 31, 9);
    bench_evals_free(&out);

    bench_evals_strip(&d, 0, &out); /* both from one search */
    assert_int_equal(out.n_turns, 2);
    expect_stripped(&out.turn[0], 30, 25);
    bench_evals_free(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_strip) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
