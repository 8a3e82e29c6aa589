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
    const struct ipr_reason_no_moves_slots slots = {
        .counted = (c->times & IPR_TIME_SET_ALL) != IPR_TIME_SET_ALL,
        .here = (c->times & IPR_TIME_OWN) != 0,
        .setting = setting,
    };

    return ipr_say_reason_no_moves(IPR_REASON_NO_MOVES_ALL, &slots, c->v->mem);
}

/* The ends of the years may be open (ipr_rate_scope_open). */
const char *ipr_rate_no_games(const struct ipr_view_context *c, const struct ipr_db_scope *scope)
{
    const struct ipr_list_text classes = ipr_view_context_classes(c);
    const bool year = scope->from == scope->to;
    const struct ipr_reason_no_games_slots slots = {
        .classes = { classes.at, classes.n },
        .known = classes.n == 1 && strcmp(classes.at[0], "unknown") != 0,
        .part = scope->event != 0 || scope->upload != 0 || scope->opponents != NULL ||
                scope->colours != IPR_DB_BOTH_COLOURS,
        .year = ipr_number_if(year && scope->from != 0, scope->from),
        .from = ipr_number_if(!year && scope->from > 1, scope->from),
        .to = ipr_number_if(!year && scope->to < INT16_MAX, scope->to),
    };

    return ipr_say_reason_no_games(IPR_REASON_NO_GAMES_ALL, &slots, c->v->mem);
}

const char *ipr_rate_needed(enum ipr_reason_needed which, size_t n, size_t have,
                            struct ipr_arena *mem)
{
    const struct ipr_reason_needed_slots slots = { .n = (double)n, .have = (double)have };

    return ipr_say_reason_needed(which, &slots, mem);
}

const char *ipr_rate_too_few(const struct ipr_material *m, const struct ipr_window_counts *counts)
{
    if (m->t->n_sides == 0)
        return ipr_rate_no_games(m->context, m->scope);
    if (counts->turns == 0) /* the opponents' moves may have been */
        return ipr_rate_no_moves(m->context, m->context->judge.name);
    return ipr_rate_needed(IPR_REASON_NEEDED_COUNTED, IPR_VIEW_MIN_TURNS, counts->used,
                           m->context->v->mem);
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
