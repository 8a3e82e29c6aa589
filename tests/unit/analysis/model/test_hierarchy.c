/* The hierarchical model against vectors of an implementation by dense matrices, and what must hold
 * for any estimates. */
#include <gsl/gsl_errno.h>
#include <gsl/gsl_randist.h>
#include <stdlib.h>

#include "ipr_test.h"
#include "ipr_test_vectors.h"
#include "model/hierarchy.h"

enum { MOST = 600 };

static struct ipr_hierarchy posterior(const struct ipr_hierarchy_entry *entries, size_t n)
{
    struct ipr_hierarchy_params params = ipr_hierarchy_default();
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_hierarchy h;

    params.draws = 8000;
    assert_ok(ipr_hierarchy(entries, n, &params, &h, &err), &err);
    assert_int_equal(h.n, n);
    return h;
}

/* ---- the vectors ---- */

static size_t read_entries(const json_t *in, struct ipr_hierarchy_entry *out)
{
    double player[MOST], year[MOST], estimate[MOST], se[MOST];
    const size_t n = ipr_test_array(ipr_test_get(in, "player"), player, MOST);

    ipr_test_array(ipr_test_get(in, "year"), year, MOST);
    ipr_test_array(ipr_test_get(in, "estimate"), estimate, MOST);
    ipr_test_array(ipr_test_get(in, "se"), se, MOST);
    for (size_t i = 0; i < n; i++)
        out[i] = (struct ipr_hierarchy_entry){ (int64_t)player[i], (int32_t)year[i], estimate[i],
                                               se[i] };
    return n;
}

static double expected_at(const json_t *w, const char *key, size_t i)
{
    return json_number_value(json_array_get(ipr_test_get(w, key), i));
}

static void check_row(const struct ipr_hierarchy_row *r, const json_t *w, const json_t *tol,
                      size_t i)
{
    const double sd = expected_at(w, "sd", i), quantile = ipr_test_num(tol, "quantile_in_sd") * sd;

    ipr_test_near(r->mean, expected_at(w, "mean", i), ipr_test_num(tol, "mean_in_sd") * sd,
                  "mean of %zu", i);
    ipr_test_near(r->sd / sd, 1.0, ipr_test_num(tol, "sd_rel"), "sd of %zu", i);
    ipr_test_near(r->interval.lo, expected_at(w, "low", i), quantile, "low of %zu", i);
    ipr_test_near(r->interval.hi, expected_at(w, "high", i), quantile, "high of %zu", i);
    ipr_test_near(r->best, expected_at(w, "best", i), ipr_test_num(tol, "best_abs"), "best %zu", i);
    ipr_test_near(r->best_year, expected_at(w, "best_year", i), ipr_test_num(tol, "best_abs"),
                  "best year %zu", i);
    ipr_test_near((double)r->rank_low, expected_at(w, "rank_low", i), ipr_test_num(tol, "rank"),
                  "lower rank of %zu", i);
    ipr_test_near((double)r->rank_high, expected_at(w, "rank_high", i), ipr_test_num(tol, "rank"),
                  "upper rank of %zu", i);
}

static void test_vectors(void **state)
{
    json_t *file = ipr_test_vectors("hierarchy.json");
    size_t k;
    json_t *c;

    (void)state;
    json_array_foreach(json_object_get(file, "cases"), k, c) {
        const json_t *w = ipr_test_get(c, "expected"), *tol = ipr_test_get(c, "tolerance");
        struct ipr_hierarchy_entry entries[MOST];
        const size_t n = read_entries(ipr_test_get(c, "inputs"), entries);
        struct ipr_hierarchy h = posterior(entries, n);
        const double tau = ipr_test_num(w, "tau"), drift = ipr_test_num(w, "drift");

        for (size_t i = 0; i < n; i++)
            check_row(&h.rows[i], w, tol, i);
        assert_close(h.mu, ipr_test_num(w, "mu"), ipr_test_num(tol, "mu_in_tau") * tau);
        assert_close(h.tau, tau, ipr_test_num(tol, "tau_rel") * tau);
        assert_close(h.drift, drift, ipr_test_num(tol, "drift_rel") * drift);
        assert_close(h.q / ipr_test_num(w, "q"), 1.0, ipr_test_num(tol, "q_rel"));
        assert_close(h.p, ipr_test_num(w, "p"), 1e-7);
        assert_int_equal(h.distinct, ipr_test_num(w, "p") < 0.05);
        ipr_hierarchy_release(&h);
    }
    json_decref(file);
}

/* Gelman et al., table 5.2 (posterior medians of the eight schools, which have flat tau, too). */
static void test_published(void **state)
{
    static const double y[] = { 28, 8, -3, 7, -1, 1, 18, 12 };
    static const double se[] = { 15, 10, 16, 11, 9, 11, 10, 18 };
    static const double median[] = { 10, 8, 7, 8, 5, 6, 10, 8 };
    struct ipr_hierarchy_entry schools[8];

    (void)state;
    for (size_t i = 0; i < 8; i++)
        schools[i] = (struct ipr_hierarchy_entry){ (int64_t)i, 1, y[i], se[i] };
    struct ipr_hierarchy h = posterior(schools, 8);
    for (size_t i = 0; i < 8; i++)
        assert_close(h.rows[i].mean, median[i], 1.5); /* means are above the medians */
    assert_false(h.distinct);
    assert_close(h.apart, 0.0, 0.0);
    ipr_hierarchy_release(&h);
}

/* ---- simulated fields ---- */

struct field {
    struct ipr_hierarchy_entry entries[MOST];
    double theta[MOST];
    size_t n;
};

