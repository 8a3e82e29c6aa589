/* Evaluations in partitions by judge. */
#define IPR_QUERIES_TABLE
#include "queries.h"

#include <libpq-fe.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "db/judges.h"
#include "db/known_turns.h"
#include "db/turns.h"
#include "ipr_db_test.h"
#include "ipr_test.h"

/* Forty games, each analysed by judges 1 and 2 as if by this installation, with the same positions.
 */
static const char rows[] =
    "INSERT INTO judge (name, engine, network, multipv, depth, hash_mb, threads, first_move)"
    " VALUES ('quick', 'e', 'n', 3, 8, 16, 1, 9), ('standard', 'e', 'n', 20, 12, 16, 1, 9);"
    "INSERT INTO player (name, name_key) VALUES ('A', 'a'), ('B', 'b');"
    "INSERT INTO game (white_id, black_id, event_id, year, date, site, round, result, plies,"
    " moves, moves_key, stem, tags)"
    " SELECT 1, 2, 0, 1972, '', '', '', 0, 18, repeat('00', 36)::bytea, n, n, '{}'"
    " FROM generate_series(1, 40) AS n;"
    "INSERT INTO judged_side (game_id, judge_id, colour, turns, nodes, source)"
    " SELECT n, j, 0, 1, 10, 'w' FROM generate_series(1, 40) AS n, generate_series(1, 2) AS j;"
    "INSERT INTO judge_total (judge_id, shard, games, sides, turns)"
    " VALUES (1, 0, 40, 40, 40), (2, 0, 40, 40, 40);"
    "INSERT INTO side_turns (game_id, judge_id, colour, figures, lines, position_keys)"
    " SELECT n, j, 0, '\\x0010000500051400', '\\x00', ARRAY[md5(n::text)::uuid]"
    " FROM generate_series(1, 40) AS n, generate_series(1, 2) AS j;";

static const struct ipr_judge quick = {
    .name = "quick",
    .engine = "e 2",
    .network = "n",
    .multipv = 3,
    .depth = 8,
    .hash_mb = 16,
    .threads = 1,
    .first_move = 9,
};

static int64_t n_partitions(void)
{
    return ipr_db_test_int(
        "SELECT count(*) FROM pg_inherits WHERE inhparent = 'side_turns'::regclass");
}

/* What a partition must have in common with the default one. */
#define SHAPE_OF(table)                                                                            \
    "SELECT concat_ws('; ',"                                                                       \
    " (SELECT string_agg(concat(attname, attstorage, attnotnull, col_description(attrelid, "       \
    "attnum)),"                                                                                    \
    "  ' ' ORDER BY attname) FROM pg_attribute WHERE attrelid = c.oid AND attnum > 0),"            \
    " (SELECT string_agg(concat(pg_get_constraintdef(oid), convalidated, conparentid <> 0),"       \
    "  ' ' ORDER BY contype, pg_get_constraintdef(oid)) FROM pg_constraint WHERE conrelid = "      \
    "c.oid),"                                                                                      \
    " (SELECT string_agg(concat(replace(pg_get_indexdef(indexrelid), c.relname, ''), indisvalid,"  \
    "  (SELECT count(*) FROM pg_inherits WHERE inhrelid = indexrelid)), ' '"                       \
    "  ORDER BY indisprimary) FROM pg_index WHERE indrelid = c.oid),"                              \
    " reloptions::text) FROM pg_class AS c WHERE c.oid = '" table "'::regclass"

static void test_new_judge(void **state)
{
    struct ipr_db_fixture *const f = *state;
    char shape[4096];
    int32_t id = 0, again = 0;

    ipr_db_test_sql(rows);
    assert_ok(ipr_db_judge_begin(f->db, &quick, &id, &f->err), &f->err);
    assert_int_equal(id, 3);
    assert_int_equal(n_partitions(), 2);
    assert_ok(ipr_db_judge_begin(f->db, &quick, &again, &f->err), &f->err);
    assert_int_equal(again, id);
    snprintf(shape, sizeof shape, "%s", ipr_db_test_sql(SHAPE_OF("side_turns_rest")));
    assert_non_null(strstr(shape, "ON DELETE CASCADE"));
    assert_non_null(strstr(shape, "toast_tuple_target=1024"));
    assert_non_null(strstr(shape, "position_keysmf"));
    assert_string_equal(ipr_db_test_sql(SHAPE_OF("side_turns_3")), shape);
    ipr_db_test_sql("INSERT INTO side_turns VALUES (1, 3, 0, '', '')");
    assert_int_equal(ipr_db_test_int("SELECT count(*) FROM side_turns_3"), 1);
}

