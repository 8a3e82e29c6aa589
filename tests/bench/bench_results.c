/*
 * Speed of the models of results on random games: strengths of 6,000 players over time from 30,000
 * games. One row a task: name, CPU seconds (the least of several runs). results.sh makes the table
 * of it.
 */
#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/mem.h"
#include "model/results_shipped.h"
#include "model/whr.h"

enum { GAMES = 30000, PLAYERS = 6000, YEARS = 60 };

static double seconds(void)
{
    struct timespec t;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* A few players have most games, as in a collection of masters' games. */
static uint32_t some_player(gsl_rng *rng)
{
    return (uint32_t)(PLAYERS * pow(gsl_rng_uniform(rng), 4));
}

static struct ipr_whr_game *some_games(gsl_rng *rng)
{
    struct ipr_whr_game *game = ipr_xcalloc(GAMES, sizeof *game);

    for (size_t i = 0; i < GAMES; i++) {
        const uint32_t a = some_player(rng);
        uint32_t b = some_player(rng);

        while (b == a)
            b = some_player(rng);
        game[i] = (struct ipr_whr_game){ a, b,
                                         1950 + (int32_t)((a + b) % 40) +
                                             (int32_t)gsl_rng_uniform_int(rng, YEARS - 40),
                                         (double)gsl_rng_uniform_int(rng, 3) / 2, 1 };
    }
    return game;
}

static void bench_history(gsl_rng *rng)
{
    struct ipr_whr_game *game = some_games(rng);
    double best = INFINITY;

    for (int run = 0; run < 3; run++) {
        struct ipr_arena mem = IPR_ARENA_INIT;
        struct ipr_err err = IPR_ERR_INIT;
        struct ipr_whr w;
        const double begin = seconds();

        if (ipr_whr_fit(game, GAMES, PLAYERS, &ipr_results_shipped.history, &mem, &w, &err) !=
            IPR_OK) {
            fprintf(stderr, "bench_results: %s\n", err.msg);
            exit(1);
        }
        best = fmin(best, seconds() - begin);
        fprintf(stderr, "# %zu strengths, %u sweeps, White %.1f\n", w.n, w.sweeps, w.white);
        ipr_arena_release(&mem);
    }
    printf("strengths of %d players over time from %d games\t%.6f\n", PLAYERS, GAMES, best);
    free(game);
}

int main(void)
{
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);

    bench_history(rng);
    gsl_rng_free(rng);
    return 0;
}
