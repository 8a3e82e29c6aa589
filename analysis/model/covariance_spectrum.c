#include "model/covariance_spectrum.h"

#include <gsl/gsl_fft_real.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "model/covariance_gain.h"

enum { SMALLEST = 2048, SLOPES = 24 };

/* sum_k share[k] r^k for each r, by Horner's rule side by side. */
static void spectrum_generating(const double *share, unsigned top, const double r[SLOPES],
                                double out[SLOPES])
{
    for (size_t i = 0; i < SLOPES; i++)
        out[i] = share[top];
    for (unsigned k = top; k-- > 0;)
        for (size_t i = 0; i < SLOPES; i++)
            out[i] = out[i] * r[i] + share[k];
}

/*
 * An x with P(sum of copies of up - down >= x) <= beyond, the least of
 * (copies ln E exp(s (up - down)) - ln beyond)/s over slopes s; at most the largest sum.
 */
static double spectrum_reach(const struct ipr_gain *up, const struct ipr_gain *down,
                             unsigned copies, double beyond)
{
    double r[SLOPES], rising[SLOPES], falling[SLOPES];
    double least = (double)copies * up->top;

    for (size_t i = 0; i < SLOPES; i++)
        r[i] = exp(1e-4 * pow(1.5, (double)i));
    spectrum_generating(up->share, up->top, r, rising);
    for (size_t i = 0; i < SLOPES; i++)
        r[i] = 1.0 / r[i];
    spectrum_generating(down->share, down->top, r, falling);
    for (size_t i = 0; i < SLOPES; i++) {
        const double slope = 1e-4 * pow(1.5, (double)i);
        const double x =
            ((double)copies * (log(rising[i]) + log(falling[i])) - log(beyond)) / slope;
        if (x < least) /* never when the sums overflow */
            least = x;
    }
    return fmax(least, 0.0);
}

size_t ipr_spectrum_size(const struct ipr_gain *l1, const struct ipr_gain *l2, unsigned copies,
                         double beyond)
{
    const double half =
        fmax(spectrum_reach(l1, l2, copies, beyond), spectrum_reach(l2, l1, copies, beyond)) + 1.0;
    size_t n = SMALLEST;

    while ((double)n < 2.0 * half)
        n *= 2;
    return n;
}

void ipr_spectrum_init(struct ipr_spectrum *s, size_t n)
{
    *s = (struct ipr_spectrum){ .n = n };
    s->j = ipr_xcalloc(n / 2, sizeof *s->j);
    s->re = ipr_xcalloc(n, sizeof *s->re);
    s->im = s->re + n / 2;
    s->work = ipr_xcalloc(2 * n, sizeof *s->work);
    /* GSL's mixed radices: with the table kept three times as fast as its radix 2. */
    s->table = gsl_fft_complex_wavetable_alloc(n);
    s->scratch = gsl_fft_complex_workspace_alloc(n);
    if (s->table == NULL || s->scratch == NULL)
        abort(); /* out of memory, as in base/mem.h */
}

void ipr_spectrum_release(struct ipr_spectrum *s)
{
    free(s->j);
    free(s->re);
    free(s->work);
    gsl_fft_complex_wavetable_free(s->table);
    gsl_fft_complex_workspace_free(s->scratch);
    *s = (struct ipr_spectrum){ 0 };
}

void ipr_spectrum_fill(struct ipr_spectrum *s, const double *share1, unsigned top1,
                       const double *share2, unsigned top2, unsigned copies, double floor)
{
    double *z = s->work; /* share1 + i share2: one transform for both */
    const double least = floor > 0.0 ? pow(floor, 2.0 / (double)copies) : -1.0;

    memset(z, 0, 2 * s->n * sizeof *z);
    for (unsigned k = 0; k <= top1; k++)
        z[2 * k] = share1[k];
    for (unsigned k = 0; k <= top2; k++)
        z[2 * k + 1] = share2[k];
    gsl_fft_complex_forward(z, 1, s->n, s->table, s->scratch);

    s->active = 0;
    for (size_t j = 1; j <= s->n / 2; j++) {
        const double *p = &z[2 * j];
        const double *q = &z[2 * (s->n - j)];
        const double f1_re = (p[0] + q[0]) / 2.0;
        const double f1_im = (p[1] - q[1]) / 2.0;
        const double f2_re = (p[1] + q[1]) / 2.0;
        const double f2_im = (q[0] - p[0]) / 2.0;
        const double re = f2_re * f1_re + f2_im * f1_im; /* f2 conj(f1) */
        const double im = f2_im * f1_re - f2_re * f1_im;
        if (!(re * re + im * im > least))
            continue;
        s->j[s->active] = (uint32_t)j;
        s->re[s->active] = re;
        s->im[s->active++] = im;
    }
}

