/* Strength over time against the same model solved as one normal distribution of all years. */
#include <gsl/gsl_blas.h>
#include <gsl/gsl_linalg.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>

#include "ipr_test.h"
#include "model/strength_curve.h"
#include "model/trajectory.h"

enum { YEARS = 13, PLAYED = 7, DRAWS = 20000 };

#define PRIOR_MEAN 2050
#define PRIOR_SD   490

static const struct ipr_trajectory_model model = { .walk = 3000, .rise = 100, .damping = .8 };

static const struct ipr_trajectory_year career[PLAYED] = {
    { 1990, -8, 10, .5, 300 }, { 1991, 4, 20, .2, 600 },  { 1992, 3, 4, 1, 120 },
    { 1995, 30, 30, .1, 900 }, { 1996, 42, 30, .1, 900 }, { 2001, 2, 25, .2, 750 },
    { 2002, 70, 5, 1, 149 },
};

static const struct ipr_strength_calibration straight = {
    .curve = { .knots = 2, .elo = { 1200, 2800 }, .z = { -3, 2 }, .var = { .01, .01 } },
    .spread = { .factor = 1.3, .player = .05, .event = .04 },
};

static const struct ipr_strength_calibration bent = {
    .curve = { .knots = 3,
               .elo = { 1200, 2000, 2800 },
               .z = { -3, -.8, 2 },
               .var = { .01, .01, .01 } },
    .spread = { .factor = 1.3, .player = .05, .event = .04, .level = { 1.2, 1, .9 } },
};

/* Means and covariances of the levels of all years, by elimination. */
struct dense {
    gsl_vector *mean;
    gsl_matrix *cov;
};

/* How much of the rise is in the level of a year: from the third year without games on none is
 * added. */
static double rise_in(size_t i)
{
    static const size_t idle[YEARS] = { 0, 0, 0, 1, 2, 0, 0, 1, 2, 3, 4, 0, 0 };
    double sum = 0;

    for (size_t k = 0; k < i; k++)
        sum += idle[k] < IPR_TRAJECTORY_IDLE ? pow(model.damping, (double)k) : 0;
    return sum;
}

static double prior_cov(size_t i, size_t j)
{
    return PRIOR_SD * PRIOR_SD + model.rise * model.rise * rise_in(i) * rise_in(j) +
           model.walk * (double)(i < j ? i : j);
}

/* The curve straight about at[]. */
static struct dense dense_solve(const struct ipr_strength_calibration *c, const double *at)
{
    gsl_matrix *const prior = gsl_matrix_alloc(YEARS, YEARS), *h = gsl_matrix_calloc(PLAYED, YEARS);
    gsl_matrix *const hk = gsl_matrix_alloc(PLAYED, YEARS), *s = gsl_matrix_alloc(PLAYED, PLAYED);
    gsl_matrix *const gain = gsl_matrix_alloc(PLAYED, YEARS);
    gsl_vector *const r = gsl_vector_alloc(PLAYED);
    struct dense d = { gsl_vector_alloc(YEARS), gsl_matrix_alloc(YEARS, YEARS) };

