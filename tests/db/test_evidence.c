/* Which moves: what they add up to, the rating without one, the filters, and what is refused. */
#include "view/evidence/evidence.h"

#include <math.h>

#include "db/confirmations.h"
#include "db/judges.h"
#include "db/strength.h"
#include "evidence.h"
#include "model/strength_shipped.h"

#define ALL 100000 /* more rows than any set here has */

static json_t *evidence(struct ipr_view_scene *s, const struct ipr_evidence_request *p)
{
    json_t *out = NULL;

    assert_ok(ipr_view_evidence(&s->view, p, &out, &s->err), &s->err);
    return out;
}

static struct ipr_evidence_request asked_of(const char *name, int year)
{
    struct ipr_evidence_request p = IPR_EVIDENCE_REQUEST_INIT;

    p.player = person(name);
    p.year = year;
    p.limit = ALL;
    return p;
}

/* ---- what the moves add up to ---- */

static bool row_is(const json_t *row, const char *member, const char *text)
{
    return strcmp(ipr_json_text_at(row, member), text) == 0;
}

static int64_t millionths(const json_t *row, const char *member)
{
    return llround(1e6 * ipr_json_at(row, member, 0.0));
}

static int64_t rows_sum(const json_t *out, const char *member)
{
    const json_t *row;
    int64_t sum = 0;
    size_t i;

    json_array_foreach(json_object_get(out, "moves"), i, row)
        sum += millionths(row, member);
    return sum;
}

/* To the last millionth, for each player and year; and so is the rating that /ratings gives. */
static void test_sums(void **state)
{
    struct ipr_view_scene *s = *state;

    scene_fill(s);
    for (int year = 2001; year <= 2002; year++)
        for (const char *const *name = (const char *const[]){ "Ann", "Bob", NULL }; *name; name++) {
            const struct ipr_evidence_request p = asked_of(*name, year);
            const struct ipr_db_scope scope =
                ipr_db_scope_year(p.player, year, IPR_TIME_SET_DEFAULT);
            json_t *out = evidence(s, &p), *r = NULL;
            struct ipr_ratings_request whole = IPR_RATINGS_REQUEST_INIT;
            struct ipr_db_strength stored;

            whole.player = p.player;
            whole.year = year;
            assert_ok(ipr_view_ratings(&s->view, &whole, &r, &s->err), &s->err);
            assert_ok(ipr_db_strength_of_scope(s->db, &scope, 1, &stored, &s->err), &s->err);
            assert_true(stored.moves > 20);
            assert_int_equal(rows_sum(out, "score"), stored.score);
            assert_int_equal(rows_sum(out, "information"), stored.information);
            assert_close(ipr_json_at(out, "rating.turns", NAN), (double)stored.moves, 0);
            assert_close(ipr_json_at(out, "rating.games", NAN), (double)stored.games, 0);
            assert_true(json_equal(json_object_get(json_object_get(out, "rating"), "interval"),
                                   json_object_get(json_object_get(r, "rating"), "interval")));
            assert_true(json_equal(json_object_get(json_object_get(out, "rating"), "estimate"),
                                   json_object_get(json_object_get(r, "rating"), "estimate")));
            json_decref(out);
            json_decref(r);
        }
}

/* The rating without a move is that of the sums less this move's. */
static void test_without_one(void **state)
{
    struct ipr_view_scene *s = *state;

    scene_fill(s);
    const struct ipr_evidence_request p = asked_of("Ann", 0);
    json_t *out = evidence(s, &p);
    const int64_t score = rows_sum(out, "score"), information = rows_sum(out, "information");
    const struct ipr_evidence_person otb = { .score = score,
                                             .information = information,
                                             .classes = IPR_TIME_SET_DEFAULT };
    const double all = ipr_evidence_rating(&otb);
    const json_t *row;
    size_t i, counted = 0;

    assert_true(all > 0);

    json_array_foreach(json_object_get(out, "moves"), i, row) {
        if (!json_is_number(json_object_get(row, "score")))
            continue;
        const int64_t x = score - millionths(row, "score");
        const int64_t w = information - millionths(row, "information");
        const double without = ipr_strength_of_stored(&ipr_pool_of(0)->moves, NULL, x, w).mean;

        counted++;
        if (json_is_null(json_object_get(row, "effect"))) {
            assert_true(without < ipr_pool_of(0)->moves.low ||
                        without > ipr_pool_of(0)->moves.high);
            continue;
        }
        assert_close(ipr_json_at(row, "rating_without", NAN), without, 0.51);
        assert_close(ipr_json_at(row, "effect", NAN), all - without, 0.051);
    }
    assert_true(counted > 50);
    json_decref(out);
}

