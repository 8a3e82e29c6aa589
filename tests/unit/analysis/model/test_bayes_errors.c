/* The Bayesian agent's errors, on simulated play of known c; its ratings by side, and its Elo. */
#include "model/bayes.h"

#include <gsl/gsl_errno.h>
#include <stdlib.h>

#include "ipr_test.h"
#include "ipr_test_play.h"

/* The sandwich estimate by numerical differences of the log likelihoods. */
static void test_clustered(void **state)
{
    enum { GAMES = 12, EACH = 20 };
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    struct ipr_test_play p = ipr_test_agent_games(rng, 1.3, 0.3, GAMES, EACH, 10);
    const struct ipr_bayes_params params = ipr_bayes_default();
    struct ipr_bayes_events *e;
    struct ipr_bayes_posterior got;
    double squares = 0.0;
    double second;

    (void)state;
    assert_int_equal(ipr_bayes_events_new(&params, p.turns, p.n, &e, NULL), IPR_OK);
    assert_int_equal(ipr_bayes_posterior(e, &got, NULL), IPR_OK);
    second = ipr_bayes_log_likelihood(e, got.mode + 1e-3) +
             ipr_bayes_log_likelihood(e, got.mode - 1e-3) -
             2.0 * ipr_bayes_log_likelihood(e, got.mode);
    ipr_bayes_events_free(&e);
    for (size_t g = 0; g < GAMES; g++) {
        assert_int_equal(ipr_bayes_events_new(&params, &p.turns[g * EACH], EACH, &e, NULL), IPR_OK);
        const double u = (ipr_bayes_log_likelihood(e, got.mode + 1e-4) -
                          ipr_bayes_log_likelihood(e, got.mode - 1e-4)) /
                         2e-4;
        squares += u * u;
        ipr_bayes_events_free(&e);
    }
    assert_int_equal(got.games, GAMES);
    assert_close(got.clustered_se, sqrt(squares * GAMES / (GAMES - 1.0)) / (-second / 1e-6),
                 1e-4 * got.clustered_se);
    ipr_test_play_release(&p);
    gsl_rng_free(rng);
}

/* In 95 % of 600 simulated sets the interval contains the true c, and both errors are right. */
static void test_recovery(void **state)
{
    enum { SETS = 600 };
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    const struct ipr_bayes_params params = ipr_bayes_default();
    double sum = 0.0;
    double square = 0.0;
    double sd = 0.0;
    double clustered = 0.0;
    int inside = 0;

    (void)state;
    for (int i = 0; i < SETS; i++) {
        struct ipr_test_play p = ipr_test_agent_games(rng, 1.2, 0.0, 20, 20, 10);
        struct ipr_bayes_posterior got;
        assert_int_equal(ipr_bayes_rate(&params, p.turns, p.n, &got, NULL), IPR_OK);
        assert_true(got.clustered_known);
        inside += got.interval.lo <= 1.2 && 1.2 <= got.interval.hi;
        sum += got.mean - 1.2;
        square += (got.mean - 1.2) * (got.mean - 1.2);
        sd += got.sd;
        clustered += got.clustered_se;
        ipr_test_play_release(&p);
    }
    const double spread = sqrt(square / SETS - sum / SETS * sum / SETS);
    print_message("bias %.4f, sd %.4f against %.4f and %.4f clustered, covered %.1f %%\n",
                  sum / SETS, spread, sd / SETS, clustered / SETS, 100.0 * inside / SETS);
    assert_true(inside >= 0.93 * SETS && inside <= 0.97 * SETS);
    assert_close(sum / SETS, 0.0, 0.15 * sd / SETS);
    assert_close(sd / SETS, spread, 0.1 * spread);
    assert_close(clustered / SETS, spread, 0.1 * spread);
    gsl_rng_free(rng);
}

