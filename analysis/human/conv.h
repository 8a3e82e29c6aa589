#ifndef IPR_HUMAN_CONV_H
#define IPR_HUMAN_CONV_H

#include <stdbool.h>
#include <stddef.h>

/**
 * Convolutions of 3 x 3 over a chess board, by Winograd's method F(4 x 4, 3 x 3) (Lavin, Gray,
 * CVPR 2016). Values are [64 squares][channels], a1 first, then b1. Each value sees the same
 * operations in the same order whatever the processor, so that all give the same bits.
 */

#define IPR_CONV_LANES    16 /* channels are a multiple of it */
#define IPR_CONV_CHANNELS 128
#define IPR_CONV_BATCH    16 /* boards at most of one call */
#define IPR_CONV_ALIGN    64 /* bytes, of all values */

struct ipr_conv {
    size_t in, out; /* channels */
    float *weight;  /* [36][in][out], transformed */
    float *bias;    /* [out] */
};

/** Zeros, to be freed with free. */
float *ipr_conv_room(size_t n);

/** Values between the steps of a convolution, for one thread at a time. */
struct ipr_conv_work {
    float *in, *out; /* IPR_CONV_WORK each, of ipr_conv_room */
};
#define IPR_CONV_WORK ((size_t)36 * 4 * IPR_CONV_BATCH * IPR_CONV_CHANNELS)

/** weight [out][in][3][3], the square below and to the left first; bias [out]. */
void ipr_conv_make(size_t in, size_t out, const float *weight, const float *bias,
                   struct ipr_conv *conv);
void ipr_conv_free(struct ipr_conv *conv);

/** y [n][64][out] of x [n][64][in], n <= IPR_CONV_BATCH; x is 0 beyond the board. `relu`: what is
 * below 0 becomes 0. y may be x. */
void ipr_conv_run(const struct ipr_conv *conv, const struct ipr_conv_work *work, size_t n,
                  const float *x, float *y, bool relu);

#endif
