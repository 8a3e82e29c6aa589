/*
 * Ratings from one evaluation a move, as files of other programs have them: the judge `pgn-evals`.
 * The games of the benchmark are stripped to the value of each position, the estimator of the
 * rating is fitted to what is left, and compared with the one that sees everything.
 * docs/benchmark.md, "Evaluations in files", has the rule.
 */
#include "lab/evals.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

#define EVALS_FIRST   8 /* depths of the file of further searches */
#define EVALS_DEEPEST 16
#define EVALS_DEPTHS  (EVALS_DEEPEST - EVALS_FIRST + 1)
#define EVALS_OWN     10 /* the depth that is fitted */

/* ---- stripping ---- */

/* Value of the position at a depth: the better line; NONE where neither was reported. */
static int16_t evals_value(const struct ipr_strength_turn *t, size_t depth)
{
    const int16_t first = t->cp[0][depth - 1], second = t->cp[1][depth - 1];

    if (depth == IPR_STRENGTH_DEPTHS || second == IPR_STRENGTH_NONE)
        return first;
    return first > second ? first : second;
}

static struct ipr_strength_turn evals_turn(const struct ipr_strength_turn *t, int16_t best,
                                           int16_t after)
{
    struct ipr_strength_turn out = { .ply = t->ply, .legal = t->legal, .repeated = t->repeated };

    for (size_t line = 0; line < 3; line++)
        for (size_t k = 0; k < IPR_STRENGTH_DEPTHS; k++)
            out.cp[line][k] = IPR_STRENGTH_NONE;
    out.cp[0][IPR_STRENGTH_DEPTHS - 1] = best;
    out.cp[2][IPR_STRENGTH_DEPTHS - 1] = (int16_t)-after;
    return out;
}

static bool evals_adjacent(const struct bench_data *d, size_t i)
{
    return i + 1 < d->n_turns && d->side[d->of[i]].game == d->side[d->of[i + 1]].game &&
           d->turn[i].ply + 1 == d->turn[i + 1].ply;
}

/* Sets what is left of turn i; false: nothing. Depth 0: both values are from the one search of the
 * turn. */
static bool evals_at(const struct bench_data *d, size_t i, size_t depth,
                     struct ipr_strength_turn *out)
{
    const struct ipr_strength_turn *t = &d->turn[i];
    int16_t best, after;

    if (!evals_adjacent(d, i))
        return false;
    best = evals_value(t, depth > 0 ? depth : IPR_STRENGTH_DEPTHS);
    after = depth > 0 ? evals_value(&d->turn[i + 1], depth)
                      : (int16_t)-t->cp[2][IPR_STRENGTH_DEPTHS - 1];
    if (best == IPR_STRENGTH_NONE || after == IPR_STRENGTH_NONE)
        return false;
    *out = evals_turn(t, best, after);
    return true;
}

void bench_evals_strip(const struct bench_data *d, size_t depth, struct bench_data *out)
{
    *out = *d;
    out->side = ipr_xcalloc(d->n_sides, sizeof *out->side);
    out->turn = ipr_xcalloc(d->n_turns, sizeof *out->turn);
    out->of = ipr_xcalloc(d->n_turns, sizeof *out->of);
    out->n_turns = 0;
    memcpy(out->side, d->side, d->n_sides * sizeof *out->side);
    for (size_t i = 0; i < d->n_sides; i++)
        out->side[i].moves = 0;
    for (size_t i = 0; i < d->n_turns; i++) {
        struct ipr_strength_turn t;

        if (!evals_at(d, i, depth, &t))
            continue;
        out->turn[out->n_turns] = t;
        out->of[out->n_turns++] = d->of[i];
        out->side[d->of[i]].moves += bench_counts(&out->turn[out->n_turns - 1]);
    }
}

void bench_evals_free(struct bench_data *d)
{
    free(d->side);
    free(d->turn);
    free(d->of);
}

/* ---- the estimator on what is left ---- */

static enum ipr_code evals_fit(struct bench_report *r, const bool *use, const char *name,
                               struct ipr_err *err)
{
    enum ipr_code rc = bench_features_make(&r->d, &r->f, err);

