#include "stats/resample.h"

void ipr_resample(gsl_rng *rng, size_t n, double *times)
{
    for (size_t i = 0; i < n; i++)
        times[i] = 0.0;
    for (size_t i = 0; i < n; i++)
        times[gsl_rng_uniform_int(rng, n)] += 1.0;
}

uint64_t ipr_mix64(uint64_t x)
{
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9U;
    x = (x ^ x >> 27) * 0x94d049bb133111ebU;
    return x ^ x >> 31;
}
