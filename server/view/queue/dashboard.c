/* The front page. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/sort.h"
#include "db/players.h"
#include "db/turns.h"
#include "db/uploads.h"
#include "model/results_shipped.h"
#include "view/certainty.h"
#include "view/document.h"
#include "view/json.h"
#include "view/player/best_years.h"
#include "view/queue/analyses.h"
#include "view/queue/uploads.h"

#define UPLOADS_SHOWN 8
#define PAIR_YEARS    10 /* between players who can hardly have met at their best */
#define TRUST_GAMES   30
#define YEARS_SHOWN   40 /* without ratings by the moves */

static enum ipr_code add_latest_uploads(const struct ipr_view *v, json_t *out, struct ipr_err *err)
{
    struct ipr_db_upload *rows = NULL;
    size_t n = 0;

    const enum ipr_code rc =
        ipr_db_upload_list(v->db, INT64_MAX, UPLOADS_SHOWN, v->mem, &rows, &n, err);
    json_object_set_new(out, "uploads", ipr_view_upload_rows(rows, n));
    return rc;
}

/* ---- questions ---- */

static const struct ipr_db_best_year *year_named(const struct ipr_best_years *b, const char *name,
                                                 int year)
{
    for (size_t i = 0; i < b->n; i++)
        if (b->row[i].year == year && strncmp(b->row[i].name, name, strlen(name)) == 0)
            return &b->row[i];
    return NULL;
}

static const struct ipr_db_best_year *year_of_other_time(const struct ipr_best_years *b)
{
    for (size_t i = 1; i < b->n; i++)
        if (b->row[i].player_id != b->row[0].player_id &&
            abs(b->row[i].year - b->row[0].year) >= PAIR_YEARS)
            return &b->row[i];
    return NULL;
}

static json_t *pair_side(const struct ipr_db_best_year *y)
{
    return json_pack("{s:o, s:i}", "player", ipr_json_player(y->player_id, y->name), "year",
                     y->year);
}

static enum ipr_code question_pair(const struct ipr_best_years *b, json_t *out, struct ipr_err *err)
{
    struct ipr_prediction_request ask = IPR_PREDICTION_REQUEST_INIT;
    const struct ipr_db_best_year *first = year_named(b, "Fischer, R", 1972),
                                  *second = year_named(b, "Kasparov, G", 1984);
    json_t *answer = json_object();

    json_object_set_new(out, "pair", json_null());
    if (first == NULL || second == NULL) {
        first = b->n > 0 ? &b->row[0] : NULL;
        second = year_of_other_time(b);
    }
    enum ipr_code rc = IPR_OK;
    if (second != NULL) {
        ask.white = (struct ipr_param_side){ .player = first->player_id, .year = first->year };
        ask.black = (struct ipr_param_side){ .player = second->player_id, .year = second->year };
        ask.method = IPR_PREDICTION_METHOD_ELO; /* the quickest: the verdict is of no method … */
        ask.games = 0;                          /* … nor of a match */
        rc = ipr_fill_prediction(b->context, &ask, answer, err);
    }
    const char *text = ipr_json_text_at(answer, "verdict.text");
    if (rc == IPR_OK && *text != '\0')
        json_object_set_new(out, "pair",
                            json_pack("{s:o, s:o, s:s}", "white", pair_side(first), "black",
                                      pair_side(second), "text", text));
    json_decref(answer);
    return rc;
}

/* The error of a difference from the Elo, which has one, too. */
static double gap_error(const struct ipr_best_years *b, size_t i)
{
    return hypot(b->field[i].se, ipr_results_shipped.elo_se);
}

