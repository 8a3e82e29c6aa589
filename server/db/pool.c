#include "db/pq.h"

#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "core/clock.h"

#define LEASE_WAIT_S                                                                               \
    30 /* no connection free for so long: a thread holds two, or the load is too high */
#define PING_IDLE_S 60 /* a firewall may have dropped an idle connection silently */
#define TX_TRIES    3

/* Queries are short, and their cost is estimated high where tables are large: compiling them takes
 * longer than they do. */
#define LISTED "SET search_path = listed, public"
static const char settings[] = LISTED ";"
                                      "SET statement_timeout = '30s';"
                                      "SET jit = off;"
                                      "SET idle_in_transaction_session_timeout = '60s';"
                                      "SET bytea_output = hex;"
                                      "SET timezone = 'UTC'";

struct ipr_db_pool {
    char *url;
    unsigned size;
    pthread_mutex_t mutex; /* guards stack, free and every lent */
    pthread_cond_t returned;
    struct ipr_db *all;
    struct ipr_db **stack; /* those not lent; the last one returned is lent first */
    unsigned free;
};

static void connection_close(struct ipr_db *db)
{
    PQfinish(db->conn);
    db->conn = NULL;
}

static enum ipr_code connect_to(struct ipr_db *db, enum ipr_code down, struct ipr_err *err)
{
    PGconn *conn = NULL;
    enum ipr_code rc = ipr_db_connect(db->pool->url, settings, down, &conn, err);

    if (rc == IPR_OK)
        rc = ipr_db_schema_check(conn, err);
    if (rc != IPR_OK) {
        PQfinish(conn);
        return rc;
    }
    db->conn = conn;
    memset(db->prepared, 0, sizeof db->prepared);
    db->lock_ms = 0;
    db->space = IPR_DB_LISTED;
    db->used_ms = ipr_now_ms();
    return IPR_OK;
}

/* An idle connection sends nothing: pending bytes are its end or an error message before it. */
static bool connection_is_alive(struct ipr_db *db)
{
    struct pollfd fd = { .fd = PQsocket(db->conn), .events = POLLIN };

    if (PQstatus(db->conn) != CONNECTION_OK || fd.fd < 0 || poll(&fd, 1, 0) != 0)
        return false;
    if (ipr_now_ms() - db->used_ms < PING_IDLE_S * 1000)
        return true;
    PGresult *res = PQexec(db->conn, "");
    const bool ok = PQresultStatus(res) == PGRES_EMPTY_QUERY;
    PQclear(res);
    return ok;
}

struct ipr_db_pool *ipr_db_pool_new(const char *url, unsigned size, const atomic_bool *lost)
{
    struct ipr_db_pool *pool = ipr_xcalloc(1, sizeof *pool);

    pool->url = ipr_xstrdup(url);
    pool->size = size;
    pthread_mutex_init(&pool->mutex, NULL);
    ipr_clock_cond_init(&pool->returned);
    pool->all = ipr_xcalloc(size, sizeof *pool->all);
    pool->stack = ipr_xcalloc(size, sizeof *pool->stack);
    for (; pool->free < size; pool->free++) {
        pool->all[pool->free].pool = pool;
        pool->all[pool->free].lost = lost;
        pool->stack[pool->free] = &pool->all[pool->free];
    }
    return pool;
}

enum ipr_code ipr_db_pool_open(const char *url, unsigned size, struct ipr_db_pool **out,
                               struct ipr_err *err)
{
    if (size == 0 || size > 1000)
        return ipr_err_set(err, IPR_EINVAL, "a pool of %u connections", size);
    struct ipr_db_pool *pool = ipr_db_pool_new(url, size, NULL);
    const enum ipr_code rc = connect_to(pool->stack[size - 1], IPR_EDB, err);
    if (rc != IPR_OK) {
        ipr_db_pool_close(&pool);
        return rc;
    }
    *out = pool;
    return IPR_OK;
}

void ipr_db_pool_close(struct ipr_db_pool **pool)
{
    struct ipr_db_pool *p = *pool;

    if (p == NULL)
        return;
    assert(p->free == p->size); /* a connection still lent would dangle */
    for (unsigned i = 0; i < p->size; i++)
        connection_close(&p->all[i]);
    pthread_cond_destroy(&p->returned);
    pthread_mutex_destroy(&p->mutex);
    free(p->all);
    free(p->stack);
    free(p->url);
    free(p);
    *pool = NULL;
}

static void put_back(struct ipr_db *db)
{
    struct ipr_db_pool *pool = db->pool;

    pthread_mutex_lock(&pool->mutex);
    assert(db->lent && pool->free < pool->size);
    db->lent = false;
    pool->stack[pool->free++] = db;
    pthread_cond_signal(&pool->returned);
    pthread_mutex_unlock(&pool->mutex);
}

void ipr_db_pool_use(struct ipr_db_pool *pool, unsigned *lent, unsigned *size)
{
    pthread_mutex_lock(&pool->mutex);
    *lent = pool->size - pool->free;
    *size = pool->size;
    pthread_mutex_unlock(&pool->mutex);
}

