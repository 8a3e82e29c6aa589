/* Held to vectors/rh_model.json, rh_fit.json and ipr.json (an independent implementation). */
#include <gsl/gsl_errno.h>
#include <stdlib.h>
#include <string.h>

#include "ipr_test.h"
#include "ipr_test_regan.h"
#include "ipr_test_vectors.h"
#include "model/ipr.h"
#include "model/regan_depth.h"
#include "model/regan_fit.h"
#include "model/regan_prob.h"

/* The vectors' conventions: tail = v_K, the move played last. */
static struct ipr_rh_params vector_params(const json_t *inputs)
{
    struct ipr_rh_params p = IPR_RH_PARAMS_INIT;

    p.tail = IPR_RH_TAIL_VK;
    p.order = IPR_PLAYED_LAST;
    p.k = (unsigned)ipr_test_num(inputs, "K");
    if (ipr_test_has(inputs, "cap"))
        p.cap = ipr_test_num(inputs, "cap");
    if (ipr_test_has(inputs, "tie"))
        p.tie_pawns = ipr_test_num(inputs, "tie");
    return p;
}

static struct ipr_rh_set *set_of(const json_t *file, const json_t *c)
{
    const struct ipr_rh_params p = vector_params(ipr_test_get(c, "inputs"));
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_rh_set *set = NULL;
    struct ipr_test_turns t;

    ipr_test_turns_of(file, c, &t);
    assert_ok(ipr_rh_set_new(&p, t.turns, NULL, t.n, &set, &err), &err);
    ipr_test_turns_release(&t);
    return set;
}

static void check_deltas(const json_t *c, const struct ipr_test_turns *t,
                         const struct ipr_rh_params *p)
{
    const json_t *want = ipr_test_get(ipr_test_get(c, "expected"), "delta");

    for (size_t i = 0; i < t->n; i++) {
        struct ipr_rh_list list;
        const json_t *row = json_array_get(want, i);
        ipr_rh_list(p, &t->turns[i], &list);
        assert_int_equal(list.lines + list.extra, json_array_size(row));
        for (size_t k = 0; k < json_array_size(row); k++) {
            const double d = json_number_value(json_array_get(row, k));
            const double got = k < list.lines ? list.delta[k] : list.extra_delta;
            ipr_test_near(got, d, ipr_test_tol(c, d), "delta %zu of turn %zu", k, i);
        }
    }
}

static enum ipr_rh_family family_of(const char *name)
{
    static const char *const names[] = { "exp", "ipa", "ipb", "secha", "sechb" };

    for (int i = 0; i < 5; i++)
        if (strcmp(names[i], name) == 0)
            return (enum ipr_rh_family)i;
    fail_msg("family %s", name);
    return IPR_RH_EXP;
}

static void check_one_probs(const json_t *c, const json_t *want, const struct ipr_rh_probs *p,
                            size_t turn)
{
    const json_t *lines = ipr_test_get(want, "lines");
    const json_t *tail = ipr_test_get(want, "tail_each");
    const json_t *extra = ipr_test_get(want, "extra");
    double sum = 0.0;

    assert_int_equal(p->lines, json_array_size(lines));
    for (unsigned i = 0; i < p->lines; i++) {
        const double x = json_number_value(json_array_get(lines, i));
        ipr_test_near(p->p[i], x, ipr_test_tol(c, x), "p %u of turn %zu", i, turn);
        sum += p->p[i];
    }
    assert_int_equal(p->tail, ipr_test_num(want, "tail_count"));
    if (json_is_number(tail))
        ipr_test_near(p->tail_each, json_number_value(tail), ipr_test_tol(c, 0.0), "tail");
    if (json_is_number(extra))
        ipr_test_near(p->extra, json_number_value(extra), ipr_test_tol(c, 0.0), "extra");
    ipr_test_near(sum + p->tail * p->tail_each + p->extra, 1.0, 1e-12, "sum of turn %zu", turn);
}

