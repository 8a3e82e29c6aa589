/*
 * Speed of the royale by each predictor, with errors, posterior, ranks and halves: 550 player-years
 * of simulated play, 25 years a player. One row a predictor: name, CPU seconds (the least of
 * several runs). royale.sh makes the table of it.
 */
#include <gsl/gsl_errno.h>
#include <gsl/gsl_randist.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/mem.h"
#include "clock.h"
#include "ipr_test_play.h"
#include "model/royale.h"

enum { PLAYERS = 22, YEARS = 25, GAMES = 15, EACH = 40, TURNS = GAMES * EACH };

struct task {
    struct ipr_royale_entry *entries;
    struct ipr_royale_params params;
    double tau, apart;
};

static enum ipr_code play(void *arg, struct ipr_err *err)
{
    struct task *t = arg;
    struct ipr_royale out;
    const enum ipr_code rc = ipr_royale(t->entries, (size_t)PLAYERS * YEARS, &t->params, &out, err);

    if (rc != IPR_OK)
        return rc;
    t->tau = out.tau;
    t->apart = out.posterior.apart;
    ipr_royale_release(&out);
    return IPR_OK;
}

/* Within a class evaluations differ, too: some 60 % of real moves lose nothing, and of the losses
 * hardly two are the same. */
static void spread_losses(gsl_rng *rng, struct ipr_markov_turn *turns, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (turns[i].played_cp < turns[i].best_cp || gsl_rng_uniform(rng) < 0.25)
            turns[i].played_cp -= (int16_t)gsl_rng_uniform_int(rng, 8);
}

/* Of one player; skill differs by year. */
static void add_player(gsl_rng *rng, size_t p, struct ipr_royale_entry *entries)
{
    struct ipr_markov_turn *turns = ipr_xcalloc((size_t)YEARS * TURNS, sizeof *turns);
    struct ipr_markov_turn *other = ipr_xcalloc(TURNS, sizeof *other);

    for (size_t y = 0; y < YEARS; y++) {
        double matrix[2][19 * 19];

        ipr_test_markov_player(0.2 + 0.1 * gsl_rng_uniform(rng), 0.15, 0.6, matrix[0]);
        ipr_test_markov_player(0.25, 0.15, 0.6, matrix[1]);
        ipr_test_markov_games(matrix[0], matrix[1], GAMES, EACH, (int)(y * GAMES),
                              1900 + (int32_t)y, rng, &turns[y * TURNS], other);
        spread_losses(rng, &turns[y * TURNS], TURNS);
        entries[p * YEARS + y] = (struct ipr_royale_entry){ .player = (int64_t)p,
                                                            .year = 1900 + (int32_t)y,
                                                            .turns = turns,
                                                            .n = (size_t)YEARS * TURNS,
                                                            .rating = gsl_ran_flat(rng, 2400, 2800),
                                                            .rating_se = 100 };
    }
    free(other);
}

int main(void)
{
    static const char *const names[] = { "Markov", "covariance", "conformance", "a rating" };
    struct task t = { ipr_xcalloc((size_t)PLAYERS * YEARS, sizeof *t.entries),
                      ipr_royale_default(IPR_ROYALE_MARKOV), 0, 0 };
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);

    gsl_set_error_handler_off();
    gsl_rng_set(rng, 7);
    for (size_t p = 0; p < PLAYERS; p++)
        add_player(rng, p, t.entries);
    for (int method = 0; method <= IPR_ROYALE_RATING; method++) {
        t.params.method = method;
        printf("royale of %d player-years with intervals, by %s\t%.6f\n", PLAYERS * YEARS,
               names[method], least(play, &t, 3));
        fprintf(stderr, "# %s: tau %.3f, apart %.3f\n", names[method], t.tau, t.apart);
    }
    for (size_t p = 0; p < PLAYERS; p++)
        free((struct ipr_markov_turn *)(uintptr_t)t.entries[p * YEARS].turns);
    free(t.entries);
    gsl_rng_free(rng);
    return 0;
}
