/* Reports on games and matches: what is read, and the figures against the database's own. */
#include "view/report/report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "db/identity_changes.h"
#include "db/judged_games.h"
#include "db/judges.h"
#include "db/players.h"
#include "db/turns.h"
#include "ipr_db_sample.h"
#include "ipr_db_test.h"
#include "ipr_test.h"
#include "ipr_view_sample.h"
#include "model/prediction_error.h"
#include "model/score_curve.h"
#include "view/json.h"
#include "view/rating/rate.h"

#define TEST(name)                                                                                 \
    cmocka_unit_test_setup_teardown(name, ipr_db_fixture_setup, ipr_db_fixture_teardown)

/* ---- scenery ----------------------------------------------------------------------------------
 */

static int32_t judge_of(struct ipr_db_fixture *f)
{
    const struct ipr_judge judge = ipr_sample_judge();
    int32_t id = 0;

    assert_ok(ipr_db_judge_ensure(f->db, &judge, &id, &f->err), &f->err);
    return id;
}

/* The sample has final scores alone: what the depth before said is made up, some of it. */
static void fill_depths(struct ipr_arena *mem, struct ipr_judged_game *g, unsigned seed)
{
    for (size_t i = 0; i < g->n; i++) {
        struct ipr_judged_turn *t = &g->turns[i];
        const size_t n = (size_t)t->lines * t->depth;
        int16_t *score = ipr_arena_alloc(mem, n, sizeof *score);

        memcpy(score, t->score, n * sizeof *score);
        for (size_t k = 0; k < n; k += t->depth)
            if ((i + k + seed) % 5 != 0)
                score[k] = (int16_t)((int)((i * 37 + k * 11 + seed * 7) % 300) - 150);
        t->score = score;
    }
}

static void judge_sides(struct ipr_db_fixture *f, int64_t id, unsigned seed, unsigned sides)
{
    const struct ipr_judge judge = ipr_sample_judge();
    struct ipr_db_game game;

    assert_ok(ipr_db_game_get(f->db, id, &f->mem, &game, &f->err), &f->err);
    struct ipr_judged_game judged = ipr_sample_judgement(&f->mem, &judge, &game, seed);
    size_t n = 0;

    fill_depths(&f->mem, &judged, seed);
    for (size_t i = 0; i < judged.n; i++)
        if (sides >> judged.turns[i].mover & 1)
            judged.turns[n++] = judged.turns[i];
    judged.n = n;
    ipr_sample_judged(f->db, judge_of(f), &game, &judged, sides);
}

/* A game of `seed`, stored and judged. */
static int64_t add_game(struct ipr_db_fixture *f, unsigned seed, const char *white,
                        const char *black, int year, const char *event, enum ipr_result result)
{
    struct ipr_db_new_game g = ipr_sample_game(&f->mem, seed, white, black, year, 70);

    g.event = event;
    g.result = result;
    ipr_sample_store(f->db, &g, 1, "sample");
    judge_sides(f, g.id, seed, 3);
    return g.id;
}

/* Results without a move, A's every time. */
static void add_forfeits(struct ipr_db_fixture *f, unsigned seed, unsigned n, const char *a,
                         const char *b, int year, const char *event)
{
    for (unsigned i = 0; i < n; i++) {
        struct ipr_db_new_game g = ipr_sample_game(&f->mem, seed + i, a, b, year, 0);

        g.event = event;
        g.result = IPR_WHITE_WINS;
        ipr_sample_store(f->db, &g, 1, "sample");
    }
}

static const enum ipr_result outcomes[] = { IPR_WHITE_WINS, IPR_DRAW, IPR_BLACK_WINS };

/* n judged games with results of every kind, colours by turns. */
static void add_games(struct ipr_db_fixture *f, unsigned seed, unsigned n, const char *a,
                      const char *b, int year, const char *event)
{
    for (unsigned i = 0; i < n; i++)
        add_game(f, seed + i, i % 2 ? b : a, i % 2 ? a : b, year, event, outcomes[i % 3]);
}

static int32_t player(const char *name)
{
    char sql[128];

    snprintf(sql, sizeof sql, "SELECT id FROM player WHERE name = '%s'", name);
    return (int32_t)ipr_db_test_int(sql);
}

/* A report with one parameter set, or none. */
static json_t *report(struct ipr_db_fixture *f, const struct ipr_report_kind *kind,
                      const char *name, json_t *value)
{
    const struct ipr_config config = { .judge = "sample", .calibration = "sample" };
    const struct ipr_view view = { .config = &config, .db = f->db, .mem = &f->mem };
    struct ipr_view_context c;
    json_t *params = ipr_report_params_default(kind);
    json_t *out = NULL;

    if (name)
        json_object_set_new(params, name, value);
    assert_ok(ipr_view_context_open(&view, NULL, &c, &f->err), &f->err);
    assert_ok(kind->compute(&c, params, &out, &f->err), &f->err);
    ipr_view_context_close(&c);
    json_decref(params);
    assert_non_null(out);
    return out;
}

static double sql_number(const char *sql)
{
    return strtod(ipr_db_test_sql(sql), NULL);
}

/* ---- reading ----------------------------------------------------------------------------------
 */

static struct ipr_db_judged_games read_games(struct ipr_db_fixture *f, bool both, int limit)
{
    const struct ipr_db_judged_scope scope = { judge_of(f), IPR_TIME_SET_DEFAULT, both, limit };
    struct ipr_db_judged_games g;

