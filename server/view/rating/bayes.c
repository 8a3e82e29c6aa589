/* The reference agent: its c estimated from the person's choices. */
#include "view/rating/rate.h"

#include <math.h>
#include <stdlib.h>

#include "model/bayes.h"

/* The answer has no list of sides if there are more. */
#define SIDES_SHOWN 200

static const char *const class_names[IPR_BAYES_CLASSES] = {
    [IPR_BAYES_LOST] = "lost",
    [IPR_BAYES_DREW] = "drew",
    [IPR_BAYES_WON] = "won",
    [IPR_BAYES_UNFINISHED] = "unfinished",
};

/* By game: the mode -+ its quantile of the clustered error, within the prior. */
static struct ipr_interval bayes_clustered(const struct ipr_bayes_params *params,
                                           const struct ipr_bayes_posterior *p)
{
    const double half = ipr_stats_quantile95(p->games) * p->clustered_se;

    if (!p->clustered_known)
        return (struct ipr_interval){ NAN, NAN };
    return (struct ipr_interval){ fmax(0.0, p->mode - half), fmin(params->c_max, p->mode + half) };
}

static struct ipr_figure_peak bayes_peak(const struct ipr_bayes_posterior *p)
{
    return (struct ipr_figure_peak){ p->mode, p->at_bound, p->at_zero, p->events };
}

/* Provenance of a figure of all moves of a posterior. */
static struct ipr_provenance bayes_from(const struct ipr_view_context *c,
                                        const struct ipr_bayes_params *params,
                                        const struct ipr_bayes_posterior *p)
{
    return (struct ipr_provenance){ .context = c,
                                    .method = IPR_METHOD_BAYES,
                                    .window = &params->window,
                                    .counts = &p->counts,
                                    .turns = p->events,
                                    .games = p->games,
                                    .iterations = p->levels,
                                    .converged = true };
}

static struct ipr_figure_posterior bayes_posterior(const struct ipr_bayes_params *params,
                                                   const struct ipr_bayes_posterior *p,
                                                   const struct ipr_provenance *from)
{
    const struct ipr_interval by_game = bayes_clustered(params, p);
    const bool wider = by_game.hi - by_game.lo > p->interval.hi - p->interval.lo;

    return (struct ipr_figure_posterior){
        .figure = ipr_figure(p->mean, p->sd, wider ? by_game : p->interval, from),
        .peak = bayes_peak(p),
        .interval_posterior = p->interval,
        .interval_clustered = by_game,
        .clustered_error = ipr_number_if(p->clustered_known, p->clustered_se),
    };
}

/* Posterior of all moves of a class. */
static void bayes_pooled(const struct ipr_view_context *c, const struct ipr_bayes_params *params,
                         const struct ipr_bayes_posterior *p, struct ipr_figure_posterior *out)
{
    struct ipr_provenance from = bayes_from(c, params, p);

    if (p->events >= IPR_VIEW_MIN_TURNS) {
        *out = bayes_posterior(params, p, &from);
        return;
    }
    from.iterations = 0;
    out->figure = ipr_figure_none(&from, ipr_rate_needed(IPR_REASON_NEEDED_COUNTED,
                                                         IPR_VIEW_MIN_TURNS, p->events, c->v->mem));
}

/* Indexed by 2 game + colour of the turns. */
struct bayes_side {
    int64_t game_id;
    enum ipr_bayes_class class;
};

static struct bayes_side *bayes_sides(const struct ipr_db_player_turns *t)
{
    const size_t n = 2 * (size_t)t->games;
    struct bayes_side *side = ipr_xcalloc(n + 1, sizeof *side);

    for (size_t i = 0; i < n; i++)
        side[i].class = IPR_BAYES_UNFINISHED;
    for (size_t i = 0; i < t->n_sides; i++) {
        const struct ipr_db_player_side *s = &t->sides[i];

        if (s->game < 0)
            continue;
        side[2 * s->game + s->colour] =
            (struct bayes_side){ s->game_id, s->half_points < 0 ? IPR_BAYES_UNFINISHED
                                                                : IPR_BAYES_LOST + s->half_points };
    }
    return side;
}

