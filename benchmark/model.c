#include "benchmark/report.h"

#include <stdio.h>

static void model_row(FILE *out, const char *name, const double *v, size_t n)
{
    if (*name != '\0')
        fprintf(out, "\"%s\":", name);
    for (size_t i = 0; i < n; i++)
        fprintf(out, "%c%.9g", i == 0 ? '[' : ',', v[i]);
    fputs("]", out);
}

bool bench_model_write(const struct bench_report *r, const struct bench_entry *e, const char *path)
{
    const struct ipr_strength_model *m = &r->f.model;
    const struct ipr_strength_calibration *c = &e->model;
    FILE *out = fopen(path, "w");

    if (out == NULL)
        return false;
    fputs("{", out);
    model_row(out, "steps", ipr_strength_step, IPR_STRENGTH_STEPS);
    fputs(",\n", out);
    model_row(out, "centre", m->centre, IPR_STRENGTH_FEATURES);
    fputs(",\n", out);
    model_row(out, "scale", m->scale, IPR_STRENGTH_FEATURES);
    for (size_t k = 0; k < IPR_STRENGTH_STEPS; k++) {
        fputs(k == 0 ? ",\n\"a\":[" : ",\n", out);
        model_row(out, "", m->a[k], IPR_STRENGTH_FEATURES);
    }
    for (size_t k = 0; k < IPR_STRENGTH_STEPS; k++) {
        fputs(k == 0 ? "],\n\"g\":[" : ",\n", out);
        model_row(out, "", m->g[k], IPR_STRENGTH_SLOPES);
    }
    fputs("],\n\"curve\":{", out);
    model_row(out, "elo", c->curve.elo, IPR_STRENGTH_KNOTS);
    fputs(",", out);
    model_row(out, "z", c->curve.z, IPR_STRENGTH_KNOTS);
    fputs(",", out);
    model_row(out, "se", c->curve.se, IPR_STRENGTH_KNOTS);
    fprintf(out,
            "},\n\"spread\":{\"factor\":%.9g,\"game\":%.9g,\"player\":%.9g},\n"
            "\"prior\":{\"mean\":%.4g,\"sd\":%.4g}}\n",
            c->spread.factor, c->spread.game, c->spread.player, r->prior_mean, r->prior_sd);
    return fclose(out) == 0;
}
