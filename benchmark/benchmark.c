/*
 * The benchmark of playing strength: figures on standard input, tables in Markdown on standard
 * output. docs/benchmark.md has the rule. Options: --variants, chains of fewer features as well;
 * --blind, the table of the blind players; --entry=FILE, another's answers: a CSV of side (two a
 * game in the order of the file, White first), score, information; --open, nobody is blind;
 * --model=FILE, the chosen estimator as JSON (with --open what ships).
 */
#include <gsl/gsl_errno.h>
#include <gsl/gsl_linalg.h>
#include <gsl/gsl_rng.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "benchmark/entries.h"
#include "stats/resample.h"

#define REPORT_DRAWS   100
#define REPORT_ENTRIES 24
#define REPORT_SETS    4

struct entry {
    const char *name;
    struct ipr_strength_side *answer;
    struct ipr_strength_calibration model;
};

struct report {
    struct bench_data d;
    struct bench_features f;
    bool *take; /* sides the tables are of */
    bool *fit;  /* sides that curves and spreads are of */
    double prior_mean, prior_sd;
    struct entry entry[REPORT_ENTRIES];
    size_t n;
};

static const double report_band[][2] = { { 0, 1e9 },     { 1600, 1900 }, { 1900, 2200 },
                                         { 2200, 2500 }, { 2500, 2801 }, { 2200, 2801 } };
#define REPORT_BANDS (sizeof report_band / sizeof *report_band)

static struct ipr_strength_side *report_new(struct report *r, const char *name)
{
    struct entry *e = &r->entry[r->n++];

    e->name = name;
    e->answer = calloc(r->d.n_sides, sizeof *e->answer);
    for (size_t i = 0; e->answer != NULL && i < r->d.n_sides; i++) {
        e->answer[i].player = r->d.side[i].player;
        e->answer[i].elo = r->d.side[i].elo;
    }
    return e->answer;
}

static void report_fit(struct report *r)
{
    for (size_t k = 0; k < r->n; k++)
        ipr_strength_calibrate(r->entry[k].answer, r->fit, r->d.n_sides, &r->entry[k].model);
}

static double report_sd(const struct report *r, const struct entry *e, const double *times,
                        size_t band)
{
    return bench_sd(r->d.side, e->answer, &e->model.spread, r->take, r->d.n_sides, times,
                    report_band[band][0], report_band[band][1], band + 1 == REPORT_BANDS);
}

/* Errors of the figures and of the ratio to the chosen entry, by drawing games anew. */
static void sd_errors(const struct report *r, size_t chosen, double *se, double *se_ratio)
{
    double *times = malloc(r->d.n_games * sizeof *times), s[REPORT_ENTRIES][4] = { { 0 } };
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);

    for (int k = 0; times != NULL && rng != NULL && k < REPORT_DRAWS; k++) {
        double last;

        ipr_resample(rng, r->d.n_games, times);
        last = report_sd(r, &r->entry[chosen], times, 0);
        for (size_t i = 0; i < r->n; i++) {
            const double sd = report_sd(r, &r->entry[i], times, 0);

            s[i][0] += sd;
            s[i][1] += sd * sd;
            s[i][2] += last / sd;
            s[i][3] += last / sd * (last / sd);
        }
    }
    for (size_t i = 0; i < r->n; i++) {
        se[i] = sqrt(fmax(s[i][1] - s[i][0] * s[i][0] / REPORT_DRAWS, 0) / (REPORT_DRAWS - 1));
        se_ratio[i] =
            sqrt(fmax(s[i][3] - s[i][2] * s[i][2] / REPORT_DRAWS, 0) / (REPORT_DRAWS - 1));
    }
    gsl_rng_free(rng);
    free(times);
}

static void report_sds(const struct report *r, size_t chosen)
{
    double se[REPORT_ENTRIES], se_ratio[REPORT_ENTRIES];
    const double last = report_sd(r, &r->entry[chosen], NULL, 0);

    sd_errors(r, chosen, se, se_ratio);
    printf(
        "\n## Standard deviation at 1,000 moves, Elo\n\n| estimator | all | 1600-1900 | 1900-2200 "
        "| 2200-2500 | 2500-2800 | 2200-2800, own slope | chain / this |\n"
        "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n");
    for (size_t i = 0; i < r->n; i++) {
        const double sd = report_sd(r, &r->entry[i], NULL, 0);

        printf("| %s | %.0f ± %.1f |", r->entry[i].name, sd, se[i]);
        for (size_t b = 1; b < REPORT_BANDS; b++)
            printf(" %.0f |", report_sd(r, &r->entry[i], NULL, b));
        printf(" %.3f ± %.3f |\n", last / sd, se_ratio[i]);
    }
}