    r->take = ipr_xcalloc(r->d.n_sides, sizeof *r->take);
    r->fit = ipr_xcalloc(r->d.n_sides, sizeof *r->fit);
    if (rc == IPR_OK)
        rc = bench_entry_chain(&r->d, &r->f, use, bench_report_new(r, name), err);
    r->entry[0].sets = true;
    bench_report_take(r, false);
    bench_report_fit(r);
    bench_results_fit(r, &r->entry[0]);
    return rc;
}

static double evals_loss(const struct ipr_strength_turn *t, bool clamped)
{
    const double loss = t->cp[0][IPR_STRENGTH_DEPTHS - 1] - t->cp[2][IPR_STRENGTH_DEPTHS - 1];

    return clamped ? fmax(loss, 0) : loss;
}

/* Score of each side of stripped games, by the fit to all that is not blind. */
static struct ipr_strength_score *evals_scores(const struct bench_data *d,
                                               const struct ipr_strength_model *m, bool clamped)
{
    struct ipr_strength_score *sum = ipr_xcalloc(d->n_sides, sizeof *sum);

    for (size_t i = 0; i < d->n_turns; i++) {
        double x[IPR_STRENGTH_FEATURES];
        struct ipr_strength_score s;

        if (!ipr_strength_counts(&d->turn[i]))
            continue;
        ipr_strength_bare_features(&d->turn[i], x);
        ipr_strength_bare_scale(m, x);
        s = ipr_strength_bare_score(m, x, evals_loss(&d->turn[i], clamped));
        sum[d->of[i]].score += s.score;
        sum[d->of[i]].information += s.information;
    }
    return sum;
}

/* ---- depths ---- */

/* How ratings from evaluations of one depth differ from those within one search: a + b (Elo - elo)
 * / 300, with standard errors by games. */
struct evals_shift {
    size_t n;
    double elo, a, b, a_se, b_se;
};

/* A side in both: its difference in Elo and its weight. */
struct evals_pair {
    size_t game;
    double weight, elo, difference;
};

static size_t shift_pairs(const struct bench_report *r, const struct ipr_strength_score *own,
                          const struct ipr_strength_score *other, struct evals_pair *pair)
{
    const struct ipr_strength_calibration *c = &r->entry[0].model;
    size_t n = 0;

    for (size_t i = 0; i < r->d.n_sides; i++) {
        const double elo = r->d.side[i].elo;

        if (!r->take[i] || !(own[i].information > 0) || !(other[i].information > 0))
            continue;
        pair[n++] = (struct evals_pair){ r->d.side[i].game, own[i].information, elo,
                                         (other[i].score / other[i].information -
                                          own[i].score / own[i].information) /
                                             ipr_strength_curve_slope(&c->curve, elo) };
    }
    return n;
}

/* Errors of a and b from the residuals of games: sides of one game are one draw. */
static void shift_errors(const struct evals_pair *pair, size_t n, double w, double ee,
                         struct evals_shift *s)
{
    double a = 0, b = 0, of_a = 0, of_b = 0;

    for (size_t i = 0; i < n; i++) {
        const double e = (pair[i].elo - s->elo) / 300;
        const double r = pair[i].weight * (pair[i].difference - s->a - s->b * e);

        of_a += r / w;
        of_b += r * e / ee;
        if (i + 1 < n && pair[i + 1].game == pair[i].game)
            continue;
        a += of_a * of_a;
        b += of_b * of_b;
        of_a = of_b = 0;
    }
    s->a_se = sqrt(a);
    s->b_se = sqrt(b);
}

static struct evals_shift evals_compare(const struct bench_report *r,
                                        const struct ipr_strength_score *own,
                                        const struct ipr_strength_score *other)
{
    struct evals_pair *pair = ipr_xcalloc(r->d.n_sides + 1, sizeof *pair);
    struct evals_shift s = { .n = shift_pairs(r, own, other, pair) };
    double w = 0, ee = 0, ed = 0;

    for (size_t i = 0; i < s.n; i++) {
        w += pair[i].weight;
        s.elo += pair[i].weight * pair[i].elo;
        s.a += pair[i].weight * pair[i].difference;
    }
    s.elo /= w;
    s.a /= w;
    for (size_t i = 0; i < s.n; i++) {
        const double e = (pair[i].elo - s.elo) / 300;

        ee += pair[i].weight * e * e;
        ed += pair[i].weight * e * pair[i].difference;
    }
    s.b = ed / ee;
    shift_errors(pair, s.n, w, ee, &s);
    free(pair);
    return s;
}

/* ---- further searches ---- */

