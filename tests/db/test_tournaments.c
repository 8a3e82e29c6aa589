/* Tournaments over a real database: the list, the players, and a report whose figures equal the
 * players' ratings. */
#include "db/tournaments.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "db/identity_changes.h"
#include "ipr_db_sample.h"
#include "ipr_db_test.h"
#include "ipr_test.h"
#include "ipr_view_sample.h"
#include "view/json.h"
#include "view/rating/rate.h"
#include "view/view.h"

/* Makes two of three moves the best one, so that a rating can be fitted. */
static void play_well(struct ipr_judged_game *g, unsigned k)
{
    for (size_t i = 0; i < g->n; i++) {
        struct ipr_judged_turn *t = &g->turns[i];
        ipr_move *moves = (ipr_move *)(uintptr_t)t->moves;
        const ipr_move best = moves[0];

        if (i % 3 == 0)
            continue;
        moves[0] = moves[t->played];
        if (t->played < k && t->played < t->legal)
            moves[t->played] = best;
        else
            t->lines = (uint8_t)(t->lines - 1);
        t->played = 0;
    }
}

static void judge_game(struct ipr_view_scene *s, int64_t id, unsigned seed)
{
    struct ipr_db_game game;

    s->judge_id = ipr_sample_judge_id(s->db);
    assert_ok(ipr_db_game_get(s->db, id, &s->mem, &game, &s->err), &s->err);
    struct ipr_judged_game judged = ipr_sample_judgement(&s->mem, &s->judge, &game, seed);

    play_well(&judged, s->judge.multipv);
    ipr_sample_judged(s->db, s->judge_id, &game, &judged, 3);
}

/* One game of 70 half-moves: 27 turns a side from move 9. */
struct pairing {
    const char *event;
    int year;
    const char *white, *black;
    enum ipr_result result;
    int white_elo, black_elo;
    bool judged;
};

static int64_t play(struct ipr_view_scene *s, unsigned seed, const struct pairing *p)
{
    struct ipr_db_new_game g = ipr_sample_game(&s->mem, seed, p->white, p->black, p->year, 70);

    g.event = p->event;
    g.result = p->result;
    g.white_elo = p->white_elo;
    g.black_elo = p->black_elo;
    ipr_sample_store(s->db, &g, 1, "sample");
    if (p->judged)
        judge_game(s, g.id, seed);
    return g.id;
}

static int32_t event_of(const char *name)
{
    char sql[128];

    snprintf(sql, sizeof sql, "SELECT id FROM event WHERE name = '%s'", name);
    return (int32_t)ipr_db_test_int(sql);
}

/* A match of 16 judged games, a judged game of two other players, one that is not judged, and one
 * of another event. */
static int32_t fill(struct ipr_view_scene *s)
{
    const struct pairing match = { "Cup", 2001, "one", "two", IPR_DRAW, 2500, 2400, true };
    const struct pairing back = { "Cup", 2001, "two", "one", IPR_WHITE_WINS, 2420, 2500, true };
    const struct pairing few = { "Cup", 2001, "three", "four", IPR_BLACK_WINS, 2300, 0, true };
    const struct pairing none = { "Cup", 2001, "four", "one", IPR_RESULT_UNKNOWN, 0, 2510, false };
    const struct pairing other = {
        "Other", 2001, "one", "three", IPR_WHITE_WINS, 2500, 2300, true
    };

    for (unsigned i = 0; i < 8; i++) {
        play(s, 2 * i + 1, &match);
        play(s, 2 * i + 2, &back);
    }
    play(s, 31, &few);
    play(s, 32, &none);
    play(s, 33, &other);
    return event_of("Cup");
}

static json_t *report(struct ipr_view_scene *s, int32_t event, const char *after, int limit)
{
    json_t *r = NULL;

    assert_ok(ipr_view_event(
                  &s->view,
                  &(struct ipr_event_request){ .event = event, .after = after, .limit = limit }, &r,
                  &s->err),
              &s->err);
    return r;
}

