/* Figures in the Prometheus text format, against the text its description gives. */
#include "core/metrics.h"

#include <math.h>

#include "ipr_test.h"

static struct row {
    const char *name;
    double value;
    const char *text;
} rows[] = {
    { "zero", 0.0, "x 0\n" },
    { "a large counter keeps its digits", 12345678901.0, "x 12345678901\n" },
    { "negative", -3.0, "x -3\n" },
    { "a fraction", 0.25, "x 0.25\n" },
    { "tiny", 1e-7, "x 1e-07\n" },
    { "not a number", NAN, "x NaN\n" },
    { "beyond all", INFINITY, "x +Inf\n" },
    { "below all", -INFINITY, "x -Inf\n" },
};

static void test_value(void **state)
{
    const struct row *r = *state;
    struct ipr_buf out = IPR_BUF_INIT;

    ipr_metric_sample(&out, "x", NULL, 0, r->value);
    assert_string_equal(ipr_buf_c(&out), r->text);
    ipr_buf_release(&out);
}

static void test_family(void **state)
{
    const struct ipr_metric_label labels[] = { { "judge", "a \"b\"\\\n" }, { "state", "ready" } };
    struct ipr_buf out = IPR_BUF_INIT;

    (void)state;
    ipr_metric_family(&out, "jobs", IPR_METRIC_GAUGE, "Games \"that\" wait,\nback\\slash.");
    ipr_metric_sample(&out, "jobs", labels, 2, 3);
    ipr_metric_sample(&out, "jobs", labels + 1, 1, 4);
    ipr_metric_one(&out, "done_total", IPR_METRIC_COUNTER, "Done.", 7);
    assert_string_equal(ipr_buf_c(&out), "# HELP jobs Games \"that\" wait,\\nback\\\\slash.\n"
                                         "# TYPE jobs gauge\n"
                                         "jobs{judge=\"a \\\"b\\\"\\\\\\n\",state=\"ready\"} 3\n"
                                         "jobs{state=\"ready\"} 4\n"
                                         "# HELP done_total Done.\n"
                                         "# TYPE done_total counter\n"
                                         "done_total 7\n");
    ipr_buf_release(&out);
}

/* Buckets are cumulative, and the last one is the count. */
static void test_histogram(void **state)
{
    static const double bounds[] = { 0.01, 0.5, 2 };
    static const uint64_t counts[] = { 4, 0, 3, 1 };
    struct ipr_buf out = IPR_BUF_INIT;

    (void)state;
    ipr_metric_histogram(&out, "t", bounds, counts, 3, 8.5);
    assert_string_equal(ipr_buf_c(&out), "t_bucket{le=\"0.01\"} 4\n"
                                         "t_bucket{le=\"0.5\"} 4\n"
                                         "t_bucket{le=\"2\"} 7\n"
                                         "t_bucket{le=\"+Inf\"} 8\n"
                                         "t_sum 8.5\n"
                                         "t_count 8\n");
    ipr_buf_release(&out);
}

int main(void)
{
    enum { N = sizeof rows / sizeof *rows };
    struct CMUnitTest tests[N + 2] = { 0 };

    for (size_t i = 0; i < N; i++)
        tests[i] = (struct CMUnitTest){ .name = rows[i].name,
                                        .test_func = test_value,
                                        .initial_state = &rows[i] };
    tests[N] = (struct CMUnitTest)cmocka_unit_test(test_family);
    tests[N + 1] = (struct CMUnitTest)cmocka_unit_test(test_histogram);
    return cmocka_run_group_tests_name("metrics", tests, NULL, NULL);
}
