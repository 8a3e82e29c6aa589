/* Figures of methods: curves of a report, posterior densities of a calibration, and depths of
 * searches that were made for the figure. */
#include <math.h>
#include <string.h>

#include "base/number.h"
#include "lab/papers/figure.h"
#include "stats/interval.h"
#include "view/json.h"
#include "view/report/games.h"

/* ---- curves of the report of conformance ---- */

#define EVERY 5 /* of the points of the report, which are 0.01 pawns apart */

static struct ipr_interval curve_interval(const json_t *point, const char *y)
{
    char low[48], high[48];

    snprintf(low, sizeof low, "%s_interval.low", y);
    snprintf(high, sizeof high, "%s_interval.high", y);
    return (struct ipr_interval){ ipr_json_at(point, low, NAN), ipr_json_at(point, high, NAN) };
}

static void curve_put(struct ipr_paper_figure *f, const json_t *line, const json_t *form)
{
    const char *y = ipr_json_text_at(f->def, "member");
    json_t *points = ipr_paper_add_series(f, ipr_json_text_at(line, "name"), NULL);
    const json_t *point;
    char at[64];
    size_t i;

    json_array_foreach(json_object_get(form, "curve"), i, point) {
        const double value = ipr_json_at(point, y, NAN);

        if (isfinite(value))
            ipr_paper_add_point(points, ipr_json_at(point, "x", NAN), value,
                                curve_interval(point, y), 0);
    }
    if (json_array_size(points) == 0)
        ipr_paper_set_reason(f, ipr_json_text_at(form, "reason"));
    snprintf(at, sizeof at, "at_30.%s.estimate", y);
    ipr_paper_add_constant(f, ipr_json_text_at(line, "constant"), ipr_json_at(form, at, NAN),
                           (struct ipr_interval){ NAN, NAN });
}

enum ipr_code ipr_paper_conformance_curves(struct ipr_paper_figure *f, struct ipr_err *err)
{
    struct ipr_report_games g;
    const json_t *line;
    size_t i;

    const enum ipr_code rc = ipr_report_games(f->context, true, f->def, &g, err);
    if (rc != IPR_OK)
        return rc;
    json_array_foreach(json_object_get(f->def, "lines"), i, line) {
        const struct ipr_figure_rho_curve curve =
            ipr_report_conformance_form(f->context, &g, ipr_json_text_at(line, "loss"), EVERY);
        json_t *form = ipr_shape_json(IPR_SHAPE_RHO_CURVE, &curve);

        curve_put(f, line, form);
        if (i == 0) {
            f->turns = (size_t)ipr_json_at(form, "at_30.rho.turns", 0.0);
            f->games = (size_t)ipr_json_at(form, "at_30.rho.games", 0.0);
        }
        json_decref(form);
    }
    return IPR_OK;
}

/* ---- posteriors of c ---- */

#define STEPS 40 /* from four standard deviations below the mean to four above it */

static void density_put(struct ipr_paper_figure *f, const char *name, const char *panel,
                        double mean, double sd)
{
    json_t *points = ipr_paper_add_series(f, name, panel);

    if (!isfinite(mean) || !(sd > 0.0)) {
        ipr_paper_set_reason(f, "there is no such set here");
        return;
    }
    for (int i = 0; i <= STEPS; i++) {
        const double z = 8.0 * i / STEPS - 4.0;

        ipr_paper_add_point(points, mean + z * sd, exp(-0.5 * z * z) / (sd * sqrt(2.0 * M_PI)),
                            (struct ipr_interval){ NAN, NAN }, 0);
    }
}

static const json_t *density_milepost(const json_t *record, double elo)
{
    const json_t *milepost;
    size_t i;

    json_array_foreach(json_object_get(record, "mileposts"), i, milepost) {
        if (ipr_json_at(milepost, "nominal", NAN) == elo)
            return milepost;
    }
    return NULL;
}

