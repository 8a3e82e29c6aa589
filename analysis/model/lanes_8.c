/* The models' inner loops, 8 lanes wide (AVX-512). */
#include "model/lanes.h"

#ifdef IPR_WIDE_LANES
#pragma GCC target("avx512f,avx512dq")
#define IPR_LANES 8
#include "model/lanes_kernel.h"

const struct ipr_lanes ipr_lanes_8 = IPR_LANES_TABLE("AVX-512");
#endif
