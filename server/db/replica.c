#include "db/replica.h"

#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/clock.h"
#include "core/lag.h"
#include "core/log.h"
#include "core/outage.h"
#include "db/pq.h"

#define REPLICA_LOOK_MS 1000
#define AWAY            "away"

/* Equal for a database and its physical copies alone: other copies have other versions of rows. */
#define IDENTITY                                                                                   \
    "(SELECT system_identifier FROM pg_control_system())::text || '/' ||"                          \
    " (SELECT oid FROM pg_database WHERE datname = current_database())::text"

static const char primary_sql[] = "SELECT " IDENTITY ", CASE WHEN pg_is_in_recovery() THEN NULL"
                                  " ELSE (pg_current_wal_flush_lsn() - '0/0')::bigint END";
static const char replica_sql[] = "SELECT " IDENTITY ", CASE WHEN pg_is_in_recovery()"
                                  " THEN (pg_last_wal_replay_lsn() - '0/0')::bigint END";

/* One of the two servers, as it was last seen. */
struct side {
    const char *url, *sql;
    PGconn *conn; /* NULL: it does not answer */
    char identity[64];
    int64_t position; /* in the log of changes; -1: it is no such server */
};

struct ipr_db_replica {
    char *url, *primary_url;
    struct ipr_db_pool *pool;
    struct side primary, copy; /* of the thread, as the next two */
    struct ipr_lag lag;
    struct ipr_outage outage;
    atomic_bool lost; /* read by those who wait for an answer of it */
    pthread_t thread;
    bool running;
    pthread_mutex_t lock; /* guards all members below */
    pthread_cond_t wanted;
    bool stopping, hurry;
    struct ipr_replica_state state;
};

/* ---- one look ---- */

static void side_forget(struct side *s)
{
    PQfinish(s->conn);
    s->conn = NULL;
}

/* The answer within the patience one has with it; NULL: none. */
static PGresult *side_answer(struct side *s)
{
    const int64_t until = ipr_now_ms() + IPR_REPLICA_PATIENCE_MS;
    struct pollfd fd = { .fd = PQsocket(s->conn), .events = POLLIN };
    PGresult *res, *last = NULL;

    if (PQsendQuery(s->conn, s->sql) != 1)
        return NULL;
    while (PQisBusy(s->conn)) {
        const int64_t left = until - ipr_now_ms();

        if (left <= 0 || poll(&fd, 1, (int)left) < 0 || PQconsumeInput(s->conn) != 1)
            return NULL;
    }
    for (; (res = PQgetResult(s->conn)) != NULL; last = res)
        PQclear(last);
    return last;
}

static enum ipr_code side_read(struct side *s, struct ipr_err *err)
{
    PGresult *res = side_answer(s);
    int64_t position = -1;

    if (res == NULL)
        return ipr_err_type(err, IPR_ERETRY, IPR_DB_AWAY, "it does not answer");
    if (PQresultStatus(res) != PGRES_TUPLES_OK || PQntuples(res) != 1)
        return ipr_db_fail_take(s->conn, res, "state of the server", err);
    snprintf(s->identity, sizeof s->identity, "%s", PQgetvalue(res, 0, 0));
    (void)ipr_str_int(ipr_str_c(PQgetvalue(res, 0, 1)), 0, INT64_MAX, &position);
    s->position = position;
    PQclear(res);
    return IPR_OK;
}

static enum ipr_code side_look(struct side *s, struct ipr_err *err)
{
    enum ipr_code rc = IPR_OK;

    if (s->conn == NULL)
        rc = ipr_db_connect(s->url, "SET statement_timeout = '2s'", IPR_ERETRY, &s->conn, err);
    if (rc == IPR_OK)
        rc = side_read(s, err);
    if (rc != IPR_OK)
        side_forget(s);
    return rc;
}

/* *reason: of struct ipr_replica_state. */
static enum ipr_code copy_check(const struct ipr_db_replica *r, const char **reason,
                                struct ipr_err *err)
{
    *reason = "not_a_standby";
    if (r->copy.position < 0)
        return ipr_err_set(err, IPR_EDB, "it is not a standby");
    *reason = "other_database";
    if (r->primary.identity[0] != '\0' && strcmp(r->primary.identity, r->copy.identity) != 0)
        return ipr_err_set(err, IPR_EDB, "it is not a replica of the database of DATABASE_URL");
    *reason = "other_schema";
    return ipr_db_schema_check(r->copy.conn, err);
}

/* The position of the primary first: what is written in between is no lag. */
static enum ipr_code replica_look(struct ipr_db_replica *r, int64_t *lag_ms, const char **reason,
                                  struct ipr_err *err)
{
    const bool known = side_look(&r->primary, NULL) == IPR_OK || r->primary.identity[0] != '\0';
    enum ipr_code rc = side_look(&r->copy, err);

    *reason = AWAY;
    if (rc == IPR_OK)
        rc = copy_check(r, reason, err);
    *lag_ms = rc == IPR_OK && known && r->primary.position >= 0
                  ? ipr_lag_ms(&r->lag, r->primary.position, r->copy.position, ipr_now_ms())
                  : -1;
    return rc;
}

/* ---- the thread ---- */

