#ifndef IPR_MODEL_HIERARCHY_H
#define IPR_MODEL_HIERARCHY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "stats/interval.h"

/*
 * Estimates with errors, and what they say about an order: a normal hierarchical model whose
 * careers are random walks over the years.
 *
 *   y_i ~ N(theta_i, se_i^2)                     errors independent
 *   theta of a player's first year ~ N(mu, tau^2)
 *   theta of his next year ~ N(that of the year before, drift^2 times the years between them)
 *
 * mu has a flat prior, tau and drift have flat ones from 0 to 3 and 1 times the standard deviation
 * of the estimates (or the mean error if that is more). mu is integrated exactly, tau and drift
 * over a grid, so that their uncertainty is in every figure. theta are drawn jointly, by Kalman's
 * filter forwards and a simulation backwards; ranks are those of the draws.
 *
 * Sources: A. Gelman et al., Bayesian Data Analysis (3rd ed., 2013) chapter 5; J. Durbin and S. J.
 * Koopman, Time Series Analysis by State Space Methods (2nd ed., 2012) chapters 2 (local level) and
 * 4.9; C. K. Carter and R. Kohn, Biometrika 81 (1994) 541-553; for ranks H. Goldstein and D. J.
 * Spiegelhalter, JRSS A 159 (1996) 385-443; for Q W. G. Cochran, Biometrics 10 (1954) 101-129.
 */

struct ipr_hierarchy_entry {
    int64_t player;
    int32_t year;
    double estimate; /* any unit, higher is better; that of all outputs */
    double se;       /* > 0, the same unit */
};

struct ipr_hierarchy_params {
    unsigned draws; /* >= 100 */
    uint64_t seed;
};

/** 2000 draws, seed 1: a probability is off by 0.011 at most (one standard error). */
struct ipr_hierarchy_params ipr_hierarchy_default(void);

struct ipr_hierarchy_row {
    double mean, sd;              /* of theta's posterior */
    struct ipr_interval interval; /* 95 % */
    double best;                  /* probability of being the best of all */
    double best_year;             /* of being the best of the player's own years */
    size_t rank_low, rank_high;   /* 95 % interval of the rank, 1 is the best */
};

struct ipr_hierarchy {
    struct ipr_hierarchy_row *rows; /* [n] in the order of the entries */
    size_t n;
    double mu;    /* posterior means */
    double tau;   /* between players */
    double drift; /* a year; 0 if no player has two */
    double q;     /* Cochran's: sum (y - weighted mean)^2 / se^2 */
    double p;     /* of as large a Q, n - 1 degrees of freedom, were all theta the same */
    double apart; /* share of the pairs whose rank intervals have no rank in common */
    /* True if the estimates differ by more than their errors, p < 0.05: if not, the data do not
     * distinguish the entries. */
    bool distinct;
};

/**
 * entries[n]   in any order, no player-year twice; the same entries in another order give the same
 *              posterior but for rounding
 * out          to be released; untouched on error
 *
 * IPR_EDATA with fewer than two entries; IPR_EINVAL for an estimate or error that is not finite, an
 * error that is not above 0, a player-year that comes twice or fewer than 100 draws.
 * Order of the work: draws times n log n. Memory: 6 n draws bytes.
 */
IPR_CHECK enum ipr_code ipr_hierarchy(const struct ipr_hierarchy_entry *entries, size_t n,
                                      const struct ipr_hierarchy_params *params,
                                      struct ipr_hierarchy *out, struct ipr_err *err);
void ipr_hierarchy_release(struct ipr_hierarchy *h);

#endif
