#include "stats/resample.h"

void ipr_resample(struct ipr_twister *rng, size_t n, double *times)
{
    for (size_t i = 0; i < n; i++)
        times[i] = 0.0;
    for (size_t i = 0; i < n; i++)
        times[ipr_twister_below(rng, (uint32_t)n)] += 1.0;
}

void ipr_resample_streams(uint64_t seed, uint64_t a, uint64_t b, struct ipr_twister *of_a,
                          struct ipr_twister *of_b)
{
    ipr_twister_seed(of_a, (uint32_t)ipr_mix64(seed ^ a));
    ipr_twister_seed(of_b, (uint32_t)ipr_mix64(seed ^ b ^ (a == b)));
}

uint64_t ipr_mix64(uint64_t x)
{
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9U;
    x = (x ^ x >> 27) * 0x94d049bb133111ebU;
    return x ^ x >> 31;
}
