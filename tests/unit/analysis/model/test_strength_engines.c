/* Equations between engines: which row an engine has, what it does to scores, and its error. */
#include "model/strength_engines.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "ipr_test.h"
#include "model/strength_shipped.h"

static const struct ipr_strength_engine *unknown(void)
{
    return ipr_strength_engine_of("No such engine", "");
}

static void test_rows(void **state)
{
    const struct ipr_strength_engine *const own =
        ipr_strength_engine_of(IPR_STRENGTH_ENGINE, IPR_STRENGTH_NETWORK);
    const struct ipr_strength_engine *of;

    (void)state;
    assert_true(ipr_strength_engine_is_own(own) && ipr_strength_engine_is_known(own));
    assert_false(ipr_strength_engine_is_known(unknown()));
    assert_false(ipr_strength_engine_is_own(unknown()));
    of = ipr_strength_engine_of("Stockfish dev-20290101-nogit", "");
    assert_false(ipr_strength_engine_is_known(of) || of == unknown());
    assert_ptr_equal(ipr_strength_engine_of(IPR_STRENGTH_ENGINE, "another.nnue"), of);
    assert_ptr_equal(ipr_strength_engine_of("Stockfishing 1", ""), unknown());
    for (size_t i = 0; (of = ipr_strength_engine_at(i)) != NULL; i++) {
        char longer[128];

        assert_ptr_equal(ipr_strength_engine_of(of->name, of->network), of);
        snprintf(longer, sizeof longer, "%s 64 POPCNT", of->name);
        assert_ptr_equal(ipr_strength_engine_of(longer, of->network), of);
        snprintf(longer, sizeof longer, "%s.9", of->name);
        assert_false(ipr_strength_engine_is_known(ipr_strength_engine_of(longer, of->network)));
        assert_false(
            ipr_strength_engine_is_known(ipr_strength_engine_of(of->name, "another.nnue")));
    }
    assert_non_null(ipr_strength_engine_at(2)); /* two others at least */
}

/* The sum of equated scores is the equated sum, and z is shift + scale z. */
static void test_scores(void **state)
{
    const struct ipr_strength_score a = { .3, .02 }, b = { -.1, .05 };
    const struct ipr_strength_score sum = { a.score + b.score, a.information + b.information };
    const struct ipr_strength_engine *of;

    (void)state;
    for (size_t i = 0; (of = ipr_strength_engine_at(i)) != NULL; i++) {
        const struct ipr_strength_score x = ipr_strength_equate(of, a),
                                        y = ipr_strength_equate(of, b),
                                        both = ipr_strength_equate(of, sum);

        assert_close(x.score + y.score, both.score, 1e-12);
        assert_close(x.information + y.information, both.information, 1e-12);
        assert_close(both.score / both.information,
                     of->shift + of->scale * sum.score / sum.information, 1e-12);
    }
    of = ipr_strength_engine_at(0);
    assert_close(ipr_strength_equate(of, a).score, a.score, 0);
    assert_close(ipr_strength_equate(of, a).information, a.information, 0);
}

/* An engine adds its error to a rating, one that is not in the table the widest. */
static void test_errors(void **state)
{
    const struct ipr_strength_shipped *const s = &ipr_strength_shipped;
    const double information = 40;
    const struct ipr_strength_engine *of;

    (void)state;
    for (double z = -1.5; z <= 1.5; z += .5) {
        const struct ipr_strength_estimate own =
            ipr_strength_rating(s, 0, z * information, information, s->prior_mean, s->prior_sd);
        const struct ipr_strength_estimate widest =
            ipr_strength_rating(s, ipr_strength_equation_error(unknown(), z), z * information,
                                information, s->prior_mean, s->prior_sd);

        for (size_t i = 0; (of = ipr_strength_engine_at(i)) != NULL; i++) {
            const struct ipr_strength_estimate e =
                ipr_strength_rating(s, ipr_strength_equation_error(of, z), z * information,
                                    information, s->prior_mean, s->prior_sd);

            assert_true(i == 0 ? e.sd == own.sd : e.sd > own.sd);
            assert_true(e.raw == own.raw && e.raw_hi - e.raw_lo >= own.raw_hi - own.raw_lo);
            assert_true(widest.sd >= e.sd);
        }
    }
}

/* Of one engine a mix has its error; of two the mean of theirs, weighted by information, or less.
 */
static void test_mixes(void **state)
{
    const struct ipr_strength_engine *const a = ipr_strength_engine_at(1), *const b = unknown();

    (void)state;
    for (double z = -1.5; z <= 1.5; z += .5) {
        struct ipr_strength_mix mix = { 0 };
        const double of_a = ipr_strength_equation_error(a, z);
        const double mean = .4 * of_a + .6 * ipr_strength_equation_error(b, z);

        assert_close(ipr_strength_mix_error(&mix, 0, z), 0, 0);
        ipr_strength_mix_add(&mix, a, 20);
        assert_close(ipr_strength_mix_error(&mix, 20, z), of_a, 1e-12);
        ipr_strength_mix_add(&mix, b, 30);
        assert_true(ipr_strength_mix_error(&mix, 50, z) <= mean + 1e-12);
        assert_true(ipr_strength_mix_error(&mix, 50, z) > .8 * mean);
        ipr_strength_mix_add(&mix, ipr_strength_engine_at(0), 50);
        assert_close(mix.other, 50, 0);
        assert_close(mix.unknown, 30, 0);
        ipr_strength_mix_add(&mix, b, -30);
        assert_close(ipr_strength_mix_error(&mix, 70, z), of_a * 20 / 70, 1e-12);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows),
        cmocka_unit_test(test_scores),
        cmocka_unit_test(test_errors),
        cmocka_unit_test(test_mixes),
    };

    return cmocka_run_group_tests_name("strength_engines", tests, NULL, NULL);
}
