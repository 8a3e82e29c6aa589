/* Ratings from the moves: the figures are the model's on the same turns, and what is refused. */
#include "view/rating/rate.h"

#include <gsl/gsl_errno.h>
#include <stdlib.h>
#include <string.h>

#include "db/contribution.h"
#include "ipr_figures_sample.h"
#include "ipr_members.h"
#include "ipr_test.h"
#include "model/bayes.h"
#include "model/concordance.h"
#include "model/ipr.h"
#include "model/regan_depth.h"
#include "view/calibration/calibration.h"
#include "view/json.h"

enum { GAMES = 60, TURNS = 30, DEPTH = 3 };

/* A person's judged games without a database. */
struct scene {
    struct ipr_arena mem;
    struct ipr_view view;
    struct ipr_calibration_use *use;
    struct ipr_view_context context;
    struct ipr_db_scope scope;
    struct ipr_db_player_turns t;
    struct ipr_turn *turns; /* those of t */
    struct ipr_judged_turn *judged;
    struct ipr_material m;
};

static const struct ipr_judge judge = { .name = "twelve",
                                        .engine = "Engine 1",
                                        .network = "net",
                                        .multipv = 12,
                                        .depth = DEPTH,
                                        .hash_mb = 16,
                                        .threads = 1,
                                        .first_move = 9 };

static struct ipr_calibration_use *calibration(void)
{
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_buf figures = IPR_BUF_INIT;
    struct ipr_calibration_use *use = NULL;
    json_t *record = NULL;

    ipr_sample_mileposts(&figures, &judge);
    assert_ok(ipr_calibration_make("sample", ipr_str_c(ipr_buf_c(&figures)), &record, &err), &err);
    assert_ok(ipr_calibration_load(record, &use, &err), &err);
    json_decref(record);
    ipr_buf_release(&figures);
    return use;
}

/* Shallow depths see other scores, or none. */
static void add_depths(struct scene *s)
{
    unsigned state = 1;

    s->judged = ipr_arena_alloc(&s->mem, s->t.n, sizeof *s->judged);
    for (size_t i = 0; i < s->t.n; i++) {
        const struct ipr_turn *t = &s->turns[i];
        int16_t *score = ipr_arena_alloc(&s->mem, t->n_cp * (size_t)DEPTH, sizeof *score);

        for (unsigned k = 0; k < t->n_cp * (unsigned)DEPTH; k++) {
            state = state * 1664525u + 1013904223u;
            const int noise = (int)(state >> 16) % 100 - 50;
            const int d = (int)(k % DEPTH);
            score[k] = d == DEPTH - 1    ? t->cp[k / DEPTH]
                       : state % 11 == 0 ? IPR_SCORE_NONE
                                         : (int16_t)(t->cp[k / DEPTH] + noise * (DEPTH - 1 - d));
        }
        s->judged[i] = (struct ipr_judged_turn){ .ply = t->ply,
                                                 .depth = DEPTH,
                                                 .lines = t->n_cp,
                                                 .played = t->played,
                                                 .legal = t->legal,
                                                 .score = score };
    }
    s->t.judged = s->judged;
}

static void add_sides(struct scene *s, int games)
{
    s->t.sides = ipr_arena_alloc(&s->mem, (size_t)games, sizeof *s->t.sides);
    s->t.n_sides = (size_t)games;
    s->t.games = games;
    for (int g = 0; g < games; g++)
        s->t.sides[g] = (struct ipr_db_player_side){ .game_id = 1000 + g,
                                                     .game = g,
                                                     .turns = TURNS,
                                                     .year = 2001,
                                                     .plies = 76,
                                                     .half_points = g % 4 - 1,
                                                     .elo = g % 2 ? 2200 : 2300 };
}

