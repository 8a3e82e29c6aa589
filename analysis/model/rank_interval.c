#include "model/rank_interval.h"

#include <math.h>

#define POINTS_MIN 64
#define POINTS_MAX 512
#define STEP       3.   /* points in the least error */
#define FAR        5.   /* errors beyond which nothing is expected */
#define TAIL       .025 /* on either side */

/* Number of entries above a point: moments of the sum of independent events. */
struct rank_above {
    double mean, variance, third;
};

struct rank_grid {
    double first, step;
    size_t n;
    struct rank_above above[POINTS_MAX];
};

static double rank_phi(double x)
{
    return .5 * erfc(-x * M_SQRT1_2);
}

static struct rank_above rank_event(const struct ipr_rank_entry *e, double t)
{
    const double p = rank_phi((e->estimate - t) / e->se), v = p * (1 - p);

    return (struct rank_above){ p, v, v * (1 - 2 * p) };
}

static void rank_grid_make(const struct ipr_rank_entry *entry, size_t n, struct rank_grid *g)
{
    double low = INFINITY, high = -INFINITY, least = INFINITY;

    for (size_t i = 0; i < n; i++) {
        low = fmin(low, entry[i].estimate - FAR * entry[i].se);
        high = fmax(high, entry[i].estimate + FAR * entry[i].se);
        least = fmin(least, entry[i].se);
    }
    g->n = (size_t)fmin(POINTS_MAX, fmax(POINTS_MIN, ceil(STEP * (high - low) / least)));
    g->first = low;
    g->step = (high - low) / (double)(g->n - 1);
    for (size_t k = 0; k < g->n; k++) {
        g->above[k] = (struct rank_above){ 0 };
        for (size_t i = 0; i < n; i++) {
            const struct rank_above one = rank_event(&entry[i], g->first + (double)k * g->step);

            g->above[k].mean += one.mean;
            g->above[k].variance += one.variance;
            g->above[k].third += one.third;
        }
    }
}

/* P(number <= count). */
static double rank_at_most(const struct rank_above *a, double count)
{
    const double sd = sqrt(fmax(a->variance, 0));

    if (sd < 1e-6)
        return a->mean <= count + .5 ? 1 : 0;
    const double x = (count + .5 - a->mean) / sd, skewness = a->third / (sd * sd * sd);
    const double p = rank_phi(x) + skewness * (1 - x * x) * exp(-x * x / 2) / (6 * sqrt(2 * M_PI));

    return fmin(1, fmax(0, p));
}

/* The others above one entry, at the points near its estimate, with the weights of these points. */
struct rank_row {
    struct rank_above above[POINTS_MAX];
    double weight[POINTS_MAX];
    size_t n;
};

static void rank_row_make(const struct rank_grid *g, const struct ipr_rank_entry *e,
                          struct rank_row *row)
{
    double sum = 0;

    row->n = 0;
    for (size_t k = 0; k < g->n; k++) {
        const double t = g->first + (double)k * g->step, x = (t - e->estimate) / e->se;
        const struct rank_above own = rank_event(e, t);

        if (fabs(x) > FAR)
            continue;
        row->above[row->n] =
            (struct rank_above){ g->above[k].mean - own.mean, g->above[k].variance - own.variance,
                                 g->above[k].third - own.third };
        row->weight[row->n] = exp(-x * x / 2);
        sum += row->weight[row->n++];
    }
    for (size_t k = 0; k < row->n; k++)
        row->weight[k] /= sum;
}

/* The lowest rank that is not exceeded with at least that probability. */
static size_t rank_quantile(const struct rank_row *row, size_t n, double probability)
{
    size_t low = 0, high = n - 1; /* numbers above */

    while (low < high) {
        const size_t middle = (low + high) / 2;
        double p = 0;

        for (size_t k = 0; k < row->n; k++)
            p += row->weight[k] * rank_at_most(&row->above[k], (double)middle);
        if (p >= probability)
            high = middle;
        else
            low = middle + 1;
    }
    return low + 1;
}

void ipr_rank_intervals(const struct ipr_rank_entry *entry, size_t n, const size_t *at, size_t k,
                        struct ipr_rank_interval *out)
{
    struct rank_grid grid;
    struct rank_row row;

    rank_grid_make(entry, n, &grid);
    for (size_t i = 0; i < k; i++) {
        rank_row_make(&grid, &entry[at[i]], &row);
        out[i].low = rank_quantile(&row, n, TAIL);
        out[i].high = rank_quantile(&row, n, 1 - TAIL);
    }
}
