/* Features of one side of a game: what was lost where, by hand; unknown evaluations; openings. */
#include "model/strength_side.h"

#include <math.h>
#include <string.h>

#include "ipr_test.h"

#define PLIES 24

/* Places of features, in the order of strength_side.c. */
enum { LOSS = 0, LOSS_AT_MOST_300 = 1, WON = 4, LOST = 6, ABOVE_0 = 9, ABOVE_100 = 13 };
#define AFTER_MEANS 90
#define MOVES_KNOWN (AFTER_MEANS + 7 + 5 + 7)

/* White moves a pawn to e4 and plays knights after it; each of Black's moves loses half a pawn,
 * from move 9 on one more of White's loses two pawns. */
static void game_make(struct ipr_side_move move[PLIES])
{
    int16_t cp = 20;

    for (size_t ply = 0; ply < PLIES; ply++) {
        if (ply % 2 == 1)
            cp = (int16_t)(cp + 50);
        if (ply == 18)
            cp = (int16_t)(cp - 200);
        move[ply] = (struct ipr_side_move){ .cp = cp,
                                            .kind = (uint16_t)((ply > 1 ? 1u : 0u) << 6),
                                            .to = (uint8_t)(20 + ply) };
    }
}

static void test_features(void **state)
{
    struct ipr_side_move move[PLIES];
    struct ipr_side_features white, black;

    (void)state;
    game_make(move);
    ipr_side_features(move, PLIES, 0, &white);
    ipr_side_features(move, PLIES, 1, &black);
    /* Before its moves from ply 16 on the evaluation is 420, 470, 320, 370: none is beyond 500. */
    assert_int_equal(white.moves, 4);
    assert_close(white.x[LOSS], 50, 1e-4);
    assert_close(white.x[ABOVE_0], .25, 1e-6);
    assert_close(white.x[ABOVE_100], .25, 1e-6);
    assert_close(black.x[LOSS], 50, 1e-4);
    assert_close(black.x[ABOVE_0], 1, 1e-6);
    assert_close(black.x[ABOVE_100], 0, 1e-6);
    assert_close(white.x[WON], 0, 0);
    assert_true(black.x[LOST] > white.x[LOST] && white.x[LOST] > 0);
    assert_close(white.x[MOVES_KNOWN], PLIES / 2, 0);
}

/* A position without an evaluation makes two moves unknown, one of each side, and no other. */
static void test_unknown(void **state)
{
    struct ipr_side_move move[PLIES];
    struct ipr_side_features f;

    (void)state;
    game_make(move);
    move[18].cp = IPR_STRENGTH_NONE;
    ipr_side_features(move, PLIES, 0, &f);
    assert_close(f.x[MOVES_KNOWN], PLIES / 2 - 1, 0);
    assert_close(f.x[LOSS], 0, 0);
    ipr_side_features(move, PLIES, 1, &f);
    assert_close(f.x[MOVES_KNOWN], PLIES / 2 - 1, 0);
    for (size_t ply = 0; ply < PLIES; ply++)
        move[ply].cp = IPR_STRENGTH_NONE;
    ipr_side_features(move, PLIES, 0, &f);
    assert_int_equal(f.moves, 0);
    assert_true(isnan(f.x[LOSS]));
}

static void test_openings(void **state)
{
    struct ipr_side_move move[PLIES];
    struct ipr_side_features a, b;

    (void)state;
    game_make(move);
    ipr_side_features(move, PLIES, 0, &a);
    move[1].to = 60; /* the other side's moves do not matter */
    ipr_side_features(move, PLIES, 0, &b);
    assert_memory_equal(a.opening, b.opening, sizeof a.opening);
    move[4].to = 0; /* the third own move */
    ipr_side_features(move, PLIES, 0, &b);
    assert_memory_equal(a.opening, b.opening, 2 * sizeof *a.opening);
    assert_true(a.opening[2] != b.opening[2]);
    ipr_side_features(move, 3, 0, &b); /* two own moves only */
    assert_int_equal(b.opening[1], a.opening[1]);
    assert_int_equal(b.opening[2], 0);

    struct ipr_side_opening table[2] = { { a.opening[0], 12 }, { a.opening[3], -7 } };

    if (table[0].key > table[1].key) {
        const struct ipr_side_opening first = table[0];

        table[0] = table[1];
        table[1] = first;
    }
    ipr_side_look_up(table, 2, &a);
    const float *const x = a.x + IPR_SIDE_FEATURES - IPR_SIDE_OPENINGS;

    assert_close(x[0], 12, 0);
    assert_close(x[1], 0, 0);
    assert_close(x[3], -7, 0);
}

/* The sums of sides give back the mean of what the trees say. */
static void test_add(void **state)
{
    const struct ipr_boost_tree tree = { .feature = { LOSS },
                                         .threshold = { 49, 1e9F, 1e9F, 1e9F, 1e9F },
                                         .leaf = { 80, -80 } };
    const struct ipr_side_model m = { .boost = { 1500, 1, &tree }, .mean = 1600 };
    struct ipr_strength_score sum = { 0, 0 };
    struct ipr_side_move move[PLIES];
    struct ipr_side_features f;

    (void)state;
    game_make(move);
    ipr_side_features(move, PLIES, 0, &f);
    assert_true(ipr_side_add(&m, &f, &sum));
    assert_close(sum.score / sum.information, -1.8, 1e-6);
    ipr_side_features(move, 10, 0, &f); /* no move counts before the ninth */
    assert_false(ipr_side_add(&m, &f, &sum));
    assert_close(sum.information, 1, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_features),
        cmocka_unit_test(test_unknown),
        cmocka_unit_test(test_openings),
        cmocka_unit_test(test_add),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
