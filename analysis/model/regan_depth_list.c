/* A turn's differences at every depth. */
#include "model/regan_depth.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "model/regan_set.h"

/* Score of the i-th move at depth index d or at the next deeper one that reports it; `last` is that
 * of the last depth. */
static int depth_carried(const struct ipr_rh_depth_scores *s, unsigned i, unsigned d, int last)
{
    for (; d + 1 < s->depths; d++)
        if (s->cp[i * s->depths + d] != IPR_RH_DEPTH_NONE)
            return ipr_cp_clamp(s->cp[i * s->depths + d]);
    return last;
}

/* Lines at depth index d < depths - 1: v[lines] holds those of the last depth. */
static void lines_at(const struct ipr_rh_depth_scores *s, unsigned lines, unsigned d, int *v)
{
    int lowest = IPR_CP_LIMIT;

    for (unsigned i = 0; i < lines; i++) {
        v[i] = depth_carried(s, i, d, v[i]);
        if (s->cp[i * s->depths + d] != IPR_RH_DEPTH_NONE && v[i] < lowest)
            lowest = v[i];
    }
    for (unsigned i = 0; i < lines; i++)
        if (s->cp[i * s->depths + d] == IPR_RH_DEPTH_NONE && v[i] > lowest)
            v[i] = lowest;
}

static int depth_falling(const void *a, const void *b)
{
    return *(const int *)b - *(const int *)a;
}

/* Differences at one depth, from the scores of the lines and of the move searched separately. */
static void depth_column(const struct ipr_rh_params *p, const struct ipr_turn *t, const int *v,
                         int x, unsigned depths, struct ipr_rh_depth_list *out, unsigned d)
{
    const bool separate = t->played >= t->lines;
    int sorted[IPR_RH_LINES_MAX];
    unsigned first = 0;
    int best = v[0];
    double *at = out->delta + d;

    memcpy(sorted, v, t->lines * sizeof *v);
    qsort(sorted, t->lines, sizeof *sorted, depth_falling);
    for (unsigned i = 1; i < t->lines; i++)
        if (v[i] > best) {
            best = v[i];
            first = i;
        }
    if (separate && p->order == IPR_PLAYED_LAST && x > sorted[t->lines - 1])
        x = sorted[t->lines - 1];
    if (separate && x > best) {
        best = x;
        first = out->played;
    }
    for (unsigned i = 0; i < t->lines; i++)
        at[i * depths] = i == first ? 0.0 : ipr_rh_ruled_delta(p, best, v[i]);
    if (out->n > t->lines + (separate ? 1U : 0U))
        at[t->lines * depths] = ipr_rh_ruled_delta(p, best, ipr_rh_tail_value(p, sorted, t->lines));
    if (separate)
        at[out->played * depths] = out->played == first ? 0.0 : ipr_rh_ruled_delta(p, best, x);
}

void ipr_rh_depth_list(const struct ipr_rh_params *params, const struct ipr_turn *turn,
                       const struct ipr_rh_depth_scores *scores, unsigned depths,
                       struct ipr_rh_depth_list *out)
{
    const bool separate = turn->played >= turn->lines;
    const unsigned unseen = (unsigned)turn->legal - turn->n_cp;
    int last[IPR_RH_LINES_MAX];
    int v[IPR_RH_LINES_MAX];

    ipr_rh_read_lines(turn, last);
    out->n = turn->lines;
    for (unsigned i = 0; i < out->n; i++)
        out->count[i] = 1;
    if (unseen > 0 && params->tail != IPR_RH_TAIL_NONE)
        out->count[out->n++] = unseen;
    out->played = turn->played;
    if (separate) {
        out->played = out->n;
        out->count[out->n++] = 1;
    }
    for (unsigned d = 0; d < depths; d++) {
        int x = ipr_cp_clamp(turn->cp[turn->played]);

        memcpy(v, last, turn->lines * sizeof *v);
        if (d + 1 < scores->depths) {
            lines_at(scores, turn->lines, d, v);
            x = depth_carried(scores, turn->played, d, x);
        }
        depth_column(params, turn, v, x, depths, out, d);
    }
}
