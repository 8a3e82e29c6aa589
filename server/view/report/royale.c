/*
 * Every active player-year against every other (analysis/model/royale.h), by the same transitions
 * as the predictor of single matches: the two give the same scores.
 *
 * The field has at most ENTRANTS player-years, those with most turns. Order of the work: n^2/2
 * chains, and as many for each replicate of the error bars, of which there are fewer the larger the
 * field is; 25 s of one core at most. Then a bootstrap of 3 ms a pair of best years. Memory: 16
 * bytes a turn of the players who take part, about 45 in the bootstrap, and 8 n^2.
 */
#include "view/report/report.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "db/reports.h"
#include "db/turns.h"
#include "model/royale.h"
#include "view/figure/figure.h"
#include "view/json.h"
#include "view/prediction/predict.h"

#define ENTRANTS    1000
#define CHAINS_MAX  40e6 /* of the error bars: royales times field squared; 15 s or so */
#define ROYALES     2000 /* with resampled games; 1000 in a field of 200, 250 in one of 400 */
#define ROYALES_MIN 60
#define BEST        40 /* best years in the table against each other */
#define CELLS       361
#define YEARS_MAX   200 /* of one career */
#define SEED        1

struct career {
    const struct ipr_db_royale_player *who;
    struct ipr_markov_turn *turns;
    size_t n;
};

struct royale {
    const struct ipr_view_context *context;
    struct ipr_royale_params params;
    struct ipr_db_royale_field field;
    struct career *careers;
    size_t n;
    double pool_counts[CELLS];
    const double *pool; /* NULL: the calibration has none */
    struct ipr_window window;
    struct ipr_window_counts counts; /* of all careers */
    size_t games;
    struct ipr_royale result;
    struct ipr_royale_spread *spreads;
    unsigned royales; /* with games resampled */
};

/* ---- reading ---- */

static void royale_keep_turns(struct royale *r, struct career *to, const struct ipr_turn *turns,
                              size_t n)
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
static enum ipr_code royale_load_career(struct royale *r, const struct ipr_db_royale_player *who,
                                        struct ipr_err *err)
{
    const struct ipr_view_context *c = r->context;
    struct ipr_arena mem = IPR_ARENA_INIT;
    struct career *to = &r->careers[r->n++];
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

static enum ipr_code royale_load(struct royale *r, struct ipr_err *err)
{
    const struct ipr_view_context *c = r->context;
    const struct ipr_view *v = c->v;
    struct ipr_db_royale_player *players = NULL;
    size_t n = 0;
    enum ipr_code rc = ipr_db_royale_field(v->db, c->judge_id, c->times,
                                           (int)r->params.active_turns, ENTRANTS, &r->field, err);

    if (rc == IPR_OK)
        rc = ipr_db_royale_players(v->db, c->judge_id, c->times, r->field.least, v->mem, &players,
                                   &n, err);
    r->pool = ipr_predict_pool(c, &r->params.classes, r->pool_counts);
    r->careers = ipr_xcalloc(n + 1, sizeof *r->careers);
    for (size_t i = 0; rc == IPR_OK && i < n; i++) {
        rc = ipr_report_check_stop(v, err);
        if (rc == IPR_OK)
            rc = royale_load_career(r, &players[i], err);
    }
    return rc;
}

/* ---- playing ---- */

/* Counts of each year of a career, appended to years[*n] and counts[*n * CELLS]. */
static void royale_add_years(const struct royale *r, const struct career *a,
                             struct ipr_royale_year *years, double *counts, size_t *n)
{
    const size_t first = *n;

    for (size_t i = 0; i < a->n; i++) {
        const int32_t year = a->turns[i].year;
        size_t k = first;

        while (k < *n && years[k].year != year)
            k++;
        if (k == first + YEARS_MAX)
            continue;
        if (k == *n)
            years[(*n)++] = (struct ipr_royale_year){ a->who->id, year, &counts[k * CELLS] };
        ipr_markov_count(&r->params.classes, &a->turns[i], 1, 0, &counts[k * CELLS]);
    }
}

static size_t royale_years_of(const struct career *a)
{
    int32_t seen[YEARS_MAX];
    size_t n = 0;

    for (size_t i = 0; i < a->n; i++) {
        size_t k = 0;

        while (k < n && seen[k] != a->turns[i].year)
            k++;
        if (k == n && n < YEARS_MAX)
            seen[n++] = a->turns[i].year;
    }
    return n;
}

static enum ipr_code royale_play(struct royale *r, struct ipr_err *err)
{
    size_t most = 1, n = 0;

