#include "lab/report.h"

#include <gsl/gsl_rng.h>
#include <stdlib.h>

#include "base/mem.h"
#include "lab/bands.h"

#define SETS_DRAWS  20
#define LEVEL_LEAST 15 /* sets in a row of one level */

/* How surprising sets of known Elo are: shares beyond 2, 3, 4 standard deviations, either way. */
struct surprises {
    double n, sum, beyond[3][2], lowest, highest;
};

/* Sets of so many games, or, where `moves` is above 0, of games until there are so many moves. */
struct sets_kind {
    enum { SETS_BAND, SETS_PLAYER, SETS_EVENT } of; /* one band of Elo, one player, one event */
    size_t games;
    double moves;
    size_t period; /* k > 0: only years from bench_period[k - 1] to bench_period[k] - 1 */
    double level;  /* above 0: only Elo from this to BENCH_BAND above, beyond 1600 to 2800, too */
};

static const char *const sets_of[] = { "band", "player", "event" };

static void errors_add(struct bench_errors *e, const struct ipr_strength_estimate *b, double elo,
                       double flat)
{
    e->n++;
    e->absolute += fabs(b->mean - elo);
    e->square += (b->mean - elo) * (b->mean - elo);
    e->flat_absolute += fabs(flat - elo);
    e->flat_square += (flat - elo) * (flat - elo);
    e->raw_inside += isnan(b->raw) ? NAN : elo >= b->raw_lo && elo <= b->raw_hi;
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
        b = bench_estimate(r, e, &i, 1);
        errors_add(&s, &b, r->d.side[i].elo, r->prior_mean);
    }
    return s;
}

void bench_curves(const struct bench_report *r, const struct bench_entry *e,
                  struct ipr_strength_calibration curve[BENCH_FOLDS + 1])
{
    bool *fit = ipr_xcalloc(r->d.n_sides + 1, sizeof *fit);

    for (unsigned k = 0; k < BENCH_FOLDS; k++) {
        for (size_t i = 0; i < r->d.n_sides; i++)
            fit[i] = r->fit[i] && r->d.side[i].fold != k;
        bench_calibrate(e->answer, fit, r->d.n_sides, &curve[k]);
    }
    curve[BENCH_FOLDS] = e->model;
    free(fit);
}

static int sets_event(const void *a, const void *b)
{
    const double *x = a, *y = b;

    return (x[0] > y[0]) - (x[0] < y[0]);
}

/* Sum of the squares of the events' shares in the weight of a set. */
static double sets_events(const struct bench_report *r, const struct bench_entry *e,
                          const size_t *at, size_t n)
{
    double(*w)[2] = ipr_xcalloc(n, sizeof *w), all = 0, own = 0, squares = 0;

    for (size_t i = 0; i < n; i++) {
        const struct bench_side *side = &r->d.side[at[i]];

        w[i][0] = 4096. * side->event + side->year;
        w[i][1] = ipr_strength_weight(&e->model.spread, e->answer[at[i]].information);
        all += w[i][1];
    }
    qsort(w, n, sizeof *w, sets_event);
    for (size_t i = 0; i < n; i++) {
        own += w[i][1];
        if (i + 1 == n || w[i + 1][0] != w[i][0]) {
            squares += own * own;
            own = 0;
        }
    }
    free(w);
    return squares / (all * all);
}

/* Adds the deviation of a set's z from the one expected at its sides' Elo and years, with the
 * weights of their scores. */
static void surprises_add(struct surprises *s, const struct bench_report *r,
                          const struct bench_entry *e,
                          const struct ipr_strength_calibration curve[BENCH_FOLDS + 1],
                          const struct ipr_strength_estimate *b, const size_t *at, size_t n,
                          double elo)
{
    const double up = ipr_strength_curve_slope(&e->model.curve, elo) > 0 ? 1 : -1;
    double expected = 0, weight = 0, year = 0, variance, x;

    for (size_t i = 0; i < n; i++) {
        const struct bench_side *side = &r->d.side[at[i]];
        const double w = ipr_strength_weight(&e->model.spread, e->answer[at[i]].information);

        weight += w;
        year += w * side->year;
        expected += w * ipr_strength_expected(&curve[side->blind_game ? BENCH_FOLDS : side->fold],
                                              side->elo, side->year);
    }
    variance = b->variance + e->model.spread.event * sets_events(r, e, at, n) +
               pow(ipr_strength_expected_se(&e->model, elo, year / weight), 2);
    x = up * (b->z - expected / weight) / sqrt(variance);
    s->n++;
    s->sum += x;
    for (int k = 0; k < 3; k++) {
        s->beyond[k][0] += x < -(k + 2);
        s->beyond[k][1] += x > k + 2;
    }
    s->lowest = fmin(s->lowest, x);
    s->highest = fmax(s->highest, x);
}

