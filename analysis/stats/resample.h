#ifndef IPR_STATS_RESAMPLE_H
#define IPR_STATS_RESAMPLE_H

#include "stats/twister.h"

/**
 * Draws n of n items with replacement: times[i] is how often item i was drawn, summing to n.
 * n >= 1, below 2^32.
 */
void ipr_resample(struct ipr_twister *rng, size_t n, double *times);

/** Seeds a stream of draws for each of two samples that depends on that sample's digest alone, so
 * that an error bar does not depend on their order. Equal samples get different streams. */
void ipr_resample_streams(uint64_t seed, uint64_t a, uint64_t b, struct ipr_twister *of_a,
                          struct ipr_twister *of_b);

/** A number spread over all 64 bits (Stafford's variant 13 of the MurmurHash3 finaliser). */
uint64_t ipr_mix64(uint64_t x);

#endif
