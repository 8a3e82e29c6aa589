#define IPR_QUERIES_TABLE
#include "db/pq.h"

#include <assert.h>
#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "base/mem.h"
#include "pgn/time_class.h"

/* Connections and statements. */

#define READS_MAX 8 /* of what a connection has left that has ended */

static void ignore_notice(void *arg, const PGresult *res)
{
    (void)arg;
    (void)res;
}

/* libpq's messages have several lines and a newline at the end; ours have one line. */
static void one_line(const char *message, char out[IPR_ERR_TEXT])
{
    size_t n = 0;

    for (; *message != '\0' && n + 1 < IPR_ERR_TEXT; message++) {
        const char c = (char)((unsigned char)*message < ' ' ? ' ' : *message);

        if (c != ' ' || (n > 0 && out[n - 1] != ' '))
            out[n++] = c;
    }
    while (n > 0 && out[n - 1] == ' ')
        n--;
    out[n] = '\0';
}

/* Where a backend crashes the others send a notice and end. libpq reads that, and reports that it
 * could not send, before it reads the end of the connection. */
static bool is_broken(PGconn *conn)
{
    struct pollfd fd = { .fd = PQsocket(conn), .events = POLLIN };

    for (int i = 0; i < READS_MAX && PQstatus(conn) == CONNECTION_OK && poll(&fd, 1, 0) > 0; i++)
        (void)PQconsumeInput(conn);
    return PQstatus(conn) == CONNECTION_BAD;
}

/* The type of a problem that the operator has to end; "" for any other. */
static const char *type_of_state(PGconn *conn, const char *state)
{
    /* The server stops or starts, or the connection broke (PostgreSQL, appendix A). */
    if ((state[0] == '\0' && is_broken(conn)) || strncmp(state, "08", 2) == 0 ||
        PQstatus(conn) == CONNECTION_BAD || strcmp(state, "57P01") == 0 ||
        strcmp(state, "57P02") == 0 || strcmp(state, "57P03") == 0)
        return IPR_DB_AWAY;
    if (strcmp(state, "25006") == 0)
        return IPR_DB_READ_ONLY;
    return strcmp(state, "53100") == 0 ? IPR_STORAGE_FULL : "";
}

/* `type`: that of the state. */
static enum ipr_code code_of_state(const char *type, const char *state)
{
    static const char *const transient[] = { "40001", "40P01", "55P03", "57014",
                                             "53300", "25P03", "57P05" };

    if (type[0] != '\0')
        return IPR_ERETRY;
    for (size_t i = 0; i < sizeof transient / sizeof *transient; i++)
        if (strcmp(state, transient[i]) == 0)
            return IPR_ERETRY;
    if (strcmp(state, "23505") == 0 || strcmp(state, "23503") == 0)
        return IPR_ECONFLICT;
    return IPR_EDB;
}

enum ipr_code ipr_db_fail_take(PGconn *conn, PGresult *res, const char *doing, struct ipr_err *err)
{
    const char *state = PQresultErrorField(res, PG_DIAG_SQLSTATE);
    const char *primary = PQresultErrorField(res, PG_DIAG_MESSAGE_PRIMARY);
    char message[IPR_ERR_TEXT];

    state = state != NULL ? state : "";
    one_line(primary != NULL ? primary : PQerrorMessage(conn), message);
    const char *type = type_of_state(conn, state);
    /* While the connection stands, only libpq's own failure has no SQLSTATE: it lacks memory. */
    const bool no_memory = state[0] == '\0' && type[0] == '\0';
    const enum ipr_code code = no_memory ? IPR_ERETRY : code_of_state(type, state);

    /* Without memory for an answer libpq goes on, though nobody knows what the server has done: a
     * statement may be prepared. So nothing follows on this connection. */
    if (no_memory)
        (void)shutdown(PQsocket(conn), SHUT_RDWR);
    ipr_err_type(err, code, type, "%s: %s%s%s", doing, message,
                 state[0] != '\0' ? ", SQLSTATE " : "", state);
    PQclear(res);
    return code;
}