struct errors {
    double n, absolute, square, flat_absolute, flat_square, raw_inside, inside, width, bias;
};

static void errors_add(struct errors *e, const struct ipr_strength_estimate *b, double elo,
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
    e->bias += b->raw - elo;
}

static void errors_print(const char *name, const char *what, const struct errors *e)
{
    printf("| %s | %s | %.0f | %.0f | %.0f | %.0f | %.0f | %.1f %% | %.1f %% | %.1f %% | %.0f |\n",
           name, what, e->n, e->absolute / e->n, e->flat_absolute / e->n, sqrt(e->square / e->n),
           sqrt(e->flat_square / e->n), 100 * (1 - sqrt(e->square / e->flat_square)),
           100 * e->raw_inside / e->n, 100 * e->inside / e->n, e->width / e->n);
}

static void report_one_game(const struct report *r, const struct entry *e)
{
    struct errors s = { 0 };

    for (size_t i = 0; i < r->d.n_sides; i++) {
        struct ipr_strength_estimate b;

        if (!r->take[i] || !(e->answer[i].information > 0))
            continue;
        b = ipr_strength_estimate(&e->model, e->answer, &i, 1, r->prior_mean, r->prior_sd);
        errors_add(&s, &b, r->d.side[i].elo, r->prior_mean);
    }
    errors_print(e->name, "1 game", &s);
}

/* Elo of the curve's slope: how far r is in Elo. */
static double bias_slope(const struct ipr_strength_curve *c, double elo)
{
    return (ipr_strength_curve_at(c, elo + 50) - ipr_strength_curve_at(c, elo - 50)) / 100;
}

/* How surprising sets of known Elo are: shares beyond 2, 3, 4 standard deviations, either way. */
struct surprises {
    double n, beyond[3][2];
};

static void surprises_add(struct surprises *s, const struct entry *e,
                          const struct ipr_strength_estimate *b, double elo)
{
    const double se = ipr_strength_curve_se(&e->model.curve, elo);
    const double up = bias_slope(&e->model.curve, elo) > 0 ? 1 : -1;
    const double x =
        up * (b->z - ipr_strength_curve_at(&e->model.curve, elo)) / sqrt(b->variance + se * se);

    s->n++;
    for (int k = 0; k < 3; k++) {
        s->beyond[k][0] += x < -(k + 2);
        s->beyond[k][1] += x > k + 2;
    }
}

static int report_by_band(const void *a, const void *b)
{
    const double *x = a, *y = b;

    return x[0] < y[0] ? -1 : x[0] > y[0] ? 1 : x[1] < y[1] ? -1 : x[1] > y[1];
}

/* Sides in the order of a key, and at random within it: sets are runs of it. */
static size_t sets_order(const struct report *r, const struct entry *e, bool players, gsl_rng *rng,
                         double (*order)[3])
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
    qsort(order, n, sizeof *order, report_by_band);
    return n;
}

static void sets_add(const struct report *r, const struct entry *e, double (*order)[3], size_t n,
                     size_t size, struct errors *sum, struct surprises *null)
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

static void report_sets(const struct report *r, const struct entry *e, size_t size, bool players)
{
    double(*order)[3] = malloc(r->d.n_sides * sizeof *order);
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    struct errors s = { 0 };
    struct surprises null = { 0 };
    char what[64];

    for (int draw = 0; order != NULL && rng != NULL && draw < 20; draw++)
        sets_add(r, e, order, sets_order(r, e, players, rng, order), size, &s, &null);
    s.raw_inside /= 20;
    s.inside /= 20;
    s.n /= 20;
    s.absolute /= 20;
    s.square /= 20;
    s.flat_absolute /= 20;
    s.flat_square /= 20;
    s.width /= 20;
    snprintf(what, sizeof what, "%zu games of one %s", size, players ? "player" : "band");
    if (s.n >= 5)
        errors_print(e->name, what, &s);
    gsl_rng_free(rng);
    free(order);
}

