#include "human/conv_widths.h"

#include <stdlib.h>
#include <string.h>

#define CONV_SIDE  6
#define CONV_POINT (CONV_SIDE * CONV_SIDE)

float *ipr_conv_room(size_t n)
{
    const size_t bytes = (n * sizeof(float) + IPR_CONV_ALIGN) / IPR_CONV_ALIGN * IPR_CONV_ALIGN;
    float *const room = aligned_alloc(IPR_CONV_ALIGN, bytes);

    if (room == NULL)
        abort(); /* as for other memory */
    memset(room, 0, bytes);
    return room;
}

void ipr_conv_make(size_t in, size_t out, const float *weight, const float *bias,
                   struct ipr_conv *conv)
{
    static const double g[CONV_SIDE][3] = { { 1. / 4, 0, 0 },
                                            { -1. / 6, -1. / 6, -1. / 6 },
                                            { -1. / 6, 1. / 6, -1. / 6 },
                                            { 1. / 24, 1. / 12, 1. / 6 },
                                            { 1. / 24, -1. / 12, 1. / 6 },
                                            { 0, 0, 1 } };

    *conv = (struct ipr_conv){ in, out, ipr_conv_room(CONV_POINT * in * out), ipr_conv_room(out) };
    memcpy(conv->bias, bias, out * sizeof *bias);
    for (size_t o = 0; o < out; o++)
        for (size_t i = 0; i < in; i++)
            for (size_t p = 0; p < CONV_POINT; p++) {
                double sum = 0;

                for (size_t k = 0; k < 9; k++)
                    sum += g[p / CONV_SIDE][k / 3] * g[p % CONV_SIDE][k % 3] *
                           (double)weight[(o * in + i) * 9 + k];
                conv->weight[(p * in + i) * out + o] = (float)sum;
            }
}

void ipr_conv_free(struct ipr_conv *conv)
{
    free(conv->weight);
    free(conv->bias);
    *conv = (struct ipr_conv){ 0 };
}

void ipr_conv_run(const struct ipr_conv *conv, const struct ipr_conv_work *work, size_t n,
                  const float *x, float *y, bool relu)
{
#ifdef IPR_CONV_WIDE
    if (__builtin_cpu_supports("avx512f"))
        ipr_conv_run_16(conv, work, n, x, y, relu);
    else if (__builtin_cpu_supports("avx2"))
        ipr_conv_run_8(conv, work, n, x, y, relu);
    else
#endif
        ipr_conv_run_4(conv, work, n, x, y, relu);
}
