/* What sides tell of strength: stored with them, moved and deleted with them, computed again. */
#include "db/strength.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "core/strength_turns.h"
#include "db/identity_changes.h"
#include "db/judged_games.h"
#include "db/judges.h"
#include "db/listed_years.h"
#include "db/lists.h"
#include "db/players.h"
#include "db/reports.h"
#include "db/turns.h"
#include "db/versions.h"
#include "ipr_db_sample.h"
#include "ipr_db_test.h"
#include "ipr_sentences_sample.h"
#include "ipr_test.h"
#include "model/strength_shipped.h"
#include "view/rating/rate.h"
#include "view/setting.h"

/* A stored game with a judgement by `judge` that is not stored yet. */
struct scene {
    struct ipr_db_game game;
    struct ipr_judged_game judged;
    int32_t judge_id;
};

static struct scene scene_of_year(struct ipr_db_fixture *f, const struct ipr_judge *judge,
                                  unsigned seed, int year)
{
    struct ipr_db_new_game g = ipr_sample_game(&f->mem, seed, "Ann", "Bob", year, 90);
    struct scene s = { .judge_id = 0 };

    ipr_sample_store(f->db, &g, 1, "sample");
    assert_ok(ipr_db_game_get(f->db, g.id, &f->mem, &s.game, &f->err), &f->err);
    assert_ok(ipr_db_judge_ensure(f->db, judge, &s.judge_id, &f->err), &f->err);
    s.judged = ipr_sample_judgement(&f->mem, judge, &s.game, seed);
    return s;
}

static struct scene scene_new(struct ipr_db_fixture *f, const struct ipr_judge *judge,
                              unsigned seed)
{
    return scene_of_year(f, judge, seed, 2001);
}

/* Score, information and moves of all sides, by the model's own functions. */
struct sums {
    double score, information;
    int moves;
};

static struct sums sums_of(const struct scene *s, unsigned mover)
{
    const struct ipr_strength_model *m = &ipr_strength_shipped.model;
    struct ipr_strength_turn turn[200];
    double x[200][IPR_STRENGTH_FEATURES];
    struct sums out = { 0 };

    ipr_strength_turns(&s->game.start, s->game.moves, s->game.n_moves, &s->judged, turn);
    ipr_strength_features(turn, s->judged.n, x);
    for (size_t i = 0; i < s->judged.n; i++) {
        if (s->judged.turns[i].mover != mover || !ipr_strength_counts(&turn[i]))
            continue;
        ipr_strength_scale(m, x[i]);
        const struct ipr_strength_score one =
            ipr_strength_score(m, x[i], ipr_strength_loss(&turn[i]));
        out.score += one.score;
        out.information += one.information;
        out.moves++;
    }
    return out;
}

static void check_sums(const struct ipr_db_strength *got, struct sums want)
{
    assert_close((double)got->score / 1e6, want.score, 1e-4);
    assert_close((double)got->information / 1e6, want.information, 1e-4);
    assert_int_equal(got->moves, want.moves);
}

static struct ipr_db_strength strength_of(struct ipr_db_fixture *f, const char *name, int year)
{
    const struct ipr_db_scope scope = ipr_db_scope_year(
        (int32_t)ipr_db_test_int(strcmp(name, "Ann") == 0
                                     ? "SELECT id FROM player WHERE name = 'Ann'"
                                     : "SELECT id FROM player WHERE name = 'Bob'"),
        year, IPR_TIME_SET_ALL);
    struct ipr_db_strength out;

    assert_ok(ipr_db_strength_of_scope(f->db, &scope, 1, &out, &f->err), &f->err);
    return out;
}

/* Totals are the sums over the sides. */
static void assert_consistent(void)
{
    assert_string_equal(
        ipr_db_test_sql("SELECT (a.s, a.i, a.m) = (y.s, y.i, y.m) AND (a.s, a.i, a.m) = (t.s, t.i,"
                        " t.m) FROM (SELECT coalesce(sum(strength_score), 0) s,"
                        " coalesce(sum(strength_information), 0) i,"
                        " coalesce(sum(strength_moves), 0) m FROM judged_side"
                        " WHERE strength_version > 0) a,"
                        " (SELECT coalesce(sum(strength_score), 0) s,"
                        " coalesce(sum(strength_information), 0) i,"
                        " coalesce(sum(strength_moves), 0) m FROM player_year) y,"
                        " (SELECT coalesce(sum(strength_score), 0) s,"
                        " coalesce(sum(strength_information), 0) i,"
                        " coalesce(sum(strength_moves), 0) m FROM player_total) t"),
        "t");
}

