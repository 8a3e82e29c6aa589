#include "view/rating/rate.h"

#include <string.h>

size_t ipr_rate_games(const struct ipr_turn *turns, const size_t *keep, size_t n)
{
    size_t games = 0;

    for (size_t i = 0; i < n; i++)
        games += i == 0 || turns[keep[i]].game != turns[keep[i - 1]].game;
    return games;
}

const char *ipr_rate_no_moves(const struct ipr_view_context *c, const char *setting)
{
    const bool all = (c->times & IPR_TIME_SET_ALL) == IPR_TIME_SET_ALL;
    const char *const where = all ? "" : " in the games counted";

    return ipr_arena_printf(c->v->mem, "no move of the player%s is analysed %s (engine setting %s)",
                            where, c->times & IPR_TIME_OWN ? "here" : "yet", setting);
}

/* " in 1978", " from 1977 to 1979"; ends may be open (ipr_rate_scope_open). */
static const char *scope_years(const struct ipr_db_scope *s, struct ipr_arena *mem)
{
    const char *from = "", *to = "";

    if (s->from == s->to)
        return s->from == 0 ? "" : ipr_arena_printf(mem, " in %d", s->from);
    if (s->from > 1)
        from = ipr_arena_printf(mem, " from %d", s->from);
    if (s->to < INT16_MAX)
        to = ipr_arena_printf(mem, " to %d", s->to);
    return ipr_arena_printf(mem, "%s%s", from, to);
}

const char *ipr_rate_no_games(const struct ipr_view_context *c, const struct ipr_db_scope *scope)
{
    struct ipr_arena *const mem = c->v->mem;
    const bool part = scope->event != 0 || scope->upload != 0 || scope->opponents != NULL ||
                      scope->colours != IPR_DB_BOTH_COLOURS;
    json_t *const times = ipr_view_context_times(c), *one;
    const char *names = "";
    size_t i;

    json_array_foreach(times, i, one)
        names = ipr_arena_printf(mem, "%s%s%s", names, i > 0 ? " or " : "", json_string_value(one));
    names = json_array_size(times) == 1 && strcmp(names, "unknown") != 0
                ? ipr_arena_printf(mem, "%s games", names)
                : ipr_arena_printf(mem, "games of %s time control", names);
    json_decref(times);
    return ipr_arena_printf(mem, "no %s%s%s", names, part ? " among these" : "",
                            scope_years(scope, mem));
}

const char *ipr_rate_too_few(const struct ipr_material *m, const struct ipr_window_counts *counts)
{
    if (m->t->n_sides == 0)
        return ipr_rate_no_games(m->context, m->scope);
    if (counts->turns == 0) /* the opponents' moves may have been */
        return ipr_rate_no_moves(m->context, m->context->judge.name);
    return ipr_arena_printf(m->context->v->mem,
                            "%d moves are needed, %zu remain after the exclusions",
                            IPR_VIEW_MIN_TURNS, counts->used);
}

void ipr_rate_select(const struct ipr_material *m, enum ipr_method method, struct ipr_window window,
                     struct ipr_rate_turns *out)
{
    *out = (struct ipr_rate_turns){ .window = window };
    out->n = ipr_window_select(&window, m->t->turns, m->t->n, m->keep, &out->counts);
    out->from = (struct ipr_provenance){
        .context = m->context,
        .method = method,
        .window = &out->window,
        .counts = &out->counts,
        .turns = out->n,
        .games = ipr_rate_games(m->t->turns, m->keep, out->n),
        .converged = true,
    };
    if (out->n < IPR_VIEW_MIN_TURNS)
        out->reason = ipr_rate_too_few(m, &out->counts);
}

enum ipr_code ipr_rate_set_open(const struct ipr_material *m, enum ipr_method method,
                                struct ipr_rate_set *out, struct ipr_err *err)
{
    const struct ipr_calibration_use *use = m->context->calibration;

    out->set = NULL;
    if (use == NULL) {
        out->t = (struct ipr_rate_turns){
            .from = { .context = m->context, .method = method, .calibrated = true },
            .reason = m->context->reason,
        };
        return IPR_OK;
    }
    ipr_rate_select(m, method, use->window, &out->t);
    out->t.from.calibrated = true;
    if (out->t.reason != NULL)
        return IPR_OK;
    return ipr_rh_set_new(&use->params, m->t->turns, m->keep, out->t.n, &out->set, err);
}

struct ipr_figure_share ipr_rate_share(const struct ipr_share *s)
{
    /* A few games can agree by chance, and the clustered interval is then too narrow: the wider of
     * the two is the figure's interval. */
    const double by_game = s->clustered_known ? s->clustered.hi - s->clustered.lo : 0.0;
    const bool clustered = by_game >= s->wilson.hi - s->wilson.lo;

    return (struct ipr_figure_share){
        .share = s->share,
        .standard_error = ipr_number_if(s->clustered_known, s->se),
        .interval = clustered ? s->clustered : s->wilson,
        .interval_clustered = ipr_interval_if(s->clustered_known, s->clustered),
        .interval_wilson = s->wilson,
    };
}
