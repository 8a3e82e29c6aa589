#include "model/regan_estimate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "stats/sum.h"

void ipr_rh_task_init(struct ipr_rh_task *task, const struct ipr_rh_set *set,
                      const struct ipr_rh_fit_options *options)
{
    const size_t slots = set->blocks * IPR_BLOCK;

    memset(task, 0, sizeof *task);
    task->set = set;
    task->kind = options->kind;
    task->random_share = options->kind == IPR_RH_RMLE ? options->random_share : 0.0;
    task->stride = 1;
    task->weight = ipr_xcalloc(4 * slots, sizeof *task->weight);
    task->warm = ipr_xcalloc(1, sizeof *task->warm);
    task->warm->log_l = task->weight + slots;
    task->warm->dlog_l[0] = task->weight + 2 * slots;
    task->warm->dlog_l[1] = task->weight + 3 * slots;
    for (size_t i = 0; i < slots; i++)
        task->warm->log_l[i] = NAN;
    ipr_rh_task_weigh(task, NULL);
}

void ipr_rh_task_release(struct ipr_rh_task *task)
{
    free(task->weight);
    free(task->warm);
    task->weight = NULL;
    task->warm = NULL;
}

void ipr_rh_task_weigh(struct ipr_rh_task *task, const double *weight)
{
    struct ipr_sum sum[3] = { 0 };

    task->weighted = weight != NULL;
    for (size_t t = 0; t < task->set->n; t++) {
        const struct ipr_rh_turn *turn = &task->set->turns[t];
        const double w = weight != NULL ? weight[turn->game] : 1.0;
        task->weight[turn->slot] = w;
        ipr_sum_add(&sum[0], w);
        if (turn->position == 0)
            ipr_sum_add(&sum[1], w);
        ipr_sum_add(&sum[2], w * ipr_rh_played_delta(task->set, t));
    }
    task->turns = ipr_sum_value(&sum[0]);
    task->mm_a = ipr_sum_value(&sum[1]) / task->turns;
    task->ad_a = ipr_sum_value(&sum[2]) / task->turns;
}

static bool point_inside(const double x[2])
{
    return ipr_rh_in_domain(exp(x[0]), exp(x[1]));
}

/* A block at x. The searches for ln L start from where it was, moved along its derivatives. */
static void block_at(const struct ipr_rh_task *task, size_t b, const double x[2], int want,
                     struct ipr_rh_lanes *at)
{
    struct ipr_rh_warm *warm = task->warm;
    const size_t slot = b * IPR_BLOCK;

    for (size_t i = 0; i < IPR_BLOCK; i++)
        at->log_l[i] = warm->log_l[slot + i] + warm->dlog_l[0][slot + i] * (x[0] - warm->x[0]) +
                       warm->dlog_l[1][slot + i] * (x[1] - warm->x[1]);
    ipr_rh_block_at(task->set, b, x[0], x[1], want, NULL, at);
    memcpy(&warm->log_l[slot], at->log_l, sizeof at->log_l);
    for (int k = 0; k < 2 && (want & IPR_RH_WANT_GRADIENT); k++)
        memcpy(&warm->dlog_l[k][slot], at->dlog_l[k], sizeof at->dlog_l[k]);
}

/* All blocks have been at x. */
static void task_move(const struct ipr_rh_task *task, const double x[2])
{
    memcpy(task->warm->x, x, sizeof task->warm->x);
}

/* Sum over the lanes of weight times value. */
static double lane_weighted(const double *weight, const double *value)
{
    double s = 0.0;

    for (size_t i = 0; i < IPR_BLOCK; i++)
        s += weight[i] > 0.0 ? weight[i] * value[i] : 0.0;
    return s;
}

