/* Checks that the database has the schema of this program. */
#include "db/pq.h"

#include <string.h>

#include "migrations.h"

enum ipr_code ipr_db_schema_check(PGconn *conn, struct ipr_err *err)
{
    int64_t number = 0;
    PGresult *res = PQexec(conn, "SELECT max(number) FROM schema_migration");
    const char *state = PQresultErrorField(res, PG_DIAG_SQLSTATE);

    if (PQresultStatus(res) != PGRES_TUPLES_OK && (state == NULL || strcmp(state, "42P01") != 0))
        return ipr_db_fail_take(conn, res, "schema_migration", err);
    if (PQntuples(res) == 1)
        (void)ipr_str_int(ipr_str_c(PQgetvalue(res, 0, 0)), 0, INT32_MAX, &number);
    PQclear(res);
    if (number < IPR_MIGRATIONS)
        return ipr_err_type(err, IPR_EDB, IPR_DB_SCHEMA,
                            "the database is at migration %d of %d: run `intrinsic migrate`",
                            (int)number, IPR_MIGRATIONS);
    if (number > IPR_MIGRATIONS)
        return ipr_err_type(err, IPR_EDB, IPR_DB_SCHEMA,
                            "the database is newer than this program: it is at migration %d, this "
                            "program knows %d",
                            (int)number, IPR_MIGRATIONS);
    return IPR_OK;
}

enum ipr_code ipr_db_ready(struct ipr_db *db, struct ipr_err *err)
{
    return ipr_db_schema_check(db->conn, err);
}
