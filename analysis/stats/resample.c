#include "stats/resample.h"

void ipr_resample(gsl_rng *rng, size_t n, double *times)
{
    for (size_t i = 0; i < n; i++)
        times[i] = 0.0;
    for (size_t i = 0; i < n; i++)
        times[gsl_rng_uniform_int(rng, n)] += 1.0;
}