static const json_t *row_of(const json_t *r, const char *player)
{
    const json_t *row;
    size_t i;

    json_array_foreach(json_object_get(r, "players"), i, row)
        if (strcmp(ipr_json_text_at(row, "player.name"), player) == 0)
            return row;
    fail_msg("no player %s", player);
    return NULL;
}

/* ---- turns ---- */

static void assert_same_turns(const struct ipr_db_player_turns *a,
                              const struct ipr_db_player_turns *b)
{
    assert_int_equal(a->n, b->n);
    assert_int_equal(a->games, b->games);
    assert_int_equal(a->n_sides, b->n_sides);
    for (size_t i = 0; i < a->n; i++) {
        const struct ipr_turn *t = &a->turns[i], *u = &b->turns[i];

        assert_int_equal(t->game, u->game);
        assert_int_equal(t->year, u->year);
        assert_int_equal(t->ply, u->ply);
        assert_int_equal(t->mover, u->mover);
        assert_int_equal(t->played, u->played);
        assert_int_equal(t->lines, u->lines);
        assert_int_equal(t->n_cp, u->n_cp);
        assert_memory_equal(t->cp, u->cp, t->n_cp * sizeof *t->cp);
        assert_int_equal(a->judged[i].ply, b->judged[i].ply);
        assert_int_equal(a->judged[i].depth, b->judged[i].depth);
    }
    for (size_t i = 0; i < a->n_sides; i++) {
        assert_int_equal(a->sides[i].game_id, b->sides[i].game_id);
        assert_int_equal(a->sides[i].game, b->sides[i].game);
        assert_int_equal(a->sides[i].turns, b->sides[i].turns);
        assert_int_equal(a->sides[i].colour, b->sides[i].colour);
        assert_int_equal(a->sides[i].half_points, b->sides[i].half_points);
        assert_int_equal(a->sides[i].elo, b->sides[i].elo);
        assert_int_equal(a->sides[i].opponent_elo, b->sides[i].opponent_elo);
        assert_int_equal(a->sides[i].opponent, b->sides[i].opponent);
        assert_string_equal(a->sides[i].opponent_name, b->sides[i].opponent_name);
    }
}

/* Turns read for several players equal those read for each, in any selection. */
static void test_turns_of_all_players(void **state)
{
    struct ipr_view_scene *s = *state;
    struct ipr_db_tournament_player *players = NULL;
    struct ipr_db_player_turns all[8], alone;
    const int32_t event = fill(s);
    size_t n = 0;

    assert_ok(ipr_db_tournament_players(s->db, event, s->judge_id, IPR_TIME_SET_ALL, &s->mem,
                                        &players, &n, &s->err),
              &s->err);
    assert_int_equal(n, 4);
    for (size_t from = 0; from < n; from++) {
        assert_ok(ipr_db_tournament_turns(s->db, s->judge_id, players + from, n - from, &s->mem,
                                          all, &s->err),
                  &s->err);
        for (size_t i = from; i < n; i++) {
            const struct ipr_db_scope scope = { .person = players[i].id,
                                                .event = event,
                                                .colours = IPR_DB_BOTH_COLOURS,
                                                .times = IPR_TIME_SET_ALL };
            assert_ok(ipr_db_player_turns(s->db, &scope, s->judge_id, &s->mem, &alone, &s->err),
                      &s->err);
            assert_same_turns(&all[i - from], &alone);
        }
    }
}

/* ---- report ---- */

