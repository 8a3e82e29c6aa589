/* IPR, concordance and weights of depths: their figures equal those of the models on the same
 * turns. */
#include "rate_moves.h"

#include "db/contribution.h"
#include "model/concordance.h"
#include "model/ipr.h"
#include "model/regan_depth.h"

static struct ipr_rh_set *set_of(struct scene *s)
{
    struct ipr_rh_set *set = NULL;
    const size_t n = ipr_window_select(&s->use->window, s->turns, s->t.n, s->m.keep, NULL);

    assert_ok(ipr_rh_set_new(&s->use->params, s->turns, s->m.keep, n, &set, &s->err), &s->err);
    return set;
}

/* A different line for each kind of fit. */
static void add_fit_lines(struct ipr_calibration_use *use)
{
    for (int k = IPR_RH_PERCENTILE; k <= IPR_RH_RMLE; k++) {
        use->fits[k].line = use->line;
        use->fits[k].line.a += 100.0 * k;
        use->fits[k].line.b *= 1.0 + 0.1 * k;
        use->fits[k].known = true;
    }
}

static void fits_equal_model(void **state)
{
    static const struct {
        const char *name;
        enum ipr_rh_fit_kind kind;
    } fits[] = { { "moments", IPR_RH_MOMENTS },
                 { "percentile", IPR_RH_PERCENTILE },
                 { "mle", IPR_RH_MLE },
                 { "rmle", IPR_RH_RMLE } };
    struct scene *s = *state;
    struct ipr_rh_set *set = set_of(s);

    json_t *usual = rated(s, ipr_rate_ipr);
    assert_null(json_object_get(usual, "fits"));
    assert_null(json_object_get(usual, "game_bootstrap"));
    s->m.wanted = IPR_RATE_FITS;
    json_t *r = rated(s, ipr_rate_ipr);
    assert_non_null(strstr(ipr_json_text_at(r, "fits.rmle.reason"), "no share of random moves"));
    nothing_at(r, "fits.rmle.estimate");
    json_decref(r);
    s->use->random_share = 0.01;
    add_fit_lines(s->use);
    r = rated(s, ipr_rate_ipr);
    for (size_t k = 0; k < 4; k++) {
        const struct ipr_rh_fit_options options = { fits[k].kind, 0.01 };
        const json_t *one = json_object_get(json_object_get(r, "fits"), fits[k].name);
        struct ipr_rating want;

        assert_ok(ipr_ipr(&s->use->fits[fits[k].kind].line, s->use->reference, set, &options, &want,
                          &s->err),
                  &s->err);
        assert_string_equal(ipr_json_text_at(one, "method"), fits[k].name);
        same(one, "games", GAMES);
        same(one, "s", want.fit.s);
        same(one, "c", want.fit.c);
        same(one, "ln_s_se", sqrt(want.fit.cov[0]));
        same(one, "ln_c_se", sqrt(want.fit.cov[3]));
        same(json_array_get(json_object_get(one, "covariance_ln_sc"), 1), "", want.fit.cov[1]);
        same(one, "ae_ref", want.ae);
        same(one, "estimate", want.ipr);
        same(one, "standard_error", want.se);
        same_interval(one, "interval", want.interval);
        same(one, "s_score", want.fit.s_score);
        same(one, "log_likelihood", want.fit.loglik);
        same(one, "iterations", want.fit.iterations);
    }
    same(r, "fits.rmle.random_share", 0.01);
    same(r, "estimate", ipr_json_at(r, "fits.moments.estimate", NAN));
    same(usual, "estimate", ipr_json_at(r, "estimate", NAN));
    json_decref(usual);
    json_decref(r);
    ipr_rh_set_free(&set);
}

