#include "stats/correlation.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "stats/line.h"
#include "stats/sum.h"

struct point {
    int32_t cluster;
    double x, y;
};

static int by_cluster_and_value(const void *a, const void *b)
{
    const struct point *p = a;
    const struct point *q = b;

    if (p->cluster != q->cluster)
        return p->cluster < q->cluster ? -1 : 1;
    if (p->x < q->x || p->x > q->x)
        return p->x < q->x ? -1 : 1;
    return (p->y > q->y) - (p->y < q->y);
}

/* Second moments about the means of the whole. */
struct moments {
    double n, x, y, xx, yy, xy;
};

static void add_moments(struct moments *m, const struct moments *o, double times)
{
    m->n += times * o->n;
    m->x += times * o->x;
    m->y += times * o->y;
    m->xx += times * o->xx;
    m->yy += times * o->yy;
    m->xy += times * o->xy;
}

/* atanh(rho) of the remaining moments; false when nothing varies or all points are on a line. */
static bool moments_fisher(const struct moments *m, const struct moments *all, double *z)
{
    const double xx = m->xx - m->x * m->x / m->n;
    const double yy = m->yy - m->y * m->y / m->n;
    double rho;

    if (!(m->n > 1.5) || !(xx > 1e-12 * all->xx) || !(yy > 1e-12 * all->yy))
        return false;
    rho = (m->xy - m->x * m->y / m->n) / sqrt(xx) / sqrt(yy);
    if (!(fabs(rho) < 1.0 - 1e-12))
        return false;
    *z = atanh(rho);
    return true;
}

/* Moments of each cluster of the sorted points into g; returns how many there are. */
static size_t cluster_moments(const struct point *p, size_t n, struct moments *g,
                              struct moments *all)
{
    struct ipr_sum x = { 0 };
    struct ipr_sum y = { 0 };
    size_t clusters = 0;

    for (size_t i = 0; i < n; i++) {
        ipr_sum_add(&x, p[i].x);
        ipr_sum_add(&y, p[i].y);
    }
    const double mean_x = ipr_sum_value(&x) / (double)n;
    const double mean_y = ipr_sum_value(&y) / (double)n;
    for (size_t i = 0; i < n; i++) {
        if (i == 0 || p[i].cluster != p[i - 1].cluster)
            g[clusters++] = (struct moments){ 0 };
        const double dx = p[i].x - mean_x, dy = p[i].y - mean_y;
        const struct moments one = { 1.0, dx, dy, dx * dx, dy * dy, dx * dy };
        add_moments(&g[clusters - 1], &one, 1.0);
    }
    for (size_t k = 0; k < clusters; k++)
        add_moments(all, &g[k], 1.0);
    return clusters;
}

/* Jackknife error of atanh(rho); false when it is undefined. */
static bool moments_jackknife(const struct moments *g, size_t clusters, const struct moments *all,
                              double *z, double *se)
{
    double *left = ipr_xcalloc(clusters, sizeof *left);
    struct ipr_sum ss = { 0 };
    bool known = clusters > 1 && moments_fisher(all, all, z);

    for (size_t k = 0; k < clusters && known; k++) {
        struct moments rest = *all;
        add_moments(&rest, &g[k], -1.0);
        known = moments_fisher(&rest, all, &left[k]);
    }
    if (known) {
        const double mean = ipr_stats_mean(left, clusters);
        for (size_t k = 0; k < clusters; k++)
            ipr_sum_add(&ss, (left[k] - mean) * (left[k] - mean));
        *se = sqrt((double)(clusters - 1) / (double)clusters * ipr_sum_value(&ss));
    }
    free(left);
    return known;
}

enum ipr_code ipr_stats_correlation(const double *x, const double *y, const int32_t *cluster,
                                    size_t n, struct ipr_correlation *out, struct ipr_err *err)
{
    struct ipr_correlation c = { .interval = { -1.0, 1.0 }, .n = n };
    struct point *p = ipr_xcalloc(n + 1, sizeof *p);
    double *sorted = ipr_xcalloc(2 * n + 1, sizeof *sorted);
    enum ipr_code rc;

    for (size_t i = 0; i < n; i++)
        p[i] = (struct point){ cluster != NULL ? cluster[i] : (int32_t)i, x[i], y[i] };
    qsort(p, n, sizeof *p, by_cluster_and_value);
    for (size_t i = 0; i < n; i++) {
        sorted[i] = p[i].x;
        sorted[n + i] = p[i].y;
    }
    rc = ipr_stats_pearson(sorted, sorted + n, n, &c.rho, err);
    if (rc == IPR_OK) {
        struct moments *g = ipr_xcalloc(c.n, sizeof *g);
        struct moments all = { 0 };
        double z;
        double se;

        c.clusters = cluster_moments(p, c.n, g, &all);
        if (moments_jackknife(g, c.clusters, &all, &z, &se)) {
            const double half = ipr_stats_quantile95(c.clusters) * se;
            c.interval = (struct ipr_interval){ tanh(z - half), tanh(z + half) };
            c.se = (1.0 - c.rho * c.rho) * se;
            c.interval_known = true;
        }
        free(g);
        *out = c;
    }
    free(sorted);
    free(p);
    return rc;
}