static void test_shares(void **state)
{
    struct ipr_view_scene *s = *state;
    double sum = 0, bins = 0, lost = 0;
    const json_t *row;
    size_t i;

    scene_fill(s);
    const struct ipr_evidence_request p = asked_of("Ann", 2001);
    json_t *out = evidence(s, &p);
    json_array_foreach(json_object_get(out, "moves"), i, row) {
        sum += ipr_json_at(row, "share", NAN);
        lost += ipr_json_at(row, "points_lost", NAN);
    }
    json_array_foreach(json_object_get(out, "bins"), i, row)
        bins += ipr_json_at(row, "share", NAN);
    assert_close(sum, 1, 1e-6);
    assert_close(bins, 1, 1e-6);
    assert_close(ipr_json_at(out, "all_points_lost", NAN), lost, 1e-6);
    json_decref(out);
}

/* The parts of all moves add up to the distance of the rating from the reference, those of the
 * moves found to what the answer says of them. */
static void test_parts(void **state)
{
    struct ipr_view_scene *s = *state;

    scene_fill(s);
    struct ipr_evidence_request p = asked_of("Ann", 2001);
    json_t *all = evidence(s, &p);
    const double from = ipr_json_at(all, "parts.from", NAN), to = ipr_json_at(all, "parts.to", NAN);
    const json_t *row;
    double sum = 0;
    size_t i, none = 0;

    json_array_foreach(json_object_get(all, "moves"), i, row) {
        none += json_is_null(json_object_get(row, "part"));
        assert_int_equal(json_is_null(json_object_get(row, "part")),
                         json_is_null(json_object_get(row, "score")));
        sum += ipr_json_at(row, "part", 0.0);
    }
    assert_true(none > 0 && fabs(to - from) > 20);
    assert_close(sum, to - from, 1e-5);
    assert_close(ipr_json_at(all, "parts.all", NAN), to - from, 1e-6);
    assert_close(ipr_json_at(all, "parts.found", NAN), to - from, 1e-6);
    assert_close(ipr_json_at(all, "rating.estimate", NAN), to, 1e-6);
    json_decref(all);

    p.lost_from = 0.1;
    all = evidence(s, &p);
    sum = 0;
    json_array_foreach(json_object_get(all, "moves"), i, row)
        sum += ipr_json_at(row, "part", 0.0);
    assert_close(ipr_json_at(all, "parts.found", NAN), sum, 1e-5);
    assert_close(ipr_json_at(all, "parts.all", NAN), to - from, 1e-6);
    json_decref(all);
}

/* Of an event both sides have parts, each in the rating of the one who moved. */
static void test_parts_of_event(void **state)
{
    struct ipr_view_scene *s = *state;
    struct ipr_evidence_request p = IPR_EVIDENCE_REQUEST_INIT;
    double ann = 0;
    const json_t *row;
    size_t i;

    scene_fill(s);
    p.event = (int)ipr_db_test_int("SELECT id FROM event WHERE name = 'Odd' AND year = 2001");
    p.limit = ALL;
    json_t *both = evidence(s, &p);
    p.player = person("Ann");
    json_t *one = evidence(s, &p);
    assert_true(json_is_null(json_object_get(both, "parts")));
    json_array_foreach(json_object_get(both, "moves"), i, row)
        if (row_is(row, "player.name", "Ann"))
            ann += ipr_json_at(row, "part", 0.0);
    assert_close(ann, ipr_json_at(one, "parts.all", NAN), 1e-5);
    json_decref(both);
    json_decref(one);
}

/* ---- filters ---- */

typedef bool row_test(const json_t *row);

static bool is_opening(const json_t *row)
{
    return row_is(row, "phase", "opening");
}

static bool is_middlegame(const json_t *row)
{
    return row_is(row, "phase", "middlegame");
}

static bool is_black(const json_t *row)
{
    return row_is(row, "mover", "b");
}

static bool is_against_bob(const json_t *row)
{
    return row_is(row, "opponent.name", "Bob");
}

static bool is_won_by_black(const json_t *row)
{
    return row_is(row, "game.result", "0-1");
}

