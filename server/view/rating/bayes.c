/* The reference agent: c of the player who chooses as the person did. */
#include "view/rating/rate.h"

#include <math.h>
#include <stdlib.h>

#include "model/bayes.h"
#include "view/json.h"

/* A scope of more sides has no list of them in its answer. */
#define SIDES_SHOWN 200

static const char *const class_names[IPR_BAYES_CLASSES] = {
    [IPR_BAYES_LOST] = "lost",
    [IPR_BAYES_DREW] = "drew",
    [IPR_BAYES_WON] = "won",
    [IPR_BAYES_UNFINISHED] = "unfinished",
};

/** By game: the mode -+ its quantile of the clustered error, within the prior. */
static struct ipr_interval clustered(const struct ipr_bayes_params *params,
                                     const struct ipr_bayes_posterior *p)
{
    const double half = ipr_stats_quantile95(p->games) * p->clustered_se;

    return (struct ipr_interval){ fmax(0.0, p->mode - half), fmin(params->c_max, p->mode + half) };
}

/** {"mode", "at_bound", "at_zero", "events"} */
static json_t *shape_json(const struct ipr_bayes_posterior *p)
{
    return json_pack("{s:o, s:b, s:b, s:I}", "mode", ipr_json_num(p->mode), "at_bound", p->at_bound,
                     "at_zero", p->at_zero, "events", (json_int_t)p->events);
}

/** A posterior as a figure, which it makes `from` tell of. */
static json_t *posterior_json(const struct ipr_bayes_params *params,
                              const struct ipr_bayes_posterior *p, struct ipr_provenance *from)
{
    struct ipr_interval wider = p->interval;
    json_t *by_game = json_null();

    if (p->clustered_known) {
        const struct ipr_interval c = clustered(params, p);

        by_game = ipr_json_interval(c);
        if (c.hi - c.lo > wider.hi - wider.lo)
            wider = c;
    }
    const struct ipr_estimate result = { p->mean, p->sd, wider, from };

    from->turns = p->events;
    from->games = p->games;
    from->counts = &p->counts;
    from->iterations = p->levels;
    from->converged = true;
    json_t *out = ipr_estimate_json(&result);
    json_t *shape = shape_json(p);

    json_object_update(out, shape);
    json_decref(shape);
    json_object_set_new(out, "interval_posterior", ipr_json_interval(p->interval));
    json_object_set_new(out, "interval_clustered", by_game);
    json_object_set_new(out, "clustered_error",
                        p->clustered_known ? ipr_json_num(p->clustered_se) : json_null());
    return out;
}

/** Of one side, of whose moves alone there is no error by game. */
static json_t *side_json(const struct ipr_bayes_posterior *p)
{
    json_t *out = json_pack("{s:o, s:o, s:o}", "estimate", ipr_json_num(p->mean), "standard_error",
                            ipr_json_num(p->sd), "interval", ipr_json_interval(p->interval));
    json_t *shape = shape_json(p);

    json_object_update(out, shape);
    json_decref(shape);
    return out;
}

/** All moves of a class together. */
static json_t *pooled_json(const struct ipr_view_context *c, const struct ipr_bayes_params *params,
                           const struct ipr_bayes_posterior *p)
{
    struct ipr_provenance from = { .context = c,
                                   .method = IPR_METHOD_BAYES,
                                   .window = &params->window,
                                   .counts = &p->counts,
                                   .turns = p->events,
                                   .games = p->games };

    if (p->events >= IPR_VIEW_MIN_TURNS)
        return posterior_json(params, p, &from);
    return ipr_estimate_refusal(&from, "%d moves are needed, %zu remain after the exclusions",
                                IPR_VIEW_MIN_TURNS, p->events);
}

/* Indexed by 2 game + colour of the turns. */
struct side {
    int64_t game_id;
    enum ipr_bayes_class class;
};

static struct side *sides_of(const struct ipr_db_player_turns *t)
{
    const size_t n = 2 * (size_t)t->games;
    struct side *side = ipr_xcalloc(n + 1, sizeof *side);

    for (size_t i = 0; i < n; i++)
        side[i].class = IPR_BAYES_UNFINISHED;
    for (size_t i = 0; i < t->n_sides; i++) {
        const struct ipr_db_player_side *s = &t->sides[i];

        if (s->game < 0)
            continue;
        side[2 * s->game + s->colour] =
            (struct side){ s->game_id, s->half_points < 0    ? IPR_BAYES_UNFINISHED
                                       : s->half_points == 0 ? IPR_BAYES_LOST
                                       : s->half_points == 1 ? IPR_BAYES_DREW
                                                             : IPR_BAYES_WON };
    }
    return side;
}

