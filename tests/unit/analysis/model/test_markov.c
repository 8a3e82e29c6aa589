/* Held to vectors/markov.json (an independent implementation), then properties. */
#include <gsl/gsl_errno.h>
#include <gsl/gsl_rng.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "ipr_test.h"
#include "ipr_test_play.h"
#include "ipr_test_vectors.h"
#include "model/markov.h"
#include "model/markov_side.h"

#define CHECK(got, object, key, tol)                                                               \
    ipr_test_near((got), ipr_test_num(object, key), (tol), "%s", key)

static struct ipr_markov_params vector_params(const char *model)
{
    struct ipr_markov_params p = ipr_markov_default();

    p.empty_row = IPR_EMPTY_ROW_IDENTITY;
    p.replicates = 0;
    if (strcmp(model, "10") == 0)
        p.classes = ipr_markov_classes_10();
    return p;
}

static void check_classes(const json_t *c)
{
    const json_t *cp = ipr_test_get(ipr_test_get(c, "inputs"), "cp");
    const json_t *w = ipr_test_get(c, "expected");
    const struct ipr_markov_classes c19 = ipr_markov_classes_19();
    const struct ipr_markov_classes c10 = ipr_markov_classes_10();

    for (size_t i = 0; i < json_array_size(cp); i++) {
        const int v = (int)json_integer_value(json_array_get(cp, i));
        assert_int_equal(ipr_markov_class(&c19, v),
                         json_integer_value(json_array_get(ipr_test_get(w, "class19"), i)));
        assert_int_equal(ipr_markov_class(&c10, v),
                         json_integer_value(json_array_get(ipr_test_get(w, "class10"), i)));
        assert_int_equal(ipr_markov_class(&c19, -v), 18 - ipr_markov_class(&c19, v));
    }
}

static size_t read_pairs(const json_t *pairs, int32_t year, struct ipr_markov_turn *out)
{
    for (size_t i = 0; i < json_array_size(pairs); i++) {
        const json_t *p = json_array_get(pairs, i);
        out[i] = (struct ipr_markov_turn){
            .game = year * 1000 + (int32_t)i / 30,
            .year = year,
            .best_cp = (int16_t)json_integer_value(json_array_get(p, 0)),
            .played_cp = (int16_t)json_integer_value(json_array_get(p, 1)),
        };
    }
    return json_array_size(pairs);
}

/* A list of pairs, or lists by year. */
static struct ipr_markov_player read_player(json_t *o, int32_t year)
{
    struct ipr_markov_turn *turns = ipr_xcalloc(10000, sizeof *turns);
    const char *key;
    json_t *v;
    size_t n = 0;

    if (json_is_array(o)) {
        n = read_pairs(o, 0, turns);
    } else {
        json_object_foreach(o, key, v) {
            n += read_pairs(v, (int32_t)strtol(key, NULL, 10), turns + n);
        }
    }
    return (struct ipr_markov_player){ turns, n, year };
}

static void check_square(const json_t *want, const double *got, size_t n, double tol,
                         const char *what)
{
    for (size_t i = 0; i < n * n; i++)
        ipr_test_near(got[i], json_number_value(json_array_get(json_array_get(want, i / n), i % n)),
                      tol, "%s %zu,%zu", what, i / n, i % n);
}

static void check_player(const json_t *c, const json_t *w, const struct ipr_markov_player *p,
                         const struct ipr_markov_classes *classes, double *matrix)
{
    const double tol = ipr_test_tol(c, 1.0);
    double counts[19 * 19] = { 0 };
    double black[19 * 19];

    ipr_markov_count(classes, p->turns, p->n, p->year, counts);
    ipr_markov_fill(counts, NULL, classes->n, matrix);
    ipr_markov_mirror(matrix, classes->n, black);
    if (w == NULL)
        return;
    check_square(ipr_test_get(w, "counts"), counts, classes->n, tol, "counts");
    check_square(ipr_test_get(w, "matrix"), matrix, classes->n, tol, "matrix");
    check_square(ipr_test_get(w, "black_matrix"), black, classes->n, tol, "black matrix");
}

