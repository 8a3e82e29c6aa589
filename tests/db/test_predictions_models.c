/* The predictors' figures equal those of the models on the same turns. */
#include "predictions.h"

#include <stdio.h>

#include "model/conformance_predict.h"
#include "model/covariance.h"
#include "model/elo.h"
#include "model/markov.h"
#include "model/strength_shipped.h"
#include "model/window.h"
#include "view/calibration/use.h"

struct turns {
    struct ipr_turn *t;
    size_t *keep;
    size_t n; /* of `keep` */
};

static struct turns turns_of(struct ipr_view_scene *s, const char *name, bool own_year)
{
    const struct ipr_window w = ipr_window_default(IPR_WINDOW_CONFORMANCE);
    struct turns out = { .n = 0 };
    size_t n = 0, m = 0;

    assert_ok(ipr_db_player_transitions(s->db, ipr_db_test_player(name), 2001, s->judge_id,
                                        IPR_TIME_SET_ALL, &s->mem, &out.t, &n, &s->err),
              &s->err);
    for (size_t i = 0; i < n; i++)
        if (!own_year || out.t[i].year == 2001)
            out.t[m++] = out.t[i];
    out.keep = ipr_arena_alloc(&s->mem, m, sizeof *out.keep);
    out.n = ipr_window_select(&w, out.t, m, out.keep, NULL);
    return out;
}

static void check_interval(const json_t *p, struct ipr_interval want)
{
    assert_close(ipr_json_at(p, "interval.low", NAN), want.lo, 1e-9);
    assert_close(ipr_json_at(p, "interval.high", NAN), want.hi, 1e-9);
}

static void conformance_equals_model(void **state)
{
    struct ipr_view_scene *s = *state;
    const struct turns a = turns_of(s, ADA, false), b = turns_of(s, BEA, false);
    const struct ipr_acs_player first = { a.t, a.keep, a.n, 2001 };
    const struct ipr_acs_player second = { b.t, b.keep, b.n, 2001 };
    struct ipr_acs_params params = ipr_acs_default();
    struct ipr_acs_prediction want;

    for (int k = 0; k < 2; k++) {
        json_t *r = predictions(s, ADA, BEA, "conformance", k ? "alpha=0.1&beta=1.5&k1=2" : "");
        const json_t *p = json_object_get(r, "conformance");
        if (k)
            params.alpha = 0.1, params.beta = 1.5, params.loss.k1 = 2.0;
        assert_ok(ipr_acs_predict(&first, &second, &params, &want, &s->err), &s->err);
        assert_true(want.expected > 0.0 && want.expected < 1.0); /* not clipped */
        assert_close(ipr_json_at(p, "expected", NAN), want.expected, 1e-9);
        assert_close(ipr_json_at(p, "as_white.expected", NAN), want.as_white, 1e-9);
        assert_close(ipr_json_at(p, "as_black.expected", NAN), want.as_black, 1e-9);
        assert_close(ipr_json_at(p, "standard_error", NAN), want.se, 1e-9);
        check_interval(p, want.interval);
        assert_close(ipr_json_at(p, "accumulated.white.share", NAN), want.q1.share, 1e-9);
        assert_close(ipr_json_at(p, "turns.white", NAN), (double)a.n, 0.0);
        assert_close(ipr_json_at(p, "games.white", NAN), 20.0, 0.0); /* of both years */
        assert_close(ipr_json_at(p, "games.black", NAN), 16.0, 0.0);
        assert_close(ipr_json_at(p, "params.beta", NAN), params.beta, 0.0);
        assert_close(ipr_json_at(p, "params.alpha", NAN), params.alpha, 0.0);
        assert_close(ipr_json_at(p, "params.k1", NAN), params.loss.k1, 0.0);
        assert_true(json_is_null(ipr_json_find(p, "as_white.win")));
        /* The source of the constants, whose errors are not in the interval. */
        assert_non_null(strstr(ipr_json_text_at(p, "interval_note"), k ? "requested" : "Alliot's"));
        json_decref(r);
    }
}

