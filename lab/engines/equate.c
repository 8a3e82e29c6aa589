/*
 * Equations between engines: the mean score per information, z, that another engine's evaluations
 * give, on the scale of the engine to which the rating is fitted (docs/engines.md).
 *
 *     equate [--free | --model=FILE] <static/calibrations/engines.ndjson
 *
 * Standard input: lines of lab/engines/sums.c of the same games by several engines. Prints tables;
 * FILE gets the rows of analysis/model/strength_engines.inc.
 *
 * Rules. (1) z' = shift + scale z: the scale by the players' ratings as instrument, since both z
 * have errors and share them in part; the shift so that the weighted means agree; weights are the
 * information by the reference. (2) Information is multiplied so that sides vary about the line of
 * z on the rating as much as those of the reference. (3) Errors by the jackknife over 40 groups of
 * games. (4) The scale is 1, and its error includes the distance of the scale found from that; the
 * factor of the information is 1 unless it is more than two standard errors below. (5) Held back:
 * sides of a pool in the order of their ratings, every 50 in a row are a set, and its equation is
 * fitted without any game that has a side in the set. (6) An unknown version of Stockfish gets the
 * mean equation of its versions, the reference among them, any other engine that of all; the error
 * is the largest deviation of one of them from the mean of the others.
 *
 * All but (4) and the first half of (6) were written down before any result was seen. With --free,
 * the tables without (4): a set that is held back is often an end of the range, where a scale from
 * the rest is too uncertain.
 */
#include <jansson.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "model/strength_pools.h"

#define EQUATE_ENGINES 32
#define EQUATE_GROUPS  40
#define EQUATE_SET     50
#define EQUATE_LEAST   5 /* moves of a side */

struct equate_side {
    uint64_t game;
    bool online;
    double elo;
    double score[EQUATE_ENGINES], information[EQUATE_ENGINES], moves[EQUATE_ENGINES];
};

struct equate_engine {
    char name[64], network[64];
    int depth;
};

struct equate_data {
    struct equate_engine engine[EQUATE_ENGINES];
    size_t engines;
    struct equate_side *side;
    size_t n, size;
};

/* z on the scale of the reference is shift + scale z; what it is worth, information times that. */
struct equation {
    double shift, scale, information;
};

/* Its error: sqrt(shift^2 + scale^2 (z - centre)^2), z on the scale of the reference. */
struct equation_error {
    double centre, shift, scale, information;
};

/* ---- data ---- */

static size_t data_engine(struct equate_data *d, const json_t *line)
{
    struct equate_engine e = { .depth = (int)json_integer_value(json_object_get(line, "depth")) };

    snprintf(e.name, sizeof e.name, "%s", json_string_value(json_object_get(line, "engine")));
    snprintf(e.network, sizeof e.network, "%s",
             json_string_value(json_object_get(line, "network")));
    for (size_t i = 0; i < d->engines; i++)
        if (strcmp(d->engine[i].name, e.name) == 0 && d->engine[i].depth == e.depth)
            return i;
    d->engine[d->engines] = e;
    return d->engines++;
}

static struct equate_side *data_side(struct equate_data *d, uint64_t game)
{
    for (size_t i = 0; i < d->n; i += 2)
        if (d->side[i].game == game)
            return &d->side[i];
    if (d->n == d->size) {
        d->size = d->size > 0 ? 2 * d->size : 512;
        d->side = ipr_xrealloc(d->side, d->size, sizeof *d->side);
    }
    memset(&d->side[d->n], 0, 2 * sizeof *d->side);
    d->side[d->n].game = d->side[d->n + 1].game = game;
    d->n += 2;
    return &d->side[d->n - 2];
}

