/* Prediction from transitions of the evaluation. */
#include "view/prediction/predict.h"

#include <math.h>

#include "model/markov.h"
#include "sentence/sentence.h"

/* Twice the turns that "active" requires (A §4.4): with 500 the score's standard error is 0.10 to
 * 0.26 (docs/statistics.md). */
#define THIN_TURNS 1000

/* The two sides and the pool as the model needs them. */
struct markov_input {
    struct ipr_predict_turns t[2];
    struct ipr_markov_player player[2];
    bool pool_requested;
    const double *pool; /* NULL: none was requested, or there is none */
    double counts[IPR_MARKOV_MAX * IPR_MARKOV_MAX];
};

static struct ipr_markov_player markov_transitions(const struct ipr_predict *p,
                                                   const struct ipr_predict_turns *t, int year)
{
    struct ipr_markov_turn *out = ipr_arena_alloc(p->context->v->mem, t->n ? t->n : 1, sizeof *out);

    for (size_t i = 0; i < t->n; i++) {
        const struct ipr_turn *from = &t->turns[t->keep[i]];
        const struct ipr_judged j = ipr_judged(from, IPR_PLAYED_PLACED);
        out[i] = (struct ipr_markov_turn){ .game = from->game,
                                           .year = from->year,
                                           .best_cp = j.best_cp,
                                           .played_cp = j.played_cp,
                                           .mover = from->mover };
    }
    return (struct ipr_markov_player){ out, t->n, year };
}

/* Turns of a side that its matrices are computed from; of the colour with fewer if colours are
 * separate. */
static size_t markov_least(const struct ipr_predict *p, const struct ipr_predict_turns *t)
{
    const size_t white = t->of_year[0], black = t->of_year[1];

    if (!p->params.markov.separate_colours)
        return white + black;
    return white < black ? white : black;
}

/* If colours are separate, each colour needs as many turns as a prediction. */
static bool markov_enough(const struct ipr_predict *p, const struct ipr_predict_turns t[2],
                          struct ipr_figure_prediction *out)
{
    const size_t first = markov_least(p, &t[0]), second = markov_least(p, &t[1]);
    const bool enough = first >= IPR_VIEW_MIN_TURNS && second >= IPR_VIEW_MIN_TURNS;
    const struct ipr_reason_prediction_moves_slots slots = { .n = IPR_VIEW_MIN_TURNS,
                                                             .first = (double)first,
                                                             .second = (double)second };

    if (!enough)
        ipr_predict_none(
            p, IPR_METHOD_MARKOV,
            ipr_say_reason_prediction_moves(IPR_REASON_PREDICTION_MOVES_WITH_EACH_COLOUR, &slots,
                                            p->context->v->mem),
            out);
    return enough;
}

/* A caution about the prediction if a side has few moves. */
static const char *markov_note(const struct ipr_predict *of, const struct ipr_predict_turns t[2],
                               const struct ipr_markov_prediction *r, double se)
{
    const size_t first = markov_least(of, &t[0]), second = markov_least(of, &t[1]);
    const size_t least = first < second ? first : second;

    if (least >= THIN_TURNS || !isfinite(se))
        return NULL;
    const struct ipr_reason_markov_slots slots = { .least = (double)least,
                                                   .top = (double)r->exits_from_top,
                                                   .bottom = (double)r->exits_from_bottom,
                                                   .error = se };
    return ipr_say_reason_markov(IPR_REASON_MARKOV_THIN, &slots, of->context->v->mem);
}

static struct ipr_figure_chain markov_chain(const struct ipr_markov_chain *c, size_t n)
{
    return (struct ipr_figure_chain){ .white = { c->white, n },
                                      .black = { c->black, n },
                                      .product = { c->product, n },
                                      .stationary = { c->stationary, n },
                                      .recurrent_classes = c->recurrent };
}

static enum ipr_code markov_add_matrices(const struct ipr_predict *p, const struct markov_input *m,
                                         struct ipr_figure_prediction *out, struct ipr_err *err)
{
    struct ipr_arena *mem = p->context->v->mem;
    struct ipr_markov_chain *c = ipr_arena_alloc(mem, 2, sizeof *c);
    const size_t n = p->params.markov.classes.n;

    const enum ipr_code rc =
        ipr_markov_chains(&m->player[0], &m->player[1], m->pool, &p->params.markov, c, err);
    if (rc != IPR_OK)
        return rc;
    out->matrices = ipr_arena_alloc(mem, 1, sizeof *out->matrices);
    out->matrices->as_white = markov_chain(&c[0], n);
    out->matrices->as_black = markov_chain(&c[1], n);
    return IPR_OK;
}

/* The score alone: the end states are no results of games. */
static struct ipr_figure_outcome *markov_outcome(const struct ipr_predict *of,
                                                 const struct ipr_markov_outcome *o)
{
    return ipr_predict_outcome(of, NAN, NAN, NAN, o->expected);
}

static struct ipr_figure_end_state markov_end_state(const struct ipr_markov_outcome *o)
{
    return (struct ipr_figure_end_state){ .won = o->win, .between = o->draw, .lost = o->loss };
}

static struct ipr_figure_params *markov_params(const struct ipr_predict *p,
                                               const struct markov_input *m)
{
    struct ipr_figure_params *const out = ipr_predict_params_markov(&p->params, p->context->v->mem);

    if (m->pool_requested) {
        const struct ipr_predict_pool pool = ipr_predict_pool_used(p->context);

        out->pool = pool.calibration;
        out->pool_digest = pool.digest;
        out->pool_judge = pool.judge;
        out->pool_reason = pool.reason;
    }
    return out;
}

