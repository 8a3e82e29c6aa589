#include "ipr_sentences_sample.h"
#include "queue_view.h"

static void jobs_are_listed_by_state_and_page(void **state)
{
    struct scene *s = open_scene(state);
    const struct ipr_db_selection of_upload = { .upload = s->upload };
    struct ipr_err err = IPR_ERR_INIT;
    json_t *r = NULL;

    queue(s, &of_upload, "quick", GAMES);
    (void)ipr_db_test_sql("UPDATE job SET state = 'failed', last_error = 'it died', attempts = 3 "
                          "WHERE id = (SELECT min(id) FROM job)");
    struct ipr_analyses_request asked = { .upload = s->upload, .state = -1, .limit = 3 };
    assert_ok(ipr_view_analyses(&s->view, &asked, &r, &err), &err);
    assert_int_equal(json_array_size(json_object_get(r, "analyses")), 3);
    const json_t *first = json_array_get(json_object_get(r, "analyses"), 0);
    assert_string_equal(ipr_json_text_at(first, "state"), "failed");
    assert_string_equal(ipr_json_text_at(first, "reason"), "it died");
    assert_string_equal(ipr_json_text_at(first, "owner"), "ann");
    assert_string_equal(ipr_json_text_at(first, "white"), "Tal, M");
    const char *next = ipr_json_text_at(r, "next");
    asked.after = ipr_arena_strndup(&s->f->mem, next, strlen(next));
    assert_close(ipr_json_at(r, "judging.ready", -1.0), GAMES - 1, 0.0);
    assert_close(ipr_json_at(r, "judging.failed", -1.0), 1.0, 0.0);
    assert_string_equal(ipr_json_text_at(r, "judging.reason"), "no_worker");
    json_decref(r);
    assert_ok(ipr_view_analyses(&s->view, &asked, &r, &err), &err);
    assert_int_equal(json_array_size(json_object_get(r, "analyses")), 1);
    assert_true(json_is_null(json_object_get(r, "next")));
    json_decref(r);

    static const struct {
        int state;
        size_t n;
    } states[] = { { IPR_ANALYSES_STATE_READY, 2 },
                   { IPR_ANALYSES_STATE_FAILED, 1 },
                   { IPR_ANALYSES_STATE_RUNNING, 0 },
                   { IPR_ANALYSES_STATE_PAUSED, 0 } };
    for (size_t i = 0; i < sizeof states / sizeof *states; i++) {
        const struct ipr_analyses_request of_tal = {
            .player = s->tal, .year = 1960, .state = states[i].state, .limit = 9
        };

        assert_ok(ipr_view_analyses(&s->view, &of_tal, &r, &err), &err);
        assert_int_equal(json_array_size(json_object_get(r, "analyses")), states[i].n);
        json_decref(r);
    }
    static const struct ipr_analyses_request wrong[] = {
        { .state = -1, .limit = 9, .after = "-1" },
        { .state = -1, .limit = 9, .after = "x" },
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_int_equal(ipr_view_analyses(&s->view, &wrong[i], &r, &err), IPR_EPARSE);
        assert_string_equal(err.type, "bad_parameter");
        ipr_err_clear(&err);
    }
}

/* A selection of what does not exist is refused with its name; it is not an empty selection. */
static void selections_name_what_is_missing(void **state)
{
    static const struct {
        struct ipr_db_selection s;
        const char *says; /* NULL: it exists */
    } rows[] = {
        { { .person = 12345 }, "no player 12345" },
        { { .upload = 999 }, "no upload 999" },
        { { .upload = 1, .game = 99999 }, "no game 99999" },
        { { .upload = 1, .judge = "nope" }, "\"nope\"" },
        { { .judge = "nope" }, "\"nope\"" },
        { { .upload = 1, .game = 1, .person = 1, .judge = "deep" }, NULL },
        { { .judge = "was defined elsewhere" }, NULL },
        { { .upload = 0 }, NULL },
    };
    struct scene *s = open_scene(state);
    struct ipr_judge judge;
    int32_t id;

    assert_true(ipr_judge_builtin("quick", &judge));
    snprintf(judge.name, sizeof judge.name, "was defined elsewhere");
    assert_ok(ipr_db_judge_ensure(s->f->db, &judge, &id, &s->f->err), &s->f->err);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct ipr_db_selection games = rows[i].s;
        struct ipr_err err = IPR_ERR_INIT;
        const enum ipr_code rc = ipr_view_selection(&s->view, &games, &err);

        assert_int_equal(rc, rows[i].says != NULL ? IPR_ENOTFOUND : IPR_OK);
        if (rows[i].says != NULL && strstr(err.msg, rows[i].says) == NULL)
            fail_msg("%s: no %s", err.msg, rows[i].says);
    }
}

