/* Calibrations made from figures, and figures that are refused. */
#include "calibration.h"

#include "model/ipr.h"
#include "model/regan_prob.h"

static void record_names_its_source(void **state)
{
    json_t *record = make_record();
    const json_t *mileposts = json_object_get(record, "mileposts");

    (void)state;
    assert_string_equal(ipr_json_text_at(record, "name"), "standard");
    assert_string_equal(ipr_json_text_at(record, "method.fit"), "moments");
    assert_string_equal(ipr_json_text_at(record, "judge.engine"), "Engine 1");
    assert_int_equal(json_array_size(mileposts), 7);
    assert_int_equal(strlen(ipr_json_text_at(record, "figures_digest")), 64);
    assert_close(ipr_json_at(record, "games", 0.0), 280.0, 0.0);
    assert_close(ipr_json_at(record, "reference.size", 0.0), 2394.0, 0.0); /* 7 x 342 */
    assert_true(ipr_json_at(record, "b", 0.0) > 0.0);
    assert_true(ipr_json_at(record, "residual_sd", 1e9) < 120.0);
    assert_close(ipr_json_at(json_array_get(mileposts, 0), "elo", 0.0), 1600.0, 2.0);
    assert_close(ipr_json_at(record, "elo_range.high", 0.0), 2800.0, 2.0);
    json_decref(record);
}

static void records_are_deterministic(void **state)
{
    json_t *a = make_record(), *b = ipr_sample_calibration_record("standard", &judge);
    char *first = json_dumps(a, JSON_COMPACT), *second = json_dumps(b, JSON_COMPACT);

    (void)state;
    assert_string_equal(first, second);
    free(first);
    free(second);
    json_decref(a);
    json_decref(b);
}

/* The turns of a milepost that count, as a set. */
static struct ipr_rh_set *milepost_set(int i, struct ipr_arena *mem)
{
    const struct ipr_rh_params params = ipr_calibration_params(&judge);
    const struct ipr_window window = ipr_window_default(IPR_WINDOW_REGAN);
    const struct ipr_turn *turns = milepost_turns(i, mem);
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_rh_set *set = NULL;
    size_t keep[800];

    const size_t n = ipr_window_select(&window, turns, 800, keep, NULL);
    assert_ok(ipr_rh_set_new(&params, turns, keep, n, &set, &err), &err);
    return set;
}

static void fits_equal_model(void **state)
{
    static const char *const kinds[] = { "moments", "percentile", "mle", "rmle" };
    json_t *record = make_record();
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_arena mem = IPR_ARENA_INIT;

    (void)state;
    struct ipr_calibration_use *use = load_record(record);
    for (int i = 0; i < 7; i += 3) {
        const json_t *m = json_array_get(json_object_get(record, "mileposts"), (size_t)i);
        struct ipr_rh_set *set = milepost_set(i, &mem);

        for (int k = 0; k < 4; k++) {
            const struct ipr_rh_fit_options o = { .kind = (enum ipr_rh_fit_kind)k,
                                                  .random_share = use->random_share };
            const json_t *fit = json_object_get(json_object_get(m, "fits"), kinds[k]);
            struct ipr_rh_fit want;
            double ae, g[2], s_fit;

            assert_ok(ipr_rh_fit(set, &o, &want, &err), &err);
            near(fit, "s", want.s);
            near(fit, "c", want.c);
            near(fit, "s_se", want.s * sqrt(want.cov[0]));
            near(fit, "log_likelihood", want.loglik);
            near(fit, "mm.projected", want.mm_p);
            near(fit, "ad.actual", want.ad_a);
            near(fit, "percentile_score", want.s_score);
            assert_ok(ipr_rh_ae(use->reference, want.s, want.c, &ae, g, &err), &err);
            near(fit, "ae_ref", ae);
            near(fit, "ae_ref_se",
                 sqrt(g[0] * g[0] * want.cov[0] + 2 * g[0] * g[1] * want.cov[1] +
                      g[1] * g[1] * want.cov[3]));
            assert_ok(ipr_rh_fit_s(set, &o, ipr_json_at(fit, "c_fit", NAN), &s_fit, &err), &err);
            assert_close(ipr_json_at(fit, "s_fit", NAN), s_fit, 1e-4 * s_fit);
        }
        near(m, "s", ipr_json_at(m, "fits.moments.s", NAN));
        near(m, "s_fit", ipr_json_at(m, "fits.moments.s_fit", NAN));
        near(m, "ae_ref", ipr_json_at(m, "fits.moments.ae_ref", NAN));
        ipr_rh_set_free(&set);
    }
    near(record, "lines.moments.a", ipr_json_at(record, "a", NAN));
    ipr_calibration_free(&use);
    ipr_arena_release(&mem);
    json_decref(record);
}