    assert_ok(ipr_db_judged_games(f->db, &scope, &f->mem, &g, &f->err), &f->err);
    return g;
}

static void games_are_read_newest_first(void **state)
{
    struct ipr_db_fixture *f = *state;
    const int64_t old = add_game(f, 1, "A", "B", 1990, "x", IPR_WHITE_WINS);
    const int64_t none = add_game(f, 2, "A", "B", 2001, "x", IPR_RESULT_UNKNOWN);
    const int64_t late = add_game(f, 3, "B", "A", 2001, "x", IPR_BLACK_WINS);
    struct ipr_db_new_game one = ipr_sample_game(&f->mem, 4, "A", "B", 2005, 70);
    struct ipr_db_new_game no = ipr_sample_game(&f->mem, 5, "A", "B", 2006, 70);

    ipr_sample_store(f->db, &one, 1, "sample");
    ipr_sample_store(f->db, &no, 1, "sample");
    judge_sides(f, one.id, 4, 2);
    struct ipr_db_judged_games g = read_games(f, true, 100);
    assert_int_equal(g.n, 3);
    assert_int_equal(g.available, 4);
    assert_int_equal(g.one_sided, 1);
    assert_int_equal(g.games[0].id, late);
    assert_int_equal(g.games[0].result, -1);
    assert_int_equal(g.games[1].id, none);
    assert_false(g.games[1].known);
    assert_int_equal(g.games[2].id, old);
    assert_int_equal(g.games[2].result, 1);
    assert_int_equal(g.games[2].elo[1], 2500);
    g = read_games(f, false, 100);
    assert_int_equal(g.n, 4);
    assert_int_equal(g.games[0].id, one.id);
    for (size_t i = 0; i < g.games[0].n; i++)
        assert_int_equal(g.turns[g.games[0].first + i].mover, 1);
    g = read_games(f, true, 2);
    assert_int_equal(g.n, 2);
    assert_int_equal(g.available, 4);
    assert_int_equal(g.games[1].id, none);
}

/* The same turns as a player's own list has, from another query. */
static void turns_are_those_of_the_players(void **state)
{
    struct ipr_db_fixture *f = *state;
    struct ipr_turn *own = NULL;
    size_t n = 0, seen = 0;

    add_games(f, 1, 3, "A", "B", 2001, "x");
    const struct ipr_db_judged_games g = read_games(f, true, 100);
    assert_ok(ipr_db_player_transitions(f->db, player("A"), 2001, judge_of(f), IPR_TIME_SET_DEFAULT,
                                        &f->mem, &own, &n, &f->err),
              &f->err);
    assert_int_equal(g.n_turns, ipr_db_test_int("SELECT count(*) FROM turn"));
    for (size_t i = g.n; i-- > 0;) /* ids ascend there */
        for (size_t k = 0; k < g.games[i].n; k++) {
            const struct ipr_turn *t = &g.turns[g.games[i].first + k];
            const bool of_a = (int)t->mover == ((g.n - 1 - i) % 2 ? 1 : 0);

            assert_int_equal(t->game, i);
            assert_true(ipr_turn_valid(t));
            if (!of_a)
                continue;
            assert_int_equal(own[seen].game, g.n - 1 - i);
            assert_int_equal(own[seen].ply, t->ply);
            assert_int_equal(own[seen].cp[0], t->cp[0]);
            assert_int_equal(own[seen++].cp[1], t->cp[t->played]);
        }
    assert_int_equal(seen, n);
}

/* More games than are read at once. */
static void many_games_are_read_in_parts(void **state)
{
    enum { MANY = 503 };
    struct ipr_db_fixture *f = *state;
    struct ipr_db_new_game *many = ipr_arena_alloc(&f->mem, MANY, sizeof *many);

    for (unsigned i = 0; i < MANY; i++)
        many[i] = ipr_sample_game(&f->mem, i + 1, "A", "B", 2001, 20);
    ipr_sample_store(f->db, many, MANY, "sample");
    for (unsigned i = 0; i < MANY; i++)
        judge_sides(f, many[i].id, i + 1, 3);
    const struct ipr_db_judged_games g = read_games(f, true, 1000);
    assert_int_equal(g.n, MANY);
    assert_int_equal(g.n_turns, ipr_db_test_int("SELECT count(*) FROM turn"));
    for (size_t i = 0; i < g.n; i++) {
        assert_int_equal(g.games[i].n, 4);
        assert_int_equal(g.turns[g.games[i].first].game, i);
    }
}

