/*
 * Score curve: held to vectors/score_curve.json (an independent implementation), to a search of
 * the plane, to simulated games, and at the domain's edges.
 */
#include <gsl/gsl_errno.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <stdlib.h>

#include "base/mem.h"
#include "ipr_test.h"
#include "ipr_test_vectors.h"
#include "model/score_curve.h"

static struct ipr_score_position *read_positions(const json_t *in, size_t *n)
{
    const json_t *v = ipr_test_get(in, "v");
    const json_t *score = ipr_test_get(in, "score");
    const json_t *game = ipr_test_get(in, "game");
    struct ipr_score_position *x;

    *n = json_array_size(v);
    x = ipr_xcalloc(*n + 1, sizeof *x);
    for (size_t i = 0; i < *n; i++)
        x[i] = (struct ipr_score_position){ (int32_t)json_integer_value(json_array_get(game, i)),
                                            json_number_value(json_array_get(v, i)),
                                            json_number_value(json_array_get(score, i)) };
    return x;
}

static void check_error(const json_t *c, const char *key, double got, bool known)
{
    const json_t *want = ipr_test_get(ipr_test_get(c, "expected"), key);
    const double rel = ipr_test_num(ipr_test_get(c, "tolerance"), "se_rel");

    assert_int_equal(known, !json_is_null(want));
    if (known)
        ipr_test_near(got, json_number_value(want), rel * json_number_value(want), "%s", key);
}

static void check_case(const json_t *c)
{
    const json_t *w = ipr_test_get(c, "expected");
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_score_curve got;
    struct ipr_score_position *x;
    size_t n;

    x = read_positions(ipr_test_get(c, "inputs"), &n);
    assert_ok(ipr_score_curve(x, n, &got, &err), &err);
    ipr_test_near(got.a, ipr_test_num(w, "A"), ipr_test_tol(c, 0.0), "A");
    ipr_test_near(got.b, ipr_test_num(w, "B"), ipr_test_tol(c, 0.0), "B");
    ipr_test_near(got.log_likelihood, ipr_test_num(w, "loglik"),
                  ipr_test_num(ipr_test_get(c, "tolerance"), "loglik_abs"), "loglik");
    check_error(c, "se_A", got.se_a, got.errors_known && !got.a_at_bound);
    check_error(c, "se_B", got.se_b, got.errors_known);
    free(x);
}

static void test_vectors(void **state)
{
    json_t *file = ipr_test_vectors("score_curve.json");
    size_t i;
    json_t *c;

    (void)state;
    json_array_foreach(json_object_get(file, "cases"), i, c)
        check_case(c);
    json_decref(file);
}

/* Games of `each` positions; draws happen in the middle of what is left to chance. */
static struct ipr_score_position *simulate(gsl_rng *rng, double a, double b, size_t games,
                                           size_t each)
{
    struct ipr_score_position *x = ipr_xcalloc(games * each, sizeof *x);

    for (size_t g = 0; g < games; g++)
        for (size_t i = 0; i < each; i++) {
            struct ipr_score_position *p = &x[g * each + i];
            p->game = (int32_t)g;
            p->v = floor(300.0 * gsl_ran_gaussian(rng, 1.0)) / 100.0;
            p->v = fmax(-10.0, fmin(10.0, p->v));
            const double expected = ipr_score_curve_at(a, b, p->v);
            /* A draw with 0.8 times the most that leaves the mean as it is. */
            const double draw = 1.6 * fmin(expected, 1.0 - expected);
            const double u = gsl_rng_uniform(rng);
            p->score = u < draw ? 0.5 : (u < draw / 2.0 + expected ? 1.0 : 0.0);
        }
    return x;
}

static double plain(const struct ipr_score_position *x, size_t n, double a, double b)
{
    double sum = 0.0;

    for (size_t i = 0; i < n; i++) {
        const double p = a + (1.0 - 2.0 * a) / (1.0 + exp(-b * x[i].v));
        sum += (x[i].score > 0.0 ? x[i].score * log(p) : 0.0) +
               (x[i].score < 1.0 ? (1.0 - x[i].score) * log(1.0 - p) : 0.0);
    }
    return sum;
}

