#include "model/whr_scale.h"

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>

#define SCALE_SD  1.4826 /* standard deviation over the median absolute deviation, if normal */
#define SCALE_MED 1.2533 /* standard error of the median over that of the mean: sqrt(pi / 2) */

/* Differences of one period; players in groups. */
struct differences {
    double *d, *sorted;
    uint32_t *player;
    size_t n;
};

static int32_t scale_period(int32_t year, int32_t years)
{
    return year / years - (year % years < 0);
}

/* The differences of a period, and its years in `out`. */
static void differences_take(const struct ipr_whr_strength *strength, const double *known, size_t n,
                             const struct ipr_whr_scale_options *o, int32_t period,
                             struct differences *d, struct ipr_whr_period *out)
{
    *out = (struct ipr_whr_period){ .from = INT32_MAX, .to = INT32_MIN };
    d->n = 0;
    for (size_t i = 0; i < n; i++) {
        const struct ipr_whr_strength *s = &strength[i];

        if (isnan(known[i]) || s->games < o->games || scale_period(s->period, o->years) != period)
            continue;
        out->players += d->n == 0 || d->player[d->n - 1] != s->player;
        out->from = s->period < out->from ? s->period : out->from;
        out->to = s->period > out->to ? s->period : out->to;
        out->year += s->period;
        d->player[d->n] = s->player;
        d->d[d->n++] = known[i] - s->elo;
    }
    out->ratings = d->n;
    out->year /= (double)d->n;
}

static double differences_median(struct differences *d)
{
    gsl_sort(d->sorted, 1, d->n);
    return gsl_stats_median_from_sorted_data(d->sorted, 1, d->n);
}

/* Sum over players of the squared sum of the signs of their differences from the offset. */
static double differences_signs(const struct differences *d, double offset)
{
    double sum = 0, of = 0;

    for (size_t i = 0; i < d->n; i++) {
        of += (d->d[i] > offset) - (d->d[i] < offset);
        if (i + 1 == d->n || d->player[i + 1] != d->player[i]) {
            sum += of * of;
            of = 0;
        }
    }
    return sum;
}

static void period_fit(struct differences *d, const struct ipr_whr_scale_options *o,
                       struct ipr_whr_period *out)
{
    const double n = (double)d->n, players = (double)out->players;
    double sum = 0, clustered;

    for (size_t i = 0; i < d->n; i++)
        sum += d->sorted[i] = d->d[i];
    out->offset = o->mean ? sum / n : differences_median(d);
    for (size_t i = 0; i < d->n; i++)
        d->sorted[i] = fabs(d->d[i] - out->offset);
    out->spread = SCALE_SD * differences_median(d);
    clustered = players > 1 ? players / (players - 1) * differences_signs(d, out->offset) : 0;
    out->se = SCALE_MED * out->spread * sqrt(fmax(n, clustered)) / n;
}

/* The first period after `after` with a known rating; false: there is none. */
static bool scale_next(const struct ipr_whr_strength *strength, const double *known, size_t n,
                       int32_t years, int32_t after, int32_t *next)
{
    bool any = false;

    for (size_t i = 0; i < n; i++) {
        const int32_t k = scale_period(strength[i].period, years);

        if (isnan(known[i]) || k <= after || (any && k >= *next))
            continue;
        *next = k;
        any = true;
    }
    return any;
}

void ipr_whr_scale_fit(const struct ipr_whr_strength *strength, const double *known, size_t n,
                       const struct ipr_whr_scale_options *options, struct ipr_whr_scale *out)
{
    struct differences d = { ipr_xcalloc(n + 1, sizeof *d.d), ipr_xcalloc(n + 1, sizeof *d.sorted),
                             ipr_xcalloc(n + 1, sizeof *d.player), 0 };
    int32_t k = INT32_MIN;

    *out = (struct ipr_whr_scale){ .plain = options->plain,
                                   .drift = options->drift,
                                   .step = options->step };
    while (out->n < IPR_WHR_PERIODS && scale_next(strength, known, n, options->years, k, &k)) {
        struct ipr_whr_period *p = &out->period[out->n];

        differences_take(strength, known, n, options, k, &d, p);
        if (p->ratings == 0 || p->ratings < options->ratings || p->players < options->players)
            continue;
        period_fit(&d, options, p);
        out->n++;
    }
    free(d.d);
    free(d.sorted);
    free(d.player);
}

/* ---- years on it ---- */

struct ipr_whr_place ipr_whr_place(const struct ipr_whr_scale *scale, double year)
{
    struct ipr_whr_place p = { .offset = scale->plain, .before = year };
    size_t k = 0;

    if (scale->n == 0)
        return p;
    while (k + 1 < scale->n && scale->period[k + 1].year <= year)
        k++;
    p.weight[k] = 1;
    if (k + 1 < scale->n && year > scale->period[k].year) {
        /* Weight of period k + 1 in a year between it and period k. */
        const double share =
            (year - scale->period[k].year) / (scale->period[k + 1].year - scale->period[k].year);

        p.weight[k + 1] = scale->step ? share > .5 : fmin(share, 1);
        p.weight[k] = 1 - p.weight[k + 1];
    }
    p.offset = 0;
    for (size_t i = 0; i < scale->n; i++)
        p.offset += p.weight[i] * scale->period[i].offset;
    p.before = fmax(scale->period[0].from - year, 0);
    p.after = fmax(year - scale->period[scale->n - 1].to, 0);
    return p;
}

void ipr_whr_place_add(const struct ipr_whr_place *year, double weight, struct ipr_whr_place *mean)
{
    for (size_t k = 0; k < IPR_WHR_PERIODS; k++)
        mean->weight[k] += weight * year->weight[k];
    mean->before += weight * year->before;
    mean->after += weight * year->after;
    mean->offset += weight * year->offset;
}

double ipr_whr_place_se(const struct ipr_whr_scale *scale, const struct ipr_whr_place *place)
{
    const struct ipr_whr_place none = { 0 };

    return scale->n > 0 ? ipr_whr_place_difference_se(scale, place, &none) : NAN;
}

double ipr_whr_place_difference_se(const struct ipr_whr_scale *scale, const struct ipr_whr_place *a,
                                   const struct ipr_whr_place *b)
{
    double variance = pow(scale->drift * (a->before - b->before), 2) +
                      pow(scale->drift * (a->after - b->after), 2);

    for (size_t k = 0; k < scale->n; k++)
        variance += pow((a->weight[k] - b->weight[k]) * scale->period[k].se, 2);
    return sqrt(variance);
}
