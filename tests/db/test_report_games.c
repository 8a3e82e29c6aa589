/* Reports on games and matches: what is read, and the figures against the database's own. */
#include "ipr_sentences_sample.h"
#include "report_games.h"

static double sql_number(const char *sql)
{
    return strtod(ipr_db_test_sql(sql), NULL);
}

/* ---- reading ----------------------------------------------------------------------------------
 */

static struct ipr_db_judged_games read_games(struct ipr_db_fixture *f, bool both, int limit)
{
    const struct ipr_db_judged_scope scope = { ipr_sample_judge_id(f->db), IPR_TIME_SET_DEFAULT,
                                               both, limit };
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
    assert_ok(ipr_db_player_transitions(f->db, ipr_db_test_player("A"), 2001,
                                        ipr_sample_judge_id(f->db), IPR_TIME_SET_DEFAULT, &f->mem,
                                        &own, &n, &f->err),
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
    struct ipr_db_match_scope scope = {
        ipr_sample_judge_id(f->db), IPR_TIME_SET_DEFAULT, 3, 0, 10, 0
    };
    assert_ok(ipr_db_matches(f->db, &scope, &f->mem, &m, &n, &available, &f->err), &f->err);
    assert_int_equal(n, 2); /* of 2002 and of 2001: an event has a year */
    assert_int_equal(m[0].year, 2002);
    assert_int_equal(m[1].games, 3);
    assert_ok(ipr_db_merge(f->db, ipr_db_test_player("Abe"), ipr_db_test_player("A"), false, "me",
                           &change, &f->err),
              &f->err);
    assert_ok(ipr_db_matches(f->db, &scope, &f->mem, &m, &n, &available, &f->err), &f->err);
    assert_int_equal(m[0].year, 2001);
    assert_int_equal(m[0].games, 4);
    assert_ok(
        ipr_db_match_games(f->db, &m[0], scope.judge_id, scope.times, &f->mem, &games, &n, &f->err),
        &f->err);
    assert_int_equal(n, 4);
    const int as_a[] = { 2, 1, 0, 0 }; /* won with White, drew, lost with White, Abe lost */
    const bool a_first = m[0].person[0] == ipr_db_test_player("A");
    for (size_t i = 0; i < n; i++) {
        assert_int_equal(games[i].half_points, a_first ? as_a[i] : 2 - as_a[i]);
        assert_true(games[i].judged[0] && games[i].judged[1]);
    }
    scope.back = 1; /* of the year before, there is none but for 2002 */
    assert_ok(ipr_db_matches(f->db, &scope, &f->mem, &m, &n, &available, &f->err), &f->err);
    assert_int_equal(n, 1);
    assert_int_equal(m[0].year, 2002);
    scope.later = 1; /* or of the match's */
    assert_ok(ipr_db_matches(f->db, &scope, &f->mem, &m, &n, &available, &f->err), &f->err);
    assert_int_equal(n, 2);
    scope.back = scope.later = 0;
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
    assert_ok(ipr_db_most_judged(f->db, ipr_sample_judge_id(f->db), IPR_TIME_SET_DEFAULT, 50, 10,
                                 &f->mem, &rows, &n, &f->err),
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
        assert_ok(
            ipr_db_game_turns(f->db, ipr_sample_judge_id(f->db), id, &f->mem, &turns, &f->err),
            &f->err);
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
    const struct ipr_db_scope scope =
        ipr_db_scope_year(ipr_db_test_player("A"), 2001, IPR_TIME_SET_DEFAULT);
    struct ipr_figure_ratings rating = { 0 };
    struct ipr_view_context c;

    assert_int_equal(json_array_size(players), 2); /* C has 54 turns */
    assert_string_equal(ipr_json_text_at(json_array_get(players, 1), "player.name"), "A");
    assert_ok(ipr_setting_for(&view, IPR_FOR_LINES, NULL, &c, &f->err), &f->err);
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
        WITH_DB(games_are_read_newest_first),
        WITH_DB(turns_are_those_of_the_players),
        WITH_DB(many_games_are_read_in_parts),
        WITH_DB(matches_are_of_persons_in_an_event),
        WITH_DB(the_most_judged_come_first),
        WITH_DB(games_of_one_side_are_told),
        WITH_DB(conformance_goes_with_results_as_sql_has_it),
        WITH_DB(the_surface_begins_as_sql_has_it),
        WITH_DB(the_score_curve_is_of_every_judged_turn),
        WITH_DB(complexity_is_of_players_and_of_all),
        WITH_DB(nothing_judged_is_told),
        WITH_DB(too_little_is_refused),
        WITH_DB(games_that_end_alike_tell_nothing),
    };

    ipr_sentences_sample();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
