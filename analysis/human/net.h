#ifndef IPR_HUMAN_NET_H
#define IPR_HUMAN_NET_H

#include <stdint.h>

#include "human/conv.h"

/**
 * Policy networks in the weights format of Leela Chess Zero, of the kind of McIlroy-Young, Sen,
 * Kleinberg, Anderson (KDD 2020): 112 planes of input, a tower of residual blocks with squeeze and
 * excitation, a policy by convolution.
 */

#define IPR_NET_PLANES 112
#define IPR_NET_POLICY 80

/** Two convolutions; what they give is scaled and shifted by channel, and the input is added. */
struct ipr_net_block {
    struct ipr_conv conv[2];
    size_t squeezed; /* values */
    float *w1, *b1;  /* [squeezed][channels], [squeezed] */
    float *w2, *b2;  /* [2 channels][squeezed], [2 channels]: logits of scales, shifts */
};

struct ipr_net {
    struct ipr_conv input, policy[2];
    size_t blocks;
    struct ipr_net_block *block;
};

/** Values between the layers, for one thread at a time. */
struct ipr_net_work {
    struct ipr_conv_work conv;
    float *x, *a, *b;
};

void ipr_net_work_init(struct ipr_net_work *work);
void ipr_net_work_free(struct ipr_net_work *work);

/** Reads weights, inflated. False: they are none, or of another kind; nothing is to be freed. */
bool ipr_net_read(const uint8_t *bytes, size_t n, struct ipr_net *out);
void ipr_net_free(struct ipr_net *net);

/** y = max(0, scale x + shift + skip), [n][64][channels] all; y may be x or skip. */
void ipr_net_excite(const struct ipr_net_block *block, size_t n, const float *x, const float *skip,
                    float *y);

/** The policy [n][64][IPR_NET_POLICY] of n <= IPR_CONV_BATCH inputs [n][64][IPR_NET_PLANES]; both
 * of ipr_conv_room. */
void ipr_net_run(const struct ipr_net *net, const struct ipr_net_work *work, size_t n,
                 const float *planes, float *policy);

#endif
