#include "http/base/rate_limit.h"

#include <math.h>
#include <pthread.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "edge/address.h"
#include "http/base/reply.h"

#define WINDOW_S 60
#define SETS     256
#define WAYS     8

struct client {
    uint64_t key; /* keyed hash of the address; 0: unused */
    struct ipr_rate_bucket bucket;
};

struct ipr_rate_limit {
    int64_t quota;
    unsigned char hash_key[crypto_shorthash_KEYBYTES];
    pthread_mutex_t lock; /* guards the table */
    struct client table[SETS][WAYS];
};

/* ---- a bucket ---- */

bool ipr_rate_bucket_take(struct ipr_rate_bucket *b, int64_t quota, int64_t now_us)
{
    const double gained = (double)(now_us - b->at_us) / 1e6 * (double)quota / WINDOW_S;

    b->tokens = fmin((double)quota, b->tokens + gained);
    b->at_us = now_us;
    if (b->tokens < 1.0)
        return false;
    b->tokens -= 1.0;
    return true;
}

int64_t ipr_rate_bucket_wait_s(const struct ipr_rate_bucket *b, int64_t quota, double tokens)
{
    return b->tokens >= tokens ? 0 : (int64_t)ceil((tokens - b->tokens) * WINDOW_S / (double)quota);
}

/* ---- the table ---- */

struct ipr_rate_limit *ipr_rate_limit_new(int64_t per_minute)
{
    struct ipr_rate_limit *limit = ipr_xcalloc(1, sizeof *limit);

    limit->quota = per_minute;
    randombytes_buf(limit->hash_key, sizeof limit->hash_key);
    pthread_mutex_init(&limit->lock, NULL);
    return limit;
}

void ipr_rate_limit_free(struct ipr_rate_limit **limit)
{
    if (*limit == NULL)
        return;
    pthread_mutex_destroy(&(*limit)->lock);
    free(*limit);
    *limit = NULL;
}

/* Under the lock. The bucket of the client, or the fullest of its set, which loses least. */
static struct client *rate_client(struct ipr_rate_limit *limit, uint64_t key, int64_t now_us)
{
    struct client *set = limit->table[key % SETS], *fullest = &set[0];

    for (size_t i = 0; i < WAYS; i++) {
        if (set[i].key == key)
            return &set[i];
        if (set[i].key == 0 || (fullest->key != 0 && set[i].bucket.tokens > fullest->bucket.tokens))
            fullest = &set[i];
    }
    *fullest = (struct client){ .key = key, .bucket = { (double)limit->quota, now_us } };
    return fullest;
}

enum ipr_code ipr_rate_limit_take(struct ipr_req *req, struct ipr_err *err)
{
    struct ipr_rate_limit *limit = req->http->rate_limit;
    uint64_t key;

    if (limit->quota == 0)
        return IPR_OK;
    crypto_shorthash((unsigned char *)&key, req->client.s6_addr, ipr_address_size(&req->client),
                     limit->hash_key);
    key |= 1; /* 0 means unused */
    pthread_mutex_lock(&limit->lock);
    struct client *client = rate_client(limit, key, ipr_now_us());
    const bool taken = ipr_rate_bucket_take(&client->bucket, limit->quota, ipr_now_us());
    const struct ipr_rate_bucket left = client->bucket;
    pthread_mutex_unlock(&limit->lock);
    const long long quota = limit->quota;
    const long long whole = ipr_rate_bucket_wait_s(&left, quota, (double)quota);
    ipr_reply_header(req, "RateLimit-Policy",
                     ipr_arena_printf(&req->mem, "\"costly\";q=%lld;w=%d", quota, WINDOW_S));
    ipr_reply_header(
        req, "RateLimit",
        ipr_arena_printf(&req->mem, "\"costly\";r=%lld;t=%lld", (long long)left.tokens, whole));
    if (taken)
        return IPR_OK;
    const int64_t wait = ipr_rate_bucket_wait_s(&left, limit->quota, 1.0);
    ipr_reply_header(req, "Retry-After", ipr_arena_printf(&req->mem, "%lld", (long long)wait));
    return ipr_err_type(err, IPR_ERETRY, "rate_limited",
                        "more than %lld costly requests in a minute from this address; retry in "
                        "%lld s",
                        quota, (long long)wait);
}
