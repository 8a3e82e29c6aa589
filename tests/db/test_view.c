/* Resources over a real database: shapes, refusals, calibrations. */
#include "view.h"

#include "db/jobs.h"
#include "tmpl/mustache.h"
#include "view/page/format.h"

static void empty_database_has_every_resource(void **state)
{
    struct ipr_view_scene *s = *state;
    json_t *r = NULL;

    assert_ok(ipr_view_dashboard(
                  &s->view, &(struct ipr_dashboard_request)IPR_DASHBOARD_REQUEST_INIT, &r, &s->err),
              &s->err);
    assert_true(json_is_null(json_object_get(r, "judge")));
    assert_int_equal(json_array_size(json_object_get(r, "ranking")), 0);
    assert_true(json_is_null(json_object_get(r, "finding")));
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

static void missing_resources_are_not_found(void **state)
{
    struct ipr_view_scene *s = *state;
    static const struct ipr_players_request wrong[] = { { .limit = 5, .after = "x" },
                                                        { .limit = 5, .judge = "oracle" } };
    json_t *r = NULL;

    assert_int_equal(
        ipr_view_player(&s->view, &(struct ipr_player_request){ .player = 99 }, &r, NULL),
        IPR_ENOTFOUND);
    assert_int_equal(rate(&s->view, 99, 2001, &r, NULL), IPR_ENOTFOUND);
    assert_int_equal(
        ipr_view_upload(&s->view, &(struct ipr_upload_request){ .upload = 99 }, &r, NULL),
        IPR_ENOTFOUND);
    assert_int_equal(
        ipr_view_calibration(&s->view,
                             &(struct ipr_calibration_request){ .name = "none", .reference = true },
                             &r, NULL),
        IPR_ENOTFOUND);
    assert_int_equal(predict(&s->view, 1, 1, IPR_PREDICTION_METHOD_ALL, &r, NULL), IPR_ENOTFOUND);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_int_equal(ipr_view_players(&s->view, &wrong[i], &r, NULL), IPR_EPARSE);
    assert_null(r);
}

static void few_turns_give_reasons(void **state)
{
    struct ipr_view_scene *s = *state;

    ipr_sample_calibration(s->db, &s->judge, "few");
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
    r = json_pack("{s:{}, s:o}", "sides", "prediction", r);
    assert_ok(ipr_view_page("compare", r, &s->err), &s->err);
    json_decref(r);
}

/* State of the one game of the year that is not judged. */
static const char *state_of_the_unjudged(struct ipr_view_scene *s, int32_t who, int64_t id)
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

static void year_lists_its_games(void **state)
{
    struct ipr_view_scene *s = *state;
    int32_t queued;

    add_games(s, 1, 2, "List, A", "List, B", 2001);
    const int32_t id = ipr_db_test_player("List, A");
    struct ipr_db_new_game g = ipr_sample_game(&s->mem, 9, "List, A", "List, B", 2001, 70);
    ipr_sample_store(s->db, &g, 1, "sample");
    json_t *before = ratings(s, id, 2001);
    assert_string_equal(state_of_the_unjudged(s, id, g.id), "not queued");
    assert_ok(ipr_db_jobs_enqueue(s->db, &g.id, 1, "sample", 5, "local", &queued, &s->err),
              &s->err);
    assert_string_equal(state_of_the_unjudged(s, id, g.id), "ready");
    ipr_db_test_sql("UPDATE job SET state = 'leased'");
    assert_string_equal(state_of_the_unjudged(s, id, g.id), "running");
    ipr_db_test_sql("UPDATE job SET state = 'failed'");
    assert_string_equal(state_of_the_unjudged(s, id, g.id), "failed");
    json_t *after = ratings(s, id, 2001); /* the queue changes no figure */
    assert_true(json_equal(before, after));
    json_decref(before);
    json_decref(after);
}

static void calibration_of_another_judge_is_not_used(void **state)
{
    struct ipr_view_scene *s = *state;
    struct ipr_judge judge = s->judge;

    judge.depth = 3;
    ipr_sample_calibration(s->db, &judge, "other");
    add_games(s, 1, 12, "Mix, A", "Mix, B", 2001);
    json_t *r = ratings(s, ipr_db_test_player("Mix, A"), 2001);
    assert_true(json_is_null(ipr_json_find(r, "ipr.estimate")));
    assert_non_null(strstr(ipr_json_text_at(r, "ipr.reason"), "another engine setting"));
    assert_true(json_is_number(ipr_json_find(r, "conformance.at_0.share")));
    json_decref(r);
}

/* The calibration of another judge is used only if requested, and every figure from it is marked.
 * Its ratings are stored separately. */
static void requested_calibration_is_named(void **state)
{
    struct ipr_view_scene *s = *state;
    struct ipr_judge other = s->judge;
    struct ipr_view asked = s->view;
    json_t *r = NULL;
    bool fresh = false;

    ipr_sample_calibration(s->db, &s->judge, "own");
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

    asked.calibration = "sample"; /* the configured one by its name */
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

static void calibration_page_shows_earlier_records(void **state)
{
    struct ipr_view_scene *s = *state;
    json_t *r = NULL;

    ipr_sample_calibration(s->db, &s->judge, "own");
    assert_ok(ipr_view_calibration(
                  &s->view,
                  &(struct ipr_calibration_request){ .name = "sample", .reference = true }, &r,
                  &s->err),
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

static void calibration_by_nodes_is_named(void **state)
{
    struct ipr_view_scene *s = *state;
    struct ipr_judge judge = s->judge;

    judge.depth = 0;
    judge.nodes = 70000;
    ipr_sample_calibration(s->db, &judge, "by nodes");
    add_games(s, 1, 12, "Nodes, A", "Nodes, B", 2001);
    json_t *r = ratings(s, ipr_db_test_player("Nodes, A"), 2001);
    assert_non_null(strstr(ipr_json_text_at(r, "ipr.reason"), ", 70000 nodes, "));
    json_decref(r);
}

static void two_years_are_compared(void **state)
{
    struct ipr_view_scene *s = *state;
    json_t *r = NULL, *mirrored = NULL;

    ipr_sample_calibration(s->db, &s->judge, "pair");
    add_games(s, 1, 12, "Pair, A", "Pair, B", 2001);
    const int32_t a = ipr_db_test_player("Pair, A"), b = ipr_db_test_player("Pair, B");
    assert_ok(predict(&s->view, a, b, IPR_PREDICTION_METHOD_MARKOV, &r, &s->err), &s->err);
    assert_ok(predict(&s->view, b, a, IPR_PREDICTION_METHOD_MARKOV, &mirrored, &s->err), &s->err);
    const json_t *m = ipr_json_find(r, "predictions.markov");
    const double e = ipr_json_at(m, "expected", -1.0);
    assert_true(ipr_json_at(m, "interval.low", 1.0) < e &&
                e < ipr_json_at(m, "interval.high", 0.0));
    assert_close(ipr_json_at(m, "end_states.as_white.won", 0.0) +
                     ipr_json_at(m, "end_states.as_white.between", 0.0) +
                     ipr_json_at(m, "end_states.as_white.lost", 0.0),
                 1.0, 1e-6);
    assert_true(json_is_null(ipr_json_find(m, "as_white.win")));
    assert_close(e + ipr_json_at(mirrored, "predictions.markov.expected", 0.0), 1.0, 1e-6);
    assert_true(*ipr_json_text_at(m, "note") != '\0');
    assert_null(ipr_json_find(r, "predictions.ipr"));
    json_decref(r);
    json_decref(mirrored);
}

static void players_are_split_into_pages(void **state)
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
    const struct CMUnitTest tests[] = {
        WITH_VIEW(empty_database_has_every_resource),
        WITH_VIEW(missing_resources_are_not_found),
        WITH_VIEW(few_turns_give_reasons),
        WITH_VIEW(year_lists_its_games),
        WITH_VIEW(calibration_of_another_judge_is_not_used),
        WITH_VIEW(requested_calibration_is_named),
        WITH_VIEW(calibration_page_shows_earlier_records),
        WITH_VIEW(calibration_by_nodes_is_named),
        WITH_VIEW(two_years_are_compared),
        WITH_VIEW(players_are_split_into_pages),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
