/* Networks: convolutions against the sum that defines them, the same bits at all widths; squeeze
 * and excitation by hand; a file of weights made by hand, and every beginning of it. */
#include "human/net.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "human/conv_widths.h"
#include "ipr_test.h"

/* Numbers from -1 to 1. */
static float next(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (float)(*seed >> 8) / 8388608.F - 1;
}

static double defined(const float *w, const float *x, size_t in, size_t o, int square)
{
    double sum = 0;

    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++) {
            const int row = square / 8 + dy, column = square % 8 + dx;

            for (size_t i = 0; i < in && row >= 0 && row < 8 && column >= 0 && column < 8; i++)
                sum += (double)w[(o * in + i) * 9 + (size_t)(3 * (dy + 1) + dx + 1)] *
                       (double)x[(size_t)(row * 8 + column) * in + i];
        }
    return sum;
}

static void test_convolution(void **state)
{
    enum { IN = 112, OUT = 80, N = 3 };
    float *const w = ipr_conv_room((size_t)OUT * IN * 9), *const bias = ipr_conv_room(OUT),
                 *const x = ipr_conv_room((size_t)N * 64 * IN),
                 *const y = ipr_conv_room((size_t)N * 64 * OUT),
                 *const other = ipr_conv_room((size_t)N * 64 * OUT);
    const struct ipr_conv_work work = { ipr_conv_room(IPR_CONV_WORK),
                                        ipr_conv_room(IPR_CONV_WORK) };
    ipr_conv_run_fn *widths[3] = { ipr_conv_run_4 };
    struct ipr_conv conv;
    uint32_t seed = 1;

    (void)state;
#ifdef IPR_CONV_WIDE
    widths[1] = __builtin_cpu_supports("avx2") ? ipr_conv_run_8 : NULL;
    widths[2] = __builtin_cpu_supports("avx512f") ? ipr_conv_run_16 : NULL;
#endif
    for (size_t i = 0; i < (size_t)OUT * IN * 9; i++)
        w[i] = next(&seed);
    for (size_t i = 0; i < OUT; i++)
        bias[i] = next(&seed);
    for (size_t i = 0; i < (size_t)N * 64 * IN; i++)
        x[i] = next(&seed);
    ipr_conv_make(IN, OUT, w, bias, &conv);
    for (int relu = 0; relu < 2; relu++) {
        ipr_conv_run(&conv, &work, N, x, y, relu == 1);
        for (size_t n = 0; n < N; n++)
            for (int square = 0; square < 64; square++)
                for (size_t o = 0; o < OUT; o += 7) {
                    const double sum = (double)bias[o] + defined(w, x + n * 64 * IN, IN, o, square);

                    assert_close((double)y[(n * 64 + (size_t)square) * OUT + o],
                                 relu == 1 ? fmax(sum, 0) : sum, 1e-3);
                }
        for (size_t k = 0; k < 3; k++)
            if (widths[k] != NULL) {
                widths[k](&conv, &work, N, x, other, relu == 1);
                assert_memory_equal(other, y, (size_t)N * 64 * OUT * sizeof *y);
            }
    }
    ipr_conv_free(&conv);
    free(work.in);
    free(work.out);
    free(w);
    free(bias);
    free(x);
    free(y);
    free(other);
}

/* One value is squeezed: 3 times the mean of channel 0, which is 2, less 1: 5. Channel 0 is scaled
 * by the logistic function of 0.2 times that, channel 1 shifted by 0.1 times it, channel 2 scaled
 * to nothing. */
static void test_excitation(void **state)
{
    enum { CHANNELS = 16 };
    float w1[CHANNELS] = { 3 }, b1[1] = { -1 }, w2[2 * CHANNELS] = { .2F },
          b2[2 * CHANNELS] = { 0, 0, -100 };
    float x[64 * CHANNELS], skip[64 * CHANNELS], y[64 * CHANNELS];
    const struct ipr_net_block block = { .conv = { { .out = CHANNELS }, { .out = CHANNELS } },
                                         .squeezed = 1,
                                         .w1 = w1,
                                         .b1 = b1,
                                         .w2 = w2,
                                         .b2 = b2 };

    (void)state;
    w2[CHANNELS + 1] = .1F;
    for (size_t s = 0; s < 64; s++)
        for (size_t c = 0; c < CHANNELS; c++) {
            x[s * CHANNELS + c] = c == 0 ? (s % 2 == 0 ? 3.F : 1.F) : (float)c;
            skip[s * CHANNELS + c] = c == 5 ? -10.F : (float)s;
        }
    ipr_net_excite(&block, 1, x, skip, y);
    for (size_t s = 0; s < 64; s++) {
        const float *const of = y + s * CHANNELS;

        assert_close((double)of[0], (s % 2 == 0 ? 3 : 1) / (1 + exp(-1)) + (double)s, 1e-5);
        assert_close((double)of[1], .5 + .5 + (double)s, 1e-5);
        assert_close((double)of[2], (double)s, 1e-5);
        assert_close((double)of[5], 0, 0);
    }
}

