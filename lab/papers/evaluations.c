/*
 * Figures of the moves of several players together, by the evaluation or by the loss.
 *
 * Order of the work: every move of the players, sorted for each point. Memory: one player's moves
 * as they are read, and 45 bytes for each move of all of them.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lab/papers/figure.h"
#include "model/conformance.h"
#include "model/conformance_game.h"
#include "model/gain.h"
#include "stats/interval.h"
#include "view/json.h"

#define EVERYBODY "All champions"
#define SHOWN     200 /* losses [cp] below it are in the distribution */

static const char too_few[] = "fewer than 150 moves of the paper's players are analysed here";

/* ---- moves of several players ---- */

/* Moves with the best and the played evaluation; `game` numbers sides of games, and `year` is the
 * same for all, so that they have equal weights. */
struct moves {
    struct ipr_turn *turns;
    int16_t *cp;
    size_t *keep; /* room for all: the moves of one point */
    size_t n, room;
    int32_t sides;
};

static void moves_make_room(struct moves *all, size_t more)
{
    if (all->n + more <= all->room)
        return;
    all->room = 2 * (all->n + more);
    all->turns = ipr_xrealloc(all->turns, all->room, sizeof *all->turns);
    all->cp = ipr_xrealloc(all->cp, 2 * all->room, sizeof *all->cp);
    all->keep = ipr_xrealloc(all->keep, all->room, sizeof *all->keep);
    for (size_t i = 0; i < all->n; i++)
        all->turns[i].cp = &all->cp[2 * i];
}

static enum ipr_code moves_take(struct ipr_paper_figure *f, const struct ipr_paper_moves *m,
                                void *arg, struct ipr_err *err)
{
    struct moves *all = arg;

    (void)f;
    (void)err;
    moves_make_room(all, m->n);
    for (size_t i = 0; i < m->n; i++) {
        const struct ipr_turn *t = &m->t.turns[m->keep[i]];
        const struct ipr_judged j = ipr_judged(t, IPR_PLAYED_PLACED);
        int16_t *cp = &all->cp[2 * all->n];

        cp[0] = j.best_cp;
        cp[1] = j.played_cp;
        all->turns[all->n++] = (struct ipr_turn){ .game = all->sides + t->game,
                                                  .year = 1,
                                                  .ply = t->ply,
                                                  .mover = t->mover,
                                                  .lines = 2,
                                                  .n_cp = 2,
                                                  .played = 1,
                                                  .legal = t->legal,
                                                  .cp = cp };
    }
    all->sides += m->t.games;
    return IPR_OK;
}

static void moves_release(struct moves *all)
{
    free(all->turns);
    free(all->cp);
    free(all->keep);
}

/* The moves of a player of the paper or, with the name NULL, of all of them. */
static enum ipr_code moves_collect(struct ipr_paper_figure *f, const char *name, struct moves *all,
                                   struct ipr_err *err)
{
    json_t *names = name != NULL ? json_pack("[s]", name) : ipr_paper_players(f);

    *all = (struct moves){ 0 };
    moves_make_room(all, 1);
    const enum ipr_code rc = ipr_paper_each_career(f, names, moves_take, all, err);
    json_decref(names);
    if (rc != IPR_OK)
        moves_release(all);
    return rc;
}

/* Those of all players, where there are enough of them. */
static enum ipr_code moves_use(struct ipr_paper_figure *f,
                               enum ipr_code (*add)(struct ipr_paper_figure *f, struct moves *all,
                                                    struct ipr_err *err),
                               struct ipr_err *err)
{
    struct moves all;
    enum ipr_code rc = moves_collect(f, NULL, &all, err);

    if (rc != IPR_OK)
        return rc;
    if (all.n < IPR_VIEW_MIN_TURNS)
        f->reason = too_few;
    else
        rc = add(f, &all, err);
    moves_release(&all);
    return rc;
}

/* ---- the moves of a point ---- */

struct wanted {
    double low, high; /* pawns: low <= v_b < high */
    int mover;        /* -1: either */
    bool wrong;       /* moves that lose something alone */
};

/* Sets all->keep; the number of them. *v is their mean evaluation. */
static size_t moves_select(struct moves *all, const struct wanted *w, double *v)
{
    size_t n = 0;

    *v = 0.0;
    for (size_t i = 0; i < all->n; i++) {
        const struct ipr_turn *t = &all->turns[i];
        const double best = t->cp[0] / 100.0;

        if (best < w->low || best >= w->high || (w->mover >= 0 && t->mover != w->mover) ||
            (w->wrong && t->cp[1] >= t->cp[0]))
            continue;
        *v += best;
        all->keep[n++] = i;
    }
    *v /= n > 0 ? (double)n : 1.0;
    return n;
}

