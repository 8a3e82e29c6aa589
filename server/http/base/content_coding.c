#include "http/base/content_coding.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>

#include "base/mem.h"

#define PAYS_BYTES   1024 /* below, the headers are most of the answer */
#define GZIP_WINDOW  (15 + 16)
#define GZIP_MEMORY  8
#define NOT_LISTED   (-1.0)
#define WEIGHT_WORST 0.0

/* In order of preference for equal weights: zstd is smaller than gzip and takes a quarter of its
 * time. */
static const struct {
    const char *name, *alias;
    int level, level_once;
} codings[IPR_CODINGS] = {
    [IPR_CODING_NONE] = { "identity", NULL, 0, 0 },
    [IPR_CODING_ZSTD] = { "zstd", NULL, 1, 12 },
    [IPR_CODING_GZIP] = { "gzip", "x-gzip", 4, 9 },
};

const char *ipr_coding_name(enum ipr_coding coding)
{
    return coding == IPR_CODING_NONE ? "" : codings[coding].name;
}

bool ipr_coding_pays(const char *content_type, size_t n)
{
    static const char *const types[] = { "text/",
                                         "application/json",
                                         "application/problem+json",
                                         "application/x-ndjson",
                                         "application/x-chess-pgn",
                                         "application/openapi+json",
                                         "image/svg+xml" };

    for (size_t i = 0; n >= PAYS_BYTES && i < sizeof types / sizeof *types; i++)
        if (strncmp(content_type, types[i], strlen(types[i])) == 0)
            return true;
    return false;
}

/* The part of `rest` before `end`, trimmed; `rest` advances past it. False at the end. */
static bool accept_part(struct ipr_str *rest, char end, struct ipr_str *part)
{
    if (rest->n == 0)
        return false;
    const char *at = memchr(rest->p, end, rest->n);
    const size_t n = at != NULL ? (size_t)(at - rest->p) : rest->n;
    const size_t taken = at != NULL ? n + 1 : n;

    *part = ipr_str_trim((struct ipr_str){ rest->p, n });
    *rest = (struct ipr_str){ rest->p + taken, rest->n - taken };
    return true;
}

bool ipr_accept_next(struct ipr_str *list, struct ipr_str *item, double *weight)
{
    struct ipr_str rest, part;

    if (!accept_part(list, ',', &rest))
        return false;
    *weight = 1;
    *item = (struct ipr_str){ NULL, 0 };
    (void)accept_part(&rest, ';', item);
    while (accept_part(&rest, ';', &part))
        if (part.n >= 2 && (part.p[0] == 'q' || part.p[0] == 'Q') && part.p[1] == '=' &&
            !ipr_str_double((struct ipr_str){ part.p + 2, part.n - 2 }, 0, 1, weight))
            *weight = WEIGHT_WORST;
    return true;
}

static void coding_weights(const char *accept, double q[IPR_CODINGS])
{
    struct ipr_str rest = ipr_str_c(accept), item;
    double any = NOT_LISTED, weight;

    for (int i = 0; i < IPR_CODINGS; i++)
        q[i] = NOT_LISTED;
    while (ipr_accept_next(&rest, &item, &weight)) {
        if (ipr_str_is(item, "*"))
            any = weight;
        for (int i = 0; i < IPR_CODINGS; i++)
            if (ipr_str_is_like(item, codings[i].name) ||
                (codings[i].alias != NULL && ipr_str_is_like(item, codings[i].alias)))
                q[i] = weight;
    }
    for (int i = 0; i < IPR_CODINGS; i++)
        if (q[i] == NOT_LISTED)
            q[i] = any;
}

enum ipr_coding ipr_coding_choose(const char *accept, bool pays)
{
    double q[IPR_CODINGS];
    enum ipr_coding best = IPR_CODING_UNACCEPTABLE;

    coding_weights(accept, q);
    const bool plain = q[IPR_CODING_NONE] != WEIGHT_WORST; /* not listed is acceptable */
    if (plain && !pays)
        return IPR_CODING_NONE;
    for (int i = IPR_CODING_ZSTD; i < IPR_CODINGS; i++)
        if (q[i] > WEIGHT_WORST && (best == IPR_CODING_UNACCEPTABLE || q[i] > q[best]))
            best = i;
    if (plain && (best == IPR_CODING_UNACCEPTABLE || q[best] < q[IPR_CODING_NONE]))
        best = IPR_CODING_NONE;
    return best;
}

/* ---- compressing ---- */

#define CODER_BYTES 32768 /* of output at a time */

struct ipr_coder {
    z_stream z;
    ZSTD_CCtx *zstd; /* NULL: gzip */
};

/* All calls below fail only if memory is exhausted, which ends the process everywhere else, too. */
static void coder_expect(bool good)
{
    if (!good)
        abort();
}

struct ipr_coder *ipr_coder_new(enum ipr_coding coding, bool once)
{
    struct ipr_coder *c = ipr_xcalloc(1, sizeof *c);
    const int level = once ? codings[coding].level_once : codings[coding].level;

    if (coding == IPR_CODING_ZSTD) {
        c->zstd = ZSTD_createCCtx();
        coder_expect(c->zstd != NULL);
        coder_expect(
            !ZSTD_isError(ZSTD_CCtx_setParameter(c->zstd, ZSTD_c_compressionLevel, level)));
    } else {
        coder_expect(deflateInit2(&c->z, level, Z_DEFLATED, GZIP_WINDOW, GZIP_MEMORY,
                                  Z_DEFAULT_STRATEGY) == Z_OK);
    }
    return c;
}

void ipr_coder_free(struct ipr_coder **c)
{
    if (*c == NULL)
        return;
    if ((*c)->zstd != NULL)
        ZSTD_freeCCtx((*c)->zstd);
    else
        (void)deflateEnd(&(*c)->z);
    free(*c);
    *c = NULL;
}

static void zstd_add(struct ipr_coder *c, struct ipr_str in, bool last, struct ipr_buf *out)
{
    ZSTD_inBuffer from = { in.p, in.n, 0 };
    char bytes[CODER_BYTES];
    size_t left;

    do {
        ZSTD_outBuffer to = { bytes, sizeof bytes, 0 };

        left = ZSTD_compressStream2(c->zstd, &to, &from, last ? ZSTD_e_end : ZSTD_e_flush);
        coder_expect(!ZSTD_isError(left));
        ipr_buf_add(out, bytes, to.pos);
    } while (left > 0);
}

static void gzip_add(struct ipr_coder *c, struct ipr_str in, bool last, struct ipr_buf *out)
{
    char bytes[CODER_BYTES];

    c->z.next_in = (Bytef *)(uintptr_t)in.p;
    c->z.avail_in = (uInt)in.n;
    do {
        c->z.next_out = (Bytef *)bytes;
        c->z.avail_out = sizeof bytes;
        coder_expect(deflate(&c->z, last ? Z_FINISH : Z_SYNC_FLUSH) != Z_STREAM_ERROR);
        ipr_buf_add(out, bytes, sizeof bytes - c->z.avail_out);
    } while (c->z.avail_out == 0);
}

void ipr_coder_add(struct ipr_coder *c, struct ipr_str in, bool last, struct ipr_buf *out)
{
    (c->zstd != NULL ? zstd_add : gzip_add)(c, in, last, out);
}

void ipr_coding_apply(enum ipr_coding coding, bool once, struct ipr_str in, struct ipr_buf *out)
{
    struct ipr_coder *c = ipr_coder_new(coding, once);

    ipr_coder_add(c, in, true, out);
    ipr_coder_free(&c);
}
