/* Expected points, marks and phases. */
#include "ipr_test.h"
#include "model/move_mark.h"

/* A + (1 - 2A)/(1 + e^(-B v)) by Python. */
static void test_points(void **state)
{
    (void)state;
    assert_close(ipr_points(0), 0.5, 1e-15);
    assert_close(ipr_points(100), 0.706076320188, 1e-11);
    assert_close(ipr_points(-250), 0.102299637111, 1e-11);
    assert_close(ipr_points(400) + ipr_points(-400), 1.0, 1e-12);
    assert_close(ipr_points(32000), ipr_points(1000), 0);
}

static void test_marks(void **state)
{
    static const struct {
        double loss, next;
        bool hidden, sacrifice;
        const char *want;
    } rows[] = {
        { 0.0499, -0.0499, true, true, "" },       { 0.05, -0.05, false, false, "inaccuracy" },
        { 0.1499, 0.5, true, true, "inaccuracy" }, { 0.15, -0.15, false, false, "mistake" },
        { 0.2999, -0.3, false, false, "mistake" }, { 0.30, -0.3, true, true, "blunder" },
        { 0.019, 0.10, true, false, "found" },     { 0.019, 0.10, false, true, "" },
        { 0.021, 0.10, true, true, "" },           { 0.0, 0.09, true, true, "" },
        { 0.0, 0.1999, true, true, "found" },      { 0.0, 0.20, true, true, "brilliant" },
        { 0.0, 0.50, true, false, "found" },
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_string_equal(ipr_mark_name(ipr_mark_of(rows[i].loss, rows[i].next, rows[i].hidden,
                                                      rows[i].sacrifice)),
                            rows[i].want);
}

static void test_phases(void **state)
{
    (void)state;
    assert_string_equal(ipr_phase_name(ipr_phase_of(15, 62)), "opening");
    assert_string_equal(ipr_phase_name(ipr_phase_of(16, 27)), "middlegame");
    assert_string_equal(ipr_phase_name(ipr_phase_of(12, 26)), "endgame");
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_points), cmocka_unit_test(test_marks),
                                        cmocka_unit_test(test_phases) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
