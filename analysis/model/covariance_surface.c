#include "model/covariance_surface.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "model/covariance_gain.h"

/* |phi^n| and chances of S to leave the circle, that do not matter to a correlation. */
#define SURFACE_FLOOR 1e-10

/* Shared by the games on a circle of one size: memory, and G at its frequencies for every bound. */
struct circle {
    struct ipr_spectrum spectrum; /* n = 0: not yet made */
    double *g;                    /* [(n/2 + 1) * stride], a row a frequency */
};

/* Bounds are summed in blocks, side by side; a row is filled up with zeros. */
enum { BLOCK = 8, STRIDE_MAX = IPR_COVARIANCE_GRID_B + BLOCK };

enum { CIRCLES = 32 }; /* by the logarithm of their size */

/* Sums over games at one point; x is 2E - 1, r the result. */
struct sums {
    double x, xx, xr;
};

struct surface_work {
    const struct ipr_conformance_params *params;
    const struct ipr_conformance_game *games;
    const struct ipr_covariance_grid *grid;
    struct circle circles[CIRCLES];
    struct ipr_gain l[2]; /* White's and Black's losses in the game at hand */
    struct ipr_gain_turn *turns;
    struct sums *sums;  /* [n_n0 * n_b] */
    double *phi;        /* [2 room] */
    size_t room;        /* frequencies that phi holds */
    size_t stride;      /* n_b, up to a whole number of blocks */
    double r, rr, used; /* sums of the results */
    size_t excluded;
};

static enum ipr_code check_grid(const struct ipr_covariance_grid *g, struct ipr_err *err)
{
    bool good = g->n_n0 > 0 && g->n_b > 0 && g->n_b <= IPR_COVARIANCE_GRID_B;

    for (size_t i = 0; i < g->n_n0 && good; i++)
        good = g->n0[i] <= IPR_COVARIANCE_GRID_N0 && (i == 0 || g->n0[i] > g->n0[i - 1]);
    for (size_t k = 0; k < g->n_b && good; k++)
        good = g->b[k] >= 0.0 && isfinite(g->b[k]);
    return good ? IPR_OK : ipr_err_set(err, IPR_EINVAL, "covariance: malformed grid");
}

size_t ipr_covariance_side(const struct ipr_conformance_params *params,
                           const struct ipr_conformance_game *game, int side,
                           struct ipr_gain_turn *out)
{
    size_t n = 0;

    for (size_t i = 0; i < game->n; i++) {
        const struct ipr_turn *t = &game->turns[game->keep != NULL ? game->keep[i] : i];
        if ((t->mover != 0) == (side != 0) &&
            ipr_gain_turns(params, t, NULL, 1, &out[n], NULL) == IPR_OK)
            n++;
    }
    return n;
}

/* Losses of one side's turns into l; false when there is none. */
static bool side_losses(struct surface_work *w, const struct ipr_conformance_game *game, int side,
                        struct ipr_gain *l)
{
    const size_t n = ipr_covariance_side(w->params, game, side, w->turns);

    return ipr_gain_distribution(w->turns, NULL, n, l, NULL) == IPR_OK;
}

static struct circle *circle_of(struct surface_work *w, size_t n)
{
    size_t log_n = 0;
    struct circle *c;

    while ((size_t)1 << log_n < n)
        log_n++;
    c = &w->circles[log_n];
    if (c->spectrum.n == n)
        return c;
    ipr_spectrum_init(&c->spectrum, n);
    c->g = ipr_xcalloc(w->stride * (n / 2 + 1), sizeof *c->g);
    for (uint32_t j = 1; j <= n / 2; j++)
        for (size_t k = 0; k < w->grid->n_b; k++)
            ipr_spectrum_odd_step(n, &j, 1, ipr_covariance_bound(w->grid->b[k]),
                                  &c->g[j * w->stride + k]);
    return c;
}

static void release_circles(struct surface_work *w)
{
    for (size_t k = 0; k < CIRCLES; k++) {
        ipr_spectrum_release(&w->circles[k].spectrum);
        free(w->circles[k].g);
    }
}

