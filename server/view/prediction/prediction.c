/* Head to head between two player-years: both sides, and every prediction. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/elo.h"
#include "model/results_shipped.h"
#include "resource/write.h"
#include "stats/interval.h"
#include "view/document.h"
#include "view/json.h"
#include "view/prediction/predict.h"
#include "view/prediction/verdict.h"
#include "view/rating/rate.h"

static enum ipr_code head_strength(const struct ipr_view_context *c, struct ipr_predict_side *s,
                                   struct ipr_err *err)
{
    const struct ipr_db_scope scope = ipr_db_scope_year(s->who.player, s->who.year, c->times);
    struct ipr_path *const path = ipr_arena_alloc(c->v->mem, 1, sizeof *path);
    struct ipr_db_strength sums;
    enum ipr_code rc = ipr_db_strength_of_scope(c->v->db, &scope, 1, &sums, err);

    if (rc == IPR_OK)
        rc = ipr_paths_of(c, &s->who.player, 1, path, err);
    if (rc != IPR_OK)
        return rc;
    const size_t at = ipr_path_find(path, s->who.year);

    s->rated = ipr_strength_figure(c, &sums);
    s->in_year = at < path->n ? &path->year[at] : NULL;
    s->level = ipr_path_in(path, s->who.year, s->who.year);
    return ipr_results_strength(c, s->who.player, s->who.year, &s->results, &s->results_place, err);
}

/* Why a side has no estimate of its strength; NULL if it has one. */
static const char *head_no_estimate(const struct ipr_view_context *c,
                                    const struct ipr_predict_side *s)
{
    const char *const reason = s->rated->figure.group.reason;

    return reason == NULL ? NULL
                          : ipr_say_reason_prediction(IPR_REASON_PREDICTION_NO_ESTIMATE,
                                                      &(struct ipr_reason_prediction_slots){
                                                          .who = s->player.name, .reason = reason },
                                                      c->v->mem);
}

static const char *head_no_estimates(const struct ipr_view_context *c,
                                     const struct ipr_predict_side *first,
                                     const struct ipr_predict_side *second)
{
    const char *reason = head_no_estimate(c, first);

    return reason != NULL ? reason : head_no_estimate(c, second);
}

/* By the moves of all years of each. */
static struct ipr_figure_rating_difference head_difference(const struct ipr_view_context *c,
                                                           const struct ipr_predict_side *first,
                                                           const struct ipr_predict_side *second)
{
    const struct ipr_trajectory_change by = ipr_path_difference(&first->level, &second->level);
    const char *reason = head_no_estimates(c, first, second);
    const double d = by.mean, se = by.sd;

    return (struct ipr_figure_rating_difference){
        .estimate = ipr_number_if(reason == NULL, d),
        .standard_error = ipr_number_if(reason == NULL, se),
        .interval = ipr_interval_if(reason == NULL,
                                    (struct ipr_interval){ d - IPR_Z95 * se, d + IPR_Z95 * se }),
        .distinct = fabs(d) > IPR_Z95 * se,
        .reason = reason,
    };
}

static double head_elo(const struct ipr_predict_side *s)
{
    return s->rating->elo != NULL ? s->rating->elo->elo_mean.figure.estimate : NAN;
}

static bool head_has_elo(const struct ipr_predict_side *s)
{
    return isfinite(head_elo(s));
}

/* From here on two years have hardly a player in common whom both met. */
#define APART_YEARS 20

/* Returns what the chances are from, for both sides, as the kinds differ: Elo, which predicts
 * results best (docs/predictors.md) and which the model is fitted to; without it the strengths from
 * results, unless eras lie between the two, whom only chains of others connect; else the ratings by
 * the moves. */
static const char *head_source(const struct ipr_predict *p)
{
    const struct ipr_predict_side *a = p->white, *b = p->black;

    if (head_has_elo(a) && head_has_elo(b))
        return "elo";
    return isnan(a->results->figure.estimate) || isnan(b->results->figure.estimate) ||
                   a->results->component != b->results->component ||
                   (abs(a->who.year - b->who.year) >= APART_YEARS &&
                    head_no_estimates(p->context, a, b) == NULL)
               ? "rating"
               : "results_strength";
}