    for (size_t i = 0; i < r->n; i++)
        most += royale_years_of(&r->careers[i]);
    struct ipr_royale_year *years = ipr_xcalloc(most, sizeof *years);
    double *counts = ipr_xcalloc(most, CELLS * sizeof *counts);
    for (size_t i = 0; i < r->n; i++)
        royale_add_years(r, &r->careers[i], years, counts, &n);
    r->params.active_turns = r->field.least;
    const enum ipr_code rc = ipr_royale(years, n, r->pool, &r->params, &r->result, err);
    free(counts);
    free(years);
    return rc;
}

static bool royale_go_on(void *v)
{
    return ipr_view_go_on(v);
}

static enum ipr_code royale_spread(struct royale *r, struct ipr_err *err)
{
    const double n = (double)r->result.n;
    struct ipr_view view = *r->context->v;
    struct ipr_royale_player *players = ipr_xcalloc(r->n + 1, sizeof *players);

    r->royales = (unsigned)fmax(ROYALES_MIN, fmin(ROYALES, floor(CHAINS_MAX / (n * n))));
    r->spreads = ipr_xcalloc(r->result.n, sizeof *r->spreads);
    for (size_t i = 0; i < r->n; i++)
        players[i] = (struct ipr_royale_player){ r->careers[i].who->id, r->careers[i].turns,
                                                 r->careers[i].n };
    const struct ipr_royale_bootstrap how = { r->royales, SEED, royale_go_on, &view };
    const enum ipr_code rc =
        ipr_royale_bootstrap(&r->result, players, r->n, r->pool, &r->params, &how, r->spreads, err);
    free(players);
    return rc;
}

/* ---- the answer ---- */

static const struct career *royale_career_of(const struct royale *r,
                                             const struct ipr_royale_row *row)
{
    size_t i = 0;

    while (r->careers[i].who->id != row->player)
        i++;
    return &r->careers[i];
}

static struct ipr_figure_named royale_named(const struct royale *r,
                                            const struct ipr_royale_row *row)
{
    return (struct ipr_figure_named){ (size_t)row->player, royale_career_of(r, row)->who->name };
}

static json_t *royale_row_json(const struct royale *r, size_t i)
{
    const struct ipr_royale_row *row = &r->result.rows[i];
    const struct ipr_figure_royale_row out = {
        .rank = row->rank,
        .player = royale_named(r, row),
        .year = (size_t)row->year,
        .turns = (size_t)row->turns,
        .expected = row->expected,
        .standard_error = r->spreads[i].sd,
        .interval = r->spreads[i].interval,
        .favoured = row->favoured,
        .even = row->even,
        .unfavoured = row->unfavoured,
        .best = row->best,
        .weight = row->weight,
        .exits_from_top = row->exits_top,
        .empty_rows = row->empty_rows,
    };

    return ipr_shape_json(IPR_SHAPE_ROYALE_ROW, &out);
}

static json_t *royale_ranking_json(const struct royale *r)
{
    json_t *out = json_array();

    for (size_t i = 0; i < r->result.n; i++)
        json_array_append_new(out, royale_row_json(r, r->result.ranking[i]));
    return out;
}

/* A pair of best years as in /predictions; NaN if no interval is known. */
static enum ipr_code royale_predict(const struct royale *r, const struct ipr_royale_row *a,
                                    const struct ipr_royale_row *b, struct ipr_interval *out,
                                    struct ipr_err *err)
{
    const struct ipr_markov_params params = ipr_markov_default();
    const struct career *first = royale_career_of(r, a), *second = royale_career_of(r, b);
    const struct ipr_markov_player p1 = { first->turns, first->n, a->year };
    const struct ipr_markov_player p2 = { second->turns, second->n, b->year };
    struct ipr_markov_prediction m;
    struct ipr_err why = IPR_ERR_INIT;
    const enum ipr_code rc = ipr_markov_predict(&p1, &p2, r->pool, &params, &m, &why);

    *out = rc == IPR_OK && m.interval_known ? m.expected : (struct ipr_interval){ NAN, NAN };
    return rc == IPR_OK || rc == IPR_EDATA ? IPR_OK : ipr_err_set(err, rc, "%s", why.msg);
}

/* expected, low, high: [n][n] each, one after the other; NaN on the diagonal. */
static enum ipr_code royale_fill_best(const struct royale *r, size_t n, double *x,
                                      struct ipr_err *err)
{
    const size_t cells = n * n;
    enum ipr_code rc = IPR_OK;

