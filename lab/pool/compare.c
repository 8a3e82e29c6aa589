/* The estimates of a pool beside what other programs make of the same sides. */
#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "lab/clusters.h"
#include "lab/number.h"
#include "lab/pool/pool.h"

#define COMPARE_FIRST 600.
#define COMPARE_BAND  400.
#define COMPARE_BANDS 6
#define COMPARE_LEAST 100 /* sides of a band */

/* An estimate is made of one of these figures of a side. */
enum compare_figure {
    FIGURE_NONE,
    FIGURE_TOOLS,
    FIGURE_REVIEW,
    FIGURE_LOSS_RATING,
    FIGURE_ACCURACY,
    FIGURE_LOSS,
    FIGURE_RAW,
    FIGURE_SHOWN
};

struct compare_row {
    const char *estimate, *needs;
    enum compare_figure figure;
    bool line; /* a line is fitted to the figure, on other players */
};

#define NEEDS_REVIEW "its own accuracy, numbers of errors and of moves"

static const struct compare_row compare_rows[] = {
    { "Mean of the other players", "nothing", FIGURE_NONE, true },
    { "lichessTools", "accuracy, in whole per cent", FIGURE_TOOLS, false },
    { "lichessTools, then a line", "accuracy, in whole per cent", FIGURE_TOOLS, true },
    { "wintrchess (proposed)", NEEDS_REVIEW, FIGURE_REVIEW, false },
    { "wintrchess (proposed), then a line", NEEDS_REVIEW, FIGURE_REVIEW, true },
    { "En Croissant (proposed) and Chesskit", "mean loss", FIGURE_LOSS_RATING, false },
    { "En Croissant (proposed) and Chesskit, then a line", "mean loss", FIGURE_LOSS_RATING, true },
    { "Accuracy of lichess, then a line", "accuracy", FIGURE_ACCURACY, true },
    { "Mean loss, then a line", "mean loss", FIGURE_LOSS, true },
    { "Intrinsic, moves alone", "moves, and an evaluation after each", FIGURE_RAW, false },
    { "Intrinsic, with the pool's prior", "the same, and the mean and spread of the pool",
      FIGURE_SHOWN, false },
};

#define COMPARE_ROWS (sizeof compare_rows / sizeof *compare_rows)

static double compare_figure(const struct pool_sides *s, const struct pool_scale scale[2],
                             enum compare_figure figure, size_t i)
{
    const struct pool_scale *const c = &scale[pool_half(s->player[i])];
    struct ipr_strength_estimate e;

    switch (figure) {
    case FIGURE_NONE:
        return 0;
    case FIGURE_TOOLS:
        return neighbours_lichesstools(s->neighbour[i].accuracy);
    case FIGURE_REVIEW:
        return s->neighbour[i].wintrchess;
    case FIGURE_LOSS_RATING:
        return neighbours_of_loss(s->neighbour[i].loss);
    case FIGURE_ACCURACY:
        return s->neighbour[i].accuracy;
    case FIGURE_LOSS:
        return s->neighbour[i].loss;
    case FIGURE_RAW:
    case FIGURE_SHOWN:
        break;
    }
    e = ipr_strength_of_sums(&c->calibration, s->score[i].score, s->score[i].information,
                             c->prior_mean, c->prior_sd);
    return figure == FIGURE_RAW ? e.raw : e.mean;
}

/* Replaces x[n] by what a line says that is fitted, by least squares, to the sides whose player and
 * opponent are both in other folds. */
static void compare_line(const struct pool_sides *s, double *x)
{
    double *const said = ipr_xcalloc(s->n + 1, sizeof *said);

    for (unsigned fold = 0; fold < POOL_FOLDS; fold++) {
        double n = 0, mx = 0, my = 0, xx = 0, xy = 0, slope;

        for (size_t i = 0; i < s->n; i++) {
            if (pool_fold(s->player[i]) == fold || pool_fold(s->opponent[i]) == fold)
                continue;
            const double dx = x[i] - mx;

            n++;
            mx += dx / n;
            my += (s->rating[i] - my) / n;
            xx += dx * (x[i] - mx);
            xy += dx * (s->rating[i] - my);
        }
        slope = xx > 0 ? xy / xx : 0;
        for (size_t i = 0; i < s->n; i++)
            if (pool_fold(s->player[i]) == fold)
                said[i] = my + slope * (x[i] - mx);
    }
    for (size_t i = 0; i < s->n; i++)
        x[i] = said[i];
    free(said);
}

/* A mean with its standard error, the sides of an account resampled together. */
struct compare_mean {
    double mean, error;
};

