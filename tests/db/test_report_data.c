/* Which data a report rests on: what changes them, and what does not. */
#include "reports.h"

/* With the games that nobody has judged. */
static int64_t games_version(struct ipr_db_fixture *f, unsigned times)
{
    int64_t v = -1;

    assert_ok(ipr_db_data_version(f->db, ipr_sample_judge_id(f->db), times, true, &v, &f->err),
              &f->err);
    return v;
}

struct change {
    struct ipr_db_new_game *game;
    bool new_moves;
};

static enum ipr_code change_game(struct ipr_db *db, void *arg, struct ipr_err *err)
{
    const struct change *c = arg;

    return ipr_db_game_change(db, 0, c->game, c->new_moves, err);
}

static struct ipr_db_new_game *load(struct ipr_db_fixture *f, int64_t id)
{
    struct ipr_db_new_game *g = NULL;
    size_t n = 0;

    assert_ok(ipr_db_games_load(f->db, &id, 1, &f->mem, &g, &n, &f->err), &f->err);
    assert_int_equal(n, 1);
    return g;
}

static void apply(struct ipr_db_fixture *f, struct ipr_db_new_game *game, bool new_moves)
{
    struct change c = { game, new_moves };

    assert_ok(ipr_db_tx(f->db, change_game, &c, &f->err), &f->err);
}

struct forgetting {
    int64_t game;
    int32_t judge;
};

static enum ipr_code forget(struct ipr_db *db, void *arg, struct ipr_err *err)
{
    const struct forgetting *w = arg;

    return ipr_db_judgement_forget(db, w->game, w->judge, 3u, err);
}

/* The same number of sides and turns taken away and stored again is other data. */
static void test_sides(void **state)
{
    struct ipr_db_fixture *f = *state;
    const int64_t game = play(f, 1, "a", "b"), other = play(f, 2, "a", "b");
    const int64_t none = version(f, TIMES);
    struct forgetting w = { game, ipr_sample_judge_id(f->db) };

    ipr_sample_judge_game(f->db, &f->mem, game, 1);
    const int64_t one = version(f, TIMES);
    assert_true(one > none);
    assert_ok(ipr_db_tx(f->db, forget, &w, &f->err), &f->err);
    const int64_t less = version(f, TIMES);
    assert_true(less > one);
    ipr_sample_judge_game(f->db, &f->mem, game, 9);
    const int64_t again = version(f, TIMES);
    assert_true(again > less);
    ipr_sample_judge_game(f->db, &f->mem, game, 9); /* it is there: nothing changes */
    assert_int_equal(version(f, TIMES), again);
    ipr_sample_judge_game(f->db, &f->mem, other, 2);
    assert_true(version(f, TIMES) > again);
    assert_int_equal(version(f, IPR_TIME_BIT(IPR_TIME_BLITZ)), 0); /* no game of that class */
}

/* What is said of a judged game, by a better copy of it. */
static void test_improved(void **state)
{
    struct ipr_db_fixture *f = *state;
    const int64_t id = play(f, 4, "a", "b"), unjudged = play(f, 3, "c", "d");

    ipr_sample_judge_game(f->db, &f->mem, id, 1);
    int64_t before = version(f, TIMES);
    struct ipr_db_new_game *g = load(f, id);

    for (int i = 0; i < 5; i++) {
        if (i == 0)
            g->result = IPR_DRAW;
        else if (i == 1)
            g->white_elo = 2711;
        else if (i == 2)
            g->black_elo = 2712;
        else if (i == 3)
            g->event_id = 0;
        else
            g->date = "2001.05.05";
        apply(f, g, false);
        assert_true(version(f, TIMES) > before);
        before = version(f, TIMES);
    }
    g->year = 2002; /* other player-years */
    apply(f, g, false);
    assert_true(version(f, TIMES) > before);
    before = version(f, TIMES);
    const int64_t blitz = version(f, IPR_TIME_BIT(IPR_TIME_BLITZ));
    g->time_class = IPR_TIME_BLITZ;
    apply(f, g, false);
    assert_true(version(f, TIMES) > before);
    assert_true(version(f, IPR_TIME_BIT(IPR_TIME_BLITZ)) > blitz);
    before = version(f, IPR_TIME_SET_ALL);
    apply(f, g, true); /* longer: judged again */
    assert_true(version(f, IPR_TIME_SET_ALL) > before);
    assert_int_equal(ipr_db_test_int("SELECT sides FROM job"), 3);
    ipr_db_test_sql("UPDATE job SET sides = 2");
    apply(f, g, true);
    assert_int_equal(ipr_db_test_int("SELECT sides FROM job"), 2);

    before = version(f, IPR_TIME_SET_ALL);
    g = load(f, unjudged);
    g->result = IPR_DRAW;
    apply(f, g, false);
    assert_int_equal(version(f, IPR_TIME_SET_ALL), before);
}