static void check_probs(const json_t *file, const json_t *c)
{
    const json_t *in = ipr_test_get(c, "inputs");
    const json_t *want = ipr_test_get(ipr_test_get(c, "expected"), "p");
    struct ipr_rh_params p = vector_params(in);
    struct ipr_test_turns t;

    p.family = family_of(json_string_value(ipr_test_get(in, "family")));
    p.conversion = strcmp(json_string_value(ipr_test_get(in, "conversion")), "norm") == 0
                       ? IPR_RH_NORM
                       : IPR_RH_POWER;
    ipr_test_turns_of(file, c, &t);
    for (size_t i = 0; i < t.n; i++) {
        struct ipr_err err = IPR_ERR_INIT;
        struct ipr_rh_probs got;
        assert_ok(
            ipr_rh_probs(&p, &t.turns[i], ipr_test_num(in, "s"), ipr_test_num(in, "c"), &got, &err),
            &err);
        check_one_probs(c, json_array_get(want, i), &got, i);
    }
    ipr_test_turns_release(&t);
}

static void check_depths(const json_t *c)
{
    const json_t *in = ipr_test_get(c, "inputs");
    double w[IPR_RH_DEPTHS_MAX];
    const size_t depths = ipr_test_array(ipr_test_get(in, "weights"), w, IPR_RH_DEPTHS_MAX);
    size_t turn;
    json_t *moves;

    json_array_foreach(ipr_test_get(in, "delta_move_depth"), turn, moves) {
        const json_t *want = json_array_get(ipr_test_get(ipr_test_get(c, "expected"), "p"), turn);
        const size_t n = json_array_size(moves);
        double *delta = calloc(n * depths, sizeof *delta);
        double p[256];

        for (size_t i = 0; i < n; i++)
            ipr_test_array(json_array_get(moves, i), &delta[i * depths], depths);
        ipr_test_depth_probs(delta, w, n, depths, ipr_test_num(in, "s"), ipr_test_num(in, "c"), p);
        for (size_t i = 0; i < n; i++)
            ipr_test_near(p[i], json_number_value(json_array_get(want, i)), ipr_test_tol(c, 1.0),
                          "p %zu of turn %zu", i, turn);
        free(delta);
    }
}

static void test_model(void **state)
{
    json_t *file = ipr_test_vectors("rh_model.json");
    size_t i;
    json_t *c;

    (void)state;
    json_array_foreach(json_object_get(file, "cases"), i, c) {
        const json_t *expected = ipr_test_get(c, "expected");
        if (ipr_test_has(expected, "delta")) {
            const struct ipr_rh_params p = vector_params(ipr_test_get(c, "inputs"));
            struct ipr_test_turns t;
            ipr_test_turns_of(file, c, &t);
            check_deltas(c, &t, &p);
            ipr_test_turns_release(&t);
        } else if (ipr_test_has(ipr_test_get(c, "inputs"), "family")) {
            check_probs(file, c);
        } else {
            check_depths(c);
        }
    }
    json_decref(file);
}

#define CHECK(got, object, key, tol)                                                               \
    ipr_test_near((got), ipr_test_num(object, key), (tol), "%s", key)

static void check_aggregates(const struct ipr_rh_set *set, const json_t *c)
{
    const json_t *at = ipr_test_get(ipr_test_get(c, "expected"), "at");
    struct ipr_rh_aggregates *a = malloc(sizeof *a);
    size_t i;
    json_t *w;

    json_array_foreach(at, i, w) {
        struct ipr_err err = IPR_ERR_INIT;
        const double tol = ipr_test_tol(c, 0.0);
        const json_t *r = ipr_test_get(w, "R_q");
        assert_ok(ipr_rh_aggregates(set, ipr_test_num(w, "s"), ipr_test_num(w, "c"), a, &err),
                  &err);
        CHECK(a->mm_p, w, "mm_p", tol);
        CHECK(a->mm_a, w, "mm_a", tol);
        CHECK(a->ad_p, w, "ad_p", tol);
        CHECK(a->ad_a, w, "ad_a", tol);
        CHECK(a->qfit, w, "qfit", tol);
        CHECK(a->loglik, w, "loglik", tol);
        CHECK(a->s_score, w, "S", tol);
        for (size_t k = 0; k < json_array_size(r); k++)
            ipr_test_near(a->r_q[k], json_number_value(json_array_get(r, k)), tol, "R_q %zu", k);
        for (size_t k = 0; k < a->k; k++) {
            ipr_test_near(a->m_p[k], json_number_value(json_array_get(ipr_test_get(w, "M_p"), k)),
                          tol, "M_p %zu", k);
            ipr_test_near(a->m_a[k], json_number_value(json_array_get(ipr_test_get(w, "M_a"), k)),
                          tol, "M_a %zu", k);
        }
    }
    free(a);
}

