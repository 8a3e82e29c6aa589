#include "model/career.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

#define STEPS 400 /* even */
#define REACH 8.0 /* standard deviations */

/* Density of the k-th at x, in units of its standard deviation, times the others' distributions. */
static double career_integrand(const double *mean, const double *sd, size_t n, size_t k, double t)
{
    const double x = mean[k] + t * sd[k];
    double product = exp(-t * t / 2) / sqrt(2 * M_PI);

    for (size_t j = 0; j < n; j++)
        if (j != k)
            product *= erfc((mean[j] - x) / sd[j] / M_SQRT2) / 2;
    return product;
}

double ipr_career_best(const double *mean, const double *sd, size_t n, size_t k)
{
    const double step = 2 * REACH / STEPS;
    double sum = 0;

    for (int i = 0; i <= STEPS; i++) {
        const double inner = i % 2 ? 4 : 2; /* Simpson's rule */
        const double weight = i == 0 || i == STEPS ? 1 : inner;

        sum += weight * career_integrand(mean, sd, n, k, -REACH + i * step);
    }
    return fmin(1, sum * step / 3);
}

void ipr_career_ranks(const double *mean, const double *sd, size_t n, double *first,
                      double *first_five)
{
    double *const x = ipr_xcalloc(n + 1, sizeof *x);
    gsl_rng *const rng = gsl_rng_alloc(gsl_rng_mt19937);

    memset(first, 0, n * sizeof *first);
    memset(first_five, 0, n * sizeof *first_five);
    gsl_rng_set(rng, 1);
    for (int draw = 0; draw < IPR_CAREER_DRAWS; draw++) {
        for (size_t i = 0; i < n; i++)
            x[i] = mean[i] + gsl_ran_gaussian_ziggurat(rng, sd[i]);
        for (size_t i = 0; i < n; i++) {
            size_t above = 0;

            for (size_t j = 0; j < n; j++)
                above += x[j] > x[i];
            first[i] += (above == 0) / (double)IPR_CAREER_DRAWS;
            first_five[i] += (above < 5) / (double)IPR_CAREER_DRAWS;
        }
    }
    gsl_rng_free(rng);
    free(x);
}

struct ipr_career_apart ipr_career_apart(const double *elo, const double *se, size_t n, size_t k)
{
    double weights = 0, mean = 0;

    for (size_t i = 0; i < n; i++) {
        const double weight = i == k ? 0 : 1 / (se[i] * se[i]);

        weights += weight;
        mean += weight * elo[i];
    }
    const double difference = elo[k] - mean / weights;
    const double error = sqrt(se[k] * se[k] + 1 / weights);
    const double p = erfc(fabs(difference) / error / sqrt(2.));

    return (struct ipr_career_apart){ .difference = difference,
                                      .standard_error = error,
                                      .chance = n == 2 ? p : 1 - pow(1 - p, (double)n) };
}
