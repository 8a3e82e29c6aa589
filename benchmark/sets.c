#include "benchmark/report.h"

#include <gsl/gsl_rng.h>
#include <stdlib.h>

#define SETS_DRAWS 20

/* How surprising sets of known Elo are: shares beyond 2, 3, 4 standard deviations, either way. */
struct surprises {
    double n, beyond[3][2];
};

static void errors_add(struct bench_errors *e, const struct ipr_strength_estimate *b, double elo,
                       double flat)
{
    e->n++;
    e->absolute += fabs(b->mean - elo);
    e->square += (b->mean - elo) * (b->mean - elo);
    e->flat_absolute += fabs(flat - elo);
    e->flat_square += (flat - elo) * (flat - elo);
    e->raw_inside += elo >= b->raw_lo && elo <= b->raw_hi;
    e->inside += elo >= b->lo && elo <= b->hi;
    e->width += b->hi - b->lo;
}

static json_t *errors_json(const struct bench_report *r, const struct bench_entry *entry,
                           const char *of, size_t games, const struct bench_errors *e, double draws)
{
    return json_pack(
        "{s:s, s:b, s:s, s:I, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "estimator",
        entry->name, "chosen", entry == &r->entry[r->chosen], "of", of, "games", (json_int_t)games,
        "sets", bench_number(e->n / draws), "mae", bench_number(e->absolute / e->n), "mae_of_mean",
        bench_number(e->flat_absolute / e->n), "rmse", bench_number(sqrt(e->square / e->n)),
        "rmse_of_mean", bench_number(sqrt(e->flat_square / e->n)), "less",
        bench_number(1 - sqrt(e->square / e->flat_square)), "raw_coverage",
        bench_number(e->raw_inside / e->n), "coverage", bench_number(e->inside / e->n), "width",
        bench_number(e->width / e->n));
}

struct bench_errors bench_one_game(const struct bench_report *r, const struct bench_entry *e)
{
    struct bench_errors s = { 0 };

    for (size_t i = 0; i < r->d.n_sides; i++) {
        struct ipr_strength_estimate b;

        if (!r->take[i] || !(e->answer[i].information > 0))
            continue;
        b = ipr_strength_estimate(&e->model, e->answer, &i, 1, r->prior_mean, r->prior_sd);
        errors_add(&s, &b, r->d.side[i].elo, r->prior_mean);
    }
    return s;
}

static void surprises_add(struct surprises *s, const struct bench_entry *e,
                          const struct ipr_strength_estimate *b, double elo)
{
    const double se = ipr_strength_curve_se(&e->model.curve, elo);
    const double up = bench_slope(&e->model.curve, elo) > 0 ? 1 : -1;
    const double x =
        up * (b->z - ipr_strength_curve_at(&e->model.curve, elo)) / sqrt(b->variance + se * se);

    s->n++;
    for (int k = 0; k < 3; k++) {
        s->beyond[k][0] += x < -(k + 2);
        s->beyond[k][1] += x > k + 2;
    }
}

static int sets_by_key(const void *a, const void *b)
{
    const double *x = a, *y = b;

    return x[0] < y[0] ? -1 : x[0] > y[0] ? 1 : x[1] < y[1] ? -1 : x[1] > y[1];
}

/* Sides in the order of a key, and at random within it: sets are runs of it. */
static size_t sets_order(const struct bench_report *r, const struct bench_entry *e, bool players,
                         gsl_rng *rng, double (*order)[3])
{
    size_t n = 0;

    for (size_t i = 0; i < r->d.n_sides; i++) {
        const struct bench_side *s = &r->d.side[i];

        if (!r->take[i] || !(e->answer[i].information > 0))
            continue;
        order[n][0] = players ? (double)s->player : floor(s->elo / 50);
        order[n][1] = gsl_rng_uniform(rng);
        order[n++][2] = (double)i;
    }
    qsort(order, n, sizeof *order, sets_by_key);
    return n;
}