static void check_outcome(const json_t *c, const json_t *w, const struct ipr_markov_outcome *o)
{
    const double tol = ipr_test_tol(c, 1.0);

    CHECK(o->win, w, "win", tol);
    CHECK(o->draw, w, "draw", tol);
    CHECK(o->loss, w, "loss", tol);
    CHECK(o->expected, w, "expected", tol);
}

/* The chain of player 1 as White; f and s as check_player has them. */
static void check_stationary(const json_t *c, const json_t *w, const struct ipr_markov_player *p1,
                             const struct ipr_markov_player *p2, const double *f, const double *s,
                             const struct ipr_markov_params *params)
{
    const size_t n = params->classes.n;
    struct ipr_markov_chain *chain = ipr_xcalloc(2, sizeof *chain);
    struct ipr_err err = IPR_ERR_INIT;
    double black[19 * 19];

    assert_ok(ipr_markov_chains(p1, p2, NULL, params, chain, &err), &err);
    assert_int_equal(chain[0].recurrent, ipr_test_num(w, "recurrent_classes"));
    ipr_markov_mirror(s, n, black);
    assert_memory_equal(chain[0].white, f, n * n * sizeof *f);
    assert_memory_equal(chain[0].black, black, n * n * sizeof *s);
    for (size_t i = 0; i < n; i++) {
        double row = 0.0;
        for (size_t j = 0; j < n; j++)
            row += chain[0].product[i * n + j];
        assert_close(row, 1.0, 1e-12);
        ipr_test_near(chain[0].stationary[i],
                      json_number_value(json_array_get(ipr_test_get(w, "stationary"), i)),
                      ipr_test_tol(c, 1.0), "pi %zu", i);
    }
    free(chain);
}

static void check_match(const json_t *c)
{
    const json_t *in = ipr_test_get(c, "inputs");
    const json_t *w = ipr_test_get(c, "expected");
    const struct ipr_markov_params params =
        vector_params(json_string_value(ipr_test_get(in, "model")));
    const int32_t year = ipr_test_has(in, "year") ? (int32_t)ipr_test_num(in, "year") : 0;
    json_t *from = json_object_get(in, "transitions_vb_vp");
    const json_t *holder = from != NULL ? from : in;
    struct ipr_markov_player p1 = read_player(json_object_get(holder, "player1"), year);
    struct ipr_markov_player p2 = read_player(json_object_get(holder, "player2"), year);
    struct ipr_markov_prediction got;
    struct ipr_err err = IPR_ERR_INIT;
    double f[19 * 19];
    double s[19 * 19];

    check_player(c, json_object_get(w, "player1"), &p1, &params.classes, f);
    check_player(c, json_object_get(w, "player2"), &p2, &params.classes, s);
    check_stationary(c, ipr_test_has(w, "player1_white") ? ipr_test_get(w, "player1_white") : w,
                     &p1, &p2, f, s, &params);
    assert_ok(ipr_markov_predict(&p1, &p2, NULL, &params, &got, &err), &err);
    check_outcome(c, ipr_test_get(ipr_test_get(w, "match"), "as_white"), &got.as_white);
    check_outcome(c, ipr_test_get(ipr_test_get(w, "match"), "as_black"), &got.as_black);
    check_outcome(c, ipr_test_get(ipr_test_get(w, "match"), "mean"), &got.mean);
    free((void *)(uintptr_t)p1.turns);
    free((void *)(uintptr_t)p2.turns);
}

