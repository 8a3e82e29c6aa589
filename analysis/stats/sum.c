#include "stats/sum.h"

#include <math.h>

void ipr_sum_add(struct ipr_sum *s, double x)
{
    const double t = s->total + x;

    if (fabs(s->total) >= fabs(x))
        s->rest += (s->total - t) + x;
    else
        s->rest += (x - t) + s->total;
    s->total = t;
}

double ipr_sum_value(const struct ipr_sum *s)
{
    return s->total + s->rest;
}

double ipr_stats_mean(const double *x, size_t n)
{
    struct ipr_sum s = { 0 };

    if (n == 0)
        return 0.0;
    for (size_t i = 0; i < n; i++)
        ipr_sum_add(&s, x[i]);
    return ipr_sum_value(&s) / (double)n;
}
