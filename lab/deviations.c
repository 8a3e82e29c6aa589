#include "lab/report.h"

#include <stdlib.h>

#include "stats/resample.h"

#define DEVIATION_DRAWS 100

/* Engine time of a move by the settings `rating` and `standard`, core-seconds: docs/judging.md. */
static const double deviation_seconds[] = { .036, .214 };

static const double deviation_band[][2] = { { 0, 1e9 },     { 1600, 1900 }, { 1900, 2200 },
                                            { 2200, 2500 }, { 2500, 2801 }, { 2200, 2801 } };
#define DEVIATION_BANDS (sizeof deviation_band / sizeof *deviation_band)

static double deviation_of(const struct bench_report *r, const struct bench_entry *e,
                           const double *times, size_t band)
{
    return bench_sd(r->d.side, e->answer, &e->model.spread, r->take, r->d.n_sides, times,
                    deviation_band[band][0], deviation_band[band][1], band + 1 == DEVIATION_BANDS);
}

/* Standard errors of the figures and of the ratio to the chosen entry, by resampling games. */
static void deviation_errors(const struct bench_report *r, size_t chosen, double *se,
                             double *se_ratio)
{
    double *times = malloc(r->d.n_games * sizeof *times), s[BENCH_ENTRIES][4] = { { 0 } };
    struct ipr_twister rng;

    ipr_twister_seed(&rng, 0);
    for (int k = 0; times != NULL && k < DEVIATION_DRAWS; k++) {
        double last;

        ipr_resample(&rng, r->d.n_games, times);
        last = deviation_of(r, &r->entry[chosen], times, 0);
        for (size_t i = 0; i < r->n; i++) {
            const double sd = deviation_of(r, &r->entry[i], times, 0);

            s[i][0] += sd;
            s[i][1] += sd * sd;
            s[i][2] += last / sd;
            s[i][3] += last / sd * (last / sd);
        }
    }
    for (size_t i = 0; i < r->n; i++) {
        se[i] =
            sqrt(fmax(s[i][1] - s[i][0] * s[i][0] / DEVIATION_DRAWS, 0) / (DEVIATION_DRAWS - 1));
        se_ratio[i] =
            sqrt(fmax(s[i][3] - s[i][2] * s[i][2] / DEVIATION_DRAWS, 0) / (DEVIATION_DRAWS - 1));
    }
    free(times);
}

static json_t *deviation_bands(const struct bench_report *r, const struct bench_entry *e)
{
    json_t *out = json_array();

    for (size_t b = 1; b + 1 < DEVIATION_BANDS; b++)
        json_array_append_new(out,
                              json_pack("{s:o, s:o}", "elo",
                                        bench_range(deviation_band[b][0], deviation_band[b][1]),
                                        "sd", bench_number(deviation_of(r, e, NULL, b))));
    return out;
}

json_t *bench_deviations(const struct bench_report *r)
{
    double se[BENCH_ENTRIES], se_ratio[BENCH_ENTRIES];
    const double last = deviation_of(r, &r->entry[r->chosen], NULL, 0);
    json_t *out = json_array();

    deviation_errors(r, r->chosen, se, se_ratio);
    for (size_t i = 0; i < r->n; i++) {
        const struct bench_entry *e = &r->entry[i];
        const double sd = deviation_of(r, e, NULL, 0);

        json_array_append_new(
            out,
            json_pack("{s:s, s:s?, s:b, s:s, s:f, s:o, s:o, s:o, s:o, s:o, s:o}", "estimator",
                      e->name, "uses", e->uses, "chosen", i == r->chosen, "judge",
                      e->every_line ? "standard" : "rating", "core_seconds",
                      deviation_seconds[e->every_line], "sd", bench_number(sd), "standard_error",
                      bench_number(se[i]), "bands", deviation_bands(r, e), "sd_2200",
                      bench_number(deviation_of(r, e, NULL, DEVIATION_BANDS - 1)), "ratio",
                      bench_number(last / sd), "ratio_standard_error", bench_number(se_ratio[i])));
    }
    return out;
}