/* Without ratings by the moves; where nothing else was left, with why the results do not do. */
static const char *head_no_chances(const struct ipr_predict *p)
{
    const struct ipr_figure_results_strength *a = p->white->results, *b = p->black->results;
    const char *reason = head_no_estimates(p->context, p->white, p->black);

    if (reason == NULL || strcmp(head_source(p), "rating") != 0 || isnan(a->figure.estimate) ||
        isnan(b->figure.estimate))
        return reason;
    return ipr_say_reason_prediction(IPR_REASON_PREDICTION_NOT_CONNECTED,
                                     &(struct ipr_reason_prediction_slots){ .reason = reason },
                                     p->context->v->mem);
}

/* An Elo has no error of its own here: the model is fitted to Elo as it is. */
static struct ipr_outcome_side head_strength_of(const struct ipr_predict_side *s,
                                                const char *source)
{
    if (strcmp(source, "elo") == 0)
        return (struct ipr_outcome_side){ head_elo(s), 0.0 };
    if (strcmp(source, "results_strength") == 0)
        return (struct ipr_outcome_side){ s->results->figure.estimate,
                                          s->results_place.relative_error };
    return (struct ipr_outcome_side){ s->level.at.mean, s->level.at.apart };
}

/* Both strengths. Those of one player depend on each other: what counts is the error of their
 * difference, half of its variance for either. The scale of those from results is the same for
 * both, so that what counts is the error of its change from one year to the other, in either. */
static void head_strengths(const struct ipr_predict *p, const char *source,
                           struct ipr_outcome_side *a, struct ipr_outcome_side *b)
{
    const struct ipr_results_place *first = &p->white->results_place,
                                   *second = &p->black->results_place;

    *a = head_strength_of(p->white, source);
    *b = head_strength_of(p->black, source);
    if (strcmp(source, "rating") == 0 && p->white->who.player == p->black->who.player)
        a->se = b->se = ipr_path_difference(&p->white->level, &p->black->level).sd / sqrt(2.);
    if (strcmp(source, "results_strength") == 0)
        b->se = hypot(b->se, ipr_whr_place_difference_se(&first->place, &second->place,
                                                         &ipr_results_shipped.scale));
}

/* With its error in a match, if it is Elo (docs/results.md). */
static void head_errors(const struct ipr_predict *p, const char *source, struct ipr_outcome_side *a,
                        struct ipr_outcome_side *b)
{
    head_strengths(p, source, a, b);
    if (strcmp(source, "elo") == 0)
        a->se = b->se = ipr_results_shipped.elo_se;
}

static enum ipr_code head_match(const struct ipr_predict *p, struct ipr_figure_game_chances *out,
                                struct ipr_err *err)
{
    struct ipr_outcome_side a, b;

    if (out->reason != NULL)
        return IPR_OK;
    head_errors(p, out->strength, &a, &b);
    return ipr_predict_score_of(p, &a, &b, &out->match, err);
}

static int head_year(const struct ipr_predict *p)
{
    return (p->white->who.year + p->black->who.year) / 2;
}

/* For players of different years the model takes the mean year, which the share of draws depends
 * on.
 */
static struct ipr_figure_game_chances head_chances(const struct ipr_predict *p, const char *source)
{
    const struct ipr_outcome_model *model = &ipr_results_shipped.outcome;
    const int year = head_year(p);
    struct ipr_figure_game_chances out = { .year = IPR_UNKNOWN,
                                           .expected = NAN,
                                           .interval = { NAN, NAN } };
    struct ipr_outcome_side a, b;
    struct ipr_outcome white, black;

    out.reason = strcmp(source, "rating") == 0 ? head_no_chances(p) : NULL;
    if (out.reason != NULL)
        return out;
    out.strength = source;
    head_strengths(p, source, &a, &b);
    white = ipr_outcome_game(model, &a, &b, year);
    black = ipr_outcome_game(model, &b, &a, year);
    out.year = (size_t)year;
    out.as_white =
        ipr_predict_outcome(p, white.win, white.draw, white.loss, white.win + white.draw / 2);
    out.as_black =
        ipr_predict_outcome(p, black.loss, black.draw, black.win, black.loss + black.draw / 2);
    out.expected = (out.as_white->expected + out.as_black->expected) / 2;
    out.extrapolated = ipr_outcome_extrapolated(a.elo, b.elo, year);
    head_errors(p, source, &a, &b);
    out.interval = ipr_predict_score_interval(&a, &b, year);
    return out;
}

