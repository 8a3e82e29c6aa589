/* The weights format of Leela Chess Zero (its proto/net.proto): a
 * message of Protocol Buffers, layers as 16-bit numbers between two bounds. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "human/net.h"

/* A part of a message, and a field of it. */
struct weights_part {
    const uint8_t *p, *end;
};

struct weights_field {
    unsigned number;
    uint64_t value;            /* of a number; of four bytes as they are */
    struct weights_part bytes; /* of a message or a text */
};

static bool weights_number(struct weights_part *m, uint64_t *out)
{
    *out = 0;
    for (unsigned shift = 0; m->p < m->end && shift < 64; shift += 7) {
        const uint8_t byte = *m->p++;

        *out |= (uint64_t)(byte & 127) << shift;
        if (byte < 128)
            return true;
    }
    return false;
}

/* The next field; false at the end, and where it is not well formed. */
static bool weights_next(struct weights_part *m, struct weights_field *f)
{
    uint64_t key, size = 0;

    *f = (struct weights_field){ 0 };
    if (m->p >= m->end || !weights_number(m, &key))
        return false;
    f->number = (unsigned)(key >> 3);
    switch (key & 7) {
    case 0:
        return weights_number(m, &f->value);
    case 1:
        size = 8;
        break;
    case 2:
        if (!weights_number(m, &size))
            return false;
        break;
    case 5:
        size = 4;
        break;
    default:
        return false;
    }
    if (size > (uint64_t)(m->end - m->p))
        return false;
    f->bytes = (struct weights_part){ m->p, m->p + size };
    if (size == 4 && (key & 7) == 5)
        memcpy(&f->value, m->p, 4);
    m->p += size;
    return true;
}

/* The field of a number, the `nth` from 0. */
static bool weights_find(struct weights_part m, unsigned number, size_t nth,
                         struct weights_field *f)
{
    while (weights_next(&m, f))
        if (f->number == number && nth-- == 0)
            return true;
    return false;
}

static struct weights_part weights_part(struct weights_part m, unsigned number, size_t nth)
{
    struct weights_field f;

    return weights_find(m, number, nth, &f) ? f.bytes : (struct weights_part){ NULL, NULL };
}

/* The numbers of a layer; NULL if there are not n. */
static float *weights_layer(struct weights_part m, unsigned number, size_t n)
{
    const struct weights_part layer = weights_part(m, number, 0), bytes = weights_part(layer, 3, 0);
    struct weights_field low, high;
    float least, most, *out;

    if (!weights_find(layer, 1, 0, &low) || !weights_find(layer, 2, 0, &high) ||
        (size_t)(bytes.end - bytes.p) != 2 * n)
        return NULL;
    memcpy(&least, &low.value, sizeof least);
    memcpy(&most, &high.value, sizeof most);
    out = ipr_xcalloc(n, sizeof *out);
    for (size_t i = 0; i < n; i++)
        out[i] = least + (float)(bytes.p[2 * i] | bytes.p[2 * i + 1] << 8) / 65535 * (most - least);
    return out;
}

static size_t weights_size(struct weights_part m, unsigned number)
{
    const struct weights_part bytes = weights_part(weights_part(m, number, 0), 3, 0);

    return (size_t)(bytes.end - bytes.p) / 2;
}

/* A convolution, with the normalisation after it where there is one. */
static bool weights_conv(struct weights_part m, size_t in, struct ipr_conv *conv)
{
    const size_t n = weights_size(m, 1), out = in > 0 ? n / (9 * in) : 0;
    float *const weight = weights_layer(m, 1, n), *bias = weights_layer(m, 2, out),
                 *const mean = weights_layer(m, 3, out), *const variance = weights_layer(m, 4, out),
                 *const scale = weights_layer(m, 5, out), *const shift = weights_layer(m, 6, out);
    const bool normal = mean != NULL && variance != NULL && scale != NULL && shift != NULL,
               ok = weight != NULL && out > 0 && out % IPR_CONV_LANES == 0 &&
                    in % IPR_CONV_LANES == 0 && in <= IPR_CONV_CHANNELS &&
                    out <= IPR_CONV_CHANNELS && n == 9 * in * out && (normal || bias != NULL);

    if (bias == NULL)
        bias = ipr_xcalloc(out + 1, sizeof *bias);
    for (size_t o = 0; ok && normal && o < out; o++) {
        const float by = scale[o] / sqrtf(variance[o] + 1e-5F);

        for (size_t k = 0; k < 9 * in; k++)
            weight[o * 9 * in + k] *= by;
        bias[o] = shift[o] + (bias[o] - mean[o]) * by;
    }
    if (ok)
        ipr_conv_make(in, out, weight, bias, conv);
    free(weight);
    free(bias);
    free(mean);
    free(variance);
    free(scale);
    free(shift);
    return ok;
}

static bool weights_block(struct weights_part m, size_t channels, struct ipr_net_block *b)
{
    const struct weights_part se = weights_part(m, 3, 0);

    b->squeezed = weights_size(se, 2);
    b->w1 = weights_layer(se, 1, b->squeezed * channels);
    b->b1 = weights_layer(se, 2, b->squeezed);
    b->w2 = weights_layer(se, 3, b->squeezed * channels * 2);
    b->b2 = weights_layer(se, 4, channels * 2);
    return b->w1 != NULL && b->b1 != NULL && b->w2 != NULL && b->b2 != NULL && b->squeezed > 0 &&
           b->squeezed <= IPR_CONV_CHANNELS &&
           weights_conv(weights_part(m, 1, 0), channels, &b->conv[0]) &&
           weights_conv(weights_part(m, 2, 0), channels, &b->conv[1]) &&
           b->conv[0].out == channels && b->conv[1].out == channels;
}

/* The format that is read here: classical input, squeeze and excitation, policy by convolution. */
static bool weights_format(struct weights_part file)
{
    static const uint64_t wanted[][2] = { { 1, 1 }, { 3, 4 }, { 4, 2 } };
    const struct weights_part format = weights_part(weights_part(file, 4, 0), 2, 0);
    struct weights_field f;

    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
        if (!weights_find(format, (unsigned)wanted[i][0], 0, &f) || f.value != wanted[i][1])
            return false;
    return true;
}

static bool weights_net(struct weights_part file, struct ipr_net *out)
{
    const struct weights_part m = weights_part(file, 10, 0);
    struct weights_field f;
    size_t channels;
    bool ok;

    *out = (struct ipr_net){ .blocks = 0 };
    if (!weights_format(file) || !weights_conv(weights_part(m, 1, 0), IPR_NET_PLANES, &out->input))
        return false;
    channels = out->input.out;
    while (weights_find(m, 2, out->blocks, &f))
        out->blocks++;
    out->block = ipr_xcalloc(out->blocks + 1, sizeof *out->block);
    ok = weights_conv(weights_part(m, 11, 0), channels, &out->policy[0]) &&
         weights_conv(weights_part(m, 3, 0), out->policy[0].out, &out->policy[1]) &&
         out->policy[1].out == IPR_NET_POLICY;
    for (size_t k = 0; ok && k < out->blocks; k++)
        ok = weights_block(weights_part(m, 2, k), channels, &out->block[k]);
    return ok;
}

bool ipr_net_read(const uint8_t *bytes, size_t n, struct ipr_net *out)
{
    const bool ok = weights_net((struct weights_part){ bytes, bytes + n }, out);

    if (!ok)
        ipr_net_free(out);
    return ok;
}
