#include "view/calibration/calibration.h"

#include <stdlib.h>
#include <string.h>

#include "ipr_figures_sample.h"
#include "ipr_test.h"
#include "ipr_view_sample.h"
#include "model/ipr.h"
#include "model/regan_prob.h"
#include "stats/line.h"
#include "view/calibration/use.h"
#include "view/json.h"

static const struct ipr_judge judge = { .name = "twelve",
                                        .engine = "Engine 1",
                                        .network = "net",
                                        .multipv = 12,
                                        .depth = 10,
                                        .hash_mb = 16,
                                        .threads = 1,
                                        .first_move = 9 };

static json_t *made; /* once for all tests */

static json_t *make_record(void)
{
    if (!made)
        made = ipr_sample_calibration_record("standard", &judge);
    return json_deep_copy(made);
}

static void the_record_says_what_it_is_made_from(void **state)
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

static void the_same_figures_give_the_same_bytes(void **state)
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

/* ---- what a record has beside its line ---- */

/** The turns of one of the sample's mileposts that count, as a set. */
static struct ipr_rh_set *milepost_set(int i, struct ipr_arena *mem)
{
    const struct ipr_rh_params params = ipr_calibration_params(&judge);
    const struct ipr_window window = ipr_window_default(IPR_WINDOW_REGAN);
    const struct ipr_figures_player player = {
        .elo = 1600 + 200 * i, .games = 40, .turns = 20, .seed = 11u + (unsigned)i
    };
    struct ipr_turn *turns = ipr_sample_turns(mem, &judge, &player, 100 * i);
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_rh_set *set = NULL;
    size_t keep[800];

    const size_t n = ipr_window_select(&window, turns, 800, keep, NULL);
    assert_ok(ipr_rh_set_new(&params, turns, keep, n, &set, &err), &err);
    return set;
}

static void check_pool(const struct ipr_calibration_pool *pool,
                       const struct ipr_markov_classes *classes)
{
    const struct ipr_window window = ipr_window_default(IPR_WINDOW_CONFORMANCE);
    double want[IPR_MARKOV_MAX * IPR_MARKOV_MAX] = { 0 }, got[IPR_MARKOV_MAX * IPR_MARKOV_MAX];
    struct ipr_arena mem = IPR_ARENA_INIT;
    size_t keep[800];

    for (int i = 0; i < 7; i++) {
        const struct ipr_figures_player player = {
            .elo = 1600 + 200 * i, .games = 40, .turns = 20, .seed = 11u + (unsigned)i
        };
        const struct ipr_turn *turns = ipr_sample_turns(&mem, &judge, &player, 100 * i);
        const size_t n = ipr_window_select(&window, turns, 800, keep, NULL);

        for (size_t k = 0; k < n; k++) {
            const struct ipr_judged j = ipr_judged(&turns[keep[k]], IPR_PLAYED_PLACED);
            const struct ipr_markov_turn turn = { .best_cp = j.best_cp, .played_cp = j.played_cp };
            ipr_markov_count(classes, &turn, 1, 0, want);
        }
    }
    ipr_calibration_pool_count(pool, classes, got);
    for (size_t i = 0; i < (size_t)classes->n * classes->n; i++)
        assert_close(got[i], want[i], 0.0);
    ipr_arena_release(&mem);
}

/* Between any classes the pool's counts are those of the turns themselves. */
static void the_pool_counts_every_turn(void **state)
{
    const int16_t edges[] = { 25, 90, 400 };
    struct ipr_markov_classes classes = ipr_markov_classes_19();
    struct ipr_calibration_use *use = NULL;
    struct ipr_err err = IPR_ERR_INIT;
    json_t *record = make_record();

    (void)state;
    assert_ok(ipr_calibration_load(record, &use, &err), &err);
    assert_string_equal(use->pool.digest, ipr_json_text_at(record, "markov_pool.digest"));
    assert_close(ipr_json_at(record, "markov_pool.games", 0.0), 280.0, 0.0);
    assert_close(ipr_json_at(record, "markov_pool.turns", 0.0), 280.0 * 19.0, 0.0); /* not move 9 */
    check_pool(&use->pool, &classes);
    classes = ipr_markov_classes_10();
    check_pool(&use->pool, &classes);
    assert_ok(ipr_markov_classes_make(edges, 3, true, true, &classes, &err), &err);
    check_pool(&use->pool, &classes);
    ipr_calibration_free(&use);
    json_decref(record);
}

