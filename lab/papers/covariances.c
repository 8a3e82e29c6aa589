/*
 * Figures of the covariance predictor: what a difference of losses is worth (A's figure 9), the sum
 * of the differences in a match (figure 10), and its correlation with results of games (figures 11
 * and 12).
 *
 * Order of the work: a transform for each line of figure 10, one for each game of the others, some
 * 0.5 ms with 20 numbers of pairs and 40 bounds. Memory: the moves of the games.
 */
#include <math.h>

#include "base/mem.h"
#include "lab/methods/covariance_distribution.h"
#include "lab/methods/covariance_worth.h"
#include "lab/papers/figure.h"
#include "model/covariance.h"
#include "model/covariance_surface.h"
#include "view/json.h"
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

/* ---- games that both sides of are analysed ---- */

/* And the form of the loss that the figure names. */
struct game_losses {
    struct ipr_report_games games;
    struct ipr_report_window window; /* to be released */
    struct ipr_conformance_params loss;
};

/* Sets the numbers of the figure, or its reason. */
static enum ipr_code games_open(struct ipr_paper_figure *f, struct game_losses *out,
                                struct ipr_err *err)
{
    struct game_losses g = { .window.n = 0 };
    enum ipr_window_method method;

    g.loss = ipr_paper_loss(f->def, &method);
    const enum ipr_code rc = ipr_report_games(f->context, true, f->def, &g.games, err);
    if (rc == IPR_OK) {
        ipr_report_window(&g.games, method, &g.window);
        const struct ipr_provenance from =
            ipr_report_provenance(f->context, IPR_METHOD_COVARIANCE, &g.window);
        f->reason = ipr_report_too_few(&from);
        f->turns = g.window.turns;
        f->games = g.window.used;
    }
    *out = g;
    return rc;
}

/* ---- figure 9 ---- */

/* The paper's formula with our constant. */
static void worth_add_curve(struct ipr_paper_figure *f, double a)
{
    json_t *points = ipr_paper_add_series(f, "(1 + tanh(a x)) / 2", "A pair of moves");

    for (int i = 0; i <= 20; i++)
        ipr_paper_add_point(points, i / 5.0, (1.0 + tanh(a * i / 5.0)) / 2.0, unknown, 0);
}

/* The mean score of the side that lost less, by how much less, between the edges of the figure. */
static void worth_add_games(struct ipr_paper_figure *f, const double *sum, const double *won,
                            size_t n)
{
    const json_t *edges = json_object_get(f->def, "edges");
    json_t *points = ipr_paper_add_series(f, "Side that lost less", "All moves of a game");
    double *score = ipr_arena_alloc(f->context->v->mem, n + 1, sizeof *score);

    for (size_t bin = 0; bin + 1 < json_array_size(edges); bin++) {
        const double low = json_number_value(json_array_get(edges, bin));
        const double high = json_number_value(json_array_get(edges, bin + 1));
        double x = 0.0;
        size_t in = 0;

        for (size_t i = 0; i < n; i++)
            if (sum[i] != 0.0 && fabs(sum[i]) >= low && fabs(sum[i]) < high) {
                x += fabs(sum[i]);
                score[in++] = (1.0 + (sum[i] > 0.0 ? won[i] : -won[i])) / 2.0;
            }
        if (in >= IPR_REPORT_MIN_GAMES)
            ipr_paper_add_mean(points, x / (double)in, score, in);
    }
}

enum ipr_code ipr_paper_worth(struct ipr_paper_figure *f, struct ipr_err *err)
{
    struct ipr_err why = IPR_ERR_INIT;
    struct ipr_covariance_worth w;
    struct game_losses g;

    enum ipr_code rc = games_open(f, &g, err);
    double *sum = ipr_arena_alloc(f->context->v->mem, 2 * g.window.n + 1, sizeof *sum);
    double *won = sum + g.window.n;
    if (rc == IPR_OK && f->reason == NULL)
        rc = ipr_figure_settle(
            ipr_covariance_worth(&g.loss, g.window.games, g.window.n, sum, won, &w, &why), &why,
            f->context->v->mem, &f->reason, err);
    ipr_report_window_release(&g.window);
    if (rc != IPR_OK || f->reason != NULL)
        return rc;
    worth_add_curve(f, w.a);
    worth_add_games(f, sum, won, w.used);
    ipr_paper_add_constant(f, "a", w.a, w.interval_known ? w.interval : unknown);
    ipr_paper_add_constant(f, "ρ", w.best.rho, w.best.interval_known ? w.best.interval : unknown);
    return rc;
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
    struct ipr_err why = IPR_ERR_INIT;
    struct game_losses g;

    enum ipr_code rc = games_open(f, &g, err);
    if (rc == IPR_OK && f->reason == NULL)
        rc = ipr_figure_settle(ipr_covariance_surface(&g.loss, g.window.games, g.window.n, &s->grid,
                                                      s->point, &s->found, &why),
                               &why, f->context->v->mem, &f->reason, err);
    ipr_report_window_release(&g.window);
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
