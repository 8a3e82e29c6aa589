#include "ingest/decode.h"

#include <bzlib.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>

#include "base/mem.h"

#define BLOCK_BYTES ((size_t)64 * 1024)
#define GZIP_ONLY   (16 + MAX_WBITS)

struct ipr_decode {
    enum ipr_packing packing;
    ipr_decode_fn from;
    void *payload;
    const unsigned char *in; /* what is not unpacked yet */
    size_t n_in;
    union {
        z_stream gzip;
        bz_stream bzip2;
        ZSTD_DStream *zstd;
    } as;
    bool begun, ended; /* a part; another one may follow */
    const char *why;
    unsigned char block[BLOCK_BYTES];
};

static const char *const begins[] = { [IPR_PACKED_GZIP] = "\x1F\x8B\x08",
                                      [IPR_PACKED_ZSTD] = "\x28\xB5\x2F\xFD",
                                      [IPR_PACKED_BZIP2] = "BZh" };

enum ipr_packing ipr_packing_of(const unsigned char *bytes, size_t n)
{
    for (enum ipr_packing p = IPR_PACKED_GZIP; p <= IPR_PACKED_BZIP2; p++)
        if (n >= 4 && memcmp(bytes, begins[p], strlen(begins[p])) == 0)
            return p;
    return IPR_PACKED_NOT;
}

struct ipr_decode *ipr_decode_new(enum ipr_packing packing, const unsigned char *bytes, size_t n,
                                  ipr_decode_fn from, void *payload)
{
    struct ipr_decode *d = ipr_xcalloc(1, sizeof *d);

    *d = (struct ipr_decode){
        .packing = packing, .from = from, .payload = payload, .in = bytes, .n_in = n
    };
    if (packing == IPR_PACKED_GZIP && inflateInit2(&d->as.gzip, GZIP_ONLY) != Z_OK)
        abort(); /* out of memory */
    if (packing == IPR_PACKED_ZSTD && (d->as.zstd = ZSTD_createDStream()) == NULL)
        abort();
    return d;
}

void ipr_decode_free(struct ipr_decode **d)
{
    if (*d == NULL)
        return;
    if ((*d)->packing == IPR_PACKED_GZIP)
        inflateEnd(&(*d)->as.gzip);
    else if ((*d)->packing == IPR_PACKED_ZSTD)
        ZSTD_freeDStream((*d)->as.zstd);
    else if ((*d)->begun)
        BZ2_bzDecompressEnd(&(*d)->as.bzip2);
    free(*d);
    *d = NULL;
}

const char *ipr_decode_why(const struct ipr_decode *d)
{
    return d->why;
}

/* ---- a step of each: *out bytes from `at` on; sets `ended` ------------------------------------
 */

static const char *step_gzip(struct ipr_decode *d, unsigned char *at, size_t *out)
{
    z_stream *z = &d->as.gzip;
    const size_t room = *out;

    if (d->ended && inflateReset(z) != Z_OK)
        return "it is damaged";
    z->next_in = (unsigned char *)(uintptr_t)d->in; /* it is only read */
    z->avail_in = (uInt)d->n_in;
    z->next_out = at;
    z->avail_out = (uInt)room;
    const int rc = inflate(z, Z_NO_FLUSH);
    d->ended = rc == Z_STREAM_END;
    d->in = z->next_in;
    d->n_in = z->avail_in;
    *out = room - z->avail_out;
    return rc == Z_OK || rc == Z_STREAM_END || rc == Z_BUF_ERROR ? NULL : "it is damaged";
}

static const char *step_bzip2(struct ipr_decode *d, unsigned char *at, size_t *out)
{
    bz_stream *b = &d->as.bzip2;
    const size_t room = *out;

    if (d->ended)
        BZ2_bzDecompressEnd(b);
    if (d->ended || !d->begun) {
        memset(b, 0, sizeof *b);
        if (BZ2_bzDecompressInit(b, 0, 0) != BZ_OK)
            abort(); /* out of memory */
    }
    b->next_in = (char *)(uintptr_t)d->in;
    b->avail_in = (unsigned)d->n_in;
    b->next_out = (char *)at;
    b->avail_out = (unsigned)room;
    const int rc = BZ2_bzDecompress(b);
    d->begun = true;
    d->ended = rc == BZ_STREAM_END;
    d->in = (const unsigned char *)b->next_in;
    d->n_in = b->avail_in;
    *out = room - b->avail_out;
    return rc == BZ_OK || rc == BZ_STREAM_END ? NULL : "it is damaged";
}

static const char *step_zstd(struct ipr_decode *d, unsigned char *at, size_t *out)
{
    ZSTD_inBuffer in = { d->in, d->n_in, 0 };
    ZSTD_outBuffer to = { at, *out, 0 };
    const size_t rc = ZSTD_decompressStream(d->as.zstd, &to, &in);

    d->ended = rc == 0;
    d->in += in.pos;
    d->n_in -= in.pos;
    *out = to.pos;
    return ZSTD_isError(rc) ? ZSTD_getErrorName(rc) : NULL;
}

/* ---- reading ----------------------------------------------------------------------------------
 */

ssize_t ipr_decode_read(void *payload, const unsigned char **bytes)
{
    static const char *(*const steps[])(struct ipr_decode *, unsigned char *,
                                        size_t *) = { [IPR_PACKED_GZIP] = step_gzip,
                                                      [IPR_PACKED_ZSTD] = step_zstd,
                                                      [IPR_PACKED_BZIP2] = step_bzip2 };
    struct ipr_decode *d = payload;
    size_t n = 0;

    *bytes = d->block;
    while (d->why == NULL && n < BLOCK_BYTES) {
        const ssize_t more = d->n_in > 0 ? 1 : d->from(d->payload, &d->in);
        size_t out = BLOCK_BYTES - n;

        if (more < 0)
            return -1;
        if (d->n_in == 0)
            d->n_in = (size_t)more;
        if (more == 0 && d->ended)
            break;
        if (more > 0 && d->ended && *d->in != (unsigned char)*begins[d->packing])
            d->why = "it continues after its compressed part";
        else
            d->why = steps[d->packing](d, d->block + n, &out);
        n += d->why == NULL ? out : 0;
        /* At the end comes what was held back. */
        if (d->why == NULL && more == 0 && out == 0 && !d->ended)
            d->why = "it is truncated";
    }
    return d->why == NULL ? (ssize_t)n : -1;
}
