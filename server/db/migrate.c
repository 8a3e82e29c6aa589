#include "db/pq.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sodium.h>

#include "db/judges.h"
#include "db/strength.h"
#include "db/time_classes.h"
#include "grants.h"
#include "migrations.h"

/* Any number will do as long as it stays: all programs that migrate take this lock. */
#define LOCK_SQL "SELECT pg_advisory_xact_lock(7460301958214905)"

static const char table_sql[] =
    "CREATE TABLE IF NOT EXISTS schema_migration ("
    "    number integer PRIMARY KEY, name text NOT NULL, checksum text NOT NULL,"
    "    applied timestamptz NOT NULL DEFAULT now())";

static void migration_checksum(const char *sql, char out[65])
{
    unsigned char digest[32];

    crypto_generichash(digest, sizeof digest, (const unsigned char *)sql, strlen(sql), NULL, 0);
    sodium_bin2hex(out, 65, digest, sizeof digest);
}

static enum ipr_code migrate_exec(PGconn *conn, const char *sql, const char *doing,
                                  struct ipr_err *err)
{
    PGresult *res = PQexec(conn, sql);
    const ExecStatusType s = PQresultStatus(res);

    if (s != PGRES_COMMAND_OK && s != PGRES_TUPLES_OK)
        return ipr_db_fail_take(conn, res, doing, err);
    PQclear(res);
    return IPR_OK;
}

/* How many of ours are recorded, each with our checksum. */
static enum ipr_code migrations_recorded(PGconn *conn, int *done, struct ipr_err *err)
{
    PGresult *res = PQexec(conn, "SELECT number, checksum FROM schema_migration ORDER BY number");
    enum ipr_code rc = IPR_OK;

    if (PQresultStatus(res) != PGRES_TUPLES_OK)
        return ipr_db_fail_take(conn, res, "schema_migration", err);
    const int n = PQntuples(res);
    if (n > IPR_MIGRATIONS)
        rc = ipr_err_set(err, IPR_EDB,
                         "the database is newer than this program: it has %d migrations, this "
                         "program knows %d",
                         n, IPR_MIGRATIONS);
    for (int i = 0; i < n && rc == IPR_OK; i++) {
        char want[65], number[16];

        migration_checksum(ipr_migrations[i].sql, want);
        snprintf(number, sizeof number, "%d", ipr_migrations[i].number);
        if (strcmp(PQgetvalue(res, i, 0), number) != 0)
            rc = ipr_err_set(err, IPR_EDB, "migration %s is not recorded but later ones are",
                             ipr_migrations[i].name);
        else if (strcmp(PQgetvalue(res, i, 1), want) != 0)
            rc = ipr_err_set(err, IPR_EDB,
                             "migration %s was applied with another text (checksum %.12s, this "
                             "program's is %.12s)",
                             ipr_migrations[i].name, PQgetvalue(res, i, 1), want);
    }
    PQclear(res);
    if (rc == IPR_OK)
        *done = n;
    return rc;
}

static enum ipr_code migration_apply(PGconn *conn, int i, struct ipr_err *err)
{
    char number[16], sum[65];
    const char *const values[] = { number, ipr_migrations[i].name, sum };
    enum ipr_code rc = migrate_exec(conn, ipr_migrations[i].sql, ipr_migrations[i].name, err);

    if (rc != IPR_OK)
        return rc;
    snprintf(number, sizeof number, "%d", ipr_migrations[i].number);
    migration_checksum(ipr_migrations[i].sql, sum);
    PGresult *res = PQexecParams(
        conn, "INSERT INTO schema_migration (number, name, checksum) VALUES ($1, $2, $3)", 3, NULL,
        values, NULL, NULL, 0);
    if (PQresultStatus(res) != PGRES_COMMAND_OK)
        return ipr_db_fail_take(conn, res, "schema_migration", err);
    PQclear(res);
    return IPR_OK;
}

/* One transaction: the next migration that is missing, if any. */
static enum ipr_code migrate_step(PGconn *conn, bool *more, struct ipr_err *err)
{
    int done = 0;
    enum ipr_code rc = migrate_exec(conn, "BEGIN", "BEGIN", err);

    if (rc == IPR_OK)
        rc = migrate_exec(conn, LOCK_SQL, "lock of the migrations", err);
    if (rc == IPR_OK)
        rc = migrate_exec(conn, table_sql, "schema_migration", err);
    if (rc == IPR_OK)
        rc = migrations_recorded(conn, &done, err);
    if (rc == IPR_OK && done < IPR_MIGRATIONS)
        rc = migration_apply(conn, done, err);
    if (rc == IPR_OK)
        rc = migrate_exec(conn, "COMMIT", "COMMIT", err);
    if (rc == IPR_OK)
        *more = done < IPR_MIGRATIONS;
    return rc;
}

/* The built-in judges of this program, sums of its version of the estimate, and its classes of
 * stored games. */
static enum ipr_code migrate_data(PGconn *conn, struct ipr_err *err)
{
    struct ipr_db db = { .conn = conn };
    unsigned games;
    enum ipr_code rc = ipr_db_definitions_ensure(&db, err);

    if (rc == IPR_OK)
        rc = ipr_db_strength_renew(&db, &games, err);
    return rc == IPR_OK ? ipr_db_time_classes_renew(&db, &games, err) : rc;
}

/* Grants the roles of sql/roles.sql what they may do with this schema. */
static enum ipr_code migrate_grants(PGconn *conn, struct ipr_err *err)
{
    enum ipr_code rc = migrate_exec(conn, "BEGIN", "BEGIN", err);

    if (rc == IPR_OK)
        rc = migrate_exec(conn, LOCK_SQL, "lock of the migrations", err);
    if (rc == IPR_OK)
        rc = migrate_exec(conn, ipr_grants_sql, "rights of roles", err);
    return rc == IPR_OK ? migrate_exec(conn, "COMMIT", "COMMIT", err) : rc;
}

enum ipr_code ipr_db_migrate(const char *url, unsigned *applied, struct ipr_err *err)
{
    PGconn *conn = NULL;
    bool more = true;
    unsigned n = 0;
    enum ipr_code rc = IPR_OK;

    if (sodium_init() < 0)
        return ipr_err_set(err, IPR_EIO, "no source of randomness");
    /* Another program may need long to migrate: no timeout on the lock or the statements. */
    rc =
        ipr_db_connect(url, "SET statement_timeout = 0; SET lock_timeout = 0", IPR_EDB, &conn, err);
    while (rc == IPR_OK && more) {
        rc = migrate_step(conn, &more, err);
        if (rc == IPR_OK && more)
            n++;
    }
    if (rc == IPR_OK)
        rc = migrate_data(conn, err);
    if (rc == IPR_OK)
        rc = migrate_grants(conn, err);
    PQfinish(conn);
    if (rc == IPR_OK && applied != NULL)
        *applied = n;
    return rc;
}