static void head_side(const struct ipr_view_context *c, const struct ipr_predict_side *s,
                      struct ipr_figure_ipr *ipr, struct ipr_figure_side *out)
{
    out->player = (struct ipr_figure_named){ (size_t)s->player.id, s->player.name };
    out->year = ipr_count_if(s->who.year != 0, (size_t)s->who.year);
    out->not_rated = ipr_view_context_unrated(c, &s->row);
    out->turns = (size_t)s->row.turns;
    out->games = s->rating->games;
    out->active = s->row.counted >= IPR_VIEW_ACTIVE_TURNS;
    out->strength = s->in_year;
    out->rating = s->rated;
    out->ipr = ipr;
    out->elo = s->rating->elo;
    out->results_strength = s->results;
}

/* The expected score by a predictor; NaN if it is not in the answer. */
static double head_expected(const struct ipr_predict *p, const char *predictor,
                            const struct ipr_figure_head_to_head *answer)
{
    if (strcmp(predictor, "even") == 0)
        return 0.5;
    if (strcmp(predictor, "elo") == 0)
        return ipr_elo_expect(head_elo(p->white), head_elo(p->black));
    const struct ipr_figure_prediction *const of =
        ipr_predict_tested(&answer->predictions, predictor);
    return of != NULL ? of->expected : NAN;
}

static const char *head_text(const struct ipr_view *v, const json_t *verdict, const char *name)
{
    const json_t *const text = json_object_get(verdict, name);

    return ipr_arena_strndup(v->mem, json_string_value(text), json_string_length(text));
}

static enum ipr_code head_recommended(const struct ipr_predict *p,
                                      struct ipr_figure_head_to_head *answer, struct ipr_err *err)
{
    const struct ipr_view *const v = p->context->v;
    struct ipr_figure_recommended *const out = ipr_arena_alloc(v->mem, 1, sizeof *out);
    const bool elo = isfinite(head_elo(p->white)) && isfinite(head_elo(p->black));
    json_t *document = NULL;
    const enum ipr_code rc = ipr_view_document(v, "predictors.json", &document, err);

    if (rc != IPR_OK)
        return rc;
    const json_t *const verdict =
        json_object_get(json_object_get(document, "recommended"), elo ? "with_elo" : "without_elo");
    out->predictor = head_text(v, verdict, "predictor");
    out->title = head_text(v, verdict, "title");
    out->better_than_base = json_is_true(json_object_get(verdict, "better_than_base"));
    out->base = head_text(v, verdict, "base");
    out->games = (size_t)json_integer_value(json_object_get(verdict, "games"));
    out->champions = (size_t)json_integer_value(json_object_get(verdict, "champions"));
    out->expected = head_expected(p, out->predictor, answer);
    out->why =
        head_text(v, json_object_get(document, "words"), elo ? "why_with_elo" : "why_without_elo");
    out->rule = head_text(v, json_object_get(document, "recommended"), "text");
    answer->recommended = out;
    json_decref(document);
    return IPR_OK;
}

static enum ipr_code head_answer(const struct ipr_predict *p, const char *method, json_t *out,
                                 struct ipr_err *err)
{
    const struct ipr_predict *const wide = p->wide != NULL ? p->wide : p;
    const struct ipr_view_context *c = p->context;
    struct ipr_figure_head_to_head answer;

    ipr_shape_blank(IPR_SHAPE_HEAD_TO_HEAD, &answer);
    enum ipr_code rc = ipr_predict_by(p, method, &answer.predictions, err);
    if (rc != IPR_OK)
        return rc;
    answer.method = method;
    answer.games = ipr_count_if(p->match.games > 0, p->match.games);
    answer.judge = ipr_view_context_judge(c);
    answer.ipr_judge = p->wide != NULL ? ipr_view_context_judge(wide->context) : NULL;
    answer.calibration = ipr_view_context_calibration(wide->context);
    answer.time_classes = ipr_view_context_times(c);
    head_side(c, p->white, wide->white->rating->ipr, &answer.white);
    head_side(c, p->black, wide->black->rating->ipr, &answer.black);
    answer.rating_difference = head_difference(c, p->white, p->black);
    answer.chances = head_chances(p, head_source(p));
    answer.by_moves = head_chances(p, "rating");
    ipr_predict_verdict(p, &answer.chances, &answer.rating_difference, &answer.verdict);
    rc = head_match(p, &answer.chances, err);
    if (rc == IPR_OK)
        rc = head_match(p, &answer.by_moves, err);
    if (rc == IPR_OK)
        rc = head_recommended(p, &answer, err);
    if (rc == IPR_OK)
        json_object_update_new(out, ipr_shape_json(IPR_SHAPE_HEAD_TO_HEAD, &answer));
    return rc;
}

