/* Ratings that are stored: what changes them, and what is stored separately. */
#include "view.h"

#include "db/duplicate_candidates.h"
#include "db/identity_changes.h"

/* In either order the stored answer of one request is not given to the other. */
static void refusals_and_mismatches_are_stored_separately(void **state)
{
    struct ipr_view_scene *s = *state;
    struct ipr_judge judge = s->judge;

    judge.depth = 3;
    ipr_sample_calibration(s->db, &judge, "other");
    add_games(s, 1, 12, "Mix, A", "Mix, B", 2001);
    for (int i = 0; i < 6; i++) { /* A is refused first, B is rated first */
        const bool asked = i % 2 == 1;
        struct ipr_view view = s->view;
        json_t *r = NULL;

        view.calibration = asked ? "sample" : NULL;
        assert_ok(rate(&view, ipr_db_test_player(i < 3 ? "Mix, A" : "Mix, B"), 2001, &r, &s->err),
                  &s->err);
        const bool refused =
            strstr(ipr_json_text_at(r, "ipr.reason"), "belongs to another engine setting") != NULL;
        assert_int_equal(refused, !asked);
        assert_int_equal(ipr_json_true_at(r, "ipr.calibration_mismatch"), asked);
        json_decref(r);
    }
    assert_int_equal(ipr_db_test_int("SELECT count(*) FROM rating"), 4);
}

static enum ipr_code change_game(struct ipr_db *db, void *arg, struct ipr_err *err)
{
    return ipr_db_game_change(db, 0, arg, false, err);
}

/* A career changes with a result although its turns do not. */
static void career_follows_changed_results(void **state)
{
    struct ipr_view_scene *s = *state;
    struct ipr_db_new_game *g = NULL;
    size_t n = 0;

    ipr_sample_calibration(s->db, &s->judge, "own");
    add_games(s, 1, 6, "Turn, A", "Turn, B", 2001);
    const int32_t id = ipr_db_test_player("Turn, A");
    json_t *before = ratings(s, id, 0);
    const int64_t game = ipr_db_test_int("SELECT min(id) FROM game WHERE result = 1");
    assert_ok(ipr_db_games_load(s->db, &game, 1, &s->mem, &g, &n, &s->err), &s->err);
    assert_int_equal(n, 1);
    g->result = IPR_BLACK_WINS;
    assert_ok(ipr_db_tx(s->db, change_game, g, &s->err), &s->err);
    json_t *after = ratings(s, id, 0);
    assert_close(ipr_json_at(before, "turns", NAN), ipr_json_at(after, "turns", NAN), 0.0);
    assert_close(ipr_json_at(before, "elo.score", NAN) - ipr_json_at(after, "elo.score", NAN), 1.0,
                 1e-9);
    json_decref(before);
    json_decref(after);
}

static void year_is_stored_until_it_changes(void **state)
{
    struct ipr_view_scene *s = *state;

    ipr_sample_calibration(s->db, &s->judge, "kept");
    add_games(s, 1, 12, "Kept, A", "Kept, B", 2001);
    const int32_t id = ipr_db_test_player("Kept, A");
    json_t *first = ratings(s, id, 2001), *second = ratings(s, id, 2001);
    assert_true(json_equal(first, second));
    assert_int_equal(ipr_db_test_int("SELECT count(*) FROM rating"), 1);
    assert_close(ipr_json_at(first, "conformance.turns", 0.0) +
                     ipr_json_at(first, "conformance.excluded.before_first_move", 0.0) +
                     ipr_json_at(first, "conformance.excluded.forced", 0.0),
                 ipr_json_at(first, "turns", -1.0), 0.0);
    json_decref(second);

    ipr_db_test_sql(
        "UPDATE rating SET answer = jsonb_set(answer::jsonb, '{rating,turns}', '4711')::json");
    second = ratings(s, id, 2001);
    assert_close(ipr_json_at(second, "turns", 0.0), 4711.0, 0.0); /* read, not computed */
    json_decref(second);

    add_games(s, 50, 1, "Kept, A", "Kept, B", 2001);
    second = ratings(s, id, 2001);
    assert_true(ipr_json_at(second, "turns", 0.0) > ipr_json_at(first, "turns", 1e9));
    assert_close(ipr_json_at(second, "games", 0.0), 13.0, 0.0);
    json_decref(first);
    json_decref(second);

    json_t *career = ratings(s, id, 0);
    assert_true(json_is_null(json_object_get(career, "year")));
    assert_close(ipr_json_at(career, "games", 0.0), 13.0, 0.0);
    json_decref(career);
}

