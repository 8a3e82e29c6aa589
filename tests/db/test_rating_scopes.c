/* Ratings of different scopes, refusals with their reasons, the engine setting. */
#include "ratings.h"

#include "view/context.h"

static double at(const json_t *r, const char *path)
{
    return ipr_json_at(r, path, NAN);
}

static void scopes_are_rated_and_named(void **state)
{
    struct ipr_view_scene *s = *state;

    ipr_sample_calibration(s->db, &s->judge, "digest");
    add_games(s, 1, 16, "Scope, A", "Scope, B", 2001);
    add_games(s, 21, 16, "Scope, A", "Scope, C", 2002);
    const int32_t id = ipr_db_test_player("Scope, A");
    const int32_t even =
        (int32_t)ipr_db_test_int("SELECT id FROM event WHERE name LIKE 'Even%' AND year = 2002");
    json_t *white =
        ratings(s, id, (struct ipr_ratings_request){ .color = IPR_RATINGS_COLOR_WHITE });
    json_t *black =
        ratings(s, id, (struct ipr_ratings_request){ .color = IPR_RATINGS_COLOR_BLACK });
    json_t *all = ratings(s, id, year(0));
    assert_close(at(white, "turns") + at(black, "turns"), at(all, "turns"), 0.0);
    assert_close(at(white, "games") + at(black, "games"), 32.0, 0.0);
    assert_close(at(white, "conformance.turns") * at(white, "conformance.at_0.share") +
                     at(black, "conformance.turns") * at(black, "conformance.at_0.share"),
                 at(all, "conformance.turns") * at(all, "conformance.at_0.share"), 1e-6);
    assert_string_equal(ipr_json_text_at(white, "color"), "white");
    assert_string_equal(ipr_json_text_at(black, "color"), "black");
    assert_true(json_is_null(json_object_get(all, "color")));
    assert_true(json_is_null(json_object_get(white, "year")));
    assert_close(at(white, "games_stored"), 16.0, 0.0);
    assert_close(at(white, "games_unjudged"), 0.0, 0.0);
    assert_close(at(white, "version"), 0.0, 0.0);
    assert_true(ipr_json_true_at(all, "active"));
    assert_true(at(white, "ipr.turns") > IPR_VIEW_MIN_TURNS);
    assert_non_null(json_object_get(all, "judged_by"));
    assert_null(json_object_get(white, "judged_by"));
    json_decref(white);
    json_decref(black);

    /* A range of both years is the career; an open range may be one year. */
    json_t *range = ratings(s, id, SCOPE(.from = 2001, .to = 2002));
    assert_true(json_equal(ipr_json_find(range, "conformance.at_0"),
                           ipr_json_find(all, "conformance.at_0")));
    assert_true(json_equal(json_object_get(range, "ipr"), json_object_get(all, "ipr")));
    assert_true(json_is_null(json_object_get(range, "year")));
    same_number(range, "from", 2001.0);
    same_number(range, "to", 2002.0);
    json_decref(range);
    json_decref(all);
    all = ratings(s, id, year(2002));
    range = ratings(s, id, SCOPE(.from = 2002));
    assert_true(json_equal(ipr_json_find(range, "complexity"), ipr_json_find(all, "complexity")));
    assert_true(json_is_null(json_object_get(range, "to")));
    json_decref(range);
    json_decref(all);

    json_t *event = ratings(s, id, SCOPE(.event = even));
    const struct ipr_db_scope scope = {
        .person = id, .event = even, .colours = IPR_DB_BOTH_COLOURS, .times = IPR_TIME_SET_DEFAULT
    };
    const struct ipr_conformance want =
        conformance_of(s, scope, IPR_WINDOW_CONFORMANCE, IPR_LOSS_RAW);
    check_form(event, "conformance", &want);
    same_number(event, "games", 8.0);
    same_number(event, "event.id", even);
    assert_non_null(strstr(ipr_json_text_at(event, "event.name"), "quoted"));
    json_decref(event);
    assert_int_equal(ipr_db_test_int("SELECT count(*) FROM rating"), 2); /* 2002, the career */
}

static void expect_error(struct ipr_view_scene *s, int32_t id, struct ipr_ratings_request asked,
                         enum ipr_code code, const char *says)
{
    struct ipr_err err = IPR_ERR_INIT;
    json_t *r = NULL;

    asked.player = id;
    assert_int_equal(ipr_view_ratings(&s->view, &asked, &r, &err), code);
    assert_null(r);
    if (strstr(err.msg, says) == NULL)
        fail_msg("\"%s\" does not say \"%s\"", err.msg, says);
    if (code == IPR_EPARSE)
        assert_string_equal(err.type, "bad_parameter");
}

static struct ipr_ratings_request against(int first, int second)
{
    return (struct ipr_ratings_request){
        .color = -1, .opponent = { .v = { first, second }, .n = second != 0 ? 2 : 1 }
    };
}

