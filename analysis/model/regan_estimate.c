#include "model/regan_estimate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "stats/sum.h"

void ipr_rh_task_init(struct ipr_rh_task *task, const struct ipr_rh_set *set,
                      const struct ipr_rh_fit_options *options)
{
    memset(task, 0, sizeof *task);
    task->set = set;
    task->kind = options->kind;
    task->random_share = options->kind == IPR_RH_RMLE ? options->random_share : 0.0;
    task->log_l = ipr_xcalloc(set->n, sizeof *task->log_l);
    for (size_t t = 0; t < set->n; t++)
        task->log_l[t] = NAN;
    ipr_rh_task_weigh(task, NULL);
}

void ipr_rh_task_release(struct ipr_rh_task *task)
{
    free(task->log_l);
    task->log_l = NULL;
}

static double weight_of(const struct ipr_rh_task *task, size_t t)
{
    return task->weight != NULL ? task->weight[task->set->turns[t].game] : 1.0;
}

void ipr_rh_task_weigh(struct ipr_rh_task *task, const double *weight)
{
    struct ipr_sum sum[3] = { 0 };

    task->weight = weight;
    for (size_t t = 0; t < task->set->n; t++) {
        const double w = weight_of(task, t);
        ipr_sum_add(&sum[0], w);
        if (task->set->turns[t].position == 0)
            ipr_sum_add(&sum[1], w);
        ipr_sum_add(&sum[2], w * ipr_rh_played_delta(task->set, t));
    }
    task->turns = ipr_sum_value(&sum[0]);
    task->mm_a = ipr_sum_value(&sum[1]) / task->turns;
    task->ad_a = ipr_sum_value(&sum[2]) / task->turns;
}

static bool inside(const double x[2])
{
    return ipr_rh_in_domain(exp(x[0]), exp(x[1]));
}

/* The turn's probabilities, started from where they were found last. */
static void point(const struct ipr_rh_task *task, size_t t, const double x[2], bool gradient,
                  struct ipr_rh_point *at)
{
    ipr_rh_turn_point(task->set, t, x[0], x[1], task->log_l[t], gradient, at);
    task->log_l[t] = at->log_l;
}

int ipr_rh_moments_f(const double x[2], double f[2], double j[4], void *arg)
{
    const struct ipr_rh_task *task = arg;
    struct ipr_sum sum[6] = { 0 };

    if (!inside(x))
        return 1;
    for (size_t t = 0; t < task->set->n; t++) {
        const double w = weight_of(task, t);
        struct ipr_rh_point at;
        struct ipr_rh_moments m;

        if (!(w > 0.0))
            continue;
        point(task, t, x, true, &at);
        ipr_rh_turn_moments(task->set, t, &at, true, &m);
        ipr_sum_add(&sum[0], w * m.p0);
        ipr_sum_add(&sum[1], w * m.loss);
        for (int k = 0; k < 2; k++) {
            ipr_sum_add(&sum[2 + k], w * m.dp0[k]);
            ipr_sum_add(&sum[4 + k], w * m.dloss[k]);
        }
    }
    f[0] = ipr_sum_value(&sum[0]) / task->turns - task->mm_a;
    f[1] = ipr_sum_value(&sum[1]) / task->turns - task->ad_a;
    for (int k = 0; k < 4; k++)
        j[k] = ipr_sum_value(&sum[2 + k]) / task->turns;
    return 0;
}

/* ln p of the move played, of the mixture when there is one, and its gradient. */
static double log_likelihood(const struct ipr_rh_task *task, size_t t,
                             const struct ipr_rh_point *at, double g[2])
{
    const struct ipr_rh_turn *turn = &task->set->turns[t];
    const double e = task->random_share;
    const double p = at->p[turn->played];
    const double mixed = (1.0 - e) * p + e / (double)turn->legal;

    if (g != NULL)
        for (int k = 0; k < 2; k++)
            g[k] = mixed > 1e-300 ? (1.0 - e) * at->dp[k][turn->played] / mixed : 0.0;
    return e > 0.0 ? log(mixed) : at->log_played;
}

double ipr_rh_deviance(const double x[2], double g[2], void *arg)
{
    const struct ipr_rh_task *task = arg;
    struct ipr_sum sum[3] = { 0 };

    if (!inside(x)) {
        if (g != NULL)
            g[0] = g[1] = 0.0;
        return INFINITY;
    }
    for (size_t t = 0; t < task->set->n; t++) {
        const double w = weight_of(task, t);
        struct ipr_rh_point at;
        double u[2] = { 0.0, 0.0 };

        if (!(w > 0.0))
            continue;
        point(task, t, x, g != NULL, &at);
        ipr_sum_add(&sum[0], w * log_likelihood(task, t, &at, g != NULL ? u : NULL));
        ipr_sum_add(&sum[1], w * u[0]);
        ipr_sum_add(&sum[2], w * u[1]);
    }
    for (int k = 0; k < 2 && g != NULL; k++)
        g[k] = -ipr_sum_value(&sum[1 + k]) / task->turns;
    return -ipr_sum_value(&sum[0]) / task->turns;
}