static void fill(struct scene *s, int games)
{
    const struct ipr_figures_player player = { 2200, games, TURNS, 77 };

    s->turns = ipr_sample_turns(&s->mem, &judge, &player, 0);
    s->t = (struct ipr_db_player_turns){ .turns = s->turns, .n = (size_t)(games * TURNS) };
    add_depths(s);
    add_sides(s, games);
    s->m = (struct ipr_material){ &s->context, &s->scope,
                                  &s->t,       ipr_arena_alloc(&s->mem, s->t.n, sizeof(size_t)),
                                  0,           false };
}

static int open_scene(void **state)
{
    struct scene *s = ipr_xcalloc(1, sizeof *s);

    s->use = calibration();
    /* As in records of earlier versions; the tests set what they need of it. */
    s->use->bayes_known = false;
    s->use->random_share = s->use->factor_mm = s->use->factor_ad = 0.0;
    s->view.mem = &s->mem;
    s->context = (struct ipr_view_context){ .v = &s->view,
                                            .judge_id = 1,
                                            .judge = judge,
                                            .calibration_id = 1,
                                            .calibration_name = "sample",
                                            .calibration = s->use };
    fill(s, GAMES);
    *state = s;
    return 0;
}

static int close_scene(void **state)
{
    struct scene *s = *state;

    ipr_calibration_free(&s->use);
    ipr_arena_release(&s->mem);
    free(s);
    return 0;
}

static json_t *rated(struct scene *s, ipr_rate_fn *rate)
{
    struct ipr_figure_ratings ratings = { 0 };
    struct ipr_err err = IPR_ERR_INIT;
    const char *name;
    json_t *one, *out = NULL;

    assert_ok(rate(&s->m, &ratings, &err), &err);
    json_t *all = ipr_shape_json(IPR_SHAPE_RATINGS, &ratings);
    assert_members(IPR_SHAPE_RATINGS, all);
    assert_read_back(IPR_SHAPE_RATINGS, all);
    json_object_foreach(all, name, one)
        if (json_is_object(one))
            out = json_incref(one);
    json_decref(all);
    assert_non_null(out);
    return out;
}

/* To the ten digits of an answer. */
static void same(const json_t *o, const char *path, double want)
{
    assert_close(ipr_json_at(o, path, NAN), want, fabs(want) * 1e-9);
}

static void nothing_at(const json_t *o, const char *path)
{
    assert_true(json_is_null(ipr_json_find(o, path)));
}

static void same_interval(const json_t *o, const char *path, struct ipr_interval want)
{
    const json_t *i = ipr_json_find(o, path);

    same(i, "low", want.lo);
    same(i, "high", want.hi);
    same(i, "level", 0.95);
}

static void same_posterior(const json_t *o, const struct ipr_bayes_posterior *p)
{
    same(o, "estimate", p->mean);
    same(o, "standard_error", p->sd);
    same(o, "mode", p->mode);
    same(o, "events", (double)p->events);
    assert_int_equal(ipr_json_true_at(o, "at_bound"), p->at_bound);
    assert_int_equal(ipr_json_true_at(o, "at_zero"), p->at_zero);
}

/* Of many games: the wider of the two stands for the figure. */
static void same_intervals(const json_t *o, const struct ipr_bayes_posterior *p)
{
    const double half = ipr_stats_quantile95(p->games) * p->clustered_se;
    const struct ipr_interval by_game = { p->mode - half, p->mode + half };

    assert_true(p->clustered_known);
    same_interval(o, "interval_posterior", p->interval);
    same_interval(o, "interval_clustered", by_game);
    same_interval(o, "interval",
                  2.0 * half > p->interval.hi - p->interval.lo ? by_game : p->interval);
}

