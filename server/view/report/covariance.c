/*
 * How well the covariance predictor goes with results, by its two numbers (A's figure 11).
 *
 * Order of the work: one transform a game for every n0 and b, some 3 ms a game. Memory: the games
 * (view/report/games.h); the rest does not grow with them.
 */
#include "view/report/report.h"

#include <stdlib.h>

#include "model/covariance_surface.h"
#include "view/json.h"
#include "view/report/games.h"

/* A's grid: n0 = 0, 1, .. 95 and b = 0.0, 0.2, .. 7.8. */
#define N_N0   96
#define N_B    40
#define B_STEP 0.2

static const char caveat[] =
    "The losses of a game are compared with the result of the same game: this is how much of a "
    "result is in the moves, not how well a result is predicted. The interval holds for n0 and b "
    "that were chosen beforehand; the best of so many points is better in these games than it "
    "would "
    "be in others.";

struct surface {
    unsigned n0[N_N0];
    double b[N_B];
    struct ipr_covariance_point point[N_N0 * N_B];
    struct ipr_covariance_surface found;
};

static enum ipr_code covariance_find_surface(const struct ipr_conformance_params *params,
                                             const struct ipr_report_window *w, struct surface *s,
                                             struct ipr_err *err)
{
    const struct ipr_covariance_grid grid = { s->n0, N_N0, s->b, N_B };

    for (unsigned i = 0; i < N_N0; i++)
        s->n0[i] = i;
    for (unsigned k = 0; k < N_B; k++)
        s->b[k] = B_STEP * k;
    return ipr_covariance_surface(params, w->games, w->n, &grid, s->point, &s->found, err);
}

static json_t *covariance_axis_n0(const struct surface *s)
{
    json_t *out = json_array();

    for (size_t i = 0; i < N_N0; i++)
        json_array_append_new(out, json_integer(s->n0[i]));
    return out;
}

static json_t *covariance_axis_b(const struct surface *s)
{
    json_t *out = json_array();

    for (size_t k = 0; k < N_B; k++)
        json_array_append_new(out, ipr_json_num(s->b[k]));
    return out;
}

static json_t *covariance_points_json(const struct surface *s)
{
    json_t *rows = json_array();

    for (size_t i = 0; i < N_N0; i++) {
        json_t *row = json_array();
        for (size_t k = 0; k < N_B; k++) {
            const struct ipr_covariance_point *p = &s->point[i * N_B + k];
            json_array_append_new(row, p->known ? ipr_json_num(p->rho) : json_null());
        }
        json_array_append_new(rows, row);
    }
    return rows;
}

static json_t *covariance_best_json(const struct surface *s, const struct ipr_provenance *from)
{
    json_t *out;

    if (!s->found.known)
        return ipr_estimate_refusal(from, "the prediction is the same for every game");
    out = ipr_report_rho(&s->found.best, from);
    json_object_set_new(out, "n0", json_integer(s->found.best_n0));
    json_object_set_new(out, "b", ipr_json_num(s->found.best_b));
    return out;
}

/* Takes the refusal. */
static json_t *covariance_refused(json_t *best)
{
    return json_pack("{s:o, s:[], s:[], s:[], s:O}", "best", best, "n0", "b", "rho", "reason",
                     json_object_get(best, "reason"));
}

static json_t *covariance_answer(const struct ipr_conformance_params *params,
                                 const struct ipr_report_window *w,
                                 const struct ipr_provenance *from)
{
    struct ipr_err why = IPR_ERR_INIT;
    json_t *out = ipr_report_too_few(from);

    if (out != NULL)
        return covariance_refused(out);
    struct surface *s = ipr_xcalloc(1, sizeof *s);
    if (covariance_find_surface(params, w, s, &why) == IPR_OK)
        out = json_pack("{s:o, s:o, s:o, s:o, s:s}", "best", covariance_best_json(s, from), "n0",
                        covariance_axis_n0(s), "b", covariance_axis_b(s), "rho",
                        covariance_points_json(s), "caveat", caveat);
    else
        out = covariance_refused(ipr_estimate_refusal(from, "%s", why.msg));
    free(s);
    return out;
}

/*
 * {"games": view/report/games.h, "best": {…figure of rho, "n0", "b" [pawns]}, "n0", "b": the axes,
 *  "rho": [[n0][b]] (null where it is not known), "caveat"}
 */
static enum ipr_code covariance_compute(const struct ipr_view_context *c, const json_t *params,
                                        json_t **out, struct ipr_err *err)
{
    enum ipr_window_method method;
    const struct ipr_conformance_params loss =
        ipr_report_loss(ipr_json_text_at(params, "loss"), &method);
    struct ipr_report_games g;
    struct ipr_report_window w;

    const enum ipr_code rc = ipr_report_games(c, true, params, &g, err);
    if (rc != IPR_OK)
        return rc;
    ipr_report_window(&g, method, &w);
    const struct ipr_provenance from = ipr_report_provenance(c, IPR_METHOD_COVARIANCE, &w);
    *out = covariance_answer(&loss, &w, &from);
    json_object_set_new(*out, "games", ipr_report_games_json(&g, w.n - w.used));
    ipr_report_window_release(&w);
    return IPR_OK;
}

const struct ipr_report_kind ipr_report_covariance = {
    .name = "covariance",
    .compute = covariance_compute,
    .version = 2,
};
