/* The scale of strengths from results: chooses how it follows the Elo lists, and checks it. */
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "lab/outcomes/outcomes.h"
#include "stats/clustered.h"
#include "stats/resample.h"

enum { PARTS = 10, LENGTHS = 4, TRIED = 4 * LENGTHS - 2 };

#define SCALE_GAMES 30 /* minimum in a player's year whose Elo counts */
#define SCALE_FROM  1971
#define SCALE_ELO   2500  /* of the second check */
#define SCALE_ALL   10000 /* years of one period for all */

/* The ratings, and a part for each of them which is held out. */
struct ratings {
    const struct ipr_whr *w;
    double *elo, *some; /* [w->n]; NaN: none */
    uint32_t *part;     /* [w->n] */
};

struct tried {
    struct ipr_whr_scale_options options;
    double *error; /* [w->n] held out; NaN: no rating */
};

/* Mean Elo in the tags for each player's year; NaN if there is none. */
static double *ratings_elo(const struct result_rows *rows, const struct ipr_whr *w)
{
    double *elo = ipr_xcalloc(w->n, sizeof *elo), *n = ipr_xcalloc(w->n, sizeof *n);

    for (size_t i = 0; i < rows->n; i++)
        for (size_t k = 0; k < 2; k++) {
            const struct result_row *r = &rows->row[i];
            size_t at = w->first[k == 0 ? r->white : r->black];

            while (w->strength[at].period != r->year)
                at++;
            elo[at] += r->elo[k];
            n[at] += r->elo[k] > 0;
        }
    for (size_t i = 0; i < w->n; i++)
        elo[i] =
            n[i] > 0 && w->strength[i].games >= SCALE_GAMES && w->strength[i].period >= SCALE_FROM
                ? elo[i] / n[i]
                : NAN;
    free(n);
    return elo;
}

/* All years of a player are in the same part. */
static uint32_t part_of_player(const struct ipr_whr_strength *s)
{
    return (uint32_t)(ipr_mix64(s->player) % PARTS);
}

static uint32_t part_of_year(const struct ipr_whr_strength *s)
{
    return (uint32_t)s->period;
}

static double scale_error(const struct ratings *r, const struct ipr_whr_scale *scale, size_t i)
{
    const struct ipr_whr_strength *s = &r->w->strength[i];

    return r->elo[i] - s->elo - ipr_whr_place(scale, s->period).offset;
}

/* Errors of the ratings of every part, on the scale of all others. */
static void scale_hold_out(struct ratings *r, uint32_t (*part_of)(const struct ipr_whr_strength *),
                           const struct ipr_whr_scale_options *o, double *error)
{
    const size_t n = r->w->n;

    for (size_t i = 0; i < n; i++) {
        r->part[i] = part_of(&r->w->strength[i]);
        error[i] = NAN;
    }
    for (size_t i = 0; i < n; i++) {
        struct ipr_whr_scale scale;

        if (isnan(r->elo[i]) || !isnan(error[i]))
            continue;
        for (size_t k = 0; k < n; k++)
            r->some[k] = r->part[k] == r->part[i] ? NAN : r->elo[k];
        ipr_whr_scale_fit(r->w->strength, r->some, n, o, &scale);
        for (size_t k = i; k < n; k++)
            if (r->part[k] == r->part[i])
                error[k] = scale_error(r, &scale, k);
    }
}

static double errors_mean(const double *error, size_t n, bool square)
{
    double sum = 0, of = 0;

    for (size_t i = 0; i < n; i++)
        if (!isnan(error[i])) {
            sum += square ? error[i] * error[i] : fabs(error[i]);
            of++;
        }
    return square ? sqrt(sum / of) : sum / of;
}