/* Games against some players, and those of an upload. */
static void opponents_and_uploads_are_scopes(void **state)
{
    struct ipr_view_scene *s = *state;

    add_games(s, 41, 8, "Field, A", "Field, B", 2001);
    add_games(s, 61, 4, "Field, A", "Field, C", 2002);
    const int32_t id = ipr_db_test_player("Field, A");
    const int b = (int)ipr_db_test_player("Field, B"), c = (int)ipr_db_test_player("Field, C");
    json_t *first = ratings(s, id, against(b, 0)), *both = ratings(s, id, against(b, c));
    json_t *of_year = ratings(s, id, year(2001)), *all = ratings(s, id, year(0));

    same_number(first, "games", 8.0);
    assert_true(json_equal(json_object_get(first, "turns"), json_object_get(of_year, "turns")));
    assert_true(json_equal(json_object_get(first, "ipr"), json_object_get(of_year, "ipr")));
    assert_true(json_equal(json_object_get(both, "turns"), json_object_get(all, "turns")));
    assert_string_equal(
        ipr_json_text_at(json_array_get(json_object_get(both, "opponents"), 1), "name"),
        "Field, C");
    json_decref(first);
    json_decref(both);
    json_decref(of_year);

    ipr_db_test_sql("UPDATE game SET upload_id = 77 WHERE year = 2002 AND white_id IN (SELECT id "
                    "FROM player WHERE name LIKE 'Field,%')");
    json_t *upload = ratings(s, id, SCOPE(.upload = 77));
    same_number(upload, "games", 4.0);
    same_number(upload, "upload", 77.0);
    assert_true(at(upload, "turns") < at(all, "turns"));
    json_decref(upload);
    json_decref(all);
    expect_error(s, id, SCOPE(.upload = 78), IPR_ENOTFOUND, "has no game in the upload 78");
    expect_error(s, id, against(999999, 0), IPR_EPARSE,
                 "opponent: expected the id of a player, got \"999999\"");
    expect_error(s, b, against(c, 0), IPR_ENOTFOUND, "Field, B has no game against Field, C");
}

static void empty_scopes_are_named(void **state)
{
    struct ipr_view_scene *s = *state;

    add_games(s, 1, 2, "Lost, A", "Lost, B", 2001);
    add_games(s, 4, 1, "Lost, C", "Lost, D", 2002);
    const int32_t id = ipr_db_test_player("Lost, A");
    const int32_t other =
        (int32_t)ipr_db_test_int("SELECT id FROM event WHERE name LIKE 'Even%' AND year = 2002");
    const struct {
        struct ipr_ratings_request scope;
        enum ipr_code code;
        const char *says;
    } wrong[] = {
        { SCOPE(.event = 99999), IPR_EPARSE, "event: expected the id of an event, got \"99999\"" },
        { SCOPE(.from = 1990, .to = 1990), IPR_ENOTFOUND, "Lost, A has no game in 1990" },
        { SCOPE(.from = 1990, .to = 1992), IPR_ENOTFOUND, "Lost, A has no game from 1990 to 1992" },
        { SCOPE(.to = 1992), IPR_ENOTFOUND, "Lost, A has no game to 1992" },
        { { .from = 2002, .color = IPR_RATINGS_COLOR_BLACK },
          IPR_ENOTFOUND,
          "has no game as Black from 2002" },
        { SCOPE(.event = other), IPR_ENOTFOUND, "has no game in the event" },
        { { .year = 2002, .event = other, .color = IPR_RATINGS_COLOR_WHITE },
          IPR_ENOTFOUND,
          "has no game as White in 2002 in the event" },
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        expect_error(s, id, wrong[i].scope, wrong[i].code, wrong[i].says);
    expect_error(s, 99, (struct ipr_ratings_request){ .color = IPR_RATINGS_COLOR_WHITE },
                 IPR_ENOTFOUND, "");
}

static void few_turns_give_reasons(void **state)
{
    static const char *const nulls[] = { "at_0",           "at_30",
                                         "mean_loss",      "guid_bratko.mean_loss",
                                         "weighted.at_30", "accumulated.at_0",
                                         "loss_lines" };
    static const char *const reasons[] = { "conformance.reason", "conformance.guid_bratko.reason",
                                           "conformance.weighted.reason",
                                           "conformance.accumulated.reason", "complexity.reason" };
    struct ipr_view_scene *s = *state;

    add_games(s, 1, 3, "Few, A", "Few, B", 2001);
    json_t *r = ratings(s, ipr_db_test_player("Few, A"), year(2001));
    for (size_t i = 0; i < sizeof nulls / sizeof *nulls; i++)
        assert_true(json_is_null(ipr_json_find(json_object_get(r, "conformance"), nulls[i])));
    for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++)
        if (strstr(ipr_json_text_at(r, reasons[i]), "150 moves are needed") == NULL)
            fail_msg("%s: %s", reasons[i], ipr_json_text_at(r, reasons[i]));
    assert_int_equal(json_array_size(ipr_json_find(r, "conformance.distribution")), 0);
    /* The counts of a refusal are given; nothing is computed. */
    same_number(r, "conformance.games", 3.0);
    same_number(r, "complexity.games", 3.0);
    same_number(r, "conformance.accumulated.games", 3.0);
    same_number(r, "bayes.games", 3.0);
    assert_false(ipr_json_true_at(r, "conformance.converged"));
    assert_false(ipr_json_true_at(r, "endgame.converged"));
    assert_true(json_is_object(ipr_json_find(r, "conformance.accumulated.excluded")));
    assert_null(ipr_json_find(r, "complexity.stability"));
    assert_ok(ipr_view_page("player_year", r, &s->err), &s->err);
    json_decref(r);
}

