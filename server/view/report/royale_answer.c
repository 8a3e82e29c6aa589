/* Makes the answer of a royale: the order, the ranking, and the best years against each other. */
#include "view/report/royale.h"

#include <math.h>

#include "view/json.h"
#include "view/report/report.h"

/* ---- ranking and best years ---- */

static const struct ipr_royale_career *royale_career_of(const struct ipr_royale_work *r,
                                                        const struct ipr_royale_row *row)
{
    size_t i = 0;

    while (r->careers[i].who->id != row->player)
        i++;
    return &r->careers[i];
}

static struct ipr_figure_named royale_named(const struct ipr_royale_work *r,
                                            const struct ipr_royale_row *row)
{
    return (struct ipr_figure_named){ (size_t)row->player, royale_career_of(r, row)->who->name };
}

static struct ipr_figure_royale_row royale_row(const struct ipr_royale_work *r, size_t i)
{
    const struct ipr_royale_row *row = &r->result.rows[i];
    const bool ranked = isfinite(row->posterior.mean), known = isfinite(row->own_se);
    const bool markov = r->params.method == IPR_ROYALE_MARKOV;

    return (struct ipr_figure_royale_row){
        .rank = row->rank,
        .player = royale_named(r, row),
        .year = (size_t)row->year,
        .turns = row->turns,
        .games = row->games,
        .games_with_moves = (size_t)r->with_moves[i],
        .strength = row->posterior.mean,
        .interval = row->posterior.interval,
        .rank_low = ipr_count_if(ranked, row->posterior.rank_low),
        .rank_high = ipr_count_if(ranked, row->posterior.rank_high),
        .best_probability = ipr_number_if(ranked, row->posterior.best),
        .best_year_probability = ipr_number_if(ranked, row->posterior.best_year),
        .own = row->own,
        .standard_error = ipr_number_if(known, row->own_se * row->own * (1.0 - row->own)),
        .expected = row->expected,
        .favoured = row->favoured,
        .even = row->even,
        .unfavoured = row->unfavoured,
        .best = row->best,
        .weight = ipr_number_if(markov, row->weight),
        .exits_from_top = ipr_number_if(markov, row->exits_top),
        .empty_rows = ipr_count_if(markov, row->empty_rows),
    };
}

/* A pair of best years as in /predictions, in memory of its own. */
static enum ipr_code royale_predict(const struct ipr_royale_work *r, size_t i, size_t j,
                                    const struct ipr_predict_params *params, double x[3],
                                    struct ipr_err *err)
{
    struct ipr_arena mem = IPR_ARENA_INIT;
    struct ipr_view view = *r->context->v;
    struct ipr_view_context c = *r->context;
    struct ipr_figure_predictions out = { NULL };
    const struct ipr_predict p = {
        .context = &c, .white = &r->sides[i], .black = &r->sides[j], .params = *params
    };

    view.mem = &mem;
    c.v = &view;
    const enum ipr_code rc = ipr_predict_by(&p, r->method, &out, err);
    if (rc == IPR_OK) {
        json_t *all = ipr_shape_json(IPR_SHAPE_PREDICTIONS, &out);
        const json_t *one = json_object_get(all, r->method);

        x[0] = ipr_json_at(one, "expected", NAN);
        x[1] = ipr_json_at(one, "interval.low", NAN);
        x[2] = ipr_json_at(one, "interval.high", NAN);
        json_decref(all);
    }
    ipr_arena_release(&mem);
    return rc;
}

/* expected, low, high: [n][n] each, one after the other; NaN on the diagonal. */
static enum ipr_code royale_fill_best(const struct ipr_royale_work *r, size_t n, double *x,
                                      struct ipr_err *err)
{
    const struct ipr_prediction_request defaults = IPR_PREDICTION_REQUEST_INIT;
    const size_t cells = n * n;
    struct ipr_predict_params params;
    enum ipr_code rc = ipr_predict_params_make(&defaults, &params, err);

    if (rc == IPR_OK)
        params.gains.forgetting = r->forgetting; /* of covariance */
    for (size_t i = 0; i < n; i++) {
        x[i * n + i] = x[cells + i * n + i] = x[2 * cells + i * n + i] = NAN;
        for (size_t j = i + 1; j < n && rc == IPR_OK; j++) {
            double pair[3] = { NAN, NAN, NAN };

            rc = ipr_report_check_stop(r->context->v, err);
            if (rc == IPR_OK)
                rc = royale_predict(r, i, j, &params, pair, err);
            x[i * n + j] = pair[0];
            x[j * n + i] = 1.0 - pair[0];
            x[cells + i * n + j] = pair[1];
            x[cells + j * n + i] = 1.0 - pair[2];
            x[2 * cells + i * n + j] = pair[2];
            x[2 * cells + j * n + i] = 1.0 - pair[1];
        }
    }
    return rc;
}

