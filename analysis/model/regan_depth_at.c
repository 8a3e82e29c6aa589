/* Likelihood of turns with every depth at one point, and its gradient. */
#include "model/regan_depth_set.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "model/regan_prob.h"
#include "model/regan_set.h"
#include "stats/sum.h"

#define LOG_FLOOR (-690.7755278982137) /* ln 1e-300 */

void ipr_rh_depth_task_init(struct ipr_rh_depth_task *task, const struct ipr_rh_depth_set *set)
{
    const size_t slots = IPR_BLOCK * set->blocks;

    task->set = set;
    task->y = ipr_xcalloc(3 * set->distinct, sizeof *task->y);
    task->ds = task->y + set->distinct;
    task->dc = task->ds + set->distinct;
    task->log_l = ipr_xcalloc(slots, sizeof *task->log_l);
    for (size_t i = 0; i < slots; i++)
        task->log_l[i] = NAN;
    task->score = ipr_xcalloc(set->games * (2U + set->depths), sizeof *task->score);
    task->spread = ipr_xcalloc((2U + set->depths) * (2U + set->depths), sizeof *task->spread);
}

void ipr_rh_depth_task_release(struct ipr_rh_depth_task *task)
{
    free(task->y);
    free(task->log_l);
    free(task->score);
    free(task->spread);
}

/* y = e^-z of every difference, and its derivatives. */
static void at_curves(struct ipr_rh_depth_task *task, double log_s, double log_c, bool gradient)
{
    const struct ipr_rh_depth_set *s = task->set;
    const struct ipr_curves out = { task->y, task->ds, task->dc };

    ipr_lanes_best()->curve(s->log_delta, s->distinct / IPR_BLOCK, log_s, exp(log_c), gradient,
                            &out);
    for (size_t k = 0; k < s->distinct; k++) {
        task->y[k] = exp(-task->y[k]);
        if (gradient) {
            task->ds[k] *= -task->y[k];
            task->dc[k] *= -task->y[k];
        }
    }
}

enum { AT_ROOM = IPR_BLOCK * IPR_RH_ENTRIES_MAX };

/* A block at one point. The solver wants the likeliest move first: entries 0 and best[lane] have
 * changed places in g, count, p and w, not in y. */
struct at_point {
    double y[AT_ROOM];
    double g[AT_ROOM], p[AT_ROOM], w[AT_ROOM];
    float count[AT_ROOM];
    size_t best[IPR_BLOCK];
};

/* The depths in use. */
struct depths {
    unsigned n;
    unsigned d[IPR_RH_DEPTHS_MAX];
};

static struct depths depths_of(const double *w, unsigned depths, bool all)
{
    struct depths out = { 0 };

    for (unsigned d = 0; d < depths; d++)
        if (all || w[d] > 0.0)
            out.d[out.n++] = d;
    return out;
}

/* sum_d w_d x(delta_(i,d)) of every entry. */
static void at_mix(const struct ipr_rh_depth_block *b, unsigned depths, const struct depths *of,
                   const double *w, const double *x, double *out)
{
    memset(out, 0, IPR_BLOCK * b->n * sizeof *out);
    for (size_t i = 0; i < b->n; i++)
        for (unsigned k = 0; k < of->n; k++) {
            const uint32_t *at = &b->at[IPR_BLOCK * (i * depths + of->d[k])];
            const double wd = w[of->d[k]];
            for (size_t lane = 0; lane < IPR_BLOCK; lane++)
                out[IPR_BLOCK * i + lane] += wd * x[at[lane]];
        }
}

static size_t at_moved_score(const struct at_point *a, size_t i, size_t lane)
{
    if (i == 0)
        return a->best[lane];
    return i == a->best[lane] ? 0 : i;
}

static void open_lists(const struct ipr_rh_depth_block *b, struct at_point *a)
{
    for (size_t lane = 0; lane < IPR_BLOCK; lane++) {
        double log_best;

        a->best[lane] = 0;
        for (size_t i = 1; i < b->n; i++)
            if (b->count[IPR_BLOCK * i + lane] > 0.0F &&
                a->y[IPR_BLOCK * i + lane] > a->y[IPR_BLOCK * a->best[lane] + lane])
                a->best[lane] = i;
        log_best = log(a->y[IPR_BLOCK * a->best[lane] + lane]);
        for (size_t i = 0; i < b->n; i++) {
            const size_t from = IPR_BLOCK * at_moved_score(a, i, lane) + lane;
            const bool own = b->count[from] > 0.0F;
            a->count[IPR_BLOCK * i + lane] = b->count[from];
            a->g[IPR_BLOCK * i + lane] = 0.0;
            if (own && i > 0)
                a->g[IPR_BLOCK * i + lane] = a->y[from] > 0.0 ? log_best - log(a->y[from]) : 1e6;
        }
    }
}

/* ln p of the move played in a lane, and u = L/y of it: d ln p = -u d ln(1/y) + ...; 0 where the
 * likelihood does not move. */
