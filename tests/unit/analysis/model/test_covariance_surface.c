/* The surface against one prediction a game, and its edges. */
#include <gsl/gsl_errno.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <gsl/gsl_statistics_double.h>
#include <stdlib.h>

#include "base/mem.h"
#include "ipr_test.h"
#include "ipr_test_vectors.h"
#include "lab/methods/covariance_worth.h"
#include "model/covariance.h"
#include "model/covariance_surface.h"
#include "stats/line.h"

enum { GAMES = 30, EACH = 40 };

static const unsigned n0s[] = { 0, 1, 5, 32 };
static const double bs[] = { 0.0, 0.2, 2.4, 7.8, 400.0 };
enum { N0S = sizeof n0s / sizeof n0s[0], BS = sizeof bs / sizeof bs[0], POINTS = N0S * BS };

static const struct ipr_covariance_grid grid = { .n0 = n0s, .n_n0 = N0S, .b = bs, .n_b = BS };

/* Games whose loser errs more; evaluations wander. */
struct play {
    struct ipr_conformance_game game[GAMES];
    struct ipr_turn turn[GAMES][EACH];
    int16_t cp[GAMES][EACH][2];
};

static void simulate_game(struct play *p, int32_t g, gsl_rng *rng)
{
    const double result = (double)(g % 3) - 1.0;

    for (size_t i = 0; i < EACH; i++) {
        struct ipr_turn *t = &p->turn[g][i];
        const uint8_t mover = i % 2;
        const double side = mover == 0 ? result : -result;
        const double loss = gsl_rng_uniform(rng) < 0.5 ? 0.0 : gsl_ran_exponential(rng, 0.3);

        p->cp[g][i][0] = (int16_t)(200.0 * (gsl_rng_uniform(rng) - 0.5));
        p->cp[g][i][1] = (int16_t)(p->cp[g][i][0] - (int)(100.0 * loss * (side < 0.0 ? 1.6 : 1.0)));
        *t = (struct ipr_turn){ .game = g,
                                .ply = (uint16_t)(18 + i),
                                .mover = mover,
                                .lines = 2,
                                .n_cp = 2,
                                .played = 1,
                                .legal = 30,
                                .cp = p->cp[g][i] };
    }
    p->game[g] = (struct ipr_conformance_game){ p->turn[g], NULL, EACH, result };
}

static struct play *simulate(void)
{
    struct play *p = ipr_xcalloc(1, sizeof *p);
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);

    gsl_rng_set(rng, 21);
    for (int32_t g = 0; g < GAMES; g++)
        simulate_game(p, g, rng);
    gsl_rng_free(rng);
    return p;
}

/* White's expected score by the predictor itself. */
static double predict_by(const struct ipr_conformance_params *loss,
                         const struct ipr_conformance_game *game,
                         struct ipr_covariance_params params)
{
    struct ipr_gain_turn turns[2][EACH];
    struct ipr_covariance_player player[2] = { { turns[0], 0, NULL }, { turns[1], 0, NULL } };
    struct ipr_covariance_prediction out;
    struct ipr_err err = IPR_ERR_INIT;

    params.replicates = 0;
    for (size_t i = 0; i < game->n; i++) {
        const struct ipr_turn *t = &game->turns[i];
        struct ipr_covariance_player *p = &player[t->mover];
        assert_ok(ipr_gain_turns(loss, t, NULL, 1, &turns[t->mover][p->n++], &err), &err);
    }
    assert_ok(ipr_covariance_predict(&player[0], &player[1], &params, &out, &err), &err);
    return out.expected;
}

static double predict(const struct ipr_conformance_params *loss,
                      const struct ipr_conformance_game *game, unsigned n0, double b)
{
    struct ipr_covariance_params params = ipr_covariance_default();

    params.n0 = n0;
    params.b = b;
    return predict_by(loss, game, params);
}

static double spread(const double *x, size_t n)
{
    double lo = x[0], hi = x[0];

    for (size_t i = 1; i < n; i++) {
        lo = fmin(lo, x[i]);
        hi = fmax(hi, x[i]);
    }
    return hi - lo;
}

