#include "model/screening.h"

#include <math.h>

double ipr_screening_tail(double z)
{
    return fmax(.5 * erfc(z / sqrt(2.)), IPR_SCREENING_TAIL_MIN);
}

double ipr_screening_expected(size_t n, double z)
{
    return (double)n * ipr_screening_tail(z);
}

double ipr_screening_fewer(double expected, size_t k)
{
    return k > 0 ? fmax(1. - expected / (double)k, 0.) : 0.;
}

void ipr_screening_correct(const double *tail, size_t n, double *holm, double *fdr)
{
    double worst = 0., best = 1.;

    for (size_t i = 0; i < n; i++) {
        worst = fmax(worst, (double)(n - i) * tail[i]);
        holm[i] = fmin(worst, 1.);
    }
    for (size_t i = n; i-- > 0;) {
        best = fmin(best, (double)n * tail[i] / (double)(i + 1));
        fdr[i] = best;
    }
}