/* Ratings stored before a merge are not used after it, nor those of the merged player after the
 * merge is undone. */
static void figures_follow_merges(void **state)
{
    struct ipr_view_scene *s = *state;
    int64_t change = 0;

    ipr_sample_calibration(s->db, &s->judge, "kept");
    add_games(s, 1, 8, "Whole, A", "Other, B", 2001);
    add_games(s, 20, 8, "Whole, Abe", "Other, B", 2001);
    const int32_t root = ipr_db_test_player("Whole, Abe"), member = ipr_db_test_player("Whole, A");
    json_t *alone = ratings(s, root, 2001);
    json_t *other = ratings(s, member, 2001);

    assert_ok(ipr_db_merge(s->db, member, root, false, "me", &change, &s->err), &s->err);
    json_t *merged = ratings(s, member, 2001);
    assert_close(ipr_json_at(merged, "player.id", 0.0), root, 0.0);
    assert_close(ipr_json_at(merged, "turns", 0.0),
                 ipr_json_at(alone, "turns", 0.0) + ipr_json_at(other, "turns", 0.0), 0.0);
    assert_close(ipr_json_at(merged, "games", 0.0), 16.0, 0.0);
    json_t *career = ratings(s, member, 0);
    assert_close(ipr_json_at(career, "games", 0.0), 16.0, 0.0);
    json_decref(career);
    json_t *prediction = NULL;
    assert_ok(predict(&s->view, member, ipr_db_test_player("Other, B"),
                      IPR_PREDICTION_METHOD_MARKOV, &prediction, &s->err),
              &s->err);
    assert_close(ipr_json_at(prediction, "white.player.id", 0.0), root, 0.0);
    assert_close(ipr_json_at(prediction, "predictions.markov.games.white", 0.0), 16.0, 0.0);
    json_decref(prediction);
    json_t *board = NULL;
    assert_ok(ipr_view_all_player_years(
                  &s->view, &(struct ipr_all_player_years_request)IPR_ALL_PLAYER_YEARS_REQUEST_INIT,
                  &board, &s->err),
              &s->err);
    assert_int_equal(json_array_size(json_object_get(board, "player_years")), 2);
    json_decref(board);

    assert_ok(ipr_db_identity_undo(s->db, change, "me", &s->err), &s->err);
    json_t *again = ratings(s, root, 2001);
    json_object_del(again, "version");
    json_object_del(alone, "version");
    assert_true(json_equal(again, alone));
    career = ratings(s, root, 0);
    assert_close(ipr_json_at(career, "games", 0.0), 8.0, 0.0);
    json_decref(career);
    json_decref(again);
    json_decref(alone);
    json_decref(other);
    json_decref(merged);
}

static void time_classes_are_stored_separately(void **state)
{
    struct ipr_view_scene *s = *state;

    ipr_sample_calibration(s->db, &s->judge, "kept");
    add_games(s, 1, 14, "Fast, A", "Fast, B", 2001);
    /* As if five of them had been imported and judged as blitz. */
    ipr_db_test_sql("UPDATE game SET time_class = 3 WHERE id <= 5;"
                    "DELETE FROM side_turns; DELETE FROM judged_side; DELETE FROM player_year;"
                    "DELETE FROM player_total; DELETE FROM judge_total");
    for (int64_t id = 1; id <= 14; id++)
        ipr_sample_judge_game(s->db, &s->mem, id, (unsigned)id);
    const int32_t id = ipr_db_test_player("Fast, A");
    json_t *some = ratings(s, id, 2001);
    s->view.time_classes = IPR_TIME_SET_ALL;
    json_t *all = ratings(s, id, 2001);
    s->view.time_classes = 0;
    json_t *again = ratings(s, id, 2001);
    assert_true(json_equal(some, again)); /* not the one stored for all classes */
    assert_close(ipr_json_at(some, "games", 0.0), 9.0, 0.0);
    assert_close(ipr_json_at(some, "not_rated.blitz", 0.0), 5.0, 0.0);
    assert_close(ipr_json_at(all, "games", 0.0), 14.0, 0.0);
    assert_int_equal(json_object_size(json_object_get(all, "not_rated")), 0);
    assert_int_equal(ipr_db_test_int("SELECT count(*) FROM rating"), 2);
    json_decref(some);
    json_decref(all);
    json_decref(again);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_VIEW(refusals_and_mismatches_are_stored_separately),
        WITH_VIEW(career_follows_changed_results),
        WITH_VIEW(year_is_stored_until_it_changes),
        WITH_VIEW(figures_follow_merges),
        WITH_VIEW(time_classes_are_stored_separately),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