static struct ipr_covariance_player gains(struct ipr_view_scene *s, const struct turns *t,
                                          const struct ipr_conformance_params *loss, double earlier)
{
    struct ipr_gain_turn *g = ipr_arena_alloc(&s->mem, t->n, sizeof *g);
    double *weight = ipr_arena_alloc(&s->mem, t->n, sizeof *weight);

    for (size_t i = 0; i < t->n; i++)
        weight[i] = t->t[t->keep[i]].year == 2001 ? 1.0 : earlier;
    assert_ok(ipr_gain_turns(loss, t->t, t->keep, t->n, g, &s->err), &s->err);
    return (struct ipr_covariance_player){ g, t->n, weight };
}

static void covariance_equals_model(void **state)
{
    static const char *const queries[] = { "",
                                           "score=tanh",
                                           "n0=3&b=1.5&loss=weighted&seed=9",
                                           "score=tanh&a=0.5&n0=2&loss=raw&replicates=200",
                                           "forgetting=0.25",
                                           "forgetting=0" };
    struct ipr_view_scene *s = *state;

    for (size_t k = 0; k < sizeof queries / sizeof *queries; k++) {
        const bool forgetting = k == 4;
        const struct turns a = turns_of(s, ADA, !forgetting), b = turns_of(s, BEA, !forgetting);
        struct ipr_conformance_params loss = IPR_CONFORMANCE_INIT;
        struct ipr_covariance_params params = ipr_covariance_default();
        struct ipr_covariance_prediction want;

        if (k == 1) /* A section 4.3.1 */
            params.score = IPR_COVARIANCE_TANH, params.n0 = 0, loss.loss = IPR_LOSS_WEIGHTED,
            loss.k1 = 1.20, loss.k2 = -3.41;
        if (k == 2)
            params.n0 = 3, params.b = 1.5, params.seed = 9, loss.loss = IPR_LOSS_WEIGHTED;
        if (k == 3)
            params.score = IPR_COVARIANCE_TANH, params.a = 0.5, params.n0 = 2,
            params.replicates = 200;
        const struct ipr_covariance_player first = gains(s, &a, &loss, 0.25);
        const struct ipr_covariance_player second = gains(s, &b, &loss, 0.25);
        assert_ok(ipr_covariance_predict(&first, &second, &params, &want, &s->err), &s->err);

        json_t *r = predictions(s, ADA, BEA, "covariance", queries[k]);
        const json_t *p = json_object_get(r, "covariance");
        assert_close(ipr_json_at(p, "expected", NAN), want.expected, 1e-9);
        check_interval(p, want.interval);
        assert_close(ipr_json_at(p, "turns.white", NAN), (double)a.n, 0.0);
        assert_close(ipr_json_at(p, "games.white", NAN), forgetting ? 20.0 : 16.0, 0.0);
        assert_int_equal(json_object_get(p, "turns_in_year") != NULL, forgetting);
        assert_close(ipr_json_at(p, "params.forgetting", 0.0), forgetting ? 0.25 : 0.0, 0.0);
        assert_close(ipr_json_at(p, "mean_loss.black", NAN), want.player2.mean_loss, 1e-9);
        assert_true(json_equal(json_object_get(p, "as_white"), json_object_get(p, "as_black")));
        if (want.outcome_known)
            assert_close(ipr_json_at(p, "as_white.win", NAN), want.win, 1e-9);
        else
            assert_true(json_is_null(ipr_json_find(p, "as_white.win")));
        assert_close(ipr_json_at(p, "params.n0", NAN), params.n0, 0.0);
        assert_close(ipr_json_at(p, "params.seed", NAN), (double)params.seed, 0.0);
        json_decref(r);
    }
}

static struct ipr_markov_player transitions(struct ipr_view_scene *s, const struct turns *t)
{
    struct ipr_markov_turn *m = ipr_arena_alloc(&s->mem, t->n, sizeof *m);

    for (size_t i = 0; i < t->n; i++) {
        const struct ipr_turn *x = &t->t[t->keep[i]];
        m[i] = (struct ipr_markov_turn){ x->game, x->year, x->cp[0], x->cp[1], x->mover };
    }
    return (struct ipr_markov_player){ m, t->n, 2001 };
}

