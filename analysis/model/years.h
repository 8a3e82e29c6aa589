#ifndef IPR_MODEL_YEARS_H
#define IPR_MODEL_YEARS_H

#include <stddef.h>
#include <stdint.h>

/* Weights of turns of several years. */

/** Weight of a year against the next: A's, "a forgetting factor of 2". */
#define IPR_FORGETTING 0.5

/**
 * forgetting^(year - turn_year), forgetting in [0, 1]: with 0 the year alone counts, with 1 all
 * years the same; 0 for later and unknown years. Year 0 (whole career): 1. Source: A
 * sections 3.2, 4.4.
 */
double ipr_year_weight(int32_t turn_year, int32_t year, double forgetting);

/** Exchangeable games: replicates draw among these. Usually of one year. */
struct ipr_stratum {
    size_t first, games; /* into `drawn` */
    uint64_t digest;     /* of its games' turns, in whatever order; the caller's */
};

/**
 * Makes the strata of a bootstrap from runs of games: a game alone in its run would be in every
 * replicate. Such games are one stratum together, the last; where there is only one it joins the
 * largest stratum (the first of these).
 *
 * strata[n]      first and games of each run; replaced by the strata
 * drawn[games]   output: the games, those of one stratum together
 *
 * Returns how many strata there are, at most n.
 */
size_t ipr_strata(struct ipr_stratum *strata, size_t n, size_t games, size_t *drawn);

#endif
