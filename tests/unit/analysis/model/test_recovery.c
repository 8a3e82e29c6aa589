/*
 * Estimates of simulated play: what was put in comes out, the intervals hold it as often as they
 * say, at the size that a test can afford (tests/bench/recovery.c has the large tables, which stand
 * in docs/statistics.md), and the limits of the model.
 */
#include <gsl/gsl_errno.h>
#include <gsl/gsl_rng.h>
#include <stdlib.h>

#include "base/mem.h"
#include "ipr_test.h"
#include "ipr_test_play.h"
#include "model/conformance.h"
#include "model/ipr.h"
#include "model/markov.h"
#include "model/regan_prob.h"

enum { PLAYERS = 80, GAMES = 20, EACH = 25 };

struct recovered {
    double sum, squares, se;
    size_t held;
};

static void note(struct recovered *r, double error, double se, bool held)
{
    r->sum += error;
    r->squares += error * error;
    r->se += se;
    r->held += held;
}

/*
 * No bias beyond four standard errors, a stated error within a third of the real one, and an
 * interval that 95 % of the players are in: fewer than 68 of 80 would be one chance in 4,000.
 */
static void assert_recovered(const struct recovered *r, const char *what)
{
    const double n = PLAYERS;
    const double bias = r->sum / n;
    const double sd = sqrt((r->squares - n * bias * bias) / (n - 1.0));

    print_message("%s: bias %+.2g, sd %.2g, stated %.2g, %zu of %d held\n", what, bias, sd,
                  r->se / n, r->held, PLAYERS);
    assert_true(fabs(bias) < 4.0 * sd / sqrt(n));
    assert_close(r->se / n / sd, 1.0, 0.34);
    assert_in_range(r->held, 68, PLAYERS);
}

static struct ipr_rh_set *play_set(double s, double c, const struct ipr_test_play_shape *shape,
                                   gsl_rng *rng)
{
    const struct ipr_rh_params params = IPR_RH_PARAMS_INIT;
    struct ipr_test_play play;
    struct ipr_rh_set *set = NULL;

    ipr_test_play(&params, s, c, shape, rng, &play);
    assert_int_equal(ipr_rh_set_new(&params, play.turns, NULL, play.n, &set, NULL), IPR_OK);
    ipr_test_play_release(&play);
    return set;
}

static void test_rating(void **state)
{
    static const double s = 0.1;
    static const double c = 0.48;
    const struct ipr_test_play_shape shape = { GAMES, EACH, 20, 0.0 };
    const struct ipr_calibration cal = { .a = 3500, .b = 15000, .elo_max = 3500 };
    const struct ipr_rh_fit_options options = { .kind = IPR_RH_MOMENTS };
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    struct ipr_rh_set *reference = play_set(s, c, &shape, rng);
    struct recovered r[3] = { { .sum = 0.0 } };
    double ae;

    (void)state;
    assert_int_equal(ipr_rh_ae(reference, s, c, &ae, NULL, NULL), IPR_OK);
    for (int i = 0; i < PLAYERS; i++) {
        struct ipr_rh_set *set = play_set(s, c, &shape, rng);
        struct ipr_err err = IPR_ERR_INIT;
        struct ipr_rating x;
        assert_ok(ipr_ipr(&cal, reference, set, &options, &x, &err), &err);
        for (int k = 0; k < 2; k++) {
            const double error = log(k == 0 ? x.fit.s / s : x.fit.c / c);
            const double se = sqrt(x.fit.cov[3 * k]);
            note(&r[k], error, se, fabs(error) <= x.quantile * se);
        }
        note(&r[2], x.ipr - (cal.a - cal.b * ae), x.se,
             x.interval.lo <= cal.a - cal.b * ae && cal.a - cal.b * ae <= x.interval.hi);
        ipr_rh_set_free(&set);
    }
    assert_recovered(&r[0], "ln s");
    assert_recovered(&r[1], "ln c");
    assert_recovered(&r[2], "IPR");
    ipr_rh_set_free(&reference);
    gsl_rng_free(rng);
}

/* Play of one Elo on the line of `scale`, whose c is constant. */
static struct ipr_rh_set *play_at(const struct ipr_calibration *scale,
                                  const struct ipr_rh_set *reference, double elo, size_t games,
                                  gsl_rng *rng)
{
    const struct ipr_test_play_shape shape = { games, EACH, 20, 0.0 };
    struct ipr_err err = IPR_ERR_INIT;
    double s, c;

    assert_ok(ipr_calibration_agent(scale, reference, elo, &s, &c, &err), &err);
    return play_set(s, c, &shape, rng);
}

enum { MILEPOSTS = 7 };

