#include "model/lanes.h"

size_t ipr_lanes_all(const struct ipr_lanes *out[3])
{
    size_t n = 0;

    out[n++] = &ipr_lanes_2;
#ifdef IPR_WIDE_LANES
    if (__builtin_cpu_supports("avx2"))
        out[n++] = &ipr_lanes_4;
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq"))
        out[n++] = &ipr_lanes_8;
#endif
    return n;
}

const struct ipr_lanes *ipr_lanes_best(void)
{
    const struct ipr_lanes *all[3];

    return all[ipr_lanes_all(all) - 1];
}