/* With forgetting=0 the earlier year makes no difference; with 1 it has the weight of the last. */
static void forgetting_changes_every_method(void **state)
{
    static const char *const methods[] = { "markov", "conformance", "covariance", "rating" };
    struct ipr_view_scene *s = *state;

    for (size_t k = 0; k < sizeof methods / sizeof *methods; k++) {
        double expected[3], games[3];
        for (int i = 0; i < 3; i++) {
            static const char *const queries[] = { "forgetting=0", "forgetting=0.5",
                                                   "forgetting=1" };
            json_t *r = predictions(s, ADA, BEA, methods[k], queries[i]);
            const json_t *p = json_object_get(r, methods[k]);
            expected[i] = ipr_json_at(p, "expected", NAN);
            games[i] = ipr_json_at(p, "games.white", NAN);
            assert_int_equal(json_is_null(ipr_json_find(p, "params.forgetting")), i == 0);
            json_decref(r);
        }
        assert_close(games[0], 16.0, 0.0);
        assert_close(games[1], 20.0, 0.0);
        assert_close(games[2], 20.0, 0.0);
        assert_true(expected[0] != expected[1] && expected[1] != expected[2]);
    }
}

static void check_markov(const json_t *p, const struct ipr_markov_prediction *want)
{
    assert_close(ipr_json_at(p, "expected", NAN), want->mean.expected, 1e-9);
    assert_close(ipr_json_at(p, "end_states.as_white.won", NAN), want->as_white.win, 1e-9);
    assert_close(ipr_json_at(p, "end_states.as_black.lost", NAN), want->as_black.loss, 1e-9);
    if (want->sd > 0.0)
        check_interval(p, want->expected);
    else /* no spread: the error is unknown */
        assert_true(json_is_null(json_object_get(p, "interval")));
    assert_close(ipr_json_at(p, "turns_in_year.white", NAN), (double)want->player1.turns_in_year,
                 0.0);
    assert_close(ipr_json_at(p, "empty_rows.white", NAN), want->player1.empty_rows, 0.0);
}

/* The counts of the stored calibration's pool. */
static void pool_of(struct ipr_view_scene *s, const struct ipr_markov_classes *classes,
                    double *counts)
{
    struct ipr_calibration_use *use = NULL;
    json_t *record = NULL;

    assert_ok(ipr_view_calibration(
                  &s->view,
                  &(struct ipr_calibration_request){ .name = "sample", .reference = true }, &record,
                  &s->err),
              &s->err);
    assert_ok(ipr_calibration_load(record, &use, &s->err), &s->err);
    ipr_calibration_pool_count(&use->pool, classes, counts);
    ipr_calibration_free(&use);
    json_decref(record);
}

static void markov_equals_model(void **state)
{
    static const char *const queries[] = { "", "classes=10&replicates=500", "empty_row=identity",
                                           "edges=25,90,400&seed=7",
                                           "colors=separate&edges=10,22,38,58,82,113,152,200" };
    static const int16_t edges[] = { 25, 90, 400 };
    struct ipr_view_scene *s = *state;
    const struct turns a = turns_of(s, ADA, false), b = turns_of(s, BEA, false);
    const struct ipr_markov_player first = transitions(s, &a), second = transitions(s, &b);
    double counts[IPR_MARKOV_MAX * IPR_MARKOV_MAX];
    struct ipr_markov_prediction want;

    for (size_t k = 0; k < sizeof queries / sizeof *queries; k++) {
        struct ipr_markov_params params = ipr_markov_default();

        if (k == 1)
            params.classes = ipr_markov_classes_10(), params.replicates = 500;
        if (k == 2)
            params.empty_row = IPR_EMPTY_ROW_IDENTITY;
        if (k == 3) {
            assert_ok(ipr_markov_classes_make(edges, 3, true, true, &params.classes, &s->err),
                      &s->err);
            params.seed = 7;
        }
        params.separate_colours = k == 4;
        pool_of(s, &params.classes, counts);
        assert_ok(ipr_markov_predict(&first, &second, counts, &params, &want, &s->err), &s->err);
        json_t *r = predictions(s, ADA, BEA, "markov", queries[k]);
        const json_t *p = json_object_get(r, "markov");
        check_markov(p, &want);
        assert_string_equal(ipr_json_text_at(p, "params.pool"), k == 2 ? "" : "sample");
        assert_int_equal(strlen(ipr_json_text_at(p, "params.pool_digest")), k == 2 ? 0 : 64);
        assert_int_equal(json_object_get(p, "matrices") != NULL, 0);
        json_decref(r);
    }
}