static void markov_fill(const struct ipr_predict *of, const struct ipr_markov_prediction *p,
                        const struct markov_input *m, struct ipr_figure_prediction *out)
{
    const struct ipr_predict_turns *t = m->t;

    ipr_predict_interval(p->interval_known && p->sd > 0.0, p->sd, p->expected,
                         ipr_say_reason_interval(p->replicates ? IPR_REASON_INTERVAL_SAME_REPLICATES
                                                               : IPR_REASON_INTERVAL_NO_REPLICATES),
                         out);
    ipr_predict_basis(of, (size_t[]){ p->player1.turns, p->player2.turns },
                      (size_t[]){ p->player1.games, p->player2.games }, t, out);
    out->as_white = markov_outcome(of, &p->as_white);
    out->as_black = markov_outcome(of, &p->as_black);
    out->end_states = ipr_arena_alloc(of->context->v->mem, 1, sizeof *out->end_states);
    *out->end_states = (struct ipr_figure_end_states){ markov_end_state(&p->as_white),
                                                       markov_end_state(&p->as_black) };
    out->turns_in_year = ipr_predict_pair(of, p->player1.turns_in_year, p->player2.turns_in_year);
    out->exits = ipr_arena_alloc(of->context->v->mem, 1, sizeof *out->exits);
    *out->exits = (struct ipr_figure_exits){ p->exits_from_top, p->exits_from_bottom };
    out->empty_rows = ipr_predict_pair(of, p->player1.empty_rows, p->player2.empty_rows);
    out->params = markov_params(of, m);
    out->note = markov_note(of, t, p, out->standard_error);
}

/* A side who never failed to convert a winning position makes the score 0 or 1, whatever the other
 * did: refused if an interval was requested. Nothing is known about a side that never had one:
 * refused if a pool was to supply it and there is none. */
static bool markov_refused(const struct ipr_predict *p, const struct markov_input *m,
                           const struct ipr_markov_prediction *r, struct ipr_figure_prediction *out)
{
    const bool never = r->player1.turns_top == 0 || r->player2.turns_top == 0;
    const bool first = never ? r->player1.turns_top == 0 : r->player1.exits_top == 0;
    const bool unfilled = never && m->pool_requested && m->pool == NULL;
    const size_t turns = first ? r->player1.turns_top : r->player2.turns_top;
    const struct ipr_reason_markov_slots slots = { .who = first ? p->white->player.name
                                                                : p->black->player.name,
                                                   .moves = (double)turns };

    if ((r->replicates <= 1 || r->interval_known) && !unfilled)
        return false;
    ipr_predict_none(p, IPR_METHOD_MARKOV,
                     ipr_say_reason_markov(turns == 0 ? IPR_REASON_MARKOV_NEVER_WON
                                                      : IPR_REASON_MARKOV_NEVER_FAILED,
                                           &slots, p->context->v->mem),
                     out);
    return true;
}

static enum ipr_code markov_compute(const struct ipr_predict *p, const struct ipr_window *window,
                                    struct markov_input *m, struct ipr_figure_prediction *out,
                                    struct ipr_err *err)
{
    const struct ipr_provenance from = {
        .context = p->context, .method = IPR_METHOD_MARKOV, .window = window, .converged = true
    };
    struct ipr_markov_prediction r;
    struct ipr_err why = IPR_ERR_INIT;
    const char *reason = NULL;

    const enum ipr_code rc = ipr_figure_settle(
        ipr_markov_predict(&m->player[0], &m->player[1], m->pool, &p->params.markov, &r, &why),
        &why, p->context->v->mem, &reason, err);
    if (rc != IPR_OK)
        return rc;
    if (reason != NULL)
        ipr_predict_none(p, IPR_METHOD_MARKOV, reason, out);
    if (reason != NULL || markov_refused(p, m, &r, out))
        return IPR_OK;
    ipr_predict_fill(&from, r.mean.expected, out);
    markov_fill(p, &r, m, out);
    return p->params.asked.matrices ? markov_add_matrices(p, m, out, err) : IPR_OK;
}

enum ipr_code ipr_predict_markov(const struct ipr_predict *p, struct ipr_figure_prediction *out,
                                 struct ipr_err *err)
{
    const struct ipr_window window = ipr_window_default(IPR_WINDOW_CONFORMANCE);
    struct markov_input *m = ipr_arena_alloc(p->context->v->mem, 1, sizeof *m);
    struct ipr_predict own = *p;

    m->pool_requested = p->params.markov.empty_row == IPR_EMPTY_ROW_POOL;
    m->pool = m->pool_requested ? ipr_predict_pool(p->context, &p->params.markov.classes, m->counts)
                                : NULL;
    if (m->pool == NULL)
        own.params.markov.empty_row = IPR_EMPTY_ROW_IDENTITY;
    if (!ipr_predict_open(p, IPR_METHOD_MARKOV, &window, false, m->t, out) ||
        !markov_enough(p, m->t, out))
        return IPR_OK;
    m->player[0] = markov_transitions(p, &m->t[0], p->white->who.year);
    m->player[1] = markov_transitions(p, &m->t[1], p->black->who.year);
    return markov_compute(&own, &window, m, out, err);
}