static void check_chain(const json_t *c)
{
    const json_t *in = ipr_test_get(c, "inputs");
    const json_t *w = ipr_test_get(c, "expected");
    const json_t *m = ipr_test_get(in, "matrix");
    const size_t n = json_array_size(m);
    double p[IPR_CHAIN_MAX * IPR_CHAIN_MAX];
    double pi[IPR_CHAIN_MAX];
    unsigned recurrent;

    for (size_t i = 0; i < n * n; i++)
        p[i] = json_number_value(json_array_get(json_array_get(m, i / n), i % n));
    assert_int_equal(ipr_chain_limit(p, n, (size_t)ipr_test_num(in, "start"), pi, &recurrent, NULL),
                     IPR_OK);
    assert_int_equal(recurrent, ipr_test_num(w, "recurrent_classes"));
    for (size_t i = 0; i < n; i++)
        ipr_test_near(pi[i], json_number_value(json_array_get(ipr_test_get(w, "stationary"), i)),
                      ipr_test_tol(c, 1.0), "pi %zu", i);
}

static void test_vectors(void **state)
{
    json_t *file = ipr_test_vectors("markov.json");
    size_t i;
    json_t *c;

    (void)state;
    json_array_foreach(json_object_get(file, "cases"), i, c) {
        const json_t *in = ipr_test_get(c, "inputs");
        if (ipr_test_has(in, "cp"))
            check_classes(c);
        else if (ipr_test_has(in, "matrix"))
            check_chain(c);
        else
            check_match(c);
    }
    json_decref(file);
}

/* Games of a player whose evaluations wander and who errs with the given probability. */
static size_t simulate(gsl_rng *rng, double error, size_t games, int32_t first, int32_t year,
                       struct ipr_markov_turn *out)
{
    size_t n = 0;

    for (size_t g = 0; g < games; g++)
        for (int i = 0; i < 40; i++) {
            const int v = (int)(400.0 * (gsl_rng_uniform(rng) - 0.5));
            const int drop = gsl_rng_uniform(rng) < error ? (int)gsl_rng_uniform_int(rng, 300) : 0;
            out[n++] = (struct ipr_markov_turn){ .game = first + (int32_t)g,
                                                 .year = year - (int32_t)(g % 3),
                                                 .best_cp = (int16_t)v,
                                                 .played_cp = (int16_t)(v - drop),
                                                 .mover = g % 2 };
        }
    return n;
}

enum { TURNS = 64 * 40 };

static void simulate_pair(struct ipr_markov_turn *a, struct ipr_markov_turn *b)
{
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);

    gsl_rng_set(rng, 11);
    simulate(rng, 0.15, 64, 1, 1972, a);
    simulate(rng, 0.25, 64, 500, 1972, b);
    gsl_rng_free(rng);
}

static void test_properties(void **state)
{
    static struct ipr_markov_turn a[TURNS];
    static struct ipr_markov_turn b[TURNS];
    static struct ipr_markov_turn shuffled[TURNS];
    struct ipr_markov_player p1 = { a, TURNS, 1972 };
    struct ipr_markov_player p2 = { b, TURNS, 1972 };
    const struct ipr_markov_player p3 = { shuffled, TURNS, 1972 };
    struct ipr_markov_params params = ipr_markov_default();
    struct ipr_markov_prediction one;
    struct ipr_markov_prediction two;
    struct ipr_err err = IPR_ERR_INIT;

    (void)state;
    simulate_pair(a, b);
    for (int apart = 0; apart < 2; apart++) {
        params.separate_colours = apart == 1;
        assert_ok(ipr_markov_predict(&p1, &p2, NULL, &params, &one, &err), &err);
        assert_ok(ipr_markov_predict(&p2, &p1, NULL, &params, &two, &err), &err);
        /* The other player's view. */
        assert_close(one.as_white.win, two.as_black.loss, 1e-12);
        assert_close(one.as_black.win, two.as_white.loss, 1e-12);
        assert_close(one.mean.expected, 1.0 - two.mean.expected, 1e-12);
        assert_true(one.mean.expected > 0.5);
        assert_true(one.expected.lo < one.mean.expected && one.mean.expected < one.expected.hi);
        assert_true(one.sd > 0.0 && one.sd < 0.3);
        assert_close(one.mean.win + one.mean.draw + one.mean.loss, 1.0, 1e-12);
        assert_int_equal(one.exits_from_top, two.exits_from_bottom);
        /* The order of the turns does not matter; the seed does. */
        for (size_t i = 0; i < TURNS; i++)
            shuffled[(i * 1117 + 5) % TURNS] = a[i];
        assert_ok(ipr_markov_predict(&p3, &p2, NULL, &params, &two, &err), &err);
        assert_memory_equal(&one, &two, sizeof one);
    }
    /* Nor are the numbers of the games anything. */
    params.separate_colours = false;
    assert_ok(ipr_markov_predict(&p1, &p2, NULL, &params, &one, &err), &err);
    for (size_t i = 0; i < TURNS; i++) {
        shuffled[i] = a[i];
        shuffled[i].game = a[i].game * 37 % 101;
    }
    assert_ok(ipr_markov_predict(&p3, &p2, NULL, &params, &two, &err), &err);
    assert_memory_equal(&one, &two, sizeof one);
    /* Against oneself. */
    params.separate_colours = false;
    assert_ok(ipr_markov_predict(&p1, &p1, NULL, &params, &one, &err), &err);
    assert_close(one.mean.expected, 0.5, 1e-12);
}

