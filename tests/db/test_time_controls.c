/* Play by time control, from stored sums: against the same figures computed here. */
#include "view/view.h"

#include <math.h>
#include <string.h>

#include "ipr_db_sample.h"
#include "ipr_db_test.h"
#include "ipr_members.h"
#include "ipr_test.h"
#include "ipr_view_sample.h"
#include "model/strength_shipped.h"
#include "stats/interval.h"
#include "view/json.h"

/* Twelve players, each with standard and rapid games in two years, those of odd number with
 * imported rapid ones; the last one's rapid games are another identity's. Nine of them have blitz
 * games, but in a year without standard ones; three of these no Elo. All values are those of the
 * functions below. */
static const char scenery[] =
    "INSERT INTO player (id, name, name_key) OVERRIDING SYSTEM VALUE"
    " SELECT n, n, n FROM generate_series(1, 13) AS n;"
    "UPDATE player SET merged_into = 12 WHERE id = 13;"
    "INSERT INTO player_year (player_id, year, judge_id, time_class, games, turns, strength_score,"
    " strength_information, strength_moves)"
    " SELECT i, y, j.id, 1 - i % 2, 5, 200, round((-0.2 + 0.02 * i) * (1e6 + 1e5 * i)),"
    "  1e6 + 1e5 * i, 150 FROM generate_series(1, 12) AS i, (VALUES (1990), (1991)) AS v (y),"
    "  judge AS j;"
    "INSERT INTO player_year (player_id, year, judge_id, time_class, games, turns, strength_score,"
    " strength_information, strength_moves)"
    " SELECT CASE i WHEN 12 THEN 13 ELSE i END, y, j.id, 2 + 16 * (i % 2), 3, 100,"
    "  round((-0.32 + 0.02 * i + 0.03 * (i % 3) + 0.01 * (y % 2)) * 5e5), 5e5, 80"
    " FROM generate_series(1, 12) AS i, (VALUES (1990), (1991)) AS v (y), judge AS j;"
    "INSERT INTO player_year (player_id, year, judge_id, time_class, games, turns, strength_score,"
    " strength_information, strength_moves)"
    " SELECT i, 2000, j.id, 3, 3, 100, 1e5, 5e5, 80 FROM generate_series(1, 9) AS i, judge AS j;"
    "INSERT INTO player_games (player_id, year, time_class, games, elo_games, elo_sum)"
    " SELECT y.player_id, y.year, y.time_class % 16, 10, 2, 2 * (2400 + 10 * CASE y.player_id WHEN "
    "13"
    "  THEN 12 ELSE y.player_id END) FROM player_year AS y WHERE y.time_class <> 3";

enum { PLAYERS = 12, YEARS = 2 };

static double standard_z(int i)
{
    return -0.2 + 0.02 * i;
}

static double standard_information(int i)
{
    return 1.0 + 0.1 * i;
}

static double rapid_z(int i, int year)
{
    return -0.32 + 0.02 * i + 0.03 * (i % 3) + 0.01 * (year % 2);
}

static double expected_z(int i, int year)
{
    return ipr_strength_expected(&ipr_strength_shipped.calibration, 2400 + 10 * i, year);
}

static int time_setup(void **state)
{
    const int rc = ipr_view_scene_open(state);
    struct ipr_view_scene *s = *state;

    s->judge_id = ipr_sample_judge_id(s->db);
    return rc;
}
#define WITH_TIMES(test) cmocka_unit_test_setup_teardown(test, time_setup, ipr_view_scene_close)

static json_t *times(struct ipr_view_scene *s)
{
    const struct ipr_time_controls_request all = { .imported = true };
    json_t *out = NULL;

    assert_ok(ipr_view_time_controls(&s->view, &all, &out, &s->err), &s->err);
    assert_members(IPR_SHAPE_TIME_CONTROLS, out);
    return out;
}

static const json_t *row_of(const json_t *answer, const char *name)
{
    const json_t *row;
    size_t i;

    json_array_foreach(json_object_get(answer, "rows"), i, row) {
        if (strcmp(ipr_json_text_at(row, "time_class"), name) == 0)
            return row;
    }
    fail_msg("no %s", name);
    return NULL;
}

