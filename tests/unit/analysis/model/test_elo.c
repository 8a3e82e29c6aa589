/* Held to vectors/elo.json (an independent implementation), and the domain's edges. */
#include <gsl/gsl_errno.h>

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
    json_array_foreach(json_object_get(file, "cases"), i, c)
    {
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

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_vectors),
                                        cmocka_unit_test(test_edges) };

    gsl_set_error_handler_off();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
