/* The resources over a real database: shapes, refusals, what is kept and what makes it stale. */
#include "view/view.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "db/duplicate_candidates.h"
#include "db/identity_changes.h"
#include "db/jobs.h"
#include "db/judges.h"
#include "db/players.h"
#include "ipr_db_sample.h"
#include "ipr_db_test.h"
#include "ipr_test.h"
#include "ipr_view_sample.h"
#include "tmpl/mustache.h"
#include "view/json.h"
#include "view/page/format.h"

static void judge_game(struct ipr_view_scene *s, int64_t id, unsigned seed)
{
    const struct ipr_judge judge = ipr_sample_judge();
    struct ipr_db_game game;

    assert_ok(ipr_db_game_get(s->db, id, &s->mem, &game, &s->err), &s->err);
    const struct ipr_judged_game judged = ipr_sample_judgement(&s->mem, &judge, &game, seed);
    ipr_sample_judged(s->db, s->judge_id, &game, &judged, 3);
}

/* n judged games of 70 half-moves: 27 turns a side from move 9. */
static void add_games(struct ipr_view_scene *s, unsigned first_seed, unsigned n, const char *white,
                      const char *black, int year)
{
    const struct ipr_judge judge = ipr_sample_judge();

    assert_ok(ipr_db_judge_ensure(s->db, &judge, &s->judge_id, &s->err), &s->err);
    for (unsigned i = 0; i < n; i++) {
        struct ipr_db_new_game g = ipr_sample_game(&s->mem, first_seed + i, white, black, year, 70);
        ipr_sample_store(s->db, &g, 1, "sample");
        judge_game(s, g.id, first_seed + i);
    }
}

static enum ipr_code rate(const struct ipr_view *v, int32_t id, int year, json_t **out,
                          struct ipr_err *err)
{
    const struct ipr_ratings_request asked = { .player = id, .year = year, .color = -1 };

    return ipr_view_ratings(v, &asked, out, err);
}

static json_t *ratings(struct ipr_view_scene *s, int32_t id, int year)
{
    json_t *r = NULL;

    assert_ok(rate(&s->view, id, year, &r, &s->err), &s->err);
    return r;
}

/* Both in 2001. */
static enum ipr_code predict(const struct ipr_view *v, int32_t white, int32_t black, int method,
                             json_t **out, struct ipr_err *err)
{
    struct ipr_prediction_request asked = IPR_PREDICTION_REQUEST_INIT;

    asked.white = (struct ipr_param_side){ white, 2001 };
    asked.black = (struct ipr_param_side){ black, 2001 };
    asked.method = method;
    return ipr_view_prediction(v, &asked, out, err);
}

static void an_empty_house_has_all_its_rooms(void **state)
{
    struct ipr_view_scene *s = *state;
    json_t *r = NULL;

    assert_ok(ipr_view_dashboard(&s->view, &(struct ipr_dashboard_request){ 0 }, &r, &s->err),
              &s->err);
    assert_true(json_is_null(json_object_get(r, "judge")));
    assert_int_equal(json_array_size(json_object_get(r, "player_years")), 0);
    assert_ok(ipr_view_page("dashboard", r, &s->err), &s->err);
    json_decref(r);
    assert_ok(ipr_view_players(&s->view, &(struct ipr_players_request){ .limit = 50 }, &r, &s->err),
              &s->err);
    assert_true(json_is_null(json_object_get(r, "next")));
    json_decref(r);
    assert_ok(ipr_view_compare(&s->view,
                               &(struct ipr_prediction_request)IPR_PREDICTION_REQUEST_INIT, &r,
                               &s->err),
              &s->err);
    assert_true(json_is_null(json_object_get(r, "prediction")));
    json_decref(r);
    assert_ok(ipr_view_judges(&s->view, &(struct ipr_judges_request){ 0 }, &r, &s->err), &s->err);
    json_decref(r);
    assert_ok(ipr_view_calibrations(&s->view, &(struct ipr_calibrations_request){ 0 }, &r, &s->err),
              &s->err);
    json_decref(r);
}

