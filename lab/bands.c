#include "lab/bands.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>

#include "lab/number.h"

static void band_add(struct bench_band *s, const struct ipr_strength_estimate *e, double rating,
                     double mean)
{
    s->n++;
    s->from_mean += fabs(rating - mean);
    s->square_from_mean += pow(rating - mean, 2);
    s->absolute += fabs(e->mean - rating);
    s->raw += e->raw - rating;
    s->raw_square += pow(e->raw - rating, 2);
    s->error += e->mean - rating;
    s->square += pow(e->mean - rating, 2);
    s->inside += rating >= e->lo && rating <= e->hi;
    s->raw_inside += rating >= e->raw_lo && rating <= e->raw_hi;
    s->shown += rating >= fmin(e->raw_lo, e->mean) && rating <= fmax(e->raw_hi, e->mean);
    s->raw_width += e->raw_hi - e->raw_lo;
}

void bench_bands_add(struct bench_bands *bands, const struct ipr_strength_estimate *e,
                     double rating, double mean)
{
    const double band = floor((rating - bands->first) / BENCH_BAND);

    band_add(&bands->all, e, rating, mean);
    if (band >= 0 && band < BENCH_BANDS)
        band_add(&bands->band[(size_t)band], e, rating, mean);
}

static json_t *band_row(const struct bench_band *s)
{
    return json_pack(
        "{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "players", bench_number(s->n),
        "raw_bias", bench_number(s->raw / s->n), "bias", bench_number(s->error / s->n), "raw_rmse",
        bench_number(sqrt(s->raw_square / s->n)), "rmse", bench_number(sqrt(s->square / s->n)),
        "less_rmse", bench_number(1 - sqrt(s->square / s->square_from_mean)), "less_mae",
        bench_number(1 - s->absolute / s->from_mean), "raw_coverage",
        bench_number(s->raw_inside / s->n), "prior_coverage", bench_number(s->inside / s->n),
        "width", bench_number(s->raw_width / s->n));
}

void bench_bands_rows(const struct bench_bands *bands, const char *pool, const char *evaluations,
                      size_t games, double least, json_t *rows)
{
    for (size_t k = 0; k <= BENCH_BANDS; k++) {
        const struct bench_band *const s = k == 0 ? &bands->all : &bands->band[k - 1];
        const double low = bands->first + BENCH_BAND * (double)(k - 1);
        json_t *row;

        if (s->n < least)
            continue;
        row = band_row(s);
        json_object_set_new(row, "pool", json_string(pool));
        json_object_set_new(row, "evaluations", json_string(evaluations));
        json_object_set_new(row, "games", json_integer((json_int_t)games));
        json_object_set_new(row, "rating",
                            k == 0 ? json_null()
                                   : json_pack("{s:o, s:o}", "low", bench_number(low), "high",
                                               bench_number(low + BENCH_BAND)));
        json_object_set_new(row, "coverage", bench_number(s->shown / s->n));
        json_array_append_new(rows, row);
    }
}

static double row_number(const json_t *row, const char *name)
{
    return json_number_value(json_object_get(row, name));
}

struct band_column {
    const char *name, *head;
    double unit;
    int digits;
    bool sign;
};

static void band_cell(const struct band_column *c, const json_t *row)
{
    const double x = row_number(row, c->name) / c->unit;

    if (json_is_null(json_object_get(row, c->name)))
        printf(" |");
    else
        printf(c->sign ? " %+.*f |" : " %.*f |", c->digits, x);
}

void bench_bands_markdown(const json_t *rows)
{
    static const struct band_column column[] = {
        { "players", "Players", 1, 0, false },
        { "raw_bias", "Bias, moves alone", 1, 0, true },
        { "bias", "Bias", 1, 0, true },
        { "raw_rmse", "RMSE, moves alone", 1, 0, false },
        { "rmse", "RMSE", 1, 0, false },
        { "less_rmse", "Less RMSE, %", .01, 1, false },
        { "less_mae", "Less MAE, %", .01, 1, false },
        { "raw_coverage", "Inside, moves alone, %", .01, 1, false },
        { "prior_coverage", "Inside, with the prior, %", .01, 1, false },
        { "width", "Width", 1, 0, false },
    };
    const size_t columns = sizeof column / sizeof *column;
    const json_t *row;
    size_t i;

    printf("| Games | Rating |");
    for (size_t k = 0; k < columns; k++)
        printf(" %s |", column[k].head);
    printf(" Pool |\n| --: | --: |");
    for (size_t k = 0; k < columns; k++)
        printf(" --: |");
    printf(" --- |\n");
    json_array_foreach(rows, i, row) {
        const json_t *const range = json_object_get(row, "rating");
        char name[32] = "all";

        if (json_is_object(range))
            snprintf(name, sizeof name, "%.0f-%.0f", row_number(range, "low"),
                     row_number(range, "high"));
        printf("| %.0f | %s |", row_number(row, "games"), name);
        for (size_t k = 0; k < columns; k++)
            band_cell(&column[k], row);
        printf(" %s, %s |\n", json_string_value(json_object_get(row, "pool")),
               json_string_value(json_object_get(row, "evaluations")));
    }
}
