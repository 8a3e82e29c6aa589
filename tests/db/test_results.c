/* Strength from results: what is fitted, when it is fitted again, its scale, and answers with it.
 */
#include "db/results.h"

#include <math.h>

#include "db/identity_changes.h"
#include "db/versions.h"
#include "ipr_db_test.h"
#include "ipr_members.h"
#include "ipr_test.h"
#include "ipr_view_sample.h"
#include "model/outcome.h"
#include "model/results_shipped.h"
#include "view/json.h"

#define GAME                                                                                       \
    "INSERT INTO game (white_id, black_id, year, result, plies, time_class, white_elo, black_elo," \
    " event_id, date, site, round, moves, tags, moves_key, stem) "
#define REST ", 1, '', '', '', '', '{}', "

/* Players 1 to 4 are connected, and so are 5 and 6. None of the last six games counts: of unknown
 * result, of unknown year, forfeited, blitz, against nobody, of one person. */
static const char scenery[] =
    "INSERT INTO player (name, name_key) SELECT n, n FROM generate_series(1, 9) AS n;"
    "UPDATE player SET merged_into = 8 WHERE id = 9;"
    "INSERT INTO event (name, year) VALUES ('one', 1900);" GAME
    "SELECT w, b, y, r, p, t, NULL, NULL" REST "row_number() OVER (), 0 FROM (VALUES"
    " (1, 2, 1900, 1, 30, 0), (2, 1, 1900, 3, 30, 1), (1, 2, 1901, 2, 30, 0),"
    " (3, 2, 1905, 1, 30, 0), (4, 3, 1905, 1, 30, 0), (1, 4, 1910, 3, 30, 0),"
    " (5, 6, 1900, 1, 30, 0), (6, 5, 1902, 1, 30, 0), (6, 5, 1902, 3, 30, 0),"
    " (1, 7, 1900, 0, 30, 0), (1, 7, 0, 1, 30, 0), (1, 7, 1900, 1, 0, 0), (1, 7, 1900, 1, 30, 3),"
    " (1, 0, 1900, 1, 30, 0), (8, 9, 1900, 1, 30, 0)) AS g (w, b, y, r, p, t)";

/* The same games as the model has them. */
static const struct ipr_whr_game counted[] = {
    { 1, 2, 1900, 1, 1, { 0 } }, { 2, 1, 1900, .5, 1, { 0 } }, { 1, 2, 1901, 0, 1, { 0 } },
    { 3, 2, 1905, 1, 1, { 0 } }, { 4, 3, 1905, 1, 1, { 0 } },  { 1, 4, 1910, .5, 1, { 0 } },
    { 5, 6, 1900, 1, 1, { 0 } }, { 6, 5, 1902, 1, 1, { 0 } },  { 6, 5, 1902, .5, 1, { 0 } },
};
#define COUNTED (sizeof counted / sizeof *counted)

static int results_setup(void **state)
{
    const int rc = ipr_view_scene_open(state);

    ipr_db_test_sql(scenery);
    return rc;
}
#define WITH_RESULTS(test)                                                                         \
    cmocka_unit_test_setup_teardown(test, results_setup, ipr_view_scene_close)

/* As if the last fit were long ago. */
static bool fit_again(struct ipr_view_scene *s)
{
    bool fitted = false;

    ipr_db_test_sql("UPDATE results_fit SET computed = computed - interval '1 hour'");
    assert_ok(ipr_db_results_fit(s->db, &fitted, &s->err), &s->err);
    return fitted;
}

static struct ipr_db_results_strength *strengths(struct ipr_view_scene *s, int32_t person, size_t n)
{
    struct ipr_db_results_strength *rows = NULL;
    size_t found = 0;

    assert_ok(ipr_db_results_of_person(s->db, person, 0, &s->mem, &rows, &found, &s->err), &s->err);
    assert_int_equal(found, n);
    return rows;
}