/* Only the opponents' sides are judged; then no game is of the requested time class. */
static void missing_analysis_is_a_reason(void **state)
{
    static const char *const reasons[] = { "ipr.reason", "bayes.reason", "conformance.reason",
                                           "complexity.reason" };
    struct ipr_view_scene *s = *state;

    ipr_sample_calibration(s->db, &s->judge, "digest");
    add_games(s, 1, 2, "Half, A", "Half, B", 2001);
    ipr_db_test_sql("DELETE FROM side_turns WHERE colour <> 1 - game_id % 2");
    ipr_db_test_sql("DELETE FROM judged_side WHERE colour <> 1 - game_id % 2");
    json_t *a = ratings(s, ipr_db_test_player("Half, A"), year(2001));
    json_t *b = ratings(s, ipr_db_test_player("Half, B"), year(2001));
    json_t *unjudged = ipr_json_at(a, "turns", 0.0) > 0.0 ? b : a;
    assert_true(ipr_json_at(a, "turns", 0.0) + ipr_json_at(b, "turns", 0.0) > 0.0);
    for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++)
        if (strstr(ipr_json_text_at(unjudged, reasons[i]), "no move of the player") == NULL)
            fail_msg("%s: %s", reasons[i], ipr_json_text_at(unjudged, reasons[i]));
    assert_non_null(strstr(ipr_json_text_at(unjudged, "ipr.reason"), "engine setting "));
    assert_non_null(strstr(ipr_json_text_at(unjudged, "elo.performance.reason"),
                           "no game with a result has been analysed yet with the engine setting "));
    json_decref(a);
    json_decref(b);
    s->view.time_classes = IPR_TIME_BIT(IPR_TIME_BLITZ);
    a = ratings(s, ipr_db_test_player("Half, A"), year(2001));
    for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++)
        assert_string_equal(ipr_json_text_at(a, reasons[i]), "no blitz games in 2001");
    json_decref(a);
}

/* Figures need many lines: if the configured judge has two, the default is that of the calibration.
 */
static void narrow_default_leaves_the_judge_of_the_calibration(void **state)
{
    static const struct {
        const char *configured, *calibration, *asked, *judge;
    } want[] = {
        { "rating", "sample", NULL, "sample" },   { "rating", "none", NULL, "standard" },
        { "narrow", "sample", NULL, "sample" },   { "quick", "sample", NULL, "quick" },
        { "unheard", "sample", NULL, "unheard" }, { "rating", "sample", "rating", "rating" },
    };
    struct ipr_view_scene *s = *state;

    ipr_sample_calibration(s->db, &s->judge, "digest");
    add_games(s, 1, 1, "Many, M", "Lines, L", 2001);
    for (size_t i = 0; i < sizeof want / sizeof *want; i++) {
        struct ipr_view_context c;

        s->config.judge = want[i].configured;
        s->config.calibration = want[i].calibration;
        assert_ok(ipr_setting_for(&s->view, IPR_FOR_LINES,
                                  &(struct ipr_setting_scope){ .judge = want[i].asked }, &c,
                                  &s->err),
                  &s->err);
        if (strcmp(want[i].judge, "unheard") != 0)
            assert_string_equal(c.judge.name, want[i].judge);
        assert_int_equal(c.judge_id != 0, strcmp(want[i].judge, "sample") == 0);
        assert_true(c.judge_id != 0 || strstr(c.reason, want[i].judge) != NULL);
        ipr_view_context_close(&c);
    }
}

/* If all games are analysed with two lines only, their ratings are shown. */
static void configured_judge_is_used_without_wide_evaluations(void **state)
{
    struct ipr_view_scene *s = *state;
    struct ipr_view_context c;

    s->config.judge = "rating";
    s->config.calibration = "none";
    snprintf(s->judge.name, sizeof s->judge.name, "rating");
    assert_ok(ipr_db_judge_ensure(s->db, &s->judge, &s->judge_id, &s->err), &s->err);
    add_games(s, 1, 1, "Two, L", "Lines, T", 2001);
    assert_ok(ipr_setting_for(&s->view, IPR_FOR_LINES, NULL, &c, &s->err), &s->err);
    assert_int_equal(c.judge_id, s->judge_id);
    assert_string_equal(c.default_judge, "standard"); /* offered for the other games */
    ipr_view_context_close(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_SCENE(scopes_are_rated_and_named),
        WITH_SCENE(empty_scopes_are_named),
        WITH_SCENE(opponents_and_uploads_are_scopes),
        WITH_SCENE(few_turns_give_reasons),
        WITH_SCENE(missing_analysis_is_a_reason),
        WITH_SCENE(narrow_default_leaves_the_judge_of_the_calibration),
        WITH_SCENE(configured_judge_is_used_without_wide_evaluations),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