static const char *const kind_name[] = { "moments", "percentile", "mle" };

static void check_fits(const struct ipr_rh_set *set, const json_t *c)
{
    for (int kind = IPR_RH_MOMENTS; kind <= IPR_RH_MLE; kind++) {
        const struct ipr_rh_fit_options o = { .kind = (enum ipr_rh_fit_kind)kind };
        const json_t *w = ipr_test_get(ipr_test_get(c, "expected"), kind_name[kind]);
        const json_t *tol = ipr_test_get(ipr_test_get(c, "tolerance"), kind_name[kind]);
        const double rel = ipr_test_num(tol, "rel");
        struct ipr_err err = IPR_ERR_INIT;
        struct ipr_rh_fit f;

        assert_ok(ipr_rh_fit(set, &o, &f, &err), &err);
        assert_true(f.converged && f.cov_known);
        if (kind == IPR_RH_PERCENTILE)
            assert_true(f.s_score <= ipr_test_num(w, "S") + ipr_test_num(tol, "S_not_above_by"));
        CHECK(f.s, w, "s", rel * ipr_test_num(w, "s"));
        CHECK(f.c, w, "c", rel * ipr_test_num(w, "c"));
        if (kind == IPR_RH_MLE)
            CHECK(f.loglik, w, "loglik", ipr_test_num(tol, "loglik_abs"));
    }
}

static void check_covariance(const struct ipr_rh_set *set, const json_t *c)
{
    for (int kind = IPR_RH_MOMENTS; kind <= IPR_RH_MLE; kind++) {
        const struct ipr_rh_fit_options o = { .kind = (enum ipr_rh_fit_kind)kind };
        const json_t *w = json_object_get(ipr_test_get(c, "expected"), kind_name[kind]);
        struct ipr_err err = IPR_ERR_INIT;
        struct ipr_rh_fit f;

        if (w == NULL)
            continue;
        assert_ok(ipr_rh_fit(set, &o, &f, &err), &err);
        for (size_t k = 0; k < 4; k++) {
            const double v = json_number_value(json_array_get(json_array_get(w, k / 2), k % 2));
            ipr_test_near(f.cov[k], v, ipr_test_tol(c, v), "%s cov %zu", kind_name[kind], k);
        }
    }
}

static void check_fit_s(const struct ipr_rh_set *set, const json_t *c)
{
    for (int kind = IPR_RH_MOMENTS; kind <= IPR_RH_MLE; kind++) {
        const struct ipr_rh_fit_options o = { .kind = (enum ipr_rh_fit_kind)kind };
        const double w = ipr_test_num(ipr_test_get(c, "expected"), kind_name[kind]);
        struct ipr_err err = IPR_ERR_INIT;
        double s;

        assert_ok(ipr_rh_fit_s(set, &o, ipr_test_num(ipr_test_get(c, "inputs"), "c"), &s, &err),
                  &err);
        ipr_test_near(s, w, ipr_test_tol(c, w), "s at fixed c, %s", kind_name[kind]);
    }
}

static void check_no_interior(const struct ipr_rh_set *set)
{
    for (int kind = IPR_RH_MOMENTS; kind <= IPR_RH_RMLE; kind++) {
        const struct ipr_rh_fit_options o = { (enum ipr_rh_fit_kind)kind, 0.01 };
        struct ipr_err err = IPR_ERR_INIT;
        struct ipr_rh_fit f;
        assert_int_equal(ipr_rh_fit(set, &o, &f, &err), IPR_EDATA);
    }
}

/* The line of c on Elo does not depend on the reference set: any will do. */
static void check_c_line(const json_t *file, const json_t *c)
{
    const json_t *in = ipr_test_get(c, "inputs");
    const json_t *want = ipr_test_get(ipr_test_get(c, "expected"), "c_fit");
    const size_t n = json_array_size(ipr_test_get(in, "elo"));
    struct ipr_milepost *m = calloc(n, sizeof *m);
    struct ipr_rh_set *set = set_of(file, json_array_get(ipr_test_get(file, "cases"), 0));
    struct ipr_calibration cal;
    struct ipr_err err = IPR_ERR_INIT;

    for (size_t i = 0; i < n; i++) {
        m[i].elo = json_number_value(json_array_get(ipr_test_get(in, "elo"), i));
        m[i].c = json_number_value(json_array_get(ipr_test_get(in, "c"), i));
        m[i].s = 0.1;
        m[i].turns = 1;
    }
    assert_ok(ipr_calibration_line(m, n, set, &cal, &err), &err);
    for (size_t i = 0; i < n; i++) {
        const double w = json_number_value(json_array_get(want, i));
        ipr_test_near(m[i].c_fit, w, ipr_test_tol(c, w), "c_fit %zu", i);
    }
    ipr_rh_set_free(&set);
    free(m);
}