/* Every stored strength is that of the model; no game has Elo. */
static void assert_fit(struct ipr_view_scene *s, const struct ipr_whr_game *game, size_t n,
                       const int32_t component[10])
{
    struct ipr_db_results_strength *rows = NULL;
    struct ipr_whr w;

    assert_ok(ipr_whr_fit(game, n, 10, &ipr_results_shipped.history, &s->mem, &w, &s->err),
              &s->err);
    assert_int_equal(ipr_db_test_int("SELECT count(*) FROM results_strength"), w.n);
    for (size_t k = 0; k < w.n; k++) {
        const uint32_t player = w.strength[k].player;

        if (k == w.first[player])
            rows = strengths(s, (int32_t)player, w.first[player + 1] - w.first[player]);
        assert_int_equal(rows->year, w.strength[k].period);
        assert_close(rows->elo, w.strength[k].elo, .051);
        assert_close(rows->se, w.strength[k].se, .051);
        assert_close(rows->covariance, w.strength[k].covariance, .051);
        assert_close(rows->games, w.strength[k].games, 1e-9);
        assert_int_equal(rows->component, component[player]);
        assert_close(rows++->scale_se, -1, 0);
    }
}

static void test_fit(void **state)
{
    static const int32_t component[10] = { 0, 1, 1, 1, 1, 5, 5 };

    assert_true(fit_again(*state));
    assert_fit(*state, counted, COUNTED, component);
    assert_false(fit_again(*state)); /* nothing has changed */
}

/* Without changes of the values answers stay as they are. An import of a game without event, a
 * corrected result, a merge and deletions. */
static void test_changes(void **state)
{
    static const int32_t two[10] = { 0, 1, 1, 1, 1, 5, 5 }, one[10] = { 0, 1, 1, 1, 1, 0, 1 };
    struct ipr_view_scene *s = *state;
    struct ipr_whr_game game[COUNTED + 1];
    const char *before, *after;
    int64_t change = 0;

    memcpy(game, counted, sizeof counted);
    game[COUNTED] = (struct ipr_whr_game){ 2, 3, 1906, 1, 1, { 0 } };
    assert_true(fit_again(s));
    assert_ok(ipr_db_player_version(s->db, 5, &s->mem, &before, &s->err), &s->err);
    ipr_db_test_sql("UPDATE results_fit SET version = 0");
    assert_true(fit_again(s));
    assert_ok(ipr_db_player_version(s->db, 5, &s->mem, &after, &s->err), &s->err);
    assert_string_equal(before, after);

    ipr_db_test_sql(GAME
                    "VALUES (2, 3, 1906, 1, 30, 0, NULL, NULL, 0, '', '', '', '', '{}', 99, 0)");
    assert_true(fit_again(s));
    assert_fit(s, game, COUNTED + 1, two);

    ipr_db_test_sql("UPDATE game SET result = 3 WHERE moves_key = 99");
    game[COUNTED].points = .5;
    assert_true(fit_again(s));
    assert_fit(s, game, COUNTED + 1, two);

    assert_ok(ipr_db_merge(s->db, 5, 1, false, "me", &change, &s->err), &s->err);
    for (size_t i = 0; i <= COUNTED; i++) {
        game[i].white = game[i].white == 5 ? 1 : game[i].white;
        game[i].black = game[i].black == 5 ? 1 : game[i].black;
    }
    assert_true(fit_again(s));
    assert_fit(s, game, COUNTED + 1, one);

    ipr_db_test_sql("DELETE FROM game WHERE moves_key = 99");
    assert_true(fit_again(s));
    assert_fit(s, game, COUNTED, one);
    ipr_db_test_sql("DELETE FROM game");
    assert_true(fit_again(s));
    assert_int_equal(ipr_db_test_int("SELECT count(*) FROM results_strength"), 0);
}

/* A fit that takes long is not repeated at every change. */
static void test_pause(void **state)
{
    struct ipr_view_scene *s = *state;
    bool fitted = true;

    assert_true(fit_again(s));
    ipr_db_test_sql("UPDATE results_fit SET seconds = 200, computed = now() - interval '1 hour'");
    ipr_db_test_sql("DELETE FROM game WHERE moves_key = 1");
    assert_ok(ipr_db_results_fit(s->db, &fitted, &s->err), &s->err);
    assert_false(fitted);
    ipr_db_test_sql("UPDATE results_fit SET seconds = 179");
    assert_ok(ipr_db_results_fit(s->db, &fitted, &s->err), &s->err);
    assert_true(fitted);
}

static json_t *ratings_of(struct ipr_view_scene *s, int32_t player, int year)
{
    const struct ipr_ratings_request asked = { .player = player, .year = year, .color = -1 };
    json_t *r = NULL;

    assert_ok(ipr_view_ratings(&s->view, &asked, &r, &s->err), &s->err);
    assert_members(IPR_SHAPE_PLAYER_RATINGS, r);
    return r;
}

