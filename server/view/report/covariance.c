/*
 * Correlation of the covariance predictor with results, by its two parameters (A's figure 11).
 *
 * Order of the work: one transform a game for every n0 and b, some 3 ms a game. Memory: the games
 * (view/report/games.h); the rest does not grow with them.
 */
#include "view/report/report.h"

#include <stdlib.h>

#include "model/covariance_surface.h"
#include "sentence/sentence.h"
#include "view/json.h"
#include "view/report/games.h"

/* A's grid: n0 = 0, 1, .. 95 and b = 0.0, 0.2, .. 7.8. */
#define N_N0   96
#define N_B    40
#define B_STEP 0.2

struct surface {
    unsigned n0[N_N0];
    double b[N_B];
    struct ipr_covariance_point point[N_N0 * N_B];
    struct ipr_covariance_surface found;
};

static bool covariance_goes_on(void *view)
{
    return ipr_view_go_on(view);
}

static enum ipr_code covariance_find_surface(const struct ipr_view *view,
                                             const struct ipr_conformance_params *params,
                                             const struct ipr_report_window *w, struct surface *s,
                                             struct ipr_err *err)
{
    struct ipr_view v = *view;
    const struct ipr_covariance_grid grid = {
        .n0 = s->n0, .n_n0 = N_N0, .b = s->b, .n_b = N_B, .go_on = covariance_goes_on, .arg = &v
    };

    for (unsigned i = 0; i < N_N0; i++)
        s->n0[i] = i;
    for (unsigned k = 0; k < N_B; k++)
        s->b[k] = B_STEP * k;
    return ipr_covariance_surface(params, w->games, w->n, &grid, s->point, &s->found, err);
}

/* The axes, and the correlations between them. */
static void covariance_points(const struct surface *s, struct ipr_arena *mem,
                              struct ipr_answer_covariance_report *out)
{
    out->n0 = (struct ipr_list_count){ ipr_arena_alloc(mem, N_N0, sizeof *out->n0.at), N_N0 };
    out->b = (struct ipr_list_number){ ipr_arena_alloc(mem, N_B, sizeof *out->b.at), N_B };
    out->rho = (struct ipr_matrix_number){ ipr_arena_alloc(mem, N_N0 * N_B, sizeof *out->rho.at),
                                           N_N0, N_B };
    for (size_t i = 0; i < N_N0; i++)
        out->n0.at[i] = s->n0[i];
    for (size_t k = 0; k < N_B; k++)
        out->b.at[k] = s->b[k];
    for (size_t i = 0; i < N_N0 * N_B; i++)
        out->rho.at[i] = ipr_number_if(s->point[i].known, s->point[i].rho);
    out->caveat = ipr_say_reason_report(IPR_REASON_REPORT_COVARIANCE_CAVEAT);
}

static void covariance_best(const struct surface *s, const struct ipr_provenance *from,
                            struct ipr_figure_surface_best *out)
{
    if (!s->found.known) {
        out->figure =
            ipr_figure_none(from, ipr_say_reason_report(IPR_REASON_REPORT_COVARIANCE_SAME));
        return;
    }
    out->figure = ipr_report_rho(&s->found.best, from);
    out->n0 = s->found.best_n0;
    out->b = s->found.best_b;
}

static void covariance_answer(const struct ipr_conformance_params *params,
                              const struct ipr_report_window *w, const struct ipr_provenance *from,
                              struct ipr_answer_covariance_report *out)
{
    struct ipr_arena *const mem = from->context->v->mem;
    struct ipr_err why = IPR_ERR_INIT;
    struct surface *s = ipr_arena_alloc(mem, 1, sizeof *s);

    out->reason = ipr_report_too_few(from);
    out->best = ipr_shape_new(IPR_SHAPE_SURFACE_BEST, mem);
    if (out->reason == NULL &&
        covariance_find_surface(from->context->v, params, w, s, &why) != IPR_OK)
        out->reason = ipr_arena_printf(mem, "%s", why.msg);
    if (out->reason == NULL) {
        covariance_best(s, from, out->best);
        covariance_points(s, mem, out);
        return;
    }
    out->best->figure = ipr_figure_none(from, out->reason);
    out->n0.at = ipr_arena_alloc(mem, 1, sizeof *out->n0.at); /* empty lists */
    out->b.at = out->rho.at = ipr_arena_alloc(mem, 1, sizeof *out->b.at);
}

static enum ipr_code covariance_compute(const struct ipr_view_context *c, const json_t *params,
                                        json_t **out, struct ipr_err *err)
{
    enum ipr_window_method method;
    const struct ipr_conformance_params loss =
        ipr_report_loss(ipr_json_text_at(params, "loss"), &method);
    struct ipr_report_games g;
    struct ipr_report_window w;

    enum ipr_code rc = ipr_report_games(c, true, params, &g, err);
    if (rc != IPR_OK)
        return rc;
    ipr_report_window(&g, method, &w);
    const struct ipr_provenance from = ipr_report_provenance(c, IPR_METHOD_COVARIANCE, &w);
    struct ipr_answer_covariance_report *const answer =
        ipr_shape_new(IPR_SHAPE_COVARIANCE_REPORT, c->v->mem);
    covariance_answer(&loss, &w, &from, answer);
    answer->games = ipr_report_games_counted(&g, w.n - w.used, c->v->mem);
    ipr_report_window_release(&w);
    rc = ipr_report_check_stop(c->v, err);
    if (rc == IPR_OK)
        *out = ipr_shape_json(IPR_SHAPE_COVARIANCE_REPORT, answer);
    return rc;
}

const struct ipr_report_kind ipr_report_covariance = {
    .name = "covariance",
    .answer = IPR_SHAPE_COVARIANCE_REPORT,
    .compute = covariance_compute,
    .version = 3,
};
