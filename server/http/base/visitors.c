#include "http/base/visitors.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <sodium.h>

#include "edge/address.h"

#define CLIENTS 4096 /* of a day; each write counts for 1 kB at least */
#define SHARE   10   /* of the quota: what one client may take */
#define DAY_S   86400

struct ipr_visitors {
    unsigned char secret[crypto_generichash_KEYBYTES]; /* for names that tell no address */
    pthread_mutex_t lock;                              /* guards what follows */
    int64_t bytes, day, sent;
    struct {
        struct in6_addr of;
        int64_t sent;
    } client[CLIENTS];
    size_t n;
};

struct ipr_visitors *ipr_visitors_new(int64_t bytes)
{
    struct ipr_visitors *const v = ipr_xcalloc(1, sizeof *v);

    v->bytes = bytes;
    randombytes_buf(v->secret, sizeof v->secret);
    pthread_mutex_init(&v->lock, NULL);
    return v;
}

void ipr_visitors_free(struct ipr_visitors **v)
{
    if (*v != NULL)
        pthread_mutex_destroy(&(*v)->lock);
    free(*v);
    *v = NULL;
}

bool ipr_visitors_may(const struct ipr_req *req)
{
    const struct ipr_config *const c = req->http->o.config;

    return c->public_uploads_mb > 0 && (c->read == NULL || strcmp(c->read, "token") != 0);
}

const char *ipr_visitors_name(const struct ipr_visitors *v, const struct in6_addr *client,
                              struct ipr_arena *mem)
{
    unsigned char hash[crypto_generichash_BYTES_MIN];

    crypto_generichash(hash, sizeof hash, (const unsigned char *)client, ipr_address_size(client),
                       v->secret, sizeof v->secret);
    return ipr_arena_printf(mem, "visitor-%02x%02x%02x", hash[0], hash[1], hash[2]);
}

bool ipr_visitors_take(struct ipr_visitors *v, const struct in6_addr *client, int64_t bytes)
{
    const int64_t today = time(NULL) / DAY_S;
    size_t i = 0;

    pthread_mutex_lock(&v->lock);
    if (today != v->day) {
        v->day = today;
        v->sent = 0;
        v->n = 0;
    }
    while (i < v->n && !ipr_address_same(&v->client[i].of, client))
        i++;
    const int64_t before = i < v->n ? v->client[i].sent : 0;
    const bool taken =
        i < CLIENTS && v->sent + bytes <= v->bytes && before + bytes <= v->bytes / SHARE;
    if (taken) {
        v->client[i].of = *client;
        v->client[i].sent = before + bytes;
        v->n += i == v->n;
        v->sent += bytes;
    }
    pthread_mutex_unlock(&v->lock);
    return taken;
}
