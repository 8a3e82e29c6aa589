/* Accumulated conformance, in which earlier years lose weight. */
#include "conformance.h"

#include <gsl/gsl_errno.h>
#include <gsl/gsl_rng.h>

/* Turns with two evaluations; the move played loses 0, 0.20 or 0.50. */
#define LOSSES 3
static const int16_t evaluations[LOSSES][2] = { { 10, 10 }, { 10, -10 }, { 10, -40 } };

static struct ipr_turn turn_of(int32_t game, int32_t year, unsigned loss)
{
    return (struct ipr_turn){ .game = game,
                              .year = year,
                              .ply = 40,
                              .lines = 2,
                              .n_cp = 2,
                              .played = 1,
                              .legal = 30,
                              .cp = evaluations[loss] };
}

static void check_same_share(const struct ipr_share *a, const struct ipr_share *b, double tol)
{
    assert_close(a->share, b->share, tol);
    assert_close(a->se, b->se, tol);
    assert_close(a->n_eff, b->n_eff, tol * b->n_eff);
    assert_close(a->wilson.lo, b->wilson.lo, tol);
    assert_close(a->wilson.hi, b->wilson.hi, tol);
    assert_close(a->clustered.lo, b->clustered.lo, tol);
    assert_close(a->clustered.hi, b->clustered.hi, tol);
    assert_int_equal(a->clustered_known, b->clustered_known);
    assert_int_equal(a->trials, b->trials);
    assert_int_equal(a->games, b->games);
}

#define ACCUMULATED 600
static void some_turns(struct ipr_turn *t, int32_t first, int32_t last)
{
    uint32_t x = 12345;

    for (size_t i = 0; i < ACCUMULATED; i++) {
        const int32_t game = (int32_t)(i / 20);
        x = x * 1664525u + 1013904223u;
        t[i] = turn_of(game, first + game % (last - first + 1), (x >> 16) % LOSSES);
    }
}

/* The share equals Q of the classes of loss, computed in another way. */
static void accumulated_equals_q(void **state)
{
    static const struct {
        double threshold;
        unsigned class;
    } at[] = { { 0.0, 0 }, { 0.2, 2 }, { 0.3, 3 }, { 0.5, 5 } };
    const struct ipr_conformance_params p = IPR_CONFORMANCE_INIT;
    struct ipr_turn t[ACCUMULATED];
    struct loss_year years[4] = { { .year = 0 } };
    struct ipr_err err = IPR_ERR_INIT;
    double q[IPR_LOSS_CLASSES];
    struct ipr_share s;

    (void)state;
    some_turns(t, 1969, 1972);
    for (size_t i = 0; i < ACCUMULATED; i++) {
        const struct ipr_judged j = ipr_judged(&t[i], p.order);
        struct loss_year *y = &years[t[i].year - 1969];
        y->year = t[i].year;
        y->classes[ipr_loss_class(ipr_loss(&p, j.best_cp, j.played_cp))] += 1.0;
    }
    for (int32_t year = 1970; year <= 1974; year++) {
        conformance_q(years, 4, year, q);
        for (size_t k = 0; k < sizeof at / sizeof *at; k++) {
            assert_ok(ipr_conformance_accumulated(&p, t, NULL, ACCUMULATED, year, at[k].threshold,
                                                  &s, &err),
                      &err);
            assert_close(s.share, q[at[k].class], 1e-13);
            assert_true(s.se > 0.0 || k == 3);
            assert_true(s.clustered.lo <= s.share && s.share <= s.clustered.hi + 1e-15);
            assert_true(s.wilson.lo <= s.share && s.share <= s.wilson.hi + 1e-15);
        }
        size_t up_to = 0;
        for (size_t i = 0; i < ACCUMULATED; i++)
            up_to += t[i].year <= year;
        assert_int_equal(s.trials, up_to);
    }
}

static void accumulated_of_one_year(void **state)
{
    struct ipr_conformance_params p = IPR_CONFORMANCE_INIT;
    struct ipr_turn t[ACCUMULATED];
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_conformance c;
    struct ipr_share s, other;

    (void)state;
    some_turns(t, 1972, 1972);
    for (int loss = IPR_LOSS_RAW; loss <= IPR_LOSS_WEIGHTED; loss++) {
        p.loss = (enum ipr_loss)loss;
        assert_ok(ipr_conformance(&p, t, NULL, ACCUMULATED, &c, &err), &err);
        assert_ok(ipr_conformance_accumulated(&p, t, NULL, ACCUMULATED, 1972, 0.0, &s, &err), &err);
        check_same_share(&s, &c.share_0, 1e-12);
        assert_ok(ipr_conformance_accumulated(&p, t, NULL, ACCUMULATED, 1999, 0.3, &s, &err), &err);
        check_same_share(&s, &c.share_30, 1e-12);
    }
    /* In reverse order, with other numbers of games. */
    some_turns(t, 1969, 1972);
    assert_ok(ipr_conformance_accumulated(&p, t, NULL, ACCUMULATED, 1972, 0.3, &s, &err), &err);
    for (size_t i = 0; i < ACCUMULATED / 2; i++) {
        const struct ipr_turn swapped = t[i];
        t[i] = t[ACCUMULATED - 1 - i];
        t[ACCUMULATED - 1 - i] = swapped;
    }
    for (size_t i = 0; i < ACCUMULATED; i++)
        t[i].game = 7 * ((t[i].game * 11) % 31) - 50;
    assert_ok(ipr_conformance_accumulated(&p, t, NULL, ACCUMULATED, 1972, 0.3, &other, &err), &err);
    check_same_share(&other, &s, 1e-12);
}

