/* The models' inner loops, 8 lanes wide (AVX-512). */
#if defined(__x86_64__) && !defined(__clang__)
#pragma GCC target("avx512f,avx512dq")
#endif
#define IPR_LANES 8
#include "model/lanes_kernel.h"

const struct ipr_lanes ipr_lanes_8 = IPR_LANES_TABLE("AVX-512");
