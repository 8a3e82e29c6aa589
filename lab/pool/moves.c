/* Sides of games that the engine setting `rating` has analysed. */
#include <stdlib.h>

#include "base/mem.h"
#include "lab/data.h"
#include "lab/pool/pool.h"
#include "model/strength_shipped.h"

/* Sums of the moves of a game: scores of the model that is fitted to masters. */
static void moves_score(const struct bench_data *d, size_t first, size_t n,
                        struct ipr_strength_score *side)
{
    struct ipr_strength_score *const move = ipr_xcalloc(n + 1, sizeof *move);

    ipr_strength_scores(&ipr_strength_shipped.model, d->turn + first, n, move);
    for (size_t i = 0; i < n; i++) {
        side[d->of[first + i]].score += move[i].score;
        side[d->of[first + i]].information += move[i].information;
    }
    free(move);
}

bool pool_read_figures(struct pool_sides *out)
{
    struct bench_data d;
    struct ipr_strength_score *side;

    *out = (struct pool_sides){ .n = 0 };
    if (!bench_data_read(&d))
        return false;
    side = ipr_xcalloc(d.n_sides + 1, sizeof *side);
    for (size_t i = 0, end; i < d.n_turns; i = end) {
        for (end = i; end < d.n_turns && d.side[d.of[end]].game == d.side[d.of[i]].game; end++)
            ;
        moves_score(&d, i, end - i, side);
    }
    for (size_t i = 0; i < d.n_sides; i++)
        if (side[i].information > 0 && d.side[i].elo > 0) {
            pool_add(out, false, d.side[i].elo, d.side[i].player);
            out->score[out->n - 1] = side[i];
            out->moves[out->n - 1] = d.side[i].moves;
            out->year[out->n - 1] = d.side[i].year;
        }
    free(side);
    return true;
}
