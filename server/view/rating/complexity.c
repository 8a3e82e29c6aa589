/* How hard the positions were by the judge's own search, and the correlation of errors with
 * that. */
#include "view/rating/rate.h"

#include <math.h>
#include <stdlib.h>

#include "model/complexity.h"
#include "model/conformance.h"
#include "sentence/sentence.h"
#include "stats/sum.h"
#include "view/rating/trace.h"

static const char *complexity_reason(enum ipr_complexity_status status)
{
    return ipr_say_reason_complexity((enum ipr_reason_complexity)(status - 1));
}

const char *ipr_rate_complexity_reason(enum ipr_complexity_kind kind,
                                       const struct ipr_complexity_rho *r,
                                       const struct ipr_judge *judge)
{
    if (r->turns == 0)
        return kind == IPR_COMPLEXITY_DEPTH_TIME && judge->time_ms == 0
                   ? ipr_say_reason_complexity(IPR_REASON_COMPLEXITY_NO_TIME_LIMIT)
                   : complexity_reason(IPR_COMPLEXITY_NOT_AVAILABLE);
    if (r->turns < IPR_VIEW_MIN_TURNS)
        return complexity_reason(IPR_COMPLEXITY_TOO_FEW);
    return r->status != IPR_COMPLEXITY_OK ? complexity_reason(r->status) : NULL;
}

struct ipr_depth_time ipr_rate_search(const struct ipr_judge *judge,
                                      const struct ipr_judged_turn *t)
{
    return (struct ipr_depth_time){ t->moves != NULL ? judge->time_ms : 0, t->depth };
}

struct ipr_complexity_turn *ipr_rate_indicators(const struct ipr_material *m, size_t n)
{
    const struct ipr_conformance_params params = IPR_CONFORMANCE_INIT;
    const struct ipr_judge *judge = &m->context->judge;
    const unsigned lowest = ipr_trace_lowest(m->t->judged, m->t->n);
    struct ipr_complexity_turn *turns = ipr_xcalloc(n, sizeof *turns);
    struct ipr_depth_time *searches = ipr_xcalloc(n, sizeof *searches);
    struct ipr_complexity *timed = ipr_xcalloc(n, sizeof *timed);

    for (size_t i = 0; i < n; i++) {
        const struct ipr_turn *t = &m->t->turns[m->keep[i]];
        const struct ipr_judged_turn *full = &m->t->judged[m->keep[i]];
        const struct ipr_judged j = ipr_judged(t, params.order);
        struct ipr_trace trace;

        searches[i] = ipr_rate_search(judge, full);
        turns[i].game = t->game;
        turns[i].loss = ipr_loss(&params, j.best_cp, j.played_cp);
        if (full->moves == NULL)
            continue; /* figures alone have no indicator */
        ipr_trace_of(full, judge->multipv, lowest, m->context->v->mem, &trace);
        ipr_complexity(&trace, &turns[i].complexity);
    }
    ipr_complexity_depth_time(searches, n, timed);
    for (size_t i = 0; i < n; i++) {
        turns[i].complexity.value[IPR_COMPLEXITY_DEPTH_TIME] =
            timed[i].value[IPR_COMPLEXITY_DEPTH_TIME];
        turns[i].complexity.known[IPR_COMPLEXITY_DEPTH_TIME] =
            timed[i].known[IPR_COMPLEXITY_DEPTH_TIME];
    }
    free(timed);
    free(searches);
    return turns;
}

/* Mean of one indicator, with its clustered error. */
struct indicator_mean {
    double mean, se;
    size_t n, games;
};

static struct indicator_mean complexity_mean(const struct ipr_complexity_turn *turns, size_t n,
                                             enum ipr_complexity_kind kind)
{
    double *x = ipr_xcalloc(n, sizeof *x);
    int32_t *game = ipr_xcalloc(n, sizeof *game);
    struct indicator_mean m = { 0 };

    for (size_t i = 0; i < n; i++)
        if (turns[i].complexity.known[kind]) {
            x[m.n] = turns[i].complexity.value[kind];
            game[m.n++] = turns[i].game;
        }
    m.mean = ipr_stats_mean(x, m.n);
    m.se = ipr_stats_mean_se(x, game, m.n, &m.games);
    free(game);
    free(x);
    return m;
}

