/* Records of calibrations that are loaded for ratings, and records that are refused. */
#include "calibration.h"

#include "model/ipr.h"
#include "stats/line.h"

static void check_pool(const struct ipr_calibration_pool *pool,
                       const struct ipr_markov_classes *classes)
{
    const struct ipr_window window = ipr_window_default(IPR_WINDOW_CONFORMANCE);
    double want[IPR_MARKOV_MAX * IPR_MARKOV_MAX] = { 0 }, got[IPR_MARKOV_MAX * IPR_MARKOV_MAX];
    struct ipr_arena mem = IPR_ARENA_INIT;
    size_t keep[800];

    for (int i = 0; i < 7; i++) {
        const struct ipr_turn *turns = milepost_turns(i, &mem);
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

/* For any classes, the counts of the pool equal those of the turns. */
static void pool_counts_every_turn(void **state)
{
    const int16_t edges[] = { 25, 90, 400 };
    struct ipr_markov_classes classes = ipr_markov_classes_19();
    struct ipr_err err = IPR_ERR_INIT;
    json_t *record = make_record();

    (void)state;
    struct ipr_calibration_use *use = load_record(record);
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

/* Errors of a line that are missing in the record equal those of a fit to its mileposts. */
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

static void loading_gives_what_ratings_use(void **state)
{
    json_t *record = make_record();
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_bayes_milepost m[7];
    struct ipr_bayes_calibration want;

    (void)state;
    struct ipr_calibration_use *use = load_record(record);
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
    assert_true(use->random_share < 0.01); /* no move of the sample is random */
    assert_true(use->factor_mm >= 1.0 &&
                use->factor_mm < 1.2); /* turns of the sample are independent */
    assert_true(use->factor_ad >= 1.0 && use->factor_ad < 1.2);
    assert_true(use->line.cov_ab > 0.0);

    /* Each kind of fit has its own line. */
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

static void earlier_records_load(void **state)
{
    static const char *const later[] = { "ab_covariance", "band",           "concordance",
                                         "random_share",  "lines",          "bayes",
                                         "score_curve",   "curve_families", "markov_pool" };
    json_t *record = make_record();

    (void)state;
    for (size_t i = 0; i < sizeof later / sizeof *later; i++)
        json_object_del(record, later[i]);
    struct ipr_calibration_use *use = load_record(record);
    assert_false(use->bayes_known);
    assert_true(use->random_share == 0.0 && use->factor_mm == 0.0 && use->factor_ad == 0.0);
    assert_int_equal(use->pool.n, 0);
    assert_true(use->fits[IPR_RH_MOMENTS].known && !use->fits[IPR_RH_MLE].known);
    assert_true(ipr_judge_same(&use->judge, &use->reference_judge));
    ipr_calibration_free(&use);
    json_decref(record);
}

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

static void published_tables_become_records(void **state)
{
    json_t *reference = make_record(), *published = table(), *record = NULL;
    struct ipr_err err = IPR_ERR_INIT;

    (void)state;
    assert_ok(ipr_calibration_published(published, reference, &record, &err), &err);
    struct ipr_calibration_use *use = load_record(record);
    assert_string_equal(use->judge.engine, "Engine 9");
    assert_string_equal(use->reference_judge.engine, "Engine 1");
    assert_int_equal(use->params.k, 12); /* from the judge of the reference set */
    assert_false(ipr_judge_same(&use->judge, &use->reference_judge));
    assert_int_equal(json_array_size(json_object_get(record, "mileposts")), 3);
    assert_int_equal(json_array_size(json_object_get(record, "other_periods")), 1);
    assert_true(json_is_null(json_object_get(record, "turns")));
    assert_close(ipr_json_at(record, "c_line.slope", NAN), 5e-5, 1e-12);
    assert_close(ipr_json_at(record, "c_line.intercept", NAN), 0.39, 1e-9);
    for (size_t i = 0; i < 3; i++) { /* c is on its line, so the second stage changes nothing */
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

/* A player outside the figures, of the skill of Elo 2200, gets that rating. */
static void known_skill_is_recovered(void **state)
{
    const struct ipr_rh_fit_options options = { .kind = IPR_RH_MOMENTS };
    const struct ipr_figures_player player = { 2200, 60, 25, 4711 };
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_arena mem = IPR_ARENA_INIT;
    struct ipr_rh_set *set = NULL;
    struct ipr_rating r;
    json_t *record = make_record();

    (void)state;
    struct ipr_calibration_use *use = load_record(record);
    json_decref(record); /* `use` has copies */
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

static void expect_refused(json_t *record)
{
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_calibration_use *use = NULL;

    assert_int_equal(ipr_calibration_load(record, &use, &err), IPR_EPARSE);
    assert_null(use);
    json_decref(record);
}

/* Expects a refusal if a member has another value or is missing. */
static void expect_refused_with(const json_t *record, const char *object, const char *member,
                                json_t *value)
{
    json_t *copy = json_deep_copy(record);
    json_t *o = (json_t *)(uintptr_t)ipr_json_find(copy, object);

    assert_int_equal(
        value != NULL ? json_object_set_new(o, member, value) : json_object_del(o, member), 0);
    expect_refused(copy);
}

static void bad_records_are_refused(void **state)
{
    static const char *const members[] = { "name", "judge",       "method",    "a",
                                           "b",    "residual_sd", "elo_range", "reference" };
    json_t *record = make_record();

    (void)state;
    for (size_t i = 0; i < sizeof members / sizeof *members; i++)
        expect_refused_with(record, "", members[i], NULL);
    expect_refused_with(record, "", "b", json_real(-1.0));
    expect_refused_with(record, "method", "tail", json_string("vk"));
    expect_refused_with(record, "bayes", "b", json_real(-1.0));
    expect_refused_with(record, "lines.mle", "a", NULL);
    expect_refused_with(record, "random_share", "estimate", json_real(1.5));
    expect_refused_with(record, "concordance", "factor_ad", json_real(0.5));
    json_t *turn = json_deep_copy(record);
    json_object_set_new(
        json_array_get(json_object_get(json_object_get(turn, "reference"), "turns"), 7), "played",
        json_integer(200));
    expect_refused(turn);
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

static void records_are_loaded_once(void **state)
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
    ipr_calibration_release(&b); /* no effect */

    for (int i = 0; i < 12; i++) { /* more than the cache holds: records in use stay */
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
        cmocka_unit_test(pool_counts_every_turn),
        cmocka_unit_test(loading_gives_what_ratings_use),
        cmocka_unit_test(earlier_records_load),
        cmocka_unit_test(published_tables_become_records),
        cmocka_unit_test(known_skill_is_recovered),
        cmocka_unit_test(bad_records_are_refused),
        cmocka_unit_test(records_are_loaded_once),
    };

    return cmocka_run_group_tests(tests, NULL, release_record);
}