/* Adds `more` copies; frequencies that have become negligible are removed. */
static void next_power(struct surface_work *w, struct ipr_spectrum *s, unsigned more)
{
    size_t kept = 0;

    for (size_t k = 0; k < s->active; k++) {
        double re = w->phi[2 * k];
        double im = w->phi[2 * k + 1];
        ipr_spectrum_power(&re, &im, more);
        const double x = s->re[k] * re - s->im[k] * im;
        const double y = s->re[k] * im + s->im[k] * re;
        if (!(x * x + y * y > SURFACE_FLOOR * SURFACE_FLOOR))
            continue;
        w->phi[2 * kept] = w->phi[2 * k];
        w->phi[2 * kept + 1] = w->phi[2 * k + 1];
        s->j[kept] = s->j[k];
        s->re[kept] = x;
        s->im[kept++] = y;
    }
    s->active = kept;
}

/* E g(S) for each bound at the present power: x of the sums. */
static void add_bounds(const struct surface_work *w, const struct ipr_spectrum *s, const double *g,
                       double result, struct sums *sums)
{
    double odd[STRIDE_MAX] = { 0 };

    for (size_t i = 0; i < s->active; i++) {
        const double *row = &g[s->j[i] * w->stride];
        const double im = s->im[i];
        for (size_t k = 0; k < w->stride; k += BLOCK)
            for (size_t l = k; l < k + BLOCK; l++)
                odd[l] += im * row[l];
    }
    for (size_t k = 0; k < w->grid->n_b; k++) {
        const double x = fmax(-1.0, fmin(1.0, -8.0 / (double)s->n * odd[k]));
        sums[k].x += x;
        sums[k].xx += x * x;
        sums[k].xr += x * result;
    }
}

static void surface_add_game(struct surface_work *w, const struct ipr_conformance_game *game)
{
    const struct ipr_covariance_grid *grid = w->grid;
    const unsigned most = grid->n0[grid->n_n0 - 1] + 1;
    struct circle *c;
    struct ipr_spectrum *s;

    if (!side_losses(w, game, 0, &w->l[0]) || !side_losses(w, game, 1, &w->l[1])) {
        w->excluded++;
        return;
    }
    w->used += 1.0;
    w->r += game->result;
    w->rr += game->result * game->result;
    c = circle_of(w, ipr_spectrum_size(&w->l[0], &w->l[1], most, SURFACE_FLOOR));
    s = &c->spectrum;
    ipr_spectrum_fill(s, w->l[0].share, w->l[0].top, w->l[1].share, w->l[1].top, grid->n0[0] + 1,
                      SURFACE_FLOOR);
    /* Keeps phi, for the powers to come, and starts with the first. */
    if (s->active > w->room) {
        w->room = s->active;
        w->phi = ipr_xrealloc(w->phi, 2 * w->room, sizeof *w->phi);
    }
    for (size_t k = 0; k < s->active; k++) {
        w->phi[2 * k] = s->re[k];
        w->phi[2 * k + 1] = s->im[k];
        ipr_spectrum_power(&s->re[k], &s->im[k], grid->n0[0] + 1);
    }
    for (size_t i = 0; i < grid->n_n0; i++) {
        if (i > 0)
            next_power(w, s, grid->n0[i] - grid->n0[i - 1]);
        add_bounds(w, s, c->g, game->result, &w->sums[i * grid->n_b]);
    }
}

static struct ipr_covariance_point surface_point_of(const struct surface_work *w,
                                                    const struct sums *s)
{
    const double xx = s->xx - s->x * s->x / w->used;
    const double rr = w->rr - w->r * w->r / w->used;
    const double xr = s->xr - s->x * w->r / w->used;

    /* x is within [-1, 1] and right to 1e-9. */
    if (!(xx > 1e-16 * w->used))
        return (struct ipr_covariance_point){ 0 };
    return (struct ipr_covariance_point){ .known = true,
                                          .rho = fmax(-1.0, fmin(1.0, xr / sqrt(xx) / sqrt(rr))),
                                          .mean = s->x / w->used,
                                          .sd = sqrt(xx / w->used),
                                          .beta = xr / xx,
                                          .alpha = (w->r - xr / xx * s->x) / w->used };
}