static void assert_same_rating(struct ipr_view_scene *s, int32_t event, const json_t *row)
{
    static const char *const names[] = { "ipr", "bayes", "concordance", "conformance" };
    const struct ipr_db_scope scope = { .person = (int32_t)ipr_json_at(row, "player.id", 0.0),
                                        .event = event,
                                        .colours = IPR_DB_BOTH_COLOURS,
                                        .times = IPR_TIME_SET_DEFAULT };
    struct ipr_figure_ratings rating = { 0 };
    struct ipr_view_context c;
    json_t *alone = NULL;

    assert_ok(ipr_setting_for(&s->view, IPR_FOR_LINES, NULL, &c, &s->err), &s->err);
    assert_ok(ipr_rate(&c, &scope, IPR_RATE_DEFAULT, &rating, &s->err), &s->err);
    alone = ipr_shape_json(IPR_SHAPE_RATINGS, &rating);
    assert_true(json_equal(json_object_get(row, "turns"), json_object_get(alone, "turns")));
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const json_t *told = json_object_get(row, names[i]);
        const json_t *whole = json_object_get(alone, names[i]);
        const char *member;
        json_t *value;

        assert_true(json_object_size(told) > 10);
        json_object_foreach((json_t *)(uintptr_t)told, member, value)
            assert_true(json_equal(value, json_object_get(whole, member)));
    }
    json_decref(alone);
    ipr_view_context_close(&c);
}

static void test_report(void **state)
{
    struct ipr_view_scene *s = *state;

    ipr_sample_calibration(s->db, &s->judge, "digest");
    const int32_t event = fill(s);
    json_t *r = report(s, event, NULL, 40);
    const json_t *one = row_of(r, "one"), *two = row_of(r, "two");
    const json_t *three = row_of(r, "three"), *four = row_of(r, "four");

    assert_string_equal(ipr_json_text_at(r, "event.name"), "Cup");
    assert_close(ipr_json_at(r, "event.year", 0.0), 2001.0, 0.0);
    assert_close(ipr_json_at(r, "games", 0.0), 18.0, 0.0);
    assert_close(ipr_json_at(r, "games_judged", 0.0), 17.0, 0.0);
    assert_close(ipr_json_at(r, "results.drawn", 0.0), 8.0, 0.0);
    assert_close(ipr_json_at(r, "results.white_won", 0.0), 8.0, 0.0);
    assert_close(ipr_json_at(r, "results.black_won", 0.0), 1.0, 0.0);
    assert_close(ipr_json_at(r, "results.unknown", 0.0), 1.0, 0.0);
    assert_close(ipr_json_at(r, "players_total", 0.0), 4.0, 0.0);
    assert_true(json_is_null(json_object_get(r, "next")));

    assert_true(json_is_number(ipr_json_find(one, "ipr.estimate")));
    assert_true(json_is_number(ipr_json_find(two, "concordance.mm.z")));
    assert_same_rating(s, event, one);
    assert_same_rating(s, event, two);
    assert_non_null(strstr(ipr_json_text_at(three, "ipr.reason"), "150 moves are needed"));
    assert_true(json_is_null(ipr_json_find(three, "ipr.estimate")));
    assert_close(ipr_json_at(r, "comparisons.compared", 0.0), 2.0, 0.0);

    /* two 12 of 16, one 4 of 16 and a game without result, four 1 of 1, three none */
    assert_close(ipr_json_at(two, "place", 0.0), 1.0, 0.0);
    assert_close(ipr_json_at(two, "score", 0.0), 12.0, 0.0);
    assert_close(ipr_json_at(one, "place", 0.0), 2.0, 0.0);
    assert_close(ipr_json_at(one, "score_games", 0.0), 16.0, 0.0);
    assert_close(ipr_json_at(one, "games", 0.0), 17.0, 0.0);
    assert_close(ipr_json_at(one, "games_judged", 0.0), 16.0, 0.0);
    assert_close(ipr_json_at(one, "elo.estimate", 0.0), 2500.0, 1e-6); /* by judged turns */
    assert_close(ipr_json_at(four, "place", 0.0), 3.0, 0.0);
    assert_close(ipr_json_at(three, "place", 0.0), 4.0, 0.0);
    assert_close(ipr_json_at(two, "performance.games", 0.0), 16.0, 0.0);
    /* 8 E(2400, 2500) + 8 E(2420, 2500) */
    assert_close(ipr_json_at(two, "expected.points", 0.0), 8 * 0.3599350 + 8 * 0.3868632, 1e-5);
    assert_close(ipr_json_at(one, "expected.points", 0.0) +
                     ipr_json_at(two, "expected.points", 0.0),
                 16.0, 1e-6);
    assert_non_null(strstr(ipr_json_text_at(three, "performance.reason"), "neither in the tags"));
    assert_true(ipr_json_true_at(four, "performance.bounded"));
    assert_true(json_is_null(ipr_json_find(four, "performance.estimate")));
    assert_true(json_is_null(ipr_json_find(four, "performance.interval.high")));
    assert_non_null(strstr(ipr_json_text_at(four, "expected.reason"), "in no scored game"));
    assert_ok(ipr_view_page("event", r, &s->err), &s->err);
    json_decref(r);
}

