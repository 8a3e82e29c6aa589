/* Curve, spread and rating of simulated sides whose truth is known. */
#include <gsl/gsl_errno.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>

#include "base/mem.h"
#include "ipr_test.h"
#include "lab/methods/strength_sides.h"

#define PLAYERS 1500
#define GAMES   4
#define SIDES   ((size_t)PLAYERS * GAMES)

static const struct ipr_strength_spread truth = { .factor = 1.4, .game = .5, .player = .3 };

static double mean_of(double elo)
{
    return elo < 2400 ? (elo - 2250) / 300 : 150. / 300 + (elo - 2400) / 200;
}

/* Play at equal Elo improves with the year; stronger sides are from earlier years. */
static double era_of(double year)
{
    return year < 2000 ? 0 : 2 * (year - 2000);
}

static double year_of(gsl_rng *rng, double elo)
{
    return elo > 2200 ? round(gsl_ran_flat(rng, 1980, 2010)) : round(gsl_ran_flat(rng, 1990, 2020));
}

static struct ipr_strength_side *sides_new(gsl_rng *rng)
{
    struct ipr_strength_side *side = ipr_xcalloc(SIDES, sizeof *side);

    for (size_t i = 0; i < SIDES; i += GAMES) {
        const double elo = gsl_ran_flat(rng, 1600, 2800);
        const double player = gsl_ran_gaussian(rng, sqrt(truth.player));

        for (size_t k = i; k < i + GAMES; k++) {
            const double information = gsl_ran_flat(rng, .3, 1.5);
            const double sd = sqrt(truth.factor / information + truth.game);

            side[k] = (struct ipr_strength_side){ .player = i,
                                                  .elo = elo,
                                                  .information = information,
                                                  .z = mean_of(elo) + player +
                                                       gsl_ran_gaussian(rng, sd) };
        }
    }
    return side;
}

static const struct ipr_strength_curve knots = { .knots = 4, .elo = { 1600, 2000, 2400, 2800 } };

static void test_calibrate(void **state)
{
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    struct ipr_strength_side *side = sides_new(rng);
    bool *take = ipr_xcalloc(SIDES, sizeof *take);
    struct ipr_strength_calibration m = { .curve = knots };

    (void)state;
    for (size_t i = 0; i < SIDES; i++)
        take[i] = true;
    ipr_strength_calibrate(side, take, SIDES, &m);
    for (double elo = 1650; elo < 2800; elo += 100)
        assert_close(ipr_strength_curve_at(&m.curve, elo), mean_of(elo),
                     4 * ipr_strength_curve_se(&m.curve, elo) + .02);
    assert_true(ipr_strength_curve_se(&m.curve, 2200) > .01);
    assert_true(ipr_strength_curve_se(&m.curve, 2200) < .2);
    assert_close(m.spread.player, truth.player, .15);
    assert_close(m.spread.factor / .8 + m.spread.game, truth.factor / .8 + truth.game, .25);
    free(take);
    free(side);
    gsl_rng_free(rng);
}

/* Sides of equal information: what they vary by is known, not what of it the moves make. */
static void test_equal_information(void **state)
{
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    struct ipr_strength_side *side = sides_new(rng);
    bool *take = ipr_xcalloc(SIDES, sizeof *take);
    struct ipr_strength_calibration m = { .curve = knots };

    (void)state;
    for (size_t i = 0; i < SIDES; i++) {
        take[i] = true;
        side[i].information = 1;
        side[i].z = mean_of(side[i].elo) + gsl_ran_gaussian(rng, sqrt(1.9));
    }
    ipr_strength_calibrate(side, take, SIDES, &m);
    assert_close(m.spread.factor + m.spread.game + m.spread.player, 1.9, .15);
    assert_close(m.spread.game, 0, 0);
    free(take);
    free(side);
    gsl_rng_free(rng);
}

/* The fit finds the effect of the year and leaves the curve as it is without years. Before the
 * first year and after the last the effect is constant. */
