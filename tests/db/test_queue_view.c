/* Judging as pages and programs see it, over a real database: the queue, judges, what a rating
 * lacks, figures for monitoring. */
#include "view/queue/analyses.h"

#include <libpq-fe.h>

#include "db/judges.h"
#include "db/turns.h"
#include "db/workers.h"
#include "ipr_db_sample.h"
#include "ipr_db_test.h"
#include "ipr_prometheus.h"
#include "ipr_test.h"
#include "view/json.h"

#define GAMES 4
#define PLIES 70
#define TURNS (PLIES - 16) /* from move 9 on, both sides */

struct scene {
    struct ipr_db_fixture *f;
    struct ipr_view view;
    struct ipr_config config;
    int64_t upload;
    int32_t tal;
    struct ipr_db_new_game games[GAMES];
};

static struct scene *open_scene(void **state)
{
    struct ipr_db_fixture *f = *state;
    struct scene *s = ipr_arena_alloc(&f->mem, 1, sizeof *s);

    (void)ipr_db_test_sql("SET client_min_messages = warning; "
                          "TRUNCATE upload, game, player, judge, judge_total, worker "
                          "RESTART IDENTITY CASCADE");
    *s = (struct scene){ .f = f, .config = { .judge = "standard", .calibration = "none" } };
    s->view = (struct ipr_view){ .config = &s->config, .db = f->db, .mem = &f->mem };
    for (unsigned i = 0; i < GAMES; i++)
        s->games[i] =
            ipr_sample_game(&f->mem, i + 1, "Tal, M", "Botvinnik", i < 3 ? 1960 : 1961, PLIES);
    s->upload = ipr_sample_store(f->db, s->games, GAMES, "standard");
    s->tal = (int32_t)ipr_db_test_int("SELECT id FROM player WHERE name = 'Tal, M'");
    return s;
}

static void queue(struct scene *s, const struct ipr_db_selection *games, const char *judge,
                  int expected)
{
    struct ipr_db_planned n = { 0 };

    assert_ok(ipr_db_analyses_queue(s->f->db, &(struct ipr_db_plan){ .games = *games }, judge, 5,
                                    "ann", false, &n, &s->f->err),
              &s->f->err);
    assert_int_equal(n.games - n.there, expected);
}

static void beat(struct scene *s, const char *name, const char *engines, int threads)
{
    const struct ipr_db_worker w = { .name = name,
                                     .version = "1.2.3",
                                     .engines = engines,
                                     .threads = threads,
                                     .games = 3,
                                     .turns = 200,
                                     .cached = 50,
                                     .failures = 1,
                                     .leases_lost = 2 };

    assert_ok(ipr_db_worker_beat(s->f->db, &w, &s->f->err), &s->f->err);
}

struct storing {
    int32_t judge_id;
    struct ipr_db_game game;
    struct ipr_judged_game judged;
};

static enum ipr_code store(struct ipr_db *db, void *arg, struct ipr_err *err)
{
    const struct ipr_db_work work = { .source = "w1", .search_ms = { 27000, 27000 } };
    const struct storing *s = arg;
    unsigned stored;

    return ipr_db_sides_store(db, s->judge_id, &s->game, &s->judged, 3, &work, &stored, err);
}

/* A second a turn. */
static void judge_with(struct scene *s, int64_t id, const char *name, const char *engine)
{
    struct ipr_judge judge;
    struct storing st;

    assert_true(ipr_judge_builtin(name, &judge));
    snprintf(judge.engine, sizeof judge.engine, "%s", engine);
    assert_ok(ipr_db_judge_ensure(s->f->db, &judge, &st.judge_id, &s->f->err), &s->f->err);
    assert_ok(ipr_db_game_get(s->f->db, id, &s->f->mem, &st.game, &s->f->err), &s->f->err);
    st.judged = ipr_sample_judgement(&s->f->mem, &judge, &st.game, (unsigned)id);
    assert_ok(ipr_db_tx(s->f->db, store, &st, &s->f->err), &s->f->err);
}

static void judge_game(struct scene *s, int64_t id, const char *name)
{
    judge_with(s, id, name, "Engine 1");
}

