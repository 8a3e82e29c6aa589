#ifndef IPR_STATS_BOOST_H
#define IPR_STATS_BOOST_H

#include <stddef.h>
#include <stdint.h>

#include <stdbool.h>

/**
 * Gradient boosting of symmetric regression trees (Friedman, Annals of Statistics 29, 2001,
 * algorithm 2 with shrinkage; trees that ask one question a level: Prokhorenkova et al., NeurIPS
 * 2018, section 4).
 *
 * A tree asks IPR_BOOST_DEPTH questions "x[feature] > threshold"; the answers, as bits, are the
 * number of its leaf. What is not known (NaN) is not greater.
 */
#define IPR_BOOST_DEPTH  5
#define IPR_BOOST_LEAVES (1u << IPR_BOOST_DEPTH)

struct ipr_boost_tree {
    uint8_t feature[IPR_BOOST_DEPTH];
    float threshold[IPR_BOOST_DEPTH];
    float leaf[IPR_BOOST_LEAVES];
};

struct ipr_boost {
    double mean; /* of y: the value without trees */
    size_t n;
    const struct ipr_boost_tree *tree; /* [n] */
};

double ipr_boost_at(const struct ipr_boost *b, const float *x);

/** The data that a model is fitted to. */
struct ipr_boost_data {
    size_t n, features;   /* features: up to 256 */
    const float *x;       /* [n][features]; NaN: not known */
    const double *y;      /* [n] */
    const double *weight; /* [n]; 0: not used */
};

struct ipr_boost_options {
    size_t trees;
    double rate;     /* shrinkage of each tree, 0 to 1 */
    double ridge;    /* added to the weight of a leaf, in units of the mean weight */
    double features; /* share of the features that a tree chooses from, above 0 to 1 */
    uint64_t seed;
};

/**
 * Fits trees to y by least squares. The same data, options and seed give the same trees.
 *
 * tree   [options->trees]; out->tree is set to it, it stays the caller's
 */
void ipr_boost_fit(const struct ipr_boost_data *data, const struct ipr_boost_options *options,
                   struct ipr_boost_tree *tree, struct ipr_boost *out);

#endif