/* ---- a file ---- */

struct file {
    uint8_t *bytes;
    size_t n, room;
};

static void put(struct file *f, const void *bytes, size_t n)
{
    if (f->n + n > f->room) {
        f->room = 2 * (f->n + n);
        f->bytes = realloc(f->bytes, f->room);
        assert_non_null(f->bytes);
    }
    memcpy(f->bytes + f->n, bytes, n);
    f->n += n;
}

static void put_number(struct file *f, uint64_t value)
{
    for (; value > 127; value >>= 7)
        put(f, &(uint8_t){ (uint8_t)(value | 128) }, 1);
    put(f, &(uint8_t){ (uint8_t)value }, 1);
}

/* A field of bytes; takes `part`. */
static void put_part(struct file *f, unsigned number, struct file part)
{
    put_number(f, number << 3 | 2);
    put_number(f, part.n);
    put(f, part.bytes, part.n);
    free(part.bytes);
}

/* n numbers, all of them halfway between the bounds, the last at the upper one. */
static struct file layer(float low, float high, size_t n)
{
    struct file values = { 0 }, out = { 0 };

    for (size_t i = 0; i < n; i++)
        put(&values, &(uint16_t){ (uint16_t)(i + 1 < n ? 32767 : 65535) }, 2);
    put_number(&out, 1 << 3 | 5);
    put(&out, &low, 4);
    put_number(&out, 2 << 3 | 5);
    put(&out, &high, 4);
    put_part(&out, 3, values);
    return out;
}

static struct file convolution(size_t in, size_t out)
{
    struct file f = { 0 };

    put_part(&f, 1, layer(0, 0, 9 * in * out));
    put_part(&f, 2, layer(-1, 1, out));
    return f;
}

static struct file whole(uint64_t input_format)
{
    enum { CHANNELS = 16 };
    static const uint64_t format[][2] = { { 1, 0 }, { 2, 2 }, { 3, 4 }, { 4, 2 } };
    struct file f = { 0 }, weights = { 0 }, block = { 0 }, se = { 0 }, kind = { 0 },
                network = { 0 };

    for (size_t i = 0; i < 4; i++) {
        put_number(&network, format[i][0] << 3);
        put_number(&network, i == 0 ? input_format : format[i][1]);
    }
    put_part(&kind, 2, network);
    put_part(&f, 4, kind);
    put_part(&weights, 1, convolution(IPR_NET_PLANES, CHANNELS));
    put_part(&se, 1, layer(0, 0, CHANNELS));
    put_part(&se, 2, layer(0, 0, 1));
    put_part(&se, 3, layer(0, 0, 2 * CHANNELS));
    put_part(&se, 4, layer(0, 0, 2 * CHANNELS));
    put_part(&block, 1, convolution(CHANNELS, CHANNELS));
    put_part(&block, 2, convolution(CHANNELS, CHANNELS));
    put_part(&block, 3, se);
    put_part(&weights, 2, block);
    put_part(&weights, 3, convolution(CHANNELS, IPR_NET_POLICY));
    put_part(&weights, 11, convolution(CHANNELS, CHANNELS));
    put_part(&f, 10, weights);
    return f;
}

/* All weights are 0: what comes out is the bias of the last convolution. */
static void test_file(void **state)
{
    float *const planes = ipr_conv_room((size_t)64 * IPR_NET_PLANES), *const policy = ipr_conv_room(
                                                                          (size_t)64 *
                                                                          IPR_NET_POLICY);
    struct file f = whole(1);
    struct ipr_net_work work;
    struct ipr_net net;

    (void)state;
    assert_true(ipr_net_read(f.bytes, f.n, &net));
    assert_int_equal(net.blocks, 1);
    ipr_net_work_init(&work);
    ipr_net_run(&net, &work, 1, planes, policy);
    for (size_t s = 0; s < 64; s++) {
        assert_close((double)policy[s * IPR_NET_POLICY], -1. / 65535, 1e-7);
        assert_close((double)policy[s * IPR_NET_POLICY + IPR_NET_POLICY - 1], 1, 1e-7);
    }
    ipr_net_work_free(&work);
    ipr_net_free(&net);
    free(planes);
    free(policy);
    for (size_t n = 0; n < f.n; n += n < 200 ? 1 : 97) {
        /* In memory of its own, so that reading past its end is seen. */
        uint8_t *const part = malloc(n > 0 ? n : 1);

        assert_non_null(part);
        memcpy(part, f.bytes, n);
        assert_false(ipr_net_read(part, n, &net));
        free(part);
    }
    free(f.bytes);
    f = whole(3);
    assert_false(ipr_net_read(f.bytes, f.n, &net));
    free(f.bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_convolution),
        cmocka_unit_test(test_excitation),
        cmocka_unit_test(test_file),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
