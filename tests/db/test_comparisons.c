/* Matches that were played, beside their predictions, over a real database. */
#include "ipr_sentences_sample.h"
#include "report_games.h"

/* Results without a move, A's every time. */
static void add_forfeits(struct ipr_db_fixture *f, unsigned seed, unsigned n, const char *a,
                         const char *b, int year, const char *event)
{
    for (unsigned i = 0; i < n; i++) {
        struct ipr_db_new_game g = ipr_sample_game(&f->mem, seed + i, a, b, year, 0);

        g.event = event;
        g.result = IPR_WHITE_WINS;
        ipr_sample_store(f->db, &g, 1, "sample");
    }
}

static const json_t *error_of(const json_t *errors, const char *predictor)
{
    const json_t *e;
    size_t i;

    json_array_foreach(errors, i, e)
        if (strcmp(ipr_json_text_at(e, "predictor"), predictor) == 0)
            return e;
    fail_msg("no error of %s", predictor);
    return NULL;
}

static json_t *prediction(struct ipr_db_fixture *f, const char *a, const char *b, int year)
{
    const struct ipr_config config = { .judge = "sample", .calibration = "sample", .home = "." };
    const struct ipr_view view = { .config = &config, .db = f->db, .mem = &f->mem };
    json_t *out = NULL;

    struct ipr_prediction_request asked = IPR_PREDICTION_REQUEST_INIT;

    asked.white = (struct ipr_param_side){ .player = ipr_db_test_player(a), .year = year };
    asked.black = (struct ipr_param_side){ .player = ipr_db_test_player(b), .year = year };
    assert_ok(ipr_view_prediction(&view, &asked, &out, &f->err), &f->err);
    return out;
}

/* The comparisons of the matches' own year, with one more parameter. */
static json_t *in_sample(struct ipr_db_fixture *f, const char *name, json_t *value)
{
    json_t *params = ipr_report_params_default(&ipr_report_comparisons);

    json_object_set_new(params, "year", json_string("event"));
    json_object_set_new(params, name, value);
    json_t *out = report_of(f, &ipr_report_comparisons, params);
    json_decref(params);
    return out;
}

static void predictions_stand_beside_the_score(void **state)
{
    struct ipr_db_fixture *f = *state;

    /* B wins 3.5 : 1.5 of A. */
    add_game(f, 1, "A", "B", 2001, "Match", IPR_BLACK_WINS);
    add_game(f, 2, "B", "A", 2001, "Match", IPR_WHITE_WINS);
    add_game(f, 3, "A", "B", 2001, "Match", IPR_DRAW);
    add_game(f, 4, "B", "A", 2001, "Match", IPR_WHITE_WINS);
    add_game(f, 5, "A", "B", 2001, "Match", IPR_WHITE_WINS);
    add_games(f, 6, 3, "A", "B", 2001, "Another");
    add_forfeits(f, 20, 2, "A", "B", 2001, "Match");   /* count nowhere */
    add_forfeits(f, 22, 2, "A", "B", 2001, "Another"); /* nor make three games five */
    json_t *few = in_sample(f, "least", json_integer(5));
    const json_t *m = first_match(few);
    assert_int_equal(json_array_size(json_object_get(few, "matches")), 1);
    assert_string_equal(ipr_json_text_at(m, "first.name"), "B");
    assert_string_equal(ipr_json_text_at(m, "event.name"), "Match");
    assert_close(ipr_json_at(m, "score", 0.0), 0.7, 1e-12);
    assert_close(ipr_json_at(m, "games", 0.0), 5.0, 0.0);
    assert_close(ipr_json_at(m, "unplayed", 0.0), 2.0, 0.0);
    assert_true(ipr_json_true_at(m, "in_sample"));
    assert_non_null(json_object_get(few, "note"));
    json_t *want = prediction(f, "B", "A", 2001);
    const double expected = ipr_json_at(want, "predictions.markov.expected", -1.0);
    assert_close(ipr_json_at(m, "predictions.markov.expected", 9.0), expected, 1e-9);
    assert_close(ipr_json_at(m, "predictions.markov.absolute_error", 9.0), fabs(expected - 0.7),
                 1e-9);
    assert_true(json_is_null(ipr_json_find(m, "predictions.ipr.expected")));
    assert_true(*ipr_json_text_at(m, "predictions.ipr.reason") != '\0');
    const json_t *errors = json_object_get(few, "errors");
    assert_close(ipr_json_at(error_of(errors, "even"), "estimate", 9.0), 0.2, 1e-12);
    assert_close(ipr_json_at(error_of(errors, "markov"), "estimate", 9.0), fabs(expected - 0.7),
                 1e-9);
    assert_true(json_is_null(json_object_get(error_of(errors, "markov"), "interval")));
    assert_string_equal(ipr_json_text_at(error_of(errors, "markov"), "interval_reason"),
                        "fewer than 8 matches");
    const double low = ipr_json_at(m, "predictions.markov.match.interval.low", NAN);
    const double high = ipr_json_at(m, "predictions.markov.match.interval.high", NAN);
    assert_close(ipr_json_at(m, "predictions.markov.match.games", 9.0), 5.0, 0.0);
    assert_true(low <= expected && expected <= high);
    assert_close(ipr_json_at(error_of(errors, "markov"), "contained", 9.0),
                 low <= 0.7 && 0.7 <= high, 0.0);
    assert_true(json_is_null(json_object_get(error_of(errors, "even"), "contained")));
    assert_close(ipr_json_at(error_of(errors, "ipr"), "matches", 9.0), 0.0, 0.0);
    assert_true(json_is_null(json_object_get(error_of(errors, "ipr"), "estimate")));
    assert_close(ipr_json_at(few, "common.matches", 9.0), 1.0, 0.0); /* but for who is silent */
    json_decref(few);
    json_decref(want);
    json_t *more = in_sample(f, "least", json_integer(3));
    assert_int_equal(json_array_size(json_object_get(more, "matches")), 2);
    json_decref(more);
}

