/* The models' inner loops, 4 lanes wide (AVX2). */
#if defined(__x86_64__) && !defined(__clang__)
#pragma GCC target("avx2")
#endif
#define IPR_LANES 4
#include "model/lanes_kernel.h"

const struct ipr_lanes ipr_lanes_4 = IPR_LANES_TABLE("AVX2");
