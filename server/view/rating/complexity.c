/* How hard the positions were by the judge's own search, and whether errors went with that. */
#include "view/rating/rate.h"

#include <math.h>
#include <stdlib.h>

#include "model/complexity.h"
#include "model/conformance.h"
#include "stats/sum.h"
#include "view/game/trace.h"
#include "view/json.h"

static const char *const units[IPR_COMPLEXITY_KINDS] = {
    [IPR_COMPLEXITY_STABILITY] = "centipawns",
    [IPR_COMPLEXITY_JUMP_VALUE] = "centipawns",
    [IPR_COMPLEXITY_JUMP_DEPTH] = "depth",
    [IPR_COMPLEXITY_JUMP_VALUE_DEPTH] = "centipawns times depth",
    [IPR_COMPLEXITY_SULLIVAN] = "centipawns times depth / 10",
    [IPR_COMPLEXITY_DEPTH_TIME] = "share",
};

static const char *reason(enum ipr_complexity_status status)
{
    switch (status) {
    case IPR_COMPLEXITY_NOT_AVAILABLE:
        return "no turn has this indicator";
    case IPR_COMPLEXITY_TOO_FEW:
        return "too few turns have this indicator";
    case IPR_COMPLEXITY_SAME_LOSS:
        return "every turn has the same loss";
    case IPR_COMPLEXITY_SAME_INDICATOR:
        return "the indicator is the same in every turn";
    case IPR_COMPLEXITY_OK:
        break;
    }
    return "";
}

const char *ipr_rate_complexity_reason(enum ipr_complexity_kind kind,
                                       const struct ipr_complexity_rho *r,
                                       const struct ipr_judge *judge)
{
    if (r->turns == 0)
        return kind == IPR_COMPLEXITY_DEPTH_TIME && judge->time_ms == 0
                   ? "the judge's searches are not limited by time"
                   : reason(IPR_COMPLEXITY_NOT_AVAILABLE);
    if (r->turns < IPR_VIEW_MIN_TURNS)
        return reason(IPR_COMPLEXITY_TOO_FEW);
    return r->status != IPR_COMPLEXITY_OK ? reason(r->status) : NULL;
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

        ipr_trace_of(full, judge->multipv, lowest, m->context->v->mem, &trace);
        turns[i].game = t->game;
        turns[i].loss = ipr_loss(&params, j.best_cp, j.played_cp);
        ipr_complexity(&trace, &turns[i].complexity);
        searches[i] = (struct ipr_depth_time){ judge->time_ms, full->depth };
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

/** Mean of one indicator, with its clustered error. */
struct mean {
    double mean, se;
    size_t n, games;
};

static struct mean mean_of(const struct ipr_complexity_turn *turns, size_t n,
                           enum ipr_complexity_kind kind)
{
    double *x = ipr_xcalloc(n, sizeof *x);
    int32_t *game = ipr_xcalloc(n, sizeof *game);
    struct mean m = { 0 };

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

static json_t *correlation_json(const struct ipr_complexity_rho *r, const char *why)
{
    if (why)
        return json_pack("{s:s, s:n, s:n, s:n, s:s}", "status",
                         r->status == IPR_COMPLEXITY_OK ? "too_few"
                                                        : ipr_complexity_status_name(r->status),
                         "estimate", "standard_error", "interval", "reason", why);
    return json_pack("{s:s, s:o, s:o, s:o}", "status", ipr_complexity_status_name(r->status),
                     "estimate", ipr_json_num(r->rho.rho), "standard_error",
                     r->rho.interval_known ? ipr_json_num(r->rho.se) : json_null(), "interval",
                     r->rho.interval_known ? ipr_json_interval(r->rho.interval) : json_null());
}

/** Of the turns that have the indicator: as many as a rating needs, or a reason. */
static json_t *indicator_json(const struct ipr_complexity_turn *turns, size_t n,
                              enum ipr_complexity_kind kind, const struct ipr_complexity_rho *r,
                              const struct ipr_judge *judge)
{
    const struct mean m = mean_of(turns, n, kind);
    const bool few = m.n < IPR_VIEW_MIN_TURNS, errors = !few && m.games > 1;
    const double half = errors ? ipr_stats_quantile95(m.games) * m.se : 0.0;
    const char *why = ipr_rate_complexity_reason(kind, r, judge);

    json_t *o =
        json_pack("{s:o, s:o, s:o, s:s, s:I, s:I, s:I, s:o}", "mean",
                  few ? json_null() : ipr_json_num(m.mean), "standard_error",
                  errors ? ipr_json_num(m.se) : json_null(), "interval",
                  errors ? ipr_json_interval((struct ipr_interval){ m.mean - half, m.mean + half })
                         : json_null(),
                  "unit", units[kind], "turns", (json_int_t)m.n, "games", (json_int_t)m.games,
                  "without", (json_int_t)(n - m.n), "correlation", correlation_json(r, why));
    if (few)
        json_object_set_new(o, "reason", json_string(why));
    if (kind == IPR_COMPLEXITY_DEPTH_TIME && m.n > 0)
        json_object_set_new(o, "note",
                            json_string("compared with the depths of these turns' searches; how "
                                        "long each took within the limit is not known"));
    return o;
}

/**
 * {"stability", "jump_value", "jump_depth", "jump_value_depth", "sullivan", "depth_time": {"mean",
 * "standard_error", "interval" (clustered by game; null with one game), "unit", "turns" and "games"
 * that have it, "without": turns that do not, "correlation" (Pearson's rho with the raw loss of
 * the move played): {"status": "ok", "not_available", "too_few", "same_loss", "same_indicator",
 * "estimate", "standard_error", "interval", "reason"}, "reason" when there is no mean, "note"},
 * provenance} or "reason" and no indicators.
 */
enum ipr_code ipr_rate_complexity(const struct ipr_material *m, json_t **out, struct ipr_err *err)
{
    const struct ipr_window window = ipr_window_default(IPR_WINDOW_CONFORMANCE);
    struct ipr_complexity_rho rho[IPR_COMPLEXITY_KINDS];
    struct ipr_window_counts counts;

    (void)err;
    const size_t n = ipr_window_select(&window, m->t->turns, m->t->n, m->keep, &counts);
    struct ipr_provenance from = { .context = m->context,
                                   .method = IPR_METHOD_COMPLEXITY,
                                   .window = &window,
                                   .counts = &counts,
                                   .turns = n,
                                   .games = ipr_rate_games(m->t->turns, m->keep, n),
                                   .converged = true };
    json_t *o = json_object();
    if (n < IPR_VIEW_MIN_TURNS) {
        json_t *few = ipr_rate_too_few(m, &from);
        json_object_set(o, "reason", json_object_get(few, "reason"));
        json_decref(few);
    } else {
        struct ipr_complexity_turn *turns = ipr_rate_indicators(m, n);

        ipr_complexity_correlations(turns, n, rho);
        for (int k = 0; k < IPR_COMPLEXITY_KINDS; k++)
            json_object_set_new(
                o, ipr_complexity_name((enum ipr_complexity_kind)k),
                indicator_json(turns, n, (enum ipr_complexity_kind)k, &rho[k], &m->context->judge));
        free(turns);
    }
    ipr_estimate_provenance(o, &from);
    *out = o;
    return IPR_OK;
}
