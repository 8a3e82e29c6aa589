#ifndef IPR_STATS_BOOST_H
#define IPR_STATS_BOOST_H

#include <stddef.h>
#include <stdint.h>

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

#endif
