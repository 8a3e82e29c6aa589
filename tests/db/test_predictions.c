/* Predictions: parameters, refusals and their reasons, symmetry, and what they depend on. */
#include "predictions.h"

#include <stdlib.h>

#include "db/judges.h"
#include "db/records.h"

static void other_side_is_the_complement(void **state)
{
    json_t *one = predictions(*state, ADA, BEA, "all", NULL);
    json_t *two = predictions(*state, BEA, ADA, "all", NULL);
    const char *name;
    json_t *p;

    for (size_t i = 0; i < json_object_size(one); i++)
        assert_non_null(json_object_get(one, ipr_predict_name(i)));
    assert_null(ipr_predict_name(json_object_size(one)));
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
        assert_int_equal(json_object_size(ipr_json_find(p, "excluded.white")) > 0,
                         strcmp(name, "rating") != 0); /* of sums */
    }
    json_decref(one);
    json_decref(two);
}

/* Of so many games, by default twelve, with the chance of these; the strengths alone where there
 * are very many. */
static void a_match_has_an_interval_of_its_own(void **state)
{
    json_t *unasked = predictions(*state, ADA, BEA, "all", NULL);
    json_t *few = predictions(*state, ADA, BEA, "all", "games=6");
    json_t *many = predictions(*state, ADA, BEA, "all", "games=200");
    const char *name;
    json_t *p;

    json_object_foreach(few, name, p) {
        const json_t *q = json_object_get(many, name);
        const double width =
            ipr_json_at(p, "match.interval.high", NAN) - ipr_json_at(p, "match.interval.low", NAN);

        assert_close(ipr_json_at(json_object_get(unasked, name), "match.games", NAN), 12, 0);
        assert_close(ipr_json_at(p, "match.games", NAN), 6, 0);
        assert_true(ipr_json_true_at(p, "match.errors"));
        assert_close(ipr_json_at(p, "match.win", NAN) + ipr_json_at(p, "match.draw", NAN) +
                         ipr_json_at(p, "match.loss", NAN),
                     1, 1e-8);
        assert_close(fmod(12 * width + 1e-6, 1), 0, 1e-5); /* half points */
        assert_true(width > ipr_json_at(q, "match.interval.high", NAN) -
                                ipr_json_at(q, "match.interval.low", NAN));
        assert_true(ipr_json_at(p, "match.standard_deviation", NAN) >
                    ipr_json_at(q, "match.standard_deviation", NAN));
        if (strcmp(name, "elo") == 0) /* which has no interval but that of a match */
            continue;
        assert_true(width >
                    ipr_json_at(p, "interval.high", NAN) - ipr_json_at(p, "interval.low", NAN));
        assert_close(ipr_json_at(q, "match.interval.low", NAN), ipr_json_at(p, "interval.low", NAN),
                     .04);
    }
    json_decref(unasked);
    json_decref(few);
    json_decref(many);
}

static const struct {
    const char *method, *query, *begins;
} bad[] = {
    { "all", "games=0", "games: expected " },
    { "all", "games=201", "games: expected " },
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

static void bad_parameters_are_named(void **state)
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
        if (strcmp(name, "elo") == 0) /* from the tags */
            continue;
        assert_true(json_is_null(json_object_get(p, "expected")));
        assert_true(json_is_null(json_object_get(p, "interval")));
        assert_true(json_is_null(json_object_get(p, "as_white")));
        assert_null(json_object_get(p, "matrices"));
        assert_non_null(strstr(ipr_json_text_at(p, "reason"), "150 moves are needed"));
    }
    json_decref(r);
    /* Eight games are enough unless the colours are separate: Lop has none with Black. */
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