static double log_played(const struct ipr_rh_depth_block *b, const struct at_point *a, size_t lane,
                         double log_l, double *u)
{
    const size_t k = at_moved_score(a, b->played[lane], lane);
    double log_p = k == 0 ? 0.0 : -INFINITY;

    *u = 0.0;
    if (isfinite(log_l))
        log_p = -exp(log_l + a->g[IPR_BLOCK * k + lane]);
    if (!(log_p > LOG_FLOOR))
        return LOG_FLOOR;
    if (isfinite(log_l))
        *u = -log_p;
    return log_p;
}

/* coefficient[i] = d ln p_played / dy_i of one lane, the count of the entry included. */
static void at_coefficients(const struct ipr_rh_depth_block *b, const struct at_point *a,
                            size_t lane, double u, double *coefficient)
{
    double total = 0.0;

    for (size_t i = 0; i < b->n; i++)
        total += a->count[IPR_BLOCK * i + lane] * a->w[IPR_BLOCK * i + lane];
    for (size_t i = 0; i < b->n; i++) {
        const size_t k = IPR_BLOCK * at_moved_score(a, i, lane) + lane;
        const double y = a->y[IPR_BLOCK * i + lane];
        const double own = i == b->played[lane] ? 1.0 : 0.0;

        coefficient[IPR_BLOCK * i + lane] = a->count[k] > 0.0F && y > 0.0 && total > 0.0
                                                ? u / y * (own - a->count[k] * a->w[k] / total)
                                                : 0.0;
    }
}

/* Gradients of a block's turns, lanes, by ln s, ln c and the weights. */
static void at_gradients(const struct ipr_rh_depth_task *task, const struct ipr_rh_depth_block *b,
                         const struct depths *active, const struct depths *wanted, const double *w,
                         const double *coefficient, double *sum)
{
    const unsigned depths = task->set->depths;
    double of_s[AT_ROOM];
    double of_c[AT_ROOM];

    at_mix(b, depths, active, w, task->ds, of_s);
    at_mix(b, depths, active, w, task->dc, of_c);
    for (size_t i = 0; i < b->n; i++) {
        const double *k = &coefficient[IPR_BLOCK * i];

        for (size_t lane = 0; lane < IPR_BLOCK; lane++) {
            sum[lane] += k[lane] * of_s[IPR_BLOCK * i + lane];
            sum[IPR_BLOCK + lane] += k[lane] * of_c[IPR_BLOCK * i + lane];
        }
        for (unsigned j = 0; j < wanted->n; j++) {
            const uint32_t *at = &b->at[IPR_BLOCK * (i * depths + wanted->d[j])];
            double *out = &sum[IPR_BLOCK * (2 + wanted->d[j])];
            for (size_t lane = 0; lane < IPR_BLOCK; lane++)
                out[lane] += k[lane] * task->y[at[lane]];
        }
    }
}

/* Adds them to their games, and their products. */
static void add_gradients(struct ipr_rh_depth_task *task, const struct ipr_rh_depth_block *b,
                          const double *sum, bool spread)
{
    const size_t m = 2U + task->set->depths;

    for (size_t lane = 0; lane < b->turns; lane++)
        for (size_t k = 0; k < m; k++) {
            const double x = sum[IPR_BLOCK * k + lane];
            task->score[b->game[lane] * m + k] += x;
            for (size_t j = 0; spread && j <= k; j++)
                task->spread[m * k + j] += x * sum[IPR_BLOCK * j + lane];
        }
}

double ipr_rh_depth_at(struct ipr_rh_depth_task *task, double log_s, double log_c, const double *w,
                       int want)
{
    const struct ipr_rh_depth_set *s = task->set;
    const struct depths active = depths_of(w, s->depths, false);
    const struct depths wanted = depths_of(w, s->depths, (want & IPR_RH_DEPTH_ALL) != 0);
    struct ipr_sum loglik = { 0 };
    struct at_point a;

    at_curves(task, log_s, log_c, want != 0);
    if (want != 0) {
        const size_t m = 2U + task->set->depths;

        memset(task->score, 0, task->set->games * m * sizeof *task->score);
        memset(task->spread, 0, m * m * sizeof *task->spread);
    }
    for (size_t i = 0; i < s->blocks; i++) {
        const struct ipr_rh_depth_block *b = &s->block[i];
        double *log_l = &task->log_l[IPR_BLOCK * i];
        double coefficient[AT_ROOM];
        double sum[IPR_BLOCK * (2 + IPR_RH_DEPTHS_MAX)] = { 0 };

        at_mix(b, s->depths, &active, w, task->y, a.y);
        open_lists(b, &a);
        ipr_lanes_best()->solve(a.g, a.count, b->log_log_moves, b->n, log_l, a.p, a.w);
        for (size_t lane = 0; lane < IPR_BLOCK; lane++) {
            double u = 0.0;
            if (lane < b->turns)
                ipr_sum_add(&loglik, log_played(b, &a, lane, log_l[lane], &u));
            if (want != 0)
                at_coefficients(b, &a, lane, u, coefficient);
        }
        if (want == 0)
            continue;
        at_gradients(task, b, &active, &wanted, w, coefficient, sum);
        add_gradients(task, b, sum, (want & IPR_RH_DEPTH_SPREAD) != 0);
    }
    return ipr_sum_value(&loglik);
}
