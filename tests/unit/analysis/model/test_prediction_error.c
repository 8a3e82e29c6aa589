/* Error of a predictor over matches, and its interval. */
#include <gsl/gsl_errno.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>

#include "ipr_test.h"
#include "model/prediction_error.h"

static void test_figures(void **state)
{
    const double predicted[8] = { 0.5, 0.6, 0.7, 0.5, 0.5, 0.6, 0.7, 0.5 };
    const double actual[8] = { 0.6, 0.5, 0.7, 0.8, 0.6, 0.5, 0.7, 0.8 };
    struct ipr_prediction_error e;

    (void)state;
    assert_int_equal(ipr_prediction_error(predicted, actual, 8, &e, NULL), IPR_OK);
    assert_close(e.mean_absolute, 0.125, 1e-15);
    assert_close(e.bias, -0.075, 1e-15);
    assert_true(e.interval_known);
    /* The errors are 0, 0.1, 0.1, 0.3, twice; t(0.975; 7) = 2.3646242515. */
    assert_close(e.se, sqrt(2 * (0.015625 + 2 * 0.000625 + 0.030625) / 7.0 / 8.0), 1e-15);
    assert_close(e.interval.lo, 0.125 * exp(-2.3646242515 * e.se / 0.125), 1e-9);
    assert_close(e.interval.hi, 0.125 * exp(2.3646242515 * e.se / 0.125), 1e-9);
}

static void test_order(void **state)
{
    double p[11], a[11];
    struct ipr_prediction_error e, again;

    (void)state;
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

/* From a few errors, or from equal ones, there is no interval. */
static void test_unknown_intervals(void **state)
{
    const double predicted[8] = { 0.9, 0.5, 0.7, 0.3, 0.4, 0.5, 0.2, 0.1 };
    const double alike[8] = { 0.7, 0.3, 0.5, 0.5, 0.2, 0.3, 0.4, 0.3 }; /* 0.2 away */
    const double actual[8] = { 0.5, 0.1, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5 };
    struct ipr_prediction_error e;

    (void)state;
    for (size_t n = 1; n < IPR_PREDICTION_ERROR_MATCHES; n++) {
        assert_int_equal(ipr_prediction_error(predicted, actual, n, &e, NULL), IPR_OK);
        assert_false(e.interval_known);
    }
    assert_int_equal(ipr_prediction_error(predicted, actual, 8, &e, NULL), IPR_OK);
    assert_true(e.interval_known);
    assert_int_equal(ipr_prediction_error(predicted, alike, 8, &e, NULL), IPR_OK);
    assert_close(e.mean_absolute, 0.2, 1e-12);
    assert_false(e.interval_known);
    assert_close(e.interval.lo, 0.0, 0.0);
    assert_close(e.interval.hi, 1.0, 0.0);
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
    assert_false(e.interval_known); /* never wrong: three times tell little */
    assert_int_equal(ipr_prediction_error(half, bad, 1, &e, NULL), IPR_OK);
    assert_false(e.interval_known);
}

/* Predictions that are off by a normal error, of mean 0.1 sqrt(2/pi). */
static double normal_error(gsl_rng *rng)
{
    return fabs(gsl_ran_gaussian(rng, 0.1));
}

/* A match of 20 games, each won with probability 0.6 and predicted as 0.62. */
static double match_error(gsl_rng *rng)
{
    return fabs(gsl_ran_binomial(rng, 0.6, 20) / 20.0 - 0.62);
}

static double match_mean(void)
{
    double mean = 0.0;

    for (unsigned k = 0; k <= 20; k++)
        mean += gsl_ran_binomial_pdf(k, 0.6, 20) * fabs(k / 20.0 - 0.62);
    return mean;
}

/** Share of 4,000 tables whose interval holds the true mean error. */
static double coverage(double (*error)(gsl_rng *), double mean, size_t matches)
{
    enum { TABLES = 4000 };
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    int inside = 0;

    gsl_rng_set(rng, 3);
    for (int k = 0; k < TABLES; k++) {
        struct ipr_prediction_error e;
        double predicted[20], actual[20];

        for (size_t i = 0; i < matches; i++) {
            predicted[i] = 0.0;
            actual[i] = error(rng);
        }
        assert_int_equal(ipr_prediction_error(predicted, actual, matches, &e, NULL), IPR_OK);
        inside += e.interval.lo <= mean && mean <= e.interval.hi;
    }
    gsl_rng_free(rng);
    return (double)inside / TABLES;
}

/* As the header says; four standard errors of the simulation are 1.4 %. */
static void test_coverage(void **state)
{
    static const size_t matches[] = { 8, 10, 16, 20 };

    (void)state;
    for (size_t i = 0; i < sizeof matches / sizeof *matches; i++) {
        const double normal = coverage(normal_error, 0.1 * sqrt(2.0 / M_PI), matches[i]);
        const double of_games = coverage(match_error, match_mean(), matches[i]);

        print_message("%zu matches: %.1f %%, %.1f %%\n", matches[i], 100 * normal, 100 * of_games);
        assert_true(normal > 0.935 && normal < 0.965);
        assert_true(of_games > 0.93 && of_games < 0.965);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_figures),           cmocka_unit_test(test_order),
        cmocka_unit_test(test_unknown_intervals), cmocka_unit_test(test_edges),
        cmocka_unit_test(test_coverage),
    };

    gsl_set_error_handler_off();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
