#ifndef IPR_STATS_LANES_H
#define IPR_STATS_LANES_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/*
 * Arithmetic on IPR_LANES doubles at once, for kernels that are compiled once for each width
 * (model/lanes.h). Every lane sees the same operations in the same order whatever the width, and
 * the compiler contracts none (-ffp-contract=off), so all widths give the same bits.
 */
#ifndef IPR_LANES
#define IPR_LANES 2
#endif

typedef double ipr_v __attribute__((vector_size(8 * IPR_LANES)));
typedef int64_t ipr_vi __attribute__((vector_size(8 * IPR_LANES)));
typedef float ipr_vf __attribute__((vector_size(4 * IPR_LANES)));

static inline ipr_v v_load(const double *p)
{
    ipr_v v;

    memcpy(&v, p, sizeof v);
    return v;
}

static inline void v_store(double *p, ipr_v v)
{
    memcpy(p, &v, sizeof v);
}

/* IPR_LANES floats, as doubles. */
static inline ipr_v v_widen(const float *p)
{
    ipr_vf v;

    memcpy(&v, p, sizeof v);
    return __builtin_convertvector(v, ipr_v);
}

static inline ipr_v v_all(double x)
{
    return x - (ipr_v){ 0 };
}

/* a where the mask (a comparison) holds, else b. */
static inline ipr_v v_if(ipr_vi mask, ipr_v a, ipr_v b)
{
    return (ipr_v)((mask & (ipr_vi)a) | (~mask & (ipr_vi)b));
}

static inline ipr_v v_min(ipr_v a, ipr_v b)
{
    return v_if(a < b, a, b);
}

static inline ipr_v v_max(ipr_v a, ipr_v b)
{
    return v_if(a > b, a, b);
}

static inline ipr_v v_abs(ipr_v a)
{
    return (ipr_v)((ipr_vi)a & INT64_MAX);
}

static inline int v_any(ipr_vi mask)
{
    int64_t any = 0;

    for (size_t i = 0; i < IPR_LANES; i++)
        any |= mask[i];
    return any != 0;
}

/* (e^r - 1)/r for |r| <= 0.3466, its Taylor series; the error is below 1e-17. */
static inline ipr_v v_exp_series(ipr_v r)
{
    const ipr_v r2 = r * r;
    const ipr_v r4 = r2 * r2;
    const ipr_v a = (1.0 + r * 0.5) + r2 * (1.0 / 6.0 + r * (1.0 / 24.0));
    const ipr_v b = (1.0 / 120.0 + r * (1.0 / 720.0)) + r2 * (1.0 / 5040.0 + r * (1.0 / 40320.0));
    const ipr_v c = (1.0 / 362880.0 + r * (1.0 / 3628800.0)) +
                    r2 * (1.0 / 39916800.0 + r * (1.0 / 479001600.0));

    return a + r4 * (b + r4 * (c + r4 * (1.0 / 6227020800.0)));
}

/* e^x within 2 ulp for x <= 709; 0 below -708, where it would leave the normal numbers. */
static inline ipr_v v_exp(ipr_v x)
{
    const ipr_v in = v_max(x, v_all(-708.0));
    const ipr_v shifted = in * 1.4426950408889634 + 0x1.8p52; /* the whole number in the low bits */
    const ipr_v n = shifted - 0x1.8p52;
    const ipr_v r = (in - n * 0x1.62e42feep-1) - n * 0x1.a39ef35793c76p-33; /* ln 2 in two parts */
    const ipr_vi scale = ((ipr_vi)shifted + 1023) << 52;

    return v_if(x < -708.0, (ipr_v){ 0 }, (1.0 + r * v_exp_series(r)) * (ipr_v)scale);
}

/* 1 - e^-x for x >= 0, to 2 ulp however small x is. */
static inline ipr_v v_one_less_exp(ipr_v x)
{
    const ipr_v near = v_min(x, v_all(0.3));

    return v_if(x < 0.3, near * v_exp_series(-near), 1.0 - v_exp(-x));
}

#endif
