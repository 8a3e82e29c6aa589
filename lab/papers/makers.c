/* The parts of figures that their makers share: series, points, and moves of players. */
#include "lab/papers/figure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "view/json.h"
#include "view/rating/rate.h"

json_t *ipr_paper_add_series(struct ipr_paper_figure *f, const char *name, const char *panel)
{
    json_t *series = json_pack("{s:s, s:o, s:b, s:n, s:[]}", "name", name, "panel",
                               ipr_json_text(panel), "printed", 0, "reason", "points");

    json_array_append_new(f->series, series);
    return json_object_get(series, "points");
}

void ipr_paper_set_reason(struct ipr_paper_figure *f, const char *reason)
{
    json_t *last = json_array_get(f->series, json_array_size(f->series) - 1);

    json_object_set_new(last, "reason", ipr_json_text(reason));
}

static json_t *figure_interval(struct ipr_interval i)
{
    return ipr_json_interval_if(isfinite(i.lo) && isfinite(i.hi), i);
}

void ipr_paper_add_point(json_t *points, double x, double y, struct ipr_interval interval, size_t n)
{
    json_array_append_new(points,
                          json_pack("{s:o, s:o, s:n, s:o, s:o}", "x", ipr_json_num(x), "y",
                                    ipr_json_num(y), "value", "interval", figure_interval(interval),
                                    "n", ipr_json_known((json_int_t)n)));
}

void ipr_paper_add_share(json_t *points, double x, const struct ipr_share *share)
{
    const struct ipr_figure_share s = ipr_rate_share(share);

    ipr_paper_add_point(points, x, s.share, s.interval, share->trials);
}

void ipr_paper_add_difference(json_t *points, double x, const struct ipr_share *a,
                              const struct ipr_share *b)
{
    const double d = a->share - b->share;
    const bool known = a->clustered_known && b->clustered_known;
    const size_t games = a->games < b->games ? a->games : b->games;
    const double half = known ? ipr_stats_quantile95(games) * hypot(a->se, b->se) : NAN;

    ipr_paper_add_point(points, x, d, (struct ipr_interval){ d - half, d + half },
                        a->trials + b->trials);
}

void ipr_paper_add_mean(json_t *points, double x, const double *scores, size_t n)
{
    int32_t *game = ipr_xcalloc(n + 1, sizeof *game);
    double mean = 0.0;

    for (size_t i = 0; i < n; i++) {
        game[i] = (int32_t)i;
        mean += scores[i] / (double)n;
    }
    const double half =
        n > 1 ? ipr_stats_quantile95(n) * ipr_stats_mean_se(scores, game, n, NULL) : NAN;
    ipr_paper_add_point(points, x, mean,
                        (struct ipr_interval){ fmax(0.0, mean - half), fmin(1.0, mean + half) }, n);
    free(game);
}

void ipr_paper_add_cell(json_t *points, double x, double y, double value)
{
    json_array_append_new(points, json_pack("{s:o, s:o, s:o, s:n, s:n}", "x", ipr_json_num(x), "y",
                                            ipr_json_num(y), "value", ipr_json_num(value),
                                            "interval", "n"));
}

void ipr_paper_add_constant(struct ipr_paper_figure *f, const char *name, double ours,
                            struct ipr_interval interval)
{
    const json_t *one;
    size_t i;

    json_array_foreach(json_object_get(f->def, "constants"), i, one) {
        if (strcmp(ipr_json_text_at(one, "name"), name) != 0)
            continue;
        json_array_append_new(f->constants,
                              json_pack("{s:s, s:O?, s:o, s:o, s:o, s:o}", "name", name, "unit",
                                        json_object_get(one, "unit"), "printed",
                                        ipr_json_num(ipr_json_at(one, "printed", NAN)), "ours",
                                        ipr_json_num(ours), "interval", figure_interval(interval),
                                        "difference",
                                        ipr_json_num(ours - ipr_json_at(one, "printed", NAN))));
    }
}

/* ---- moves of players ---- */

/* Moves of games against that opponent alone, in place. */
static void figure_keep_opponent(const struct ipr_db_player_turns *t, int32_t opponent,
                                 struct ipr_paper_moves *m)
{
    bool *of = ipr_xcalloc((size_t)t->games + 1, sizeof *of);
    size_t n = 0;

    for (size_t i = 0; i < t->n_sides; i++)
        if (t->sides[i].game >= 0)
            of[t->sides[i].game] = t->sides[i].opponent == opponent;
    for (size_t i = 0; i < m->n; i++)
        if (of[t->turns[m->keep[i]].game])
            m->keep[n++] = m->keep[i];
    m->n = n;
    free(of);
}

enum ipr_code ipr_paper_moves(struct ipr_paper_figure *f, const char *name, int from, int to,
                              int32_t opponent, struct ipr_paper_moves *out, struct ipr_err *err)
{
    const struct ipr_view_context *c = f->context;
    const struct ipr_window window = ipr_window_default(IPR_WINDOW_CONFORMANCE);
    struct ipr_db_scope scope = ipr_db_scope_year(0, 0, c->times);

    *out = (struct ipr_paper_moves){ .name = name };
    enum ipr_code rc = ipr_paper_find_person(c, f->paper, name, &scope.person, err);
    scope.from = from;
    scope.to = to;
    if (rc == IPR_OK && scope.person != 0 && c->judge_id != 0)
        rc = ipr_db_player_turns(c->v->db, &scope, c->judge_id, c->v->mem, &out->t, err);
    if (rc != IPR_OK || out->t.n == 0)
        return rc;
    out->keep = ipr_arena_alloc(c->v->mem, out->t.n, sizeof *out->keep);
    out->n = ipr_window_select(&window, out->t.turns, out->t.n, out->keep, NULL);
    if (opponent != 0)
        figure_keep_opponent(&out->t, opponent, out);
    out->games = ipr_rate_games(out->t.turns, out->keep, out->n);
    f->turns += out->n;
    f->games += out->games;
    return IPR_OK;
}

enum ipr_code ipr_paper_each_career(struct ipr_paper_figure *f, const json_t *names,
                                    ipr_paper_take_fn *take, void *arg, struct ipr_err *err)
{
    const struct ipr_view_context *const context = f->context;
    enum ipr_code rc = IPR_OK;
    const json_t *name;
    size_t i;

    json_array_foreach(names, i, name) {
        struct ipr_arena mem = IPR_ARENA_INIT;
        struct ipr_view view = *context->v;
        struct ipr_view_context c = *context;
        struct ipr_paper_moves moves;

        view.mem = &mem;
        c.v = &view;
        f->context = &c;
        rc = ipr_paper_moves(f, json_string_value(name), 0, 0, 0, &moves, err);
        if (rc == IPR_OK)
            rc = take(f, &moves, arg, err);
        f->context = context;
        ipr_arena_release(&mem);
        if (rc != IPR_OK)
            return rc;
    }
    return rc;
}

json_t *ipr_paper_players(const struct ipr_paper_figure *f)
{
    json_t *players = json_object_get(f->paper, "players"), *names = json_array(), *full;
    const char *name;

    json_object_foreach(players, name, full)
        json_array_append_new(names, json_string(name));
    return names;
}
