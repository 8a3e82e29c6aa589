/* Offers to analyse what a rating lacks. */
#include "ipr_sentences_sample.h"
#include "queue_view.h"

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

static void ratings_need_wide_analyses(void **state)
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
    assert_ok(ipr_view_page("player_year", r, &err), &err);
    json_decref(r);
}

/* The default judge of the queue has two lines; ratings that need more have another default. */
static void narrow_default_offers_the_wide_judge(void **state)
{
    struct scene *s = open_scene(state);

    s->config.judge = "rating";
    for (int i = 0; i < 3; i++)
        judge_game(s, s->games[i].id, "rating");
    json_t *r = year_1960(s, NULL);
    const json_t *by = json_array_get(json_object_get(r, "judged_by"), 0);
    assert_string_equal(ipr_json_text_at(by, "name"), "rating");
    assert_string_equal(ipr_json_text_at(r, "judge.name"), "rating"); /* the only judge used */
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
    s->config.judge = "quick"; /* a judge of many lines */
    r = year_1960(s, NULL);
    assert_string_equal(ipr_json_text_at(r, "offer.judge"), "quick");
    json_decref(r);
}

static void offers_have_games_turns_and_time(void **state)
{
    struct scene *s = open_scene(state);
    const struct ipr_db_selection in_1961 = { .person = s->tal, .year = 1961 };
    const struct ipr_db_selection in_1960 = { .person = s->tal, .year = 1960 };

    judge_game(s, s->games[0].id, "standard"); /* one second per turn */
    beat(s, "a:1", "stockfish", 3);
    beat(s, "b:2", "toga", 9); /* lacks the engine */
    json_t *r = year_1960(s, NULL);
    assert_close(ipr_json_at(r, "offer.games", -1.0), 2.0, 0.0);
    assert_close(ipr_json_at(r, "queue.offer.seconds", -1.0), TURNS, 0.0); /* one engine per game */
    json_decref(r);

    queue(s, &in_1961, "standard", 1); /* these jobs are ahead */
    r = year_1960(s, NULL);
    assert_close(ipr_json_at(r, "queue.offer.seconds", -1.0), 3.0 * TURNS / 3, 0.0);
    assert_close(ipr_json_at(r, "offer.turns", -1.0), 2.0 * TURNS, 0.0);
    json_decref(r);

    /* If one side of a game is judged, only the other side is left. */
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
    assert_close(ipr_json_at(r, "offer.games", -1.0), 2.0, 0.0); /* queued or not */
    assert_close(ipr_json_at(r, "queue.judging.ready", -1.0), 2.0, 0.0);
    assert_close(ipr_json_at(r, "queue.judging.seconds", -1.0), 3.0 * TURNS / 3, 0.0);
    json_decref(r);
}

/* The rating needs the player's own moves alone: an opponent's are not offered. */
static void rating_needs_own_moves(void **state)
{
    struct scene *s = open_scene(state);
    char sql[256];

    for (int i = 0; i < 3; i++)
        judge_game(s, s->games[i].id, "rating");
    snprintf(sql, sizeof sql,
             "DELETE FROM judged_side AS j USING game AS g WHERE g.id = j.game_id AND "
             "(j.colour = 0) = (g.white_id = %d)",
             (int)s->tal);
    ipr_db_test_sql(sql);
    json_t *r = year_1960(s, NULL);
    assert_close(ipr_json_at(r, "queue.rating_offer.games", -1.0), 3.0, 0.0);
    assert_close(ipr_json_at(r, "queue.rating_offer.turns", -1.0), 1.5 * TURNS, 0.0);
    json_decref(r);

    ipr_db_test_sql("UPDATE judged_side SET colour = 1 - colour");
    r = year_1960(s, NULL);
    assert_true(json_is_null(ipr_json_find(r, "queue.rating_offer")));
    json_decref(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ratings_need_wide_analyses),
        cmocka_unit_test(narrow_default_offers_the_wide_judge),
        cmocka_unit_test(offers_have_games_turns_and_time),
        cmocka_unit_test(rating_needs_own_moves),
    };

    ipr_sentences_sample();
    return cmocka_run_group_tests_name("queue offers", tests, ipr_db_fixture_setup,
                                       ipr_db_fixture_teardown);
}
