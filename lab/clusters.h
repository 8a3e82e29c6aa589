#ifndef LAB_CLUSTERS_H
#define LAB_CLUSTERS_H

#include <stddef.h>
#include <stdint.h>

/** Sums of weights and of weighted products over part of a cluster or all of it. */
struct bench_cluster {
    uint32_t cluster; /* a player, an event or a game */
    double weight, product;
};

/** Sorts by cluster and adds up the sums of each; returns the number of clusters. */
size_t bench_clusters_merge(struct bench_cluster *s, size_t n);

#endif