/* No point of the plane is better. */
static void test_plane(void **state)
{
    static const double truth[][2] = { { 0.0, 0.6 }, { 0.1, 0.8 }, { 0.05, 0.2 }, { 0.2, 3.0 } };
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);

    (void)state;
    for (size_t k = 0; k < sizeof truth / sizeof *truth; k++) {
        struct ipr_score_position *x = simulate(rng, truth[k][0], truth[k][1], 40, 10);
        struct ipr_err err = IPR_ERR_INIT;
        struct ipr_score_curve got;
        assert_ok(ipr_score_curve(x, 400, &got, &err), &err);
        assert_close(got.log_likelihood, plain(x, 400, got.a, got.b), 1e-9);
        for (int i = 0; i < 40; i++)
            for (int j = 0; j < 100; j++)
                assert_true(plain(x, 400, i * 0.0125, 0.02 * pow(1.06, j)) <=
                            got.log_likelihood + 1e-9);
        for (int i = -1; i <= 1; i++)
            for (int j = -1; j <= 1; j++)
                assert_true(plain(x, 400, fmax(0.0, got.a + i * 1e-3), got.b * (1.0 + j * 1e-3)) <=
                            got.log_likelihood + 1e-9);
        free(x);
    }
    gsl_rng_free(rng);
}

/* Derivatives of `plain` at (a, b) by differences: by a, by b; aa, ab, bb. */
static void differences(const struct ipr_score_position *x, size_t n, double a, double b,
                        double u[2], double h[3])
{
    const double d = 1e-4;
    const double f = plain(x, n, a, b);
    const double fa[2] = { plain(x, n, a - d, b), plain(x, n, a + d, b) };
    const double fb[2] = { plain(x, n, a, b - d), plain(x, n, a, b + d) };

    u[0] = (fa[1] - fa[0]) / (2.0 * d);
    u[1] = (fb[1] - fb[0]) / (2.0 * d);
    h[0] = (fa[1] + fa[0] - 2.0 * f) / (d * d);
    h[1] = (plain(x, n, a + d, b + d) - plain(x, n, a + d, b - d) - plain(x, n, a - d, b + d) +
            plain(x, n, a - d, b - d)) /
           (4.0 * d * d);
    h[2] = (fb[1] + fb[0] - 2.0 * f) / (d * d);
}

/* The sandwich from differences; at the bound that of b alone. */
static void test_errors(void **state)
{
    enum { GAMES = 25, EACH = 20, N = GAMES * EACH };
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    int at_bound = 0;

    (void)state;
    for (int round = 0; round < 8; round++) {
        struct ipr_score_position *x = simulate(rng, round % 2 == 0 ? 0.12 : 0.0, 0.7, GAMES, EACH);
        struct ipr_score_curve c;
        double u[2];
        double h[3];
        double b[3] = { 0 };
        assert_int_equal(ipr_score_curve(x, N, &c, NULL), IPR_OK);
        for (size_t g = 0; g < GAMES; g++) {
            differences(&x[g * EACH], EACH, c.a, c.b, u, h);
            b[0] += u[0] * u[0] * GAMES / (GAMES - 1.0);
            b[1] += u[0] * u[1] * GAMES / (GAMES - 1.0);
            b[2] += u[1] * u[1] * GAMES / (GAMES - 1.0);
        }
        differences(x, N, c.a, c.b, u, h);
        at_bound += c.a_at_bound;
        if (c.a_at_bound) {
            assert_close(c.se_b, sqrt(b[2]) / -h[2], 1e-3 * c.se_b);
        } else {
            const double det = h[0] * h[2] - h[1] * h[1];
            const double i[3] = { h[2] / det, -h[1] / det, h[0] / det };
            const double vaa = i[0] * i[0] * b[0] + 2 * i[0] * i[1] * b[1] + i[1] * i[1] * b[2];
            const double vbb = i[1] * i[1] * b[0] + 2 * i[1] * i[2] * b[1] + i[2] * i[2] * b[2];
            const double vab =
                i[0] * i[1] * b[0] + (i[0] * i[2] + i[1] * i[1]) * b[1] + i[1] * i[2] * b[2];
            assert_close(c.se_a, sqrt(vaa), 1e-3 * c.se_a);
            assert_close(c.se_b, sqrt(vbb), 1e-3 * c.se_b);
            assert_close(c.cov_ab, vab, 1e-3 * fabs(vab));
        }
        free(x);
    }
    assert_in_range(at_bound, 1, 7);
    gsl_rng_free(rng);
}

static int by_v(const void *a, const void *b)
{
    const struct ipr_score_position *x = a;
    const struct ipr_score_position *y = b;

    return (x->v > y->v) - (x->v < y->v);
}

