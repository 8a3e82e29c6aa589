/* Strength over time: sums by year, what is known of a year before it, and the measures. */
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "ipr_test.h"
#include "lab/trajectory/trajectory.h"
#include "model/elo.h"
#include "model/strength_curve.h"
#include "model/strength_shipped.h"

enum { CAREERS = 10, YEARS = 12 };

static struct career_side side_of(int year, uint64_t event, int64_t game, double score)
{
    return (struct career_side){ .year = year,
                                 .event = event,
                                 .game = game,
                                 .score = score,
                                 .information = 2,
                                 .moves = 60,
                                 .points = 1 };
}

/* Of 1990 two games of one event and one of another, of 1992 one; one of them is there twice. */
static void test_years(void **state)
{
    struct career_side side[] = { side_of(1992, 1, 9, 4), side_of(1990, 7, 1, 1),
                                  side_of(1990, 3, 2, 2), side_of(1990, 7, 3, 3),
                                  side_of(1990, 3, 2, 2) };
    const bool take[] = { true, false, true, true };
    struct career c = { .side = side, .n = 5 };
    struct ipr_trajectory_year year[3];
    (void)state;
    career_order(&c);
    assert_int_equal(c.n, 4);
    assert_int_equal(c.years, 2);
    assert_int_equal(career_moves(&c, 1990), 180);
    assert_int_equal(career_moves(&c, 1991), 0);
    assert_int_equal(career_years(&c, NULL, TRAJECTORY_ALWAYS, year), 2);
    assert_int_equal(year[0].year, 1990);
    assert_close(year[0].score, 6, 1e-12);
    assert_close(year[0].information, 6, 1e-12);
    assert_close(year[0].events, 5. / 9, 1e-12);
    assert_close(year[1].events, 1, 1e-12);
    assert_int_equal(career_years(&c, NULL, 1992, year), 1);
    assert_int_equal(career_years(&c, take, TRAJECTORY_ALWAYS, year), 2);
    assert_close(year[0].information, 4, 1e-12);
    assert_close(year[0].events, .5, 1e-12);
}

/* Careers of the model with these constants; two games a year, each an event. */
static struct careers careers_new(const struct ipr_trajectory_model *m)
{
    const struct ipr_strength_calibration *const k = &ipr_strength_shipped.calibration;
    struct careers c = { .career = ipr_xcalloc(CAREERS, sizeof *c.career), .n = CAREERS };
    gsl_rng *const rng = gsl_rng_alloc(gsl_rng_taus);

    for (size_t i = 0; i < c.n; i++) {
        double elo = 2200 + gsl_ran_gaussian(rng, 200), rise = gsl_ran_gaussian(rng, m->rise);

        c.career[i].name[0] = (char)('a' + i);
        c.career[i].side = ipr_xcalloc(2 * YEARS, sizeof *c.career[i].side);
        for (size_t j = 0; j < 2 * YEARS; j++) {
            const double information = 50 + 10 * (double)(j % 3);
            const double variance = k->spread.factor * ipr_strength_level(k, elo) / information;
            const double z = ipr_strength_curve_at(&k->curve, elo) +
                             gsl_ran_gaussian(rng, sqrt(variance + k->spread.event));

            c.career[i].side[c.career[i].n++] = (struct career_side){ .year = 1990 + (int)j / 2,
                                                                      .event = j,
                                                                      .game = (int64_t)j,
                                                                      .score = z * information,
                                                                      .information = information,
                                                                      .moves = 60,
                                                                      .points = NAN };
            if (j % 2 == 1) {
                elo += rise + gsl_ran_gaussian(rng, sqrt(m->walk));
                rise *= m->damping;
            }
        }
        career_order(&c.career[i]);
    }
    gsl_rng_free(rng);
    return c;
}

static void test_constants(void **state)
{
    const struct ipr_trajectory_model m = { .walk = 400, .rise = 150, .damping = .7 };
    struct careers c = careers_new(&m);
    const struct constants made = constants_of(&m);
    (void)state;
    const struct constants level = constants_fit(&c, NULL, CONSTANTS_LEVEL);
    const struct constants trend = constants_fit(&c, NULL, CONSTANTS_TREND);
    const double best = constants_log_density(&c, NULL, &trend);

    /* Twice the gain of a maximum over the truth is chi squared with 3 degrees of freedom. */
    assert_true(best >= constants_log_density(&c, NULL, &made));
    assert_true(best < constants_log_density(&c, NULL, &made) + 6);
    assert_true(best > constants_log_density(&c, NULL, &level) + 5);
    assert_true(level.model.walk > trend.model.walk);
    assert_close(trend.prior_mean, ipr_strength_shipped.prior_mean, 0);
    careers_free(&c);
}