static void band_surrounds_the_line(void **state)
{
    json_t *record = make_record();
    const json_t *band = json_object_get(record, "band"), *at;
    struct ipr_err err = IPR_ERR_INIT;
    size_t i;

    (void)state;
    struct ipr_calibration_use *use = load_record(record);
    assert_true(json_array_size(band) >= 12);
    json_array_foreach(band, i, at) {
        const double elo = ipr_json_at(at, "elo", NAN);
        double s, c;

        assert_true(fmod(elo, 100.0) == 0.0);
        assert_true(ipr_json_at(at, "interval.low", NAN) < elo);
        assert_true(ipr_json_at(at, "milepost_interval.low", NAN) <
                    ipr_json_at(at, "interval.low", NAN));
        assert_close(use->line.a - use->line.b * ipr_json_at(at, "ae_ref", NAN), elo, 0.1);
        assert_ok(ipr_calibration_agent(&use->line, use->reference, elo, &s, &c, &err), &err);
        near(at, "s", s);
        near(at, "c", c);
    }
    ipr_calibration_free(&use);
    json_decref(record);
}

static void score_curve_needs_results(void **state)
{
    json_t *record = make_record(), *without = NULL;
    const json_t *all = ipr_json_find(record, "score_curve.all");
    struct ipr_buf figures = IPR_BUF_INIT;
    struct ipr_err err = IPR_ERR_INIT;

    (void)state;
    assert_int_equal(json_array_size(ipr_json_find(record, "score_curve.bands")), 4);
    near(all, "positions", 5600.0);
    assert_true(ipr_json_at(all, "b", NAN) > 0.0);
    assert_true(ipr_json_at(all, "b_interval.low", NAN) < ipr_json_at(all, "b", NAN));
    assert_true(json_array_size(json_object_get(all, "points")) >= 5);

    ipr_sample_mileposts(&figures, &judge);
    ipr_buf_putc(&figures, '\0');
    for (char *p = figures.p; (p = strstr(p, "\"result\":")); p += 9) /* same length */
        memcpy(p, "\"resulx\":", 9);
    assert_ok(ipr_calibration_make("standard", ipr_str_c(figures.p), false, NULL, &without, &err),
              &err);
    assert_true(strlen(ipr_json_text_at(without, "score_curve.all.reason")) > 10);
    assert_true(json_is_null(ipr_json_find(without, "score_curve.all.a")));
    near(without, "a", ipr_json_at(record, "a", NAN)); /* nothing else needs results */
    near(without, "bayes.b", ipr_json_at(record, "bayes.b", NAN));
    ipr_buf_release(&figures);
    json_decref(without);
    json_decref(record);
}

/* A calibration that is stopped gives no record. */
static void a_stopped_calibration_gives_no_record(void **state)
{
    const atomic_bool stop = true;
    struct ipr_buf figures = IPR_BUF_INIT;
    struct ipr_err err = IPR_ERR_INIT;
    json_t *record = NULL;

    (void)state;
    ipr_sample_mileposts(&figures, &judge);
    assert_int_equal(ipr_calibration_make("standard", ipr_str_c(ipr_buf_c(&figures)), true, &stop,
                                          &record, &err),
                     IPR_ERETRY);
    assert_null(record);
    ipr_buf_release(&figures);
}

static void curve_families_are_compared(void **state)
{
    json_t *record = NULL;
    struct ipr_buf figures = IPR_BUF_INIT;
    struct ipr_err err = IPR_ERR_INIT;
    double loglik = 0.0;

    (void)state;
    ipr_sample_mileposts(&figures, &judge);
    assert_ok(
        ipr_calibration_make("standard", ipr_str_c(ipr_buf_c(&figures)), true, NULL, &record, &err),
        &err);
    const json_t *rows = json_object_get(record, "curve_families");
    assert_int_equal(json_array_size(rows), 10);
    const json_t *own = json_array_get(rows, 0);
    assert_string_equal(ipr_json_text_at(own, "curve"), "exp");
    assert_string_equal(ipr_json_text_at(own, "conversion"), "power");
    for (size_t i = 0; i < 7; i++)
        loglik += ipr_json_at(json_array_get(json_object_get(record, "mileposts"), i),
                              "fits.mle.log_likelihood", NAN);
    near(own, "mle.log_likelihood", loglik);
    near(own, "mle.mileposts", 7.0);
    for (size_t i = 1; i < 10; i++) /* the sample was drawn from that family */
        if (ipr_json_at(json_array_get(rows, i), "mle.mileposts", 0.0) > 6.5)
            assert_true(ipr_json_at(json_array_get(rows, i), "mle.log_likelihood", NAN) < loglik);
    ipr_buf_release(&figures);
    json_decref(record);
}