/*
 * By hand: 1972 a game of two hits and a game of one hit in two, 1971 a game of one turn, no hit.
 * Weights 1, 1, 1/2: W = 4.5, Q = 3/4.5 = 2/3; the games deviate by 2/3, -1/3, -1/3; games in
 * effect 2.5^2/2.25 = 25/9, their factor 25/16; var = 25/16 * 6/9 / 20.25.
 */
static void accumulated_by_hand(void **state)
{
    const struct ipr_conformance_params p = IPR_CONFORMANCE_INIT;
    struct ipr_turn t[] = { turn_of(1, 1972, 0), turn_of(1, 1972, 0), turn_of(2, 1972, 2),
                            turn_of(2, 1972, 0), turn_of(3, 1971, 1), turn_of(4, 1973, 0),
                            turn_of(5, 0, 0) };
    const size_t n = sizeof t / sizeof *t;
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_share s;

    (void)state;
    assert_ok(ipr_conformance_accumulated(&p, t, NULL, n, 1972, 0.0, &s, &err), &err);
    assert_close(s.share, 2.0 / 3.0, 1e-15);
    assert_close(s.se, sqrt(25.0 / 16.0 * (6.0 / 9.0) / 20.25), 1e-15);
    assert_int_equal(s.trials, 5);
    assert_int_equal(s.games, 3);
    assert_int_equal(s.hits, 3);
    assert_true(s.clustered_known);
    /* The same in a later year: weights are relative. With one recent game the old games are not
     * enough for an error. */
    struct ipr_share later;
    assert_ok(ipr_conformance_accumulated(&p, t, NULL, 5, 2026, 0.0, &later, &err), &err);
    check_same_share(&later, &s, 0.0);
    t[0].year = t[1].year = 1960;
    t[4].year = 1950;
    assert_ok(ipr_conformance_accumulated(&p, t, NULL, 5, 1972, 0.0, &s, &err), &err);
    assert_false(s.clustered_known);
    assert_close(s.clustered.hi - s.clustered.lo, 1.0, 0.0);
    assert_close(s.se, 0.0, 0.0);
}

static void accumulated_refusals(void **state)
{
    struct ipr_conformance_params p = IPR_CONFORMANCE_INIT;
    const struct ipr_turn t[] = { turn_of(1, 1972, 0), turn_of(2, 0, 0) };
    struct ipr_share s = { .trials = 77 };

    (void)state;
    assert_int_equal(ipr_conformance_accumulated(&p, NULL, NULL, 0, 1972, 0.3, &s, NULL),
                     IPR_EDATA);
    assert_int_equal(ipr_conformance_accumulated(&p, t, NULL, 2, 1971, 0.3, &s, NULL), IPR_EDATA);
    assert_int_equal(ipr_conformance_accumulated(&p, t, NULL, 2, 1972, -0.1, &s, NULL), IPR_EINVAL);
    assert_int_equal(ipr_conformance_accumulated(&p, t, NULL, 2, 1972, NAN, &s, NULL), IPR_EINVAL);
    p.k1 = 0.0;
    assert_int_equal(ipr_conformance_accumulated(&p, t, NULL, 2, 1972, 0.3, &s, NULL), IPR_EINVAL);
    assert_int_equal(s.trials, 77);
    assert_int_equal(ipr_stats_weighted_share((const bool[]){ true }, (const double[]){ 0.0 },
                                              (const int32_t[]){ 1 }, 1, &s, NULL),
                     IPR_EINVAL);
}

/* 1,000 players with 45 games of 30 turns in three years, whose shares differ by game from .45 to
 * .75. Intervals that take turns as independent contain the true share less often. */
static void accumulated_coverage(void **state)
{
    enum { SETS = 1000, GAMES = 45, EACH = 30 };
    const struct ipr_conformance_params p = IPR_CONFORMANCE_INIT;
    static struct ipr_turn t[GAMES * EACH];
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_share s;
    int held = 0, independent = 0;
    double sum = 0.0;

    (void)state;
    for (int k = 0; k < SETS; k++) {
        for (int g = 0; g < GAMES; g++) {
            const double hit = 0.45 + 0.3 * gsl_rng_uniform(rng);
            for (int i = 0; i < EACH; i++)
                t[g * EACH + i] = turn_of(g, 1970 + g % 3, gsl_rng_uniform(rng) < hit ? 0 : 2);
        }
        assert_ok(
            ipr_conformance_accumulated(&p, t, NULL, (size_t)GAMES * EACH, 1972, 0.3, &s, &err),
            &err);
        held += s.clustered.lo <= 0.6 && 0.6 <= s.clustered.hi;
        independent += s.wilson.lo <= 0.6 && 0.6 <= s.wilson.hi;
        sum += s.share;
    }
    gsl_rng_free(rng);
    print_message("accumulated: %d of %d intervals by game hold the share, %d by turn\n", held,
                  SETS, independent);
    assert_true(held >= 930 && held <= 970);
    assert_true(independent < held);
    assert_close(sum / SETS, 0.6, 0.002);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(accumulated_equals_q), cmocka_unit_test(accumulated_of_one_year),
        cmocka_unit_test(accumulated_by_hand),  cmocka_unit_test(accumulated_refusals),
        cmocka_unit_test(accumulated_coverage),
    };

    gsl_set_error_handler_off();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