static void test_fit(void **state)
{
    json_t *file = ipr_test_vectors("rh_fit.json");
    size_t i;
    json_t *c;

    (void)state;
    json_array_foreach(json_object_get(file, "cases"), i, c) {
        const json_t *expected = ipr_test_get(c, "expected");
        const char *name = json_string_value(ipr_test_get(c, "name"));
        struct ipr_rh_set *set = NULL;

        if (ipr_test_has(expected, "c_fit")) {
            check_c_line(file, c);
            continue;
        }
        set = set_of(file, c);
        if (ipr_test_has(expected, "at"))
            check_aggregates(set, c);
        else if (ipr_test_has(expected, "note"))
            check_no_interior(set);
        else if (strstr(name, "fixed c") != NULL)
            check_fit_s(set, c);
        else if (strstr(name, "covariance") != NULL)
            check_covariance(set, c);
        else
            check_fits(set, c);
        ipr_rh_set_free(&set);
    }
    json_decref(file);
}

/* Calibration of a case; the caller frees the reference set. */
static void calibrate(const json_t *file, const json_t *c, struct ipr_calibration *cal,
                      struct ipr_rh_set **reference, bool check)
{
    const json_t *in = ipr_test_get(c, "inputs");
    const json_t *want = ipr_test_get(c, "expected");
    const json_t *rows = ipr_test_get(in, "mileposts");
    const struct ipr_rh_params p = vector_params(in);
    const size_t n = json_array_size(rows);
    struct ipr_milepost *m = calloc(n, sizeof *m);
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_test_turns t;

    (void)file;
    ipr_test_turns_read(ipr_test_get(in, "reference_turns"), p.k, &t);
    assert_ok(ipr_rh_set_new(&p, t.turns, NULL, t.n, reference, &err), &err);
    ipr_test_turns_release(&t);
    for (size_t i = 0; i < n; i++) {
        const json_t *r = json_array_get(rows, i);
        m[i].elo = ipr_test_num(r, "elo");
        m[i].s = ipr_test_num(r, "s");
        m[i].c = ipr_test_num(r, "c");
        m[i].turns = (size_t)ipr_test_num(r, "turns");
    }
    assert_ok(ipr_calibration_line(m, n, *reference, cal, &err), &err);
    for (size_t i = 0; i < n && check; i++) {
        const double w = json_number_value(json_array_get(ipr_test_get(want, "ae_ref"), i));
        ipr_test_near(m[i].ae_ref, w, ipr_test_tol(c, w), "ae_ref %zu", i);
    }
    if (check) {
        CHECK(cal->a, want, "a", ipr_test_tol(c, ipr_test_num(want, "a")));
        CHECK(cal->b, want, "b", ipr_test_tol(c, ipr_test_num(want, "b")));
        CHECK(cal->residual_variance, want, "residual_variance",
              ipr_test_tol(c, ipr_test_num(want, "residual_variance")));
    }
    free(m);
}