static void compare(const struct play *p, enum ipr_loss form)
{
    struct ipr_conformance_params loss = IPR_CONFORMANCE_INIT;
    struct ipr_covariance_point point[POINTS];
    struct ipr_covariance_surface s;
    struct ipr_err err = IPR_ERR_INIT;
    double highest = -1.0;
    size_t draws = 0;

    loss.loss = form;
    assert_ok(ipr_covariance_surface(&loss, p->game, GAMES, &grid, point, &s, &err), &err);
    assert_int_equal(s.used, GAMES);
    for (size_t i = 0; i < POINTS; i++) {
        double x[GAMES], r[GAMES], rho;
        struct ipr_line line;
        for (size_t g = 0; g < GAMES; g++) {
            x[g] = predict(&loss, &p->game[g], n0s[i / BS], bs[i % BS]);
            r[g] = p->game[g].result;
        }
        if (spread(x, GAMES) < 1e-9) { /* all draws */
            draws++;
            assert_false(point[i].known);
            assert_close(point[i].rho, 0.0, 0.0);
            continue;
        }
        assert_ok(ipr_stats_pearson(x, r, GAMES, &rho, &err), &err);
        assert_true(point[i].known);
        assert_close(point[i].rho, rho, 1e-7);
        for (size_t g = 0; g < GAMES; g++)
            x[g] = 2.0 * x[g] - 1.0;
        assert_ok(ipr_stats_line(x, r, NULL, GAMES, &line, &err), &err);
        assert_close(point[i].beta, line.b, 1e-5 * fmax(1.0, fabs(line.b)));
        assert_close(point[i].alpha, line.a, 1e-5);
        assert_close(point[i].mean, gsl_stats_mean(x, 1, GAMES), 1e-8);
        assert_close(point[i].sd, gsl_stats_sd_with_fixed_mean(x, 1, GAMES, point[i].mean), 1e-8);
        highest = fmax(highest, rho);
        if (s.best_n0 == n0s[i / BS] && fabs(s.best_b - bs[i % BS]) < 1e-12)
            assert_close(s.best.rho, rho, 1e-7);
    }
    assert_true(draws >= N0S && draws < POINTS / 2); /* b = 400 among them */
    assert_true(s.known && s.best.interval_known);
    assert_close(s.best.rho, highest, 1e-7);
    assert_true(s.best.interval.lo < s.best.rho && s.best.rho < s.best.interval.hi);
    assert_true(highest > 0.4); /* the games were made so */
}

static void test_against_predictions(void **state)
{
    struct play *p = simulate();

    (void)state;
    compare(p, IPR_LOSS_RAW);
    compare(p, IPR_LOSS_WEIGHTED);
    free(p);
}

static void test_order_and_selection(void **state)
{
    const struct ipr_conformance_params loss = IPR_CONFORMANCE_INIT;
    struct ipr_conformance_game other[GAMES + 2];
    struct ipr_covariance_point one[POINTS], two[POINTS];
    struct ipr_covariance_surface s, t;
    struct ipr_err err = IPR_ERR_INIT;
    struct play *p = simulate();
    size_t back[EACH];
    const size_t black[] = { 1, 3 };

    (void)state;
    for (size_t i = 0; i < EACH; i++)
        back[i] = EACH - 1 - i;
    for (size_t g = 0; g < GAMES; g++) {
        other[(g * 7 + 3) % GAMES] = p->game[g];
        other[(g * 7 + 3) % GAMES].keep = back;
    }
    /* Games of one side, and of none, do not count. */
    other[GAMES] = (struct ipr_conformance_game){ p->turn[0], black, 2, 1.0 };
    other[GAMES + 1] = (struct ipr_conformance_game){ NULL, NULL, 0, -1.0 };
    assert_ok(ipr_covariance_surface(&loss, p->game, GAMES, &grid, one, &s, &err), &err);
    assert_ok(ipr_covariance_surface(&loss, other, GAMES + 2, &grid, two, &t, &err), &err);
    assert_int_equal(s.excluded, 0);
    assert_int_equal(t.excluded, 2);
    assert_int_equal(t.used, GAMES);
    assert_int_equal(t.best_n0, s.best_n0);
    assert_close(t.best.se, s.best.se, 1e-12);
    for (size_t i = 0; i < POINTS; i++)
        assert_close(two[i].rho, one[i].rho, 1e-12);
    free(p);
}

