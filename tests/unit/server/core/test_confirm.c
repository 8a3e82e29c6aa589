/* Which moves of a game are searched again. */
#include "core/confirm.h"
#include "ipr_test.h"

#define MOVES     12
#define SACRIFICE 8 /* its half-move */

/* The bishop takes a pawn on f7 and is taken: White has two pawns less. */
static const char *const played[MOVES] = { "e2e4", "e7e5", "g1f3", "d7d6", "f1c4", "g8f6",
                                           "e1g1", "f8e7", "c4f7", "e8f7", "d2d4", "b8c6" };

/* Selects by the evaluations, in centipawns of the mover, of the best move and of that played. */
static size_t selected(const int16_t (*said)[2], const struct ipr_judged_game *confirmed,
                       struct ipr_confirm_choice at[MOVES])
{
    ipr_move moves[MOVES], line[MOVES][2];
    struct ipr_judged_turn turns[MOVES];
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_pos start, pos;

    ipr_pos_start(&start);
    pos = start;
    for (size_t i = 0; i < MOVES; i++) {
        ipr_move legal[IPR_MAX_MOVES];
        const size_t n = ipr_pos_legal(&pos, legal);

        assert_ok(ipr_move_from_uci(&pos, (struct ipr_str){ played[i], 4 }, &moves[i], &err), &err);
        line[i][0] = legal[legal[0] == moves[i]];
        line[i][1] = moves[i];
        turns[i] = (struct ipr_judged_turn){ .ply = (uint16_t)i,
                                             .mover = (uint8_t)(i & 1),
                                             .depth = 1,
                                             .lines = 2,
                                             .played = 1,
                                             .legal = (uint8_t)n,
                                             .moves = line[i],
                                             .score = said[i] };
        ipr_pos_play(&pos, moves[i]);
    }
    return ipr_confirm_select(&start, moves, MOVES, &(const struct ipr_judged_game){ turns, MOVES },
                              confirmed, at);
}

static const struct ipr_judged_game none = { NULL, 0 };

/* 40 centipawns near equality are .087 expected points, 30 are .065. */
static void test_losses_and_sacrifices(void **state)
{
    static const int16_t said[MOVES][2] = { { 0, 0 },   { 0, -40 }, { 40, 40 }, { -40, -40 },
                                            { 40, 10 }, { -10, 0 }, { 0, 0 },   { 0, 0 },
                                            { 0, 0 },   { 0, 0 },   { 0, 0 },   { 0, 0 } };
    struct ipr_confirm_choice at[MOVES];

    (void)state;
    assert_int_equal(selected(said, &none, at), 2);
    assert_int_equal(at[0].ply, 1);
    assert_int_equal(at[1].ply, SACRIFICE);
    assert_false(at[0].drifts || at[1].drifts);
}

/* White's evaluation falls by a pawn from the third half-move on, though no move lost anything. */
static void test_drift(void **state)
{
    static const int16_t said[MOVES][2] = { { 0, 0 },       { 0, 0 },       { 0, 0 },
                                            { 40, 40 },     { -70, -70 },   { 100, 100 },
                                            { -100, -100 }, { 100, 100 },   { -100, -100 },
                                            { 100, 100 },   { -100, -100 }, { 100, 100 } };
    struct ipr_confirm_choice at[MOVES];

    (void)state;
    assert_int_equal(selected(said, &none, at), 2);
    assert_int_equal(at[0].ply, 0);
    assert_true(at[0].drifts && !at[1].drifts);
    assert_int_equal(at[1].ply, SACRIFICE);
}

/* One position is thought to be worse for White, who is to move, than those on either side. */
static void test_leap(void **state)
{
    static const int16_t said[MOVES][2] = { { 0, 0 }, { 0, 0 }, { 0, 0 }, { 0, 0 }, { -60, -60 } };
    struct ipr_confirm_choice at[MOVES];

    (void)state;
    assert_int_equal(selected(said, &none, at), 2);
    assert_int_equal(at[0].ply, 4);
    assert_false(at[0].drifts);
    assert_int_equal(at[1].ply, SACRIFICE);
}

/* A deep search finds Black better before the seventh half-move, so that the sixth was not as good
 * for White as the short one says: that of the fifth, then, once the sixth is known to be no
 * better. */
static void test_contradiction(void **state)
{
    static const int16_t said[MOVES][2] = { { 0 } };
    static const int16_t black[2] = { -60, -60 }, white[2] = { 60, 60 };
    static const ipr_move lines[2] = { 1, 2 };
    struct ipr_judged_turn deep[2] = {
        { .ply = 5, .mover = IPR_BLACK, .depth = 1, .lines = 2, .moves = lines, .score = white },
        { .ply = 6, .mover = IPR_WHITE, .depth = 1, .lines = 2, .moves = lines, .score = black },
    };
    struct ipr_confirm_choice at[MOVES];

    (void)state;
    assert_int_equal(selected(said, &(const struct ipr_judged_game){ &deep[1], 1 }, at), 2);
    assert_int_equal(at[0].ply, 5);
    assert_true(at[0].drifts);
    assert_int_equal(at[1].ply, SACRIFICE);
    assert_int_equal(selected(said, &(const struct ipr_judged_game){ deep, 2 }, at), 2);
    assert_int_equal(at[0].ply, 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_losses_and_sacrifices),
                                        cmocka_unit_test(test_drift), cmocka_unit_test(test_leap),
                                        cmocka_unit_test(test_contradiction) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
