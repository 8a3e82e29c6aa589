#include "model/career.h"

#include <math.h>

#include "ipr_test.h"

/* One variable; two that are one; two whose correlation is 1/2, which are both above 0 with 1/3;
 * and one that is the difference of others. */
static void all_above(void **state)
{
    static const double none[] = { 0, 0, 0 }, some[] = { 50, 50 }, apart[] = { 10, -10 };
    static const double one[] = { 2500, 2500, 2500, 2500 };
    static const double half[] = { 4, 2, 2, 4 };
    static const double three[] = { 2, 1, 1, 1, 1, 0, 1, 0, 1 }; /* the first: sum of the others */
    const double p = .5 * erfc(-1 / sqrt(2));

    (void)state;
    assert_close(ipr_career_above(some, one, 1), p, .02);
    assert_close(ipr_career_above(some, one, 2), p, .02);
    assert_close(ipr_career_above(none, half, 2), 1. / 3, .025);
    assert_close(ipr_career_above(none, three, 3), .25, .025);
    assert_close(ipr_career_above(apart, (double[]){ 0, 0, 0, 0 }, 1), 1, 0);
    assert_close(ipr_career_above(apart, (double[]){ 0, 0, 0, 0 }, 2), 0, 0);
}

/* 2700 +- 30 against the mean of 2600 +- 40 and 2650 +- 40, which is 2625 +- 28.3. */
static void a_year_is_compared_with_the_mean_of_the_others(void **state)
{
    static const double elo[] = { 2600, 2700, 2650 }, se[] = { 40, 30, 40 };
    const struct ipr_career_apart a = ipr_career_apart(elo, se, 3, 1);

    (void)state;
    assert_close(a.difference, 75, 1e-9);
    assert_close(a.standard_error, sqrt(900 + 800), 1e-9);
    assert_close(a.chance, 1 - pow(1 - erfc(75 / sqrt(1700) / sqrt(2)), 3), 1e-12);
}

/* 1.96 standard errors are as rare as 5 %, of whichever of the two. */
static void of_two_years_none_is_picked(void **state)
{
    static const double elo[] = { 2500, 2500 - 1.959963985 * 50 }, se[] = { 30, 40 };

    (void)state;
    assert_close(ipr_career_apart(elo, se, 2, 0).chance, .05, 1e-8);
    assert_close(ipr_career_apart(elo, se, 2, 1).chance, .05, 1e-8);
    assert_close(ipr_career_apart(elo, se, 2, 1).difference, -1.959963985 * 50, 1e-9);
}

static void test_ranks(void **state)
{
    static const double mean[] = { 2800, 2750, 2740, 2700, 2600, 2590, 2100 },
                        sd[] = { 60, 40, 90, 60, 60, 20, 60 };
    double first[7], five[7], sum_first = 0, sum_five = 0;
    (void)state;
    ipr_career_ranks(mean, sd, 7, first, five);
    for (size_t i = 0; i < 7; i++) {
        double less[6], cov[36];

        for (size_t j = 0; j < 6; j++) {
            less[j] = mean[i] - mean[j + (j >= i)];
            for (size_t k = 0; k < 6; k++)
                cov[j * 6 + k] = sd[i] * sd[i] + (j == k ? pow(sd[j + (j >= i)], 2) : 0);
        }
        assert_close(first[i], ipr_career_above(less, cov, 6), .025);
        assert_true(five[i] >= first[i]);
        sum_first += first[i];
        sum_five += five[i];
    }
    assert_close(sum_first, 1, 1e-9);
    assert_close(sum_five, 5, 1e-9);
    ipr_career_ranks(mean, sd, 1, first, five);
    assert_close(first[0], 1, 1e-9);
    assert_close(five[0], 1, 1e-9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_above),
        cmocka_unit_test(a_year_is_compared_with_the_mean_of_the_others),
        cmocka_unit_test(test_ranks),
        cmocka_unit_test(of_two_years_none_is_picked),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
