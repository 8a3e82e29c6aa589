/* The scale of strengths from results: whose Elo it is by, its error, and the years too early in a
 * career. */
#include "model/whr_scale.h"

#include <math.h>

#include "ipr_test.h"

static const struct ipr_whr_scale_options chosen = {
    .ratings = 4, .players = 2, .games = 200, .sd = 120, .drift = 3
};

/* Years before the lists have no Elo, and their first floor is none. */
static void test_elo(void **state)
{
    (void)state;
    assert_int_equal(ipr_whr_elo(1970, 2500), 0);
    assert_int_equal(ipr_whr_elo(1971, 2500), 2500);
    assert_int_equal(ipr_whr_elo(1986, 2200), 0);
    assert_int_equal(ipr_whr_elo(1987, 2200), 2200);
    assert_int_equal(ipr_whr_elo(1990, -5), 0);
    assert_int_equal(ipr_whr_elo(1990, 40000), 0);
}

static struct ipr_whr_scale scale_of_two(void)
{
    const struct ipr_whr_strength strength[] = {
        { .period = 1968, .known = NAN },  { .period = 1975, .known = 2500 },
        { .period = 1990, .known = 2500 }, { .period = 1972, .known = 2400 },
        { .period = 1985, .known = 2400 }, { .period = 1995, .known = NAN }
    };
    struct ipr_whr_scale s = { 0 };

    ipr_whr_scale_add(strength, 3, &s);
    ipr_whr_scale_add(strength + 5, 1, &s);
    assert_false(ipr_whr_scaled(&s, &chosen));
    ipr_whr_scale_add(strength + 3, 3, &s);
    return s;
}

static void test_scale(void **state)
{
    const struct ipr_whr_scale s = scale_of_two();

    (void)state;
    assert_int_equal(s.ratings, 4);
    assert_int_equal(s.players, 2);
    assert_int_equal(s.from, 1972);
    assert_int_equal(s.to, 1990);
    assert_true(ipr_whr_scaled(&s, &chosen));
}

static void test_errors(void **state)
{
    const struct ipr_whr_scale s = scale_of_two(), none = { 0 };
    const struct ipr_whr_place old = ipr_whr_place(&s, 1962), in = ipr_whr_place(&s, 1980),
                               late = ipr_whr_place(&s, 1994), a = ipr_whr_place(&none, 1900),
                               b = ipr_whr_place(&none, 1910);

    (void)state;
    assert_close(ipr_whr_place_se(&s, &in, &chosen), 60, 1e-9);
    assert_close(ipr_whr_place_se(&s, &old, &chosen), hypot(60, 30), 1e-9);
    assert_close(ipr_whr_place_difference_se(&old, &late, &chosen), hypot(30, 12), 1e-9);
    assert_close(ipr_whr_place_difference_se(&old, &old, &chosen), 0, 0);
    assert_close(ipr_whr_place_difference_se(&a, &b, &chosen), 30, 1e-9);
}

/* Until there are 200 games, or half of a year's are against players with Elo. */
static void test_early(void **state)
{
    struct ipr_whr_strength s[] = { { .games = 90, .rated = 44 },
                                    { .games = 90, .rated = 10 },
                                    { .games = 20, .rated = 0 },
                                    { .games = 5, .rated = 0 } };

    (void)state;
    assert_int_equal(ipr_whr_early(s, 4, &chosen), 2);
    assert_int_equal(ipr_whr_early(s, 2, &chosen), 2);
    s[0].rated = 45;
    assert_int_equal(ipr_whr_early(s, 4, &chosen), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_elo),
        cmocka_unit_test(test_scale),
        cmocka_unit_test(test_errors),
        cmocka_unit_test(test_early),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