static void matches_are_of_persons_in_an_event(void **state)
{
    struct ipr_db_fixture *f = *state;
    struct ipr_db_match *m = NULL;
    struct ipr_db_match_game *games = NULL;
    int64_t available = 0, change = 0;
    size_t n = 0;

    add_games(f, 1, 3, "A", "B", 2001, "Match");
    add_game(f, 4, "Abe", "B", 2001, "Match", IPR_BLACK_WINS);
    add_game(f, 5, "A", "B", 2001, "Match", IPR_RESULT_UNKNOWN);
    add_games(f, 6, 3, "A", "B", 2002, "Match");
    add_games(f, 9, 2, "C", "B", 2001, "Match");
    struct ipr_db_match_scope scope = { judge_of(f), IPR_TIME_SET_DEFAULT, 3, 0, 10 };
    assert_ok(ipr_db_matches(f->db, &scope, &f->mem, &m, &n, &available, &f->err), &f->err);
    assert_int_equal(n, 2); /* of 2002 and of 2001: an event has a year */
    assert_int_equal(m[0].year, 2002);
    assert_int_equal(m[1].games, 3);
    assert_ok(ipr_db_merge(f->db, player("Abe"), player("A"), false, "me", &change, &f->err),
              &f->err);
    assert_ok(ipr_db_matches(f->db, &scope, &f->mem, &m, &n, &available, &f->err), &f->err);
    assert_int_equal(m[0].year, 2001);
    assert_int_equal(m[0].games, 4);
    assert_ok(
        ipr_db_match_games(f->db, &m[0], scope.judge_id, scope.times, &f->mem, &games, &n, &f->err),
        &f->err);
    assert_int_equal(n, 4);
    const int as_a[] = { 2, 1, 0, 0 }; /* won with White, drew, lost with White, Abe lost */
    const bool a_first = m[0].person[0] == player("A");
    for (size_t i = 0; i < n; i++) {
        assert_int_equal(games[i].half_points, a_first ? as_a[i] : 2 - as_a[i]);
        assert_true(games[i].judged[0] && games[i].judged[1]);
    }
    scope.back = 1; /* of the year before, there is none but for 2002 */
    assert_ok(ipr_db_matches(f->db, &scope, &f->mem, &m, &n, &available, &f->err), &f->err);
    assert_int_equal(n, 1);
    assert_int_equal(m[0].year, 2002);
    scope.back = 0;
    scope.limit = 1;
    assert_ok(ipr_db_matches(f->db, &scope, &f->mem, &m, &n, &available, &f->err), &f->err);
    assert_int_equal(n, 1);
    assert_int_equal(available, 2);
}

static void the_most_judged_come_first(void **state)
{
    struct ipr_db_fixture *f = *state;
    struct ipr_db_most_judged *rows = NULL;
    size_t n = 0;

    add_games(f, 1, 4, "A", "B", 2001, "x");
    add_games(f, 5, 1, "A", "C", 2002, "x");
    assert_ok(ipr_db_most_judged(f->db, judge_of(f), IPR_TIME_SET_DEFAULT, 50, 10, &f->mem, &rows,
                                 &n, &f->err),
              &f->err);
    assert_int_equal(n, 2);
    assert_string_equal(rows[0].name, "A");
    assert_int_equal(rows[0].turns, 5 * 27);
    assert_string_equal(rows[1].name, "B");
}

/* ---- figures ----------------------------------------------------------------------------------
 */

/* Losses of the counted turns, in pawns, by their game: as the methods have it, in SQL. */
#define LOSSES                                                                                     \
    "WITH loss AS (SELECT t.game_id, t.mover, t.best_cp, (t.best_cp - t.played_cp) / 100.0 AS raw" \
    " FROM turn AS t WHERE t.ply >= 18 AND t.legal > 1), r AS (SELECT id, CASE result WHEN 1 THEN" \
    " 1 WHEN 2 THEN -1 ELSE 0 END AS r FROM game WHERE result > 0) "

static void compare_form(const json_t *forms, const char *form, const char *of_loss,
                         const char *where)
{
    static const struct {
        const char *path, *function;
    } rows[] = {
        { "rho.estimate", "corr" },
        { "beta.estimate", "regr_slope" },
        { "alpha.estimate", "regr_intercept" },
    };
    const json_t *at = ipr_json_find(json_object_get(forms, form), "at_30");
    char sql[1500];

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        snprintf(sql, sizeof sql,
                 LOSSES
                 ", p AS (SELECT game_id, (avg(CASE WHEN %s <= 0.3000001 THEN 1.0 ELSE 0 END)"
                 " FILTER (WHERE mover = 0)) - (avg(CASE WHEN %s <= 0.3000001 THEN 1.0 ELSE"
                 " 0 END) FILTER (WHERE mover = 1)) AS p FROM loss WHERE %s GROUP BY 1)"
                 " SELECT %s(r.r, p.p) FROM p INNER JOIN r ON r.id = p.game_id",
                 of_loss, of_loss, where, rows[i].function);
        assert_close(ipr_json_at(at, rows[i].path, -9.0), sql_number(sql), 1e-8);
    }
    assert_true(ipr_json_at(at, "beta.interval.low", 1.0) < ipr_json_at(at, "beta.estimate", 0.0));
}

