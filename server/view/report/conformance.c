/*
 * How conformance goes with results, game by game (A's figures 4 and 5).
 *
 * Order of the work: 3 forms x 201 losses x turns (twice), and some 500 x turns for k1 and k2.
 * Memory: the games (view/report/games.h), 8 bytes a turn for a window and 40 a game.
 */
#include "view/report/report.h"

#include <math.h>
#include <stdlib.h>

#include "stats/line.h"
#include "view/json.h"
#include "view/report/games.h"

#define POINTS 201 /* x = 0, 0.01, .. 2.00 */
#define STEPS  100.0
#define AT_30  30

/* Line and correlation of the games at one loss. */
struct at_loss {
    double x;
    struct ipr_line line;
    struct ipr_correlation rho;
};

static enum ipr_code conformance_read_off(const struct ipr_conformance_params *params,
                                          const struct ipr_report_window *w, double x,
                                          struct at_loss *out, struct ipr_err *err)
{
    double *p = ipr_xcalloc(2 * w->n + 1, sizeof *p);
    const size_t used = ipr_conformance_differences(params, w->games, w->n, x, p, p + w->n);

    out->x = x;
    enum ipr_code rc = ipr_stats_correlation(p, p + w->n, NULL, used, &out->rho, err);
    if (rc == IPR_OK)
        rc = ipr_stats_line(p, p + w->n, NULL, used, &out->line, err);
    free(p);
    return rc;
}

/* Games are independent, so the line's own error holds. */
static struct ipr_interval conformance_about(double value, double se,
                                             const struct ipr_provenance *from)
{
    const double half = ipr_stats_quantile95(from->games) * se;

    return (struct ipr_interval){ value - half, value + half };
}

static json_t *conformance_coefficient(double value, double se, const struct ipr_provenance *from)
{
    return ipr_report_figure(value, se, conformance_about(value, se, from), true, from);
}

static json_t *conformance_refused_at(double x, const struct ipr_provenance *from,
                                      const char *reason)
{
    json_t *why = ipr_estimate_refusal(from, "%s", reason);
    json_t *out = json_pack("{s:o, s:O, s:O, s:O}", "x", ipr_json_num(x), "rho", why, "beta", why,
                            "alpha", why);

    json_decref(why);
    return out;
}

/* {"x", "rho", "beta", "alpha": figures} of result = beta p(x) + alpha. */
static json_t *conformance_point_json(const struct ipr_conformance_params *params,
                                      const struct ipr_report_window *w, double x,
                                      const struct ipr_provenance *from)
{
    struct ipr_err why = IPR_ERR_INIT;
    struct at_loss at;

    if (conformance_read_off(params, w, x, &at, &why) != IPR_OK)
        return conformance_refused_at(x, from, why.msg);
    return json_pack("{s:o, s:o, s:o, s:o}", "x", ipr_json_num(x), "rho",
                     ipr_report_rho(&at.rho, from), "beta",
                     conformance_coefficient(at.line.b, at.line.se_b, from), "alpha",
                     conformance_coefficient(at.line.a, at.line.se_a, from));
}

static json_t *conformance_number_or_null(bool known, double x)
{
    return known ? ipr_json_num(x) : json_null();
}

static json_t *conformance_interval_or_null(bool known, struct ipr_interval interval)
{
    return known ? ipr_json_interval(interval) : json_null();
}

/* A point of the curve with the 95 % intervals of all three, as of one x chosen beforehand. */
static json_t *conformance_curve_point(const struct ipr_conformance_params *params,
                                       const struct ipr_report_window *w,
                                       const struct ipr_conformance_point *p,
                                       const struct ipr_provenance *from)
{
    struct at_loss at = { .x = p->x };
    const bool known = p->known && conformance_read_off(params, w, p->x, &at, NULL) == IPR_OK;
    json_t *out = json_pack("{s:o, s:o, s:o, s:o}", "x", ipr_json_num(p->x), "rho",
                            conformance_number_or_null(p->known, p->rho), "beta",
                            conformance_number_or_null(p->known, p->beta), "alpha",
                            conformance_number_or_null(p->known, p->alpha));

    json_object_set_new(
        out, "rho_interval",
        conformance_interval_or_null(known && at.rho.interval_known, at.rho.interval));
    json_object_set_new(
        out, "beta_interval",
        conformance_interval_or_null(known, conformance_about(at.line.b, at.line.se_b, from)));
    json_object_set_new(
        out, "alpha_interval",
        conformance_interval_or_null(known, conformance_about(at.line.a, at.line.se_a, from)));
    return out;
}

