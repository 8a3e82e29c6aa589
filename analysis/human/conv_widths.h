#ifndef IPR_HUMAN_CONV_WIDTHS_H
#define IPR_HUMAN_CONV_WIDTHS_H

#include "human/conv.h"

/* The convolution on 4, 8 and 16 floats at once; ipr_conv_run chooses what the processor has. */

typedef void ipr_conv_run_fn(const struct ipr_conv *conv, const struct ipr_conv_work *work,
                             size_t n, const float *x, float *y, bool relu);

ipr_conv_run_fn ipr_conv_run_4;
/* Clang cannot compile a whole file for another processor. */
#if defined __x86_64__ && !defined __clang__
#define IPR_CONV_WIDE
ipr_conv_run_fn ipr_conv_run_8, ipr_conv_run_16;
#endif

#endif
