/*
 * Predictions beside the scores of matches (A's Table 5).
 *
 * Order of the work: every prediction of every match, some 50 ms with 2,500 turns on a side.
 * Memory: the turns of two players, up to the year of one match at a time.
 */
#include "view/report/report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "db/turns.h"
#include "model/prediction_error.h"
#include "sentence/sentence.h"
#include "view/figure/figure.h"
#include "view/json.h"
#include "view/prediction/predict.h"
#include "view/queue/analyses.h"
#include "view/rating/rate.h"
#include "view/report/games.h"
#include "view/report/match_losses.h"

/* A match, its winner first. */
struct met {
    const struct ipr_db_match *match;
    struct ipr_db_match_game *games;
    size_t n;
    int first;      /* index of the winner in match->person; of a drawn match the first by name */
    double score;   /* share of the points that the first scored */
    size_t judged;  /* games with judged turns of either */
    bool in_sample; /* turns of the match are among those of the predictions */
    bool left_out;  /* turns of the match were left out */
    int year;       /* the year that predicts it */
    bool enough_without, enough_before; /* if in sample: see count_left */
    struct ipr_map_match_prediction predictions;
};

struct work {
    const struct ipr_view_context *context;
    bool before;    /* the year before predicts each match */
    bool automatic; /* the year before predicts it if there is enough of it */
    bool without;
    struct met *met;
    size_t n;
};

/* ---- a match, and its games left out of what predicts it ---- */

static void comparisons_take_score(struct met *m)
{
    const struct ipr_db_match *match = m->match;
    int half_points = 0;

    for (size_t i = 0; i < m->n; i++) {
        half_points += m->games[i].half_points;
        m->judged += m->games[i].judged[0] || m->games[i].judged[1];
    }
    const double one = (double)half_points / (2.0 * (double)m->n);
    const bool drawn = half_points == (int)m->n;

    m->first = drawn ? strcmp(match->name[0], match->name[1]) > 0 : one < 0.5;
    m->score = m->first == 0 ? one : 1.0 - one;
}

static bool comparisons_is_of_match(const struct met *m, int64_t id)
{
    for (size_t i = 0; i < m->n; i++)
        if (m->games[i].id == id)
            return true;
    return false;
}

/* The turns of the year without those of the match, in place. */
static void comparisons_drop_match(const struct met *m, struct ipr_db_player_turns *t,
                                   struct ipr_judged_turn *judged)
{
    int64_t *ids = ipr_report_game_ids(t);
    size_t n = 0;

    for (size_t i = 0; i < t->n; i++)
        if (!comparisons_is_of_match(m, ids[t->turns[i].game])) {
            t->turns[n] = t->turns[i];
            judged[n++] = t->judged[i];
        }
    free(ids);
    t->n = n;
    t->judged = judged;
}

/* The cached IPR is that of the whole year, so it is fitted again here. */
static enum ipr_code comparisons_rate_anew(const struct ipr_view_context *c, const struct met *m,
                                           struct ipr_predict_side *s, struct ipr_err *err)
{
    const struct ipr_db_scope scope = ipr_db_scope_year(s->who.player, s->who.year, c->times);
    struct ipr_arena *mem = c->v->mem;
    struct ipr_db_player_turns t = { 0 };
    struct ipr_figure_ratings *rating = ipr_arena_alloc(mem, 1, sizeof *rating);

    enum ipr_code rc = ipr_db_player_turns(c->v->db, &scope, c->judge_id, mem, &t, err);
    if (rc != IPR_OK)
        return rc;
    comparisons_drop_match(m, &t, ipr_arena_alloc(mem, t.n, sizeof(struct ipr_judged_turn)));
    const struct ipr_material material = { .context = c,
                                           .scope = &scope,
                                           .t = &t,
                                           .keep = ipr_arena_alloc(mem, t.n, sizeof(size_t)),
                                           .wanted = IPR_RATE_IPR };

    *rating = *s->rating;
    s->rating = rating;
    rc = ipr_rate_material(&material, rating, err);
    if (rc == IPR_OK && t.n == 0 && c->calibration != NULL)
        rating->ipr->figure.group.reason = ipr_say_reason_report(IPR_REASON_REPORT_NO_MOVE_LEFT);
    return rc;
}

