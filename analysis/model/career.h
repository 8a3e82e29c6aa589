#ifndef IPR_MODEL_CAREER_H
#define IPR_MODEL_CAREER_H

#include <stddef.h>

/*
 * Summaries of the ratings of several years, or of several sets of games. Years are taken as
 * independent; the error of the curve that all share is in each of them, so that a probability is
 * rather too near 1/n and an interval rather too wide.
 */

#define IPR_CAREER_DRAWS 4000

/** Probability that all of n normal variables with these covariances are above 0, by as many joint
 * draws with seed 1: off by .008 at most (one standard error). cov[n * n] may be singular. */
double ipr_career_above(const double *mean, const double *cov, size_t n);

/**
 * Chances of being the largest of n independent normal variables, and of being one of the five
 * largest, by as many draws with seed 1.
 *
 * mean[n], sd[n]   finite, sd > 0; posteriors, so that shrinkage has already answered for the
 * choice of the highest of many [Elo]
 */
void ipr_career_ranks(const double *mean, const double *sd, size_t n, double *first,
                      double *first_five);

/** One year against the others of a career. */
struct ipr_career_apart {
    double difference; /* from the mean of the others, weighted by 1/se^2 [Elo] */
    double standard_error;
    double chance; /* that, if all years were equal, one of them would be as far from the others */
};

/**
 * The k-th of n years against the others together, which are taken as equal. Since one of n years
 * was picked, `chance` is that of any of them: 1 - (1 - p)^n with p of both tails (Sidak,
 * Rectangular confidence regions for the means of multivariate normal distributions, 1967); of two
 * years, which are as far from each other, p.
 *
 * elo[n], se[n]   finite, se > 0; ratings without a prior, which would draw years of few moves
 * away from the others
 * n >= 2, k < n
 */
struct ipr_career_apart ipr_career_apart(const double *elo, const double *se, size_t n, size_t k);

#endif