static json_t *conformance_curve_json(const struct ipr_conformance_params *params,
                                      const struct ipr_report_window *w,
                                      const struct ipr_conformance_point *points,
                                      const struct ipr_provenance *from)
{
    json_t *out = json_array();

    for (size_t i = 0; i < POINTS; i++)
        json_array_append_new(out, conformance_curve_point(params, w, &points[i], from));
    return out;
}

/* The lowest x of the highest correlation; 0 where none is known. */
static double conformance_best_of(const struct ipr_conformance_point *points)
{
    size_t best = POINTS;

    for (size_t i = 0; i < POINTS; i++)
        if (points[i].known && (best == POINTS || points[i].rho > points[best].rho + 1e-12))
            best = i;
    return best < POINTS ? points[best].x : 0.0;
}

static json_t *conformance_no_curve(json_t *reason_of)
{
    json_t *reason = json_incref(json_object_get(reason_of, "reason"));

    json_decref(reason_of);
    return json_pack("{s:[], s:n, s:n, s:o}", "curve", "best", "at_30", "reason", reason);
}

/*
 * {"curve": [{"x" [pawns], "rho", "beta", "alpha", "rho_interval", "beta_interval",
 * "alpha_interval"}], "best", "at_30": {"x", "rho", "beta",
 * "alpha": figures}}, with nulls and "reason" where too little is there.
 */
static json_t *conformance_form_json(const struct ipr_conformance_params *params,
                                     const struct ipr_report_window *w,
                                     const struct ipr_provenance *from)
{
    struct ipr_conformance_point points[POINTS];
    struct ipr_err why = IPR_ERR_INIT;
    json_t *refusal = ipr_report_too_few(from);

    if (refusal != NULL)
        return conformance_no_curve(refusal);
    for (size_t i = 0; i < POINTS; i++)
        points[i].x = (double)i / STEPS;
    if (ipr_conformance_curve(params, w->games, w->n, points, POINTS, NULL, &why) != IPR_OK)
        return conformance_no_curve(ipr_estimate_refusal(from, "%s", why.msg));
    return json_pack("{s:o, s:o, s:o}", "curve", conformance_curve_json(params, w, points, from),
                     "best", conformance_point_json(params, w, conformance_best_of(points), from),
                     "at_30", conformance_point_json(params, w, AT_30 / STEPS, from));
}

static json_t *conformance_constants_json(const struct ipr_conformance_params *params,
                                          const struct ipr_report_window *w,
                                          const struct ipr_provenance *from)
{
    json_t *out = conformance_point_json(params, w, AT_30 / STEPS, from);

    json_object_set_new(out, "k1", ipr_json_num(params->k1));
    json_object_set_new(out, "k2", ipr_json_num(params->k2));
    return out;
}

/*
 * "fit" and "published": {"k1", "k2", "x", "rho", "beta", "alpha"}. The interval of the fitted
 * constants' rho is one as if they had not been chosen by it.
 */
static void conformance_add_fit(json_t *out, const struct ipr_report_window *w,
                                const struct ipr_provenance *from)
{
    struct ipr_conformance_params fitted = IPR_CONFORMANCE_INIT;
    struct ipr_conformance_params published = IPR_CONFORMANCE_INIT;
    struct ipr_err why = IPR_ERR_INIT;
    json_t *refusal = ipr_report_too_few(from);
    double rho;

    published.loss = IPR_LOSS_WEIGHTED;
    if (refusal == NULL &&
        ipr_conformance_fit_k(w->games, w->n, AT_30 / STEPS, &fitted, &rho, &why) != IPR_OK)
        refusal = ipr_estimate_refusal(from, "%s", why.msg);
    if (refusal != NULL) {
        json_object_set_new(out, "fit", conformance_no_curve(refusal));
        return;
    }
    json_object_set_new(out, "fit",
                        json_pack("{s:o, s:o}", "fitted",
                                  conformance_constants_json(&fitted, w, from), "published",
                                  conformance_constants_json(&published, w, from)));
}