static struct compare_mean compare_mean(const struct pool_sides *s, const double *x)
{
    struct bench_cluster *const c = ipr_xcalloc(s->n + 1, sizeof *c);
    struct compare_mean out = { 0 };
    size_t clusters;

    for (size_t i = 0; i < s->n; i++)
        out.mean += x[i] / (double)s->n;
    for (size_t i = 0; i < s->n; i++)
        c[i] = (struct bench_cluster){ (uint32_t)(s->player[i] >> 32), 1, x[i] - out.mean };
    clusters = bench_clusters_merge(c, s->n);
    for (size_t k = 0; k < clusters; k++)
        out.error += pow(c[k].product / (double)s->n, 2);
    out.error = sqrt(out.error);
    free(c);
    return out;
}

/* Errors e[n]. */
static json_t *compare_measures(const struct pool_sides *s, const double *e)
{
    double *const x = ipr_xcalloc(s->n + 1, sizeof *x);
    struct compare_mean bias = compare_mean(s, e), absolute, square;

    for (size_t i = 0; i < s->n; i++)
        x[i] = fabs(e[i]);
    absolute = compare_mean(s, x);
    for (size_t i = 0; i < s->n; i++)
        x[i] = e[i] * e[i];
    square = compare_mean(s, x);
    free(x);
    return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o}", "mae", bench_number(absolute.mean),
                     "mae_error", bench_number(absolute.error), "rmse",
                     bench_number(sqrt(square.mean)), "rmse_error",
                     bench_number(square.error / 2 / sqrt(square.mean)), "bias",
                     bench_number(bias.mean), "bias_error", bench_number(bias.error));
}

static json_t *compare_levels(const struct pool_sides *s, const double *e)
{
    double n[COMPARE_BANDS] = { 0 }, sum[COMPARE_BANDS] = { 0 }, absolute[COMPARE_BANDS] = { 0 };
    json_t *const out = json_array();

    for (size_t i = 0; i < s->n; i++) {
        const double band = floor((s->rating[i] - COMPARE_FIRST) / COMPARE_BAND);

        if (band < 0 || band >= COMPARE_BANDS)
            continue;
        n[(size_t)band]++;
        sum[(size_t)band] += e[i];
        absolute[(size_t)band] += fabs(e[i]);
    }
    for (size_t k = 0; k < COMPARE_BANDS; k++) {
        const double low = COMPARE_FIRST + COMPARE_BAND * (double)k;

        if (n[k] >= COMPARE_LEAST)
            json_array_append_new(out, json_pack("{s:{s:o, s:o}, s:o, s:o, s:o}", "rating", "low",
                                                 bench_number(low), "high",
                                                 bench_number(low + COMPARE_BAND), "sides",
                                                 json_integer((json_int_t)n[k]), "mae",
                                                 bench_number(absolute[k] / n[k]), "bias",
                                                 bench_number(sum[k] / n[k])));
    }
    return out;
}

/* ---- as text ---- */

static double compare_number(const json_t *row, const char *name)
{
    return json_number_value(json_object_get(row, name));
}

static size_t compare_players(const struct pool_sides *s)
{
    struct bench_cluster *const c = ipr_xcalloc(s->n + 1, sizeof *c);
    size_t n;

    for (size_t i = 0; i < s->n; i++)
        c[i].cluster = (uint32_t)(s->player[i] >> 32);
    n = bench_clusters_merge(c, s->n);
    free(c);
    return n;
}

json_t *pool_compare(const struct pool_sides *s, const struct pool_scale scale[2], const char *pool)
{
    double *const x = ipr_xcalloc(s->n + 1, sizeof *x), of_mean = 0;
    json_t *const rows = json_array(), *document;

    for (size_t k = 0; k < COMPARE_ROWS; k++) {
        const struct compare_row *const r = &compare_rows[k];
        json_t *row;

        for (size_t i = 0; i < s->n; i++)
            x[i] = compare_figure(s, scale, r->figure, i);
        if (r->line)
            compare_line(s, x);
        for (size_t i = 0; i < s->n; i++)
            x[i] -= s->rating[i];
        row = compare_measures(s, x);
        if (k == 0)
            of_mean = compare_number(row, "mae");
        json_object_set_new(row, "estimate", json_string(r->estimate));
        json_object_set_new(row, "needs", json_string(r->needs));
        json_object_set_new(row, "less_mae",
                            bench_number(1 - compare_number(row, "mae") / of_mean));
        json_object_set_new(row, "levels", compare_levels(s, x));
        json_array_append_new(rows, row);
    }
    free(x);
    document =
        json_pack("{s:s, s:o, s:o, s:o}", "pool", pool, "sides", json_integer((json_int_t)s->n),
                  "players", json_integer((json_int_t)compare_players(s)), "rows", rows);
    return document;
}
