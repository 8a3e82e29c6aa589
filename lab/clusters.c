#include "lab/clusters.h"

#include <stdlib.h>

static int cluster_order(const void *a, const void *b)
{
    const struct bench_cluster *x = a, *y = b;

    return (x->cluster > y->cluster) - (x->cluster < y->cluster);
}

size_t bench_clusters_merge(struct bench_cluster *s, size_t n)
{
    size_t k = 0;

    qsort(s, n, sizeof *s, cluster_order);
    for (size_t i = 0; i < n; i++) {
        if (k == 0 || s[k - 1].cluster != s[i].cluster) {
            s[k++] = s[i];
            continue;
        }
        s[k - 1].weight += s[i].weight;
        s[k - 1].product += s[i].product;
    }
    return k;
}