/** Sets "by_result": the posterior of each class's moves together. */
static enum ipr_code add_results(const struct ipr_material *m,
                                 const struct ipr_bayes_params *params,
                                 const enum ipr_bayes_class *class, json_t *out,
                                 struct ipr_err *err)
{
    const struct ipr_db_player_turns *t = m->t;
    struct ipr_turn *turns = ipr_xcalloc(t->n + 1, sizeof *turns);
    json_t *by_result = json_object();
    enum ipr_code rc = IPR_OK;

    for (int k = 0; rc == IPR_OK && k < IPR_BAYES_CLASSES; k++) {
        struct ipr_bayes_posterior pooled = { 0 };
        struct ipr_err why = IPR_ERR_INIT;
        size_t n = 0;

        for (size_t i = 0; i < t->n; i++)
            if (class[i] == (enum ipr_bayes_class)k)
                turns[n++] = t->turns[i];
        rc = ipr_bayes_rate(params, turns, n, &pooled, &why);
        if (rc == IPR_EDATA) /* no move of this class */
            rc = IPR_OK;
        if (rc == IPR_OK)
            json_object_set_new(
                by_result, class_names[k],
                json_pack("{s:o}", "pooled", pooled_json(m->context, params, &pooled)));
        else
            rc = ipr_err_set(err, rc, "%s", why.msg);
    }
    free(turns);
    json_object_set_new(out, "by_result", by_result);
    return rc;
}

static json_t *by_game_json(const struct side *side, const struct ipr_bayes_side *rated, size_t n)
{
    json_t *out = json_array();

    for (size_t i = 0; i < n; i++) {
        const struct ipr_bayes_side *s = &rated[i];
        json_t *one = side_json(&s->posterior);

        json_object_set_new(one, "game", json_integer(side[2 * s->game + s->mover].game_id));
        json_object_set_new(one, "color", json_string(s->mover == 0 ? "white" : "black"));
        json_object_set_new(one, "result", json_string(class_names[s->class]));
        json_array_append_new(out, one);
    }
    return out;
}

/** Sets "sides" and "by_game", and of the sides of each class what they are on average. */
static enum ipr_code add_sides(const struct ipr_material *m, const struct ipr_bayes_params *params,
                               const struct side *side, const enum ipr_bayes_class *class,
                               json_t *out, struct ipr_err *err)
{
    struct ipr_bayes_class_summary classes[IPR_BAYES_CLASSES];
    struct ipr_bayes_side *rated = NULL;
    size_t n = 0;

    const enum ipr_code rc =
        ipr_bayes_by_side(params, m->t->turns, class, m->t->n, &rated, &n, classes, err);
    if (rc != IPR_OK)
        return rc;
    for (int k = 0; k < IPR_BAYES_CLASSES; k++) {
        const struct ipr_bayes_class_summary *c = &classes[k];
        json_t *about =
            json_pack("{s:I, s:I, s:I, s:o, s:o}", "sides", (json_int_t)c->sides, "empty",
                      (json_int_t)c->empty, "at_bound", (json_int_t)c->at_bound, "mean",
                      c->sides ? ipr_json_num(c->mean) : json_null(), "sd",
                      c->sides > 1 ? ipr_json_num(c->sd) : json_null());

        json_object_update(json_object_get(json_object_get(out, "by_result"), class_names[k]),
                           about);
        json_decref(about);
    }
    json_object_set_new(out, "sides", json_integer((json_int_t)n));
    json_object_set_new(out, "by_game",
                        n <= SIDES_SHOWN ? by_game_json(side, rated, n) : json_null());
    free(rated);
    return IPR_OK;
}

static enum ipr_code add_parts(const struct ipr_material *m, const struct ipr_bayes_params *params,
                               json_t *out, struct ipr_err *err)
{
    const struct ipr_db_player_turns *t = m->t;
    struct side *side = sides_of(t);
    enum ipr_bayes_class *class = ipr_xcalloc(t->n + 1, sizeof *class);

    for (size_t i = 0; i < t->n; i++)
        class[i] = side[2 * t->turns[i].game + t->turns[i].mover].class;
    enum ipr_code rc = add_results(m, params, class, out, err);
    if (rc == IPR_OK && m->include & IPR_RATE_SIDES)
        rc = add_sides(m, params, side, class, out, err);
    free(class);
    free(side);
    return rc;
}

/** c on the Elo scale, when the calibration has a line for it. */
static json_t *elo_json(const struct ipr_bayes_posterior *p, const struct ipr_provenance *c_from)
{
    const struct ipr_calibration_use *use = c_from->context->calibration;
    struct ipr_provenance from = *c_from;

    from.calibrated = true;
    if (!use)
        return ipr_estimate_refusal(&from, "%s", c_from->context->reason);
    if (!use->bayes_known)
        return ipr_estimate_refusal(&from, "the calibration %s has no line for the agent's c",
                                    use->name);
    if (p->at_bound || p->at_zero) {
        from.converged = false;
        return ipr_estimate_refusal(&from,
                                    "c is not known beyond where its prior ends: no move, or "
                                    "nearly none, tells it from better or worse play");
    }
    const struct ipr_bayes_elo e = ipr_bayes_elo(&use->bayes, p);
    const struct ipr_estimate result = { e.elo, e.se, e.total, &from };
    json_t *out = ipr_estimate_json(&result);
    json_t *more = json_pack(
        "{s:o, s:o, s:o, s:b, s:{s:o, s:o}}", "interval_posterior", ipr_json_interval(e.interval),
        "line_se", ipr_json_num(e.line_se), "residual_sd", ipr_json_num(e.calibration_sd),
        "extrapolated", e.extrapolated, "calibrated_range", "low", ipr_json_num(use->bayes.elo_min),
        "high", ipr_json_num(use->bayes.elo_max));

    json_object_update(out, more);
    json_decref(more);
    return out;
}