static json_t *conformance_line_json(const struct ipr_loss_line *line)
{
    return json_pack("{s:I, s:o, s:o, s:o}", "turns", (json_int_t)line->n, "a",
                     conformance_number_or_null(line->known, line->a), "b",
                     conformance_number_or_null(line->known, line->b), "b_over_a",
                     conformance_number_or_null(line->known, line->b_over_a));
}

static const char lines_caveat[] = "These lines describe the moves that they are of. Their errors "
                                   "are unknown, since the losses of "
                                   "one game are not independent.";

/* Of every turn that the window keeps, whatever its game's result. */
static json_t *conformance_lines_json(const struct ipr_report_games *g,
                                      const struct ipr_report_window *w)
{
    size_t *keep = ipr_xcalloc(g->all.n_turns + 1, sizeof *keep);
    const size_t n = ipr_window_select(&w->window, g->all.turns, g->all.n_turns, keep, NULL);
    struct ipr_loss_line positive, negative;

    ipr_conformance_loss_lines(g->all.turns, keep, n, IPR_PLAYED_PLACED, &positive, &negative);
    free(keep);
    return json_pack("{s:o, s:o, s:s}", "positive", conformance_line_json(&positive), "negative",
                     conformance_line_json(&negative), "caveat", lines_caveat);
}

static json_t *conformance_answer(const struct ipr_view_context *c,
                                  const struct ipr_report_games *g)
{
    json_t *forms = json_object();
    json_t *out = json_object();

    for (size_t i = 0; ipr_report_losses[i] != NULL && ipr_view_go_on(c->v); i++) {
        enum ipr_window_method method;
        const struct ipr_conformance_params params = ipr_report_loss(ipr_report_losses[i], &method);
        struct ipr_report_window w;

        ipr_report_window(g, method, &w);
        const struct ipr_provenance from = ipr_report_provenance(c, IPR_METHOD_CONFORMANCE, &w);
        json_object_set_new(forms, ipr_report_losses[i], conformance_form_json(&params, &w, &from));
        if (params.loss == IPR_LOSS_WEIGHTED) {
            conformance_add_fit(out, &w, &from);
            json_object_set_new(out, "loss_lines", conformance_lines_json(g, &w));
            json_object_set_new(out, "games", ipr_report_games_json(g, w.n - w.used));
        }
        ipr_report_window_release(&w);
    }
    json_object_set_new(out, "forms", forms);
    json_t *reason = json_object_get(json_object_get(forms, ipr_report_losses[0]), "reason");
    if (reason != NULL)
        json_object_set(out, "reason", reason);
    return out;
}

/*
 * {"games": view/report/games.h,
 *  "forms": {"ponderated" (with the published k1 and k2), "raw", "guid_bratko": {"curve", "best",
 *    "at_30"}},
 *  "fit": {"fitted", "published": {"k1", "k2" [pawns], "x", "rho", "beta", "alpha"}},
 *  "loss_lines": {"positive", "negative": {"turns", "a", "b", "b_over_a"}, "caveat"}: mean of the
 * losses that are not zero, a v_b + b; "reason" where there is too little for any of it}
 */
static enum ipr_code conformance_compute(const struct ipr_view_context *c, const json_t *params,
                                         json_t **out, struct ipr_err *err)
{
    struct ipr_report_games g;

    enum ipr_code rc = ipr_report_games(c, true, params, &g, err);
    if (rc != IPR_OK)
        return rc;
    json_t *all = conformance_answer(c, &g);
    rc = ipr_report_check_stop(c->v, err);
    if (rc == IPR_OK)
        *out = all;
    else
        json_decref(all);
    return rc;
}

const struct ipr_report_kind ipr_report_conformance = {
    .name = "conformance",
    .compute = conformance_compute,
    .version = 2,
};
