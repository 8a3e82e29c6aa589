#ifndef IPR_DB_PQ_H
#define IPR_DB_PQ_H

#include <time.h>

#include <libpq-fe.h>

#include "base/str.h"
#include "chess/position.h"
#include "db/db.h"
#include "queries.h"

/* For server/db only: connections, statements, arrays, rows. No other folder includes this. */

struct ipr_db {
    struct ipr_db_pool *pool;
    PGconn *conn;               /* NULL until first used and after it broke */
    int64_t used_ms;            /* monotonic, of the last return */
    bool lent;                  /* guarded by the pool's mutex */
    int lock_ms;                /* ipr_db_lock_patience; 0: not limited */
    int64_t space;              /* ipr_db_enter */
    bool conflict;              /* the last failure was a serialisation failure or a deadlock */
    const atomic_bool *stop;    /* ipr_db_interruptible */
    const atomic_bool *lost;    /* whether the server is no longer waited for: statements fail */
    const char *doing;          /* the statement sent and not answered yet; NULL: none */
    bool prepared[IPR_Q_COUNT]; /* by this connection */
};

/** A pool without a connection yet. */
struct ipr_db_pool *ipr_db_pool_new(const char *url, unsigned size, const atomic_bool *lost);

/** Connects and applies `settings` (SQL). `down` is the code for a database that is unavailable. */
IPR_CHECK enum ipr_code ipr_db_connect(const char *url, const char *settings, enum ipr_code down,
                                       PGconn **out, struct ipr_err *err);
/** IPR_EDB unless the schema is the one this program was built with. */
IPR_CHECK enum ipr_code ipr_db_schema_check(PGconn *conn, struct ipr_err *err);

/** Clears `res`: a code for its error, the message on one line. */
enum ipr_code ipr_db_fail_take(PGconn *conn, PGresult *res, const char *doing, struct ipr_err *err);
/** The same within a transaction: db->conflict says whether it may be tried again. */
enum ipr_code ipr_db_lost_take(struct ipr_db *db, PGresult *res, const char *doing,
                               struct ipr_err *err);
/** A statement without parameters or rows, e.g. BEGIN. */
IPR_CHECK enum ipr_code ipr_db_command(struct ipr_db *db, const char *sql, struct ipr_err *err);

/** A prepared statement's answer, as PQexecPrepared, or with `sql` that of the text, planned for
 * these parameters; cancelled as ipr_db_interruptible says. */
PGresult *ipr_db_run(struct ipr_db *db, const char *name, const char *sql, int n,
                     const char *const *params);
/** As PQprepare. */
PGresult *ipr_db_run_prepare(struct ipr_db *db, const char *name, const char *sql, int n);
/** The same of a text without parameters. */
PGresult *ipr_db_run_text(struct ipr_db *db, const char *sql);
/** The first answer to a COPY … FROM STDIN: PGRES_COPY_IN unless it failed. */
PGresult *ipr_db_run_copy(struct ipr_db *db, const char *sql);

/**
 * Waits for the answer to what ipr_db_exec_later or a copy sent: its error, or IPR_OK, also when
 * nothing was sent. Every statement begins with it, so that the next one reports the error.
 */
IPR_CHECK enum ipr_code ipr_db_settle(struct ipr_db *db, struct ipr_err *err);
/** Rolls back the transaction, whatever state it is in. A failing rollback leaves a broken
 * connection, which the pool replaces. */
void ipr_db_rollback(struct ipr_db *db);

/* An array literal under construction; elements of one type. Adding escapes them. */
struct ipr_db_array {
    struct ipr_buf text;
};
void ipr_db_array_text(struct ipr_db_array *a, const char *s); /* NULL: the element is NULL */
void ipr_db_array_int(struct ipr_db_array *a, int64_t v);
void ipr_db_array_uuid(struct ipr_db_array *a, const unsigned char *bytes); /* 16; NULL: the same */

/* Parameters of one statement, in order. Running the statement empties them. */
struct ipr_db_params {
    int n;
    bool planned; /* planned for these values, each time: what they exclude costs nothing */
    const char *v[IPR_Q_PARAMS_MAX];
    struct ipr_arena mem;
};
void ipr_db_p_text(struct ipr_db_params *p, const char *s); /* borrowed; NULL is NULL */
void ipr_db_p_int(struct ipr_db_params *p, int64_t v);
void ipr_db_p_bool(struct ipr_db_params *p, bool v);
void ipr_db_p_double(struct ipr_db_params *p, double v);
void ipr_db_p_bytes(struct ipr_db_params *p, const void *bytes, size_t n); /* NULL is NULL */
void ipr_db_p_array_take(struct ipr_db_params *p, struct ipr_db_array *a);
/** A set of classes of time control as an array of them: the planner can estimate the selectivity
 * of = ANY of it, but assumes 1/200 for any test of bits. */
