#include "db/db.h"

#include <stdio.h>
#include <stdlib.h>

#include <sodium.h>

#include "core/digest.h"
#include "db/games.h"
#include "db/jobs.h"
#include "db/turns.h"
#include "ipr_db_test.h"
#include "ipr_test.h"
#include "migrations.h"

/* A database of its own for each test: each leaves it in another state. */
static int fresh(void **state)
{
    *(const char **)state = ipr_db_test_create();
    return 0;
}

static void test_twice(void **state)
{
    const char *url = *state;
    struct ipr_err err = IPR_ERR_INIT;
    unsigned applied = 99;

    assert_ok(ipr_db_migrate(url, &applied, &err), &err);
    assert_true(applied >= 1);
    assert_int_equal(applied, ipr_db_test_int("SELECT count(*) FROM schema_migration"));
    assert_ok(ipr_db_migrate(url, &applied, &err), &err);
    assert_int_equal(applied, 0);
}

static void test_changed_text(void **state)
{
    const char *url = *state;
    struct ipr_err err = IPR_ERR_INIT;

    assert_ok(ipr_db_migrate(url, NULL, &err), &err);
    ipr_db_test_sql("UPDATE schema_migration SET checksum = 'other' WHERE number = 1");
    assert_int_equal(ipr_db_migrate(url, NULL, &err), IPR_EDB);
    assert_non_null(strstr(err.msg, "0001_house was applied with another text"));
}

static void test_newer(void **state)
{
    const char *url = *state;
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_db_pool *pool = NULL;
    struct ipr_db *db = NULL;

    assert_ok(ipr_db_migrate(url, NULL, &err), &err);
    assert_ok(ipr_db_pool_open(url, 1, &pool, &err), &err);
    assert_ok(ipr_db_lease(pool, &db, &err), &err);
    assert_ok(ipr_db_ready(db, &err), &err);

    ipr_db_test_sql("INSERT INTO schema_migration (number, name, checksum)"
                    " VALUES (9999, 'later', 'x')");
    assert_int_equal(ipr_db_ready(db, &err), IPR_EDB);
    assert_non_null(strstr(err.msg, "newer than this program"));
    ipr_db_return(&db);
    ipr_db_pool_close(&pool);

    ipr_err_clear(&err);
    assert_int_equal(ipr_db_migrate(url, NULL, &err), IPR_EDB);
    assert_non_null(strstr(err.msg, "newer than this program"));
    ipr_err_clear(&err);
    assert_int_equal(ipr_db_pool_open(url, 1, &pool, &err), IPR_EDB);
    assert_null(pool);
}

static void test_not_migrated(void **state)
{
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_db_pool *pool = NULL;

    assert_int_equal(ipr_db_pool_open(*state, 1, &pool, &err), IPR_EDB);
    assert_non_null(strstr(err.msg, "intrinsic migrate"));
}

/* A migration that fails leaves nothing, neither of itself nor a record. */
static void test_failing(void **state)
{
    struct ipr_err err = IPR_ERR_INIT;

    ipr_db_test_sql("CREATE TABLE turn (x integer)");
    assert_int_equal(ipr_db_migrate(*state, NULL, &err), IPR_EDB);
    assert_non_null(strstr(err.msg, "0001_house"));
    assert_string_equal(ipr_db_test_sql("SELECT to_regclass('judge')"), "");
    assert_string_equal(ipr_db_test_sql("SELECT to_regclass('schema_migration')"), "");
    ipr_db_test_sql("DROP TABLE turn");
    ipr_err_clear(&err);
    assert_ok(ipr_db_migrate(*state, NULL, &err), &err);
}

static void test_nowhere(void **state)
{
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_db_pool *pool = NULL;

    (void)state;
    assert_int_equal(ipr_db_migrate("host=/nonexistent dbname=x", NULL, &err), IPR_EDB);
    assert_null(strchr(err.msg, '\n'));
    ipr_err_clear(&err);
    assert_int_equal(ipr_db_pool_open("host=/nonexistent dbname=x", 2, &pool, &err), IPR_EDB);
    assert_non_null(strstr(err.msg, "no connection to the database"));
    assert_null(strchr(err.msg, '\n'));
}