/* Eight matches are the fewest with an interval; it is the model's own. */
static void eight_matches_have_an_interval(void **state)
{
    struct ipr_db_fixture *f = *state;
    double even[8], score[8];
    struct ipr_prediction_error want;
    const json_t *m;
    size_t i;

    for (unsigned k = 0; k < 8; k++)
        add_games(f, 1 + 10 * k, 4 + k % 3, "A", "B", 2001 + (int)k,
                  ipr_arena_printf(&f->mem, "Match %u", k));
    json_t *r = report(f, &ipr_report_comparisons, "least", json_integer(4));
    json_array_foreach(json_object_get(r, "matches"), i, m) {
        assert_true(i < 8);
        even[i] = 0.5;
        score[i] = ipr_json_at(m, "score", NAN);
    }
    assert_int_equal(i, 8);
    assert_ok(ipr_prediction_error(even, score, 8, &want, &f->err), &f->err);
    assert_true(want.interval_known);
    const json_t *e = error_of(json_object_get(r, "errors"), "even");
    assert_close(ipr_json_at(e, "interval.low", NAN), want.interval.lo, 1e-9);
    assert_close(ipr_json_at(e, "interval.high", NAN), want.interval.hi, 1e-9);
    assert_null(json_object_get(e, "interval_reason"));
    json_decref(r);
}

#define LEFT_OUT " (the match's own games left out)"

static bool ends_with(const char *text, const char *end)
{
    const size_t n = strlen(text), k = strlen(end);

    return n >= k && strcmp(text + n - k, end) == 0;
}