/* For each game of the side's turns, by its number, whether it belongs to the match. */
static enum ipr_code comparisons_mark_match(const struct ipr_view_context *c, const struct met *m,
                                            const struct ipr_predict_side *s, bool **of_match,
                                            struct ipr_err *err)
{
    int64_t *ids = NULL;
    size_t n = 0;

    enum ipr_code rc = ipr_db_transition_games(c->v->db, s->who.player, s->who.year, c->judge_id,
                                               c->times, c->v->mem, &ids, &n, err);
    bool *marks = ipr_arena_alloc(c->v->mem, n + 1, sizeof *marks);
    for (size_t i = 0; i < n; i++)
        marks[i] = comparisons_is_of_match(m, ids[i]);
    for (size_t i = 0; i < s->n && rc == IPR_OK; i++)
        if ((size_t)s->turns[i].game >= n)
            rc = ipr_err_set(err, IPR_ERETRY, "games were analysed while they were read");
    *of_match = marks;
    return rc;
}

static enum ipr_code comparisons_leave_out(const struct ipr_view_context *c, struct met *m,
                                           struct ipr_predict_side *s, struct ipr_err *err)
{
    struct ipr_turn *kept = ipr_arena_alloc(c->v->mem, s->n, sizeof *kept);
    bool *of_match;
    size_t n = 0;

    const enum ipr_code rc = comparisons_mark_match(c, m, s, &of_match, err);
    for (size_t i = 0; i < s->n && rc == IPR_OK; i++)
        if (!of_match[s->turns[i].game])
            kept[n++] = s->turns[i];
    if (rc != IPR_OK || n == s->n)
        return rc;
    s->turns = kept;
    s->n = n;
    m->left_out = true;
    return comparisons_rate_anew(c, m, s, err);
}

static enum ipr_code comparisons_open_side(const struct work *w, const struct ipr_view_context *c,
                                           struct met *m, int person, struct ipr_predict_side *s,
                                           struct ipr_err *err)
{
    const struct ipr_view_side who = { m->match->person[person], m->year };

    const enum ipr_code rc = ipr_predict_side_open(c, who, "all", s, err);
    if (rc != IPR_OK)
        return rc;
    if (w->without)
        return comparisons_leave_out(c, m, s, err);
    for (size_t i = 0; i < m->n; i++)
        m->in_sample |=
            m->games[i].judged[person] && m->games[i].year > 0 && m->games[i].year <= who.year;
    return IPR_OK;
}

/* Counted turns of a side outside the match. */
struct left {
    size_t in_year, year_before;
};

static enum ipr_code comparisons_left_of_side(const struct ipr_predict *p, const struct met *m,
                                              const struct ipr_predict_side *side, struct left *out,
                                              struct ipr_err *err)
{
    const struct ipr_window window = ipr_window_default(IPR_WINDOW_CONFORMANCE);
    const struct ipr_predict_turns t = ipr_predict_turns(p, side, &window, false);
    bool *of_match;

    *out = (struct left){ 0 };
    const enum ipr_code rc = comparisons_mark_match(p->context, m, side, &of_match, err);
    for (size_t i = 0; i < t.n && rc == IPR_OK; i++) {
        const struct ipr_turn *turn = &t.turns[t.keep[i]];

        if (of_match[turn->game])
            continue;
        out->in_year += turn->year == side->who.year;
        out->year_before += turn->year == side->who.year - 1;
    }
    return rc;
}

/* Sets whether both sides would have enough turns for a prediction without the match's own games,
 * or from the year before. */
static enum ipr_code comparisons_count_left(const struct ipr_predict *p, struct met *m,
                                            struct ipr_err *err)
{
    struct left first, second;

    enum ipr_code rc = comparisons_left_of_side(p, m, p->white, &first, err);
    if (rc == IPR_OK)
        rc = comparisons_left_of_side(p, m, p->black, &second, err);
    if (rc != IPR_OK)
        return rc;
    m->enough_without = first.in_year >= IPR_VIEW_MIN_TURNS && second.in_year >= IPR_VIEW_MIN_TURNS;
    m->enough_before =
        first.year_before >= IPR_VIEW_MIN_TURNS && second.year_before >= IPR_VIEW_MIN_TURNS;
    return IPR_OK;
}

