/* By transitions of the evaluation. */
#include "view/prediction/predict.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "model/markov.h"
#include "view/json.h"
#include "view/prediction/pool.h"

/* Fewer than twice the turns that "active" asks for (A §4.4): with 500 the score's standard error
 * is 0.10 to 0.26 (docs/statistics.md). */
#define THIN_TURNS 1000

/* What the two sides and the pool are for the model. */
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

static json_t *outcome_json(const struct ipr_markov_outcome *o)
{
    return json_pack("{s:o, s:o, s:o, s:o}", "win", ipr_json_num(o->win), "draw",
                     ipr_json_num(o->draw), "loss", ipr_json_num(o->loss), "expected",
                     ipr_json_num(o->expected));
}

/* Turns of a side that its matrices rest on; of the lesser colour where they are kept apart. */
static size_t least_turns(const struct ipr_predict *p, const struct ipr_predict_turns *t)
{
    const size_t white = t->of_year[0], black = t->of_year[1];

    if (!p->params.markov.separate_colours)
        return white + black;
    return white < black ? white : black;
}

static json_t *markov_too_few(const struct ipr_predict *p, const struct ipr_predict_turns t[2])
{
    const size_t first = least_turns(p, &t[0]), second = least_turns(p, &t[1]);

    if (!p->params.markov.separate_colours)
        return ipr_predict_too_few(p, IPR_METHOD_MARKOV, first, second);
    if (first >= IPR_VIEW_MIN_TURNS && second >= IPR_VIEW_MIN_TURNS)
        return NULL;
    return ipr_predict_refusal(p, IPR_METHOD_MARKOV,
                               "%d turns are needed with each colour where colours are separate, "
                               "there are %zu and %zu with the lesser one",
                               IPR_VIEW_MIN_TURNS, first, second);
}

/* How far this prediction can be trusted, where a side has little to it. */
static void markov_add_note(json_t *out, size_t least, const struct ipr_predicted *p,
                            const struct ipr_markov_prediction *r)
{
    char note[IPR_ERR_TEXT];

    if (least >= THIN_TURNS || !isfinite(p->se))
        return;
    snprintf(note, sizeof note,
             "One side rests on %zu turns of its year, and the ends on %zu and %zu turns that let "
             "go of a won position: the score's standard error is %.1f points in a hundred. Read "
             "the interval, not the estimate.",
             least, r->exits_from_top, r->exits_from_bottom, 100.0 * p->se);
    json_object_set_new(out, "note", json_string(note));
}

static json_t *vector_json(const double *x, size_t n)
{
    json_t *out = json_array();

    for (size_t i = 0; i < n; i++)
        json_array_append_new(out, ipr_json_num(x[i]));
    return out;
}

static json_t *square_json(const double *x, size_t n)
{
    json_t *out = json_array();

    for (size_t i = 0; i < n; i++)
        json_array_append_new(out, vector_json(&x[i * n], n));
    return out;
}

static json_t *chain_json(const struct ipr_markov_chain *c, size_t n)
{
    return json_pack("{s:o, s:o, s:o, s:o, s:i}", "white", square_json(c->white, n), "black",
                     square_json(c->black, n), "product", square_json(c->product, n), "stationary",
                     vector_json(c->stationary, n), "recurrent_classes", (int)c->recurrent);
}

static enum ipr_code markov_add_matrices(const struct ipr_predict *p, const struct markov_input *m,
                                         json_t *out, struct ipr_err *err)
{
    struct ipr_markov_chain *c = ipr_xcalloc(2, sizeof *c);
    const size_t n = p->params.markov.classes.n;

    const enum ipr_code rc =
        ipr_markov_chains(&m->player[0], &m->player[1], m->pool, &p->params.markov, c, err);
    if (rc == IPR_OK)
        json_object_set_new(out, "matrices",
                            json_pack("{s:o, s:o}", "as_white", chain_json(&c[0], n), "as_black",
                                      chain_json(&c[1], n)));
    free(c);
    return rc;
}

static json_t *markov_params_json(const struct ipr_predict *p, const struct markov_input *m)
{
    json_t *out = ipr_predict_params_markov(&p->params);

    if (m->pool_requested)
        ipr_predict_pool_json(p->context, out);
    else
        json_object_update_new(out, json_pack("{s:n, s:n}", "pool", "pool_digest"));
    return out;
}