/* Neither the order of positions nor the side that the score is given for matters. */
static void test_symmetry(void **state)
{
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    struct ipr_score_position *x = simulate(rng, 0.08, 0.7, 50, 20);
    struct ipr_score_curve a;
    struct ipr_score_curve b;

    (void)state;
    assert_int_equal(ipr_score_curve(x, 1000, &a, NULL), IPR_OK);
    qsort(x, 1000, sizeof *x, by_v);
    for (size_t i = 0; i < 1000; i++) {
        x[i].v = -x[i].v;
        x[i].score = 1.0 - x[i].score;
        x[i].game = -x[i].game;
    }
    assert_int_equal(ipr_score_curve(x, 1000, &b, NULL), IPR_OK);
    assert_close(a.a, b.a, 1e-6);
    assert_close(a.b, b.b, 1e-6);
    assert_close(a.log_likelihood, b.log_likelihood, 1e-9);
    assert_close(a.se_a, b.se_a, 1e-6);
    assert_close(a.se_b, b.se_b, 1e-6);
    free(x);
    gsl_rng_free(rng);
}

static void test_recovery(void **state)
{
    enum { SETS = 500, GAMES = 150, EACH = 15 };
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    double sum[2] = { 0 };
    double square[2] = { 0 };
    double se[2] = { 0 };
    int inside[2] = { 0 };

    (void)state;
    for (int i = 0; i < SETS; i++) {
        struct ipr_score_position *x = simulate(rng, 0.1, 0.7, GAMES, EACH);
        struct ipr_score_curve c;
        assert_int_equal(ipr_score_curve(x, GAMES * EACH, &c, NULL), IPR_OK);
        assert_true(c.errors_known);
        inside[0] += c.a_interval.lo <= 0.1 && 0.1 <= c.a_interval.hi;
        inside[1] += c.b_interval.lo <= 0.7 && 0.7 <= c.b_interval.hi;
        const double d[2] = { c.a - 0.1, c.b - 0.7 };
        for (int k = 0; k < 2; k++) {
            sum[k] += d[k];
            square[k] += d[k] * d[k];
        }
        se[0] += c.se_a;
        se[1] += c.se_b;
        free(x);
    }
    for (int k = 0; k < 2; k++) {
        const double sd = sqrt(square[k] / SETS - sum[k] / SETS * sum[k] / SETS);
        print_message("%s: bias %.4f, sd %.4f against %.4f, covered %.1f %%\n", k == 0 ? "A" : "B",
                      sum[k] / SETS, sd, se[k] / SETS, 100.0 * inside[k] / SETS);
        assert_true(inside[k] >= 0.93 * SETS && inside[k] <= 0.97 * SETS);
        assert_close(se[k] / SETS, sd, 0.1 * sd);
        assert_close(sum[k] / SETS, 0.0, 0.2 * sd);
    }
    gsl_rng_free(rng);
}

static void fill(struct ipr_score_position *x, size_t n, const double *v, const double *score)
{
    for (size_t i = 0; i < n; i++)
        x[i] = (struct ipr_score_position){ (int32_t)(i / 2), v[i], score[i] };
}

static void test_degenerate(void **state)
{
    static const struct {
        const char *name;
        double v[6], score[6];
        enum ipr_code want;
    } rows[] = {
        { "all evaluations 0", { 0 }, { 1, 0, 1, 0, 1, 0 }, IPR_EDATA },
        { "all drawn", { 1, -1, 2, -2, 3, -3 }, { .5, .5, .5, .5, .5, .5 }, IPR_EDATA },
        { "against the evaluation", { 1, -1, 2, -2, 3, -3 }, { 0, 1, 0, 1, 0, 1 }, IPR_EDATA },
        { "every better side won", { 1, -1, 2, -2, 3, -3 }, { 1, 0, 1, 0, 1, 0 }, IPR_EDATA },
        { "a share at random", { 1, 2, 3, 1, 2, 3 }, { 1, 1, 1, 0.5, 0.5, 0.5 }, IPR_EDATA },
        { "equally good", { 1, 1, 1, -1, -1, -1 }, { 1, 1, 0, 0, 0.5, 0 }, IPR_EDATA },
        { "mates", { 10, -10, 10, -10, 0.2, 0.3 }, { 1, 0, 1, 0, 1, 0 }, IPR_OK },
        { "too far", { 11, -1, 2, -2, 3, -3 }, { 1, 0, 1, 0, 1, 0 }, IPR_EINVAL },
        { "not a number", { NAN, -1, 2, -2, 3, -3 }, { 1, 0, 1, 0, 1, 0 }, IPR_EINVAL },
        { "two points", { 1, -1, 2, -2, 3, -3 }, { 2, 0, 1, 0, 1, 0 }, IPR_EINVAL },
    };
    struct ipr_score_position x[6];

    (void)state;
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        struct ipr_score_curve got = { .a = -1.0 };
        fill(x, 6, rows[r].v, rows[r].score);
        const enum ipr_code rc = ipr_score_curve(x, 6, &got, NULL);
        if (rc != rows[r].want)
            fail_msg("%s: %s (A %g, B %g)", rows[r].name, ipr_code_name(rc), got.a, got.b);
        if (rc != IPR_OK)
            assert_close(got.a, -1.0, 0.0);
        else
            assert_true(got.a >= 0.0 && got.a < 0.5 && got.b > 0.0 && isfinite(got.se_b));
    }
    assert_int_equal(ipr_score_curve(x, 0, &(struct ipr_score_curve){ 0 }, NULL), IPR_EDATA);
}

