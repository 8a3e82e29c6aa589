#ifndef LAB_DATA_H
#define LAB_DATA_H

#include <sodium.h>

#include "lab/score.h"
#include "model/strength.h"

#define BENCH_DIGEST (2 * crypto_hash_sha256_BYTES + 1)

/** Figures as `figures` writes them, read and laid out by side and by move. */
struct bench_data {
    struct bench_side *side; /* two a game, White's first */
    size_t n_sides;
    struct ipr_strength_turn *turn; /* by game, ascending ply */
    size_t *of;                     /* side of each turn */
    size_t n_turns;
    size_t n_games;
    char (*id)[17];            /* [n_games], digest of the moves */
    char digest[BENCH_DIGEST]; /* SHA-256 of the input, hexadecimal */
};

/** Reads standard input; games that occur twice count once. false: not such a file, or memory. */
bool bench_data_read(struct bench_data *d);

/** True if a move is among those that sizes count, whatever an entry uses. */
bool bench_counts(const struct ipr_strength_turn *t);

/** The digest of what was hashed until now. */
void bench_hex(const crypto_hash_sha256_state *state, char digest[BENCH_DIGEST]);

#endif
