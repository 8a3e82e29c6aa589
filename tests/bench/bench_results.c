/*
 * Speed of the models of results on random games: strengths of 6,000 players over time from 30,000
 * games; chances of win, draw and loss, their fit, and matches. Prints one row per task: name, CPU
 * seconds (minimum of several runs). results.sh makes a table from them.
 */
#include <gsl/gsl_errno.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/mem.h"
#include "clock.h"
#include "lab/methods/outcome_fit.h"
#include "lab/methods/outcome_match.h"
#include "model/elo.h"
#include "model/results_shipped.h"
#include "model/whr.h"

enum { GAMES = 30000, PLAYERS = 6000, YEARS = 60, CHANCES = 1000, FIT = 18000, MATCH = 24 };

/* A few players have most of the games, as in a collection of masters' games. */
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
        game[i] = (struct ipr_whr_game){ a,
                                         b,
                                         1950 + (int32_t)((a + b) % 40) +
                                             (int32_t)gsl_rng_uniform_int(rng, YEARS - 40),
                                         (double)gsl_rng_uniform_int(rng, 3) / 2,
                                         1,
                                         { 0 } };
    }
    return game;
}

/* Fits to the games in `arg`. */
static enum ipr_code fit_history(void *arg, struct ipr_err *err)
{
    struct ipr_arena mem = IPR_ARENA_INIT;
    struct ipr_whr w;
    const enum ipr_code rc =
        ipr_whr_fit(arg, GAMES, PLAYERS, &ipr_results_shipped.history, &mem, &w, err);

    if (rc == IPR_OK)
        fprintf(stderr, "# %zu strengths, %u sweeps, White %.1f\n", w.n, w.sweeps, w.white);
    ipr_arena_release(&mem);
    return rc;
}

static void bench_history(gsl_rng *rng)
{
    struct ipr_whr_game *game = some_games(rng);

    printf("strengths of %d players over time from %d games\t%.6f\n", PLAYERS, GAMES,
           least(fit_history, game, 3));
    free(game);
}

static void bench_chances(gsl_rng *rng)
{
    double best[2] = { INFINITY, INFINITY }, sum = 0, chance[2 * MATCH + 1];
    struct ipr_outcome_side side[CHANCES + 1];

    for (size_t i = 0; i <= CHANCES; i++)
        side[i] = (struct ipr_outcome_side){ gsl_ran_flat(rng, 2300, 2850), 60 };
    for (int run = 0; run < 9; run++) {
        const double begin = seconds();
        struct ipr_outcome_match m;
        double now;

        for (size_t i = 0; i < CHANCES; i++)
            sum += ipr_outcome_game(&ipr_results_shipped.outcome, &side[i], &side[i + 1], 2000).win;
        now = seconds();
        best[0] = fmin(best[0], now - begin);
        if (ipr_outcome_match(&ipr_results_shipped.outcome, &side[0], &side[1], 2000, MATCH / 2,
                              MATCH / 2, chance, &m, NULL) == IPR_OK)
            sum += m.points;
        best[1] = fmin(best[1], seconds() - now);
    }
    printf("chances of %d games, errors of both players\t%.6f\n", CHANCES, best[0]);
    printf("score of a match of %d games, errors of both players\t%.6f\n", MATCH, best[1]);
    fprintf(stderr, "# %.3f\n", sum);
}

static void bench_fit(gsl_rng *rng)
{
    struct ipr_outcome_result *game = ipr_xcalloc(FIT, sizeof *game);
    struct ipr_outcome_model m = { .term = { .5 } };
    bool use[IPR_OUTCOME_TERMS];
    struct ipr_err err = IPR_ERR_INIT;
    double begin;

    for (size_t k = 0; k < IPR_OUTCOME_TERMS; k++)
        use[k] = true;
    for (size_t i = 0; i < FIT; i++) {
        const double white = gsl_ran_flat(rng, 2300, 2850), black = gsl_ran_flat(rng, 2300, 2850);
        const double points = 1.5 * gsl_rng_uniform(rng) + .75 * ipr_elo_expect(white, black);

        game[i] = (struct ipr_outcome_result){ white, black, gsl_ran_flat(rng, 1971, 2025),
                                               points < .5    ? 0
                                               : points < 1.5 ? 1
                                                              : 2 };
    }
    begin = seconds();
    if (ipr_outcome_fit(game, NULL, FIT, use, &m, &err) != IPR_OK)
        fprintf(stderr, "bench_results: %s\n", err.msg);
    printf("fit of the chances to %d games\t%.6f\n", FIT, seconds() - begin);
    free(game);
}

int main(void)
{
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);

    gsl_set_error_handler_off();
    bench_history(rng);
    bench_chances(rng);
    bench_fit(rng);
    gsl_rng_free(rng);
    return 0;
}
