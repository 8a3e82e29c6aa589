/*
 * What a calibration knows of its line and its mileposts: the band of the line, the share of random
 * moves found again in simulated play, dependence within games added up over sets.
 */
#include <gsl/gsl_errno.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <string.h>

#include "base/mem.h"
#include "ipr_test.h"
#include "ipr_test_play.h"
#include "model/calibration_fit.h"
#include "model/concordance.h"
#include "model/regan_prob.h"
#include "model/regan_random.h"

enum { SETS = 3 };

static struct ipr_rh_set *set_of(const struct ipr_test_play *play)
{
    const struct ipr_rh_params params = IPR_RH_PARAMS_INIT;
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_rh_set *set = NULL;

    assert_ok(ipr_rh_set_new(&params, play->turns, NULL, play->n, &set, &err), &err);
    return set;
}

/* Three mileposts, of whose moves `share` are drawn from all legal ones. */
static void make_sets(double share, const struct ipr_test_play_shape *shape, gsl_rng *rng,
                      struct ipr_rh_set *sets[SETS])
{
    static const double s[SETS] = { 0.08, 0.12, 0.2 };
    const struct ipr_rh_params params = IPR_RH_PARAMS_INIT;

    for (int m = 0; m < SETS; m++) {
        struct ipr_test_play play;

        ipr_test_play(&params, s[m], 0.5, shape, rng, &play);
        for (size_t t = 0; t < play.n; t++) {
            struct ipr_turn *turn = &play.turns[t];
            turn->legal = turn->lines; /* so that every move has an evaluation */
            if (gsl_rng_uniform(rng) < share)
                turn->played = (uint8_t)gsl_rng_uniform_int(rng, turn->lines);
            else if (turn->played >= turn->lines)
                turn->played = 0;
            turn->n_cp = turn->lines;
        }
        sets[m] = set_of(&play);
        ipr_test_play_release(&play);
    }
}

static void free_sets(struct ipr_rh_set *sets[SETS])
{
    for (int m = 0; m < SETS; m++)
        ipr_rh_set_free(&sets[m]);
}

/* The profile at a share, from fits of its own: what the search must not be below. */
static double profile_at(struct ipr_rh_set *const *sets, double share)
{
    const struct ipr_rh_fit_options options = { .kind = IPR_RH_RMLE, .random_share = share };
    double sum = 0.0;

    for (int m = 0; m < SETS; m++) {
        struct ipr_rh_fit fit;
        struct ipr_err err = IPR_ERR_INIT;

        assert_ok(ipr_rh_fit(sets[m], &options, &fit, &err), &err);
        sum += fit.loglik;
    }
    return sum;
}

/* Of 30 runs the mean is within four standard errors of the truth, the stated error within a third
 * of the real one, and the interval holds the truth in 24 at least (one chance in 2,000 below). */
static void the_share_is_found_again(void **state)
{
    enum { RUNS = 30 };
    static const double truth = 0.03;
    const struct ipr_test_play_shape shape = { 20, 25, 20, 0.0 };
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    double sum = 0.0, squares = 0.0, stated = 0.0;
    int held = 0;

    (void)state;
    for (int i = 0; i < RUNS; i++) {
        struct ipr_rh_set *sets[SETS];
        struct ipr_rh_random r;
        struct ipr_err err = IPR_ERR_INIT;

        make_sets(truth, &shape, rng, sets);
        assert_ok(ipr_rh_random_share((const struct ipr_rh_set *const *)sets, SETS, &r, &err),
                  &err);
        assert_true(r.se_known);
        assert_int_equal(r.turns, SETS * 500);
        assert_int_equal(r.games, SETS * 20);
        sum += r.share;
        squares += r.share * r.share;
        stated += r.se;
        held += r.interval.lo <= truth && truth <= r.interval.hi;
        if (i == 0) {
            assert_close(r.loglik, profile_at(sets, r.share), 1e-5);
            assert_true(r.loglik > profile_at(sets, 0.9 * r.share));
            assert_true(r.loglik > profile_at(sets, 1.1 * r.share));
            assert_close(r.loglik_zero, profile_at(sets, 0.0), 1e-5);
        }
        free_sets(sets);
    }
    const double mean = sum / RUNS;
    const double sd = sqrt((squares - RUNS * mean * mean) / (RUNS - 1.0));
    print_message("share %.4f, sd %.4f, stated %.4f, %d of %d held\n", mean, sd, stated / RUNS,
                  held, RUNS);
    assert_close(mean, truth, 4.0 * sd / sqrt(RUNS));
    assert_close(stated / RUNS / sd, 1.0, 0.34);
    assert_in_range(held, 24, RUNS);
    gsl_rng_free(rng);
}

