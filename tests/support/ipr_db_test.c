#include "ipr_db_test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <libpq-fe.h>

static char name[64], url[512];

static _Noreturn void give_up(const char *what, const char *why)
{
    fprintf(stderr, "%s: %s\n", what, why);
    exit(99);
}

static const char *server(void)
{
    const char *s = getenv("INTRINSIC_TEST_PG");

    if (s == NULL || s[0] == '\0')
        give_up("INTRINSIC_TEST_PG", "not set; run me through tests/support/with_pg.sh");
    return s;
}

static PGconn *connect_to(const char *where)
{
    PGconn *conn = PQconnectdb(where);

    if (PQstatus(conn) != CONNECTION_OK)
        give_up(where, PQerrorMessage(conn));
    return conn;
}

static void command(PGconn *conn, const char *sql)
{
    PGresult *res = PQexec(conn, sql);

    if (PQresultStatus(res) != PGRES_COMMAND_OK && PQresultStatus(res) != PGRES_TUPLES_OK)
        give_up(sql, PQerrorMessage(conn));
    PQclear(res);
}

static void on_server(const char *verb, const char *options)
{
    PGconn *conn = connect_to(server());
    char sql[160];

    snprintf(sql, sizeof sql, "%s %s%s", verb, name, options);
    command(conn, sql);
    PQfinish(conn);
}

static void create(const char *options)
{
    static unsigned serial;

    snprintf(name, sizeof name, "test_%ld_%u", (long)getpid(), ++serial);
    /* Of two settings of one name in a libpq string the last one counts. */
    snprintf(url, sizeof url, "%s dbname=%s", server(), name);
    on_server("CREATE DATABASE", options);
}

const char *ipr_db_test_create(void)
{
    create("");
    return url;
}

#define MIGRATED "test_migrated"

/* Fills the database that migrated ones are copies of, for all programs that use the server. One
 * that was left half filled, because its program was killed, is made again. */
static void migrated_make(PGconn *conn)
{
    struct ipr_err err = IPR_ERR_INIT;
    char migrated[512];

    command(conn, "DROP DATABASE IF EXISTS " MIGRATED " WITH (FORCE)");
    command(conn, "CREATE DATABASE " MIGRATED);
    snprintf(migrated, sizeof migrated, "%s dbname=" MIGRATED, server());
    if (ipr_db_migrate(migrated, NULL, &err) != IPR_OK)
        give_up("migrate", err.msg);
    command(conn, "ALTER DATABASE " MIGRATED " IS_TEMPLATE true");
}

const char *ipr_db_test_create_migrated(void)
{
    static bool made;

    if (!made) {
        PGconn *conn = connect_to(server());

        command(conn, "SELECT pg_advisory_lock(hashtext('" MIGRATED "'))");
        PGresult *res = PQexec(
            conn, "SELECT FROM pg_database WHERE datistemplate AND datname = '" MIGRATED "'");

        if (PQresultStatus(res) != PGRES_TUPLES_OK)
            give_up(MIGRATED, PQerrorMessage(conn));
        if (PQntuples(res) == 0)
            migrated_make(conn);
        PQclear(res);
        PQfinish(conn);
        made = true;
    }
    create(" TEMPLATE " MIGRATED);
    return url;
}

void ipr_db_test_drop(void)
{
    on_server("DROP DATABASE IF EXISTS", " WITH (FORCE)");
}

int ipr_db_test_setup(void **state)
{
    *(const char **)state = ipr_db_test_create_migrated();
    return 0;
}

int ipr_db_test_teardown(void **state)
{
    (void)state;
    ipr_db_test_drop();
    return 0;
}

int ipr_db_fixture_setup(void **state)
{
    struct ipr_db_fixture *f = ipr_xcalloc(1, sizeof *f);

    f->url = ipr_db_test_create_migrated();
    f->err.ply = -1;
    if (ipr_db_pool_open(f->url, 4, &f->pool, &f->err) != IPR_OK ||
        ipr_db_lease(f->pool, &f->db, &f->err) != IPR_OK)
        give_up("pool", f->err.msg);
    *state = f;
    return 0;
}

int ipr_db_fixture_teardown(void **state)
{
    struct ipr_db_fixture *f = *state;

    ipr_db_return(&f->db);
    ipr_db_pool_close(&f->pool);
    ipr_arena_release(&f->mem);
    free(f);
    ipr_db_test_drop();
    return 0;
}

/* A service under test may still read what a TRUNCATE waits for, in another order: the victim of
 * the deadlock has changed nothing and asks again. */
static PGresult *exec_despite_deadlock(PGconn *conn, const char *sql)
{
    for (int tries = 0;; tries++) {
        PGresult *res = PQexec(conn, sql);
        const char *state = PQresultErrorField(res, PG_DIAG_SQLSTATE);

        if (tries == 10 || state == NULL || strcmp(state, "40P01") != 0)
            return res;
        PQclear(res);
    }
}

const char *ipr_db_test_sql(const char *sql)
{
    static char value[8192];
    PGconn *conn = connect_to(url);
    PGresult *res = exec_despite_deadlock(conn, sql);

    if (PQresultStatus(res) != PGRES_COMMAND_OK && PQresultStatus(res) != PGRES_TUPLES_OK)
        give_up(sql, PQerrorMessage(conn));
    value[0] = '\0';
    if (PQntuples(res) > 0)
        snprintf(value, sizeof value, "%s", PQgetvalue(res, 0, 0));
    PQclear(res);
    PQfinish(conn);
    return value;
}

int64_t ipr_db_test_int(const char *sql)
{
    return strtoll(ipr_db_test_sql(sql), NULL, 10);
}

int32_t ipr_db_test_player(const char *who)
{
    char sql[128];

    snprintf(sql, sizeof sql, "SELECT id FROM player WHERE name = '%s'", who);
    return (int32_t)ipr_db_test_int(sql);
}

bool ipr_db_test_refused(const char *sql)
{
    PGconn *conn = connect_to(url);
    PGresult *res = PQexec(conn, sql);
    const bool refused = PQresultStatus(res) == PGRES_FATAL_ERROR;

    PQclear(res);
    PQfinish(conn);
    return refused;
}

static PGconn *holder;

void ipr_db_test_hold(const char *sql)
{
    holder = connect_to(url);
    PGresult *res = PQexec(holder, "BEGIN");

    PQclear(res);
    res = PQexec(holder, sql);
    if (PQresultStatus(res) != PGRES_COMMAND_OK)
        give_up(sql, PQerrorMessage(holder));
    PQclear(res);
}

void ipr_db_test_let_go(void)
{
    PQfinish(holder);
    holder = NULL;
}