/* Sets the predictions; those of /predictions have more members. They are kept in the memory of the
 * report. */
static enum ipr_code comparisons_predict(const struct work *w, const struct ipr_predict *p,
                                         struct met *m, struct ipr_err *err)
{
    struct ipr_arena *const mem = w->context->v->mem;
    struct ipr_figure_predictions figures = { NULL };
    const json_t *one;
    const char *name;

    const enum ipr_code rc = ipr_predict_by(p, "all", &figures, err);
    if (rc != IPR_OK)
        return rc;
    json_t *all = ipr_shape_json(IPR_SHAPE_PREDICTIONS, &figures);

    m->predictions.at = ipr_arena_alloc(mem, json_object_size(all), sizeof *m->predictions.at);
    json_object_foreach(all, name, one) {
        struct ipr_in_map_match_prediction *const to = &m->predictions.at[m->predictions.n++];

        to->name = ipr_arena_printf(mem, "%s", name);
        ipr_shape_read(IPR_SHAPE_MATCH_PREDICTION, one, mem, &to->of);
        to->of.absolute_error = fabs(to->of.expected - m->score);
    }
    json_decref(all);
    return IPR_OK;
}

static enum ipr_code comparisons_open_sides(const struct work *w, struct ipr_predict *p,
                                            struct met *m, struct ipr_predict_side sides[2],
                                            struct ipr_err *err)
{
    enum ipr_code rc = comparisons_open_side(w, p->context, m, m->first, &sides[0], err);
    if (rc == IPR_OK)
        rc = comparisons_open_side(w, p->context, m, !m->first, &sides[1], err);
    if (rc == IPR_OK && (m->in_sample || w->automatic))
        rc = comparisons_count_left(p, m, err);
    return rc;
}

/* The games that the rating leaves out, which reads sums of games and no moves. */
static void comparisons_name_games(struct ipr_predict *p, const struct met *m)
{
    int64_t *ids = ipr_arena_alloc(p->context->v->mem, m->n, sizeof *ids);

    for (size_t i = 0; i < m->n; i++)
        ids[i] = m->games[i].id;
    p->without = ids;
    p->n_without = m->n;
}

/* One match, in memory of its own. */
static enum ipr_code comparisons_consider(const struct work *w, struct met *m, struct ipr_err *err)
{
    struct ipr_arena mem = IPR_ARENA_INIT;
    struct ipr_view view = *w->context->v;
    struct ipr_view_context c = *w->context;
    struct ipr_predict_side sides[2];
    struct ipr_predict p = { .context = &c, .white = &sides[0], .black = &sides[1] };

    view.mem = &mem;
    c.v = &view;
    const struct ipr_prediction_request defaults = IPR_PREDICTION_REQUEST_INIT;
    enum ipr_code rc = ipr_predict_params_make(&defaults, &p.params, err);
    m->year = m->match->year - w->before;
    if (rc == IPR_OK)
        rc = comparisons_open_sides(w, &p, m, sides, err);
    if (rc == IPR_OK && w->automatic && m->enough_before) {
        m->year--;
        m->left_out = false; /* known again once they are read */
        rc = comparisons_open_sides(w, &p, m, sides, err);
    }
    p.left_out = m->left_out;
    if (w->without)
        comparisons_name_games(&p, m);
    if (rc == IPR_OK && m->n <= IPR_OUTCOME_GAMES)
        rc = ipr_predict_match(&p, (unsigned)m->n, m->match->year, err);
    if (rc == IPR_OK)
        rc = comparisons_predict(w, &p, m, err);
    ipr_arena_release(&mem);
    return rc;
}

/* ---- the answer ---- */

static void comparisons_match(const struct met *m, struct ipr_answer_match *out)
{
    const struct ipr_db_match *match = m->match;
    const int first = m->first, second = !m->first;

    out->event = ipr_named(match->event, match->event_name);
    out->year = match->year;
    out->predicted_from = m->year;
    out->first = ipr_named(match->person[first], match->name[first]);
    out->second = ipr_named(match->person[second], match->name[second]);
    out->games = (int64_t)m->n;
    out->judged_games = (int64_t)m->judged;
    out->unplayed = match->unplayed;
    out->score = ipr_json_round(m->score);
    out->in_sample = m->in_sample;
    out->predictions = m->predictions;
}

