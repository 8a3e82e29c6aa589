#include "view/rating/trace.h"

_Static_assert(IPR_TRACE_NONE == IPR_SCORE_NONE, "a trace is a row of scores as stored");

static int16_t score_at(const struct ipr_judged_turn *t, unsigned line, unsigned depth)
{
    return t->score[(size_t)line * t->depth + depth - 1];
}

unsigned ipr_trace_lowest(const struct ipr_judged_turn *turns, size_t n)
{
    unsigned lowest = 0;

    for (size_t i = 0; i < n && lowest != 1; i++) {
        const unsigned end = lowest ? lowest : turns[i].depth + 1u;

        for (unsigned line = 0; turns[i].moves != NULL && line < turns[i].lines; line++)
            for (unsigned d = 1; d < end; d++)
                if (score_at(&turns[i], line, d) != IPR_SCORE_NONE && (!lowest || d < lowest))
                    lowest = d;
    }
    return lowest;
}

/* Lines are in falling order except for the last, which may be the move played. */
static unsigned best_line(const struct ipr_judged_turn *t)
{
    const unsigned last = t->lines - 1u;

    return ipr_judged_final(t, last) > ipr_judged_final(t, 0) ? last : 0;
}

static enum ipr_trace_first first_at(const struct ipr_judged_turn *t, unsigned best, unsigned depth,
                                     unsigned lowest)
{
    const int16_t score = score_at(t, best, depth);

    if (depth < lowest)
        return IPR_FIRST_UNKNOWN;
    if (score == IPR_SCORE_NONE)
        return IPR_FIRST_NO;
    for (unsigned line = 0; line < t->lines; line++)
        if (score_at(t, line, depth) > score) /* none is below every score */
            return IPR_FIRST_NO;
    return IPR_FIRST_YES;
}

void ipr_trace_of(const struct ipr_judged_turn *t, unsigned multipv, unsigned lowest,
                  struct ipr_arena *mem, struct ipr_trace *out)
{
    const unsigned best = best_line(t);
    uint8_t *first = ipr_arena_alloc(mem, t->depth, sizeof *first);

    for (unsigned d = 1; d <= t->depth; d++)
        first[d - 1] = (uint8_t)(multipv > 1 ? first_at(t, best, d, lowest) : IPR_FIRST_UNKNOWN);
    *out = (struct ipr_trace){ t->depth, &t->score[(size_t)best * t->depth], first };
}
