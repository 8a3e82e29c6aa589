/*
 * Figures of one player's games: how evaluations are distributed, and what the best one was worth.
 *
 * Order of the work: every move of a player. Memory: one player's moves at a time, and 12 bytes for
 * each game of all of them.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lab/papers/figure.h"
#include "model/markov.h"
#include "view/json.h"

static const struct ipr_interval unknown = { NAN, NAN };

/* ---- figures 14 and 15: evaluations by class ---- */

#define BINS 42 /* -2.10 (and below), -2.00, …, 2.00 (and above), 0.10 wide */

/* The class of an evaluation, from 0. */
static unsigned distribution_class(bool narrow, int cp)
{
    const struct ipr_markov_classes classes = ipr_markov_classes_19();

    if (!narrow)
        return ipr_markov_class(&classes, cp);
    return (unsigned)fmin(BINS - 1, fmax(0.0, floor(cp / 10.0) + BINS / 2));
}

static size_t distribution_years(const struct ipr_paper_moves *m)
{
    bool seen[IPR_VIEW_YEAR_MAX + 1] = { false };
    size_t years = 0;

    for (size_t i = 0; i < m->n; i++) {
        bool *of = &seen[m->t.turns[m->keep[i]].year];

        years += !*of;
        *of = true;
    }
    return years;
}

static enum ipr_code distribution_take(struct ipr_paper_figure *f, const struct ipr_paper_moves *m,
                                       void *arg, struct ipr_err *err)
{
    const bool narrow = ipr_json_at(f->def, "width", 0.0) > 0.0;
    const size_t years = distribution_years(m);
    json_t *points = ipr_paper_add_series(f, m->name, NULL);
    size_t counts[BINS] = { 0 };

    (void)arg;
    (void)err;
    if (m->n < IPR_VIEW_MIN_TURNS) {
        ipr_paper_set_reason(f, "fewer than 150 moves are analysed here");
        return IPR_OK;
    }
    for (size_t i = 0; i < m->n; i++)
        counts[distribution_class(
            narrow, ipr_judged(&m->t.turns[m->keep[i]], IPR_PLAYED_PLACED).best_cp)]++;
    for (unsigned i = 0; i < (narrow ? BINS : ipr_markov_classes_19().n); i++)
        ipr_paper_add_point(points, narrow ? ((double)i - BINS / 2) / 10.0 : (double)i - 9.0,
                            (double)counts[i] / (double)years, unknown, counts[i]);
    ipr_paper_add_constant(f, "positions", (double)m->n, unknown);
    ipr_paper_add_constant(f, "years", (double)years, unknown);
    return IPR_OK;
}

enum ipr_code ipr_paper_evaluations(struct ipr_paper_figure *f, struct ipr_err *err)
{
    return ipr_paper_each_career(f, json_object_get(f->def, "players"), distribution_take, NULL,
                                 err);
}

/* ---- figure 13: what the best evaluation of a game was worth ---- */

#define STEP  0.25 /* pawns */
#define STEPS 12

/* Sides of games: the best evaluation that the player had to move in, and the score. */
struct reached {
    double *best, *score;
    size_t n, room;
};

static void reached_make_room(struct reached *r, size_t more)
{
    if (r->n + more <= r->room)
        return;
    r->room = 2 * (r->n + more);
    r->best = ipr_xrealloc(r->best, r->room, sizeof *r->best);
    r->score = ipr_xrealloc(r->score, r->room, sizeof *r->score);
}

static void reached_release(struct reached *r)
{
    free(r->best);
    free(r->score);
}

static void reached_add(const struct ipr_paper_moves *m, struct reached *r)
{
    const size_t games = (size_t)m->t.games;
    double *best = ipr_xcalloc(games + 1, sizeof *best);

    for (size_t g = 0; g < games; g++)
        best[g] = -INFINITY;
    for (size_t i = 0; i < m->n; i++) {
        const struct ipr_turn *t = &m->t.turns[m->keep[i]];

        best[t->game] = fmax(best[t->game], ipr_judged(t, IPR_PLAYED_PLACED).best_cp / 100.0);
    }
    reached_make_room(r, m->t.n_sides);
    for (size_t i = 0; i < m->t.n_sides; i++) {
        const struct ipr_db_player_side *s = &m->t.sides[i];

        if (s->game < 0 || s->half_points < 0 || !isfinite(best[s->game]))
            continue;
        r->best[r->n] = best[s->game];
        r->score[r->n++] = s->half_points / 2.0;
    }
    free(best);
}

/* The mean score of the games that reached at least v, which are independent. */
static void reached_put(struct ipr_paper_figure *f, const char *name, const struct reached *r)
{
    json_t *points = ipr_paper_add_series(f, name, NULL);
    double *score = ipr_xcalloc(r->n + 1, sizeof *score);

    for (int step = 0; step <= STEPS; step++) {
        size_t n = 0;

        for (size_t i = 0; i < r->n; i++)
            if (r->best[i] >= STEP * step)
                score[n++] = r->score[i];
        if (n >= 20)
            ipr_paper_add_mean(points, STEP * step, score, n);
    }
    if (json_array_size(points) == 0)
        ipr_paper_set_reason(f, "fewer than 20 games are analysed here");
    free(score);
}

static bool reached_is_wanted(const struct ipr_paper_figure *f, const char *name)
{
    const json_t *one;
    size_t i;

    json_array_foreach(json_object_get(f->def, "players"), i, one) {
        if (strcmp(json_string_value(one), name) == 0)
            return true;
    }
    return false;
}

static enum ipr_code reached_take(struct ipr_paper_figure *f, const struct ipr_paper_moves *m,
                                  void *arg, struct ipr_err *err)
{
    struct reached own = { 0 };

    (void)err;
    reached_add(m, arg);
    reached_add(m, &own);
    if (reached_is_wanted(f, m->name))
        reached_put(f, m->name, &own);
    reached_release(&own);
    return IPR_OK;
}

enum ipr_code ipr_paper_reached(struct ipr_paper_figure *f, struct ipr_err *err)
{
    struct reached all = { 0 };
    json_t *names = ipr_paper_players(f);

    const enum ipr_code rc = ipr_paper_each_career(f, names, reached_take, &all, err);
    if (rc == IPR_OK)
        reached_put(f, "All champions", &all);
    json_decref(names);
    reached_release(&all);
    return rc;
}