/* Won positions always won: A at its bound has no error, B has; one game gives none. */
static void test_bound(void **state)
{
    static const double v[8] = { 0.5, -0.5, 0.5, -0.5, 2.0, -2.0, 5.0, -5.0 };
    static const double score[8] = { 1.0, 0.5, 0.0, 0.5, 1.0, 0.0, 1.0, 0.0 };
    struct ipr_score_position x[8];
    struct ipr_score_curve got;

    (void)state;
    fill(x, 8, v, score);
    assert_int_equal(ipr_score_curve(x, 8, &got, NULL), IPR_OK);
    assert_true(got.a_at_bound && got.errors_known);
    assert_close(got.a, 0.0, 0.0);
    assert_close(got.se_a, 0.0, 0.0);
    assert_true(got.se_b > 0.0 && got.b_interval.lo < got.b && got.b < got.b_interval.hi);
    assert_int_equal(got.games, 4);
    for (int i = 0; i < 8; i++)
        x[i].game = 7;
    assert_int_equal(ipr_score_curve(x, 8, &got, NULL), IPR_OK);
    assert_false(got.errors_known);
    assert_close(got.se_b, 0.0, 0.0);
}

/*
 * Games in which every won position is won: most fits end at A = 0, where B has the error of
 * a curve without A. Its interval holds B there as often as elsewhere.
 */
static void test_recovery_at_the_bound(void **state)
{
    enum { SETS = 500, GAMES = 150, EACH = 15 };
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    int sets[2] = { 0 }, inside[2] = { 0 };

    (void)state;
    for (int i = 0; i < SETS; i++) {
        struct ipr_score_position *x = simulate(rng, 0.0, 0.7, GAMES, EACH);
        struct ipr_score_curve c;

        assert_int_equal(ipr_score_curve(x, GAMES * EACH, &c, NULL), IPR_OK);
        assert_true(c.errors_known && c.se_b > 0.0);
        if (c.a_at_bound)
            assert_true(c.se_a == 0.0 && c.cov_ab == 0.0 && c.a_interval.hi == 0.0);
        sets[c.a_at_bound]++;
        inside[c.a_at_bound] += c.b_interval.lo <= 0.7 && 0.7 <= c.b_interval.hi;
        free(x);
    }
    print_message("B held in %d of %d sets at the bound, in %d of %d others\n", inside[1], sets[1],
                  inside[0], sets[0]);
    assert_in_range(sets[1], SETS / 3, 2 * SETS / 3);
    assert_true(inside[1] >= 0.92 * sets[1]);
    assert_true(inside[0] + inside[1] >= 0.93 * SETS);
    gsl_rng_free(rng);
}

