#include "model/markov.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "model/markov_side.h"
#include "stats/resample.h"

struct ipr_markov_params ipr_markov_default(void)
{
    return (struct ipr_markov_params){ .classes = ipr_markov_classes_19(),
                                       .empty_row = IPR_EMPTY_ROW_POOL,
                                       .forgetting = IPR_FORGETTING,
                                       .replicates = 4000,
                                       .seed = 1 };
}

/* ---- a player's turns, sorted into games and strata ---- */

/* One transition of one game. */
struct markov_step {
    int32_t year, game;
    uint16_t cell;
    double weight;
};

static int by_year_game_cell(const void *a, const void *b)
{
    const struct markov_step *x = a;
    const struct markov_step *y = b;

    if (x->year != y->year)
        return x->year < y->year ? -1 : 1;
    if (x->game != y->game)
        return x->game < y->game ? -1 : 1;
    return (x->cell > y->cell) - (x->cell < y->cell);
}

static void markov_side_release(struct ipr_markov_side *s)
{
    free(s->cell);
    free(s->weight);
    free(s->start);
    free(s->drawn);
    free(s->strata);
}

/* Sorted steps to games, and like ones of a game to one; the strata are the years. */
static void side_index(struct ipr_markov_side *s, const struct markov_step *steps, size_t n)
{
    s->cell = ipr_xcalloc(n + 1, sizeof *s->cell);
    s->weight = ipr_xcalloc(n + 1, sizeof *s->weight);
    s->start = ipr_xcalloc(n + 1, sizeof *s->start);
    s->strata = ipr_xcalloc(n + 1, sizeof *s->strata);
    for (size_t i = 0; i < n; i++) {
        const bool new_year = i == 0 || steps[i].year != steps[i - 1].year;
        const bool new_game = new_year || steps[i].game != steps[i - 1].game;
        if (new_year)
            s->strata[s->n_strata++] = (struct ipr_stratum){ .first = s->games };
        if (new_game) {
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

/* The turns that count for the player's year; release it. */
static void markov_side_init(struct ipr_markov_side *s, const struct ipr_markov_player *player,
                             const struct ipr_markov_params *params, struct ipr_markov_evidence *e)
{
    const struct ipr_markov_classes *classes = &params->classes;
    struct markov_step *steps = ipr_xcalloc(player->n + 1, sizeof *steps);
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
        steps[n++] = (struct markov_step){
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

/* ---- predictions ---- */

static enum ipr_code check_side(const struct ipr_markov_side *s, int number,
                                const struct ipr_markov_player *player, bool interval,
                                struct ipr_err *err)
{
    if (s->games > 1 || (s->games == 1 && !interval))
        return IPR_OK;
    if (s->games == 1)
        return ipr_err_set(err, IPR_EDATA,
                           "player %d has one game only, and one game gives no interval", number);
    if (player->year == 0)
        return ipr_err_set(err, IPR_EDATA, "player %d has no moves", number);
    return ipr_err_set(err, IPR_EDATA, "player %d has no moves up to the year %d", number,
                       player->year);
}

/* Matrices of a player from all games: with White, with Black (the same unless kept separate). */
struct matrices {
    double own[2][IPR_MARKOV_CELLS];
    const double *colour[2];
};

static unsigned all_games(const struct ipr_markov_side *s, const double *pool, size_t n,
                          bool separate, struct matrices *m)
{
    double *counts = ipr_xcalloc(2 * (size_t)IPR_MARKOV_CELLS, sizeof *counts);
    unsigned empty = 0;

    for (size_t i = 0; i < s->n; i++)
        counts[s->cell[i]] += s->weight[i];
    for (size_t k = 0; k <= separate; k++)
        empty += ipr_markov_fill(counts + k * IPR_MARKOV_CELLS, pool, n, m->own[k]);
    m->colour[0] = m->own[0];
    m->colour[1] = m->own[separate ? 1 : 0];
    free(counts);
    return empty;
}

static enum ipr_code markov_estimate(const struct ipr_markov_side *s1,
                                     const struct ipr_markov_side *s2, const double *pool,
                                     const struct ipr_markov_params *params,
                                     struct ipr_markov_prediction *out, struct ipr_err *err)
{
    const size_t n = params->classes.n;
    const bool separate = params->separate_colours;
    struct matrices m1;
    struct matrices m2;
    struct ipr_markov_both b;
    enum ipr_code rc;

    out->player1.empty_rows = all_games(s1, pool, n, separate, &m1);
    out->player2.empty_rows = all_games(s2, pool, n, separate, &m2);
    rc = ipr_markov_both_colours(m1.colour, m2.colour, n, ipr_markov_class(&params->classes, 0), &b,
                                 err);
    if (rc != IPR_OK)
        return rc;
    out->as_white = b.white;
    out->as_black = b.black;
    out->mean = (struct ipr_markov_outcome){ (b.white.win + b.black.win) / 2.0,
                                             (b.white.draw + b.black.draw) / 2.0,
                                             (b.white.loss + b.black.loss) / 2.0,
                                             (b.white.expected + b.black.expected) / 2.0 };
    out->recurrent_white = b.recurrent[0];
    out->recurrent_black = b.recurrent[1];
    return IPR_OK;
}

enum ipr_code ipr_markov_predict(const struct ipr_markov_player *player1,
                                 const struct ipr_markov_player *player2, const double *pool,
                                 const struct ipr_markov_params *params,
                                 struct ipr_markov_prediction *out, struct ipr_err *err)
{
    const double *fill = params->empty_row == IPR_EMPTY_ROW_POOL ? pool : NULL;
    const bool interval = params->replicates > 1;
    struct ipr_markov_prediction p;
    struct ipr_markov_side s1;
    struct ipr_markov_side s2;
    enum ipr_code rc;

    rc = ipr_markov_classes_check(&params->classes, err);
    if (rc != IPR_OK)
        return rc;

    memset(&p, 0, sizeof p);
    p.expected = (struct ipr_interval){ 0.0, 1.0 };
    markov_side_init(&s1, player1, params, &p.player1);
    markov_side_init(&s2, player2, params, &p.player2);
    p.exits_from_top = p.player1.exits_top;
    p.exits_from_bottom = p.player2.exits_top;
    rc = check_side(&s1, 1, player1, interval, err);
    if (rc == IPR_OK)
        rc = check_side(&s2, 2, player2, interval, err);
    if (rc == IPR_OK)
        rc = markov_estimate(&s1, &s2, fill, params, &p, err);
    if (rc == IPR_OK && interval)
        rc = ipr_markov_bootstrap(&s1, &s2, fill, params, &p, err);
    if (rc == IPR_OK)
        *out = p;
    markov_side_release(&s1);
    markov_side_release(&s2);
    return rc;
}

enum ipr_code ipr_markov_chains(const struct ipr_markov_player *player1,
                                const struct ipr_markov_player *player2, const double *pool,
                                const struct ipr_markov_params *params,
                                struct ipr_markov_chain out[2], struct ipr_err *err)
{
    const double *fill = params->empty_row == IPR_EMPTY_ROW_POOL ? pool : NULL;
    const size_t n = params->classes.n;
    const size_t zero = ipr_markov_class(&params->classes, 0);
    struct ipr_markov_evidence unused[2] = { { 0 }, { 0 } };
    struct ipr_markov_chain *c = ipr_xcalloc(2, sizeof *c);
    struct ipr_markov_side s1;
    struct ipr_markov_side s2;
    struct matrices m1;
    struct matrices m2;

    enum ipr_code rc = ipr_markov_classes_check(&params->classes, err);
    if (rc != IPR_OK) {
        free(c);
        return rc;
    }
    markov_side_init(&s1, player1, params, &unused[0]);
    markov_side_init(&s2, player2, params, &unused[1]);
    rc = check_side(&s1, 1, player1, false, err);
    if (rc == IPR_OK)
        rc = check_side(&s2, 2, player2, false, err);
    if (rc == IPR_OK) {
        all_games(&s1, fill, n, params->separate_colours, &m1);
        all_games(&s2, fill, n, params->separate_colours, &m2);
        rc = ipr_markov_chain_of(m1.colour[0], m2.colour[1], n, zero, &c[0], err);
    }
    if (rc == IPR_OK)
        rc = ipr_markov_chain_of(m2.colour[0], m1.colour[1], n, zero, &c[1], err);
    if (rc == IPR_OK)
        memcpy(out, c, 2 * sizeof *c);
    markov_side_release(&s1);
    markov_side_release(&s2);
    free(c);
    return rc;
}