/* The first n migrations, as a program of that time left the database. */
static void apply_first(int n)
{
    ipr_db_test_sql("CREATE TABLE schema_migration (number integer PRIMARY KEY, name text NOT NULL,"
                    " checksum text NOT NULL, applied timestamptz NOT NULL DEFAULT now())");
    assert_int_equal(sodium_init() < 0, 0);
    for (int i = 0; i < n; i++) {
        unsigned char digest[32];
        char hex[65], sql[256];

        ipr_db_test_sql(ipr_migrations[i].sql);
        crypto_generichash(digest, sizeof digest, (const unsigned char *)ipr_migrations[i].sql,
                           strlen(ipr_migrations[i].sql), NULL, 0);
        snprintf(sql, sizeof sql,
                 "INSERT INTO schema_migration (number, name, checksum) VALUES (%d, '%s', '%s')",
                 ipr_migrations[i].number, ipr_migrations[i].name,
                 sodium_bin2hex(hex, sizeof hex, digest, sizeof digest));
        ipr_db_test_sql(sql);
    }
}

/* Two uploads of three games, the second repeating the first game; one game judged and queued. */
static const char old_rows[] =
    "INSERT INTO judge (name, engine, network, multipv, depth, hash_mb, threads, first_move)"
    " VALUES ('quick', 'e', 'n', 3, 8, 16, 1, 9);"
    "INSERT INTO player (name, name_key) VALUES ('A', 'a'), ('B', 'b');"
    "INSERT INTO upload (source, digest, bytes, judge)"
    " VALUES ('one', '\\x01', 1, 'quick'), ('two', '\\x02', 1, '');"
    "INSERT INTO game (digest, white_id, black_id, year, date, event, site, round, result, plies,"
    " start_fen, moves, tags) VALUES"
    " ('\\x01', 1, 2, 1972, '1972.07.11', 'Match', 'R', '1', 1, 13, NULL,"
    "  decode(repeat('0c07', 13), 'hex'), "
    "'{\"EventDate\":\"1971.12.31\",\"Z\":\"1\",\"A\":\"2\"}'),"
    " ('\\x02', 2, 1, 1972, '1972', 'Match', '', '', 3, 2,"
    "  '4k3/8/8/8/8/8/4P3/4K3 w - - 0 1', '\\x0c070c07', '{}'),"
    " ('\\x03', 2, 1, 0, '', '', '', '', 0, 1, NULL, '\\x0c07', '{}');"
    "INSERT INTO upload_game VALUES (1, 1, 1, false), (1, 3, 2, false), (2, 1, 1, true),"
    " (2, 2, 3, false);"
    "INSERT INTO job (game_id, judge) VALUES (2, 'quick');"
    "INSERT INTO judged_side VALUES (1, 1, 0, 1, 10, 'w'), (1, 1, 1, 1, 10, 'w');"
    "INSERT INTO turn VALUES (1, 1, 9, 1, 20, 10, 5, 5, 0, false, '\\x00'),"
    " (1, 1, 10, 0, 20, 10, 5, 5, 0, false, '\\x00')";

static void check_keys(const char *url)
{
    struct ipr_db_pool *pool = NULL;
    struct ipr_db *db = NULL;
    struct ipr_arena mem = IPR_ARENA_INIT;
    struct ipr_err err = IPR_ERR_INIT;
    char sql[128];

    assert_ok(ipr_db_pool_open(url, 1, &pool, &err), &err);
    assert_ok(ipr_db_lease(pool, &db, &err), &err);
    for (int id = 1; id <= 3; id++) {
        struct ipr_db_game g;
        const char *fen = id == 2 ? "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1" : "";

        assert_ok(ipr_db_game_get(db, id, &mem, &g, &err), &err);
        assert_string_equal(g.event, id == 3 ? "" : "Match");
        snprintf(sql, sizeof sql, "SELECT moves_key FROM game WHERE id = %d", id);
        assert_true(ipr_db_test_int(sql) == ipr_moves_key(fen, g.moves, g.n_moves));
        snprintf(sql, sizeof sql, "SELECT stem FROM game WHERE id = %d", id);
        assert_true(ipr_db_test_int(sql) == ipr_moves_stem(fen, g.moves, g.n_moves));
    }
    assert_true(ipr_db_test_int("SELECT stem FROM game WHERE id = 1") != 0);
    ipr_arena_release(&mem);
    ipr_db_return(&db);
    ipr_db_pool_close(&pool);
}