static json_t *chances(struct ipr_view_scene *s, int32_t a, int a_year, int32_t b, int b_year)
{
    struct ipr_prediction_request asked = IPR_PREDICTION_REQUEST_INIT;
    json_t *r = NULL;

    asked.white = (struct ipr_param_side){ .player = a, .year = a_year };
    asked.black = (struct ipr_param_side){ .player = b, .year = b_year };
    assert_ok(ipr_view_prediction(&s->view, &asked, &r, &s->err), &s->err);
    assert_members(IPR_SHAPE_HEAD_TO_HEAD, r);
    json_t *out = json_incref(json_object_get(r, "chances"));
    json_decref(r);
    return out;
}

/* Twelve players of 220 games each in 1980, with Elo, again in 1992, when Elo is 112 higher, and,
 * without Elo, in 1950, when one of them also has a game with a thirteenth. */
static void rated_games(void)
{
    ipr_db_test_sql("INSERT INTO player (id, name, name_key) OVERRIDING SYSTEM VALUE"
                    " SELECT n, n, n FROM generate_series(20, 32) AS n;" GAME
                    "SELECT w, b, y, 1 + (w + b + n) % 3, 30, 0, e + w * 2, e + b * 2" REST
                    " 1000 + row_number() OVER (), 0 FROM generate_series(20, 31) AS w,"
                    " generate_series(20, 31) AS b, generate_series(1, 10) AS n,"
                    " (VALUES (1980, 2480), (1992, 2592), (1950, NULL)) AS y (y, e)"
                    " WHERE w <> b;" GAME "VALUES (20, 32, 1950, 3, 30, 0, NULL, NULL" REST
                    "9999, 0)");
}

static double mean_elo(int year)
{
    char sql[128];

    snprintf(sql, sizeof sql,
             "SELECT 1000 * avg(elo) FROM results_strength WHERE component = 20 AND year = %d",
             year);
    return 1e-3 * (double)ipr_db_test_int(sql);
}

static double scale_at(const json_t *r, const char *member)
{
    char path[64];

    snprintf(path, sizeof path, "results_strength.%s", member);
    return ipr_json_at(r, path, NAN);
}

/* Strengths are about the Elo of their year; the error of years before the first Elo grows with the
 * years, and of a player's first few games against opponents without Elo there is no strength. */
static void test_scale(void **state)
{
    struct ipr_view_scene *s = *state;
    const struct ipr_whr_scale_options *o = &ipr_results_shipped.scale;
    const double level = o->sd / sqrt(24);

    rated_games();
    assert_true(fit_again(s));
    assert_int_equal(ipr_db_test_int("SELECT count(*) FROM results_component"), 1);
    assert_close(mean_elo(1980), 2531, 40);
    assert_close(mean_elo(1992), 2643, 40);
    json_t *now = ratings_of(s, 25, 1992), *old = ratings_of(s, 25, 1950),
           *of = ratings_of(s, 1, 1900), *early = ratings_of(s, 32, 1950);

    assert_close(scale_at(now, "scale.ratings"), 24, 0);
    assert_close(scale_at(now, "scale.players"), 12, 0);
    assert_close(scale_at(now, "scale.from"), 1980, 0);
    assert_close(scale_at(now, "scale.to"), 1992, 0);
    assert_close(scale_at(now, "standard_error"), hypot(scale_at(now, "relative_error"), level),
                 .01);
    assert_close(scale_at(old, "scale.standard_error"), hypot(level, 30 * o->drift), 1e-6);
    assert_null(ipr_json_find(old, "results_strength.scale.reason"));
    assert_non_null(ipr_json_find(of, "results_strength.scale.reason"));
    assert_null(ipr_json_find(of, "results_strength.scale.standard_error"));
    assert_true(isnan(scale_at(early, "estimate")));
    assert_non_null(strstr(ipr_json_text_at(early, "results_strength.reason"), "first 200 games"));
    json_decref(early);
    json_decref(of);
    json_decref(old);
    json_decref(now);
}

/* Within a year the scale has no part in chances; between years its drift is part of the
 * difference.
 */