static const json_t *crosstable_row(const json_t *report, const char *name)
{
    const json_t *row;
    size_t i;

    json_array_foreach(ipr_json_find(report, "crosstable.rows"), i, row)
        if (strcmp(ipr_json_text_at(row, "player.name"), name) == 0)
            return row;
    fail_msg("no %s in the crosstable", name);
    return NULL;
}

/* Forfeits are in the score, which is the crosstable's, and in no other figure. */
static void test_forfeits(void **state)
{
    struct ipr_view_scene *s = *state;

    ipr_sample_calibration(s->db, &s->judge, "digest");
    const int32_t event = fill(s);
    ipr_db_test_sql("DELETE FROM side_turns WHERE game_id = 2");
    ipr_db_test_sql("DELETE FROM judged_side WHERE game_id = 2");
    ipr_db_test_sql("UPDATE game SET plies = 0, moves = '' WHERE id = 2"); /* won by "two" */
    json_t *r = report(s, event, NULL, 40), *alone = NULL;
    const json_t *two = row_of(r, "two");
    const struct ipr_ratings_request asked = { .player = ipr_db_test_player("two"),
                                               .event = event,
                                               .color = -1 };

    assert_close(ipr_json_at(two, "unplayed.games", 0.0), 1.0, 0.0);
    assert_close(ipr_json_at(two, "unplayed.score", 0.0), 1.0, 0.0);
    assert_close(ipr_json_at(two, "score", 0.0), 12.0, 0.0);
    assert_close(ipr_json_at(two, "score_games", 0.0), 16.0, 0.0);
    assert_close(ipr_json_at(two, "performance.games", 0.0), 15.0, 0.0);
    assert_close(ipr_json_at(two, "expected.games", 0.0), 15.0, 0.0);
    assert_close(ipr_json_at(two, "expected.actual_points", 0.0), 11.0, 0.0);
    assert_close(ipr_json_at(crosstable_row(r, "two"), "score", 0.0), 12.0, 0.0);
    /* The ratings of the event's games agree. */
    assert_ok(ipr_view_ratings(&s->view, &asked, &alone, &s->err), &s->err);
    static const char *const same[] = { "unplayed", "score", "score_games", "expected",
                                        "performance" };
    for (size_t i = 0; i < sizeof same / sizeof *same; i++)
        if (!json_equal(json_object_get(two, same[i]),
                        json_object_get(json_object_get(alone, "elo"), same[i])))
            fail_msg("%s differs", same[i]);
    assert_close(ipr_json_at(alone, "games_unjudged", -1.0), 0.0, 0.0);
    json_decref(alone);
    json_decref(r);
}

/* A player of every game, of three players or more, is no field; the two of a match are. */
static void test_only_player(void **state)
{
    struct ipr_view_scene *s = *state;
    const struct pairing games[] = {
        { "Cup", 1990, "a", "b", IPR_WHITE_WINS, 2500, 2400, true },
        { "Cup", 1990, "b", "a", IPR_DRAW, 2400, 2500, true },
        { "Cup", 1990, "c", "a", IPR_DRAW, 2300, 2500, true },
        { "Cup", 1990, "b", "c", IPR_DRAW, 2400, 2300, true },
    };
    const char *const only[] = { NULL, NULL, "a", NULL };

    for (unsigned i = 0; i < sizeof games / sizeof *games; i++) {
        play(s, i + 1, &games[i]);
        json_t *r = report(s, event_of("Cup"), NULL, 40), *dossier = NULL;
        const struct ipr_event_player_request of_a = { .event = event_of("Cup"),
                                                       .player = ipr_db_test_player("a") };

        assert_ok(ipr_view_event_player(&s->view, &of_a, &dossier, &s->err), &s->err);
        assert_string_equal(ipr_json_text_at(r, "only_player.name"), only[i] ? only[i] : "");
        assert_true(
            json_equal(json_object_get(r, "only_player"), json_object_get(dossier, "only_player")));
        assert_true(
            json_equal(json_object_get(r, "incomplete"), json_object_get(dossier, "incomplete")));
        if (only[i] != NULL) { /* no figure of a field */
            assert_null(strstr(ipr_json_text_at(r, "screening.answer"), "players tested"));
            assert_null(strstr(ipr_json_text_at(dossier, "answer"), "players tested"));
        }
        json_decref(dossier);
        json_decref(r);
    }
}

