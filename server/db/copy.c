/* The binary form of COPY: PostgreSQL manual, "COPY", File Formats, Binary Format. */
#include "db/copy.h"

#include <assert.h>
#include <endian.h>
#include <string.h>

#include "queries/duplicate_candidates_inside.h"

#define PIECE_BYTES ((size_t)64 * 1024) /* sent at a time: the database reads them meanwhile */

static void copy_put16(struct ipr_db_copy *c, int v)
{
    const uint16_t big = htobe16((uint16_t)v);

    ipr_buf_add(&c->bytes, &big, sizeof big);
}

static void copy_put32(struct ipr_db_copy *c, int64_t v)
{
    const uint32_t big = htobe32((uint32_t)v);

    ipr_buf_add(&c->bytes, &big, sizeof big);
}

enum ipr_code ipr_db_copy_begin(struct ipr_db *db, const char *sql, struct ipr_db_copy *c,
                                struct ipr_err *err)
{
    static const char signature[] = "PGCOPY\n\377\r\n"; /* its terminator belongs to it */
    enum ipr_code rc = ipr_db_settle(db, err);

    if (rc == IPR_OK)
        rc = ipr_db_copy_settings(db, err);
    if (rc != IPR_OK)
        return rc;
    assert(PQtransactionStatus(db->conn) != PQTRANS_IDLE);
    PGresult *res = ipr_db_run_copy(db, sql);
    if (PQresultStatus(res) != PGRES_COPY_IN)
        return ipr_db_lost_take(db, res, "copy", err);
    PQclear(res);
    *c = (struct ipr_db_copy){ .db = db };
    ipr_buf_add(&c->bytes, signature, sizeof signature);
    copy_put32(c, 0); /* flags */
    copy_put32(c, 0); /* length of an extension of the header */
    return IPR_OK;
}

/* Failure is sticky: reported at the end. */
static void send_bytes(struct ipr_db_copy *c)
{
    for (size_t at = 0; at < c->bytes.n && !c->broken; at += PIECE_BYTES) {
        const size_t n = c->bytes.n - at < PIECE_BYTES ? c->bytes.n - at : PIECE_BYTES;

        c->broken = PQputCopyData(c->db->conn, c->bytes.p + at, (int)n) != 1;
    }
    ipr_buf_reset(&c->bytes);
}

void ipr_db_copy_row(struct ipr_db_copy *c, int fields)
{
    if (c->bytes.n >= PIECE_BYTES)
        send_bytes(c);
    copy_put16(c, fields);
}

void ipr_db_copy_i16(struct ipr_db_copy *c, int64_t v)
{
    assert(v >= INT16_MIN && v <= INT16_MAX);
    copy_put32(c, 2);
    copy_put16(c, (int)v);
}

void ipr_db_copy_i32(struct ipr_db_copy *c, int64_t v)
{
    assert(v >= INT32_MIN && v <= INT32_MAX);
    copy_put32(c, 4);
    copy_put32(c, v);
}

void ipr_db_copy_i64(struct ipr_db_copy *c, int64_t v)
{
    const uint64_t big = htobe64((uint64_t)v);

    copy_put32(c, 8);
    ipr_buf_add(&c->bytes, &big, sizeof big);
}

void ipr_db_copy_bool(struct ipr_db_copy *c, bool v)
{
    copy_put32(c, 1);
    ipr_buf_putc(&c->bytes, v ? 1 : 0);
}

void ipr_db_copy_bytes(struct ipr_db_copy *c, const void *bytes, size_t n)
{
    assert(n <= INT32_MAX);
    copy_put32(c, (int64_t)n);
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
    copy_put32(c, -1);
}

enum ipr_code ipr_db_copy_end(struct ipr_db_copy *c, struct ipr_err *err)
{
    copy_put16(c, -1); /* the end of the rows */
    send_bytes(c);
    ipr_buf_release(&c->bytes);
    if (c->broken || PQputCopyEnd(c->db->conn, NULL) != 1)
        return ipr_db_lost_take(c->db, NULL, "copy", err);
    c->db->doing = "copy";
    return IPR_OK;
}