/* With `exchanged` (one elimination) and without it, both colours agree. */
static void test_both_colours(void **state)
{
    static struct ipr_markov_turn a[TURNS];
    static struct ipr_markov_turn b[TURNS];
    const struct ipr_markov_player p1 = { a, TURNS, 0 };
    const struct ipr_markov_player p2 = { b, TURNS, 0 };
    struct ipr_markov_params params = ipr_markov_default();
    struct ipr_markov_prediction one;
    struct ipr_markov_prediction two;

    (void)state;
    simulate_pair(a, b);
    params.replicates = 0;
    assert_int_equal(ipr_markov_predict(&p1, &p2, NULL, &params, &one, NULL), IPR_OK);
    assert_int_equal(ipr_markov_predict(&p2, &p1, NULL, &params, &two, NULL), IPR_OK);
    assert_close(one.as_black.win, two.as_white.loss, 1e-13);
    assert_close(one.as_black.loss, two.as_white.win, 1e-13);
    assert_close(one.expected.lo, 0.0, 0.0);

    /* The error bar, too, does not depend on who is named first. */
    params = ipr_markov_default();
    assert_int_equal(ipr_markov_predict(&p1, &p2, NULL, &params, &one, NULL), IPR_OK);
    assert_int_equal(ipr_markov_predict(&p2, &p1, NULL, &params, &two, NULL), IPR_OK);
    assert_close(one.expected.lo, 1.0 - two.expected.hi, 1e-9);
    assert_close(one.expected.hi, 1.0 - two.expected.lo, 1e-9);
    assert_true(one.expected.lo < one.mean.expected && one.mean.expected < one.expected.hi);
}