static enum ipr_code rated_json(const struct ipr_material *m, const struct ipr_bayes_params *params,
                                const struct ipr_bayes_posterior *p, struct ipr_provenance *from,
                                json_t **out, struct ipr_err *err)
{
    json_t *bayes = posterior_json(params, p, from);
    json_t *how =
        json_pack("{s:I, s:i, s:o, s:{s:o, s:o, s:o}}", "short_lists", (json_int_t)p->short_lists,
                  "evaluations", (int)p->evaluations, "step", ipr_json_num(p->step), "prior", "low",
                  ipr_json_num(0.0), "high", ipr_json_num(params->c_max), "kappa_pawns",
                  ipr_json_num(params->kappa));

    json_object_update(bayes, how);
    json_decref(how);
    json_object_set_new(bayes, "elo", elo_json(p, from));
    const enum ipr_code rc = add_parts(m, params, bayes, err);
    if (rc == IPR_OK)
        *out = bayes;
    else
        json_decref(bayes);
    return rc;
}

/**
 * {…view/figure/estimate.h: the posterior's mean of c, its sd, and the wider of two intervals:
 * "interval_posterior", credible, for which every move is independent, and "interval_clustered", by
 * game, around the mode, with "clustered_error"; both null with one game or at an end of the prior,
 * "mode", "at_bound", "at_zero", "events", "short_lists": of the unjudged, "evaluations" of the
 * likelihood, "step" of the last grid, "prior": {"low", "high", "kappa_pawns"},
 *
 * "elo": {…view/figure/estimate.h: the interval with the line's and the mileposts' errors and the
 * clustered one, "interval_posterior" without them, "line_se", "residual_sd", "extrapolated",
 * "calibrated_range"} or nulls and "reason",
 *
 * "by_result": {"won", "drew", "lost", "unfinished": {"pooled": {the same members to "events"}}}};
 *
 * when the sides are asked for, which takes fifty times as long, also {"by_result.…": "sides",
 * "empty", "at_bound", "mean", "sd" of the sides' means, biased upwards,
 *
 * "sides", "by_game": [{"game", "color", "result", "estimate", "standard_error", "interval",
 * "mode", "at_bound", "at_zero", "events"}], null when there are too many}
 */
enum ipr_code ipr_rate_bayes(const struct ipr_material *m, json_t **out, struct ipr_err *err)
{
    const struct ipr_bayes_params params = ipr_bayes_default();
    const unsigned lines = m->context->judge.multipv;
    struct ipr_window_counts counts;
    struct ipr_bayes_posterior p = { 0 };
    struct ipr_err why = IPR_ERR_INIT;

    const size_t n = ipr_window_select(&params.window, m->t->turns, m->t->n, m->keep, &counts);
    struct ipr_provenance from = { .context = m->context,
                                   .method = IPR_METHOD_BAYES,
                                   .window = &params.window,
                                   .counts = &counts,
                                   .turns = n,
                                   .games = ipr_rate_games(m->t->turns, m->keep, n) };
    if (m->t->n > 0 && lines < params.window.top) {
        *out = ipr_estimate_refusal(&from,
                                    "the judge %s shows %u moves of a position; the reference "
                                    "agent chooses among the best %u",
                                    m->context->judge.name, lines, params.window.top);
        return IPR_OK;
    }
    if (n < IPR_VIEW_MIN_TURNS) {
        *out = ipr_rate_too_few(m, &from);
        return IPR_OK;
    }
    const enum ipr_code rc = ipr_bayes_rate(&params, m->t->turns, m->t->n, &p, &why);
    if (rc == IPR_OK && p.events >= IPR_VIEW_MIN_TURNS)
        return rated_json(m, &params, &p, &from, out, err);
    if (rc == IPR_OK) { /* most lists are shorter than the judge's settings say */
        from.turns = p.events;
        from.games = p.games;
        from.counts = &p.counts;
        *out = ipr_rate_too_few(m, &from);
    } else if (rc == IPR_EDATA || rc == IPR_ENOCONV) {
        *out = ipr_estimate_refusal(&from, "%s", why.msg);
    } else {
        return ipr_err_set(err, rc, "%s", why.msg);
    }
    return IPR_OK;
}