/* A point for each bin between the edges of the figure that has enough moves. */
static enum ipr_code moves_add_bins(struct ipr_paper_figure *f, struct moves *all,
                                    const struct wanted *of, json_t *points, struct ipr_err *err)
{
    const struct ipr_conformance_params raw = IPR_CONFORMANCE_INIT;
    const json_t *edges = json_object_get(f->def, "edges");
    struct wanted w = *of;
    enum ipr_code rc = IPR_OK;

    for (size_t i = 0; i + 1 < json_array_size(edges) && rc == IPR_OK; i++) {
        struct ipr_conformance c;
        double v;

        w.low = json_number_value(json_array_get(edges, i));
        w.high = json_number_value(json_array_get(edges, i + 1));
        const size_t n = moves_select(all, &w, &v);
        if (n < IPR_VIEW_MIN_TURNS)
            continue;
        rc = ipr_conformance(&raw, all->turns, all->keep, n, &c, err);
        if (rc != IPR_OK)
            return rc;
        const double half = ipr_stats_quantile95(c.games > 1 ? c.games : 2) * c.mean_loss_se;
        if (w.wrong)
            ipr_paper_add_point(points, v, c.mean_loss,
                                (struct ipr_interval){ c.mean_loss - half, c.mean_loss + half }, n);
        else
            ipr_paper_add_share(points, v, &c.share_30);
    }
    if (json_array_size(points) == 0)
        ipr_paper_set_reason(f, "too few moves are analysed here");
    return rc;
}

/* ---- figure 2: the mean loss of moves that lose something ---- */

static void losses_add_lines(struct ipr_paper_figure *f, struct moves *all)
{
    const struct wanted every = { -INFINITY, INFINITY, -1, false };
    const struct ipr_interval unknown = { NAN, NAN };
    struct ipr_loss_line up, down;
    double v;

    const size_t n = moves_select(all, &every, &v);
    ipr_conformance_loss_lines(all->turns, all->keep, n, IPR_PLAYED_PLACED, &up, &down);
    if (up.known) {
        ipr_paper_add_constant(f, "slope above 0", up.a, unknown);
        ipr_paper_add_constant(f, "mean loss at 0, from above", up.b, unknown);
    }
    if (down.known) {
        ipr_paper_add_constant(f, "slope below 0", down.a, unknown);
        ipr_paper_add_constant(f, "mean loss at 0, from below", down.b, unknown);
    }
}

/* `name` NULL: of everybody, with the lines through all of their moves. */
static enum ipr_code losses_add(struct ipr_paper_figure *f, const char *name, struct ipr_err *err)
{
    const struct wanted w = { .mover = -1, .wrong = true };
    struct moves all;
    enum ipr_code rc = moves_collect(f, name, &all, err);

    if (rc != IPR_OK)
        return rc;
    json_t *points = ipr_paper_add_series(f, name != NULL ? name : EVERYBODY, NULL);
    rc = moves_add_bins(f, &all, &w, points, err);
    if (name == NULL)
        losses_add_lines(f, &all);
    moves_release(&all);
    return rc;
}

enum ipr_code ipr_paper_losses_by_evaluation(struct ipr_paper_figure *f, struct ipr_err *err)
{
    const json_t *name;
    size_t i;

    enum ipr_code rc = losses_add(f, NULL, err);
    const size_t turns = f->turns, games = f->games;
    json_array_foreach(json_object_get(f->def, "players"), i, name) {
        if (rc == IPR_OK)
            rc = losses_add(f, json_string_value(name), err);
    }
    f->turns = turns; /* those of the players are among all */
    f->games = games;
    return rc;
}

/* ---- figure 6: White and Black ---- */

static const char *const colours[] = { "White", "Black" };

enum ipr_code ipr_paper_share_by_evaluation(struct ipr_paper_figure *f, struct ipr_err *err)
{
    struct moves all;
    enum ipr_code rc = moves_collect(f, NULL, &all, err);

    if (rc != IPR_OK)
        return rc;
    for (int mover = 0; mover < 2 && rc == IPR_OK; mover++) {
        const struct wanted w = { .mover = mover };
        json_t *points = ipr_paper_add_series(f, colours[mover], NULL);

        rc = moves_add_bins(f, &all, &w, points, err);
    }
    moves_release(&all);
    return rc;
}