    for (size_t i = 0; i < n; i++) {
        x[i * n + i] = x[cells + i * n + i] = x[2 * cells + i * n + i] = NAN;
        for (size_t j = i + 1; j < n && rc == IPR_OK; j++) {
            const size_t a = r->result.best[i], b = r->result.best[j];
            const double e = ipr_royale_expected(&r->result, a, b);
            struct ipr_interval interval = { NAN, NAN };

            rc = ipr_report_check_stop(r->context->v, err);
            if (rc == IPR_OK)
                rc = royale_predict(r, &r->result.rows[a], &r->result.rows[b], &interval, err);
            x[i * n + j] = e;
            x[j * n + i] = 1.0 - e;
            x[cells + i * n + j] = interval.lo;
            x[cells + j * n + i] = 1.0 - interval.hi;
            x[2 * cells + i * n + j] = interval.hi;
            x[2 * cells + j * n + i] = 1.0 - interval.lo;
        }
    }
    return rc;
}

static enum ipr_code royale_best_json(const struct royale *r, json_t **out, struct ipr_err *err)
{
    struct ipr_arena *mem = r->context->v->mem;
    const size_t n = r->result.players < BEST ? r->result.players : BEST;
    double *x = ipr_arena_alloc(mem, 3 * n * n + 1, sizeof *x);
    struct ipr_figure_royale_best_year *years = ipr_arena_alloc(mem, n + 1, sizeof *years);
    const enum ipr_code rc = royale_fill_best(r, n, x, err);

    if (rc != IPR_OK)
        return rc;
    for (size_t i = 0; i < n; i++) {
        const struct ipr_royale_row *row = &r->result.rows[r->result.best[i]];

        years[i] =
            (struct ipr_figure_royale_best_year){ { royale_named(r, row), (size_t)row->year },
                                                  row->rank };
    }
    const struct ipr_figure_royale_best best = {
        .player_years = { years, n },
        .players = r->result.players,
        .expected = { x, n },
        .low = { x + n * n, n },
        .high = { x + 2 * n * n, n },
        .level = 0.95,
        .replicates_per_pair = ipr_markov_default().replicates,
    };
    *out = ipr_shape_json(IPR_SHAPE_ROYALE_BEST, &best);
    return IPR_OK;
}

static json_t *royale_provenance_json(const struct royale *r)
{
    const struct ipr_provenance from = {
        .context = r->context,
        .method = IPR_METHOD_MARKOV,
        .window = &r->window,
        .counts = &r->counts,
        .turns = r->counts.used,
        .games = r->games,
        .converged = true,
    };
    const struct ipr_figure_group group = ipr_figure_group(&from, NULL);
    json_t *out = ipr_shape_json(IPR_SHAPE_GROUP, &group);

    json_object_set_new(out, "replicated_royales", json_integer(r->royales));
    json_object_set_new(out, "seed", json_integer(SEED));
    ipr_predict_pool_json(r->context, out);
    return out;
}

static enum ipr_code royale_answer(const struct royale *r, json_t **out, struct ipr_err *err)
{
    json_t *best = NULL;
    const enum ipr_code rc = royale_best_json(r, &best, err);

    if (rc != IPR_OK)
        return rc;
    *out = json_pack("{s:o, s:o, s:i, s:i, s:i, s:i, s:o}", "ranking", royale_ranking_json(r),
                     "best", best, "active", (int)r->result.n, "active_turns", (int)r->field.least,
                     "left_out", r->field.active - (int)r->result.n, "inactive",
                     r->field.years - r->field.active, "provenance", royale_provenance_json(r));
    return IPR_OK;
}

static void royale_release(struct royale *r)
{
    for (size_t i = 0; i < r->n; i++)
        free(r->careers[i].turns);
    free(r->careers);
    free(r->spreads);
    ipr_royale_release(&r->result);
}

/* One of the list below. */
static double royale_active_of(const json_t *params)
{
    int64_t turns = IPR_VIEW_ACTIVE_TURNS;

    (void)!ipr_str_int(ipr_str_c(ipr_json_text_at(params, "active")), IPR_VIEW_MIN_TURNS, INT32_MAX,
                       &turns);
    return (double)turns;
}

/* Among the games of its provenance one between two of the players counts twice. */
static enum ipr_code royale_compute(const struct ipr_view_context *c, const json_t *params,
                                    json_t **out, struct ipr_err *err)
{
    struct royale r = { .context = c,
                        .params = ipr_royale_default(),
                        .window = ipr_window_default(IPR_WINDOW_CONFORMANCE) };

    r.params.active_turns = royale_active_of(params);
    enum ipr_code rc = royale_load(&r, err);
    ipr_db_snapshot_end(c->v->db);
    if (rc == IPR_OK)
        rc = royale_play(&r, err);
    if (rc == IPR_OK)
        rc = royale_spread(&r, err);
    if (rc == IPR_OK)
        rc = royale_answer(&r, out, err);
    royale_release(&r);
    return rc;
}

/* In steps, so that there are few royales to compute: IPR_VIEW_ACTIVE_TURNS; the minimum is
 * IPR_VIEW_MIN_TURNS. */
const struct ipr_report_kind ipr_report_royale = {
    .name = "royale",
    .compute = royale_compute,
    .version = 2,
};