static void test_bins(void **state)
{
    static const double v[8] = { 0.0, 0.25, 0.26, -0.26, -0.75, 0.75, 9.0, -0.76 };
    static const double score[8] = { 0.5, 1.0, 1.0, 0.0, 0.5, 0.0, 1.0, 0.0 };
    static const size_t positions[5] = { 1, 2, 2, 2, 1 };
    struct ipr_score_position x[8];
    struct ipr_score_bin bins[IPR_SCORE_BINS(2)];

    (void)state;
    fill(x, 8, v, score);
    assert_int_equal(ipr_score_bins(x, 8, 0.5, 2, bins, NULL), IPR_OK);
    for (int i = 0; i < 5; i++)
        assert_int_equal(bins[i].positions, positions[i]);
    assert_close(bins[2].lo, -0.25, 1e-15);
    assert_close(bins[2].v, 0.125, 1e-15);
    assert_close(bins[2].score, 0.75, 1e-15);
    assert_int_equal(bins[2].games, 1);
    assert_false(bins[2].se_known || bins[2].interval_known);
    assert_close(bins[2].interval.hi - bins[2].interval.lo, 1.0, 0.0);
    /* Two games, one position each: 0.26 scored 1, 0.75 scored 0. */
    assert_int_equal(bins[3].games, 2);
    assert_close(bins[3].score, 0.5, 1e-15);
    assert_close(bins[3].se, 0.5, 1e-15);
    assert_true(bins[3].se_known && bins[3].interval_known);
    assert_close(bins[4].v, 9.0, 1e-15);
    assert_true(isinf(bins[4].hi) && isinf(bins[0].lo) && bins[0].lo < 0.0);
    assert_close(bins[4].lo, 0.75, 1e-15);

    assert_int_equal(ipr_score_bins(x, 0, 0.5, 2, bins, NULL), IPR_OK);
    assert_int_equal(bins[4].positions, 0);
    assert_close(bins[4].v, 1.0, 1e-15);
    assert_int_equal(ipr_score_bins(x, 8, 0.0, 2, bins, NULL), IPR_EINVAL);
    assert_int_equal(ipr_score_bins(x, 8, INFINITY, 2, bins, NULL), IPR_EINVAL);
}

static struct ipr_score_bin bin_of(size_t n, const double *score, const int32_t *game)
{
    struct ipr_score_position x[16];
    struct ipr_score_bin bin;

    for (size_t i = 0; i < n; i++)
        x[i] = (struct ipr_score_position){ game[i], 2.0, score[i] };
    assert_int_equal(ipr_score_bins(x, n, 1.0, 0, &bin, NULL), IPR_OK);
    return bin;
}

/* Games of equal scores are as many trials, whatever the score; never more trials than games. */
static void test_bin_intervals(void **state)
{
    static const int32_t game[12] = { 1, 1, 2, 2, 2, 3, 3, 3, 3, 3, 3, 4 };
    const double alike[3] = { 1.0, 0.5, 0.0 };
    struct ipr_interval want;
    double score[12];

    (void)state;
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < 12; i++)
            score[i] = alike[k];
        const struct ipr_score_bin bin = bin_of(12, score, game);
        assert_false(bin.se_known);
        assert_true(bin.interval_known);
        assert_int_equal(ipr_stats_wilson_eff(alike[k], 4.0, ipr_stats_quantile95(4), &want, NULL),
                         IPR_OK);
        assert_close(bin.interval.lo, want.lo, 1e-15);
        assert_close(bin.interval.hi, want.hi, 1e-15);
    }
    for (int i = 0; i < 12; i++)
        score[i] = game[i] == 4 ? 0.0 : 1.0;
    struct ipr_score_bin bin = bin_of(12, score, game); /* one position went otherwise */
    assert_true(bin.se_known && bin.score * (1.0 - bin.score) / (bin.se * bin.se) < 12.0);
    assert_int_equal(ipr_stats_wilson_eff(
                         11.0 / 12.0, fmin(4.0, bin.score * (1.0 - bin.score) / (bin.se * bin.se)),
                         ipr_stats_quantile95(4), &want, NULL),
                     IPR_OK);
    assert_close(bin.interval.lo, want.lo, 1e-15);
    assert_true(bin.interval.lo < bin.score - bin.se && bin.interval.hi > bin.score);
    for (int i = 0; i < 12; i++)
        score[i] = game[i] == 1 ? 1.0 : 0.5; /* two positions of one game were won */
    bin = bin_of(12, score, game);
    assert_true(bin.score * (1.0 - bin.score) / (bin.se * bin.se) > 4.0);
    assert_int_equal(ipr_stats_wilson_eff(7.0 / 12.0, 4.0, ipr_stats_quantile95(4), &want, NULL),
                     IPR_OK);
    assert_close(bin.interval.lo, want.lo, 1e-12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_vectors),  cmocka_unit_test(test_plane),
        cmocka_unit_test(test_errors),   cmocka_unit_test(test_symmetry),
        cmocka_unit_test(test_recovery), cmocka_unit_test(test_degenerate),
        cmocka_unit_test(test_bound),    cmocka_unit_test(test_recovery_at_the_bound),
        cmocka_unit_test(test_bins),     cmocka_unit_test(test_bin_intervals),
    };

    gsl_set_error_handler_off();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
