#include "model/conformance_game.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "stats/solve.h"

/* p_w - p_b of one game; false when a side has no turn. */
static bool game_difference(const struct ipr_conformance_params *params,
                            const struct ipr_conformance_game *g, double x, double *p)
{
    double hits[2] = { 0.0, 0.0 };
    double turns[2] = { 0.0, 0.0 };

    for (size_t i = 0; i < g->n; i++) {
        const struct ipr_turn *t = &g->turns[g->keep != NULL ? g->keep[i] : i];
        const struct ipr_judged j = ipr_judged(t, params->order);
        const int side = t->mover != 0;
        turns[side] += 1.0;
        if (ipr_loss(params, j.best_cp, j.played_cp) <= x + 1e-9)
            hits[side] += 1.0;
    }
    if (!(turns[0] > 0.0 && turns[1] > 0.0))
        return false;
    *p = hits[0] / turns[0] - hits[1] / turns[1];
    return true;
}

size_t ipr_conformance_differences(const struct ipr_conformance_params *params,
                                   const struct ipr_conformance_game *games, size_t n, double x,
                                   double *p, double *r)
{
    size_t used = 0;

    for (size_t i = 0; i < n; i++)
        if (game_difference(params, &games[i], x, &p[used]))
            r[used++] = games[i].result;
    return used;
}

static void fill_point(const double *p, const double *r, size_t used,
                       struct ipr_conformance_point *point)
{
    struct ipr_line line;

    *point = (struct ipr_conformance_point){ .x = point->x };
    if (ipr_stats_pearson(p, r, used, &point->rho, NULL) != IPR_OK ||
        ipr_stats_line(p, r, NULL, used, &line, NULL) != IPR_OK) {
        point->rho = 0.0;
        return;
    }
    point->beta = line.b;
    point->alpha = line.a;
    point->known = true;
}

static enum ipr_code conformance_game_check_params(const struct ipr_conformance_params *p,
                                                   struct ipr_err *err)
{
    if (p->k1 > 0.0 && p->k2 < 0.0)
        return IPR_OK;
    return ipr_err_set(err, IPR_EINVAL, "conformance: k1=%g k2=%g", p->k1, p->k2);
}

enum ipr_code ipr_conformance_curve(const struct ipr_conformance_params *params,
                                    const struct ipr_conformance_game *games, size_t n,
                                    struct ipr_conformance_point *points, size_t m, size_t *used,
                                    struct ipr_err *err)
{
    double *p = ipr_xcalloc(2 * n + 1, sizeof *p);
    double *r = p + n;
    enum ipr_code rc = conformance_game_check_params(params, err);
    size_t count = 0;

    if (rc == IPR_OK) {
        count = ipr_conformance_differences(params, games, n, 0.0, p, r);
        if (count < 3)
            rc = ipr_err_set(err, IPR_EDATA,
                             "three games with moves of both sides are needed, there are %zu",
                             count);
    }
    for (size_t i = 0; i < m && rc == IPR_OK; i++) {
        ipr_conformance_differences(params, games, n, points[i].x, p, r);
        fill_point(p, r, count, &points[i]);
    }
    if (rc == IPR_OK && used != NULL)
        *used = count;
    free(p);
    return rc;
}

static void fill_line(const double *v, const double *loss, size_t n, struct ipr_loss_line *out)
{
    struct ipr_line line;

    *out = (struct ipr_loss_line){ .n = n };
    if (ipr_stats_line(v, loss, NULL, n, &line, NULL) != IPR_OK)
        return;
    out->known = line.b > 0.0 || line.b < 0.0; /* a level line has no b/a */
    if (!out->known)
        return;
    out->a = line.b;
    out->b = line.a;
    out->b_over_a = line.a / line.b;
}

void ipr_conformance_loss_lines(const struct ipr_turn *turns, const size_t *keep, size_t n,
                                enum ipr_played_order order, struct ipr_loss_line *positive,
                                struct ipr_loss_line *negative)
{
    double *v = ipr_xcalloc(4 * n + 1, sizeof *v);
    double *loss = v + n;
    double *v_neg = v + 2 * n;
    double *loss_neg = v + 3 * n;
    size_t pos = 0;
    size_t neg = 0;

