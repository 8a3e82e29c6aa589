#include <errno.h>
#include <poll.h>
#include <sys/socket.h>

#include "db/pq.h"

#define LOOK_MS 100 /* between two checks whether to stop */

void ipr_db_interruptible(struct ipr_db *db, const atomic_bool *stop)
{
    db->stop = stop;
}

/* Waits for the result of the statement that was sent. Once *stop is set, a cancel request is sent
 * at every check: the server ignores one that arrives before the statement has begun. PQcancel
 * returns after the request was delivered, so that none cancels the next statement. PQgetResult
 * would wait for ever for the answer to a COPY that it has read, but had no memory for: PQisBusy
 * tries again (libpq 15, getCopyStart). */
static void await_answer(struct ipr_db *db)
{
    struct pollfd fd = { .fd = PQsocket(db->conn), .events = POLLIN };

    while (PQisBusy(db->conn)) {
        if (db->lost != NULL && atomic_load(db->lost)) {
            (void)shutdown(fd.fd, SHUT_RDWR); /* libpq sees the end of the connection */
            return;
        }
        if (db->stop != NULL && atomic_load(db->stop)) {
            PGcancel *c = PQgetCancel(db->conn);
            char why[256];

            /* Without one the statement ends by itself, or times out. */
            if (c != NULL)
                (void)PQcancel(c, why, sizeof why);
            PQfreeCancel(c);
        }
        const int ready = poll(&fd, 1, LOOK_MS);
        if ((ready < 0 && errno != EINTR) || (ready > 0 && !PQconsumeInput(db->conn)))
            return;
    }
}

/* As PQexecPrepared: returns the last result. */
static PGresult *last_result(struct ipr_db *db)
{
    PGresult *last = NULL, *res;

    for (await_answer(db); (res = PQgetResult(db->conn)) != NULL; await_answer(db)) {
        PQclear(last);
        last = res;
        if (PQstatus(db->conn) == CONNECTION_BAD)
            break;
    }
    return last;
}

PGresult *ipr_db_run(struct ipr_db *db, const char *name, const char *sql, int n,
                     const char *const *params)
{
    const int sent = sql != NULL ? PQsendQueryParams(db->conn, sql, n, NULL, params, NULL, NULL, 0)
                                 : PQsendQueryPrepared(db->conn, name, n, params, NULL, NULL, 0);

    return sent == 1 ? last_result(db) : NULL;
}

PGresult *ipr_db_run_prepare(struct ipr_db *db, const char *name, const char *sql, int n)
{
    return PQsendPrepare(db->conn, name, sql, n, NULL) == 1 ? last_result(db) : NULL;
}

PGresult *ipr_db_run_text(struct ipr_db *db, const char *sql)
{
    const atomic_bool *stop = db->stop;

    db->stop = NULL; /* BEGIN and COMMIT are not cancelled */
    PGresult *res = PQsendQuery(db->conn, sql) == 1 ? last_result(db) : NULL;
    db->stop = stop;
    return res;
}

PGresult *ipr_db_run_copy(struct ipr_db *db, const char *sql)
{
    if (PQsendQuery(db->conn, sql) != 1)
        return NULL;
    await_answer(db);
    return PQgetResult(db->conn);
}