static void test_stored(void **state)
{
    struct ipr_db_fixture *f = *state;
    const struct ipr_judge judge = ipr_sample_rating_judge();
    const struct scene s = scene_new(f, &judge, 3);
    struct ipr_db_player_strength *rows = NULL;
    struct ipr_db_person_year *years = NULL;
    size_t n = 0;

    ipr_sample_judged(f->db, s.judge_id, &s.game, &s.judged, 3);
    const struct ipr_db_strength ann = strength_of(f, "Ann", 2001), bob = strength_of(f, "Bob", 0);
    check_sums(&ann, sums_of(&s, 0));
    check_sums(&bob, sums_of(&s, 1));
    assert_true(ann.moves > 20);
    assert_true(ann.information > 0);
    assert_int_equal(ann.games, 1);
    assert_close(ann.year, 2001, 0);
    assert_close(ann.events, 1, 0);
    assert_int_equal(ann.judge_id, s.judge_id);
    assert_int_equal(strength_of(f, "Ann", 2002).moves, 0);
    const int32_t persons[2] = {
        (int32_t)ipr_db_test_int("SELECT id FROM player WHERE name = 'Bob'"),
        (int32_t)ipr_db_test_int("SELECT id FROM player WHERE name = 'Ann'"),
    };
    assert_ok(ipr_db_strength_of_persons(f->db, persons, 2, IPR_TIME_SET_ALL, 1,
                                         IPR_DB_LIST_VERSION, &f->mem, &years, &n, &f->err),
              &f->err);
    assert_int_equal(n, 2);
    for (size_t i = 0; i < 2; i++) {
        const struct ipr_db_strength *const want = years[i].person == persons[0] ? &bob : &ann;

        assert_true(i == 0 || years[1].person > years[0].person);
        assert_int_equal(years[i].of.year, 2001);
        assert_int_equal(years[i].of.score, want->score);
        assert_int_equal(years[i].of.information, want->information);
        assert_int_equal(years[i].of.moves, want->moves);
        assert_close(years[i].events, 1, 0);
    }
    assert_ok(ipr_db_strength_of_game(f->db, s.game.id, &f->mem, &rows, &n, &f->err), &f->err);
    assert_int_equal(n, 2);
    check_sums(&rows[1].sums, sums_of(&s, 1));
    for (size_t i = 0; i < 2; i++)
        assert_int_equal(rows[i].sums.tagged_moves, rows[i].sums.elo > 0 ? rows[i].sums.moves : 0);
    assert_true(rows[0].sums.elo + rows[1].sums.elo > 0);
    assert_consistent();
}

/* Results against rated opponents, by these, beside the sums over the moves of both sides: White's
 * Elo is not in the tags of the first game, so that Black's result counts in the second alone. */
static void test_results(void **state)
{
    struct ipr_db_fixture *f = *state;
    const struct ipr_judge judge = ipr_sample_rating_judge();
    const struct scene s[2] = { scene_new(f, &judge, 3), scene_new(f, &judge, 4) };
    struct ipr_db_results *rows = NULL;
    size_t n = 0;

    for (size_t i = 0; i < 2; i++)
        ipr_sample_judged(f->db, s[i].judge_id, &s[i].game, &s[i].judged, i == 0 ? 3 : 2);
    ipr_db_test_sql("UPDATE game SET result = CASE WHEN white_elo > 0 THEN 2 ELSE 3 END");
    for (int white = 1; white >= 0; white--) {
        const struct ipr_db_scope scope = ipr_db_scope_year(
            (int32_t)ipr_db_test_int(white ? "SELECT id FROM player WHERE name = 'Ann'"
                                           : "SELECT id FROM player WHERE name = 'Bob'"),
            2001, IPR_TIME_SET_ALL);

        assert_ok(ipr_db_results_of_scope(f->db, &scope, &f->mem, &rows, &n, &f->err), &f->err);
        assert_int_equal(n, 1);
        assert_int_equal(rows[0].games, 1);
        assert_int_equal(rows[0].colour, white ? 0 : 1);
        assert_int_equal(rows[0].opponent, white ? 2500 : 2404);
        assert_int_equal(rows[0].half_points, white ? 1 : 2);
        const struct sums own = sums_of(&s[white ? 0 : 1], white ? 0 : 1);
        assert_close((double)rows[0].score / 1e6, own.score, 1e-4);
        assert_close((double)rows[0].information / 1e6, own.information, 1e-4);
        const struct sums other = white ? sums_of(&s[0], 1) : (struct sums){ 0 };
        assert_close((double)rows[0].other_score / 1e6, other.score, 1e-4);
        assert_close((double)rows[0].other_information / 1e6, other.information, 1e-4);
    }
}

