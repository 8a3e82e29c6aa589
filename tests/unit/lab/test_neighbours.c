/* The formulas of other programs, against values of their own tests and by hand. */
#include <math.h>

#include "ipr_test.h"
#include "lab/pool/neighbours.h"
#include "model/move_mark.h"

#define MOVES 100

/* Evaluations after each move, from White's view. */
static void sides_of(const int *cp, size_t n, struct neighbours_side out[2])
{
    struct neighbours_position at[MOVES + 1] = { { .known = true, .value = NEIGHBOURS_INITIAL } };

    for (size_t i = 0; i < n; i++)
        at[i + 1] = (struct neighbours_position){ .known = true, .value = cp[i] };
    neighbours_sides(at, n, out);
}

static void check_accuracy(const int *cp, size_t n, double white, double black, double within)
{
    struct neighbours_side side[2];

    sides_of(cp, n, side);
    assert_close(side[0].accuracy, white, within);
    assert_close(side[1].accuracy, black, within);
}

/* The values, and what they may differ by, are those of lichess's own test (lila,
 * AccuracyPercentTest). */
static void test_accuracy(void **state)
{
    int cp[MOVES];

    (void)state;
    check_accuracy((const int[]){ 15, 15 }, 2, 100, 100, 1);
    check_accuracy((const int[]){ -900, -900 }, 2, 10, 100, 5);
    check_accuracy((const int[]){ 15, 900 }, 2, 100, 10, 5);
    check_accuracy((const int[]){ -900, 0 }, 2, 10, 10, 5);
    for (size_t i = 0; i < 20; i++)
        cp[i] = 15;
    check_accuracy(cp, 20, 100, 100, 1);
    cp[20] = -900;
    check_accuracy(cp, 21, 50, 100, 5);
    cp[20] = 15;
    cp[21] = 900;
    check_accuracy(cp, 22, 100, 50, 5);
    for (int k = 0; k < 3; k++) {
        static const int low[] = { -50, -135, -435 }, expected[] = { 76, 54, 20 };

        for (size_t i = 0; i < MOVES; i++)
            cp[i] = i % 2 == 0 ? low[k] : 15;
        check_accuracy(cp, MOVES, expected[k], expected[k], 8);
        check_accuracy(cp, 10, expected[k], expected[k], k == 0 ? 8 : 20);
    }
}

/* By hand. 15 cp are 51.3805 per cent and -50 are 45.4103: 5.9702 points, an accuracy of 77.3830.
 * Of one move both means are it. */
static void test_accuracy_by_hand(void **state)
{
    struct neighbours_side side[2];

    (void)state;
    assert_close(ipr_accuracy_of(0), 100, 1e-9);
    assert_close(ipr_accuracy_of(-3), 100, 1e-9);
    assert_close(ipr_accuracy_of(10),
                 103.1668100711649 * exp(-.4354415386753951) - 2.166924740191411, 1e-9);
    assert_close(ipr_accuracy_of(100), 0, 1e-9);
    sides_of((const int[]){ -50, -50, 15, 15 }, 4, side);
    /* White loses 65 and gains, Black loses nothing and 65. */
    assert_close(side[0].loss, 32.5, 1e-9);
    assert_close(side[1].loss, 0, 1e-9);
    sides_of((const int[]){ -50, 15 }, 2, side);
    assert_close(side[0].accuracy, 77.383, .001);
    assert_close(side[1].accuracy, 77.383, .001);
    assert_close(side[1].loss, 65, 1e-9);
    sides_of((const int[]){ 2500, 900 }, 2, side);
    assert_close(side[1].loss, 0, 1e-9);
    assert_close(side[0].loss, 0, 1e-9);
    sides_of((const int[]){ -2500 }, 1, side);
    assert_close(side[0].loss, 1015, 1e-9);
    assert_true(isnan(side[1].accuracy) && isnan(side[1].loss) && isnan(side[1].wintrchess));
}

static void test_ratings(void **state)
{
    (void)state;
    assert_close(neighbours_lichesstools(76.4), 1900, 0);
    assert_close(neighbours_lichesstools(100), 3203, 0);
    assert_close(neighbours_of_loss(0), 3100, 0);
    assert_close(neighbours_of_loss(50), 1880, 0);
    assert_close(neighbours_of_loss(100), 1140, 0);
    /* 87.2 is 1610, less 80 + 3 * 30 + 10, times sqrt(.8) as 25 moves are more than 20. */
    assert_close(neighbours_wintrchess(&(struct neighbours_review){ 87.2, 25, 1, 3, 1 }), 1449, 0);
    /* 99 is 2425; five moves are .95. */
    assert_close(neighbours_wintrchess(&(struct neighbours_review){ 99, 5, 0, 0, 0 }), 2304, 0);
    assert_close(neighbours_wintrchess(&(struct neighbours_review){ 40, 20, 0, 0, 9 }), 300, 0);
}

/* Of mates wintrchess counts moves. */
static void test_mates(void **state)
{
    struct neighbours_position at[3] = { { .known = true, .value = 15 } };
    struct neighbours_side side[2], other[2];

    (void)state;
    /* White allows mate in 2, a blunder, 80 off 800; Black mates: 99.99 (103.16 - 3.17) is 2499.25.
     * One move is .91. */
    at[1] = (struct neighbours_position){ .known = true, .mate = true, .value = -2 };
    at[2] = (struct neighbours_position){ .known = true, .mate = true, .value = 0 };
    neighbours_sides(at, 2, side);
    assert_close(side[0].wintrchess, floor(.5 + .91 * 720), 0);
    assert_close(side[1].wintrchess, 2274, 0);
    assert_close(side[0].loss, 1015, 1e-9);
    /* In three to five moves it is a mistake; forced, nothing. */
    at[1].value = -4;
    neighbours_sides(at, 2, other);
    assert_close(other[0].wintrchess, floor(.5 + .91 * 770), 0);
    at[0].forced = true;
    neighbours_sides(at, 2, other);
    assert_close(other[0].wintrchess, floor(.5 + .91 * 800), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_accuracy),
        cmocka_unit_test(test_accuracy_by_hand),
        cmocka_unit_test(test_ratings),
        cmocka_unit_test(test_mates),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
