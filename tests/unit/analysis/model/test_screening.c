/* Many tests at once. Values of Holm and Benjamini-Hochberg as R's p.adjust gives them. */
#include "model/screening.h"

#include "ipr_test.h"

static void test_tail(void **state)
{
    (void)state;
    assert_close(ipr_screening_tail(0.), .5, 1e-12);
    assert_close(ipr_screening_tail(3.), .0013498980316, 1e-10);
    assert_close(ipr_screening_tail(-2.), .9772498680518, 1e-10);
    assert_close(ipr_screening_tail(3.8), IPR_SCREENING_TAIL_MIN, 0.); /* normal: 7e-5 */
    assert_close(ipr_screening_tail(9.), IPR_SCREENING_TAIL_MIN, 0.);
}

static void test_expected(void **state)
{
    (void)state;
    assert_close(ipr_screening_expected(98, 3.), .132290007, 1e-8);
    assert_close(ipr_screening_expected(0, 3.), 0., 0.);
    assert_close(ipr_screening_fewer(.13, 2), .935, 1e-12);
    assert_close(ipr_screening_fewer(2.5, 2), 0., 0.);
    assert_close(ipr_screening_fewer(.13, 0), 0., 0.);
}

static void test_correct(void **state)
{
    static const double tail[] = { .001, .008, .039, .041, .042 };
    static const double holm[] = { .005, .032, .117, .117, .117 };
    static const double fdr[] = { .005, .02, .042, .042, .042 };
    double h[5], f[5];

    (void)state;
    ipr_screening_correct(tail, 5, h, f);
    for (size_t i = 0; i < 5; i++) {
        assert_close(h[i], holm[i], 1e-12);
        assert_close(f[i], fdr[i], 1e-12);
    }
    ipr_screening_correct((const double[]){ .4, .7 }, 2, h, f);
    assert_close(h[0], .8, 1e-12);
    assert_close(h[1], .8, 1e-12);
    assert_close(f[0], .7, 1e-12);
    ipr_screening_correct(NULL, 0, NULL, NULL);
}

/* Among tails that are uniform, Holm reports anything below 5 % in at most 5 % of the fields. */
static void test_family_wise(void **state)
{
    enum { FIELDS = 4000, N = 50 };
    uint64_t seed = 88172645463325252u;
    size_t alarms = 0;

    (void)state;
    for (size_t field = 0; field < FIELDS; field++) {
        double tail[N], h[N], f[N], least = 1.;

        for (size_t i = 0; i < N; i++) {
            seed ^= seed << 13;
            seed ^= seed >> 7;
            seed ^= seed << 17;
            least = fmin(least, (double)(seed >> 11) * 0x1p-53);
        }
        for (size_t i = 0; i < N; i++)
            tail[i] = i == 0 ? least : 1.;
        ipr_screening_correct(tail, N, h, f);
        alarms += h[0] < .05;
    }
    /* 1 - (1 - .05/50)^50 = 4.88 %, four standard errors of 4,000 fields: 1.36 % */
    assert_in_range(alarms, (size_t)(FIELDS * .0352), (size_t)(FIELDS * .0624));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tail),
        cmocka_unit_test(test_expected),
        cmocka_unit_test(test_correct),
        cmocka_unit_test(test_family_wise),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