static enum ipr_code royale_best(const struct ipr_royale_work *r,
                                 struct ipr_figure_royale_best **out, struct ipr_err *err)
{
    struct ipr_arena *mem = r->context->v->mem;
    const size_t n = r->n_sides;
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
    };
    *out = ipr_shape_copy(IPR_SHAPE_ROYALE_BEST, &best, mem);
    return IPR_OK;
}

/* ---- what order there is ---- */

static const char *verdict_name(enum ipr_royale_verdict verdict)
{
    switch (verdict) {
    case IPR_ROYALE_NO_ERRORS:
        break;
    case IPR_ROYALE_SAME:
        return "same";
    case IPR_ROYALE_DISORDERED:
        return "disordered";
    case IPR_ROYALE_ORDERED:
        return "ordered";
    }
    return "no_errors";
}

static struct ipr_figure_royale_order *royale_order(const struct ipr_royale_work *r)
{
    const struct ipr_royale *from = &r->result;
    const bool known = from->verdict != IPR_ROYALE_NO_ERRORS;
    const struct ipr_figure_royale_order out = {
        .verdict = verdict_name(from->verdict),
        .compared = from->compared,
        .heterogeneity = ipr_number_if(known, from->posterior.q),
        .degrees_of_freedom = ipr_count_if(known, from->compared - 1),
        .p = ipr_number_if(known, from->posterior.p),
        .tau = from->tau,
        .tau_sd = from->tau_sd,
        .tau_least = IPR_ROYALE_TAU_LEAST,
        .splits = r->params.splits,
        .simulated = from->tau_simulated,
        .apart = ipr_number_if(known, from->posterior.apart),
        .between_players = ipr_number_if(known, from->posterior.tau),
        .drift = ipr_number_if(known, from->posterior.drift),
    };

    return ipr_shape_copy(IPR_SHAPE_ROYALE_ORDER, &out, r->context->v->mem);
}

static void royale_pool(const struct ipr_view_context *c, struct ipr_answer_royale_provenance *out)
{
    const struct ipr_predict_pool pool = ipr_predict_pool_used(c);

    out->pool = pool.calibration != NULL ? pool.calibration : "";
    out->pool_digest = pool.digest != NULL ? pool.digest : "";
    out->pool_reason = pool.reason;
}

static void royale_provenance(const struct ipr_royale_work *r,
                              struct ipr_answer_royale_provenance *out)
{
    const bool rating = r->params.method == IPR_ROYALE_RATING;
    struct ipr_provenance from = {
        .context = r->context,
        .method = r->figure,
        .calibrated = r->figure == IPR_METHOD_MOMENTS && r->context->calibration != NULL,
        .converged = true,
    };

    if (!rating) {
        from.window = &r->window;
        from.counts = &r->counts;
        from.turns = r->counts.used;
        from.games = r->games;
    }
    const struct ipr_figure_group group = ipr_figure_group(&from, NULL);
    out->provenance = group.provenance;
    out->basis = group.basis;
    out->replicates = rating ? 0 : r->params.replicates;
    out->draws = r->params.posterior.draws;
    out->seed = (int64_t)r->params.seed;
    if (r->params.method == IPR_ROYALE_MARKOV)
        royale_pool(r->context, out);
}

enum ipr_code ipr_royale_answer(const struct ipr_royale_work *r, json_t **out, struct ipr_err *err)
{
    struct ipr_arena *const mem = r->context->v->mem;
    struct ipr_answer_royale *const answer = ipr_shape_new(IPR_SHAPE_ROYALE, mem);
    const size_t n = r->result.n;
    const enum ipr_code rc = royale_best(r, &answer->best, err);

    if (rc != IPR_OK)
        return rc;
    answer->compared_by = ipr_shape_new(IPR_SHAPE_ROYALE_PREDICTOR, mem);
    answer->compared_by->predictor = r->method;
    answer->compared_by->by_rule = r->by_rule;
    answer->compared_by->games = r->by_rule ? (int64_t)r->tested_games : IPR_NULL_COUNT;
    answer->order = royale_order(r);
    answer->ranking =
        (struct ipr_list_royale_row){ ipr_shape_list(IPR_SHAPE_ROYALE_ROW, n, mem), n };
    for (size_t i = 0; i < n; i++)
        answer->ranking.at[i] = royale_row(r, r->result.ranking[i]);
    answer->active = (int64_t)n;
    answer->active_turns = r->field.least;
    answer->left_out = r->field.active - (int64_t)n - (int64_t)r->unrated;
    answer->unrated = (int64_t)r->unrated;
    answer->inactive = r->field.years - r->field.active;
    answer->provenance = ipr_shape_new(IPR_SHAPE_ROYALE_PROVENANCE, mem);
    royale_provenance(r, answer->provenance);
    *out = ipr_shape_json(IPR_SHAPE_ROYALE, answer);
    return IPR_OK;
}
