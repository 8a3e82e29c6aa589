/* Figures from Elo: ratings, opponents, expected scores and performance. */
#include "elo.h"

#include "ipr_members.h"
#include "model/elo.h"
#include "view/json.h"

static json_t *elo_of(struct ipr_view_scene *s, const char *name, int from, int to)
{
    json_t *r = NULL;

    assert_ok(ipr_view_elo(&s->view,
                           &(struct ipr_elo_request){
                               .player = ipr_db_test_player(name), .from = from, .to = to },
                           &r, &s->err),
              &s->err);
    assert_members(IPR_SHAPE_ELO_HISTORY, r);
    return r;
}

/* Tags take precedence over lists; only lists before the game are used. A game without a date has
 * no rating; without a month it has the rating of January. */
static void test_sources_of_ratings(void **state)
{
    struct ipr_view_scene *s = *state;
    struct ipr_db_new_game g = game(s, 1, "adler,vera", "brandt,ole", "1990.08.01");

    g.white_elo = 2222;
    g.black_elo = 2333;
    store(s, g);                                              /* both by tags */
    store(s, game(s, 2, "adler,vera", "x,y", "1990.08.02"));  /* own 2430 */
    store(s, game(s, 3, "x,y", "adler,vera", "1990.??.??"));  /* own 2420 */
    store(s, game(s, 4, "adler,vera", "x,y", "????.??.??"));  /* none */
    g = game(s, 5, "adler,vera", "brandt,ole", "1990.01.31"); /* own 2420 */
    g.black_elo = 2300;
    g.result = IPR_WHITE_WINS;
    store(s, g);
    import(s, SAMPLE);

    json_t *r = elo_of(s, "adler,vera", 1990, 1990);
    assert_int_equal(json_integer_value(json_object_get(r, "games")), 4);
    assert_close(ipr_json_at(r, "mean.estimate", NAN), (2222.0 + 2430.0 + 2420.0 + 2420.0) / 4.0,
                 1e-6);
    assert_string_equal(ipr_json_text_at(r, "mean.source"), "both");
    assert_int_equal(ipr_json_at(r, "mean.from_tags", 0), 1);
    assert_int_equal(ipr_json_at(r, "mean.from_list", 0), 3);
    assert_true(json_is_null(ipr_json_find(r, "mean.standard_error")));
    assert_true(json_is_null(ipr_json_find(r, "mean.interval")));
    assert_string_equal(ipr_json_text_at(r, "opponents.source"), "game tags");
    assert_int_equal(ipr_json_at(r, "opponents.games", 0), 2);
    assert_close(ipr_json_at(r, "score", NAN), 2.5, 1e-9);
    assert_int_equal(ipr_json_at(r, "score_games", 0), 4);
    /* Expected score of the two games in which both ratings are known. */
    const double expected = ipr_elo_expect(2222, 2333) + ipr_elo_expect(2420, 2300);
    assert_int_equal(ipr_json_at(r, "expected.games", 0), 2);
    assert_close(ipr_json_at(r, "expected.points", NAN), expected, 1e-6);
    assert_close(ipr_json_at(r, "expected.estimate", NAN), expected / 2.0, 1e-6);
    assert_close(ipr_json_at(r, "expected.actual", NAN), 0.75, 1e-9);
    assert_close(ipr_json_at(r, "expected.difference", NAN), 0.75 - expected / 2.0, 1e-6);
    /* The variance of actual scores is not an error of the expectation. */
    assert_true(json_is_null(ipr_json_find(r, "expected.interval")));
    assert_true(json_is_null(ipr_json_find(r, "expected.standard_error")));
    assert_true(*ipr_json_text_at(r, "expected.interval_reason") != '\0');
    assert_true(json_is_object(ipr_json_find(r, "expected.score_interval")));
    assert_close(ipr_json_at(r, "expected.score_sd", NAN),
                 sqrt(ipr_elo_expect(2222, 2333) * ipr_elo_expect(2333, 2222) +
                      ipr_elo_expect(2420, 2300) * ipr_elo_expect(2300, 2420)) /
                     2.0,
                 1e-6);
    /* x,y has no rating: no performance. */
    assert_true(json_is_null(ipr_json_find(r, "performance.estimate")));
    assert_string_equal(ipr_json_text_at(r, "performance.reason"),
                        "in 2 of 4 scored games the opponent's Elo is neither in the tags nor on "
                        "a rating list of the year before");
    /* The last rating of the year: the tags of August are later than the list of July. */
    assert_close(ipr_json_at(r, "elo.estimate", NAN), 2222.0, 0.0);
    assert_string_equal(ipr_json_text_at(r, "elo.date"), "1990-08");
    assert_string_equal(ipr_json_text_at(r, "elo.source"), "game tags");
    assert_int_equal(json_array_size(json_object_get(r, "history")), 2);
    assert_string_equal(ipr_json_text_at(r, "listed_as.matched_by"), "name");
    json_decref(r);

    /* Over all years the last list is later; the undated game counts and has no rating. */
    r = elo_of(s, "adler,vera", 0, 0);
    assert_int_equal(json_integer_value(json_object_get(r, "games")), 5);
    assert_close(ipr_json_at(r, "elo.estimate", NAN), 2440.0, 0.0);
    assert_string_equal(ipr_json_text_at(r, "elo.date"), "1991-07");
    assert_string_equal(ipr_json_text_at(r, "elo.source"), "rating list");
    assert_int_equal(ipr_json_at(r, "mean.games", 0), 4);
    assert_int_equal(json_array_size(json_object_get(r, "history")), 5);
    assert_true(json_is_null(json_object_get(r, "from")));
    json_decref(r);

    /* An open end is the last list, a last year the one in force in its December. */
    r = elo_of(s, "adler,vera", 1989, IPR_VIEW_YEAR_MAX);
    assert_close(ipr_json_at(r, "elo.estimate", NAN), 2440.0, 0.0);
    json_decref(r);
    r = elo_of(s, "adler,vera", 1, 1989);
    assert_close(ipr_json_at(r, "elo.estimate", NAN), 2410.0, 0.0);
    assert_int_equal(json_integer_value(json_object_get(r, "games")), 0);
    assert_true(json_is_null(ipr_json_find(r, "mean.estimate")));
    assert_true(json_is_null(ipr_json_find(r, "expected.estimate")));
    assert_string_equal(ipr_json_text_at(r, "performance.reason"), "no game with a result");
    json_decref(r);

    /* The same games from the opponent's side. */
    r = elo_of(s, "x,y", 1990, 1990);
    assert_string_equal(ipr_json_text_at(r, "opponents.source"), "rating list");
    assert_close(ipr_json_at(r, "opponents.mean", NAN), 2425.0, 1e-9);
    assert_close(ipr_json_at(r, "performance.estimate", NAN), 2425.0, 1e-3);
    assert_true(json_is_null(ipr_json_find(r, "mean.estimate")));
    json_decref(r);
}

