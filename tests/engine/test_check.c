#include "ipr_test.h"

#include <string.h>

#include "engine/check.h"

#define LINES 3

/* Turns of one depth whose lines are the moves 1, 2, 3, … in this order. */
static struct ipr_judged_turn turn(unsigned ply, const ipr_move *moves, const int16_t *scores)
{
    return (struct ipr_judged_turn){
        .ply = (uint16_t)ply, .depth = 1, .lines = LINES, .moves = moves, .score = scores
    };
}

static struct row {
    const char *name;
    int16_t theirs[LINES], ours[LINES];
    double difference;
    bool passed;
} rows[] = {
    { "the same", { 40, 10, -90 }, { 40, 10, -90 }, 0.0, true },
    { "nothing but zeros on both sides", { 0, 0, 0 }, { 0, 0, 0 }, 0.0, true },
    /* Another unit: theirs are three fifths of ours. */
    { "another unit", { 60, 30, -300 }, { 100, 50, -500 + 1 }, 0.3, true },
    /* Clipped, so that far decided moves weigh nothing. */
    { "far beyond", { 2000, 900, -700 }, { 600, 501, -3000 }, 0.0, true },
    { "mates are far beyond", { 31990, 0, -31990 }, { 900, 0, -31000 }, 0.0, true },
    /* No factor: best by least squares would be -1, the least is a half. */
    { "upside down", { 100, 0, -100 }, { -100, 0, 100 }, 100.0, false },
    { "a mate that is none", { 31999, 0, 0 }, { 0, 0, 0 }, 500.0 / 3.0, false },
    { "just good enough", { 0, 0, 0 }, { 150, 0, 0 }, 50.0, true },
    { "not good enough", { 0, 0, 0 }, { 153, 0, 0 }, 51.0, false },
};

static void test_rows(void **state)
{
    static const ipr_move moves[LINES] = { 1, 2, 3 };
    const struct row *r = *state;
    const struct ipr_judged_turn theirs = turn(20, moves, r->theirs);
    const struct ipr_judged_turn ours = turn(20, moves, r->ours);
    struct ipr_check_verdict v;
    struct ipr_err err = IPR_ERR_INIT;

    assert_ok(ipr_check_compare(&theirs, &ours, 1, &v, &err), &err);
    assert_int_equal(v.turns, 1);
    assert_close(v.difference, r->difference, 0.51);
    assert_int_equal(v.passed, r->passed);
}

/* Moves are told by themselves, not by their rank; what one side alone lists is left out. */
static void test_moves(void **state)
{
    static const ipr_move a[LINES] = { 1, 2, 3 }, b[LINES] = { 2, 9, 1 };
    static const int16_t theirs[LINES] = { 80, 40, 30 }, ours[LINES] = { 42, 41, 78 };
    const struct ipr_judged_turn t[2] = { turn(20, a, theirs), turn(21, a, theirs) };
    struct ipr_judged_turn o[2] = { turn(20, b, ours), turn(21, b, ours) };
    struct ipr_check_verdict v = { 7, 7.0, false };

    (void)state;
    assert_int_equal(ipr_check_compare(t, o, 2, &v, NULL), IPR_OK);
    assert_int_equal(v.turns, 2);
    assert_close(v.difference, 2.0, 0.5);
    o[1].ply = 22;
    assert_int_equal(ipr_check_compare(t, o, 2, &v, NULL), IPR_EINVAL);
    assert_int_equal(v.turns, 2); /* untouched */
    assert_int_equal(ipr_check_compare(t, o, 0, &v, NULL), IPR_OK);
    assert_int_equal(v.turns, 0);
    assert_true(v.passed);
}

int main(void)
{
    struct CMUnitTest tests[sizeof rows / sizeof *rows + 1];
    size_t n = 0;

    for (; n < sizeof rows / sizeof *rows; n++)
        tests[n] = (struct CMUnitTest){ rows[n].name, test_rows, NULL, NULL, &rows[n] };
    tests[n++] = (struct CMUnitTest)cmocka_unit_test(test_moves);
    return cmocka_run_group_tests_name("check", tests, NULL, NULL);
}