    for (size_t i = 0; i < YEARS; i++)
        for (size_t j = 0; j < YEARS; j++)
            gsl_matrix_set(prior, i, j, prior_cov(i, j));
    for (size_t k = 0; k < PLAYED; k++) {
        const size_t i = (size_t)(career[k].year - career[0].year);
        const double slope = ipr_strength_curve_slope(&c->curve, at[i]);

        gsl_matrix_set(h, k, i, slope);
        gsl_vector_set(r, k,
                       career[k].score / career[k].information -
                           ipr_strength_curve_at(&c->curve, at[i]) - slope * (PRIOR_MEAN - at[i]));
    }
    gsl_blas_dgemm(CblasNoTrans, CblasNoTrans, 1, h, prior, 0, hk);
    gsl_blas_dgemm(CblasNoTrans, CblasTrans, 1, hk, h, 0, s);
    for (size_t k = 0; k < PLAYED; k++) {
        const size_t i = (size_t)(career[k].year - career[0].year);
        const double own = c->spread.factor * ipr_strength_level(c, at[i]) / career[k].information +
                           c->spread.event * career[k].events;

        gsl_matrix_set(s, k, k, gsl_matrix_get(s, k, k) + own);
    }
    gsl_linalg_cholesky_decomp1(s);
    gsl_matrix_memcpy(gain, hk);
    for (size_t i = 0; i < YEARS; i++) {
        gsl_vector_view column = gsl_matrix_column(gain, i);

        gsl_linalg_cholesky_svx(s, &column.vector);
    }
    gsl_vector_set_all(d.mean, PRIOR_MEAN);
    gsl_blas_dgemv(CblasTrans, 1, gain, r, 1, d.mean);
    gsl_matrix_memcpy(d.cov, prior);
    gsl_blas_dgemm(CblasTrans, CblasNoTrans, -1, gain, hk, 1, d.cov);
    gsl_matrix_free(prior);
    gsl_matrix_free(h);
    gsl_matrix_free(hk);
    gsl_matrix_free(s);
    gsl_matrix_free(gain);
    gsl_vector_free(r);
    return d;
}

static void dense_free(struct dense *d)
{
    gsl_vector_free(d->mean);
    gsl_matrix_free(d->cov);
}

static struct ipr_trajectory fitted(const struct ipr_strength_calibration *c)
{
    struct ipr_trajectory t;

    assert_ok(ipr_trajectory_fit(&model, c, PRIOR_MEAN, PRIOR_SD, career, PLAYED, &t, NULL), NULL);
    return t;
}

static void assert_dense(const struct ipr_trajectory *t, const struct dense *d, double within)
{
    assert_int_equal(t->first, 1990);
    assert_int_equal(t->n, YEARS);
    for (size_t i = 0; i < YEARS; i++) {
        assert_close(t->point[i].mean, gsl_vector_get(d->mean, i), within);
        assert_close(t->point[i].sd, sqrt(gsl_matrix_get(d->cov, i, i)), within);
    }
}

static void test_straight_curve(void **state)
{
    struct ipr_trajectory t = fitted(&straight);
    double at[YEARS];
    (void)state;
    for (size_t i = 0; i < YEARS; i++)
        at[i] = 2000;
    struct dense d = dense_solve(&straight, at);

    assert_dense(&t, &d, 1e-6);
    dense_free(&d);
    ipr_trajectory_release(&t);
}

/* Straight about the path itself: another start ends at the same path. */
static void test_bent_curve(void **state)
{
    struct ipr_trajectory t = fitted(&bent);
    double at[YEARS];
    (void)state;
    for (size_t i = 0; i < YEARS; i++)
        at[i] = 2400;
    for (int k = 0; k < 60; k++) {
        struct dense d = dense_solve(&bent, at);

        for (size_t i = 0; i < YEARS; i++)
            at[i] = gsl_vector_get(d.mean, i);
        dense_free(&d);
    }
    struct dense d = dense_solve(&bent, at);
    assert_dense(&t, &d, .5);
    dense_free(&d);
    ipr_trajectory_release(&t);
}

/* Mean and standard deviation of a weighted sum of the years. */
static void dense_sum(const struct dense *d, const double weight[YEARS], double *mean, double *sd)
{
    double variance = 0;

    *mean = 0;
    for (size_t i = 0; i < YEARS; i++) {
        *mean += weight[i] * gsl_vector_get(d->mean, i);
        for (size_t j = 0; j < YEARS; j++)
            variance += weight[i] * weight[j] * gsl_matrix_get(d->cov, i, j);
    }
    *sd = sqrt(variance);
}

static struct dense dense_straight(void)
{
    double at[YEARS];

    for (size_t i = 0; i < YEARS; i++)
        at[i] = 2000;
    return dense_solve(&straight, at);
}

/* Years that count are 1990 and 1991, 1995 and 1996, and 2001. The best of 2002, of 149 moves, does
 * not. */