static struct ipr_figure_correlation complexity_correlation(const struct ipr_complexity_rho *r,
                                                            const char *why)
{
    const bool known = why == NULL;
    const bool few = !known && r->status == IPR_COMPLEXITY_OK;
    const bool error = known && r->rho.interval_known;

    return (struct ipr_figure_correlation){
        .status = few ? "too_few" : ipr_complexity_status_name(r->status),
        .estimate = ipr_number_if(known, r->rho.rho),
        .standard_error = ipr_number_if(error, r->rho.se),
        .interval = ipr_interval_if(error, r->rho.interval),
        .reason = why,
    };
}

/* Computed from the turns that have the indicator; a reason if there are too few. */
static struct ipr_figure_indicator *complexity_indicator(const struct ipr_complexity_turn *turns,
                                                         size_t n, enum ipr_complexity_kind kind,
                                                         const struct ipr_complexity_rho *r,
                                                         const struct ipr_view_context *c)
{
    const struct indicator_mean m = complexity_mean(turns, n, kind);
    const bool few = m.n < IPR_VIEW_MIN_TURNS, errors = !few && m.games > 1;
    const double half = errors ? ipr_stats_quantile95(m.games) * m.se : NAN;
    const char *why = ipr_rate_complexity_reason(kind, r, &c->judge);
    struct ipr_figure_indicator *out = ipr_arena_alloc(c->v->mem, 1, sizeof *out);

    *out = (struct ipr_figure_indicator){
        .mean = ipr_number_if(!few, m.mean),
        .standard_error = ipr_number_if(errors, m.se),
        .interval = { m.mean - half, m.mean + half },
        .unit = ipr_shape_member(IPR_SHAPE_COMPLEXITY, ipr_complexity_name(kind))->unit,
        .turns = m.n,
        .games = m.games,
        .without = n - m.n,
        .correlation = complexity_correlation(r, why),
        .reason = few ? why : NULL,
    };
    if (kind == IPR_COMPLEXITY_DEPTH_TIME && m.n > 0)
        out->note = ipr_say_reason_complexity(IPR_REASON_COMPLEXITY_TIMES_UNKNOWN);
    return out;
}

enum ipr_code ipr_rate_complexity(const struct ipr_material *m, struct ipr_figure_ratings *out,
                                  struct ipr_err *err)
{
    struct ipr_figure_complexity *figure = ipr_shape_new(IPR_SHAPE_COMPLEXITY, m->context->v->mem);
    struct ipr_figure_indicator **const of[IPR_COMPLEXITY_KINDS] = {
        [IPR_COMPLEXITY_STABILITY] = &figure->stability,
        [IPR_COMPLEXITY_JUMP_VALUE] = &figure->jump_value,
        [IPR_COMPLEXITY_JUMP_DEPTH] = &figure->jump_depth,
        [IPR_COMPLEXITY_JUMP_VALUE_DEPTH] = &figure->jump_value_depth,
        [IPR_COMPLEXITY_SULLIVAN] = &figure->sullivan,
        [IPR_COMPLEXITY_DEPTH_TIME] = &figure->depth_time,
    };
    struct ipr_complexity_rho rho[IPR_COMPLEXITY_KINDS];
    struct ipr_rate_turns t;

    (void)err;
    ipr_rate_select(m, IPR_METHOD_COMPLEXITY, ipr_window_default(IPR_WINDOW_CONFORMANCE), &t);
    figure->group = ipr_figure_group(&t.from, t.reason);
    out->complexity = figure;
    if (t.reason != NULL)
        return IPR_OK;
    struct ipr_complexity_turn *turns = ipr_rate_indicators(m, t.n);

    ipr_complexity_correlations(turns, t.n, rho);
    for (int k = 0; k < IPR_COMPLEXITY_KINDS; k++)
        *of[k] = complexity_indicator(turns, t.n, (enum ipr_complexity_kind)k, &rho[k], m->context);
    free(turns);
    return IPR_OK;
}