static void data_read(struct equate_data *d)
{
    json_t *line;

    while ((line = json_loadf(stdin, JSON_DISABLE_EOF_CHECK, NULL)) != NULL) {
        const size_t e = data_engine(d, line);
        struct equate_side *const side =
            data_side(d, strtoull(json_string_value(json_object_get(line, "game")), NULL, 16));

        for (size_t c = 0; c < 2; c++) {
            const json_t *const v = json_object_get(line, c == 0 ? "white" : "black");

            side[c].online = strcmp(json_string_value(json_object_get(line, "set")), "online") == 0;
            side[c].elo = json_number_value(json_array_get(v, 0));
            side[c].moves[e] = json_number_value(json_array_get(v, 1));
            side[c].score[e] = json_number_value(json_array_get(v, 2));
            side[c].information[e] = json_number_value(json_array_get(v, 3));
        }
        json_decref(line);
    }
}

static bool side_counts(const struct equate_side *s, size_t e)
{
    return s->elo > 0 && s->moves[0] >= EQUATE_LEAST && s->moves[e] >= EQUATE_LEAST;
}

static double side_z(const struct equate_side *s, size_t e)
{
    return s->score[e] / s->information[e];
}

/* ---- the equation ---- */

struct equate_means {
    double w, elo[2], w_of[2], z, y;
};

/* Mean square of the sides' deviations from the line of z on the rating, times information. */
static double equate_spread(const struct equate_data *d, const bool *take, size_t e,
                            const struct equation *q)
{
    double w = 0, elo = 0, z = 0, xx = 0, xz = 0, sum = 0, n = 0;

    for (int round = 0; round < 3; round++)
        for (size_t i = 0; i < d->n; i++) {
            const struct equate_side *const s = &d->side[i];

            if (!take[i] || !side_counts(s, e))
                continue;
            const double own = q->shift + q->scale * side_z(s, e);

            if (round == 0) {
                w += s->information[e];
                elo += s->information[e] * s->elo;
                z += s->information[e] * own;
            } else if (round == 1) {
                xx += s->information[e] * pow(s->elo - elo / w, 2);
                xz += s->information[e] * (s->elo - elo / w) * (own - z / w);
            } else {
                sum += s->information[e] * pow(own - z / w - xz / xx * (s->elo - elo / w), 2);
                n++;
            }
        }
    return sum / n;
}

/* `scale`: 0, or as it is fixed. */
static struct equation equate_fit(const struct equate_data *d, const bool *take, size_t e,
                                  double scale)
{
    static const struct equation same = { 0, 1, 1 };
    double w = 0, elo = 0, z = 0, y = 0, ez = 0, ey = 0;
    struct equation q;

    for (int round = 0; round < 2; round++)
        for (size_t i = 0; i < d->n; i++) {
            const struct equate_side *const s = &d->side[i];

            if (!take[i] || !side_counts(s, e))
                continue;
            const double own = s->information[0];

            if (round == 0) {
                w += own;
                elo += own * s->elo;
                z += own * side_z(s, 0);
                y += own * side_z(s, e);
            } else {
                ez += own * (s->elo - elo / w) * (side_z(s, 0) - z / w);
                ey += own * (s->elo - elo / w) * (side_z(s, e) - y / w);
            }
        }
    q.scale = scale > 0 ? scale : ez / ey;
    q.shift = (z - q.scale * y) / w;
    q.information = equate_spread(d, take, 0, &same) / equate_spread(d, take, e, &q);
    return q;
}

static struct equation_error equate_error(const struct equate_data *d, const bool *among, size_t e,
                                          const struct equation *q, double scale)
{
    struct equation leave[EQUATE_GROUPS], mean = { 0, 0, 0 };
    bool *const take = ipr_xcalloc(d->n + 1, sizeof *take);
    double aa = 0, ab = 0, bb = 0, cc = 0;

    for (size_t g = 0; g < EQUATE_GROUPS; g++) {
        for (size_t i = 0; i < d->n; i++)
            take[i] = among[i] && d->side[i].game % EQUATE_GROUPS != g;
        leave[g] = equate_fit(d, take, e, scale);
        mean.shift += leave[g].shift / EQUATE_GROUPS;
        mean.scale += leave[g].scale / EQUATE_GROUPS;
        mean.information += leave[g].information / EQUATE_GROUPS;
    }
    for (size_t g = 0; g < EQUATE_GROUPS; g++) {
        const double f = (EQUATE_GROUPS - 1.) / EQUATE_GROUPS;

        aa += f * pow(leave[g].shift - mean.shift, 2);
        ab += f * (leave[g].shift - mean.shift) * (leave[g].scale - mean.scale);
        bb += f * pow(leave[g].scale - mean.scale, 2);
        cc += f * pow(leave[g].information - mean.information, 2);
    }
    free(take);
    if (bb < 1e-12)
        return (struct equation_error){ .shift = sqrt(aa), .information = sqrt(cc) };
    return (struct equation_error){ .centre = q->shift - q->scale * ab / bb,
                                    .shift = sqrt(aa - ab * ab / bb),
                                    .scale = sqrt(bb) / q->scale,
                                    .information = sqrt(cc) };
}

