#include "model/career.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

/* Lower triangle of Cholesky's decomposition; a variable that others determine has a row without
 * noise of its own. */
static void career_decompose(const double *cov, size_t n, double *lower)
{
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k <= i; k++) {
            double rest = cov[i * n + k];

            for (size_t j = 0; j < k; j++)
                rest -= lower[i * n + j] * lower[k * n + j];
            if (i == k)
                lower[i * n + i] = rest > 1e-9 * cov[i * n + i] ? sqrt(rest) : 0;
            else if (lower[k * n + k] > 0)
                lower[i * n + k] = rest / lower[k * n + k];
        }
}

double ipr_career_above(const double *mean, const double *cov, size_t n)
{
    double *const lower = ipr_xcalloc(n * n + n, sizeof *lower), *const noise = lower + n * n;
    gsl_rng *const rng = gsl_rng_alloc(gsl_rng_mt19937);
    int above = 0;

    career_decompose(cov, n, lower);
    gsl_rng_set(rng, 1);
    for (int draw = 0; draw < IPR_CAREER_DRAWS; draw++) {
        bool all = true;

        for (size_t i = 0; i < n; i++) {
            double x = mean[i];

            noise[i] = gsl_ran_gaussian_ziggurat(rng, 1);
            for (size_t k = 0; k <= i; k++)
                x += lower[i * n + k] * noise[k];
            all = all && x > 0;
        }
        above += all;
    }
    gsl_rng_free(rng);
    free(lower);
    return above / (double)IPR_CAREER_DRAWS;
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