/* Every judged game is counted or told why not, also where none of what is left would do. */
static void games_of_one_side_are_told(void **state)
{
    static const struct ipr_report_kind *const kinds[] = { &ipr_report_conformance,
                                                           &ipr_report_covariance };
    struct ipr_db_fixture *f = *state;
    struct ipr_db_new_game one[2] = { ipr_sample_game(&f->mem, 50, "A", "B", 2005, 70),
                                      ipr_sample_game(&f->mem, 51, "B", "A", 1900, 70) };

    ipr_sample_store(f->db, one, 2, "sample");
    judge_sides(f, one[0].id, 50, 2);
    judge_sides(f, one[1].id, 51, 1);
    for (int games = 0; games <= 24; games += 24) {
        add_games(f, 1, (unsigned)games, "A", "B", 2001, "x");
        for (size_t i = 0; i < 2; i++) {
            json_t *r = report(f, kinds[i], "games", json_integer(20));
            const double counted = games > 0 ? 20.0 : 0.0;

            assert_close(ipr_json_at(r, "games.available", -1.0), games + 2.0, 0.0);
            assert_close(ipr_json_at(r, "games.counted", -1.0), counted, 0.0);
            assert_close(ipr_json_at(r, "games.older", -1.0), games - counted, 0.0);
            assert_close(ipr_json_at(r, "games.excluded.turns_of_one_side_only", -1.0), 2.0, 0.0);
            json_decref(r);
        }
    }
    json_t *r = report(f, &ipr_report_score_curve, NULL, NULL);
    assert_close(ipr_json_at(r, "games.counted", -1.0), 26.0, 0.0);
    assert_int_equal(json_object_size(ipr_json_find(r, "games.excluded")), 0);
    json_decref(r);
}

static void conformance_goes_with_results_as_sql_has_it(void **state)
{
    struct ipr_db_fixture *f = *state;

    add_games(f, 1, 24, "A", "B", 2001, "x");
    add_game(f, 25, "A", "B", 2001, "x", IPR_RESULT_UNKNOWN);
    json_t *r = report(f, &ipr_report_conformance, NULL, NULL);
    const json_t *forms = json_object_get(r, "forms");
    compare_form(forms, "raw", "raw", "TRUE");
    compare_form(forms, "guid_bratko", "raw", "abs(best_cp) <= 200");
    compare_form(forms, "weighted",
                 "raw / (1 + best_cp / 100.0 / (CASE WHEN best_cp >= 0 THEN 0.75 ELSE -3.3 END))",
                 "TRUE");
    const json_t *raw = json_object_get(forms, "raw");
    assert_int_equal(json_array_size(json_object_get(raw, "curve")), 201);
    assert_close(ipr_json_at(raw, "at_30.rho.games", 0.0), 24.0, 0.0);
    assert_close(ipr_json_at(r, "games.excluded.unknown_result", 0.0), 1.0, 0.0);
    assert_close(ipr_json_at(r, "games.counted", 0.0), 24.0, 0.0);
    /* The best point is one of the curve, and none of it is above. */
    const double best = ipr_json_at(raw, "best.rho.estimate", -9.0);
    const json_t *point;
    size_t i;
    json_array_foreach(json_object_get(raw, "curve"), i, point) {
        assert_true(ipr_json_at(point, "rho", -9.0) <= best + 1e-9);
        assert_true(ipr_json_at(point, "rho_interval.low", 9.0) < ipr_json_at(point, "rho", -9.0));
        assert_true(ipr_json_at(point, "beta_interval.high", -99.0) >
                    ipr_json_at(point, "beta", 99.0));
        if (i == 30)
            assert_close(ipr_json_at(point, "alpha_interval.high", -9.0),
                         ipr_json_at(raw, "at_30.alpha.interval.high", 9.0), 1e-9);
        if (i == 30)
            assert_close(ipr_json_at(point, "rho", -9.0),
                         ipr_json_at(raw, "at_30.rho.estimate", 9.0), 1e-9);
    }
    assert_true(ipr_json_at(r, "fit.fitted.rho.estimate", -9.0) >=
                ipr_json_at(r, "fit.published.rho.estimate", 9.0) - 1e-6);
    assert_close(ipr_json_at(r, "fit.published.k1", 0.0), 0.75, 0.0);
    assert_close(ipr_json_at(r, "loss_lines.positive.a", -9.0),
                 sql_number(LOSSES "SELECT regr_slope(raw, best_cp / 100.0) FROM loss WHERE raw > 0"
                                   " AND best_cp > 0"),
                 1e-8);
    json_decref(r);
}

/* At n0 = 0 and b = 0 White's expected score is how often a loss of Black's is the greater. */
static void the_surface_begins_as_sql_has_it(void **state)
{
    struct ipr_db_fixture *f = *state;

    add_games(f, 1, 24, "A", "B", 2001, "x");
    json_t *r = report(f, &ipr_report_covariance, "loss", json_string("raw"));
    assert_close(
        json_number_value(json_array_get(json_array_get(json_object_get(r, "rho"), 0), 0)),
        sql_number(LOSSES ", e AS (SELECT w.game_id, avg(CASE WHEN least(b.raw, 10) > least(w.raw,"
                          " 10) THEN 1.0 WHEN least(b.raw, 10) = least(w.raw, 10) THEN 0.5 ELSE 0"
                          " END) AS e FROM loss AS w INNER JOIN loss AS b ON b.game_id = w.game_id"
                          " AND w.mover = 0 AND b.mover = 1 GROUP BY 1) SELECT corr(r.r, e.e) FROM"
                          " e INNER JOIN r ON r.id = e.game_id"),
        1e-7);
    assert_int_equal(json_array_size(json_object_get(r, "rho")), 96);
    assert_int_equal(json_array_size(json_object_get(r, "n0")), 96);
    assert_int_equal(json_array_size(json_object_get(r, "b")), 40);
    const size_t n0 = (size_t)ipr_json_at(r, "best.n0", 1e9);
    const size_t b = (size_t)lround(ipr_json_at(r, "best.b", 1e9) * 5.0);
    assert_close(
        json_number_value(json_array_get(json_array_get(json_object_get(r, "rho"), n0), b)),
        ipr_json_at(r, "best.estimate", -9.0), 1e-6);
    assert_true(ipr_json_at(r, "best.interval.low", 9.0) < ipr_json_at(r, "best.estimate", -9.0));
    assert_true(*ipr_json_text_at(r, "caveat") != '\0');
    json_decref(r);
}

