#include "model/window.h"

#include <stdlib.h>
#include <string.h>

struct ipr_window ipr_window_default(enum ipr_window_method method)
{
    struct ipr_window w = { .first_move = 10, .drop_forced = true };

    switch (method) {
    case IPR_WINDOW_CONFORMANCE:
        break;
    case IPR_WINDOW_GUID_BRATKO:
        w.limit_cp = 200;
        break;
    case IPR_WINDOW_REGAN:
        w.first_move = 9;
        w.limit_cp = 300;
        w.drop_repeated = true;
        break;
    case IPR_WINDOW_BAYES:
        w.first_move = 13;
        w.top = 10;
        break;
    }
    return w;
}

/* First reason to leave the turn out, IPR_EXCLUDED_REASONS for none. */
static enum ipr_excluded window_reason(const struct ipr_window *w, const struct ipr_turn *t)
{
    if (ipr_turn_move(t) < w->first_move)
        return IPR_EXCLUDED_BEFORE_FIRST;
    if (!ipr_turn_valid(t))
        return IPR_EXCLUDED_UNJUDGED;
    if (w->drop_forced && t->legal == 1)
        return IPR_EXCLUDED_FORCED;
    if (w->drop_repeated && t->repeated)
        return IPR_EXCLUDED_REPEATED;
    if (w->limit_cp > 0 && abs(ipr_judged(t, w->order).best_cp) > w->limit_cp)
        return IPR_EXCLUDED_DECIDED;
    if (w->top > 0 && t->played >= w->top)
        return IPR_EXCLUDED_NOT_TOP;
    return IPR_EXCLUDED_REASONS;
}

size_t ipr_window_select(const struct ipr_window *w, const struct ipr_turn *turns, size_t n,
                         size_t *keep, struct ipr_window_counts *counts)
{
    struct ipr_window_counts c;

    memset(&c, 0, sizeof c);
    c.turns = n;
    for (size_t i = 0; i < n; i++) {
        const enum ipr_excluded why = window_reason(w, &turns[i]);
        if (why == IPR_EXCLUDED_REASONS)
            keep[c.used++] = i;
        else
            c.excluded[why]++;
    }
    if (counts != NULL)
        *counts = c;
    return c.used;
}

void ipr_window_counts_add(struct ipr_window_counts *to, const struct ipr_window_counts *c)
{
    to->turns += c->turns;
    to->used += c->used;
    for (size_t i = 0; i < IPR_EXCLUDED_REASONS; i++)
        to->excluded[i] += c->excluded[i];
}

const char *ipr_excluded_name(enum ipr_excluded reason)
{
    switch (reason) {
    case IPR_EXCLUDED_BEFORE_FIRST:
        return "before_first_move";
    case IPR_EXCLUDED_UNJUDGED:
        return "unjudged";
    case IPR_EXCLUDED_FORCED:
        return "forced";
    case IPR_EXCLUDED_REPEATED:
        return "repeated";
    case IPR_EXCLUDED_DECIDED:
        return "decided";
    case IPR_EXCLUDED_NOT_TOP:
        return "not_among_top";
    case IPR_EXCLUDED_REASONS:
        break;
    }
    return "";
}
