/* Head to head between two player-years: by transitions, by the difference of IPRs, by Elo. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "db/players.h"
#include "db/turns.h"
#include "model/elo.h"
#include "model/markov.h"
#include "model/window.h"
#include "view/context.h"
#include "view/json.h"

/* "active" (A §4.4) asks 500 turns; an interval over a few games means little well before. */
#define THIN_TURNS 1000
#define CLASSES    19

struct side {
    struct ipr_view_side who;
    struct ipr_db_player player;
    struct ipr_db_player_year row;
    json_t *rating; /* as ipr_view_rating */
};

static enum ipr_code side_open(const struct ipr_view_context *c, struct ipr_view_side who,
                               struct side *s, struct ipr_err *err)
{
    s->who = who;
    enum ipr_code rc =
        ipr_db_player_get(c->v->db, who.player, c->judge_id, c->times, c->v->mem, &s->player, err);
    if (rc != IPR_OK)
        return rc;
    s->who.player = s->player.id;
    rc = ipr_view_find_year(c, s->who.player, who.year, &s->row, err);
    if (rc == IPR_OK)
        rc = ipr_view_rating(c, s->who.player, who.year, s->row.version, false, &s->rating, err);
    return rc;
}

static json_t *side_json(const struct ipr_view_context *c, const struct side *s)
{
    return json_pack("{s:o, s:o, s:o, s:i, s:O?, s:b, s:O?, s:O?}", "player",
                     ipr_json_player(s->player.id, s->player.name), "year",
                     ipr_json_known(s->who.year), "not_rated", ipr_view_context_unrated(c, &s->row),
                     "turns", (int)s->row.turns, "games", json_object_get(s->rating, "games"),
                     "active", s->row.counted >= IPR_VIEW_ACTIVE_TURNS, "ipr",
                     json_object_get(s->rating, "ipr"), "elo", json_object_get(s->rating, "elo"));
}

/** An answer that gives no figure, complete in its members. */
static json_t *refuse(const char *method, const char *reason)
{
    return json_pack("{s:s, s:n, s:n, s:n, s:n, s:s}", "method", method, "expected", "interval",
                     "as_white", "as_black", "reason", reason);
}

static json_t *both(json_int_t white, json_int_t black)
{
    return json_pack("{s:I, s:I}", "white", white, "black", black);
}

/* Markov */

static struct ipr_markov_turn *transitions(const struct ipr_turn *turns, size_t n, size_t *kept)
{
    const struct ipr_window window = ipr_window_default(IPR_WINDOW_CONFORMANCE);
    struct ipr_markov_turn *out = ipr_xcalloc(n ? n : 1, sizeof *out);

