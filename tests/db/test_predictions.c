/* Predictions over a real database: held to the models on the same turns; parameters, refusals,
 * symmetry, the order of storing. */
#include "view/view.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "db/judges.h"
#include "db/players.h"
#include "db/records.h"
#include "db/turns.h"
#include "http/url.h"
#include "ipr_db_sample.h"
#include "ipr_db_test.h"
#include "ipr_members.h"
#include "ipr_test.h"
#include "ipr_view_sample.h"
#include "model/conformance_predict.h"
#include "model/covariance.h"
#include "model/elo.h"
#include "model/markov.h"
#include "model/window.h"
#include "resource/read.h"
#include "view/calibration/use.h"
#include "view/json.h"

#define ADA "Ada, A"
#define BEA "Bea, B"
#define FEW "Few, C"
#define LOP "Lop, D"

struct scene {
    struct ipr_db_pool *pool;
    struct ipr_db *db;
    struct ipr_arena mem;
    struct ipr_config config;
    struct ipr_view view;
    struct ipr_err err;
    int32_t judge_id;
};

/* ---- games and judgements ---- */

/* The sample's players choose at random, which no s and c fit: let them find the best move every
 * other time. */
static void play_better(struct scene *s, const struct ipr_judge *judge, struct ipr_judged_game *g)
{
    for (size_t i = 0; i < g->n; i++) {
        struct ipr_judged_turn *t = &g->turns[i];
        ipr_move *moves = ipr_arena_alloc(&s->mem, t->lines, sizeof *moves);

        memcpy(moves, t->moves, t->lines * sizeof *moves);
        if (i / 2 % 2 == 0)
            continue;
        moves[0] = t->moves[t->played];
        moves[t->played] = t->moves[0];
        if (t->lines > judge->multipv) /* it was judged apart, which nothing is now */
            t->lines--;
        t->moves = moves;
        t->played = 0;
    }
}

static void add_game(struct scene *s, unsigned seed, const char *white, const char *black, int year)
{
    const struct ipr_judge judge = ipr_sample_judge();
    struct ipr_db_new_game g = ipr_sample_game(&s->mem, seed, white, black, year, 70);
    struct ipr_db_game game;

    ipr_sample_store(s->db, &g, 1, "sample");
    assert_ok(ipr_db_game_get(s->db, g.id, &s->mem, &game, &s->err), &s->err);
    struct ipr_judged_game judged = ipr_sample_judgement(&s->mem, &judge, &game, seed);
    play_better(s, &judge, &judged);
    ipr_sample_judged(s->db, s->judge_id, &game, &judged, 3);
}

/* Sixteen games in 2001, the colours in turn; four of Ada's in 2000; two of another's, and eight of
 * one who has White in all. `backwards`: the same, the last first. */
static void add_games(struct scene *s, bool backwards)
{
    for (unsigned k = 0; k < 30; k++) {
        const unsigned i = backwards ? 29 - k : k;
        if (i < 16)
            add_game(s, 100 + i, i % 2 ? BEA : ADA, i % 2 ? ADA : BEA, 2001);
        else if (i < 20)
            add_game(s, 100 + i, i % 2 ? "Rival, R" : ADA, i % 2 ? ADA : "Rival, R", 2000);
        else
            add_game(s, 100 + i, i < 22 ? FEW : LOP, "Rival, R", 2001);
    }
}

static struct scene *scene_new(bool backwards)
{
    const struct ipr_judge judge = ipr_sample_judge();
    struct scene *s = calloc(1, sizeof *s);

    s->err = (struct ipr_err)IPR_ERR_INIT;
    s->config.judge = "sample";
    s->config.calibration = "sample";
    assert_ok(ipr_db_pool_open(ipr_db_test_create_migrated(), 1, &s->pool, &s->err), &s->err);
    assert_ok(ipr_db_lease(s->pool, &s->db, &s->err), &s->err);
    s->view = (struct ipr_view){ .config = &s->config, .db = s->db, .mem = &s->mem };
    assert_ok(ipr_db_judge_ensure(s->db, &judge, &s->judge_id, &s->err), &s->err);
    ipr_sample_calibration(s->db, &judge, "d");
    add_games(s, backwards);
    return s;
}

