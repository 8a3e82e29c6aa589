#include "ipr_test.h"

#include <string.h>

#include "engine/check.h"

#define LINES 3

/* What one side says of a turn: these moves in this order, with these scores at the last depth. */
struct side {
    struct ipr_judged_turn turn;
    int16_t score[LINES * IPR_DEPTH_MAX];
};

static void say(struct side *s, unsigned ply, unsigned depth, const ipr_move *moves,
                const int16_t *scores)
{
    *s = (struct side){ .turn = { .ply = (uint16_t)ply,
                                  .depth = (uint8_t)depth,
                                  .lines = LINES,
                                  .moves = moves,
                                  .score = s->score } };
    for (unsigned i = 0; i < LINES; i++)
        s->score[(i + 1) * depth - 1] = scores[i];
}

static struct row {
    const char *name;
    unsigned depth;
    int16_t theirs[LINES], ours[LINES];
    double difference;
    bool passed;
} rows[] = {
    { "the same", 10, { 40, 10, -90 }, { 40, 10, -90 }, 0.0, true },
    { "nothing but zeros on both sides", 10, { 0, 0, 0 }, { 0, 0, 0 }, 0.0, true },
    /* Another unit: theirs are three fifths of ours. */
    { "another unit", 10, { 60, 30, -300 }, { 100, 50, -500 + 1 }, 0.3, true },
    /* Clipped, so that far decided moves weigh nothing. */
    { "far beyond", 10, { 2000, 900, -700 }, { 600, 501, -3000 }, 0.0, true },
    { "mates are far beyond", 10, { 31990, 0, -31990 }, { 900, 0, -31000 }, 0.0, true },
    /* No factor: best by least squares would be -1, the least is a half. */
    { "upside down", 10, { 100, 0, -100 }, { -100, 0, 100 }, 100.0, false },
    { "a mate that is none", 10, { 31999, 0, 0 }, { 0, 0, 0 }, 500.0 / 3.0, false },
    { "just good enough", 10, { 0, 0, 0 }, { 150, 0, 0 }, 50.0, true },
    { "not good enough", 10, { 0, 0, 0 }, { 153, 0, 0 }, 51.0, false },
    { "a shallow search may be further off", 7, { 0, 0, 0 }, { 300, 0, 0 }, 100.0, true },
    { "but not as far", 7, { 0, 0, 0 }, { 303, 0, 0 }, 101.0, false },
    { "depth 8 is none", 8, { 0, 0, 0 }, { 153, 0, 0 }, 51.0, false },
};

static void test_rows(void **state)
{
    static const ipr_move moves[LINES] = { 1, 2, 3 };
    const struct row *r = *state;
    struct side theirs, ours;
    struct ipr_check_verdict v;
    struct ipr_err err = IPR_ERR_INIT;

    say(&theirs, 20, r->depth, moves, r->theirs);
    say(&ours, 20, r->depth, moves, r->ours);
    assert_ok(ipr_check_compare(&theirs.turn, &ours.turn, 1, &v, &err), &err);
    assert_int_equal(v.turns, 1);
    assert_close(v.difference, r->difference, 0.51);
    assert_int_equal(v.passed, r->passed);
}

/* Moves are compared by name, not by rank; what only one side lists is left out. */
static void test_moves(void **state)
{
    static const ipr_move a[LINES] = { 1, 2, 3 }, b[LINES] = { 2, 9, 1 };
    static const int16_t theirs[LINES] = { 80, 40, 30 }, ours[LINES] = { 42, 41, 78 };
    struct side one, other;
    struct ipr_judged_turn t[2], o[2];
    struct ipr_check_verdict v = { 7, 7.0, false };

    (void)state;
    say(&one, 20, 10, a, theirs);
    say(&other, 20, 10, b, ours);
    t[0] = t[1] = one.turn;
    o[0] = o[1] = other.turn;
    t[1].ply = o[1].ply = 21;
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