static void report_estimates(const struct report *r, size_t first)
{
    static const size_t size[REPORT_SETS] = { 5, 10, 30, 60 };

    printf("\n## Estimates from sets of games\n\nPrior N(%.0f, %.0f). MAE, RMSE and width are the "
           "posterior's.\n\n| estimator | set | sets | MAE | MAE of the mean | RMSE | RMSE of the "
           "mean | RMSE less by | raw interval holds | posterior interval holds | width |\n"
           "| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n",
           r->prior_mean, r->prior_sd);
    for (size_t k = first; k < r->n; k++) {
        report_one_game(r, &r->entry[k]);
        for (size_t i = 0; i < REPORT_SETS; i++)
            report_sets(r, &r->entry[k], size[i], false);
        for (size_t i = 0; i < 2; i++)
            report_sets(r, &r->entry[k], size[i], true);
    }
}

static void bias_row(const struct report *r, const struct entry *e, double lo, double hi, int y0,
                     int y1, const char *name)
{
    double w = 0, bias = 0, square = 0, moves = 0;
    size_t n = 0;

    for (size_t i = 0; i < r->d.n_sides; i++) {
        const struct bench_side *s = &r->d.side[i];
        double weight, x;

        if (!r->take[i] || s->elo < lo || s->elo >= hi || s->year < y0 || s->year >= y1)
            continue;
        weight = ipr_strength_weight(&e->model.spread, e->answer[i].information);
        x = (e->answer[i].z - ipr_strength_curve_at(&e->model.curve, s->elo)) /
            bias_slope(&e->model.curve, s->elo);
        w += weight;
        bias += weight * x;
        square += weight * weight * x * x;
        moves += s->moves;
        n++;
    }
    printf("| %s | %zu | %.0f | %+.0f ± %.0f | %.1f |\n", name, n, moves, bias / w,
           sqrt(square) / w, bias * bias / square);
}

static void report_bias(const struct report *r, const struct entry *e)
{
    static const int year[] = { 0, 1990, 2000, 2010, 2020, 3000 };
    char name[32];

    printf("\n## Residuals of `%s` from its curve\n\n| Elo | sides | moves | residual, Elo | chi2 "
           "|\n| --- | ---: | ---: | ---: | ---: |\n",
           e->name);
    for (int elo = 1600; elo < 2800; elo += 100) {
        snprintf(name, sizeof name, "%d", elo);
        bias_row(r, e, elo, elo + 100 + (elo == 2700), 0, 3000, name);
    }
    for (size_t i = 0; i < 5; i++) {
        snprintf(name, sizeof name, "years to %d", year[i + 1] - 1);
        bias_row(r, e, 1600, 2801, year[i], year[i + 1], i == 4 ? "years from 2020" : name);
    }
}

static void report_model(const struct report *r, const struct entry *e)
{
    const struct ipr_strength_spread *s = &e->model.spread;
    double w = 0, slope = 0, v = 0;

    printf("\n## Curve and spread of `%s`\n\n| Elo | mean score | its error | in Elo |\n"
           "| ---: | ---: | ---: | ---: |\n",
           e->name);
    for (double elo = 1600; elo <= 2800; elo += 100)
        printf("| %.0f | %.4f | %.4f | %.0f |\n", elo, ipr_strength_curve_at(&e->model.curve, elo),
               ipr_strength_curve_se(&e->model.curve, elo),
               ipr_strength_curve_se(&e->model.curve, elo) /
                   fabs(bias_slope(&e->model.curve, elo)));
    for (size_t i = 0; i < r->d.n_sides; i++) {
        if (!r->take[i] || !(e->answer[i].information > 0))
            continue;
        w++;
        slope += fabs(bias_slope(&e->model.curve, r->d.side[i].elo));
        v += s->factor / e->answer[i].information;
    }
    slope /= w;
    printf("\nOne game, Elo: moves %.0f, game %.0f, player %.0f, together %.0f; factor %.2f\n",
           sqrt(v / w) / slope, sqrt(s->game) / slope, sqrt(s->player) / slope,
           sqrt(v / w + s->game + s->player) / slope, s->factor);
}