/* 0 and 100 %: a bound, one open end, no error. Draws alone: an estimate. */
static void test_extreme_scores(void **state)
{
    static const struct {
        enum ipr_result result;
        double estimate, fide; /* NaN: only a bound */
        bool low, high;        /* ends that are open */
    } rows[] = {
        { IPR_WHITE_WINS, NAN, 3230.0, false, true },
        { IPR_BLACK_WINS, NAN, 1630.0, true, false },
        { IPR_DRAW, 2430.0, 2430.0, false, false },
    };
    struct ipr_view_scene *s = *state;

    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        char name[] = "white a";

        name[6] = (char)('a' + i);
        for (unsigned k = 0; k < 3; k++) {
            struct ipr_db_new_game g = game(s, 10 * i + k, name, "adler,vera", "1990.09.01");
            g.result = rows[i].result;
            store(s, g);
        }
    }
    import(s, SAMPLE);
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        char name[] = "white a";

        name[6] = (char)('a' + i);
        json_t *r = elo_of(s, name, 1990, 1990);
        const json_t *p = json_object_get(r, "performance");
        const bool bounded = isnan(rows[i].estimate);
        if (!bounded)
            assert_close(ipr_json_at(p, "estimate", NAN), rows[i].estimate, 1e-3);
        assert_close(ipr_json_at(p, "fide", NAN), rows[i].fide, 1e-9);
        assert_int_equal(ipr_json_true_at(p, "bounded"), bounded);
        assert_int_equal(json_is_null(json_object_get(p, "estimate")), bounded);
        assert_int_equal(*ipr_json_text_at(p, "reason") != '\0', bounded);
        assert_int_equal(json_is_null(json_object_get(p, "standard_error")), bounded);
        assert_int_equal(json_is_null(ipr_json_find(p, "interval.low")), rows[i].low);
        assert_int_equal(json_is_null(ipr_json_find(p, "interval.high")), rows[i].high);
        assert_int_equal(ipr_json_at(p, "games", 0), 3);
        json_decref(r);
    }
}

