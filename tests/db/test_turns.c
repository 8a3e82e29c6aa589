#include "db/turns.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "db/analyses.h"
#include "db/contribution.h"
#include "db/judges.h"
#include "db/players.h"
#include "db/uploads.h"
#include "ipr_db_sample.h"
#include "ipr_db_test.h"
#include "ipr_test.h"

struct storing {
    int32_t judge_id;
    const struct ipr_db_game *game;
    const struct ipr_judged_game *judged;
    unsigned sides, stored;
    bool give_up;                   /* after storing */
    const struct ipr_db_work *work; /* NULL: the sample's */
};

static enum ipr_code store(struct ipr_db *db, void *arg, struct ipr_err *err)
{
    struct storing *s = arg;
    const enum ipr_code rc =
        ipr_db_sides_store(db, s->judge_id, s->game, s->judged, s->sides,
                           s->work != NULL ? s->work : &ipr_sample_work, &s->stored, err);

    if (rc == IPR_OK && s->give_up)
        return ipr_err_set(err, IPR_ECONFLICT, "given up");
    return rc;
}

static int32_t judge_id(struct ipr_db_fixture *f)
{
    const struct ipr_judge judge = ipr_sample_judge();
    int32_t id = 0;

    assert_ok(ipr_db_judge_ensure(f->db, &judge, &id, &f->err), &f->err);
    return id;
}

static struct ipr_db_game stored_game(struct ipr_db_fixture *f, unsigned seed, const char *white,
                                      const char *black, int year, size_t plies)
{
    struct ipr_db_new_game g = ipr_sample_game(&f->mem, seed, white, black, year, plies);
    struct ipr_db_game game = { 0 };

    ipr_sample_store(f->db, &g, 1, "sample");
    assert_ok(ipr_db_game_get(f->db, g.id, &f->mem, &game, &f->err), &f->err);
    return game;
}

static void check_store(struct ipr_db_fixture *f, struct storing *s, unsigned want)
{
    assert_ok(ipr_db_tx(f->db, store, s, &f->err), &f->err);
    assert_int_equal(s->stored, want);
}

/* Aggregates recomputed by SQL of another shape, from the turns alone. 0 rows differ. */
static const char recompute[] =
    "WITH t AS ("
    "  SELECT CASE t.mover WHEN 0 THEN g.white_id ELSE g.black_id END AS player_id, g.year,"
    "    t.judge_id, t.game_id, t.ply >= 18 AND t.legal > 1 AS w, t.best_cp b, t.played_cp p,"
    "    t.mover, g.time_class + 16 * s.imported::integer AS time_class"
    "  FROM turn t JOIN game g ON g.id = t.game_id"
    "  JOIN judged_side s ON (s.game_id, s.judge_id, s.colour) = (t.game_id, t.judge_id, t.mover)"
    "  WHERE g.year <> 0),"
    " a AS (SELECT player_id, year, judge_id, time_class, count(DISTINCT (game_id, mover)) AS "
    "games,"
    "    count(*) AS turns, count(*) FILTER (WHERE w) AS counted,"
    "    count(*) FILTER (WHERE w AND b = p) AS at_0,"
    "    count(*) FILTER (WHERE w AND b - p <= 30) AS at_30"
    "  FROM t GROUP BY player_id, year, judge_id, time_class)"
    " SELECT count(*) FROM a FULL JOIN player_year y USING (player_id, year, judge_id, time_class)"
    " WHERE (a.games, a.turns, a.counted, a.at_0, a.at_30) IS DISTINCT FROM"
    "   (y.games::bigint, y.turns::bigint, y.counted::bigint, y.at_0::bigint, y.at_30::bigint)"
    "  OR y.version <> y.games";

static const char recompute_totals[] =
    "SELECT (SELECT sum(turns) FROM player_total) = (SELECT count(*) FROM turn)"
    " AND (SELECT sum(turns) FROM judge_total) = (SELECT count(*) FROM turn)"
    " AND (SELECT sum(games) FROM judge_total) = (SELECT count(DISTINCT game_id) FROM judged_side)"
    " AND (SELECT sum(sides) FROM judge_total) = (SELECT count(*) FROM judged_side)"
    " AND (SELECT sum(turns) FROM judged_side) = (SELECT count(*) FROM turn)";

static void assert_consistent(void)
{
    assert_int_equal(ipr_db_test_int(recompute), 0);
    assert_string_equal(ipr_db_test_sql(recompute_totals), "t");
}

