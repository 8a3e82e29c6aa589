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
        bool hidden;
        const char *want;
    } rows[] = {
        { 0.0999, 0.0, true, "" },           { 0.10, 0.0, false, "inaccuracy" },
        { 0.1999, 0.5, true, "inaccuracy" }, { 0.20, 0.0, false, "mistake" },
        { 0.2999, 0.0, false, "mistake" },   { 0.30, 0.0, false, "blunder" },
        { 0.019, 0.10, true, "found" },      { 0.019, 0.10, false, "" },
        { 0.021, 0.10, true, "" },           { 0.0, 0.09, true, "" },
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_string_equal(ipr_mark_name(ipr_mark_of(rows[i].loss, rows[i].next, rows[i].hidden)),
                            rows[i].want);
}

static void test_agreement(void **state)
{
    (void)state;
    assert_true(ipr_mark_agree(0.21, 0.29));
    assert_true(ipr_mark_agree(0.36, 0.45));
    assert_true(ipr_mark_agree(0.0, 0.09));
    assert_false(ipr_mark_agree(0.21, 0.19));
    assert_false(ipr_mark_apart(0.21, 0.19));
    assert_true(ipr_mark_apart(0.35, 0.24));
    assert_false(ipr_mark_agree(0.35, 0.24));
    assert_false(ipr_mark_agree(0.04, 0.51));
    assert_int_equal(ipr_mark_smaller(0.43, 0.27), IPR_MARK_MISTAKE);
    assert_int_equal(ipr_mark_smaller(0.11, 0.35), IPR_MARK_INACCURACY);
    assert_int_equal(ipr_mark_smaller(0.04, 0.51), IPR_MARK_NONE);
    assert_int_equal(ipr_mark_smaller(0.0, 0.11), IPR_MARK_NONE);
}

static void test_phases(void **state)
{
    (void)state;
    assert_string_equal(ipr_phase_name(ipr_phase_of(15, 14)), "opening");
    assert_string_equal(ipr_phase_name(ipr_phase_of(16, 7)), "middlegame");
    assert_string_equal(ipr_phase_name(ipr_phase_of(12, 6)), "endgame");
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_points), cmocka_unit_test(test_marks),
                                        cmocka_unit_test(test_agreement),
                                        cmocka_unit_test(test_phases) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
