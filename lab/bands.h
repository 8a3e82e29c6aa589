#ifndef LAB_BANDS_H
#define LAB_BANDS_H

#include <jansson.h>

#include "model/strength_rating.h"

/* The rows of a table that shows how good estimates are by level, in bands of 200. */

#define BENCH_BAND  200.
#define BENCH_BANDS 15

/** Sums over estimates of players of known rating. */
struct bench_band {
    double n, from_mean, square_from_mean, absolute, raw, raw_square, error, square, inside,
        raw_inside, raw_width;
    double shown; /* in the interval that is shown */
};

struct bench_bands {
    double first; /* lower end of the first band */
    struct bench_band all, band[BENCH_BANDS];
};

/** rating, mean   of the player, and of the prior */
void bench_bands_add(struct bench_bands *bands, const struct ipr_strength_estimate *e,
                     double rating, double mean);

/** Appends rows: of all, and of each band with so many estimates at least. The interval that is
 * shown is the one without the prior, extended to the estimate. */
void bench_bands_rows(const struct bench_bands *bands, const char *pool, const char *evaluations,
                      size_t games, double least, json_t *rows);

/** Prints such rows as a table in Markdown. */
void bench_bands_markdown(const json_t *rows);

#endif