static void expect_bad(const char *text, uint32_t line, const char *type)
{
    struct ipr_err err = IPR_ERR_INIT;
    json_t *record = NULL;

    assert_int_equal(ipr_calibration_make("x", ipr_str_c(text), false, NULL, &record, &err),
                     IPR_EPARSE);
    assert_int_equal(err.line, line);
    assert_string_equal(err.type, type);
    assert_null(record);
}

static void bad_figures_are_located(void **state)
{
    const struct ipr_figures_player player = { 2000, 2, 3, 5 };
    struct ipr_judge other = judge;
    struct ipr_buf text = IPR_BUF_INIT;

    (void)state;
    expect_bad("", 0, "bad_figures");
    expect_bad("\n\n{]\n", 3, "bad_figures");
    expect_bad("{\"game\":1}\n", 1, "bad_figures");

    ipr_sample_figures(&text, &judge, &player, 0);
    ipr_buf_puts(&text, "{\"game\":1,\"milepost\":2000,\"elo\":\"high\"}\n");
    expect_bad(ipr_buf_c(&text), 3, "bad_figures");
    ipr_buf_reset(&text);
    ipr_sample_figures(&text, &judge, &player, 0);
    ipr_buf_puts(&text, "{\"game\":1,\"milepost\":2000,\"elo\":2000,\"mover\":\"w\",\"result\":0.4,"
                        "\"turns\":[]}\n");
    expect_bad(ipr_buf_c(&text), 3, "bad_figures");

    ipr_buf_reset(&text);
    other.depth = 11;
    ipr_sample_figures(&text, &judge, &player, 0);
    ipr_sample_figures(&text, &other, &player, 2);
    expect_bad(ipr_buf_c(&text), 3, "mixed_judges");

    ipr_buf_reset(&text); /* one milepost, then three with too few turns */
    ipr_sample_figures(&text, &judge, &player, 0);
    expect_bad(ipr_buf_c(&text), 0, "thin_milepost");
    ipr_sample_figures(&text, &judge, &(struct ipr_figures_player){ 2200, 2, 3, 6 }, 2);
    ipr_sample_figures(&text, &judge, &(struct ipr_figures_player){ 2400, 2, 3, 7 }, 4);
    expect_bad(ipr_buf_c(&text), 0, "thin_milepost");
    ipr_buf_release(&text);
}

static void turns_must_agree_with_their_judge(void **state)
{
    static const char line[] =
        "{\"game\":1,\"milepost\":2000,\"elo\":2000,\"year\":2001,\"mover\":\"w\",\"judge\":{"
        "\"name\":\"three\",\"engine\":\"Engine 1\",\"network\":\"net\",\"multipv\":3,\"limit\":"
        "{\"depth\":10},\"threads\":1,\"hash_mb\":16,\"clear\":\"position\",\"first_move\":9},"
        "\"turns\":[{\"ply\":16,\"played\":%d,\"legal\":%d,\"repeated\":false,\"cp\":%s}]}\n";
    static const struct {
        int played, legal;
        const char *cp;
    } cases[] = {
        { 3, 20, "[30,20,10]" },     /* no such line */
        { 0, 20, "[30,20]" },        /* a line is missing */
        { 0, 20, "[30,20,10,5,0]" }, /* too many */
        { 0, 2, "[30,20,10,0]" },    /* more lines than legal moves */
        { 0, 20, "[]" },
        { 0, 20, "[30,20,1.5]" },
        { 0, 0, "[30,20,10]" },
    };
    char text[700];

    (void)state;
    snprintf(text, sizeof text, line, 0, 20, "[30,20,10]"); /* only too few */
    expect_bad(text, 0, "thin_milepost");
    snprintf(text, sizeof text, line, 3, 20, "[30,20,10,-50]");
    expect_bad(text, 0, "thin_milepost");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        snprintf(text, sizeof text, line, cases[i].played, cases[i].legal, cases[i].cp);
        expect_bad(text, 1, "bad_figures");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(record_names_its_source),
        cmocka_unit_test(records_are_deterministic),
        cmocka_unit_test(fits_equal_model),
        cmocka_unit_test(band_surrounds_the_line),
        cmocka_unit_test(score_curve_needs_results),
        cmocka_unit_test(a_stopped_calibration_gives_no_record),
        cmocka_unit_test(curve_families_are_compared),
        cmocka_unit_test(bad_figures_are_located),
        cmocka_unit_test(turns_must_agree_with_their_judge),
    };

    return cmocka_run_group_tests(tests, NULL, release_record);
}
