/*
 * Every active player-year against every other by one predictor (analysis/model/royale.h): the
 * pairs' scores are those of /predictions.
 *
 * The field has at most ENTRANTS player-years, those with most turns. Order of the work: n^2/2
 * scores and n times 200 replicates, 3 s of one core at most; ratings that are not stored are
 * computed, some 10 ms each; then a prediction, 10 ms at most, for each pair of BEST. Memory: 16
 * bytes a turn of the players who take part, twice, 8 n^2 and 12 kB a player-year.
 */
#include "view/report/royale.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "db/evidence.h"
#include "db/turns.h"
#include "model/results_shipped.h"
#include "model/years.h"
#include "sentence/sentence.h"
#include "view/document.h"
#include "view/json.h"
#include "view/rating/rate.h"
#include "view/report/report.h"

#define ENTRANTS  1000
#define BEST      20  /* best years in the table against each other */
#define YEARS_MAX 200 /* of one career */

/* By the words of the parameter `method`; `tested` is the name in static/predictors.json. */
static const struct predictor {
    const char *name, *tested;
    enum ipr_royale_method plays;
    enum ipr_method figure;
} predictors[] = {
    IPR_PREDICTOR_ROYALE,
};

#define PREDICTORS (sizeof predictors / sizeof *predictors)

static const struct predictor *royale_predictor_named(const char *name)
{
    size_t k = PREDICTORS - 1;

    while (k > 0 && strcmp(predictors[k].name, name) != 0)
        k--;
    return &predictors[k]; /* one queued by an earlier version has none: Markov */
}

static void royale_play(struct ipr_royale_work *r, const struct predictor *by)
{
    r->method = by->name;
    r->figure = by->figure;
    r->params = ipr_royale_default(by->plays);
    r->params.losses.forgetting = r->forgetting;
}

/* ---- reading ---- */

static void royale_keep_turns(struct ipr_royale_work *r, struct ipr_royale_career *to,
                              const struct ipr_turn *turns, size_t n)
{
    struct ipr_window_counts counts;
    size_t *keep = ipr_xcalloc(n + 1, sizeof *keep);

    to->n = ipr_window_select(&r->window, turns, n, keep, &counts);
    to->turns = ipr_xcalloc(to->n + 1, sizeof *to->turns);
    for (size_t i = 0; i < to->n; i++) {
        const struct ipr_turn *t = &turns[keep[i]];

        to->turns[i] = (struct ipr_markov_turn){ .game = t->game,
                                                 .year = t->year,
                                                 .best_cp = t->cp[0],
                                                 .played_cp = t->cp[1],
                                                 .mover = t->mover };
        r->games += i == 0 || t->game != turns[keep[i - 1]].game; /* they are ordered by game */
    }
    ipr_window_counts_add(&r->counts, &counts);
    free(keep);
}

/* Turns of dated games; others belong to no year. */
static enum ipr_code royale_load_career(struct ipr_royale_work *r,
                                        const struct ipr_db_royale_player *who, struct ipr_err *err)
{
    const struct ipr_view_context *c = r->context;
    struct ipr_arena mem = IPR_ARENA_INIT;
    struct ipr_royale_career *to = &r->careers[r->n++];
    struct ipr_turn *turns = NULL;
    size_t n = 0;

    to->who = who;
    const enum ipr_code rc = ipr_db_player_transitions(c->v->db, who->id, INT16_MAX, c->judge_id,
                                                       c->times, &mem, &turns, &n, err);
    if (rc == IPR_OK)
        royale_keep_turns(r, to, turns, n);
    ipr_arena_release(&mem);
    return rc;
}

static enum ipr_code royale_load(struct ipr_royale_work *r, struct ipr_err *err)
{
    const struct ipr_view_context *c = r->context;
    const struct ipr_view *v = c->v;
    struct ipr_db_royale_player *players = NULL;
    size_t n = 0;
    enum ipr_code rc = ipr_db_royale_field(v->db, c->judge_id, c->times, r->active_turns, ENTRANTS,
                                           &r->field, err);

