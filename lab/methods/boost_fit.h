#ifndef IPR_LAB_BOOST_FIT_H
#define IPR_LAB_BOOST_FIT_H

#include "stats/boost.h"

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
