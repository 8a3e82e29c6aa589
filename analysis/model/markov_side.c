/* A player's turns, sorted into games and strata for the predictor and its bootstrap. */
#include "model/markov_side.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "stats/resample.h"

/* One transition of one game. */
struct step {
    int32_t year, game;
    uint16_t cell;
    double weight;
};

static int by_year_game_cell(const void *a, const void *b)
{
    const struct step *x = a;
    const struct step *y = b;

    if (x->year != y->year)
        return x->year < y->year ? -1 : 1;
    if (x->game != y->game)
        return x->game < y->game ? -1 : 1;
    return (x->cell > y->cell) - (x->cell < y->cell);
}

void ipr_markov_side_release(struct ipr_markov_side *s)
{
    free(s->cell);
    free(s->weight);
    free(s->start);
    free(s->year);
    free(s->drawn);
    free(s->strata);
}

/* Sorted steps to games, and like ones of a game to one; the strata are the years. */
static void side_index(struct ipr_markov_side *s, const struct step *steps, size_t n)
{
    s->cell = ipr_xcalloc(n + 1, sizeof *s->cell);
    s->weight = ipr_xcalloc(n + 1, sizeof *s->weight);
    s->start = ipr_xcalloc(n + 1, sizeof *s->start);
    s->year = ipr_xcalloc(n + 1, sizeof *s->year);
    s->strata = ipr_xcalloc(n + 1, sizeof *s->strata);
    for (size_t i = 0; i < n; i++) {
        const bool new_year = i == 0 || steps[i].year != steps[i - 1].year;
        const bool new_game = new_year || steps[i].game != steps[i - 1].game;
        if (new_year)
            s->strata[s->n_strata++] = (struct ipr_stratum){ .first = s->games };
        if (new_game) {
            s->year[s->games] = steps[i].year;
            s->start[s->games++] = s->n;
            s->strata[s->n_strata - 1].games++;
        }
        if (!new_game && steps[i].cell == steps[i - 1].cell) {
            s->weight[s->n - 1] += steps[i].weight;
            continue;
        }
        s->cell[s->n] = steps[i].cell;
        s->weight[s->n++] = steps[i].weight;
    }
    s->start[s->games] = s->n;
}

struct content {
    uint64_t hash;
    size_t game;
};

static int game_by_content(const void *a, const void *b)
{
    const struct content *x = a;
    const struct content *y = b;

    if (x->hash != y->hash)
        return x->hash < y->hash ? -1 : 1;
    return (x->game > y->game) - (x->game < y->game);
}

/* Puts the games of each stratum in an order that is not that of their numbers, so that replicates
 * are the same however games are numbered. */
static void side_order(struct ipr_markov_side *s)
{
    struct content *c = ipr_xcalloc(s->games + 1, sizeof *c);

    for (size_t i = 0; i < s->games; i++) {
        const size_t game = s->drawn[i];
        c[i].game = game;
        for (size_t k = s->start[game]; k < s->start[game + 1]; k++) {
            uint64_t bits;
            memcpy(&bits, &s->weight[k], sizeof bits);
            c[i].hash = ipr_mix64(ipr_mix64(c[i].hash ^ bits) ^ s->cell[k]);
        }
    }
    for (size_t k = 0; k < s->n_strata; k++) {
        struct ipr_stratum *d = &s->strata[k];
        for (size_t i = d->first; i < d->first + d->games; i++)
            d->digest += ipr_mix64(c[i].hash);
        qsort(c + d->first, d->games, sizeof *c, game_by_content);
    }
    for (size_t i = 0; i < s->games; i++)
        s->drawn[i] = c[i].game;
    free(c);
}

void ipr_markov_side_init(struct ipr_markov_side *s, const struct ipr_markov_player *player,
                          const struct ipr_markov_params *params, struct ipr_markov_evidence *e)
{
    const struct ipr_markov_classes *classes = &params->classes;
    struct step *steps = ipr_xcalloc(player->n + 1, sizeof *steps);
    double squares = 0.0; /* of the weights of exits */
    size_t n = 0;

    memset(s, 0, sizeof *s);
    s->triangular = true;
    for (size_t i = 0; i < player->n; i++) {
        const struct ipr_markov_turn *t = &player->turns[i];
        const unsigned from = ipr_markov_class(classes, t->best_cp);
        const unsigned to = ipr_markov_class(classes, t->played_cp);
        const bool black = params->separate_colours && t->mover != 0;
        const double w = ipr_year_weight(t->year, player->year, params->forgetting);
        if (!(w > 0.0))
            continue;
        steps[n++] = (struct step){
            t->year, t->game,
            (uint16_t)(from * classes->n + to + (black ? (unsigned)IPR_MARKOV_CELLS : 0U)), w
        };
        s->triangular = s->triangular && to <= from;
        s->digest += ipr_mix64((uint64_t)(from * classes->n + to) << 1 | black);
        e->turns++;
        e->turns_in_year += player->year != 0 && t->year == player->year;
        e->weight += w;
        e->turns_top += from == classes->n - 1;
        if (from == classes->n - 1 && to != from) {
            e->exits_top++;
            e->exits_top_weight += w;
            squares += w * w;
        }
    }
    if (squares > 0.0)
        e->exits_top_effective = e->exits_top_weight * e->exits_top_weight / squares;
    s->digest += n;
    qsort(steps, n, sizeof *steps, by_year_game_cell);
    side_index(s, steps, n);
    s->drawn = ipr_xcalloc(s->games + 1, sizeof *s->drawn);
    s->n_strata = ipr_strata(s->strata, s->n_strata, s->games, s->drawn);
    side_order(s);
    free(steps);
    e->games = s->games;
}