static void test_era(void **state)
{
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    struct ipr_strength_side *side = sides_new(rng), *plain = ipr_xcalloc(SIDES, sizeof *plain);
    bool *take = ipr_xcalloc(SIDES, sizeof *take);
    struct ipr_strength_calibration m = { .curve = knots }, without = m;

    (void)state;
    for (size_t i = 0; i < SIDES; i++) {
        take[i] = true;
        side[i].year = year_of(rng, side[i].elo);
        side[i].z += mean_of(side[i].elo + era_of(side[i].year)) - mean_of(side[i].elo);
        plain[i] = side[i];
        plain[i].year = 0;
    }
    ipr_strength_calibrate(side, take, SIDES, &m);
    ipr_strength_calibrate(plain, take, SIDES, &without);
    assert_close(m.era.year[0], 1980, 0);
    assert_close(m.era.year[IPR_STRENGTH_ERAS], 2020, 0);
    for (double elo = 1700; elo < 2800; elo += 250) {
        assert_close(ipr_strength_curve_at(&m.curve, elo),
                     ipr_strength_curve_at(&without.curve, elo), .01);
        for (double year = 1985; year < 2020; year += 10)
            assert_close(ipr_strength_expected(&m, elo, year), mean_of(elo + era_of(year)),
                         4 * ipr_strength_expected_se(&m, elo, year) + .02);
        assert_close(ipr_strength_era_at(&m, elo, 2050), ipr_strength_era_at(&m, elo, 2020), 0);
        assert_close(ipr_strength_era_at(&m, elo, 1900), ipr_strength_era_at(&m, elo, 1980), 0);
        assert_close(ipr_strength_era_at(&m, elo, 0), 0, 0);
        assert_close(ipr_strength_era_at(&m, elo, 2020) - ipr_strength_era_at(&m, elo, 2000), 40,
                     4 * ipr_strength_era_se(&m, 2000, 2020) + 5);
    }
    assert_true(without.era.elo[0] == 0);
    assert_true(ipr_strength_expected_se(&m, 2200, 2019) > ipr_strength_curve_se(&m.curve, 2200));
    free(take);
    free(plain);
    free(side);
    gsl_rng_free(rng);
}

/* Of further players, one to four games each: the interval holds the Elo as often as it says. */
static void test_coverage(void **state)
{
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    const struct ipr_strength_calibration m = {
        .curve = { .knots = 4,
                   .elo = { 1600, 2000, 2400, 2800 },
                   .z = { mean_of(1600), mean_of(2000), mean_of(2400), mean_of(2800) } },
        .spread = truth,
    };
    struct ipr_strength_side *side = sides_new(rng);

    (void)state;
    for (size_t k = 1; k <= GAMES; k++) {
        double raw = 0, posterior = 0, square = 0, plain = 0;

        for (size_t i = 0; i < SIDES; i += GAMES) {
            const size_t at[GAMES] = { i, i + 1, i + 2, i + 3 };
            const struct ipr_strength_estimate e =
                ipr_strength_estimate(&m, side, at, k, 2200, 350);

            raw += side[i].elo >= e.raw_lo && side[i].elo <= e.raw_hi;
            posterior += side[i].elo >= e.lo && side[i].elo <= e.hi;
            square += (e.mean - side[i].elo) * (e.mean - side[i].elo);
            plain += (e.raw - side[i].elo) * (e.raw - side[i].elo);
            assert_true(e.lo < e.mean && e.mean < e.hi);
        }
        assert_close(raw / PLAYERS, .955, .025);
        assert_close(posterior / PLAYERS, .955, .025);
        assert_true(square < plain);
    }
    free(side);
    gsl_rng_free(rng);
}

/* Weak players' games vary more than the factor says, masters' less: their intervals are right only
 * with the levels, of a curve of other knots, too. */
