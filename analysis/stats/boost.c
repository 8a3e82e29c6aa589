#include "stats/boost.h"

double ipr_boost_at(const struct ipr_boost *b, const float *x)
{
    double sum = b->mean;

    for (size_t t = 0; t < b->n; t++) {
        const struct ipr_boost_tree *const tree = &b->tree[t];
        unsigned leaf = 0;

        for (unsigned k = 0; k < IPR_BOOST_DEPTH; k++)
            leaf |= (unsigned)(x[tree->feature[k]] > tree->threshold[k]) << k;
        sum += (double)tree->leaf[leaf];
    }
    return sum;
}
