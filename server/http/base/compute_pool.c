#include "http/base/compute_pool.h"

#include <stdlib.h>

#include "core/log.h"
#include "edge/address.h"

#define ANSWER_S 5 /* for sending answers when the service stops */

/* A thread, and the client of the request that it is at. */
struct seat {
    struct ipr_compute_pool *pool;
    pthread_t thread;
    struct in6_addr client;
    bool taken;
};

struct ipr_compute_pool {
    struct seat seats[IPR_COMPUTE_THREADS];
    size_t n_threads; /* running */
    /* Protects all members below and every request's `job.link`. */
    pthread_mutex_t lock;
    pthread_cond_t changed;         /* work for the threads; after their end, answers sent */
    STAILQ_HEAD(, ipr_req) waiting; /* ascending by turn */
    uint64_t turn;                  /* of the one taken last */
    unsigned open;                  /* requests handed over until ipr_compute_end */
    bool stopping;
};

/* ---- the threads ---- */

/* Under the lock. The first whose client has a thread less than it may have. */
static struct ipr_req *pool_first(const struct ipr_compute_pool *pool)
{
    struct ipr_req *req;

    STAILQ_FOREACH(req, &pool->waiting, job.link) {
        unsigned n = 0;

        for (size_t i = 0; i < IPR_COMPUTE_THREADS; i++)
            n += pool->seats[i].taken && ipr_address_same(&pool->seats[i].client, &req->client);
        if (n < IPR_COMPUTE_OF_CLIENT || pool->stopping)
            return req;
    }
    return NULL;
}

/* The next one; NULL: stop. */
static struct ipr_req *pool_next(struct seat *seat)
{
    struct ipr_compute_pool *pool = seat->pool;
    struct ipr_req *req;

    pthread_mutex_lock(&pool->lock);
    seat->taken = false;
    while ((req = pool_first(pool)) == NULL && !pool->stopping)
        pthread_cond_wait(&pool->changed, &pool->lock);
    if (req != NULL) {
        STAILQ_REMOVE(&pool->waiting, req, ipr_req, job.link);
        pool->turn = req->job.turn;
        seat->client = req->client;
        seat->taken = true;
    }
    pthread_mutex_unlock(&pool->lock);
    return req;
}

static void *pool_thread(void *cls)
{
    struct ipr_req *req;

    while ((req = pool_next(cls)) != NULL) {
        ipr_log_context(req->id);
        if (req->job.work(req->job.arg))
            ipr_compute_resume(req);
        ipr_log_context(NULL);
    }
    return NULL;
}

/* ---- a request's side ---- */

/* Under the lock. Clients take turns: the nth that one has waiting comes with the nth of others. */
static void pool_add(struct ipr_compute_pool *pool, struct ipr_req *req)
{
    struct ipr_req *other, *before = NULL;

    req->job.turn = pool->turn;
    STAILQ_FOREACH(other, &pool->waiting, job.link)
        if (ipr_address_same(&other->client, &req->client))
            req->job.turn = other->job.turn + 1;
    STAILQ_FOREACH(other, &pool->waiting, job.link)
        if (other->job.turn <= req->job.turn)
            before = other;
    if (before != NULL)
        STAILQ_INSERT_AFTER(&pool->waiting, before, req, job.link);
    else
        STAILQ_INSERT_HEAD(&pool->waiting, req, job.link);
    pthread_cond_signal(&pool->changed);
}

bool ipr_compute_put(struct ipr_req *req, bool (*work)(void *arg), void *arg)
{
    struct ipr_compute_pool *pool = req->http->computing;

    pthread_mutex_lock(&pool->lock);
    const bool taken = !pool->stopping;
    if (taken) {
        req->job.work = work;
        req->job.arg = arg;
        req->job.away = true;
        pool->open += !req->job.open;
        req->job.open = true;
        MHD_suspend_connection(req->conn);
        pool_add(pool, req);
    }
    pthread_mutex_unlock(&pool->lock);
    return taken;
}

void ipr_compute_resume(struct ipr_req *req)
{
    MHD_resume_connection(req->conn);
}

void ipr_compute_again(struct ipr_req *req)
{
    struct ipr_compute_pool *pool = req->http->computing;

    pthread_mutex_lock(&pool->lock);
    pool_add(pool, req);
    pthread_mutex_unlock(&pool->lock);
}

void ipr_compute_end(struct ipr_req *req)
{
    struct ipr_compute_pool *pool = req->http->computing;

    if (!req->job.open)
        return;
    req->job.open = false;
    pthread_mutex_lock(&pool->lock);
    pool->open--;
    if (pool->stopping)
        pthread_cond_broadcast(&pool->changed);
    pthread_mutex_unlock(&pool->lock);
}

/* ---- life ---- */

enum ipr_code ipr_compute_pool_start(struct ipr_compute_pool **out, struct ipr_err *err)
{
    struct ipr_compute_pool *pool = ipr_xcalloc(1, sizeof *pool);
    int rc = 0;

    STAILQ_INIT(&pool->waiting);
    pthread_mutex_init(&pool->lock, NULL);
    ipr_clock_cond_init(&pool->changed);
    while (pool->n_threads < IPR_COMPUTE_THREADS && rc == 0) {
        struct seat *seat = &pool->seats[pool->n_threads];

        seat->pool = pool;
        rc = pthread_create(&seat->thread, NULL, pool_thread, seat);
        pool->n_threads += rc == 0;
    }
    *out = pool;
    return rc == 0 ? IPR_OK : ipr_err_set(err, IPR_EIO, "cannot start a thread");
}

/* Requests that wait for the answer of another one are queued again by the thread that computes it,
 * which finds them in the queue before it ends. */
void ipr_compute_pool_quiesce(struct ipr_compute_pool *pool)
{
    pthread_mutex_lock(&pool->lock);
    pool->stopping = true;
    pthread_cond_broadcast(&pool->changed);
    pthread_mutex_unlock(&pool->lock);
    while (pool->n_threads > 0)
        pthread_join(pool->seats[--pool->n_threads].thread, NULL);
    /* Stopping MHD closes connections that were resumed but not answered yet. */
    ipr_clock_await_none(&pool->lock, &pool->changed, &pool->open, ANSWER_S);
}

void ipr_compute_pool_free(struct ipr_compute_pool **p)
{
    struct ipr_compute_pool *pool = *p;

    if (pool == NULL)
        return;
    if (pool->n_threads > 0)
        ipr_compute_pool_quiesce(pool);
    pthread_cond_destroy(&pool->changed);
    pthread_mutex_destroy(&pool->lock);
    free(pool);
    *p = NULL;
}