static void what_is_not_there_is_not_found(void **state)
{
    struct ipr_view_scene *s = *state;
    static const struct ipr_players_request wrong[] = { { .limit = 5, .after = "x" },
                                                        { .limit = 5, .judge = "oracle" } };
    json_t *r = NULL;

    assert_int_equal(
        ipr_view_player(&s->view, &(struct ipr_player_request){ .player = 99 }, &r, NULL),
        IPR_ENOTFOUND);
    assert_int_equal(rate(&s->view, 99, 2001, &r, NULL), IPR_ENOTFOUND);
    assert_int_equal(ipr_view_upload(&s->view, &(struct ipr_upload_request){ 99 }, &r, NULL),
                     IPR_ENOTFOUND);
    assert_int_equal(
        ipr_view_calibration(&s->view, &(struct ipr_calibration_request){ "none", true }, &r, NULL),
        IPR_ENOTFOUND);
    assert_int_equal(predict(&s->view, 1, 1, IPR_PREDICTION_METHOD_ALL, &r, NULL), IPR_ENOTFOUND);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_int_equal(ipr_view_players(&s->view, &wrong[i], &r, NULL), IPR_EPARSE);
    assert_null(r);
}

static void few_turns_give_a_reason_and_no_figure(void **state)
{
    struct ipr_view_scene *s = *state;
    const struct ipr_judge judge = ipr_sample_judge();

    ipr_sample_calibration(s->db, &judge, "few");
    add_games(s, 1, 2, "Few, A", "Few, B", 2001);
    json_t *r = ratings(s, ipr_db_test_player("Few, A"), 2001);
    assert_true(json_is_null(ipr_json_find(r, "ipr.estimate")));
    assert_true(json_is_null(ipr_json_find(r, "ipr.interval")));
    assert_non_null(strstr(ipr_json_text_at(r, "ipr.reason"), "150 moves are needed"));
    assert_true(json_is_null(ipr_json_find(r, "conformance.at_0")));
    assert_false(ipr_json_true_at(r, "active"));
    const int32_t a = ipr_db_test_player("Few, A"), b = ipr_db_test_player("Few, B");
    json_decref(r);
    assert_ok(predict(&s->view, a, b, IPR_PREDICTION_METHOD_ALL, &r, &s->err), &s->err);
    assert_true(json_is_null(ipr_json_find(r, "predictions.markov.expected")));
    assert_non_null(
        strstr(ipr_json_text_at(r, "predictions.markov.reason"), "150 moves are needed"));
    assert_true(json_is_null(ipr_json_find(r, "predictions.ipr.expected")));
    r = json_pack("{s:{s:[]}, s:o}", "choices", "player_years", "prediction", r);
    assert_ok(ipr_view_page("compare", r, &s->err), &s->err);
    json_decref(r);
}

/* State of the one game of the year that is not judged; the others are. */
static const char *state_of_the_rest(struct ipr_view_scene *s, int32_t who, int64_t id)
{
    const struct ipr_ratings_request asked = { .player = who, .year = 2001, .color = -1 };
    json_t *r = NULL;
    const char *state = "";
    const json_t *game;
    size_t i;

    assert_ok(ipr_view_ratings_page(&s->view, &asked, &r, &s->err), &s->err);
    assert_int_equal(json_array_size(json_object_get(r, "game_list")), 3);
    json_array_foreach(json_object_get(r, "game_list"), i, game) {
        const char *text = ipr_json_text_at(game, "state");
        assert_int_equal((int)ipr_json_at(game, "plies", 0.0), 70);
        if ((int64_t)ipr_json_at(game, "id", 0.0) == id)
            state = ipr_arena_strndup(&s->mem, text, strlen(text));
        else
            assert_string_equal(text, "judged");
    }
    json_decref(r);
    return state;
}

static void a_year_names_its_games(void **state)
{
    struct ipr_view_scene *s = *state;
    int32_t queued;

    add_games(s, 1, 2, "List, A", "List, B", 2001);
    const int32_t id = ipr_db_test_player("List, A");
    struct ipr_db_new_game g = ipr_sample_game(&s->mem, 9, "List, A", "List, B", 2001, 70);
    ipr_sample_store(s->db, &g, 1, "sample");
    json_t *before = ratings(s, id, 2001);
    assert_string_equal(state_of_the_rest(s, id, g.id), "not queued");
    assert_ok(ipr_db_jobs_enqueue(s->db, &g.id, 1, "sample", 5, "local", &queued, &s->err),
              &s->err);
    assert_string_equal(state_of_the_rest(s, id, g.id), "ready");
    ipr_db_test_sql("UPDATE job SET state = 'leased'");
    assert_string_equal(state_of_the_rest(s, id, g.id), "running");
    ipr_db_test_sql("UPDATE job SET state = 'failed'");
    assert_string_equal(state_of_the_rest(s, id, g.id), "failed");
    json_t *after = ratings(s, id, 2001); /* the queue is none of its figures */
    assert_true(json_equal(before, after));
    json_decref(before);
    json_decref(after);
}

