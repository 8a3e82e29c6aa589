/* The scale of strengths from results: offsets of periods, between and beyond them, their errors.
 */
#include "model/whr_scale.h"

#include <math.h>

#include "ipr_test.h"

#define SPREAD (1.4826 * 10)

/* Five ratings in the seventies, of three players; four with a rating in the nineties; one in the
 * eighties. The second player of the seventies has one year with too few games. */
static const struct ipr_whr_strength strength[] = {
    { 0, 1973, 40, 100, 9, 0 }, { 0, 1975, 40, 110, 9, 0 }, { 0, 1994, 30, 200, 9, 0 },
    { 1, 1973, 29, 900, 9, 0 }, { 1, 1977, 40, 0, 9, 0 },   { 1, 1995, 40, 0, 9, 0 },
    { 2, 1973, 40, 50, 9, 0 },  { 2, 1977, 40, 50, 9, 0 },  { 2, 1985, 40, 50, 9, 0 },
    { 2, 1996, 40, 50, 9, 0 },  { 3, 1998, 40, 0, 9, 0 },   { 3, 1999, 40, 0, 9, 0 },
};
#define N (sizeof strength / sizeof *strength)

/* d: 2390, 2410, 2400, 2380, 2900 in 1973, 75, 77, 73, 77: median 2400, of the absolute
 * deviations 10. 2500, 2520, 2500, 2480 in 1994 to 1998: median 2500. */
static const double known[N] = { 2490, 2520, 2700, 9999, 2400, 2520,
                                 2430, 2950, 2500, 2550, 2480, NAN };

static const struct ipr_whr_scale_options chosen = {
    .years = 10, .games = 30, .ratings = 4, .players = 3, .plain = 2000, .drift = 3
};

static struct ipr_whr_scale fitted(const struct ipr_whr_scale_options *o)
{
    struct ipr_whr_scale s;

    ipr_whr_scale_fit(strength, known, N, o, &s);
    return s;
}

static void test_periods(void **state)
{
    const struct ipr_whr_scale s = fitted(&chosen);
    const struct ipr_whr_period *p = s.period;

    (void)state;
    assert_int_equal(s.n, 2); /* the eighties have one rating */
    assert_int_equal(p[0].from, 1973);
    assert_int_equal(p[0].to, 1977);
    assert_close(p[0].year, 1975, 1e-9);
    assert_int_equal(p[0].ratings, 5);
    assert_int_equal(p[0].players, 3);
    assert_close(p[0].offset, 2400, 1e-9);
    assert_close(p[0].spread, SPREAD, 1e-9);
    assert_close(p[0].se, 1.2533 * SPREAD / sqrt(5), 1e-9); /* no player is always above or below */
    assert_close(p[1].offset, 2500, 1e-9);
    assert_close(p[1].year, (1994 + 1995 + 1996 + 1998) / 4.0, 1e-9);
}

/* A player's ratings that all deviate to the same side say little more than one. */
static void test_clusters(void **state)
{
    const struct ipr_whr_strength s[] = {
        { 0, 1980, 30, 0, 9, 0 }, { 0, 1981, 30, 0, 9, 0 }, { 0, 1982, 30, 0, 9, 0 },
        { 1, 1980, 30, 0, 9, 0 }, { 2, 1980, 30, 0, 9, 0 }, { 2, 1981, 30, 0, 9, 0 },
        { 2, 1982, 30, 0, 9, 0 },
    };
    const double elo[] = { 2390, 2391, 2392, 2400, 2408, 2409, 2410 };
    struct ipr_whr_scale scale;

    (void)state;
    ipr_whr_scale_fit(s, elo, 7, &chosen, &scale);
    assert_close(scale.period[0].offset, 2400, 1e-9);
    assert_close(scale.period[0].se, 1.2533 * 1.4826 * 9 * sqrt(1.5 * (9 + 9)) / 7, 1e-9);
}