/* Sets of one band against the Elo they have: no set is anything but what it seems. */
static void report_null(const struct report *r, const struct entry *e)
{
    static const size_t size[] = { 1, 3, 5, 10, 30 };
    double(*order)[3] = malloc(r->d.n_sides * sizeof *order);
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);

    printf(
        "\n## Sets as strong as they should be\n\n| games | sets | z < -4 | < -3 | < -2 | > 2 | > "
        "3 | > 4 |\n| ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n");
    for (size_t i = 0; order != NULL && rng != NULL && i < 5; i++) {
        struct surprises s = { 0 };
        struct errors unused = { 0 };

        for (int draw = 0; draw < 20; draw++)
            sets_add(r, e, order, sets_order(r, e, false, rng, order), size[i], &unused, &s);
        printf("| %zu | 20 of %.0f |", size[i], s.n / 20);
        for (int k = 2; k >= 0; k--)
            printf(" %.2f %% |", 100 * s.beyond[k][0] / s.n);
        for (int k = 0; k < 3; k++)
            printf(" %.2f %% |", 100 * s.beyond[k][1] / s.n);
        putchar('\n');
    }
    gsl_rng_free(rng);
    free(order);
}

/* Of the two sides of a game, and with its result. */
static void report_games(const struct report *r, const struct entry *e)
{
    double s[5] = { 0 }, result[3] = { 0 }, count[3] = { 0 };

    for (size_t i = 0; i < r->d.n_sides; i += 2) {
        double x[2];

        if (!r->take[i] || !r->take[i + 1])
            continue;
        for (size_t k = 0; k < 2; k++) {
            const double elo = r->d.side[i + k].elo;

            x[k] = (e->answer[i + k].z - ipr_strength_curve_at(&e->model.curve, elo)) *
                   sqrt(ipr_strength_weight(&e->model.spread, e->answer[i + k].information));
            if (r->d.side[i + k].result >= 0) {
                result[(int)(2 * r->d.side[i + k].result)] +=
                    (e->answer[i + k].z - ipr_strength_curve_at(&e->model.curve, elo)) /
                    bias_slope(&e->model.curve, elo);
                count[(int)(2 * r->d.side[i + k].result)]++;
            }
        }
        s[0]++;
        s[1] += x[0] * x[0];
        s[2] += x[1] * x[1];
        s[3] += x[0] * x[1];
    }
    printf("\nCorrelation of the two sides' residuals %.2f (%.0f games); mean residual of losers "
           "%+.0f, of draws %+.0f, of winners %+.0f Elo\n",
           s[3] / sqrt(s[1] * s[2]), s[0], result[0] / count[0], result[1] / count[1],
           result[2] / count[2]);
}

#define BOTH_TERMS 5

/* One game's terms: a constant, what each side's moves tell, the result, draws. */
static void both_terms(const struct report *r, const struct entry *e, size_t i, size_t terms,
                       double x[BOTH_TERMS])
{
    const size_t own = i, other = i ^ 1;
    const double result = r->d.side[i].result;
    const double all[BOTH_TERMS] = {
        1,
        ipr_strength_estimate(&e->model, e->answer, &own, 1, r->prior_mean, r->prior_sd).mean,
        ipr_strength_estimate(&e->model, e->answer, &other, 1, r->prior_mean, r->prior_sd).mean,
        result,
        result > .4 && result < .6,
    };

    for (size_t k = 0; k < BOTH_TERMS; k++)
        x[k] = k < terms ? (k == 0 ? 1 : k < 3 ? (all[k] - r->prior_mean) / 300 : all[k]) : 0;
}

static bool both_takes(const struct report *r, size_t i)
{
    return r->take[i] && r->take[i ^ 1] && !isnan(r->d.side[i].result);
}

/* Least squares of Elo on the terms in all folds but one. */
static void both_learn(const struct report *r, double (*x)[BOTH_TERMS], unsigned fold,
                       double c[BOTH_TERMS])
{
    double a[BOTH_TERMS * BOTH_TERMS] = { 0 };
    gsl_matrix_view h = gsl_matrix_view_array(a, BOTH_TERMS, BOTH_TERMS);
    gsl_vector_view b = gsl_vector_view_array(c, BOTH_TERMS);

    memset(c, 0, BOTH_TERMS * sizeof *c);
    for (size_t j = 0; j < BOTH_TERMS; j++)
        a[j * BOTH_TERMS + j] = 1e-6;
    for (size_t i = 0; i < r->d.n_sides; i++) {
        if (!both_takes(r, i) || r->d.side[i].fold == fold || r->d.side[i ^ 1].fold == fold)
            continue;
        for (size_t j = 0; j < BOTH_TERMS; j++) {
            c[j] += x[i][j] * (r->d.side[i].elo - r->prior_mean);
            for (size_t k = 0; k < BOTH_TERMS; k++)
                a[j * BOTH_TERMS + k] += x[i][j] * x[i][k];
        }
    }
    gsl_linalg_cholesky_decomp1(&h.matrix);
    gsl_linalg_cholesky_svx(&h.matrix, &b.vector);
}

