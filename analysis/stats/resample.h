#ifndef IPR_STATS_RESAMPLE_H
#define IPR_STATS_RESAMPLE_H

#include <gsl/gsl_rng.h>
#include <stddef.h>
#include <stdint.h>

/**
 * Draws n of n items with replacement: times[i] is how often item i was drawn, summing to n.
 * n >= 1, below 2^32.
 */
void ipr_resample(gsl_rng *rng, size_t n, double *times);

/** A number spread over all 64 bits (Stafford's variant 13 of the MurmurHash3 finaliser). */
uint64_t ipr_mix64(uint64_t x);

#endif
