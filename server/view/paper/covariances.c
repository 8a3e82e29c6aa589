/*
 * Figures of the covariance predictor: the sum of the differences of losses in a match (A's figure
 * 10), and its correlation with results of games (figures 11 and 12).
 *
 * Order of the work: a transform for each line of figure 10, one for each game of the others, some
 * 0.5 ms with 20 numbers of pairs and 40 bounds. Memory: the moves of the games.
 */
#include <math.h>

#include "base/mem.h"
#include "model/covariance.h"
#include "model/covariance_surface.h"
#include "view/json.h"
#include "view/paper/figure.h"
#include "view/report/games.h"

static const struct ipr_interval unknown = { NAN, NAN };

/* ---- figure 10 ---- */

/* Points in the middle of bins of `width` cp, so many to either side of 0. */
static enum ipr_code sums_add_line(struct ipr_paper_figure *f,
                                   const struct ipr_covariance_player player[2], unsigned pairs,
                                   struct ipr_err *err)
{
    const int width = (int)ipr_json_at(f->def, "width", 1.0);
    const int bins = (int)ipr_json_at(f->def, "bins", 1.0);
    const int reach = bins * width + width / 2;
    double *p = ipr_arena_alloc(f->context->v->mem, 2 * (size_t)reach + 1, sizeof *p);
    const char *name =
        ipr_arena_printf(f->context->v->mem, "%u pair%s", pairs, pairs == 1 ? "" : "s");
    json_t *points = ipr_paper_add_series(f, name, NULL);

    const enum ipr_code rc =
        ipr_covariance_distribution(&player[0], &player[1], pairs, (unsigned)reach, p, err);
    for (int bin = -bins; bin <= bins && rc == IPR_OK; bin++) {
        double sum = 0.0;

        for (int x = bin * width - width / 2; x <= bin * width + width / 2; x++)
            sum += p[reach + x];
        ipr_paper_add_point(points, bin * width / 100.0, sum, unknown, 0);
    }
    return rc;
}

static enum ipr_code sums_match(struct ipr_paper_figure *f, const json_t *match,
                                struct ipr_err *err)
{
    const struct ipr_conformance_params raw = IPR_CONFORMANCE_INIT;
    struct ipr_covariance_player player[2];
    enum ipr_code rc = IPR_OK;
    const json_t *pairs;
    size_t i;

    for (int of = 0; of < 2 && rc == IPR_OK; of++) {
        struct ipr_paper_moves m;
        struct ipr_gain_turn *gains;

        rc = ipr_paper_match_moves(f, match, of, &m, err);
        if (rc == IPR_OK && m.n < IPR_VIEW_MIN_TURNS) {
            f->reason = ipr_paper_too_few;
            return IPR_OK;
        }
        gains = ipr_arena_alloc(f->context->v->mem, m.n + 1, sizeof *gains);
        player[of] = (struct ipr_covariance_player){ .turns = gains, .n = m.n };
        if (rc == IPR_OK)
            rc = ipr_gain_turns(&raw, m.t.turns, m.keep, m.n, gains, err);
    }
    json_array_foreach(json_object_get(f->def, "pairs"), i, pairs) {
        if (rc == IPR_OK)
            rc = sums_add_line(f, player, (unsigned)json_integer_value(pairs), err);
    }
    return rc;
}

enum ipr_code ipr_paper_sums(struct ipr_paper_figure *f, struct ipr_err *err)
{
    return ipr_paper_each_match(f, sums_match, err);
}

/* ---- figures 11 and 12 ---- */

struct surface {
    unsigned n0[IPR_COVARIANCE_GRID_N0 + 1];
    double b[IPR_COVARIANCE_GRID_B];
    struct ipr_covariance_grid grid;
    struct ipr_covariance_point *point;
    struct ipr_covariance_surface found;
};

/* The grid that the figure names, from 0 on. */
static void surface_set_grid(const struct ipr_paper_figure *f, struct surface *s)
{
    const json_t *n0 = json_object_get(f->def, "n0"), *b = json_object_get(f->def, "b");

    s->grid = (struct ipr_covariance_grid){
        .n0 = s->n0, .n_n0 = json_array_size(n0), .b = s->b, .n_b = json_array_size(b)
    };
    for (size_t i = 0; i < s->grid.n_n0; i++)
        s->n0[i] = (unsigned)json_integer_value(json_array_get(n0, i));
    for (size_t k = 0; k < s->grid.n_b; k++)
        s->b[k] = json_number_value(json_array_get(b, k));
    s->point = ipr_arena_alloc(f->context->v->mem, s->grid.n_n0 * s->grid.n_b, sizeof *s->point);
}