struct evals_deep {
    struct bench_data at[EVALS_DEPTHS]; /* stripped games at each depth; sides are those of all */
    size_t games;
};

static const json_t *deep_of(const json_t *all, const char *id)
{
    return json_object_get(all, id);
}

static json_t *deep_read(const char *path)
{
    FILE *in = fopen(path, "r");
    json_t *all = json_object();
    char *line = NULL;
    size_t size = 0;

    while (in != NULL && getline(&line, &size, in) > 0) {
        json_t *game = json_loads(line, 0, NULL);
        const char *id = json_string_value(json_object_get(game, "game"));

        if (id != NULL)
            json_object_set(all, id, game);
        json_decref(game);
    }
    free(line);
    if (in != NULL)
        fclose(in);
    return all;
}

static int16_t deep_value(const json_t *game, size_t ply, size_t depth)
{
    const json_int_t first = json_integer_value(json_object_get(game, "ply"));
    const json_t *evals = json_object_get(game, "evals");
    const json_t *v;

    if ((json_int_t)ply < first)
        return IPR_STRENGTH_NONE;
    v = json_array_get(json_array_get(evals, ply - (size_t)first), depth - EVALS_FIRST);
    return json_is_integer(v) ? (int16_t)json_integer_value(v) : IPR_STRENGTH_NONE;
}

/* The turns of the games that were searched again, with the values of one depth. */
static void deep_strip(const struct bench_data *d, const json_t *all, size_t depth,
                       struct bench_data *out)
{
    *out = *d;
    out->turn = ipr_xcalloc(d->n_turns, sizeof *out->turn);
    out->of = ipr_xcalloc(d->n_turns, sizeof *out->of);
    out->side = NULL;
    out->n_turns = 0;
    for (size_t i = 0; i < d->n_turns; i++) {
        const json_t *game = deep_of(all, d->id[d->side[d->of[i]].game]);
        const size_t ply = d->turn[i].ply;
        int16_t best, after;

        if (game == NULL || !evals_adjacent(d, i))
            continue;
        best = deep_value(game, ply, depth);
        after = deep_value(game, ply + 1, depth);
        if (best == IPR_STRENGTH_NONE || after == IPR_STRENGTH_NONE)
            continue;
        out->turn[out->n_turns] = evals_turn(&d->turn[i], best, after);
        out->of[out->n_turns++] = d->of[i];
    }
}

static void deep_make(const struct bench_data *d, const json_t *all, struct evals_deep *deep)
{
    deep->games = json_object_size(all);
    for (size_t k = 0; k < EVALS_DEPTHS; k++)
        deep_strip(d, all, EVALS_FIRST + k, &deep->at[k]);
}

static void deep_free(struct evals_deep *deep)
{
    for (size_t k = 0; k < EVALS_DEPTHS; k++)
        bench_evals_free(&deep->at[k]);
}

/* ---- the tables ---- */

static void print_shift(const char *name, const struct evals_shift s[2])
{
    printf("| %s | %zu |", name, s[0].n);
    for (size_t k = 0; k < 2; k++)
        printf(" %+.0f ± %.0f | %+.0f ± %.0f |", s[k].a, s[k].a_se, s[k].b, s[k].b_se);
    putchar('\n');
}

/* [0]: losses as they are; [1]: none below 0. */
static void evals_shifts(const struct bench_report *r, const struct ipr_strength_score *own,
                         const struct bench_data *d, struct evals_shift s[2])
{
    for (size_t k = 0; k < 2; k++) {
        struct ipr_strength_score *other = evals_scores(d, &r->f.model, k == 1);

        s[k] = evals_compare(r, own, other);
        free(other);
    }
}

/* Shifts against evaluations of one search. Returned are that of depth 10 by two lines, of all
 * games, and those of the games searched again. */