static void scene_free(struct scene *s)
{
    ipr_db_return(&s->db);
    ipr_db_pool_close(&s->pool);
    ipr_arena_release(&s->mem);
    free(s);
    ipr_db_test_drop();
}

static int open_scene(void **state)
{
    *state = scene_new(false);
    return 0;
}

static int close_scene(void **state)
{
    scene_free(*state);
    return 0;
}

/* ---- questions ---- */

/* Both in 2001; `query` is "b=1&n0=2", or NULL. */
static enum ipr_code ask(struct scene *s, const char *white, const char *black, const char *method,
                         const char *query, json_t **out, struct ipr_err *err)
{
    struct ipr_given given[IPR_REQ_GIVEN];
    const struct ipr_resource *const r = ipr_resource_at(IPR_RESOURCE_PREDICTION);
    const char *const text = ipr_arena_printf(
        &s->mem, "white=%d:2001&black=%d:2001&method=%s&%s", (int)ipr_db_test_player(white),
        (int)ipr_db_test_player(black), method, query != NULL ? query : "");
    void *params = NULL;
    size_t n = 0;

    assert_ok(ipr_url_query(&s->mem, ipr_str_c(text), given, &n, err), err);
    const enum ipr_code rc = ipr_params_read(r, given, n, false, &s->mem, &params, err);
    return rc == IPR_OK ? ipr_view_prediction(&s->view, params, out, err) : rc;
}

static json_t *predictions(struct scene *s, const char *white, const char *black,
                           const char *method, const char *query)
{
    json_t *r = NULL;

    assert_ok(ask(s, white, black, method, query, &r, &s->err), &s->err);
    assert_members(IPR_SHAPE_HEAD_TO_HEAD, r);
    json_t *out = json_incref(json_object_get(r, "predictions"));
    json_decref(r);
    return out;
}

/* ---- what the models say of the same turns ---- */

struct turns {
    struct ipr_turn *t;
    size_t *keep;
    size_t n, own; /* of all years; of 2001 at the front of what was asked for */
};

static struct turns turns_of(struct scene *s, const char *name, bool own_year)
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

static void conformance_is_the_models(void **state)
{
    struct scene *s = *state;
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
        assert_true(want.expected > 0.0 && want.expected < 1.0); /* of the samples: not clipped */
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
        /* Whose constants they are, and that the interval knows nothing of their errors. */
        assert_non_null(strstr(ipr_json_text_at(p, "interval_note"), k ? "requested" : "Alliot's"));
        json_decref(r);
    }
}

static struct ipr_covariance_player gains(struct scene *s, const struct turns *t,
                                          const struct ipr_conformance_params *loss)
{
    struct ipr_gain_turn *g = ipr_arena_alloc(&s->mem, t->n, sizeof *g);

    assert_ok(ipr_gain_turns(loss, t->t, t->keep, t->n, g, &s->err), &s->err);
    return (struct ipr_covariance_player){ g, t->n };
}