static void test_chances_of_eras(void **state)
{
    struct ipr_view_scene *s = *state;

    rated_games();
    assert_true(fit_again(s));
    json_t *a = ratings_of(s, 20, 1950), *b = ratings_of(s, 30, 1992), *c = ratings_of(s, 30, 1950);
    json_t *eras = chances(s, 20, 1950, 30, 1992), *year = chances(s, 20, 1950, 30, 1950);
    const struct ipr_outcome_side first = { scale_at(a, "estimate"),
                                            scale_at(a, "relative_error") };
    struct ipr_outcome_side other = { scale_at(b, "estimate"), scale_at(b, "relative_error") };

    assert_string_equal(ipr_json_text_at(eras, "strength"), "results_strength");
    other.se = hypot(other.se, 30 * ipr_results_shipped.scale.drift);
    assert_close(ipr_json_at(eras, "as_white.win", NAN),
                 ipr_outcome_game(&ipr_results_shipped.outcome, &first, &other, 1971).win, 1e-6);
    other = (struct ipr_outcome_side){ scale_at(c, "estimate"), scale_at(c, "relative_error") };
    assert_close(ipr_json_at(year, "as_white.win", NAN),
                 ipr_outcome_game(&ipr_results_shipped.outcome, &first, &other, 1950).win, 1e-6);
    json_decref(a);
    json_decref(b);
    json_decref(c);
    json_decref(eras);
    json_decref(year);
}

/* A year's figure is the row's, a career's the mean of its years with their covariances. */
static void test_ratings(void **state)
{
    struct ipr_view_scene *s = *state;

    assert_true(fit_again(s));
    const struct ipr_db_results_strength *x = strengths(s, 1, 3);
    json_t *year = ratings_of(s, 1, 1901), *career = ratings_of(s, 1, 0),
           *none = ratings_of(s, 8, 0);
    const double v[3] = { x[0].se * x[0].se, x[1].se * x[1].se, x[2].se * x[2].se };
    const double far = x[0].covariance * x[1].covariance / v[1];

    assert_close(ipr_json_at(year, "results_strength.estimate", NAN), x[1].elo, 1e-6);
    assert_close(ipr_json_at(year, "results_strength.standard_error", NAN), x[1].se, 1e-6);
    assert_close(ipr_json_at(year, "results_strength.interval.low", NAN),
                 x[1].elo - 1.959964 * x[1].se, 1e-3);
    assert_close(ipr_json_at(career, "results_strength.estimate", NAN),
                 (2 * x[0].elo + x[1].elo + x[2].elo) / 4, 1e-6);
    assert_close(
        ipr_json_at(career, "results_strength.standard_error", NAN),
        sqrt(4 * v[0] + v[1] + v[2] + 4 * x[0].covariance + 4 * far + 2 * x[1].covariance) / 4,
        1e-6);
    assert_close(ipr_json_at(career, "results_strength.games", NAN), 4, 0);
    assert_string_equal(ipr_json_text_at(year, "results_strength.method"), "whole_history");
    assert_non_null(ipr_json_text_at(none, "results_strength.reason"));
    json_decref(year);
    json_decref(career);
    json_decref(none);
}

/* Of two years of one component, with the error of the scale between them; of two components not.
 */
static void test_chances(void **state)
{
    struct ipr_view_scene *s = *state;

    assert_true(fit_again(s));
    const struct ipr_db_results_strength *x = &strengths(s, 1, 3)[1], *y = strengths(s, 4, 2);
    const struct ipr_outcome_side a = { x->elo, x->se },
                                  b = { y->elo, hypot(y->se, 4 * ipr_results_shipped.scale.drift) };
    const struct ipr_outcome want = ipr_outcome_game(&ipr_results_shipped.outcome, &a, &b, 1903);
    json_t *one = chances(s, 1, 1901, 4, 1905), *two = chances(s, 1, 1900, 5, 1900);

    assert_string_equal(ipr_json_text_at(one, "strength"), "results_strength");
    assert_close(ipr_json_at(one, "as_white.win", NAN), want.win, 1e-6);
    assert_close(ipr_json_at(one, "as_white.draw", NAN), want.draw, 1e-6);
    assert_true(ipr_json_true_at(one, "extrapolated"));
    assert_null(json_object_get(two, "strength"));
    assert_non_null(strstr(ipr_json_text_at(two, "reason"), "no games connect the two players"));
    json_decref(one);
    json_decref(two);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_RESULTS(test_fit),
        WITH_RESULTS(test_changes),
        WITH_RESULTS(test_pause),
        WITH_RESULTS(test_scale),
        WITH_RESULTS(test_ratings),
        WITH_RESULTS(test_chances),
        WITH_RESULTS(test_chances_of_eras),
    };

    return cmocka_run_group_tests_name("results", tests, NULL, NULL);
}