static void test_once(void **state)
{
    struct ipr_db_fixture *f = *state;
    const struct ipr_judge judge = ipr_sample_judge();
    const struct ipr_db_game game = stored_game(f, 1, "a", "b", 2001, 80);
    const struct ipr_judged_game j = ipr_sample_judgement(&f->mem, &judge, &game, 5);
    struct storing s = { judge_id(f), &game, &j, 1, 0, false, NULL };
    struct ipr_judged_game got = { 0 };
    unsigned sides = 99;

    check_store(f, &s, 1);
    check_store(f, &s, 0);
    assert_consistent();
    s.sides = 3;
    check_store(f, &s, 2);
    check_store(f, &s, 0);
    assert_consistent();
    assert_ok(ipr_db_sides_judged(f->db, s.judge_id, game.id, &sides, &f->err), &f->err);
    assert_int_equal(sides, 3);

    assert_ok(ipr_db_game_turns(f->db, s.judge_id, game.id, &f->mem, &got, &f->err), &f->err);
    assert_int_equal(got.n, j.n);
    for (size_t i = 0; i < got.n; i++) {
        const struct ipr_judged_turn *a = &got.turns[i], *b = &j.turns[i];

        assert_int_equal(a->ply, b->ply);
        assert_int_equal(a->mover, b->mover);
        assert_int_equal(a->depth, b->depth);
        assert_int_equal(a->lines, b->lines);
        assert_int_equal(a->played, b->played);
        assert_int_equal(a->legal, b->legal);
        assert_int_equal(a->repeated, b->repeated);
        assert_int_equal(a->nodes, b->nodes);
        assert_memory_equal(a->moves, b->moves, b->lines * sizeof *b->moves);
        assert_memory_equal(a->score, b->score, (size_t)b->lines * b->depth * sizeof *b->score);
    }
}

/* White's side came with an import, Black's was judged here: each counts, and where imports are
 * left out only the latter. */
static void test_imported(void **state)
{
    struct ipr_db_fixture *f = *state;
    const struct ipr_judge judge = ipr_sample_judge();
    const struct ipr_db_game game = stored_game(f, 1, "a", "b", 2001, 80);
    const struct ipr_judged_game j = ipr_sample_judgement(&f->mem, &judge, &game, 5);
    const struct ipr_db_work sent = { .source = "import:ann",
                                      .upload_id = ipr_db_test_int("SELECT max(id) FROM upload") };
    struct storing s = { judge_id(f), &game, &j, 1, 0, false, &sent };
    const int32_t players[] = { game.white_id, game.black_id };
    const unsigned times[] = { IPR_TIME_SET_DEFAULT, IPR_TIME_SET_DEFAULT | IPR_TIME_OWN };

    check_store(f, &s, 1);
    s.sides = 3;
    s.work = NULL;
    check_store(f, &s, 2);
    assert_consistent();
    assert_string_equal(
        ipr_db_test_sql("SELECT string_agg(source || ' ' || imported || ' ' || "
                        "coalesce(upload_id, 0), ', ' ORDER BY colour) "
                        "FROM judged_side"),
        ipr_arena_printf(&f->mem, "import:ann true %lld, w1 false 0", (long long)sent.upload_id));
    for (int side = 0; side < 2; side++)
        for (int own = 0; own < 2; own++) {
            const struct ipr_db_scope scope = ipr_db_scope_year(players[side], 2001, times[own]);
            const bool counts = side == 1 || own == 0;
            struct ipr_db_player_turns t = { 0 };
            struct ipr_db_player_year *years = NULL;
            struct ipr_turn *transitions = NULL;
            size_t n = 0, n_years = 0;

            assert_ok(ipr_db_player_turns(f->db, &scope, s.judge_id, &f->mem, &t, &f->err),
                      &f->err);
            assert_int_equal(t.n > 0, counts);
            assert_int_equal(t.n_sides, 1);
            assert_int_equal(t.sides[0].turns >= 0, counts);
            assert_ok(ipr_db_player_transitions(f->db, players[side], 2001, s.judge_id, times[own],
                                                &f->mem, &transitions, &n, &f->err),
                      &f->err);
            assert_int_equal(n > 0, counts);
            assert_ok(ipr_db_player_years(f->db, players[side], s.judge_id, times[own], &f->mem,
                                          &years, &n_years, &f->err),
                      &f->err);
            assert_int_equal(n_years, 1);
            assert_int_equal(years[0].games, 1);
            assert_int_equal(years[0].turns, t.n);
        }
    assert_ok(ipr_db_judgement_forget(f->db, game.id, s.judge_id, 1, &f->err), &f->err);
    assert_int_equal(ipr_db_test_int("SELECT count(*) FROM turn WHERE mover = 0"), 0);
    assert_true(ipr_db_test_int("SELECT count(*) FROM turn WHERE mover = 1") > 0);
    assert_int_equal(ipr_db_test_int("SELECT sum(turns) FROM player_year WHERE time_class > 5"), 0);
    assert_ok(ipr_db_sides_forget(f->db, game.id, &f->err), &f->err);
    assert_string_equal(ipr_db_test_sql("SELECT sum(games) + sum(turns) FROM judge_total"), "0");
}