/* If requested, the prior is around the opponents' mean Elo and reports the number of games. If no
 * opponent has an Elo it is the prior of all players. */
static void test_prior(void **state)
{
    struct ipr_db_fixture *f = *state;
    const struct ipr_judge judge = ipr_sample_rating_judge();
    const struct scene s = scene_new(f, &judge, 4);
    const struct ipr_strength_shipped *shipped = &ipr_strength_shipped;
    const struct ipr_view v = { .db = f->db, .mem = &f->mem };
    const struct ipr_view_context c = { .v = &v, .pool = ipr_pool_of(0) };
    const struct ipr_db_scope scope = ipr_db_scope_year(
        (int32_t)ipr_db_test_int("SELECT id FROM player WHERE name = 'Bob'"), 0, IPR_TIME_SET_ALL);
    struct ipr_figure_rating *plain, *asked, *unknown;
    struct ipr_figure_moves_and_results *both;

    ipr_sample_judged(f->db, s.judge_id, &s.game, &s.judged, 3);
    ipr_db_test_sql("UPDATE game SET result = 3, white_elo = 1700");
    assert_ok(ipr_strength_of(&c, &scope, false, &plain, &both, &f->err), &f->err);
    assert_close(plain->prior->mean, shipped->prior_mean, 0);
    assert_true(plain->prior->opponents == IPR_UNKNOWN);
    assert_ok(ipr_strength_of(&c, &scope, true, &asked, &both, &f->err), &f->err);
    assert_close(asked->prior->mean, 1700, 0);
    assert_close(asked->prior->standard_deviation, shipped->opponents_sd, 0);
    assert_int_equal(asked->prior->opponents, 1);
    assert_close(both->prior->mean, 1700, 0);
    assert_true(asked->figure.interval.hi < plain->figure.interval.hi);
    ipr_db_test_sql("UPDATE game SET white_elo = NULL");
    assert_ok(ipr_strength_of(&c, &scope, true, &unknown, &both, &f->err), &f->err);
    assert_close(unknown->prior->mean, shipped->prior_mean, 0);
    assert_true(unknown->prior->opponents == IPR_UNKNOWN);
}

/* Another search, or another engine under another name: no rating. */
static void test_other_judges(void **state)
{
    struct ipr_db_fixture *f = *state;
    struct ipr_judge judge = ipr_sample_rating_judge();

    assert_true(ipr_judge_may_rate(&judge));
    snprintf(judge.name, sizeof judge.name, "mine");
    assert_true(ipr_judge_may_rate(&judge));
    judge.multipv = 3;
    assert_false(ipr_judge_may_rate(&judge));
    judge = ipr_sample_rating_judge();
    snprintf(judge.engine, sizeof judge.engine, "Stockfish 16");
    assert_true(ipr_judge_may_rate(&judge));
    snprintf(judge.name, sizeof judge.name, "mine");
    assert_false(ipr_judge_may_rate(&judge));
    const struct scene s = scene_new(f, &judge, 4);
    ipr_sample_judged(f->db, s.judge_id, &s.game, &s.judged, 3);
    assert_int_equal(strength_of(f, "Ann", 0).moves, 0);
    assert_int_equal(ipr_db_test_int("SELECT sum(strength_version) FROM judged_side"), 0);
}

static struct ipr_figure_rating *rated(struct ipr_db_fixture *f)
{
    const struct ipr_config config = { .judge = "rating", .calibration = "none" };
    const struct ipr_view v = { .db = f->db, .mem = &f->mem, .config = &config };
    const struct ipr_db_strength sums = strength_of(f, "Ann", 0);
    struct ipr_view_context c;

