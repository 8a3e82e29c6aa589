#include "http/base/answer_cache.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/queue.h>

#include "db/versions.h"
#include "http/base/client.h"
#include "http/base/compute_pool.h"

#define BUCKETS  1024u
#define ASK_US   50000  /* from what the database said to the next question */
#define STALE_US 100000 /* from then on a request waits for another question */

struct ipr_cached {
    LIST_ENTRY(ipr_cached) bucket;
    TAILQ_ENTRY(ipr_cached) use;
    struct ipr_answers *cache;
    char *key;
    char *link; /* header Link; NULL: none */
    struct ipr_stored stored;
    STAILQ_HEAD(sharers, ipr_req) sharers; /* requests that wait until it is filled */
    uint64_t generation;                   /* of the store when it was last found to be valid */
    unsigned users;                        /* requests and responses; with the cache itself */
    size_t bytes;
    bool filled, removed; /* removed: out of the cache, still in use */
};

struct ipr_answers {
    pthread_mutex_t lock;
    pthread_cond_t wanted;
    struct ipr_db_pool *pool;
    pthread_t thread;
    bool running, stopping, due; /* due: the thread is to ask */
    LIST_HEAD(, ipr_cached) buckets[BUCKETS];
    TAILQ_HEAD(uses, ipr_cached) used; /* the newest first */
    struct ipr_answers_counts counts;
    size_t max_bytes;
    uint64_t generation;
    int64_t told_us; /* time of the last query of the version; 0: never */
    char *snapshot;
    bool asking;
};

/* ---- under the lock ---- */

static void cached_release(struct ipr_cached *c)
{
    if (--c->users > 0)
        return;
    for (size_t i = 0; i < IPR_CODINGS; i++)
        free((void *)(uintptr_t)c->stored.body[i].p);
    free(c->link);
    free(c->key);
    free(c);
}

static size_t bucket_of(const char *key)
{
    uint64_t hash = UINT64_C(14695981039346656037); /* FNV-1a */

    for (const char *k = key; *k != '\0'; k++)
        hash = (hash ^ (unsigned char)*k) * UINT64_C(1099511628211);
    return (size_t)(hash % BUCKETS);
}

static struct ipr_cached *answers_find(struct ipr_answers *cache, const char *key)
{
    struct ipr_cached *c;

    LIST_FOREACH(c, &cache->buckets[bucket_of(key)], bucket)
        if (strcmp(c->key, key) == 0)
            return c;
    return NULL;
}

static void cache_remove(struct ipr_answers *cache, struct ipr_cached *c)
{
    LIST_REMOVE(c, bucket);
    TAILQ_REMOVE(&cache->used, c, use);
    c->removed = true;
    cache->counts.bytes -= c->bytes;
    cache->counts.entries--;
    cached_release(c);
}

static struct ipr_cached *cache_add(struct ipr_answers *cache, const char *key, const char *digest)
{
    struct ipr_cached *c = ipr_xcalloc(1, sizeof *c);

    c->cache = cache;
    c->key = ipr_xstrdup(key);
    c->users = 1;
    STAILQ_INIT(&c->sharers);
    memcpy(c->stored.digest, digest, IPR_DIGEST_TEXT);
    LIST_INSERT_HEAD(&cache->buckets[bucket_of(key)], c, bucket);
    TAILQ_INSERT_HEAD(&cache->used, c, use);
    cache->counts.entries++;
    return c;
}

static void cache_make_room(struct ipr_answers *cache)
{
    for (struct ipr_cached *c = TAILQ_LAST(&cache->used, uses), *newer;
         c != NULL && cache->counts.bytes > cache->max_bytes; c = newer) {
        newer = TAILQ_PREV(c, uses, use);
        if (c->filled)
            cache_remove(cache, c);
    }
}

static struct ipr_cached *cached_use(struct ipr_answers *cache, struct ipr_cached *c)
{
    TAILQ_REMOVE(&cache->used, c, use);
    TAILQ_INSERT_HEAD(&cache->used, c, use);
    c->users++;
    return c;
}

/* ---- freshness ---- */

static const char *ask_snapshot(struct ipr_db_pool *pool, struct ipr_arena *mem)
{
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_db *db = NULL;
    const char *snapshot = NULL;

    enum ipr_code rc = pool != NULL ? ipr_db_lease(pool, &db, &err) : IPR_ERETRY;
    if (rc == IPR_OK)
        rc = ipr_db_snapshot_version(db, mem, &snapshot, &err);
    ipr_db_return(&db);
    return rc == IPR_OK ? snapshot : NULL;
}

/* Under the lock, which is released meanwhile. If the database is unavailable nothing is valid any
 * longer, either: the request itself reports that. */
static void cache_ask(struct ipr_answers *cache)
{
    struct ipr_arena mem = IPR_ARENA_INIT;

    cache->asking = true;
    cache->due = false;
    pthread_mutex_unlock(&cache->lock);
    const char *snapshot = ask_snapshot(cache->pool, &mem);
    pthread_mutex_lock(&cache->lock);
    cache->asking = false;
    cache->told_us = ipr_now_us();
    if (snapshot == NULL || cache->snapshot == NULL || strcmp(snapshot, cache->snapshot) != 0) {
        cache->generation++;
        free(cache->snapshot);
        cache->snapshot = snapshot != NULL ? ipr_xstrdup(snapshot) : NULL;
    }
    ipr_arena_release(&mem);
}