static void test_peak(void **state)
{
    static const double weight[YEARS] = { [5] = .5, [6] = .5 };
    struct ipr_trajectory t = fitted(&straight);
    const struct ipr_trajectory_peak p = ipr_trajectory_peak(&t);
    struct dense d = dense_straight();
    bool carried[YEARS];
    double mean, sd;
    (void)state;
    dense_sum(&d, weight, &mean, &sd);
    assert_int_equal(p.years.from, 1995);
    assert_int_equal(p.years.to, 1996);
    assert_true(t.point[12].mean > p.at.mean);
    assert_close(p.at.mean, mean, 1e-6);
    assert_close(p.at.sd, sd, 1e-6);
    assert_true(p.at.lo < p.at.mean && p.at.mean < p.at.hi);
    assert_close(p.at.apart, hypot(p.at.sd, sqrt(.05) / (5. / 1600)), 1e-6);
    ipr_trajectory_carried(&t, carried);
    for (size_t i = 0; i < YEARS; i++)
        assert_int_equal(carried[i], i != 0 && i != 1 && i != 5 && i != 6);
    dense_free(&d);
    ipr_trajectory_release(&t);
}

static void test_spans(void **state)
{
    static const struct ipr_trajectory_span early = { 1990, 1992 }, late = { 1996, 2002 };
    static const struct ipr_trajectory_span thin = { 2002, 2003 }, empty = { 1993, 1994 };
    static const double weight[YEARS] = { [0] = -.5, [1] = -.5, [6] = .5, [11] = .5 };
    struct ipr_trajectory t = fitted(&straight);
    const struct ipr_trajectory_change c = ipr_trajectory_change(&t, early, late);
    struct dense d = dense_straight();
    double mean, sd;
    (void)state;
    dense_sum(&d, weight, &mean, &sd);
    assert_close(c.mean, mean, 1e-6);
    assert_close(c.sd, sd, 1e-6);
    assert_close(c.mean, ipr_trajectory_mean(&t, late).mean - ipr_trajectory_mean(&t, early).mean,
                 1e-9);
    assert_close(ipr_trajectory_mean(&t, thin).mean, t.point[12].mean, 1e-9);
    assert_close(ipr_trajectory_mean(&t, thin).hi, t.point[12].hi, .02);
    assert_close(ipr_trajectory_change(&t, late, late).sd, 0, 1e-9);
    assert_true(isnan(ipr_trajectory_mean(&t, empty).mean));
    assert_true(isnan(ipr_trajectory_change(&t, late, empty).sd));
    dense_free(&d);
    ipr_trajectory_release(&t);
}

/* The best windows of draws of the dense distribution. */
static void test_peak_within(void **state)
{
    static const size_t window[][2] = { { 0, 1 }, { 5, 6 } };
    struct ipr_trajectory t = fitted(&straight);
    const struct ipr_trajectory_span within = ipr_trajectory_peak_within(&t);
    struct dense d = dense_straight();
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_taus);
    gsl_vector *draw = gsl_vector_alloc(YEARS);
    double first = 0;
    (void)state;
    gsl_linalg_cholesky_decomp1(d.cov);
    for (int k = 0; k < DRAWS; k++) {
        double mean[2];

        gsl_ran_multivariate_gaussian(rng, d.mean, d.cov, draw);
        for (size_t i = 0; i < 2; i++)
            mean[i] = gsl_vector_get(draw, window[i][0]) + gsl_vector_get(draw, window[i][1]);
        first += (mean[0] > mean[1]) / (double)DRAWS;
    }
    assert_int_equal(within.from, first > .025 ? 1990 : 1995);
    assert_int_equal(within.to, 1996);
    gsl_vector_free(draw);
    gsl_rng_free(rng);
    dense_free(&d);
    ipr_trajectory_release(&t);
}

