/* Rank correlations: values counted by hand, with ties, and what is refused. */
#include "ipr_test.h"
#include "lab/methods/rank.h"

static const double x[] = { 1.0, 2.0, 2.0, 4.0, 5.0, 7.0 };
static const double y[] = { 2.0, 1.0, 4.0, 4.0, 9.0, 3.0 };

#define N (sizeof x / sizeof *x)

/* Ranks 1, 2.5, 2.5, 4, 5, 6 and 2, 1, 4.5, 4.5, 6, 3; of the 15 pairs 9 are in the same order,
 * 4 in the other, one is tied in x and one in y. */
static void ties_have_their_mean_rank(void **state)
{
    struct ipr_rank_correlation r;

    (void)state;
    assert_int_equal(ipr_stats_rank_correlation(x, y, N, &r, NULL), IPR_OK);
    assert_close(r.spearman, 8.25 / 17.0, 1e-12);
    assert_close(r.kendall, 5.0 / 14.0, 1e-12);
    assert_int_equal(r.n, N);
}

static void orders_alike_and_opposite(void **state)
{
    static const double rising[] = { -3.0, 0.1, 0.2, 900.0 }, falling[] = { 9.0, 5.0, 4.0, -1e9 };
    struct ipr_rank_correlation r;

    (void)state;
    assert_int_equal(ipr_stats_rank_correlation(rising, falling, 4, &r, NULL), IPR_OK);
    assert_close(r.spearman, -1.0, 1e-12);
    assert_close(r.kendall, -1.0, 1e-12);
    assert_int_equal(ipr_stats_rank_correlation(rising, rising, 4, &r, NULL), IPR_OK);
    assert_close(r.spearman, 1.0, 1e-12);
    assert_close(r.kendall, 1.0, 1e-12);
}

static void without_an_order_there_is_none(void **state)
{
    static const double same[] = { 1.0, 1.0, 1.0, 1.0 };
    struct ipr_rank_correlation r;

    (void)state;
    assert_int_equal(ipr_stats_rank_correlation(x, y, 2, &r, NULL), IPR_EDATA);
    assert_int_equal(ipr_stats_rank_correlation(x, same, 4, &r, NULL), IPR_EDATA);
    assert_int_equal(ipr_stats_rank_correlation(same, x, 4, &r, NULL), IPR_EDATA);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ties_have_their_mean_rank),
        cmocka_unit_test(orders_alike_and_opposite),
        cmocka_unit_test(without_an_order_there_is_none),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
