/* Intervals that other modules rest on: of a correlation, and of a probability's replicates. */
#include <gsl/gsl_errno.h>

#include "ipr_test.h"
#include "stats/correlation.h"
#include "stats/logit.h"

static void test_correlation(void **state)
{
    const double x[] = { 1, 2, 3, 4, 5, 6 }, y[] = { 2, 1, 4, 3, 7, 5 };
    const double same[] = { 0.1, 0.1, 0.1, 0.1, 0.1, 0.1 };
    const int32_t game[] = { 5, 5, -3, -3, 9, 9 };
    struct ipr_correlation c = { .n = 7 };
    struct ipr_err err = IPR_ERR_INIT;

    (void)state;
    assert_int_equal(ipr_stats_correlation(x, y, game, 0, &c, NULL), IPR_EDATA);
    assert_int_equal(ipr_stats_correlation(x, y, game, 1, &c, NULL), IPR_EDATA);
    assert_int_equal(ipr_stats_correlation(x, same, game, 6, &c, NULL), IPR_EDATA);
    assert_int_equal(ipr_stats_correlation(same, y, game, 6, &c, NULL), IPR_EDATA);
    assert_int_equal(c.n, 7);
    assert_ok(ipr_stats_correlation(x, y, game, 6, &c, &err), &err);
    assert_close(c.rho, 16.0 / sqrt(17.5 * 70.0 / 3.0), 1e-15);
    assert_int_equal(c.clusters, 3);
    assert_true(c.interval_known);
    assert_true(c.interval.lo >= -1.0 && c.interval.lo < c.rho);
    assert_true(c.interval.hi <= 1.0 && c.interval.hi > c.rho);
    assert_true(c.se > 0.0 && isfinite(c.se));
    /* On a line, and in one game. */
    assert_ok(ipr_stats_correlation(x, x, game, 6, &c, &err), &err);
    assert_close(c.rho, 1.0, 0.0);
    assert_false(c.interval_known);
    assert_close(c.se, 0.0, 0.0);
    assert_ok(ipr_stats_correlation(x, y, (const int32_t[6]){ 0 }, 6, &c, &err), &err);
    assert_false(c.interval_known);
    assert_close(c.interval.hi - c.interval.lo, 2.0, 0.0);
}

/* Replicates with logits of -1 and 1, and an estimate of one half: sd of logits sqrt(4/3). */
static void test_logit(void **state)
{
    const double low = 1.0 / (1.0 + exp(1.0)), high = 1.0 - low;
    const double e[] = { low, high, low, high };
    const double same[] = { 0.3, 0.3, 0.3 };
    const double ends[] = { 0.0, 1.0 };
    struct ipr_logit_interval i = ipr_stats_logit_interval(0.5, e, 4, 2.0);

    (void)state;
    assert_true(i.known);
    assert_close(i.sd_logit, sqrt(4.0 / 3.0), 1e-14);
    assert_close(i.sd, (high - 0.5) * sqrt(4.0 / 3.0), 1e-15);
    assert_close(i.interval.hi, 1.0 / (1.0 + exp(-2.0 * sqrt(4.0 / 3.0))), 1e-15);
    assert_close(i.interval.lo, 1.0 - i.interval.hi, 1e-15);
    /* The estimate is inside even where its logit is held back. */
    i = ipr_stats_logit_interval(1.0, e, 4, 2.0);
    assert_close(i.interval.hi, 1.0, 0.0);
    i = ipr_stats_logit_interval(0.0, ends, 2, 2.0);
    assert_close(i.interval.lo, 0.0, 0.0);
    assert_true(i.known && isfinite(i.sd_logit));
    /* Nothing varies, or nothing is there. */
    i = ipr_stats_logit_interval(0.3, same, 3, 2.0);
    assert_false(i.known);
    assert_close(i.interval.hi - i.interval.lo, 1.0, 0.0);
    assert_close(i.sd, 0.0, 1e-15);
    i = ipr_stats_logit_interval(0.3, NULL, 0, 2.0);
    assert_false(i.known);
    i = ipr_stats_logit_interval(0.3, e, 1, 2.0);
    assert_false(i.known);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_correlation),
        cmocka_unit_test(test_logit),
    };

    gsl_set_error_handler_off();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