/* Positions of all games from the turns as they are stored for the game pages. */
static struct ipr_score_position *positions(struct ipr_db_fixture *f, int games, size_t *n)
{
    struct ipr_score_position *x = ipr_arena_alloc(&f->mem, 5000, sizeof *x);

    *n = 0;
    for (int id = 1; id <= games; id++) {
        struct ipr_judged_game turns;
        struct ipr_db_game game;

        assert_ok(ipr_db_game_get(f->db, id, &f->mem, &game, &f->err), &f->err);
        assert_ok(ipr_db_game_turns(f->db, judge_of(f), id, &f->mem, &turns, &f->err), &f->err);
        const double white = game.result == IPR_WHITE_WINS ? 1.0
                             : game.result == IPR_DRAW     ? 0.5
                                                           : 0.0;
        for (size_t i = 0; i < turns.n; i++) {
            const struct ipr_judged_turn *t = &turns.turns[i];
            int best = ipr_judged_final(t, 0);
            const int played = ipr_judged_final(t, t->played);

            best = best < played ? played : best;
            best = best > 1000 ? 1000 : best < -1000 ? -1000 : best;
            x[(*n)++] =
                (struct ipr_score_position){ id, best / 100.0, t->mover ? 1.0 - white : white };
        }
    }
    return x;
}

/* The winner's evaluations are made the better ones, so that there is something to find. */
static void make_results_follow(void)
{
    ipr_db_test_sql("UPDATE game AS g SET result = CASE WHEN s.v > 0.1 THEN 1 WHEN s.v < -0.1 THEN"
                    " 2 ELSE 3 END FROM (SELECT game_id, avg(best_cp * (1 - 2 * mover)) / 100.0 AS"
                    " v FROM turn GROUP BY 1) AS s WHERE s.game_id = g.id");
}

static void the_score_curve_is_of_every_judged_turn(void **state)
{
    enum { GAMES = 40 };
    struct ipr_db_fixture *f = *state;
    struct ipr_score_curve want;
    size_t n;

    add_games(f, 1, GAMES, "A", "B", 2001, "x");
    make_results_follow();
    const struct ipr_score_position *x = positions(f, GAMES, &n);
    json_t *r = report(f, &ipr_report_score_curve, NULL, NULL);
    const json_t *all = json_object_get(r, "all");
    assert_close(ipr_json_at(all, "positions", 0.0), (double)n, 0.0);
    assert_ok(ipr_score_curve(x, n, &want, &f->err), &f->err);
    assert_close(ipr_json_at(all, "b.estimate", -1.0), want.b, 1e-6);
    assert_close(ipr_json_at(all, "b.standard_error", -1.0), want.se_b, 1e-6);
    /* Black has 2500 in every game, White 2400 to 2500 or none. */
    const json_t *bands = json_object_get(r, "bands");
    double sum = ipr_json_at(r, "without_elo", 0.0);
    const json_t *band;
    size_t i;
    json_array_foreach(bands, i, band) {
        assert_close(ipr_json_at(band, "elo.high", 0.0) - ipr_json_at(band, "elo.low", 0.0), 200.0,
                     0.0);
        sum += ipr_json_at(band, "positions", 0.0);
    }
    assert_close(sum, (double)n, 0.0);
    assert_close(ipr_json_at(r, "without_elo", 0.0),
                 sql_number("SELECT count(*) FROM turn AS t INNER JOIN game AS g ON g.id ="
                            " t.game_id WHERE t.mover = 0 AND g.white_elo IS NULL"),
                 0.0);
    const json_t *bin;
    sum = 0.0;
    json_array_foreach(json_object_get(all, "bins"), i, bin)
        sum += ipr_json_at(bin, "positions", 0.0);
    assert_close(sum, (double)n, 0.0);
    json_decref(r);
}

/* A player's part is what the player's own ratings say; of two opponents together every game is one
 * cluster. */
