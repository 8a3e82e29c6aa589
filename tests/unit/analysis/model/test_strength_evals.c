/* The estimate from one evaluation a position. */
#include <string.h>

#include "ipr_test.h"
#include "model/strength_evals.h"

static struct ipr_strength_turn bare(uint16_t ply, uint8_t legal, int16_t best)
{
    struct ipr_strength_turn t = { .ply = ply, .legal = legal };

    for (size_t line = 0; line < 3; line++)
        for (size_t k = 0; k < IPR_STRENGTH_DEPTHS; k++)
            t.cp[line][k] = IPR_STRENGTH_NONE;
    t.cp[0][IPR_STRENGTH_DEPTHS - 1] = best;
    return t;
}

/* What is rated has the features of what was fitted. */
static void test_features(void **state)
{
    static const int16_t best[] = { -480, -60, 0, 35, 140, 420 };

    (void)state;
    for (size_t i = 0; i < sizeof best / sizeof *best; i++) {
        const struct ipr_strength_turn t =
            bare((uint16_t)(16 + 13 * i), (uint8_t)(2 + 9 * i), best[i]);
        double all[1][IPR_STRENGTH_FEATURES], x[IPR_STRENGTH_FEATURES];

        ipr_strength_features(&t, 1, all);
        ipr_strength_bare_features(&t, x);
        for (size_t k = 0; k < IPR_STRENGTH_FEATURES; k++)
            if (ipr_strength_is_bare(k))
                assert_true(x[k] == all[0][k]);
    }
}

/* No coefficient is of what such evaluations do not tell. */
static void test_no_leak(void **state)
{
    const struct ipr_strength_model *m = &ipr_strength_evals.model;

    (void)state;
    for (size_t step = 0; step < IPR_STRENGTH_STEPS; step++)
        for (size_t k = 0; k < IPR_STRENGTH_FEATURES; k++)
            if (!ipr_strength_is_bare(k))
                assert_true(m->a[step][k] == 0);
}

static struct ipr_strength_score sum_of(const int16_t *losses, size_t n)
{
    struct ipr_strength_score sum = { 0 };

    for (size_t i = 0; i < n; i++) {
        const struct ipr_evals_move m = { .ply = (uint16_t)(20 + 2 * i),
                                          .legal = 30,
                                          .best = 20,
                                          .after = (int16_t)(20 - losses[i]) };
        assert_true(ipr_evals_add(&m, &sum));
    }
    return sum;
}

/* Noise of either sign cancels: what it adds above 0 it takes back below. */
static void test_noise_cancels(void **state)
{
    const struct ipr_evals_move at[] = { { .ply = 20, .legal = 30, .best = 20, .after = -50 },
                                         { .ply = 20, .legal = 30, .best = 20, .after = 90 },
                                         { .ply = 20, .legal = 30, .best = 20, .after = 20 } };
    struct ipr_strength_score both = { 0 }, still = { 0 };

    (void)state;
    assert_true(ipr_evals_add(&at[0], &both) && ipr_evals_add(&at[1], &both));
    assert_true(ipr_evals_add(&at[2], &still) && ipr_evals_add(&at[2], &still));
    assert_float_equal(both.score, still.score, 1e-12);
}

static double rating(const int16_t *losses, size_t n)
{
    const struct ipr_strength_score s = sum_of(losses, n);
    const struct ipr_strength_shipped *e = &ipr_strength_evals;

    return ipr_strength_of_sums(&e->calibration, s.score, s.information, e->prior_mean, e->prior_sd)
        .mean;
}

static void test_greater_losses_lower_the_rating(void **state)
{
    int16_t good[60] = { 0 }, bad[60] = { 0 };

    (void)state;
    for (size_t i = 0; i < 60; i++) {
        good[i] = (int16_t)(i % 4 == 0 ? 15 : 0);
        bad[i] = (int16_t)(i % 4 == 0 ? 120 : 10);
    }
    assert_true(rating(good, 60) > rating(bad, 60) + 100);
}

/* The interval never shrinks below what is not known of depth and settings. */
static void test_interval_covers_unknown_depth(void **state)
{
    const struct ipr_strength_shipped *e = &ipr_strength_evals;
    const struct ipr_strength_estimate s =
        ipr_strength_of_sums(&e->calibration, -1e6, 1e6, e->prior_mean, e->prior_sd);

    (void)state;
    assert_true(e->calibration.spread.game == 0);
    assert_true(s.sd > 60);
}

static void test_what_counts(void **state)
{
    static const struct ipr_evals_move not [] = {
        { .ply = 15, .legal = 30 },                   /* before move 9 */
        { .ply = 20, .legal = 1 },                    /* forced */
        { .ply = 20, .legal = 30, .repeated = true }, /* again */
        { .ply = 20, .legal = 30, .best = 501 },      /* decided */
    };

    (void)state;
    for (size_t i = 0; i < sizeof not / sizeof *not ; i++) {
        struct ipr_strength_score sum = { 0 };

        assert_false(ipr_evals_add(&not [i], &sum));
        assert_true(sum.information == 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_features),
        cmocka_unit_test(test_no_leak),
        cmocka_unit_test(test_noise_cancels),
        cmocka_unit_test(test_greater_losses_lower_the_rating),
        cmocka_unit_test(test_interval_covers_unknown_depth),
        cmocka_unit_test(test_what_counts),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
