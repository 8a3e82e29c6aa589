/*
 * Correlation of conformance with results, by game (A's figures 4 and 5).
 *
 * Order of the work: 3 forms x 201 losses x turns (twice), and some 500 x turns for k1 and k2.
 * Memory: the games (view/report/games.h), 8 bytes a turn for a window and 40 a game.
 */
#include "view/report/report.h"

#include <math.h>
#include <stdlib.h>

#include "sentence/sentence.h"
#include "stats/line.h"
#include "view/json.h"
#include "view/rating/rate.h"
#include "view/report/games.h"

#define POINTS 201 /* x = 0, 0.01, .. 2.00 */
#define STEPS  100.0
#define AT_30  30

/* Regression line and correlation over the games for one loss. */
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

static struct ipr_figure conformance_coefficient(double value, double se,
                                                 const struct ipr_provenance *from)
{
    return ipr_figure(value, se, conformance_about(value, se, from), from);
}

/* Returns a point of result = beta p(x) + alpha. */
static struct ipr_figure_rho_at conformance_point(const struct ipr_conformance_params *params,
                                                  const struct ipr_report_window *w, double x,
                                                  const struct ipr_provenance *from)
{
    struct ipr_err why = IPR_ERR_INIT;
    struct at_loss at;

    if (conformance_read_off(params, w, x, &at, &why) != IPR_OK) {
        const struct ipr_figure none =
            ipr_figure_none(from, ipr_arena_printf(from->context->v->mem, "%s", why.msg));

        return (struct ipr_figure_rho_at){ x, none, none, none };
    }
    return (struct ipr_figure_rho_at){
        .x = x,
        .rho = ipr_report_rho(&at.rho, from),
        .beta = conformance_coefficient(at.line.b, at.line.se_b, from),
        .alpha = conformance_coefficient(at.line.a, at.line.se_a, from),
    };
}

/* A point of the curve with the 95 % intervals of all three, as of one x chosen beforehand. */
static struct ipr_figure_rho_point
conformance_curve_point(const struct ipr_conformance_params *params,
                        const struct ipr_report_window *w, const struct ipr_conformance_point *p,
                        const struct ipr_provenance *from)
{
    struct at_loss at = { .x = p->x };
    const bool known = p->known && conformance_read_off(params, w, p->x, &at, NULL) == IPR_OK;

    return (struct ipr_figure_rho_point){
        .x = p->x,
        .rho = ipr_number_if(p->known, p->rho),
        .beta = ipr_number_if(p->known, p->beta),
        .alpha = ipr_number_if(p->known, p->alpha),
        .rho_interval = ipr_interval_if(known && at.rho.interval_known, at.rho.interval),
        .beta_interval = ipr_interval_if(known, conformance_about(at.line.b, at.line.se_b, from)),
        .alpha_interval = ipr_interval_if(known, conformance_about(at.line.a, at.line.se_a, from)),
    };
}

/* The lowest x of the highest correlation; 0 if none is known. */
static double conformance_best_of(const struct ipr_conformance_point *points, size_t n)
{
    size_t best = n;

    for (size_t i = 0; i < n; i++)
        if (points[i].known && (best == n || points[i].rho > points[best].rho + 1e-12))
            best = i;
    return best < n ? points[best].x : 0.0;
}

/* The curve has every so many of the points. */
static struct ipr_figure_rho_curve conformance_form(const struct ipr_conformance_params *params,
                                                    const struct ipr_report_window *w,
                                                    const struct ipr_provenance *from, size_t every)
{
    struct ipr_arena *mem = from->context->v->mem;
    const size_t n = (POINTS - 1) / every + 1;
    struct ipr_conformance_point points[POINTS];
    struct ipr_figure_rho_point *curve = ipr_arena_alloc(mem, n, sizeof *curve);
    struct ipr_err why = IPR_ERR_INIT;
    const char *reason = ipr_report_too_few(from);

    for (size_t i = 0; i < n; i++)
        points[i].x = (double)(i * every) / STEPS;
    if (reason == NULL &&
        ipr_conformance_curve(params, w->games, w->n, points, n, NULL, &why) != IPR_OK)
        reason = ipr_arena_printf(mem, "%s", why.msg);
    if (reason != NULL)
        return (struct ipr_figure_rho_curve){ .reason = reason };
    for (size_t i = 0; i < n; i++)
        curve[i] = conformance_curve_point(params, w, &points[i], from);
    const struct ipr_figure_rho_at best =
        conformance_point(params, w, conformance_best_of(points, n), from);
    const struct ipr_figure_rho_at at_30 = conformance_point(params, w, AT_30 / STEPS, from);
    return (struct ipr_figure_rho_curve){ { curve, n },
                                          ipr_shape_copy(IPR_SHAPE_RHO_AT, &best, mem),
                                          ipr_shape_copy(IPR_SHAPE_RHO_AT, &at_30, mem),
                                          NULL };
}

/* The reason why k1, k2 or both are not given; NULL if both are known. */
static const char *conformance_unknown_k(const bool known[2])
{
    if (known[0] && known[1])
        return NULL;
    if (known[0] || known[1])
        return ipr_say_reason_report(known[0] ? IPR_REASON_REPORT_NO_K2 : IPR_REASON_REPORT_NO_K1);
    return ipr_say_reason_report(IPR_REASON_REPORT_NEITHER_K);
}

