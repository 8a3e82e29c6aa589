/* Where a game turned. */
#include <math.h>

#include "ipr_test.h"
#include "model/turning.h"

#define MOVES 8

/* The loser has the odd half-moves, and each lost what the winner's score rose by. */
static struct ipr_turning turning(const double expected[MOVES + 1])
{
    double lost[MOVES];

    for (size_t i = 0; i < MOVES; i++) {
        const double rise = expected[i + 1] - expected[i];

        lost[i] = i % 2 == 0 ? NAN : fmax(isnan(rise) ? 0 : rise, 0);
    }
    return ipr_turning_of(expected, lost, MOVES);
}

static void assert_turning(const double expected[MOVES + 1], enum ipr_turning_kind kind,
                           size_t from, size_t to)
{
    const struct ipr_turning t = turning(expected);

    assert_int_equal(t.kind, kind);
    assert_int_equal(t.from, from);
    assert_int_equal(t.to, to);
}

/* The larger loss came back, so the smaller one that did not is the turn. */
static void test_what_came_back_is_no_turn(void **state)
{
    (void)state;
    assert_turning((const double[]){ .5, .5, .9, .5, .5, .5, .8, .8, .9 }, IPR_TURNING_AT_MOVE, 5,
                   5);
    assert_turning((const double[]){ .5, .5, .7, .7, .8, .8, .9, .9, .9 }, IPR_TURNING_AT_MOVE, 1,
                   1);
}

static void test_decline(void **state)
{
    (void)state;
    assert_turning((const double[]){ .5, .5, .56, .56, .63, .63, .70, .70, .78 },
                   IPR_TURNING_DECLINE, 1, 7);
}

/* Slightly better for long, then the loser lost it all at once. */
static void test_blunder_after_a_decline(void **state)
{
    (void)state;
    assert_turning((const double[]){ .5, .5, .56, .56, .62, .62, .62, .62, .97 },
                   IPR_TURNING_AT_MOVE, 7, 7);
}

static void test_none(void **state)
{
    (void)state;
    assert_turning((const double[]){ .5, .5, .5, .5, .5, .5, .5, .5, .5 }, IPR_TURNING_NONE, 0, 0);
    assert_turning((const double[]){ .5, .5, .9, .9, .9, .5, .5, .5, .5 }, IPR_TURNING_NONE, 0, 0);
    assert_turning((const double[]){ .7, .7, .8, .8, .8, .8, .8, .9, .9 }, IPR_TURNING_NONE, 0, 0);
    assert_turning((const double[]){ NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN },
                   IPR_TURNING_NONE, 0, 0);
}

/* The first moves are not analysed, nor is one between. */
static void test_unknown(void **state)
{
    (void)state;
    assert_turning((const double[]){ NAN, NAN, .5, .5, NAN, .5, .8, .8, NAN }, IPR_TURNING_AT_MOVE,
                   5, 5);
    assert_turning((const double[]){ NAN, NAN, .5, .5, NAN, .8, .8, .8, NAN }, IPR_TURNING_AT_MOVE,
                   3, 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_came_back_is_no_turn),
        cmocka_unit_test(test_decline),
        cmocka_unit_test(test_blunder_after_a_decline),
        cmocka_unit_test(test_none),
        cmocka_unit_test(test_unknown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
