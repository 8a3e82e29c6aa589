/* Constants of a pool, as text. */
#include <stdlib.h>
#include <string.h>

#include "lab/pool/pool.h"
#include "lab/report.h"

size_t pool_knots(const char *text, double knot[IPR_STRENGTH_KNOTS])
{
    size_t n = 0;
    char *end;

    for (const char *p = text; n < IPR_STRENGTH_KNOTS; p = end + 1) {
        knot[n++] = strtod(p, &end);
        if (*end != ',')
            break;
    }
    return n;
}

/* A constant of type float. */
void pool_write_float(FILE *out, const char *before, float value, int digits)
{
    char text[32];

    snprintf(text, sizeof text, "%.*g", digits, (double)value);
    fprintf(out, "%s%s%sF", before, text, strpbrk(text, ".e") != NULL ? "" : ".");
}

void pool_write_trees(FILE *out, const struct ipr_boost *b)
{
    for (size_t t = 0; t < b->n; t++) {
        fputs("{ {", out);
        for (size_t k = 0; k < IPR_BOOST_DEPTH; k++)
            fprintf(out, "%s%u", k > 0 ? "," : "", b->tree[t].feature[k]);
        fputs("},{", out);
        for (size_t k = 0; k < IPR_BOOST_DEPTH; k++)
            pool_write_float(out, k > 0 ? "," : "", b->tree[t].threshold[k], 9);
        fputs("},\n{", out);
        for (size_t k = 0; k < IPR_BOOST_LEAVES; k++)
            pool_write_float(out, k % 16 != 0 ? "," : k > 0 ? ",\n" : "", b->tree[t].leaf[k], 4);
        fputs("} },\n", out);
    }
}

static void pool_write_null(FILE *out, const struct ipr_strength_null null[IPR_STRENGTH_NULLS])
{
    fputs(".null_sets = {\n", out);
    for (size_t k = 0; k < IPR_STRENGTH_NULLS; k++)
        fprintf(out,
                "{ .moves = %.0f, .sets = %.0f, .below = { %.9g, %.9g, %.9g },\n"
                ".above = { %.9g, %.9g, %.9g } },\n",
                null[k].moves, null[k].sets, null[k].below[0], null[k].below[1], null[k].below[2],
                null[k].above[0], null[k].above[1], null[k].above[2]);
    fputs("},\n", out);
}

void pool_write_scale(FILE *out, const char *members, const struct pool_scale *scale,
                      const struct ipr_strength_null null[IPR_STRENGTH_NULLS])
{
    fprintf(out, "const struct ipr_strength_shipped POOL = {\n%s", members);
    bench_model_calibration(out, &scale->calibration);
    if (null != NULL && null[0].sets > 0)
        pool_write_null(out, null);
    fprintf(out, ".prior_mean = %.4g, .prior_sd = %.4g\n};\n", scale->prior_mean, scale->prior_sd);
}