int ipr_rh_moments_f(const double x[2], double f[2], double j[4], void *arg)
{
    const struct ipr_rh_task *task = arg;
    const int want = IPR_RH_WANT_LOSS | (j != NULL ? IPR_RH_WANT_GRADIENT : 0);
    struct ipr_sum sum[6] = { 0 };

    if (!point_inside(x))
        return 1;
    for (size_t b = 0; b < task->set->blocks; b++) {
        const double *w = &task->weight[b * IPR_BLOCK];
        struct ipr_rh_lanes at;

        block_at(task, b, x, want, &at);
        ipr_sum_add(&sum[0], lane_weighted(w, at.p0));
        ipr_sum_add(&sum[1], lane_weighted(w, at.loss));
        for (int k = 0; k < 2 && j != NULL; k++) {
            ipr_sum_add(&sum[2 + k], lane_weighted(w, at.dp0[k]));
            ipr_sum_add(&sum[4 + k], lane_weighted(w, at.dloss[k]));
        }
    }
    task_move(task, x);
    f[0] = ipr_sum_value(&sum[0]) / task->turns - task->mm_a;
    f[1] = ipr_sum_value(&sum[1]) / task->turns - task->ad_a;
    for (int k = 0; k < 4 && j != NULL; k++)
        j[k] = ipr_sum_value(&sum[2 + k]) / task->turns;
    return 0;
}

/* ln p of the move played in a lane, of the mixture when there is one, and its gradient. */
static double turn_log_likelihood(const struct ipr_rh_task *task, size_t t, size_t lane,
                                  const struct ipr_rh_lanes *at, double g[2])
{
    const double e = task->random_share;
    const double mixed = (1.0 - e) * at->own[lane] + e / (double)task->set->turns[t].legal;

    if (g != NULL)
        for (int k = 0; k < 2; k++)
            g[k] = mixed > 1e-300 ? (1.0 - e) * at->down[k][lane] / mixed : 0.0;
    return e > 0.0 ? log(mixed) : at->log_own[lane];
}

double ipr_rh_deviance(const double x[2], double g[2], void *arg)
{
    const struct ipr_rh_task *task = arg;
    const int want = IPR_RH_WANT_LOG | (g != NULL ? IPR_RH_WANT_GRADIENT : 0);
    struct ipr_sum sum[3] = { 0 };

    if (!point_inside(x)) {
        if (g != NULL)
            g[0] = g[1] = 0.0;
        return INFINITY;
    }
    for (size_t b = 0; b < task->set->blocks; b++) {
        struct ipr_rh_lanes at;

        block_at(task, b, x, want, &at);
        for (size_t lane = 0; lane < IPR_BLOCK; lane++) {
            const size_t slot = b * IPR_BLOCK + lane;
            const double w = task->weight[slot];
            double u[2] = { 0.0, 0.0 };

            if (!(w > 0.0))
                continue;
            ipr_sum_add(&sum[0], w * turn_log_likelihood(task, task->set->slot_turn[slot], lane,
                                                         &at, g != NULL ? u : NULL));
            ipr_sum_add(&sum[1], w * u[0]);
            ipr_sum_add(&sum[2], w * u[1]);
        }
    }
    task_move(task, x);
    for (int k = 0; k < 2 && g != NULL; k++)
        g[k] = -ipr_sum_value(&sum[1 + k]) / task->turns;
    return -ipr_sum_value(&sum[0]) / task->turns;
}

double ipr_rh_mixture_slope(const struct ipr_rh_task *task, const double x[2], double *games)
{
    const int want = IPR_RH_WANT_LOG | (games != NULL ? IPR_RH_WANT_GRADIENT : 0);
    const double e = task->random_share;
    struct ipr_sum slope = { 0 };

    for (size_t b = 0; b < task->set->blocks; b++) {
        struct ipr_rh_lanes at;

        block_at(task, b, x, want, &at);
        for (size_t lane = 0; lane < IPR_BLOCK; lane++) {
            const uint32_t t = task->set->slot_turn[b * IPR_BLOCK + lane];
            double u[3] = { 0.0, 0.0, 0.0 };

            if (t == IPR_RH_NO_TURN)
                continue;
            const double any = 1.0 / (double)task->set->turns[t].legal;
            u[2] = (any - at.own[lane]) / fmax((1.0 - e) * at.own[lane] + e * any, 1e-300);
            ipr_sum_add(&slope, u[2]);
            if (games == NULL)
                continue;
            turn_log_likelihood(task, t, lane, &at, u);
            for (size_t k = 0; k < 3; k++)
                games[3 * (size_t)task->set->turns[t].game + k] += u[k];
        }
    }
    task_move(task, x);
    return ipr_sum_value(&slope);
}