static void complexity_is_of_players_and_of_all(void **state)
{
    struct ipr_db_fixture *f = *state;
    const struct ipr_config config = { .judge = "sample", .calibration = "sample" };
    const struct ipr_view view = { .config = &config, .db = f->db, .mem = &f->mem };
    json_t *own = NULL;

    add_games(f, 1, 9, "A", "B", 2001, "x");
    add_games(f, 20, 2, "C", "B", 2001, "x");
    json_t *r = report(f, &ipr_report_complexity, NULL, NULL);
    const json_t *players = json_object_get(r, "players");
    const struct ipr_db_scope scope = ipr_db_scope_year(player("A"), 2001, IPR_TIME_SET_DEFAULT);
    struct ipr_figure_ratings rating = { 0 };
    struct ipr_view_context c;

    assert_int_equal(json_array_size(players), 2); /* C has 54 turns */
    assert_string_equal(ipr_json_text_at(json_array_get(players, 1), "player.name"), "A");
    assert_ok(ipr_view_context_open(&view, NULL, &c, &f->err), &f->err);
    assert_ok(ipr_rate(&c, &scope, IPR_RATE_DEFAULT, &rating, &f->err), &f->err);
    own = ipr_shape_json(IPR_SHAPE_RATINGS, &rating);
    ipr_view_context_close(&c);
    const json_t *want = ipr_json_find(own, "complexity.stability.correlation");
    const json_t *got = ipr_json_find(json_array_get(players, 1), "indicators.stability");
    assert_close(ipr_json_at(got, "estimate", 9.0), ipr_json_at(want, "estimate", -9.0), 1e-9);
    assert_close(ipr_json_at(got, "interval.low", 9.0), ipr_json_at(want, "interval.low", -9.0),
                 1e-9);
    assert_close(ipr_json_at(got, "without", -1.0),
                 ipr_json_at(own, "complexity.stability.without", -2.0), 0.0);
    assert_true(*ipr_json_text_at(json_array_get(players, 1), "indicators.depth_time.reason") !=
                '\0');
    const json_t *all = json_object_get(r, "all");
    assert_close(ipr_json_at(all, "turns", 0.0),
                 ipr_json_at(json_array_get(players, 0), "turns", 0.0) +
                     ipr_json_at(json_array_get(players, 1), "turns", 0.0),
                 0.0);
    assert_close(ipr_json_at(all, "indicators.stability.games", 0.0), 11.0, 0.0);
    json_decref(own);
    json_decref(r);
    r = report(f, &ipr_report_complexity, "players", json_integer(1));
    assert_int_equal(json_array_size(json_object_get(r, "players")), 1);
    json_decref(r);
}

/* ---- comparisons ------------------------------------------------------------------------------
 */

static const json_t *first_match(const json_t *r)
{
    return json_array_get(json_object_get(r, "matches"), 0);
}

static const json_t *error_of(const json_t *errors, const char *predictor)
{
    const json_t *e;
    size_t i;

    json_array_foreach(errors, i, e)
        if (strcmp(ipr_json_text_at(e, "predictor"), predictor) == 0)
            return e;
    fail_msg("no error of %s", predictor);
    return NULL;
}

static json_t *prediction(struct ipr_db_fixture *f, const char *a, const char *b, int year)
{
    const struct ipr_config config = { .judge = "sample", .calibration = "sample" };
    const struct ipr_view view = { .config = &config, .db = f->db, .mem = &f->mem };
    json_t *out = NULL;

    struct ipr_prediction_request asked = IPR_PREDICTION_REQUEST_INIT;

    asked.white = (struct ipr_param_side){ player(a), year };
    asked.black = (struct ipr_param_side){ player(b), year };
    assert_ok(ipr_view_prediction(&view, &asked, &out, &f->err), &f->err);
    return out;
}

static void predictions_stand_beside_the_score(void **state)
{
    struct ipr_db_fixture *f = *state;

    /* B wins 3.5 : 1.5 of A. */
    add_game(f, 1, "A", "B", 2001, "Match", IPR_BLACK_WINS);
    add_game(f, 2, "B", "A", 2001, "Match", IPR_WHITE_WINS);
    add_game(f, 3, "A", "B", 2001, "Match", IPR_DRAW);
    add_game(f, 4, "B", "A", 2001, "Match", IPR_WHITE_WINS);
    add_game(f, 5, "A", "B", 2001, "Match", IPR_WHITE_WINS);
    add_games(f, 6, 3, "A", "B", 2001, "Another");
    add_forfeits(f, 20, 2, "A", "B", 2001, "Match");   /* count nowhere */
    add_forfeits(f, 22, 2, "A", "B", 2001, "Another"); /* nor make three games five */
    json_t *few = report(f, &ipr_report_comparisons, "least", json_integer(5));
    const json_t *m = first_match(few);
    assert_int_equal(json_array_size(json_object_get(few, "matches")), 1);
    assert_string_equal(ipr_json_text_at(m, "first.name"), "B");
    assert_string_equal(ipr_json_text_at(m, "event.name"), "Match");
    assert_close(ipr_json_at(m, "score", 0.0), 0.7, 1e-12);
    assert_close(ipr_json_at(m, "games", 0.0), 5.0, 0.0);
    assert_close(ipr_json_at(m, "unplayed", 0.0), 2.0, 0.0);
    assert_true(ipr_json_true_at(m, "in_sample"));
    assert_non_null(json_object_get(few, "note"));
    json_t *want = prediction(f, "B", "A", 2001);
    const double expected = ipr_json_at(want, "predictions.markov.expected", -1.0);
    assert_close(ipr_json_at(m, "predictions.markov.expected", 9.0), expected, 1e-9);
    assert_close(ipr_json_at(m, "predictions.markov.absolute_error", 9.0), fabs(expected - 0.7),
                 1e-9);
    assert_true(json_is_null(ipr_json_find(m, "predictions.ipr.expected")));
    assert_true(*ipr_json_text_at(m, "predictions.ipr.reason") != '\0');
    const json_t *errors = json_object_get(few, "errors");
    assert_close(ipr_json_at(error_of(errors, "even"), "estimate", 9.0), 0.2, 1e-12);
    assert_close(ipr_json_at(error_of(errors, "markov"), "estimate", 9.0), fabs(expected - 0.7),
                 1e-9);
    assert_true(json_is_null(json_object_get(error_of(errors, "markov"), "interval")));
    assert_string_equal(ipr_json_text_at(error_of(errors, "markov"), "interval_reason"),
                        "fewer than 8 matches");
    assert_close(ipr_json_at(error_of(errors, "ipr"), "matches", 9.0), 0.0, 0.0);
    assert_true(json_is_null(json_object_get(error_of(errors, "ipr"), "estimate")));
    assert_close(ipr_json_at(few, "common.matches", 9.0), 1.0, 0.0); /* but for who is silent */
    json_decref(few);
    json_decref(want);
    json_t *more = report(f, &ipr_report_comparisons, "least", json_integer(3));
    assert_int_equal(json_array_size(json_object_get(more, "matches")), 2);
    json_decref(more);
}