/* If games have their own c the posterior is too narrow, but not the clustered error. */
static void test_dependence(void **state)
{
    enum { SETS = 400 };
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    const struct ipr_bayes_params params = ipr_bayes_default();
    double sum = 0.0;
    double square = 0.0;
    double sd = 0.0;
    double clustered = 0.0;

    (void)state;
    for (int i = 0; i < SETS; i++) {
        struct ipr_test_play p = ipr_test_agent_games(rng, 1.2, 0.35, 40, 20, 10);
        struct ipr_bayes_posterior got;
        assert_int_equal(ipr_bayes_rate(&params, p.turns, p.n, &got, NULL), IPR_OK);
        sum += got.mode;
        square += got.mode * got.mode;
        sd += got.sd;
        clustered += got.clustered_se;
        ipr_test_play_release(&p);
    }
    const double spread = sqrt(square / SETS - sum / SETS * sum / SETS);
    print_message("sd %.4f against %.4f and %.4f clustered\n", spread, sd / SETS, clustered / SETS);
    assert_true(sd / SETS < 0.9 * spread);
    assert_close(clustered / SETS, spread, 0.1 * spread);
    gsl_rng_free(rng);
}

static void test_by_side(void **state)
{
    enum { GAMES = 30, EACH = 40, N = GAMES * EACH };
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    struct ipr_test_play strong = ipr_test_agent_games(rng, 1.6, 0.0, GAMES, EACH, 10);
    struct ipr_test_play weak = ipr_test_agent_games(rng, 0.9, 0.0, GAMES, EACH, 10);
    const struct ipr_bayes_params params = ipr_bayes_default();
    struct ipr_bayes_class_summary classes[IPR_BAYES_CLASSES];
    struct ipr_bayes_side *sides;
    struct ipr_err err = IPR_ERR_INIT;
    enum ipr_bayes_class class[N];
    struct ipr_turn own[N];
    struct ipr_bayes_posterior one;
    size_t n_sides;
    size_t n = 0;

    (void)state;
    /* White plays well and wins, Black plays badly and loses; the last game is a draw. */
    for (size_t i = 0; i < N; i++) {
        own[i] = i % 2 == 0 ? strong.turns[i] : weak.turns[i];
        class[i] =
            i / EACH == GAMES - 1 ? IPR_BAYES_DREW : (i % 2 == 0 ? IPR_BAYES_WON : IPR_BAYES_LOST);
    }
    /* White makes no error in the draw: that posterior is at its bound. */
    for (size_t i = N - EACH; i < N; i += 2)
        own[i].played = 0;
    /* No turn of this side counts. */
    for (size_t i = 0; i < EACH; i += 2)
        own[i].ply = 3;
    assert_ok(ipr_bayes_by_side(&params, own, class, N, &sides, &n_sides, classes, &err), &err);
    assert_int_equal(n_sides, 2 * GAMES - 1);
    assert_int_equal(classes[IPR_BAYES_WON].sides, GAMES - 2);
    assert_int_equal(classes[IPR_BAYES_WON].empty, 1);
    assert_int_equal(classes[IPR_BAYES_LOST].sides, GAMES - 1);
    assert_int_equal(classes[IPR_BAYES_DREW].sides, 2);
    assert_int_equal(classes[IPR_BAYES_DREW].at_bound, 1);
    assert_int_equal(classes[IPR_BAYES_UNFINISHED].sides, 0);
    assert_false(classes[IPR_BAYES_UNFINISHED].pooled_known);
    assert_close(classes[IPR_BAYES_WON].pooled.mean, 1.6, 4.0 * classes[IPR_BAYES_WON].pooled.sd);
    assert_close(classes[IPR_BAYES_LOST].pooled.mean, 0.9, 4.0 * classes[IPR_BAYES_LOST].pooled.sd);
    assert_true(classes[IPR_BAYES_WON].mean > classes[IPR_BAYES_LOST].mean);

    /* The first side is Black in game 0, and equals the rating of these turns. */
    assert_int_equal(sides[0].game, 0);
    assert_int_equal(sides[0].mover, 1);
    for (size_t i = 1; i < EACH; i += 2)
        own[n++] = weak.turns[i];
    assert_int_equal(ipr_bayes_rate(&params, own, n, &one, NULL), IPR_OK);
    assert_close(sides[0].posterior.mean, one.mean, 1e-11);
    free(sides);

    own[0].game = own[2].game = 99;
    own[0].mover = own[2].mover = 0;
    class[0] = IPR_BAYES_WON;
    class[2] = IPR_BAYES_LOST;
    assert_int_equal(ipr_bayes_by_side(&params, own, class, 3, &sides, &n_sides, classes, NULL),
                     IPR_EINVAL);
    assert_int_equal(ipr_bayes_by_side(&params, own, class, 0, &sides, &n_sides, classes, NULL),
                     IPR_EDATA);
    ipr_test_play_release(&strong);
    ipr_test_play_release(&weak);
    gsl_rng_free(rng);
}

