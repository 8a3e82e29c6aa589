#include "view/rating/trace.h"

#include <stdlib.h>

#include "ipr_test.h"

#define NONE   IPR_SCORE_NONE
#define LINES  3
#define DEPTHS 4
#define U      IPR_FIRST_UNKNOWN
#define N      IPR_FIRST_NO
#define Y      IPR_FIRST_YES

static const struct row {
    const char *name;
    unsigned lines, multipv, lowest;
    int16_t score[LINES * DEPTHS];
    unsigned best;
    uint8_t first[DEPTHS];
} rows[] = {
    { "found at once, and kept", 2, 2, 1, { 10, 11, 12, 13, 9, 8, 7, 6 }, 0, { Y, Y, Y, Y } },
    { "found late", 2, 2, 1, { 1, 2, 30, 40, 10, 11, 12, 13 }, 0, { N, N, Y, Y } },
    { "lost and found again", 2, 2, 1, { 5, 1, 5, 40, 4, 4, 4, 4 }, 0, { Y, N, Y, Y } },
    { "level with another: the first of them",
      2,
      2,
      1,
      { 5, 5, 5, 5, 5, 5, 5, 5 },
      0,
      { Y, Y, Y, Y } },
    { "not among the lines of a depth",
      2,
      2,
      1,
      { NONE, NONE, 5, 5, 1, 1, 1, 1 },
      0,
      { N, N, Y, Y } },
    { "another is not among them", 2, 2, 1, { 5, 5, 5, 5, 9, NONE, NONE, 1 }, 0, { N, Y, Y, Y } },
    { "nobody of the final lines was there",
      2,
      2,
      1,
      { NONE, 5, 5, 5, NONE, 1, 1, 1 },
      0,
      { N, Y, Y, Y } },
    { "shallow depths were not recorded",
      2,
      2,
      3,
      { NONE, NONE, 5, 5, NONE, NONE, 1, 1 },
      0,
      { U, U, Y, Y } },
    { "a mate is more than any evaluation",
      2,
      2,
      1,
      { 0, 0, 31995, 31995, 900, 20000, 20000, 20000 },
      0,
      { N, N, Y, Y } },
    { "the move played, judged apart, is the best",
      3,
      2,
      1,
      { 5, 5, 5, 5, 1, 1, 1, 1, 0, 9, 4, 6 },
      2,
      { N, Y, N, Y } },
    { "judged apart and level: behind",
      3,
      2,
      1,
      { 5, 5, 5, 5, 1, 1, 1, 1, 9, 4, 4, 5 },
      0,
      { N, Y, Y, Y } },
    { "one line is no list", 1, 1, 1, { 5, NONE, 5, 5 }, 0, { U, U, U, U } },
    { "one line and the move played", 2, 1, 1, { 5, 5, 5, 5, 1, 1, 1, 1 }, 0, { U, U, U, U } },
};

static struct ipr_judged_turn turn_of(const struct row *r)
{
    static const ipr_move moves[LINES] = { 0 }; /* which ones does not matter */

    return (struct ipr_judged_turn){
        .depth = DEPTHS, .lines = (uint8_t)r->lines, .legal = 30, .moves = moves, .score = r->score
    };
}

static void a_turn_and_its_trace(void **state)
{
    const struct row *r = *state;
    const struct ipr_judged_turn t = turn_of(r);
    struct ipr_arena mem = IPR_ARENA_INIT;
    struct ipr_trace trace;

    ipr_trace_of(&t, r->multipv, r->lowest, &mem, &trace);
    assert_int_equal(trace.depths, DEPTHS);
    for (unsigned d = 0; d < DEPTHS; d++) {
        assert_int_equal(trace.score[d], r->score[r->best * DEPTHS + d]);
        assert_int_equal(trace.first[d], r->first[d]);
    }
    ipr_arena_release(&mem);
}

/* Sullivan's indicator of two of them: 28 cp gained at depth 3; first from the first depth on. */
static void an_indicator_comes_out(void **state)
{
    struct ipr_arena mem = IPR_ARENA_INIT;
    struct ipr_complexity c;
    struct ipr_trace trace;

    (void)state;
    const struct ipr_judged_turn late = turn_of(&rows[1]), at_once = turn_of(&rows[0]);
    ipr_trace_of(&late, 2, 1, &mem, &trace);
    ipr_complexity(&trace, &c);
    assert_true(c.known[IPR_COMPLEXITY_SULLIVAN]);
    assert_close(c.value[IPR_COMPLEXITY_SULLIVAN], 28.0 * 3.0 / 10.0, 1e-12);
    assert_close(c.value[IPR_COMPLEXITY_JUMP_DEPTH], 2.0, 0.0);
    ipr_trace_of(&at_once, 2, 1, &mem, &trace);
    ipr_complexity(&trace, &c);
    assert_true(c.known[IPR_COMPLEXITY_SULLIVAN]);
    assert_close(c.value[IPR_COMPLEXITY_SULLIVAN], 0.0, 0.0);
    /* Not seen at the depth before: not known, rather than none. */
    const struct ipr_judged_turn unseen = turn_of(&rows[4]);
    ipr_trace_of(&unseen, 2, 1, &mem, &trace);
    ipr_complexity(&trace, &c);
    assert_false(c.known[IPR_COMPLEXITY_SULLIVAN]);
    ipr_arena_release(&mem);
}

static void the_lowest_depth_recorded(void **state)
{
    const struct ipr_judged_turn turns[] = { turn_of(&rows[7]), turn_of(&rows[4]) };
    const int16_t nothing[LINES * DEPTHS] = { NONE, NONE, NONE, NONE };
    struct ipr_judged_turn figures = turn_of(&rows[4]);
    const struct ipr_judged_turn silent = { .depth = DEPTHS, .lines = 1, .score = nothing };

    (void)state;
    assert_int_equal(ipr_trace_lowest(turns, 0), 0);
    assert_int_equal(ipr_trace_lowest(&silent, 1), 0);
    assert_int_equal(ipr_trace_lowest(turns, 1), 3);
    assert_int_equal(ipr_trace_lowest(turns, 2), 1);
    figures.moves = NULL; /* of a game without moves */
    assert_int_equal(ipr_trace_lowest(&figures, 1), 0);
}

#define N_ROWS (sizeof rows / sizeof rows[0])

int main(void)
{
    struct CMUnitTest tests[N_ROWS + 2];

    for (size_t i = 0; i < N_ROWS; i++)
        tests[i] = (struct CMUnitTest){ rows[i].name, a_turn_and_its_trace, NULL, NULL,
                                        (void *)(uintptr_t)&rows[i] };
    tests[N_ROWS] = (struct CMUnitTest)cmocka_unit_test(an_indicator_comes_out);
    tests[N_ROWS + 1] = (struct CMUnitTest)cmocka_unit_test(the_lowest_depth_recorded);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
