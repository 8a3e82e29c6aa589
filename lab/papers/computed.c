/*
 * Figures of tables that are computed as those of the reports: correlations of complexity (A's
 * table 4) and statistics of the covariance predictor (table 6).
 *
 * Order of the work: that of the report of complexity; for covariance a transform a game and row.
 */
#include <math.h>
#include <string.h>

#include "lab/papers/papers.h"
#include "model/covariance_surface.h"
#include "view/figure/figure.h"
#include "view/json.h"
#include "view/report/games.h"
#include "view/report/report.h"

/* ---- complexity ---- */

/* Returns what the report has for a person, borrowed; NULL: nothing. */
static json_t *complexity_of(const json_t *answer, int32_t person)
{
    json_t *one;
    size_t i;

    json_array_foreach(json_object_get(answer, "players"), i, one) {
        if ((int32_t)ipr_json_at(one, "player.id", 0.0) == person)
            return json_object_get(one, "indicators");
    }
    return NULL;
}

static enum ipr_code complexity_add_people(const struct ipr_view_context *c, const json_t *paper,
                                           const json_t *answer, json_t *rows, struct ipr_err *err)
{
    enum ipr_code rc = IPR_OK;
    const char *printed;
    json_t *names;

    json_object_foreach(json_object_get(paper, "players"), printed, names) {
        int32_t person = 0;

        if (rc == IPR_OK)
            rc = ipr_paper_find_person(c, paper, printed, &person, err);
        if (rc == IPR_OK && person != 0 && complexity_of(answer, person) != NULL)
            json_object_set(rows, printed, complexity_of(answer, person));
    }
    return rc;
}

enum ipr_code ipr_paper_complexity(const struct ipr_view_context *c, const json_t *paper,
                                   json_t *rows, struct ipr_err *err)
{
    json_t *params = ipr_report_params_default(&ipr_report_complexity);
    json_t *answer = NULL;

    enum ipr_code rc = ipr_report_complexity.compute(c, params, &answer, err);
    if (rc == IPR_OK)
        rc = complexity_add_people(c, paper, answer, rows, err);
    if (json_array_size(json_object_get(answer, "players")) > 0)
        json_object_set(rows, "all", json_object_get(json_object_get(answer, "all"), "indicators"));
    json_decref(answer);
    json_decref(params);
    return rc;
}

/* ---- covariance ---- */

struct ipr_conformance_params ipr_paper_loss(const json_t *with, enum ipr_window_method *method)
{
    struct ipr_conformance_params params = ipr_report_loss(ipr_json_text_at(with, "loss"), method);

    params.k1 = ipr_json_at(with, "k1", params.k1);
    params.k2 = ipr_json_at(with, "k2", params.k2);
    return params;
}

static json_t *covariance_json(const struct ipr_covariance_point *p,
                               const struct ipr_covariance_surface *found,
                               const struct ipr_provenance *from)
{
    const struct ipr_figure rho = ipr_report_rho(&found->best, from);

    return json_pack("{s:o, s:o, s:o, s:o, s:o, s:I}", "mean", ipr_json_num(p->mean), "sd",
                     ipr_json_num(p->sd), "beta", ipr_json_num(p->beta), "alpha",
                     ipr_json_num(p->alpha), "rho", ipr_shape_json(IPR_SHAPE_FIGURE, &rho), "games",
                     (json_int_t)found->used);
}

/* Mean and spread of the results, by the line through them. */
static json_t *covariance_results_json(const struct ipr_covariance_point *p,
                                       const struct ipr_covariance_surface *found)
{
    return json_pack("{s:o, s:o, s:I}", "mean", ipr_json_num(p->alpha + p->beta * p->mean), "sd",
                     ipr_json_num(p->beta * p->sd / p->rho), "games", (json_int_t)found->used);
}

/* The figures at one (n0, b) and form of the loss, or the reason. */
static json_t *covariance_row(const struct ipr_report_window *w, const struct ipr_provenance *from,
                              const struct ipr_conformance_params *params, const json_t *with,
                              json_t *rows)
{
    const unsigned n0 = (unsigned)ipr_json_at(with, "n0", 0.0);
    const double b = ipr_json_at(with, "b", 0.0);
    const struct ipr_covariance_grid grid = { .n0 = &n0, .n_n0 = 1, .b = &b, .n_b = 1 };
    struct ipr_covariance_point point = { 0 };
    struct ipr_covariance_surface found = { 0 };
    struct ipr_err why = IPR_ERR_INIT;
    const char *reason = ipr_report_too_few(from);

    if (reason == NULL &&
        ipr_covariance_surface(params, w->games, w->n, &grid, &point, &found, &why) != IPR_OK)
        reason = why.msg;
    if (reason == NULL && !found.known)
        reason = "the prediction is the same for every game";
    if (reason != NULL)
        return json_pack("{s:s}", "reason", reason);
    if (json_object_get(rows, "results") == NULL)
        json_object_set_new(rows, "results", covariance_results_json(&point, &found));
    return covariance_json(&point, &found, from);
}

static void covariance_add_row(const struct ipr_view_context *c, const struct ipr_report_games *g,
                               const json_t *row, json_t *rows)
{
    const json_t *with = json_object_get(row, "with");
    enum ipr_window_method method;
    const struct ipr_conformance_params params = ipr_paper_loss(with, &method);
    struct ipr_report_window w;

    ipr_report_window(g, method, &w);
    const struct ipr_provenance from = ipr_report_provenance(c, IPR_METHOD_COVARIANCE, &w);
    json_object_set_new(rows, ipr_json_text_at(row, "ours"),
                        covariance_row(&w, &from, &params, with, rows));
    ipr_report_window_release(&w);
}

enum ipr_code ipr_paper_covariance(const struct ipr_view_context *c, const json_t *table,
                                   json_t *rows, struct ipr_err *err)
{
    struct ipr_report_games g;
    const json_t *row;
    size_t i;

    const enum ipr_code rc = ipr_report_games(c, true, table, &g, err);
    json_array_foreach(json_object_get(table, "rows"), i, row) {
        if (rc == IPR_OK && json_is_object(json_object_get(row, "with")))
            covariance_add_row(c, &g, row, rows);
    }
    return rc;
}