static void test_rollback(void **state)
{
    struct ipr_db_fixture *f = *state;
    const struct ipr_judge judge = ipr_sample_judge();
    const struct ipr_db_game game = stored_game(f, 2, "a", "b", 2001, 60);
    const struct ipr_judged_game j = ipr_sample_judgement(&f->mem, &judge, &game, 6);
    struct storing s = { judge_id(f), &game, &j, 3, 0, true, NULL };

    assert_int_equal(ipr_db_tx(f->db, store, &s, &f->err), IPR_ECONFLICT);
    ipr_err_clear(&f->err);
    assert_int_equal(ipr_db_test_int("SELECT (SELECT count(*) FROM turn)"
                                     " + (SELECT count(*) FROM judged_side)"
                                     " + (SELECT count(*) FROM player_year)"
                                     " + (SELECT count(*) FROM player_total)"
                                     " + (SELECT count(*) FROM judge_total)"),
                     0);
    s.give_up = false;
    check_store(f, &s, 3);
    assert_consistent();
}

/* No year: no player-year, but the totals. One player on both sides: both sides are his. */
static void test_odd_games(void **state)
{
    struct ipr_db_fixture *f = *state;
    const struct ipr_judge judge = ipr_sample_judge();
    const struct ipr_db_game undated = stored_game(f, 3, "a", "b", 0, 60);
    const struct ipr_db_game self = stored_game(f, 4, "nn", "nn", 1990, 60);
    const struct ipr_db_game short_one = stored_game(f, 5, "a", "b", 1991, 5);
    const struct ipr_db_game *games[] = { &undated, &self, &short_one };

    for (int i = 0; i < 3; i++) {
        const struct ipr_judged_game j = ipr_sample_judgement(&f->mem, &judge, games[i], 7);
        struct storing s = { judge_id(f), games[i], &j, 3, 0, false, NULL };

        check_store(f, &s, 3);
    }
    assert_int_equal(ipr_db_test_int("SELECT count(*) FROM player_year WHERE year = 0"), 0);
    assert_int_equal(ipr_db_test_int("SELECT games FROM player_year WHERE year = 1990"), 2);
    assert_int_equal(ipr_db_test_int("SELECT turns FROM player_year WHERE year = 1991"), 0);
    ipr_db_test_sql("DELETE FROM player_year WHERE year = 1991"); /* no turn to recompute it from */
    assert_consistent();
}

static void test_gone(void **state)
{
    struct ipr_db_fixture *f = *state;
    const struct ipr_judge judge = ipr_sample_judge();
    const struct ipr_db_game game = stored_game(f, 6, "a", "b", 2001, 30);
    const struct ipr_judged_game j = ipr_sample_judgement(&f->mem, &judge, &game, 8);
    struct storing s = { judge_id(f), &game, &j, 3, 0, false, NULL };

    ipr_db_test_sql("DELETE FROM game");
    assert_int_equal(ipr_db_tx(f->db, store, &s, &f->err), IPR_ENOTFOUND);
    ipr_err_clear(&f->err);
}

#define GAMES 40

struct worker {
    pthread_t thread;
    struct ipr_db_pool *pool;
    struct storing *s;
    size_t from, step;
    enum ipr_code rc;
};

static void *work(void *arg)
{
    struct worker *w = arg;
    struct ipr_db *db = NULL;

    w->rc = ipr_db_lease(w->pool, &db, NULL);
    for (size_t i = w->from; i < GAMES && w->rc == IPR_OK; i += w->step)
        w->rc = ipr_db_tx(db, store, &w->s[i], NULL);
    ipr_db_return(&db);
    return NULL;
}

