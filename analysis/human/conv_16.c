/* Convolutions, 16 floats at once (AVX-512). */
#include "human/conv_widths.h"

#ifdef IPR_CONV_WIDE
#pragma GCC target("avx512f")
#define CONV_LANES 16
#define CONV_RUN   ipr_conv_run_16
#include "human/conv_kernel.h"
#endif