/* Players of `years` years each, every second calendar year. */
static void field_simulate(gsl_rng *rng, size_t players, size_t years, double tau, double drift,
                           double se, struct field *f)
{
    f->n = 0;
    for (size_t p = 0; p < players; p++) {
        double theta = gsl_ran_gaussian(rng, tau);

        for (size_t y = 0; y < years; y++) {
            if (y > 0)
                theta += gsl_ran_gaussian(rng, drift * sqrt(2.0));
            f->theta[f->n] = theta;
            f->entries[f->n++] =
                (struct ipr_hierarchy_entry){ (int64_t)p, 1900 + 2 * (int32_t)y,
                                              theta + gsl_ran_gaussian(rng, se), se };
        }
    }
}

static size_t true_rank(const struct field *f, size_t i)
{
    size_t rank = 1;

    for (size_t j = 0; j < f->n; j++)
        rank += f->theta[j] > f->theta[i];
    return rank;
}

/* Intervals contain the true values as often as they say, and the posterior is nearer to them. */
static void test_coverage(void **state)
{
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    size_t within = 0, ranks_within = 0, all = 0;
    double raw = 0.0, posterior_error = 0.0;
    struct field f;

    (void)state;
    for (size_t k = 0; k < 12; k++) {
        field_simulate(rng, 25, 4, 0.5, 0.1, 0.3, &f);
        struct ipr_hierarchy h = posterior(f.entries, f.n);

        for (size_t i = 0; i < f.n; i++) {
            const struct ipr_hierarchy_row *r = &h.rows[i];
            const size_t rank = true_rank(&f, i);

            within += r->interval.lo <= f.theta[i] && f.theta[i] <= r->interval.hi;
            ranks_within += r->rank_low <= rank && rank <= r->rank_high;
            raw += pow(f.entries[i].estimate - f.theta[i], 2.0);
            posterior_error += pow(r->mean - f.theta[i], 2.0);
        }
        all += f.n;
        ipr_hierarchy_release(&h);
    }
    gsl_rng_free(rng);
    assert_close((double)within / (double)all, 0.95, 0.03);
    assert_close((double)ranks_within / (double)all, 0.95, 0.03);
    assert_true(posterior_error < 0.5 * raw);
}

/* The same in another order; each player's years share a probability of 1. */
static void test_order(void **state)
{
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    struct ipr_hierarchy_entry shuffled[MOST];
    double best = 0.0, best_year = 0.0;
    struct field f;

    (void)state;
    field_simulate(rng, 10, 3, 0.5, 0.1, 0.2, &f);
    gsl_rng_free(rng);
    for (size_t i = 0; i < f.n; i++)
        shuffled[i * 7 % f.n] = f.entries[i];
    struct ipr_hierarchy a = posterior(f.entries, f.n), b = posterior(shuffled, f.n);
    for (size_t i = 0; i < f.n; i++) {
        const struct ipr_hierarchy_row *r = &b.rows[i * 7 % f.n];

        assert_close(r->mean, a.rows[i].mean, 1e-9);
        assert_close(r->interval.lo, a.rows[i].interval.lo, 1e-6);
        assert_int_equal(r->rank_low, a.rows[i].rank_low);
        best += a.rows[i].best;
        best_year += a.rows[i].best_year;
    }
    assert_close(best, 1.0, 1e-9);
    assert_close(best_year, 10.0, 1e-9);
    ipr_hierarchy_release(&a);
    ipr_hierarchy_release(&b);
}

/* Precise estimates far apart are ranked as they are; the two of one player lie nearer. */
static void test_sharp(void **state)
{
    const struct ipr_hierarchy_entry four[] = { { 1, 1990, 3.0, 0.01 },
                                                { 2, 1990, 1.0, 0.01 },
                                                { 3, 1990, 2.0, 0.01 },
                                                { 3, 1991, 2.1, 5.0 } };
    struct ipr_hierarchy h = posterior(four, 3);

    (void)state;
    assert_true(h.distinct);
    assert_close(h.apart, 1.0, 0.0);
    assert_close(h.rows[0].best, 1.0, 1e-9);
    assert_int_equal(h.rows[1].rank_low, 3);
    assert_close(h.drift, 0.0, 0.0);
    ipr_hierarchy_release(&h);
    h = posterior(four, 4);
    assert_true(h.rows[3].sd < 2.0 && h.rows[3].sd > h.rows[2].sd);
    ipr_hierarchy_release(&h);
}

static void test_refused(void **state)
{
    struct ipr_hierarchy_entry two[] = { { 1, 1990, 0.1, 0.1 }, { 1, 1991, 0.2, 0.1 } };
    struct ipr_hierarchy_params params = ipr_hierarchy_default();
    struct ipr_hierarchy h = { .n = 77 };

    (void)state;
    assert_int_equal(ipr_hierarchy(two, 1, &params, &h, NULL), IPR_EDATA);
    two[1].year = 1990;
    assert_int_equal(ipr_hierarchy(two, 2, &params, &h, NULL), IPR_EINVAL);
    two[1] = (struct ipr_hierarchy_entry){ 2, 1990, NAN, 0.1 };
    assert_int_equal(ipr_hierarchy(two, 2, &params, &h, NULL), IPR_EINVAL);
    two[1] = (struct ipr_hierarchy_entry){ 2, 1990, 0.2, 0.0 };
    assert_int_equal(ipr_hierarchy(two, 2, &params, &h, NULL), IPR_EINVAL);
    two[1].se = 0.1;
    params.draws = 99;
    assert_int_equal(ipr_hierarchy(two, 2, &params, &h, NULL), IPR_EINVAL);
    assert_int_equal(h.n, 77);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_vectors),  cmocka_unit_test(test_published),
        cmocka_unit_test(test_coverage), cmocka_unit_test(test_order),
        cmocka_unit_test(test_sharp),    cmocka_unit_test(test_refused),
    };

    gsl_set_error_handler_off();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