    if (rc == IPR_OK)
        rc = ipr_db_royale_players(v->db, c->judge_id, c->times, r->field.least, v->mem, &players,
                                   &n, err);
    r->params.pool = ipr_predict_pool(c, &r->params.classes, r->pool_counts);
    r->careers = ipr_xcalloc(n + 1, sizeof *r->careers);
    for (size_t i = 0; rc == IPR_OK && i < n; i++) {
        rc = ipr_report_check_stop(v, err);
        if (rc == IPR_OK)
            rc = royale_load_career(r, &players[i], err);
    }
    return rc;
}

/* ---- entering ---- */

/* The interval's half width is of the sampling of the moves: the line's error is common to all. */
static void entry_set_rating(const struct ipr_royale_work *r,
                             const struct ipr_figure_ratings *rating, struct ipr_royale_entry *e)
{
    const struct ipr_interval *i = &rating->ipr->interval_clustered;

    if (r->figure == IPR_METHOD_ELO) { /* without an error of its own: that in matches */
        e->rating = rating->elo->elo_mean.figure.estimate;
        e->rating_se = ipr_results_shipped.elo_se;
    } else {
        e->rating = rating->ipr->figure.estimate;
        e->rating_se = (i->hi - i->lo) / (2.0 * IPR_Z95);
    }
}

static enum ipr_code entry_rate_moves(const struct ipr_view_context *c, struct ipr_royale_entry *e,
                                      struct ipr_err *err)
{
    const struct ipr_view_side who = { (int32_t)e->player, e->year };
    struct ipr_figure figure;
    const enum ipr_code rc = ipr_strength_up_to(c, who, IPR_FORGETTING, NULL, 0, &figure, err);

    if (rc == IPR_OK) {
        e->rating = figure.estimate;
        e->rating_se = figure.standard_error;
    }
    return rc;
}

static enum ipr_code entry_rate(const struct ipr_royale_work *r, const struct ipr_view_context *c,
                                struct ipr_royale_entry *e, struct ipr_err *err)
{
    struct ipr_figure_ratings *rating = NULL;
    struct ipr_db_player_year row;

    if (r->figure == IPR_METHOD_STRENGTH)
        return entry_rate_moves(c, e, err);
    enum ipr_code rc = ipr_view_find_year(c, (int32_t)e->player, e->year, &row, err);
    if (rc == IPR_OK)
        rc = ipr_rate_cached(c, (int32_t)e->player, e->year, row.version,
                             IPR_RATE_IPR | IPR_RATE_ELO, false, &rating, err);
    if (rc == IPR_OK)
        entry_set_rating(r, rating, e);
    return rc;
}

/* In memory of its own. */
static enum ipr_code royale_rate_entry(const struct ipr_royale_work *r, struct ipr_royale_entry *e,
                                       struct ipr_err *err)
{
    struct ipr_arena mem = IPR_ARENA_INIT;
    struct ipr_view view = *r->context->v;
    struct ipr_view_context c = *r->context;

    view.mem = &mem;
    c.v = &view;
    const enum ipr_code rc = entry_rate(r, &c, e, err);
    ipr_arena_release(&mem);
    return rc;
}

/* A year with enough turns takes part, where it has the rating that is compared. */
static enum ipr_code royale_enter_year(struct ipr_royale_work *r, const struct ipr_royale_career *a,
                                       int32_t year, struct ipr_err *err)
{
    struct ipr_royale_entry *e = &r->entries[r->n_entries];
    enum ipr_code rc = IPR_OK;

    *e = (struct ipr_royale_entry){
        .player = a->who->id, .year = year, .turns = a->turns, .n = a->n
    };
    if (r->params.method == IPR_ROYALE_RATING) {
        rc = royale_rate_entry(r, e, err);
        r->unrated += rc == IPR_OK && !isfinite(e->rating);
    }
    r->n_entries += rc == IPR_OK && isfinite(e->rating);
    return rc;
}

