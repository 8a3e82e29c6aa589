#include "model/career.h"

#include <math.h>

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
