/* Figures of a side's moves under networks of human moves, by hand. */
#include "model/strength_human.h"

#include <math.h>

#include "ipr_test.h"

#define PLIES 30

/* Places of figures, in the order of strength_human.c: all moves, those from move 9 on, those
 * before. */
enum {
    MEAN = 0,
    SLOPE = 1,
    AGREEMENT = 4,
    OF_NET = 5,
    LEVEL = 14,
    LATER = 17,
    LATER_LEVEL = LATER + 5 + 18,
    EARLIER = LATER + 5 + 18 + 3,
    MIDDLE = EARLIER + 5 + 3,
    END = MIDDLE + 5
};

/* White's moves have log-probability -1 at the lowest level, and from move 9 on 0.25 less at each
 * next one; the most probable move at all levels is White's first. Black's are forced. */
static void game_make(struct ipr_human_move move[PLIES])
{
    for (size_t ply = 0; ply < PLIES; ply++) {
        move[ply] = (struct ipr_human_move){ .legal = ply % 2 == 0 ? 20 : 1 };
        for (size_t k = 0; k < IPR_HUMAN_NETS; k++) {
            move[ply].log_p[k] = ply < 16 ? -1.F : -1.F - .25F * (float)k;
            move[ply].first[k] = ply == 0;
            move[ply].entropy[k] = 1;
        }
    }
}

static void test_features(void **state)
{
    struct ipr_human_move move[PLIES];
    float x[IPR_HUMAN_FEATURES];

    (void)state;
    game_make(move);
    ipr_human_features(move, PLIES, 0, x);
    assert_close((double)x[MEAN], (8 * -9. + 7 * (-9 - .25 * 36)) / 15, 1e-5);
    assert_close((double)x[SLOPE], 7 * -.25 * 60 / 15, 1e-5);
    assert_close((double)x[AGREEMENT], 9. / 15, 1e-5);
    assert_close((double)x[OF_NET + 8], (8 * -1 + 7 * -3.) / 15, 1e-5);
    assert_close((double)x[LATER], -9 - .25 * 36, 1e-5);
    assert_close((double)x[LATER + 1], -.25 * 60, 1e-4);
    assert_close((double)x[EARLIER], -9, 1e-5);
    /* Seven moves, each by a factor of exp(0.25) less probable a level up. */
    double sum = 0, level = 0;
    for (int k = 0; k < IPR_HUMAN_NETS; k++) {
        sum += exp(-7 * .25 * k);
        level += k * exp(-7 * .25 * k);
    }
    assert_close((double)x[LATER_LEVEL], level / sum, 1e-5);
    assert_close((double)x[LEVEL], level / sum, 1e-5);
    assert_true(isnan(x[END]));
    /* Nothing is known of Black, who had no choice. */
    ipr_human_features(move, PLIES, 1, x);
    for (size_t k = 0; k < IPR_HUMAN_FEATURES; k++)
        assert_true(isnan(x[k]));
}

static void test_add(void **state)
{
    static const struct ipr_boost_tree tree = { .feature = { AGREEMENT, AGREEMENT, AGREEMENT,
                                                             AGREEMENT, AGREEMENT },
                                                .threshold = { .1F, .1F, .1F, .1F, .1F },
                                                .leaf = { [0] = -100, [31] = 250 } };
    const struct ipr_human_model m = { { 1500, 1, &tree }, 1550 };
    struct ipr_strength_score sum = { 0, 0 };
    struct ipr_human_move move[PLIES];

    (void)state;
    game_make(move);
    assert_int_equal(ipr_human_add(&m, move, PLIES, 0, &sum), 7);
    assert_close(sum.score, (1500 + 250 - 1550) / 100., 1e-9);
    assert_close(sum.information, 1, 0);
    assert_int_equal(ipr_human_add(&m, move, PLIES, 1, &sum), 0);
    assert_int_equal(ipr_human_add(&m, move, 16, 0, &sum), 0);
    assert_close(sum.information, 1, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_features),
        cmocka_unit_test(test_add),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