enum ipr_code ipr_db_lost_take(struct ipr_db *db, PGresult *res, const char *doing,
                               struct ipr_err *err)
{
    const char *state = PQresultErrorField(res, PG_DIAG_SQLSTATE);

    db->conflict = state != NULL && (strcmp(state, "40001") == 0 || strcmp(state, "40P01") == 0);
    return ipr_db_fail_take(db->conn, res, doing, err);
}

static bool is_success(const PGresult *res)
{
    const ExecStatusType s = PQresultStatus(res);

    return s == PGRES_COMMAND_OK || s == PGRES_TUPLES_OK;
}

enum ipr_code ipr_db_connect(const char *url, const char *settings, enum ipr_code down,
                             PGconn **out, struct ipr_err *err)
{
    /* The URL may override what comes before dbname. */
    static const char *const keys[] = { "connect_timeout",           "tcp_user_timeout",
                                        "fallback_application_name", "dbname",
                                        "client_encoding",           NULL };
    const char *const values[] = { "5", "30000", "intrinsic", url, "UTF8", NULL };
    PGconn *conn = PQconnectdbParams(keys, values, 1);
    PGresult *res;

    if (PQstatus(conn) != CONNECTION_OK) {
        char message[IPR_ERR_TEXT];

        one_line(conn != NULL ? PQerrorMessage(conn) : "out of memory", message);
        PQfinish(conn);
        return ipr_err_type(err, down, IPR_DB_AWAY, "no connection to the database: %s", message);
    }
    PQsetNoticeReceiver(conn, ignore_notice, NULL);
    res = PQexec(conn, settings);
    if (!is_success(res)) {
        const enum ipr_code rc = ipr_db_fail_take(conn, res, "connection settings", err);

        PQfinish(conn);
        return rc;
    }
    PQclear(res);
    *out = conn;
    return IPR_OK;
}

bool ipr_db_away(const char *url)
{
    static const char *const keys[] = { "connect_timeout", "dbname", NULL };
    const char *const values[] = { "5", url, NULL };
    const PGPing answer = PQpingParams(keys, values, 1);

    return answer == PQPING_REJECT || answer == PQPING_NO_RESPONSE;
}

/* A connection prepares a statement when it first runs it: most connections run few of them, and to
 * prepare all takes a server longer than to let the client in. A rollback does not undo it. */
static enum ipr_code statement_prepare(struct ipr_db *db, enum ipr_query q, struct ipr_err *err)
{
    const struct ipr_query_text *text = &ipr_queries[q];

    if (db->prepared[q])
        return IPR_OK;
    PGresult *res = ipr_db_run_prepare(db, text->name, text->sql, text->n_params);
    if (!is_success(res))
        return ipr_db_lost_take(db, res, text->name, err);
    PQclear(res);
    db->prepared[q] = true;
    return IPR_OK;
}

/* The answer to a statement is its last result; the first error is reported. */
enum ipr_code ipr_db_settle(struct ipr_db *db, struct ipr_err *err)
{
    const char *doing = db->doing;
    enum ipr_code rc = IPR_OK;
    PGresult *res;

    db->doing = NULL;
    while (doing != NULL && (res = PQgetResult(db->conn)) != NULL) {
        if (rc == IPR_OK && !is_success(res))
            rc = ipr_db_lost_take(db, res, doing, err);
        else
            PQclear(res);
        if (PQstatus(db->conn) == CONNECTION_BAD)
            break;
    }
    return rc;
}

void ipr_db_rollback(struct ipr_db *db)
{
    db->doing = NULL; /* libpq discards the pending result */
    PQclear(PQexec(db->conn, "ROLLBACK"));
}

enum ipr_code ipr_db_command(struct ipr_db *db, const char *sql, struct ipr_err *err)
{
    const enum ipr_code rc = ipr_db_settle(db, err);

