/* A convolution on CONV_LANES floats at once: included once for each width. */
#include "human/conv_widths.h"

#ifndef CONV_LANES
#define CONV_LANES 4
#define CONV_RUN   ipr_conv_run_4
#endif

#define CONV_SIDE  6 /* of a tile of the input, of which 4 x 4 of the output come */
#define CONV_POINT (CONV_SIDE * CONV_SIDE)
#define CONV_TILES 4 /* of a board */
#define CONV_ROWS  8 /* of a matrix product at a time, and CONV_LANES columns */

typedef float conv_v __attribute__((vector_size(4 * CONV_LANES)));

/* One dimension of the transform of a tile: values `step` apart. */
static inline void conv_forth(conv_v *d, size_t step)
{
    const conv_v d0 = d[0], d1 = d[step], d2 = d[2 * step], d3 = d[3 * step], d4 = d[4 * step],
                 d5 = d[5 * step];

    d[0] = 4 * d0 - 5 * d2 + d4;
    d[step] = d3 + d4 - 4 * (d1 + d2);
    d[2 * step] = d4 - d3 + 4 * (d1 - d2);
    d[3 * step] = d4 - d2 + 2 * (d3 - d1);
    d[4 * step] = d4 - d2 - 2 * (d3 - d1);
    d[5 * step] = 4 * d1 - 5 * d3 + d5;
}

/* The same of the products: of six, four remain. */
static inline void conv_back(conv_v *m, size_t step)
{
    const conv_v first = m[0], last = m[5 * step], sum = m[step] + m[2 * step],
                 less = m[step] - m[2 * step], sum2 = m[3 * step] + m[4 * step],
                 less2 = m[3 * step] - m[4 * step];

    m[0] = first + sum + sum2;
    m[step] = less + 2 * less2;
    m[2 * step] = sum + 4 * sum2;
    m[3 * step] = less + 8 * less2 + last;
}

/* CONV_LANES channels of the tile of which the first output is at row and column. */
static inline void conv_tile_in(const float *x, size_t in, size_t row, size_t column, float *to,
                                size_t step)
{
    conv_v d[CONV_POINT];

    for (size_t r = 0; r < CONV_SIDE; r++)
        for (size_t c = 0; c < CONV_SIDE; c++) {
            const size_t y = row + r - 1, z = column + c - 1; /* before 0: beyond 7, too */

            d[r * CONV_SIDE + c] =
                y < 8 && z < 8 ? *(const conv_v *)(x + (y * 8 + z) * in) : (conv_v){ 0 };
        }
    for (size_t c = 0; c < CONV_SIDE; c++)
        conv_forth(d + c, CONV_SIDE);
    for (size_t r = 0; r < CONV_SIDE; r++)
        conv_forth(d + r * CONV_SIDE, 1);
    for (size_t p = 0; p < CONV_POINT; p++)
        *(conv_v *)(to + p * step) = d[p];
}

static inline void conv_tile_out(const float *from, size_t step, const float *bias, bool relu,
                                 float *y, size_t out)
{
    conv_v m[CONV_POINT];

    for (size_t p = 0; p < CONV_POINT; p++)
        m[p] = *(const conv_v *)(from + p * step);
    for (size_t c = 0; c < CONV_SIDE; c++)
        conv_back(m + c, CONV_SIDE);
    for (size_t r = 0; r < 4; r++) {
        conv_back(m + r * CONV_SIDE, 1);
        for (size_t c = 0; c < 4; c++) {
            conv_v v = m[r * CONV_SIDE + c] + *(const conv_v *)bias;

            for (size_t l = 0; relu && l < CONV_LANES; l++)
                v[l] = v[l] > 0 ? v[l] : 0;
            *(conv_v *)(y + (r * 8 + c) * out) = v;
        }
    }
}

/* CONV_ROWS rows and CONV_LANES columns of y = x w. */
static inline void conv_block(const float *x, const float *w, float *y, size_t in, size_t out)
{
    conv_v sum[CONV_ROWS] = { { 0 } };

    for (size_t i = 0; i < in; i++) {
        const conv_v by = *(const conv_v *)(w + i * out);

#pragma GCC unroll 8
        for (size_t r = 0; r < CONV_ROWS; r++)
            sum[r] += x[r * in + i] * by;
    }
#pragma GCC unroll 8
    for (size_t r = 0; r < CONV_ROWS; r++)
        *(conv_v *)(y + r * out) = sum[r];
}

/* y [rows][out] of x [rows][in], rows a multiple of CONV_ROWS. */
static inline void conv_product(const float *x, const float *w, float *y, size_t rows, size_t in,
                                size_t out)
{
    for (size_t c = 0; c < out; c += CONV_LANES)
        for (size_t r = 0; r < rows; r += CONV_ROWS)
            conv_block(x + r * in, w + c, y + r * out + c, in, out);
}

void CONV_RUN(const struct ipr_conv *conv, const struct ipr_conv_work *work, size_t n,
              const float *x, float *y, bool relu)
{
    /* Rows beyond the last tile are of an earlier call, and not used. */
    const size_t in = conv->in, out = conv->out, tiles = n * CONV_TILES,
                 rows = (tiles + CONV_ROWS - 1) / CONV_ROWS * CONV_ROWS;

    for (size_t t = 0; t < tiles; t++)
        for (size_t c = 0; c < in; c += CONV_LANES)
            conv_tile_in(x + t / CONV_TILES * 64 * in + c, in, t / 2 % 2 * 4, t % 2 * 4,
                         work->in + t * in + c, rows * in);
    for (size_t p = 0; p < CONV_POINT; p++)
        conv_product(work->in + p * rows * in, conv->weight + p * in * out,
                     work->out + p * rows * out, rows, in, out);
    for (size_t t = 0; t < tiles; t++)
        for (size_t c = 0; c < out; c += CONV_LANES)
            conv_tile_out(work->out + t * out + c, rows * out, conv->bias + c, relu,
                          y + (t / CONV_TILES * 64 + t / 2 % 2 * 32 + t % 2 * 4) * out + c, out);
}