    assert_ok(ipr_setting_for(&v, IPR_FOR_RATING, NULL, &c, &f->err), &f->err);
    assert_true(c.rates);
    struct ipr_figure_rating *const out = ipr_strength_figure(&c, &sums);
    ipr_view_context_close(&c);
    return out;
}

static struct ipr_judge judge_of(const char *engine, const char *network)
{
    struct ipr_judge judge = ipr_sample_rating_judge();

    snprintf(judge.engine, sizeof judge.engine, "%s", engine);
    snprintf(judge.network, sizeof judge.network, "%s", network);
    return judge;
}

/* On the scale of the calibration. */
static struct sums equated(const struct scene *s, const struct ipr_judge *judge)
{
    const struct sums raw = sums_of(s, 0);
    const struct ipr_strength_score of =
        ipr_strength_equate(ipr_judge_strength_engine(judge),
                            (struct ipr_strength_score){ raw.score, raw.information });

    return (struct sums){ of.score, of.information, raw.moves };
}

static double width(const struct ipr_figure_rating *r)
{
    return r->figure.interval.hi - r->figure.interval.lo;
}

/* Games by two engines are in one rating, with the error that one equation adds, by its share. */
static void test_two_engines(void **state)
{
    struct ipr_db_fixture *f = *state;
    const struct ipr_judge own = ipr_sample_rating_judge();
    const struct ipr_judge other = judge_of("Stockfish 16 64 POPCNT", "nn-5af11540bbfe.nnue");
    const struct scene a = scene_new(f, &other, 4), b = scene_new(f, &own, 5);
    struct sums want = equated(&a, &other);
    const double of_other = want.information;
    unsigned n = 99;

    ipr_sample_judged(f->db, a.judge_id, &a.game, &a.judged, 3);
    struct ipr_db_strength ann = strength_of(f, "Ann", 0);
    check_sums(&ann, want);
    const double z = want.score / want.information;
    assert_close(ipr_strength_error_of_stored(&ann.mix, ann.score, ann.information),
                 ipr_strength_equation_error(ipr_judge_strength_engine(&other), z), 1e-6);
    const struct ipr_figure_rating *const one = rated(f);
    assert_string_equal(one->equated->engine, other.engine);
    assert_true(one->equated->known && one->equated->standard_error > 15);
    assert_true(isnan(one->equated->share));
    ann.mix = (struct ipr_strength_mix){ 0 };
    const struct ipr_view v = { .mem = &f->mem };
    const struct ipr_view_context c = { .v = &v, .pool = ipr_pool_of(0) };
    const struct ipr_figure_rating *const narrow = ipr_strength_figure(&c, &ann);
    assert_null(narrow->equated);
    assert_true(width(one) > width(narrow) + 1);

    ipr_sample_judged(f->db, b.judge_id, &b.game, &b.judged, 3);
    want.score += sums_of(&b, 0).score;
    want.information += sums_of(&b, 0).information;
    want.moves += sums_of(&b, 0).moves;
    ann = strength_of(f, "Ann", 0);
    check_sums(&ann, want);
    assert_int_equal(ann.games, 2);
    const double share = of_other / want.information;
    assert_close(ipr_strength_error_of_stored(&ann.mix, ann.score, ann.information),
                 share * ipr_strength_equation_error(ipr_judge_strength_engine(&other),
                                                     want.score / want.information),
                 1e-6);
    assert_close(rated(f)->equated->share, share, 1e-6);
    assert_consistent();
    assert_ok(ipr_db_strength_renew(f->db, &n, &f->err), &f->err);
    assert_int_equal(n, 0);
}

/* What lists of players and reports have of a setting: Ann's moves in each, the games, and a
 * version. */
struct listed {
    int64_t turns, version;
    size_t games;
};

static struct listed listed_by(struct ipr_db_fixture *f, int32_t judge)
{
    const struct ipr_db_person_filter everybody = { .search_key = NULL };
    const struct ipr_db_judged_scope scope = { judge, IPR_TIME_SET_DEFAULT, true, 10 };
    const int32_t ann = (int32_t)ipr_db_test_int("SELECT id FROM player WHERE name = 'Ann'");
    struct ipr_db_player *all = NULL, *found = NULL, *named = NULL;
    struct ipr_db_player_year *years = NULL;
    struct ipr_db_most_judged *most = NULL;
    struct ipr_db_judged_games games;
    struct ipr_db_royale_field field;
    struct listed out = { 0 };
    size_t n[5] = { 0 };

