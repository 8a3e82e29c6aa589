#include "uci/after.h"

void ipr_after_begin(struct ipr_after *a, const struct ipr_pos *pos, ipr_move m, unsigned depth)
{
    ipr_move legal[IPR_MAX_MOVES] = { m };
    size_t n = 1;

    *a = (struct ipr_after){ .pos = *pos };
    while (n == 1 && a->behind < depth) {
        a->moves[a->behind++] = legal[0];
        ipr_pos_play(&a->pos, legal[0]);
        n = ipr_pos_legal(&a->pos, legal);
    }
    a->ended = n == 0;
    a->depth = depth > a->behind ? depth - a->behind : 1;
}

static int16_t seen_before(int16_t score, unsigned plies)
{
    while (plies-- > 0)
        score = ipr_score_before(score);
    return score;
}

void ipr_after_scores(const struct ipr_after *a, const struct ipr_search *s, unsigned depth,
                      int16_t *score)
{
    const int16_t over = ipr_pos_in_check(&a->pos) ? -IPR_SCORE_MATE : 0;

    for (unsigned d = 1; d <= depth; d++) {
        const unsigned missing = depth - a->depth; /* depths that have no search behind them */

        if (a->ended)
            score[d - 1] = seen_before(over, a->behind);
        else
            score[d - 1] =
                d <= missing ? IPR_SCORE_NONE : seen_before(s->best[d - missing - 1], a->behind);
    }
}
