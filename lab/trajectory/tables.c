/* Tables of the forecasts. */
#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "lab/trajectory/trajectory.h"
#include "stats/interval.h"

/* Some of the forecasts. */
struct subset {
    const char *name;
    double low, high; /* predicted strength, Elo */
    int from, to;     /* calendar years since the first */
    int last_moves;   /* minimum of the last year with games */
};

#define STRENGTHS .low = -INFINITY, .high = INFINITY
#define AGES      .from = 0, .to = INT_MAX

static bool subset_has(const struct subset *s, const struct forecast *f)
{
    return f->moves >= TRAJECTORY_MOVES && f->last_moves >= s->last_moves && f->age >= s->from &&
           f->age < s->to && f->mean[METHOD_PATH] >= s->low && f->mean[METHOD_PATH] < s->high;
}

/* One figure of each forecast of a subset. */
struct column {
    double *x;
    size_t *career, n;
};

static struct column column_new(const struct forecasts *f)
{
    return (struct column){ .x = ipr_xcalloc(f->n + 1, sizeof(double)),
                            .career = ipr_xcalloc(f->n + 1, sizeof(size_t)) };
}

static void column_free(struct column *c)
{
    free(c->x);
    free(c->career);
}

static void column_add(struct column *c, const struct forecast *f, double x)
{
    c->career[c->n] = f->career;
    c->x[c->n++] = x;
}

enum figure { SQUARE, LESS_NOISE, SCORE, OWN_SCORE, INSIDE, DEVIATION, FIGURES };

static double forecast_figure(const struct forecast *f, enum method m, enum figure k)
{
    double noise;
    const double error = forecast_error(f, m, &noise), z = forecast_deviation(f, m);

    const double figure[FIGURES] = {
        [SQUARE] = error * error,
        [LESS_NOISE] = error * error - noise,
        [SCORE] = forecast_score(f, m, f->variance[m]),
        [OWN_SCORE] = forecast_score(f, m, f->own[m]),
        [INSIDE] = fabs(z) <= IPR_Z95,
        [DEVIATION] = z * z,
    };

    return figure[k];
}

/* Its mean; less that of another method, unless it is METHODS. */
static struct measure subset_mean(const struct forecasts *f, const struct subset *s, enum figure k,
                                  enum method m, enum method less, size_t *n)
{
    struct column c = column_new(f);

    for (size_t i = 0; i < f->n; i++)
        if (subset_has(s, &f->forecast[i]))
            column_add(&c, &f->forecast[i],
                       forecast_figure(&f->forecast[i], m, k) -
                           (less < METHODS ? forecast_figure(&f->forecast[i], less, k) : 0));
    *n = c.n;
    const struct measure out = c.n > 0 ? measure_mean(c.x, c.career, c.n, f->careers->n)
                                       : (struct measure){ NAN, NAN, NAN };
    column_free(&c);
    return out;
}