/* Two players' games of a larger field: event and dossiers say so. */
static void test_only_players(void **state)
{
    static const char *const others[] = { "c", "d", "e", "f", "g" };
    struct ipr_view_scene *s = *state;
    struct pairing game = { "Cup", 1990, "a", "b", IPR_WHITE_WINS, 2500, 2400, true };
    json_t *dossier = NULL;
    unsigned n = 0;

    play(s, ++n, &game);
    for (size_t i = 0; i < 2 * sizeof others / sizeof *others; i++) {
        game.white = i % 2 == 0 ? "a" : "b";
        game.black = others[i / 2];
        play(s, ++n, &game);
    }
    json_t *r = report(s, event_of("Cup"), NULL, 40);
    const struct ipr_event_player_request of_c = { .event = event_of("Cup"),
                                                   .player = ipr_db_test_player("c") };

    assert_ok(ipr_view_event_player(&s->view, &of_c, &dossier, &s->err), &s->err);
    assert_string_equal(ipr_json_text_at(r, "incomplete"), "only games of a and b are stored");
    assert_int_equal(json_array_size(json_object_get(r, "only_players")), 2);
    assert_true(json_is_null(json_object_get(r, "only_player")));
    assert_true(
        json_equal(json_object_get(r, "incomplete"), json_object_get(dossier, "incomplete")));
    assert_true(
        json_equal(json_object_get(r, "only_players"), json_object_get(dossier, "only_players")));
    json_decref(dossier);
    json_decref(r);
}

