/* A figure of a paper, made from what is stored. */
#include "lab/papers/figure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "view/json.h"
#include "view/rating/rate.h"

static const struct figure_maker {
    const char *name;
    ipr_paper_figure_fn *make;
} figure_makers[] = {
    { "careers", ipr_paper_careers },
    { "iprs", ipr_paper_iprs },
    { "match_losses", ipr_paper_match_losses },
    { "losses_by_evaluation", ipr_paper_losses_by_evaluation },
    { "share_by_evaluation", ipr_paper_share_by_evaluation },
    { "colours", ipr_paper_colours },
    { "matrix", ipr_paper_matrix },
    { "stationary", ipr_paper_stationary },
    { "losses", ipr_paper_losses },
    { "match_differences", ipr_paper_match_differences },
    { "match_scores", ipr_paper_match_scores },
    { "sums", ipr_paper_sums },
    { "worth", ipr_paper_worth },
    { "surface", ipr_paper_surface },
    { "best_bounds", ipr_paper_best_bounds },
    { "evaluations", ipr_paper_evaluations },
    { "reached", ipr_paper_reached },
    { "conformance_curves", ipr_paper_conformance_curves },
    { "posteriors", ipr_paper_posteriors },
    { "depths", ipr_paper_depths },
};

/* ---- what makers share ---- */

static json_t *figure_series(const char *name, const char *panel, bool printed)
{
    return json_pack("{s:s, s:o, s:b, s:n, s:[]}", "name", name, "panel", ipr_json_text(panel),
                     "printed", (int)printed, "reason", "points");
}

json_t *ipr_paper_add_series(struct ipr_paper_figure *f, const char *name, const char *panel)
{
    json_t *series = figure_series(name, panel, false);

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

/* ---- printed points ---- */

/* [[x, y], …], of heat maps [[x, y, value], …]. */
static void figure_put_printed_points(const json_t *printed, json_t *points)
{
    const json_t *one;
    size_t i;

    json_array_foreach(printed, i, one) {
        const double x = json_number_value(json_array_get(one, 0));
        const double y = json_number_value(json_array_get(one, 1));

        ipr_paper_add_point(points, x, y, (struct ipr_interval){ NAN, NAN }, 0);
    }
}

static void figure_put_printed(struct ipr_paper_figure *f)
{
    const json_t *one;
    size_t i;

    json_array_foreach(json_object_get(f->def, "printed"), i, one) {
        json_t *series =
            figure_series(ipr_json_text_at(one, "name"), ipr_json_text_at(one, "panel"), true);

        figure_put_printed_points(json_object_get(one, "points"),
                                  json_object_get(series, "points"));
        json_array_append_new(f->series, series);
    }
}

/* ---- the answer ---- */

static ipr_paper_figure_fn *figure_maker(const char *name)
{
    for (size_t i = 0; i < sizeof figure_makers / sizeof *figure_makers; i++)
        if (strcmp(figure_makers[i].name, name) == 0)
            return figure_makers[i].make;
    return NULL;
}

static enum ipr_code figure_make(struct ipr_paper_figure *f, struct ipr_err *err)
{
    ipr_paper_figure_fn *const make = figure_maker(ipr_json_text_at(f->def, "make"));
    const char *reason = ipr_json_text_at(f->def, "reason");
    enum ipr_code rc = IPR_OK;

    if (make != NULL)
        rc = make(f, err);
    else
        f->reason = reason;
    if (rc == IPR_OK)
        figure_put_printed(f);
    return rc;
}

/* Those of all figures of the paper that are made from stored games, then its own. */
static json_t *figure_differences(const struct ipr_paper_figure *f)
{
    json_t *out = json_array();

    if (json_object_get(f->def, "measured") == NULL)
        json_array_extend(out, json_object_get(f->paper, "differences"));
    json_array_extend(out, json_object_get(f->def, "differences"));
    return out;
}

static enum ipr_code figure_answer(struct ipr_paper_figure *f, json_t *out, struct ipr_err *err)
{
    static const char *const members[] = { "figure", "place", "title", "kind",
                                           "about",  "x",     "y",     "value" };
    const json_t *const measured = json_object_get(f->def, "measured");

    json_object_set(out, "paper", json_object_get(f->paper, "paper"));
    json_object_set(out, "source", json_object_get(f->paper, "source"));
    for (size_t i = 0; i < sizeof members / sizeof *members; i++) {
        json_t *value = json_object_get(f->def, members[i]);

        json_object_set_new(out, members[i], value != NULL ? json_incref(value) : json_null());
    }
    const enum ipr_code rc =
        ipr_paper_add_basis(f->context, measured == NULL && !f->of_calibration, out, err);
    if (measured != NULL) {
        json_object_set_new(out, "judge", json_null());
        json_object_set_new(out, "engine", ipr_json_text(ipr_json_text_at(measured, "engine")));
    }
    json_object_set_new(out, "differences", figure_differences(f));
    json_object_set_new(out, "reason", ipr_json_text(f->reason));
    json_object_set_new(out, "turns", json_integer((json_int_t)f->turns));
    json_object_set_new(out, "games", json_integer((json_int_t)f->games));
    json_object_set(out, "constants", f->constants);
    json_object_set(out, "series", f->series);
    json_object_set_new(out, "finding", ipr_paper_figure_finding(out));
    return rc;
}

enum ipr_code ipr_paper_make_figure(const struct ipr_view *v, const json_t *paper,
                                    const json_t *figure, json_t **out, struct ipr_err *err)
{
    const struct ipr_setting_scope scope = { .judge = ipr_json_text_at(figure, "judge") };
    struct ipr_view_context c = { 0 };
    struct ipr_paper_figure f = { .context = &c,
                                  .paper = paper,
                                  .def = figure,
                                  .series = json_array(),
                                  .constants = json_array() };
    json_t *answer = json_object();

    enum ipr_code rc = ipr_setting_for(v, IPR_FOR_LINES, &scope, &c, err);
    if (rc == IPR_OK)
        rc = figure_make(&f, err);
    if (rc == IPR_OK)
        rc = figure_answer(&f, answer, err);
    if (rc == IPR_OK)
        *out = json_incref(answer);
    ipr_view_context_close(&c);
    json_decref(answer);
    json_decref(f.series);
    json_decref(f.constants);
    return rc;
}