    if (rc != IPR_OK)
        return rc;
    PGresult *res = ipr_db_run_text(db, sql);
    if (!is_success(res))
        return ipr_db_lost_take(db, res, sql, err);
    /* COMMIT of a failed transaction returns the status ROLLBACK, which libpq reports as
     * success. */
    const bool undone = strcmp(sql, "COMMIT") == 0 && strcmp(PQcmdStatus(res), "COMMIT") != 0;
    PQclear(res);
    if (undone)
        return ipr_err_set(err, IPR_EDB, "a statement of the transaction had failed");
    return IPR_OK;
}

static void empty_params(struct ipr_db_params *p)
{
    if (p == NULL)
        return;
    ipr_arena_release(&p->mem);
    p->n = 0;
}

enum ipr_code ipr_db_exec(struct ipr_db *db, enum ipr_query q, struct ipr_db_params *p,
                          PGresult **out, struct ipr_err *err)
{
    const int n = p != NULL ? p->n : 0;
    const bool planned = p != NULL && p->planned;
    enum ipr_code rc = ipr_db_settle(db, err);
    PGresult *res = NULL;

    assert((unsigned)q < IPR_Q_COUNT && n == ipr_queries[q].n_params);
    if (rc == IPR_OK && !planned)
        rc = statement_prepare(db, q, err);
    if (rc == IPR_OK)
        res = ipr_db_run(db, ipr_queries[q].name, planned ? ipr_queries[q].sql : NULL, n,
                         p != NULL ? p->v : NULL);
    empty_params(p);
    if (rc != IPR_OK)
        return rc;
    if (!is_success(res))
        return ipr_db_lost_take(db, res, ipr_queries[q].name, err);
    if (out != NULL)
        *out = res;
    else
        PQclear(res);
    return IPR_OK;
}

enum ipr_code ipr_db_exec_later(struct ipr_db *db, enum ipr_query q, struct ipr_db_params *p,
                                struct ipr_err *err)
{
    enum ipr_code rc = ipr_db_settle(db, err);

    assert((unsigned)q < IPR_Q_COUNT && p->n == ipr_queries[q].n_params);
    assert(rc != IPR_OK || PQtransactionStatus(db->conn) != PQTRANS_IDLE);
    if (rc == IPR_OK)
        rc = statement_prepare(db, q, err);
    if (rc == IPR_OK &&
        PQsendQueryPrepared(db->conn, ipr_queries[q].name, p->n, p->v, NULL, NULL, 0) == 1)
        db->doing = ipr_queries[q].name;
    else if (rc == IPR_OK)
        rc = ipr_db_lost_take(db, NULL, ipr_queries[q].name, err);
    empty_params(p);
    return rc;
}

enum ipr_code ipr_db_exec_count(struct ipr_db *db, enum ipr_query q, struct ipr_db_params *p,
                                int64_t *rows, struct ipr_err *err)
{
    PGresult *res = NULL;
    const enum ipr_code rc = ipr_db_exec(db, q, p, &res, err);

    if (rc == IPR_OK && !ipr_str_int(ipr_str_c(PQcmdTuples(res)), 0, INT64_MAX, rows))
        *rows = 0;
    PQclear(res);
    return rc;
}

/* Parameters. */

static const char **next_param(struct ipr_db_params *p)
{
    assert(p->n < IPR_Q_PARAMS_MAX);
    return &p->v[p->n++];
}

void ipr_db_p_text(struct ipr_db_params *p, const char *s)
{
    *next_param(p) = s;
}

void ipr_db_p_int(struct ipr_db_params *p, int64_t v)
{
    *next_param(p) = ipr_arena_printf(&p->mem, "%" PRId64, v);
}

void ipr_db_p_bool(struct ipr_db_params *p, bool v)
{
    *next_param(p) = v ? "t" : "f";
}

void ipr_db_p_double(struct ipr_db_params *p, double v)
{
    *next_param(p) = ipr_arena_printf(&p->mem, "%.17g", v);
}

static const char hex_digits[] = "0123456789abcdef";

static void hex_text(const unsigned char *bytes, size_t n, char *out)
{
    for (size_t i = 0; i < n; i++) {
        out[2 * i] = hex_digits[bytes[i] >> 4];
        out[2 * i + 1] = hex_digits[bytes[i] & 15];
    }
}