/* A head to head by the evaluations of one engine setting. */
struct head {
    struct ipr_predict of;
    struct ipr_predict_side side[2];
};

static enum ipr_code head_find(const struct ipr_view_context *c,
                               const struct ipr_prediction_request *p, struct head *h,
                               struct ipr_err *err)
{
    const struct ipr_view_side first = { p->white.player, p->white.year };
    const struct ipr_view_side second = { p->black.player, p->black.year };
    enum ipr_code rc = ipr_predict_side_find(c, first, &h->side[0], err);

    h->of.context = c;
    h->of.white = &h->side[0];
    h->of.black = &h->side[1];
    return rc == IPR_OK ? ipr_predict_side_find(c, second, &h->side[1], err) : rc;
}

static enum ipr_code head_load(const char *method, struct head *h, struct ipr_err *err)
{
    const struct ipr_view_context *const c = h->of.context;
    const enum ipr_code rc = ipr_predict_side_load(c, method, &h->side[0], err);

    return rc == IPR_OK ? ipr_predict_side_load(c, method, &h->side[1], err) : rc;
}

/* The lower one of both sides. */
static int64_t head_lesser(int64_t first, int64_t second)
{
    return first < second ? first : second;
}

/* The head to head by the evaluations of each setting of the rule. */
struct head_found {
    const struct ipr_prediction_request *p;
    struct head by[IPR_SETTING_CANDIDATES];
};

/* Counts for both sides the moves of their years, which every method needs, or else of their
 * careers, since most methods count earlier years, too. */
static enum ipr_code head_count(void *of, size_t i, const struct ipr_view_context *c, int64_t *n,
                                struct ipr_err *err)
{
    struct head_found *const found = of;
    struct head *const h = &found->by[i];
    const enum ipr_code rc = head_find(c, found->p, h, err);

    *n = (head_lesser(h->side[0].row.turns, h->side[1].row.turns) << 32) +
         head_lesser(h->side[0].player.turns, h->side[1].player.turns);
    return rc;
}

/* Most methods need two lines. The IPR needs more, and keeps the setting of the context; Markov has
 * been published with it, and keeps it where both sides have enough moves. */
static enum ipr_code head_open(const struct ipr_view_context *c, struct ipr_view_context *own,
                               const struct ipr_prediction_request *p, const char *method,
                               struct head_found *found, struct head **chosen, struct ipr_err *err)
{
    const struct ipr_setting_scope scope = { p->judge, head_count, found };
    enum ipr_code rc = ipr_setting_for(c->v, IPR_FOR_HEAD, &scope, own, err);

    if (rc != IPR_OK)
        return rc;
    *chosen = &found->by[own->candidate];
    (*chosen)->of.context = own;
    if (own->candidate > 0) {
        found->by[0].of.context = c;
        (*chosen)->of.wide = &found->by[0].of;
        rc = head_load(method, &found->by[0], err);
    }
    if (rc == IPR_OK)
        rc = head_load(method, *chosen, err);
    for (int i = 0; rc == IPR_OK && i < 2; i++) /* figures that are not of turns */
        rc = head_strength((*chosen)->of.context, &(*chosen)->side[i], err);
    if (rc == IPR_OK && p->games > 0)
        rc = ipr_predict_match(&(*chosen)->of, (unsigned)p->games, head_year(&(*chosen)->of), err);
    return rc;
}

/* "white" is the first player named; both assignments of colours are always given. */
enum ipr_code ipr_fill_prediction(const struct ipr_view_context *c,
                                  const struct ipr_prediction_request *p, json_t *out,
                                  struct ipr_err *err)
{
    const char *method = ipr_params_text(ipr_resource_at(IPR_RESOURCE_PREDICTION), p, "method");
    struct ipr_view_context own = { 0 };
    struct head_found found = { .p = p };
    struct head *chosen;

    enum ipr_code rc = ipr_predict_params_make(p, &found.by[0].of.params, err);
    found.by[1].of.params = found.by[0].of.params;
    if (rc == IPR_OK)
        rc = head_open(c, &own, p, method, &found, &chosen, err);
    if (rc == IPR_OK)
        rc = head_answer(&chosen->of, method, out, err);
    ipr_view_context_close(&own);
    return rc;
}