/* NULL if it predicts nothing. */
static const struct ipr_answer_match_prediction *comparisons_by(const struct met *m,
                                                                const char *predictor)
{
    for (size_t i = 0; i < m->predictions.n; i++)
        if (strcmp(m->predictions.at[i].name, predictor) == 0)
            return &m->predictions.at[i].of;
    return NULL;
}

/* NaN if there is no prediction. Always half the points: the prediction without any information. */
static double comparisons_predicted(const struct met *m, const char *predictor)
{
    if (predictor == NULL)
        return 0.5;
    const struct ipr_answer_match_prediction *const p = comparisons_by(m, predictor);
    return p != NULL ? p->expected : NAN;
}

/* True if the score is in the interval predicted for so many games. */
static bool comparisons_contains(const struct met *m, const char *predictor)
{
    const struct ipr_answer_match_prediction *const p = comparisons_by(m, predictor);
    const double rounding = 1e-9;

    return p != NULL && p->match != NULL && m->score >= p->match->interval.lo - rounding &&
           m->score <= p->match->interval.hi + rounding;
}

static bool comparisons_says_something(const struct work *w, const char *predictor)
{
    for (size_t i = 0; i < w->n; i++)
        if (isfinite(comparisons_predicted(&w->met[i], predictor)))
            return true;
    return false;
}

/* True if every predictor with a prediction for any match has one for this match. */
static bool comparisons_is_common(const struct work *w, const struct met *m)
{
    for (size_t i = 0; ipr_predict_name(i) != NULL; i++)
        if (!isfinite(comparisons_predicted(m, ipr_predict_name(i))) &&
            comparisons_says_something(w, ipr_predict_name(i)))
            return false;
    return true;
}

static struct ipr_figure_match_error comparisons_error(const struct work *w, const char *predictor,
                                                       const bool *counts)
{
    struct ipr_provenance from = { .context = w->context,
                                   .method = IPR_METHOD_COMPARISON,
                                   .turns = IPR_UNKNOWN,
                                   .converged = true };
    double *x = ipr_arena_alloc(w->context->v->mem, 2 * w->n + 1, sizeof *x);
    struct ipr_figure_match_error out = { .predictor = predictor != NULL ? predictor : "even",
                                          .contained = ipr_count_if(predictor != NULL, 0) };
    struct ipr_prediction_error e;

    for (size_t i = 0; i < w->n; i++) {
        const double expected = comparisons_predicted(&w->met[i], predictor);

        if (!isfinite(expected) || (counts != NULL && !counts[i]))
            continue;
        x[out.matches] = expected;
        x[w->n + out.matches++] = w->met[i].score;
        from.games += w->met[i].n;
        if (predictor != NULL)
            out.contained += comparisons_contains(&w->met[i], predictor);
    }
    if (ipr_prediction_error(x, x + w->n, out.matches, &e, NULL) == IPR_OK) {
        out.figure = ipr_figure(e.mean_absolute, ipr_number_if(e.interval_known, e.se),
                                ipr_interval_if(e.interval_known, e.interval), &from);
        if (!e.interval_known)
            out.interval_reason = ipr_say_reason_interval(out.matches < IPR_PREDICTION_ERROR_MATCHES
                                                              ? IPR_REASON_INTERVAL_FEW_MATCHES
                                                              : IPR_REASON_INTERVAL_ERRORS_ALIKE);
    } else {
        out.figure = ipr_figure_none(&from, ipr_say_reason_report(IPR_REASON_REPORT_PREDICTS_NONE));
    }
    return out;
}

static struct ipr_list_match_error comparisons_errors(const struct work *w, const bool *counts)
{
    struct ipr_list_match_error out = { NULL, 0 };
    size_t n = 0;

    while (ipr_predict_name(n) != NULL)
        n++;
    out.at = ipr_shape_list(IPR_SHAPE_MATCH_ERROR, n + 1, w->context->v->mem);
    for (; out.n <= n; out.n++) /* the last has no name */
        out.at[out.n] = comparisons_error(w, ipr_predict_name(out.n), counts);
    return out;
}

static void comparisons_common(const struct work *w, const struct ipr_list_match *matches,
                               struct ipr_answer_common_matches *out)
{
    bool *counts = ipr_xcalloc(w->n + 1, sizeof *counts);