    *kept = 0;
    for (size_t i = 0; i < n; i++) {
        const struct ipr_turn *t = &turns[i];
        if (t->ply / 2u + 1u < window.first_move || t->legal < 2)
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
static size_t own_turns(const struct ipr_markov_evidence *e, int year)
{
    return year ? e->turns_in_year : e->turns;
}

static json_t *markov_json(const struct ipr_markov_prediction *p, const struct side *w,
                           const struct side *b, const struct ipr_markov_params *params)
{
    char note[IPR_ERR_TEXT];
    const size_t least = own_turns(&p->player1, w->who.year) < own_turns(&p->player2, b->who.year)
                             ? own_turns(&p->player1, w->who.year)
                             : own_turns(&p->player2, b->who.year);
    json_t *out =
        json_pack("{s:s, s:o, s:o, s:o, s:o, s:o}", "method", "markov", "expected",
                  ipr_json_num(p->mean.expected), "interval", ipr_json_interval(p->expected),
                  "as_white", outcome_json(&p->as_white), "as_black", outcome_json(&p->as_black),
                  "standard_deviation", ipr_json_num(p->sd));

    json_object_set_new(out, "turns",
                        both((json_int_t)p->player1.turns, (json_int_t)p->player2.turns));
    json_object_set_new(
        out, "turns_in_year",
        both((json_int_t)p->player1.turns_in_year, (json_int_t)p->player2.turns_in_year));
    json_object_set_new(out, "games",
                        both((json_int_t)p->player1.games, (json_int_t)p->player2.games));
    json_object_set_new(out, "exits",
                        json_pack("{s:I, s:I}", "from_winning", (json_int_t)p->exits_from_top,
                                  "from_losing", (json_int_t)p->exits_from_bottom));
    json_object_set_new(out, "empty_rows",
                        both((json_int_t)p->player1.empty_rows, (json_int_t)p->player2.empty_rows));
    json_object_set_new(out, "replicates", json_integer(params->replicates));
    json_object_set_new(out, "seed", json_integer((json_int_t)params->seed));
    if (least >= THIN_TURNS)
        return out;
    snprintf(note, sizeof note,
             "One side rests on %zu turns of its year. With 500 turns each the expected score is "
             "uncertain by about 28 points in a hundred, with 2,500 by about 13: read the "
             "interval, not the estimate.",
             least);
    json_object_set_new(out, "note", json_string(note));
    return out;
}

static enum ipr_code predict_markov(const struct ipr_view_context *c, const struct side *w,
                                    const struct side *b, const struct ipr_turn *const turns[2],
                                    const size_t n[2], json_t **out, struct ipr_err *err)
{
    struct ipr_markov_params params = ipr_markov_default();
    struct ipr_markov_prediction p;
    struct ipr_err why = IPR_ERR_INIT;
    double pool[CLASSES * CLASSES];
    char reason[IPR_ERR_TEXT];
    size_t kept[2];

    enum ipr_code rc = ipr_db_pool_transitions(c->v->db, c->judge_id, c->times, pool, err);
    if (rc != IPR_OK)
        return rc;
    struct ipr_markov_turn *t1 = transitions(turns[0], n[0], &kept[0]);
    struct ipr_markov_turn *t2 = transitions(turns[1], n[1], &kept[1]);
    const struct ipr_markov_player first = { t1, kept[0], w->who.year };
    const struct ipr_markov_player second = { t2, kept[1], b->who.year };
    rc = ipr_markov_predict(&first, &second, pool, &params, &p, &why);
    free(t1);
    free(t2);

    if (rc == IPR_EDATA) {
        *out = refuse("markov", why.msg);
        return IPR_OK;
    }
    if (rc != IPR_OK)
        return ipr_err_set(err, rc, "%s", why.msg);
    const size_t own1 = own_turns(&p.player1, w->who.year);
    const size_t own2 = own_turns(&p.player2, b->who.year);
    if (own1 < IPR_VIEW_MIN_TURNS || own2 < IPR_VIEW_MIN_TURNS) {
        snprintf(reason, sizeof reason, "%d turns are needed on either side, there are %zu and %zu",
                 IPR_VIEW_MIN_TURNS, own1, own2);
        *out = refuse("markov", reason);
        return IPR_OK;
    }
    *out = markov_json(&p, w, b, &params);
    return IPR_OK;
}

static enum ipr_code markov(const struct ipr_view_context *c, const struct side *w,
                            const struct side *b, json_t **out, struct ipr_err *err)
{
    struct ipr_turn *turns[2] = { NULL, NULL };
    const struct side *const sides[2] = { w, b };
    size_t n[2] = { 0, 0 };
    enum ipr_code rc = IPR_OK;

    if (!c->judge_id) {
        *out = refuse("markov", c->reason);
        return IPR_OK;
    }
    for (int i = 0; rc == IPR_OK && i < 2; i++)
        rc = ipr_db_player_transitions(c->v->db, sides[i]->who.player, sides[i]->who.year,
                                       c->judge_id, c->times, c->v->mem, &turns[i], &n[i], err);
    if (rc == IPR_OK)
        rc = predict_markov(c, w, b, (const struct ipr_turn *const[]){ turns[0], turns[1] }, n, out,
                            err);
    return rc;
}

/* By a difference of ratings */

/** Neither Elo nor IPR says anything of colours or draws: only the expected score is given. */
static json_t *by_difference(const char *method, double difference, double half_width)
{
    const double e = ipr_elo_expect(difference, 0.0);
    json_t *colour =
        json_pack("{s:n, s:n, s:n, s:o}", "win", "draw", "loss", "expected", ipr_json_num(e));
    json_t *out = json_pack("{s:s, s:o, s:n, s:O, s:o, s:o}", "method", method, "expected",
                            ipr_json_num(e), "interval", "as_white", colour, "as_black", colour,
                            "difference", ipr_json_num(difference));

    /* The curve is straight on the logit scale, so an interval of the difference maps exactly. */
    if (half_width > 0.0) {
        const struct ipr_interval i = { ipr_elo_expect(difference - half_width, 0.0),
                                        ipr_elo_expect(difference + half_width, 0.0) };
        json_object_set_new(out, "interval", ipr_json_interval(i));
    }
    return out;
}

static double half_width(const json_t *ipr)
{
    return (ipr_json_at(ipr, "interval.high", 0.0) - ipr_json_at(ipr, "interval.low", 0.0)) / 2.0;
}

static json_t *ipr(const struct side *w, const struct side *b)
{
    const json_t *first = json_object_get(w->rating, "ipr");
    const json_t *second = json_object_get(b->rating, "ipr");
    const bool lacks_first = !json_is_number(json_object_get(first, "estimate"));
    char reason[IPR_ERR_TEXT];

    if (lacks_first || !json_is_number(json_object_get(second, "estimate"))) {
        const struct side *who = lacks_first ? w : b;
        snprintf(reason, sizeof reason, "no IPR for %.80s: %.120s", who->player.name,
                 ipr_json_text_at(who->rating, "ipr.reason"));
        return refuse("ipr", reason);
    }
    json_t *out = by_difference(
        "ipr", ipr_json_at(first, "estimate", 0.0) - ipr_json_at(second, "estimate", 0.0),
        hypot(half_width(first), half_width(second)));
    json_object_set_new(out, "turns",
                        both((json_int_t)ipr_json_at(first, "turns", 0.0),
                             (json_int_t)ipr_json_at(second, "turns", 0.0)));
    json_object_set_new(out, "games",
                        both((json_int_t)ipr_json_at(first, "games", 0.0),
                             (json_int_t)ipr_json_at(second, "games", 0.0)));
    json_object_set_new(out, "extrapolated",
                        json_boolean(ipr_json_true_at(first, "extrapolated") ||
                                     ipr_json_true_at(second, "extrapolated")));
    return out;
}

static json_t *elo(const struct side *w, const struct side *b)
{
    const json_t *first = json_object_get(w->rating, "elo");
    const json_t *second = json_object_get(b->rating, "elo");
    const bool lacks_first = !json_is_number(json_object_get(first, "estimate"));
    char reason[IPR_ERR_TEXT];

    if (lacks_first || !json_is_number(json_object_get(second, "estimate"))) {
        snprintf(reason, sizeof reason, "no Elo of %.150s in the tags of the judged games",
                 lacks_first ? w->player.name : b->player.name);
        return refuse("elo", reason);
    }
    json_t *out = by_difference(
        "elo", ipr_json_at(first, "estimate", 0.0) - ipr_json_at(second, "estimate", 0.0), 0.0);
    json_object_set_new(out, "games",
                        both((json_int_t)ipr_json_at(first, "games", 0.0),
                             (json_int_t)ipr_json_at(second, "games", 0.0)));
    json_object_set_new(out, "source", json_string("game tags"));
    return out;
}

static bool wanted(const char *method, const char *one)
{
    return strcmp(method, "all") == 0 || strcmp(method, one) == 0;
}

static enum ipr_code predict(const struct ipr_view_context *c, const struct side *w,
                             const struct side *b, const char *method, json_t **out,
                             struct ipr_err *err)
{
    json_t *predictions = json_object();
    json_t *one = NULL;
    enum ipr_code rc = IPR_OK;

    if (wanted(method, "markov")) {
        rc = markov(c, w, b, &one, err);
        if (rc == IPR_OK)
            json_object_set_new(predictions, "markov", one);
    }
    if (wanted(method, "ipr"))
        json_object_set_new(predictions, "ipr", ipr(w, b));
    if (wanted(method, "elo"))
        json_object_set_new(predictions, "elo", elo(w, b));
    if (rc != IPR_OK) {
        json_decref(predictions);
        return rc;
    }
    *out = json_pack("{s:s, s:o, s:o, s:o, s:o, s:o, s:o}", "method", method, "judge",
                     ipr_view_context_judge(c), "calibration", ipr_view_context_calibration(c),
                     "time_classes", ipr_view_context_times(c), "white", side_json(c, w), "black",
                     side_json(c, b), "predictions", predictions);
    return IPR_OK;
}

/**
 * {"method", "judge", "calibration", "time_classes",
 *  "white", "black": {"player", "year", "not_rated", "turns", "games", "active", "ipr", "elo"},
 *  "predictions": {"markov" | "ipr" | "elo": {"method", "expected" (from the first player's view,
 *     mean of both colours), "interval", "as_white", "as_black": {"win", "draw", "loss",
 *     "expected"}, "turns", "games": {"white", "black"}, …} or nulls + "reason"}}
 * "white" is the first player named; both assignments of colours are always given. markov adds
 * "exits" (turns that left the winning and the losing end: what the ends rest on), "replicates",
 * "seed", "standard_deviation", "empty_rows" and a "note" when thin. ipr and elo give no wins and
 * draws (null); ipr adds "difference" and "extrapolated"; elo has no interval.
 */
enum ipr_code ipr_view_prediction(const struct ipr_view *v, struct ipr_view_side white,
                                  struct ipr_view_side black, const char *method, const char *judge,
                                  json_t **out, struct ipr_err *err)
{
    struct ipr_view_context c;
    struct side w = { .rating = NULL }, b = { .rating = NULL };

    if (!method || !*method)
        method = "all";
    if (strcmp(method, "all") != 0 && strcmp(method, "markov") != 0 && strcmp(method, "ipr") != 0 &&
        strcmp(method, "elo") != 0)
        return ipr_err_at(err, IPR_EPARSE, "bad_parameter", 0, 0, -1,
                          "method: one of markov, ipr, elo, all");
    enum ipr_code rc = ipr_view_context_open(v, judge, &c, err);
    if (rc != IPR_OK)
        return rc;
    rc = side_open(&c, white, &w, err);
    if (rc == IPR_OK)
        rc = side_open(&c, black, &b, err);
    if (rc == IPR_OK)
        rc = predict(&c, &w, &b, method, out, err);
    json_decref(w.rating);
    json_decref(b.rating);
    ipr_view_context_close(&c);
    return rc;
}