static struct ipr_calibration calibrate(const struct ipr_calibration *scale,
                                        const struct ipr_rh_set *reference, gsl_rng *rng)
{
    const struct ipr_rh_fit_options options = { .kind = IPR_RH_MOMENTS };
    struct ipr_rh_set *sets[MILEPOSTS];
    struct ipr_milepost m[MILEPOSTS];
    struct ipr_calibration out;
    struct ipr_err err = IPR_ERR_INIT;

    for (int i = 0; i < MILEPOSTS; i++) {
        m[i].elo = 1600.0 + 200.0 * i;
        sets[i] = play_at(scale, reference, m[i].elo, GAMES, rng);
    }
    assert_ok(ipr_calibration_fit((const struct ipr_rh_set *const *)sets, MILEPOSTS, reference,
                                  &options, m, &out, &err),
              &err);
    for (int i = 0; i < MILEPOSTS; i++)
        ipr_rh_set_free(&sets[i]);
    return out;
}

/*
 * Ratings off lines that are estimated themselves, of sets whose own sampling is the smaller error:
 * the interval holds the truth with the line's error and not without it.
 */
static void test_rating_off_an_estimated_line(void **state)
{
    static const double elo = 2500.0;
    const struct ipr_test_play_shape shape = { GAMES, EACH, 20, 0.0 };
    const struct ipr_calibration scale = { .a = 3500, .b = 15000, .c_intercept = 0.48 };
    const struct ipr_rh_fit_options options = { .kind = IPR_RH_MOMENTS };
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    struct ipr_rh_set *reference = play_set(0.1, 0.48, &shape, rng);
    size_t held = 0, sampling = 0;

    (void)state;
    for (int i = 0; i < PLAYERS; i++) {
        const struct ipr_calibration line = calibrate(&scale, reference, rng);
        struct ipr_rh_set *set = play_at(&scale, reference, elo, 10 * GAMES, rng);
        struct ipr_err err = IPR_ERR_INIT;
        struct ipr_rating x;

        assert_ok(ipr_ipr(&line, reference, set, &options, &x, &err), &err);
        assert_true(x.line_se > 0.0);
        held += x.interval.lo <= elo && elo <= x.interval.hi;
        sampling += x.sampling.lo <= elo && elo <= x.sampling.hi;
        ipr_rh_set_free(&set);
    }
    print_message("off an estimated line: %zu of %d held, by sampling alone %zu\n", held, PLAYERS,
                  sampling);
    assert_in_range(held, 68, PLAYERS); /* as in assert_recovered */
    assert_in_range(sampling, 0, 66);
    ipr_rh_set_free(&reference);
    gsl_rng_free(rng);
}

/* Share at loss 0 where games differ from one another. */
static void test_share(void **state)
{
    const struct ipr_conformance_params how = IPR_CONFORMANCE_INIT;
    const struct ipr_rh_params params = IPR_RH_PARAMS_INIT;
    const struct ipr_test_play_shape one = { GAMES, EACH, 8, 0.5 };
    const struct ipr_test_play_shape many = { 6000, EACH, 8, 0.5 };
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    struct recovered r = { .sum = 0.0 };
    struct ipr_conformance all;
    struct ipr_test_play play;

    (void)state;
    ipr_test_play(&params, 0.1, 0.48, &many, rng, &play);
    assert_int_equal(ipr_conformance(&how, play.turns, NULL, play.n, &all, NULL), IPR_OK);
    ipr_test_play_release(&play);
    for (int i = 0; i < PLAYERS; i++) {
        struct ipr_conformance x;
        ipr_test_play(&params, 0.1, 0.48, &one, rng, &play);
        assert_int_equal(ipr_conformance(&how, play.turns, NULL, play.n, &x, NULL), IPR_OK);
        ipr_test_play_release(&play);
        note(&r, x.share_0.share - all.share_0.share, x.share_0.se,
             x.share_0.clustered.lo <= all.share_0.share &&
                 all.share_0.share <= x.share_0.clustered.hi);
    }
    assert_recovered(&r, "share at loss 0");
    gsl_rng_free(rng);
}