/* Turns of a career come in the order of its games; their years are few. */
static enum ipr_code royale_enter_career(struct ipr_royale_work *r,
                                         const struct ipr_royale_career *a, struct ipr_err *err)
{
    int32_t year[YEARS_MAX];
    int turns[YEARS_MAX];
    enum ipr_code rc = IPR_OK;
    size_t n = 0;

    for (size_t i = 0; i < a->n; i++) {
        size_t k = 0;

        while (k < n && year[k] != a->turns[i].year)
            k++;
        if (k == YEARS_MAX)
            continue;
        turns[k] = k == n ? 1 : turns[k] + 1;
        year[k] = a->turns[i].year;
        n += k == n;
    }
    for (size_t k = 0; k < n && rc == IPR_OK; k++)
        if (turns[k] >= r->field.least && r->n_entries < ENTRANTS)
            rc = royale_enter_year(r, a, year[k], err);
    return rc;
}

/* `rated`: no further than the first year without the rating. */
static enum ipr_code royale_enter_all(struct ipr_royale_work *r, bool rated, struct ipr_err *err)
{
    enum ipr_code rc = IPR_OK;

    r->n_entries = r->unrated = 0;
    for (size_t i = 0; i < r->n && rc == IPR_OK && !(rated && r->unrated > 0); i++) {
        rc = ipr_report_check_stop(r->context->v, err);
        if (rc == IPR_OK)
            rc = royale_enter_career(r, &r->careers[i], err);
    }
    return rc;
}

/* Returns the predictor from moves with the lowest log loss above `*loss` in the games of the
 * document; NULL: there is no further one. */
static const struct predictor *royale_next_of_moves(const json_t *table, double *loss)
{
    const double above = *loss;
    const struct predictor *best = NULL;
    const json_t *row;
    size_t i;

    json_array_foreach(json_object_get(table, "predictors"), i, row) {
        const double of_row = ipr_json_at(row, "corrected_log_loss", INFINITY);

        for (size_t k = 0; k < PREDICTORS; k++)
            if (predictors[k].figure != IPR_METHOD_ELO && of_row > above &&
                (best == NULL || of_row < *loss) &&
                strcmp(predictors[k].tested, ipr_json_text_at(row, "predictor")) == 0) {
                best = &predictors[k];
                *loss = of_row;
            }
    }
    return best;
}

/* Enters everybody by a predictor; *all: none lacks what it needs. */
static enum ipr_code royale_try(struct ipr_royale_work *r, const struct predictor *with, bool *all,
                                struct ipr_err *err)
{
    royale_play(r, with);
    const enum ipr_code rc = royale_enter_all(r, true, err);
    *all = r->n_entries > 0 && r->unrated == 0;
    return rc;
}

/* The rule for royales of docs/predictors.md. */
static enum ipr_code royale_enter_by_rule(struct ipr_royale_work *r, struct ipr_err *err)
{
    const double *const pool = r->params.pool;
    const struct predictor *next;
    double loss = -INFINITY;
    bool all = false;
    json_t *document = NULL;
    enum ipr_code rc = ipr_view_document(r->context->v, "predictors.json", &document, err);

    if (rc != IPR_OK)
        return rc;
    const json_t *table = json_array_get(json_object_get(document, "tables"), 0);
    r->tested_games = (size_t)ipr_json_at(table, "scored", 0.0);
    if (strcmp(ipr_json_text_at(document, "recommended.with_elo.predictor"), "elo") == 0)
        rc = royale_try(r, royale_predictor_named("elo"), &all, err);
    while (rc == IPR_OK && !all && (next = royale_next_of_moves(table, &loss)) != NULL) {
        r->params.pool = pool;
        rc = royale_try(r, next, &all, err);
    }
    json_decref(document);
    return rc;
}

static enum ipr_code royale_enter(struct ipr_royale_work *r, struct ipr_err *err)
{
    r->entries = ipr_xcalloc(ENTRANTS + 1, sizeof *r->entries);
    enum ipr_code rc = r->by_rule ? royale_enter_by_rule(r, err) : royale_enter_all(r, false, err);
    const struct ipr_reason_royale_slots slots = { r->active_turns,
                                                   r->params.method == IPR_ROYALE_RATING,
                                                   (double)r->n_entries };
    if (rc == IPR_OK && r->n_entries < 2)
        rc = ipr_err_set(err, IPR_EDATA, "%s",
                         ipr_say_reason_royale(IPR_REASON_ROYALE_FEW, &slots, r->context->v->mem));
    return rc;
}