/* The share of moves of a colour that lose at most x. */
static enum ipr_code colours_share(struct moves *all, int mover, double x, struct ipr_share *out,
                                   struct ipr_err *err)
{
    const struct ipr_conformance_params raw = IPR_CONFORMANCE_INIT;
    const struct wanted w = { -INFINITY, INFINITY, mover, false };
    double v;

    const size_t n = moves_select(all, &w, &v);
    return ipr_conformance_accumulated(&raw, all->turns, all->keep, n, 1, x, out, err);
}

/* White's share less Black's. */
static enum ipr_code colours_add(struct moves *all, double x, json_t *points,
                                 struct ipr_share share[2], struct ipr_err *err)
{
    enum ipr_code rc = IPR_OK;

    for (int mover = 0; mover < 2 && rc == IPR_OK; mover++)
        rc = colours_share(all, mover, x, &share[mover], err);
    if (rc == IPR_OK)
        ipr_paper_add_difference(points, x, &share[0], &share[1]);
    return rc;
}

static enum ipr_code colours_add_all(struct ipr_paper_figure *f, struct moves *all,
                                     struct ipr_err *err)
{
    json_t *points = ipr_paper_add_series(f, "White − Black", NULL);
    const json_t *x;
    enum ipr_code rc = IPR_OK;
    size_t i;

    json_array_foreach(json_object_get(f->def, "losses"), i, x) {
        struct ipr_share share[2];

        if (rc == IPR_OK)
            rc = colours_add(all, json_number_value(x), points, share, err);
        if (rc == IPR_OK && i == 0) {
            ipr_paper_add_constant(f, "White's moves without a loss", share[0].share,
                                   share[0].clustered);
            ipr_paper_add_constant(f, "Black's moves without a loss", share[1].share,
                                   share[1].clustered);
        }
    }
    return rc;
}

enum ipr_code ipr_paper_colours(struct ipr_paper_figure *f, struct ipr_err *err)
{
    return moves_use(f, colours_add_all, err);
}

/* ---- figure 3: the distribution of losses ---- */

/* The numbers beside the figure: shares of no loss and, of all positions, of large ones. */
static void losses_add_ends(struct ipr_paper_figure *f, const struct ipr_gain *gain, bool all)
{
    const struct ipr_interval unknown = { NAN, NAN };
    double beyond = 0.0;

    for (unsigned i = SHOWN; i < IPR_GAIN_BINS; i++)
        beyond += gain->share[i];
    ipr_paper_add_constant(f, all ? "without a loss" : "without a loss, evaluation within 2 pawns",
                           gain->share[0], unknown);
    if (all)
        ipr_paper_add_constant(f, "loss of 2 pawns and more", beyond, unknown);
}

static enum ipr_code losses_add_form(struct ipr_paper_figure *f, struct moves *all,
                                     const char *name, double limit, struct ipr_err *err)
{
    const struct ipr_conformance_params raw = IPR_CONFORMANCE_INIT;
    const struct wanted w = { -limit, limit + 1e-9, -1, false };
    json_t *points = ipr_paper_add_series(f, name, NULL);
    struct ipr_gain_turn *losses = ipr_xcalloc(all->n + 1, sizeof *losses);
    struct ipr_gain gain;
    double v;

    const size_t n = moves_select(all, &w, &v);
    enum ipr_code rc = ipr_gain_turns(&raw, all->turns, all->keep, n, losses, err);
    if (rc == IPR_OK)
        rc = ipr_gain_distribution(losses, NULL, n, &gain, err);
    free(losses);
    for (unsigned i = 1; i < SHOWN && rc == IPR_OK; i++)
        ipr_paper_add_point(points, i / 100.0, gain.share[i], (struct ipr_interval){ NAN, NAN },
                            (size_t)lround(gain.share[i] * (double)n));
    if (rc == IPR_OK)
        losses_add_ends(f, &gain, limit >= IPR_CP_LIMIT / 100.0);
    return rc;
}

static enum ipr_code losses_add_all(struct ipr_paper_figure *f, struct moves *all,
                                    struct ipr_err *err)
{
    const enum ipr_code rc = losses_add_form(f, all, "All positions", IPR_CP_LIMIT / 100.0, err);

    return rc == IPR_OK ? losses_add_form(f, all, "Evaluation within 2 pawns", 2.0, err) : rc;
}

enum ipr_code ipr_paper_losses(struct ipr_paper_figure *f, struct ipr_err *err)
{
    return moves_use(f, losses_add_all, err);
}