/* By the rules, with the error; `freely`: without the fourth. */
static struct equation equate_engine(const struct equate_data *d, const bool *take, size_t e,
                                     bool freely, struct equation_error *error)
{
    const struct equation found = equate_fit(d, take, e, 0);
    struct equation q = equate_fit(d, take, e, 1);

    *error = equate_error(d, take, e, &found, 0);
    if (freely)
        return found;
    const struct equation_error of = equate_error(d, take, e, &q, 1);

    error->shift = of.shift;
    error->scale = hypot(error->scale, found.scale - 1);
    error->information = of.information;
    if (q.information > 1 - 2 * error->information)
        q.information = 1;
    return q;
}

static double error_at(const struct equation_error *e, double z)
{
    return hypot(e->shift, e->scale * (z - e->centre));
}

/* ---- sets held back ---- */

static int by_rating(const void *a, const void *b)
{
    const struct equate_side *const x = *(const struct equate_side *const *)a,
                                    *const y = *(const struct equate_side *const *)b;

    if (x->elo != y->elo)
        return x->elo < y->elo ? -1 : 1;
    return x->game != y->game ? (x->game < y->game ? -1 : 1) : (x < y ? -1 : x > y);
}

struct set_sum {
    double n, difference, absolute, square, covered, inside, before;
};

/* Rates the sides at[0 .. n) by the reference and by the engine, without a prior. */
static void set_row(const struct equate_data *d, size_t e, bool freely, struct equate_side **at,
                    size_t n, struct set_sum *sum)
{
    const struct ipr_strength_shipped *const s =
        at[0]->online ? &ipr_strength_online_rapid_moves : &ipr_strength_shipped;
    bool *const take = ipr_xcalloc(d->n + 1, sizeof *take);
    double elo = 0, score = 0, information = 0, own = 0, worth = 0;

    for (size_t i = 0; i < d->n; i++) {
        take[i] = true;
        for (size_t k = 0; k < n; k++)
            take[i] = take[i] && at[k]->game != d->side[i].game;
    }
    struct equation_error error;
    const struct equation q = equate_engine(d, take, e, freely, &error);

    for (size_t k = 0; k < n; k++) {
        elo += at[k]->elo / (double)n;
        score += at[k]->score[0];
        information += at[k]->information[0];
        own += at[k]->score[e];
        worth += at[k]->information[e];
    }
    const double z = q.shift + q.scale * own / worth, extra = error_at(&error, z);
    const struct ipr_strength_estimate a = ipr_strength_of_sums(&s->calibration, score, information,
                                                                s->prior_mean, s->prior_sd),
                                       b = ipr_strength_of_sums(
                                           &s->calibration, z * q.information * worth,
                                           q.information * worth, s->prior_mean, s->prior_sd);
    const double plain = ipr_strength_curve_elo(&s->calibration.curve, own / worth);
    const double slope = fabs(ipr_strength_curve_at(&s->calibration.curve, a.raw + 50) -
                              ipr_strength_curve_at(&s->calibration.curve, a.raw - 50)) /
                         100;
    const double half = hypot((b.raw_hi - b.raw_lo) / 2, 1.96 * extra / slope);

    printf("| %s | %zu | %.0f | %.0f | %.0f | %+.0f | %.0f | %.0f | %.0f |\n",
           at[0]->online ? "online-rapid" : "otb", n, elo, a.raw, b.raw, b.raw - a.raw,
           plain - a.raw, extra / slope, half);
    sum->n++;
    sum->difference += b.raw - a.raw;
    sum->absolute += fabs(b.raw - a.raw);
    sum->square += pow(b.raw - a.raw, 2);
    sum->before += fabs(plain - a.raw);
    sum->covered += fabs(b.raw - a.raw) <= half;
    sum->inside += fabs(b.raw - elo) <= half;
    free(take);
}