/* One year is the rating of that year, but for the event's variance. */
static void test_one_year(void **state)
{
    const struct ipr_trajectory_year year = { 2020, 12, 40, 0, 20 };
    struct ipr_trajectory t;
    (void)state;
    assert_ok(ipr_trajectory_fit(&model, &straight, PRIOR_MEAN, PRIOR_SD, &year, 1, &t, NULL),
              NULL);
    const struct ipr_strength_estimate e =
        ipr_strength_of_sums(&straight, year.score, year.information, PRIOR_MEAN, PRIOR_SD);
    const struct ipr_trajectory_peak p = ipr_trajectory_peak(&t);

    assert_int_equal(t.n, 1);
    assert_close(t.point[0].mean, e.raw,
                 40); /* the rating's prior weighs more: its z has more variance */
    assert_close(t.point[0].hi - t.point[0].lo, e.raw_hi - e.raw_lo, 20);
    assert_int_equal(p.years.from, 2020);
    assert_int_equal(p.years.to, 2020);
    assert_close(p.at.mean, t.point[0].mean, 1e-9);
    ipr_trajectory_release(&t);
}

static void test_ahead(void **state)
{
    struct ipr_trajectory t = fitted(&straight);
    const struct ipr_trajectory_point now = ipr_trajectory_ahead(&t, 0);
    const struct ipr_trajectory_point next = ipr_trajectory_ahead(&t, 1);
    (void)state;
    assert_close(now.mean, t.point[YEARS - 1].mean, 1e-9);
    assert_close(now.sd, t.point[YEARS - 1].sd, 1e-9);
    assert_true(next.sd > sqrt(now.sd * now.sd + model.walk) - 1e-9);
    assert_true(ipr_trajectory_log_density(&t) < 0);
    ipr_trajectory_release(&t);
}

/* Play rises by 30 Elo a decade until 2000, then stays; 1996 is the mean of the fit. */
static const struct ipr_strength_calibration rising = {
    .curve = { .knots = 2, .elo = { 1200, 2800 }, .z = { -3, 2 }, .var = { .01, .01 } },
    .spread = { .factor = 1.3, .player = .05, .event = .04 },
    .era = { .year = { 1980, 2000, 2020 },
             .elo = { 60, 60 },
             .centre = { { .8, .8 }, { 0, 0 } },
             .cov = { { 100, 0 }, { 0, 100 } } },
};

static void test_for_its_time(void **state)
{
    struct ipr_trajectory t = fitted(&rising), as_played = fitted(&rising);
    const struct ipr_trajectory_peak before = ipr_trajectory_peak(&t);
    (void)state;
    ipr_trajectory_for_its_time(&t);
    const struct ipr_trajectory_peak p = ipr_trajectory_peak(&t);

    for (size_t i = 0; i < YEARS; i++) {
        const double year = 1990 + (double)i, era = 3 * fmin(year, 2000) - 3 * 1996;
        const struct ipr_trajectory_point *const at = &t.point[i], *const was = &as_played.point[i];
        const double se = ipr_strength_era_se(&rising, at->mean, year);

        assert_close(at->mean, was->mean - era, 1e-6);
        assert_close(at->sd, hypot(was->sd, se), 1e-6);
        assert_close(at->apart, hypot(was->apart, se), 1e-6);
        assert_close(at->hi - at->mean, hypot(was->hi - was->mean, 1.959963985 * se), 1e-4);
        assert_close(at->mean - at->lo, hypot(was->mean - was->lo, 1.959963985 * se), 1e-4);
    }
    assert_int_equal(p.years.from,
                     before.years.from); /* 1995 and 1996: 3 and 0 below the mean of the fit */
    assert_close(p.at.mean, before.at.mean + 1.5, 1);
    assert_true(p.at.apart > before.at.apart && p.at.hi - p.at.lo > before.at.hi - before.at.lo);
    ipr_trajectory_release(&t);
    ipr_trajectory_release(&as_played);
}