    out->matches = 0;
    for (size_t i = 0; i < w->n; i++)
        out->matches += counts[i] = comparisons_is_common(w, &w->met[i]);
    out->errors = comparisons_errors(w, counts);
    ipr_match_losses(matches, w->context->v->mem, out);
    free(counts);
}

static void comparisons_out_of_sample(const struct work *w, struct ipr_answer_out_of_sample *out)
{
    int64_t before = 0;

    out->without_match = 0;
    for (size_t i = 0; i < w->n; i++) {
        out->without_match += w->met[i].enough_without;
        before += w->met[i].enough_before;
    }
    if (!w->before)
        out->year_before = before;
}

static void comparisons_answer(const struct work *w, int64_t available,
                               struct ipr_answer_comparisons *out)
{
    struct ipr_arena *const mem = w->context->v->mem;

    out->matches = (struct ipr_list_match){ ipr_shape_list(IPR_SHAPE_MATCH, w->n, mem), w->n };
    out->in_sample = 0;
    for (size_t i = 0; i < w->n; i++) {
        comparisons_match(&w->met[i], &out->matches.at[i]);
        out->in_sample += w->met[i].in_sample;
    }
    out->available = available;
    out->errors = comparisons_errors(w, NULL);
    out->common = ipr_shape_new(IPR_SHAPE_COMMON_MATCHES, mem);
    comparisons_common(w, &out->matches, out->common);
    if (out->in_sample > 0) {
        out->note = ipr_say_reason_report(IPR_REASON_REPORT_COMPARISONS_SAMPLE);
        out->out_of_sample = ipr_shape_new(IPR_SHAPE_OUT_OF_SAMPLE, mem);
        comparisons_out_of_sample(w, out->out_of_sample);
    }
    if (w->n == 0)
        out->reason = ipr_say_reason_report(IPR_REASON_REPORT_NO_MATCH);
}

/* ---- what has to be analysed first ---- */

static struct ipr_list_match_asked comparisons_lacking(const struct work *w)
{
    struct ipr_arena *const mem = w->context->v->mem;
    struct ipr_list_match_asked out = { ipr_shape_list(IPR_SHAPE_MATCH_ASKED, w->n, mem), 0 };

    for (size_t i = 0; i < w->n; i++) {
        const struct ipr_db_match *match = w->met[i].match;

        /* The year before should have predicted the match, and has too few analysed moves. */
        if (match->year > 1 && (w->met[i].year == match->year ||
                                !isfinite(comparisons_predicted(&w->met[i], "markov")))) {
            int64_t *const players = ipr_arena_alloc(mem, 2, sizeof *players);

            players[0] = match->person[0];
            players[1] = match->person[1];
            out.at[out.n++] = (struct ipr_answer_match_asked){ { players, 2 }, match->event };
        }
    }
    return out;
}

/* Estimates the analyses that the matches need and that are neither done nor queued; 0 games, too,
 * if no game of the years before is stored or the engine setting is not defined here. */
static enum ipr_code comparisons_estimate(const struct ipr_view_context *c,
                                          struct ipr_answer_match_needs *out, struct ipr_err *err)
{
    json_t *const asked = ipr_shape_json(IPR_SHAPE_MATCH_NEEDS, out);
    const struct ipr_view_matches given = { json_object_get(asked, "matches"), IPR_VIEW_EARLIER,
                                            false };
    struct ipr_err why = IPR_ERR_INIT;
    struct ipr_db_plan plan = { .own = true };
    struct ipr_db_planned n = { 0 };

    enum ipr_code rc = ipr_view_plan_matches(c->v, &given, &plan, &why);
    if (rc == IPR_OK)
        rc = ipr_db_analyses_queue(c->v->db, &plan, c->judge.name, 1, "", true, &n, &why);
    json_decref(asked);
    out->games = n.games - n.there;
    out->turns = n.turns - n.turns_there;
    out->core_hours = n.core_hours < 0.0 ? NAN : n.core_hours;
    out->queued = 0;
    return rc == IPR_OK || rc == IPR_ENOTFOUND ? IPR_OK : ipr_err_set(err, rc, "%s", why.msg);
}