/* The line of another kind of fit would give a wrong rating. */
static void fit_without_line_has_no_rating(void **state)
{
    struct scene *s = *state;

    add_fit_lines(s->use);
    s->use->fits[IPR_RH_MLE].known = false;
    s->m.wanted = IPR_RATE_FITS;
    json_t *r = rated(s, ipr_rate_ipr);
    assert_true(json_is_number(ipr_json_find(r, "fits.percentile.estimate")));
    assert_true(json_is_number(ipr_json_find(r, "fits.mle.s")));
    nothing_at(r, "fits.mle.estimate");
    nothing_at(r, "fits.mle.interval");
    nothing_at(r, "fits.mle.extrapolated");
    assert_non_null(strstr(ipr_json_text_at(r, "fits.mle.reason"), "no line of mle fits"));
    json_decref(r);
}

static void bootstrap_equals_model(void **state)
{
    const struct ipr_rh_fit_options moments = { .kind = IPR_RH_MOMENTS };
    struct scene *s = *state;
    struct ipr_rh_set *set = set_of(s);
    struct ipr_rh_bootstrap want;
    struct ipr_rh_fit fit;

    s->m.wanted = IPR_RATE_BOOTSTRAP;
    json_t *r = rated(s, ipr_rate_ipr);
    const unsigned replicates = (unsigned)ipr_json_at(r, "game_bootstrap.replicates", 0.0);
    assert_int_equal(replicates + (unsigned)ipr_json_at(r, "game_bootstrap.failed", 0.0), 200);
    assert_ok(ipr_rh_fit(set, &moments, &fit, &s->err), &s->err);
    assert_ok(ipr_rh_bootstrap(set, &fit, s->use->reference, 200,
                               (uint64_t)ipr_json_at(r, "game_bootstrap.seed", 0.0), &want,
                               &s->err),
              &s->err);
    same(r, "game_bootstrap.ae_ref_sd", want.ae_sd);
    same(r, "game_bootstrap.standard_error", want.ae_sd * s->use->line.b);
    assert_close(want.ae_sd, ipr_json_at(r, "ae_ref_se", 0.0), 0.25 * want.ae_sd);
    json_decref(r);
    ipr_rh_set_free(&set);

    fill(s, 49);
    s->m.wanted = IPR_RATE_BOOTSTRAP;
    r = rated(s, ipr_rate_ipr);
    nothing_at(r, "game_bootstrap.ae_ref_sd");
    assert_non_null(strstr(ipr_json_text_at(r, "game_bootstrap.reason"), "50 games are needed"));
    json_decref(r);
}

static void check_concordance(struct scene *s, double factor_mm, double factor_ad)
{
    struct ipr_rh_set *set = set_of(s);
    struct ipr_concordance want;
    double sensitivity, consistency;

    json_t *r = rated(s, ipr_rate_concordance);
    const struct ipr_concordance_options options = { factor_mm, factor_ad,
                                                     (unsigned)ipr_json_at(r, "replicates", 0.0),
                                                     (uint64_t)ipr_json_at(r, "seed", 0.0) };
    same(r, "rating", 2250.0);
    same(r, "rating_games", GAMES);
    assert_ok(ipr_calibration_agent(&s->use->line, s->use->reference, 2250.0, &sensitivity,
                                    &consistency, &s->err),
              &s->err);
    assert_ok(ipr_concordance(set, sensitivity, consistency, &options, &want, &s->err), &s->err);
    same(r, "s", sensitivity);
    same(r, "c", consistency);
    same(r, "mm.projected", want.mm_p);
    same(r, "mm.actual", want.mm_a);
    same(r, "mm.z", want.z_mm);
    same(r, "mm.z_unclustered", want.z_mm_unclustered);
    same(r, "mm.factor", want.factor_mm);
    same(r, "mm.standard_error", want.factor_mm * want.sigma_mm);
    same(r, "mm.tail", want.tail_mm);
    same(r, "ad.projected", want.ad_p);
    same(r, "ad.actual", want.ad_a);
    same(r, "ad.z", want.z_ad);
    same(r, "ad.tail", want.tail_ad);
    same(r, "turns", (double)want.turns);
    assert_non_null(strstr(ipr_json_text_at(r, "note"), "at rating 2250"));
    assert_non_null(strstr(ipr_json_text_at(r, "note"), "one in 22"));
    json_decref(r);
    ipr_rh_set_free(&set);
}