    assert_ok(
        ipr_db_player_list(f->db, NULL, judge, -1, 0, 10, NULL, &f->mem, &all, &n[0], &f->err),
        &f->err);
    assert_ok(ipr_db_person_list(f->db, &everybody, judge, "name", 0, 0, 10, &f->mem, &found, &n[1],
                                 &f->err),
              &f->err);
    assert_ok(ipr_db_players_of(f->db, &ann, 1, judge, &f->mem, &named, &n[2], &f->err), &f->err);
    assert_ok(ipr_db_player_years_top(f->db, judge, IPR_TIME_SET_DEFAULT, 1, 10, &f->mem, &years,
                                      &n[3], &f->err),
              &f->err);
    assert_ok(ipr_db_most_judged(f->db, judge, IPR_TIME_SET_DEFAULT, 1, 10, &f->mem, &most, &n[4],
                                 &f->err),
              &f->err);
    assert_ok(ipr_db_judged_games(f->db, &scope, &f->mem, &games, &f->err), &f->err);
    assert_ok(ipr_db_royale_field(f->db, judge, IPR_TIME_SET_DEFAULT, 1, 10, &field, &f->err),
              &f->err);
    assert_ok(ipr_db_data_version(f->db, judge, IPR_TIME_SET_DEFAULT, false, &out.version, &f->err),
              &f->err);
    for (size_t i = 0; i < n[0]; i++)
        out.turns = all[i].id == ann ? all[i].turns : out.turns;
    assert_string_equal(found[0].name, "Ann");
    assert_int_equal(found[0].turns, out.turns);
    assert_int_equal(named[0].turns, out.turns);
    for (size_t i = 0; i < n[3]; i++)
        assert_true(years[i].player_id != ann || years[i].turns == out.turns);
    for (size_t i = 0; i < n[4]; i++)
        assert_true(most[i].id != ann || most[i].turns == out.turns);
    assert_true(n[3] == n[4] && (size_t)field.years == n[4]);
    out.games = games.n;
    assert_int_equal(games.n, games.available);
    ipr_sample_totals_hold();
    return out;
}

/* Lists and reports count the sides of all engines that rate, each once, whichever of these they
 * are by. */
static void test_lists(void **state)
{
    struct ipr_db_fixture *f = *state;
    const struct ipr_judge own = ipr_sample_rating_judge(), wide = ipr_sample_judge();
    const struct ipr_judge other = judge_of("Stockfish 16 64 POPCNT", "nn-5af11540bbfe.nnue");
    const struct scene a = scene_new(f, &other, 4), b = scene_new(f, &own, 5);
    struct scene again = b, lines = a;
    unsigned renewed = 0;

    ipr_sample_judged(f->db, b.judge_id, &b.game, &b.judged, 3);
    const struct listed before = listed_by(f, b.judge_id);
    ipr_sample_judged(f->db, a.judge_id, &a.game, &a.judged, 3);
    again.judged = ipr_sample_judgement(&f->mem, &other, &b.game, 6);
    ipr_sample_judged(f->db, a.judge_id, &again.game, &again.judged, 3);
    const struct listed both = listed_by(f, b.judge_id);
    assert_int_equal(before.games, 1);
    assert_int_equal(both.games, 2);
    assert_true(both.turns > before.turns && both.version > before.version);
    assert_int_equal(
        both.turns,
        ipr_db_test_int("SELECT sum(turns) FROM player_total"
                        " WHERE player_id = (SELECT id FROM player WHERE name = 'Ann')"));
    const struct listed same = listed_by(f, a.judge_id);
    assert_int_equal(same.turns, both.turns);
    assert_int_equal(same.games, both.games);
    assert_int_equal(same.version, both.version);

    assert_ok(ipr_db_judge_ensure(f->db, &wide, &lines.judge_id, &f->err), &f->err);
    lines.judged = ipr_sample_judgement(&f->mem, &wide, &lines.game, 7);
    ipr_sample_judged(f->db, lines.judge_id, &lines.game, &lines.judged, 3);
    assert_int_equal(listed_by(f, lines.judge_id).games, 1);
    assert_int_equal(listed_by(f, b.judge_id).turns, both.turns);

    /* An engine that no ratings are made of any more is counted by itself, and again together. */
    ipr_db_test_sql("UPDATE judge SET equation = NULL WHERE engine LIKE 'Stockfish 16%'");
    assert_int_equal(listed_by(f, b.judge_id).turns, before.turns);
    assert_int_equal(listed_by(f, a.judge_id).turns, both.turns - before.turns);
    assert_ok(ipr_db_strength_renew(f->db, &renewed, &f->err), &f->err);
    assert_int_equal(listed_by(f, b.judge_id).turns, both.turns);
}