static int sets_by_key(const void *a, const void *b)
{
    const double *x = a, *y = b;

    return x[0] < y[0] ? -1 : x[0] > y[0] ? 1 : x[1] < y[1] ? -1 : x[1] > y[1];
}

static bool sets_takes(const struct bench_report *r, const struct sets_kind *kind, size_t i)
{
    const struct bench_side *const s = &r->d.side[i];
    const size_t k = kind->period;

    if (kind->level > 0)
        return bench_fitted(s) && (r->blind ? s->blind : !s->blind_game) && s->elo >= kind->level &&
               s->elo < kind->level + BENCH_BAND;
    return r->take[i] && (k == 0 || (s->year >= bench_period[k - 1] && s->year < bench_period[k]));
}

static double sets_key(const struct bench_side *s, const struct sets_kind *kind)
{
    return kind->of == SETS_PLAYER  ? (double)s->player
           : kind->of == SETS_EVENT ? 4096. * s->event + s->year
                                    : floor(s->elo / 50);
}

/* Sides in the order of a key, and at random within it: sets are runs of it. */
static size_t sets_order(const struct bench_report *r, const struct bench_entry *e,
                         const struct sets_kind *kind, gsl_rng *rng, double (*order)[3])
{
    size_t n = 0;

    for (size_t i = 0; i < r->d.n_sides; i++) {
        const struct bench_side *s = &r->d.side[i];

        if (!sets_takes(r, kind, i) || !(e->answer[i].information > 0))
            continue;
        order[n][0] = sets_key(s, kind);
        order[n][1] = gsl_rng_uniform(rng);
        order[n++][2] = (double)i;
    }
    qsort(order, n, sizeof *order, sets_by_key);
    return n;
}

/* Sides of the set that begins at i; 0: there are too few of its key. */
static size_t sets_run(const struct bench_report *r, const struct sets_kind *kind,
                       double (*order)[3], size_t n, size_t i, size_t *at)
{
    double moves = 0;

    for (size_t k = 0; i + k < n && order[i + k][0] == order[i][0];) {
        at[k] = (size_t)order[i + k][2];
        moves += r->d.side[at[k++]].moves;
        if (kind->moves > 0 ? moves >= kind->moves : k == kind->games)
            return k;
    }
    return 0;
}

static void sets_add(const struct bench_report *r, const struct bench_entry *e,
                     const struct sets_kind *kind, double (*order)[3], size_t n,
                     struct bench_errors *sum, const struct ipr_strength_calibration *curve,
                     struct surprises *null)
{
    size_t *at = ipr_xcalloc(n + 1, sizeof *at);

    for (size_t i = 0, size; i<n; i += size> 0 ? size : 1) {
        struct ipr_strength_estimate b;
        double elo = 0;

        size = sets_run(r, kind, order, n, i, at);
        if (size == 0)
            continue;
        for (size_t k = 0; k < size; k++)
            elo += r->d.side[at[k]].elo / (double)size;
        b = bench_estimate(r, e, at, size);
        if (sum != NULL)
            errors_add(sum, &b, elo, r->prior_mean);
        if (null != NULL)
            surprises_add(null, r, e, curve, &b, at, size, elo);
    }
    free(at);
}

/* Random divisions of the sides into sets. */
static void sets_draw(const struct bench_report *r, const struct bench_entry *e,
                      const struct sets_kind *kind, struct bench_errors *sum,
                      const struct ipr_strength_calibration *curve, struct surprises *null)
{
    double(*order)[3] = ipr_xcalloc(r->d.n_sides + 1, sizeof *order);
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);

    for (int draw = 0; rng != NULL && draw < SETS_DRAWS; draw++)
        sets_add(r, e, kind, order, sets_order(r, e, kind, rng, order), sum, curve, null);
    gsl_rng_free(rng);
    free(order);
}