static bool is_odd(const json_t *row)
{
    return row_is(row, "game.event", "Odd") && ipr_json_at(row, "game.year", NAN) == 2001;
}

static bool is_of_2002(const json_t *row)
{
    return ipr_json_at(row, "game.year", NAN) == 2002;
}

static bool is_short_of_time(const json_t *row)
{
    return ipr_json_at(row, "clock_ms", NAN) <= 50000;
}

static bool has_some_time(const json_t *row)
{
    const double left = ipr_json_at(row, "clock_ms", NAN);

    return left >= 40000 && left <= 70000;
}

static bool has_much_time(const json_t *row)
{
    return ipr_json_at(row, "clock_ms", NAN) >= 60000;
}

static bool is_costly(const json_t *row)
{
    return ipr_json_at(row, "points_lost", NAN) >= 0.1 &&
           ipr_json_at(row, "points_lost", NAN) < 0.4;
}

static bool is_level(const json_t *row)
{
    const double cp = ipr_json_at(row, "played.score", NAN) + ipr_json_at(row, "loss", NAN);

    return cp >= -200 && cp <= 200;
}

static size_t rows_matching(const json_t *rows, row_test *matches)
{
    const json_t *row;
    size_t i, n = 0;

    json_array_foreach(rows, i, row)
        n += matches(row);
    return n;
}

/* What the filter finds is what passes of all moves: no more, no less, and neither all nor none. */
static void check_filter(struct ipr_view_scene *s, const json_t *all,
                         const struct ipr_evidence_request *p, row_test *matches)
{
    json_t *out = evidence(s, p);
    const json_t *rows = json_object_get(out, "moves");
    const size_t want = rows_matching(json_object_get(all, "moves"), matches);

    assert_true(want > 0);
    assert_true(want < json_array_size(json_object_get(all, "moves")));
    assert_int_equal(json_array_size(rows), want);
    assert_int_equal(rows_matching(rows, matches), want);
    assert_close(ipr_json_at(out, "found", NAN), (double)want, 0);
    json_decref(out);
}

#define FILTER(matches, ...)                                                                       \
    do {                                                                                           \
        struct ipr_evidence_request p = asked_of("Ann", 0);                                        \
        __VA_ARGS__;                                                                               \
        check_filter(s, all, &p, matches);                                                         \
    } while (0)

static void test_filters(void **state)
{
    struct ipr_view_scene *s = *state;

    scene_fill(s);
    const struct ipr_evidence_request everything = asked_of("Ann", 0);
    json_t *all = evidence(s, &everything);
    FILTER(is_opening, p.phase = IPR_EVIDENCE_PHASE_OPENING);
    FILTER(is_middlegame, p.phase = IPR_EVIDENCE_PHASE_MIDDLEGAME);
    FILTER(is_black, p.color = IPR_EVIDENCE_COLOR_BLACK);
    FILTER(is_against_bob, p.opponent = person("Bob"));
    FILTER(is_won_by_black, p.result = IPR_EVIDENCE_RESULT_0_1);
    FILTER(is_odd, p.event = (int)ipr_db_test_int("SELECT id FROM event WHERE name = 'Odd' AND"
                                                  " year = 2001"));
    FILTER(is_of_2002, p.from = 2002);
    FILTER(is_short_of_time, p.clock_to = 50);
    FILTER(has_much_time, p.clock_from = 60);
    FILTER(has_some_time, p.clock_from = 40, p.clock_to = 70);
    FILTER(is_costly, p.lost_from = 0.1, p.lost_to = 0.4);
    FILTER(is_level, p.eval_from = -200, p.eval_to = 200);
    json_decref(all);
}

/* Of the player, whichever is requested, with the games against each; of both sides none. */
static void test_opponents(void **state)
{
    struct ipr_view_scene *s = *state;

    scene_fill(s);
    for (int k = 0; k < 2; k++) {
        struct ipr_evidence_request p = asked_of("Ann", 0);

        p.opponent = k == 0 ? 0 : person("Bob");
        json_t *out = evidence(s, &p);
        const json_t *list = json_object_get(out, "opponents");
        assert_int_equal(json_array_size(list), 2);
        assert_string_equal(ipr_json_text_at(json_array_get(list, 0), "name"), "Bob");
        assert_close(ipr_json_at(json_array_get(list, 0), "games", NAN), 3, 0);
        assert_string_equal(ipr_json_text_at(json_array_get(list, 1), "name"), "Cid");
        assert_close(ipr_json_at(json_array_get(list, 1), "games", NAN), 1, 0);
        assert_string_equal(ipr_json_text_at(out, "opponent.name"), k == 0 ? "" : "Bob");
        json_decref(out);
    }
    struct ipr_evidence_request p = IPR_EVIDENCE_REQUEST_INIT;
    p.event = (int)ipr_db_test_int("SELECT id FROM event WHERE name = 'Odd' AND year = 2001");
    json_t *out = evidence(s, &p);
    assert_int_equal(json_array_size(json_object_get(out, "opponents")), 0);
    json_decref(out);
}

