#ifndef IPR_STATS_RESAMPLE_H
#define IPR_STATS_RESAMPLE_H

#include <gsl/gsl_rng.h>
#include <stddef.h>

/**
 * Draws n of n items with replacement: times[i] is how often item i was drawn, summing to n.
 * n >= 1, below 2^32.
 */
void ipr_resample(gsl_rng *rng, size_t n, double *times);

#endif