static void both_row(const struct report *r, const struct entry *e, const char *name, size_t terms)
{
    double(*x)[BOTH_TERMS] = calloc(r->d.n_sides, sizeof *x), c[BOTH_TERMS], s[5] = { 0 };

    for (size_t i = 0; x != NULL && i < r->d.n_sides; i++)
        if (both_takes(r, i))
            both_terms(r, e, i, terms, x[i]);
    for (unsigned fold = 0; x != NULL && fold < 10; fold++) {
        both_learn(r, x, fold, c);
        for (size_t i = 0; i < r->d.n_sides; i++) {
            double flat, error;

            if (!both_takes(r, i) || r->d.side[i].fold != fold)
                continue;
            error = flat = r->d.side[i].elo - r->prior_mean;
            for (size_t k = 0; k < BOTH_TERMS; k++)
                error -= c[k] * x[i][k];
            s[0]++;
            s[1] += fabs(error);
            s[2] += error * error;
            s[3] += fabs(flat);
            s[4] += flat * flat;
        }
    }
    printf("| %s | %.0f | %.0f | %.0f | %.0f | %.0f | %.1f %% |\n", name, s[0], s[1] / s[0],
           s[3] / s[0], sqrt(s[2] / s[0]), sqrt(s[4] / s[0]), 100 * (1 - sqrt(s[2] / s[4])));
    free(x);
}

static void report_both(const struct report *r, const struct entry *e)
{
    printf(
        "\n## One game, with more than the moves of the side\n\n| told by | sides | MAE | MAE of "
        "the mean | RMSE | RMSE of the mean | RMSE less by |\n"
        "| --- | ---: | ---: | ---: | ---: | ---: | ---: |\n");
    both_row(r, e, "moves of the side", 2);
    both_row(r, e, "moves of both sides", 3);
    both_row(r, e, "moves of both sides and the result", 5);
}

/* Covariance of the scores of the two sides of a game, given their Elo. */
static double opponent_covariance(const struct report *r, const struct entry *e)
{
    double top = 0, bottom = 0;

    for (size_t i = 0; i < r->d.n_sides; i += 2) {
        double w = 1, x = 1;

        if (!r->fit[i] || !r->fit[i + 1])
            continue;
        for (size_t k = i; k < i + 2; k++) {
            w *= ipr_strength_weight(&e->model.spread, e->answer[k].information);
            x *= e->answer[k].z - ipr_strength_curve_at(&e->model.curve, r->d.side[k].elo);
        }
        top += w * x;
        bottom += w;
    }
    return bottom > 0 ? top / bottom : 0;
}

/* The score less what the game was harder by, as told by the other side, whose Elo is known. */
static void report_opponent(struct report *r, const struct entry *e)
{
    const struct ipr_strength_spread *s = &e->model.spread;
    const double shared = opponent_covariance(r, e);
    struct ipr_strength_side *answer = report_new(r, "chain, the opponent's Elo known");

    for (size_t i = 0; i < r->d.n_sides; i++) {
        const struct ipr_strength_side *own = &e->answer[i], *other = &e->answer[i ^ 1];
        const double precision = ipr_strength_weight(s, other->information);
        const double expected = ipr_strength_curve_at(&e->model.curve, r->d.side[i ^ 1].elo);
        double v;

        if (!(own->information > 0))
            continue;
        v = 1 / ipr_strength_weight(s, own->information) - shared * shared * precision;
        answer[i].z = own->z - shared * precision * (other->z - expected);
        answer[i].information = s->factor / v;
    }
}

#define TOLD 3

/* What a game tells of a side's Elo when the opponent's is known, as errors in Elo: of its moves,
 * of the opponent's moves (which tell only how hard the game was), of the result. */