static void without_random_moves_the_share_is_small(void **state)
{
    const struct ipr_test_play_shape shape = { 40, 25, 20, 0.0 };
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_rh_set *sets[SETS];
    struct ipr_rh_random r = { .turns = 7 };

    (void)state;
    make_sets(0.0, &shape, rng, sets);
    assert_ok(ipr_rh_random_share((const struct ipr_rh_set *const *)sets, SETS, &r, &err), &err);
    assert_true(r.share < 0.004);
    assert_true(r.loglik >= r.loglik_zero - 1e-6);
    if (r.at_zero) {
        assert_true(r.share == 0.0 && r.se == 0.0 && !r.se_known);
        assert_true(r.interval.lo == 0.0 && r.interval.hi == 0.0);
    }
    assert_int_equal(ipr_rh_random_share(NULL, 0, &r, NULL), IPR_EDATA);
    free_sets(sets);
    gsl_rng_free(rng);
}

/* A set in which no move was an error has no fit, and so the whole has none. */
static void a_perfect_set_is_refused(void **state)
{
    const struct ipr_test_play_shape shape = { 10, 25, 20, 0.0 };
    const struct ipr_rh_params params = IPR_RH_PARAMS_INIT;
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    struct ipr_rh_set *sets[SETS];
    struct ipr_test_play play;
    struct ipr_rh_random r = { .turns = 7 };

    (void)state;
    make_sets(0.01, &shape, rng, sets);
    ipr_test_play(&params, 0.1, 0.5, &shape, rng, &play);
    for (size_t t = 0; t < play.n; t++) {
        play.turns[t].played = 0;
        play.turns[t].n_cp = play.turns[t].lines;
    }
    ipr_rh_set_free(&sets[1]);
    sets[1] = set_of(&play);
    ipr_test_play_release(&play);
    assert_int_equal(ipr_rh_random_share((const struct ipr_rh_set *const *)sets, SETS, &r, NULL),
                     IPR_EDATA);
    assert_int_equal(r.turns, 7);
    free_sets(sets);
    gsl_rng_free(rng);
}

/* One set's sums give the factors of its own concordance test; two sets' are added. */
static void dependence_adds_up(void **state)
{
    const struct ipr_test_play_shape shape = { 30, 25, 20, 0.6 };
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_rh_set *sets[SETS];
    struct ipr_dependence one = { 0 }, two = { 0 }, both = { 0 };
    struct ipr_concordance k;

    (void)state;
    make_sets(0.0, &shape, rng, sets);
    assert_ok(ipr_dependence_add(sets[0], 0.08, 0.5, &one, &err), &err);
    assert_ok(ipr_concordance(sets[0], 0.08, 0.5, &(struct ipr_concordance_options){ 0 }, &k, &err),
              &err);
    assert_close(ipr_dependence_factor(one.between_mm, one.total_mm), k.factor_mm, 1e-12);
    assert_close(ipr_dependence_factor(one.between_ad, one.total_ad), k.factor_ad, 1e-12);
    assert_true(k.factor_mm > 1.05); /* a game's own s makes its turns alike */

    assert_ok(ipr_dependence_add(sets[1], 0.12, 0.5, &two, &err), &err);
    assert_ok(ipr_dependence_add(sets[0], 0.08, 0.5, &both, &err), &err);
    assert_ok(ipr_dependence_add(sets[1], 0.12, 0.5, &both, &err), &err);
    assert_close(both.between_ad, one.between_ad + two.between_ad, 1e-9);
    assert_close(both.total_mm, one.total_mm + two.total_mm, 1e-9);
    assert_true(ipr_dependence_factor(0.5, 1.0) == 1.0);
    assert_true(ipr_dependence_factor(0.0, 0.0) == 1.0);
    assert_close(ipr_dependence_factor(4.0, 1.0), 2.0, 1e-15);
    assert_int_equal(ipr_dependence_add(sets[0], -1.0, 0.5, &both, NULL), IPR_EINVAL);
    free_sets(sets);
    gsl_rng_free(rng);
}

/*
 * The band against the usual formula of a regression's: se^2 = v (1/n + (x - mean)^2 / Sxx), with v
 * the residual variance; equal weights, so that it can be computed by hand.
 */
