#include "model/whr.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#define WHR_ELO     (400 / log(10)) /* Elo per unit of the logistic curve */
#define WHR_STEP    2.0             /* longest step of a strength in one sweep, in units */
#define WHR_TOL     1e-7            /* longest step at convergence, in units */
#define WHR_SWEEPS  5000
#define WHR_ELO_MAX 10000.0 /* largest absolute value of Elo in options */

/* A game from one player's side. A node is a player in a period; sorting puts the entries of a node
 * next to each other. */
struct whr_entry {
    uint32_t player, id; /* id: 2 * game, + 1 for Black */
    int32_t period;
    uint32_t other; /* node of the opponent */
    double points, weight, colour;
};

/* Strengths in units of the logistic curve. */
struct whr {
    const struct ipr_whr_options *o;
    const struct ipr_whr_game *game;
    struct whr_entry *entry; /* [entries] */
    size_t entries, nodes, players;
    size_t *start; /* [nodes + 1] of each node's entries */
    size_t *first; /* [players + 1] of each player's nodes */
    double *r;     /* [nodes] */
    double *known; /* [nodes] of the node's player; NaN: does not count */
    double *prior; /* [players] mean */
    double unit;   /* Elo per unit */
    double white, white_precision;
    double *g, *h, *c, *d; /* [nodes] for one player: gradient; diagonal and negative off-diagonal
                              of the negative Hessian; pivots */
};

/* Expected points, and their variance, at a difference of x units. */
static double whr_points(double x, double nu, double *variance)
{
    const double q = exp(-x / 2), all = 1 + q * q + nu * q;
    const double e = (1 + nu * q / 2) / all;

    *variance = (1 + nu * q / 4) / all - e * e;
    return e;
}

static double whr_unit(double nu)
{
    return WHR_ELO / (1 + nu / 2);
}

double ipr_whr_expect(double difference, double draw, double *variance)
{
    return whr_points(difference / whr_unit(draw), draw, variance);
}

static int whr_order(const void *a, const void *b)
{
    const struct whr_entry *x = a, *y = b;

    if (x->player != y->player)
        return x->player < y->player ? -1 : 1;
    if (x->period != y->period)
        return x->period < y->period ? -1 : 1;
    return x->id < y->id ? -1 : x->id > y->id;
}

/* Finds where each player's nodes and each node's entries begin, and the opponent's node of each
 * entry. */
static void whr_nodes(struct whr *w, uint32_t *node)
{
    size_t player = 0;

    for (size_t i = 0; i < w->entries; i++) {
        const struct whr_entry *e = &w->entry[i];

        if (i == 0 || e[-1].player != e->player || e[-1].period != e->period) {
            while (player <= e->player)
                w->first[player++] = w->nodes;
            w->start[w->nodes++] = i;
        }
        node[e->id] = (uint32_t)(w->nodes - 1);
    }
    while (player <= w->players)
        w->first[player++] = w->nodes;
    w->start[w->nodes] = w->entries;
    for (size_t i = 0; i < w->entries; i++)
        w->entry[i].other = node[w->entry[i].id ^ 1];
}

static int32_t whr_period(const struct whr *w, size_t node)
{
    return w->entry[w->start[node]].period;
}

/* Mean known rating of a node's player, or of the opponents [Elo]; NaN: none. *weight: sum of the
 * weights of the games with one. */
static double whr_known(const struct whr *w, size_t node, bool opponents, double *weight)
{
    double sum = 0, n = 0;

    *weight = 0;
    for (size_t i = w->start[node]; i < w->start[node + 1]; i++) {
        const struct whr_entry *e = &w->entry[i];
        const int16_t elo = w->game[e->id / 2].elo[(e->id & 1) ^ opponents];

        sum += elo;
        n += elo > 0;
        *weight += elo > 0 ? e->weight : 0;
    }
    return sum / n;
}

