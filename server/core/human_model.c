#include "core/human_model.h"

#include <math.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/mem.h"

#define WEIGHTS_MAX ((size_t)8 << 20) /* bytes, inflated */

/* The first half of the SHA-256 of the inflated weights. */
static const char *const digests[IPR_HUMAN_NETS] = {
    "1a36a309ccd5a65bf8aea0018c33eb74", "67c57f99ae554f14b3433aee2ed8669c",
    "8a086f0481ce5b7deea73e757865859c", "4b8689f61fa99c693e02f8a94f1f8dd0",
    "179b81ab2d19a555f3fc85c72669d21f", "6ffa8a01a4219e151f1279dcb4bafe31",
    "851bf7ab180c8dbfddfca2aaee68c7e0", "a8846b9d806180565c9251dd9a881c59",
    "e8fe5a7f35594d4190c440a2716fda57",
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
    char hex[2 * sizeof digest + 1];

    if (n == 0)
        return ipr_err_set(err, IPR_EIO, "the network %s cannot be read", path);
    crypto_hash_sha256(digest, bytes, n);
    sodium_bin2hex(hex, sizeof hex, digest, sizeof digest);
    if (strncmp(hex, digests[k], strlen(digests[k])) != 0 ||
        !ipr_net_read(bytes, n, &human->net[k]))
        return ipr_err_set(err, IPR_EDATA,
                           "%s is not the network of that name to which ratings are fitted", path);
    return IPR_OK;
}

enum ipr_code ipr_human_model_read(const char *folder, struct ipr_human *out, struct ipr_err *err)
{
    uint8_t *const bytes = ipr_xcalloc(WEIGHTS_MAX, 1);
    struct ipr_arena mem = IPR_ARENA_INIT;
    enum ipr_code rc = IPR_OK;

    *out = (struct ipr_human){ 0 };
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