static void sets_table(const struct equate_data *d, size_t e, bool freely)
{
    struct equate_side **const at = ipr_xcalloc(d->n + 1, sizeof(struct equate_side *));
    struct set_sum sum = { .n = 0 };

    printf("\n%s, depth %d: sets of %d sides that the equation was not fitted to\n\n"
           "| Pool | Sides | Rating in the tags | By the reference | By this engine | Difference | "
           "Without the equation | Error of the equation | Half the interval |\n"
           "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n",
           d->engine[e].name, d->engine[e].depth, EQUATE_SET);
    for (int online = 0; online < 2; online++) {
        size_t n = 0;

        for (size_t i = 0; i < d->n; i++)
            if (d->side[i].online == (online == 1) && side_counts(&d->side[i], e))
                at[n++] = &d->side[i];
        qsort(at, n, sizeof *at, by_rating);
        for (size_t i = 0; i + EQUATE_SET <= n; i += EQUATE_SET)
            set_row(d, e, freely, at + i, EQUATE_SET, &sum);
    }
    printf("\nSets %.0f; mean difference %+.1f, mean absolute difference %.1f (without the "
           "equation %.1f), RMS %.1f; interval holds the reference's rating in %.0f, the rating in "
           "the tags in %.0f.\n",
           sum.n, sum.difference / sum.n, sum.absolute / sum.n, sum.before / sum.n,
           sqrt(sum.square / sum.n), sum.covered, sum.inside);
    free(at);
}

/* ---- all ---- */

/* Correlation of the z of sides, and the number of sides. */
static double sides_alike(const struct equate_data *d, size_t e, size_t *n)
{
    double w = 0, z = 0, y = 0, zz = 0, zy = 0, yy = 0;

    *n = 0;
    for (size_t i = 0; i < d->n; i++) {
        const struct equate_side *const s = &d->side[i];

        if (!side_counts(s, e))
            continue;
        w += s->information[0];
        z += s->information[0] * side_z(s, 0);
        y += s->information[0] * side_z(s, e);
        zz += s->information[0] * pow(side_z(s, 0), 2);
        yy += s->information[0] * pow(side_z(s, e), 2);
        zy += s->information[0] * side_z(s, 0) * side_z(s, e);
        ++*n;
    }
    return (zy - z * y / w) / sqrt((zz - z * z / w) * (yy - y * y / w));
}

/* Standard deviation, in Elo at 2200, of the difference between the engines' ratings of 50 sides
 * over the board when the shift is exact. */
static double sides_noise(const struct equate_data *d, size_t e)
{
    const struct ipr_strength_curve *const c = &ipr_strength_shipped.calibration.curve;
    const double slope = (ipr_strength_curve_at(c, 2250) - ipr_strength_curve_at(c, 2150)) / 100;
    double w = 0, mean = 0, squares = 0, n = 0;

    for (int round = 0; round < 2; round++)
        for (size_t i = 0; i < d->n; i++) {
            const struct equate_side *const s = &d->side[i];

            if (s->online || !side_counts(s, e))
                continue;
            const double own = s->information[0], off = side_z(s, 0) - side_z(s, e);

            if (round == 0) {
                w += own;
                mean += own * off;
                n++;
            } else {
                squares += pow(own * (off - mean / w), 2);
            }
        }
    return sqrt(squares * n / EQUATE_SET) / w / fabs(slope);
}

static void model_row(FILE *to, const struct equate_engine *e, const struct equation *q,
                      const struct equation_error *error)
{
    fprintf(to, "{ \"%s\", \"%s\", %.4f, %.4f, %.4f, %.4f, %.4f, %.4f },\n", e->name, e->network,
            q->shift, q->scale, q->information, error->centre, error->shift, error->scale);
}