/* rows: NULL if the answer does not have them */
static void subset_print(const struct forecasts *f, const struct subset *s, json_t *rows)
{
    size_t n;

    printf("\n### %s\n\n| forecast | root mean square, Elo | without the noise of the year | log "
           "score | by its own error | in the 95 %% interval, %% | rms of z |\n"
           "| --- | ---: | ---: | ---: | ---: | ---: | ---: |\n",
           s->name);
    for (enum method m = 0; m < METHODS; m++) {
        const struct measure rmse = measure_root(subset_mean(f, s, SQUARE, m, METHODS, &n));
        const struct measure less = measure_root(subset_mean(f, s, LESS_NOISE, m, METHODS, &n));
        double mean[FIGURES];

        for (enum figure k = SCORE; k < FIGURES; k++)
            mean[k] = subset_mean(f, s, k, m, METHODS, &n).mean;
        printf("| %s | %.0f (%.0f to %.0f) | %.0f (%.0f to %.0f) | %.3f | %.3f | %.1f | %.2f |\n",
               method_name[m], rmse.mean, rmse.lo, rmse.hi, less.mean, less.lo, less.hi,
               mean[SCORE], mean[OWN_SCORE], 100 * mean[INSIDE], sqrt(mean[DEVIATION]));
        json_array_append_new(
            rows, json_pack("{s:s, s:I, s:f, s:o, s:f, s:o, s:f, s:f}", "forecast", method_name[m],
                            "years", (json_int_t)n, "rmse", rmse.mean, "rmse_interval",
                            measure_interval(&rmse), "rmse_without_noise", less.mean,
                            "rmse_without_noise_interval", measure_interval(&less), "log_score",
                            mean[SCORE], "coverage", mean[INSIDE]));
    }
    printf(
        "\n%zu years.\n\n| difference | less | squared error, Elo² | 95 %% interval | log score | "
        "95 %% interval |\n| --- | --- | ---: | ---: | ---: | ---: |\n",
        n);
    for (enum method m = 0; m < METHODS; m++) {
        const enum method of = m == METHOD_SMOOTHED ? METHOD_FITTED : METHOD_PATH;
        const struct measure square = subset_mean(f, s, SQUARE, of, m, &n);
        const struct measure score = subset_mean(f, s, SCORE, of, m, &n);

        if (m == of)
            continue;
        printf("| %s | %s | %+.0f | %+.0f to %+.0f | %+.3f | %+.3f to %+.3f |\n", method_name[of],
               method_name[m], square.mean, square.lo, square.hi, score.mean, score.lo, score.hi);
        const struct measure more = { .lo = -square.hi, .hi = -square.lo };
        json_object_update_new(json_array_get(rows, m),
                               json_pack("{s:s, s:f, s:o, s:f, s:o}", "against", method_name[of],
                                         "squared_more", -square.mean, "squared_interval",
                                         measure_interval(&more), "score_less", score.mean,
                                         "score_interval", measure_interval(&score)));
    }
}

static void coverage_print(const struct forecasts *f, json_t *rows)
{
    static const struct subset part[] = {
        { "all", STRENGTHS, AGES, 0 },
        { "below 2400", -INFINITY, 2400, AGES, 0 },
        { "2400 to 2599", 2400, 2600, AGES, 0 },
        { "2600 and above", 2600, INFINITY, AGES, 0 },
        { "first 8 years of a career", STRENGTHS, 0, TRAJECTORY_EARLY, 0 },
        { "later", STRENGTHS, TRAJECTORY_EARLY, INT_MAX, 0 },
    };

    printf("\n## Coverage of the forecasts\n\n| years | number | in the 95 %% interval, %% | 95 %% "
           "interval of it | rms of z | mean of the error, Elo |\n"
           "| --- | ---: | ---: | ---: | ---: | ---: |\n");
    for (size_t k = 0; k < sizeof part / sizeof *part; k++) {
        size_t n;
        const struct measure in = subset_mean(f, &part[k], INSIDE, METHOD_PATH, METHODS, &n);
        const struct measure z = subset_mean(f, &part[k], DEVIATION, METHOD_PATH, METHODS, &n);
        double error = 0, noise;

        for (size_t i = 0; i < f->n; i++)
            if (subset_has(&part[k], &f->forecast[i]))
                error += forecast_error(&f->forecast[i], METHOD_PATH, &noise) / (double)n;
        printf("| %s | %zu | %.1f | %.1f to %.1f | %.2f | %+.0f |\n", part[k].name, n,
               100 * in.mean, 100 * in.lo, 100 * in.hi, sqrt(z.mean), error);
        json_array_append_new(rows, json_pack("{s:s, s:I, s:f, s:o, s:f, s:f}", "of", part[k].name,
                                              "years", (json_int_t)n, "coverage", in.mean,
                                              "interval", measure_interval(&in), "z_rms",
                                              sqrt(z.mean), "bias", -error));
    }
}

void forecasts_print(const struct forecasts *f, json_t *out)
{
    json_t *const moves = json_array(), *const coverage = json_array();
    static const struct subset all = { "Years with at least 100 moves", STRENGTHS, AGES, 0 };
    static const struct subset full = { "Of these, after a year with at least 100 moves", STRENGTHS,
                                        AGES, TRAJECTORY_MOVES };

    puts("\n## Moves of the next year");
    subset_print(f, &all, moves);
    subset_print(f, &full, NULL);
    coverage_print(f, coverage);
    json_object_set_new(out, "moves", moves);
    json_object_set_new(out, "coverage", coverage);
}
