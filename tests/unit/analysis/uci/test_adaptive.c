#include "ipr_test.h"

#include "uci/adaptive.h"

#define MINUTE 60000U

/* Four minutes, as in the paper, and its two worked examples, seen from one side: evaluations of
 * -420, 400, -410 end a search after two minutes, and 53, -63, 57 do. Strictly after. */
static struct row {
    const char *name;
    uint32_t spent_ms;
    bool has_depths, has_turns, enough;
    int32_t depths[3], turns[3];
} rows[] = {
    { "not before one minute", MINUTE - 1, true, true, false, { 7, 7, 7 }, { 900, 900, 900 } },
    { "three minutes", 3 * MINUTE, false, false, true, { 0 }, { 0 } },
    { "just before", 3 * MINUTE - 1, true, false, false, { 0, 100, 0 }, { 0 } },
    { "biased, at two minutes", 2 * MINUTE, false, true, false, { 0 }, { 420, 400, 410 } },
    { "biased, after two minutes", 2 * MINUTE + 1, false, true, true, { 0 }, { 420, 400, 410 } },
    { "biased to Black", 2 * MINUTE + 1, false, true, true, { 0 }, { -420, -400, -410 } },
    { "biased to both", 2 * MINUTE + 1, false, true, false, { 0 }, { 420, -400, 410 } },
    { "biased twice", 2 * MINUTE + 1, false, true, false, { 0 }, { 420, 0, 410 } },
    { "won: a minute", MINUTE + 1, false, true, true, { 0 }, { 700, 31990, 900 } },
    { "won: not less", MINUTE, false, true, false, { 0 }, { 31990, 31990, 31990 } },
    { "stable, at two minutes", 2 * MINUTE, true, false, false, { 53, 63, 57 }, { 0 } },
    { "stable, after two minutes", 2 * MINUTE + 1, true, false, true, { 53, 63, 57 }, { 0 } },
    { "stable, the other way round", 2 * MINUTE + 1, true, false, true, { 63, 57, 53 }, { 0 } },
    { "the first and the last count", 2 * MINUTE + 1, true, false, false, { 53, 58, 64 }, { 0 } },
    { "no difference: a minute", MINUTE + 1, true, false, true, { 5, 5, 5 }, { 0 } },
};

static void test_rule(void **state)
{
    const struct row *r = *state;

    assert_int_equal(ipr_adaptive_enough(4 * MINUTE, r->spent_ms, r->has_depths ? r->depths : NULL,
                                         r->has_turns ? r->turns : NULL),
                     r->enough);
}

/* The rule is a share of the limit, whatever that is. */
static void test_scaled(void **state)
{
    static const int32_t stable[3] = { 53, 63, 57 }, won[3] = { 420, 400, 410 };

    (void)state;
    assert_false(ipr_adaptive_enough(400, 200, stable, won));
    assert_true(ipr_adaptive_enough(400, 201, stable, NULL));
    assert_true(ipr_adaptive_enough(400, 201, NULL, won));
    assert_false(ipr_adaptive_enough(400, 299, NULL, NULL));
    assert_true(ipr_adaptive_enough(400, 300, NULL, NULL));
}

#define N (sizeof rows / sizeof rows[0])

int main(void)
{
    struct CMUnitTest tests[N + 1] = { cmocka_unit_test(test_scaled) };

    for (size_t i = 0; i < N; i++)
        tests[1 + i] = (struct CMUnitTest){ .name = rows[i].name,
                                            .test_func = test_rule,
                                            .initial_state = &rows[i] };
    return cmocka_run_group_tests_name("uci/adaptive", tests, NULL, NULL);
}
