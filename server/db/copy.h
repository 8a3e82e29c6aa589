#ifndef IPR_DB_COPY_H
#define IPR_DB_COPY_H

#include "base/str.h"
#include "db/pq.h"

/* Rows on their way into a table by COPY in binary form. Inside of server/db. */

struct ipr_db_copy {
    struct ipr_db *db;
    struct ipr_buf bytes; /* not sent yet */
    bool broken;
};

/** Runs `sql`, a COPY … FROM STDIN (FORMAT binary), within a transaction. Unless that fails, rows
 * follow, and ipr_db_copy_end before any other statement. */
IPR_CHECK enum ipr_code ipr_db_copy_begin(struct ipr_db *db, const char *sql, struct ipr_db_copy *c,
                                          struct ipr_err *err);

/** Starts a row of so many fields; each is then added once, in the order of the statement. */
void ipr_db_copy_row(struct ipr_db_copy *c, int fields);
void ipr_db_copy_i16(struct ipr_db_copy *c, int64_t v);
void ipr_db_copy_i32(struct ipr_db_copy *c, int64_t v);
void ipr_db_copy_i64(struct ipr_db_copy *c, int64_t v);
void ipr_db_copy_bool(struct ipr_db_copy *c, bool v);
void ipr_db_copy_bytes(struct ipr_db_copy *c, const void *bytes, size_t n); /* text, json, bytea */
void ipr_db_copy_text(struct ipr_db_copy *c, const char *s);                /* NULL is NULL */
void ipr_db_copy_null(struct ipr_db_copy *c);

/** Sends what is left and releases memory. The statement may still be running, as after
 * ipr_db_exec_later. */
IPR_CHECK enum ipr_code ipr_db_copy_end(struct ipr_db_copy *c, struct ipr_err *err);

#endif
