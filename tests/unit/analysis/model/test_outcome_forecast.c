/* The interval of the score of a match: exact cases, limits, and its coverage of simulated scores.
 */
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>

#include "ipr_test.h"
#include "model/outcome_forecast.h"
#include "model/results_shipped.h"

static const struct ipr_outcome_model *const shipped = &ipr_results_shipped.outcome;

static struct ipr_outcome_score score(struct ipr_outcome_forecast f)
{
    struct ipr_outcome_score s;
    struct ipr_err err = IPR_ERR_INIT;

    assert_ok(ipr_outcome_forecast(shipped, &f, &s, &err), &err);
    return s;
}

/* 95 % interval of an expected score, of strengths d apart with that standard error. */
static struct ipr_outcome_forecast forecast(double d, double se, unsigned games)
{
    const double level = 2650, year = 1985, half = IPR_Z95 * se;

    return (struct ipr_outcome_forecast){
        .expected = ipr_outcome_expected(shipped, d, level, year),
        .interval = { ipr_outcome_expected(shipped, d - half, level, year),
                      ipr_outcome_expected(shipped, d + half, level, year) },
        .level = level,
        .year = year,
        .games = games
    };
}

/* One game is won, drawn or lost; its variance is E (1 - E) - D/4. */
static void test_one_game(void **state)
{
    const struct ipr_outcome_score s = score(forecast(60, 0, 1));
    const double e = ipr_outcome_expected(shipped, 60, 2650, 1985);

    (void)state;
    assert_close(s.mean, e, 1e-6);
    assert_close(s.outcome.win + s.outcome.draw / 2, e, 1e-6);
    assert_close(s.outcome.draw, s.draws, 1e-9);
    assert_close(s.sd * s.sd, e * (1 - e) - s.draws / 4, 1e-6);
    assert_close(s.interval.lo, 0, 0);
    assert_close(s.interval.hi, 1, 0);
}

/* Given the strengths the variance of a mean of n games is an n-th. White's advantage, which makes
 * it a little smaller, is part of the games. */
static void test_many_games(void **state)
{
    const struct ipr_outcome_score one = score(forecast(40, 0, 1)),
                                   many = score(forecast(40, 0, 24));

    (void)state;
    assert_close(many.mean, one.mean, 1e-9);
    assert_true(many.sd < one.sd / sqrt(24));
    assert_close(many.sd, one.sd / sqrt(24), .03 * many.sd);
    assert_close(many.outcome.win + many.outcome.draw + many.outcome.loss, 1, 1e-9);
    assert_true(many.outcome.win > many.outcome.loss);
}

/* With very many games chance is gone: the interval is that of the expected score, also where that
 * is wider on one side. */
static void test_tends_to_the_expected_score(void **state)
{
    struct ipr_outcome_forecast f = forecast(50, 60, 1000);

    (void)state;
    assert_close(score(f).interval.lo, f.interval.lo, .008);
    assert_close(score(f).interval.hi, f.interval.hi, .008);
    f.interval.hi = ipr_outcome_expected(shipped, 300, f.level, f.year);
    assert_close(score(f).interval.lo, f.interval.lo, .008);
    assert_close(score(f).interval.hi, f.interval.hi, .008);
}

/* Exchanging the players mirrors it, for odd numbers, too. */
static void test_mirror(void **state)
{
    (void)state;
    for (unsigned games = 1; games < 30; games += 4) {
        const struct ipr_outcome_forecast f = forecast(70, 40, games);
        struct ipr_outcome_forecast g = f;

        g.expected = 1 - f.expected;
        g.interval = (struct ipr_interval){ 1 - f.interval.hi, 1 - f.interval.lo };
        const struct ipr_outcome_score a = score(f), b = score(g);

        assert_close(a.mean, 1 - b.mean, 1e-6);
        assert_close(a.outcome.win, b.outcome.loss, 1e-6);
        assert_close(a.interval.lo, 1 - b.interval.hi, 1e-9);
        assert_close(a.interval.hi, 1 - b.interval.lo, 1e-9);
    }
}

