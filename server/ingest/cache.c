#include "ingest/cache.h"

#include <stdlib.h>
#include <string.h>

#include <sodium.h>

#define PLACES 65536 /* a power of two */

/* Texts are compared by their digests: a collision is practically impossible. */
struct place {
    uint64_t digest[2]; /* both 0: empty */
    struct ipr_db_identity id;
};

struct ipr_cache {
    struct place at[PLACES];
};

struct ipr_cache *ipr_cache_new(void)
{
    return ipr_xcalloc(1, sizeof(struct ipr_cache));
}

void ipr_cache_free(struct ipr_cache **c)
{
    free(*c);
    *c = NULL;
}

/* Each text includes its NUL, so that two different lists are never the same bytes. */
static void digest_of(const char *const texts[], size_t n, int32_t number, char kind,
                      uint64_t out[2])
{
    crypto_generichash_state state;

    crypto_generichash_init(&state, NULL, 0, 16);
    crypto_generichash_update(&state, (const unsigned char *)&kind, 1);
    crypto_generichash_update(&state, (const unsigned char *)&number, sizeof number);
    for (size_t i = 0; i < n; i++)
        crypto_generichash_update(&state, (const unsigned char *)texts[i], strlen(texts[i]) + 1);
    crypto_generichash_final(&state, (unsigned char *)out, 16);
}

static void digest_player(const struct ipr_identity *who, uint64_t out[2])
{
    digest_of((const char *const[]){ who->key, who->tagged, who->name }, 3, who->fide_id, 'p', out);
}

static void digest_event(const struct ipr_db_event *event, uint64_t out[2])
{
    digest_of((const char *const[]){ event->name }, 1, event->year, 'e', out);
}

static const struct place *cache_find(const struct ipr_cache *c, const uint64_t digest[2])
{
    const struct place *p = &c->at[digest[0] % PLACES];

    return memcmp(p->digest, digest, sizeof p->digest) == 0 ? p : NULL;
}

static void cache_put(struct ipr_cache *c, const uint64_t digest[2], struct ipr_db_identity id)
{
    struct place *p = &c->at[digest[0] % PLACES];

    memcpy(p->digest, digest, sizeof p->digest);
    p->id = id;
}

bool ipr_cache_player(const struct ipr_cache *c, const struct ipr_identity *who,
                      struct ipr_db_identity *out)
{
    uint64_t digest[2];

    digest_player(who, digest);
    const struct place *p = cache_find(c, digest);
    if (p != NULL)
        *out = p->id;
    return p != NULL;
}

void ipr_cache_put_player(struct ipr_cache *c, const struct ipr_identity *who,
                          struct ipr_db_identity id)
{
    uint64_t digest[2];

    digest_player(who, digest);
    cache_put(c, digest, id);
}

bool ipr_cache_event(const struct ipr_cache *c, const struct ipr_db_event *event, int32_t *out)
{
    uint64_t digest[2];

    digest_event(event, digest);
    const struct place *p = cache_find(c, digest);
    if (p != NULL)
        *out = p->id.id;
    return p != NULL;
}

void ipr_cache_put_event(struct ipr_cache *c, const struct ipr_db_event *event, int32_t id)
{
    uint64_t digest[2];

    digest_event(event, digest);
    cache_put(c, digest, (struct ipr_db_identity){ .id = id });
}