static double print_depths(const struct bench_report *full, const struct bench_report *r,
                           const struct evals_deep *deep, struct evals_shift shift[EVALS_DEPTHS][2])
{
    double two_lines = NAN;
    struct ipr_strength_score *own = evals_scores(&r->d, &r->f.model, false);
    char name[40];

    puts("\n| evaluations of two searches | sides | rating, less that within one search | change "
         "of it "
         "a 300 Elo | the same, no loss below 0 | change of it |\n"
         "| --- | ---: | ---: | ---: | ---: | ---: |");
    for (size_t depth = 7; depth <= EVALS_OWN; depth++) {
        struct bench_data d;
        struct evals_shift s[2];

        bench_evals_strip(&full->d, depth, &d);
        evals_shifts(r, own, &d, s);
        snprintf(name, sizeof name, "depth %zu, all games", depth);
        print_shift(name, s);
        two_lines = s[0].a;
        bench_evals_free(&d);
    }
    for (size_t k = 0; k < EVALS_DEPTHS; k++) {
        evals_shifts(r, own, &deep->at[k], shift[k]);
        snprintf(name, sizeof name, "depth %zu, searched again", EVALS_FIRST + k);
        print_shift(name, shift[k]);
    }
    free(own);
    return two_lines;
}

struct evals_agreement {
    double n, bias, square, rmse[2];
};

static int evals_by_band(const void *a, const void *b)
{
    const double *x = a, *y = b;

    return x[0] < y[0] ? -1 : x[0] > y[0] ? 1 : x[1] < y[1] ? -1 : x[1] > y[1];
}

/* Both ratings of sets of games of one band. The order within a band is that of a mixed number. */
static struct evals_agreement evals_agree(const struct bench_report *full,
                                          const struct bench_report *r, size_t games)
{
    double(*order)[3] = ipr_xcalloc(r->d.n_sides + 1, sizeof *order);
    struct evals_agreement a = { 0 };
    size_t n = 0, *at = ipr_xcalloc(games, sizeof *at);

    for (size_t i = 0; i < r->d.n_sides; i++)
        if (r->take[i] && full->take[i] && r->entry[0].answer[i].information > 0 &&
            full->entry[0].answer[i].information > 0) {
            order[n][0] = floor(r->d.side[i].elo / 50);
            order[n][1] = (double)(i * 2654435761u % 65536);
            order[n++][2] = (double)i;
        }
    qsort(order, n, sizeof *order, evals_by_band);
    for (size_t i = 0; i + games <= n; i += games) {
        double elo = 0, e[2];

        if (order[i][0] != order[i + games - 1][0])
            continue;
        for (size_t k = 0; k < games; k++) {
            at[k] = (size_t)order[i + k][2];
            elo += r->d.side[at[k]].elo / (double)games;
        }
        e[0] = bench_estimate(r, &r->entry[0], at, games).mean;
        e[1] = bench_estimate(full, &full->entry[0], at, games).mean;
        a.n++;
        a.bias += e[0] - e[1];
        a.square += (e[0] - e[1]) * (e[0] - e[1]);
        for (size_t k = 0; k < 2; k++)
            a.rmse[k] += (e[k] - elo) * (e[k] - elo);
    }
    free(order);
    free(at);
    return a;
}

static void print_agreement(const struct bench_report *full, const struct bench_report *r)
{
    static const size_t games[] = { 1, 5, 10, 30 };

    puts(
        "\n| sets of one band, games | sets | evaluations less `rating`, mean | rms | error of the "
        "evaluations, rms | of `rating` |\n| ---: | ---: | ---: | ---: | ---: | ---: |");
    for (size_t i = 0; i < sizeof games / sizeof *games; i++) {
        const struct evals_agreement a = evals_agree(full, r, games[i]);

        printf("| %zu | %.0f | %+.0f | %.0f | %.0f | %.0f |\n", games[i], a.n, a.bias / a.n,
               sqrt(a.square / a.n), sqrt(a.rmse[0] / a.n), sqrt(a.rmse[1] / a.n));
    }
}

/* Prints what bench_sets found. */
static void print_sets(const json_t *sets)
{
    const json_t *row;
    size_t i;

    puts("\n| set | sets | RMSE | of the mean | coverage of the raw interval | of the posterior | "
         "mean width |\n| --- | ---: | ---: | ---: | ---: | ---: | ---: |");
    json_array_foreach(sets, i, row)
        printf("| %d of one %s | %.0f | %.0f | %.0f | %.1f %% | %.1f %% | %.0f |\n",
               (int)json_integer_value(json_object_get(row, "games")),
               json_string_value(json_object_get(row, "of")),
               json_number_value(json_object_get(row, "sets")),
               json_number_value(json_object_get(row, "rmse")),
               json_number_value(json_object_get(row, "rmse_of_mean")),
               100 * json_number_value(json_object_get(row, "raw_coverage")),
               100 * json_number_value(json_object_get(row, "coverage")),
               json_number_value(json_object_get(row, "width")));
}