/* That of `n` years one is as far above its Elo by chance, at most; in words. */
static const char *gap_text(const struct ipr_best_years *b, size_t i, size_t n)
{
    const struct ipr_db_best_year *const y = &b->row[i];
    struct ipr_arena *const mem = b->context->v->mem;
    const double d = ipr_best_year_difference(b, i), se = gap_error(b, i);
    const double sure = 1 - (double)n * .5 * erfc(d / se / sqrt(2.));
    const char *const gap = ipr_arena_printf(
        mem,
        "%.*s %d: rated %.0f by the moves, %.0f more than the Elo in the tags, 95%% interval "
        "%s%.0f to %.0f.",
        (int)strcspn(y->name, ","), y->name, y->year, b->field[i].estimate, d,
        d < IPR_Z95 * se ? "\u2212" : "", fabs(d - IPR_Z95 * se), d + IPR_Z95 * se);

    return ipr_certainty_word(sure) == NULL
               ? ipr_arena_printf(
                     mem, "%s The furthest of %zu player-years is often as far above by chance.",
                     gap, n)
               : ipr_arena_printf(
                     mem,
                     "%s By chance one of %zu player-years is as far above in at most %.0f%% of "
                     "cases.",
                     gap, n, ceil(100 * (1 - sure)));
}

/* The differences from the Elo by their errors; NAN: there is none. Returns how many there are. */
static size_t gap_deviations(const struct ipr_best_years *b, double *z)
{
    size_t n = 0;

    for (size_t i = 0; i < b->n; i++) {
        z[i] = ipr_best_year_difference(b, i) / gap_error(b, i);
        n += isfinite(z[i]);
    }
    return n;
}

/* The largest deviation above 0; b->n: there is none. */
static size_t gap_largest(const struct ipr_best_years *b, const double *z)
{
    size_t at = b->n;

    for (size_t i = 0; i < b->n; i++)
        if (z[i] > (at < b->n ? z[at] : 0))
            at = i;
    return at;
}

/* The year that is furthest above its Elo, by the error. */
static void add_question_gap(const struct ipr_best_years *b, json_t *out)
{
    double *const z = ipr_arena_alloc(b->context->v->mem, b->n + 1, sizeof *z);
    const size_t n = gap_deviations(b, z), at = gap_largest(b, z);

    json_object_set_new(out, "gap",
                        at < b->n
                            ? json_pack("{s:o, s:i, s:I, s:s}", "player",
                                        ipr_json_player(b->row[at].player_id, b->row[at].name),
                                        "year", b->row[at].year, "compared", (json_int_t)n, "text",
                                        gap_text(b, at, n))
                            : json_null());
}

/* ---- how far to trust them ---- */

/* The median width of the intervals that have both ends; null: none has. */
static json_t *typical_width(const struct ipr_best_years *b)
{
    double *const width = ipr_arena_alloc(b->context->v->mem, b->n + 1, sizeof *width);
    size_t n = 0;

    for (size_t i = 0; i < b->n; i++) {
        const struct ipr_interval interval = ipr_best_year_rating(b, i).interval;

        if (isfinite(interval.hi - interval.lo))
            width[n++] = interval.hi - interval.lo;
    }
    qsort(width, n, sizeof *width, ipr_compare_double);
    return n > 0 ? ipr_json_num((width[(n - 1) / 2] + width[n / 2]) / 2) : json_null();
}

static const json_t *chosen_of(const json_t *list, const char *of, int games)
{
    const json_t *one;
    size_t i;

    json_array_foreach(list, i, one) {
        if (ipr_json_true_at(one, "chosen") &&
            (of == NULL || (strcmp(ipr_json_text_at(one, "of"), of) == 0 &&
                            (int)ipr_json_at(one, "games", 0.0) == games)))
            return one;
    }
    return NULL;
}

static enum ipr_code add_trust(const struct ipr_view *v, json_t *out, struct ipr_err *err)
{
    json_t *validation = NULL, *predictors = NULL;

    json_object_set_new(out, "trust", json_null());
    enum ipr_code rc = ipr_view_document(v, "validation.json", &validation, err);
    if (rc == IPR_OK)
        rc = ipr_view_document(v, "predictors.json", &predictors, err);
    const json_t *part = json_array_get(json_object_get(validation, "parts"), 0);
    const json_t *set = chosen_of(json_object_get(part, "sets"), "band", TRUST_GAMES);
    const json_t *estimator = chosen_of(json_object_get(part, "estimators"), NULL, 0);

