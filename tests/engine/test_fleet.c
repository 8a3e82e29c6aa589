// A whole fleet, with an engine that cannot be set up for every judge. fake_uci stands beside this
// program; it plays games of two kings and takes up to 64 MiB of hash.
#include "ipr_db_sample.h"
#include "ipr_db_test.h"
#include "ipr_test.h"

#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "db/jobs.h"
#include "engine/fleet.h"
#include "fake_program.h"

enum { GAMES = 12, PATIENCE_MS = 120000 };

struct fixture {
    struct ipr_db_fixture *db;
    struct ipr_config config;
    char program[PATH_MAX];
    int64_t games[GAMES];
};

static struct ipr_err err = IPR_ERR_INIT;

static void define(const char *name, int hash_mb)
{
    char sql[512];

    snprintf(sql, sizeof sql,
             "INSERT INTO judge_definition (name, program, multipv, depth, nodes, time_ms, "
             "hash_mb, threads, first_move, clear, tablebases, built_in, creator) VALUES "
             "('%s', 'stockfish', 3, 3, 0, 0, %d, 1, 1, 'position', false, false, 'test')",
             name, hash_mb);
    ipr_db_test_sql(sql);
}

static void store_games(struct fixture *f)
{
    static const char fen[] = "8/6k1/8/8/8/8/1K6/8 w - - 0 1";
    struct ipr_db_new_game games[GAMES];
    struct ipr_pos pos;
    ipr_move moves[2];

    assert_ok(ipr_pos_from_fen(&pos, IPR_STR(fen), &err), &err);
    assert_ok(ipr_move_from_uci(&pos, ipr_str_c("b2a1"), &moves[0], &err), &err);
    ipr_pos_play(&pos, moves[0]);
    assert_ok(ipr_move_from_uci(&pos, ipr_str_c("g7h8"), &moves[1], &err), &err);
    for (unsigned i = 0; i < GAMES; i++) {
        games[i] = ipr_sample_game(&f->db->mem, i + 1, "Alpha, A", "Beta, B", 1990, 2);
        games[i].start_fen = fen;
        games[i].moves = moves;
    }
    ipr_sample_store(f->db->db, games, GAMES, "able");
    for (unsigned i = 0; i < GAMES; i++)
        f->games[i] = games[i].id;
}

static void queue(struct fixture *f, const char *judge)
{
    int32_t queued = 0;

    assert_ok(ipr_db_jobs_enqueue(f->db->db, f->games, GAMES, judge, 5, "local", &queued, &err),
              &err);
    assert_int_equal(queued, GAMES);
}

static int set_up(void **state)
{
    struct fixture *f = ipr_xcalloc(1, sizeof *f);
    char self[PATH_MAX - 16];

    if (ipr_db_fixture_setup(state) != 0)
        return -1;
    f->db = *state;
    const ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    assert_true(n > 0);
    self[n] = '\0';
    *strrchr(self, '/') = '\0';
    snprintf(f->program, sizeof f->program, "%s/fake_uci", self);
    f->config = (struct ipr_config){ .database_url = f->db->url,
                                     .stockfish_path = f->program,
                                     .engines = "",
                                     .syzygy_path = "",
                                     .judge = "able",
                                     .search_timeout_s = 60,
                                     .lease_s = 20 };
    define("able", 16);
    define("huge", 65);
    store_games(f);
    *state = f;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *f = *state;

    *state = f->db;
    free(f);
    return ipr_db_fixture_teardown(state);
}

static void await(const char *condition)
{
    for (int i = 0; i < PATIENCE_MS / 20 && ipr_db_test_int(condition) == 0; i++)
        usleep(20000);
    if (ipr_db_test_int(condition) == 0)
        fail_msg("not so in time: %s", condition);
}

/* The games of the judge that cannot be served come first, more of them than can have been tried
 * while those of the other are judged: after the ninth it rests for longer than we wait. */
static void test_one_judge_unable(void **state)
{
    struct fixture *f = *state;
    struct ipr_fleet *fleet = NULL;

    queue(f, "huge");
    queue(f, "able");
    ipr_db_test_sql("UPDATE job SET max_attempts = 1");
    assert_ok(ipr_fleet_start(&f->config, 1, &fleet, &err), &err);
    await("SELECT (NOT EXISTS (SELECT FROM job WHERE judge = 'able'))::int");
    assert_int_equal(ipr_db_test_int("SELECT count(*) FROM judged_side"), 2 * GAMES);
    assert_true(ipr_db_test_int("SELECT count(*) FROM job WHERE judge = 'huge' AND "
                                "state = 'ready'") > 0);
    await("SELECT (count(*) >= 2)::int FROM job WHERE state = 'failed'"); /* it is tried again */
    ipr_fleet_stop(&fleet);
    assert_int_equal(ipr_db_test_int("SELECT count(*) FROM job WHERE state = 'leased'"), 0);
    assert_int_equal(
        ipr_db_test_int("SELECT count(*) FROM job WHERE state = 'failed' AND last_error NOT LIKE "
                        "'Fake 1.0 cannot be set up for judge huge: %'"),
        0);
}