static void queue_has_jobs_uploads_and_workers(void **state)
{
    struct scene *s = open_scene(state);
    const struct ipr_db_selection of_upload = { .upload = s->upload };
    struct ipr_err err = IPR_ERR_INIT;
    json_t *r = NULL;

    assert_ok(ipr_view_queue(&s->view, &(struct ipr_queue_request){ 0 }, &r, &err), &err);
    assert_true(json_is_null(ipr_json_find(r, "queue.remaining")));
    assert_true(json_is_null(ipr_json_find(r, "cache.share")));
    assert_int_equal(json_array_size(json_object_get(r, "uploads")), 0);
    json_decref(r);

    queue(s, &of_upload, "standard", GAMES);
    queue(s, &of_upload, "quick", GAMES);
    (void)ipr_db_test_sql("UPDATE job SET state = 'paused' WHERE judge = 'quick'");
    (void)ipr_db_test_sql("UPDATE upload SET imported = 3, duplicate = 1");
    (void)ipr_db_test_sql("UPDATE job SET owner = 'bea' WHERE judge = 'quick' AND game_id = 2");
    (void)ipr_db_test_sql("UPDATE job SET state = 'failed', attempts = 3, last_error = 'it died' "
                          "WHERE id = (SELECT min(id) FROM job)");
    (void)ipr_db_test_sql("UPDATE job SET state = 'leased', worker = 'a:1', turns_done = 5, "
                          "lease_token = 1, lease_until = now() + interval '1 hour' "
                          "WHERE id = (SELECT min(id) FROM job WHERE state = 'ready')");
    beat(s, "a:1", "stockfish", 2);
    beat(s, "b:2", "stockfish toga", 3);
    assert_ok(ipr_view_queue(&s->view, &(struct ipr_queue_request){ 0 }, &r, &err), &err);
    assert_close(ipr_json_at(r, "queue.ready", -1.0), 2.0, 0.0);
    assert_close(ipr_json_at(r, "queue.engines", -1.0), 5.0, 0.0);
    assert_string_equal(ipr_json_text_at(r, "queue.reason"), "not_measured");
    assert_int_equal(json_array_size(json_object_get(r, "running")), 1);
    assert_int_equal(json_array_size(json_object_get(r, "waiting")), 2);
    assert_int_equal(json_array_size(json_object_get(r, "failed")), 1);
    assert_int_equal(json_array_size(json_object_get(r, "workers")), 2);
    assert_close(ipr_json_at(r, "cache.share", -1.0), 0.25, 0.0);
    const json_t *owner = json_array_get(json_object_get(r, "owners"), 0);
    assert_string_equal(ipr_json_text_at(owner, "owner"), "ann");
    assert_close(ipr_json_at(owner, "games", -1.0), 2.0, 0.0);
    assert_int_equal(json_array_size(json_object_get(r, "uploads")), 2); /* one per judge */

    /* The members from which the page makes its buttons. */
    assert_ok(ipr_view_page("queue", r, &err), &err);
    const json_t *rows = json_object_get(r, "uploads");
    const json_t *quick = json_array_get(rows, 0), *standard = json_array_get(rows, 1);
    assert_string_equal(ipr_json_text_at(quick, "judge"), "quick");
    assert_string_equal(ipr_json_text_at(quick, "white"), "Tal, M");
    assert_close(ipr_json_at(quick, "games", -1.0), 4.0, 0.0);
    assert_string_equal(ipr_json_text_at(quick, "owner"), "ann");
    assert_close(ipr_json_at(quick, "owners", -1.0), 2.0, 0.0);
    assert_close(ipr_json_at(standard, "owners", -1.0), 1.0, 0.0);
    assert_close(ipr_json_at(quick, "paused", -1.0), 4.0, 0.0);
    assert_close(ipr_json_at(standard, "failed", -1.0), 1.0, 0.0);
    assert_close(ipr_json_at(standard, "sooner", -1.0), 4.0, 0.0);
    assert_close(ipr_json_at(standard, "later", -1.0), 6.0, 0.0);
    json_decref(r);
}

