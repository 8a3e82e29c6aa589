/* Error of a predictor over matches, and its bootstrap interval. */
#include <gsl/gsl_errno.h>
#include <gsl/gsl_rng.h>

#include "ipr_test.h"
#include "model/prediction_error.h"

static void test_figures(void **state)
{
    const double predicted[4] = { 0.5, 0.6, 0.7, 0.5 };
    const double actual[4] = { 0.6, 0.5, 0.7, 0.8 };
    double p[11];
    double a[11];
    struct ipr_prediction_error e;
    struct ipr_prediction_error again;

    (void)state;
    assert_int_equal(ipr_prediction_error(predicted, actual, 4, &e, NULL), IPR_OK);
    assert_close(e.mean_absolute, 0.125, 1e-15);
    assert_close(e.bias, -0.075, 1e-15);
    assert_true(e.interval_known);
    assert_true(0.0 <= e.interval.lo && e.interval.lo < 0.125 && e.interval.hi > 0.125 &&
                e.interval.hi <= 0.3);
    /* The errors are 0, 0.1, 0.1, 0.3: their sd over sqrt 4, in the limit. */
    assert_close(e.se, sqrt((0.015625 + 2 * 0.000625 + 0.030625) / 4) / 2, 0.002);
    /* The matches in another order. */
    for (int i = 0; i < 11; i++) {
        p[i] = 0.5 + 0.003 * i * i;
        a[i] = 0.4;
    }
    assert_int_equal(ipr_prediction_error(p, a, 11, &e, NULL), IPR_OK);
    for (int i = 0; i < 11; i++)
        p[i] = 0.5 + 0.003 * (10 - i) * (10 - i);
    assert_int_equal(ipr_prediction_error(p, a, 11, &again, NULL), IPR_OK);
    assert_close(again.se, e.se, 0.0);
    assert_close(again.interval.lo, e.interval.lo, 0.0);
    assert_close(again.interval.hi, e.interval.hi, 0.0);
}

static void test_edges(void **state)
{
    const double half[3] = { 0.5, 0.5, 0.5 };
    const double bad[3] = { 0.5, 1.1, NAN };
    struct ipr_prediction_error e = { .matches = 9 };

    (void)state;
    assert_int_equal(ipr_prediction_error(half, half, 0, &e, NULL), IPR_EDATA);
    assert_int_equal(ipr_prediction_error(bad, half, 2, &e, NULL), IPR_EINVAL);
    assert_int_equal(ipr_prediction_error(half, bad, 3, &e, NULL), IPR_EINVAL);
    assert_int_equal(ipr_prediction_error(&half[1], &bad[2], 1, &e, NULL), IPR_EINVAL);
    assert_int_equal(e.matches, 9);
    assert_int_equal(ipr_prediction_error(half, half, 3, &e, NULL), IPR_OK);
    assert_close(e.mean_absolute, 0.0, 0.0);
    assert_close(e.interval.hi, 0.0, 0.0);
    assert_int_equal(ipr_prediction_error(half, bad, 1, &e, NULL), IPR_OK);
    assert_false(e.interval_known);
}

/* With 40 matches the interval holds the true mean error in about 95 %. */
static void test_coverage(void **state)
{
    enum { TABLES = 600, MATCHES = 40 };
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    int inside = 0;

    (void)state;
    gsl_rng_set(rng, 3);
    for (int k = 0; k < TABLES; k++) {
        struct ipr_prediction_error e;
        double predicted[MATCHES];
        double actual[MATCHES];
        for (int i = 0; i < MATCHES; i++) { /* errors even within 0.2: a mean of 0.1 */
            predicted[i] = 0.5;
            actual[i] = 0.3 + 0.4 * gsl_rng_uniform(rng);
        }
        assert_int_equal(ipr_prediction_error(predicted, actual, MATCHES, &e, NULL), IPR_OK);
        inside += e.interval.lo <= 0.1 && 0.1 <= e.interval.hi;
    }
    print_message("covered %.1f %%\n", 100.0 * inside / TABLES);
    assert_true(inside >= 0.91 * TABLES && inside <= 0.97 * TABLES);
    gsl_rng_free(rng);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_figures),
        cmocka_unit_test(test_edges),
        cmocka_unit_test(test_coverage),
    };

    gsl_set_error_handler_off();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
