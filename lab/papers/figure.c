/* A figure of a paper, made from what is stored. */
#include "lab/papers/figure.h"

#include <math.h>
#include <string.h>

#include "view/json.h"
#include "view/rating/rate.h"

static const struct figure_maker {
    const char *name;
    ipr_paper_figure_fn *make;
} figure_makers[] = {
    { "careers", ipr_paper_careers },
    { "iprs", ipr_paper_iprs },
    { "match_losses", ipr_paper_match_losses },
    { "losses_by_evaluation", ipr_paper_losses_by_evaluation },
    { "share_by_evaluation", ipr_paper_share_by_evaluation },
    { "colours", ipr_paper_colours },
    { "matrix", ipr_paper_matrix },
    { "stationary", ipr_paper_stationary },
    { "losses", ipr_paper_losses },
    { "match_differences", ipr_paper_match_differences },
    { "match_scores", ipr_paper_match_scores },
    { "sums", ipr_paper_sums },
    { "worth", ipr_paper_worth },
    { "surface", ipr_paper_surface },
    { "best_bounds", ipr_paper_best_bounds },
    { "evaluations", ipr_paper_evaluations },
    { "reached", ipr_paper_reached },
    { "conformance_curves", ipr_paper_conformance_curves },
    { "posteriors", ipr_paper_posteriors },
    { "depths", ipr_paper_depths },
};

/* ---- printed points ---- */

/* [[x, y], …], of heat maps [[x, y, value], …]. */
static void figure_put_printed_points(const json_t *printed, json_t *points)
{
    const json_t *one;
    size_t i;

    json_array_foreach(printed, i, one) {
        const double x = json_number_value(json_array_get(one, 0));
        const double y = json_number_value(json_array_get(one, 1));

        ipr_paper_add_point(points, x, y, (struct ipr_interval){ NAN, NAN }, 0);
    }
}

static void figure_put_printed(struct ipr_paper_figure *f)
{
    const json_t *one;
    size_t i;

    json_array_foreach(json_object_get(f->def, "printed"), i, one) {
        json_t *const points =
            ipr_paper_add_series(f, ipr_json_text_at(one, "name"), ipr_json_text_at(one, "panel"));
        json_t *const last = json_array_get(f->series, json_array_size(f->series) - 1);

        json_object_set_new(last, "printed", json_true());
        figure_put_printed_points(json_object_get(one, "points"), points);
    }
}

/* ---- the answer ---- */

static ipr_paper_figure_fn *figure_maker(const char *name)
{
    for (size_t i = 0; i < sizeof figure_makers / sizeof *figure_makers; i++)
        if (strcmp(figure_makers[i].name, name) == 0)
            return figure_makers[i].make;
    return NULL;
}

static enum ipr_code figure_make(struct ipr_paper_figure *f, struct ipr_err *err)
{
    ipr_paper_figure_fn *const make = figure_maker(ipr_json_text_at(f->def, "make"));
    const char *reason = ipr_json_text_at(f->def, "reason");
    enum ipr_code rc = IPR_OK;

    if (make != NULL)
        rc = make(f, err);
    else
        f->reason = reason;
    if (rc == IPR_OK)
        figure_put_printed(f);
    return rc;
}

/* Those of all figures of the paper that are made from stored games, then its own. */
static json_t *figure_differences(const struct ipr_paper_figure *f)
{
    json_t *out = json_array();

    if (json_object_get(f->def, "measured") == NULL)
        json_array_extend(out, json_object_get(f->paper, "differences"));
    json_array_extend(out, json_object_get(f->def, "differences"));
    return out;
}

static enum ipr_code figure_answer(struct ipr_paper_figure *f, json_t *out, struct ipr_err *err)
{
    static const char *const members[] = { "figure", "place", "title", "kind",
                                           "about",  "x",     "y",     "value" };
    const json_t *const measured = json_object_get(f->def, "measured");

    json_object_set(out, "paper", json_object_get(f->paper, "paper"));
    json_object_set(out, "source", json_object_get(f->paper, "source"));
    for (size_t i = 0; i < sizeof members / sizeof *members; i++) {
        json_t *value = json_object_get(f->def, members[i]);

        json_object_set_new(out, members[i], value != NULL ? json_incref(value) : json_null());
    }
    const enum ipr_code rc =
        ipr_paper_add_basis(f->context, measured == NULL && !f->of_calibration, out, err);
    if (measured != NULL) {
        json_object_set_new(out, "judge", json_null());
        json_object_set_new(out, "engine", ipr_json_text(ipr_json_text_at(measured, "engine")));
    }
    json_object_set_new(out, "differences", figure_differences(f));
    json_object_set_new(out, "reason", ipr_json_text(f->reason));
    json_object_set_new(out, "turns", json_integer((json_int_t)f->turns));
    json_object_set_new(out, "games", json_integer((json_int_t)f->games));
    json_object_set(out, "constants", f->constants);
    json_object_set(out, "series", f->series);
    json_object_set_new(out, "finding", ipr_paper_figure_finding(out));
    return rc;
}

enum ipr_code ipr_paper_make_figure(const struct ipr_view *v, const json_t *paper,
                                    const json_t *figure, json_t **out, struct ipr_err *err)
{
    const struct ipr_setting_scope scope = { .judge = ipr_json_text_at(figure, "judge") };
    struct ipr_view_context c = { 0 };
    struct ipr_paper_figure f = { .context = &c,
                                  .paper = paper,
                                  .def = figure,
                                  .series = json_array(),
                                  .constants = json_array() };
    json_t *answer = json_object();

    enum ipr_code rc = ipr_setting_for(v, IPR_FOR_LINES, &scope, &c, err);
    if (rc == IPR_OK)
        rc = figure_make(&f, err);
    if (rc == IPR_OK)
        rc = figure_answer(&f, answer, err);
    if (rc == IPR_OK) {
        ipr_paper_figure_page(answer);
        *out = json_incref(answer);
    }
    ipr_view_context_close(&c);
    json_decref(answer);
    json_decref(f.series);
    json_decref(f.constants);
    return rc;
}
