/* Means over players, and a minimum. */
#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/sort.h"
#include "lab/trajectory/trajectory.h"
#include "stats/resample.h"

#define RESAMPLES 2000

struct measure measure_mean(const double *x, const size_t *career, size_t n, size_t careers)
{
    double *const sum = ipr_xcalloc(careers, sizeof *sum), *const of =
                                                               ipr_xcalloc(careers, sizeof *of);
    double *const times = ipr_xcalloc(careers, sizeof *times);
    double *const mean = ipr_xcalloc(RESAMPLES, sizeof *mean), all = 0;
    struct ipr_twister rng;

    for (size_t i = 0; i < n; i++) {
        sum[career[i]] += x[i];
        of[career[i]]++;
        all += x[i];
    }
    ipr_twister_seed(&rng, 1);
    for (size_t k = 0; k < RESAMPLES; k++) {
        double s = 0, weight = 0;

        ipr_resample(&rng, careers, times);
        for (size_t i = 0; i < careers; i++) {
            s += times[i] * sum[i];
            weight += times[i] * of[i];
        }
        mean[k] = s / weight;
    }
    qsort(mean, RESAMPLES, sizeof *mean, ipr_compare_double);
    const struct measure m = { all / (double)n, mean[RESAMPLES / 40],
                               mean[RESAMPLES - 1 - RESAMPLES / 40] };
    free(sum);
    free(of);
    free(times);
    free(mean);
    return m;
}

json_t *measure_interval(const struct measure *m)
{
    return json_pack("{s:f, s:f, s:f}", "low", m->lo, "high", m->hi, "level", .95);
}

double measure_least(double (*f)(double x, void *of), void *of, double lo, double hi)
{
    const double golden = (sqrt(5) - 1) / 2;
    double a = hi - golden * (hi - lo), b = lo + golden * (hi - lo);
    double fa = f(a, of), fb = f(b, of);

    for (int k = 0; k < 40; k++) {
        if (fa < fb) {
            hi = b;
            b = a;
            fb = fa;
            a = hi - golden * (hi - lo);
            fa = f(a, of);
        } else {
            lo = a;
            a = b;
            fa = fb;
            b = lo + golden * (hi - lo);
            fb = f(b, of);
        }
    }
    return (lo + hi) / 2;
}
