/* Held to vectors/elo.json (an independent implementation), and the domain's edges. */
#include <gsl/gsl_errno.h>
#include <gsl/gsl_rng.h>

#include "ipr_test.h"
#include "ipr_test_vectors.h"
#include "model/elo.h"

static void check_expectation(const json_t *c)
{
    double d[64];
    double e[64];
    const size_t n = ipr_test_array(ipr_test_get(ipr_test_get(c, "inputs"), "difference"), d, 64);

    ipr_test_array(ipr_test_get(ipr_test_get(c, "expected"), "E"), e, 64);
    for (size_t i = 0; i < n; i++) {
        ipr_test_near(ipr_elo_expect(2000.0 + d[i], 2000.0), e[i], ipr_test_tol(c, e[i]), "E");
        assert_close(ipr_elo_expect(0.0, d[i]) + ipr_elo_expect(d[i], 0.0), 1.0, 1e-15);
    }
}

static void check_performance(const json_t *c)
{
    const json_t *in = ipr_test_get(c, "inputs");
    const json_t *w = ipr_test_get(c, "expected");
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_elo_performance p;
    double ratings[256];
    const size_t n = ipr_test_array(ipr_test_get(in, "ratings"), ratings, 256);

    assert_ok(ipr_elo_performance(ratings, n, ipr_test_num(in, "score"), &p, &err), &err);
    ipr_test_near(p.rating, ipr_test_num(w, "rating"), ipr_test_tol(c, 2500.0), "rating");
    ipr_test_near(p.fide, ipr_test_num(w, "fide"), ipr_test_tol(c, 2500.0), "fide");
    assert_int_equal(p.bounded, json_is_true(ipr_test_get(w, "bounded")));
}

static void test_vectors(void **state)
{
    json_t *file = ipr_test_vectors("elo.json");
    size_t i;
    json_t *c;

    (void)state;
    json_array_foreach(json_object_get(file, "cases"), i, c) {
        if (ipr_test_has(ipr_test_get(c, "inputs"), "difference"))
            check_expectation(c);
        else
            check_performance(c);
    }
    json_decref(file);
}

static void test_edges(void **state)
{
    const double r[2] = { 2400.0, 2500.0 };
    const double bad[1] = { NAN };
    struct ipr_elo_performance p = { 0 };

    (void)state;
    assert_int_equal(ipr_elo_performance(r, 0, 0.0, &p, NULL), IPR_EDATA);
    assert_int_equal(ipr_elo_performance(r, 2, 2.5, &p, NULL), IPR_EINVAL);
    assert_int_equal(ipr_elo_performance(r, 2, NAN, &p, NULL), IPR_EINVAL);
    assert_int_equal(ipr_elo_performance(bad, 1, 0.5, &p, NULL), IPR_EINVAL);
    for (int percent = 0; percent <= 100; percent++)
        assert_close(ipr_elo_fide_dp(percent / 100.0), -ipr_elo_fide_dp(1.0 - percent / 100.0),
                     0.0);
}

/* Against one rating the interval is Wilson's, carried to ratings. */
static void test_interval(void **state)
{
    double r[40];
    struct ipr_elo_performance p;
    struct ipr_interval w;

    (void)state;
    for (int i = 0; i < 40; i++)
        r[i] = 2500.0;
    for (unsigned long k = 0; k <= 40; k++) {
        assert_int_equal(ipr_elo_performance(r, 40, (double)k, &p, NULL), IPR_OK);
        assert_int_equal(ipr_stats_wilson(k, 40, IPR_Z95, &w, NULL), IPR_OK);
        assert_int_equal(p.open_lo, k == 0);
        assert_int_equal(p.open_hi, k == 40);
        assert_true(p.interval.lo <= p.rating && p.rating <= p.interval.hi);
        if (k > 0)
            assert_close(ipr_elo_expect(p.interval.lo, 2500.0), w.lo, 1e-9);
        if (k < 40)
            assert_close(ipr_elo_expect(p.interval.hi, 2500.0), w.hi, 1e-9);
        if (k == 0 || k == 40) {
            assert_true(p.bounded);
            assert_close(p.se, 0.0, 0.0);
        } else {
            const double e = (double)k / 40.0;
            assert_close(p.se, 400.0 / log(10.0) / sqrt(40.0 * e * (1.0 - e)), 1e-6);
        }
    }
    /* Won so often that the bound of 800 is itself out of the question. */
    double many[4000];
    for (int i = 0; i < 4000; i++)
        many[i] = 2000.0;
    assert_int_equal(ipr_elo_performance(many, 4000, 4000.0, &p, NULL), IPR_OK);
    assert_true(p.interval.lo > 2800.0 && p.interval.hi >= p.interval.lo && p.open_hi);

    /* A certain win and a certain loss say nothing; no end is lost for it. */
    const double apart[2] = { 0.0, 4000.0 };
    assert_int_equal(ipr_elo_performance(apart, 2, 1.0, &p, NULL), IPR_OK);
    assert_close(p.rating, 2000.0, 1e-6);
    assert_true(p.interval.lo < 0.0 && p.interval.hi > 4000.0 && isfinite(p.se));
    assert_close(p.interval.lo + p.interval.hi, 4000.0, 1e-4);
    assert_int_equal(ipr_elo_performance(apart, 2, 1e-9, &p, NULL), IPR_OK);
    assert_true(isfinite(p.se) && isfinite(p.interval.lo) && isfinite(p.interval.hi));
}

