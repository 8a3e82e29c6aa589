/* The input is a FEN. What is read can be written and read again and is the same, and so is every
 * position one move on. */
#include <string.h>

#include "chess/position.h"
#include "fuzz.h"

static void expect_stable(const struct ipr_pos *pos)
{
    char fen[IPR_FEN_MAX], again[IPR_FEN_MAX];
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_pos reread;
    const size_t n = ipr_pos_to_fen(pos, fen);

    HOLDS(n < sizeof fen && strlen(fen) == n);
    if (ipr_pos_from_fen(&reread, (struct ipr_str){ fen, n }, &err) != IPR_OK) {
        fprintf(stderr, "%s: %s\n", fen, err.msg);
        abort();
    }
    ipr_pos_to_fen(&reread, again);
    HOLDS(strcmp(fen, again) == 0);
    HOLDS(reread.key == pos->key);
    HOLDS(memcmp(reread.by_piece, pos->by_piece, sizeof pos->by_piece) == 0);
    HOLDS(memcmp(reread.by_colour, pos->by_colour, sizeof pos->by_colour) == 0);
    HOLDS(reread.castling == pos->castling && reread.ep == pos->ep && reread.turn == pos->turn);
}

static bool listed(const ipr_move *moves, size_t n, ipr_move m)
{
    for (size_t i = 0; i < n; i++)
        if (moves[i] == m)
            return true;
    return false;
}

/* The quick answer to one move is that of the list of all. */
static void expect_same_answers(const struct ipr_pos *pos, const ipr_move *moves, size_t n,
                                uint64_t seed)
{
    for (size_t i = 0; i < n; i++)
        HOLDS(ipr_pos_is_legal(pos, moves[i]));
    for (int i = 0; i < 64; i++) {
        const ipr_move m = (ipr_move)fuzz_next(&seed);

        HOLDS(ipr_pos_is_legal(pos, m) == listed(moves, n, m));
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_pos pos;
    ipr_move moves[IPR_MAX_MOVES];

    if (ipr_pos_from_fen(&pos, (struct ipr_str){ (const char *)data, size }, &err) != IPR_OK) {
        HOLDS(err.code == IPR_EPARSE && strcmp(err.type, "bad_fen") == 0);
        return 0;
    }
    expect_stable(&pos);
    const size_t n = ipr_pos_legal(&pos, moves);
    HOLDS(n <= IPR_MAX_MOVES);
    expect_same_answers(&pos, moves, n, fuzz_seed(data, size));
    for (size_t i = 0; i < n; i++) {
        struct ipr_pos next = pos;

        ipr_pos_play(&next, moves[i]);
        expect_stable(&next);
    }
    return 0;
}