static struct ipr_figure_result_class *bayes_result(struct ipr_figure_by_result *all, int class)
{
    struct ipr_figure_result_class *const of[IPR_BAYES_CLASSES] = {
        [IPR_BAYES_LOST] = &all->lost,
        [IPR_BAYES_DREW] = &all->drew,
        [IPR_BAYES_WON] = &all->won,
        [IPR_BAYES_UNFINISHED] = &all->unfinished,
    };

    return of[class];
}

/* The posterior of each class's moves together. */
static enum ipr_code bayes_add_results(const struct ipr_material *m,
                                       const struct ipr_bayes_params *params,
                                       const enum ipr_bayes_class *class,
                                       struct ipr_figure_by_result *out, struct ipr_err *err)
{
    const struct ipr_db_player_turns *t = m->t;
    struct ipr_turn *turns = ipr_xcalloc(t->n + 1, sizeof *turns);
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
            bayes_pooled(m->context, params, &pooled, &bayes_result(out, k)->pooled);
        else
            rc = ipr_err_set(err, rc, "%s", why.msg);
    }
    free(turns);
    return rc;
}

static const struct ipr_figure_agent_game *bayes_games(const struct bayes_side *side,
                                                       const struct ipr_bayes_side *rated, size_t n,
                                                       struct ipr_arena *mem)
{
    struct ipr_figure_agent_game *out = ipr_arena_alloc(mem, n + 1, sizeof *out);

    for (size_t i = 0; i < n; i++) {
        const struct ipr_bayes_side *s = &rated[i];

        out[i] = (struct ipr_figure_agent_game){
            .peak = bayes_peak(&s->posterior),
            .game = (size_t)side[2 * s->game + s->mover].game_id,
            .color = s->mover == 0 ? "white" : "black",
            .result = class_names[s->class],
            .estimate = s->posterior.mean,
            .standard_error = s->posterior.sd,
            .interval = s->posterior.interval,
        };
    }
    return out;
}

/* Each game separately, and the mean of the games of each class. */
static enum ipr_code bayes_add_sides(const struct ipr_material *m,
                                     const struct ipr_bayes_params *params,
                                     const struct bayes_side *side,
                                     const enum ipr_bayes_class *class,
                                     struct ipr_figure_bayes *out, struct ipr_err *err)
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
        struct ipr_figure_result_class *to = bayes_result(out->by_result, k);

        to->sides = c->sides;
        to->empty = c->empty;
        to->at_bound = c->at_bound;
        to->mean = ipr_number_if(c->sides > 0, c->mean);
        to->sd = ipr_number_if(c->sides > 1, c->sd);
    }
    out->sides = n;
    if (n <= SIDES_SHOWN) {
        out->by_game.at = bayes_games(side, rated, n, m->context->v->mem);
        out->by_game.n = n;
    }
    free(rated);
    return IPR_OK;
}

static enum ipr_code bayes_add_parts(const struct ipr_material *m,
                                     const struct ipr_bayes_params *params,
                                     struct ipr_figure_bayes *out, struct ipr_err *err)
{
    const struct ipr_db_player_turns *t = m->t;
    struct bayes_side *side = bayes_sides(t);
    enum ipr_bayes_class *class = ipr_xcalloc(t->n + 1, sizeof *class);

    for (size_t i = 0; i < t->n; i++)
        class[i] = side[2 * t->turns[i].game + t->turns[i].mover].class;
    out->by_result = ipr_shape_new(IPR_SHAPE_BY_RESULT, m->context->v->mem);
    enum ipr_code rc = bayes_add_results(m, params, class, out->by_result, err);
    if (rc == IPR_OK && (m->wanted & IPR_RATE_SIDES) != 0)
        rc = bayes_add_sides(m, params, side, class, out, err);
    free(class);
    free(side);
    return rc;
}