static void progress_of_players_and_of_the_queue(void **state)
{
    struct scene *s = open_scene(state);
    const struct ipr_db_selection whole = { 0 }, tal = { .person = s->tal };
    const struct ipr_db_selection in_1961 = { .person = s->tal, .year = 1961 };
    struct ipr_err err = IPR_ERR_INIT;
    json_t *r = NULL;

    assert_ok(ipr_view_judging(&s->view, &tal, &r, &err), &err);
    assert_true(ipr_json_true_at(r, "done"));
    json_decref(r);
    queue(s, &tal, "standard", GAMES);
    assert_ok(ipr_view_judging(&s->view, &tal, &r, &err), &err);
    assert_false(ipr_json_true_at(r, "done"));
    assert_close(ipr_json_at(r, "judging.ready", -1.0), GAMES, 0.0);
    json_decref(r);
    assert_ok(ipr_view_judging(&s->view, &in_1961, &r, &err), &err);
    assert_close(ipr_json_at(r, "judging.ready", -1.0), 1.0, 0.0);
    json_decref(r);
    assert_ok(ipr_view_judging(&s->view, &whole, &r, &err), &err);
    assert_close(ipr_json_at(r, "queue.ready", -1.0), GAMES, 0.0);
    assert_true(json_is_false(json_object_get(r, "done")));
    json_decref(r);
    assert_ok(ipr_view_progress(&s->view, s->upload, &r, &err), &err);
    assert_close(ipr_json_at(r, "queued", -1.0), GAMES, 0.0);
    assert_string_equal(ipr_json_text_at(r, "judging.remaining"),
                        "not known while no engine is running");
    json_decref(r);
}

static void expect_turns(struct scene *s, double done, double total)
{
    struct ipr_err err = IPR_ERR_INIT;
    json_t *r = NULL;

    assert_ok(ipr_view_progress(&s->view, s->upload, &r, &err), &err);
    assert_close(ipr_json_at(r, "turns_done", -1.0), done, 0.0);
    assert_close(ipr_json_at(r, "turns_total", -1.0), total, 0.0);
    json_decref(r);
}

/* turns_done and turns_total add up from the request to the end of the analysis. */
static void turns_of_an_upload_add_up(void **state)
{
    struct scene *s = open_scene(state);
    const struct ipr_db_selection of_upload = { .upload = s->upload };

    expect_turns(s, 0.0, 0.0);
    queue(s, &of_upload, "standard", GAMES);
    queue(s, &of_upload, "quick", GAMES); /* not the upload's judge */
    expect_turns(s, 0.0, 4.0 * TURNS);
    (void)ipr_db_test_sql("UPDATE job SET state = 'leased', worker = 'a:1', turns_done = 5, "
                          "lease_token = 1, lease_until = now() + interval '1 hour' "
                          "WHERE judge = 'standard' AND game_id <= 2");
    expect_turns(s, 10.0, 4.0 * TURNS);
    judge_game(s, s->games[0].id, "standard");
    (void)ipr_db_test_sql("DELETE FROM job WHERE judge = 'standard' AND game_id = 1");
    expect_turns(s, TURNS + 5.0, 4.0 * TURNS);
    judge_with(s, s->games[0].id, "standard", "Engine 2"); /* the same game */
    (void)ipr_db_test_sql("INSERT INTO upload_duplicate (upload_id, ordinal, game_id, kind, "
                          "improved) VALUES (1, 99, 1, 0, false)");
    expect_turns(s, TURNS + 5.0, 4.0 * TURNS);
    (void)ipr_db_test_sql("UPDATE job SET state = 'failed' WHERE judge = 'standard' "
                          "AND game_id = 4");
    expect_turns(s, TURNS + 5.0, 3.0 * TURNS);
    judge_game(s, s->games[1].id, "standard");
    judge_game(s, s->games[2].id, "standard");
    (void)ipr_db_test_sql("DELETE FROM job WHERE judge = 'standard' AND state <> 'failed'");
    expect_turns(s, 3.0 * TURNS, 3.0 * TURNS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(jobs_are_listed_by_state_and_page),
        cmocka_unit_test(selections_name_what_is_missing),
        cmocka_unit_test(queue_has_jobs_uploads_and_workers),
        cmocka_unit_test(progress_of_players_and_of_the_queue),
        cmocka_unit_test(turns_of_an_upload_add_up),
    };

    ipr_sentences_sample();
    return cmocka_run_group_tests_name("queue view", tests, ipr_db_fixture_setup,
                                       ipr_db_fixture_teardown);
}
