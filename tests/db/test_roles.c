/* Service and worker can do with the roles of sql/roles.sql what they do, and a worker nothing
 * else. */
#define IPR_QUERIES_TABLE
#include "queries.h"

#include <libpq-fe.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "db/duplicate_candidates.h"
#include "db/listed_years.h"
#include "db/pq.h"
#include "ipr_db_test.h"
#include "ipr_test.h"

/* What server/engine asks. */
static const char *const of_worker[] = {
    "job_claim_rows",
    "job_lock",
    "job_heartbeat",
    "job_complete",
    "job_fail",
    "job_release",
    "leases_expire",
    "queue_totals_fold",
    "game_changes_fold",
    "job_postponed_take",
    "jobs_lock",
    "jobs_add",
    "job_add_check",
    "game_get",
    "game_lock",
    "colours_judged",
    "judge_find",
    "judge_add",
    "judge_get",
    "definition_get",
    "sides_with_positions",
    "side_add",
    "side_turns_add",
    "side_lines_add",
    "player_years_add",
    "player_totals_add",
    "judge_totals_add",
    "sides_of_game",
    "sides_confirm",
    "strength_set",
    "strength_replace",
    "strength_contested",
    "strength_elect",
    "endgame_store",
    "judgement_delete",
    "game_judges",
    "key_suspend",
    "unchecked_get",
    "unchecked_list",
    "remote_checked",
    "notify_progress",
    "worker_beat",
    "worker_leave",
    "clock_us",
    "clock_settle_jobs",
    "judge_partition_new",
};

/* Of what others ask. */
static const char *const not_of_worker[] = {
    "token_known",    "token_put",       "token_list",     "key_get",           "audit_add",
    "audit_end",      "audit_list",      "token_use",      "games_delete",      "upload_remove",
    "players_delete", "calibration_add", "definition_put", "clock_settle_rest", "judge_partition",
};

/* For the owner of the tables alone. */
static const char of_owner[] = "judge_partition";

static const struct ipr_query_text *query_named(const char *name)
{
    for (size_t i = 0; i < IPR_Q_COUNT; i++)
        if (strcmp(ipr_queries[i].name, name) == 0)
            return &ipr_queries[i];
    return NULL;
}

/* NULL: PostgreSQL lets this connection run the query; else why not. Rights are checked before the
 * first row is read, and EXPLAIN reads none. */
static const char *refusal(PGconn *conn, const struct ipr_query_text *q)
{
    static char why[512];
    char sql[512] = "EXPLAIN EXECUTE one";

    for (int i = 0; i < q->n_params; i++)
        strcat(sql, i == 0 ? "(NULL" : ",NULL");
    strcat(sql, q->n_params > 0 ? ")" : "");
    PGresult *res = PQprepare(conn, "one", q->sql, q->n_params, NULL);
    if (PQresultStatus(res) == PGRES_COMMAND_OK) {
        PQclear(res);
        res = PQexec(conn, sql);
    }
    const bool fine = PQresultStatus(res) == PGRES_TUPLES_OK;
    snprintf(why, sizeof why, "%s: %s", q->name, PQresultErrorMessage(res));
    PQclear(res);
    PQclear(PQexec(conn, "DEALLOCATE ALL"));
    return fine ? NULL : why;
}

/* A connection with the rights of that role. */
static PGconn *connected_as(const char *url, const char *role)
{
    char sql[64];
    PGconn *conn = PQconnectdb(url);

    snprintf(sql, sizeof sql, "SET ROLE %s", role);
    PGresult *res = PQexec(conn, sql);
    assert_int_equal(PQresultStatus(res), PGRES_COMMAND_OK);
    PQclear(res);
    return conn;
}

static bool denied(PGconn *conn, const char *sql)
{
    PGresult *res = PQexec(conn, sql);
    const char *state = PQresultErrorField(res, PG_DIAG_SQLSTATE);
    const bool no = state != NULL && strcmp(state, "42501") == 0;

    if (!no)
        print_error("%s: %s\n", sql, state != NULL ? PQerrorMessage(conn) : "done");
    PQclear(res);
    return no;
}