/* Eight matches are the fewest with an interval; it is the model's own. */
static void eight_matches_have_an_interval(void **state)
{
    struct ipr_db_fixture *f = *state;
    double even[8], score[8];
    struct ipr_prediction_error want;
    const json_t *m;
    size_t i;

    for (unsigned k = 0; k < 8; k++)
        add_games(f, 1 + 10 * k, 4 + k % 3, "A", "B", 2001 + (int)k,
                  ipr_arena_printf(&f->mem, "Match %u", k));
    json_t *r = report(f, &ipr_report_comparisons, "least", json_integer(4));
    json_array_foreach(json_object_get(r, "matches"), i, m) {
        assert_true(i < 8);
        even[i] = 0.5;
        score[i] = ipr_json_at(m, "score", NAN);
    }
    assert_int_equal(i, 8);
    assert_ok(ipr_prediction_error(even, score, 8, &want, &f->err), &f->err);
    assert_true(want.interval_known);
    const json_t *e = error_of(json_object_get(r, "errors"), "even");
    assert_close(ipr_json_at(e, "interval.low", NAN), want.interval.lo, 1e-9);
    assert_close(ipr_json_at(e, "interval.high", NAN), want.interval.hi, 1e-9);
    assert_null(json_object_get(e, "interval_reason"));
    json_decref(r);
}

#define LEFT_OUT " (the match's own games left out)"

static bool ends_with(const char *text, const char *end)
{
    const size_t n = strlen(text), k = strlen(end);

    return n >= k && strcmp(text + n - k, end) == 0;
}

/* Without the match's games a prediction is what it would be had they never been judged. */
static void a_match_can_be_left_out(void **state)
{
    static const char *const held_out[] = { "markov", "conformance", "covariance" };
    struct ipr_db_fixture *f = *state;

    const struct ipr_judge judge = ipr_sample_judge();

    ipr_sample_calibration(f->db, &judge, "reports");
    add_games(f, 1, 4, "A", "B", 2001, "Match");
    add_games(f, 10, 12, "A", "C", 2001, "x");
    add_games(f, 30, 12, "B", "D", 2001, "y");
    add_game(f, 50, "C", "A", 2001, "x", IPR_WHITE_WINS); /* C, who played nothing else, first */
    json_t *with = report(f, &ipr_report_comparisons, "least", json_integer(4));
    json_t *without = report(f, &ipr_report_comparisons, "without_match", json_string("true"));
    const json_t *m = NULL;
    const json_t *each;
    int nothing_left = 0;
    size_t i;

    json_array_foreach(json_object_get(without, "matches"), i, each)
        if (strcmp(ipr_json_text_at(each, "event.name"), "Match") == 0)
            m = each;
    assert_non_null(m);
    assert_false(ipr_json_true_at(m, "in_sample"));
    assert_null(json_object_get(without, "note"));
    assert_null(json_object_get(without, "out_of_sample"));
    assert_close(ipr_json_at(with, "out_of_sample.without_match", -1.0), 1.0, 0.0);
    assert_close(ipr_json_at(with, "out_of_sample.year_before", -1.0), 0.0, 0.0);
    assert_true(ipr_json_at(with, "in_sample", 0.0) > 0.0);
    assert_close(ipr_json_at(m, "predictions.markov.games.white", 0.0), 12.0, 0.0);
    /* Every other match is all that its players played: nothing is left to predict from. */
    json_array_foreach(json_object_get(without, "matches"), i, each)
        if (each != m) {
            assert_true(json_is_null(ipr_json_find(each, "predictions.markov.expected")));
            assert_true(ends_with(ipr_json_text_at(each, "predictions.markov.reason"), LEFT_OUT));
            assert_true(ends_with(ipr_json_text_at(each, "predictions.ipr.reason"), LEFT_OUT));
            nothing_left += strstr(ipr_json_text_at(each, "predictions.ipr.reason"),
                                   ": no move of the year is left") != NULL;
        }
    assert_true(nothing_left > 0);
    const char *first = ipr_json_text_at(m, "first.name");
    const char *second = ipr_json_text_at(m, "second.name");
    ipr_db_test_sql("DELETE FROM turn WHERE game_id <= 4; DELETE FROM rating");
    json_t *want = prediction(f, first, second, 2001);
    for (size_t k = 0; k < sizeof held_out / sizeof *held_out; k++) {
        const json_t *p = json_object_get(json_object_get(m, "predictions"), held_out[k]);
        const json_t *q = json_object_get(json_object_get(want, "predictions"), held_out[k]);

        assert_close(ipr_json_at(p, "expected", -1.0), ipr_json_at(q, "expected", 9.0), 1e-9);
        assert_close(ipr_json_at(p, "interval.low", -1.0), ipr_json_at(q, "interval.low", 9.0),
                     1e-9);
    }
    /* Moves drawn at random have no IPR; the reason says of how many. */
    const char *reason = ipr_json_text_at(m, "predictions.ipr.reason");
    assert_non_null(strstr(reason, " moves)"));
    const char *otherwise = ipr_json_text_at(want, "predictions.ipr.reason");
    assert_memory_equal(reason, otherwise, strlen(otherwise));
    assert_string_equal(reason + strlen(otherwise), LEFT_OUT);
    json_decref(with);
    json_decref(without);
    json_decref(want);
}