/* Takes the known ratings from the games, in units. */
static void whr_anchor(struct whr *w)
{
    double sum = 0, n = 0, weight;

    for (size_t k = 0; k < w->nodes; k++) {
        const double elo = w->o->elo_sd > 0 ? whr_known(w, k, false, &weight) : NAN;

        w->known[k] = (elo - w->o->level) / w->unit;
        sum += isnan(elo) ? 0 : elo;
        n += isnan(elo) ? 0 : 1;
    }
    for (size_t p = 0; n > 0 && p < w->players; p++) {
        double mean = NAN;

        if (w->first[p + 1] > w->first[p])
            mean = whr_known(w, w->first[p], true, &weight) - w->o->below;
        if (isnan(mean))
            mean = sum / n - w->o->below_all;
        w->prior[p] = (mean - w->o->level) / w->unit;
    }
}

/* Gradient and curvature of the log posterior of a node's games and known rating. */
static void whr_games(const struct whr *w, size_t node, double *g, double *h)
{
    *g = *h = 0;
    for (size_t i = w->start[node]; i < w->start[node + 1]; i++) {
        const struct whr_entry *e = &w->entry[i];
        double v;
        const double x = w->r[node] - w->r[e->other] + e->colour * w->white;

        *g += e->weight * (e->points - whr_points(x, w->o->draw, &v));
        *h += e->weight * v;
    }
    if (!isnan(w->known[node])) {
        const double precision = pow(w->unit / w->o->elo_sd, 2);

        *g += precision * (w->known[node] - w->r[node]);
        *h += precision;
    }
}

/* Variance of the change of strength between two nodes of a player whose first is `a` [Elo^2]. */
static double whr_drift(const struct whr *w, size_t a, size_t from, size_t to)
{
    const double begin = (double)whr_period(w, from) - whr_period(w, a);
    const double end = (double)whr_period(w, to) - whr_period(w, a);
    const double early = fmax(fmin(end, w->o->early_periods) - begin, 0);

    return w->o->drift * (end - begin + early * (w->o->early - 1));
}

/* Gradient g and negative Hessian (h, -c) for the n nodes from node `a`. */
static void whr_player(const struct whr *w, size_t a, size_t n)
{
    const double weight = w->o->virtual_games / w->o->dispersion;
    double v;

    for (size_t k = 0; k < n; k++)
        whr_games(w, a + k, &w->g[k], &w->h[k]);
    /* The virtual games are in the first node. */
    w->g[0] += weight *
               (.5 - whr_points(w->r[a] - w->prior[w->entry[w->start[a]].player], w->o->draw, &v));
    w->h[0] += weight * v;
    for (size_t k = 0; k + 1 < n; k++) {
        const double c = w->unit * w->unit / whr_drift(w, a, a + k, a + k + 1);
        const double pull = c * (w->r[a + k + 1] - w->r[a + k]);

        w->c[k] = c;
        w->g[k] += pull;
        w->g[k + 1] -= pull;
        w->h[k] += c;
        w->h[k + 1] += c;
    }
}

/* Pivots of the elimination that begins at the first node. */
static void whr_pivots(const struct whr *w, size_t n)
{
    w->d[0] = w->h[0];
    for (size_t k = 1; k < n; k++)
        w->d[k] = w->h[k] - w->c[k - 1] * w->c[k - 1] / w->d[k - 1];
}

/* A step that is not finite counts as infinite: fmax alone would ignore a NaN. */
static double whr_longest(double longest, double step)
{
    return isfinite(step) ? fmax(longest, fabs(step)) : INFINITY;
}

/* One Newton step for all nodes of a player; returns its longest component. */
static double whr_newton(struct whr *w, size_t a, size_t n)
{
    double longest = 0, scale = 1;

    whr_player(w, a, n);
    whr_pivots(w, n);
    for (size_t k = 1; k < n; k++)
        w->g[k] += w->g[k - 1] * w->c[k - 1] / w->d[k - 1];
    for (size_t k = n; k-- > 0;) {
        w->g[k] = (w->g[k] + (k + 1 < n ? w->c[k] * w->g[k + 1] : 0)) / w->d[k];
        longest = whr_longest(longest, w->g[k]);
    }
    if (longest > WHR_STEP)
        scale = WHR_STEP / longest;
    for (size_t k = 0; k < n; k++)
        w->r[a + k] += scale * w->g[k];
    return longest;
}

