/* Evaluations as they are written after a move. */
#include "ipr_test.h"
#include "view/game.h"

static struct row {
    const char *name;
    uint8_t mover;
    int16_t score; /* of the move played, mover's view, before it */
    bool evaluated, mate;
    int32_t value;
} rows[] = {
    { "White is better", IPR_WHITE, 23, true, false, 23 },
    { "Black is better", IPR_BLACK, 23, true, false, -23 },
    { "Black is worse", IPR_BLACK, -150, true, false, 150 },
    { "level", IPR_BLACK, 0, true, false, 0 },
    { "White mates in three, the move one of them", IPR_WHITE, IPR_SCORE_MATE - 3, true, true, 2 },
    { "Black mates in three", IPR_BLACK, IPR_SCORE_MATE - 3, true, true, -2 },
    { "White is mated in three, all to come", IPR_WHITE, -IPR_SCORE_MATE + 3, true, true, -3 },
    { "Black is mated in one", IPR_BLACK, -IPR_SCORE_MATE + 1, true, true, 1 },
    { "the move mates", IPR_WHITE, IPR_SCORE_MATE - 1, false, false, 0 },
};

static void test_row(void **state)
{
    const struct row *r = *state;
    const int16_t score[] = { 900, 900, IPR_SCORE_NONE, r->score };
    const struct ipr_judged_turn t = {
        .mover = r->mover, .depth = 2, .lines = 2, .played = 1, .score = score
    };
    bool mate;
    int32_t value;

    assert_int_equal(ipr_eval_after(&t, &mate, &value), r->evaluated);
    if (r->evaluated) {
        assert_int_equal(mate, r->mate);
        assert_int_equal(value, r->value);
    }
}

int main(void)
{
    enum { N_ROWS = sizeof rows / sizeof *rows };
    struct CMUnitTest tests[N_ROWS] = { 0 };

    for (size_t i = 0; i < N_ROWS; i++)
        tests[i] = (struct CMUnitTest){ .name = rows[i].name,
                                        .test_func = test_row,
                                        .initial_state = &rows[i] };
    return cmocka_run_group_tests_name("evaluation after a move", tests, NULL, NULL);
}