static void the_agent_is_the_models(void **state)
{
    const struct ipr_bayes_params params = ipr_bayes_default();
    struct scene *s = *state;
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_bayes_posterior p;
    json_t *r = rated(s, ipr_rate_bayes);

    assert_ok(ipr_bayes_rate(&params, s->turns, s->t.n, &p, &err), &err);
    same(r, "estimate", p.mean);
    same(r, "standard_error", p.sd);
    same_intervals(r, &p);
    same(r, "clustered_error", p.clustered_se);
    same(r, "mode", p.mode);
    same(r, "turns", (double)p.events);
    same(r, "events", (double)p.events);
    same(r, "games", GAMES);
    same(r, "iterations", p.levels);
    same(r, "evaluations", p.evaluations);
    same(r, "excluded.before_first_move", 4.0 * GAMES); /* moves 9 to 12 */
    same(r, "excluded.not_among_top", (double)p.counts.excluded[IPR_EXCLUDED_NOT_TOP]);
    assert_true(p.counts.excluded[IPR_EXCLUDED_NOT_TOP] > 0);
    assert_string_equal(ipr_json_text_at(r, "method"), "bayes");
    nothing_at(r, "calibration");
    json_decref(r);
}

static void winners_drawers_and_losers_are_the_models(void **state)
{
    static const char *const names[] = { "lost", "drew", "won", "unfinished" };
    static const enum ipr_bayes_class of_points[] = { IPR_BAYES_UNFINISHED, IPR_BAYES_LOST,
                                                      IPR_BAYES_DREW, IPR_BAYES_WON };
    const struct ipr_bayes_params params = ipr_bayes_default();
    struct scene *s = *state;
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_bayes_class_summary classes[IPR_BAYES_CLASSES];
    struct ipr_bayes_side *sides = NULL;
    enum ipr_bayes_class *class = ipr_arena_alloc(&s->mem, s->t.n, sizeof *class);
    size_t n = 0;

    for (size_t i = 0; i < s->t.n; i++)
        class[i] = of_points[s->turns[i].game % 4];
    assert_ok(ipr_bayes_by_side(&params, s->turns, class, s->t.n, &sides, &n, classes, &err), &err);
    json_t *usual = rated(s, ipr_rate_bayes);
    s->m.wanted = IPR_RATE_SIDES;
    json_t *r = rated(s, ipr_rate_bayes);
    assert_null(json_object_get(usual, "by_game"));
    for (int k = 0; k < IPR_BAYES_CLASSES; k++) {
        const json_t *c = json_object_get(json_object_get(r, "by_result"), names[k]);

        same(c, "sides", GAMES / 4.0);
        same(c, "mean", classes[k].mean);
        same(c, "sd", classes[k].sd);
        same_posterior(json_object_get(c, "pooled"), &classes[k].pooled);
        assert_true(json_equal(
            json_object_get(c, "pooled"),
            json_object_get(json_object_get(json_object_get(usual, "by_result"), names[k]),
                            "pooled")));
        same(c, "pooled.clustered_error", classes[k].pooled.clustered_se);
        same_intervals(json_object_get(c, "pooled"), &classes[k].pooled);
        same(c, "pooled.games", GAMES / 4.0);
        assert_string_equal(ipr_json_text_at(c, "pooled.method"), "bayes");
    }
    assert_int_equal(n, GAMES);
    same(r, "sides", GAMES);
    assert_int_equal(json_array_size(json_object_get(r, "by_game")), GAMES);
    for (size_t i = 0; i < n; i++) {
        const json_t *one = json_array_get(json_object_get(r, "by_game"), i);

        same(one, "game", 1000.0 + sides[i].game);
        assert_string_equal(ipr_json_text_at(one, "result"), names[sides[i].class]);
        assert_string_equal(ipr_json_text_at(one, "color"), "white");
        same_posterior(one, &sides[i].posterior);
        same_interval(one, "interval", sides[i].posterior.interval);
    }
    free(sides);
    json_decref(usual);
    json_decref(r);
}

static void many_games_are_counted_and_not_listed(void **state)
{
    struct scene *s = *state;

    fill(s, 201);
    s->m.wanted = IPR_RATE_SIDES;
    json_t *r = rated(s, ipr_rate_bayes);
    same(r, "sides", 201.0);
    nothing_at(r, "by_game");
    same(r, "by_result.won.sides", 50.0);
    json_decref(r);
}

