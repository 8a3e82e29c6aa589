#include "core/digest.h"

#include <endian.h>
#include <string.h>

#include <sodium.h>

#define CHUNK 256

void ipr_moves_digest(const char *start_fen, const ipr_move *moves, size_t n, unsigned char out[32])
{
    crypto_hash_sha256_state state;
    unsigned char bytes[2 * CHUNK];

    crypto_hash_sha256_init(&state);
    crypto_hash_sha256_update(&state, (const unsigned char *)start_fen, strlen(start_fen) + 1);
    for (size_t i = 0; i < n; i += CHUNK) {
        const size_t m = n - i < CHUNK ? n - i : CHUNK;

        for (size_t k = 0; k < m; k++) {
            bytes[2 * k] = (unsigned char)(moves[i + k] & 0xff);
            bytes[2 * k + 1] = (unsigned char)(moves[i + k] >> 8);
        }
        crypto_hash_sha256_update(&state, bytes, 2 * m);
    }
    crypto_hash_sha256_final(&state, out);
}

int64_t ipr_moves_key(const char *start_fen, const ipr_move *moves, size_t n)
{
    unsigned char digest[32];
    uint64_t big;

    ipr_moves_digest(start_fen, moves, n, digest);
    memcpy(&big, digest, sizeof big);
    return (int64_t)be64toh(big);
}

int32_t ipr_moves_stem(const char *start_fen, const ipr_move *moves, size_t n)
{
    unsigned char digest[32];
    uint32_t big;

    if (n < IPR_STEM_PLIES)
        return 0;
    ipr_moves_digest(start_fen, moves, IPR_STEM_PLIES, digest);
    memcpy(&big, digest, sizeof big);
    return (int32_t)be32toh(big);
}
