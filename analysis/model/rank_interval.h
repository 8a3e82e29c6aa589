#ifndef IPR_MODEL_RANK_INTERVAL_H
#define IPR_MODEL_RANK_INTERVAL_H

#include <stddef.h>

/*
 * 95 % intervals of ranks, from estimates and their errors, without drawing samples.
 *
 *   theta_i ~ N(estimate_i, se_i^2), independent
 *   rank of i = 1 + number of j whose theta_j > theta_i
 *
 * Given theta_i = t that number is a sum of independent events of probabilities
 * Phi((estimate_j - t) / se_j). Its distribution is the refined normal approximation: with mean m,
 * variance v and skewness g of the sum,
 *   P(number <= k) = Phi(x) + g (1 - x^2) phi(x) / 6,   x = (k + 1/2 - m) / sqrt(v)
 * and the distribution of the rank is its mean over theta_i, by the trapezoidal rule. Errors that
 * the estimates share are taken as independent, so the intervals are rather too wide.
 *
 * Sources: ranks of uncertain values: H. Goldstein and D. J. Spiegelhalter, JRSS A 159 (1996)
 * 385-443; the approximation: A. Yu. Volkova, Theory of Probability and its Applications 40 (1996)
 * 791-794.
 */

struct ipr_rank_entry {
    double estimate, se; /* finite, se > 0; higher is better */
};

struct ipr_rank_interval {
    size_t low, high; /* 1 is the best */
};

/**
 * Ranks of the entries at[0 .. k) among all.
 *
 * entry[n]   n >= 1
 * out[k]
 *
 * Order of the work: n times the points of a grid, 64 to 512 (a third of the least error apart,
 * where 512 suffice).
 */
void ipr_rank_intervals(const struct ipr_rank_entry *entry, size_t n, const size_t *at, size_t k,
                        struct ipr_rank_interval *out);

#endif