/* A database with judged games goes on. */
static void test_from_first(void **state)
{
    struct ipr_err err = IPR_ERR_INIT;

    apply_first(1);
    ipr_db_test_sql(old_rows);
    assert_ok(ipr_db_migrate(*state, NULL, &err), &err);
    check_keys(*state);
    assert_string_equal(
        ipr_db_test_sql(
            "SELECT string_agg(concat_ws(' ', g.id, e.name, e.year, upload_id, ordinal),"
            " ';' ORDER BY g.id) FROM game AS g JOIN event AS e ON e.id = g.event_id"),
        "1 Match 1971 1 1;2 Match 1972 1 3;3  0 2 2");
    assert_string_equal(
        ipr_db_test_sql("SELECT string_agg(concat_ws(' ', upload_id, ordinal, game_id, duplicate),"
                        " ';' ORDER BY upload_id, ordinal) FROM upload_game"),
        "1 1 1 f;1 3 2 f;2 1 1 t;2 2 3 f");
    assert_int_equal(ipr_db_test_int("SELECT count(*) FROM turn"), 2);
    assert_int_equal(ipr_db_test_int("SELECT count(*) FROM judged_side"), 2);
    assert_int_equal(ipr_db_test_int("SELECT game_id FROM job"), 2);
    assert_string_equal(ipr_db_test_sql("SELECT name || name_key FROM player WHERE id = 0"), "?");
    assert_string_equal(ipr_db_test_sql("SELECT string_agg(concat_ws(' ', player_id, key, name,"
                                        " words), ';' ORDER BY player_id) FROM spelling"),
                        "1 a A 'a';2 b B 'b'");
    assert_string_equal(
        ipr_db_test_sql("SELECT string_agg(block || sure, ' ' ORDER BY block) FROM surname"),
        "atrue btrue");
}

/* A judge and n games of two players. */
#define GAMES_OF_TWO(n)                                                                            \
    "INSERT INTO judge (name, engine, network, multipv, depth, hash_mb, threads, first_move)"      \
    " VALUES ('quick', 'e', 'n', 3, 8, 16, 1, 9);"                                                 \
    "INSERT INTO player (name, name_key) VALUES ('A', 'a'), ('B', 'b');"                           \
    "INSERT INTO game (white_id, black_id, event_id, year, date, site, round, result, plies,"      \
    " moves, moves_key, stem, tags)"                                                               \
    " SELECT 1, 2, 0, 1972, '', '', '', 0, 10 * n, '\\x0c07', n, n, '{}'"                          \
    " FROM generate_series(1, " n ") AS n;"

/* A queue and judgements of the time before judges were data: nothing is lost, and a claim finds
 * the jobs in their old order. */
static const char third_rows[] = GAMES_OF_TWO(
    "4") "INSERT INTO judged_side (game_id, judge_id, colour, turns, nodes, source)"
         " VALUES (4, 1, 0, 1, 10, 'w'), (4, 1, 1, 1, 10, 'import');"
         "INSERT INTO turn VALUES"
         " (4, 1, 18, 0, 21, 11, -7, -7, 0, true, '\\x0101010c07f9ff'),"
         " (4, 1, 16, 0, 20, 10, 5, 5, 0, false, '\\x0101010c070500');"
         "INSERT INTO job (game_id, judge, priority, state, attempts, last_error) VALUES"
         " (3, 'quick', 5, 'ready', 0, NULL), (2, 'standard', 5, 'ready', 0, NULL),"
         " (1, 'deep', 1, 'leased', 1, NULL), (4, 'deep', 5, 'failed', 3, 'it died');"
         "UPDATE job SET lease_token = 7, lease_until = now() - interval '1 second', worker = 'w'"
         " WHERE state = 'leased';"
         "INSERT INTO token (name, digest) VALUES ('ci', '\\x01')";