/* The years of Ann, to the last digit. */
static const char *years_of_ann(struct ipr_db_fixture *f)
{
    const int32_t ann = (int32_t)ipr_db_test_int("SELECT id FROM player WHERE name = 'Ann'");
    struct ipr_db_person_year *y = NULL;
    const char *out = "";
    size_t n = 0;

    assert_ok(ipr_db_strength_of_persons(f->db, &ann, 1, IPR_TIME_SET_DEFAULT, 1,
                                         IPR_DB_LIST_VERSION, &f->mem, &y, &n, &f->err),
              &f->err);
    for (size_t i = 0; i < n; i++)
        out = ipr_arena_printf(&f->mem,
                               "%s%d %a %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 " %d %u\n",
                               out, y[i].of.year, y[i].events, y[i].of.score, y[i].of.information,
                               y[i].of.moves, y[i].of.games, y[i].of.judge_id, y[i].of.classes);
    return out;
}

/* What a list has of a player's years is what their games say, and is read alone until one of them
 * changes: another game, or the same one in another event. */
static void test_years_of_lists(void **state)
{
    struct ipr_db_fixture *const f = *state;
    const struct ipr_judge judge = ipr_sample_rating_judge();
    const int years[] = { 2001, 2001, 2001, 0, 2002 };
    int32_t list = 0;

    for (unsigned i = 0; i < 5; i++) {
        const struct scene s = scene_of_year(f, &judge, 3 + i, years[i]);

        ipr_sample_judged(f->db, s.judge_id, &s.game, &s.judged, 3);
        const char *const of_games = years_of_ann(f);
        assert_ok(ipr_db_year_list(f->db, s.judge_id, IPR_TIME_SET_DEFAULT, false, &list, &f->err),
                  &f->err);
        assert_string_equal(years_of_ann(f), of_games);
    }
    const char *const before = years_of_ann(f);
    ipr_db_test_sql("UPDATE game SET event_id = (SELECT max(id) FROM event) WHERE year = 2001;"
                    "SELECT 1");
    const char *const moved = years_of_ann(f);
    assert_string_not_equal(moved, before);
    assert_ok(ipr_db_year_list(f->db, 1, IPR_TIME_SET_DEFAULT, false, &list, &f->err), &f->err);
    assert_string_equal(years_of_ann(f), moved);
    ipr_db_test_sql("UPDATE listed_year SET strength_games = 77 WHERE year = 2002; SELECT 1");
    assert_non_null(strstr(years_of_ann(f), " 77 "));
}

static enum ipr_code forget_judgement(struct ipr_db *db, void *arg, struct ipr_err *err)
{
    const struct scene *const s = arg;

    return ipr_db_judgement_forget(db, s->game.id, s->judge_id, 3u, err);
}

/* A game that several engines have judged counts once: by the one with the least error, as long as
 * its evaluations are there. */