/* The note of a prediction from few games states the standard error; without an interval there is
 * no note. */
static void note_states_the_standard_error(void **state)
{
    json_t *r = predictions(*state, ADA, BEA, "markov", "replicates=500");
    const json_t *p = json_object_get(r, "markov");
    char want[80];

    snprintf(want, sizeof want, "standard error is %.1f percentage points",
             100.0 * ipr_json_at(p, "standard_error", NAN));
    assert_non_null(strstr(ipr_json_text_at(p, "note"), want));
    snprintf(want, sizeof want, " %.0f and %.0f moves that failed to convert",
             ipr_json_at(p, "exits.from_winning", NAN), ipr_json_at(p, "exits.from_losing", NAN));
    assert_non_null(strstr(ipr_json_text_at(p, "note"), want));
    json_decref(r);
    r = predictions(*state, ADA, BEA, "markov", "replicates=0");
    assert_null(ipr_json_find(r, "markov.note"));
    assert_true(*ipr_json_text_at(r, "markov.interval_reason") != '\0');
    json_decref(r);
}

static double cell(const json_t *matrix, size_t i, size_t j)
{
    return json_number_value(json_array_get(json_array_get(matrix, i), j));
}

/* M = F S and pi M = pi, the ends of pi are the wins; each row of M sums to 1. */
static void check_chain(const json_t *c, size_t n, double win, double loss)
{
    const json_t *f = json_object_get(c, "white"), *black = json_object_get(c, "black");
    const json_t *m = json_object_get(c, "product"), *pi = json_object_get(c, "stationary");

    assert_int_equal(json_array_size(m), n);
    for (size_t i = 0; i < n; i++) {
        double row = 0.0, to = 0.0;
        for (size_t j = 0; j < n; j++) {
            double sum = 0.0;
            for (size_t k = 0; k < n; k++)
                sum += cell(f, i, k) * cell(black, k, j);
            assert_close(cell(m, i, j), sum, 1e-8);
            row += cell(m, i, j);
            to += json_number_value(json_array_get(pi, j)) * cell(m, j, i);
        }
        assert_close(row, 1.0, 1e-8);
        assert_close(to, json_number_value(json_array_get(pi, i)), 1e-8);
    }
    assert_close(json_number_value(json_array_get(pi, n - 1)), win, 1e-9);
    assert_close(json_number_value(json_array_get(pi, 0)), loss, 1e-9);
}

static void matrices_give_the_prediction(void **state)
{
    static const char *const queries[] = { "matrices=true&replicates=0",
                                           "matrices=true&classes=10" };
    static const size_t classes[] = { 19, 10 };

    for (int k = 0; k < 2; k++) {
        json_t *r = predictions(*state, ADA, BEA, "markov", queries[k]);
        const json_t *p = json_object_get(r, "markov");
        check_chain(ipr_json_find(p, "matrices.as_white"), classes[k],
                    ipr_json_at(p, "end_states.as_white.won", NAN),
                    ipr_json_at(p, "end_states.as_white.lost", NAN));
        check_chain(ipr_json_find(p, "matrices.as_black"),
                    classes[k], /* the second player has White */
                    ipr_json_at(p, "end_states.as_black.lost", NAN),
                    ipr_json_at(p, "end_states.as_black.won", NAN));
        assert_int_equal(ipr_json_at(p, "params.classes", 0.0), classes[k]);
        assert_int_equal(json_is_null(json_object_get(p, "interval")), k == 0);
        assert_int_equal(json_object_get(p, "interval_reason") != NULL, k == 0);
        json_decref(r);
    }
}