/* One Newton step for White's advantage; returns it. */
static double whr_white(struct whr *w)
{
    double g = 0, h = 0, step;

    if (w->o->white_sd == 0)
        return 0;
    for (size_t node = 0; node < w->nodes; node++)
        for (size_t i = w->start[node]; i < w->start[node + 1]; i++) {
            const struct whr_entry *e = &w->entry[i];
            double v, s;

            if (e->colour < 0)
                continue;
            s = whr_points(w->r[node] - w->r[e->other] + w->white, w->o->draw, &v);
            g += e->weight * (e->points - s);
            h += e->weight * v;
        }
    w->white_precision = h + pow(w->unit / w->o->white_sd, 2);
    step = (g - (w->white - w->o->white / w->unit) * (w->white_precision - h)) / w->white_precision;
    w->white += step;
    return step;
}

/* One sweep over all players; returns its longest step. Alternating the direction converges in
 * fewer sweeps. */
static double whr_sweep(struct whr *w, bool backwards)
{
    double longest = 0;

    for (size_t i = 0; i < w->players; i++) {
        const size_t p = backwards ? w->players - 1 - i : i;

        if (w->first[p + 1] > w->first[p])
            longest = fmax(longest, whr_newton(w, w->first[p], w->first[p + 1] - w->first[p]));
    }
    return whr_longest(longest, whr_white(w));
}

/* Variances and covariances of a player's nodes: the diagonal and the first off-diagonal of the
 * inverse, from the pivots of the eliminations from both ends. */
static void whr_errors(const struct whr *w, size_t a, size_t n, struct ipr_whr_strength *out)
{
    double back = 0, next = 0;

    whr_player(w, a, n);
    whr_pivots(w, n);
    for (size_t k = n; k-- > 0;) {
        double variance;

        back = w->h[k] - (k + 1 < n ? w->c[k] * w->c[k] / back : 0);
        variance = 1 / (w->d[k] + back - w->h[k]);
        out[k].se = w->unit * sqrt(variance);
        out[k].covariance = k + 1 < n ? w->unit * w->unit * w->c[k] * next / w->d[k] : 0;
        next = variance;
    }
}

static void whr_finish(const struct whr *w, struct ipr_whr *out)
{
    for (size_t p = 0; p < w->players; p++)
        if (w->first[p + 1] > w->first[p])
            whr_errors(w, w->first[p], w->first[p + 1] - w->first[p], out->strength + w->first[p]);
    for (size_t k = 0; k < w->nodes; k++) {
        struct ipr_whr_strength *s = &out->strength[k];

        s->player = w->entry[w->start[k]].player;
        s->period = whr_period(w, k);
        s->elo = w->o->level + w->unit * w->r[k];
        s->known = whr_known(w, k, false, &s->rated);
        whr_known(w, k, true, &s->rated);
        s->rated *= w->o->dispersion;
        for (size_t i = w->start[k]; i < w->start[k + 1]; i++)
            s->games += w->entry[i].weight * w->o->dispersion;
    }
    out->white = w->unit * w->white;
    out->white_se = w->o->white_sd == 0 ? 0 : w->unit / sqrt(w->white_precision);
}

static bool whr_valid_options(const struct ipr_whr_options *o)
{
    return o->drift > 0 && isfinite(o->drift) && o->draw >= 0 && isfinite(o->draw) &&
           o->dispersion > 0 && isfinite(o->dispersion) && o->virtual_games > 0 &&
           isfinite(o->virtual_games) && fabs(o->white) <= WHR_ELO_MAX && o->white_sd >= 0 &&
           isfinite(o->white_sd) && fabs(o->level) <= WHR_ELO_MAX && o->elo_sd >= 0 &&
           isfinite(o->elo_sd) && !(fabs(o->below) > WHR_ELO_MAX) &&
           fabs(o->below_all) <= WHR_ELO_MAX && o->early_periods >= 0 &&
           (o->early_periods == 0 || (o->early > 0 && isfinite(o->early)));
}