/* Draws the sets of the table that the figure names: printed means and deviations, and ours. */
static void density_put_all(struct ipr_paper_figure *f, const json_t *record)
{
    const json_t *table = ipr_json_first(json_object_get(f->paper, "tables"), "table",
                                         ipr_json_text_at(f->def, "table"));
    const json_t *row;
    size_t i;

    json_array_foreach(json_object_get(table, "rows"), i, row)
        density_put(f, ipr_json_text_at(row, "label"), "Paper",
                    ipr_json_at(row, "printed.c_mean", NAN), ipr_json_at(row, "printed.c_sd", NAN));
    json_array_foreach(json_object_get(table, "rows"), i, row) {
        const json_t *ours = density_milepost(record, ipr_json_at(row, "elo", 0.0));

        density_put(f, ipr_json_text_at(row, "label"), "Ours", ipr_json_at(ours, "bayes.mean", NAN),
                    ipr_json_at(ours, "bayes.sd", NAN));
        f->turns += (size_t)ipr_json_at(ours, "bayes.events", 0.0);
        f->games += (size_t)ipr_json_at(ours, "games", 0.0);
    }
}

enum ipr_code ipr_paper_posteriors(struct ipr_paper_figure *f, struct ipr_err *err)
{
    const struct ipr_view_context *c = f->context;
    json_t *record = NULL;

    f->of_calibration = true;
    if (c->calibration == NULL) {
        f->reason = "no calibration of this engine setting is stored";
        return IPR_OK;
    }
    const enum ipr_code rc = ipr_view_calibration(
        c->v, &(struct ipr_calibration_request){ .name = c->calibration_name }, &record, err);
    if (rc == IPR_OK)
        density_put_all(f, record);
    json_decref(record);
    return rc;
}

/* ---- depths ---- */

/* [[depth, positions], …] in ascending order; depths between that no search ended at are 0. */
static enum ipr_code depths_add(const json_t *counts, unsigned long positions, json_t *points,
                                double *mean, struct ipr_err *err)
{
    json_int_t depth = json_integer_value(json_array_get(json_array_get(counts, 0), 0));
    enum ipr_code rc = IPR_OK;
    const json_t *one;
    size_t i;

    *mean = 0.0;
    json_array_foreach(counts, i, one) {
        const json_int_t last = json_integer_value(json_array_get(one, 0));

        for (; depth <= last && rc == IPR_OK; depth++) {
            const unsigned long n =
                depth == last ? (unsigned long)json_integer_value(json_array_get(one, 1)) : 0;
            const double share = (double)n / (double)positions;
            struct ipr_interval interval;

            rc = ipr_stats_wilson(n, positions, IPR_Z95, &interval, err);
            if (rc == IPR_OK)
                ipr_paper_add_point(points, (double)depth, share, interval, n);
            *mean += share * (double)depth;
        }
    }
    return rc;
}

/* Draws the searches that lab/depths.mjs made ("measured" of the figure). */
enum ipr_code ipr_paper_depths(struct ipr_paper_figure *f, struct ipr_err *err)
{
    const json_t *measured = json_object_get(f->def, "measured"), *one;
    const unsigned long positions = (unsigned long)ipr_json_at(measured, "positions", 0.0);
    enum ipr_code rc = IPR_OK;
    double mean = NAN;
    size_t i;

    json_array_foreach(json_object_get(measured, "series"), i, one) {
        char nodes[IPR_NUMBER_TEXT];

        ipr_number_count(ipr_json_at(one, "nodes", 0.0), nodes);
        json_t *points =
            ipr_paper_add_series(f, ipr_arena_printf(f->context->v->mem, "%s nodes", nodes), NULL);
        if (rc == IPR_OK)
            rc = depths_add(json_object_get(one, "depths"), positions, points, &mean, err);
    }
    ipr_paper_add_constant(f, "mean depth", mean, (struct ipr_interval){ NAN, NAN });
    f->turns = f->games = positions;
    return rc;
}