/* A calibration without eras has none, and so has a career without dates. */
static void test_without_era(void **state)
{
    const struct ipr_trajectory_year undated = { 0, 12, 40, 0, 900 };
    struct ipr_trajectory t = fitted(&straight), u;
    const double was = t.point[3].mean;
    (void)state;
    ipr_trajectory_for_its_time(&t);
    assert_close(t.point[3].mean, was, 1e-9);
    ipr_trajectory_release(&t);
    assert_ok(ipr_trajectory_fit(&model, &rising, PRIOR_MEAN, PRIOR_SD, &undated, 1, &u, NULL),
              NULL);
    const double as_played = u.point[0].mean;
    ipr_trajectory_for_its_time(&u);
    assert_close(u.point[0].mean, as_played, 1e-9);
    assert_true(isnan(ipr_trajectory_peak(&u).rise.by.mean));
    ipr_trajectory_release(&u);
}

/* Years that count five apart: 1990 and 1995, 1991 and 1996, 1996 and 2001. */
static void test_rise(void **state)
{
    static const double weight[YEARS] = { [0] = -1, [5] = 1 };
    struct ipr_trajectory t = fitted(&straight);
    const struct ipr_trajectory_rise r = ipr_trajectory_peak(&t).rise;
    struct dense d = dense_straight();
    double mean, sd;
    (void)state;
    dense_sum(&d, weight, &mean, &sd);
    assert_int_equal(r.from, 1990);
    assert_int_equal(r.to, 1995);
    assert_close(r.by.mean, mean, 1e-6);
    assert_close(r.by.sd, sd, 1e-6);
    dense_free(&d);
    ipr_trajectory_release(&t);
}

/* A wrong date, ages before the games: nothing is left of the rise, and everything is finite. */
static void test_long_career(void **state)
{
    static const struct ipr_trajectory_year far[] = { { 201, 4, 20, .2, 600 },
                                                      { 2001, 30, 30, .1, 900 },
                                                      { 2002, 30, 30, .1, 900 } };
    struct ipr_trajectory t;
    (void)state;
    assert_ok(ipr_trajectory_fit(&model, &straight, PRIOR_MEAN, PRIOR_SD, far, 3, &t, NULL), NULL);
    for (size_t i = 0; i < t.n; i++)
        assert_true(isfinite(t.point[i].mean) && isfinite(t.point[i].lo));
    assert_int_equal(ipr_trajectory_peak(&t).years.from, 2001);
    assert_int_equal(ipr_trajectory_peak_within(&t).to, 2002);
    ipr_trajectory_release(&t);
}

static void test_refused(void **state)
{
    const struct ipr_trajectory_year backwards[] = { { 2001, 1, 1, 1, 9 }, { 2000, 1, 1, 1, 9 } };
    const struct ipr_trajectory_year empty = { 2001, 0, 0, 1, 9 };
    const struct ipr_trajectory_model still = { .walk = 0, .rise = 100, .damping = .8 };
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_trajectory t;
    (void)state;
    assert_int_equal(ipr_trajectory_fit(&model, &straight, 2000, 400, career, 0, &t, &err),
                     IPR_EDATA);
    ipr_err_clear(&err);
    assert_int_equal(ipr_trajectory_fit(&model, &straight, 2000, 400, backwards, 2, &t, &err),
                     IPR_EINVAL);
    assert_string_equal(err.msg, "year 2000 comes after 2001");
    assert_int_equal(ipr_trajectory_fit(&model, &straight, 2000, 400, &empty, 1, &t, &err),
                     IPR_EINVAL);
    assert_int_equal(ipr_trajectory_fit(&still, &straight, 2000, 400, career, 1, &t, &err),
                     IPR_EINVAL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_straight_curve), cmocka_unit_test(test_bent_curve),
        cmocka_unit_test(test_peak),           cmocka_unit_test(test_one_year),
        cmocka_unit_test(test_ahead),          cmocka_unit_test(test_refused),
        cmocka_unit_test(test_for_its_time),   cmocka_unit_test(test_without_era),
        cmocka_unit_test(test_rise),           cmocka_unit_test(test_spans),
        cmocka_unit_test(test_peak_within),    cmocka_unit_test(test_long_career),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