static void the_agent_has_an_elo_where_it_is_calibrated(void **state)
{
    static const struct ipr_bayes_milepost m[] = { { 1600, 0.6, 1000, 0 },
                                                   { 2000, 0.9, 1200, 0 },
                                                   { 2400, 1.15, 900, 0 },
                                                   { 3000, 1.7, 1000, 0 } };
    struct scene *s = *state;
    struct ipr_err err = IPR_ERR_INIT;
    const struct ipr_bayes_params params = ipr_bayes_default();
    struct ipr_bayes_posterior p;

    json_t *r = rated(s, ipr_rate_bayes);
    nothing_at(r, "elo.estimate");
    assert_non_null(strstr(ipr_json_text_at(r, "elo.reason"), "no line for the agent's c"));
    json_decref(r);

    assert_ok(ipr_bayes_calibrate(m, 4, &s->use->bayes, &err), &err);
    s->use->bayes_known = true;
    assert_ok(ipr_bayes_rate(&params, s->turns, s->t.n, &p, &err), &err);
    const struct ipr_bayes_elo e = ipr_bayes_elo(&s->use->bayes, &p);
    r = rated(s, ipr_rate_bayes);
    same(r, "elo.estimate", e.elo);
    same(r, "elo.standard_error", e.se);
    same_interval(r, "elo.interval_posterior", e.interval);
    same_interval(r, "elo.interval", e.total);
    assert_true(e.total.hi - e.total.lo > e.interval.hi - e.interval.lo);
    same(r, "elo.line_se", e.line_se);
    same(r, "elo.residual_sd", sqrt(s->use->bayes.line.residual_variance));
    same(r, "elo.excess_sd", e.excess_sd);
    assert_false(e.extrapolated);
    assert_null(ipr_json_find(r, "elo.bound"));
    assert_string_equal(ipr_json_text_at(r, "elo.calibration"), "sample");
    json_decref(r);

    s->use->bayes.elo_max = e.elo - 1; /* beyond the range there is a bound, and no number */
    r = rated(s, ipr_rate_bayes);
    nothing_at(r, "elo.estimate");
    nothing_at(r, "elo.standard_error");
    same(r, "elo.bound.low", e.elo - 1);
    nothing_at(r, "elo.bound.high");
    assert_null(ipr_json_find(r, "elo.bound.level")); /* an end of the range, not an interval */
    nothing_at(r, "elo.interval.high");
    same(r, "elo.calibrated_range.high", e.elo - 1);
    json_decref(r);

    s->context.calibration = NULL;
    snprintf(s->context.reason, sizeof s->context.reason, "another judge");
    r = rated(s, ipr_rate_bayes);
    same(r, "estimate", p.mean);
    assert_string_equal(ipr_json_text_at(r, "elo.reason"), "another judge");
    json_decref(r);
}

static struct ipr_rh_set *set_of(struct scene *s)
{
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_rh_set *set = NULL;
    const size_t n = ipr_window_select(&s->use->window, s->turns, s->t.n, s->m.keep, NULL);

    assert_ok(ipr_rh_set_new(&s->use->params, s->turns, s->m.keep, n, &set, &err), &err);
    return set;
}

/* A line of its own for each kind. */
static void add_lines(struct ipr_calibration_use *use)
{
    for (int k = IPR_RH_PERCENTILE; k <= IPR_RH_RMLE; k++) {
        use->fits[k].line = use->line;
        use->fits[k].line.a += 100.0 * k;
        use->fits[k].line.b *= 1.0 + 0.1 * k;
        use->fits[k].known = true;
    }
}