static void the_band_is_that_of_a_regression(void **state)
{
    static const double s[] = { 0.06, 0.09, 0.13, 0.16, 0.22 };
    static const double elo[] = { 2700, 2450, 2210, 1980, 1700 };
    enum { N = 5 };
    const struct ipr_test_play_shape shape = { 10, 25, 20, 0.0 };
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_rh_set *sets[SETS];
    struct ipr_milepost m[N];
    struct ipr_calibration cal;
    double mean = 0.0, sxx = 0.0;

    (void)state;
    make_sets(0.0, &shape, rng, sets);
    for (int i = 0; i < N; i++)
        m[i] = (struct ipr_milepost){ .elo = elo[i], .s = s[i], .c = 0.5, .turns = 1 };
    assert_ok(ipr_calibration_line(m, N, sets[0], &cal, &err), &err);
    for (int i = 0; i < N; i++)
        mean += m[i].ae_ref / N;
    for (int i = 0; i < N; i++)
        sxx += (m[i].ae_ref - mean) * (m[i].ae_ref - mean);
    for (int i = 0; i < N; i++) {
        const double x = m[i].ae_ref;
        const struct ipr_calibration_point at = ipr_calibration_at(&cal, x);
        const double v = cal.residual_variance;
        const double se = sqrt(v * (1.0 / N + (x - mean) * (x - mean) / sxx));
        const double t = 3.182446305284263; /* 3 degrees of freedom, from tables */

        assert_close(at.elo, m[i].fitted_elo, 1e-8);
        assert_close(at.se, se, 1e-6 * se);
        assert_close(at.line.hi - at.elo, t * se, 1e-5 * se);
        assert_close(at.elo - at.line.lo, t * se, 1e-5 * se);
        assert_close(at.milepost.hi - at.elo, t * sqrt(v + se * se), 1e-4);
    }
    /* c is constant: its line is flat, without error. */
    assert_close(cal.c_intercept, 0.5, 1e-9);
    assert_close(cal.se_c_slope, 0.0, 1e-9);
    free_sets(sets);
    gsl_rng_free(rng);
}

/* A scatter of 100, of which errors of 0.004 and 0.008 in x make what they make. */
static void sampling_is_told_from_scatter(void **state)
{
    struct ipr_milepost m[] = { { .turns = 300, .ae_ref_se = 0.004 },
                                { .turns = 100, .ae_ref_se = 0.008 },
                                { .turns = 0, .ae_ref_se = 0.0 } };
    struct ipr_calibration cal = { .b = 10000.0, .residual_variance = 1e4, .mileposts = 3 };

    (void)state;
    ipr_calibration_sampling(m, 3, &cal);
    assert_close(cal.sampling_variance, (3.0 * 40.0 * 40.0 + 80.0 * 80.0) / 4.0, 1e-9);
    assert_close(ipr_calibration_excess(&cal), sqrt(1e4 - 2800.0), 1e-9);
    cal.residual_variance = 2000.0;
    assert_close(ipr_calibration_excess(&cal), 0.0, 0.0);
    m[0].ae_ref_se = 0.0;
    ipr_calibration_sampling(m, 3, &cal);
    assert_close(cal.sampling_variance, 0.0, 0.0);
    assert_close(ipr_calibration_excess(&cal), sqrt(2000.0), 1e-9);
}

/* The height of the line is in no difference; its slope is, in proportion. */
static void a_difference_knows_nothing_of_the_height(void **state)
{
    const struct ipr_calibration cal = { .a = 3500.0,
                                         .b = 10000.0,
                                         .se_a = 500.0,
                                         .se_b = 1000.0,
                                         .residual_variance = 400.0,
                                         .sampling_variance = 400.0,
                                         .mileposts = 40 };
    const double half[2] = { 30.0, 40.0 };
    const double z = 1.959963984540054;

    (void)state;
    assert_close(ipr_calibration_difference(&cal, 0.0, half), 50.0, 1e-9);
    assert_close(ipr_calibration_difference(&cal, -200.0, half), hypot(50.0, z * 20.0), 1e-9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_share_is_found_again),
        cmocka_unit_test(without_random_moves_the_share_is_small),
        cmocka_unit_test(a_perfect_set_is_refused),
        cmocka_unit_test(dependence_adds_up),
        cmocka_unit_test(the_band_is_that_of_a_regression),
        cmocka_unit_test(sampling_is_told_from_scatter),
        cmocka_unit_test(a_difference_knows_nothing_of_the_height),
    };

    gsl_set_error_handler_off();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
