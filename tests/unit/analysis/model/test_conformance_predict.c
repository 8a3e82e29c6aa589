/* Expected scores from accumulated conformance: by hand, symmetries, edges, coverage. */
#include <gsl/gsl_errno.h>
#include <gsl/gsl_rng.h>
#include <stdlib.h>

#include "base/mem.h"
#include "ipr_test.h"
#include "model/conformance_predict.h"

/* A turn at v_b = 1.00 that loses 0.60, weighted 0.6/(1 + 1/0.75) = 0.257, or 4.00, 1.71. */
static struct ipr_turn turn_of(int32_t game, int32_t year, bool hit)
{
    static const int16_t evaluations[2][2] = { { 100, 40 }, { 100, -300 } };

    return (struct ipr_turn){ .game = game,
                              .year = year,
                              .ply = 30,
                              .lines = 2,
                              .n_cp = 2,
                              .played = 1,
                              .legal = 20,
                              .cp = evaluations[!hit] };
}

/* Games of ten turns of which the first `hits` of each lose little. */
static struct ipr_acs_player player_of(struct ipr_turn *t, const int *hits, size_t games)
{
    for (size_t i = 0; i < games * 10; i++)
        t[i] = turn_of((int32_t)(i / 10), 1972, (int)(i % 10) < hits[i / 10]);
    return (struct ipr_acs_player){ t, NULL, games * 10, 1972 };
}

/* Q = 0.9 and 0.85: 1 + 3.64 * 0.05 = 1.182. */
static void by_hand(void **state)
{
    const int good[] = { 10, 8, 9, 9 }, fair[] = { 9, 8, 8, 9 };
    const struct ipr_acs_params params = ipr_acs_default();
    struct ipr_turn a[40], b[40];
    const struct ipr_acs_player p1 = player_of(a, good, 4), p2 = player_of(b, fair, 4);
    struct ipr_acs_prediction p;
    struct ipr_err err = IPR_ERR_INIT;

    (void)state;
    assert_ok(ipr_acs_predict(&p1, &p2, &params, &p, &err), &err);
    assert_close(p.q1.share, 0.9, 1e-15);
    assert_close(p.q2.share, 0.85, 1e-15);
    assert_close(p.as_white, (1.182 - 0.007) / 2.0, 1e-12);
    assert_close(p.as_black, (1.182 + 0.007) / 2.0, 1e-12);
    assert_close(p.expected, 1.182 / 2.0, 1e-12);
    /* Games deviate by 1, -1, 0, 0 and by 0.5, -0.5, -0.5, 0.5; factor 4/3, 40 turns. */
    assert_close(p.se, 1.82 * sqrt(4.0 / 3.0 * (2.0 + 1.0)) / 40.0, 1e-12);
    assert_true(p.interval_known);
    const double r = ipr_stats_quantile95(4) / IPR_Z95;
    const double down = r * hypot(0.9 - p.q1.clustered.lo, p.q2.clustered.hi - 0.85);
    assert_close(p.interval.lo, p.expected - 1.82 * down, 1e-12);
    assert_true(p.interval.hi > p.expected && p.interval.hi <= 1.0);
}

static void the_other_view_is_the_complement(void **state)
{
    const int good[] = { 10, 8, 9, 9 }, fair[] = { 9, 8, 8, 9 };
    const struct ipr_acs_params params = ipr_acs_default();
    struct ipr_turn a[40], b[40], back[40];
    const struct ipr_acs_player p1 = player_of(a, good, 4), p2 = player_of(b, fair, 4);
    const struct ipr_acs_player p3 = { back, NULL, 40, 1972 };
    struct ipr_acs_prediction one, two;

    (void)state;
    assert_int_equal(ipr_acs_predict(&p1, &p2, &params, &one, NULL), IPR_OK);
    assert_int_equal(ipr_acs_predict(&p2, &p1, &params, &two, NULL), IPR_OK);
    assert_close(one.as_white, 1.0 - two.as_black, 1e-15);
    assert_close(one.as_black, 1.0 - two.as_white, 1e-15);
    assert_close(one.interval.lo, 1.0 - two.interval.hi, 1e-12);
    assert_close(one.interval.hi, 1.0 - two.interval.lo, 1e-12);
    assert_close(one.se, two.se, 1e-15);
    /* Backwards, games under other numbers. */
    for (size_t i = 0; i < 40; i++) {
        back[i] = a[39 - i];
        back[i].game = 77 - 5 * back[i].game;
    }
    assert_int_equal(ipr_acs_predict(&p3, &p2, &params, &two, NULL), IPR_OK);
    assert_close(one.expected, two.expected, 1e-15);
    assert_close(one.interval.lo, two.interval.lo, 1e-12);
    assert_int_equal(ipr_acs_predict(&p1, &p1, &params, &one, NULL), IPR_OK);
    assert_close(one.expected, 0.5, 0.0);
}

/* A year earlier weighs half; a year later nothing. */
static void years_are_forgotten(void **state)
{
    const int hits[] = { 10, 8, 9, 5 };
    const struct ipr_acs_params params = ipr_acs_default();
    struct ipr_turn a[40];
    const struct ipr_acs_player p1 = player_of(a, hits, 4);
    struct ipr_acs_prediction p;

    (void)state;
    for (size_t i = 0; i < 40; i++)
        a[i].year = a[i].game == 3 ? 1971 : 1972;
    assert_int_equal(ipr_acs_predict(&p1, &p1, &params, &p, NULL), IPR_OK);
    assert_close(p.q1.share, (27.0 + 0.5 * 5.0) / 35.0, 1e-15);
    for (size_t i = 30; i < 40; i++)
        a[i].year = 1973;
    assert_int_equal(ipr_acs_predict(&p1, &p1, &params, &p, NULL), IPR_OK);
    assert_close(p.q1.share, 0.9, 1e-15);
    assert_int_equal(p.q1.trials, 30);
}