static const char *bayes_no_elo(const struct ipr_bayes_posterior *p,
                                const struct ipr_view_context *c)
{
    if (c->calibration == NULL)
        return c->reason;
    if (!c->calibration->bayes_known)
        return ipr_say_reason_calibration(
            IPR_REASON_CALIBRATION_NO_AGENT,
            &(struct ipr_reason_calibration_slots){ .name = c->calibration->name }, c->v->mem);
    if (p->at_bound || p->at_zero)
        return ipr_say_reason_fit(IPR_REASON_FIT_AT_END);
    return NULL;
}

/* c on the Elo scale, when the calibration has a line for it. */
static void bayes_elo(const struct ipr_bayes_posterior *p, struct ipr_provenance from,
                      struct ipr_figure_bayes_elo *out)
{
    const struct ipr_calibration_use *use = from.context->calibration;
    const char *reason = bayes_no_elo(p, from.context);

    from.calibrated = true;
    if (reason != NULL) {
        out->figure = ipr_figure_none(&from, reason);
        return;
    }
    const struct ipr_bayes_elo e = ipr_bayes_elo(&use->bayes, p);
    const struct ipr_figure_range range = { use->bayes.elo_min, use->bayes.elo_max };
    const bool inside = !e.extrapolated;

    *out = (struct ipr_figure_bayes_elo){
        .figure = ipr_figure(ipr_number_if(inside, e.elo), ipr_number_if(inside, e.se),
                             ipr_range_interval(range, e.total), &from),
        .bound = ipr_range_bound(range, e.elo),
        .censored = ipr_range_censored(ipr_range_bound(range, e.elo)),
        .interval_posterior = ipr_range_interval(range, e.interval),
        .line_se = e.line_se,
        .residual_sd = sqrt(use->bayes.line.residual_variance),
        .excess_sd = e.excess_sd,
        .calibrated_range = range,
    };
}

static enum ipr_code bayes_fill(const struct ipr_material *m, const struct ipr_bayes_params *params,
                                const struct ipr_bayes_posterior *p, struct ipr_figure_bayes *out,
                                struct ipr_err *err)
{
    const struct ipr_provenance from = bayes_from(m->context, params, p);

    out->posterior = bayes_posterior(params, p, &from);
    out->short_lists = p->short_lists;
    out->evaluations = p->evaluations;
    out->step = p->step;
    out->prior = (struct ipr_figure_prior){ 0.0, params->c_max, params->kappa };
    bayes_elo(p, from, &out->elo);
    return bayes_add_parts(m, params, out, err);
}

enum ipr_code ipr_rate_bayes(const struct ipr_material *m, struct ipr_figure_ratings *out,
                             struct ipr_err *err)
{
    const struct ipr_bayes_params params = ipr_bayes_default();
    const struct ipr_judge *judge = &m->context->judge;
    struct ipr_arena *mem = m->context->v->mem;
    struct ipr_figure_bayes *figure = ipr_shape_new(IPR_SHAPE_BAYES, mem);
    struct ipr_bayes_posterior p = { 0 };
    struct ipr_err why = IPR_ERR_INIT;
    struct ipr_rate_turns t;
    enum ipr_code rc = IPR_OK;

    ipr_rate_select(m, IPR_METHOD_BAYES, params.window, &t);
    if (m->t->n > 0 && judge->multipv < params.window.top)
        t.reason = ipr_say_reason_lines(
            IPR_REASON_LINES_FEW,
            &(struct ipr_reason_lines_slots){ judge->name, judge->multipv, params.window.top },
            mem);
    if (t.reason == NULL)
        rc = ipr_figure_settle(ipr_bayes_rate(&params, m->t->turns, m->t->n, &p, &why), &why, mem,
                               &t.reason, err);
    if (t.reason == NULL && p.events < IPR_VIEW_MIN_TURNS) {
        /* most lists are shorter than the judge's number of lines */
        t.from.turns = p.events;
        t.from.games = p.games;
        t.counts = p.counts;
        t.reason = ipr_rate_too_few(m, &t.counts);
    }
    if (t.reason != NULL)
        figure->posterior.figure = ipr_figure_none(&t.from, t.reason);
    else if (rc == IPR_OK)
        rc = bayes_fill(m, &params, &p, figure, err);
    out->bayes = figure;
    return rc;
}