static void ipr_and_elo_use_the_difference(void **state)
{
    json_t *r = NULL;
    struct ipr_view_scene *s = *state;

    assert_ok(ask(s, ADA, BEA, "all", NULL, &r, &s->err), &s->err);
    static const char *const names[] = { "ipr", "elo" };
    for (int k = 0; k < 2; k++) {
        char white[50], black[50], expected[50];
        snprintf(white, sizeof white, "white.%s.estimate", names[k]);
        snprintf(black, sizeof black, "black.%s.estimate", names[k]);
        snprintf(expected, sizeof expected, "predictions.%s.expected", names[k]);
        const double d = ipr_json_at(r, white, NAN) - ipr_json_at(r, black, NAN);
        assert_close(ipr_json_at(r, expected, NAN), ipr_elo_expect(d, 0.0), 1e-9);
    }
    const json_t *elo = ipr_json_find(r, "predictions.elo");
    assert_true(json_is_null(json_object_get(elo, "interval")));
    assert_non_null(strstr(ipr_json_text_at(elo, "interval_reason"), "without an error"));
    assert_string_equal(ipr_json_text_at(elo, "source.white"),
                        ipr_json_text_at(r, "white.elo.source"));
    assert_true(ipr_json_at(r, "predictions.ipr.interval.low", NAN) <
                ipr_json_at(r, "predictions.ipr.expected", NAN));
    json_decref(r);
}

/* The model's rating of the sums of 2000 and 2001. */
static struct ipr_strength_estimate rating_of(const char *name, double forgetting)
{
    const struct ipr_strength_shipped *s = &ipr_strength_shipped;
    double score = 0, information = 0;
    char sql[400];

    for (int year = 2000; year <= 2001; year++)
        for (int i = 0; i < 2; i++) {
            snprintf(sql, sizeof sql,
                     "SELECT coalesce(sum(%s), 0) FROM judged_side AS j JOIN game AS g ON g.id = "
                     "j.game_id WHERE year = %d AND CASE colour WHEN 0 THEN white_id ELSE black_id "
                     "END = %d",
                     i == 0 ? "strength_score" : "strength_information", year,
                     (int)ipr_db_test_player(name));
            *(i == 0 ? &score : &information) +=
                (double)ipr_db_test_int(sql) * (year == 2000 ? forgetting : 1.0) / 1e6;
        }
    return ipr_strength_of_sums(&s->calibration, score, information, s->prior_mean, s->prior_sd);
}

static void rating_equals_model(void **state)
{
    static const double forgetting[] = { 0.0, 0.5, 1.0 };
    struct ipr_view_scene *s = *state;

    for (int i = 0; i < 3; i++) {
        const struct ipr_strength_estimate a = rating_of(ADA, forgetting[i]),
                                           b = rating_of(BEA, forgetting[i]);
        json_t *r = predictions(s, ADA, BEA, "rating",
                                ipr_arena_printf(&s->mem, "forgetting=%g", forgetting[i]));
        const json_t *p = json_object_get(r, "rating");
        const double half = hypot(a.raw_hi - a.raw_lo, b.raw_hi - b.raw_lo) / 2;

        assert_true(fabs(a.raw - b.raw) > 1.0);
        assert_close(ipr_json_at(p, "difference", NAN), a.raw - b.raw, 1e-6);
        assert_close(ipr_json_at(p, "expected", NAN), ipr_elo_expect(a.raw, b.raw), 1e-9);
        assert_close(ipr_json_at(p, "turns.white", NAN), forgetting[i] > 0 ? 400.0 : 320.0, 0.0);
        if (forgetting[i] != 0.5) /* weights are all the same */
            assert_close(ipr_json_at(p, "interval.low", NAN),
                         ipr_elo_expect(a.raw - b.raw - half, 0.0), 1e-9);
        json_decref(r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(conformance_equals_model),
        cmocka_unit_test(covariance_equals_model),
        cmocka_unit_test(forgetting_changes_every_method),
        cmocka_unit_test(markov_equals_model),
        cmocka_unit_test(note_states_the_standard_error),
        cmocka_unit_test(matrices_give_the_prediction),
        cmocka_unit_test(ipr_and_elo_use_the_difference),
        cmocka_unit_test(rating_equals_model),
    };

    return cmocka_run_group_tests(tests, open_scene, ipr_view_scene_close);
}