/* ---- what is not listed ---- */

/* The setting of the rating has two lines: they tell the likelihood of no move. */
static void test_too_few_lines(void **state)
{
    struct ipr_view_scene *s = *state;
    const json_t *row;
    size_t i;

    scene_fill(s);
    const struct ipr_evidence_request p = asked_of("Ann", 0);
    json_t *out = evidence(s, &p);
    assert_true(ipr_json_at(out, "clocks", NAN) > 5);
    json_array_foreach(json_object_get(out, "moves"), i, row) {
        assert_true(json_is_null(json_object_get(row, "likelihoods")));
        assert_true(row_is(row, "likelihoods_reason", "too few lines"));
    }
    json_decref(out);
}

static int listed(struct ipr_view_scene *s, const char *name, int year)
{
    const struct ipr_db_year_of of = { person(name), year };
    int *n = NULL;
    size_t rows = 0;

    assert_ok(ipr_db_games_with_moves(s->db, &of, 1, &s->mem, &n, &rows, &s->err), &s->err);
    assert_int_equal(rows, 1);
    return n[0];
}

/* Games are counted whose moves can be listed: analysed ones of the year, not figures. */
static void test_games_with_moves(void **state)
{
    struct ipr_view_scene *s = *state;
    int n = 0;

    scene_fill(s);
    const int32_t event =
        (int32_t)ipr_db_test_int("SELECT id FROM event WHERE name = 'Odd' AND year = 2001");
    assert_ok(ipr_db_event_games_with_moves(s->db, event, &n, &s->err), &s->err);
    const int before = n;
    assert_true(before > 0);
    assert_int_equal(listed(s, "Ann", 0), 4);
    assert_int_equal(listed(s, "Ann", 2001), 3);
    assert_int_equal(listed(s, "Cid", 2002), 0);
    ipr_db_test_sql("UPDATE game SET moves = '' WHERE event_id = (SELECT id FROM event"
                    " WHERE name = 'Odd' AND year = 2001)");
    assert_int_equal(listed(s, "Ann", 2001), 3 - before);
    assert_ok(ipr_db_event_games_with_moves(s->db, event, &n, &s->err), &s->err);
    assert_int_equal(n, 0);
    ipr_db_test_sql("DELETE FROM judged_side WHERE game_id IN (SELECT id FROM game WHERE year ="
                    " 2002)");
    assert_int_equal(listed(s, "Ann", 2002), 0);
}

/* Of the first game only figures of the analysis are left, then not even the game's moves. */
static void lines_delete(void)
{
    ipr_db_test_sql("UPDATE side_turns SET lines = '', second_cp ="
                    " decode(repeat('8000', octet_length(figures) / 8), 'hex')"
                    " WHERE game_id = (SELECT min(id) FROM game)");
}

static void moves_delete(void)
{
    ipr_db_test_sql("UPDATE game SET moves = '' WHERE id = (SELECT min(id) FROM game)");
}

/* Rows by game and ply. */
static json_t *rows_by_place(const json_t *out)
{
    json_t *by = json_object();
    json_t *row;
    char key[64];
    size_t i;

    json_array_foreach(json_object_get(out, "moves"), i, row) {
        snprintf(key, sizeof key, "%.0f %.0f", ipr_json_at(row, "game.id", NAN),
                 ipr_json_at(row, "ply", NAN));
        json_object_set(by, key, row);
    }
    return by;
}

static bool null_at(const json_t *row, const char *member)
{
    return json_is_null(json_object_get(row, member));
}