static void print_deviation(const struct bench_report *r, const char *name)
{
    const struct bench_entry *e = &r->entry[0];

    printf("| %s | %.0f | %.0f |\n", name,
           bench_sd(r->d.side, e->answer, &e->model.spread, r->take, r->d.n_sides, NULL, 0, 1e9,
                    false),
           bench_sd(r->d.side, e->answer, &e->model.spread, r->take, r->d.n_sides, NULL, 2200, 2801,
                    true));
}

static void print_part(struct bench_report *full, struct bench_report *r, bool blind)
{
    bench_report_take(full, blind);
    bench_report_take(r, blind);
    printf("\n## %s\n\n| estimator | sd at 1,000 moves | 2200 up |\n| --- | ---: | ---: |\n",
           blind ? "Blind players" : "Cross-validated sides");
    print_deviation(r, "one evaluation a move");
    print_deviation(full, "`rating`");
    print_agreement(full, r);
    json_t *sets = bench_sets(r, false);
    print_sets(sets);
    json_decref(sets);
}

/* ---- the depth that a file does not tell ---- */

#define EVALS_SHALLOW 12

/* The mean of the depths from 12 on. The error includes the range of their shifts, and the
 * difference that the number of lines makes at one depth, since neither the depth nor the settings
 * are known; each as if all within were equally likely. */
struct evals_depth {
    struct evals_shift shift;
    double range, settings;
};

static struct evals_depth depth_unknown(struct evals_shift shift[EVALS_DEPTHS][2], double two_lines)
{
    const size_t first = EVALS_SHALLOW - EVALS_FIRST;
    const double n = (double)(EVALS_DEPTHS - first);
    double low = INFINITY, high = -INFINITY;
    struct evals_depth out = { 0 };

    for (size_t k = first; k < EVALS_DEPTHS; k++) {
        const struct evals_shift *s = &shift[k][0];

        low = fmin(low, s->a);
        high = fmax(high, s->a);
        out.shift.n = s->n;
        out.shift.elo += s->elo / n;
        out.shift.a += s->a / n;
        out.shift.b += s->b / n;
        out.shift.a_se += s->a_se / n;
        out.shift.b_se += s->b_se / n;
    }
    out.range = high - low;
    out.settings = fabs(two_lines - shift[EVALS_OWN - EVALS_FIRST][0].a);
    return out;
}

static double depth_shift(const struct evals_depth *d, double elo)
{
    return d->shift.a + d->shift.b * (elo - d->shift.elo) / 300;
}

static double depth_variance(const struct evals_depth *d, double elo)
{
    return d->shift.a_se * d->shift.a_se + d->range * d->range / 12 +
           d->settings * d->settings / 12 + pow(d->shift.b_se * (elo - d->shift.elo) / 300, 2);
}

/* Moves the curve to evaluations of unknown depth, and adds the error of that to its own, as common
 * to all Elo. */
static void depth_apply(const struct evals_depth *d, struct ipr_strength_curve *c)
{
    const struct ipr_strength_curve one = *c;
    double sd[IPR_STRENGTH_KNOTS];

    for (size_t k = 0; k < c->knots; k++) {
        const double at = c->elo[k] + depth_shift(d, c->elo[k]);

        c->z[k] = ipr_strength_curve_at(&one, at);
        sd[k] = ipr_strength_curve_slope(&one, at) * sqrt(depth_variance(d, c->elo[k]));
    }
    for (size_t k = 0; k < c->knots; k++) {
        c->var[k] += sd[k] * sd[k];
        if (k > 0)
            c->cov[k - 1] += sd[k] * sd[k - 1];
    }
}

/* The spread is that of evaluations of two searches to depth 10 about a curve of their own: those
 * of greater depth have less noise. */