/* Mean of |a| - |b|, and its standard error, clustered by player. */
static double errors_difference(const struct ratings *r, const double *a, const double *b,
                                double *se)
{
    double *d = ipr_xcalloc(r->w->n, sizeof *d), sum = 0;
    int32_t *player = ipr_xcalloc(r->w->n, sizeof *player);
    size_t n = 0;

    for (size_t i = 0; i < r->w->n; i++)
        if (!isnan(a[i])) {
            player[n] = (int32_t)r->w->strength[i].player;
            sum += d[n++] = fabs(a[i]) - fabs(b[i]);
        }
    *se = ipr_stats_mean_se(d, player, n, NULL);
    free(d);
    free(player);
    return sum / (double)n;
}

/* The rule of docs/results.md: the longest period, then the smoother one, that is within one
 * standard error of the lowest mean absolute error. */
static const struct tried *scale_choose(const struct ratings *r, const struct tried *t)
{
    const struct tried *best = t;
    double se;

    for (size_t k = 1; k < TRIED; k++)
        if (errors_mean(t[k].error, r->w->n, false) < errors_mean(best->error, r->w->n, false))
            best = &t[k];
    for (size_t k = 0; k < TRIED; k++)
        if (errors_difference(r, t[k].error, best->error, &se) <= se)
            return &t[k];
    return best;
}

/* Longest first, of equal ones those with interpolation first, the median before the mean. */
static void scale_candidates(struct tried *t)
{
    static const int32_t years[LENGTHS] = { SCALE_ALL, 20, 10, 5 };
    size_t n = 0;

    for (size_t k = 0; k < 4 * LENGTHS; k++) {
        const bool step = k / 2 % 2 == 1;

        if (step && years[k / 4] == SCALE_ALL) /* the same with one period */
            continue;
        t[n++].options = (struct ipr_whr_scale_options){ .years = years[k / 4],
                                                         .games = SCALE_GAMES,
                                                         .ratings = 10,
                                                         .players = 3,
                                                         .mean = k % 2 == 1,
                                                         .step = step };
    }
}

static void scale_print(struct ratings *r, const struct tried *t, const struct tried *chosen)
{
    double *by_year = ipr_xcalloc(r->w->n, sizeof *by_year), se;
    const double d = errors_difference(r, t->error, chosen->error, &se);

    scale_hold_out(r, part_of_year, &t->options, by_year);
    if (t->options.years == SCALE_ALL)
        printf("| all | ");
    else
        printf("| %d years, %s | ", t->options.years,
               t->options.step ? "constant" : "interpolated");
    printf("%s | %.1f | %+.1f ± %.1f | %.1f | %.1f |\n", t->options.mean ? "mean" : "median",
           errors_mean(t->error, r->w->n, false), d, se, errors_mean(t->error, r->w->n, true),
           errors_mean(by_year, r->w->n, false));
    free(by_year);
}

/* Root mean square of the errors of players of at least this Elo; NULL unless wanted: their number
 * and the median of the absolute errors. */
static double errors_of(const struct ratings *r, const double *error, double least, size_t *number,
                        double *median)
{
    double *some = ipr_xcalloc(r->w->n, sizeof *some), square = 0;
    size_t n = 0;

    for (size_t i = 0; i < r->w->n; i++)
        if (r->elo[i] >= least) {
            square += error[i] * error[i];
            some[n++] = fabs(error[i]);
        }
    gsl_sort(some, 1, n);
    if (number != NULL)
        *number = n;
    if (median != NULL)
        *median = gsl_stats_median_from_sorted_data(some, 1, n);
    free(some);
    return sqrt(square / (double)n);
}

static void scale_errors(const struct ratings *r, const struct ipr_whr_scale_options *o,
                         struct ipr_whr_scale *scale, double *error)
{
    ipr_whr_scale_fit(r->w->strength, r->elo, r->w->n, o, scale);
    for (size_t i = 0; i < r->w->n; i++)
        error[i] = scale_error(r, scale, i);
}

static void scale_check(struct ratings *r, const struct ipr_whr_scale_options *o,
                        struct ipr_whr_scale *scale)
{
    struct ipr_whr_scale_options one = *o;
    double *error[4];