static void missing_analysis_is_a_reason(void **state)
{
    struct ipr_view_scene *s = *state;
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

/* A judge of one line that has judged nothing: the reason is not the number of lines. */
static void missing_analysis_precedes_few_lines(void **state)
{
    struct ipr_view_scene *s = *state;
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

static void order_of_storing_changes_nothing(void **state)
{
    json_t *one = predictions(*state, ADA, BEA, "all", "matrices=true");

    ipr_view_scene_close(state);
    scene_open(state, true);
    json_t *two = predictions(*state, ADA, BEA, "all", "matrices=true");
    assert_true(json_equal(one, two));
    json_decref(one);
    json_decref(two);
}

/* Games of other players do not change a prediction. */
static void other_games_change_nothing(void **state)
{
    struct ipr_view_scene *s = *state;
    static const char edges[] = "edges=5,10,15,20,25,30,200,210,220,230,240,250,260,270";
    json_t *before = predictions(s, ADA, BEA, "markov", edges);

    assert_true(ipr_json_at(before, "markov.empty_rows.white", 0.0) > 0.0);
    for (unsigned i = 0; i < 6; i++)
        add_game(s, 300 + i, "New, N", "Other, O", 2003);
    json_t *after = predictions(s, ADA, BEA, "markov", edges);
    assert_true(json_equal(before, after));
    json_decref(before);
    json_decref(after);
}

/* A calibration of another setting has the pool, too, if the engine searches to the same limit, and
 * the answer says so; figures of it are not mixed otherwise. */
static void pool_is_of_the_same_engine(void **state)
{
    struct ipr_view_scene *s = *state;
    static const char edges[] = "edges=5,10,15,20,25,30,200,210,220,230,240,250,260,270";
    struct ipr_judge other = s->judge;
    json_t *own = predictions(s, ADA, BEA, "markov", edges);

    snprintf(other.name, sizeof other.name, "wider");
    other.multipv++;
    ipr_sample_calibration(s->db, &other, "e");
    json_t *wider = predictions(s, ADA, BEA, "markov", edges);
    other.depth++;
    ipr_sample_calibration(s->db, &other, "f");
    json_t *deeper = predictions(s, ADA, BEA, "markov", edges);

    assert_null(ipr_json_find(own, "markov.params.pool_judge"));
    assert_string_equal(ipr_json_text_at(wider, "markov.params.pool"), "sample");
    assert_string_equal(ipr_json_text_at(wider, "markov.params.pool_judge"), "wider");
    assert_string_equal(ipr_json_text_at(wider, "markov.params.empty_row"), "pool");
    assert_int_equal(strlen(ipr_json_text_at(wider, "markov.params.pool_digest")), 64);
    assert_true(ipr_json_at(wider, "markov.empty_rows.white", 0.0) > 0.0);
    assert_false(json_equal(ipr_json_find(wider, "markov.expected"),
                            ipr_json_find(deeper, "markov.expected")));
    assert_true(json_is_null(ipr_json_find(deeper, "markov.params.pool")));
    assert_non_null(strstr(ipr_json_text_at(deeper, "markov.params.pool_reason"), "not mixed"));
    assert_string_equal(ipr_json_text_at(deeper, "markov.params.empty_row"), "identity");
    json_decref(own);
    json_decref(wider);
    json_decref(deeper);
}

/* Without a pool, rows without data are rows of the identity matrix, and the answer reports it. */
static void missing_pool_is_reported(void **state)
{
    struct ipr_view_scene *s = *state;
    bool changed = false;
    json_t *record = NULL;

    json_t *with = predictions(s, ADA, BEA, "markov", "empty_row=identity");
    assert_ok(ipr_view_calibration(
                  &s->view,
                  &(struct ipr_calibration_request){ .name = "sample", .reference = true }, &record,
                  &s->err),
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
}

/* A prediction shows the IPR and the Elo of each side, and computes no other rating. The others are
 * added to the stored row on request. */
static void only_shown_ratings_are_computed(void **state)
{
    static const char *const rows = "SELECT count(*) FROM rating";
    static const char *const with_ipr = "SELECT count(*) FROM rating WHERE answer::jsonb->'rating' "
                                        "?& array['ipr', 'elo', 'turns']";
    static const char *const with_more =
        "SELECT count(*) FROM rating WHERE answer::jsonb->'rating' "
        "?| array['bayes', 'concordance', 'complexity', "
        "'conformance']";
    struct ipr_view_scene *s = *state;
    json_t *rating = NULL;

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
}

#define WITH_SCENE(test) cmocka_unit_test_setup_teardown(test, open_scene, ipr_view_scene_close)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(other_side_is_the_complement),
        cmocka_unit_test(a_match_has_an_interval_of_its_own),
        cmocka_unit_test(bad_parameters_are_named),
        cmocka_unit_test(few_turns_give_reasons),
        cmocka_unit_test(missing_analysis_is_a_reason),
        cmocka_unit_test(missing_analysis_precedes_few_lines),
    };
    const struct CMUnitTest alone[] = {
        WITH_SCENE(order_of_storing_changes_nothing), WITH_SCENE(other_games_change_nothing),
        WITH_SCENE(pool_is_of_the_same_engine),       WITH_SCENE(missing_pool_is_reported),
        WITH_SCENE(only_shown_ratings_are_computed),
    };

    const int failed = cmocka_run_group_tests(tests, open_scene, ipr_view_scene_close);
    return failed + cmocka_run_group_tests(alone, NULL, NULL);
}