static bool counts_down(void *left)
{
    unsigned *n = left;

    return *n > 0 && (*n)-- > 0;
}

static void test_edges(void **state)
{
    struct ipr_conformance_params loss = IPR_CONFORMANCE_INIT;
    const unsigned down[] = { 3, 3 }, far[] = { IPR_COVARIANCE_GRID_N0 + 1 };
    const double below[] = { -0.1 };
    const struct ipr_covariance_grid malformed[] = {
        { .n0 = down, .n_n0 = 2, .b = bs, .n_b = BS },
        { .n0 = far, .n_n0 = 1, .b = bs, .n_b = BS },
        { .n0 = n0s, .n_n0 = N0S, .b = below, .n_b = 1 },
        { .n0 = n0s, .n_n0 = 0, .b = bs, .n_b = BS },
        { .n0 = n0s, .n_n0 = N0S, .b = bs, .n_b = 0 },
        { .n0 = n0s, .n_n0 = N0S, .b = bs, .n_b = IPR_COVARIANCE_GRID_B + 1 },
    };
    struct ipr_covariance_point point[POINTS] = { { .rho = 7.0 } };
    struct ipr_covariance_surface s = { .used = 7 };
    struct ipr_err err = IPR_ERR_INIT;
    struct play *p = simulate();

    (void)state;
    for (size_t i = 0; i < sizeof malformed / sizeof malformed[0]; i++)
        assert_int_equal(
            ipr_covariance_surface(&loss, p->game, GAMES, &malformed[i], point, &s, NULL),
            IPR_EINVAL);
    assert_int_equal(ipr_covariance_surface(&loss, p->game, 0, &grid, point, &s, NULL), IPR_EDATA);
    assert_int_equal(ipr_covariance_surface(&loss, p->game, 2, &grid, point, &s, NULL), IPR_EDATA);
    struct ipr_covariance_grid stopped = grid;
    unsigned left = 2;

    stopped.go_on = counts_down;
    stopped.arg = &left;
    assert_int_equal(ipr_covariance_surface(&loss, p->game, GAMES, &stopped, point, &s, NULL),
                     IPR_ERETRY);
    assert_int_equal(left, 0);
    for (size_t g = 0; g < GAMES; g++)
        p->game[g].result = 1.0;
    assert_int_equal(ipr_covariance_surface(&loss, p->game, GAMES, &grid, point, &s, &err),
                     IPR_EDATA);
    assert_string_equal(err.msg, "all these games ended alike");
    ipr_err_clear(&err);
    assert_int_equal(s.used, 7);
    assert_close(point[0].rho, 7.0, 0.0);
    /* No errors at all: nothing to correlate. */
    p->game[0].result = -1.0;
    for (size_t g = 0; g < GAMES; g++)
        for (size_t i = 0; i < EACH; i++)
            p->turn[g][i].played = 0;
    assert_ok(ipr_covariance_surface(&loss, p->game, GAMES, &grid, point, &s, &err), &err);
    assert_false(s.known);
    assert_false(s.best.interval_known);
    for (size_t i = 0; i < POINTS; i++)
        assert_false(point[i].known);
    loss.k1 = -1.0;
    assert_int_equal(ipr_covariance_surface(&loss, p->game, GAMES, &grid, point, &s, NULL),
                     IPR_EINVAL);
    free(p);
}

/* One move a side, the whole of ten pawns lost: a sum that is certain. */
static void test_games_of_one_blunder(void **state)
{
    const struct ipr_conformance_params loss = IPR_CONFORMANCE_INIT;
    const unsigned n0[] = { 0, 40 };
    const struct ipr_covariance_grid small = { .n0 = n0, .n_n0 = 2, .b = bs, .n_b = 3 };
    struct ipr_covariance_point point[6];
    struct ipr_covariance_surface s;
    struct ipr_err err = IPR_ERR_INIT;
    struct play *p = simulate();

    (void)state;
    for (size_t g = 0; g < 6; g++) {
        const double result = g % 2 ? 1.0 : -1.0;
        p->game[g] = (struct ipr_conformance_game){ p->turn[g], NULL, 2, result };
        for (size_t i = 0; i < 2; i++) {
            p->cp[g][i][0] = 500;
            p->cp[g][i][1] = (i == 0) == (result < 0.0) ? -500 : 500;
        }
    }
    assert_ok(ipr_covariance_surface(&loss, p->game, 6, &small, point, &s, &err), &err);
    for (size_t i = 0; i < 6; i++) {
        assert_true(point[i].known);
        assert_close(point[i].rho, 1.0, 1e-9);
    }
    assert_int_equal(s.best_n0, 0);
    assert_close(s.best_b, 0.0, 0.0);
    assert_false(s.best.interval_known); /* all on a line */
    free(p);
}