static void check_rating(const json_t *file, const json_t *c)
{
    const json_t *cases = ipr_test_get(file, "cases");
    const json_t *w = ipr_test_get(c, "expected");
    const json_t *tol = ipr_test_get(c, "tolerance");
    const json_t *of = ipr_test_get(ipr_test_get(c, "inputs"), "calibration_of_case");
    const double abs_tol = ipr_test_num(tol, "ipr_abs");
    const double sd_rel = ipr_test_num(tol, "sd_rel");
    const double end_tol = abs_tol + 2.0 * sd_rel * ipr_test_num(w, "sd");
    const struct ipr_rh_fit_options o = { .kind = IPR_RH_MOMENTS };
    struct ipr_rh_set *reference = NULL;
    struct ipr_rh_set *set = set_of(file, c);
    struct ipr_rh_bootstrap boot;
    struct ipr_calibration cal;
    struct ipr_rating r;
    struct ipr_err err = IPR_ERR_INIT;

    calibrate(file, json_array_get(cases, (size_t)json_integer_value(of)), &cal, &reference, false);
    assert_ok(ipr_ipr(&cal, reference, set, &o, &r, &err), &err);
    CHECK(r.fit.s, w, "s", ipr_test_num(tol, "s_c_rel") * ipr_test_num(w, "s"));
    CHECK(r.fit.c, w, "c", ipr_test_num(tol, "s_c_rel") * ipr_test_num(w, "c"));
    CHECK(r.ae, w, "ae", 1e-6);
    CHECK(r.ae_se, w, "ae_sd", sd_rel * ipr_test_num(w, "ae_sd"));
    CHECK(r.ipr, w, "ipr", abs_tol);
    CHECK(r.se, w, "sd", sd_rel * ipr_test_num(w, "sd"));
    CHECK(r.sampling.lo, w, "low", end_tol); /* they take the line for known */
    CHECK(r.sampling.hi, w, "high", end_tol);
    for (size_t k = 0; k < 4; k++) {
        const double v =
            json_number_value(json_array_get(json_array_get(ipr_test_get(w, "V"), k / 2), k % 2));
        ipr_test_near(r.fit.cov[k], v, sd_rel * fabs(v), "V %zu", k);
    }
    assert_int_equal(r.fit.turns, ipr_test_num(w, "turns"));
    assert_int_equal(r.fit.games, ipr_test_num(w, "games"));
    assert_int_equal(r.extrapolated, json_is_true(ipr_test_get(w, "extrapolated")));
    assert_ok(ipr_rh_bootstrap(set, &r.fit, reference, 400, 7, &boot, &err), &err);
    CHECK(cal.b * boot.ae_sd, w, "bootstrap_sd",
          ipr_test_num(tol, "bootstrap_sd_rel") * ipr_test_num(w, "bootstrap_sd"));
    ipr_rh_set_free(&set);
    ipr_rh_set_free(&reference);
}

static void check_concordance(const json_t *file, const json_t *c)
{
    const json_t *in = ipr_test_get(c, "inputs");
    const json_t *w = ipr_test_get(c, "expected");
    const double tol = ipr_test_tol(c, 0.0);
    const struct ipr_concordance_options o = { .replicates = 200, .seed = 5 };
    struct ipr_rh_set *set = set_of(file, c);
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_concordance k;

    assert_ok(ipr_concordance(set, ipr_test_num(in, "s"), ipr_test_num(in, "c"), &o, &k, &err),
              &err);
    CHECK(k.mm_p, w, "mm_p", tol);
    CHECK(k.mm_a, w, "mm_a", tol);
    CHECK(k.ad_p, w, "ad_p", tol);
    CHECK(k.ad_a, w, "ad_a", tol);
    CHECK(k.sigma_mm, w, "sigma_mm", tol);
    CHECK(k.sigma_ad, w, "sigma_ad", tol);
    CHECK(k.factor_mm, w, "factor_mm", tol);
    CHECK(k.factor_ad, w, "factor_ad", tol);
    CHECK(k.z_mm_unclustered, w, "z_mm_unclustered", tol);
    CHECK(k.z_ad_unclustered, w, "z_ad_unclustered", tol);
    CHECK(k.z_mm, w, "z_mm", tol);
    CHECK(k.z_ad, w, "z_ad", tol);
    assert_true(k.tail_mm > 0.0 && k.tail_mm <= 1.0 && k.tail_ad > 0.0 && k.tail_ad <= 1.0);
    ipr_rh_set_free(&set);
}

static void test_ipr(void **state)
{
    json_t *file = ipr_test_vectors("ipr.json");
    size_t i;
    json_t *c;

    (void)state;
    json_array_foreach(json_object_get(file, "cases"), i, c) {
        const json_t *expected = ipr_test_get(c, "expected");

        if (ipr_test_has(expected, "ae_ref")) {
            struct ipr_rh_set *reference = NULL;
            struct ipr_calibration cal;
            calibrate(file, c, &cal, &reference, true);
            ipr_rh_set_free(&reference);
        } else if (ipr_test_has(expected, "ipr")) {
            check_rating(file, c);
        } else {
            check_concordance(file, c);
        }
    }
    json_decref(file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_model),
        cmocka_unit_test(test_fit),
        cmocka_unit_test(test_ipr),
    };

    gsl_set_error_handler_off();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