/* Without the match's games a prediction is what it would be had they never been judged. */
static void a_match_can_be_left_out(void **state)
{
    static const char *const held_out[] = { "markov", "conformance", "covariance", "rating" };
    struct ipr_db_fixture *f = *state;

    const struct ipr_judge judge = ipr_sample_judge();

    ipr_sample_calibration(f->db, &judge, "reports");
    add_game(f, 60, "A", "B", 2001, "z", IPR_DRAW); /* over before the first move that counts */
    ipr_db_test_sql("UPDATE judged_side SET turns = 0;"
                    "UPDATE side_turns SET figures = '', lines = '', second_cp = ''");
    add_games(f, 1, 4, "A", "B", 2001, "Match");
    add_games(f, 10, 12, "A", "C", 2001, "x");
    add_games(f, 30, 12, "B", "D", 2001, "y");
    add_game(f, 50, "C", "A", 2001, "x", IPR_WHITE_WINS); /* C, who played nothing else, first */
    ipr_db_test_sql("UPDATE judged_side SET strength_version = 1, strength_moves = 20, "
                    "strength_information = 2000000, "
                    "strength_score = 300000 * ((game_id + colour) % 5 - 2)");
    json_t *with = in_sample(f, "least", json_integer(4));
    json_t *without = in_sample(f, "without_match", json_string("true"));
    const json_t *m = NULL;
    const json_t *each;
    int nothing_left = 0;
    size_t i;

    json_array_foreach(json_object_get(without, "matches"), i, each)
        if (strcmp(ipr_json_text_at(each, "event.name"), "Match") == 0)
            m = each;
    assert_non_null(m);
    assert_false(ipr_json_true_at(m, "in_sample"));
    assert_null(json_object_get(without, "note"));
    assert_null(json_object_get(without, "out_of_sample"));
    assert_close(ipr_json_at(with, "out_of_sample.without_match", -1.0), 1.0, 0.0);
    assert_close(ipr_json_at(with, "out_of_sample.year_before", -1.0), 0.0, 0.0);
    assert_true(ipr_json_at(with, "in_sample", 0.0) > 0.0);
    assert_close(ipr_json_at(m, "predictions.markov.games.white", 0.0), 12.0, 0.0);
    /* Every other match is all that its players played: nothing is left to predict from. */
    json_array_foreach(json_object_get(without, "matches"), i, each)
        if (each != m) {
            assert_true(json_is_null(ipr_json_find(each, "predictions.markov.expected")));
            assert_true(ends_with(ipr_json_text_at(each, "predictions.markov.reason"), LEFT_OUT));
            assert_true(ends_with(ipr_json_text_at(each, "predictions.ipr.reason"), LEFT_OUT));
            nothing_left += strstr(ipr_json_text_at(each, "predictions.ipr.reason"),
                                   ": no move of the year is left") != NULL;
        }
    assert_true(nothing_left > 0);
    const char *first = ipr_json_text_at(m, "first.name");
    const char *second = ipr_json_text_at(m, "second.name");
    ipr_db_test_sql("DELETE FROM side_turns WHERE game_id BETWEEN 2 AND 5; DELETE FROM rating;"
                    "UPDATE judged_side SET strength_version = 0 WHERE game_id BETWEEN 2 AND 5");
    json_t *want = prediction(f, first, second, 2001);
    for (size_t k = 0; k < sizeof held_out / sizeof *held_out; k++) {
        const json_t *p = json_object_get(json_object_get(m, "predictions"), held_out[k]);
        const json_t *q = json_object_get(json_object_get(want, "predictions"), held_out[k]);

        assert_close(ipr_json_at(p, "expected", -1.0), ipr_json_at(q, "expected", 9.0), 1e-9);
        assert_close(ipr_json_at(p, "interval.low", -1.0), ipr_json_at(q, "interval.low", 9.0),
                     1e-9);
    }
    /* Moves drawn at random have no IPR; the reason says of how many. */
    const char *reason = ipr_json_text_at(m, "predictions.ipr.reason");
    assert_non_null(strstr(reason, " moves)"));
    const char *otherwise = ipr_json_text_at(want, "predictions.ipr.reason");
    assert_memory_equal(reason, otherwise, strlen(otherwise));
    assert_string_equal(reason + strlen(otherwise), LEFT_OUT);
    json_decref(with);
    json_decref(without);
    json_decref(want);
}

static void the_year_before_knows_nothing_of_the_match(void **state)
{
    struct ipr_db_fixture *f = *state;

    add_games(f, 1, 8, "A", "B", 2001, "Match");
    add_games(f, 10, 8, "A", "B", 2002, "Return");
    json_t *r = report(f, &ipr_report_comparisons, "year", json_string("before"));
    json_t *want = prediction(f, "A", "B", 2001);
    json_t *same_year = in_sample(f, "least", json_integer(4));

    assert_close(ipr_json_at(same_year, "out_of_sample.without_match", -1.0), 0.0, 0.0);
    assert_close(ipr_json_at(same_year, "out_of_sample.year_before", -1.0), 1.0, 0.0);
    json_decref(same_year);
    assert_int_equal(json_array_size(json_object_get(r, "matches")), 1);
    assert_close(ipr_json_at(first_match(r), "year", 0.0), 2002.0, 0.0);
    assert_false(ipr_json_true_at(first_match(r), "in_sample"));
    const double expected = ipr_json_at(want, "predictions.markov.expected", 9.0);
    const bool a_first = strcmp(ipr_json_text_at(first_match(r), "first.name"), "A") == 0;
    assert_close(ipr_json_at(first_match(r), "predictions.markov.expected", -1.0),
                 a_first ? expected : 1.0 - expected, 1e-6);
    json_decref(r);
    json_decref(want);
}