/* The turn's share 'up' at each quantile, and its derivatives. */
static void turn_quantiles(const struct ipr_rh_set *set, size_t t, const struct ipr_rh_point *at,
                           double r[IPR_RH_QUANTILES], double *jac)
{
    const struct ipr_rh_turn *turn = &set->turns[t];
    const unsigned *count = &set->count[turn->first];
    const double own = at->p[turn->played];
    double below = turn->played_before * own;
    double dbelow[2] = { 0.0, 0.0 };

    for (uint32_t e = 0; e < turn->played; e++)
        below += count[e] * at->p[e];
    for (int k = 0; k < 2 && jac != NULL; k++) {
        dbelow[k] = turn->played_before * at->dp[k][turn->played];
        for (uint32_t e = 0; e < turn->played; e++)
            dbelow[k] += count[e] * at->dp[k][e];
    }
    for (int i = 0; i < IPR_RH_QUANTILES; i++) {
        const double q = 0.05 * (i + 1);
        const bool straddles = below < q && q < below + own;

        r[i] = straddles ? (q - below) / own : (below + own <= q ? 1.0 : 0.0);
        for (int k = 0; k < 2 && jac != NULL; k++)
            jac[2 * i + k] = straddles ? -(dbelow[k] + r[i] * at->dp[k][turn->played]) / own : 0.0;
    }
}

int ipr_rh_quantiles(const double x[2], double *r, double *jac, void *arg)
{
    const struct ipr_rh_task *task = arg;
    double own_jac[2 * IPR_RH_QUANTILES];

    if (!inside(x))
        return 1;
    memset(r, 0, IPR_RH_QUANTILES * sizeof *r);
    if (jac != NULL)
        memset(jac, 0, 2 * IPR_RH_QUANTILES * sizeof *jac);
    for (size_t t = 0; t < task->set->n; t++) {
        const double w = weight_of(task, t) / task->turns;
        struct ipr_rh_point at;
        double up[IPR_RH_QUANTILES];

        point(task, t, x, jac != NULL, &at);
        turn_quantiles(task->set, t, &at, up, jac != NULL ? own_jac : NULL);
        for (int i = 0; i < IPR_RH_QUANTILES; i++)
            r[i] += w * up[i];
        for (int i = 0; i < 2 * IPR_RH_QUANTILES && jac != NULL; i++)
            jac[i] += w * own_jac[i];
    }
    for (int i = 0; i < IPR_RH_QUANTILES; i++)
        r[i] -= 0.05 * (i + 1);
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

/* The turn's estimating function. `jac` is that of the quantiles. */
static void estimating(const struct ipr_rh_task *task, size_t t, const double x[2],
                       const double *jac, double u[2])
{
    struct ipr_rh_point at;
    struct ipr_rh_moments m;
    double up[IPR_RH_QUANTILES];

    ipr_rh_turn_point(task->set, t, x[0], x[1], task->log_l[t], true, &at);
    switch (task->kind) {
    case IPR_RH_MOMENTS:
        ipr_rh_turn_moments(task->set, t, &at, false, &m);
        u[0] = m.p0 - (task->set->turns[t].position == 0 ? 1.0 : 0.0);
        u[1] = m.loss - ipr_rh_played_delta(task->set, t);
        break;
    case IPR_RH_PERCENTILE:
        turn_quantiles(task->set, t, &at, up, NULL);
        u[0] = u[1] = 0.0;
        for (int i = 0; i < IPR_RH_QUANTILES; i++)
            for (int k = 0; k < 2; k++)
                u[k] += jac[2 * i + k] * (up[i] - 0.05 * (i + 1));
        break;
    case IPR_RH_MLE:
    case IPR_RH_RMLE:
    default:
        log_likelihood(task, t, &at, u);
        break;
    }
}

/* A = mean derivative of the estimating function; false when it cannot be had. */
static bool bread(const struct ipr_rh_task *task, const double x[2], double *jac, double a[4])
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
static void meat(const struct ipr_rh_task *task, const double x[2], const double *jac, double b[4])
{
    const double games = (double)task->set->games;
    struct ipr_sum sum[4] = { 0 };
    double total[2] = { 0.0, 0.0 };

    for (size_t t = 0; t < task->set->n; t++) {
        double u[2];
        estimating(task, t, x, jac, u);
        total[0] += u[0];
        total[1] += u[1];
        if (t + 1 < task->set->n && task->set->turns[t + 1].game == task->set->turns[t].game)
            continue;
        for (int k = 0; k < 4; k++)
            ipr_sum_add(&sum[k], total[k / 2] * total[k % 2]);
        total[0] = total[1] = 0.0;
    }
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

    if (task->set->games < 2 || task->weight != NULL || !bread(task, x, jac, a))
        return false;
    meat(task, x, jac, b);
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