static void assert_same_costs(const json_t *before, const json_t *after)
{
    json_t *const was = rows_by_place(before), *const is = rows_by_place(after);
    const char *key;
    json_t *row;

    assert_int_equal(json_object_size(was), json_object_size(is));
    json_object_foreach(was, key, row) {
        const json_t *const now = json_object_get(is, key);

        assert_non_null(now);
        assert_close(ipr_json_at(now, "number", NAN), ipr_json_at(row, "number", 0), 0);
        assert_close(ipr_json_at(now, "loss", NAN), ipr_json_at(row, "loss", 0), 0);
        assert_close(ipr_json_at(now, "evaluation", NAN), ipr_json_at(row, "evaluation", 0), 0);
        assert_close(ipr_json_at(now, "points_lost", NAN), ipr_json_at(row, "points_lost", 0), 0);
        assert_close(ipr_json_at(now, "share", NAN), ipr_json_at(row, "share", 0), 1e-12);
    }
    json_decref(was);
    json_decref(is);
}

/* Of a game of which only figures are stored the moves are listed by number, and cost the same; the
 * rating is that of all. */
static void test_figures_only(void **state)
{
    struct ipr_view_scene *s = *state;

    scene_fill(s);
    const double first = (double)ipr_db_test_int("SELECT min(id) FROM game");
    struct ipr_evidence_request p = asked_of("Ann", 2001);
    json_t *const before = evidence(s, &p);
    lines_delete();
    json_t *const analysed_elsewhere = evidence(s, &p);
    moves_delete();
    json_t *const after = evidence(s, &p);

    assert_close(ipr_json_at(before, "games_without_moves", NAN), 0, 0);
    assert_close(ipr_json_at(before, "moves_as_figures", NAN), 0, 0);
    assert_true(json_is_null(ipr_json_find(before, "parts.figures")));
    assert_close(ipr_json_at(after, "games_without_moves", NAN), 1, 0);
    assert_close(ipr_json_at(after, "games", NAN), 3, 0);
    assert_same_costs(before, analysed_elsewhere);
    assert_same_costs(before, after);
    assert_true(json_equal(json_object_get(before, "rating"), json_object_get(after, "rating")));
    assert_close(ipr_json_at(after, "parts.all", NAN), ipr_json_at(before, "parts.all", 0), 0);

    double parts = ipr_json_at(after, "parts.figures", NAN), as_figures = 0;
    json_t *const elsewhere = rows_by_place(analysed_elsewhere);
    json_t *const was = rows_by_place(before), *const is = rows_by_place(after);
    const char *key;
    json_t *row;
    json_object_foreach(is, key, row) {
        const bool figures = ipr_json_at(row, "game.id", NAN) == first;
        const json_t *const played = json_object_get(elsewhere, key);

        as_figures += figures;
        parts += ipr_json_at(row, "part", 0);
        assert_int_equal(null_at(row, "fen"), figures);
        assert_int_equal(null_at(row, "played"), figures);
        assert_int_equal(null_at(row, "best"), figures);
        assert_int_equal(null_at(row, "phase"), figures);
        assert_true(!figures || (null_at(row, "score") && null_at(row, "effect")));
        assert_string_equal(ipr_json_text_at(played, "fen"),
                            ipr_json_text_at(json_object_get(was, key), "fen"));
        assert_string_equal(ipr_json_text_at(played, "played.san"),
                            ipr_json_text_at(json_object_get(was, key), "played.san"));
    }
    assert_true(as_figures > 10);
    assert_close(ipr_json_at(after, "moves_as_figures", NAN), as_figures, 0);
    assert_close(parts, ipr_json_at(after, "parts.all", NAN), 1e-6);
    json_decref(was);
    json_decref(is);
    json_decref(elsewhere);
    json_decref(before);
    json_decref(analysed_elsewhere);
    json_decref(after);
}

/* Confirms what is left of the first game, by searches that say the same. */
static void confirm_first(struct ipr_view_scene *s)
{
    struct ipr_db *const db = s->view.db;
    struct ipr_db_unconfirmed *left = NULL;
    struct ipr_db_game game;
    struct ipr_judge judge;
    int32_t judge_id = 0;
    size_t n = 0;

    assert_true(ipr_judge_builtin("confirm", &judge));
    assert_ok(ipr_db_judge_ensure(db, &judge, &judge_id, &s->err), &s->err);
    assert_ok(ipr_db_game_get(db, ipr_db_test_int("SELECT min(id) FROM game"), s->view.mem, &game,
                              &s->err),
              &s->err);
    assert_ok(ipr_db_unconfirmed(db, &game, judge.nodes, s->view.mem, &left, &n, &s->err), &s->err);
    struct ipr_confirmed_turn *const t = ipr_arena_alloc(s->view.mem, n, sizeof *t);
    for (size_t i = 0; i < n; i++) {
        t[i].turn = left[i].turn;
        t[i].turn.nodes = judge.nodes + 1;
    }
    assert_ok(ipr_db_confirm_store(db, judge_id, game.id, "w1", t, n, &s->err), &s->err);
}

