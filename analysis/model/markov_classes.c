#include "model/markov.h"
#include "model/markov_side.h"
#include "model/years.h"

#include <stdlib.h>

struct ipr_markov_classes ipr_markov_classes_19(void)
{
    return (struct ipr_markov_classes){ .n = 19,
                                        .edges = 8,
                                        .edge = { 10, 22, 38, 58, 82, 113, 152, 200 },
                                        .zero_class = true,
                                        .end_takes_edge = true };
}

struct ipr_markov_classes ipr_markov_classes_10(void)
{
    return (struct ipr_markov_classes){ .n = 10, .edges = 4, .edge = { 40, 80, 120, 160 } };
}

enum ipr_code ipr_markov_classes_make(const int16_t *edge, unsigned k, bool zero_class,
                                      bool end_takes_edge, struct ipr_markov_classes *out,
                                      struct ipr_err *err)
{
    struct ipr_markov_classes c = { .zero_class = zero_class, .end_takes_edge = end_takes_edge };

    _Static_assert(2 * IPR_MARKOV_EDGES + 3 <= IPR_MARKOV_MAX, "classes of so many edges");
    if (k == 0 || k > IPR_MARKOV_EDGES)
        return ipr_err_set(err, IPR_EPARSE, "%u edges between classes; 1 to %d are possible", k,
                           IPR_MARKOV_EDGES);
    for (unsigned i = 0; i < k; i++) {
        if (edge[i] <= (i == 0 ? 0 : edge[i - 1]))
            return ipr_err_set(err, IPR_EPARSE, "edges between classes must be positive and rise");
        c.edge[i] = edge[i];
    }
    c.edges = k;
    c.n = 2 * k + 2 + zero_class;
    *out = c;
    return IPR_OK;
}

enum ipr_code ipr_markov_classes_check(const struct ipr_markov_classes *classes,
                                       struct ipr_err *err)
{
    if (classes->n < 3 || classes->n > IPR_MARKOV_MAX ||
        classes->n != 2 * classes->edges + 2 + classes->zero_class)
        return ipr_err_set(err, IPR_EINVAL, "markov: %u classes", classes->n);
    return IPR_OK;
}

unsigned ipr_markov_class(const struct ipr_markov_classes *classes, int cp)
{
    const unsigned zero = classes->n / 2; /* the class of 0 */
    const unsigned k = classes->edges;
    const int size = abs(cp);
    unsigned band = 0;

    if (cp == 0)
        return zero;
    while (band < k && size > classes->edge[band])
        band++;
    if (classes->end_takes_edge && band == k - 1 && size == classes->edge[k - 1])
        band = k;
    if (cp > 0)
        return classes->zero_class ? zero + 1 + band : zero + band;
    return zero - 1 - band;
}

void ipr_markov_count(const struct ipr_markov_classes *classes, const struct ipr_markov_turn *turns,
                      size_t n, int32_t year, double *counts)
{
    for (size_t i = 0; i < n; i++) {
        const struct ipr_markov_turn *t = &turns[i];
        const double w = ipr_year_weight(t->year, year, IPR_FORGETTING);

        if (w > 0.0)
            counts[ipr_markov_class(classes, t->best_cp) * classes->n +
                   ipr_markov_class(classes, t->played_cp)] += w;
    }
}

void ipr_markov_mirror(const double *in, size_t n, double *out)
{
    for (size_t k = 0; k < n * n; k++)
        out[k] = in[n * n - 1 - k];
}
