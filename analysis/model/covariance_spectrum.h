#ifndef IPR_MODEL_COVARIANCE_SPECTRUM_H
#define IPR_MODEL_COVARIANCE_SPECTRUM_H

#include <gsl/gsl_fft_complex.h>
#include <stddef.h>
#include <stdint.h>

#include "model/gain.h"

/*
 * Characteristic function of the sum S of n independent copies of D = L2 - L1, on a circle of N
 * points: phi(t) = E exp(-i t D), t = 2 pi j/N; that of S is phi^n. For the files of the
 * covariance predictor.
 *
 * Expectations are sums over j, so no inverse transform is needed but for the distribution itself:
 *   P(|S| <= m)   = 1/N sum_j Re phi^n(t) K(t),         K = sin((m + 1/2) t)/sin(t/2)
 *   E g(S), g odd = -4/N sum_{0 < j < N/2} Im phi^n(t) G(t), G = sum_{x > 0} g(x) sin(t x)
 * and frequencies at which phi^n is negligible are skipped.
 */
struct ipr_spectrum {
    size_t n;      /* N, a power of two */
    size_t active; /* frequencies at which phi^n is not negligible; j = 0 is not listed */
    uint32_t *j;   /* [active] 1 .. N/2, ascending */
    double *re;    /* [active] phi, or what ipr_spectrum_power made of it */
    double *im;
    double *work; /* [2N] */
    gsl_fft_complex_wavetable *table;
    gsl_fft_complex_workspace *scratch;
};

/**
 * Points that the circle needs for `copies` copies: a power of two so large that S lies within
 * half the circle to either side of 0 except for a probability below `beyond` on either side
 * (Chernoff's bound), or with certainty.
 */
size_t ipr_spectrum_size(const struct ipr_gain *l1, const struct ipr_gain *l2, unsigned copies,
                         double beyond);

void ipr_spectrum_init(struct ipr_spectrum *s, size_t n);
void ipr_spectrum_release(struct ipr_spectrum *s);

/**
 * phi at the frequencies where |phi|^copies > floor (0: at all).
 *
 * share1, share2   probabilities of a loss of 0, 1, .. top1, top2 cp; both below s->n
 */
void ipr_spectrum_fill(struct ipr_spectrum *s, const double *share1, unsigned top1,
                       const double *share2, unsigned top2, unsigned copies, double floor);

/** (re, im) to the power of n >= 1. */
void ipr_spectrum_power(double *re, double *im, unsigned n);

/** The characteristic function of the sum of so many copies of D; free with _release. */
void ipr_spectrum_sum(const struct ipr_gain *l1, const struct ipr_gain *l2, unsigned copies,
                      struct ipr_spectrum *s);

/** P(|S| <= m) and (P(S > m) - P(S < -m))/2, with s holding phi^n. */
void ipr_spectrum_bound(const struct ipr_spectrum *s, unsigned long m, double *within, double *odd);

/** G at j[count] for g = sign(x)/2 where |x| > m, 0 elsewhere (and beyond half the circle). */
void ipr_spectrum_odd_step(size_t n, const uint32_t *j, size_t count, unsigned long m, double *g);

/** G at 0 .. n/2 for g = tanh(a x/100)/2; work[n]. */
void ipr_spectrum_odd_tanh(size_t n, double a, double *g, double *work);

/** E g(S), with s holding phi^n and G at its frequencies. */
double ipr_spectrum_odd(const struct ipr_spectrum *s, const double *g);

#endif