    for (size_t i = 0; i < n; i++) {
        const struct ipr_judged j = ipr_judged(&turns[keep != NULL ? keep[i] : i], order);
        if (j.played_cp >= j.best_cp)
            continue;
        if (j.best_cp > 0) {
            v[pos] = j.best_cp / 100.0;
            loss[pos++] = (j.best_cp - j.played_cp) / 100.0;
        } else if (j.best_cp < 0) {
            v_neg[neg] = j.best_cp / 100.0;
            loss_neg[neg++] = (j.best_cp - j.played_cp) / 100.0;
        }
    }
    fill_line(v, loss, pos, positive);
    fill_line(v_neg, loss_neg, neg, negative);
    free(v);
}

/* Search for k1 and k2, in logarithms so that their signs are fixed. */
struct k_search {
    const struct ipr_conformance_game *games;
    size_t n;
    double x;
    enum ipr_played_order order;
    double *p;       /* [2n] */
    double start[2]; /* ln k1, ln -k2 */
};

/* k from 0.01 to 100 pawns, as predictions take it. */
#define LOG_K_MAX 4.605170185988091

/* NaN if p or the result is the same in all games. */
static double rho_of(const double *log_k, const struct k_search *s, size_t *used)
{
    const struct ipr_conformance_params params = {
        .loss = IPR_LOSS_WEIGHTED, .k1 = exp(log_k[0]), .k2 = -exp(log_k[1]), .order = s->order
    };
    double rho;

    *used = ipr_conformance_differences(&params, s->games, s->n, s->x, s->p, s->p + s->n);
    return ipr_stats_pearson(s->p, s->p + s->n, *used, &rho, NULL) == IPR_OK ? rho : NAN;
}

static double minus_rho(const double *log_k, size_t dim, void *arg)
{
    const struct k_search *s = arg;
    size_t used;

    (void)dim;
    if (!(fabs(log_k[0]) < LOG_K_MAX && fabs(log_k[1]) < LOG_K_MAX))
        return INFINITY;
    const double rho = rho_of(log_k, s, &used);
    if (isnan(rho))
        return INFINITY;
    /* On a constant step the simplex would not converge: a small slope is added. */
    return -rho + 1e-9 * (pow(log_k[0] - s->start[0], 2.0) + pow(log_k[1] - s->start[1], 2.0));
}

#define CHI2_95 3.841459 /* of one degree of freedom */

/* True if a k at an end of its range fits so much worse that it is excluded. */
static bool end_is_excluded(const struct k_search *s, const double best[2], int which, double end)
{
    double k[2] = { best[0], best[1] };
    size_t used;

    const double rho = rho_of(k, s, &used);
    k[which] = end;
    const double at_end = rho_of(k, s, &used);
    return isnan(at_end) ||
           (at_end < rho && (double)used * (log1p(-at_end * at_end) - log1p(-rho * rho)) > CHI2_95);
}

enum ipr_code ipr_conformance_fit_k(const struct ipr_conformance_game *games, size_t n, double x,
                                    struct ipr_conformance_params *params, double *rho,
                                    bool known[2], struct ipr_err *err)
{
    static const double starts[][2] = { { 0.75, 3.3 }, { 1.44, 3.53 }, { 0.3, 1.0 }, { 4.0, 8.0 } };
    struct k_search s = { games,       n, x, params->order, ipr_xcalloc(2 * n + 1, sizeof(double)),
                          { 0.0, 0.0 } };
    double best = INFINITY;

    for (size_t i = 0; i < sizeof starts / sizeof starts[0]; i++) {
        double k[2] = { log(starts[i][0]), log(starts[i][1]) };
        double value = INFINITY;
        s.start[0] = k[0];
        s.start[1] = k[1];
        if (!isfinite(minus_rho(k, 2, &s)) ||
            ipr_solve_simplex(minus_rho, &s, 0.5, 1e-3, 2, k, &value, NULL, NULL) != IPR_OK ||
            !(value < best))
            continue;
        best = value;
        params->loss = IPR_LOSS_WEIGHTED;
        params->k1 = exp(k[0]);
        params->k2 = -exp(k[1]);
    }
    if (isfinite(best)) {
        const double at[2] = { log(params->k1), log(-params->k2) };

        *rho = fmax(-1.0, fmin(1.0, -best));
        for (int i = 0; i < 2; i++)
            known[i] =
                end_is_excluded(&s, at, i, -LOG_K_MAX) && end_is_excluded(&s, at, i, LOG_K_MAX);
    }
    free(s.p);
    return isfinite(best)
               ? IPR_OK
               : ipr_err_set(err, IPR_EDATA, "these games do not tell conformance from results");
}