static void near(const json_t *o, const char *path, double want)
{
    assert_close(ipr_json_at(o, path, NAN), want, 1e-5 * fabs(want)); /* six digits are kept */
}

static void every_fit_is_the_models(void **state)
{
    static const char *const kinds[] = { "moments", "percentile", "mle", "rmle" };
    json_t *record = make_record();
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_calibration_use *use = NULL;
    struct ipr_arena mem = IPR_ARENA_INIT;

    (void)state;
    assert_ok(ipr_calibration_load(record, &use, &err), &err);
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

/* Errors of a loaded line, of which the record has not all: against the fit of its mileposts. */
static void assert_loaded_errors(const json_t *record, const char *kind,
                                 const struct ipr_calibration *got)
{
    enum { N = 7 };
    struct ipr_milepost m[N] = { { .elo = 0.0 } };
    struct ipr_calibration sampling = { .b = got->b };
    struct ipr_err err = IPR_ERR_INIT;
    double ae[N], elo[N], turns[N];
    struct ipr_line want;

    for (size_t i = 0; i < N; i++) {
        const json_t *at = json_array_get(json_object_get(record, "mileposts"), i);
        const json_t *fit = json_object_get(json_object_get(at, "fits"), kind);

        elo[i] = ipr_json_at(at, "elo", NAN);
        turns[i] = ipr_json_at(at, "turns", NAN);
        ae[i] = ipr_json_at(fit, "ae_ref", NAN);
        m[i].turns = (size_t)turns[i];
        m[i].ae_ref_se = ipr_json_at(fit, "ae_ref_se", NAN);
    }
    assert_ok(ipr_stats_line(ae, elo, turns, N, &want, &err), &err);
    assert_close(got->se_a, want.se_a, 1e-3 * want.se_a);
    assert_close(got->se_b, want.se_b, 1e-3 * want.se_b);
    assert_close(got->cov_ab, -want.cov_ab, 1e-3 * fabs(want.cov_ab));
    ipr_calibration_sampling(m, N, &sampling);
    assert_true(sampling.sampling_variance > 0.0);
    assert_close(got->sampling_variance, sampling.sampling_variance,
                 1e-4 * sampling.sampling_variance);
}

static void what_ratings_use_is_loaded(void **state)
{
    json_t *record = make_record();
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_calibration_use *use = NULL;
    struct ipr_bayes_milepost m[7];
    struct ipr_bayes_calibration want;

    (void)state;
    assert_ok(ipr_calibration_load(record, &use, &err), &err);
    assert_true(use->bayes_known);
    for (size_t i = 0; i < 7; i++) {
        const json_t *b =
            json_object_get(json_array_get(json_object_get(record, "mileposts"), i), "bayes");
        m[i] = (struct ipr_bayes_milepost){ ipr_json_at(b, "elo", NAN), ipr_json_at(b, "mean", NAN),
                                            (size_t)ipr_json_at(b, "events", 0.0),
                                            ipr_json_at(b, "clustered_se", NAN) };
    }
    assert_ok(ipr_bayes_calibrate(m, 7, &want, &err), &err);
    assert_close(use->bayes.line.a, want.line.a, 0.2);
    assert_close(use->bayes.line.b, want.line.b, 1e-4 * want.line.b);
    assert_close(use->bayes.line.cov_ab, want.line.cov_ab, 1e-3 * fabs(want.line.cov_ab));
    assert_close(sqrt(use->bayes.line.residual_variance), sqrt(want.line.residual_variance), 0.01);
    assert_true(want.sampling_variance > 0.0);
    assert_close(sqrt(use->bayes.sampling_variance), sqrt(want.sampling_variance), 0.01);
    assert_close(use->bayes.elo_max, want.elo_max, 0.01);
    assert_int_equal(use->bayes.mileposts, 7);
    assert_int_equal(use->bayes.events, want.events);
    assert_int_equal(use->bayes.line.n, 7);

    assert_close(use->random_share, ipr_json_at(record, "random_share.estimate", NAN), 1e-9);
    assert_true(use->random_share < 0.01); /* nothing in the sample is random */
    assert_true(use->factor_mm >= 1.0 && use->factor_mm < 1.2); /* its turns are independent */
    assert_true(use->factor_ad >= 1.0 && use->factor_ad < 1.2);
    assert_true(use->line.cov_ab > 0.0);

    /* Each kind of fit has a line of its own. */
    static const char *const kinds[] = { "moments", "percentile", "mle", "rmle" };
    for (int k = IPR_RH_MOMENTS; k <= IPR_RH_RMLE; k++) {
        const json_t *line = json_object_get(json_object_get(record, "lines"), kinds[k]);

        assert_true(use->fits[k].known);
        assert_close(use->fits[k].line.a, ipr_json_at(line, "a", NAN), 0.01);
        assert_close(use->fits[k].line.b, ipr_json_at(line, "b", NAN), 0.1);
        assert_close(use->fits[k].line.elo_max, use->line.elo_max, 0.0);
        assert_loaded_errors(record, kinds[k], &use->fits[k].line);
    }
    assert_close(use->line.sampling_variance, use->fits[IPR_RH_MOMENTS].line.sampling_variance,
                 0.0);
    assert_true(fabs(use->fits[IPR_RH_MLE].line.b - use->line.b) > 1.0);
    ipr_calibration_free(&use);
    json_decref(record);
}

static void the_band_lies_about_the_line(void **state)
{
    json_t *record = make_record();
    const json_t *band = json_object_get(record, "band"), *at;
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_calibration_use *use = NULL;
    size_t i;

    (void)state;
    assert_ok(ipr_calibration_load(record, &use, &err), &err);
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

static void the_score_curve_needs_results(void **state)
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
    for (char *p = figures.p; (p = strstr(p, "\"result\":")); p += 9) /* of the same length */
        memcpy(p, "\"resulx\":", 9);
    assert_ok(ipr_calibration_make("standard", ipr_str_c(figures.p), &without, &err), &err);
    assert_true(strlen(ipr_json_text_at(without, "score_curve.all.reason")) > 10);
    assert_true(json_is_null(ipr_json_find(without, "score_curve.all.a")));
    near(without, "a", ipr_json_at(record, "a", NAN)); /* nothing else needs them */
    near(without, "bayes.b", ipr_json_at(record, "bayes.b", NAN));
    ipr_buf_release(&figures);
    json_decref(without);
    json_decref(record);
}

/* What was stopped is no record, wherever it was. */
static void a_stop_ends_the_making(void **state)
{
    const atomic_bool stop = true;
    struct ipr_buf figures = IPR_BUF_INIT;
    struct ipr_err err = IPR_ERR_INIT;
    json_t *record = NULL;

    (void)state;
    ipr_sample_mileposts(&figures, &judge);
    assert_int_equal(ipr_calibration_make_whole("standard", ipr_str_c(ipr_buf_c(&figures)), &stop,
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
        ipr_calibration_make_whole("standard", ipr_str_c(ipr_buf_c(&figures)), NULL, &record, &err),
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

static void a_record_of_an_earlier_version_loads(void **state)
{
    static const char *const later[] = { "ab_covariance", "band",           "concordance",
                                         "random_share",  "lines",          "bayes",
                                         "score_curve",   "curve_families", "markov_pool" };
    json_t *record = make_record();
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_calibration_use *use = NULL;

    (void)state;
    for (size_t i = 0; i < sizeof later / sizeof *later; i++)
        json_object_del(record, later[i]);
    assert_ok(ipr_calibration_load(record, &use, &err), &err);
    assert_false(use->bayes_known);
    assert_true(use->random_share == 0.0 && use->factor_mm == 0.0 && use->factor_ad == 0.0);
    assert_int_equal(use->pool.n, 0);
    assert_true(use->fits[IPR_RH_MOMENTS].known && !use->fits[IPR_RH_MLE].known);
    assert_true(ipr_judge_same(&use->judge, &use->reference_judge));
    ipr_calibration_free(&use);
    json_decref(record);
}

/* ---- a published table ---- */

static const char rows_text[] =
    "[{\"period\":\"then\",\"elo\":2600,\"s\":0.1,\"c\":0.52,\"c_fit\":0.52,\"s_fit\":0.1},"
    "{\"period\":\"then\",\"elo\":2200,\"s\":0.15,\"c\":0.5,\"c_fit\":0.5,\"s_fit\":0.15},"
    "{\"period\":\"then\",\"elo\":1800,\"s\":0.22,\"c\":0.48,\"c_fit\":0.48,\"s_fit\":0.22},"
    "{\"period\":\"before\",\"elo\":2200,\"s\":0.14,\"c\":0.5,\"c_fit\":0.5,\"s_fit\":0.14}]";

static json_t *table(void)
{
    return json_pack("{s:s, s:s, s:{s:s, s:s, s:i, s:{s:i}, s:i, s:n, s:i}, s:s, s:s, s:o}", "name",
                     "others", "source", "a paper", "judge", "name", "theirs", "engine", "Engine 9",
                     "multipv", 50, "limit", "depth", 13, "threads", 1, "hash_mb", "first_move", 9,
                     "fit", "percentile", "regression_period", "then", "rows",
                     json_loads(rows_text, 0, NULL));
}

static void a_published_table_becomes_a_record(void **state)
{
    json_t *reference = make_record(), *published = table(), *record = NULL;
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_calibration_use *use = NULL;

    (void)state;
    assert_ok(ipr_calibration_published(published, reference, &record, &err), &err);
    assert_ok(ipr_calibration_load(record, &use, &err), &err);
    assert_string_equal(use->judge.engine, "Engine 9");
    assert_string_equal(use->reference_judge.engine, "Engine 1");
    assert_int_equal(use->params.k, 12); /* of the reference set's judge */
    assert_false(ipr_judge_same(&use->judge, &use->reference_judge));
    assert_int_equal(json_array_size(json_object_get(record, "mileposts")), 3);
    assert_int_equal(json_array_size(json_object_get(record, "other_periods")), 1);
    assert_true(json_is_null(json_object_get(record, "turns")));
    assert_close(ipr_json_at(record, "c_line.slope", NAN), 5e-5, 1e-12);
    assert_close(ipr_json_at(record, "c_line.intercept", NAN), 0.39, 1e-9);
    for (size_t i = 0; i < 3; i++) { /* c lies on its line: the second stage changes nothing */
        const json_t *m = json_array_get(json_object_get(record, "mileposts"), i);
        double ae;

        near(m, "reproduced.s_fit", ipr_json_at(m, "s_fit", NAN));
        assert_ok(ipr_rh_ae(use->reference, ipr_json_at(m, "s_fit", NAN),
                            ipr_json_at(m, "c_fit", NAN), &ae, NULL, &err),
                  &err);
        near(m, "ae_ref", ae);
        near(m, "fitted", use->line.a - use->line.b * ae);
    }
    ipr_calibration_free(&use);
    json_decref(record);

    record = NULL;
    json_object_del(json_array_get(json_object_get(published, "rows"), 1), "s_fit");
    assert_int_equal(ipr_calibration_published(published, reference, &record, NULL), IPR_EPARSE);
    json_object_set_new(published, "rows", json_array());
    assert_int_equal(ipr_calibration_published(published, reference, &record, NULL), IPR_EPARSE);
    assert_null(record);
    json_decref(published);
    json_decref(reference);
}

/* A player outside the figures whose skill is that of Elo 2200 is found again. */
static void a_known_skill_is_recovered(void **state)
{
    const struct ipr_rh_fit_options options = { .kind = IPR_RH_MOMENTS };
    const struct ipr_figures_player player = { 2200, 60, 25, 4711 };
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_arena mem = IPR_ARENA_INIT;
    struct ipr_calibration_use *use = NULL;
    struct ipr_rh_set *set = NULL;
    struct ipr_rating r;
    json_t *record = make_record();

    (void)state;
    assert_ok(ipr_calibration_load(record, &use, &err), &err);
    json_decref(record); /* nothing of it is kept */
    const struct ipr_turn *turns = ipr_sample_turns(&mem, &judge, &player, 0);
    assert_ok(ipr_rh_set_new(&use->params, turns, NULL, 1500, &set, &err), &err);
    assert_ok(ipr_ipr(&use->line, use->reference, set, &options, &r, &err), &err);
    assert_close(r.ipr, 2200.0, 150.0);
    assert_true(r.se > 10.0 && r.se < 150.0);
    assert_true(r.line_se > 1.0 && r.sampling.lo > r.interval.lo && r.sampling.hi < r.interval.hi);
    assert_false(r.extrapolated);
    ipr_rh_set_free(&set);
    ipr_calibration_free(&use);
    assert_null(use);
    ipr_arena_release(&mem);
}

static void expect_bad(const char *text, uint32_t line, const char *type)
{
    struct ipr_err err = IPR_ERR_INIT;
    json_t *record = NULL;

    assert_int_equal(ipr_calibration_make("x", ipr_str_c(text), &record, &err), IPR_EPARSE);
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

    ipr_buf_reset(&text); /* one milepost; and three that are too thin */
    ipr_sample_figures(&text, &judge, &player, 0);
    expect_bad(ipr_buf_c(&text), 0, "thin_milepost");
    ipr_sample_figures(&text, &judge, &(struct ipr_figures_player){ 2200, 2, 3, 6 }, 2);
    ipr_sample_figures(&text, &judge, &(struct ipr_figures_player){ 2400, 2, 3, 7 }, 4);
    expect_bad(ipr_buf_c(&text), 0, "thin_milepost");
    ipr_buf_release(&text);
}

static void a_turn_must_agree_with_its_judge(void **state)
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
        { 0, 2, "[30,20,10,0]" },    /* more than there are legal moves */
        { 0, 20, "[]" },
        { 0, 20, "[30,20,1.5]" },
        { 0, 0, "[30,20,10]" },
    };
    char text[700];

    (void)state;
    snprintf(text, sizeof text, line, 0, 20, "[30,20,10]"); /* nothing wrong but their number */
    expect_bad(text, 0, "thin_milepost");
    snprintf(text, sizeof text, line, 3, 20, "[30,20,10,-50]");
    expect_bad(text, 0, "thin_milepost");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        snprintf(text, sizeof text, line, cases[i].played, cases[i].legal, cases[i].cp);
        expect_bad(text, 1, "bad_figures");
    }
}

static void expect_refused(json_t *record)
{
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_calibration_use *use = NULL;

    assert_int_equal(ipr_calibration_load(record, &use, &err), IPR_EPARSE);
    assert_null(use);
    json_decref(record);
}

static void a_spoiled_record_is_refused(void **state)
{
    json_t *record = make_record();
    static const char *const members[] = { "name", "judge",       "method",    "a",
                                           "b",    "residual_sd", "elo_range", "reference" };

    (void)state;
    for (size_t i = 0; i < sizeof members / sizeof *members; i++) {
        json_t *copy = json_deep_copy(record);
        json_object_del(copy, members[i]);
        expect_refused(copy);
    }
    json_t *negative = json_deep_copy(record);
    json_object_set_new(negative, "b", json_real(-1.0));
    expect_refused(negative);
    json_t *tail = json_deep_copy(record);
    json_object_set_new(json_object_get(tail, "method"), "tail", json_string("vk"));
    expect_refused(tail);
    json_t *turn = json_deep_copy(record);
    json_object_set_new(
        json_array_get(json_object_get(json_object_get(turn, "reference"), "turns"), 7), "played",
        json_integer(200));
    expect_refused(turn);
    json_t *bayes = json_deep_copy(record);
    json_object_set_new(json_object_get(bayes, "bayes"), "b", json_real(-1.0));
    expect_refused(bayes);
    json_t *fits = json_deep_copy(record);
    json_object_del(json_object_get(json_object_get(fits, "lines"), "mle"), "a");
    expect_refused(fits);
    json_t *share = json_deep_copy(record);
    json_object_set_new(json_object_get(share, "random_share"), "estimate", json_real(1.5));
    expect_refused(share);
    json_t *factor = json_deep_copy(record);
    json_object_set_new(json_object_get(factor, "concordance"), "factor_ad", json_real(0.5));
    expect_refused(factor);
    json_t *pool = json_deep_copy(record);
    json_array_remove(json_object_get(json_object_get(pool, "markov_pool"), "transitions"), 3);
    expect_refused(pool);
    json_decref(record);
}

struct fetch {
    char *text;
    int calls;
};

static enum ipr_code fetch(void *arg, const char **record_json, struct ipr_err *err)
{
    struct fetch *f = arg;

    (void)err;
    f->calls++;
    *record_json = f->text;
    return IPR_OK;
}

static void a_record_is_loaded_once(void **state)
{
    const struct ipr_calibration_use *a = NULL, *b = NULL;
    struct ipr_err err = IPR_ERR_INIT;
    json_t *record = make_record();
    struct fetch f = { json_dumps(record, JSON_COMPACT), 0 };
    char digest[16];

    (void)state;
    assert_ok(ipr_calibration_acquire("d", fetch, &f, &a, &err), &err);
    assert_ok(ipr_calibration_acquire("d", fetch, &f, &b, &err), &err);
    assert_ptr_equal(a, b);
    assert_int_equal(f.calls, 1);
    ipr_calibration_release(&b);
    assert_null(b);
    ipr_calibration_release(&b); /* nothing held: nothing happens */

    for (int i = 0; i < 12; i++) { /* more than are kept: what is in use stays */
        snprintf(digest, sizeof digest, "d%d", i);
        assert_ok(ipr_calibration_acquire(digest, fetch, &f, &b, &err), &err);
        ipr_calibration_release(&b);
    }
    assert_int_equal(f.calls, 13);
    assert_ok(ipr_calibration_acquire("d", fetch, &f, &b, &err), &err);
    assert_ptr_equal(a, b);
    ipr_calibration_release(&a);
    ipr_calibration_release(&b);
    free(f.text);
    json_decref(record);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_record_says_what_it_is_made_from),
        cmocka_unit_test(the_same_figures_give_the_same_bytes),
        cmocka_unit_test(the_pool_counts_every_turn),
        cmocka_unit_test(every_fit_is_the_models),
        cmocka_unit_test(what_ratings_use_is_loaded),
        cmocka_unit_test(the_band_lies_about_the_line),
        cmocka_unit_test(the_score_curve_needs_results),
        cmocka_unit_test(curve_families_are_compared),
        cmocka_unit_test(a_stop_ends_the_making),
        cmocka_unit_test(a_record_of_an_earlier_version_loads),
        cmocka_unit_test(a_published_table_becomes_a_record),
        cmocka_unit_test(a_known_skill_is_recovered),
        cmocka_unit_test(bad_figures_are_located),
        cmocka_unit_test(a_turn_must_agree_with_its_judge),
        cmocka_unit_test(a_spoiled_record_is_refused),
        cmocka_unit_test(a_record_is_loaded_once),
    };

    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    json_decref(made);
    return failed;
}