/* The year before where there is enough of it, else the year without the match. */
static void comparisons_are_out_of_sample_by_default(void **state)
{
    struct ipr_db_fixture *f = *state;
    const json_t *m;
    size_t i;

    add_games(f, 1, 8, "A", "B", 2001, "Match");
    add_games(f, 10, 8, "A", "B", 2002, "Return");
    add_games(f, 20, 4, "A", "B", 2004, "Late");
    add_games(f, 30, 12, "A", "C", 2004, "x");
    add_games(f, 50, 12, "B", "D", 2004, "y");
    json_t *r = report(f, &ipr_report_comparisons, NULL, NULL);
    json_t *before = report(f, &ipr_report_comparisons, "year", json_string("before"));
    json_t *without = in_sample(f, "without_match", json_string("true"));

    assert_close(ipr_json_at(r, "in_sample", 9.0), 0.0, 0.0);
    assert_int_equal(json_array_size(json_object_get(r, "matches")), 5);
    json_array_foreach(json_object_get(r, "matches"), i, m) {
        const char *event = ipr_json_text_at(m, "event.name");
        const bool back = strcmp(event, "Return") == 0;
        const json_t *want =
            back ? first_match(before) : json_array_get(json_object_get(without, "matches"), i);

        assert_close(ipr_json_at(m, "predicted_from", 0.0),
                     ipr_json_at(m, "year", 0.0) - (back ? 1 : 0), 0.0);
        assert_true(
            json_equal(json_object_get(m, "predictions"), json_object_get(want, "predictions")));
        assert_int_equal(isfinite(ipr_json_at(m, "predictions.markov.expected", NAN)),
                         back || strcmp(event, "Late") == 0);
    }
    json_decref(r);
    json_decref(before);
    json_decref(without);
}

/* Stores a game that is not analysed. */
static int64_t store_game(struct ipr_db_fixture *f, unsigned seed, const char *white,
                          const char *black, int year)
{
    struct ipr_db_new_game g = ipr_sample_game(&f->mem, seed, white, black, year, 40);

    g.event = "Stored";
    g.result = IPR_DRAW;
    ipr_sample_store(f->db, &g, 1, "sample");
    return g.id;
}

/* What is not predicted from the year before says how many games of which years it needs. */
static void matches_say_what_they_need(void **state)
{
    struct ipr_db_fixture *f = *state;

    add_games(f, 1, 4, "A", "B", 2004, "Match");
    json_t *r = report(f, &ipr_report_comparisons, NULL, NULL);
    assert_null(json_object_get(r, "needs")); /* nothing of the years before is stored */
    json_decref(r);

    const int64_t first = store_game(f, 20, "A", "C", 2003);
    store_game(f, 21, "D", "B", 1999);
    store_game(f, 22, "D", "B", 1998);
    store_game(f, 23, "C", "D", 2003);
    r = report(f, &ipr_report_comparisons, NULL, NULL);
    assert_close(ipr_json_at(r, "needs.games", 0.0), 2.0, 0.0);
    assert_close(ipr_json_at(r, "needs.turns", 0.0), 24.0, 0.0); /* 12 of a side */
    assert_true(json_is_null(ipr_json_find(r, "needs.core_hours")));
    const json_t *match = json_array_get(ipr_json_find(r, "needs.matches"), 0);
    assert_close(ipr_json_at(match, "event", 0.0), ipr_json_at(first_match(r), "event.id", 9.0),
                 0.0);
    assert_int_equal(json_array_size(json_object_get(match, "players")), 2);
    json_decref(r);
    json_t *own_year = in_sample(f, "least", json_integer(4));
    assert_null(json_object_get(own_year, "needs"));
    json_decref(own_year);

    judge_sides(f, first, 20, 3);
    r = report(f, &ipr_report_comparisons, NULL, NULL);
    assert_close(ipr_json_at(r, "needs.games", 0.0), 1.0, 0.0);
    json_decref(r);
}

/* The year before is enough: the match's own games need no analysis. */
static void a_match_that_is_not_analysed_is_predicted(void **state)
{
    struct ipr_db_fixture *f = *state;

    add_games(f, 1, 8, "A", "C", 2001, "x");
    add_games(f, 10, 8, "B", "D", 2001, "y");
    for (unsigned i = 0; i < 4; i++)
        store_game(f, 20 + i, "A", "B", 2002);
    json_t *r = report(f, &ipr_report_comparisons, NULL, NULL);
    json_t *before = report(f, &ipr_report_comparisons, "year", json_string("before"));
    const json_t *m = NULL, *each;
    size_t i;

    json_array_foreach(json_object_get(r, "matches"), i, each)
        if (strcmp(ipr_json_text_at(each, "event.name"), "Stored") == 0)
            m = each;
    assert_non_null(m);
    assert_close(ipr_json_at(m, "predicted_from", 0.0), 2001.0, 0.0);
    assert_close(ipr_json_at(m, "judged_games", 9.0), 0.0, 0.0);
    assert_true(json_equal(m, first_match(before)));
    assert_true(json_is_number(ipr_json_find(m, "predictions.markov.expected")));
    json_decref(r);
    json_decref(before);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_DB(predictions_stand_beside_the_score),
        WITH_DB(eight_matches_have_an_interval),
        WITH_DB(a_match_can_be_left_out),
        WITH_DB(the_year_before_knows_nothing_of_the_match),
        WITH_DB(comparisons_are_out_of_sample_by_default),
        WITH_DB(matches_say_what_they_need),
        WITH_DB(a_match_that_is_not_analysed_is_predicted),
    };

    ipr_sentences_sample();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
