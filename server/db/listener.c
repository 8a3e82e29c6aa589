#include "db/pq.h"

#include <poll.h>
#include <stdlib.h>

#include "base/mem.h"
#include "core/clock.h"

#define RECONNECT_MS 1000

struct ipr_db_listener {
    char *url;
    PGconn *conn;    /* NULL while the database is unavailable */
    int64_t next_ms; /* when to try again, monotonic */
};

enum ipr_code ipr_db_listener_open(const char *url, struct ipr_db_listener **out,
                                   struct ipr_err *err)
{
    PGconn *conn = NULL;
    const enum ipr_code rc = ipr_db_connect(url, "LISTEN progress", IPR_EDB, &conn, err);

    if (rc != IPR_OK)
        return rc;
    struct ipr_db_listener *l = ipr_xcalloc(1, sizeof *l);
    l->url = ipr_xstrdup(url);
    l->conn = conn;
    *out = l;
    return IPR_OK;
}

/* Notifications may have been missed without a connection, so a new connection counts as one. */
static bool listener_reconnect(struct ipr_db_listener *l)
{
    if (ipr_now_ms() < l->next_ms)
        return false;
    const enum ipr_code rc = ipr_db_connect(l->url, "LISTEN progress", IPR_ERETRY, &l->conn, NULL);
    l->next_ms = ipr_now_ms() + RECONNECT_MS;
    return rc == IPR_OK;
}

static bool listener_drain(struct ipr_db_listener *l)
{
    PGnotify *note;
    bool any = false;

    if (!PQconsumeInput(l->conn) || PQstatus(l->conn) != CONNECTION_OK) {
        PQfinish(l->conn);
        l->conn = NULL;
        return false;
    }
    while ((note = PQnotifies(l->conn)) != NULL) {
        PQfreemem(note);
        any = true;
    }
    return any;
}

bool ipr_db_listener_wait(struct ipr_db_listener *l, int timeout_ms, int wake_fd)
{
    const int64_t end = ipr_now_ms() + timeout_ms;

    for (;;) {
        if (l->conn == NULL && listener_reconnect(l))
            return true;
        if (l->conn != NULL &&
            listener_drain(l)) /* also notifications that arrived with an earlier result */
            return true;

        const int64_t now = ipr_now_ms();
        int64_t wait = end - now;
        if (l->conn == NULL && l->next_ms - now < wait)
            wait = l->next_ms - now;
        struct pollfd fds[2] = { { .fd = wake_fd, .events = POLLIN },
                                 { .fd = l->conn != NULL ? PQsocket(l->conn) : -1,
                                   .events = POLLIN } };
        const int ready = poll(fds, 2, wait > 0 ? (int)wait : 0);
        if (fds[0].revents != 0)
            return false;
        if (l->conn != NULL && ready > 0 && listener_drain(l))
            return true;
        if (ipr_now_ms() >= end)
            return false;
    }
}

void ipr_db_listener_close(struct ipr_db_listener **l)
{
    if (*l == NULL)
        return;
    PQfinish((*l)->conn);
    free((*l)->url);
    free(*l);
    *l = NULL;
}
