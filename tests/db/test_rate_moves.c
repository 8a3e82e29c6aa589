/* Ratings from the moves over a real database: what is read, asked for and kept. */
#include "view/view.h"

#include <gsl/gsl_errno.h>
#include <stdlib.h>
#include <string.h>

#include "db/judges.h"
#include "db/turns.h"
#include "ipr_db_sample.h"
#include "ipr_db_test.h"
#include "ipr_members.h"
#include "ipr_test.h"
#include "ipr_view_sample.h"
#include "model/bayes.h"
#include "view/json.h"

enum { GAMES = 24 };

/* Games of 70 half-moves, 27 turns a side from move 9, judged with as many lines. */
static void add_games(struct ipr_view_scene *s, unsigned lines)
{
    struct ipr_judge judge = ipr_sample_judge();

    judge.multipv = (uint16_t)lines;
    assert_ok(ipr_db_judge_ensure(s->db, &judge, &s->judge_id, &s->err), &s->err);
    for (unsigned i = 1; i <= GAMES; i++) {
        struct ipr_db_new_game g = ipr_sample_game(&s->mem, i, "Moves, A", "Moves, B", 2001, 70);
        struct ipr_db_game game;

        ipr_sample_store(s->db, &g, 1, "sample");
        assert_ok(ipr_db_game_get(s->db, g.id, &s->mem, &game, &s->err), &s->err);
        const struct ipr_judged_game judged = ipr_sample_judgement(&s->mem, &judge, &game, i);
        ipr_sample_judged(s->db, s->judge_id, &game, &judged, 3);
    }
}

static json_t *ratings(struct ipr_view_scene *s, unsigned include)
{
    const int32_t id = (int32_t)ipr_db_test_int("SELECT id FROM player WHERE name = 'Moves, A'");
    json_t *r = NULL;

    assert_ok(ipr_view_ratings(&s->view,
                               &(struct ipr_ratings_request){
                                   .player = id, .year = 2001, .color = -1, .include = include },
                               &r, &s->err),
              &s->err);
    assert_members(IPR_SHAPE_PLAYER_RATINGS, r);
    return r;
}

/* The moves of the sample games have nothing to do with their evaluations. */
static void the_agent_of_stored_games(void **state)
{
    const struct ipr_bayes_params params = ipr_bayes_default();
    struct ipr_view_scene *s = *state;
    struct ipr_db_player_turns t;
    struct ipr_bayes_posterior p;

    add_games(s, 12);
    json_t *r = ratings(s, IPR_RATINGS_INCLUDE_SIDES);
    const struct ipr_db_scope scope =
        ipr_db_scope_year((int32_t)ipr_json_at(r, "player.id", 0.0), 2001, IPR_TIME_SET_DEFAULT);
    assert_ok(ipr_db_player_turns(s->db, &scope, s->judge_id, &s->mem, &t, &s->err), &s->err);
    assert_ok(ipr_bayes_rate(&params, t.turns, t.n, &p, &s->err), &s->err);
    assert_close(ipr_json_at(r, "bayes.estimate", NAN), p.mean, 1e-9);
    assert_close(ipr_json_at(r, "bayes.interval.high", NAN), p.interval.hi, 1e-9);
    assert_int_equal(ipr_json_true_at(r, "bayes.at_zero"), p.at_zero);
    assert_true(p.mean < 0.5);

    const json_t *sides = ipr_json_find(r, "bayes.by_game");
    assert_int_equal(json_array_size(sides), GAMES);
    for (size_t i = 0; i < t.n_sides; i++)
        assert_close(ipr_json_at(json_array_get(sides, i), "game", NAN), (double)t.sides[i].game_id,
                     0.0);
    assert_non_null(strstr(ipr_json_text_at(r, "bayes.elo.reason"), "no calibration"));
    assert_non_null(strstr(ipr_json_text_at(r, "concordance.reason"), "no calibration"));
    json_decref(r);
}

static void a_judge_of_few_lines_has_no_agent(void **state)
{
    struct ipr_view_scene *s = *state;

    add_games(s, 3);
    json_t *r = ratings(s, 0);
    assert_true(json_is_null(ipr_json_find(r, "bayes.estimate")));
    assert_non_null(strstr(ipr_json_text_at(r, "bayes.reason"), "shows 3 moves"));
    json_decref(r);
}

/* What takes long is there when it is asked for, and is not kept. */
static void what_is_asked_for_is_beside_the_rest(void **state)
{
    struct ipr_view_scene *s = *state;
    const unsigned wanted = IPR_RATINGS_INCLUDE_DEPTH_WEIGHTED | IPR_RATINGS_INCLUDE_FITS;
    struct ipr_judge wide = s->judge;

    wide.multipv = 12;
    ipr_sample_calibration(s->db, &wide, "digest");
    add_games(s, 12);
    json_t *asked = ratings(s, wanted);
    assert_int_equal(ipr_db_test_int("SELECT count(*) FROM rating"), 0);
    json_t *usual = ratings(s, 0);
    assert_int_equal(ipr_db_test_int("SELECT count(*) FROM rating"), 1);
    json_t *again = ratings(s, wanted);

    assert_null(json_object_get(usual, "depth_weighted"));
    assert_non_null(json_object_get(asked, "depth_weighted"));
    /* Of the sample's two depths the first says nothing. */
    assert_non_null(
        strstr(ipr_json_text_at(asked, "depth_weighted.reason"), "all depths are the same"));
    assert_true(json_equal(asked, again));
    json_object_del(asked, "depth_weighted");
    json_object_del(json_object_get(asked, "ipr"), "fits");
    assert_true(json_equal(json_object_get(asked, "bayes"), json_object_get(usual, "bayes")));
    assert_true(json_equal(json_object_get(asked, "ipr"), json_object_get(usual, "ipr")));
    json_decref(asked);
    json_decref(usual);
    json_decref(again);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        WITH_VIEW(the_agent_of_stored_games),
        WITH_VIEW(a_judge_of_few_lines_has_no_agent),
        WITH_VIEW(what_is_asked_for_is_beside_the_rest),
    };

    gsl_set_error_handler_off();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