/* The chains are those of the prediction, for any classes, colours together or apart. */
static void test_chains(void **state)
{
    static struct ipr_markov_turn a[TURNS];
    static struct ipr_markov_turn b[TURNS];
    static struct ipr_markov_turn white[TURNS];
    const struct ipr_markov_player p1 = { a, TURNS, 0 };
    const struct ipr_markov_player p2 = { b, TURNS, 0 };
    const struct ipr_markov_player none = { a, 0, 0 };
    const int16_t edge[] = { 15, 60, 250 };
    struct ipr_markov_params params = ipr_markov_default();
    struct ipr_markov_chain *c = ipr_xcalloc(2, sizeof *c);
    struct ipr_markov_prediction p;
    struct ipr_err err = IPR_ERR_INIT;
    size_t n_white = 0;

    (void)state;
    simulate_pair(a, b);
    for (size_t i = 0; i < TURNS; i++)
        if (a[i].mover == 0)
            white[n_white++] = a[i];
    params.replicates = 0;
    params.empty_row = IPR_EMPTY_ROW_IDENTITY;
    for (int k = 0; k < 4; k++) {
        params.separate_colours = k % 2 == 1;
        if (k == 2)
            assert_ok(ipr_markov_classes_make(edge, 3, true, true, &params.classes, &err), &err);
        const size_t n = params.classes.n;
        assert_ok(ipr_markov_predict(&p1, &p2, NULL, &params, &p, &err), &err);
        assert_ok(ipr_markov_chains(&p1, &p2, NULL, &params, c, &err), &err);
        assert_close(c[0].stationary[n - 1], p.as_white.win, 1e-12);
        assert_close(c[0].stationary[0], p.as_white.loss, 1e-12);
        assert_close(c[1].stationary[0], p.as_black.win, 1e-12);
        assert_close(c[1].stationary[n - 1], p.as_black.loss, 1e-12);

        double counts[IPR_MARKOV_MAX * IPR_MARKOV_MAX] = { 0 };
        double matrix[IPR_MARKOV_MAX * IPR_MARKOV_MAX];
        if (params.separate_colours)
            ipr_markov_count(&params.classes, white, n_white, 0, counts);
        else
            ipr_markov_count(&params.classes, a, TURNS, 0, counts);
        ipr_markov_fill(counts, NULL, n, matrix);
        assert_memory_equal(c[0].white, matrix, n * n * sizeof *matrix);
    }
    assert_int_equal(ipr_markov_chains(&p1, &none, NULL, &params, c, NULL), IPR_EDATA);
    params.classes.n = 5;
    assert_int_equal(ipr_markov_chains(&p1, &p2, NULL, &params, c, NULL), IPR_EINVAL);
    free(c);
}

/* The same games, `per_year` a year; the last year may have fewer. */
static void spread_over_years(const struct ipr_markov_turn *in, int per_year,
                              struct ipr_markov_turn *out)
{
    for (size_t i = 0; i < TURNS; i++) {
        out[i] = in[i];
        out[i].year = 1900 + (in[i].game - 1) / per_year;
    }
}

/* Of the interval, on the scale that it is symmetric on. */
static double width(const struct ipr_markov_player *p1, const struct ipr_markov_player *p2)
{
    const struct ipr_markov_params params = ipr_markov_default();
    struct ipr_markov_prediction p;
    struct ipr_err err = IPR_ERR_INIT;

    assert_ok(ipr_markov_predict(p1, p2, NULL, &params, &p, &err), &err);
    assert_true(p.expected.lo < p.mean.expected && p.mean.expected < p.expected.hi);
    return p.sd_logit;
}

/* However few games a year has, the games of a career are its evidence. */
static void test_games_alone_in_their_year(void **state)
{
    static struct ipr_markov_turn a[TURNS];
    static struct ipr_markov_turn b[TURNS];
    static struct ipr_markov_turn years[TURNS];
    const struct ipr_markov_player opponent = { b, TURNS, 0 };
    const struct ipr_markov_player career = { years, TURNS, 0 };
    const struct ipr_markov_player weighted = { years, TURNS, 1963 };
    struct ipr_markov_player few = { years, 8 * 40, 0 };
    double together;

    (void)state;
    simulate_pair(a, b);
    spread_over_years(a, 64, years);
    together = width(&career, &opponent);
    spread_over_years(a, 1, years);
    assert_close(width(&career, &opponent), together, 0.1 * together);
    spread_over_years(a, 63, years); /* one game is left */
    assert_close(width(&career, &opponent), together, 0.1 * together);
    /* The width is not that of the opponent alone: both have one game a year, */
    spread_over_years(a, 1, years);
    assert_true(width(&career, &career) > 0.5 * together);
    /* and the last of these weighs as much as all before it. */
    assert_true(width(&weighted, &weighted) > width(&career, &career));
    /* Eight games in eight years; the same and one more in two. */
    assert_true(width(&few, &few) > width(&career, &career));
    few.n = 9 * 40;
    spread_over_years(a, 8, years);
    assert_true(width(&few, &few) > together);
}

/*
 * Two players who hardly ever leave the best class: some replicates never do, and their logits lie
 * far out. The interval must not hang on how many of those the seed brings.
 */