static void test_levels(void **state)
{
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    struct ipr_strength_side *side = sides_new(rng);
    bool *take = ipr_xcalloc(SIDES, sizeof *take);
    struct ipr_strength_calibration m = { .curve = { .knots = 3, .elo = { 1600, 2200, 2800 } } };
    double inside[2] = { 0, 0 }, n[2] = { 0, 0 };

    (void)state;
    for (size_t i = 0; i < SIDES; i++) {
        take[i] = true;
        side[i].information = 2;
        side[i].z = -side[i].elo / 100 + gsl_ran_gaussian(rng, sqrt(side[i].elo < 2200 ? 1.5 : .5));
    }
    ipr_strength_calibrate_levels(side, take, SIDES, &m);
    assert_true(m.spread.level[0] > 1.2 && m.spread.level[2] < .8);
    for (size_t i = 0; i < SIDES; i++) {
        const struct ipr_strength_estimate e = ipr_strength_of_sums(
            &m, side[i].z * side[i].information, side[i].information, 2200, 350);
        const bool low = side[i].elo<1900, high = side[i].elo> 2500;

        if (!low && !high)
            continue;
        inside[high] += side[i].elo >= e.raw_lo && side[i].elo <= e.raw_hi;
        n[high]++;
    }
    assert_close(inside[0] / n[0], .95, .03);
    assert_close(inside[1] / n[1], .95, .03);
    free(take);
    free(side);
    gsl_rng_free(rng);
}

static const struct ipr_strength_calibration falling = {
    .curve = { .knots = 4, .elo = { 1600, 2000, 2400, 2800 }, .z = { 3, 1, -1, -3 } },
    .spread = truth
};

/* Beyond its ends the curve goes on as a line, and its error grows there by 44 Elo for each 100. */
static void test_beyond(void **state)
{
    const struct ipr_strength_calibration *const m = &falling;
    const double ends[2][2] = { { 2800, 1 }, { 1600, -1 } };
    struct ipr_strength_curve c = m->curve;

    (void)state;
    for (size_t i = 0; i < 2; i++) {
        double inner = 0; /* from the raw rating to the end of its interval within the curve */

        for (double beyond = 0; beyond <= 500; beyond += 100) {
            const double elo = ends[i][0] + ends[i][1] * beyond;
            const double z = ipr_strength_curve_at(&m->curve, elo);
            const struct ipr_strength_estimate e = ipr_strength_of_sums(m, 40 * z, 40, 2200, 350);
            const double inward = i == 0 ? elo - e.raw_lo : e.raw_hi - elo;

            assert_close(z, (2200 - elo) / 200, 1e-9);
            assert_close(ipr_strength_curve_se(&m->curve, elo), .44 * beyond / 200, 1e-9);
            assert_close(e.raw, elo, .1);
            assert_true(e.raw_lo < elo && elo < e.raw_hi && e.lo < e.mean && e.mean < e.hi);
            assert_true(inward > inner + 1);
            inner = inward;
        }
    }
    for (size_t i = 0; i < c.knots; i++)
        c.var[i] = c.cov[i > 0 ? i - 1 : 0] = .09;
    assert_close(ipr_strength_curve_se(&c, 2800), .3, 1e-9);
    assert_close(ipr_strength_curve_se(&c, 3000), hypot(.3, .44), 1e-9);
}

/* Beyond the curve by 600 the raw rating is at its limit; a side without moves says nothing. */
static void test_limits(void **state)
{
    const struct ipr_strength_calibration m = falling;
    const struct ipr_strength_side side[] = {
        { .player = 1, .z = -50, .information = 1 },
        { .player = 1, .z = 50, .information = 1 },
        { .player = 2, .z = 0, .information = 1 },
        { .player = 3, .z = 1e9, .information = 0 },
    };
    struct ipr_strength_estimate e;

    (void)state;
    e = ipr_strength_estimate(&m, side, (size_t[]){ 0 }, 1, 2200, 300);
    assert_close(e.raw, 2800 + IPR_STRENGTH_BEYOND, .1);
    e = ipr_strength_estimate(&m, side, (size_t[]){ 1 }, 1, 2200, 300);
    assert_close(e.raw, 1600 - IPR_STRENGTH_BEYOND, .1);
    e = ipr_strength_estimate(&m, side, (size_t[]){ 2, 3 }, 2, 2200, 300);
    assert_close(e.raw, 2200, .1);
    assert_close(e.mean, 2200, .1);
    assert_true(e.raw_lo < e.lo && e.hi < e.raw_hi);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_calibrate), cmocka_unit_test(test_equal_information),
        cmocka_unit_test(test_era),       cmocka_unit_test(test_coverage),
        cmocka_unit_test(test_levels),    cmocka_unit_test(test_beyond),
        cmocka_unit_test(test_limits),
    };

    gsl_set_error_handler_off();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