/* Imports add judges in a transaction that may be long; other people's machines have many. */
static void test_stay_in_default(void **state)
{
    struct ipr_db_fixture *const f = *state;
    struct ipr_judge remote = quick;
    int32_t id = 0;

    ipr_db_test_sql(rows);
    assert_ok(ipr_db_judge_ensure(f->db, &quick, &id, &f->err), &f->err);
    remote.clear = IPR_CLEAR_REMOTE;
    assert_ok(ipr_db_judge_begin(f->db, &remote, &id, &f->err), &f->err);
    assert_string_equal(ipr_db_test_sql("SELECT partition_new_judge(1::smallint)"), "f");
    assert_int_equal(n_partitions(), 1);
}

/* Analysis does not wait for an import, nor the import for it. */
static void test_busy(void **state)
{
    struct ipr_db_fixture *const f = *state;
    int32_t id = 0;

    ipr_db_test_sql(rows);
    ipr_db_test_hold("INSERT INTO side_turns VALUES (1, 1, 1, '', '')");
    assert_ok(ipr_db_judge_begin(f->db, &quick, &id, &f->err), &f->err);
    ipr_db_test_let_go();
    assert_int_equal(id, 3);
    assert_int_equal(n_partitions(), 1);
}

static void test_moved(void **state)
{
    struct ipr_db_fixture *const f = *state;
    char before[128];
    size_t judges = 0;
    int64_t sides = 0;
    static const char digest[] =
        "SELECT md5(string_agg(s::text, ' ' ORDER BY s::text)) FROM side_turns AS s";

    ipr_db_test_sql(rows);
    snprintf(before, sizeof before, "%s", ipr_db_test_sql(digest));
    assert_ok(ipr_db_judge_partitions(f->url, "quick", &judges, &sides, &f->err), &f->err);
    assert_int_equal(judges, 1);
    assert_int_equal(sides, 40);
    assert_string_equal(ipr_db_test_sql(digest), before);
    assert_string_equal(
        ipr_db_test_sql("SELECT string_agg(DISTINCT tableoid::regclass || ' ' || judge_id, ', ')"
                        " FROM side_turns"),
        "side_turns_1 1, side_turns_rest 2");
    assert_int_equal(ipr_db_test_int("SELECT count(*) FROM pg_statistic WHERE starelid ="
                                     " 'side_turns'::regclass AND stainherit AND staattnum = 1"),
                     1);
    assert_ok(ipr_db_judge_partitions(f->url, "quick", &judges, &sides, &f->err), &f->err);
    assert_int_equal(sides, 0);
    assert_ok(ipr_db_judge_partitions(f->url, "nobody", &judges, &sides, &f->err), &f->err);
    assert_int_equal(judges, 0);
}

static void test_deleted_games(void **state)
{
    struct ipr_db_fixture *const f = *state;
    size_t judges = 0;
    int64_t sides = 0;

    ipr_db_test_sql(rows);
    assert_ok(ipr_db_judge_partitions(f->url, "quick", &judges, &sides, &f->err), &f->err);
    ipr_db_test_sql("DELETE FROM game WHERE id <= 30");
    assert_int_equal(ipr_db_test_int("SELECT count(*) FROM side_turns"), 20);
    assert_true(ipr_db_test_refused("INSERT INTO side_turns VALUES (1, 1, 0, '', '')"));
}

/* ---- queries ----------------------------------------------------------------------------------
 */

static PGresult *run(PGconn *conn, const char *sql)
{
    PGresult *res = PQexec(conn, sql);

    if (PQresultStatus(res) != PGRES_TUPLES_OK && PQresultStatus(res) != PGRES_COMMAND_OK)
        fail_msg("%s: %s", sql, PQerrorMessage(conn));
    return res;
}

/* The partitions that a query reads, with a plan for any parameters, where `values` are given. */
static void plan_of(PGconn *conn, const char *name, const char *values, char *out, size_t size)
{
    char sql[512];

    for (size_t i = 0; i < IPR_Q_COUNT; i++)
        if (strcmp(ipr_queries[i].name, name) == 0)
            PQclear(PQprepare(conn, "one", ipr_queries[i].sql, ipr_queries[i].n_params, NULL));
    snprintf(sql, sizeof sql, "EXPLAIN (ANALYZE, COSTS off, TIMING off) EXECUTE one (%s)", values);
    PGresult *res = run(conn, sql);
    out[0] = '\0';
    for (int i = 0; i < PQntuples(res); i++) {
        const char *line = PQgetvalue(res, i, 0);

        if (strstr(line, "Scan") != NULL && strstr(line, "never executed") == NULL)
            strncat(out, line, size - strlen(out) - 1);
    }
    PQclear(res);
    PQclear(run(conn, "DEALLOCATE one"));
}