static void queue_side(struct fixture *f, int32_t side)
{
    int32_t sides[GAMES], queued = 0;

    for (size_t i = 0; i < GAMES; i++)
        sides[i] = side;
    assert_ok(ipr_db_jobs_enqueue_sides(f->db->db, f->games, sides, GAMES, "able", 5, "local",
                                        &queued, &err),
              &err);
    assert_int_equal(queued, GAMES);
    await("SELECT (NOT EXISTS (SELECT FROM job))::int");
}

static int64_t turns_of(const char *player)
{
    char sql[256];

    snprintf(sql, sizeof sql,
             "SELECT coalesce(sum(y.turns), 0) FROM player_year AS y JOIN player AS p ON p.id = "
             "y.player_id WHERE p.name = '%s'",
             player);
    return ipr_db_test_int(sql);
}

/* A job for one side stores that side. After the other side is requested and judged, both players'
 * totals are the same as if both sides had been judged at once. */
static void test_one_side_after_the_other(void **state)
{
    struct fixture *f = *state;
    struct ipr_fleet *fleet = NULL;

    assert_ok(ipr_fleet_start(&f->config, 1, &fleet, &err), &err);
    queue_side(f, 2);
    assert_int_equal(ipr_db_test_int("SELECT count(*) FROM judged_side WHERE colour = 1"), GAMES);
    assert_int_equal(ipr_db_test_int("SELECT count(*) FROM judged_side"), GAMES);
    assert_int_equal(ipr_db_test_int("SELECT sum(turns) FROM judged_side"), GAMES);
    assert_int_equal(turns_of("Alpha, A"), 0);
    assert_int_equal(turns_of("Beta, B"), GAMES);
    assert_int_equal(ipr_db_test_int("SELECT sum(games) FROM judge_total"), GAMES);
    queue_side(f, 1);
    assert_int_equal(ipr_db_test_int("SELECT count(*) FROM judged_side"), 2 * GAMES);
    assert_int_equal(ipr_db_test_int("SELECT sum(turns) FROM judged_side"), 2 * GAMES);
    assert_int_equal(turns_of("Alpha, A"), GAMES);
    assert_int_equal(turns_of("Beta, B"), GAMES);
    assert_int_equal(ipr_db_test_int("SELECT sum(games) FROM judge_total"), GAMES);
    ipr_fleet_stop(&fleet);
    ipr_sample_totals_hold();
}

/* Totals that cannot be tidied are no reason to be taken for gone. */
static void test_registered_whatever_the_sweep_meets(void **state)
{
    struct fixture *f = *state;
    struct ipr_fleet *fleet = NULL;

    ipr_db_test_sql("CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE "
                    "'not now'; END $$");
    ipr_db_test_sql("CREATE TRIGGER refuse BEFORE DELETE ON job_total FOR EACH STATEMENT EXECUTE "
                    "FUNCTION refuse()");
    assert_ok(ipr_fleet_start(&f->config, 1, &fleet, &err), &err);
    await("SELECT count(*) FROM worker");
    ipr_fleet_stop(&fleet);
    ipr_db_test_sql("DROP FUNCTION refuse CASCADE");
}

/* If the operator set it at the start, it is reported at once. */
static void test_default_judge_unable(void **state)
{
    struct fixture *f = *state;
    struct ipr_fleet *fleet = NULL;

    f->config.judge = "huge";
    assert_int_equal(ipr_fleet_start(&f->config, 1, &fleet, &err), IPR_EDATA);
    assert_string_equal(err.type, "engine_unable");
    assert_null(fleet);
    ipr_err_clear(&err);
}

/* One that dies while it is set up may have been killed: pages are served, and it is tried again.
 */
static void test_default_engine_dies(void **state)
{
    struct fixture *f = *state;
    struct ipr_fleet *fleet = NULL;

    f->config.stockfish_path = fake("nomemory");
    assert_ok(ipr_fleet_start(&f->config, 1, &fleet, &err), &err);
    ipr_fleet_stop(&fleet);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_one_judge_unable),
        TEST(test_default_judge_unable),
        TEST(test_default_engine_dies),
        TEST(test_one_side_after_the_other),
        TEST(test_registered_whatever_the_sweep_meets),
    };

    signal(SIGPIPE, SIG_IGN);
    return cmocka_run_group_tests(tests, make_directory, remove_directory);
}
