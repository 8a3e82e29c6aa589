/* The reference agent: its figures equal those of the model on the same turns. */
#include "rate_moves.h"

#include "model/bayes.h"

static void same_posterior(const json_t *o, const struct ipr_bayes_posterior *p)
{
    same(o, "estimate", p->mean);
    same(o, "standard_error", p->sd);
    same(o, "mode", p->mode);
    same(o, "events", (double)p->events);
    assert_int_equal(ipr_json_true_at(o, "at_bound"), p->at_bound);
    assert_int_equal(ipr_json_true_at(o, "at_zero"), p->at_zero);
}

/* The posterior's interval and the one clustered by game; `interval` is the wider one. */
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

static void bayes_equals_model(void **state)
{
    const struct ipr_bayes_params params = ipr_bayes_default();
    struct scene *s = *state;
    struct ipr_bayes_posterior p;
    json_t *r = rated(s, ipr_rate_bayes);

    assert_ok(ipr_bayes_rate(&params, s->turns, s->t.n, &p, &s->err), &s->err);
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

static void bayes_by_result_equals_model(void **state)
{
    static const char *const names[] = { "lost", "drew", "won", "unfinished" };
    static const enum ipr_bayes_class of_points[] = { IPR_BAYES_UNFINISHED, IPR_BAYES_LOST,
                                                      IPR_BAYES_DREW, IPR_BAYES_WON };
    const struct ipr_bayes_params params = ipr_bayes_default();
    struct scene *s = *state;
    struct ipr_bayes_class_summary classes[IPR_BAYES_CLASSES];
    struct ipr_bayes_side *sides = NULL;
    enum ipr_bayes_class *class = ipr_arena_alloc(&s->mem, s->t.n, sizeof *class);
    size_t n = 0;

    for (size_t i = 0; i < s->t.n; i++)
        class[i] = of_points[s->turns[i].game % 4];
    assert_ok(ipr_bayes_by_side(&params, s->turns, class, s->t.n, &sides, &n, classes, &s->err),
              &s->err);
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

static void many_games_are_counted_but_not_listed(void **state)
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

static void calibrate_bayes(struct scene *s)
{
    static const struct ipr_bayes_milepost m[] = { { 1600, 0.6, 1000, 0 },
                                                   { 2000, 0.9, 1200, 0 },
                                                   { 2400, 1.15, 900, 0 },
                                                   { 3000, 1.7, 1000, 0 } };

    assert_ok(ipr_bayes_calibrate(m, sizeof m / sizeof *m, &s->use->bayes, &s->err), &s->err);
    s->use->bayes_known = true;
}

static void bayes_has_an_elo_if_calibrated(void **state)
{
    struct scene *s = *state;
    const struct ipr_bayes_params params = ipr_bayes_default();
    struct ipr_bayes_posterior p;

    json_t *r = rated(s, ipr_rate_bayes);
    nothing_at(r, "elo.estimate");
    assert_non_null(strstr(ipr_json_text_at(r, "elo.reason"), "no line for the agent's c"));
    json_decref(r);

    calibrate_bayes(s);
    assert_ok(ipr_bayes_rate(&params, s->turns, s->t.n, &p, &s->err), &s->err);
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

    s->use->bayes.elo_max = e.elo - 1; /* beyond the range: a bound, no estimate */
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
    s->context.reason = "another judge";
    r = rated(s, ipr_rate_bayes);
    same(r, "estimate", p.mean);
    assert_string_equal(ipr_json_text_at(r, "elo.reason"), "another judge");
    json_decref(r);
}

static void bayes_needs_enough_lines(void **state)
{
    struct scene *s = *state;

    s->context.judge.multipv = 9;
    json_t *r = rated(s, ipr_rate_bayes);
    nothing_at(r, "estimate");
    assert_non_null(strstr(ipr_json_text_at(r, "reason"), "shows 9 moves"));
    json_decref(r);
    s->context.judge.multipv = 12; /* the judge shows enough, but the lists are short */
    for (size_t i = 0; i < s->t.n; i++) {
        s->turns[i].lines = s->turns[i].n_cp = 8;
        s->turns[i].played %= 8;
    }
    r = rated(s, ipr_rate_bayes);
    nothing_at(r, "estimate");
    assert_true(*ipr_json_text_at(r, "reason"));
    json_decref(r);
}

static void bayes_of_perfect_play_is_at_the_bound(void **state)
{
    struct scene *s = *state;

    calibrate_bayes(s);
    for (size_t i = 0; i < s->t.n; i++)
        s->turns[i].played = 0;
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
    static const struct CMUnitTest tests[] = {
        WITH_SCENE(bayes_equals_model),
        WITH_SCENE(bayes_by_result_equals_model),
        WITH_SCENE(many_games_are_counted_but_not_listed),
        WITH_SCENE(bayes_has_an_elo_if_calibrated),
        WITH_SCENE(bayes_needs_enough_lines),
        WITH_SCENE(bayes_of_perfect_play_is_at_the_bound),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