/* Whichever way a judged game is changed. */
static void test_told_otherwise(void **state)
{
    static const struct {
        const char *set;
        bool matters;
    } rows[] = {
        { "result = 3 - result", true },
        { "white_elo = 2001", true },
        { "black_elo = NULL", true },
        { "event_id = 0", true },
        { "date = '2001.11.11'", true },
        { "date = '2001.11.11', result = result", false }, /* as it is by then */
        { "site = 'elsewhere'", false },
    };
    struct ipr_db_fixture *f = *state;
    char sql[128];

    ipr_sample_judge_game(f->db, &f->mem, play(f, 1, "a", "b"), 1);
    (void)play(f, 2, "c", "d"); /* not judged: it changes nothing */
    const int64_t unjudged = ipr_db_test_int("SELECT max(id) FROM game");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const int64_t before = version(f, TIMES);

        snprintf(sql, sizeof sql, "UPDATE game SET %s WHERE id = %lld", rows[i].set,
                 (long long)unjudged);
        (void)ipr_db_test_sql(sql);
        assert_int_equal(version(f, TIMES), before);
        snprintf(sql, sizeof sql, "UPDATE game SET %s", rows[i].set);
        (void)ipr_db_test_sql(sql);
        if ((version(f, TIMES) > before) != rows[i].matters)
            print_error("%s\n", rows[i].set);
        assert_int_equal(version(f, TIMES) > before, rows[i].matters);
    }
}

/* Of games that nobody has judged, once a transaction and class; only of those of events. */
static void test_unjudged(void **state)
{
    static const struct {
        const char *set;
        bool matters;
    } rows[] = {
        { "result = 3 - result", true },
        { "white_elo = 2001", true },
        { "black_elo = NULL", true },
        { "date = '2001.11.11'", true },
        { "date = '2001.11.11', site = 'elsewhere'", false }, /* as it is by then */
        { "year = 2002", true },
        { "white_id = black_id", true },
        { "event_id = 0", true },
        { "result = 3 - result", false }, /* of no event now */
    };
    struct ipr_db_fixture *f = *state;
    const unsigned blitz = IPR_TIME_BIT(IPR_TIME_BLITZ);
    char sql[160];

    const int64_t none = games_version(f, TIMES), other = games_version(f, blitz);
    (void)play(f, 1, "a", "b");
    assert_int_equal(games_version(f, TIMES), none + 1);
    assert_int_equal(games_version(f, blitz), other);
    (void)ipr_db_test_sql("UPDATE game SET white_elo = 0");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const int64_t before = games_version(f, TIMES), judged = version(f, TIMES);

        snprintf(sql, sizeof sql, "BEGIN; UPDATE game SET %s; UPDATE game SET %s; COMMIT",
                 rows[i].set, i == 0 ? "result = 0" : "round = round");
        (void)ipr_db_test_sql(sql);
        if ((games_version(f, TIMES) > before) != rows[i].matters)
            print_error("%s\n", rows[i].set);
        assert_int_equal(games_version(f, TIMES), before + rows[i].matters);
        assert_int_equal(version(f, TIMES), judged);
        assert_int_equal(games_version(f, blitz), other);
    }
    (void)play(f, 3, "a", "b");
    int64_t before = games_version(f, TIMES);
    (void)ipr_db_test_sql("UPDATE game SET time_class = 3");
    assert_int_equal(games_version(f, TIMES), before + 1);
    assert_int_equal(games_version(f, blitz), other + 1);
    (void)ipr_db_test_sql("DELETE FROM game");
    assert_int_equal(games_version(f, blitz), other + 2);
    before = games_version(f, IPR_TIME_SET_ALL);
    (void)ipr_db_test_sql("BEGIN; INSERT INTO game_change SELECT 1, 1 FROM generate_series(1, 40);"
                          "COMMIT");
    assert_ok(ipr_db_jobs_sweep(f->db, NULL, &f->err), &f->err);
    assert_int_equal(games_version(f, IPR_TIME_SET_ALL), before + 40);
    assert_int_equal(ipr_db_test_int("SELECT count(*) FROM game_change WHERE time_class = 1"), 1);
}

static void test_persons(void **state)
{
    struct ipr_db_fixture *f = *state;
    const struct ipr_db_split split = {
        .name = "z", .key = "z", .from = 2001, .to = 2001, .colour = 0
    };
    int64_t merge, change;

    ipr_sample_judge_game(f->db, &f->mem, play(f, 1, "a", "b"), 1);
    ipr_sample_judge_game(f->db, &f->mem, play(f, 2, "c", "b"), 2);
    ipr_sample_judge_game(f->db, &f->mem, play(f, 5, "b", "c"), 2);
    int64_t before = version(f, TIMES);
    assert_ok(ipr_db_merge(f->db, ipr_db_test_player("a"), ipr_db_test_player("c"), false, "test",
                           &merge, &f->err),
              &f->err);
    assert_true(version(f, TIMES) > before);
    before = version(f, TIMES);
    assert_ok(ipr_db_identity_undo(f->db, merge, "test", &f->err), &f->err);
    assert_true(version(f, TIMES) > before);
    before = version(f, TIMES);
    assert_ok(ipr_db_split(f->db, ipr_db_test_player("b"), &split, "test", &change, &f->err),
              &f->err);
    assert_true(version(f, TIMES) > before);
}

/* By hand, as nothing else does it: its evaluations are deleted with it. */
static void test_deleted(void **state)
{
    struct ipr_db_fixture *f = *state;
    const int64_t id = play(f, 1, "a", "b");

    ipr_sample_judge_game(f->db, &f->mem, id, 1);
    const int64_t before = version(f, TIMES);
    (void)ipr_db_test_sql("DELETE FROM game");
    assert_int_equal(ipr_db_test_int("SELECT count(*) FROM judged_side"), 0);
    assert_true(version(f, TIMES) > before);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_DB(test_sides),    WITH_DB(test_improved), WITH_DB(test_told_otherwise),
        WITH_DB(test_unjudged), WITH_DB(test_persons),  WITH_DB(test_deleted),
    };

    return cmocka_run_group_tests_name("report_data", tests, NULL, NULL);
}
