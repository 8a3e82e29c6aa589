/* The models' inner loops, 4 lanes wide (AVX2). */
#include "model/lanes.h"

#ifdef IPR_WIDE_LANES
#pragma GCC target("avx2")
#define IPR_LANES 4
#include "model/lanes_kernel.h"

const struct ipr_lanes ipr_lanes_4 = IPR_LANES_TABLE("AVX2");
#endif