static double lane_sum(const double *x)
{
    double s = 0.0;

    for (size_t i = 0; i < IPR_BLOCK; i++)
        s += x[i];
    return s;
}

int ipr_rh_quantiles(const double x[2], double *r, double *jac, void *arg)
{
    const struct ipr_rh_task *task = arg;
    const int want = jac != NULL ? IPR_RH_WANT_GRADIENT : 0;
    double lane_r[IPR_BLOCK * IPR_RH_QUANTILES] = { 0 };
    double lane_jac[2 * IPR_BLOCK * IPR_RH_QUANTILES] = { 0 };
    double turns = 0.0;

    if (!point_inside(x))
        return 1;
    for (size_t b = task->stride / 2; b < task->set->blocks; b += task->stride) {
        const double *w = &task->weight[b * IPR_BLOCK];
        struct ipr_rh_lanes at;

        block_at(task, b, x, want, &at);
        task->set->lanes->quantiles(&at, w, IPR_RH_QUANTILES, lane_r,
                                    jac != NULL ? lane_jac : NULL);
        turns += lane_sum(w);
    }
    task_move(task, x);
    for (size_t i = 0; i < IPR_RH_QUANTILES; i++)
        r[i] = lane_sum(&lane_r[IPR_BLOCK * i]) / turns - 0.05 * (double)(i + 1);
    for (size_t i = 0; i < 2 * IPR_RH_QUANTILES && jac != NULL; i++)
        jac[i] = lane_sum(&lane_jac[IPR_BLOCK * i]) / turns;
    return 0;
}

double ipr_rh_percentile_s(const double *x, size_t n, void *arg)
{
    double r[IPR_RH_QUANTILES];
    double s = 0.0;

    (void)n;
    if (ipr_rh_quantiles(x, r, NULL, arg) != 0)
        return INFINITY;
    for (int i = 0; i < IPR_RH_QUANTILES; i++)
        s += r[i] * r[i];
    return s;
}

/* Shares 'up' of the turn in one lane, less the quantiles, through J' into u. */
static void percentile_score(const struct ipr_rh_lanes *at, size_t lane, const double *jac,
                             double u[2])
{
    const double upto = at->below[lane] + at->own[lane];

    for (int i = 0; i < IPR_RH_QUANTILES; i++) {
        const double q = 0.05 * (i + 1);
        double up = upto <= q ? 1.0 : 0.0;
        if (at->below[lane] < q && q < upto)
            up = (q - at->below[lane]) / at->own[lane];
        for (int k = 0; k < 2; k++)
            u[k] += jac[2 * i + k] * (up - q);
    }
}

/* The estimating function of turn t, which is in this lane. `jac` is that of the quantiles. */
static void turn_estimating(const struct ipr_rh_task *task, size_t t, size_t lane,
                            const struct ipr_rh_lanes *at, const double *jac, double u[2])
{
    u[0] = u[1] = 0.0;
    switch (task->kind) {
    case IPR_RH_MOMENTS:
        u[0] = at->p0[lane] - (task->set->turns[t].position == 0 ? 1.0 : 0.0);
        u[1] = at->loss[lane] - ipr_rh_played_delta(task->set, t);
        break;
    case IPR_RH_PERCENTILE:
        percentile_score(at, lane, jac, u);
        break;
    case IPR_RH_MLE:
    case IPR_RH_RMLE:
    default:
        turn_log_likelihood(task, t, lane, at, u);
        break;
    }
}