/* Queries the version while requests come in quick succession: on a busy machine that may take a
 * quarter of a second, and the other connections of a request's thread would wait as long. */
static void *cache_thread(void *cls)
{
    struct ipr_answers *cache = cls;

    pthread_mutex_lock(&cache->lock);
    while (!cache->stopping)
        if (cache->due)
            cache_ask(cache);
        else
            pthread_cond_wait(&cache->wanted, &cache->lock);
    pthread_mutex_unlock(&cache->lock);
    return NULL;
}

/* Under the lock. Starts a query of the version if that is due; a request waits for it only when
 * the last one was long ago and none is running. */
static void cache_check(struct ipr_answers *cache)
{
    const int64_t age_us = ipr_now_us() - cache->told_us;

    if (cache->max_bytes == 0 || cache->asking || cache->due || age_us < ASK_US)
        return;
    if (age_us >= STALE_US) {
        cache_ask(cache);
        return;
    }
    cache->due = true;
    pthread_cond_signal(&cache->wanted);
}

/* Accept decides on the format; forms ask a client of another machine for a token. */
static const char *answers_key(struct ipr_req *req)
{
    const char *accept = ipr_req_header(req, "Accept");

    return ipr_arena_printf(&req->mem, "%s\n%d%.200s", req->target,
                            ipr_client_is_remote(req) != NULL, accept != NULL ? accept : "");
}

struct ipr_cached *ipr_answers_fresh(struct ipr_req *req)
{
    struct ipr_answers *cache = req->http->cache;
    const char *key = answers_key(req);

    pthread_mutex_lock(&cache->lock);
    cache_check(cache);
    req->generation = cache->generation + atomic_load(&req->http->writes);
    struct ipr_cached *c = answers_find(cache, key);
    c = c != NULL && c->filled && c->generation == req->generation ? cached_use(cache, c) : NULL;
    cache->counts.hits += c != NULL;
    pthread_mutex_unlock(&cache->lock);
    return c;
}

/* ---- filling ---- */

struct ipr_cached *ipr_answers_claim(struct ipr_req *req, const char *digest, bool *filled)
{
    struct ipr_answers *cache = req->http->cache;
    const char *key = answers_key(req);

    pthread_mutex_lock(&cache->lock);
    struct ipr_cached *c = answers_find(cache, key);
    if (c != NULL && strcmp(c->stored.digest, digest) != 0) { /* of other data */
        cache_remove(cache, c);
        c = NULL;
    }
    *filled = c != NULL && c->filled;
    const bool other_fills = c != NULL && !c->filled;
    if (c == NULL)
        c = cache_add(cache, key, digest);
    if (!other_fills) {
        c->generation = req->generation; /* known before the version was queried */
        cache->counts.hits += *filled;
        cache->counts.misses += !*filled;
        (void)cached_use(cache, c);
    }
    pthread_mutex_unlock(&cache->lock);
    return other_fills ? NULL : c;
}

bool ipr_answers_wait(struct ipr_req *req, const char *digest)
{
    struct ipr_answers *cache = req->http->cache;
    const char *key = answers_key(req);

    pthread_mutex_lock(&cache->lock);
    struct ipr_cached *c = answers_find(cache, key);
    const bool waits = c != NULL && !c->filled && strcmp(c->stored.digest, digest) == 0;
    if (waits)
        STAILQ_INSERT_TAIL(&c->sharers, req, job.link);
    pthread_mutex_unlock(&cache->lock);
    return waits;
}

/* Under the lock, when the entry has ended: each of `out` has its own use of it, if it is filled.
 */
static void sharers_take(struct ipr_cached *c, struct sharers *out)
{
    struct ipr_req *req;

    if (c->filled)
        STAILQ_FOREACH(req, &c->sharers, job.link) {
            req->cached = c;
            c->users++;
            c->cache->counts.hits++;
        }
    STAILQ_INIT(out);
    STAILQ_CONCAT(out, &c->sharers);
}

/* Each belongs to another thread at once. */
static void sharers_wake(struct sharers *sharers)
{
    struct ipr_req *req;

    while ((req = STAILQ_FIRST(sharers)) != NULL) {
        STAILQ_REMOVE_HEAD(sharers, job.link);
        if (req->cached != NULL)
            ipr_compute_resume(req);
        else
            ipr_compute_again(req);
    }
}

void ipr_answers_put(struct ipr_req *req, struct ipr_cached *c, const char *type, const char *link,
                     struct ipr_buf *body)
{
    struct ipr_answers *cache = req->http->cache;
    struct sharers sharers;

