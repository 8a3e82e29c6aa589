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
static void covariance_add_points(const struct surface *s, json_t *out)
{
    json_t *n0 = json_array(), *b = json_array(), *rows = json_array();

    for (size_t i = 0; i < N_N0; i++) {
        json_t *row = json_array();

        for (size_t k = 0; k < N_B; k++) {
            const struct ipr_covariance_point *p = &s->point[i * N_B + k];
            json_array_append_new(row, ipr_json_num(ipr_number_if(p->known, p->rho)));
        }
        json_array_append_new(rows, row);
        json_array_append_new(n0, json_integer(s->n0[i]));
    }
    for (size_t k = 0; k < N_B; k++)
        json_array_append_new(b, ipr_json_num(s->b[k]));
    json_object_update_new(
        out, json_pack("{s:o, s:o, s:o, s:s}", "n0", n0, "b", b, "rho", rows, "caveat",
                       ipr_say_reason_report(IPR_REASON_REPORT_COVARIANCE_CAVEAT)));
}

static json_t *covariance_best_json(const struct surface *s, const struct ipr_provenance *from)
{
    const char *same = ipr_say_reason_report(IPR_REASON_REPORT_COVARIANCE_SAME);
    const bool known = s->found.known;
    const struct ipr_figure_surface_best out = { known ? ipr_report_rho(&s->found.best, from)
                                                       : ipr_figure_none(from, same),
                                                 ipr_count_if(known, s->found.best_n0),
                                                 ipr_number_if(known, s->found.best_b) };

    return ipr_shape_json(IPR_SHAPE_SURFACE_BEST, &out);
}

static json_t *covariance_refused(const struct ipr_provenance *from, const char *reason)
{
    const struct ipr_figure none = ipr_figure_none(from, reason);

    return json_pack("{s:o, s:[], s:[], s:[], s:s}", "best",
                     ipr_shape_json(IPR_SHAPE_FIGURE, &none), "n0", "b", "rho", "reason", reason);
}

static json_t *covariance_answer(const struct ipr_conformance_params *params,
                                 const struct ipr_report_window *w,
                                 const struct ipr_provenance *from)
{
    struct ipr_err why = IPR_ERR_INIT;
    const char *reason = ipr_report_too_few(from);
    struct surface *s = ipr_arena_alloc(from->context->v->mem, 1, sizeof *s);

    if (reason == NULL && covariance_find_surface(from->context->v, params, w, s, &why) != IPR_OK)
        reason = why.msg;
    if (reason != NULL)
        return covariance_refused(from, reason);
    json_t *out = json_pack("{s:o}", "best", covariance_best_json(s, from));
    covariance_add_points(s, out);
    return out;
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
    json_t *answer = covariance_answer(&loss, &w, &from);
    json_object_set_new(answer, "games", ipr_report_games_json(&g, w.n - w.used));
    ipr_report_window_release(&w);
    rc = ipr_report_check_stop(c->v, err);
    if (rc == IPR_OK)
        *out = answer;
    else
        json_decref(answer);
    return rc;
}

const struct ipr_report_kind ipr_report_covariance = {
    .name = "covariance",
    .compute = covariance_compute,
    .version = 3,
};