static void replica_turn(struct ipr_db_replica *r)
{
    struct ipr_err err = IPR_ERR_INIT;
    const char *reason = "";
    int64_t lag_ms = -1;
    const bool used = replica_look(r, &lag_ms, &reason, &err) == IPR_OK;

    atomic_store(&r->lost, !used);
    if (used)
        ipr_outage_worked(&r->outage, ipr_now_ms());
    else
        ipr_outage_failed(&r->outage, "replica", err.msg, ipr_now_ms());
    pthread_mutex_lock(&r->lock);
    r->state.used = used;
    r->state.reason = used ? "" : reason;
    r->state.lag_s = lag_ms < 0 ? -1.0 : (double)lag_ms / 1000.0;
    pthread_mutex_unlock(&r->lock);
}

/* Until the next look. */
static bool replica_rest(struct ipr_db_replica *r)
{
    const struct timespec until = ipr_clock_time(ipr_now_us() + REPLICA_LOOK_MS * 1000);
    int rc = 0;

    pthread_mutex_lock(&r->lock);
    while (!r->stopping && !r->hurry && rc == 0)
        rc = pthread_cond_timedwait(&r->wanted, &r->lock, &until);
    const bool goes_on = !r->stopping;
    r->hurry = false;
    pthread_mutex_unlock(&r->lock);
    return goes_on;
}

static void *replica_thread(void *cls)
{
    while (replica_rest(cls))
        replica_turn(cls);
    return NULL;
}

enum ipr_code ipr_db_replica_start(const char *url, const char *primary_url, unsigned size,
                                   struct ipr_db_replica **out, struct ipr_err *err)
{
    struct ipr_db_replica *r = ipr_xcalloc(1, sizeof *r);

    r->url = ipr_xstrdup(url);
    r->primary_url = ipr_xstrdup(primary_url);
    r->primary = (struct side){ .url = r->primary_url, .sql = primary_sql, .position = -1 };
    r->copy = (struct side){ .url = r->url, .sql = replica_sql, .position = -1 };
    r->outage = (struct ipr_outage){ .begins = "replica_unused", .ends = "replica_used" };
    r->pool = ipr_db_pool_new(url, size, &r->lost);
    pthread_mutex_init(&r->lock, NULL);
    ipr_clock_cond_init(&r->wanted);
    replica_turn(r);
    r->running = pthread_create(&r->thread, NULL, replica_thread, r) == 0;
    if (!r->running) {
        ipr_db_replica_stop(&r);
        return ipr_err_set(err, IPR_EIO, "cannot start a thread");
    }
    *out = r;
    return IPR_OK;
}

void ipr_db_replica_stop(struct ipr_db_replica **replica)
{
    struct ipr_db_replica *r = *replica;

    if (r == NULL)
        return;
    pthread_mutex_lock(&r->lock);
    r->stopping = true;
    pthread_cond_signal(&r->wanted);
    pthread_mutex_unlock(&r->lock);
    if (r->running)
        pthread_join(r->thread, NULL);
    ipr_db_pool_close(&r->pool);
    side_forget(&r->primary);
    side_forget(&r->copy);
    pthread_cond_destroy(&r->wanted);
    pthread_mutex_destroy(&r->lock);
    free(r->url);
    free(r->primary_url);
    free(r);
    *replica = NULL;
}

/* ---- reads ---- */

struct ipr_db *ipr_db_replica_lease(struct ipr_db_replica *replica)
{
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_db *db = NULL;

    pthread_mutex_lock(&replica->lock);
    const bool used = replica->state.used;
    pthread_mutex_unlock(&replica->lock);
    if (!used) {
        ipr_db_replica_count(replica, IPR_REPLICA_UNUSED);
        return NULL;
    }
    if (ipr_db_lease(replica->pool, &db, &err) != IPR_OK)
        ipr_db_replica_failed(replica, &err);
    return db;
}

const char *ipr_replica_read_name(enum ipr_replica_read what)
{
    static const char *const names[] = { "answered", "behind", "unused", "failed" };

    return names[what];
}

void ipr_db_replica_count(struct ipr_db_replica *replica, enum ipr_replica_read what)
{
    pthread_mutex_lock(&replica->lock);
    replica->state.reads[what]++;
    pthread_mutex_unlock(&replica->lock);
}

void ipr_db_replica_failed(struct ipr_db_replica *replica, const struct ipr_err *err)
{
    ipr_log(IPR_LOG_DEBUG, "replica_failed", "code=%s msg=\"%s\"", ipr_code_name(err->code),
            ipr_log_text(err->msg));
    ipr_db_replica_count(replica, IPR_REPLICA_FAILED);
    if (strcmp(err->type, IPR_DB_AWAY) != 0)
        return;
    pthread_mutex_lock(&replica->lock);
    replica->state.used = false; /* until it has been looked at */
    replica->state.reason = AWAY;
    replica->hurry = true;
    pthread_cond_signal(&replica->wanted);
    pthread_mutex_unlock(&replica->lock);
}

void ipr_db_replica_state(struct ipr_db_replica *replica, struct ipr_replica_state *out)
{
    pthread_mutex_lock(&replica->lock);
    *out = replica->state;
    pthread_mutex_unlock(&replica->lock);
}

void ipr_db_replica_pool_use(struct ipr_db_replica *replica, unsigned *lent, unsigned *size)
{
    ipr_db_pool_use(replica->pool, lent, size);
}