static void test_elo(void **state)
{
    /* All but the last on the line Elo = 400 + 1600 c. */
    struct ipr_bayes_milepost m[4] = { { 2000.0, 1.0, 100, 0.0 },
                                       { 2160.0, 1.1, 100, 0.0 },
                                       { 2320.0, 1.2, 100, 0.0 },
                                       { 2500.0, 1.3, 100, 0.0 } };
    const struct ipr_bayes_posterior p = { .mean = 1.05,
                                           .sd = 0.02,
                                           .interval = { 1.01, 1.09 },
                                           .clustered_se = 0.03,
                                           .clustered_known = true };
    struct ipr_bayes_calibration cal;
    struct ipr_bayes_elo e;

    (void)state;
    assert_int_equal(ipr_bayes_calibrate(m, 3, &cal, NULL), IPR_OK);
    e = ipr_bayes_elo(&cal, &p);
    assert_close(e.elo, 2080.0, 1e-6);
    assert_close(e.se, 32.0, 1e-6);
    assert_close(e.interval.lo, 2016.0, 1e-6);
    assert_close(e.total.hi - e.elo, 1.959963984540054 * 48.0, 1e-4); /* no scatter */
    assert_false(e.extrapolated);

    assert_int_equal(ipr_bayes_calibrate(m, 4, &cal, NULL), IPR_OK);
    e = ipr_bayes_elo(&cal, &p);
    /* t with 2 degrees of freedom; the error of the line and, since its sampling part is unknown,
     * the whole scatter of the mileposts. */
    const double t = 4.302652729749464;
    const double own = 1.959963984540054 * cal.line.b * 0.03;
    const double scatter = cal.line.residual_variance;
    assert_close(e.total.hi - e.elo, sqrt(own * own + t * t * (e.line_se * e.line_se + scatter)),
                 1e-6);
    assert_true(e.line_se > 0.0);
    assert_close(e.excess_sd, sqrt(scatter), 1e-9);
    assert_true(e.line_se < e.excess_sd); /* within the mileposts */

    /* Sampling errors that explain half of the scatter, then all of it. */
    for (int i = 0; i < 4; i++)
        m[i].se = sqrt(0.5 * scatter) / cal.line.b;
    assert_int_equal(ipr_bayes_calibrate(m, 4, &cal, NULL), IPR_OK);
    assert_close(cal.sampling_variance, 0.5 * scatter, 1e-6 * scatter);
    assert_close(ipr_bayes_elo(&cal, &p).excess_sd, sqrt(0.5 * scatter), 1e-6);
    for (int i = 0; i < 4; i++)
        m[i].se *= 2.0;
    assert_int_equal(ipr_bayes_calibrate(m, 4, &cal, NULL), IPR_OK);
    e = ipr_bayes_elo(&cal, &p);
    assert_close(e.excess_sd, 0.0, 0.0);
    assert_close(e.total.hi - e.elo, sqrt(own * own + t * t * e.line_se * e.line_se), 1e-6);
    m[2].se = 0.0; /* one unknown: none is subtracted */
    assert_int_equal(ipr_bayes_calibrate(m, 4, &cal, NULL), IPR_OK);
    assert_close(cal.sampling_variance, 0.0, 0.0);

    m[3].mean = 2.0;
    assert_int_equal(ipr_bayes_calibrate(m, 2, &cal, NULL), IPR_EDATA);
    for (int i = 0; i < 4; i++)
        m[i].mean = -m[i].mean;
    assert_int_equal(ipr_bayes_calibrate(m, 4, &cal, NULL), IPR_EDATA);
    for (int i = 0; i < 4; i++)
        m[i].mean = 1.0;
    assert_int_equal(ipr_bayes_calibrate(m, 4, &cal, NULL), IPR_EDATA);
    m[0].elo = NAN;
    assert_int_equal(ipr_bayes_calibrate(m, 4, &cal, NULL), IPR_EINVAL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_clustered),  cmocka_unit_test(test_recovery),
        cmocka_unit_test(test_dependence), cmocka_unit_test(test_by_side),
        cmocka_unit_test(test_elo),
    };

    gsl_set_error_handler_off();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