/* Forfeits are in the score and in no other figure. */
static void test_forfeits(void **state)
{
    struct ipr_view_scene *s = *state;
    struct ipr_db_new_game g;

    for (unsigned seed = 1; seed <= 3; seed++) {
        g = game(s, seed, "adler,vera", "brandt,ole", "1990.08.01");
        g.white_elo = seed == 3 ? 2900 : 2400;
        g.black_elo = seed == 3 ? 2900 : 2300;
        g.result = seed == 3 ? IPR_BLACK_WINS : IPR_DRAW;
        g.n_moves = seed == 3 ? 0 : g.n_moves;
        store(s, g);
    }
    json_t *r = elo_of(s, "adler,vera", 1990, 1990);
    assert_int_equal(ipr_json_at(r, "games", 0), 3);
    assert_int_equal(ipr_json_at(r, "unplayed.games", 0), 1);
    assert_int_equal(ipr_json_at(r, "unplayed.score_games", 0), 1);
    assert_close(ipr_json_at(r, "unplayed.score", NAN), 0.0, 0.0);
    assert_close(ipr_json_at(r, "score", NAN), 1.0, 0.0);
    assert_int_equal(ipr_json_at(r, "score_games", 0), 3);
    assert_close(ipr_json_at(r, "mean.estimate", NAN), 2400.0, 0.0);
    assert_close(ipr_json_at(r, "opponents.mean", NAN), 2300.0, 0.0);
    assert_close(ipr_json_at(r, "performance.estimate", NAN), 2300.0, 1e-3);
    assert_close(ipr_json_at(r, "expected.estimate", NAN), ipr_elo_expect(2400, 2300), 1e-9);
    assert_close(ipr_json_at(r, "expected.actual", NAN), 0.5, 0.0);
    json_decref(r);
    r = elo_of(s, "brandt,ole", 1990, 1990);
    assert_close(ipr_json_at(r, "unplayed.score", NAN), 1.0, 0.0);
    assert_close(ipr_json_at(r, "score", NAN), 2.0, 0.0);
    json_decref(r);
}

static void test_unknown_player(void **state)
{
    struct ipr_view_scene *s = *state;
    struct ipr_err err = IPR_ERR_INIT;
    json_t *r = NULL;

    assert_int_equal(ipr_view_elo(&s->view, &(struct ipr_elo_request){ .player = 12345 }, &r, &err),
                     IPR_ENOTFOUND);
    assert_null(r);
}

static void add_judged(struct ipr_view_scene *s, unsigned seed)
{
    struct ipr_db_new_game g = game(s, seed, "adler,vera", "brandt,ole", "1990.08.01");
    struct ipr_db_game stored;

    g.black_elo = 2300;
    ipr_sample_store(s->db, &g, 1, "sample");
    assert_ok(ipr_db_game_get(s->db, g.id, &s->mem, &stored, &s->err), &s->err);
    const struct ipr_judged_game judged = ipr_sample_judgement(&s->mem, &s->judge, &stored, seed);
    ipr_sample_judged(s->db, s->judge_id, &stored, &judged, 3);
}

static json_t *ratings_of_1990(struct ipr_view_scene *s, const char *name)
{
    const struct ipr_ratings_request asked = { .player = ipr_db_test_player(name),
                                               .year = 1990,
                                               .color = -1 };
    json_t *r = NULL;

    assert_ok(ipr_view_ratings(&s->view, &asked, &r, &s->err), &s->err);
    return r;
}

/* Ratings that were stored before an import of lists are computed again. */
static void test_import_renews_ratings(void **state)
{
    struct ipr_view_scene *s = *state;

    s->judge_id = ipr_sample_judge_id(s->db);
    for (unsigned seed = 0; seed < 8; seed++)
        add_judged(s, seed);
    ipr_sample_calibration(s->db, &s->judge, "digest");
    store(s, game(s, 99, "adler,vera", "brandt,ole", "1990.08.01")); /* not judged */

    json_t *before = ratings_of_1990(s, "adler,vera");
    assert_true(json_is_null(ipr_json_find(before, "elo.estimate")));
    assert_int_equal(ipr_db_test_int("SELECT count(*) FROM rating"), 1);
    import(s, SAMPLE);
    json_t *after = ratings_of_1990(s, "adler,vera");
    assert_close(ipr_json_at(after, "elo.estimate", NAN), 2430.0, 1e-9);
    assert_string_equal(ipr_json_text_at(after, "elo.source"), "rating list");
    /* Concordance compares with play at that Elo. */
    assert_non_null(strstr(ipr_json_text_at(before, "concordance.reason"), "no rating list"));
    assert_close(ipr_json_at(after, "concordance.rating", NAN), 2430.0, 1e-9);
    assert_string_equal(ipr_json_text_at(after, "concordance.rating_source"), "rating list");
    assert_true(ipr_json_at(after, "elo.turns", 0) >= ipr_json_at(after, "turns", NAN));
    assert_int_equal(ipr_json_at(after, "elo.games", 0), 8); /* judged games only */
    assert_close(ipr_json_at(after, "elo.performance.estimate", NAN), 2300.0, 1e-3);
    assert_close(ipr_json_at(after, "elo.expected.estimate", NAN), ipr_elo_expect(2430, 2300),
                 1e-9);
    assert_true(json_equal(json_object_get(before, "ipr"), json_object_get(after, "ipr")));
    json_t *other = ratings_of_1990(s, "brandt,ole");
    assert_string_equal(ipr_json_text_at(other, "elo.source"), "game tags");
    assert_string_equal(ipr_json_text_at(other, "elo.opponents.source"), "rating list");
    json_decref(before);
    json_decref(after);
    json_decref(other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_VIEW(test_sources_of_ratings),
        WITH_VIEW(test_extreme_scores),
        WITH_VIEW(test_forfeits),
        WITH_VIEW(test_unknown_player),
        WITH_VIEW(test_import_renews_ratings),
    };

    return cmocka_run_group_tests_name("elo view", tests, NULL, NULL);
}