static double elo_of(double z)
{
    return ipr_strength_curve_elo(&ipr_strength_shipped.calibration.curve, z);
}

/* z: what `difference` is added to; squares: of the sums of influences by player. */
static void check_difference(const json_t *row, const char *which, double z, double difference,
                             double squares)
{
    const json_t *got = json_object_get(row, which);
    const double se = sqrt(squares * PLAYERS / (PLAYERS - 1.0));
    const double half = ipr_stats_quantile95(PLAYERS) * se, at = z + difference;

    assert_close(ipr_json_at(got, "estimate", NAN), elo_of(at) - elo_of(z), 0.05);
    assert_close(ipr_json_at(got, "standard_error", NAN),
                 fabs(elo_of(at + se) - elo_of(at - se)) / 2, 0.05);
    assert_close(ipr_json_at(got, "interval.high", NAN) - ipr_json_at(got, "interval.low", NAN),
                 fabs(elo_of(at + half) - elo_of(at - half)), 0.05);
    assert_close(ipr_json_at(got, "players", NAN), PLAYERS, 0.0);
    assert_close(ipr_json_at(got, "moves", NAN), PLAYERS * YEARS * 80.0, 0.0);
    assert_null(json_object_get(got, "reason"));
}

/* The weight of a difference in a year is the inverse of its variance. */
static double pair_weight(int i)
{
    return 0.5 * standard_information(i) / (0.5 + standard_information(i));
}

/* Those of the players of odd number. */
static void imported_evaluations_can_be_left_out(void **state)
{
    const struct ipr_time_controls_request own = { .imported = false };
    struct ipr_view_scene *s = *state;
    json_t *out = NULL;

    ipr_db_test_sql(scenery);
    json_t *all = times(s);
    assert_ok(ipr_view_time_controls(&s->view, &own, &out, &s->err), &s->err);
    assert_close(ipr_json_at(row_of(all, "rapid"), "players", NAN), PLAYERS, 0.0);
    assert_close(ipr_json_at(row_of(out, "rapid"), "players", NAN), PLAYERS / 2.0, 0.0);
    assert_close(ipr_json_at(row_of(out, "standard"), "players", NAN), PLAYERS, 0.0);
    json_decref(all);
    json_decref(out);
}

static void the_same_players_are_compared(void **state)
{
    double weights = 0, sum = 0, standard = 0, squares = 0;

    ipr_db_test_sql(scenery);
    json_t *answer = times(*state);
    for (int i = 1; i <= PLAYERS; i++)
        for (int year = 1990; year <= 1991; year++) {
            weights += pair_weight(i);
            sum += pair_weight(i) * (rapid_z(i, year) - standard_z(i));
            standard += pair_weight(i) * standard_z(i);
        }
    for (int i = 1; i <= PLAYERS; i++) {
        double u = 0;
        for (int year = 1990; year <= 1991; year++)
            u += pair_weight(i) * (rapid_z(i, year) - standard_z(i) - sum / weights) / weights;
        squares += u * u;
    }
    check_difference(row_of(answer, "rapid"), "same_players", standard / weights, sum / weights,
                     squares);
    assert_true(json_is_true(ipr_json_find(row_of(answer, "rapid"), "same_players.distinct")));
    assert_null(json_object_get(answer, "reason"));
    json_decref(answer);
}

/* A player's deviation from the Elo, of rapid and of standard games; the same players are in
 * both. */