static struct ipr_strength_spread depth_spread(const struct bench_report *full,
                                               const struct bench_report *r)
{
    struct ipr_strength_side *answer = ipr_xcalloc(r->d.n_sides + 1, sizeof *answer);
    struct ipr_strength_calibration c;
    struct ipr_strength_score *sum;
    struct bench_data d;

    bench_evals_strip(&full->d, EVALS_OWN, &d);
    sum = evals_scores(&d, &r->f.model, false);
    for (size_t i = 0; i < r->d.n_sides; i++) {
        answer[i] = r->entry[0].answer[i];
        answer[i].information = sum[i].information;
        answer[i].z = sum[i].information > 0 ? sum[i].score / sum[i].information : 0;
    }
    bench_calibrate(answer, r->fit, r->d.n_sides, &c);
    printf("\nEvaluations of two searches to depth 10: sd at 1,000 moves %.0f, factor %.2f.\n",
           bench_sd(r->d.side, answer, &c.spread, r->take, r->d.n_sides, NULL, 0, 1e9, false),
           c.spread.factor);
    bench_evals_free(&d);
    free(sum);
    free(answer);
    return c.spread;
}

/* ---- the result ---- */

/* How far ratings of the sides that were searched again, by the final curve, are from their Elo and
 * from those by `rating`. */
static void print_final(const struct bench_report *full, struct bench_report *r,
                        const struct evals_deep *deep)
{
    puts("\n| depth | sides | less `rating`, mean | rms | error, rms | of `rating` | in the "
         "interval | "
         "mean width |\n| ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |");
    for (size_t k = EVALS_OWN - EVALS_FIRST; k < EVALS_DEPTHS; k += 2) {
        struct ipr_strength_score *sum = evals_scores(&deep->at[k], &r->f.model, false);
        double n = 0, d = 0, dd = 0, e = 0, f = 0, inside = 0, width = 0;

        for (size_t i = 0; i < r->d.n_sides; i++) {
            const double elo = r->d.side[i].elo;

            if (!r->take[i] || !(sum[i].information > 0) ||
                !(full->entry[0].answer[i].information > 0))
                continue;
            const struct ipr_strength_estimate own = ipr_strength_of_sums(
                &r->entry[0].model, sum[i].score, sum[i].information, r->prior_mean, r->prior_sd);
            const double other = bench_estimate(full, &full->entry[0], &i, 1).mean;

            n++;
            d += own.mean - other;
            dd += (own.mean - other) * (own.mean - other);
            e += (own.mean - elo) * (own.mean - elo);
            f += (other - elo) * (other - elo);
            inside += elo >= own.lo && elo <= own.hi;
            width += own.hi - own.lo;
        }
        printf("| %zu | %.0f | %+.0f | %.0f | %.0f | %.0f | %.0f %% | %.0f |\n", EVALS_FIRST + k, n,
               d / n, sqrt(dd / n), sqrt(e / n), sqrt(f / n), 100 * inside / n, width / n);
        free(sum);
    }
}

bool bench_evals(struct bench_report *full, const char *searched, const char *model,
                 struct ipr_err *err)
{
    struct bench_report r = { .n = 0 };
    struct evals_shift shift[EVALS_DEPTHS][2];
    struct evals_deep deep;
    bool use[IPR_STRENGTH_FEATURES], ok = true;
    json_t *all = deep_read(searched);

    for (size_t i = 0; i < IPR_STRENGTH_FEATURES; i++)
        use[i] = ipr_strength_is_bare(i);
    bench_evals_strip(&full->d, 0, &r.d);
    if (evals_fit(full, NULL, "rating", err) != IPR_OK ||
        evals_fit(&r, use, "evaluations", err) != IPR_OK)
        return false;
    deep_make(&full->d, all, &deep);
    print_part(full, &r, false);
    if (model == NULL)
        print_part(full, &r, true);
    bench_report_take(&r, false);
    printf("\n## Depths\n\n%zu games were searched again.\n", deep.games);
    const double two_lines = print_depths(full, &r, &deep, shift);
    const struct evals_depth depth = depth_unknown(shift, two_lines);
    printf(
        "\nUnknown depth: %+.0f ± %.0f Elo, %+.0f ± %.0f a 300 Elo; range of the depths %.0f, of "
        "settings %.0f.\n",
        depth.shift.a, depth.shift.a_se, depth.shift.b, depth.shift.b_se, depth.range,
        depth.settings);
    r.entry[0].model.spread = depth_spread(full, &r);
    depth_apply(&depth, &r.entry[0].model.curve);
    print_final(full, &r, &deep);
    if (model != NULL) {
        json_t *null_sets = bench_null(&r, &r.entry[0]);

        ok = bench_model_write(&r, &r.entry[0], null_sets, model);
        json_decref(null_sets);
    }
    deep_free(&deep);
    json_decref(all);
    return ok;
}