static void test_one_game_by_three(void **state)
{
    struct ipr_db_fixture *f = *state;
    const struct ipr_judge judges[] = { judge_of("Stockfish 17", "nn"),
                                        judge_of("Stockfish 16", "nn-5af11540bbfe.nnue"),
                                        ipr_sample_rating_judge() };
    struct scene s[3] = { scene_new(f, &judges[0], 4) };
    unsigned n = 99;

    for (unsigned i = 0; i < 3; i++) {
        s[i].game = s[0].game;
        assert_ok(ipr_db_judge_ensure(f->db, &judges[i], &s[i].judge_id, &f->err), &f->err);
        s[i].judged = ipr_sample_judgement(&f->mem, &judges[i], &s[i].game, 4 + i);
    }
    static const unsigned order[] = { 1, 0, 2 }, counts[] = { 1, 1, 2 };
    for (unsigned i = 0; i < 3; i++) {
        const struct scene *const of = &s[order[i]];

        ipr_sample_judged(f->db, of->judge_id, &of->game, &of->judged, 3);
        const struct ipr_db_strength ann = strength_of(f, "Ann", 0);
        check_sums(&ann, equated(&s[counts[i]], &judges[counts[i]]));
        assert_int_equal(ann.judge_id, s[counts[i]].judge_id);
        assert_int_equal(ann.games, 1);
        assert_consistent();
        assert_int_equal(ipr_db_test_int("SELECT sum(games) FROM player_year"), 2);
    }
    for (unsigned i = 2; i > 0; i--) {
        assert_ok(ipr_db_tx(f->db, forget_judgement, &s[i], &f->err), &f->err);
        const struct ipr_db_strength ann = strength_of(f, "Ann", 0);
        check_sums(&ann, equated(&s[i - 1], &judges[i - 1]));
        assert_consistent();
    }
    assert_false(rated(f)->equated->known);

    /* As a database in which one engine rated is brought up to date. */
    ipr_sample_judged(f->db, s[2].judge_id, &s[2].game, &s[2].judged, 3);
    ipr_db_test_sql(
        "UPDATE judge SET equation = NULL;"
        "UPDATE judged_side SET strength_kept = 0, strength_score = 0,"
        " strength_information = 0, strength_moves = 0 WHERE strength_kept > 0;"
        "UPDATE player_year SET games = 1, turns = (SELECT max(turns) FROM judged_side)");
    assert_ok(ipr_db_strength_renew(f->db, &n, &f->err), &f->err);
    assert_int_equal(n, 1);
    const struct ipr_db_strength ann = strength_of(f, "Ann", 0);
    check_sums(&ann, sums_of(&s[2], 0));
    assert_int_equal(ipr_db_test_int("SELECT count(*) FROM judged_side WHERE strength_kept > 0"),
                     2);
    assert_consistent();

    /* Sides that are not stale, where another should not count: as if stored before the equations.
     */
    ipr_db_test_sql("UPDATE judged_side SET strength_version = strength_kept, strength_kept = 0"
                    " WHERE strength_kept > 0;"
                    "UPDATE player_year SET games = 2, turns = 2 * turns");
    assert_ok(ipr_db_strength_renew(f->db, &n, &f->err), &f->err);
    assert_int_equal(n, 0);
    assert_int_equal(strength_of(f, "Ann", 0).games, 1);
    assert_int_equal(ipr_db_test_int("SELECT count(*) FROM judged_side WHERE strength_kept > 0"),
                     2);
}

/* A side alone has less information than with its opponent's moves; when these come, it is as if
 * both had come at once. */
static void test_one_by_one(void **state)
{
    struct ipr_db_fixture *f = *state;
    const struct ipr_judge judge = ipr_sample_rating_judge();
    const struct scene s = scene_new(f, &judge, 5);

    ipr_sample_judged(f->db, s.judge_id, &s.game, &s.judged, 1);
    assert_int_equal(strength_of(f, "Ann", 0).moves, sums_of(&s, 0).moves);
    assert_int_equal(strength_of(f, "Bob", 0).moves, 0);
    assert_consistent();
    ipr_sample_judged(f->db, s.judge_id, &s.game, &s.judged, 3);
    const struct ipr_db_strength ann = strength_of(f, "Ann", 0), bob = strength_of(f, "Bob", 0);
    check_sums(&ann, sums_of(&s, 0));
    check_sums(&bob, sums_of(&s, 1));
    assert_consistent();
}

static enum ipr_code forget(struct ipr_db *db, void *arg, struct ipr_err *err)
{
    return ipr_db_sides_forget(db, *(const int64_t *)arg, err);
}

static void test_deleted(void **state)
{
    struct ipr_db_fixture *f = *state;
    const struct ipr_judge judge = ipr_sample_rating_judge();
    const struct scene a = scene_new(f, &judge, 6), b = scene_new(f, &judge, 7);
    int64_t id = a.game.id;

    ipr_sample_judged(f->db, a.judge_id, &a.game, &a.judged, 3);
    ipr_sample_judged(f->db, b.judge_id, &b.game, &b.judged, 3);
    assert_int_equal(strength_of(f, "Ann", 0).games, 2);
    assert_ok(ipr_db_tx(f->db, forget, &id, &f->err), &f->err);
    const struct ipr_db_strength ann = strength_of(f, "Ann", 0);
    check_sums(&ann, sums_of(&b, 0));
    assert_consistent();
}