void ipr_spectrum_power(double *re, double *im, unsigned n)
{
    double base_re = *re, base_im = *im, x = 1.0, y = 0.0;

    for (;;) {
        if (n & 1) {
            const double t = x * base_re - y * base_im;
            y = x * base_im + y * base_re;
            x = t;
        }
        n >>= 1;
        if (n == 0)
            break;
        const double t = base_re * base_re - base_im * base_im;
        base_im = 2.0 * base_re * base_im;
        base_re = t;
    }
    *re = x;
    *im = y;
}

/*
 * K (see the header) and G of a bound: G is half of sum_{x = m+1}^{n/2-1} sin(t x), whose last
 * half-odd angle is (n/2 - 1/2) t = pi j - t/2.
 */
static void bound_kernels(size_t n, uint32_t j, unsigned long m, double *within, double *odd)
{
    const double half_t = M_PI * (double)j / (double)n;
    double sin_half, cos_half, sin_m, cos_m;

    sincos(half_t, &sin_half, &cos_half);
    /* (m + 1/2) t, less whole turns; n is below 2^22. */
    sincos(M_PI / (double)n * (double)((2 * m + 1) % (2 * n) * j % (2 * n)), &sin_m, &cos_m);
    *within = sin_m / sin_half;
    *odd = (cos_m + (j & 1 ? cos_half : -cos_half)) / (4.0 * sin_half);
}

void ipr_spectrum_bound(const struct ipr_spectrum *s, unsigned long m, double *within, double *odd)
{
    double even_sum = (double)(2 * m + 1);
    double odd_sum = 0.0;

    *within = 1.0;
    *odd = 0.0;
    if (m >= s->n / 2)
        return;
    for (size_t k = 0; k < s->active; k++) {
        double even_kernel, odd_kernel;
        bound_kernels(s->n, s->j[k], m, &even_kernel, &odd_kernel);
        even_sum += (s->j[k] == s->n / 2 ? 1.0 : 2.0) * s->re[k] * even_kernel;
        odd_sum += s->im[k] * odd_kernel;
    }
    *within = fmax(0.0, fmin(1.0, even_sum / (double)s->n));
    *odd = -4.0 / (double)s->n * odd_sum;
}

void ipr_spectrum_sum(const struct ipr_gain *l1, const struct ipr_gain *l2, unsigned copies,
                      struct ipr_spectrum *s)
{
    ipr_spectrum_init(s, ipr_spectrum_size(l1, l2, copies, IPR_SPECTRUM_FLOOR));
    ipr_spectrum_fill(s, l1->share, l1->top, l2->share, l2->top, copies, IPR_SPECTRUM_FLOOR);
    for (size_t k = 0; k < s->active; k++)
        ipr_spectrum_power(&s->re[k], &s->im[k], copies);
}

void ipr_spectrum_odd_step(size_t n, const uint32_t *j, size_t count, unsigned long m, double *g)
{
    for (size_t k = 0; k < count; k++) {
        double within;
        g[k] = 0.0;
        if (m < n / 2)
            bound_kernels(n, j[k], m, &within, &g[k]);
    }
}

void ipr_spectrum_odd_tanh(size_t n, double a, double *g, double *work)
{
    work[0] = work[n / 2] = 0.0;
    for (size_t x = 1; x < n / 2; x++) {
        work[x] = 0.5 * tanh(a * (double)x / 100.0);
        work[n - x] = -work[x];
    }
    gsl_fft_real_radix2_transform(work, 1, n);
    g[0] = g[n / 2] = 0.0;
    for (size_t j = 1; j < n / 2; j++)
        g[j] = -work[n - j] / 2.0; /* imaginary parts come in descending order */
}

double ipr_spectrum_odd(const struct ipr_spectrum *s, const double *g)
{
    double sum = 0.0;

    for (size_t k = 0; k < s->active; k++)
        sum += s->im[k] * g[k];
    return -4.0 / (double)s->n * sum;
}

unsigned long ipr_covariance_bound(double b)
{
    return (unsigned long)floor(fmin(100.0 * b, 1e9) + 1e-6);
}

void ipr_covariance_score_at(const struct ipr_covariance_params *params, size_t n,
                             const uint32_t *j, size_t count, double *g)
{
    double *all;

    if (params->score == IPR_COVARIANCE_BOUND) {
        ipr_spectrum_odd_step(n, j, count, ipr_covariance_bound(params->b), g);
        return;
    }
    all = ipr_xcalloc(2 * n, sizeof *all);
    ipr_spectrum_odd_tanh(n, params->a, all, all + n);
    for (size_t k = 0; k < count; k++)
        g[k] = all[j[k]];
    free(all);
}