/* Of simulated events without draws the interval holds the true rating in 95 %. */
static void test_coverage(void **state)
{
    enum { EVENTS = 3000, GAMES = 30 };
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    double r[GAMES];
    int inside = 0;

    (void)state;
    for (int k = 0; k < EVENTS; k++) {
        struct ipr_elo_performance p;
        double score = 0.0;
        for (int i = 0; i < GAMES; i++) {
            r[i] = 2300.0 + 400.0 * gsl_rng_uniform(rng);
            score += gsl_rng_uniform(rng) < ipr_elo_expect(2600.0, r[i]) ? 1.0 : 0.0;
        }
        assert_int_equal(ipr_elo_performance(r, GAMES, score, &p, NULL), IPR_OK);
        inside += (p.open_lo || p.interval.lo <= 2600.0) && (p.open_hi || 2600.0 <= p.interval.hi);
    }
    print_message("covered %.1f %%\n", 100.0 * inside / EVENTS);
    assert_true(inside >= 0.93 * EVENTS && inside <= 0.97 * EVENTS);
    gsl_rng_free(rng);
}

/* Against hand-made sums: E(100) = 0.640065, E(200) = 0.759747 (FIDE's formula to six digits). */
static void test_expected(void **state)
{
    const double own[3] = { 2500.0, 2500.0, 2400.0 }, opponents[3] = { 2400.0, 2700.0, 2400.0 };
    const double bad[1] = { INFINITY };
    struct ipr_elo_expected e;

    (void)state;
    assert_int_equal(ipr_elo_expected_score(own, opponents, 0, &e, NULL), IPR_EDATA);
    assert_int_equal(ipr_elo_expected_score(bad, opponents, 1, &e, NULL), IPR_EINVAL);
    assert_int_equal(ipr_elo_expected_score(opponents, bad, 1, &e, NULL), IPR_EINVAL);
    assert_int_equal(ipr_elo_expected_score(own, opponents, 3, &e, NULL), IPR_OK);
    assert_close(e.score, 0.640065 + 0.240253 + 0.5, 2e-6);
    assert_close(e.score_sd * e.score_sd, 0.640065 * 0.359935 + 0.240253 * 0.759747 + 0.25, 2e-6);
    assert_true(e.score_interval.lo >= 0.0 && e.score_interval.lo < e.score);
    assert_true(e.score_interval.hi <= 3.0 && e.score_interval.hi > e.score);
    /* Both sides of the same games share out the points. */
    struct ipr_elo_expected other;
    assert_int_equal(ipr_elo_expected_score(opponents, own, 3, &other, NULL), IPR_OK);
    assert_close(e.score + other.score, 3.0, 1e-12);
    assert_close(e.score_sd, other.score_sd, 1e-12);
}

/* Of simulated events the interval holds the score in 95 % without draws, in more with them. */
static void test_expected_coverage(void **state)
{
    enum { EVENTS = 3000, GAMES = 60 };
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    double own[GAMES], r[GAMES];
    int inside[2] = { 0, 0 };

    (void)state;
    for (int k = 0; k < EVENTS; k++) {
        struct ipr_elo_expected x;
        double score[2] = { 0.0, 0.0 };
        for (int i = 0; i < GAMES; i++) {
            own[i] = 2500.0;
            r[i] = 2300.0 + 400.0 * gsl_rng_uniform(rng);
            const double e = ipr_elo_expect(own[i], r[i]), u = gsl_rng_uniform(rng);
            const double draws = fmin(e, 1.0 - e);
            score[0] += u < e ? 1.0 : 0.0;
            score[1] += u < e - draws / 2.0 ? 1.0 : u < e + draws / 2.0 ? 0.5 : 0.0;
        }
        assert_int_equal(ipr_elo_expected_score(own, r, GAMES, &x, NULL), IPR_OK);
        for (int d = 0; d < 2; d++)
            inside[d] += x.score_interval.lo <= score[d] && score[d] <= x.score_interval.hi;
    }
    print_message("covered %.1f %%, with draws %.1f %%\n", 100.0 * inside[0] / EVENTS,
                  100.0 * inside[1] / EVENTS);
    assert_true(inside[0] >= 0.93 * EVENTS && inside[0] <= 0.97 * EVENTS);
    assert_true(inside[1] > inside[0]);
    gsl_rng_free(rng);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_vectors),  cmocka_unit_test(test_edges),
        cmocka_unit_test(test_interval), cmocka_unit_test(test_coverage),
        cmocka_unit_test(test_expected), cmocka_unit_test(test_expected_coverage)
    };

    gsl_set_error_handler_off();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
