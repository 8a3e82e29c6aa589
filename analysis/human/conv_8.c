/* Convolutions, 8 floats at once (AVX2). */
#include "human/conv_widths.h"

#ifdef IPR_CONV_WIDE
#pragma GCC target("avx2")
#define CONV_LANES 8
#define CONV_RUN   ipr_conv_run_8
#include "human/conv_kernel.h"
#endif
