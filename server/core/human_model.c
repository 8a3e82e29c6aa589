#include "core/human_model.h"

#include <math.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/mem.h"

#define WEIGHTS_MAX ((size_t)8 << 20) /* bytes, inflated */
#define DIGEST      16                /* bytes of the SHA-256 of the inflated weights */

static const uint8_t digests[IPR_HUMAN_NETS][DIGEST] = {
    { 0x1a, 0x36, 0xa3, 0x09, 0xcc, 0xd5, 0xa6, 0x5b, 0xf8, 0xae, 0xa0, 0x01, 0x8c, 0x33, 0xeb,
      0x74 },
    { 0x67, 0xc5, 0x7f, 0x99, 0xae, 0x55, 0x4f, 0x14, 0xb3, 0x43, 0x3a, 0xee, 0x2e, 0xd8, 0x66,
      0x9c },
    { 0x8a, 0x08, 0x6f, 0x04, 0x81, 0xce, 0x5b, 0x7d, 0xee, 0xa7, 0x3e, 0x75, 0x78, 0x65, 0x85,
      0x9c },
    { 0x4b, 0x86, 0x89, 0xf6, 0x1f, 0xa9, 0x9c, 0x69, 0x3e, 0x02, 0xf8, 0xa9, 0x4f, 0x1f, 0x8d,
      0xd0 },
    { 0x17, 0x9b, 0x81, 0xab, 0x2d, 0x19, 0xa5, 0x55, 0xf3, 0xfc, 0x85, 0xc7, 0x26, 0x69, 0xd2,
      0x1f },
    { 0x6f, 0xfa, 0x8a, 0x01, 0xa4, 0x21, 0x9e, 0x15, 0x1f, 0x12, 0x79, 0xdc, 0xb4, 0xba, 0xfe,
      0x31 },
    { 0x85, 0x1b, 0xf7, 0xab, 0x18, 0x0c, 0x8d, 0xbf, 0xdd, 0xfc, 0xa2, 0xaa, 0xee, 0x68, 0xc7,
      0xe0 },
    { 0xa8, 0x84, 0x6b, 0x9d, 0x80, 0x61, 0x80, 0x56, 0x5c, 0x92, 0x51, 0xdd, 0x9a, 0x88, 0x1c,
      0x59 },
    { 0xe8, 0xfe, 0x5a, 0x7f, 0x35, 0x59, 0x4d, 0x41, 0x90, 0xc4, 0x40, 0xa2, 0x71, 0x6f, 0xda,
      0x57 },
};

/* Bytes of a file, inflated; 0: it cannot be read. One that is too long is cut off. */
static size_t weights_read(const char *path, uint8_t *bytes)
{
    const gzFile in = gzopen(path, "rb");
    const int n = in != NULL ? gzread(in, bytes, WEIGHTS_MAX) : -1;

    if (in != NULL)
        gzclose(in);
    return n > 0 ? (size_t)n : 0;
}

static enum ipr_code weights_take(const char *path, size_t k, uint8_t *bytes,
                                  struct ipr_human *human, struct ipr_err *err)
{
    const size_t n = weights_read(path, bytes);
    uint8_t digest[crypto_hash_sha256_BYTES];

    if (n == 0)
        return ipr_err_set(err, IPR_EIO, "the network %s cannot be read", path);
    crypto_hash_sha256(digest, bytes, n);
    if (memcmp(digest, digests[k], DIGEST) != 0 || !ipr_net_read(bytes, n, &human->net[k]))
        return ipr_err_set(err, IPR_EDATA,
                           "%s is not the network of that name to which ratings are fitted", path);
    return IPR_OK;
}

enum ipr_code ipr_human_model_read(const char *folder, struct ipr_human *out, struct ipr_err *err)
{
    uint8_t *const bytes = ipr_xcalloc(WEIGHTS_MAX, 1);
    struct ipr_arena mem = IPR_ARENA_INIT;
    enum ipr_code rc = IPR_OK;

    ipr_human_init(out);
    for (size_t k = 0; rc == IPR_OK && k < IPR_HUMAN_NETS; k++)
        rc = weights_take(ipr_arena_printf(&mem, "%s/maia-%zu.pb.gz", folder, 1100 + 100 * k), k,
                          bytes, out, err);
    if (rc != IPR_OK)
        ipr_human_free(out);
    ipr_arena_release(&mem);
    free(bytes);
    return rc;
}

bool ipr_human_model_sums(const struct ipr_human *human, const struct ipr_strength_shipped *fit,
                          const struct ipr_pos *start, const ipr_move *moves, size_t n_moves,
                          struct ipr_side_sums sums[2])
{
    struct ipr_human_move *m;
    struct ipr_pos initial;

    memset(sums, 0, 2 * sizeof *sums);
    ipr_pos_start(&initial);
    if (start->key != initial.key)
        return false;
    m = ipr_xcalloc(n_moves + 1, sizeof *m);
    ipr_human_moves(human, start, moves, n_moves, m);
    for (unsigned c = 0; c < 2; c++) {
        struct ipr_strength_score sum = { 0, 0 };

        sums[c].moves = (int32_t)ipr_human_add(fit->human, m, n_moves, c, &sum);
        sums[c].score = (int64_t)llround(IPR_STRENGTH_UNIT * sum.score);
        sums[c].information = (int64_t)llround(IPR_STRENGTH_UNIT * sum.information);
    }
    free(m);
    return true;
}
