/* By transitions of the evaluation. */
#include "view/predict.h"

#include <stdio.h>
#include <stdlib.h>

#include "db/turns.h"
#include "model/markov.h"
#include "view/json.h"

/* "active" (A §4.4) asks 500 turns; an interval over a few games means little well before. */
#define THIN_TURNS 1000
#define CLASSES    19

static struct ipr_markov_turn *transitions(const struct ipr_predict_side *s,
                                           const struct ipr_window *window, size_t *kept)
{
    struct ipr_markov_turn *out = ipr_xcalloc(s->n ? s->n : 1, sizeof *out);

    *kept = 0;
    for (size_t i = 0; i < s->n; i++) {
        const struct ipr_turn *t = &s->turns[i];
        if (t->ply / 2u + 1u < window->first_move || t->legal < 2)
            continue;
        out[(*kept)++] = (struct ipr_markov_turn){ .game = t->game,
                                                   .year = t->year,
                                                   .best_cp = t->cp[0],
                                                   .played_cp = t->cp[1],
                                                   .mover = t->mover };
    }
    return out;
}

static json_t *outcome_json(const struct ipr_markov_outcome *o)
{
    return json_pack("{s:o, s:o, s:o, s:o}", "win", ipr_json_num(o->win), "draw",
                     ipr_json_num(o->draw), "loss", ipr_json_num(o->loss), "expected",
                     ipr_json_num(o->expected));
}

/** Turns that the floor applies to: of the year itself, or all of a career. */
static size_t own_turns(const struct ipr_markov_evidence *e, const struct ipr_predict_side *s)
{
    return s->who.year ? e->turns_in_year : e->turns;
}

static void add_note(json_t *out, size_t least)
{
    char note[IPR_ERR_TEXT];

    if (least >= THIN_TURNS)
        return;
    snprintf(note, sizeof note,
             "One side rests on %zu turns of its year. With 500 turns each the expected score is "
             "uncertain by about 28 points in a hundred, with 2,500 by about 13: read the "
             "interval, not the estimate.",
             least);
    json_object_set_new(out, "note", json_string(note));
}

static json_t *markov_json(const struct ipr_predict *of, const struct ipr_markov_prediction *p,
                           const struct ipr_markov_params *params, const struct ipr_window *window)
{
    const struct ipr_provenance from = {
        .context = of->context, .method = IPR_METHOD_MARKOV, .window = window, .converged = true
    };
    const struct ipr_predicted predicted = { .expected = p->mean.expected,
                                             .se = p->sd,
                                             .interval = p->expected,
                                             .as_white = outcome_json(&p->as_white),
                                             .as_black = outcome_json(&p->as_black),
                                             .turns = { p->player1.turns, p->player2.turns },
                                             .games = { p->player1.games, p->player2.games },
                                             .from = &from };
    const size_t own1 = own_turns(&p->player1, of->white);
    const size_t own2 = own_turns(&p->player2, of->black);
    json_t *out = ipr_predict_json(&predicted);

    json_object_set_new(out, "turns_in_year",
                        ipr_predict_both(p->player1.turns_in_year, p->player2.turns_in_year));
    json_object_set_new(out, "exits",
                        json_pack("{s:I, s:I}", "from_winning", (json_int_t)p->exits_from_top,
                                  "from_losing", (json_int_t)p->exits_from_bottom));
    json_object_set_new(out, "empty_rows",
                        ipr_predict_both(p->player1.empty_rows, p->player2.empty_rows));
    json_object_set_new(out, "replicates", json_integer(params->replicates));
    json_object_set_new(out, "seed", json_integer((json_int_t)params->seed));
    add_note(out, own1 < own2 ? own1 : own2);
    return out;
}

/**
 * Adds to a prediction: "turns_in_year", "exits": {"from_winning", "from_losing"} (turns that left
 * the winning and the losing end: what the ends rest on), "empty_rows", "replicates", "seed", and
 * a "note" when thin.
 */
enum ipr_code ipr_predict_markov(const struct ipr_predict *p, json_t **out, struct ipr_err *err)
{
    const struct ipr_window window = ipr_window_default(IPR_WINDOW_CONFORMANCE);
    const struct ipr_markov_params params = ipr_markov_default();
    struct ipr_markov_prediction r;
    struct ipr_err why = IPR_ERR_INIT;
    double pool[CLASSES * CLASSES];
    size_t kept[2];

    if (!p->context->judge_id) {
        *out = ipr_predict_refusal(p, IPR_METHOD_MARKOV, "%s", p->context->reason);
        return IPR_OK;
    }
    enum ipr_code rc = ipr_db_pool_transitions(p->context->v->db, p->context->judge_id,
                                               p->context->times, pool, err);
    if (rc != IPR_OK)
        return rc;
    struct ipr_markov_turn *t1 = transitions(p->white, &window, &kept[0]);
    struct ipr_markov_turn *t2 = transitions(p->black, &window, &kept[1]);
    const struct ipr_markov_player first = { t1, kept[0], p->white->who.year };
    const struct ipr_markov_player second = { t2, kept[1], p->black->who.year };
    rc = ipr_markov_predict(&first, &second, pool, &params, &r, &why);
    free(t1);
    free(t2);

    if (rc != IPR_OK && rc != IPR_EDATA)
        return ipr_err_set(err, rc, "%s", why.msg);
    if (rc == IPR_EDATA)
        *out = ipr_predict_refusal(p, IPR_METHOD_MARKOV, "%s", why.msg);
    else
        *out = ipr_predict_too_few(p, IPR_METHOD_MARKOV, own_turns(&r.player1, p->white),
                                   own_turns(&r.player2, p->black));
    if (!*out)
        *out = markov_json(p, &r, &params, &window);
    return IPR_OK;
}
