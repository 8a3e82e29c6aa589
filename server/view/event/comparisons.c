/* How many comparisons of an event are extreme, and how many are expected by chance. */
#include <math.h>

#include "view/event/field.h"

/* Probability that a normal z is beyond that many standard errors on one side. */
static const struct {
    int errors;
    double tail;
} limits[] = { { 2, 0.022750131948 }, { 3, 0.001349898032 } };
#define LIMITS (sizeof limits / sizeof *limits)

/* Counts a comparison that is `z` out, with a simulated tail of `tail` (NaN: none), in `beyond` and
 * in `by_tails`. That is unknown if too few sets were simulated for any of the comparisons. The
 * distribution of z is skewed: among n honest performances 2 n tail are expected. */
static void count_extreme(const struct ipr_figure_compared *of, size_t replicates, size_t limit,
                          int64_t *beyond, int64_t *by_tails)
{
    *beyond += fabs(of->z) > limits[limit].errors;
    if (!isfinite(of->tail) || *by_tails == IPR_NO_COUNT)
        return;
    if (((double)replicates + 1.0) * limits[limit].tail < 1.0)
        *by_tails = IPR_NO_COUNT;
    else
        *by_tails += of->tail < limits[limit].tail;
}

struct ipr_answer_event_comparisons
ipr_event_comparisons(const struct ipr_figure_event_row *players, size_t n, struct ipr_arena *mem)
{
    struct ipr_answer_event_comparisons out = {
        .compared = 0,
        .beyond = { ipr_arena_alloc(mem, LIMITS, sizeof *out.beyond.at), LIMITS },
    };

    for (size_t i = 0; i < n; i++) {
        const struct ipr_figure_concordance *const of = players[i].concordance;

        out.compared += of != NULL && of->mm != NULL && isfinite(of->mm->z);
        for (size_t k = 0; of != NULL && k < LIMITS; k++) {
            struct ipr_answer_beyond *const b = &out.beyond.at[k];

            if (of->mm != NULL)
                count_extreme(of->mm, of->replicates, k, &b->mm, &b->by_tails.mm);
            if (of->ad != NULL)
                count_extreme(of->ad, of->replicates, k, &b->ad, &b->by_tails.ad);
        }
    }
    for (size_t k = 0; k < LIMITS; k++) {
        out.beyond.at[k].standard_errors = limits[k].errors;
        out.beyond.at[k].expected = (double)out.compared * 2.0 * limits[k].tail;
    }
    return out;
}