/* Expected score of equals: 1/2, whatever the model's long run is. */
static void test_markov(void **state)
{
    enum { TURNS = 2 * GAMES * EACH };
    const struct ipr_markov_classes classes = ipr_markov_classes_19();
    static struct ipr_markov_turn t[3][TURNS];
    const struct ipr_markov_player p1 = { t[0], TURNS, 0 };
    const struct ipr_markov_player p2 = { t[1], TURNS, 0 };
    struct ipr_markov_params params = ipr_markov_default();
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    struct recovered r = { .sum = 0.0 };
    double pool[19 * 19] = { 0 };
    double matrix[19 * 19];

    (void)state;
    params.replicates = 400;
    ipr_test_markov_player(0.35, 0.3, 0.75, matrix);
    for (int i = 0; i < 40; i++) {
        ipr_test_markov_games(matrix, matrix, 2 * (size_t)GAMES, EACH, 0, 0, rng, t[0], t[1]);
        ipr_markov_count(&classes, t[0], TURNS, 0, pool);
    }
    for (int i = 0; i < PLAYERS; i++) {
        struct ipr_markov_prediction x;
        ipr_test_markov_games(matrix, matrix, 2 * (size_t)GAMES, EACH, 0, 0, rng, t[0], t[2]);
        ipr_test_markov_games(matrix, matrix, 2 * (size_t)GAMES, EACH, 0, 0, rng, t[1], t[2]);
        assert_int_equal(ipr_markov_predict(&p1, &p2, pool, &params, &x, NULL), IPR_OK);
        note(&r, x.mean.expected - 0.5, x.sd, x.expected.lo <= 0.5 && 0.5 <= x.expected.hi);
    }
    assert_recovered(&r, "Markov E");
    gsl_rng_free(rng);
}

/* Of perfect sensitivity, of none; and more of it is never more error. */
static void test_limits(void **state)
{
    const struct ipr_test_play_shape shape = { 4, EACH, 20, 0.0 };
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    struct ipr_rh_set *set = play_set(0.1, 0.5, &shape, rng);
    struct ipr_rh_aggregates *a = ipr_xcalloc(1, sizeof *a);
    double last = 0.0;

    (void)state;
    assert_int_equal(ipr_rh_aggregates(set, 1e-6, 2.0, a, NULL), IPR_OK);
    assert_close(a->mm_p, 1.0, 1e-12);
    assert_close(a->ad_p, 0.0, 1e-12);
    /* All moves are equal and cannot be distinguished. */
    assert_int_equal(ipr_rh_aggregates(set, 100.0, 20.0, a, NULL), IPR_OK);
    for (unsigned i = 1; i < a->k; i++)
        assert_close(a->m_p[i], a->m_p[0], 1e-12);
    for (double s = 1e-3; s < 10.0; s *= 1.3) {
        double ae;
        double g[2];
        assert_int_equal(ipr_rh_ae(set, s, 0.5, &ae, g, NULL), IPR_OK);
        assert_true(ae > last && g[0] > 0.0);
        last = ae;
    }
    free(a);
    ipr_rh_set_free(&set);
    gsl_rng_free(rng);
}

/* The same games under other numbers: figures that differ by no more than rounding. */
static void test_numbers(void **state)
{
    const struct ipr_test_play_shape shape = { 30, EACH, 20, 0.3 };
    const struct ipr_rh_params params = IPR_RH_PARAMS_INIT;
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    struct ipr_rh_set *set[2];
    struct ipr_test_play play;

    (void)state;
    ipr_test_play(&params, 0.1, 0.48, &shape, rng, &play);
    for (int k = 0; k < 2; k++) {
        assert_int_equal(ipr_rh_set_new(&params, play.turns, NULL, play.n, &set[k], NULL), IPR_OK);
        for (size_t i = 0; i < play.n; i++)
            play.turns[i].game = (play.turns[i].game * 11 + 7) % 31 - 5;
    }
    for (int kind = IPR_RH_MOMENTS; kind <= IPR_RH_MLE; kind++) {
        const struct ipr_rh_fit_options o = { .kind = (enum ipr_rh_fit_kind)kind };
        const double tol = kind == IPR_RH_PERCENTILE ? 1e-5 : 1e-8; /* S has kinks */
        struct ipr_rh_fit f[2];
        for (int k = 0; k < 2; k++)
            assert_int_equal(ipr_rh_fit(set[k], &o, &f[k], NULL), IPR_OK);
        assert_close(f[0].s / f[1].s, 1.0, tol);
        assert_close(f[0].c / f[1].c, 1.0, tol);
        for (int i = 0; i < 4; i++)
            assert_close(f[0].cov[i], f[1].cov[i], kind == IPR_RH_PERCENTILE ? 1e-4 : 1e-8);
        assert_int_equal(f[0].games, f[1].games);
    }
    for (int k = 0; k < 2; k++)
        ipr_rh_set_free(&set[k]);
    ipr_test_play_release(&play);
    gsl_rng_free(rng);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rating), cmocka_unit_test(test_rating_off_an_estimated_line),
        cmocka_unit_test(test_share),  cmocka_unit_test(test_markov),
        cmocka_unit_test(test_limits), cmocka_unit_test(test_numbers),
    };

    gsl_set_error_handler_off();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