/* Predictions of the games at one point again, for its interval. */
static void set_best(struct surface_work *w, size_t n, size_t at,
                     struct ipr_covariance_surface *out)
{
    const struct ipr_covariance_grid one = { .n0 = &w->grid->n0[at / w->grid->n_b],
                                             .n_n0 = 1,
                                             .b = &w->grid->b[at % w->grid->n_b],
                                             .n_b = 1 };
    struct surface_work again = {
        .params = w->params, .grid = &one, .turns = w->turns, .stride = BLOCK
    };
    struct sums sums = { 0 };
    double *x = ipr_xcalloc(2 * n, sizeof *x);
    size_t used = 0;

    again.sums = &sums;
    for (size_t i = 0; i < n; i++) {
        const double before = again.used;
        sums = (struct sums){ 0 };
        surface_add_game(&again, &w->games[i]);
        if (!(again.used > before))
            continue;
        x[used] = sums.x;
        x[n + used++] = w->games[i].result;
    }
    out->best_n0 = one.n0[0];
    out->best_b = one.b[0];
    out->known = ipr_stats_correlation(x, x + n, NULL, used, &out->best, NULL) == IPR_OK;
    free(x);
    free(again.phi);
    release_circles(&again);
}

static size_t most_turns(const struct ipr_conformance_game *games, size_t n)
{
    size_t most = 0;

    for (size_t i = 0; i < n; i++)
        if (games[i].n > most)
            most = games[i].n;
    return most;
}

static enum ipr_code check_games(const struct surface_work *w, struct ipr_err *err)
{
    if (w->used < 3.0)
        return ipr_err_set(err, IPR_EDATA,
                           "three games with moves of both sides are needed, there are %.0f",
                           w->used);
    if (!(w->rr - w->r * w->r / w->used > 1e-9))
        return ipr_err_set(err, IPR_EDATA, "all these games ended alike");
    return IPR_OK;
}

static void write_points(struct surface_work *w, size_t n, struct ipr_covariance_point *point,
                         struct ipr_covariance_surface *out)
{
    const size_t points = w->grid->n_n0 * w->grid->n_b;
    size_t best = points;

    for (size_t i = 0; i < points; i++) {
        point[i] = surface_point_of(w, &w->sums[i]);
        /* An advantage below the rounding error does not count. */
        if (point[i].known && (best == points || point[i].rho > point[best].rho + 1e-9))
            best = i;
    }
    *out = (struct ipr_covariance_surface){ .used = (size_t)w->used, .excluded = w->excluded };
    if (best < points)
        set_best(w, n, best, out);
}

enum ipr_code ipr_covariance_surface(const struct ipr_conformance_params *params,
                                     const struct ipr_conformance_game *games, size_t n,
                                     const struct ipr_covariance_grid *grid,
                                     struct ipr_covariance_point *point,
                                     struct ipr_covariance_surface *out, struct ipr_err *err)
{
    struct surface_work *w;
    enum ipr_code rc = check_grid(grid, err);

    if (rc == IPR_OK && (!(params->k1 > 0.0) || !(params->k2 < 0.0)))
        rc = ipr_err_set(err, IPR_EINVAL, "covariance: k1=%g k2=%g", params->k1, params->k2);
    if (rc != IPR_OK)
        return rc;
    w = ipr_xcalloc(1, sizeof *w);
    w->params = params;
    w->games = games;
    w->grid = grid;
    w->stride = (grid->n_b + BLOCK - 1) / BLOCK * BLOCK;
    w->turns = ipr_xcalloc(most_turns(games, n) + 1, sizeof *w->turns);
    w->sums = ipr_xcalloc(grid->n_n0 * grid->n_b, sizeof *w->sums);
    for (size_t i = 0; i < n && rc == IPR_OK; i++) {
        if (grid->go_on != NULL && !grid->go_on(grid->arg))
            rc = ipr_err_set(err, IPR_ERETRY, "stopped");
        else
            surface_add_game(w, &games[i]);
    }
    if (rc == IPR_OK)
        rc = check_games(w, err);
    if (rc == IPR_OK)
        write_points(w, n, point, out);
    release_circles(w);
    free(w->turns);
    free(w->sums);
    free(w->phi);
    free(w);
    return rc;
}