static void the_year_before_knows_nothing_of_the_match(void **state)
{
    struct ipr_db_fixture *f = *state;

    add_games(f, 1, 8, "A", "B", 2001, "Match");
    add_games(f, 10, 8, "A", "B", 2002, "Return");
    json_t *r = report(f, &ipr_report_comparisons, "year", json_string("before"));
    json_t *want = prediction(f, "A", "B", 2001);
    json_t *same_year = report(f, &ipr_report_comparisons, NULL, NULL);

    assert_close(ipr_json_at(same_year, "out_of_sample.without_match", -1.0), 0.0, 0.0);
    assert_close(ipr_json_at(same_year, "out_of_sample.year_before", -1.0), 1.0, 0.0);
    json_decref(same_year);
    assert_int_equal(json_array_size(json_object_get(r, "matches")), 1);
    assert_close(ipr_json_at(first_match(r), "year", 0.0), 2002.0, 0.0);
    assert_false(ipr_json_true_at(first_match(r), "in_sample"));
    const double expected = ipr_json_at(want, "predictions.markov.expected", 9.0);
    const bool a_first = strcmp(ipr_json_text_at(first_match(r), "first.name"), "A") == 0;
    assert_close(ipr_json_at(first_match(r), "predictions.markov.expected", -1.0),
                 a_first ? expected : 1.0 - expected, 1e-6);
    json_decref(r);
    json_decref(want);
}

/* ---- little or nothing ------------------------------------------------------------------------
 */

static const struct {
    const struct ipr_report_kind *kind;
    const char *reason; /* where the reason is, with too little to say something */
    const char *null;   /* and what is null then */
} kinds[] = {
    { &ipr_report_comparisons, "reason", "errors.0" },
    { &ipr_report_conformance, "forms.raw.reason", "forms.raw.at_30" },
    { &ipr_report_covariance, "reason", "best.estimate" },
    { &ipr_report_score_curve, "all.b.reason", "all.b.estimate" },
    { &ipr_report_complexity, "reason", "all.indicators.stability.estimate" },
};

static void check_refusals(struct ipr_db_fixture *f)
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        json_t *r = report(f, kinds[i].kind, NULL, NULL);
        const json_t *nothing = ipr_json_find(r, kinds[i].null);

        assert_true(*ipr_json_text_at(r, kinds[i].reason) != '\0');
        assert_true(nothing == NULL || json_is_null(nothing));
        json_decref(r);
    }
}

static void nothing_judged_is_told(void **state)
{
    check_refusals(*state);
}

static void too_little_is_refused(void **state)
{
    struct ipr_db_fixture *f = *state;

    add_games(f, 1, 2, "A", "B", 2001, "x"); /* 108 turns */
    check_refusals(f);
}

static void games_that_end_alike_tell_nothing(void **state)
{
    struct ipr_db_fixture *f = *state;

    for (unsigned i = 0; i < 22; i++)
        add_game(f, i + 1, "A", "B", 2001, "x", IPR_DRAW);
    json_t *r = report(f, &ipr_report_conformance, NULL, NULL);
    assert_true(json_is_null(ipr_json_find(r, "forms.raw.at_30.rho.estimate")));
    assert_true(*ipr_json_text_at(r, "forms.raw.at_30.rho.reason") != '\0');
    json_decref(r);
    r = report(f, &ipr_report_covariance, NULL, NULL);
    assert_true(*ipr_json_text_at(r, "reason") != '\0');
    json_decref(r);
    r = report(f, &ipr_report_score_curve, NULL, NULL);
    assert_true(json_is_null(ipr_json_find(r, "all.b.estimate")));
    json_decref(r);
    r = report(f, &ipr_report_comparisons, NULL, NULL);
    assert_string_equal(ipr_json_text_at(first_match(r), "first.name"), "A"); /* drawn: by name */
    json_decref(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(games_are_read_newest_first),
        TEST(turns_are_those_of_the_players),
        TEST(many_games_are_read_in_parts),
        TEST(matches_are_of_persons_in_an_event),
        TEST(the_most_judged_come_first),
        TEST(games_of_one_side_are_told),
        TEST(conformance_goes_with_results_as_sql_has_it),
        TEST(the_surface_begins_as_sql_has_it),
        TEST(the_score_curve_is_of_every_judged_turn),
        TEST(complexity_is_of_players_and_of_all),
        TEST(predictions_stand_beside_the_score),
        TEST(eight_matches_have_an_interval),
        TEST(a_match_can_be_left_out),
        TEST(the_year_before_knows_nothing_of_the_match),
        TEST(nothing_judged_is_told),
        TEST(too_little_is_refused),
        TEST(games_that_end_alike_tell_nothing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
