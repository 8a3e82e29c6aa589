/* One-dimensional minima: where they are, how fine, and what is refused. */
#include <gsl/gsl_errno.h>

#include "ipr_test.h"
#include "stats/solve.h"

static double parabola(double x, void *arg)
{
    const double d = x - *(const double *)arg;

    return 1.0 + d * d;
}

static double kink(double x, void *arg)
{
    return fabs(x - *(const double *)arg);
}

/* As far out as the searches of the models go, with tolerances down to below what f can tell. */
static void a_minimum_is_found_wherever_it_is(void **state)
{
    static const double where[] = { -6.7, -3.5, -3.36, -1.0, 0.0, 1e-3, 2.2, 9.0 };
    static const double tol[] = { 1e-5, 1e-7, 1e-12 };

    (void)state;
    for (size_t i = 0; i < sizeof where / sizeof where[0]; i++)
        for (size_t k = 0; k < sizeof tol / sizeof tol[0]; k++) {
            double at = where[i];
            const double finest = 3e-8 * fabs(at);
            struct ipr_err err = IPR_ERR_INIT;
            double x = NAN;

            assert_ok(ipr_solve_min1(kink, &at, -6.9, 9.3, tol[k], &x, &err), &err);
            assert_close(x, at, fmax(tol[k], finest));
            assert_ok(ipr_solve_min1(parabola, &at, -6.9, 9.3, tol[k], &x, &err), &err);
            assert_close(x, at, fmax(tol[k], finest) + 2e-8); /* 1 + d^2 is 1 below 1e-8 */
        }
}

static void ends_are_minima_and_an_empty_range_is_refused(void **state)
{
    double at = -2.0;
    double x = NAN;

    (void)state;
    assert_int_equal(ipr_solve_min1(parabola, &at, -1.0, 3.0, 1e-7, &x, NULL), IPR_OK);
    assert_close(x, -1.0, 0.0);
    at = 4.0;
    assert_int_equal(ipr_solve_min1(parabola, &at, -1.0, 3.0, 1e-7, &x, NULL), IPR_OK);
    assert_close(x, 3.0, 0.0);
    assert_int_equal(ipr_solve_min1(parabola, &at, 3.0, 3.0, 1e-7, &x, NULL), IPR_EINVAL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_minimum_is_found_wherever_it_is),
        cmocka_unit_test(ends_are_minima_and_an_empty_range_is_refused),
    };

    gsl_set_error_handler_off();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