static void test_worker_queries(void **state)
{
    const struct ipr_db_fixture *const f = *state;
    PGconn *conn = connected_as(f->url, "intrinsic_worker");
    const char *why;

    for (size_t i = 0; i < sizeof of_worker / sizeof *of_worker; i++) {
        const struct ipr_query_text *const q = query_named(of_worker[i]);

        if (q == NULL)
            fail_msg("no query is named %s", of_worker[i]);
        else if ((why = refusal(conn, q)) != NULL)
            fail_msg("%s", why);
    }
    for (size_t i = 0; i < sizeof not_of_worker / sizeof *not_of_worker; i++) {
        const struct ipr_query_text *const q = query_named(not_of_worker[i]);

        if (q == NULL)
            fail_msg("no query is named %s", not_of_worker[i]);
        else if ((why = refusal(conn, q)) == NULL || strstr(why, "permission denied") == NULL)
            fail_msg("%s is not refused: %s", not_of_worker[i], why == NULL ? "" : why);
    }
    PQfinish(conn);
}

static void test_worker_refused(void **state)
{
    static const char *const refused[] = {
        "SELECT digest FROM token",
        "SELECT * FROM token",
        "COPY token TO STDOUT",
        "SELECT * FROM audit",
        "SELECT * FROM idempotent_answer",
        "INSERT INTO token (name, digest) VALUES ('mine', '\\x00')",
        "UPDATE token SET scopes = 15",
        "UPDATE token SET digest = '\\x00'",
        "DELETE FROM token",
        "UPDATE game SET moves = ''",
        "UPDATE game SET result = 1",
        "DELETE FROM game",
        "INSERT INTO player (name) VALUES ('x')",
        "UPDATE player SET name = 'x'",
        "DELETE FROM upload",
        "DELETE FROM player_total",
        "UPDATE judge_definition SET depth = 1",
        "UPDATE judged_side SET turns = 0",
        "UPDATE calibration SET name = 'x'",
        "TRUNCATE job",
        "DROP TABLE job",
        "ALTER TABLE game DISABLE TRIGGER ALL",
        "CREATE TABLE mine (x integer)",
        "CREATE FUNCTION mine() RETURNS integer LANGUAGE sql AS 'SELECT 1'",
        "DELETE FROM schema_migration",
        "CREATE ROLE mine",
        "SET ROLE intrinsic_service",
    };
    const struct ipr_db_fixture *const f = *state;
    PGconn *conn = connected_as(f->url, "intrinsic_worker");

    /* What SET ROLE may become depends on who logged in. */
    PGresult *res = PQexec(conn, "SET SESSION AUTHORIZATION intrinsic_worker");
    PQclear(res);
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
        assert_true(denied(conn, refused[i]));
    PQfinish(conn);
}

static void test_service(void **state)
{
    static const char *const refused[] = {
        "TRUNCATE game",
        "DROP TABLE audit",
        "CREATE TABLE mine (x integer)",
        "ALTER TABLE token DROP COLUMN scopes",
        "DELETE FROM schema_migration",
        "ALTER TABLE game DISABLE TRIGGER ALL",
    };
    const struct ipr_db_fixture *const f = *state;
    PGconn *conn = connected_as(f->url, "intrinsic_service");
    const char *why;

    for (size_t i = 0; i < IPR_Q_COUNT; i++)
        if (strcmp(ipr_queries[i].name, of_owner) != 0 &&
            (why = refusal(conn, &ipr_queries[i])) != NULL &&
            strstr(why, "permission denied") != NULL)
            fail_msg("%s", why);
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
        assert_true(denied(conn, refused[i]));
    assert_true(denied(conn, "SELECT partition_judge(1::smallint)"));
    PQfinish(conn);
}