/* Without an interval of the expected score the chance of the games is left; a wider one widens. */
static void test_errors_widen(void **state)
{
    struct ipr_outcome_forecast f = forecast(30, 50, 24);
    const struct ipr_outcome_score wide = score(f);

    (void)state;
    f.interval = (struct ipr_interval){ NAN, NAN };
    const struct ipr_outcome_score games = score(f);
    assert_true(wide.sd > games.sd);
    assert_true(wide.interval.lo < games.interval.lo && games.interval.hi < wide.interval.hi);
    assert_true(games.interval.lo > 0 && games.interval.hi < 1);
}

/* Half points of the first player in one simulated game. */
static unsigned play(gsl_rng *rng, double d, bool white)
{
    const double first = 2650 + d / 2, second = 2650 - d / 2;
    const struct ipr_outcome o = white ? ipr_outcome_exact(shipped, first, second, 1985)
                                       : ipr_outcome_exact(shipped, second, first, 1985);
    const double u = gsl_rng_uniform(rng), win = white ? o.win : o.loss;

    return u < win ? 2 : u < win + o.draw;
}

/* Matches whose strength was estimated with an error: 95 % of their scores, or a little more, as
 * scores are discrete, are in the interval; far fewer in that of the expected score. */
static void test_coverage(void **state)
{
    enum { MATCHES = 3000 };
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);

    (void)state;
    for (unsigned games = 4; games <= 48; games = games * 2 + games / 2) {
        unsigned inside = 0, inside_expected = 0;

        for (int i = 0; i < MATCHES; i++) {
            const double se = 10 + 60 * gsl_rng_uniform(rng), d = gsl_ran_gaussian(rng, 120);
            const struct ipr_outcome_forecast f =
                forecast(d + gsl_ran_gaussian(rng, se), se, games);
            const struct ipr_outcome_score s = score(f);
            unsigned half_points = 0;

            for (unsigned g = 0; g < games; g++)
                half_points += play(rng, d, (g + (unsigned)i) % 2 == 0);
            const double got = half_points / (2.0 * games);
            inside += got >= s.interval.lo - 1e-9 && got <= s.interval.hi + 1e-9;
            inside_expected += got >= f.interval.lo && got <= f.interval.hi;
        }
        assert_true(inside > .94 * MATCHES && inside < .985 * MATCHES);
        assert_true(inside_expected < .8 * MATCHES);
    }
    gsl_rng_free(rng);
}

static void test_difference(void **state)
{
    (void)state;
    for (double d = -600; d <= 600; d += 75)
        for (double level = 2200; level < 2900; level += 130) {
            const double e = ipr_outcome_expected(shipped, d, level, 2000);

            assert_close(ipr_outcome_difference(shipped, e, level, 2000), d, 1e-4);
        }
    assert_close(ipr_outcome_difference(shipped, 0, 2600, 2000),
                 ipr_outcome_difference(shipped, .001, 2600, 2000), 1e-9);
}

static void test_refusals(void **state)
{
    static const struct ipr_outcome_forecast bad[] = {
        { .5, { NAN, NAN }, 2600, 2000, 0 },  { .5, { NAN, NAN }, 2600, 2000, 1001 },
        { 1.5, { NAN, NAN }, 2600, 2000, 2 }, { NAN, { NAN, NAN }, 2600, 2000, 2 },
        { .5, { NAN, NAN }, NAN, 2000, 2 },   { .5, { NAN, NAN }, 2600, INFINITY, 2 },
    };

    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct ipr_outcome_score s;

        assert_int_equal(ipr_outcome_forecast(shipped, &bad[i], &s, NULL), IPR_EINVAL);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_game),
        cmocka_unit_test(test_many_games),
        cmocka_unit_test(test_tends_to_the_expected_score),
        cmocka_unit_test(test_mirror),
        cmocka_unit_test(test_errors_widen),
        cmocka_unit_test(test_coverage),
        cmocka_unit_test(test_difference),
        cmocka_unit_test(test_refusals),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