static void concordance_equals_model(void **state)
{
    struct scene *s = *state;

    check_concordance(s, 0.0, 0.0);
    s->use->factor_mm = 1.3;
    check_concordance(s, 0.0, 0.0); /* one factor alone is not used */
    s->use->factor_ad = 1.4;
    check_concordance(s, 1.3, 1.4);
}

static void concordance_needs_a_rating_in_range(void **state)
{
    struct scene *s = *state;

    for (size_t i = 0; i < s->t.n_sides; i++)
        s->t.sides[i].elo = 0;
    json_t *r = rated(s, ipr_rate_concordance);
    assert_non_null(strstr(ipr_json_text_at(r, "reason"), "no Elo of the player"));
    nothing_at(r, "mm");
    nothing_at(r, "ad");
    json_decref(r);
    s->t.sides[3].elo = 9000;
    r = rated(s, ipr_rate_concordance);
    assert_non_null(strstr(ipr_json_text_at(r, "reason"), "does not reach"));
    nothing_at(r, "mm");
    json_decref(r);
}

static void depth_weights_equal_model(void **state)
{
    struct scene *s = *state;
    struct ipr_rh_depth_scores *scores = ipr_arena_alloc(&s->mem, s->t.n, sizeof *scores);
    struct ipr_rh_depth_set *set = NULL;
    struct ipr_rh_depth_fit want;

    json_t *r = rated(s, ipr_rate_depth_weighted);
    for (size_t i = 0; i < s->t.n; i++) {
        const size_t n = (size_t)s->judged[i].lines * DEPTH;
        int16_t *cp = ipr_arena_alloc(&s->mem, n, sizeof *cp);
        for (size_t k = 0; k < n; k++)
            cp[k] = s->judged[i].score[k] == IPR_SCORE_NONE
                        ? IPR_RH_DEPTH_NONE
                        : ipr_figures_clamp(s->judged[i].score[k]);
        scores[i] = (struct ipr_rh_depth_scores){ DEPTH, cp };
    }
    const size_t n = ipr_window_select(&s->use->window, s->turns, s->t.n, s->m.keep, NULL);
    assert_ok(ipr_rh_depth_set_new(&s->use->params, s->turns, scores, s->m.keep, n, &set, &s->err),
              &s->err);
    assert_ok(ipr_rh_depth_fit(set, &want, &s->err), &s->err);
    same(r, "estimate", want.mean_depth);
    same(r, "standard_error", want.mean_depth_se);
    same(r, "s", want.s);
    same(r, "ln_c_se", want.ln_c_se);
    same(r, "log_likelihood", want.loglik);
    same(r, "last_depth_alone.log_likelihood", want.loglik_last);
    same(r, "gain", want.loglik - want.loglik_last);
    same(r, "degrees_of_freedom", DEPTH - 1);
    assert_int_equal(json_array_size(json_object_get(r, "weights")), DEPTH);
    for (unsigned d = 0; d < DEPTH; d++) {
        const json_t *one = json_array_get(json_object_get(r, "weights"), d);
        same(one, "depth", d + 1.0);
        same(one, "weight", want.w[d]);
        if (want.w[d] > 0.0)
            same(one, "standard_error", want.w_se[d]);
        else
            nothing_at(one, "standard_error");
    }
    assert_string_equal(ipr_json_text_at(r, "method"), "depth_weighted");
    ipr_rh_depth_set_free(&set);
    json_decref(r);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        WITH_SCENE(fits_equal_model),
        WITH_SCENE(fit_without_line_has_no_rating),
        WITH_SCENE(bootstrap_equals_model),
        WITH_SCENE(concordance_equals_model),
        WITH_SCENE(concordance_needs_a_rating_in_range),
        WITH_SCENE(depth_weights_equal_model),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
