/* Intervals of ranks: against ranks of draws, and where they are known. */
#include <math.h>
#include <stdlib.h>

#include "ipr_test.h"
#include "model/rank_interval.h"

#define ENTRIES 60
#define DRAWS   20000

/* Deviates of the sum of twelve uniform ones: normal enough for the 2.5 % quantiles. */
static double deviate(unsigned short state[3])
{
    double sum = -6;

    for (int i = 0; i < 12; i++)
        sum += erand48(state);
    return sum;
}

static void those_of_draws(void **state)
{
    static size_t count[ENTRIES][ENTRIES];
    struct ipr_rank_entry entry[ENTRIES];
    struct ipr_rank_interval out[ENTRIES];
    unsigned short seed[3] = { 1, 2, 3 };
    size_t at[ENTRIES];

    (void)state;
    for (size_t i = 0; i < ENTRIES; i++) {
        entry[i] = (struct ipr_rank_entry){ 2300 + 9. * (double)((i * 37) % ENTRIES),
                                            30 + 3. * (double)(i % 20) };
        at[i] = i;
    }
    for (int d = 0; d < DRAWS; d++) {
        double theta[ENTRIES];

        for (size_t i = 0; i < ENTRIES; i++)
            theta[i] = entry[i].estimate + entry[i].se * deviate(seed);
        for (size_t i = 0; i < ENTRIES; i++) {
            size_t above = 0;

            for (size_t j = 0; j < ENTRIES; j++)
                above += theta[j] > theta[i];
            count[i][above]++;
        }
    }
    ipr_rank_intervals(entry, ENTRIES, at, ENTRIES, out);
    for (size_t i = 0; i < ENTRIES; i++) {
        size_t low = 0, high = 0, sum = 0;

        for (size_t k = 0; k < ENTRIES; k++) {
            sum += count[i][k];
            low += sum < DRAWS / 40;
            high += sum < DRAWS - DRAWS / 40;
        }
        assert_true(labs((long)out[i].low - (long)(low + 1)) <= 1);
        assert_true(labs((long)out[i].high - (long)(high + 1)) <= 1);
    }
}

static void where_they_are_known(void **state)
{
    static const struct ipr_rank_entry apart[] = { { 2000, 5 }, { 2800, 5 }, { 2400, 5 } };
    static const struct ipr_rank_entry same[] = { { 2500, 80 }, { 2500, 80 } };
    static const struct ipr_rank_entry mixed[] = { { 2900, 1 }, { 2500, 400 }, { 2500, 1 } };
    static const size_t all[] = { 0, 1, 2 };
    struct ipr_rank_interval out[3];

    (void)state;
    ipr_rank_intervals(apart, 3, all, 3, out);
    assert_int_equal(out[0].low, 3);
    assert_int_equal(out[0].high, 3);
    assert_int_equal(out[1].low, 1);
    assert_int_equal(out[1].high, 1);
    assert_int_equal(out[2].low, 2);
    assert_int_equal(out[2].high, 2);
    ipr_rank_intervals(same, 2, all, 2, out);
    assert_int_equal(out[0].low, 1);
    assert_int_equal(out[0].high, 2);
    assert_int_equal(out[1].low, 1);
    assert_int_equal(out[1].high, 2);
    /* With a chance of 16 % the second is above 2900, with one half above 2500. */
    ipr_rank_intervals(mixed, 3, all, 3, out);
    assert_int_equal(out[0].low, 1);
    assert_int_equal(out[0].high, 2);
    assert_int_equal(out[1].low, 1);
    assert_int_equal(out[1].high, 3);
    assert_int_equal(out[2].low, 2);
    assert_int_equal(out[2].high, 3);
    ipr_rank_intervals(apart, 1, all, 1, out);
    assert_int_equal(out[0].low, 1);
    assert_int_equal(out[0].high, 1);
}

static void chosen_rows_alone(void **state)
{
    static const struct ipr_rank_entry e[] = { { 2700, 60 }, { 2650, 60 }, { 2300, 90 } };
    static const size_t all[] = { 0, 1, 2 }, last[] = { 2 };
    struct ipr_rank_interval out[3], one;

    (void)state;
    ipr_rank_intervals(e, 3, all, 3, out);
    ipr_rank_intervals(e, 3, last, 1, &one);
    assert_int_equal(one.low, out[2].low);
    assert_int_equal(one.high, out[2].high);
    assert_true(out[0].low <= out[1].low);
    assert_true(out[1].high <= out[2].high);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(those_of_draws),
        cmocka_unit_test(where_they_are_known),
        cmocka_unit_test(chosen_rows_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