static bool told_errors(const struct report *r, const struct entry *e, size_t i, double slope,
                        double x[TOLD])
{
    const size_t side[2] = { i, i ^ 1 };
    const double d = r->d.side[i].elo - r->d.side[i ^ 1].elo;

    for (size_t k = 0; k < 2; k++) {
        const double elo = r->d.side[side[k]].elo;

        if (!r->fit[side[k]] || !(e->answer[side[k]].information > 0))
            return false;
        x[k] = (e->answer[side[k]].z - ipr_strength_curve_at(&e->model.curve, elo)) /
               bias_slope(&e->model.curve, elo);
    }
    x[2] = (r->d.side[i].result - 1 / (1 + pow(10, -d / 400))) / slope;
    return !isnan(x[2]);
}

/* Mean slope of the expected score, per Elo. */
static double told_slope(const struct report *r)
{
    double slope = 0, n = 0;

    for (size_t i = 0; i < r->d.n_sides; i++) {
        const double d = r->d.side[i].elo - r->d.side[i ^ 1].elo;
        const double p = 1 / (1 + pow(10, -d / 400));

        if (r->fit[i] && r->fit[i ^ 1]) {
            slope += p * (1 - p) * log(10) / 400;
            n++;
        }
    }
    return slope / n;
}

/* Standard deviation of the best linear combination of the observations `use` names: of each the
 * mean is Elo, of the opponent's moves 0. */
static double told_sd(const double cov[TOLD][TOLD], const bool use[TOLD])
{
    static const double gives[TOLD] = { 1, 0, 1 };
    double a[TOLD * TOLD], x[TOLD], information = 0;
    gsl_matrix_view h = gsl_matrix_view_array(a, TOLD, TOLD);
    gsl_vector_view b = gsl_vector_view_array(x, TOLD);

    for (size_t j = 0; j < TOLD; j++) {
        x[j] = use[j] ? gives[j] : 0;
        for (size_t k = 0; k < TOLD; k++)
            a[j * TOLD + k] = use[j] && use[k] ? cov[j][k] : j == k ? 1 : 0;
    }
    gsl_linalg_cholesky_decomp1(&h.matrix);
    gsl_linalg_cholesky_svx(&h.matrix, &b.vector);
    for (size_t j = 0; j < TOLD; j++)
        information += use[j] ? gives[j] * x[j] : 0;
    return 1 / sqrt(information);
}

static void report_results(const struct report *r, const struct entry *e)
{
    static const struct {
        const char *name;
        bool use[TOLD];
    } row[] = { { "moves of the side", { true, false, false } },
                { "moves of both sides", { true, true, false } },
                { "result", { false, false, true } },
                { "result and moves of the side", { true, false, true } },
                { "result and moves of both sides", { true, true, true } } };
    const double slope = told_slope(r);
    double cov[TOLD][TOLD] = { { 0 } }, n = 0, x[TOLD];

    for (size_t i = 0; i < r->d.n_sides; i++) {
        if (!told_errors(r, e, i, slope, x))
            continue;
        n++;
        for (size_t j = 0; j < TOLD; j++)
            for (size_t k = 0; k < TOLD; k++)
                cov[j][k] += x[j] * x[k];
    }
    for (size_t j = 0; j < TOLD; j++)
        for (size_t k = 0; k < TOLD; k++)
            cov[j][k] /= n;
    printf("\n## What one game tells of Elo, the opponent's being known\n\n| told by | sd, Elo | "
           "worth "
           "results |\n| --- | ---: | ---: |\n");
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        const double sd = told_sd((const double(*)[TOLD])cov, row[i].use);

        printf("| %s | %.0f | %.2f |\n", row[i].name, sd, cov[2][2] / (sd * sd));
    }
}

/* Nobody is blind: what ships is fitted to all. */
static void report_open(struct report *r)
{
    for (size_t i = 0; i < r->d.n_sides; i++)
        r->d.side[i].blind = r->d.side[i].blind_game = false;
}

static void model_row(FILE *out, const char *name, const double *v, size_t n)
{
    if (*name != '\0')
        fprintf(out, "\"%s\":", name);
    for (size_t i = 0; i < n; i++)
        fprintf(out, "%c%.9g", i == 0 ? '[' : ',', v[i]);
    fputs("]", out);
}

