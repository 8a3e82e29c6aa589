#include "lab/report.h"

#include <stdio.h>
#include <string.h>

#define MODEL_ROW 8 /* numbers on a line */

/* { v, v, … } and what follows it. */
static void model_values(FILE *out, const char *before, const double *v, size_t n,
                         const char *after)
{
    fprintf(out, "%s{", before);
    for (size_t i = 0; i < n; i++)
        fprintf(out, "%s%.9g", i == 0 ? " " : i % MODEL_ROW == 0 ? ",\n" : ", ", v[i]);
    fprintf(out, " }%s", after);
}

static void model_rows(FILE *out, const char *name, const double *v, size_t rows, size_t n)
{
    fprintf(out, "%s = {\n", name);
    for (size_t k = 0; k < rows; k++)
        model_values(out, "", v + k * n, n, k + 1 < rows ? ",\n" : " },\n");
}

void bench_model_calibration(FILE *out, const struct ipr_strength_calibration *c)
{
    const size_t knots = c->curve.knots;

    fprintf(out, ".calibration = {\n.curve = {\n.knots = %zu,\n", knots);
    model_values(out, ".elo = ", c->curve.elo, knots, ",\n");
    model_values(out, ".z = ", c->curve.z, knots, ",\n");
    model_values(out, ".var = ", c->curve.var, knots, ",\n");
    model_values(out, ".cov = ", c->curve.cov, knots - 1, " },\n");
    fprintf(out, ".spread = { .factor = %.9g, .game = %.9g, .player = %.9g, .event = %.9g,\n",
            c->spread.factor, c->spread.game, c->spread.player, c->spread.event);
    model_values(out, ".level = ", c->spread.level, knots, " },\n");
    fputs(".era = {\n", out);
    model_values(out, ".year = ", c->era.year, IPR_STRENGTH_ERAS + 1, ",\n");
    model_values(out, ".elo = ", c->era.elo, IPR_STRENGTH_ERAS, ",\n");
    model_rows(out, ".centre", c->era.centre[0], IPR_STRENGTH_ERAS, IPR_STRENGTH_KNOTS);
    model_rows(out, ".cov", c->era.cov[0], IPR_STRENGTH_ERAS, IPR_STRENGTH_ERAS);
    model_rows(out, ".cov_curve", c->era.cov_curve[0], IPR_STRENGTH_ERAS, IPR_STRENGTH_KNOTS);
    fputs("} },\n", out);
}

/* The rows of sets of one band, of all years and levels. */
static void model_null(FILE *out, const json_t *null_sets)
{
    static const char *const member[2][3] = { { "below_2", "below_3", "below_4" },
                                              { "above_2", "above_3", "above_4" } };
    const json_t *row;
    size_t i;

    fputs(".null_sets = {\n", out);
    json_array_foreach(null_sets, i, row) {
        double share[2][3];

        if (strcmp(json_string_value(json_object_get(row, "of")), "band") != 0 ||
            !json_is_null(json_object_get(row, "years")) ||
            !json_is_null(json_object_get(row, "elo")))
            continue;
        for (size_t k = 0; k < 6; k++)
            share[k / 3][k % 3] = json_number_value(json_object_get(row, member[k / 3][k % 3]));
        fprintf(out, "{ .moves = %.0f, .sets = %.0f,\n",
                json_number_value(json_object_get(row, "moves")),
                json_number_value(json_object_get(row, "sets")));
        model_values(out, ".below = ", share[0], 3, ",\n");
        model_values(out, ".above = ", share[1], 3, " },\n");
    }
    fputs("},\n", out);
}

bool bench_model_write(const struct bench_report *r, const struct bench_entry *e,
                       const json_t *null_sets, const char *path)
{
    const struct ipr_strength_model *m = &r->f.model;
    FILE *out = fopen(path, "w");

    if (out == NULL)
        return false;
    fputs(".alone = true,\n.model = {\n", out);
    model_values(out, ".centre = ", m->centre, IPR_STRENGTH_FEATURES, ",\n");
    model_values(out, ".scale = ", m->scale, IPR_STRENGTH_FEATURES, ",\n");
    model_rows(out, ".a", m->a[0], IPR_STRENGTH_STEPS, IPR_STRENGTH_FEATURES);
    model_rows(out, ".g", m->g[0], IPR_STRENGTH_STEPS, IPR_STRENGTH_SLOPES);
    fputs("},\n", out);
    bench_model_calibration(out, &e->model);
    fprintf(out,
            ".results = { .white = %.9g, .dispersion = %.9g, .shift = %.9g, .factor = %.9g, "
            ".shared = %.9g,\n"
            ".player = %.9g },\n",
            r->results.white, r->results.dispersion, r->results.shift, r->results.factor,
            r->results.shared, r->results.player);
    fprintf(out, ".prior_mean = %.4g, .prior_sd = %.4g, .opponents_sd = %.4g,\n", BENCH_PRIOR_MEAN,
            BENCH_PRIOR_SD, r->opponents_sd);
    model_null(out, null_sets);
    return fclose(out) == 0;
}
