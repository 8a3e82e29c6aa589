/* Convolutions, 4 floats at once. */
#define CONV_LANES 4
#define CONV_RUN   ipr_conv_run_4
#include "human/conv_kernel.h"