/* The chosen estimator as JSON: all that a rating needs. */
static bool model_write(const struct report *r, const struct entry *e, const char *path)
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

static void report_take(struct report *r, bool blind)
{
    double n = 0, sum = 0, square = 0, moves = 0;

    for (size_t i = 0; i < r->d.n_sides; i++) {
        const struct bench_side *s = &r->d.side[i];

        r->fit[i] = bench_rated(s) && !s->blind_game;
        r->take[i] = bench_rated(s) && (blind ? s->blind : !s->blind_game);
        if (r->fit[i]) {
            n++;
            sum += s->elo;
            square += s->elo * s->elo;
        }
        moves += r->take[i] ? s->moves : 0;
    }
    r->prior_mean = sum / n;
    r->prior_sd = sqrt(square / n - r->prior_mean * r->prior_mean);
    n = 0;
    for (size_t i = 0; i < r->d.n_sides; i++)
        n += r->take[i];
    printf("%s: %.0f sides, %.0f moves that count; %zu games in all\n",
           blind ? "Blind players" : "Cross-validated", n, moves, r->d.n_games);
}

static bool entry_read(struct report *r, const char *path)
{
    struct ipr_strength_side *answer = report_new(r, path), a;
    FILE *in = fopen(path, "r");
    size_t side;

    if (in == NULL)
        return false;
    while (fscanf(in, "%zu,%lf,%lf", &side, &a.z, &a.information) == 3)
        if (side < r->d.n_sides) {
            answer[side].z = a.z;
            answer[side].information = a.information;
        }
    fclose(in);
    return true;
}

static enum ipr_code report_entries(struct report *r, bool variants, struct ipr_err *err)
{
    bool use[IPR_STRENGTH_FEATURES];
    enum ipr_code rc = IPR_OK;

    for (size_t k = 0; k < BENCH_PLAINS; k++)
        bench_entry_plain(&r->d, (enum bench_plain)k, report_new(r, bench_plain_name[k]));
    bench_entry_cells(&r->d, report_new(r, "capped loss in 27 cells"));
    for (size_t i = 0; i < IPR_STRENGTH_FEATURES; i++)
        use[i] = i < 41;
    if (variants)
        rc = bench_entry_chain(&r->d, &r->f, use, report_new(r, "chain, scores alone"), err);
    for (size_t i = 0; i < IPR_STRENGTH_FEATURES; i++)
        use[i] = i < 48;
    if (variants && rc == IPR_OK)
        rc = bench_entry_chain(&r->d, &r->f, use, report_new(r, "chain, and the past"), err);
    if (rc == IPR_OK)
        rc = bench_entry_chain(&r->d, &r->f, NULL, report_new(r, "chain of logits"), err);
    return rc;
}

int main(int argc, char **argv)
{
    struct report r = { .n = 0 };
    struct ipr_err err;
    bool variants = false, blind = false;
    const struct entry *chain;
    const char *model = NULL;

    gsl_set_error_handler_off();
    if (!bench_data_read(&r.d))
        return 1;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--open") == 0)
            report_open(&r);
        if (strncmp(argv[i], "--model=", 8) == 0)
            model = argv[i] + 8;
    }
    if (bench_features_make(&r.d, &r.f, &err) != IPR_OK)
        return 1;
    r.take = calloc(r.d.n_sides, sizeof *r.take);
    r.fit = calloc(r.d.n_sides, sizeof *r.fit);
    for (int i = 1; i < argc; i++) {
        variants |= strcmp(argv[i], "--variants") == 0;
        blind |= strcmp(argv[i], "--blind") == 0;
        if (strncmp(argv[i], "--entry=", 8) == 0 && !entry_read(&r, argv[i] + 8))
            return 1;
    }
    if (r.take == NULL || r.fit == NULL || report_entries(&r, variants, &err) != IPR_OK)
        return 1;
    report_take(&r, blind);
    report_fit(&r);
    report_opponent(&r, &r.entry[r.n - 1]);
    report_fit(&r);
    chain = &r.entry[r.n - 2];
    report_sds(&r, r.n - 2);
    report_estimates(&r, r.n - 4);
    report_both(&r, chain);
    report_model(&r, chain);
    report_bias(&r, chain);
    report_null(&r, chain);
    report_games(&r, chain);
    report_results(&r, chain);
    return model == NULL || model_write(&r, chain, model) ? 0 : 1;
}
