#include "model/complexity.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "model/turn.h"
#include "stats/clustered.h"

const char *ipr_complexity_name(enum ipr_complexity_kind kind)
{
    static const char *const names[IPR_COMPLEXITY_KINDS] = {
        [IPR_COMPLEXITY_STABILITY] = "stability",
        [IPR_COMPLEXITY_JUMP_VALUE] = "jump_value",
        [IPR_COMPLEXITY_JUMP_DEPTH] = "jump_depth",
        [IPR_COMPLEXITY_JUMP_VALUE_DEPTH] = "jump_value_depth",
        [IPR_COMPLEXITY_SULLIVAN] = "sullivan",
        [IPR_COMPLEXITY_DEPTH_TIME] = "depth_time",
    };

    return kind < IPR_COMPLEXITY_KINDS ? names[kind] : "";
}

const char *ipr_complexity_status_name(enum ipr_complexity_status status)
{
    static const char *const names[] = {
        [IPR_COMPLEXITY_OK] = "ok",
        [IPR_COMPLEXITY_NOT_AVAILABLE] = "not_available",
        [IPR_COMPLEXITY_TOO_FEW] = "too_few",
        [IPR_COMPLEXITY_SAME_LOSS] = "same_loss",
        [IPR_COMPLEXITY_SAME_INDICATOR] = "same_indicator",
    };

    return status < sizeof names / sizeof names[0] ? names[status] : "";
}

static void complexity_set(struct ipr_complexity *c, enum ipr_complexity_kind kind, double value)
{
    c->value[kind] = value;
    c->known[kind] = true;
}

/* |v(d+1) - v(d)| in cp; -1 when one of them is missing. 1 <= d < depths. */
static int trace_step(const struct ipr_trace *t, unsigned d)
{
    int v[2];

    for (unsigned k = 0; k < 2; k++) {
        const int16_t score = t->score[d - 1 + k];
        if (score == IPR_TRACE_NONE)
            return -1;
        v[k] = ipr_cp_clamp(score);
    }
    return abs(v[1] - v[0]);
}

static void set_steps(const struct ipr_trace *t, struct ipr_complexity *out)
{
    unsigned pairs = 0;
    unsigned at = 0;
    long sum = 0;
    int most = -1;

    for (unsigned d = 1; d < t->depths; d++) {
        const int size = trace_step(t, d);
        if (size < 0)
            continue;
        pairs++;
        sum += size;
        if (size > most) {
            most = size;
            at = d;
        }
    }
    if (pairs == 0)
        return;
    complexity_set(out, IPR_COMPLEXITY_STABILITY, (double)sum / (double)pairs);
    complexity_set(out, IPR_COMPLEXITY_JUMP_VALUE, most);
    complexity_set(out, IPR_COMPLEXITY_JUMP_DEPTH, at);
    complexity_set(out, IPR_COMPLEXITY_JUMP_VALUE_DEPTH, (double)most * (double)at);
}

/* True if the first move is not known at any depth below d. */
static bool unrecorded_below(const struct ipr_trace *t, unsigned d)
{
    for (unsigned k = 1; k < d; k++)
        if (t->first[k - 1] != IPR_FIRST_UNKNOWN)
            return false;
    return true;
}

static void set_sullivan(const struct ipr_trace *t, struct ipr_complexity *out)
{
    unsigned found = t->depths; /* iteration from which on the move was first */
    int size;

    if (found == 0 || t->first[found - 1] != IPR_FIRST_YES)
        return;
    while (found > 1 && t->first[found - 2] == IPR_FIRST_YES)
        found--;
    if (unrecorded_below(t, found)) {
        complexity_set(out, IPR_COMPLEXITY_SULLIVAN, 0.0);
        return;
    }
    size = trace_step(t, found - 1);
    if (t->first[found - 2] == IPR_FIRST_NO && size >= 0)
        complexity_set(out, IPR_COMPLEXITY_SULLIVAN, (double)size * (double)found / 10.0);
}

void ipr_complexity(const struct ipr_trace *trace, struct ipr_complexity *out)
{
    memset(out, 0, sizeof *out);
    set_steps(trace, out);
    set_sullivan(trace, out);
}

/* A search and its place in the caller's array. */
struct search {
    struct ipr_depth_time search;
    size_t at;
};

