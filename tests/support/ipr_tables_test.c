#include "ipr_tables_test.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

#include "engine/tablebase.h"
#include "ipr_test.h"

const char *ipr_tables_shared(void)
{
    static char path[PATH_MAX];
    const char *shared = ipr_test_shared("data/syzygy");

    if (shared == NULL)
        skip();
    assert_non_null(realpath(shared, path));
    return path;
}

void ipr_tables_open(void)
{
    const char *path = ipr_tables_shared();
    struct ipr_err err = IPR_ERR_INIT;

    assert_ok(ipr_tablebase_open(path, &err), &err);
}

int ipr_tables_close(void **state)
{
    (void)state;
    ipr_tablebase_close();
    return 0;
}

struct ipr_pos ipr_tables_position(const char *fen)
{
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_pos pos;

    assert_ok(ipr_pos_from_fen(&pos, ipr_str_c(fen), &err), &err);
    return pos;
}

void ipr_tables_probe(const struct ipr_pos *pos, int *wdl, int *dtz)
{
    struct ipr_err err = IPR_ERR_INIT;

    assert_ok(ipr_tablebase_probe(pos, wdl, dtz, &err), &err);
}

static uint64_t random_state = 1;

void ipr_tables_seed(uint64_t seed)
{
    random_state = seed;
}

unsigned ipr_tables_below(unsigned n) /* Marsaglia's xorshift64 */
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return (unsigned)(random_state >> 33) % n;
}

bool ipr_tables_random(const char *men, struct ipr_pos *pos)
{
    char board[64] = { 0 }, fen[IPR_FEN_MAX];
    size_t at = 0;

    for (const char *m = men; *m != '\0'; m++) {
        const unsigned square = ipr_tables_below(64);

        if (board[square] != 0)
            return false;
        board[square] = *m;
    }
    for (unsigned i = 0; i < 64; i++) {
        fen[at++] = '1';
        if (board[i] != 0)
            fen[at - 1] = board[i];
        if (i % 8 == 7 && i < 63)
            fen[at++] = '/';
    }
    snprintf(fen + at, sizeof fen - at, " %c - - 0 1", ipr_tables_below(2) != 0 ? 'w' : 'b');
    return ipr_pos_from_fen(pos, ipr_str_c(fen), NULL) == IPR_OK;
}
