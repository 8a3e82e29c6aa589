/* Opponents who are known by their Elo alone: the moves of all players of about that Elo. */
#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "core/figures.h"
#include "lab/predictors/predictors.h"
#include "stats/line.h"

#define POOL_DEPTH (IPR_STRENGTH_DEPTHS - 1)

size_t predictors_pool_of(double elo)
{
    const double k = floor((elo - PREDICTORS_POOL_MIN) / PREDICTORS_POOL_STEP + 0.5);

    return k < 0 ? 0 : k > PREDICTORS_POOLS - 1 ? PREDICTORS_POOLS - 1 : (size_t)k;
}

/* Within 50 Elo of the pool's. */
static bool pool_takes(size_t k, double elo)
{
    return fabs(elo - (PREDICTORS_POOL_MIN + PREDICTORS_POOL_STEP * (double)k)) <= 50;
}

static void pools_add(struct predictors_pools *p, const struct bench_data *d, size_t i)
{
    const struct ipr_strength_turn *t = &d->turn[i];
    const struct bench_side *side = &d->side[d->of[i]];
    const int16_t played = ipr_figures_clamp(t->cp[2][POOL_DEPTH]);
    const int16_t first = ipr_figures_clamp(t->cp[0][POOL_DEPTH]);
    const int16_t best = played > first ? played : first;
    const struct ipr_turn turn = { .game = (int32_t)side->game,
                                   .year = 1,
                                   .ply = t->ply,
                                   .mover = d->of[i] & 1u,
                                   .lines = 2,
                                   .n_cp = 2,
                                   .played = 1,
                                   .legal = t->legal,
                                   .repeated = t->repeated };
    const struct ipr_markov_turn markov = { .best_cp = best, .played_cp = played };
    const struct ipr_markov_classes classes = ipr_markov_classes_19();

    if (t->ply < 18 || t->legal < 2 || !bench_rated(side))
        return;
    ipr_markov_count(&classes, &markov, 1, 0, p->all);
    for (size_t k = 0; k < PREDICTORS_POOLS; k++)
        if (pool_takes(k, side->elo))
            predictors_moves_add(&p->pool[k], turn, best, played);
}

double predictors_mean_loss(const struct predictors_moves *m, int year)
{
    double sum = 0, weight = 0;

    for (size_t i = 0; i < m->n; i++) {
        const int age = year - m->turn[i].year;

        if (age < 0 || abs(m->cp[i][0]) > 300)
            continue;
        weight += ldexp(1, -age);
        sum += ldexp(m->cp[i][0] - m->cp[i][1], -age);
    }
    return sum / weight;
}

void predictors_pools_make(const struct bench_data *d, struct predictors_pools *out)
{
    const size_t n = ipr_markov_classes_19().n;
    double loss[PREDICTORS_POOLS / 2 + 1], elo[PREDICTORS_POOLS / 2 + 1];
    struct ipr_line line;
    struct ipr_err err;
    size_t m = 0;

    *out = (struct predictors_pools){ .all = ipr_xcalloc(n * n, sizeof *out->all) };
    for (size_t i = 0; i < d->n_turns; i++)
        pools_add(out, d, i);
    for (size_t k = 0; k < PREDICTORS_POOLS; k++) {
        struct predictors_moves *const moves = &out->pool[k];

        for (size_t i = 0; i < moves->n; i++)
            moves->turn[i].cp = moves->cp[i];
        if (k % 2 != 0) /* the others share no move */
            continue;
        loss[m] = predictors_mean_loss(moves, 1);
        elo[m++] = PREDICTORS_POOL_MIN + PREDICTORS_POOL_STEP * (double)k;
    }
    if (ipr_stats_line(loss, elo, NULL, m, &line, &err) != IPR_OK)
        line = (struct ipr_line){ 0 };
    out->intercept = line.a;
    out->slope = line.b;
}

void predictors_pools_free(struct predictors_pools *p)
{
    for (size_t k = 0; k < PREDICTORS_POOLS; k++) {
        free(p->pool[k].turn);
        free(p->pool[k].cp);
    }
    free(p->all);
}