static struct ipr_figure_rho_weights *
conformance_constants(const struct ipr_conformance_params *params, const bool known[2],
                      const struct ipr_report_window *w, const struct ipr_provenance *from)
{
    const struct ipr_figure_rho_weights out = { conformance_point(params, w, AT_30 / STEPS, from),
                                                ipr_number_if(known[0], params->k1),
                                                ipr_number_if(known[1], params->k2),
                                                conformance_unknown_k(known) };

    return ipr_shape_copy(IPR_SHAPE_RHO_WEIGHTS, &out, from->context->v->mem);
}

/* The interval of rho for the fitted constants ignores that they were chosen to maximise it. */
static void conformance_fit(const struct ipr_report_window *w, const struct ipr_provenance *from,
                            struct ipr_answer_rho_fit *out)
{
    struct ipr_conformance_params fitted = IPR_CONFORMANCE_INIT;
    struct ipr_conformance_params published = IPR_CONFORMANCE_INIT;
    struct ipr_err why = IPR_ERR_INIT;
    const bool given[2] = { true, true };
    bool known[2];
    double rho;

    published.loss = IPR_LOSS_WEIGHTED;
    out->reason = ipr_report_too_few(from);
    if (out->reason == NULL &&
        ipr_conformance_fit_k(w->games, w->n, AT_30 / STEPS, &fitted, &rho, known, &why) != IPR_OK)
        out->reason = ipr_arena_printf(from->context->v->mem, "%s", why.msg);
    if (out->reason != NULL) {
        out->curve.at = ipr_arena_alloc(from->context->v->mem, 1, sizeof *out->curve.at);
        out->best = out->at_30 = IPR_NULL;
        return;
    }
    out->fitted = conformance_constants(&fitted, known, w, from);
    out->published = conformance_constants(&published, given, w, from);
}

/* For every turn that the window keeps, whatever its game's result. */
static struct ipr_figure_report_loss_lines *conformance_lines(const struct ipr_report_games *g,
                                                              const struct ipr_report_window *w,
                                                              struct ipr_arena *mem)
{
    size_t *keep = ipr_xcalloc(g->all.n_turns + 1, sizeof *keep);
    const size_t n = ipr_window_select(&w->window, g->all.turns, g->all.n_turns, keep, NULL);
    const struct ipr_figure_report_loss_lines out = {
        ipr_rate_loss_lines(g->all.turns, keep, n, IPR_PLAYED_PLACED),
        ipr_say_reason_report(IPR_REASON_REPORT_CONFORMANCE_LINES)
    };

    free(keep);
    return ipr_shape_copy(IPR_SHAPE_REPORT_LOSS_LINES, &out, mem);
}

static void conformance_answer(const struct ipr_view_context *c, const struct ipr_report_games *g,
                               struct ipr_answer_conformance_report *out)
{
    struct ipr_arena *const mem = c->v->mem;
    struct ipr_answer_rho_forms *const forms = ipr_shape_new(IPR_SHAPE_RHO_FORMS, mem);
    struct ipr_figure_rho_curve *const at[] = { &forms->weighted, &forms->raw,
                                                &forms->guid_bratko };

    out->forms = forms;
    for (size_t i = 0; ipr_report_losses[i] != NULL && ipr_view_go_on(c->v); i++) {
        enum ipr_window_method method;
        const struct ipr_conformance_params params = ipr_report_loss(ipr_report_losses[i], &method);
        struct ipr_report_window w;

        ipr_report_window(g, method, &w);
        const struct ipr_provenance from = ipr_report_provenance(c, IPR_METHOD_CONFORMANCE, &w);
        *at[i] = conformance_form(&params, &w, &from, 1);
        if (params.loss == IPR_LOSS_WEIGHTED) {
            out->fit = ipr_shape_new(IPR_SHAPE_RHO_FIT, mem);
            conformance_fit(&w, &from, out->fit);
            out->loss_lines = conformance_lines(g, &w, mem);
            out->games = ipr_report_games_counted(g, w.n - w.used, mem);
        }
        ipr_report_window_release(&w);
    }
    out->reason = forms->weighted.reason;
}

struct ipr_figure_rho_curve ipr_report_conformance_form(const struct ipr_view_context *c,
                                                        const struct ipr_report_games *g,
                                                        const char *loss, size_t every)
{
    enum ipr_window_method method;
    const struct ipr_conformance_params params = ipr_report_loss(loss, &method);
    struct ipr_report_window w;

    ipr_report_window(g, method, &w);
    const struct ipr_provenance from = ipr_report_provenance(c, IPR_METHOD_CONFORMANCE, &w);
    const struct ipr_figure_rho_curve out = conformance_form(&params, &w, &from, every);
    ipr_report_window_release(&w);
    return out;
}

static enum ipr_code conformance_compute(const struct ipr_view_context *c, const json_t *params,
                                         json_t **out, struct ipr_err *err)
{
    struct ipr_report_games g;

    enum ipr_code rc = ipr_report_games(c, true, params, &g, err);
    if (rc != IPR_OK)
        return rc;
    struct ipr_answer_conformance_report *const all =
        ipr_shape_new(IPR_SHAPE_CONFORMANCE_REPORT, c->v->mem);
    conformance_answer(c, &g, all);
    rc = ipr_report_check_stop(c->v, err);
    if (rc == IPR_OK)
        *out = ipr_shape_json(IPR_SHAPE_CONFORMANCE_REPORT, all);
    return rc;
}

const struct ipr_report_kind ipr_report_conformance = {
    .name = "conformance",
    .answer = IPR_SHAPE_CONFORMANCE_REPORT,
    .compute = conformance_compute,
    .version = 4,
};