static int by_time_and_depth(const void *a, const void *b)
{
    const struct ipr_depth_time *x = &((const struct search *)a)->search;
    const struct ipr_depth_time *y = &((const struct search *)b)->search;

    if (x->time_ms != y->time_ms)
        return x->time_ms < y->time_ms ? -1 : 1;
    return (x->depth > y->depth) - (x->depth < y->depth);
}

/* First entry after s[i], i < n, that differs in time, or in time or depth. */
static size_t run_end(const struct search *s, size_t i, size_t n, bool depth_too)
{
    size_t k = i + 1;

    while (k < n && s[k].search.time_ms == s[i].search.time_ms &&
           (!depth_too || s[k].search.depth == s[i].search.depth))
        k++;
    return k;
}

/* C of the searches s[from .. to) of one time limit, sorted by depth. */
static void set_one_time(const struct search *s, size_t from, size_t to, struct ipr_complexity *out)
{
    size_t most = 0;
    unsigned modal_depth = 0;

    for (size_t i = from, end; i < to; i = end) {
        end = run_end(s, i, to, true);
        if (end - i > most) {
            most = end - i;
            modal_depth = s[i].search.depth;
        }
    }
    for (size_t i = from, end; i < to; i = end) {
        end = run_end(s, i, to, true);
        const double rarer = (double)(most - (end - i)) / (double)most;
        const double c = s[i].search.depth < modal_depth ? -rarer : rarer;
        for (size_t k = i; k < end; k++)
            complexity_set(&out[s[k].at], IPR_COMPLEXITY_DEPTH_TIME, c);
    }
}

void ipr_complexity_depth_time(const struct ipr_depth_time *moves, size_t n,
                               struct ipr_complexity *out)
{
    struct search *s = ipr_xcalloc(n + 1, sizeof *s);

    for (size_t i = 0; i < n; i++) {
        s[i] = (struct search){ moves[i], i };
        out[i].value[IPR_COMPLEXITY_DEPTH_TIME] = 0.0;
        out[i].known[IPR_COMPLEXITY_DEPTH_TIME] = false;
    }
    qsort(s, n, sizeof *s, by_time_and_depth);
    for (size_t i = 0, end; i < n; i = end) {
        end = run_end(s, i, n, false);
        if (s[i].search.time_ms > 0)
            set_one_time(s, i, end, out);
    }
    free(s);
}

static bool values_constant(const double *x, size_t n)
{
    for (size_t i = 1; i < n; i++)
        if (x[i] < x[0] || x[i] > x[0])
            return false;
    return true;
}

static enum ipr_complexity_status complexity_correlate(const double *x, const double *loss,
                                                       const int32_t *game, size_t n,
                                                       struct ipr_correlation *rho)
{
    if (n == 0)
        return IPR_COMPLEXITY_NOT_AVAILABLE;
    if (n == 1)
        return IPR_COMPLEXITY_TOO_FEW;
    if (values_constant(loss, n))
        return IPR_COMPLEXITY_SAME_LOSS;
    if (values_constant(x, n) || ipr_stats_correlation(x, loss, game, n, rho, NULL) != IPR_OK)
        return IPR_COMPLEXITY_SAME_INDICATOR;
    return IPR_COMPLEXITY_OK;
}

void ipr_complexity_correlations(const struct ipr_complexity_turn *turns, size_t n,
                                 struct ipr_complexity_rho out[IPR_COMPLEXITY_KINDS])
{
    double *x = ipr_xcalloc(2 * n + 1, sizeof *x);
    double *loss = x + n;
    int32_t *game = ipr_xcalloc(n + 1, sizeof *game);
    uint32_t *index = ipr_xcalloc(n + 1, sizeof *index);

    for (size_t kind = 0; kind < IPR_COMPLEXITY_KINDS; kind++) {
        struct ipr_complexity_rho *r = &out[kind];
        size_t used = 0;

        for (size_t i = 0; i < n; i++) {
            if (!turns[i].complexity.known[kind])
                continue;
            x[used] = turns[i].complexity.value[kind];
            loss[used] = turns[i].loss;
            game[used++] = turns[i].game;
        }
        memset(r, 0, sizeof *r);
        r->turns = used;
        r->without = n - used;
        r->games = ipr_stats_cluster(game, used, index);
        r->status = complexity_correlate(x, loss, game, used, &r->rho);
    }
    free(index);
    free(game);
    free(x);
}