void ipr_db_p_bytes(struct ipr_db_params *p, const void *bytes, size_t n)
{
    char *s;

    if (bytes == NULL) {
        ipr_db_p_text(p, NULL);
        return;
    }
    if (n > (SIZE_MAX - 3) / 2)
        abort();
    s = ipr_arena_alloc(&p->mem, 2 * n + 3, 1);
    s[0] = '\\';
    s[1] = 'x';
    hex_text(bytes, n, s + 2);
    *next_param(p) = s;
}

void ipr_db_moves_bytes(const ipr_move *moves, size_t n, struct ipr_buf *out)
{
    for (size_t i = 0; moves != NULL && i < n; i++) {
        const char b[2] = { (char)(moves[i] & 255), (char)(moves[i] >> 8) };

        ipr_buf_add(out, b, sizeof b);
    }
}

void ipr_db_p_moves(struct ipr_db_params *p, const ipr_move *moves, size_t n)
{
    struct ipr_buf bytes = IPR_BUF_INIT;

    ipr_db_moves_bytes(moves, n, &bytes);
    ipr_db_p_bytes(p, ipr_buf_c(&bytes), bytes.n);
    ipr_buf_release(&bytes);
}

void ipr_db_p_array_take(struct ipr_db_params *p, struct ipr_db_array *a)
{
    if (a->text.n == 0)
        ipr_buf_putc(&a->text, '{');
    ipr_buf_putc(&a->text, '}');
    *next_param(p) = ipr_arena_strndup(&p->mem, ipr_buf_c(&a->text), a->text.n);
    ipr_buf_release(&a->text);
}

void ipr_db_p_times(struct ipr_db_params *p, unsigned times)
{
    struct ipr_db_array classes = { 0 };

    for (int c = 0; c < IPR_TIME_CLASSES; c++) {
        if (!(times & IPR_TIME_BIT(c)))
            continue;
        ipr_db_array_int(&classes, c);
        if (!(times & IPR_TIME_OWN)) /* aggregates of imported sides */
            ipr_db_array_int(&classes, c + IPR_TIME_IMPORTED);
    }
    ipr_db_p_array_take(p, &classes);
}

/* Array literals: PostgreSQL, section 8.15.6. */

static void array_next(struct ipr_db_array *a)
{
    ipr_buf_putc(&a->text, a->text.n == 0 ? '{' : ',');
}

static void array_null(struct ipr_db_array *a)
{
    array_next(a);
    ipr_buf_puts(&a->text, "NULL");
}

void ipr_db_array_text(struct ipr_db_array *a, const char *s)
{
    if (s == NULL) {
        array_null(a);
        return;
    }
    array_next(a);
    ipr_buf_putc(&a->text, '"');
    while (*s != '\0') {
        const size_t n = strcspn(s, "\\\"");

        ipr_buf_add(&a->text, s, n);
        s += n;
        if (*s != '\0') {
            ipr_buf_putc(&a->text, '\\');
            ipr_buf_putc(&a->text, *s++);
        }
    }
    ipr_buf_putc(&a->text, '"');
}

void ipr_db_array_int(struct ipr_db_array *a, int64_t v)
{
    char digits[20]; /* written from the end: an import writes millions, and printf is slow */
    size_t at = sizeof digits;
    uint64_t rest = v < 0 ? -(uint64_t)v : (uint64_t)v;

    array_next(a);
    do
        digits[--at] = (char)('0' + rest % 10);
    while ((rest /= 10) != 0);
    if (v < 0)
        digits[--at] = '-';
    ipr_buf_add(&a->text, digits + at, sizeof digits - at);
}

void ipr_db_array_uuid(struct ipr_db_array *a, const unsigned char *bytes)
{
    char text[32];

    if (bytes == NULL) {
        array_null(a);
        return;
    }
    hex_text(bytes, 16, text);
    array_next(a);
    ipr_buf_add(&a->text, text, sizeof text);
}