static void claim_in_order(const char *url)
{
    static const int64_t want[] = { 1, 3, 2 };
    struct ipr_db_queue_cursor cursor = { 0 };
    struct ipr_db_pool *pool = NULL;
    struct ipr_db *db = NULL;
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_db_job job;

    assert_ok(ipr_db_pool_open(url, 1, &pool, &err), &err);
    assert_ok(ipr_db_lease(pool, &db, &err), &err);
    assert_ok(ipr_db_jobs_sweep(db, NULL, &err), &err);
    for (int i = 0; i < 3; i++) {
        assert_ok(ipr_db_job_claim(db, "stockfish", "w2", 60, &cursor, &job, &err), &err);
        assert_int_equal(job.game_id, want[i]);
        assert_ok(ipr_db_job_complete(db, &job, &err), &err);
    }
    assert_int_equal(ipr_db_job_claim(db, "stockfish", "w2", 60, &cursor, &job, &err),
                     IPR_ENOTFOUND);
    ipr_db_return(&db);
    ipr_db_pool_close(&pool);
}

/* Reads turns that had a row each before the migration. */
static void read_old_turns(const char *url)
{
    struct ipr_db_pool *pool = NULL;
    struct ipr_db *db = NULL;
    struct ipr_arena mem = IPR_ARENA_INIT;
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_judged_game got = { 0 };

    assert_ok(ipr_db_pool_open(url, 1, &pool, &err), &err);
    assert_ok(ipr_db_lease(pool, &db, &err), &err);
    assert_ok(ipr_db_game_turns(db, 1, 4, &mem, &got, &err), &err);
    assert_int_equal(got.n, 2);
    assert_int_equal(got.turns[1].ply, 18);
    assert_int_equal(got.turns[1].legal, 21);
    assert_int_equal(got.turns[1].nodes, 11);
    assert_int_equal(got.turns[1].score[0], -7);
    assert_true(got.turns[1].repeated);
    assert_int_equal(got.turns[0].score[0], 5);
    ipr_arena_release(&mem);
    ipr_db_return(&db);
    ipr_db_pool_close(&pool);
}

static void test_from_third(void **state)
{
    struct ipr_err err = IPR_ERR_INIT;

    apply_first(3);
    ipr_db_test_sql(third_rows);
    assert_ok(ipr_db_migrate(*state, NULL, &err), &err);
    assert_string_equal(
        ipr_db_test_sql("SELECT string_agg(concat_ws(' ', game_id, kind, program,"
                        " owner, state, turns_total), ';' ORDER BY place) FROM job"),
        "3 judge stockfish local ready 14;2 judge stockfish local ready 4;"
        "1 judge stockfish local leased 0;4 judge stockfish local failed 24");
    assert_string_equal(ipr_db_test_sql("SELECT concat_ws(' ', nodes, time_ms, clear, apart,"
                                        " '[' || options || ']') FROM judge"),
                        "0 0 position searchmoves []");
    assert_string_equal(ipr_db_test_sql("SELECT string_agg(concat_ws(' ', source, cached,"
                                        " search_ms), ';' ORDER BY colour) FROM judged_side"),
                        "w 0 0;import 0 0");
    assert_string_equal(ipr_db_test_sql("SELECT string_agg(t::text, ' ') FROM turn AS t"),
                        "(4,1,16,0,20,5,5,f) (4,1,18,0,21,-7,-7,t)");
    assert_int_equal(ipr_db_test_int("SELECT count(position_keys) FROM side_turns"), 0);
    read_old_turns(*state);
    assert_string_equal(ipr_db_test_sql("SELECT kind || name FROM token"), "apici");
    assert_string_equal(ipr_db_test_sql("SELECT string_agg(name, ' ' ORDER BY name)"
                                        " FROM judge_definition WHERE built_in"),
                        "alliot confirm deep fishnet narrow quick rating standard");
    claim_in_order(*state);
}

/* Before migration 20 every turn had a key. Of ten sides with the same position eight keep the key.
 */