/* Correlation of the results with the predictor's scores by tanh. */
static double rho_of_tanh(const struct play *p, const struct ipr_conformance_params *loss, double a)
{
    struct ipr_covariance_params params = ipr_covariance_default();
    double x[GAMES], r[GAMES];

    params.score = IPR_COVARIANCE_TANH;
    params.n0 = 0;
    params.a = a;
    for (size_t g = 0; g < GAMES; g++) {
        x[g] = predict_by(loss, &p->game[g], params);
        r[g] = p->game[g].result;
    }
    return gsl_stats_correlation(x, 1, r, 1, GAMES);
}

/* Black's losses less White's, of moves from the mover's view. */
static double summed_difference(const struct ipr_conformance_game *game)
{
    double sum = 0.0;

    for (size_t i = 0; i < game->n; i++) {
        const struct ipr_turn *t = &game->turns[i];
        sum += (t->mover != 0 ? 1.0 : -1.0) * (t->cp[0] - t->cp[1]) / 100.0;
    }
    return sum;
}

static void test_worth(void **state)
{
    const struct ipr_conformance_params loss = IPR_CONFORMANCE_INIT;
    struct play *p = simulate();
    struct ipr_covariance_worth w;
    struct ipr_err err = IPR_ERR_INIT;
    double sum[GAMES + 1], won[GAMES + 1];

    (void)state;
    assert_ok(ipr_covariance_worth(&loss, p->game, GAMES, sum, won, &w, &err), &err);
    assert_int_equal(w.used, GAMES);
    assert_close(w.best.rho, rho_of_tanh(p, &loss, w.a), 1e-10);
    for (double step = 1.1; step < 3.0; step *= 1.1) {
        assert_true(rho_of_tanh(p, &loss, w.a * step) <= w.best.rho + 1e-12);
        assert_true(rho_of_tanh(p, &loss, w.a / step) <= w.best.rho + 1e-12);
    }
    if (w.interval_known)
        assert_true(w.interval.lo < w.a && w.a < w.interval.hi);
    for (size_t g = 0; g < GAMES; g++) {
        assert_close(sum[g], summed_difference(&p->game[g]), 1e-9);
        assert_close(won[g], p->game[g].result, 0.0);
    }
    free(p);
}

/* A game in which one side has no turn, and too few games. */
static void test_worth_of_few(void **state)
{
    struct ipr_conformance_params loss = IPR_CONFORMANCE_INIT;
    struct play *p = simulate();
    struct ipr_covariance_worth w;
    struct ipr_err err = IPR_ERR_INIT;
    double sum[GAMES], won[GAMES];

    (void)state;
    p->game[1].n = 1;
    assert_ok(ipr_covariance_worth(&loss, p->game, GAMES, sum, won, &w, &err), &err);
    assert_int_equal(w.used, GAMES - 1);
    assert_int_equal(w.excluded, 1);
    assert_close(won[1], p->game[2].result, 0.0);
    assert_int_equal(ipr_covariance_worth(&loss, p->game, 3, sum, won, &w, NULL), IPR_EDATA);
    loss.k1 = 0.0;
    assert_int_equal(ipr_covariance_worth(&loss, p->game, GAMES, sum, won, &w, NULL), IPR_EINVAL);
    free(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_against_predictions),
        cmocka_unit_test(test_order_and_selection),
        cmocka_unit_test(test_edges),
        cmocka_unit_test(test_games_of_one_blunder),
        cmocka_unit_test(test_worth),
        cmocka_unit_test(test_worth_of_few),
    };

    gsl_set_error_handler_off();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