/* Sets what is needed, if anything is left to be analysed. */
static enum ipr_code comparisons_add_needs(const struct work *w, struct ipr_answer_comparisons *out,
                                           struct ipr_err *err)
{
    struct ipr_answer_match_needs *needs = ipr_shape_new(IPR_SHAPE_MATCH_NEEDS, w->context->v->mem);
    enum ipr_code rc = IPR_OK;

    needs->matches = comparisons_lacking(w);
    if (needs->matches.n > 0 && (w->before || w->automatic))
        rc = comparisons_estimate(w->context, needs, err);
    if (rc == IPR_OK && needs->games > 0)
        out->needs = needs;
    return rc;
}

/* The report is computed again when games are analysed; until then, how many of those that it named
 * are queued. */
static enum ipr_code comparisons_refresh(const struct ipr_view_context *c, void *answer,
                                         struct ipr_err *err)
{
    struct ipr_answer_match_needs *const needs = ((struct ipr_answer_comparisons *)answer)->needs;

    if (needs == NULL)
        return IPR_OK;
    const int64_t named = needs->games;
    const enum ipr_code rc = comparisons_estimate(c, needs, err);
    if (named > needs->games)
        needs->queued = named - needs->games;
    return rc;
}

/* ---- all of it ---- */

static enum ipr_code comparisons_consider_all(struct work *w, const struct ipr_db_match *matches,
                                              struct ipr_err *err)
{
    const struct ipr_view_context *c = w->context;
    enum ipr_code rc = IPR_OK;

    for (size_t i = 0; i < w->n && rc == IPR_OK; i++) {
        struct met *m = &w->met[i];

        m->match = &matches[i];
        rc = ipr_report_check_stop(c->v, err);
        if (rc == IPR_OK)
            rc = ipr_db_match_games(c->v->db, m->match, c->judge_id, c->times, c->v->mem, &m->games,
                                    &m->n, err);
        if (rc == IPR_OK && m->n == 0)
            rc = ipr_err_set(err, IPR_ERETRY, "games changed while they were read");
        if (rc == IPR_OK) {
            comparisons_take_score(m);
            rc = comparisons_consider(w, m, err);
        }
    }
    return rc;
}

/*
 * The winner is named first, so a predictor's bias would be meaningless and is not given; the mean
 * absolute error does not depend on the order of the two. If the match's games are left out no
 * predictor uses them; Elo uses no moves.
 */
static enum ipr_code comparisons_compute(const struct ipr_view_context *c, const json_t *params,
                                         json_t **out, struct ipr_err *err)
{
    const char *year = ipr_json_text_at(params, "year");
    struct work w = { .context = c,
                      .before = strcmp(year, "before") == 0,
                      .automatic = strcmp(year, "auto") == 0 };
    const struct ipr_db_match_scope scope = { c->judge_id,
                                              c->times,
                                              (int)ipr_json_at(params, "least", 0.0),
                                              w.before || w.automatic,
                                              (int)ipr_json_at(params, "limit", 0.0),
                                              w.automatic };
    struct ipr_db_match *matches = NULL;
    int64_t available = 0;

    w.without = w.automatic || strcmp(ipr_json_text_at(params, "without_match"), "true") == 0;
    enum ipr_code rc = IPR_OK;
    if (c->judge_id)
        rc = ipr_db_matches(c->v->db, &scope, c->v->mem, &matches, &w.n, &available, err);
    w.met = ipr_arena_alloc(c->v->mem, w.n, sizeof *w.met);
    if (rc == IPR_OK)
        rc = comparisons_consider_all(&w, matches, err);
    if (rc != IPR_OK)
        return rc;
    struct ipr_answer_comparisons *const answer = ipr_shape_new(IPR_SHAPE_COMPARISONS, c->v->mem);
    comparisons_answer(&w, available, answer);
    rc = comparisons_add_needs(&w, answer, err);
    if (rc == IPR_OK)
        *out = ipr_shape_json(IPR_SHAPE_COMPARISONS, answer);
    return rc;
}

const struct ipr_report_kind ipr_report_comparisons = {
    .name = "comparisons",
    .answer = IPR_SHAPE_COMPARISONS,
    .compute = comparisons_compute,
    .refresh = comparisons_refresh,
    .version = 8,
    .games = true,
    .narrow = true,
};
