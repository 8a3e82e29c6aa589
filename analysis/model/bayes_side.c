/* The reference agent by side of a game and by how the game ended. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "model/bayes.h"
#include "stats/sum.h"

/* A turn with what it is sorted by. */
struct sided {
    struct ipr_turn turn;
    enum ipr_bayes_class class;
};

static int by_side(const void *a, const void *b)
{
    const struct sided *x = a;
    const struct sided *y = b;

    if (x->turn.game != y->turn.game)
        return (x->turn.game > y->turn.game) - (x->turn.game < y->turn.game);
    if (x->turn.mover != y->turn.mover)
        return x->turn.mover - y->turn.mover;
    return x->turn.ply - y->turn.ply;
}

static int by_class(const void *a, const void *b)
{
    const struct sided *x = a;
    const struct sided *y = b;

    return (int)x->class - (int)y->class;
}

/* Rates sided[from .. to), which are of one group; IPR_EDATA when none of the turns counts. */
static enum ipr_code sided_rate(const struct ipr_bayes_params *params, const struct sided *sided,
                                size_t from, size_t to, struct ipr_bayes_posterior *out)
{
    struct ipr_turn *turns = ipr_xcalloc(to - from + 1, sizeof *turns);
    enum ipr_code rc;

    for (size_t i = from; i < to; i++)
        turns[i - from] = sided[i].turn;
    rc = ipr_bayes_rate(params, turns, to - from, out, NULL);
    free(turns);
    return rc;
}

/* Every side that has events, into sides; counts those that have none. */
static enum ipr_code rate_sides(const struct ipr_bayes_params *params, const struct sided *sided,
                                size_t n, struct ipr_bayes_side *sides, size_t *n_sides,
                                struct ipr_bayes_class_summary *classes, struct ipr_err *err)
{
    for (size_t from = 0, to; from < n; from = to) {
        const struct sided *s = &sided[from];
        struct ipr_bayes_side *side = &sides[*n_sides];
        enum ipr_code rc;
        for (to = from + 1;
             to < n && sided[to].turn.game == s->turn.game && sided[to].turn.mover == s->turn.mover;
             to++)
            if (sided[to].class != s->class)
                return ipr_err_set(err, IPR_EINVAL, "bayes: game %d ended in two ways for one side",
                                   (int)s->turn.game);
        *side = (struct ipr_bayes_side){ .game = s->turn.game,
                                         .mover = s->turn.mover,
                                         .class = s->class };
        rc = sided_rate(params, sided, from, to, &side->posterior);
        if (rc == IPR_OK)
            ++*n_sides;
        else if (rc == IPR_EDATA)
            classes[s->class].empty++;
        else
            return ipr_err_set(err, rc, "bayes: game %d cannot be rated", (int)s->turn.game);
    }
    return IPR_OK;
}

static void classes_summarise(const struct ipr_bayes_side *sides, size_t n,
                              struct ipr_bayes_class_summary *classes)
{
    for (size_t k = 0; k < IPR_BAYES_CLASSES; k++) {
        struct ipr_bayes_class_summary *c = &classes[k];
        struct ipr_sum sum = { 0 };
        struct ipr_sum squares = { 0 };
        for (size_t i = 0; i < n; i++) {
            if (sides[i].class != k)
                continue;
            c->sides++;
            c->at_bound += sides[i].posterior.at_bound;
            ipr_sum_add(&sum, sides[i].posterior.mean);
        }
        if (c->sides == 0)
            continue;
        c->mean = ipr_sum_value(&sum) / (double)c->sides;
        for (size_t i = 0; i < n; i++)
            if (sides[i].class == k)
                ipr_sum_add(&squares, pow(sides[i].posterior.mean - c->mean, 2.0));
        if (c->sides > 1)
            c->sd = sqrt(ipr_sum_value(&squares) / (double)(c->sides - 1));
    }
}

static enum ipr_code sided_pool(const struct ipr_bayes_params *params, struct sided *sided,
                                size_t n, struct ipr_bayes_class_summary *classes,
                                struct ipr_err *err)
{
    qsort(sided, n, sizeof *sided, by_class);
    for (size_t from = 0, to; from < n; from = to) {
        const enum ipr_bayes_class class = sided[from].class;
        enum ipr_code rc;
        for (to = from + 1; to < n && sided[to].class == class; to++)
            ;
        rc = sided_rate(params, sided, from, to, &classes[class].pooled);
        if (rc != IPR_OK && rc != IPR_EDATA)
            return ipr_err_set(err, rc, "bayes: a class of games cannot be rated");
        classes[class].pooled_known = rc == IPR_OK;
    }
    return IPR_OK;
}

enum ipr_code ipr_bayes_by_side(const struct ipr_bayes_params *params, const struct ipr_turn *turns,
                                const enum ipr_bayes_class *class, size_t n,
                                struct ipr_bayes_side **sides, size_t *n_sides,
                                struct ipr_bayes_class_summary classes[IPR_BAYES_CLASSES],
                                struct ipr_err *err)
{
    struct sided *sided = ipr_xcalloc(n + 1, sizeof *sided);
    struct ipr_bayes_side *rated = ipr_xcalloc(n + 1, sizeof *rated);
    struct ipr_bayes_class_summary summary[IPR_BAYES_CLASSES];
    size_t count = 0;
    enum ipr_code rc = IPR_OK;

    memset(summary, 0, sizeof summary);
    for (size_t i = 0; i < n; i++) {
        sided[i] = (struct sided){ turns[i], class[i] };
        if ((unsigned)class[i] >= IPR_BAYES_CLASSES)
            rc = ipr_err_set(err, IPR_EINVAL, "bayes: class %d", (int)class[i]);
    }
    qsort(sided, n, sizeof *sided, by_side);
    if (rc == IPR_OK)
        rc = rate_sides(params, sided, n, rated, &count, summary, err);
    if (rc == IPR_OK && count == 0)
        rc = ipr_err_set(err, IPR_EDATA, "no turn remains to infer the reference agent from");
    if (rc == IPR_OK)
        rc = sided_pool(params, sided, n, summary, err);
    free(sided);
    if (rc == IPR_OK) {
        classes_summarise(rated, count, summary);
        memcpy(classes, summary, sizeof summary);
        if (n_sides != NULL)
            *n_sides = count;
        if (sides != NULL)
            *sides = rated;
    }
    if (rc != IPR_OK || sides == NULL)
        free(rated);
    return rc;
}