static json_t *page_of(const char *name, json_t *resource, struct ipr_err *err)
{
    assert_ok(ipr_view_page(name, resource, err), err);
    return json_object_get(resource, "page");
}

/* ---- the queue ---- */

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

/* What does not exist is refused by name, not answered as an empty selection. */
static void selections_name_what_is_there(void **state)
{
    static const struct {
        struct ipr_db_selection s;
        const char *says; /* NULL: it is there */
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

static void the_queue_is_told_whole(void **state)
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
    assert_int_equal(json_array_size(json_object_get(r, "uploads")), 2); /* one a judge */

    /* Buttons are there for what they can change. */
    (void)page_of("queue", r, &err);
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

static void streams_tell_of_persons_and_of_all(void **state)
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
                        "not known, since no worker with the engine is running");
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

/* What is judged of an upload is counted from its beginning to its end. */
static void turns_of_an_upload_add_up(void **state)
{
    struct scene *s = open_scene(state);
    const struct ipr_db_selection of_upload = { .upload = s->upload };

    expect_turns(s, 0.0, 0.0);
    queue(s, &of_upload, "standard", GAMES);
    queue(s, &of_upload, "quick", GAMES); /* not what it was sent for */
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

/* ---- narrow first, wide where a rating asks for it ---- */

static json_t *year_1960(struct scene *s, const char *judge)
{
    struct ipr_err err = IPR_ERR_INIT;
    json_t *r = NULL;

    assert_ok(
        ipr_view_ratings_page(&s->view,
                              &(struct ipr_ratings_request){
                                  .player = s->tal, .year = 1960, .color = -1, .judge = judge },
                              &r, &err),
        &err);
    return r;
}

static void a_rating_is_refused_to_narrow_evaluations(void **state)
{
    struct scene *s = open_scene(state);
    struct ipr_err err = IPR_ERR_INIT;

    for (int i = 0; i < 3; i++)
        judge_game(s, s->games[i].id, "narrow");
    json_t *r = year_1960(s, "narrow");
    assert_true(json_is_null(ipr_json_find(r, "ipr.estimate")));
    assert_non_null(
        strstr(ipr_json_text_at(r, "ipr.reason"), "the engine setting narrow evaluates"));
    assert_string_equal(ipr_json_text_at(r, "offer.judge"), "standard");
    json_decref(r);

    r = year_1960(s, NULL);
    const json_t *by = json_array_get(json_object_get(r, "judged_by"), 0);
    assert_string_equal(ipr_json_text_at(by, "name"), "narrow");
    assert_close(ipr_json_at(by, "turns", -1.0), 3.0 * TURNS / 2, 0.0);
    assert_close(ipr_json_at(r, "offer.games", -1.0), 3.0, 0.0);
    assert_close(ipr_json_at(r, "offer.turns", -1.0), 3.0 * TURNS, 0.0);
    assert_string_equal(ipr_json_text_at(r, "queue.offer.reason"), "no_worker");
    (void)page_of("player_year", r, &err);
    json_decref(r);
}

/* What is queued by default has two lines. Of the figures that need more the default stays. */
static void a_year_analysed_by_default_is_offered_the_wide_judge(void **state)
{
    struct scene *s = open_scene(state);

    s->config.judge = "rating";
    for (int i = 0; i < 3; i++)
        judge_game(s, s->games[i].id, "rating");
    json_t *r = year_1960(s, NULL);
    const json_t *by = json_array_get(json_object_get(r, "judged_by"), 0);
    assert_string_equal(ipr_json_text_at(by, "name"), "rating");
    assert_string_equal(ipr_json_text_at(r, "judge.name"), "rating"); /* what there is */
    assert_string_equal(ipr_json_text_at(r, "offer.judge"), "standard");
    assert_close(ipr_json_at(r, "offer.games", -1.0), 3.0, 0.0);
    json_decref(r);

    r = year_1960(s, "rating");
    assert_string_equal(ipr_json_text_at(r, "judge.name"), "rating");
    assert_string_equal(ipr_json_text_at(r, "offer.judge"), "standard");
    json_decref(r);

    judge_game(s, s->games[0].id, "standard");
    r = year_1960(s, NULL);
    assert_string_equal(ipr_json_text_at(r, "judge.name"), "standard");
    assert_close(ipr_json_at(r, "offer.games", -1.0), 2.0, 0.0);
    json_decref(r);
    s->config.judge = "quick"; /* wide itself */
    r = year_1960(s, NULL);
    assert_string_equal(ipr_json_text_at(r, "offer.judge"), "quick");
    json_decref(r);
}

static void an_offer_says_what_it_takes(void **state)
{
    struct scene *s = open_scene(state);
    const struct ipr_db_selection in_1961 = { .person = s->tal, .year = 1961 };
    const struct ipr_db_selection in_1960 = { .person = s->tal, .year = 1960 };

    judge_game(s, s->games[0].id, "standard"); /* a second a turn */
    beat(s, "a:1", "stockfish", 3);
    beat(s, "b:2", "toga", 9); /* has not the engine */
    json_t *r = year_1960(s, NULL);
    assert_close(ipr_json_at(r, "offer.games", -1.0), 2.0, 0.0);
    assert_close(ipr_json_at(r, "queue.offer.seconds", -1.0), TURNS, 0.0); /* one engine a game */
    json_decref(r);

    queue(s, &in_1961, "standard", 1); /* goes before */
    r = year_1960(s, NULL);
    assert_close(ipr_json_at(r, "queue.offer.seconds", -1.0), 3.0 * TURNS / 3, 0.0);
    assert_close(ipr_json_at(r, "offer.turns", -1.0), 2.0 * TURNS, 0.0);
    json_decref(r);

    /* Of a game of which one side is judged the other is left. */
    ipr_db_test_sql("DELETE FROM judged_side WHERE colour = 1");
    r = year_1960(s, NULL);
    assert_close(ipr_json_at(r, "offer.games", -1.0), 3.0, 0.0);
    assert_close(ipr_json_at(r, "offer.turns", -1.0), 2.5 * TURNS, 0.0);
    json_decref(r);
    ipr_db_test_sql("INSERT INTO judged_side SELECT (jsonb_populate_record(j, "
                    "'{\"colour\": 1}')).* FROM judged_side AS j");

    queue(s, &in_1960, "standard", 2);
    r = year_1960(s, NULL);
    assert_true(json_is_null(ipr_json_find(r, "queue.offer")));
    assert_close(ipr_json_at(r, "offer.games", -1.0), 2.0, 0.0); /* whatever is queued */
    assert_close(ipr_json_at(r, "queue.judging.ready", -1.0), 2.0, 0.0);
    assert_close(ipr_json_at(r, "queue.judging.seconds", -1.0), 3.0 * TURNS / 3, 0.0);
    json_decref(r);
}

/* ---- judges ---- */

static void judges_are_what_is_asked_for_and_who_has_judged(void **state)
{
    struct scene *s = open_scene(state);
    struct ipr_err err = IPR_ERR_INIT;
    json_t *r = NULL;

    judge_game(s, s->games[0].id, "quick");
    assert_ok(ipr_view_judge(&s->view, &(struct ipr_judge_request){ "quick" }, &r, &err), &err);
    assert_true(ipr_json_true_at(r, "built_in"));
    assert_true(ipr_json_true_at(r, "reproducible"));
    assert_string_equal(ipr_json_text_at(r, "program"), "stockfish");
    assert_close(ipr_json_at(r, "depth", -1.0), 8.0, 0.0);
    assert_close(ipr_json_at(r, "turns", -1.0), TURNS, 0.0);
    assert_null(json_object_get(r, "engine"));
    const json_t *who = json_array_get(json_object_get(r, "identities"), 0);
    assert_string_equal(ipr_json_text_at(who, "engine"), "Engine 1");
    assert_close(ipr_json_at(who, "games", -1.0), 1.0, 0.0);
    json_decref(r);
    assert_ok(ipr_view_judge(&s->view, &(struct ipr_judge_request){ "alliot" }, &r, &err), &err);
    assert_false(ipr_json_true_at(r, "reproducible")); /* it goes by the clock */
    assert_int_equal(json_array_size(json_object_get(r, "identities")), 0);
    json_decref(r);
    assert_int_equal(ipr_view_judge(&s->view, &(struct ipr_judge_request){ "nobody" }, &r, &err),
                     IPR_ENOTFOUND);
    assert_string_equal(err.type, "no_such_judge");
}

static void expect_reproducible(struct scene *s, const char *name, json_type want)
{
    struct ipr_err err = IPR_ERR_INIT;
    json_t *r = NULL;

    assert_ok(ipr_view_judge(&s->view, &(struct ipr_judge_request){ name }, &r, &err), &err);
    const json_t *is = json_object_get(r, "reproducible");
    assert_non_null(is);
    if (json_typeof(is) != want)
        fail_msg("%s: reproducible is of type %d, not %d", name, (int)json_typeof(is), (int)want);
    json_decref(r);
}

static void define(struct scene *s, const char *name, const char *program)
{
    struct ipr_judge judge = { .multipv = 2, .depth = 5, .hash_mb = 16, .threads = 1 };
    bool fresh;

    judge.first_move = 9;
    snprintf(judge.name, sizeof judge.name, "%s", name);
    snprintf(judge.program, sizeof judge.program, "%s", program);
    assert_ok(ipr_db_definition_add(s->f->db, &judge, "ann", &fresh, &s->f->err), &s->f->err);
}

static void answer(struct scene *s, const char *name, const char *engine, const char *options)
{
    struct ipr_judge judge;
    int32_t id;

    assert_ok(ipr_db_definition_get(s->f->db, name, &judge, &s->f->err), &s->f->err);
    snprintf(judge.engine, sizeof judge.engine, "%s", engine);
    snprintf(judge.options, sizeof judge.options, "%s", options);
    assert_ok(ipr_db_judge_ensure(s->f->db, &judge, &id, &s->f->err), &s->f->err);
}

/* Nobody knows whether an engine repeats itself before it has answered, save where the search that
 * is requested forbids it; what one of its program has said holds for all judges of it. */
static void judges_are_reproducible_when_the_engine_is(void **state)
{
    struct scene *s = open_scene(state);

    define(s, "toga-5", "toga2");
    define(s, "toga-too", "toga2");
    expect_reproducible(s, "standard", JSON_NULL);
    expect_reproducible(s, "toga-5", JSON_NULL);
    expect_reproducible(s, "alliot", JSON_FALSE); /* it goes by the clock */
    expect_reproducible(s, "fishnet", JSON_FALSE);
    answer(s, "quick", "Engine 1", "");
    expect_reproducible(s, "standard", JSON_TRUE);
    expect_reproducible(s, "alliot", JSON_FALSE);
    expect_reproducible(s, "toga-5", JSON_NULL);
    answer(s, "toga-too", "Toga", "irreproducible; OwnBook=false");
    expect_reproducible(s, "toga-too", JSON_FALSE);
    expect_reproducible(s, "toga-5", JSON_FALSE);
    expect_reproducible(s, "standard", JSON_TRUE);
    (void)ipr_db_test_sql("DELETE FROM judge_definition WHERE NOT built_in");
}

/* ---- monitoring ---- */

static void figures_are_strictly_of_their_form(void **state)
{
    struct scene *s = open_scene(state);
    const struct ipr_db_selection of_upload = { .upload = s->upload };
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_buf out = IPR_BUF_INIT;

    ipr_buf_puts(&out, "");
    assert_ok(ipr_view_metrics(&s->view, &out, &err), &err);
    ipr_prometheus_read(ipr_buf_c(&out)); /* families without samples are allowed */
    ipr_buf_reset(&out);

    queue(s, &of_upload, "standard", GAMES);
    (void)ipr_db_test_sql("UPDATE job SET state = 'paused', created = now() - interval '1 day' "
                          "WHERE id = (SELECT min(id) FROM job)");
    (void)ipr_db_test_sql("UPDATE job SET created = now() - interval '1 hour' "
                          "WHERE id = (SELECT max(id) FROM job)");
    judge_game(s, s->games[0].id, "quick");
    (void)ipr_db_test_sql("INSERT INTO report (kind, params, judge_id, time_classes, usual, state)"
                          " SELECT 'royale', n::text, max(j.id), 3, FALSE,"
                          "   CASE WHEN n < 3 THEN 'wanted' ELSE 'failed' END"
                          " FROM generate_series(1, 3) AS n, judge AS j GROUP BY n");
    beat(s, "host \"a\":1", "stockfish", 2);
    assert_ok(ipr_view_metrics(&s->view, &out, &err), &err);
    const char *text = ipr_buf_c(&out);
    ipr_prometheus_read(text);
    static const struct {
        const char *sample;
        double value;
    } rows[] = {
        { "intrinsic_jobs{judge=\"standard\",kind=\"judge\",state=\"ready\"}", GAMES - 1 },
        { "intrinsic_jobs{judge=\"standard\",kind=\"judge\",state=\"paused\"}", 1 },
        { "intrinsic_judged_turns", TURNS },
        { "intrinsic_reports{kind=\"royale\",state=\"wanted\"}", 2 },
        { "intrinsic_reports{kind=\"royale\",state=\"failed\"}", 1 },
        { "intrinsic_workers", 1 },
        { "intrinsic_worker_engines{worker=\"host \\\"a\\\":1\"}", 2 },
        { "intrinsic_worker_turns_total{worker=\"host \\\"a\\\":1\"}", 200 },
        { "intrinsic_worker_cached_turns_total{worker=\"host \\\"a\\\":1\"}", 50 },
        { "intrinsic_worker_engine_failures_total{worker=\"host \\\"a\\\":1\"}", 1 },
        { "intrinsic_worker_leases_lost_total{worker=\"host \\\"a\\\":1\"}", 2 },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_close(ipr_prometheus_value(text, rows[i].sample), rows[i].value, 0.0);
    const double oldest = ipr_prometheus_value(text, "intrinsic_oldest_ready_job_seconds");
    assert_true(oldest >= 3600.0 && oldest < 80000.0);
    assert_true(ipr_prometheus_value(text, "intrinsic_job_table_dead_rows") >= 0.0);
    ipr_buf_release(&out);
}

/* A snapshot that somebody holds shows: it is what slows the queue down. */
static void an_old_snapshot_is_told_of(void **state)
{
    static const char age[] = "intrinsic_database_xmin_age_transactions";
    struct scene *s = open_scene(state);
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_buf out = IPR_BUF_INIT;
    PGconn *holder = PQconnectdb(s->f->url);

    assert_int_equal(PQstatus(holder), CONNECTION_OK);
    PQclear(PQexec(holder, "BEGIN ISOLATION LEVEL REPEATABLE READ"));
    PQclear(PQexec(holder, "SELECT count(*) FROM job"));
    for (int i = 0; i < 5; i++)
        beat(s, "a:1", "stockfish", i);
    assert_ok(ipr_view_metrics(&s->view, &out, &err), &err);
    assert_true(ipr_prometheus_value(ipr_buf_c(&out), age) >= 5.0);
    assert_true(
        ipr_prometheus_value(ipr_buf_c(&out), "intrinsic_database_oldest_snapshot_seconds") > 0.0);
    PQfinish(holder);
    ipr_buf_release(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(jobs_are_listed_by_state_and_page),
        cmocka_unit_test(selections_name_what_is_there),
        cmocka_unit_test(the_queue_is_told_whole),
        cmocka_unit_test(streams_tell_of_persons_and_of_all),
        cmocka_unit_test(turns_of_an_upload_add_up),
        cmocka_unit_test(a_rating_is_refused_to_narrow_evaluations),
        cmocka_unit_test(a_year_analysed_by_default_is_offered_the_wide_judge),
        cmocka_unit_test(an_offer_says_what_it_takes),
        cmocka_unit_test(judges_are_what_is_asked_for_and_who_has_judged),
        cmocka_unit_test(judges_are_reproducible_when_the_engine_is),
        cmocka_unit_test(figures_are_strictly_of_their_form),
        cmocka_unit_test(an_old_snapshot_is_told_of),
    };

    return cmocka_run_group_tests_name("queue view", tests, ipr_db_fixture_setup,
                                       ipr_db_fixture_teardown);
}