static void sets_add(const struct bench_report *r, const struct bench_entry *e, double (*order)[3],
                     size_t n, size_t size, struct bench_errors *sum, struct surprises *null)
{
    size_t at[64];

    for (size_t i = 0; i + size <= n;) {
        double elo = 0;
        struct ipr_strength_estimate b;

        if (order[i][0] < order[i + size - 1][0]) {
            i++;
            continue;
        }
        for (size_t k = 0; k < size; k++) {
            at[k] = (size_t)order[i + k][2];
            elo += r->d.side[at[k]].elo / (double)size;
        }
        b = ipr_strength_estimate(&e->model, e->answer, at, size, r->prior_mean, r->prior_sd);
        errors_add(sum, &b, elo, r->prior_mean);
        surprises_add(null, e, &b, elo);
        i += size;
    }
}

static void sets_row(const struct bench_report *r, const struct bench_entry *e, size_t size,
                     bool players, json_t *out)
{
    double(*order)[3] = malloc(r->d.n_sides * sizeof *order);
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    struct bench_errors s = { 0 };
    struct surprises null = { 0 };

    for (int draw = 0; order != NULL && rng != NULL && draw < SETS_DRAWS; draw++)
        sets_add(r, e, order, sets_order(r, e, players, rng, order), size, &s, &null);
    if (s.n >= 5 * SETS_DRAWS)
        json_array_append_new(out,
                              errors_json(r, e, players ? "player" : "band", size, &s, SETS_DRAWS));
    gsl_rng_free(rng);
    free(order);
}

static void sets_rows(const struct bench_report *r, const struct bench_entry *e, json_t *out)
{
    static const size_t size[] = { 5, 10, 30, 60 };
    const struct bench_errors one = bench_one_game(r, e);

    json_array_append_new(out, errors_json(r, e, "game", 1, &one, 1));
    for (size_t i = 0; i < 4; i++)
        sets_row(r, e, size[i], false, out);
    for (size_t i = 0; i < 2; i++)
        sets_row(r, e, size[i], true, out);
}

json_t *bench_sets(const struct bench_report *r)
{
    json_t *out = json_array();

    for (size_t k = 0; k < r->n; k++)
        if (r->entry[k].sets)
            sets_rows(r, &r->entry[k], out);
    return out;
}

static json_t *surprises_json(size_t games, const struct surprises *s)
{
    return json_pack(
        "{s:I, s:i, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "games", (json_int_t)games, "draws",
        SETS_DRAWS, "sets", bench_number(s->n / SETS_DRAWS), "below_4",
        bench_number(s->beyond[2][0] / s->n), "below_3", bench_number(s->beyond[1][0] / s->n),
        "below_2", bench_number(s->beyond[0][0] / s->n), "above_2",
        bench_number(s->beyond[0][1] / s->n), "above_3", bench_number(s->beyond[1][1] / s->n),
        "above_4", bench_number(s->beyond[2][1] / s->n), "beyond_2",
        bench_number((s->beyond[0][0] + s->beyond[0][1]) / s->n));
}

/* Sets of one band against their own Elo, so that every deviation is due to chance. */
json_t *bench_null(const struct bench_report *r, const struct bench_entry *e)
{
    static const size_t size[] = { 1, 3, 5, 10, 30 };
    double(*order)[3] = malloc(r->d.n_sides * sizeof *order);
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    json_t *out = json_array();

    for (size_t i = 0; order != NULL && rng != NULL && i < 5; i++) {
        struct surprises s = { 0 };
        struct bench_errors unused = { 0 };

        for (int draw = 0; draw < SETS_DRAWS; draw++)
            sets_add(r, e, order, sets_order(r, e, false, rng, order), size[i], &unused, &s);
        json_array_append_new(out, surprises_json(size[i], &s));
    }
    gsl_rng_free(rng);
    free(order);
    return out;
}
