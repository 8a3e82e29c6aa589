#include "view/prediction/predict.h"

#include "db/turns.h"
#include "view/rating/rate.h"

enum ipr_code ipr_predict_side_find(const struct ipr_view_context *c, struct ipr_view_side who,
                                    struct ipr_predict_side *s, struct ipr_err *err)
{
    *s = (struct ipr_predict_side){ .who = who };
    const enum ipr_code rc =
        ipr_db_player_get(c->v->db, who.player, c->judge_id, c->times, c->v->mem, &s->player, err);
    if (rc != IPR_OK)
        return rc;
    s->who.player = s->player.id;
    return ipr_view_find_year(c, s->who.player, who.year, &s->row, err);
}

struct ipr_predict_turns ipr_predict_turns(const struct ipr_predict *p,
                                           const struct ipr_predict_side *side,
                                           const struct ipr_window *window, bool own_year)
{
    struct ipr_arena *mem = p->context->v->mem;
    struct ipr_turn *turns = ipr_arena_alloc(mem, side->n ? side->n : 1, sizeof *turns);
    size_t *keep = ipr_arena_alloc(mem, side->n ? side->n : 1, sizeof *keep);
    struct ipr_predict_turns out = { .turns = turns, .keep = keep };
    size_t n = 0;

    for (size_t i = 0; i < side->n; i++) {
        if (own_year && side->who.year && side->turns[i].year != side->who.year)
            continue;
        turns[n] = side->turns[i];
        if (turns[n].legal == 1) { /* the move played is the best one, not a second */
            turns[n].lines = turns[n].n_cp = 1;
            turns[n].played = 0;
        }
        n++;
    }
    out.n = ipr_window_select(window, turns, n, keep, &out.counts);
    for (size_t i = 0; i < out.n; i++) {
        const struct ipr_turn *t = &turns[keep[i]];
        if (!side->who.year || t->year == side->who.year)
            out.of_year[t->mover]++;
    }
    return out;
}

struct ipr_figure_pair *ipr_predict_pair(const struct ipr_predict *p, size_t white, size_t black)
{
    const struct ipr_figure_pair pair = { white, black };

    return ipr_shape_copy(IPR_SHAPE_PAIR, &pair, p->context->v->mem);
}

struct ipr_figure_pair *ipr_predict_years(const struct ipr_predict *p,
                                          const struct ipr_predict_turns t[2])
{
    return ipr_predict_pair(p, t[0].of_year[0] + t[0].of_year[1],
                            t[1].of_year[0] + t[1].of_year[1]);
}

struct ipr_figure_outcome *ipr_predict_outcome(const struct ipr_predict *p, double win, double draw,
                                               double loss, double expected)
{
    const struct ipr_figure_outcome outcome = { win, draw, loss, expected };

    return ipr_shape_copy(IPR_SHAPE_OUTCOME, &outcome, p->context->v->mem);
}

void ipr_predict_fill(const struct ipr_provenance *from, double expected,
                      struct ipr_figure_prediction *out)
{
    out->provenance = ipr_figure_provenance(from);
    out->expected = expected;
}

void ipr_predict_interval(bool known, double se, struct ipr_interval interval, const char *reason,
                          struct ipr_figure_prediction *out)
{
    out->standard_error = ipr_number_if(known, se);
    out->interval = ipr_interval_if(known, interval);
    out->interval_reason = known ? NULL : reason;
}

void ipr_predict_basis(const struct ipr_predict *p, const size_t turns[2], const size_t games[2],
                       const struct ipr_predict_turns *t, struct ipr_figure_prediction *out)
{
    out->turns = ipr_predict_pair(p, turns[0], turns[1]);
    out->games = ipr_predict_pair(p, games[0], games[1]);
    out->excluded.white = ipr_figure_excluded(t != NULL ? &t[0].counts : NULL);
    out->excluded.black = ipr_figure_excluded(t != NULL ? &t[1].counts : NULL);
}

void ipr_predict_none(const struct ipr_predict *p, enum ipr_method method, const char *reason,
                      struct ipr_figure_prediction *out)
{
    const struct ipr_provenance from = { .context = p->context, .method = method };
    const struct ipr_reason_prediction_slots slots = { .reason = reason };

    out->provenance = ipr_figure_provenance(&from);
    out->reason =
        p->left_out && method != IPR_METHOD_ELO /* which uses no turns */
            ? ipr_say_reason_prediction(IPR_REASON_PREDICTION_LEFT_OUT, &slots, p->context->v->mem)
            : reason;
}

bool ipr_predict_open(const struct ipr_predict *p, enum ipr_method method,
                      const struct ipr_window *window, bool own_year, struct ipr_predict_turns t[2],
                      struct ipr_figure_prediction *out)
{
    if (!p->context->judge_id) {
        ipr_predict_none(p, method, ipr_arena_printf(p->context->v->mem, "%s", p->context->reason),
                         out);
        return false;
    }
    t[0] = ipr_predict_turns(p, p->white, window, own_year);
    t[1] = ipr_predict_turns(p, p->black, window, own_year);
    const size_t white = t[0].of_year[0] + t[0].of_year[1];
    const size_t black = t[1].of_year[0] + t[1].of_year[1];
    if (white >= IPR_VIEW_MIN_TURNS && black >= IPR_VIEW_MIN_TURNS)
        return true;
    const struct ipr_reason_prediction_moves_slots slots = { IPR_VIEW_MIN_TURNS, (double)white,
                                                             (double)black,
                                                             p->context->judge.name };
    ipr_predict_none(p, method,
                     ipr_say_reason_prediction_moves(IPR_REASON_PREDICTION_MOVES_OF_EACH, &slots,
                                                     p->context->v->mem),
                     out);
    return false;
}
