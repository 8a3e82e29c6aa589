#include "ingest/gunzip.h"

#include <stdint.h>
#include <stdlib.h>

#include <zlib.h>

#include "base/mem.h"

#define BLOCK_BYTES ((size_t)64 * 1024)
#define GZIP_ONLY   (16 + MAX_WBITS)

struct ipr_gunzip {
    ipr_gunzip_fn from;
    void *payload;
    z_stream z;
    bool ended; /* a part has ended; another one may follow */
    const char *why;
    unsigned char block[BLOCK_BYTES];
};

bool ipr_gunzip_is(const unsigned char *bytes, size_t n)
{
    return n >= 3 && bytes[0] == 0x1f && bytes[1] == 0x8b && bytes[2] == Z_DEFLATED;
}

struct ipr_gunzip *ipr_gunzip_new(ipr_gunzip_fn from, void *payload)
{
    struct ipr_gunzip *g = ipr_xcalloc(1, sizeof *g);

    g->from = from;
    g->payload = payload;
    if (inflateInit2(&g->z, GZIP_ONLY) != Z_OK)
        abort(); /* out of memory */
    return g;
}

void ipr_gunzip_free(struct ipr_gunzip **g)
{
    if (*g == NULL)
        return;
    inflateEnd(&(*g)->z);
    free(*g);
    *g = NULL;
}

const char *ipr_gunzip_why(const struct ipr_gunzip *g)
{
    return g->why;
}

void ipr_gunzip_feed(struct ipr_gunzip *g, const unsigned char *bytes, size_t n)
{
    g->z.next_in = (unsigned char *)(uintptr_t)bytes; /* it is only read */
    g->z.avail_in = (uInt)n;
}

/* More packed bytes, where there are none: 1; 0 at their end, -1 on failure. */
static ssize_t gunzip_fill(struct ipr_gunzip *g)
{
    const unsigned char *bytes = NULL;

    if (g->z.avail_in > 0)
        return 1;
    const ssize_t n = g->from(g->payload, &bytes);
    if (n <= 0)
        return n;
    ipr_gunzip_feed(g, bytes, (size_t)n);
    return 1;
}

static const char *gunzip_step(struct ipr_gunzip *g)
{
    /* Bytes that follow the end of a part are another one. */
    if (g->ended && (g->z.next_in[0] != 0x1f || inflateReset(&g->z) != Z_OK))
        return "it continues after its compressed part";
    const int rc = inflate(&g->z, Z_NO_FLUSH);
    g->ended = rc == Z_STREAM_END;
    if (rc == Z_OK || rc == Z_STREAM_END || rc == Z_BUF_ERROR)
        return NULL;
    return g->z.msg != NULL ? g->z.msg : "it is damaged";
}

ssize_t ipr_gunzip_read(void *payload, const unsigned char **bytes)
{
    struct ipr_gunzip *g = payload;

    g->z.next_out = g->block;
    g->z.avail_out = BLOCK_BYTES;
    *bytes = g->block;
    while (g->why == NULL && g->z.avail_out > 0) {
        const ssize_t more = gunzip_fill(g);

        if (more < 0)
            return -1;
        if (more == 0 && !g->ended) {
            g->why = "truncated gzip input";
            return -1;
        }
        if (more == 0)
            break;
        g->why = gunzip_step(g);
    }
    return g->why == NULL ? (ssize_t)(BLOCK_BYTES - g->z.avail_out) : -1;
}