void ipr_db_p_times(struct ipr_db_params *p, unsigned times);

/** Runs a statement; `out` may be NULL when its rows do not matter. Empties p. */
IPR_CHECK enum ipr_code ipr_db_exec(struct ipr_db *db, enum ipr_query q, struct ipr_db_params *p,
                                    PGresult **out, struct ipr_err *err);
/** Sends a statement whose rows do not matter and returns while it is running, for a caller with
 * other work to do meanwhile. Within a transaction. Empties p. */
IPR_CHECK enum ipr_code ipr_db_exec_later(struct ipr_db *db, enum ipr_query q,
                                          struct ipr_db_params *p, struct ipr_err *err);
/** ipr_db_exec; *rows: the number affected or returned. */
IPR_CHECK enum ipr_code ipr_db_exec_count(struct ipr_db *db, enum ipr_query q,
                                          struct ipr_db_params *p, int64_t *rows,
                                          struct ipr_err *err);

/* One row being read. Failure is sticky: read all columns, then look at rc. A NULL where none
 * is allowed, a number out of range or a missing column is IPR_EDB. Text lives in mem. */
struct ipr_db_row {
    const PGresult *res;
    int row;
    struct ipr_arena *mem;
    struct ipr_err *err;
    enum ipr_code rc;
};
int64_t ipr_db_col_int(struct ipr_db_row *r, const char *name, int64_t lo, int64_t hi);
int64_t ipr_db_col_i64(struct ipr_db_row *r, const char *name);
int32_t ipr_db_col_i32(struct ipr_db_row *r, const char *name);
int32_t ipr_db_col_i32_or(struct ipr_db_row *r, const char *name, int32_t when_null);
double ipr_db_col_double(struct ipr_db_row *r, const char *name);
double ipr_db_col_double_or(struct ipr_db_row *r, const char *name, double when_null);
bool ipr_db_col_bool(struct ipr_db_row *r, const char *name);
const char *ipr_db_col_text(struct ipr_db_row *r, const char *name);
const char *ipr_db_col_text_or(struct ipr_db_row *r, const char *name, const char *when_null);
/** Valid until the row is read; ipr_db_col_accept fails the row if the text is not a known one. */
const char *ipr_db_col_word(struct ipr_db_row *r, const char *name);
void ipr_db_col_accept(struct ipr_db_row *r, const char *name, bool known);
void ipr_db_col_chars(struct ipr_db_row *r, const char *name, char *out, size_t size);
struct ipr_str ipr_db_col_bytes(struct ipr_db_row *r, const char *name);
struct ipr_str ipr_db_col_bytes_or(struct ipr_db_row *r, const char *name); /* NULL is empty */

/* Moves as game.moves has them: two bytes a half-move, little endian on every machine. */
/** Appends the moves; `moves` NULL: appends nothing. */
void ipr_db_moves_bytes(const ipr_move *moves, size_t n, struct ipr_buf *out);
void ipr_db_p_moves(struct ipr_db_params *p, const ipr_move *moves, size_t n);
ipr_move *ipr_db_col_moves(struct ipr_db_row *r, const char *name, size_t *n); /* NULL: none */
/** game.start_fen; NULL is the initial position. */
void ipr_db_col_start(struct ipr_db_row *r, const char *name, struct ipr_pos *out);

/** Reads one row into a zeroed struct. */
typedef void (*ipr_db_fill_fn)(struct ipr_db_row *r, void *out);

/** Runs a statement and reads all rows into an array of `size`-byte structs in mem. */
IPR_CHECK enum ipr_code ipr_db_list(struct ipr_db *db, enum ipr_query q, struct ipr_db_params *p,
                                    struct ipr_arena *mem, size_t size, ipr_db_fill_fn fill,
                                    void **rows, size_t *n, struct ipr_err *err);
/** The same for one row, copied to `out`, if there is one. mem may be NULL when no text is read. */
IPR_CHECK enum ipr_code ipr_db_maybe(struct ipr_db *db, enum ipr_query q, struct ipr_db_params *p,
                                     struct ipr_arena *mem, size_t size, ipr_db_fill_fn fill,
                                     void *out, bool *found, struct ipr_err *err);
/** fn in the caller's transaction when there is one, else in one of its own. */
IPR_CHECK enum ipr_code ipr_db_within(struct ipr_db *db, ipr_db_tx_fn fn, void *arg,
                                      struct ipr_err *err);

#endif