/* A confirmed search speaks of its move, whether lines of the other search are stored or not. */
static void test_confirmed_figures(void **state)
{
    struct ipr_view_scene *s = *state;

    scene_fill(s);
    confirm_first(s);
    struct ipr_evidence_request p = asked_of("Ann", 2001);
    json_t *const before = evidence(s, &p);
    lines_delete();
    json_t *const after = evidence(s, &p);
    json_t *const is = rows_by_place(after), *const was = rows_by_place(before);
    size_t errors = 0;
    const char *key;
    json_t *row;

    json_object_foreach(was, key, row) {
        const json_t *const now = json_object_get(is, key);

        if (ipr_json_at(row, "points_lost", 0) < IPR_MARK_INACCURACY_AT || null_at(row, "mark"))
            continue;
        errors++;
        assert_string_equal(ipr_json_text_at(now, "mark"), ipr_json_text_at(row, "mark"));
        assert_string_equal(ipr_json_text_at(now, "best.san"), ipr_json_text_at(row, "best.san"));
    }
    assert_true(errors > 0);
    json_decref(is);
    json_decref(was);
    json_decref(before);
    json_decref(after);
}

/* A phase needs the moves; what the rating is without figures is not known move by move. */
static void test_filters_of_figures(void **state)
{
    struct ipr_view_scene *s = *state;

    scene_fill(s);
    lines_delete();
    moves_delete();
    struct ipr_evidence_request p = asked_of("Ann", 2001);
    const double first = (double)ipr_db_test_int("SELECT min(id) FROM game");
    json_t *const all = evidence(s, &p);
    double sum = 0;
    const json_t *row;
    size_t i;

    for (int phase = 0; phase < 3; phase++) {
        p.phase = phase;
        json_t *const out = evidence(s, &p);
        sum += ipr_json_at(out, "found", NAN);
        json_array_foreach(json_object_get(out, "moves"), i, row)
            assert_true(ipr_json_at(row, "game.id", NAN) != first);
        assert_true(json_is_object(json_object_get(out, "rating_without")));
        json_decref(out);
    }
    assert_close(sum, ipr_json_at(all, "all_moves", NAN) - ipr_json_at(all, "moves_as_figures", 0),
                 0);
    p.phase = -1;
    p.lost_from = 0;
    json_t *const found = evidence(s, &p);
    assert_true(json_is_null(json_object_get(found, "rating_without")));
    json_decref(found);
    json_decref(all);
}

/* 4000 games are listed, one more is refused, with what to ask for instead. */
static void test_too_many(void **state)
{
    struct ipr_view_scene *s = *state;
    json_t *out = NULL;

    scene_fill(s);
    const struct ipr_evidence_request p = asked_of("Ann", 0);
    ipr_db_test_sql(COPIES("1", "3996"));
    out = evidence(s, &p);
    assert_close(ipr_json_at(out, "games", NAN), IPR_EVIDENCE_GAMES, 0);
    assert_close(ipr_json_at(out, "games_without_moves", NAN), IPR_EVIDENCE_GAMES - GAMES, 0);
    json_decref(out);
    ipr_db_test_sql(COPIES("3997", "3997"));
    assert_int_not_equal(ipr_view_evidence(&s->view, &p, &out, &s->err), IPR_OK);
    assert_non_null(strstr(s->err.msg, "4000 analysed games"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_VIEW(test_sums),
        WITH_VIEW(test_without_one),
        WITH_VIEW(test_shares),
        WITH_VIEW(test_filters),
        WITH_VIEW(test_figures_only),
        WITH_VIEW(test_confirmed_figures),
        WITH_VIEW(test_too_many),
        WITH_VIEW(test_parts),
        WITH_VIEW(test_parts_of_event),
        WITH_VIEW(test_opponents),
        WITH_VIEW(test_too_few_lines),
        WITH_VIEW(test_games_with_moves),
        WITH_VIEW(test_filters_of_figures),
    };

    return cmocka_run_group_tests_name("evidence", tests, NULL, NULL);
}
