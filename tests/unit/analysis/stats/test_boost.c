/* Boosted trees: a function of three features is found among noise, what is unknown is data too,
 * and the same data give the same trees. */
#include "lab/methods/boost_fit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "ipr_test.h"
#include "stats/twister.h"

#define ROWS     4000
#define FEATURES 6
#define TREES    150

static double uniform(struct ipr_twister *rng)
{
    return (double)ipr_twister_below(rng, 1000000) / 1e6;
}

/* A step, a slope and an interaction; one in five values of the first is not known. */
static double truth(const float *x)
{
    return (isnan(x[0])  ? 3
            : x[0] > .3F ? 2.
                         : 0.) +
           2 * (double)x[1] + (x[1] > .5F && x[2] > .5F ? 2 : 0);
}

static void rows_fill(float (*x)[FEATURES], double *y, double *weight)
{
    struct ipr_twister rng;

    ipr_twister_seed(&rng, 5);
    for (size_t i = 0; i < ROWS; i++) {
        for (size_t f = 0; f < FEATURES; f++)
            x[i][f] = (float)uniform(&rng);
        if (uniform(&rng) < .2)
            x[i][0] = NAN;
        y[i] = truth(x[i]) + uniform(&rng) - .5;
        weight[i] = i % 4 != 0; /* the fourth are held out */
    }
}

static void test_fit(void **state)
{
    float(*x)[FEATURES] = ipr_xcalloc(ROWS, sizeof *x);
    double *y = ipr_xcalloc(ROWS, sizeof *y), *weight = ipr_xcalloc(ROWS, sizeof *weight);
    struct ipr_boost_tree *tree = ipr_xcalloc(2 * TREES, sizeof *tree);
    const struct ipr_boost_options options = { TREES, .1, 5, .5, 1 };
    const struct ipr_boost_data data = { ROWS, FEATURES, x[0], y, weight };
    struct ipr_boost b, again;
    double error = 0, spread = 0;

    (void)state;
    rows_fill(x, y, weight);
    ipr_boost_fit(&data, &options, tree, &b);
    for (size_t i = 0; i < ROWS; i += 4) {
        error += pow(ipr_boost_at(&b, x[i]) - truth(x[i]), 2);
        spread += pow(b.mean - truth(x[i]), 2);
    }
    assert_true(error < .05 * spread);
    for (size_t i = 0; i < ROWS; i += 4)
        y[i] = 1e6; /* without a weight it is not looked at */
    ipr_boost_fit(&data, &options, tree + TREES, &again);
    assert_memory_equal(tree, tree + TREES, TREES * sizeof *tree);
    assert_close(again.mean, b.mean, 0);
    free(tree);
    free(weight);
    free(y);
    free(x);
}

/* Where no feature distinguishes the rows the trees add nothing. */
static void test_constant(void **state)
{
    const float x[4] = { 1, 1, NAN, 1 };
    const double y[4] = { 1, 2, 3, 4 }, weight[4] = { 1, 1, 1, 1 };
    struct ipr_boost_tree tree[2];
    struct ipr_boost b;

    (void)state;
    ipr_boost_fit(&(struct ipr_boost_data){ 4, 1, x, y, weight },
                  &(struct ipr_boost_options){ 2, .5, 1, 1, 1 }, tree, &b);
    for (size_t i = 0; i < 4; i++)
        assert_close(ipr_boost_at(&b, &x[i]), 2.5, 1e-6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fit),
        cmocka_unit_test(test_constant),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
