/* The binary form of COPY: PostgreSQL manual, "COPY", File Formats, Binary Format. */
#include "db/copy.h"

#include <assert.h>
#include <endian.h>
#include <limits.h>
#include <string.h>

#define MOST_BYTES ((size_t)64 * 1024) /* libpq copies what it is given: a piece at a time */

static void put16(struct ipr_db_copy *c, int v)
{
    const uint16_t big = htobe16((uint16_t)v);

    ipr_buf_add(&c->bytes, &big, sizeof big);
}

static void put32(struct ipr_db_copy *c, int64_t v)
{
    const uint32_t big = htobe32((uint32_t)v);

    ipr_buf_add(&c->bytes, &big, sizeof big);
}

static void begin(struct ipr_db_copy *c)
{
    static const char signature[] = "PGCOPY\n\377\r\n"; /* its terminator belongs to it */

    ipr_buf_add(&c->bytes, signature, sizeof signature);
    put32(c, 0); /* flags */
    put32(c, 0); /* length of an extension of the header */
}

void ipr_db_copy_row(struct ipr_db_copy *c, int fields)
{
    if (c->bytes.n == 0)
        begin(c);
    put16(c, fields);
}

void ipr_db_copy_i16(struct ipr_db_copy *c, int64_t v)
{
    assert(v >= INT16_MIN && v <= INT16_MAX);
    put32(c, 2);
    put16(c, (int)v);
}

void ipr_db_copy_i32(struct ipr_db_copy *c, int64_t v)
{
    assert(v >= INT32_MIN && v <= INT32_MAX);
    put32(c, 4);
    put32(c, v);
}

void ipr_db_copy_i64(struct ipr_db_copy *c, int64_t v)
{
    const uint64_t big = htobe64((uint64_t)v);

    put32(c, 8);
    ipr_buf_add(&c->bytes, &big, sizeof big);
}

void ipr_db_copy_bool(struct ipr_db_copy *c, bool v)
{
    put32(c, 1);
    ipr_buf_putc(&c->bytes, v ? 1 : 0);
}

void ipr_db_copy_bytes(struct ipr_db_copy *c, const void *bytes, size_t n)
{
    assert(n <= INT32_MAX);
    put32(c, (int64_t)n);
    ipr_buf_add(&c->bytes, bytes, n);
}

void ipr_db_copy_text(struct ipr_db_copy *c, const char *s)
{
    if (s == NULL)
        ipr_db_copy_null(c);
    else
        ipr_db_copy_bytes(c, s, strlen(s));
}

void ipr_db_copy_null(struct ipr_db_copy *c)
{
    put32(c, -1);
}

static bool send_bytes(PGconn *conn, const struct ipr_buf *b)
{
    for (size_t at = 0; at < b->n; at += MOST_BYTES) {
        const size_t n = b->n - at < MOST_BYTES ? b->n - at : MOST_BYTES;

        if (PQputCopyData(conn, b->p + at, (int)n) != 1)
            return false;
    }
    return PQputCopyEnd(conn, NULL) == 1;
}

/* The answer to a statement is its last result; what went wrong first is told. */
static enum ipr_code finish(struct ipr_db *db, struct ipr_err *err)
{
    enum ipr_code rc = IPR_OK;
    PGresult *res;

    while ((res = PQgetResult(db->conn)) != NULL) {
        if (rc == IPR_OK && PQresultStatus(res) != PGRES_COMMAND_OK)
            rc = ipr_db_lost_take(db, res, "copy", err);
        else
            PQclear(res);
        if (PQstatus(db->conn) == CONNECTION_BAD)
            break;
    }
    return rc;
}

enum ipr_code ipr_db_copy_take(struct ipr_db *db, const char *sql, struct ipr_db_copy *c,
                               struct ipr_err *err)
{
    enum ipr_code rc = IPR_OK;
    PGresult *res;

    if (c->bytes.n == 0)
        return IPR_OK;
    put16(c, -1); /* the end of the rows */
    res = PQexec(db->conn, sql);
    if (PQresultStatus(res) != PGRES_COPY_IN) {
        rc = ipr_db_lost_take(db, res, "copy", err);
    } else {
        PQclear(res);
        const bool sent = send_bytes(db->conn, &c->bytes);

        rc = finish(db, err);
        if (rc == IPR_OK && !sent)
            rc = ipr_err_set(err, IPR_ERETRY, "copy: the connection broke");
    }
    ipr_buf_release(&c->bytes);
    return rc;
}
