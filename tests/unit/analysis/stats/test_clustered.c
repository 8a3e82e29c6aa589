#include "stats/clustered.h"

#include <math.h>

#include "ipr_test.h"

enum { N = 12 };

static const int32_t game[N] = { 3, 1, 1, 3, 2, 5, 5, 2, 1, 9, 9, 3 };
static const double x[N] = { 1, 4, 2, 8, 5, 7, 1, 0, 3, 3, 6, 2 };
static const double y[N] = { 2, 3, 9, 1, 1, 4, 0, 5, 5, 2, 7, 2 };

/* With equal weights it is the mean, and its error that of ipr_stats_mean_se. */
static void test_equal_weights(void **state)
{
    double weight[N], influence[N];
    size_t games;

    (void)state;
    for (size_t i = 0; i < N; i++)
        weight[i] = 2.5;
    assert_close(ipr_stats_weighted_mean(x, weight, N, influence), 3.5, 1e-12);
    const double se = ipr_stats_mean_se(x, game, N, &games);
    assert_int_equal(games, 5);
    assert_close(ipr_stats_influence_se(influence, game, N, games), se, 1e-12);
}

/* An entry of weight 3 is like three of weight 1. */
static void test_weights(void **state)
{
    static const double weight[3] = { 3, 1, 1 }, one[5] = { 1, 1, 1, 1, 1 };
    static const double few[3] = { 1, 6, 8 }, many[5] = { 1, 1, 1, 6, 8 };
    static const int32_t few_games[3] = { 1, 1, 2 }, many_games[5] = { 1, 1, 1, 1, 2 };
    double a[3], b[5];

    (void)state;
    assert_close(ipr_stats_weighted_mean(few, weight, 3, a), 3.4, 1e-12);
    assert_close(ipr_stats_weighted_mean(many, one, 5, b), 3.4, 1e-12);
    assert_close(ipr_stats_influence_se(a, few_games, 3, 2),
                 ipr_stats_influence_se(b, many_games, 5, 2), 1e-12);
    /* (3 (1 - 3.4) + 6 - 3.4) / 5 and (8 - 3.4) / 5, squared, times 2 / 1. */
    assert_close(ipr_stats_influence_se(a, few_games, 3, 2), sqrt(2 * 2 * 0.92 * 0.92), 1e-12);
}

/* Of a difference of means over the same entries it is that of the mean of the differences. */
static void test_difference(void **state)
{
    double one[N], u[2 * N], both[N], less[N], difference[N];
    int32_t twice[2 * N];

    (void)state;
    for (size_t i = 0; i < N; i++) {
        one[i] = 1;
        difference[i] = x[i] - y[i];
        twice[i] = twice[N + i] = game[i];
    }
    ipr_stats_weighted_mean(x, one, N, u);
    ipr_stats_weighted_mean(y, one, N, less);
    for (size_t i = 0; i < N; i++)
        u[N + i] = -less[i];
    ipr_stats_weighted_mean(difference, one, N, both);
    assert_close(ipr_stats_influence_se(u, twice, 2 * N, 5),
                 ipr_stats_influence_se(both, game, N, 5), 1e-12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_equal_weights),
        cmocka_unit_test(test_weights),
        cmocka_unit_test(test_difference),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