/* Who may not create tables has one created for a new judge, and stores into it. */
static void test_worker_partition(void **state)
{
    const struct ipr_db_fixture *const f = *state;
    PGconn *conn = connected_as(f->url, "intrinsic_worker");

    PGresult *res =
        PQexec(conn, "INSERT INTO judge (name, engine, network, multipv, depth, hash_mb, threads,"
                     " first_move) VALUES ('quick', 'e', 'n', 3, 8, 16, 1, 9);"
                     "SELECT partition_new_judge(id) FROM judge");
    assert_string_equal(PQgetvalue(res, 0, 0), "t");
    PQclear(res);
    ipr_db_test_sql("INSERT INTO game (white_id, black_id, event_id, date, site, round, result,"
                    " plies, moves, moves_key, stem, tags)"
                    " VALUES (0, 0, 0, '', '', '', 0, 0, '', 0, 0, '{}')");
    res = PQexec(conn, "INSERT INTO side_turns VALUES (1, 1, 0, '', ''); SELECT * FROM side_turns");
    assert_int_equal(PQntuples(res), 1);
    PQclear(res);
    assert_int_equal(ipr_db_test_int("SELECT count(*) FROM side_turns_1"), 1);
    assert_true(denied(conn, "SELECT * FROM side_turns_1"));
    assert_true(denied(conn, "DROP TABLE side_turns_1"));
    PQfinish(conn);
}

/* -1: its statistics were never made. */
static int64_t rows_known(const char *table)
{
    char sql[128];

    snprintf(sql, sizeof sql,
             "SELECT reltuples::bigint FROM pg_class WHERE oid = 'public.%s'::regclass", table);
    return ipr_db_test_int(sql);
}

/* PostgreSQL does not fail where it may not analyse a table: it warns. */
static void test_service_statistics(void **state)
{
    struct ipr_db_fixture *const f = *state;
    int32_t list;

    ipr_db_test_sql(
        "INSERT INTO player (name, name_key) VALUES ('A', 'a'), ('B', 'b'); "
        "INSERT INTO judge (id, name, engine, network, multipv, depth, hash_mb, threads, "
        "first_move) OVERRIDING SYSTEM VALUE VALUES (1, 'j', 'e', 'n', 1, 1, 16, 1, 1); SELECT 1");
    assert_int_not_equal(rows_known("player"), ipr_db_test_int("SELECT count(*) FROM player"));
    assert_int_equal(rows_known("listed_year"), -1);
    assert_ok(ipr_db_command(f->db, "SET ROLE intrinsic_service", &f->err), &f->err);
    assert_ok(ipr_db_import_end(f->db, 1000, &f->err), &f->err);
    assert_int_equal(rows_known("player"), ipr_db_test_int("SELECT count(*) FROM player"));
    assert_ok(ipr_db_year_list(f->db, 1, 7, false, &list, &f->err), &f->err);
    assert_int_equal(rows_known("listed_year"), 0);
}

/* A later migrate takes back what somebody has given. */
static void test_grants_renewed(void **state)
{
    const struct ipr_db_fixture *const f = *state;
    struct ipr_err err = IPR_ERR_INIT;

    ipr_db_test_sql("GRANT ALL ON token, audit TO intrinsic_worker; SELECT 1");
    assert_ok(ipr_db_migrate(f->url, NULL, &err), &err);
    assert_string_equal(
        ipr_db_test_sql("SELECT has_table_privilege('intrinsic_worker', 'audit', 'SELECT')"), "f");
}

/* The roles are the server's, which has other databases: they go when the last test ends. */
static int roles_setup(void **state)
{
    struct ipr_err err = IPR_ERR_INIT;
    char sql[4096] = "";
    FILE *file = fopen("sql/roles.sql", "r");

    if (file == NULL || ipr_db_fixture_setup(state) != 0)
        return -1;
    assert_true(fread(sql, 1, sizeof sql - 1, file) > 0);
    fclose(file);
    ipr_db_test_sql(sql);
    return ipr_db_migrate(((struct ipr_db_fixture *)*state)->url, NULL, &err) == IPR_OK ? 0 : -1;
}

static int roles_teardown(void **state)
{
    ipr_db_test_sql("DROP OWNED BY intrinsic_service, intrinsic_worker; "
                    "DROP ROLE intrinsic_service, intrinsic_worker; SELECT 1");
    return ipr_db_fixture_teardown(state);
}

#define WITH_ROLES(test) cmocka_unit_test_setup_teardown(test, roles_setup, roles_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_ROLES(test_worker_queries),   WITH_ROLES(test_worker_refused),
        WITH_ROLES(test_service),          WITH_ROLES(test_service_statistics),
        WITH_ROLES(test_worker_partition), WITH_ROLES(test_grants_renewed),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