/* Queries that read one judge's evaluations leave alone the partitions of all others. */
static void test_pruned(void **state)
{
    static const struct {
        const char *name, *values;
    } asked[] = {
        { "sides_of_game", "7, 1" },
        { "sides_with_positions", "1, ARRAY[md5('7')]::uuid[], 1" },
        { "player_lines", "1, 0, 0, 0, 3, '{0}', NULL, 0, 1" },
        { "player_figures", "1, 0, 1, '{0}'" },
        { "judgement_delete", "40, 1, 3" },
        { "side_lines_add", "7, 1, 0, '\\x', '\\x'" },
    };
    struct ipr_db_fixture *const f = *state;
    size_t judges = 0;
    int64_t sides = 0;
    char plan[4096];

    ipr_db_test_sql(rows);
    assert_ok(ipr_db_judge_partitions(f->url, "quick", &judges, &sides, &f->err), &f->err);
    ipr_db_test_sql("ANALYZE");
    PGconn *conn = PQconnectdb(f->url);
    PQclear(run(conn, "SET plan_cache_mode = force_generic_plan"));
    for (size_t i = 0; i < sizeof asked / sizeof *asked; i++) {
        plan_of(conn, asked[i].name, asked[i].values, plan, sizeof plan);
        if (strstr(plan, "side_turns_1") == NULL || strstr(plan, "side_turns_rest") != NULL)
            fail_msg("%s: %s", asked[i].name, plan);
    }
    PQfinish(conn);
}

/* With rows of the parent, and not of its partitions alone. */
static int64_t n_statistics(void)
{
    return ipr_db_test_int("SELECT count(*) FROM pg_statistic"
                           " WHERE starelid = 'side_turns'::regclass AND stainherit");
}

/* Autovacuum, which analyses the partitions, never analyses the whole. */
static void test_statistics(void **state)
{
    struct ipr_db_fixture *const f = *state;
    bool renewed = true;

    ipr_db_test_sql(rows);
    assert_ok(ipr_db_turns_analyse(f->db, &renewed, &f->err), &f->err);
    assert_false(renewed); /* nothing is known of the partitions yet */
    ipr_db_test_sql("ANALYZE side_turns_rest");
    assert_int_equal(n_statistics(), 0);
    assert_ok(ipr_db_turns_analyse(f->db, &renewed, &f->err), &f->err);
    assert_true(renewed);
    assert_true(n_statistics() > 0);
    assert_ok(ipr_db_turns_analyse(f->db, &renewed, &f->err), &f->err);
    assert_false(renewed); /* nothing has changed since */

    /* Whoever has it locked is not waited for. */
    ipr_db_test_sql("DELETE FROM side_turns WHERE game_id > 20");
    ipr_db_test_sql("ANALYZE side_turns_rest");
    PGconn *other = PQconnectdb(f->url);
    PQclear(run(other, "BEGIN; LOCK TABLE side_turns_rest IN SHARE UPDATE EXCLUSIVE MODE"));
    assert_ok(ipr_db_turns_analyse(f->db, &renewed, &f->err), &f->err);
    assert_false(renewed);
    PQfinish(other);
    assert_ok(ipr_db_turns_analyse(f->db, &renewed, &f->err), &f->err);
    assert_true(renewed);
}

/* Tables that an import has filled, once it is a tenth of all games; columns that no query compares
 * are left to autovacuum. */
static void test_game_statistics(void **state)
{
    static const char known[] = "SELECT count(*) FROM pg_stats WHERE tablename = 'judged_side'";
    static const char of_game[] = "SELECT count(*) FROM pg_stats WHERE tablename = 'game' "
                                  "AND attname IN ('white_id', 'moves', 'tags', 'notes')";
    struct ipr_db_fixture *const f = *state;
    bool renewed = false;

    ipr_db_test_sql(rows);
    assert_int_equal(ipr_db_test_int(known), 0);
    assert_ok(ipr_db_games_analyse(f->db, 40, &renewed, &f->err), &f->err);
    assert_true(renewed);
    assert_true(ipr_db_test_int(known) > 0);
    assert_int_equal(ipr_db_test_int(of_game), 1);
    assert_ok(ipr_db_games_analyse(f->db, 4, &renewed, &f->err), &f->err);
    assert_false(renewed);
    PGconn *other = PQconnectdb(f->url);
    PQclear(run(other, "BEGIN; LOCK TABLE game IN SHARE UPDATE EXCLUSIVE MODE"));
    assert_ok(ipr_db_games_analyse(f->db, 5, &renewed, &f->err), &f->err);
    assert_false(renewed); /* it does not wait for a lock on the table */
    PQfinish(other);
    assert_ok(ipr_db_games_analyse(f->db, 5, &renewed, &f->err), &f->err);
    assert_true(renewed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_DB(test_new_judge),  WITH_DB(test_stay_in_default), WITH_DB(test_busy),
        WITH_DB(test_moved),      WITH_DB(test_deleted_games),   WITH_DB(test_pruned),
        WITH_DB(test_statistics), WITH_DB(test_game_statistics),
    };

    return cmocka_run_group_tests_name("partitions", tests, NULL, NULL);
}