static void a_calibration_of_another_judge_is_not_used(void **state)
{
    struct ipr_view_scene *s = *state;
    struct ipr_judge judge = ipr_sample_judge();

    judge.depth = 3;
    ipr_sample_calibration(s->db, &judge, "other");
    add_games(s, 1, 12, "Mix, A", "Mix, B", 2001);
    json_t *r = ratings(s, ipr_db_test_player("Mix, A"), 2001);
    assert_true(json_is_null(ipr_json_find(r, "ipr.estimate")));
    assert_non_null(strstr(ipr_json_text_at(r, "ipr.reason"), "another engine setting"));
    assert_true(json_is_number(ipr_json_find(r, "conformance.at_0.share")));
    json_decref(r);
}

/* Whoever asked first: what is kept of the one request is no answer to the other. */
static void a_refusal_and_a_mismatch_are_kept_apart(void **state)
{
    struct ipr_view_scene *s = *state;
    struct ipr_judge judge = ipr_sample_judge();

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

/* As many turns as before are not the same games. */
static void a_career_follows_its_results(void **state)
{
    struct ipr_view_scene *s = *state;
    const struct ipr_judge judge = ipr_sample_judge();
    struct ipr_db_new_game *g = NULL;
    size_t n = 0;

    ipr_sample_calibration(s->db, &judge, "own");
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

/* Another judge's calibration rates nobody unless it is named, and then every figure says so; what
 * is kept for it and for the own one does not mix. */
static void a_calibration_asked_for_by_name_says_so(void **state)
{
    struct ipr_view_scene *s = *state;
    struct ipr_judge judge = ipr_sample_judge(), other = judge;
    struct ipr_view asked = s->view;
    json_t *r = NULL;
    bool fresh = false;

    ipr_sample_calibration(s->db, &judge, "own");
    add_games(s, 1, 12, "Ask, A", "Ask, B", 2001);
    const int32_t id = ipr_db_test_player("Ask, A");
    json_t *own = ratings(s, id, 2001);
    assert_null(json_object_get(json_object_get(own, "ipr"), "calibration_mismatch"));

    other.depth = 3;
    json_t *record = ipr_sample_calibration_record("theirs", &other);
    assert_ok(ipr_view_calibration_add(&s->view, record, &fresh, &s->err), &s->err);
    assert_true(fresh);
    assert_ok(ipr_view_calibration_add(&s->view, record, &fresh, &s->err), &s->err);
    assert_false(fresh);
    json_object_set_new(record, "a", json_real(ipr_json_at(record, "a", 0.0) + 100.0));
    assert_int_equal(ipr_view_calibration_add(&s->view, record, &fresh, NULL), IPR_ECONFLICT);
    json_decref(record);

    asked.calibration = "theirs";
    assert_ok(rate(&asked, id, 2001, &r, &s->err), &s->err);
    assert_true(ipr_json_true_at(r, "calibration.calibration_mismatch"));
    assert_true(ipr_json_true_at(r, "ipr.calibration_mismatch"));
    assert_string_equal(ipr_json_text_at(r, "ipr.calibration"), "theirs");
    assert_close(ipr_json_at(r, "calibration.calibration_judge.limit.depth", 0.0), 3.0, 0.0);
    assert_non_null(strstr(ipr_json_text_at(r, "calibration.note"), "depth 3"));
    assert_true(json_is_number(ipr_json_find(r, "ipr.estimate")));
    assert_null(json_object_get(json_object_get(r, "conformance"), "calibration_mismatch"));
    json_decref(r);

    asked.calibration = "sample"; /* the configured one, by its name */
    assert_ok(rate(&asked, id, 2001, &r, &s->err), &s->err);
    assert_true(json_equal(r, own));
    json_decref(r);
    r = ratings(s, id, 2001);
    assert_true(json_equal(r, own));
    json_decref(r);
    json_decref(own);
    asked.calibration = "nobody's";
    assert_int_equal(rate(&asked, id, 2001, &r, NULL), IPR_EPARSE);
}

static bool page_has(const char *name, json_t *resource, const char *text)
{
    struct ipr_tmpl_set *templates = NULL;
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_buf out = IPR_BUF_INIT;

    assert_ok(ipr_tmpl_set_load("templates", NULL, ipr_page_formatters, &templates, &err), &err);
    assert_ok(ipr_view_page(name, resource, &err), &err);
    assert_ok(ipr_tmpl_render(templates, name, resource, &out, &err), &err);
    const bool has = strstr(ipr_buf_c(&out), text) != NULL;
    ipr_buf_release(&out);
    ipr_tmpl_set_free(&templates);
    return has;
}

static void a_page_shows_records_old_and_new(void **state)
{
    struct ipr_view_scene *s = *state;
    const struct ipr_judge judge = ipr_sample_judge();
    json_t *r = NULL;

    ipr_sample_calibration(s->db, &judge, "own");
    assert_ok(ipr_view_calibration(&s->view, &(struct ipr_calibration_request){ "sample", true },
                                   &r, &s->err),
              &s->err);
    assert_true(json_array_size(ipr_json_find(r, "reference.turns")) > 1000);
    assert_true(page_has("calibration", r, "Every fit of every milepost"));
    static const char *const later[] = { "band",  "concordance", "random_share",  "lines",
                                         "bayes", "score_curve", "curve_families" };
    for (size_t i = 0; i < sizeof later / sizeof *later; i++)
        json_object_del(r, later[i]);
    assert_false(page_has("calibration", r, "Every fit of every milepost"));
    assert_true(page_has("calibration", r, "Mileposts of sample"));
    json_decref(r);
    assert_ok(ipr_view_calibrations(&s->view, &(struct ipr_calibrations_request){ 0 }, &r, &s->err),
              &s->err);
    assert_null(
        ipr_json_find(json_array_get(json_object_get(r, "calibrations"), 0), "reference.turns"));
    json_decref(r);
}

static void a_calibration_by_nodes_says_so(void **state)
{
    struct ipr_view_scene *s = *state;
    struct ipr_judge judge = ipr_sample_judge();

    judge.depth = 0;
    judge.nodes = 70000;
    ipr_sample_calibration(s->db, &judge, "by nodes");
    add_games(s, 1, 12, "Nodes, A", "Nodes, B", 2001);
    json_t *r = ratings(s, ipr_db_test_player("Nodes, A"), 2001);
    assert_non_null(strstr(ipr_json_text_at(r, "ipr.reason"), ", 70000 nodes, "));
    json_decref(r);
}

static void a_year_is_kept_until_it_changes(void **state)
{
    struct ipr_view_scene *s = *state;
    const struct ipr_judge judge = ipr_sample_judge();

    ipr_sample_calibration(s->db, &judge, "kept");
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
    assert_close(ipr_json_at(second, "turns", 0.0), 4711.0, 0.0); /* it was read, not computed */
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

/* What was kept before a merge must not be told after it, nor what was kept of the merged after
 * its undoing. */
static void figures_follow_persons(void **state)
{
    struct ipr_view_scene *s = *state;
    const struct ipr_judge judge = ipr_sample_judge();
    int64_t change = 0;

    ipr_sample_calibration(s->db, &judge, "kept");
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
    assert_ok(ipr_view_dashboard(&s->view, &(struct ipr_dashboard_request){ 0 }, &board, &s->err),
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

static void classes_of_time_control_are_kept_apart(void **state)
{
    struct ipr_view_scene *s = *state;
    const struct ipr_judge judge = ipr_sample_judge();

    ipr_sample_calibration(s->db, &judge, "kept");
    add_games(s, 1, 14, "Fast, A", "Fast, B", 2001);
    /* As if five of them had been blitz, judged and all. */
    ipr_db_test_sql("UPDATE game SET time_class = 3 WHERE id <= 5;"
                    "DELETE FROM side_turns; DELETE FROM judged_side; DELETE FROM player_year;"
                    "DELETE FROM player_total; DELETE FROM judge_total");
    for (int64_t id = 1; id <= 14; id++)
        judge_game(s, id, (unsigned)id);
    const int32_t id = ipr_db_test_player("Fast, A");
    json_t *some = ratings(s, id, 2001);
    s->view.time_classes = IPR_TIME_SET_ALL;
    json_t *all = ratings(s, id, 2001);
    s->view.time_classes = 0;
    json_t *again = ratings(s, id, 2001);
    assert_true(json_equal(some, again)); /* the one kept for all classes is not taken for it */
    assert_close(ipr_json_at(some, "games", 0.0), 9.0, 0.0);
    assert_close(ipr_json_at(some, "not_rated.blitz", 0.0), 5.0, 0.0);
    assert_close(ipr_json_at(all, "games", 0.0), 14.0, 0.0);
    assert_int_equal(json_object_size(json_object_get(all, "not_rated")), 0);
    assert_int_equal(ipr_db_test_int("SELECT count(*) FROM rating"), 2);
    json_decref(some);
    json_decref(all);
    json_decref(again);
}

static void two_years_are_compared(void **state)
{
    struct ipr_view_scene *s = *state;
    const struct ipr_judge judge = ipr_sample_judge();
    json_t *r = NULL, *mirrored = NULL;

    ipr_sample_calibration(s->db, &judge, "pair");
    add_games(s, 1, 12, "Pair, A", "Pair, B", 2001);
    const int32_t a = ipr_db_test_player("Pair, A"), b = ipr_db_test_player("Pair, B");
    assert_ok(predict(&s->view, a, b, IPR_PREDICTION_METHOD_MARKOV, &r, &s->err), &s->err);
    assert_ok(predict(&s->view, b, a, IPR_PREDICTION_METHOD_MARKOV, &mirrored, &s->err), &s->err);
    const json_t *m = ipr_json_find(r, "predictions.markov");
    const double e = ipr_json_at(m, "expected", -1.0);
    assert_true(ipr_json_at(m, "interval.low", 1.0) < e &&
                e < ipr_json_at(m, "interval.high", 0.0));
    assert_close(ipr_json_at(m, "as_white.win", 0.0) + ipr_json_at(m, "as_white.draw", 0.0) +
                     ipr_json_at(m, "as_white.loss", 0.0),
                 1.0, 1e-6);
    assert_close(e + ipr_json_at(mirrored, "predictions.markov.expected", 0.0), 1.0, 1e-6);
    assert_true(*ipr_json_text_at(m, "note") != '\0');
    assert_null(ipr_json_find(r, "predictions.ipr"));
    json_decref(r);
    json_decref(mirrored);
}

static void players_come_in_pages(void **state)
{
    struct ipr_view_scene *s = *state;
    json_t *first = NULL, *second = NULL;

    add_games(s, 1, 2, "page, a", "page, b", 2001);
    add_games(s, 9, 1, "page, c", "page, a", 2002);
    struct ipr_players_request asked = { .q = "page", .limit = 2 };
    assert_ok(ipr_view_players(&s->view, &asked, &first, &s->err), &s->err);
    assert_int_equal(json_array_size(json_object_get(first, "players")), 2);
    asked.after = ipr_json_text_at(first, "next");
    assert_ok(ipr_view_players(&s->view, &asked, &second, &s->err), &s->err);
    assert_int_equal(json_array_size(json_object_get(second, "players")), 1);
    assert_true(json_is_null(json_object_get(second, "next")));
    json_decref(first);
    json_decref(second);
    assert_ok(ipr_view_player(
                  &s->view, &(struct ipr_player_request){ .player = ipr_db_test_player("page, a") },
                  &first, &s->err),
              &s->err);
    assert_int_equal(json_array_size(json_object_get(first, "years")), 2);
    assert_ok(ipr_view_page("player", first, &s->err), &s->err);
    json_decref(first);
}

int main(void)
{
#define WITH_SCENE(test)                                                                           \
    cmocka_unit_test_setup_teardown(test, ipr_view_scene_open, ipr_view_scene_close)
    const struct CMUnitTest tests[] = {
        WITH_SCENE(an_empty_house_has_all_its_rooms),
        WITH_SCENE(what_is_not_there_is_not_found),
        WITH_SCENE(few_turns_give_a_reason_and_no_figure),
        WITH_SCENE(a_year_names_its_games),
        WITH_SCENE(a_calibration_of_another_judge_is_not_used),
        WITH_SCENE(a_refusal_and_a_mismatch_are_kept_apart),
        WITH_SCENE(a_career_follows_its_results),
        WITH_SCENE(a_calibration_asked_for_by_name_says_so),
        WITH_SCENE(a_page_shows_records_old_and_new),
        WITH_SCENE(a_calibration_by_nodes_says_so),
        WITH_SCENE(a_year_is_kept_until_it_changes),
        WITH_SCENE(figures_follow_persons),
        WITH_SCENE(classes_of_time_control_are_kept_apart),
        WITH_SCENE(two_years_are_compared),
        WITH_SCENE(players_come_in_pages),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