    if (rc == IPR_OK && set != NULL && estimator != NULL)
        json_object_set_new(
            out, "trust",
            json_pack("{s:O, s:O, s:O, s:b, s:O?}", "coverage", json_object_get(set, "coverage"),
                      "sets", json_object_get(set, "sets"), "sd", json_object_get(estimator, "sd"),
                      "better_than_elo",
                      ipr_json_true_at(predictors, "recommended.with_elo.better_than_base"),
                      "predicted", ipr_json_find(predictors, "recommended.with_elo.games")));
    json_decref(predictors);
    json_decref(validation);
    return rc;
}

/* ---- all of it ---- */

/* Only where nothing has a rating by the moves: the player-years with most analysed moves, with
 * their IPRs. */
static enum ipr_code add_unrated(const struct ipr_view_context *c, bool any_rated, json_t *out,
                                 struct ipr_err *err)
{
    struct ipr_db_player_year *rows = NULL;
    unsigned budget = IPR_VIEW_BUDGET;
    json_t *list = json_array();
    enum ipr_code rc = IPR_OK;
    size_t n = 0;

    json_object_set_new(out, "player_years", list);
    if (c->judge_id != 0 && !any_rated)
        rc = ipr_db_player_years_top(c->v->db, c->judge_id, c->times, IPR_VIEW_MIN_TURNS,
                                     YEARS_SHOWN, c->v->mem, &rows, &n, err);
    return rc == IPR_OK ? ipr_view_add_year_rows(c, NULL, rows, n, 0, true, &budget, list, err)
                        : rc;
}

static enum ipr_code add_ranking(const struct ipr_view_context *c,
                                 const struct ipr_dashboard_request *p, json_t *out,
                                 struct ipr_err *err)
{
    struct ipr_best_years b;
    const size_t first = 0;
    enum ipr_code rc = ipr_best_years(c, &b, err);

    if (rc != IPR_OK)
        return rc;
    const size_t limit = (size_t)p->limit < b.n ? (size_t)p->limit : b.n;
    json_t *best = ipr_best_years_json(&b, &first, b.n > 0 ? 1 : 0);

    json_object_set_new(out, "rated", json_integer((json_int_t)b.n));
    json_object_set_new(out, "complete", json_boolean(b.complete));
    json_object_set_new(out, "typical_width", typical_width(&b));
    json_object_set_new(out, "ranking",
                        ipr_best_years_json(&b, ipr_best_years_sorted(&b, p->sort), limit));
    json_object_set_new(out, "best", b.n > 0 ? json_incref(json_array_get(best, 0)) : json_null());
    json_decref(best);
    add_question_gap(&b, out);
    rc = question_pair(&b, out, err);
    return rc == IPR_OK ? add_unrated(c, b.n > 0, out, err) : rc;
}

enum ipr_code ipr_fill_dashboard(const struct ipr_view_context *c,
                                 const struct ipr_dashboard_request *p, json_t *out,
                                 struct ipr_err *err)
{
    const struct ipr_judges_request all_judges = IPR_JUDGES_REQUEST_INIT;
    json_t *judges = NULL;

    ipr_view_context_add_basis(c, out);
    enum ipr_code rc = ipr_view_add_queue(c->v, out, err);
    if (rc == IPR_OK)
        rc = ipr_view_add_running(c->v, out, err);
    if (rc == IPR_OK)
        rc = add_latest_uploads(c->v, out, err);
    if (rc == IPR_OK)
        rc = add_ranking(c, p, out, err);
    if (rc == IPR_OK)
        rc = add_trust(c->v, out, err);
    if (rc == IPR_OK)
        rc = ipr_view_judges(c->v, &all_judges, &judges, err);
    if (rc == IPR_OK)
        json_object_update_new(out, judges);
    return rc;
}