static enum ipr_code surface_compute(struct ipr_paper_figure *f, struct surface *s,
                                     struct ipr_err *err)
{
    enum ipr_window_method method;
    const struct ipr_conformance_params loss = ipr_paper_loss(f->def, &method);
    struct ipr_err why = IPR_ERR_INIT;
    struct ipr_report_games g;
    struct ipr_report_window w;

    enum ipr_code rc = ipr_report_games(f->context, true, f->def, &g, err);
    if (rc != IPR_OK)
        return rc;
    ipr_report_window(&g, method, &w);
    const struct ipr_provenance from = ipr_report_provenance(f->context, IPR_METHOD_COVARIANCE, &w);
    f->reason = ipr_report_too_few(&from);
    if (f->reason == NULL)
        rc = ipr_figure_settle(
            ipr_covariance_surface(&loss, w.games, w.n, &s->grid, s->point, &s->found, &why), &why,
            f->context->v->mem, &f->reason, err);
    f->turns = w.turns;
    f->games = s->found.used;
    ipr_report_window_release(&w);
    return rc;
}

/* The correlations, or the reason for none; the numbers of the highest one. */
static enum ipr_code surface_make(struct ipr_paper_figure *f, struct surface **out,
                                  struct ipr_err *err)
{
    struct surface *s = ipr_arena_alloc(f->context->v->mem, 1, sizeof *s);

    surface_set_grid(f, s);
    const enum ipr_code rc = surface_compute(f, s, err);
    if (rc != IPR_OK || f->reason != NULL)
        return rc;
    if (!s->found.known) {
        f->reason = "the prediction is the same for every game";
        return rc;
    }
    const struct ipr_correlation *best = &s->found.best;
    ipr_paper_add_constant(f, "highest ρ", best->rho,
                           best->interval_known ? best->interval : unknown);
    ipr_paper_add_constant(f, "n0 of the highest ρ", s->found.best_n0, unknown);
    ipr_paper_add_constant(f, "b of the highest ρ", s->found.best_b, unknown);
    *out = s;
    return rc;
}

/* A printed one of the paper's, where the grid has its place. */
static void surface_add_at(struct ipr_paper_figure *f, const struct surface *s, unsigned n0,
                           double b, const char *name)
{
    for (size_t i = 0; i < s->grid.n_n0; i++)
        for (size_t k = 0; k < s->grid.n_b; k++)
            if (s->n0[i] == n0 && fabs(s->b[k] - b) < 1e-9)
                ipr_paper_add_constant(f, name, s->point[i * s->grid.n_b + k].rho, unknown);
}

enum ipr_code ipr_paper_surface(struct ipr_paper_figure *f, struct ipr_err *err)
{
    json_t *points = ipr_paper_add_series(f, "ρ", NULL);
    struct surface *s = NULL;

    const enum ipr_code rc = surface_make(f, &s, err);
    if (s == NULL)
        return rc;
    for (size_t k = 0; k < s->grid.n_b; k++)
        for (size_t i = 0; i < s->grid.n_n0; i++) {
            const struct ipr_covariance_point *p = &s->point[i * s->grid.n_b + k];

            ipr_paper_add_cell(points, s->n0[i], s->b[k], p->known ? p->rho : NAN);
        }
    return rc;
}

/* For each n0 the bound with the highest correlation, or ("member": "rho") that correlation. */
enum ipr_code ipr_paper_best_bounds(struct ipr_paper_figure *f, struct ipr_err *err)
{
    const bool rho = ipr_json_text_at(f->def, "member")[0] == 'r';
    json_t *points = ipr_paper_add_series(f, rho ? "ρ with the best b" : "Best b", NULL);
    struct surface *s = NULL;

    const enum ipr_code rc = surface_make(f, &s, err);
    if (s == NULL)
        return rc;
    for (size_t i = 0; i < s->grid.n_n0; i++) {
        const struct ipr_covariance_point *of = &s->point[i * s->grid.n_b];
        size_t best = 0;

        for (size_t k = 1; k < s->grid.n_b; k++)
            if (of[k].known && (!of[best].known || of[k].rho > of[best].rho + 1e-9))
                best = k;
        if (of[best].known)
            ipr_paper_add_point(points, s->n0[i], rho ? of[best].rho : s->b[best], unknown,
                                s->found.used);
    }
    surface_add_at(f, s, 29, 2.2, "ρ at n0 = 29, b = 2.2");
    return rc;
}