static void moves_are_compared_at_the_same_elo(void **state)
{
    double weights[2] = { 0 }, sum[2] = { 0 }, expected = 0, squares = 0;

    ipr_db_test_sql(scenery);
    json_t *answer = times(*state);
    for (int i = 1; i <= PLAYERS; i++)
        for (int year = 1990; year <= 1991; year++) {
            weights[0] += 0.5;
            weights[1] += standard_information(i);
            sum[0] += 0.5 * (rapid_z(i, year) - expected_z(i, year));
            sum[1] += standard_information(i) * (standard_z(i) - expected_z(i, year));
            expected += 0.5 * expected_z(i, year);
        }
    for (int i = 1; i <= PLAYERS; i++) {
        double u = 0;
        for (int year = 1990; year <= 1991; year++)
            u += 0.5 * (rapid_z(i, year) - expected_z(i, year) - sum[0] / weights[0]) / weights[0] -
                 standard_information(i) *
                     (standard_z(i) - expected_z(i, year) - sum[1] / weights[1]) / weights[1];
        squares += u * u;
    }
    check_difference(row_of(answer, "rapid"), "same_elo", expected / weights[0],
                     sum[0] / weights[0] - sum[1] / weights[1], squares);
    json_decref(answer);
}

static void classes_have_their_sums(void **state)
{
    double score = 0, information = 0;

    ipr_db_test_sql(scenery);
    json_t *answer = times(*state);
    const json_t *standard = row_of(answer, "standard"), *rapid = row_of(answer, "rapid");

    for (int i = 1; i <= PLAYERS; i++) {
        information += 2 * standard_information(i);
        score += 2 * standard_information(i) * standard_z(i);
    }
    assert_close(ipr_json_at(standard, "estimate", NAN), elo_of(score / information), 0.05);
    assert_close(ipr_json_at(standard, "moves", NAN), PLAYERS * YEARS * 150.0, 0.0);
    assert_close(ipr_json_at(standard, "games", NAN), PLAYERS * YEARS * 5.0, 0.0);
    assert_null(json_object_get(standard, "same_players")); /* they are standard */
    assert_close(ipr_json_at(rapid, "elo", NAN), 2465.0, 1e-6);
    assert_close(ipr_json_at(rapid, "players", NAN), PLAYERS, 0.0);
    assert_close(ipr_json_at(row_of(answer, "classical"), "players", NAN) +
                     ipr_json_at(row_of(answer, "unknown"), "players", NAN),
                 PLAYERS, 0.0);
    json_decref(answer);
}

static void few_players_are_refused(void **state)
{
    ipr_db_test_sql(scenery);
    json_t *answer = times(*state);
    const json_t *blitz = row_of(answer, "blitz");

    assert_true(json_is_null(json_object_get(blitz, "estimate")));
    assert_non_null(strstr(ipr_json_text_at(blitz, "reason"), "there are 9 and 720"));
    assert_true(json_is_null(ipr_json_find(blitz, "same_players.interval")));
    assert_non_null(strstr(ipr_json_text_at(blitz, "same_players.reason"), "there are 0 and 0"));
    assert_non_null(strstr(ipr_json_text_at(blitz, "same_elo.reason"), "with an Elo"));
    assert_true(json_is_null(json_object_get(blitz, "elo")));
    json_decref(answer);
}

/* Only what is known to be at another time control can answer the question. */
static void without_other_games_there_is_no_answer(void **state)
{
    json_t *answer = times(*state);
    assert_string_equal(ipr_json_text_at(answer, "reason"),
                        "no analysed game is known to have been played at another time control");
    json_decref(answer);
    ipr_db_test_sql(scenery);
    ipr_db_test_sql("DELETE FROM player_year WHERE time_class % 16 = 2 AND player_id > 9");
    answer = times(*state);
    assert_non_null(strstr(ipr_json_text_at(answer, "reason"), "too few analysed games"));
    assert_non_null(strstr(ipr_json_text_at(row_of(answer, "rapid"), "same_players.reason"),
                           "there are 9 and 1440"));
    json_decref(answer);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_TIMES(imported_evaluations_can_be_left_out),
        WITH_TIMES(the_same_players_are_compared),
        WITH_TIMES(moves_are_compared_at_the_same_elo),
        WITH_TIMES(classes_have_their_sums),
        WITH_TIMES(few_players_are_refused),
        WITH_TIMES(without_other_games_there_is_no_answer),
    };

    return cmocka_run_group_tests_name("time_controls", tests, NULL, NULL);
}