static void edges(void **state)
{
    const int all[] = { 10, 10, 10, 10 }, none[] = { 0, 0, 0, 0 };
    struct ipr_acs_params params = ipr_acs_default();
    struct ipr_turn a[40], b[40];
    struct ipr_acs_player p1 = player_of(a, all, 4);
    const struct ipr_acs_player p2 = player_of(b, none, 4);
    struct ipr_acs_prediction p;

    (void)state;
    /* No error at all against nothing else: the scale ends, and so does the interval. */
    assert_int_equal(ipr_acs_predict(&p1, &p2, &params, &p, NULL), IPR_OK);
    assert_close(p.as_white, 1.0, 0.0);
    assert_close(p.expected, 1.0, 0.0);
    assert_close(p.interval.hi, 1.0, 0.0);
    assert_true(p.interval_known && isfinite(p.interval.lo));
    /* Two players without an error: what the sizes say, not certainty. */
    assert_int_equal(ipr_acs_predict(&p1, &p1, &params, &p, NULL), IPR_OK);
    assert_close(p.expected, 0.5, 0.0);
    assert_true(p.interval.hi - p.interval.lo > 0.1);
    p1.n = 10; /* one game */
    assert_int_equal(ipr_acs_predict(&p1, &p2, &params, &p, NULL), IPR_OK);
    assert_false(p.interval_known);
    assert_close(p.interval.lo, 0.0, 0.0);
    assert_close(p.interval.hi, 1.0, 0.0);
    p.expected = 77.0;
    p1.year = 1971;
    assert_int_equal(ipr_acs_predict(&p1, &p2, &params, &p, NULL), IPR_EDATA);
    p1.year = 1972;
    params.beta = 0.0;
    assert_int_equal(ipr_acs_predict(&p1, &p2, &params, &p, NULL), IPR_EINVAL);
    params = ipr_acs_default();
    params.alpha = NAN;
    assert_int_equal(ipr_acs_predict(&p1, &p2, &params, &p, NULL), IPR_EINVAL);
    params = ipr_acs_default();
    params.loss.k2 = 1.0;
    assert_int_equal(ipr_acs_predict(&p1, &p2, &params, &p, NULL), IPR_EINVAL);
    assert_close(p.expected, 77.0, 0.0);
}

/* Games of 25 turns over three years whose skill is within 0.05 of the player's. */
static struct ipr_acs_player simulate(gsl_rng *rng, double q, size_t turns, struct ipr_turn *t)
{
    double game = q;

    for (size_t i = 0; i < turns; i++) {
        if (i % 25 == 0)
            game = q + 0.1 * (gsl_rng_uniform(rng) - 0.5);
        const int32_t g = (int32_t)(i / 25);
        t[i] = turn_of(g, 1970 + g % 3, gsl_rng_uniform(rng) < game);
    }
    return (struct ipr_acs_player){ t, NULL, turns, 1972 };
}

/* How often the interval of 2,000 pairs holds the score of their true Q: the table of the header.
 * 93 % to 97 % is required. */
static void intervals_hold_the_score(void **state)
{
    enum { PAIRS = 2000, MOST = 10000 };
    static const double q[][2] = { { 0.90, 0.90 }, { 0.95, 0.89 } };
    static const size_t turns[] = { 500, 2000, 10000 };
    const struct ipr_acs_params params = ipr_acs_default();
    struct ipr_turn *t[2] = { ipr_xcalloc(MOST, sizeof **t), ipr_xcalloc(MOST, sizeof **t) };
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);

    (void)state;
    for (size_t k = 0; k < 6; k++) {
        const double *truth = q[k / 3];
        const double e = (1.0 + params.beta * (truth[0] - truth[1])) / 2.0;
        const int pairs = k % 3 == 2 ? PAIRS / 4 : PAIRS; /* the largest take long */
        double error = 0.0, stated = 0.0;
        int held = 0;

        for (int i = 0; i < pairs; i++) {
            const struct ipr_acs_player p1 = simulate(rng, truth[0], turns[k % 3], t[0]);
            const struct ipr_acs_player p2 = simulate(rng, truth[1], turns[k % 3], t[1]);
            struct ipr_acs_prediction p;
            assert_int_equal(ipr_acs_predict(&p1, &p2, &params, &p, NULL), IPR_OK);
            held += p.interval.lo <= e && e <= p.interval.hi;
            error += (p.expected - e) * (p.expected - e);
            stated += p.se * p.se;
        }
        print_message("E %.2f, %zu turns: sd %.4f, stated %.4f, %.1f %% held\n", e, turns[k % 3],
                      sqrt(error / pairs), sqrt(stated / pairs), 100.0 * held / pairs);
        assert_in_range(held, pairs * 93 / 100, pairs * 97 / 100);
        assert_close(stated / error, 1.0, 0.2);
    }
    gsl_rng_free(rng);
    free(t[0]);
    free(t[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(by_hand),
        cmocka_unit_test(the_other_view_is_the_complement),
        cmocka_unit_test(years_are_forgotten),
        cmocka_unit_test(edges),
        cmocka_unit_test(intervals_hold_the_score),
    };

    gsl_set_error_handler_off();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
