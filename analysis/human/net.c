#include "human/net.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void ipr_net_work_init(struct ipr_net_work *work)
{
    const size_t n = (size_t)IPR_CONV_BATCH * 64 * IPR_CONV_CHANNELS;

    *work = (struct ipr_net_work){ { ipr_conv_room(IPR_CONV_WORK), ipr_conv_room(IPR_CONV_WORK) },
                                   ipr_conv_room(n),
                                   ipr_conv_room(n),
                                   ipr_conv_room(n) };
}

void ipr_net_work_free(struct ipr_net_work *work)
{
    free(work->conv.in);
    free(work->conv.out);
    free(work->x);
    free(work->a);
    free(work->b);
}

void ipr_net_free(struct ipr_net *net)
{
    ipr_conv_free(&net->input);
    for (size_t k = 0; k < net->blocks; k++) {
        struct ipr_net_block *const b = &net->block[k];

        ipr_conv_free(&b->conv[0]);
        ipr_conv_free(&b->conv[1]);
        free(b->w1);
        free(b->b1);
        free(b->w2);
        free(b->b2);
    }
    free(net->block);
    ipr_conv_free(&net->policy[0]);
    ipr_conv_free(&net->policy[1]);
    *net = (struct ipr_net){ .blocks = 0 };
}

/* out = bias + w x; w [n][of]. */
static void net_dense(const float *w, const float *bias, const float *x, size_t n, size_t of,
                      float *out)
{
    for (size_t k = 0; k < n; k++) {
        float sum = bias[k];

        for (size_t i = 0; i < of; i++)
            sum += w[k * of + i] * x[i];
        out[k] = sum;
    }
}

void ipr_net_excite(const struct ipr_net_block *block, size_t n, const float *x, const float *skip,
                    float *y)
{
    const size_t channels = block->conv[1].out;

    for (size_t i = 0; i < n; i++) {
        float mean[IPR_CONV_CHANNELS] = { 0 }, squeezed[IPR_CONV_CHANNELS],
              by[2 * IPR_CONV_CHANNELS];
        const size_t at = i * 64 * channels;

        for (size_t s = 0; s < 64; s++)
            for (size_t c = 0; c < channels; c++)
                mean[c] += x[at + s * channels + c] / 64;
        net_dense(block->w1, block->b1, mean, block->squeezed, channels, squeezed);
        for (size_t k = 0; k < block->squeezed; k++)
            squeezed[k] = squeezed[k] > 0 ? squeezed[k] : 0;
        net_dense(block->w2, block->b2, squeezed, 2 * channels, block->squeezed, by);
        for (size_t c = 0; c < channels; c++)
            by[c] = 1 / (1 + expf(-by[c]));
        for (size_t s = 0; s < 64; s++)
            for (size_t c = 0; c < channels; c++) {
                const size_t k = at + s * channels + c;
                const float sum = by[c] * x[k] + by[channels + c] + skip[k];

                y[k] = sum > 0 ? sum : 0;
            }
    }
}

void ipr_net_run(const struct ipr_net *net, const struct ipr_net_work *work, size_t n,
                 const float *planes, float *policy)
{
    ipr_conv_run(&net->input, &work->conv, n, planes, work->x, true);
    for (size_t k = 0; k < net->blocks; k++) {
        const struct ipr_net_block *const b = &net->block[k];

        ipr_conv_run(&b->conv[0], &work->conv, n, work->x, work->a, true);
        ipr_conv_run(&b->conv[1], &work->conv, n, work->a, work->b, false);
        ipr_net_excite(b, n, work->b, work->x, work->x);
    }
    ipr_conv_run(&net->policy[0], &work->conv, n, work->x, work->a, true);
    ipr_conv_run(&net->policy[1], &work->conv, n, work->a, policy, false);
}