static void covariance_is_the_models(void **state)
{
    static const char *const queries[] = { "", "score=tanh", "n0=3&b=1.5&loss=weighted&seed=9",
                                           "score=tanh&a=0.5&n0=2&loss=raw&replicates=200" };
    struct scene *s = *state;
    const struct turns a = turns_of(s, ADA, true), b = turns_of(s, BEA, true);

    for (size_t k = 0; k < sizeof queries / sizeof *queries; k++) {
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
        const struct ipr_covariance_player first = gains(s, &a, &loss);
        const struct ipr_covariance_player second = gains(s, &b, &loss);
        assert_ok(ipr_covariance_predict(&first, &second, &params, &want, &s->err), &s->err);

        json_t *r = predictions(s, ADA, BEA, "covariance", queries[k]);
        const json_t *p = json_object_get(r, "covariance");
        assert_close(ipr_json_at(p, "expected", NAN), want.expected, 1e-9);
        check_interval(p, want.interval);
        assert_close(ipr_json_at(p, "turns.white", NAN), (double)a.n, 0.0);
        assert_close(ipr_json_at(p, "games.white", NAN), 16.0, 0.0); /* of the year alone */
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

static struct ipr_markov_player transitions(struct scene *s, const struct turns *t)
{
    struct ipr_markov_turn *m = ipr_arena_alloc(&s->mem, t->n, sizeof *m);

    for (size_t i = 0; i < t->n; i++) {
        const struct ipr_turn *x = &t->t[t->keep[i]];
        m[i] = (struct ipr_markov_turn){ x->game, x->year, x->cp[0], x->cp[1], x->mover };
    }
    return (struct ipr_markov_player){ m, t->n, 2001 };
}

static void check_markov(const json_t *p, const struct ipr_markov_prediction *want)
{
    assert_close(ipr_json_at(p, "expected", NAN), want->mean.expected, 1e-9);
    assert_close(ipr_json_at(p, "as_white.win", NAN), want->as_white.win, 1e-9);
    assert_close(ipr_json_at(p, "as_black.loss", NAN), want->as_black.loss, 1e-9);
    if (want->sd > 0.0)
        check_interval(p, want->expected);
    else /* nothing varies, so nothing is known of the error */
        assert_true(json_is_null(json_object_get(p, "interval")));
    assert_close(ipr_json_at(p, "turns_in_year.white", NAN), (double)want->player1.turns_in_year,
                 0.0);
    assert_close(ipr_json_at(p, "empty_rows.white", NAN), want->player1.empty_rows, 0.0);
}

/* Counts of the stored calibration's pool. */
static void pool_of(struct scene *s, const struct ipr_markov_classes *classes, double *counts)
{
    struct ipr_calibration_use *use = NULL;
    json_t *record = NULL;

    assert_ok(ipr_view_calibration(&s->view, &(struct ipr_calibration_request){ "sample", true },
                                   &record, &s->err),
              &s->err);
    assert_ok(ipr_calibration_load(record, &use, &s->err), &s->err);
    ipr_calibration_pool_count(&use->pool, classes, counts);
    ipr_calibration_free(&use);
    json_decref(record);
}

static void markov_is_the_models(void **state)
{
    static const char *const queries[] = { "", "classes=10&replicates=500", "empty_row=identity",
                                           "edges=25,90,400&seed=7",
                                           "colors=separate&edges=10,22,38,58,82,113,152,200" };
    static const int16_t edges[] = { 25, 90, 400 };
    struct scene *s = *state;
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

/* What others play and when does not move a prediction. */
static void a_prediction_rests_on_its_sides_alone(void **state)
{
    struct scene *s = scene_new(false);
    static const char edges[] = "edges=5,10,15,20,25,30,200,210,220,230,240,250,260,270";
    json_t *before = predictions(s, ADA, BEA, "markov", edges);

    (void)state;
    assert_true(ipr_json_at(before, "markov.empty_rows.white", 0.0) > 0.0);
    for (unsigned i = 0; i < 6; i++)
        add_game(s, 300 + i, "New, N", "Other, O", 2003);
    json_t *after = predictions(s, ADA, BEA, "markov", edges);
    assert_true(json_equal(before, after));
    json_decref(before);
    json_decref(after);
    scene_free(s);
}

/* Rows that no pool fills are the identity's, and the answer says so. */
static void a_calibration_without_a_pool_is_named(void **state)
{
    struct scene *s = scene_new(false);
    bool changed = false;
    json_t *record = NULL;

    (void)state;
    json_t *with = predictions(s, ADA, BEA, "markov", "empty_row=identity");
    assert_ok(ipr_view_calibration(&s->view, &(struct ipr_calibration_request){ "sample", true },
                                   &record, &s->err),
              &s->err);
    json_object_del(record, "markov_pool");
    char *text = json_dumps(record, JSON_COMPACT);
    assert_ok(ipr_db_calibration_put(s->db, "sample", "{}", text, "older", &changed, &s->err),
              &s->err);
    json_t *without = predictions(s, ADA, BEA, "markov", "");
    const json_t *p = json_object_get(without, "markov");
    assert_true(json_equal(json_object_get(p, "expected"), ipr_json_find(with, "markov.expected")));
    assert_string_equal(ipr_json_text_at(p, "params.empty_row"), "identity");
    assert_true(json_is_null(ipr_json_find(p, "params.pool")));
    assert_string_equal(ipr_json_text_at(p, "params.pool_reason"),
                        "the calibration has no pool of transitions");
    free(text);
    json_decref(record);
    json_decref(with);
    json_decref(without);
    scene_free(s);
}

/* A thin prediction says how uncertain this one is, and nothing where that is not known. */
static void a_note_tells_the_predictions_own_error(void **state)
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

/* M = F S, pi M = pi, its ends are the wins; every row is one of probabilities. */
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

static void matrices_are_those_of_the_prediction(void **state)
{
    static const char *const queries[] = { "matrices=true&replicates=0",
                                           "matrices=true&classes=10" };
    static const size_t classes[] = { 19, 10 };

    for (int k = 0; k < 2; k++) {
        json_t *r = predictions(*state, ADA, BEA, "markov", queries[k]);
        const json_t *p = json_object_get(r, "markov");
        check_chain(ipr_json_find(p, "matrices.as_white"), classes[k],
                    ipr_json_at(p, "as_white.win", NAN), ipr_json_at(p, "as_white.loss", NAN));
        check_chain(ipr_json_find(p, "matrices.as_black"), classes[k], /* White is the second */
                    ipr_json_at(p, "as_black.loss", NAN), ipr_json_at(p, "as_black.win", NAN));
        assert_int_equal(ipr_json_at(p, "params.classes", 0.0), classes[k]);
        assert_int_equal(json_is_null(json_object_get(p, "interval")), k == 0);
        assert_int_equal(json_object_get(p, "interval_reason") != NULL, k == 0);
        json_decref(r);
    }
}

static void ipr_and_elo_are_differences(void **state)
{
    json_t *r = NULL;
    struct scene *s = *state;

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

static void the_other_side_is_the_complement(void **state)
{
    json_t *one = predictions(*state, ADA, BEA, "all", NULL);
    json_t *two = predictions(*state, BEA, ADA, "all", NULL);
    const char *name;
    json_t *p;

    assert_int_equal(json_object_size(one), 5);
    json_object_foreach(one, name, p) {
        const json_t *q = json_object_get(two, name);
        assert_close(ipr_json_at(p, "expected", NAN) + ipr_json_at(q, "expected", NAN), 1.0, 1e-8);
        assert_close(ipr_json_at(p, "as_white.expected", NAN) +
                         ipr_json_at(q, "as_black.expected", NAN),
                     1.0, 1e-8);
        assert_true(json_is_object(json_object_get(p, "params")));
        if (strcmp(name, "elo") == 0)
            continue;
        assert_close(ipr_json_at(p, "interval.low", NAN) + ipr_json_at(q, "interval.high", NAN),
                     1.0, 1e-8);
        assert_true(ipr_json_at(p, "standard_error", NAN) > 0.0);
        assert_true(json_object_size(ipr_json_find(p, "excluded.white")) > 0);
    }
    json_decref(one);
    json_decref(two);
}

static const struct {
    const char *method, *query, *begins;
} bad[] = {
    { "guess", "", "method: expected markov, covariance, conformance, " },
    { "all", "b=1&score=tanh", "b: expected only with score=bound" },
    { "all", "a=1", "a: expected only with score=tanh" },
    { "covariance", "k1=1", "k1: expected only with loss=weighted" },
    { "covariance", "k2=-1&loss=raw&score=tanh", "k2: expected only with loss=weighted" },
    { "all", "classes=10&edges=10,20", "classes: expected only without edges" },
    { "all", "edges=20,10", "edges: expected at most " },
    { "all", "edges=1,2,3,4,5,6,7,8,9,10,11,12,13,14,15", "edges: expected at most " },
    { "all", "edges=1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19", "edges: expected at most " },
    { "all", "replicates=99", "replicates: expected 0 " },
    { "markov", "beta=3", "beta: expected only with method=conformance" },
    { "covariance", "edges=10", "edges: expected only with method=markov" },
    { "conformance", "loss=raw", "loss: expected only with method=covariance" },
    { "elo", "seed=3", "seed: expected only with method=covariance,markov" },
    { "ipr", "n0=3", "n0: expected only with method=covariance" },
};

static void a_bad_parameter_is_named(void **state)
{
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct ipr_err err = IPR_ERR_INIT;
        json_t *r = NULL;

        assert_int_equal(ask(*state, ADA, BEA, bad[i].method, bad[i].query, &r, &err), IPR_EPARSE);
        assert_string_equal(err.type, "bad_parameter");
        if (strncmp(err.msg, bad[i].begins, strlen(bad[i].begins)) != 0)
            fail_msg("%s: \"%s\" does not begin with \"%s\"", bad[i].query, err.msg, bad[i].begins);
        assert_null(r);
    }
}

static void few_turns_give_reasons(void **state)
{
    json_t *r = predictions(*state, ADA, FEW, "all", "matrices=true");
    const char *name;
    json_t *p;

    json_object_foreach(r, name, p) {
        if (strcmp(name, "elo") == 0) /* of the tags */
            continue;
        assert_true(json_is_null(json_object_get(p, "expected")));
        assert_true(json_is_null(json_object_get(p, "interval")));
        assert_true(json_is_null(json_object_get(p, "as_white")));
        assert_null(json_object_get(p, "matrices"));
        assert_non_null(strstr(ipr_json_text_at(p, "reason"), "150 moves are needed"));
    }
    json_decref(r);
    /* Eight games are enough, but not where Black's are none of them. */
    r = predictions(*state, ADA, LOP, "markov", NULL);
    assert_true(json_is_number(ipr_json_find(r, "markov.expected")));
    json_decref(r);
    r = predictions(*state, ADA, LOP, "markov", "colors=separate");
    p = json_object_get(r, "markov");
    assert_true(json_is_null(json_object_get(p, "expected")));
    assert_non_null(strstr(ipr_json_text_at(p, "reason"), "150 moves are needed with each colour"));
    assert_non_null(strstr(ipr_json_text_at(p, "reason"), " and 0 with the lesser one"));
    json_decref(r);
}

static void nothing_judged_is_said(void **state)
{
    struct scene *s = *state;
    json_t *r = NULL;

    assert_ok(ask(s, ADA, BEA, "all", "judge=quick", &r, &s->err), &s->err);
    static const char *const names[] = { "markov", "covariance", "conformance" };
    for (int k = 0; k < 3; k++) {
        const json_t *p = json_object_get(json_object_get(r, "predictions"), names[k]);
        assert_true(json_is_null(json_object_get(p, "expected")));
        assert_true(*ipr_json_text_at(p, "reason") != '\0');
    }
    json_decref(r);
}

/* A judge of one line that has judged nothing: these methods would not need the other lines. */
static void a_narrow_judge_without_judgements_is_no_other_reason(void **state)
{
    struct scene *s = *state;
    struct ipr_judge narrow = ipr_sample_judge();
    json_t *r = NULL;
    bool fresh;

    snprintf(narrow.name, sizeof narrow.name, "slit");
    narrow.multipv = 1;
    assert_ok(ipr_db_definition_add(s->db, &narrow, "test", &fresh, &s->err), &s->err);
    assert_ok(ask(s, ADA, BEA, "markov", "judge=slit", &r, &s->err), &s->err);
    assert_string_equal(ipr_json_text_at(r, "predictions.markov.reason"),
                        "nothing has been analysed with the engine setting slit yet");
    json_decref(r);
}

static void the_order_of_storing_is_nothing(void **state)
{
    struct scene *s = scene_new(false);
    json_t *one = predictions(s, ADA, BEA, "all", "matrices=true");

    (void)state;
    scene_free(s);
    s = scene_new(true);
    json_t *two = predictions(s, ADA, BEA, "all", "matrices=true");
    assert_true(json_equal(one, two));
    json_decref(one);
    json_decref(two);
    scene_free(s);
}

/* Beside a prediction stand the IPR and the Elo of a side: no other rating is computed for it. The
 * ratings that are missing are added to them when they are needed. */
static void a_prediction_computes_what_it_shows(void **state)
{
    static const char *const rows = "SELECT count(*) FROM rating";
    static const char *const with_ipr = "SELECT count(*) FROM rating WHERE answer::jsonb->'rating' "
                                        "?& array['ipr', 'elo', 'turns']";
    static const char *const with_more =
        "SELECT count(*) FROM rating WHERE answer::jsonb->'rating' "
        "?| array['bayes', 'concordance', 'complexity', "
        "'conformance']";
    struct scene *s = scene_new(false);
    json_t *rating = NULL;

    (void)state;
    json_t *cold = predictions(s, ADA, BEA, "markov", "replicates=100");
    assert_int_equal(ipr_db_test_int(rows), 2);
    assert_int_equal(ipr_db_test_int(with_ipr), 2);
    assert_int_equal(ipr_db_test_int(with_more), 0);
    const struct ipr_ratings_request asked = { .player = ipr_db_test_player(ADA),
                                               .year = 2001,
                                               .color = -1 };
    assert_ok(ipr_view_ratings(&s->view, &asked, &rating, &s->err), &s->err);
    assert_members(IPR_SHAPE_PLAYER_RATINGS, rating);
    assert_true(json_is_object(json_object_get(rating, "bayes")));
    assert_int_equal(ipr_db_test_int(rows), 2);
    assert_int_equal(ipr_db_test_int(with_more), 1);
    json_t *warm = predictions(s, ADA, BEA, "markov", "replicates=100");
    assert_true(json_equal(cold, warm));
    json_decref(cold);
    json_decref(warm);
    json_decref(rating);
    scene_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(conformance_is_the_models),
        cmocka_unit_test(covariance_is_the_models),
        cmocka_unit_test(markov_is_the_models),
        cmocka_unit_test(a_note_tells_the_predictions_own_error),
        cmocka_unit_test(matrices_are_those_of_the_prediction),
        cmocka_unit_test(ipr_and_elo_are_differences),
        cmocka_unit_test(the_other_side_is_the_complement),
        cmocka_unit_test(a_bad_parameter_is_named),
        cmocka_unit_test(few_turns_give_reasons),
        cmocka_unit_test(nothing_judged_is_said),
        cmocka_unit_test(a_narrow_judge_without_judgements_is_no_other_reason),
    };
    const struct CMUnitTest alone[] = {
        cmocka_unit_test(the_order_of_storing_is_nothing),
        cmocka_unit_test(a_prediction_rests_on_its_sides_alone),
        cmocka_unit_test(a_calibration_without_a_pool_is_named),
        cmocka_unit_test(a_prediction_computes_what_it_shows),
    };

    const int failed = cmocka_run_group_tests(tests, open_scene, close_scene);
    return failed + cmocka_run_group_tests(alone, NULL, NULL);
}