static json_t *markov_json(const struct ipr_predict *of, const struct ipr_markov_prediction *p,
                           const struct markov_input *m, const struct ipr_window *window)
{
    const struct ipr_predict_turns *t = m->t;
    const struct ipr_provenance from = {
        .context = of->context, .method = IPR_METHOD_MARKOV, .window = window, .converged = true
    };
    const struct ipr_interval unknown = { NAN, NAN };
    const bool known = p->interval_known && p->sd > 0.0;
    const struct ipr_predicted predicted = {
        .expected = p->mean.expected,
        .se = known ? p->sd : NAN,
        .interval = known ? p->expected : unknown,
        .interval_reason = known           ? NULL
                           : p->replicates ? "no replicate differs from another"
                                           : "no replicates were requested",
        .as_white = outcome_json(&p->as_white),
        .as_black = outcome_json(&p->as_black),
        .turns = { p->player1.turns, p->player2.turns },
        .games = { p->player1.games, p->player2.games },
        .counts = { &t[0].counts, &t[1].counts },
        .from = &from,
    };
    const size_t first = least_turns(of, &t[0]), second = least_turns(of, &t[1]);
    json_t *out = ipr_predict_json(&predicted);

    json_object_set_new(out, "turns_in_year",
                        ipr_predict_both(p->player1.turns_in_year, p->player2.turns_in_year));
    json_object_set_new(out, "exits",
                        json_pack("{s:I, s:I}", "from_winning", (json_int_t)p->exits_from_top,
                                  "from_losing", (json_int_t)p->exits_from_bottom));
    json_object_set_new(out, "empty_rows",
                        ipr_predict_both(p->player1.empty_rows, p->player2.empty_rows));
    json_object_set_new(out, "params", markov_params_json(of, m));
    markov_add_note(out, first < second ? first : second, &predicted, p);
    return out;
}

/* A side who never let go of a won position makes the score all or nothing, whatever the other
 * did: refused where an interval was requested. Of one who never had any nothing is known: refused
 * where a pool was to say it, and there is none. */
static json_t *markov_never_left(const struct ipr_predict *p, const struct markov_input *m,
                                 const struct ipr_markov_prediction *r)
{
    const bool never = r->player1.turns_top == 0 || r->player2.turns_top == 0;
    const bool first = never ? r->player1.turns_top == 0 : r->player1.exits_top == 0;
    const bool unfilled = never && m->pool_requested && m->pool == NULL;
    const char *name = first ? p->white->player.name : p->black->player.name;
    const size_t turns = first ? r->player1.turns_top : r->player2.turns_top;

    if ((r->replicates <= 1 || r->interval_known) && !unfilled)
        return NULL;
    if (turns == 0)
        return ipr_predict_refusal(p, IPR_METHOD_MARKOV,
                                   "%.80s never had a won position to play: how often one would be "
                                   "let go of cannot be told",
                                   name);
    return ipr_predict_refusal(
        p, IPR_METHOD_MARKOV,
        "%.80s never let go of a won position in the %zu turns with one: how "
        "often that would happen cannot be told from them",
        name, turns);
}

static enum ipr_code markov_predict(const struct ipr_predict *p, const struct ipr_window *window,
                                    struct markov_input *m, json_t **out, struct ipr_err *err)
{
    struct ipr_markov_prediction r;
    struct ipr_err why = IPR_ERR_INIT;

    enum ipr_code rc =
        ipr_markov_predict(&m->player[0], &m->player[1], m->pool, &p->params.markov, &r, &why);
    if (rc == IPR_EDATA) {
        *out = ipr_predict_refusal(p, IPR_METHOD_MARKOV, "%s", why.msg);
        return IPR_OK;
    }
    if (rc != IPR_OK)
        return ipr_err_set(err, rc, "%s", why.msg);
    *out = markov_never_left(p, m, &r);
    if (*out != NULL)
        return IPR_OK;
    json_t *json = markov_json(p, &r, m, window);
    if (p->params.matrices)
        rc = markov_add_matrices(p, m, json, err);
    if (rc == IPR_OK)
        *out = json;
    else
        json_decref(json);
    return rc;
}

/**
 * Adds to a prediction: "turns_in_year", "exits": {"from_winning", "from_losing"} (turns that left
 * the winning and the losing end: what the ends rest on), "empty_rows", a "note" when thin, and
 * where they were requested "matrices": {"as_white", "as_black"}: {"white" (the matrix of the side
 * with White), "black" (the other's, mirrored to White's view), "product", "stationary",
 * "recurrent_classes"}; classes from the worst for White to the best.
 */
enum ipr_code ipr_predict_markov(const struct ipr_predict *p, json_t **out, struct ipr_err *err)
{
    const struct ipr_window window = ipr_window_default(IPR_WINDOW_CONFORMANCE);

    if (p->context->judge_id == 0) {
        *out = ipr_predict_refusal(p, IPR_METHOD_MARKOV, "%s", p->context->reason);
        return IPR_OK;
    }
    struct markov_input *m = ipr_arena_alloc(p->context->v->mem, 1, sizeof *m);
    struct ipr_predict own = *p;
    m->pool_requested = p->params.markov.empty_row == IPR_EMPTY_ROW_POOL;
    m->pool = m->pool_requested ? ipr_predict_pool(p->context, &p->params.markov.classes, m->counts)
                                : NULL;
    if (m->pool == NULL)
        own.params.markov.empty_row = IPR_EMPTY_ROW_IDENTITY;
    m->t[0] = ipr_predict_turns(p, p->white, &window, false);
    m->t[1] = ipr_predict_turns(p, p->black, &window, false);
    m->player[0] = markov_transitions(p, &m->t[0], p->white->who.year);
    m->player[1] = markov_transitions(p, &m->t[1], p->black->who.year);
    *out = markov_too_few(&own, m->t);
    return *out != NULL ? IPR_OK : markov_predict(&own, &window, m, out, err);
}