/* After an upgrade the sums of another version are computed again, and the totals with them. */
static void test_renewed(void **state)
{
    struct ipr_db_fixture *f = *state;
    const struct ipr_judge judge = ipr_sample_rating_judge();
    const struct scene s = scene_new(f, &judge, 8);
    unsigned n = 99;

    ipr_sample_judged(f->db, s.judge_id, &s.game, &s.judged, 3);
    ipr_db_test_sql("UPDATE judged_side SET strength_version = 0, strength_score = 0,"
                    " strength_information = 0, strength_moves = 0");
    ipr_db_test_sql("UPDATE player_year SET strength_score = 0, strength_information = 0,"
                    " strength_moves = 0");
    ipr_db_test_sql("UPDATE player_total SET strength_score = 0, strength_information = 0,"
                    " strength_moves = 0");
    assert_int_equal(strength_of(f, "Ann", 0).moves, 0);
    assert_ok(ipr_db_strength_renew(f->db, &n, &f->err), &f->err);
    assert_int_equal(n, 1);
    const struct ipr_db_strength ann = strength_of(f, "Ann", 0);
    check_sums(&ann, sums_of(&s, 0));
    assert_consistent();
    assert_ok(ipr_db_strength_renew(f->db, &n, &f->err), &f->err);
    assert_int_equal(n, 0);
}

/* The sums of the games that are moved move with them, and back. */
static void test_split(void **state)
{
    struct ipr_db_fixture *f = *state;
    const struct ipr_judge judge = ipr_sample_rating_judge();
    const struct scene a = scene_new(f, &judge, 9), b = scene_new(f, &judge, 10);
    const int64_t games[] = { b.game.id };
    struct ipr_db_split split = {
        .name = "Ann Other", .key = "Ann Other", .games = games, .n_games = 1, .colour = -1
    };
    int64_t change = 0;

    ipr_sample_judged(f->db, a.judge_id, &a.game, &a.judged, 3);
    ipr_sample_judged(f->db, b.judge_id, &b.game, &b.judged, 3);
    const struct ipr_db_strength both = strength_of(f, "Ann", 0);
    const double one_event = sums_of(&a, 0).information, other = sums_of(&b, 0).information;

    assert_close(both.events, (one_event * one_event + other * other) / pow(one_event + other, 2),
                 1e-4);
    ipr_db_test_sql(
        "UPDATE game SET event_id = 0, year = 2001"); /* games without an event are not one event */
    assert_close(strength_of(f, "Ann", 0).events, both.events, 1e-12);
    assert_ok(ipr_db_split(f->db, a.game.white_id, &split, "me", &change, &f->err), &f->err);
    const struct ipr_db_strength one = strength_of(f, "Ann", 0);
    check_sums(&one, sums_of(&a, 0));
    assert_consistent();
    assert_int_equal(ipr_db_test_int("SELECT strength_moves FROM player_year JOIN player ON id ="
                                     " player_id WHERE name = 'Ann Other'"),
                     sums_of(&b, 0).moves);
    assert_ok(ipr_db_identity_undo(f->db, change, "me", &f->err), &f->err);
    const struct ipr_db_strength again = strength_of(f, "Ann", 0);
    assert_int_equal(again.score, both.score);
    assert_int_equal(again.moves, both.moves);
    assert_consistent();

    /* Sums of evaluations in files are in no total. */
    ipr_db_test_sql("UPDATE judged_side SET strength_version = -strength_version;"
                    "UPDATE player_year SET strength_moves = 0;"
                    "UPDATE player_total SET strength_moves = 0");
    assert_ok(ipr_db_split(f->db, a.game.white_id, &split, "me", &change, &f->err), &f->err);
    assert_int_equal(ipr_db_test_int("SELECT max(abs(strength_moves)) FROM player_total"), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_DB(test_stored),      WITH_DB(test_results),
        WITH_DB(test_prior),       WITH_DB(test_other_judges),
        WITH_DB(test_one_by_one),  WITH_DB(test_deleted),
        WITH_DB(test_split),       WITH_DB(test_renewed),
        WITH_DB(test_two_engines), WITH_DB(test_one_game_by_three),
        WITH_DB(test_lists),       WITH_DB(test_years_of_lists),
    };

    ipr_sentences_sample();
    return cmocka_run_group_tests_name("strength", tests, NULL, NULL);
}