static bool whr_valid_game(const struct ipr_whr_game *g, size_t players)
{
    return g->white < players && g->black < players && g->white != g->black &&
           g->period >= -(1 << 30) && g->period <= 1 << 30 &&
           (g->points == 0 || g->points == .5 || g->points == 1) && g->weight >= 0 &&
           isfinite(g->weight);
}

static enum ipr_code whr_check(const struct ipr_whr_game *game, size_t n, size_t players,
                               const struct ipr_whr_options *o, struct ipr_err *err)
{
    double weight = 0;

    if (!whr_valid_options(o) || n >= UINT32_MAX / 2 || players >= UINT32_MAX)
        return ipr_err_set(err, IPR_EINVAL, "whole-history rating: options out of their domain");
    for (size_t i = 0; i < n; i++) {
        if (!whr_valid_game(&game[i], players))
            return ipr_err_set(err, IPR_EINVAL, "whole-history rating: game %zu out of domain", i);
        weight += game[i].weight;
    }
    return weight > 0 ? IPR_OK : ipr_err_set(err, IPR_EDATA, "no game has a weight");
}

static void whr_init(struct whr *w, const struct ipr_whr_game *game, size_t n,
                     struct ipr_arena *scratch)
{
    w->unit = whr_unit(w->o->draw);
    w->white = w->o->white / w->unit;
    w->entry = ipr_arena_alloc(scratch, 2 * n, sizeof *w->entry);
    for (size_t i = 0; i < n; i++)
        for (unsigned black = 0; black < 2; black++) {
            const struct ipr_whr_game *g = &game[i];

            if (g->weight == 0)
                continue;
            struct whr_entry *e = &w->entry[w->entries++];
            *e = (struct whr_entry){ .player = g->white,
                                     .id = (uint32_t)(2 * i + black),
                                     .period = g->period,
                                     .points = g->points,
                                     .weight = g->weight / w->o->dispersion,
                                     .colour = 1 };
            if (black) {
                e->player = g->black;
                e->points = 1 - g->points;
                e->colour = -1;
            }
        }
    qsort(w->entry, w->entries, sizeof *w->entry, whr_order);
    w->start = ipr_arena_alloc(scratch, w->entries + 1, sizeof *w->start);
    whr_nodes(w, ipr_arena_alloc(scratch, 2 * n, sizeof(uint32_t)));
    w->prior = ipr_arena_alloc(scratch, w->players, sizeof *w->prior);
    w->r = ipr_arena_alloc(scratch, 6 * w->nodes, sizeof *w->r);
    w->g = w->r + w->nodes;
    w->h = w->g + w->nodes;
    w->c = w->h + w->nodes;
    w->d = w->c + w->nodes;
    w->known = w->d + w->nodes;
    whr_anchor(w);
}

enum ipr_code ipr_whr_fit(const struct ipr_whr_game *game, size_t n, size_t players,
                          const struct ipr_whr_options *options, struct ipr_arena *mem,
                          struct ipr_whr *out, struct ipr_err *err)
{
    struct ipr_arena scratch = IPR_ARENA_INIT;
    struct whr w = { .o = options, .game = game, .players = players };
    enum ipr_code rc = whr_check(game, n, players, options, err);
    unsigned sweeps = 0;
    double longest;

    if (rc != IPR_OK)
        return rc;
    w.first = ipr_arena_alloc(mem, players + 1, sizeof *w.first);
    whr_init(&w, game, n, &scratch);
    do
        longest = whr_sweep(&w, sweeps % 2 != 0);
    while (++sweeps < WHR_SWEEPS && longest > WHR_TOL && isfinite(longest));
    if (longest > WHR_TOL) {
        rc = ipr_err_set(err, IPR_ENOCONV, "strengths still move after %u sweeps", sweeps);
    } else {
        *out = (struct ipr_whr){ .n = w.nodes, .first = w.first, .sweeps = sweeps };
        out->strength = ipr_arena_alloc(mem, w.nodes, sizeof *out->strength);
        whr_finish(&w, out);
    }
    ipr_arena_release(&scratch);
    return rc;
}