    pthread_mutex_lock(&cache->lock);
    c->stored.type = type;
    c->link = link != NULL ? ipr_xstrdup(link) : NULL;
    c->stored.body[IPR_CODING_NONE].n = body->n;
    c->stored.body[IPR_CODING_NONE].p = ipr_buf_steal(body);
    c->filled = true;
    sharers_take(c, &sharers);
    if (!c->removed) {
        c->bytes = c->stored.body[IPR_CODING_NONE].n + sizeof *c;
        cache->counts.bytes += c->bytes;
        cache_make_room(cache);
    }
    pthread_mutex_unlock(&cache->lock);
    sharers_wake(&sharers);
}

void ipr_answers_give_up(struct ipr_req *req, struct ipr_cached *c)
{
    struct ipr_answers *cache = req->http->cache;
    struct sharers sharers;

    pthread_mutex_lock(&cache->lock);
    sharers_take(c, &sharers);
    if (!c->removed)
        cache_remove(cache, c);
    cached_release(c);
    pthread_mutex_unlock(&cache->lock);
    sharers_wake(&sharers);
}

/* ---- answering ---- */

/* An MHD_ContentReaderFreeCallback: the response has been sent. */
static void response_gone(void *cls)
{
    struct ipr_cached *c = cls;
    struct ipr_answers *cache = c->cache;

    pthread_mutex_lock(&cache->lock);
    cached_release(c);
    pthread_mutex_unlock(&cache->lock);
}

static bool cached_has(struct ipr_answers *cache, const struct ipr_cached *c,
                       enum ipr_coding coding)
{
    pthread_mutex_lock(&cache->lock);
    const bool has = c->stored.body[coding].p != NULL;
    pthread_mutex_unlock(&cache->lock);
    return has;
}

/* Compressed once, for the first request that accepts the coding. */
static void cached_compress(struct ipr_req *req, struct ipr_cached *c, enum ipr_coding coding)
{
    struct ipr_buf packed = IPR_BUF_INIT;

    if (coding == IPR_CODING_NONE || coding == IPR_CODING_UNACCEPTABLE ||
        cached_has(req->http->cache, c, coding))
        return;
    ipr_coding_apply(coding, false, c->stored.body[IPR_CODING_NONE], &packed);
    pthread_mutex_lock(&req->http->cache->lock);
    if (c->stored.body[coding].p == NULL) {
        c->stored.body[coding].n = packed.n;
        c->stored.body[coding].p = ipr_buf_steal(&packed);
        if (!c->removed) {
            c->bytes += c->stored.body[coding].n;
            req->http->cache->counts.bytes += c->stored.body[coding].n;
        }
    }
    pthread_mutex_unlock(&req->http->cache->lock);
    ipr_buf_release(&packed);
}

enum MHD_Result ipr_answers_reply(struct ipr_req *req, struct ipr_cached *c)
{
    req->cached = NULL;
    const struct ipr_str plain = c->stored.body[IPR_CODING_NONE];
    const enum ipr_coding coding = ipr_reply_coding(req, ipr_coding_pays(c->stored.type, plain.n));

    cached_compress(req, c, coding);
    if (c->link != NULL)
        ipr_reply_header(req, "Link", c->link);
    return ipr_reply_stored(req, &c->stored, coding, IPR_NO_CACHE, response_gone, c);
}

void ipr_answers_drop(struct ipr_req *req)
{
    if (req->cached != NULL)
        response_gone(req->cached);
    req->cached = NULL;
}

struct ipr_answers_counts ipr_answers_counted(struct ipr_answers *cache)
{
    pthread_mutex_lock(&cache->lock);
    const struct ipr_answers_counts counts = cache->counts;
    pthread_mutex_unlock(&cache->lock);
    return counts;
}

enum ipr_code ipr_answers_start(size_t max_bytes, struct ipr_db_pool *pool,
                                struct ipr_answers **out, struct ipr_err *err)
{
    struct ipr_answers *cache = ipr_xcalloc(1, sizeof *cache);

    pthread_mutex_init(&cache->lock, NULL);
    pthread_cond_init(&cache->wanted, NULL);
    TAILQ_INIT(&cache->used);
    cache->max_bytes = max_bytes;
    cache->pool = pool;
    cache->generation = 1;
    cache->running = pthread_create(&cache->thread, NULL, cache_thread, cache) == 0;
    if (!cache->running) {
        ipr_answers_free(&cache);
        return ipr_err_set(err, IPR_EIO, "cannot start a thread");
    }
    *out = cache;
    return IPR_OK;
}

void ipr_answers_free(struct ipr_answers **p)
{
    struct ipr_answers *cache = *p;

    if (cache == NULL)
        return;
    if (cache->running) {
        pthread_mutex_lock(&cache->lock);
        cache->stopping = true;
        pthread_cond_signal(&cache->wanted);
        pthread_mutex_unlock(&cache->lock);
        pthread_join(cache->thread, NULL);
    }
    while (!TAILQ_EMPTY(&cache->used))
        cache_remove(cache, TAILQ_FIRST(&cache->used));
    free(cache->snapshot);
    pthread_cond_destroy(&cache->wanted);
    pthread_mutex_destroy(&cache->lock);
    free(cache);
    *p = NULL;
}