static void test_places(void **state)
{
    const struct ipr_whr_scale s = fitted(&chosen);
    const double se[2] = { s.period[0].se, s.period[1].se };
    const struct ipr_whr_place old = ipr_whr_place(&s, 1913), first = ipr_whr_place(&s, 1974),
                               between = ipr_whr_place(&s, 1985.375),
                               last = ipr_whr_place(&s, 2008);

    (void)state;
    assert_close(old.offset, 2400, 1e-9);
    assert_close(ipr_whr_place_se(&s, &old), hypot(se[0], 3 * 60), 1e-9);
    assert_close(first.offset, 2400, 1e-9);
    assert_close(ipr_whr_place_se(&s, &first), se[0], 1e-9);
    assert_close(between.offset, 2450, 1e-9);
    assert_close(ipr_whr_place_se(&s, &between), hypot(se[0], se[1]) / 2, 1e-9);
    assert_close(last.offset, 2500, 1e-9);
    assert_close(ipr_whr_place_se(&s, &last), hypot(se[1], 3 * 10), 1e-9);
}

/* What two years share has no part in their difference. */
static void test_differences(void **state)
{
    const struct ipr_whr_scale s = fitted(&chosen);
    const struct ipr_whr_place old = ipr_whr_place(&s, 1913), older = ipr_whr_place(&s, 1903),
                               last = ipr_whr_place(&s, 2008);
    struct ipr_whr_place mean = { 0 };

    (void)state;
    assert_close(ipr_whr_place_difference_se(&s, &old, &old), 0, 0);
    assert_close(ipr_whr_place_difference_se(&s, &old, &older), 3 * 10, 1e-9);
    assert_close(ipr_whr_place_difference_se(&s, &last, &old),
                 sqrt(pow(s.period[0].se, 2) + pow(s.period[1].se, 2) + 9 * (3600 + 100)), 1e-9);
    ipr_whr_place_add(&old, .25, &mean);
    ipr_whr_place_add(&last, .75, &mean);
    assert_close(mean.offset, 2475, 1e-9);
    assert_close(ipr_whr_place_difference_se(&s, &mean, &old),
                 .75 * ipr_whr_place_difference_se(&s, &last, &old), 1e-9);
}

/* Too few ratings or players: a constant, and only differences have an error. */
static void test_plain(void **state)
{
    struct ipr_whr_scale_options o = chosen;
    struct ipr_whr_scale s;

    (void)state;
    o.players = 5;
    s = fitted(&o);
    assert_int_equal(s.n, 0);
    const struct ipr_whr_place a = ipr_whr_place(&s, 1900), b = ipr_whr_place(&s, 1990);
    assert_close(a.offset, 2000, 0);
    assert_true(isnan(ipr_whr_place_se(&s, &a)));
    assert_close(ipr_whr_place_difference_se(&s, &a, &b), 3 * 90, 1e-9);
    o.players = 3;
    o.ratings = 6;
    s = fitted(&o);
    assert_int_equal(s.n, 0);
}

/* The candidates that were not chosen. */
static void test_candidates(void **state)
{
    struct ipr_whr_scale_options o = chosen;

    (void)state;
    o.mean = true;
    const struct ipr_whr_scale mean = fitted(&o);
    assert_close(mean.period[0].offset, (2390 + 2410 + 2400 + 2380 + 2900) / 5.0, 1e-9);
    o.mean = false;
    o.step = true;
    const struct ipr_whr_scale step = fitted(&o);
    assert_close(ipr_whr_place(&step, 1984).offset, 2400, 1e-9);
    assert_close(ipr_whr_place(&step, 1986).offset, 2500, 1e-9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_periods), cmocka_unit_test(test_clusters),
        cmocka_unit_test(test_places),  cmocka_unit_test(test_differences),
        cmocka_unit_test(test_plain),   cmocka_unit_test(test_candidates),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
