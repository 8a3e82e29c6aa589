/* The measure of the benchmark: known for simulated sides. */
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>

#include "base/mem.h"
#include "ipr_test.h"
#include "lab/score.h"

#define SIDES ((size_t)40000)

/* Sides of 30 moves whose z is Elo / 300 with an error of 500 Elo: 1,000 moves are 33.3 sides, so
 * 500 / sqrt(33.3). A weight of no use makes it larger; scale, sign and shift of z do nothing. */
static void test_sd(void **state)
{
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    struct bench_side *side = ipr_xcalloc(SIDES, sizeof *side);
    struct ipr_strength_side *answer = ipr_xcalloc(SIDES, sizeof *answer);
    const struct ipr_strength_spread s = { .factor = 1 };
    bool *take = ipr_xcalloc(SIDES, sizeof *take);
    double sd;

    (void)state;
    for (size_t i = 0; i < SIDES; i++) {
        side[i] = (struct bench_side){ .game = i / 2, .moves = 30 };
        side[i].elo = gsl_ran_flat(rng, 1600, 2800);
        answer[i].z = (side[i].elo + gsl_ran_gaussian(rng, 500)) / 300;
        answer[i].information = 1;
        take[i] = true;
    }
    sd = bench_sd(side, answer, &s, take, SIDES, NULL, 0, 1e9, false);
    assert_close(sd, 500 / sqrt(1000. / 30), 2);
    assert_close(bench_sd(side, answer, &s, take, SIDES, NULL, 1600, 1900, false), sd, 4);
    assert_close(bench_sd(side, answer, &s, take, SIDES, NULL, 2200, 2801, true), sd, 6);
    for (size_t i = 0; i < SIDES; i++)
        answer[i].z = 7 - 5 * answer[i].z;
    assert_close(bench_sd(side, answer, &s, take, SIDES, NULL, 0, 1e9, false), sd, 1e-6);
    for (size_t i = 0; i < SIDES; i++)
        answer[i].information = i % 2 == 0 ? 1 : .1;
    assert_true(bench_sd(side, answer, &s, take, SIDES, NULL, 0, 1e9, false) > 1.2 * sd);
    free(take);
    free(answer);
    free(side);
    gsl_rng_free(rng);
}

/* A player is blind everywhere or nowhere, a game with one is for nobody to learn from. */
static void test_split(void **state)
{
    struct bench_side side[2] = { { .player = 50 }, { .player = 57 } };

    (void)state;
    bench_split(side);
    assert_true(side[0].blind);
    assert_false(side[1].blind);
    assert_true(side[0].blind_game && side[1].blind_game);
    assert_int_equal(side[1].fold, 1);
    side[0].player = 51;
    bench_split(side);
    assert_false(side[0].blind_game || side[1].blind_game);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sd),
        cmocka_unit_test(test_split),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