/* The same two players with changing colours, one year, three workers; no deadlock is seen. */
static void test_concurrent(void **state)
{
    struct ipr_db_fixture *f = *state;
    const struct ipr_judge judge = ipr_sample_judge();
    struct ipr_db_game *games = ipr_arena_alloc(&f->mem, GAMES, sizeof *games);
    struct ipr_judged_game *j = ipr_arena_alloc(&f->mem, GAMES, sizeof *j);
    struct storing *s = ipr_arena_alloc(&f->mem, GAMES, sizeof *s);
    struct worker w[3];

    for (unsigned i = 0; i < GAMES; i++) {
        games[i] = stored_game(f, 100 + i, i % 2 ? "a" : "b", i % 2 ? "b" : "a", 2001, 50);
        j[i] = ipr_sample_judgement(&f->mem, &judge, &games[i], i);
        s[i] = (struct storing){ judge_id(f), &games[i], &j[i], 3, 0, false, NULL };
    }
    for (size_t i = 0; i < 3; i++) {
        w[i] = (struct worker){ .pool = f->pool, .s = s, .from = i, .step = 3 };
        assert_int_equal(pthread_create(&w[i].thread, NULL, work, &w[i]), 0);
    }
    for (size_t i = 0; i < 3; i++) {
        pthread_join(w[i].thread, NULL);
        assert_int_equal(w[i].rc, IPR_OK);
    }
    assert_int_equal(ipr_db_test_int("SELECT count(*) FROM judged_side"), 2 * GAMES);
    assert_int_equal(ipr_db_test_int("SELECT deadlocks FROM pg_stat_database"
                                     " WHERE datname = current_database()"),
                     0);
    assert_consistent();
}

/* Two workers with the same game (an expired lease): one stores it, the other finds it done. */
static void test_same_game(void **state)
{
    struct ipr_db_fixture *f = *state;
    const struct ipr_judge judge = ipr_sample_judge();
    struct storing *s = ipr_arena_alloc(&f->mem, 2 * GAMES, sizeof *s);
    struct worker w[2];

    for (unsigned i = 0; i < GAMES; i++) {
        struct ipr_db_game *game = ipr_arena_alloc(&f->mem, 1, sizeof *game);
        struct ipr_judged_game *j = ipr_arena_alloc(&f->mem, 1, sizeof *j);

        *game = stored_game(f, 200 + i, "a", "b", 2001, 30);
        *j = ipr_sample_judgement(&f->mem, &judge, game, i);
        s[i] = (struct storing){ judge_id(f), game, j, 3, 0, false, NULL };
        s[GAMES + i] = s[i];
    }
    for (size_t i = 0; i < 2; i++) {
        w[i] = (struct worker){ .pool = f->pool, .s = s + i * GAMES, .from = 0, .step = 1 };
        assert_int_equal(pthread_create(&w[i].thread, NULL, work, &w[i]), 0);
    }
    for (size_t i = 0; i < 2; i++) {
        pthread_join(w[i].thread, NULL);
        assert_int_equal(w[i].rc, IPR_OK);
    }
    for (size_t i = 0; i < GAMES; i++)
        assert_int_equal(s[i].stored + s[GAMES + i].stored, 3);
    assert_consistent();
}

/* Sides of "a" in its games with "b": those that were judged have their turns' number. */
static void check_sides(struct ipr_db_fixture *f, const struct ipr_db_player_turns *t, int32_t a)
{
    int judged = 0;

    (void)f;
    for (size_t i = 0; i < t->n_sides; i++) {
        const struct ipr_db_player_side *s = &t->sides[i];

        assert_true(i == 0 || s->game_id > s[-1].game_id);
        assert_string_equal(s->opponent_name, "b");
        assert_true(s->opponent != a);
        assert_true(s->elo == 0 || (s->elo > 2399 && s->elo < 2501));
        assert_in_range(s->half_points + 1, 0, 3);
        if (s->turns < 0) {
            assert_int_equal(s->game, -1);
            continue;
        }
        judged++;
        for (size_t k = 0; k < t->n; k++)
            if (t->turns[k].game == s->game)
                assert_int_equal(t->turns[k].mover, s->colour);
    }
    assert_int_equal(judged, t->games);
}