/* A = mean derivative of the estimating function; false when it cannot be computed. */
static bool task_bread(const struct ipr_rh_task *task, const double x[2], double *jac, double a[4])
{
    struct ipr_rh_task own = *task;
    double f[2];
    double r[IPR_RH_QUANTILES];

    if (task->kind == IPR_RH_MOMENTS)
        return ipr_rh_moments_f(x, f, a, &own) == 0;
    if (task->kind == IPR_RH_PERCENTILE) {
        if (ipr_rh_quantiles(x, r, jac, &own) != 0)
            return false;
        memset(a, 0, 4 * sizeof *a);
        for (int i = 0; i < IPR_RH_QUANTILES; i++)
            for (int k = 0; k < 4; k++)
                a[k] += jac[2 * i + k / 2] * jac[2 * i + k % 2];
        return true;
    }
    /* Hessian of the mean log likelihood by central differences of its gradient. */
    for (int k = 0; k < 2; k++) {
        const double h = 1e-4;
        double up[2] = { x[0], x[1] };
        double down[2] = { x[0], x[1] };
        double gu[2];
        double gd[2];
        up[k] += h;
        down[k] -= h;
        if (!isfinite(ipr_rh_deviance(up, gu, &own)) || !isfinite(ipr_rh_deviance(down, gd, &own)))
            return false;
        a[k] = -(gu[0] - gd[0]) / (2.0 * h);
        a[2 + k] = -(gu[1] - gd[1]) / (2.0 * h);
    }
    return true;
}

/* B = G/(G-1) sum_g u_g u_g' / turns^2. */
static void task_meat(const struct ipr_rh_task *task, const double x[2], const double *jac,
                      double b[4])
{
    const double games = (double)task->set->games;
    int want = IPR_RH_WANT_GRADIENT | IPR_RH_WANT_LOG;
    struct ipr_sum sum[4] = { 0 };
    double(*u)[2] = ipr_xcalloc(task->set->n, sizeof *u);
    double total[2] = { 0.0, 0.0 };

    if (task->kind == IPR_RH_MOMENTS)
        want = IPR_RH_WANT_LOSS;
    else if (task->kind == IPR_RH_PERCENTILE)
        want = 0;
    for (size_t blk = 0; blk < task->set->blocks; blk++) {
        struct ipr_rh_lanes at;
        block_at(task, blk, x, want, &at);
        for (size_t lane = 0; lane < IPR_BLOCK; lane++) {
            const uint32_t t = task->set->slot_turn[IPR_BLOCK * blk + lane];
            if (t != IPR_RH_NO_TURN)
                turn_estimating(task, t, lane, &at, jac, u[t]);
        }
    }
    for (size_t t = 0; t < task->set->n; t++) {
        total[0] += u[t][0];
        total[1] += u[t][1];
        if (t + 1 < task->set->n && task->set->turns[t + 1].game == task->set->turns[t].game)
            continue;
        for (int k = 0; k < 4; k++)
            ipr_sum_add(&sum[k], total[k / 2] * total[k % 2]);
        total[0] = total[1] = 0.0;
    }
    free(u);
    for (int k = 0; k < 4; k++)
        b[k] = games / (games - 1.0) * ipr_sum_value(&sum[k]) / task->turns / task->turns;
}

bool ipr_rh_sandwich(const struct ipr_rh_task *task, const double x[2], double cov[4])
{
    double jac[2 * IPR_RH_QUANTILES];
    double a[4];
    double b[4];
    double det;
    double scale;

    if (task->set->games < 2 || task->weighted || !task_bread(task, x, jac, a))
        return false;
    task_meat(task, x, jac, b);
    det = a[0] * a[3] - a[1] * a[2];
    scale = fabs(a[0] * a[3]) + fabs(a[1] * a[2]);
    if (!(fabs(det) > 1e-10 * scale) || !isfinite(det))
        return false;
    {
        const double inv[4] = { a[3] / det, -a[1] / det, -a[2] / det, a[0] / det };
        double half[4];
        for (int i = 0; i < 2; i++)
            for (int k = 0; k < 2; k++)
                half[2 * i + k] = inv[2 * i] * b[k] + inv[2 * i + 1] * b[2 + k];
        for (int i = 0; i < 2; i++)
            for (int k = 0; k < 2; k++)
                cov[2 * i + k] = half[2 * i] * inv[2 * k] + half[2 * i + 1] * inv[2 * k + 1];
    }
    cov[1] = cov[2] = 0.5 * (cov[1] + cov[2]);
    return isfinite(cov[0]) && isfinite(cov[1]) && isfinite(cov[3]);
}