/* The parts of a report add up to the whole. */
static void test_parts_of_a_report(void **state)
{
    struct ipr_view_scene *s = *state;
    char after[32] = "";
    json_t *r = NULL;

    ipr_sample_calibration(s->db, &s->judge, "digest");
    const int32_t event = fill(s);
    json_t *whole = report(s, event, NULL, 40);
    const json_t *rows = json_object_get(whole, "players");
    for (size_t i = 0; i < json_array_size(rows); i++) {
        json_t *one = report(s, event, after, 1);

        assert_int_equal(json_array_size(json_object_get(one, "players")), 1);
        assert_true(json_equal(json_array_get(json_object_get(one, "players"), 0),
                               json_array_get(rows, i)));
        snprintf(after, sizeof after, "%s", ipr_json_text_at(one, "next"));
        assert_int_equal(*after == '\0', i + 1 == json_array_size(rows));
        json_decref(one);
    }
    json_decref(whole);
    const struct {
        struct ipr_event_request asked;
        enum ipr_code code;
    } wrong[] = {
        { { .event = event, .after = "999", .limit = 1 }, IPR_EPARSE },
        { { .event = event, .after = "x", .limit = 1 }, IPR_EPARSE },
        { { .event = event, .limit = 1, .judge = "oracle" }, IPR_EPARSE },
        { { .event = 0, .limit = 1 }, IPR_ENOTFOUND },
        { { .event = 99, .limit = 1 }, IPR_ENOTFOUND },
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_int_equal(ipr_view_event(&s->view, &wrong[i].asked, &r, NULL), wrong[i].code);
    assert_null(r);
}

static void test_nothing_judged(void **state)
{
    struct ipr_view_scene *s = *state;
    const struct pairing p = { "Bare", 0, "a", "b", IPR_RESULT_UNKNOWN, 0, 0, false };

    play(s, 1, &p);
    json_t *r = report(s, event_of("Bare"), NULL, 40);
    const json_t *a = row_of(r, "a");
    assert_true(json_is_null(ipr_json_find(r, "event.year")));
    assert_true(json_is_null(json_object_get(a, "score")));
    assert_non_null(strstr(ipr_json_text_at(a, "performance.reason"), "no game with a result"));
    assert_true(*ipr_json_text_at(a, "ipr.reason") != '\0');
    assert_true(*ipr_json_text_at(a, "elo.reason") != '\0');
    assert_ok(ipr_view_page("event", r, &s->err), &s->err);
    json_decref(r);
}

/* Games of other time classes are counted, but excluded from all figures. */
static void test_classes(void **state)
{
    struct ipr_view_scene *s = *state;
    const int32_t event = fill(s);

    ipr_db_test_sql("UPDATE game SET time_class = 3 WHERE id <= 4");
    json_t *r = report(s, event, NULL, 40);
    assert_close(ipr_json_at(r, "games", 0.0), 14.0, 0.0);
    assert_close(ipr_json_at(r, "not_rated.blitz", 0.0), 4.0, 0.0);
    assert_close(ipr_json_at(row_of(r, "two"), "score_games", 0.0), 12.0, 0.0);
    json_decref(r);
    s->view.time_classes = IPR_TIME_BIT(IPR_TIME_BLITZ);
    r = report(s, event, NULL, 40);
    assert_close(ipr_json_at(r, "games", 0.0), 4.0, 0.0);
    assert_int_equal(json_array_size(json_object_get(r, "players")), 2);
    json_decref(r);
}

/* Identities of one player have one row, under the root. */
static void test_merged_players(void **state)
{
    struct ipr_view_scene *s = *state;
    const int32_t event = fill(s);
    int64_t change;

    assert_ok(ipr_db_merge(s->db, ipr_db_test_player("three"), ipr_db_test_player("two"), false,
                           "me", &change, &s->err),
              &s->err);
    json_t *r = report(s, event, NULL, 40);
    assert_close(ipr_json_at(r, "players_total", 0.0), 3.0, 0.0);
    assert_close(ipr_json_at(row_of(r, "two"), "games", 0.0), 17.0, 0.0);
    json_decref(r);
    ipr_db_test_sql("UPDATE game SET white_id = 0 WHERE id = 1");
    r = report(s, event, NULL, 40);
    assert_close(ipr_json_at(r, "players_total", 0.0), 3.0, 0.0); /* unknown names are no players */
    assert_close(ipr_json_at(row_of(r, "one"), "games", 0.0), 16.0, 0.0);
    json_decref(r);
}

static void test_large_event(void **state)
{
    struct ipr_view_scene *s = *state;
    const int32_t event = fill(s);
    char sql[512];

    snprintf(sql, sizeof sql,
             "INSERT INTO game (white_id, black_id, year, date, site, round, result, plies, moves, "
             "tags, event_id, moves_key, stem) SELECT white_id, black_id, year, date, site, round, "
             "result, plies, moves, tags, event_id, moves_key + n, stem FROM game, "
             "generate_series(1, %d) AS n WHERE game.id = 1",
             IPR_TOURNAMENT_GAMES);
    ipr_db_test_sql(sql);
    json_t *r = report(s, event, NULL, 40);
    assert_int_equal(json_array_size(json_object_get(r, "players")), 0);
    assert_non_null(strstr(ipr_json_text_at(r, "reason"), "no tournament"));
    assert_ok(ipr_view_page("event", r, &s->err), &s->err);
    json_decref(r);
    assert_ok(ipr_view_events(&s->view, &(struct ipr_events_request){ .q = "cup", .limit = 50 }, &r,
                              &s->err),
              &s->err);
    const json_t *listed = json_array_get(json_object_get(r, "events"), 0);
    assert_false(ipr_json_true_at(listed, "counted_all"));
    assert_close(ipr_json_at(listed, "games", 0.0), IPR_TOURNAMENT_GAMES + 1.0, 0.0);
    json_decref(r);
}

/* ---- list ---- */

/* 20 events of one game each, a game without an event, and an event without games. */
static void fill_list(struct ipr_view_scene *s)
{
    for (unsigned i = 0; i < 20; i++) {
        const struct pairing p = { ipr_arena_printf(&s->mem, "%s of place %u",
                                                    i % 2 ? "Öpen" : "Cup, 100%", i),
                                   i % 5 ? 1990 + (int)(i % 5) : 0,
                                   "a",
                                   i % 2 ? "b" : "c",
                                   IPR_DRAW,
                                   0,
                                   0,
                                   i == 3 };
        play(s, i + 1, &p);
    }
    const struct pairing none = { "", 1999, "a", "b", IPR_DRAW, 0, 0, false };
    play(s, 21, &none);
    ipr_db_test_sql("INSERT INTO event (name, year) VALUES ('Gone', 1999)");
}

static void test_list(void **state)
{
    struct ipr_view_scene *s = *state;
    struct ipr_db_tournament_query q = { .search = "", .after_year = -1, .limit = 7 };
    struct ipr_db_tournament *rows = NULL, last = { 0 };
    size_t n = 0, seen = 0;

    fill_list(s);
    q.judge_id = s->judge_id;
    do {
        assert_ok(ipr_db_tournament_list(s->db, &q, &s->mem, &rows, &n, &s->err), &s->err);
        for (size_t i = 0; i < n; i++) {
            if (seen++ > 0)
                assert_true(rows[i].year < last.year ||
                            (rows[i].year == last.year && rows[i].id < last.id));
            last = rows[i];
            assert_int_equal(last.games, 1);
            assert_int_equal(last.players, 2);
            assert_int_equal(last.judged, strcmp(last.name, "Öpen of place 3") == 0);
        }
        q.after_year = last.year;
        q.after_id = last.id;
    } while (n == 7);
    assert_int_equal(seen, 20);
}

static void test_search(void **state)
{
    static const struct {
        const char *search;
        int year;
        size_t found;
    } rows[] = {
        { NULL, 0, 20 },  { "open", 0, 10 },        { "ÖPEN PLACE", 0, 10 }, { "pla cu", 0, 10 },
        { "pen", 0, 0 },  { "100%", 0, 10 },        { "1_0", 0, 0 },         { "place 19", 0, 1 },
        { "  ", 0, 20 },  { "place", 1991, 4 },     { "open 1", 1991, 2 },   { NULL, 1999, 0 },
        { "gone", 0, 0 }, { "open.place-1", 0, 6 },
    };
    struct ipr_view_scene *s = *state;
    json_t *r = NULL;

    fill_list(s);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_ok(ipr_view_events(&s->view,
                                  &(struct ipr_events_request){
                                      .q = rows[i].search, .year = rows[i].year, .limit = 500 },
                                  &r, &s->err),
                  &s->err);
        if (json_array_size(json_object_get(r, "events")) != rows[i].found)
            fail_msg("%s %d: %zu", rows[i].search, rows[i].year,
                     json_array_size(json_object_get(r, "events")));
        assert_ok(ipr_view_page("events", r, &s->err), &s->err);
        json_decref(r);
    }
    r = NULL;
    static const struct ipr_events_request wrong[] = { { .after = "1", .limit = 5 },
                                                       { .limit = 5, .judge = "oracle" } };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_int_equal(ipr_view_events(&s->view, &wrong[i], &r, NULL), IPR_EPARSE);
    assert_null(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_VIEW(test_turns_of_all_players),
        WITH_VIEW(test_report),
        WITH_VIEW(test_parts_of_a_report),
        WITH_VIEW(test_forfeits),
        WITH_VIEW(test_only_player),
        WITH_VIEW(test_only_players),
        WITH_VIEW(test_classes),
        WITH_VIEW(test_nothing_judged),
        WITH_VIEW(test_merged_players),
        WITH_VIEW(test_list),
        WITH_VIEW(test_search),
        WITH_VIEW(test_large_event),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
