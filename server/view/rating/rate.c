#include "view/rating/rate.h"

#include <stdlib.h>
#include <string.h>

static const struct {
    unsigned bit;
    ipr_rate_fn *rate;
    size_t at;
} ratings[] = {
    IPR_RATING_ROWS,
};

#define RATINGS (sizeof ratings / sizeof *ratings)

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

const char *ipr_rate_too_few(const struct ipr_material *m, const struct ipr_window_counts *counts)
{
    if (m->t->n_sides == 0)
        return "no game of these classes of time control";
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

unsigned ipr_rate_missing(const struct ipr_figure_ratings *r, unsigned wanted)
{
    for (size_t i = 0; i < RATINGS; i++)
        if (*(void *const *)((const char *)r + ratings[i].at) != NULL)
            wanted &= ~ratings[i].bit;
    return wanted;
}

enum ipr_code ipr_rate_material(const struct ipr_material *m, struct ipr_figure_ratings *out,
                                struct ipr_err *err)
{
    enum ipr_code rc = IPR_OK;

    out->turns = m->t->n;
    out->games = (size_t)m->t->games;
    for (size_t i = 0; rc == IPR_OK && i < RATINGS; i++)
        if ((m->wanted & ratings[i].bit) != 0)
            rc = ratings[i].rate(m, out, err);
    return rc;
}

enum ipr_code ipr_rate(const struct ipr_view_context *c, const struct ipr_db_scope *scope,
                       unsigned wanted, struct ipr_figure_ratings *out, struct ipr_err *err)
{
    struct ipr_db_player_turns t = { 0 };

    enum ipr_code rc = ipr_db_player_turns(c->v->db, scope, c->judge_id, c->v->mem, &t, err);
    if (rc != IPR_OK)
        return rc;
    size_t *keep = ipr_xcalloc(t.n ? t.n : 1, sizeof *keep);
    const struct ipr_material m = { c, scope, &t, keep, wanted, false };

    rc = ipr_rate_material(&m, out, err);
    free(keep);
    return rc;
}

enum ipr_code ipr_rate_beside(const struct ipr_view_context *c, const struct ipr_db_scope *scope,
                              bool opponents, struct ipr_figure_ratings *all, struct ipr_err *err)
{
    const struct ipr_material m = { .context = c, .scope = scope, .opponents = opponents };

    enum ipr_code rc = ipr_rate_strength(&m, all, err);
    if (rc == IPR_OK)
        rc = ipr_rate_accumulated(&m, all, err);
    return rc == IPR_OK ? ipr_rate_endgame(&m, all, err) : rc;
}
