/* Properties of the Markov model on simulated play, and the limits of its domain. */
#include "model/markov.h"

#include <gsl/gsl_errno.h>
#include <gsl/gsl_rng.h>
#include <stdlib.h>

#include "base/mem.h"
#include "ipr_test.h"
#include "ipr_test_play.h"
#include "model/markov_side.h"

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

static void test_symmetry_and_order(void **state)
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
        /* The prediction for the other player. */
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
    /* Nor do the numbers of the games matter. */
    params.separate_colours = false;
    assert_ok(ipr_markov_predict(&p1, &p2, NULL, &params, &one, &err), &err);
    for (size_t i = 0; i < TURNS; i++) {
        shuffled[i] = a[i];
        shuffled[i].game = a[i].game * 37 % 101;
    }
    assert_ok(ipr_markov_predict(&p3, &p2, NULL, &params, &two, &err), &err);
    assert_memory_equal(&one, &two, sizeof one);
    /* A player against itself. */
    params.separate_colours = false;
    assert_ok(ipr_markov_predict(&p1, &p1, NULL, &params, &one, &err), &err);
    assert_close(one.mean.expected, 0.5, 1e-12);
}

/* Both colours agree, in either order of the players. */
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

    /* So do the intervals. */
    params = ipr_markov_default();
    assert_int_equal(ipr_markov_predict(&p1, &p2, NULL, &params, &one, NULL), IPR_OK);
    assert_int_equal(ipr_markov_predict(&p2, &p1, NULL, &params, &two, NULL), IPR_OK);
    assert_close(one.expected.lo, 1.0 - two.expected.hi, 1e-9);
    assert_close(one.expected.hi, 1.0 - two.expected.lo, 1e-9);
    assert_true(one.expected.lo < one.mean.expected && one.mean.expected < one.expected.hi);
}

/* The chains give the prediction, for any classes, with colours together or separate. */
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

/* The width of the interval on the logit scale, where it is symmetric. */
static double interval_width(const struct ipr_markov_player *p1, const struct ipr_markov_player *p2)
{
    const struct ipr_markov_params params = ipr_markov_default();
    struct ipr_markov_prediction p;
    struct ipr_err err = IPR_ERR_INIT;

    assert_ok(ipr_markov_predict(p1, p2, NULL, &params, &p, &err), &err);
    assert_true(p.expected.lo < p.mean.expected && p.mean.expected < p.expected.hi);
    return p.sd_logit;
}

/* The width depends on the games of the career, not on the games of each year. */
static void test_years_with_one_game(void **state)
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
    together = interval_width(&career, &opponent);
    spread_over_years(a, 1, years);
    assert_close(interval_width(&career, &opponent), together, 0.1 * together);
    spread_over_years(a, 63, years); /* one game is left */
    assert_close(interval_width(&career, &opponent), together, 0.1 * together);
    /* The width is not from the opponent only: here both have one game a year, */
    spread_over_years(a, 1, years);
    assert_true(interval_width(&career, &career) > 0.5 * together);
    /* and the last of these weighs as much as all before it. */
    assert_true(interval_width(&weighted, &weighted) > interval_width(&career, &career));
    /* Eight games in eight years; nine games in two years. */
    assert_true(interval_width(&few, &few) > interval_width(&career, &career));
    few.n = 9 * 40;
    spread_over_years(a, 8, years);
    assert_true(interval_width(&few, &few) > together);
}

/*
 * Two players who rarely leave the best class: some replicates never do, and their logits are
 * extreme. The interval must not depend on how many of those a seed gives.
 */
static void test_other_seeds(void **state)
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

/* A move better than the best is impossible, but gives finite figures. */
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
        cmocka_unit_test(test_symmetry_and_order),
        cmocka_unit_test(test_both_colours),
        cmocka_unit_test(test_chains),
        cmocka_unit_test(test_years_with_one_game),
        cmocka_unit_test(test_other_seeds),
        cmocka_unit_test(test_not_triangular),
        cmocka_unit_test(test_one_game),
        cmocka_unit_test(test_edges),
    };

    gsl_set_error_handler_off();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
