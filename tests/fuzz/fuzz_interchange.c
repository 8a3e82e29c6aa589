/* The input is a line of analysed games, with moves or with figures alone. What is accepted is
 * written as a line that reads as the same game: written once more it is the same text. */
#include <string.h>

#include "core/interchange.h"
#include "fuzz.h"

static enum ipr_code line_read(struct ipr_str line, struct ipr_arena *mem,
                               struct ipr_interchange_game *out)
{
    struct ipr_err err = IPR_ERR_INIT;
    const enum ipr_code rc = ipr_interchange_read(line, 1, mem, out, &err);

    HOLDS(rc == IPR_OK || (rc == IPR_EPARSE && err.msg[0] != '\0'));
    return rc;
}

static void sides_check(const struct ipr_interchange_game *g)
{
    HOLDS(g->sides < 4);
    HOLDS((g->figures != NULL) == (g->moves == NULL && g->n_moves > 0));
    for (unsigned k = 0; g->figures != NULL && k < 2; k++)
        HOLDS((g->figures[k].n > 0) <= (g->sides >> k & 1U));
}

static void line_write_again(const struct ipr_interchange_game *g, struct ipr_arena *mem)
{
    struct ipr_buf once = IPR_BUF_INIT, twice = IPR_BUF_INIT;
    struct ipr_interchange_game again = { 0 };

    ipr_interchange_write(&once, g);
    HOLDS(once.n > 0 && once.p[once.n - 1] == '\n');
    HOLDS(line_read((struct ipr_str){ once.p, once.n - 1 }, mem, &again) == IPR_OK);
    HOLDS(again.n_moves == g->n_moves && again.sides == g->sides);
    ipr_interchange_write(&twice, &again);
    HOLDS(twice.n == once.n && memcmp(twice.p, once.p, once.n) == 0);
    ipr_buf_release(&twice);
    ipr_buf_release(&once);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct ipr_interchange_game game = { 0 };
    struct ipr_arena mem = IPR_ARENA_INIT;

    if (line_read((struct ipr_str){ (const char *)data, size }, &mem, &game) == IPR_OK) {
        sides_check(&game);
        line_write_again(&game, &mem);
    }
    ipr_arena_release(&mem);
    return 0;
}
