#include "view/prediction/predict.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "db/turns.h"
#include "view/json.h"

static const struct {
    const char *name;
    ipr_predict_fn *predict;
} methods[] = {
    { "markov", ipr_predict_markov },
    { "covariance", ipr_predict_covariance },
    { "conformance", ipr_predict_conformance },
    { "ipr", ipr_predict_ipr },
    { "elo", ipr_predict_elo },
};

enum ipr_code ipr_predict_side_open(const struct ipr_view_context *c, struct ipr_view_side who,
                                    struct ipr_predict_side *s, struct ipr_err *err)
{
    const struct ipr_view *v = c->v;

    *s = (struct ipr_predict_side){ .who = who };
    enum ipr_code rc =
        ipr_db_player_get(v->db, who.player, c->judge_id, c->times, v->mem, &s->player, err);
    if (rc != IPR_OK)
        return rc;
    s->who.player = s->player.id;
    rc = ipr_view_find_year(c, s->who.player, who.year, &s->row, err);
    if (rc == IPR_OK && c->judge_id)
        rc = ipr_db_player_transitions(v->db, s->who.player, who.year, c->judge_id, c->times,
                                       v->mem, &s->turns, &s->n, err);
    if (rc == IPR_OK)
        rc = ipr_view_rating(c, s->who.player, who.year, s->row.version, false, &s->rating, err);
    return rc;
}

void ipr_predict_side_close(struct ipr_predict_side *s)
{
    json_decref(s->rating);
    s->rating = NULL;
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

json_t *ipr_predict_both(size_t white, size_t black)
{
    return json_pack("{s:I, s:I}", "white", (json_int_t)white, "black", (json_int_t)black);
}

/** A result's object in a prediction's words. */
static json_t *in_words(json_t *result, json_t *as_white, json_t *as_black)
{
    json_object_set(result, "expected", json_object_get(result, "estimate"));
    json_object_del(result, "estimate");
    json_object_set_new(result, "as_white", as_white);
    json_object_set_new(result, "as_black", as_black);
    return result;
}

json_t *ipr_predict_json(const struct ipr_predicted *p)
{
    const struct ipr_estimate result = { p->expected, p->se, p->interval, p->from };
    json_t *out = in_words(ipr_estimate_json(&result), p->as_white, p->as_black);

    json_object_set_new(out, "turns", ipr_predict_both(p->turns[0], p->turns[1]));
    json_object_set_new(out, "games", ipr_predict_both(p->games[0], p->games[1]));
    json_object_set_new(out, "excluded",
                        json_pack("{s:o, s:o}", "white", ipr_excluded_json(p->counts[0]), "black",
                                  ipr_excluded_json(p->counts[1])));
    if (p->interval_reason)
        json_object_set_new(out, "interval_reason", json_string(p->interval_reason));
    return out;
}

json_t *ipr_predict_expected_only(double expected)
{
    return json_pack("{s:n, s:n, s:n, s:o}", "win", "draw", "loss", "expected",
                     ipr_json_num(expected));
}

json_t *ipr_predict_refusal(const struct ipr_predict *p, enum ipr_method method, const char *fmt,
                            ...)
{
    const struct ipr_provenance from = { .context = p->context, .method = method };
    const bool left_out = p->left_out && method != IPR_METHOD_ELO; /* which rests on no turns */
    char reason[IPR_ERR_TEXT];
    va_list args;

    va_start(args, fmt);
    const int n = vsnprintf(reason, sizeof reason, fmt, args);
    va_end(args);
    if (left_out && n >= 0 && (size_t)n < sizeof reason)
        snprintf(reason + n, sizeof reason - (size_t)n, " (%s left out)", p->left_out);
    json_t *out = in_words(ipr_estimate_refusal(&from, "%s", reason), json_null(), json_null());
    json_object_set_new(out, "turns", json_null());
    json_object_set_new(out, "games", json_null());
    return out;
}

json_t *ipr_predict_too_few(const struct ipr_predict *p, enum ipr_method method, size_t white,
                            size_t black)
{
    if (white >= IPR_VIEW_MIN_TURNS && black >= IPR_VIEW_MIN_TURNS)
        return NULL;
    return ipr_predict_refusal(p, method,
                               "%d turns are needed on either side, there are %zu and %zu",
                               IPR_VIEW_MIN_TURNS, white, black);
}

json_t *ipr_predict_few_turns(const struct ipr_predict *p, enum ipr_method method,
                              const struct ipr_predict_turns t[2])
{
    return ipr_predict_too_few(p, method, t[0].of_year[0] + t[0].of_year[1],
                               t[1].of_year[0] + t[1].of_year[1]);
}

const char *ipr_predict_name(size_t i)
{
    return i < sizeof methods / sizeof *methods ? methods[i].name : NULL;
}

bool ipr_predict_knows(const char *method)
{
    for (size_t i = 0; ipr_predict_name(i); i++)
        if (strcmp(ipr_predict_name(i), method) == 0)
            return true;
    return false;
}

enum ipr_code ipr_predict_by(const struct ipr_predict *p, const char *method, json_t **out,
                             struct ipr_err *err)
{
    json_t *all = json_object();
    enum ipr_code rc = IPR_OK;

    for (size_t i = 0; rc == IPR_OK && i < sizeof methods / sizeof *methods; i++) {
        json_t *one = NULL;

        if (strcmp(method, "all") != 0 && strcmp(method, methods[i].name) != 0)
            continue;
        rc = methods[i].predict(p, &one, err);
        if (rc == IPR_OK)
            json_object_set_new(all, methods[i].name, one);
    }
    if (rc != IPR_OK) {
        json_decref(all);
        return rc;
    }
    *out = all;
    return IPR_OK;
}