static void test_reading(void **state)
{
    struct ipr_db_fixture *f = *state;
    const struct ipr_judge judge = ipr_sample_judge();
    const int32_t jid = judge_id(f);
    struct ipr_contribution want = { 0 };
    struct ipr_db_player_turns t = { 0 };
    struct ipr_turn *tr = NULL;
    size_t n = 0;

    for (unsigned i = 0; i < 6; i++) {
        const struct ipr_db_game g =
            stored_game(f, 300 + i, i % 2 ? "a" : "b", i % 2 ? "b" : "a", 2000 + (int)i / 3, 60);
        const struct ipr_judged_game j = ipr_sample_judgement(&f->mem, &judge, &g, i + 50);
        struct storing s = { jid, &g, &j, i == 5 ? 2u : 3u, 0, false, NULL };

        for (size_t k = 0; k < j.n; k++)
            if (j.turns[k].mover == (i % 2 ? IPR_WHITE : IPR_BLACK) && i < 3)
                ipr_contribution_add(&want, &j.turns[k]);
        check_store(f, &s, s.sides);
    }
    const int32_t a = (int32_t)ipr_db_test_int("SELECT id FROM player WHERE name = 'a'");
    const struct ipr_db_scope year = ipr_db_scope_year(a, 2000, IPR_TIME_SET_DEFAULT);
    assert_ok(ipr_db_player_turns(f->db, &year, jid, &f->mem, &t, &f->err), &f->err);
    assert_int_equal(t.games, 3);
    assert_int_equal(t.n_sides, 3);
    assert_int_equal(t.n, want.turns);
    struct ipr_contribution got = { 0 };
    for (size_t i = 0; i < t.n; i++) {
        const struct ipr_turn *x = &t.turns[i];

        assert_int_equal(x->year, 2000);
        assert_true(i == 0 || x->game > x[-1].game ||
                    (x->game == x[-1].game && x->ply > x[-1].ply));
        assert_in_range(x->game, 0, 2);
        assert_int_equal(x->lines, x->legal < 3 ? x->legal : 3);
        assert_true(x->n_cp == x->lines || x->n_cp == x->lines + 1);
        for (unsigned k = 0; k < x->n_cp; k++)
            assert_in_range(x->cp[k] + 1000, 0, 2000);
        if (x->ply >= 18 && x->legal > 1) {
            const int best = x->cp[x->played] > x->cp[0] ? x->cp[x->played] : x->cp[0];

            got.counted++;
            got.at_0 += best == x->cp[x->played];
            got.at_30 += best - x->cp[x->played] <= 30;
        }
    }
    assert_int_equal(got.counted, want.counted);
    assert_int_equal(got.at_0, want.at_0);
    assert_int_equal(got.at_30, want.at_30);

    /* Game 5: a has White, only Black's side is judged. */
    const struct ipr_db_scope career = ipr_db_scope_year(a, 0, IPR_TIME_SET_DEFAULT);
    assert_ok(ipr_db_player_turns(f->db, &career, jid, &f->mem, &t, &f->err), &f->err);
    assert_int_equal(t.games, 5);
    assert_int_equal(t.n_sides, 6);
    check_sides(f, &t, a);

    assert_ok(ipr_db_player_transitions(f->db, a, 2000, jid, IPR_TIME_SET_DEFAULT, &f->mem, &tr, &n,
                                        &f->err),
              &f->err);
    assert_int_equal(n, want.turns);
    for (size_t i = 0; i < n; i++) {
        assert_int_equal(tr[i].n_cp, 2);
        assert_int_equal(tr[i].played, 1);
        assert_true(tr[i].cp[0] >= tr[i].cp[1]);
    }
}

static void test_upload_analysed(void **state)
{
    struct ipr_db_fixture *f = *state;
    const struct ipr_judge judge = ipr_sample_judge();
    const struct ipr_db_game game = stored_game(f, 400, "a", "b", 2001, 30);
    const struct ipr_judged_game j = ipr_sample_judgement(&f->mem, &judge, &game, 1);
    struct storing s = { judge_id(f), &game, &j, 1, 0, false, NULL };
    const int64_t upload = ipr_db_test_int("SELECT max(id) FROM upload");
    struct ipr_db_upload u = { 0 };
    struct ipr_db_queue q = { 0 };

    check_store(f, &s, 1);
    assert_ok(ipr_db_upload_get(f->db, upload, &f->mem, &u, &f->err), &f->err);
    assert_int_equal(u.analysed, 0);
    s.sides = 2;
    check_store(f, &s, 2);
    assert_ok(ipr_db_upload_get(f->db, upload, &f->mem, &u, &f->err), &f->err);
    assert_int_equal(u.analysed, 1);
    assert_ok(ipr_db_queue_state(f->db, &q, &f->err), &f->err);
    assert_int_equal(q.judged_games, 1);
    assert_int_equal(q.judged_turns, j.n);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_DB(test_once),      WITH_DB(test_imported), WITH_DB(test_rollback),
        WITH_DB(test_odd_games), WITH_DB(test_gone),     WITH_DB(test_concurrent),
        WITH_DB(test_same_game), WITH_DB(test_reading),  WITH_DB(test_upload_analysed),
    };

    return cmocka_run_group_tests_name("turns", tests, NULL, NULL);
}