static void every_fit_is_the_models(void **state)
{
    static const struct {
        const char *name;
        enum ipr_rh_fit_kind kind;
    } fits[] = { { "moments", IPR_RH_MOMENTS },
                 { "percentile", IPR_RH_PERCENTILE },
                 { "mle", IPR_RH_MLE },
                 { "rmle", IPR_RH_RMLE } };
    struct scene *s = *state;
    struct ipr_err err = IPR_ERR_INIT;
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
    add_lines(s->use);
    r = rated(s, ipr_rate_ipr);
    for (size_t k = 0; k < 4; k++) {
        const struct ipr_rh_fit_options options = { fits[k].kind, 0.01 };
        const json_t *one = json_object_get(json_object_get(r, "fits"), fits[k].name);
        struct ipr_rating want;

        assert_ok(ipr_ipr(&s->use->fits[fits[k].kind].line, s->use->reference, set, &options, &want,
                          &err),
                  &err);
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

/* Off the line of another kind a rating would be another's. */
static void a_fit_without_its_line_has_no_rating(void **state)
{
    struct scene *s = *state;

    add_lines(s->use);
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

static void the_bootstrap_is_the_models(void **state)
{
    const struct ipr_rh_fit_options moments = { .kind = IPR_RH_MOMENTS };
    struct scene *s = *state;
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_rh_set *set = set_of(s);
    struct ipr_rh_bootstrap want;
    struct ipr_rh_fit fit;

    s->m.wanted = IPR_RATE_BOOTSTRAP;
    json_t *r = rated(s, ipr_rate_ipr);
    const unsigned replicates = (unsigned)ipr_json_at(r, "game_bootstrap.replicates", 0.0);
    assert_int_equal(replicates + (unsigned)ipr_json_at(r, "game_bootstrap.failed", 0.0), 200);
    assert_ok(ipr_rh_fit(set, &moments, &fit, &err), &err);
    assert_ok(ipr_rh_bootstrap(set, &fit, s->use->reference, 200,
                               (uint64_t)ipr_json_at(r, "game_bootstrap.seed", 0.0), &want, &err),
              &err);
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
    struct ipr_err err = IPR_ERR_INIT;
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
                                    &consistency, &err),
              &err);
    assert_ok(ipr_concordance(set, sensitivity, consistency, &options, &want, &err), &err);
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

static void concordance_is_the_models(void **state)
{
    struct scene *s = *state;

    check_concordance(s, 0.0, 0.0);
    s->use->factor_mm = 1.3;
    check_concordance(s, 0.0, 0.0); /* of both or of none */
    s->use->factor_ad = 1.4;
    check_concordance(s, 1.3, 1.4);
}

static void concordance_needs_a_rating_within_reach(void **state)
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

static void weights_of_depths_are_the_models(void **state)
{
    struct scene *s = *state;
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_rh_depth_scores *scores = ipr_arena_alloc(&s->mem, s->t.n, sizeof *scores);
    struct ipr_rh_depth_set *set = NULL;
    struct ipr_rh_depth_fit want;

    json_t *r = rated(s, ipr_rate_depth);
    for (size_t i = 0; i < s->t.n; i++) {
        const size_t n = (size_t)s->judged[i].lines * DEPTH;
        int16_t *cp = ipr_arena_alloc(&s->mem, n, sizeof *cp);
        for (size_t k = 0; k < n; k++)
            cp[k] = s->judged[i].score[k] == IPR_SCORE_NONE
                        ? IPR_RH_DEPTH_NONE
                        : ipr_contribution_clamp(s->judged[i].score[k]);
        scores[i] = (struct ipr_rh_depth_scores){ DEPTH, cp };
    }
    const size_t n = ipr_window_select(&s->use->window, s->turns, s->t.n, s->m.keep, NULL);
    assert_ok(ipr_rh_depth_set_new(&s->use->params, s->turns, scores, s->m.keep, n, &set, &err),
              &err);
    assert_ok(ipr_rh_depth_fit(set, &want, &err), &err);
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

static ipr_rate_fn *const all[] = { ipr_rate_ipr, ipr_rate_bayes, ipr_rate_concordance,
                                    ipr_rate_depth, ipr_rate_gain };

/* Shares of all losses, whose mean is that of the turns. */
static void the_losses_have_a_distribution(void **state)
{
    struct scene *s = *state;
    json_t *r = rated(s, ipr_rate_gain), *c = rated(s, ipr_rate_conformance);
    const json_t *one;
    double sum = 0.0, mean = 0.0, last = -1.0;
    size_t i;

    json_array_foreach(json_object_get(r, "distribution"), i, one) {
        const double loss = ipr_json_at(one, "loss", NAN);

        assert_true(loss > last);
        last = loss;
        sum += ipr_json_at(one, "share", NAN);
        mean += loss * ipr_json_at(one, "share", NAN);
    }
    assert_close(sum, 1.0, 1e-8);
    assert_close(mean, ipr_json_at(c, "mean_loss", NAN), 1e-8);
    assert_string_equal(ipr_json_text_at(r, "method"), "gain");
    json_decref(r);
    json_decref(c);
}

static void the_same_turns_give_the_same_answer(void **state)
{
    struct scene *s = *state;

    s->m.wanted = IPR_RATE_FITS | IPR_RATE_BOOTSTRAP | IPR_RATE_SIDES;
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        json_t *first = rated(s, all[k]), *second = rated(s, all[k]);
        assert_true(json_equal(first, second));
        json_decref(first);
        json_decref(second);
    }
}

static void few_lines_give_no_agent(void **state)
{
    struct scene *s = *state;

    s->context.judge.multipv = 9;
    json_t *r = rated(s, ipr_rate_bayes);
    nothing_at(r, "estimate");
    assert_non_null(strstr(ipr_json_text_at(r, "reason"), "shows 9 moves"));
    json_decref(r);
    s->context.judge.multipv = 12; /* the judge could, but its lists are short all the same */
    for (size_t i = 0; i < s->t.n; i++) {
        s->turns[i].lines = s->turns[i].n_cp = 8;
        s->turns[i].played %= 8;
    }
    r = rated(s, ipr_rate_bayes);
    nothing_at(r, "estimate");
    assert_true(*ipr_json_text_at(r, "reason"));
    json_decref(r);
}

/* Every number is one, and what is not given has its reason. */
static void check_sound(const json_t *o)
{
    const char *key;
    json_t *value;
    size_t i;

    if (json_is_real(o))
        assert_true(isfinite(json_real_value(o)));
    json_array_foreach(o, i, value)
        check_sound(value);
    json_object_foreach((json_t *)(uintptr_t)o, key, value) {
        if (json_is_null(value) && (strcmp(key, "estimate") == 0 || strcmp(key, "ipr") == 0))
            assert_true(*ipr_json_text_at(o, "reason"));
        check_sound(value);
    }
}

enum spoil { NO_TURNS, FEW, ONE_GAME, ALL_BEST, ALL_WORST, FORCED, MATES, LEVEL, DECIDED, SPOILS };

static void spoil_turn(struct scene *s, size_t i, enum spoil how)
{
    struct ipr_turn *t = &s->turns[i];
    int16_t *cp = ipr_arena_alloc(&s->mem, t->n_cp, sizeof *cp);
    int16_t *score = (int16_t *)(uintptr_t)s->judged[i].score;

    memcpy(cp, t->cp, t->n_cp * sizeof *cp);
    if (how == ONE_GAME) {
        t->game = 0;
        t->ply = (uint16_t)(24 + 2 * i);
    }
    if (how == ALL_BEST)
        t->played = 0;
    if (how == ALL_WORST)
        t->played = (uint8_t)(t->n_cp - 1);
    if (how == FORCED) {
        t->lines = t->n_cp = t->legal = s->judged[i].lines = 1;
        t->played = 0;
    }
    for (unsigned k = 0; k < t->n_cp; k++) {
        if (how == MATES) /* one mates or is mated; |v_0| is as far out as can be */
            cp[k] = k < t->n_cp / 2U ? IPR_CP_LIMIT : -IPR_CP_LIMIT;
        if (how == LEVEL)
            cp[k] = 0;
        if (how == DECIDED)
            cp[k] = (int16_t)(cp[k] - 700);
        for (unsigned d = 0; d < DEPTH; d++)
            if (how >= MATES)
                score[k * DEPTH + d] =
                    how == MATES ? (int16_t)(cp[k] > 0 ? IPR_SCORE_MATE - 3 : 2 - IPR_SCORE_MATE)
                                 : cp[k];
    }
    t->cp = cp;
}

static void spoil(struct scene *s, enum spoil how)
{
    if (how == NO_TURNS)
        s->t = (struct ipr_db_player_turns){ 0 };
    if (how == FEW)
        s->t.n = IPR_VIEW_MIN_TURNS - 1;
    if (how == ONE_GAME) {
        s->t.n_sides = 1;
        s->t.games = 1;
    }
    for (size_t i = 0; i < s->t.n; i++)
        spoil_turn(s, i, how);
}

static void degenerate_sets_have_figures_or_reasons(void **state)
{
    struct scene *s = *state;
    const unsigned everything =
        IPR_RATINGS_INCLUDE_FITS | IPR_RATINGS_INCLUDE_GAME_BOOTSTRAP | IPR_RATINGS_INCLUDE_SIDES;

    s->use->random_share = 0.01;
    for (int how = 0; how < SPOILS; how++) {
        fill(s, GAMES);
        spoil(s, (enum spoil)how);
        for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
            s->m.wanted = everything;
            json_t *r = rated(s, all[k]);
            char *text = json_dumps(r, 0);

            assert_non_null(text); /* a number that is none cannot be written */
            assert_non_null(json_object_get(r, "excluded"));
            check_sound(r);
            if (how <= FEW || how == FORCED)
                assert_true(*ipr_json_text_at(r, "reason"));
            if (all[k] == ipr_rate_ipr)
                nothing_at(r, "estimate");
            if (all[k] == ipr_rate_depth && how != ONE_GAME)
                nothing_at(r, "estimate");
            free(text);
            json_decref(r);
        }
    }
}

static void perfect_play_depends_on_the_prior(void **state)
{
    struct scene *s = *state;

    static const struct ipr_bayes_milepost m[] = { { 1600, 0.6, 1000, 0 },
                                                   { 2000, 0.9, 1200, 0 },
                                                   { 2400, 1.15, 900, 0 } };

    assert_int_equal(ipr_bayes_calibrate(m, 3, &s->use->bayes, NULL), IPR_OK);
    s->use->bayes_known = true;
    spoil(s, ALL_BEST);
    json_t *r = rated(s, ipr_rate_bayes);
    assert_true(ipr_json_true_at(r, "at_bound"));
    nothing_at(r, "elo.estimate");
    assert_non_null(strstr(ipr_json_text_at(r, "elo.reason"), "an end of its prior"));
    nothing_at(r, "clustered_error");
    nothing_at(r, "interval_clustered");
    assert_true(ipr_json_at(r, "estimate", 0.0) > 5.0);
    json_decref(r);
}

int main(void)
{
#define WITH_SCENE(f) cmocka_unit_test_setup_teardown(f, open_scene, close_scene)
    static const struct CMUnitTest tests[] = {
        WITH_SCENE(the_agent_is_the_models),
        WITH_SCENE(winners_drawers_and_losers_are_the_models),
        WITH_SCENE(many_games_are_counted_and_not_listed),
        WITH_SCENE(the_agent_has_an_elo_where_it_is_calibrated),
        WITH_SCENE(every_fit_is_the_models),
        WITH_SCENE(a_fit_without_its_line_has_no_rating),
        WITH_SCENE(the_bootstrap_is_the_models),
        WITH_SCENE(concordance_is_the_models),
        WITH_SCENE(concordance_needs_a_rating_within_reach),
        WITH_SCENE(weights_of_depths_are_the_models),
        WITH_SCENE(the_same_turns_give_the_same_answer),
        WITH_SCENE(few_lines_give_no_agent),
        WITH_SCENE(the_losses_have_a_distribution),
        WITH_SCENE(degenerate_sets_have_figures_or_reasons),
        WITH_SCENE(perfect_play_depends_on_the_prior),
    };

    gsl_set_error_handler_off();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