static const struct forecast *forecast_of(const struct forecasts *f, size_t career, int year)
{
    for (size_t i = 0; i < f->n; i++)
        if (f->forecast[i].career == career && f->forecast[i].year.year == year)
            return &f->forecast[i];
    fail();
    return NULL;
}

/* Nothing of the year or later is in a forecast, nor are the player's own later years in its
 * constants. */
static void test_later_moves_change_nothing(void **state)
{
    const struct ipr_trajectory_model m = { .walk = 400, .rise = 150, .damping = .7 };
    struct careers c = careers_new(&m);
    struct forecasts f = forecasts_make(&c);
    (void)state;
    for (size_t j = 0; j < c.career[3].n; j++)
        if (c.career[3].side[j].year >= 1995)
            c.career[3].side[j].score += 100;
    struct forecasts g = forecasts_make(&c);

    assert_int_equal(f.n, CAREERS * (YEARS - 1));
    for (enum method k = 0; k < METHODS; k++) {
        const struct forecast *const a = forecast_of(&f, 3, 1995), *const b =
                                                                       forecast_of(&g, 3, 1995);

        assert_true(a->mean[k] == b->mean[k]);
        assert_true(a->variance[k] == b->variance[k]);
        assert_true(forecast_deviation(b, k) > forecast_deviation(a, k));
        assert_true(forecast_of(&f, 3, 1996)->mean[k] < forecast_of(&g, 3, 1996)->mean[k]);
    }
    forecasts_free(&f);
    forecasts_free(&g);
    careers_free(&c);
}

static void test_forecast_measures(void **state)
{
    const struct ipr_strength_calibration *const k = &ipr_strength_shipped.calibration;
    struct forecast f = { .year = { .year = 2000, .information = 10, .events = .5 } };
    double noise;
    (void)state;
    f.mean[METHOD_PATH] = 2600;
    f.variance[METHOD_PATH] = 2500;
    f.year.score = 10 * ipr_strength_curve_at(&k->curve, 2650);
    const double slope = ipr_strength_curve_slope(&k->curve, 2600);
    const double own = k->spread.factor * ipr_strength_level(k, 2600) / 10 + k->spread.event / 2;
    const double z = 50 * slope / sqrt(2500 * slope * slope + own);

    assert_close(forecast_deviation(&f, METHOD_PATH), z, 1e-9);
    assert_close(forecast_score(&f, METHOD_PATH, 2500),
                 -.5 * z * z - .5 * log(2 * M_PI * (2500 * slope * slope + own)), 1e-9);
    assert_close(forecast_error(&f, METHOD_PATH, &noise), 50, .02);
    assert_close(noise, own / (slope * slope), .02 * noise);
}

static void test_points(void **state)
{
    (void)state;
    assert_close(points_expected(2600, 0, 2500, true), ipr_elo_expect(2630, 2500), 1e-12);
    assert_close(points_expected(2600, 0, 2500, false), ipr_elo_expect(2570, 2500), 1e-12);
    assert_close(points_expected(2470, 90, 2500, true), .5, 1e-12);
    /* Gauss and Hermite's rule with 3 nodes, which is not exact. */
    assert_close(points_expected(2600, 100, 2500, true),
                 2. / 3 * ipr_elo_expect(2630, 2500) +
                     (ipr_elo_expect(2630 + 100 * sqrt(3), 2500) +
                      ipr_elo_expect(2630 - 100 * sqrt(3), 2500)) /
                         6,
                 5e-4);
}

static double parabola(double x, void *of)
{
    return pow(x - *(double *)of, 2);
}

static void test_measures(void **state)
{
    const double x[] = { 1, 3, 5, 7, 2, 6 };
    const size_t one[] = { 0, 0, 0, 0, 0, 0 }, each[] = { 0, 1, 2, 3, 4, 5 };
    double at = 1.7;
    (void)state;
    assert_close(halves_order(3, 5), 1, 0);
    assert_close(halves_order(-3, 5), -1, 0);
    assert_close(measure_root((struct measure){ 9, -1, 16 }).hi, 4, 1e-12);
    assert_close(measure_root((struct measure){ 9, -1, 16 }).lo, 0, 0);
    assert_close(measure_least(parabola, &at, -10, 10), 1.7, 1e-6);
    assert_close(measure_mean(x, one, 6, 1).lo, 4, 1e-12);
    const struct measure m = measure_mean(x, each, 6, 6);
    /* The standard error of the resampled mean is sqrt(14 / 3 / 6) = .88. */
    assert_close(m.mean, 4, 1e-12);
    assert_close(m.hi - m.lo, 2 * 1.96 * .88, .4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_years),
        cmocka_unit_test(test_constants),
        cmocka_unit_test(test_later_moves_change_nothing),
        cmocka_unit_test(test_forecast_measures),
        cmocka_unit_test(test_points),
        cmocka_unit_test(test_measures),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
