/* The parts of the moves in a rating: they add up to it, whatever the moves. */
#include "model/strength_parts.h"

#include <gsl/gsl_rng.h>

#include "base/mem.h"
#include "ipr_test.h"
#include "model/strength_shipped.h"

#define MOVES 600

struct move {
    double score, information;
};

/* Moves of a player whose mean score per information is z. */
static void moves_draw(gsl_rng *rng, double z, struct move *m, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        m[i].information = 0.01 + 0.04 * gsl_rng_uniform(rng);
        m[i].score = m[i].information * z + (gsl_rng_uniform(rng) - 0.5) / 2;
    }
}

static struct ipr_strength_parts parts_of(const struct move *m, size_t n, double elo,
                                          struct move *sum)
{
    const struct ipr_strength_shipped *s = &ipr_strength_shipped;

    *sum = (struct move){ 0, 0 };
    for (size_t i = 0; i < n; i++) {
        sum->score += m[i].score;
        sum->information += m[i].information;
    }
    return ipr_strength_parts(&s->calibration, sum->score, sum->information, elo, s->prior_mean,
                              s->prior_sd);
}

static double rating_of(const struct move *sum)
{
    const struct ipr_strength_shipped *s = &ipr_strength_shipped;

    return ipr_strength_of_sums(&s->calibration, sum->score, sum->information, s->prior_mean,
                                s->prior_sd)
        .mean;
}

static void test_sum(void **state)
{
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    struct move m[MOVES], sum;

    (void)state;
    for (double z = -2; z <= 2; z += 0.5)
        for (size_t n = 1; n <= MOVES; n = n * 5 + 1) {
            double all = 0;

            moves_draw(rng, z, m, n);
            const struct ipr_strength_parts p = parts_of(m, n, 2283, &sum);
            for (size_t i = 0; i < n; i++)
                all += ipr_strength_part(&p, m[i].score, m[i].information);
            assert_close(p.to, rating_of(&sum), 1e-9);
            assert_close(all, p.to - p.from, 1e-6);
        }
    gsl_rng_free(rng);
}

/* Moves that score what players of the reference are expected to have no part, and better ones a
 * part above 0. */
static void test_reference(void **state)
{
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    struct move m[MOVES], sum;

    (void)state;
    moves_draw(rng, 1, m, MOVES);
    const struct ipr_strength_parts p = parts_of(m, MOVES, 2283, &sum);
    assert_close(p.z0, ipr_strength_curve_at(&ipr_strength_shipped.calibration.curve, 2283), 1e-12);
    assert_close(ipr_strength_part(&p, 0.03 * p.z0, 0.03), 0, 1e-12);
    assert_true(ipr_strength_part(&p, 0.03 * p.z0 + 0.01, 0.03) > 0);
    assert_true(ipr_strength_part(&p, 0.03 * p.z0 - 0.01, 0.03) < 0);
    gsl_rng_free(rng);
}

/* The sum of the scores is that of the reference: the slope is the limit of the chords. */
static void test_at_reference(void **state)
{
    const struct ipr_strength_shipped *s = &ipr_strength_shipped;
    const double z0 = ipr_strength_curve_at(&s->calibration.curve, 2283), w = 15;
    const struct ipr_strength_parts at =
        ipr_strength_parts(&s->calibration, z0 * w, w, 2283, s->prior_mean, s->prior_sd);
    const struct ipr_strength_parts near =
        ipr_strength_parts(&s->calibration, (z0 + 0.01) * w, w, 2283, s->prior_mean, s->prior_sd);

    (void)state;
    assert_close(at.to, at.from, 1e-9);
    assert_close(at.slope / near.slope, 1, 0.01);
}

/* Beside leaving a move out: of many moves of players near the reference both measure the same. */
static void test_beside_leaving_out(void **state)
{
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    struct move m[MOVES], sum;

    (void)state;
    moves_draw(rng, ipr_strength_curve_at(&ipr_strength_shipped.calibration.curve, 2300), m, MOVES);
    const struct ipr_strength_parts p = parts_of(m, MOVES, 2283, &sum);
    for (size_t i = 0; i < MOVES; i++) {
        const struct move rest = { sum.score - m[i].score, sum.information - m[i].information };

        assert_close(ipr_strength_part(&p, m[i].score, m[i].information), p.to - rating_of(&rest),
                     1.5);
    }
    gsl_rng_free(rng);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sum),
        cmocka_unit_test(test_reference),
        cmocka_unit_test(test_at_reference),
        cmocka_unit_test(test_beside_leaving_out),
    };

    return cmocka_run_group_tests_name("strength_parts", tests, NULL, NULL);
}