/* Opens the sides for predictions of the best years, while the data can be read. */
static enum ipr_code royale_open_best(struct ipr_royale_work *r, struct ipr_err *err)
{
    const size_t n = r->result.players < BEST ? r->result.players : BEST;
    enum ipr_code rc = IPR_OK;

    r->sides = ipr_arena_alloc(r->context->v->mem, n, sizeof *r->sides);
    for (size_t i = 0; i < n && rc == IPR_OK; i++) {
        const struct ipr_royale_row *row = &r->result.rows[r->result.best[i]];
        const struct ipr_view_side who = { .player = (int32_t)row->player, .year = row->year };

        rc = ipr_predict_side_open(r->context, who, r->method, &r->sides[r->n_sides++], err);
    }
    return rc;
}

static enum ipr_code royale_find_moves(struct ipr_royale_work *r, struct ipr_err *err)
{
    struct ipr_arena *const mem = r->context->v->mem;
    struct ipr_db_year_of *const years = ipr_arena_alloc(mem, r->result.n + 1, sizeof *years);
    size_t n = 0;

    for (size_t i = 0; i < r->result.n; i++)
        years[i] =
            (struct ipr_db_year_of){ (int32_t)r->result.rows[i].player, r->result.rows[i].year };
    return ipr_db_games_with_moves(r->context->v->db, years, r->result.n, mem, &r->with_moves, &n,
                                   err);
}

static void royale_release(struct ipr_royale_work *r)
{
    for (size_t i = 0; i < r->n; i++)
        free(r->careers[i].turns);
    free(r->careers);
    free(r->entries);
    ipr_royale_release(&r->result);
}

/* All are checked choices. */
static void royale_read_params(const json_t *params, struct ipr_royale_work *r)
{
    const char *method = ipr_json_text_at(params, "method");
    const char *forgetting = ipr_json_text_at(params, "forgetting");
    int64_t turns = IPR_VIEW_ACTIVE_TURNS;

    (void)!ipr_str_int(ipr_str_c(ipr_json_text_at(params, "active")), IPR_VIEW_MIN_TURNS, INT32_MAX,
                       &turns);
    r->active_turns = (int)turns;
    r->by_rule = strcmp(method, "recommended") == 0;
    r->forgetting = strtod(forgetting, NULL); /* "": 0 */
    royale_play(r, royale_predictor_named(method));
}

/* Among the games of its provenance one between two of the players counts twice. */
static enum ipr_code royale_compute(const struct ipr_view_context *c, const json_t *params,
                                    json_t **out, struct ipr_err *err)
{
    struct ipr_royale_work r = { .context = c,
                                 .window = ipr_window_default(IPR_WINDOW_CONFORMANCE) };

    royale_read_params(params, &r);
    enum ipr_code rc = royale_load(&r, err);
    if (rc == IPR_OK)
        rc = royale_enter(&r, err);
    if (rc == IPR_OK)
        rc = ipr_royale(r.entries, r.n_entries, &r.params, &r.result, err);
    if (rc == IPR_OK)
        rc = royale_open_best(&r, err);
    if (rc == IPR_OK)
        rc = royale_find_moves(&r, err);
    ipr_db_snapshot_end(c->v->db);
    if (rc == IPR_OK)
        rc = ipr_royale_answer(&r, out, err);
    royale_release(&r);
    return rc;
}

/* In steps, so that there are few royales to compute: IPR_VIEW_ACTIVE_TURNS; the minimum is
 * IPR_VIEW_MIN_TURNS. */
const struct ipr_report_kind ipr_report_royale = {
    .name = "royale",
    .answer = IPR_SHAPE_ROYALE,
    .compute = royale_compute,
    .version = 6,
    .narrow = true,
};