static void sets_row(const struct bench_report *r, const struct bench_entry *e, size_t size,
                     bool players, json_t *out)
{
    const struct sets_kind kind = { .of = players ? SETS_PLAYER : SETS_BAND, .games = size };
    struct bench_errors s = { 0 };

    sets_draw(r, e, &kind, &s, NULL, NULL);
    if (s.n >= 5 * SETS_DRAWS)
        json_array_append_new(out, errors_json(r, e, sets_of[kind.of], size, &s, SETS_DRAWS));
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

json_t *bench_sets(const struct bench_report *r, bool results)
{
    struct bench_entry with = r->entry[r->chosen];
    json_t *out = json_array();

    for (size_t k = 0; k < r->n; k++)
        if (r->entry[k].sets)
            sets_rows(r, &r->entry[k], out);
    if (!results)
        return out;
    with.name = "moves and results";
    with.results = true;
    sets_rows(r, &with, out);
    with.name = "results alone";
    with.alone = true;
    sets_rows(r, &with, out);
    return out;
}

json_t *bench_by_level(struct bench_report *r, const struct bench_entry *e, size_t games)
{
    const struct sets_kind kind = { .of = SETS_BAND, .games = games };
    double(*order)[3] = ipr_xcalloc(r->d.n_sides + 1, sizeof *order);
    size_t *at = ipr_xcalloc(r->d.n_sides + 1, sizeof *at);
    bool *const taken = r->take;
    struct bench_bands bands = { .first = BENCH_LOWEST };
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    json_t *rows = json_array();

    const double prior[2] = { r->prior_mean, r->prior_sd };

    r->take = r->fit; /* the weaker players, too */
    r->prior_mean = BENCH_PRIOR_MEAN;
    r->prior_sd = BENCH_PRIOR_SD;
    const size_t n = sets_order(r, e, &kind, rng, order);
    for (size_t i = 0, size; i<n; i += size> 0 ? size : 1) {
        double elo = 0;

        size = sets_run(r, &kind, order, n, i, at);
        for (size_t k = 0; k < size; k++)
            elo += r->d.side[at[k]].elo / (double)size;
        if (size > 0) {
            const struct ipr_strength_estimate b = bench_estimate(r, e, at, size);

            bench_bands_add(&bands, &b, elo, prior[0]);
        }
    }
    bench_bands_rows(&bands, "otb", e->results ? "results" : "moves", games, LEVEL_LEAST, rows);
    r->take = taken;
    r->prior_mean = prior[0];
    r->prior_sd = prior[1];
    gsl_rng_free(rng);
    free(order);
    free(at);
    return rows;
}

/* The share of either side of 0 that is beyond k standard deviations. */
static void surprises_shares(const struct surprises *s, json_t *row)
{
    static const char *const name[3][2] = { { "below_2", "above_2" },
                                            { "below_3", "above_3" },
                                            { "below_4", "above_4" } };

    for (int k = 0; k < 3; k++)
        for (int up = 0; up < 2; up++)
            json_object_set_new(row, name[k][up], bench_number(s->beyond[k][up] / s->n));
    json_object_set_new(row, "beyond_2", bench_number((s->beyond[0][0] + s->beyond[0][1]) / s->n));
    json_object_set_new(row, "mean", bench_number(s->sum / s->n));
    json_object_set_new(row, "lowest", bench_number(s->lowest));
    json_object_set_new(row, "highest", bench_number(s->highest));
}

static void null_row(const struct bench_report *r, const struct bench_entry *e,
                     const struct sets_kind *kind, const struct ipr_strength_calibration *curve,
                     json_t *out)
{
    struct surprises s = { 0 };
    json_t *row;

    sets_draw(r, e, kind, NULL, curve, &s);
    if (s.n < 5 * SETS_DRAWS)
        return;
    row = json_pack("{s:s, s:o, s:o, s:i, s:i, s:o}", "of", sets_of[kind->of], "years",
                    kind->period == 0 ? json_null() : bench_years_of(kind->period - 1), "elo",
                    kind->level > 0 ? json_pack("{s:f, s:f}", "low", kind->level, "high",
                                                kind->level + BENCH_BAND)
                                    : json_null(),
                    "moves", (int)kind->moves, "draws", SETS_DRAWS, "sets",
                    bench_number(s.n / SETS_DRAWS));
    surprises_shares(&s, row);
    json_array_append_new(out, row);
}

/* Compares sets of one band of Elo, of one player, of one event, and of one band in one period or
 * of one level with the Elo of their sides. The null hypothesis holds: every deviation is due to
 * chance. */
json_t *bench_null(const struct bench_report *r, const struct bench_entry *e)
{
    static const struct sets_kind all[] = {
        { .of = SETS_BAND, .moves = 30 },    { .of = SETS_BAND, .moves = 100 },
        { .of = SETS_BAND, .moves = 300 },   { .of = SETS_BAND, .moves = 1000 },
        { .of = SETS_PLAYER, .moves = 30 },  { .of = SETS_PLAYER, .moves = 100 },
        { .of = SETS_PLAYER, .moves = 300 }, { .of = SETS_EVENT, .moves = 100 },
        { .of = SETS_EVENT, .moves = 300 },  { .of = SETS_EVENT, .moves = 1000 },
    };
    struct ipr_strength_calibration curve[BENCH_FOLDS + 1];
    struct sets_kind kind = { .of = SETS_BAND, .moves = 100 };
    json_t *out = json_array();

    bench_curves(r, e, curve);
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        null_row(r, e, &all[i], curve, out);
    for (kind.period = 1; kind.period <= BENCH_PERIODS; kind.period++)
        null_row(r, e, &kind, curve, out);
    kind.period = 0;
    for (size_t k = 0; k < 2; k++)
        for (kind.level = BENCH_LOWEST; kind.level <= BENCH_HIGHEST; kind.level += BENCH_BAND) {
            kind.moves = k == 0 ? 30 : 100;
            null_row(r, e, &kind, curve, out);
        }
    return out;
}