    for (size_t k = 0; k < 4; k++)
        error[k] = ipr_xcalloc(r->w->n, sizeof **error);
    one.years = SCALE_ALL;
    one.mean = true;
    scale_errors(r, &one, scale, error[0]);
    scale_errors(r, o, scale, error[1]);
    scale_hold_out(r, part_of_player, o, error[2]);
    scale_hold_out(r, part_of_year, o, error[3]);
    puts("\n| players | years | one offset, rms | scale, rms | median of absolute errors | players "
         "held out, rms | years held out, rms |\n"
         "| --- | ---: | ---: | ---: | ---: | ---: | ---: |");
    for (int high = 0; high < 2; high++) {
        const double least = high ? SCALE_ELO : 0;
        double median;
        size_t n;
        const double rms = errors_of(r, error[1], least, &n, &median);

        printf("| %s | %zu | %.0f | %.0f | %.0f | %.0f | %.0f |\n",
               high ? "Elo of 2500 and more" : "all", n, errors_of(r, error[0], least, NULL, NULL),
               rms, median, errors_of(r, error[2], least, NULL, NULL),
               errors_of(r, error[3], least, NULL, NULL));
    }
    for (size_t k = 0; k < 4; k++)
        free(error[k]);
}

static void scale_print_periods(const struct ipr_whr_scale *s)
{
    puts("\n| years | mean year | players | players' years | offset, Elo | standard error | "
         "standard deviation around it |\n| --- | ---: | ---: | ---: | ---: | ---: | ---: |");
    for (size_t k = 0; k < s->n; k++) {
        const struct ipr_whr_period *p = &s->period[k];

        printf("| %d–%d | %.1f | %zu | %zu | %.0f | %.1f | %.0f |\n", p->from, p->to, p->year,
               p->players, p->ratings, p->offset, p->se, p->spread);
    }
}

/* How far the two scales drift apart a year: over all pairs of periods, the part of the squared
 * difference of offsets that their errors do not explain, over the squared time between them. */
static double scale_drift(const struct ipr_whr_scale *s)
{
    double square = 0, time = 0;

    for (size_t b = 1; b < s->n; b++)
        for (size_t a = 0; a < b; a++) {
            const struct ipr_whr_period *p = &s->period[a], *q = &s->period[b];

            square += pow(q->offset - p->offset, 2) - p->se * p->se - q->se * q->se;
            time += pow(q->year - p->year, 2);
        }
    return square > 0 ? sqrt(square / time) : 0;
}

struct ipr_whr_scale_options scale_run(const struct result_rows *rows, const struct ipr_whr *w)
{
    struct tried t[TRIED] = { 0 };
    struct ratings r = { .w = w,
                         .elo = ratings_elo(rows, w),
                         .some = ipr_xcalloc(w->n, sizeof *r.some),
                         .part = ipr_xcalloc(w->n, sizeof *r.part) };
    struct ipr_whr_scale_options out;
    struct ipr_whr_scale scale;
    const struct tried *chosen;

    scale_candidates(t);
    for (size_t k = 0; k < TRIED; k++) {
        t[k].error = ipr_xcalloc(w->n, sizeof *t[k].error);
        scale_hold_out(&r, part_of_player, &t[k].options, t[k].error);
    }
    chosen = scale_choose(&r, t);
    puts("\n## Strength over time: on the scale of the Elo lists\n\n| periods | offset | players "
         "held "
         "out: mean absolute error, Elo | difference from the chosen | rms | years held out: mean "
         "absolute error |\n| --- | --- | ---: | ---: | ---: | ---: |");
    for (size_t k = 0; k < TRIED; k++)
        scale_print(&r, &t[k], chosen);
    out = chosen->options;
    scale_check(&r, &out, &scale);
    scale_print_periods(&scale);
    out.plain = scale.period[0].offset;
    out.drift = scale_drift(&scale);
    printf("\nDrift: %.2f Elo a year.\n", out.drift);
    for (size_t k = 0; k < TRIED; k++)
        free(t[k].error);
    free(r.elo);
    free(r.some);
    free(r.part);
    return out;
}