static const char keyed_rows[] = GAMES_OF_TWO(
    "10") "INSERT INTO judged_side (game_id, judge_id, colour, turns, nodes, source)"
          " SELECT n, 1, 0, 2, 20, 'w' FROM generate_series(1, 10) AS n;"
          "INSERT INTO turn (game_id, judge_id, ply, mover, legal, nodes, best_cp, played_cp, "
          "played,"
          " repeated, lines, position_key)"
          " SELECT n, 1, ply, 0, 20, 10, 5, 5, 0, false, '\\x0101010c070500',"
          " md5(CASE ply WHEN 16 THEN '' ELSE n::text END)::uuid"
          " FROM generate_series(1, 10) AS n CROSS JOIN unnest('{16,18,40}'::integer[]) AS ply";

static void test_keyed_turns(void **state)
{
    struct ipr_err err = IPR_ERR_INIT;

    apply_first(19);
    ipr_db_test_sql(keyed_rows);
    assert_ok(ipr_db_migrate(*state, NULL, &err), &err);
    assert_string_equal(
        ipr_db_test_sql("SELECT concat_ws(' ', count(position_keys[1]), count(position_keys[2]),"
                        " max(cardinality(position_keys)), min(cardinality(position_keys)))"
                        " FROM side_turns"),
        "8 10 2 2");
}

/* Before migration 29 evaluations were in one table. It is not written again. */
static const char unpartitioned_rows[] = GAMES_OF_TWO(
    "3") "INSERT INTO side_turns (game_id, judge_id, colour, figures, lines, position_keys)"
         " SELECT n, 1, 0, '\\x0010000500050000', '\\x00', ARRAY[md5(n::text)::uuid]"
         " FROM generate_series(1, 3) AS n";
#define FILES_OF(table)                                                                            \
    "SELECT string_agg(pg_relation_filenode(o)::text, ' ' ORDER BY o) FROM (SELECT '" table        \
    "'::regclass::oid UNION SELECT reltoastrelid FROM pg_class WHERE oid = '" table                \
    "'::regclass UNION SELECT indexrelid FROM pg_index WHERE indrelid = '" table "'::regclass)"    \
    " AS of (o)"

static void test_partitioned(void **state)
{
    struct ipr_err err = IPR_ERR_INIT;
    char before[256];

    apply_first(28);
    ipr_db_test_sql(unpartitioned_rows);
    snprintf(before, sizeof before, "%s", ipr_db_test_sql(FILES_OF("side_turns")));
    assert_ok(ipr_db_migrate(*state, NULL, &err), &err);
    assert_string_equal(ipr_db_test_sql(FILES_OF("side_turns_rest")), before);
    assert_string_equal(ipr_db_test_sql("SELECT string_agg(t::text, ' ') FROM turn AS t"),
                        "(1,1,16,0,0,5,5,f) (2,1,16,0,0,5,5,f) (3,1,16,0,0,5,5,f)");
    ipr_db_test_sql("DELETE FROM game WHERE id = 2");
    assert_int_equal(ipr_db_test_int("SELECT count(*) FROM side_turns"), 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_twice, fresh, ipr_db_test_teardown),
        cmocka_unit_test_setup_teardown(test_changed_text, fresh, ipr_db_test_teardown),
        cmocka_unit_test_setup_teardown(test_newer, fresh, ipr_db_test_teardown),
        cmocka_unit_test_setup_teardown(test_not_migrated, fresh, ipr_db_test_teardown),
        cmocka_unit_test_setup_teardown(test_failing, fresh, ipr_db_test_teardown),
        cmocka_unit_test_setup_teardown(test_from_first, fresh, ipr_db_test_teardown),
        cmocka_unit_test_setup_teardown(test_from_third, fresh, ipr_db_test_teardown),
        cmocka_unit_test_setup_teardown(test_keyed_turns, fresh, ipr_db_test_teardown),
        cmocka_unit_test_setup_teardown(test_partitioned, fresh, ipr_db_test_teardown),
        cmocka_unit_test(test_nowhere),
    };

    return cmocka_run_group_tests_name("migrate", tests, NULL, NULL);
}