static void test_seed(void **state)
{
    enum { GAMES = 22, EACH = 32, SEEDS = 20 };
    static struct ipr_markov_turn a[GAMES * EACH];
    static struct ipr_markov_turn b[GAMES * EACH];
    static struct ipr_markov_turn rest[GAMES * EACH];
    const struct ipr_markov_player p1 = { a, (size_t)GAMES * EACH, 0 };
    const struct ipr_markov_player p2 = { b, (size_t)GAMES * EACH, 0 };
    struct ipr_markov_params params = ipr_markov_default();
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    double matrix[19 * 19];
    double least = INFINITY;
    double most = 0.0;

    (void)state;
    gsl_rng_set(rng, 3);
    ipr_test_markov_player(0.35, 0.3, 0.75, matrix);
    ipr_test_markov_games(matrix, matrix, GAMES, EACH, 0, 0, rng, a, rest);
    ipr_test_markov_games(matrix, matrix, GAMES, EACH, 0, 0, rng, b, rest);
    for (int i = 0; i < SEEDS; i++) {
        struct ipr_markov_prediction p;
        params.seed = 1000 + (uint64_t)i;
        assert_int_equal(ipr_markov_predict(&p1, &p2, NULL, &params, &p, NULL), IPR_OK);
        least = fmin(least, p.sd_logit);
        most = fmax(most, p.sd_logit);
    }
    assert_true(least > 0.1);
    assert_true(most < 1.15 * least);
    gsl_rng_free(rng);
}

/* A move better than the best is no one's; the figures stay figures all the same. */
static void test_not_triangular(void **state)
{
    static struct ipr_markov_turn a[TURNS];
    static struct ipr_markov_turn b[TURNS];
    const struct ipr_markov_player p1 = { a, TURNS, 0 };
    const struct ipr_markov_player p2 = { b, TURNS, 0 };
    struct ipr_markov_params params = ipr_markov_default();
    struct ipr_markov_prediction one;
    struct ipr_markov_prediction two;

    (void)state;
    params.replicates = 40;
    simulate_pair(a, b);
    assert_int_equal(ipr_markov_predict(&p1, &p2, NULL, &params, &one, NULL), IPR_OK);
    a[0].played_cp = (int16_t)(a[0].best_cp + 300);
    assert_int_equal(ipr_markov_predict(&p1, &p2, NULL, &params, &two, NULL), IPR_OK);
    assert_close(two.mean.expected, one.mean.expected, 0.05);
    assert_close(two.sd, one.sd, 0.05);
    assert_true(isfinite(two.expected.lo) && two.expected.hi <= 1.0);
}

static void test_one_game(void **state)
{
    static struct ipr_markov_turn a[TURNS];
    static struct ipr_markov_turn b[TURNS];
    const struct ipr_markov_player many = { a, TURNS, 0 };
    const struct ipr_markov_player one = { b, 40, 0 };
    struct ipr_markov_params params = ipr_markov_default();
    struct ipr_markov_player counts = { b, 2 * 40, 1972 };
    struct ipr_markov_prediction p = { .replicates = 7 };
    struct ipr_err err = IPR_ERR_INIT;

    (void)state;
    simulate_pair(a, b);
    assert_int_equal(ipr_markov_predict(&many, &one, NULL, &params, &p, &err), IPR_EDATA);
    assert_string_equal(err.msg, "player 2 has one game only, and one game gives no interval");
    ipr_err_clear(&err);
    assert_int_equal(p.replicates, 7);
    /* The second game is of a later year. */
    for (size_t i = 40; i < 2 * 40; i++)
        b[i].year = 1973;
    assert_int_equal(ipr_markov_predict(&counts, &many, NULL, &params, &p, &err), IPR_EDATA);
    ipr_err_clear(&err);
    counts.year = 1973;
    assert_ok(ipr_markov_predict(&counts, &many, NULL, &params, &p, &err), &err);
    assert_true(p.sd > 0.0);
    params.replicates = 0;
    assert_ok(ipr_markov_predict(&many, &one, NULL, &params, &p, &err), &err);
    assert_close(p.expected.hi - p.expected.lo, 1.0, 0.0);
}