/* True if the row of an unknown engine of that name rests on an engine. */
static bool unknown_counts(const struct equate_data *d, size_t e, const char *name)
{
    return d->engine[e].depth == d->engine[0].depth &&
           strncmp(d->engine[e].name, name, strlen(name)) == 0;
}

/* Rule 6. `name`: what the names of the engines begin with. */
static void equate_unknown(const struct equate_data *d, const struct equation *q,
                           const struct equation_error *error, const char *name, FILE *model)
{
    struct equate_engine row = { .depth = d->engine[0].depth };
    const double z = ipr_strength_curve_at(&ipr_strength_shipped.calibration.curve, 2200);
    struct equation mean = { 0, 0, 0 };
    struct equation_error widest = { .centre = z };
    double n = 0;

    snprintf(row.name, sizeof row.name, "%s", name);
    for (size_t e = 0; e < d->engines; e++)
        if (unknown_counts(d, e, name)) {
            n++;
            mean.shift += q[e].shift;
            mean.scale += q[e].scale;
            mean.information += q[e].information;
        }
    mean.shift /= n;
    mean.scale /= n;
    mean.information /= n;
    for (size_t e = 0; e < d->engines; e++)
        if (unknown_counts(d, e, name)) {
            /* The mean turns the z that this engine's equation brings to z into this. */
            const double by_mean = mean.shift + mean.scale * (z - q[e].shift) / q[e].scale;

            widest.shift =
                fmax(widest.shift, hypot(fabs(by_mean - z) * n / (n - 1), error[e].shift));
            widest.scale = fmax(widest.scale, error[e].scale);
        }
    printf("| %s, unknown | %d | - | - | %+.3f | %.3f | %+.2f | %.3f | %.3f | %.2f | - | - |\n",
           name[0] != '\0' ? name : "any other", row.depth, mean.shift, mean.scale, widest.centre,
           widest.shift, widest.scale, mean.information);
    if (model != NULL)
        model_row(model, &row, &mean, &widest);
}

int main(int argc, char **argv)
{
    struct equate_data d = { .n = 0 };
    struct equation q[EQUATE_ENGINES] = { { 0, 1, 1 } };
    struct equation_error error[EQUATE_ENGINES] = { { 0, 0, 0, 0 } };
    const bool freely = argc > 1 && strcmp(argv[1], "--free") == 0;
    FILE *model = NULL;

    if (argc > 1 && strncmp(argv[1], "--model=", 8) == 0)
        model = fopen(argv[1] + 8, "w");
    data_read(&d);
    bool *const all = ipr_xcalloc(d.n + 1, sizeof *all);
    memset(all, true, d.n);
    puts("| Engine | Depth | Sides | Correlation of z | Shift | Scale | Centre | Error there | "
         "Error "
         "of the scale | Information | Its error | SD of 50 sides, Elo |\n"
         "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |");
    for (size_t e = 1; e < d.engines; e++) {
        size_t n;
        const double alike = sides_alike(&d, e, &n);

        q[e] = equate_engine(&d, all, e, freely, &error[e]);
        printf("| %s | %d | %zu | %.3f | %+.3f | %.3f | %+.2f | %.3f | %.3f | %.2f | %.2f | %.0f "
               "|\n",
               d.engine[e].name, d.engine[e].depth, n, alike, q[e].shift, q[e].scale,
               error[e].centre, error[e].shift, error[e].scale, q[e].information,
               error[e].information, sides_noise(&d, e));
        if (model != NULL && d.engine[e].depth == d.engine[0].depth)
            model_row(model, &d.engine[e], &q[e], &error[e]);
    }
    equate_unknown(&d, q, error, "Stockfish", model);
    equate_unknown(&d, q, error, "", model);
    for (size_t e = 1; e < d.engines; e++)
        if (d.engine[e].depth == d.engine[0].depth)
            sets_table(&d, e, freely);
    if (model != NULL)
        fclose(model);
    free(all);
    free(d.side);
    return 0;
}