static struct ipr_db *connection_take(struct ipr_db_pool *pool)
{
    struct ipr_db *db = NULL;
    const struct timespec until = ipr_clock_time(ipr_now_us() + LEASE_WAIT_S * INT64_C(1000000));
    int rc = 0;

    pthread_mutex_lock(&pool->mutex);
    while (pool->free == 0 && rc != ETIMEDOUT)
        rc = pthread_cond_timedwait(&pool->returned, &pool->mutex, &until);
    if (pool->free > 0) {
        db = pool->stack[--pool->free];
        db->lent = true;
    }
    pthread_mutex_unlock(&pool->mutex);
    return db;
}

enum ipr_code ipr_db_lease_in(struct ipr_db_pool *pool, int64_t space, struct ipr_db **out,
                              struct ipr_err *err)
{
    struct ipr_db *db = connection_take(pool);
    enum ipr_code rc = IPR_OK;

    if (db == NULL)
        return ipr_err_set(err, IPR_ERETRY, "all %u database connections are in use", pool->size);
    if (db->conn != NULL && !connection_is_alive(db))
        connection_close(db);
    if (db->conn == NULL)
        rc = connect_to(db, IPR_ERETRY, err);
    db->conflict = false;
    if (rc == IPR_OK)
        rc = ipr_db_enter(db, space, err);
    if (rc != IPR_OK) {
        put_back(db);
        return rc;
    }
    *out = db;
    return IPR_OK;
}

enum ipr_code ipr_db_lease(struct ipr_db_pool *pool, struct ipr_db **out, struct ipr_err *err)
{
    return ipr_db_lease_in(pool, IPR_DB_LISTED, out, err);
}

void ipr_db_return(struct ipr_db **db)
{
    struct ipr_db *d = *db;

    if (d == NULL)
        return;
    if (PQtransactionStatus(d->conn) != PQTRANS_IDLE) {
        ipr_db_rollback(d);
        if (PQtransactionStatus(d->conn) != PQTRANS_IDLE)
            connection_close(d);
    }
    d->used_ms = ipr_now_ms();
    d->stop = NULL;
    *db = NULL;
    put_back(d);
}

enum ipr_code ipr_db_enter(struct ipr_db *db, int64_t space, struct ipr_err *err)
{
    char sql[120];

    if (db->space == space)
        return IPR_OK;
    if (space > 0)
        snprintf(sql, sizeof sql, "SET search_path = private, public; SET intrinsic.upload = %lld",
                 (long long)space);
    else
        snprintf(sql, sizeof sql, "%s",
                 space == IPR_DB_LISTED ? LISTED : "SET search_path = public");
    const enum ipr_code rc = ipr_db_command(db, sql, err);
    if (rc == IPR_OK)
        db->space = space;
    return rc;
}

enum ipr_code ipr_db_lock_patience(struct ipr_db *db, int ms, struct ipr_err *err)
{
    char sql[40];

    if (db->lock_ms == ms)
        return IPR_OK;
    snprintf(sql, sizeof sql, "SET lock_timeout = %d", ms);
    const enum ipr_code rc = ipr_db_command(db, sql, err);
    if (rc == IPR_OK)
        db->lock_ms = ms;
    return rc;
}

static enum ipr_code tx_attempt(struct ipr_db *db, ipr_db_tx_fn fn, void *arg, struct ipr_err *err)
{
    enum ipr_code rc = ipr_db_command(db, "BEGIN", err);

    if (rc != IPR_OK)
        return rc;
    rc = fn(db, arg, err);
    if (rc == IPR_OK)
        rc = ipr_db_command(db, "COMMIT", err);
    /* A failed commit is final, unless an asynchronous statement before it had failed. */
    if (rc != IPR_OK && PQtransactionStatus(db->conn) != PQTRANS_IDLE)
        ipr_db_rollback(db);
    return rc;
}

/* Two that collided would collide again in step. */
static void pause_before(int try)
{
    const struct timespec t = { 0, try * (5000000 + ipr_now_us() % 20000 * 1000) };

    nanosleep(&t, NULL);
}

/* Asynchronous statements are only sent within one. */
static bool in_transaction(const struct ipr_db *db)
{
    return db->doing != NULL || PQtransactionStatus(db->conn) == PQTRANS_INTRANS;
}

enum ipr_code ipr_db_tx(struct ipr_db *db, ipr_db_tx_fn fn, void *arg, struct ipr_err *err)
{
    if (in_transaction(db))
        return ipr_err_set(err, IPR_EINVAL, "a transaction within a transaction");
    for (int try = 1;; try++) {
        struct ipr_err e = IPR_ERR_INIT;

        db->conflict = false;
        const enum ipr_code rc = tx_attempt(db, fn, arg, &e);
        if (rc == IPR_OK)
            return IPR_OK;
        if (rc != IPR_ERETRY || !db->conflict || try == TX_TRIES)
            return ipr_err_pass(err, &e);
        pause_before(try);
    }
}

enum ipr_code ipr_db_within(struct ipr_db *db, ipr_db_tx_fn fn, void *arg, struct ipr_err *err)
{
    if (in_transaction(db))
        return fn(db, arg, err);
    return ipr_db_tx(db, fn, arg, err);
}