static void test_edges(void **state)
{
    const struct ipr_markov_turn t = { 1, 1990, 250, 250, 0 };
    const struct ipr_markov_turn later = { 1, 1999, 0, 0, 0 };
    const struct ipr_markov_player none = { NULL, 0, 0 };
    const struct ipr_markov_player one = { &t, 1, 1990 };
    const struct ipr_markov_player future = { &later, 1, 1990 };
    const int16_t down[2] = { 30, 20 };
    struct ipr_markov_params params = ipr_markov_default();
    struct ipr_markov_classes classes;
    struct ipr_markov_prediction p;
    struct ipr_err err = IPR_ERR_INIT;
    double pool[19 * 19] = { 0 };
    double pi[4];

    (void)state;
    assert_int_equal(ipr_markov_predict(&none, &one, NULL, &params, &p, &err), IPR_EDATA);
    assert_string_equal(err.msg, "player 1 has no moves");
    ipr_err_clear(&err);
    assert_int_equal(ipr_markov_predict(&one, &future, NULL, &params, &p, &err), IPR_EDATA);
    ipr_err_clear(&err);
    params.replicates = 0; /* one game gives no interval */
    assert_ok(ipr_markov_predict(&one, &one, NULL, &params, &p, &err), &err);
    assert_true(isfinite(p.mean.expected) && isfinite(p.sd) && isfinite(p.sd_logit));
    for (size_t i = 0; i < 19; i++)
        pool[i * 19] = pool[i * 19 + i] = 1.0;
    assert_ok(ipr_markov_predict(&one, &one, pool, &params, &p, &err), &err);
    assert_int_equal(p.player1.empty_rows, 18);
    assert_int_equal(ipr_markov_classes_make(down, 2, true, true, &classes, NULL), IPR_EPARSE);
    assert_int_equal(ipr_markov_classes_make(down, 0, true, true, &classes, NULL), IPR_EPARSE);
    int16_t many[IPR_MARKOV_EDGES + 1];
    for (int16_t k = 0; k <= IPR_MARKOV_EDGES; k++)
        many[k] = (int16_t)(10 * (k + 1));
    ipr_err_clear(&err);
    assert_ok(ipr_markov_classes_make(many, IPR_MARKOV_EDGES, true, true, &classes, &err), &err);
    assert_int_equal(classes.n, 31);
    assert_ok(ipr_markov_classes_make(many, IPR_MARKOV_EDGES, false, true, &classes, &err), &err);
    assert_int_equal(classes.n, 30);
    for (int zero = 0; zero < 2; zero++) {
        ipr_err_clear(&err);
        assert_int_equal(
            ipr_markov_classes_make(many, IPR_MARKOV_EDGES + 1, zero, true, &classes, &err),
            IPR_EPARSE);
        assert_string_equal(err.msg, "15 edges between classes; 1 to 14 are possible");
    }
    assert_int_equal(ipr_chain_limit((const double[]){ 0.5, 0.4, 0, 1 }, 2, 0, pi, NULL, NULL),
                     IPR_EINVAL);
    assert_int_equal(ipr_chain_limit((const double[]){ 0, 1, 1, 0 }, 2, 0, pi, NULL, NULL), IPR_OK);
    assert_close(pi[0], 0.5, 1e-15); /* periodic: the Cesaro limit */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_vectors),      cmocka_unit_test(test_properties),
        cmocka_unit_test(test_both_colours), cmocka_unit_test(test_games_alone_in_their_year),
        cmocka_unit_test(test_seed),         cmocka_unit_test(test_not_triangular),
        cmocka_unit_test(test_one_game),     cmocka_unit_test(test_edges),
        cmocka_unit_test(test_chains),
    };

    gsl_set_error_handler_off();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
