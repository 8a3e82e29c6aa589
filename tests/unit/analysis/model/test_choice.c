/* How likely a move is: against sum p_0^(1/y_i) = 1 solved by bisection in Python, y_i = exp(-(d_i
 * / s)^c), and sums of its p_i. */
#include "ipr_test.h"
#include "model/choice.h"

static const int16_t only[] = { 50, -20, -30, -250 };
static const int16_t ties[] = { 12, 12, 12, -5 };
static const int16_t outside[] = { 30, 10, -90 };
static const int16_t placed[] = { 45, 10, 30 };

static struct row {
    const char *name;
    const int16_t *cp;
    uint8_t lines, n_cp, played, legal;
    double s, c;
    struct ipr_choice want;
} rows[] = {
    { "one good move, 2000",
      only,
      4,
      4,
      0,
      4,
      .20233,
      .579866,
      { 0.741717867324, 0.741717867324, 0.041622846250 } },
    { "one good move, 2400",
      only,
      4,
      4,
      0,
      4,
      .155755,
      .581024,
      { 0.787928569914, 0.787928569914, 0.034043481088 } },
    { "the second of three equal ones",
      ties,
      4,
      4,
      1,
      4,
      .20233,
      .579866,
      { 0.260812214445, 0.902377591731, 0.003638403622 } },
    { "behind moves not evaluated",
      outside,
      2,
      3,
      2,
      6,
      .20233,
      .579866,
      { 0.001170974637, 1.0, 0.031160821934 } },
    { "outside, but second",
      placed,
      2,
      3,
      2,
      3,
      .20233,
      .579866,
      { 0.304675846051, 0.858679138816, 0.020423020885 } },
};

static void test_choice(void **state)
{
    const struct row *const r = *state;
    const struct ipr_rh_params params = IPR_RH_PARAMS_INIT;
    const struct ipr_turn turn = { .ply = 40,
                                   .lines = r->lines,
                                   .n_cp = r->n_cp,
                                   .played = r->played,
                                   .legal = r->legal,
                                   .cp = r->cp };
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_choice got;

    assert_ok(ipr_choice(&params, &turn, r->s, r->c, &got, &err), &err);
    assert_close(got.played, r->want.played, 1e-10);
    assert_close(got.as_good, r->want.as_good, 1e-10);
    assert_close(got.loss, r->want.loss, 1e-10);
}

static void test_out_of_domain(void **state)
{
    const struct ipr_rh_params params = IPR_RH_PARAMS_INIT;
    const struct ipr_turn turn = { .lines = 4, .n_cp = 4, .legal = 4, .cp = only };
    struct ipr_choice got = { -1, -1, -1 };

    (void)state;
    assert_int_equal(ipr_choice(&params, &turn, 0, .5, &got, NULL), IPR_EINVAL);
    assert_close(got.played, -1, 0);
}

int main(void)
{
    enum { ROWS = sizeof rows / sizeof rows[0] };
    struct CMUnitTest tests[ROWS + 1] = { cmocka_unit_test(test_out_of_domain) };

    for (int i = 0; i < ROWS; i++)
        tests[i + 1] = (struct CMUnitTest){ .name = rows[i].name,
                                            .test_func = test_choice,
                                            .initial_state = &rows[i] };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
