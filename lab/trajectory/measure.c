/* Means over players, and a minimum. */
#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/sort.h"
#include "lab/trajectory/trajectory.h"
#include "stats/resample.h"

#define RESAMPLES 2000

struct measure measure_players(double (*f)(const double *times, void *of), void *of, size_t careers)
{
    double *const times = ipr_xcalloc(careers, sizeof *times);
    double *const x = ipr_xcalloc(RESAMPLES, sizeof *x);
    struct ipr_twister rng;

    ipr_twister_seed(&rng, 1);
    for (size_t k = 0; k < RESAMPLES; k++) {
        ipr_resample(&rng, careers, times);
        x[k] = f(times, of);
    }
    qsort(x, RESAMPLES, sizeof *x, ipr_compare_double);
    for (size_t i = 0; i < careers; i++)
        times[i] = 1;
    const struct measure m = { f(times, of), x[RESAMPLES / 40], x[RESAMPLES - 1 - RESAMPLES / 40] };
    free(times);
    free(x);
    return m;
}

struct values {
    double *sum, *of; /* [careers] */
    size_t careers;
};

static double values_mean(const double *times, void *of)
{
    const struct values *const v = of;
    double sum = 0, weight = 0;

    for (size_t i = 0; i < v->careers; i++) {
        sum += times[i] * v->sum[i];
        weight += times[i] * v->of[i];
    }
    return sum / weight;
}

struct measure measure_mean(const double *x, const size_t *career, size_t n, size_t careers)
{
    struct values v = { ipr_xcalloc(careers, sizeof *v.sum), ipr_xcalloc(careers, sizeof *v.of),
                        careers };

    for (size_t i = 0; i < n; i++) {
        v.sum[career[i]] += x[i];
        v.of[career[i]]++;
    }
    const struct measure m = measure_players(values_mean, &v, careers);
    free(v.sum);
    free(v.of);
    return m;
}

struct measure measure_root(struct measure m)
{
    return (struct measure){ sqrt(fmax(m.mean, 0)), sqrt(fmax(m.lo, 0)), sqrt(fmax(m.hi, 0)) };
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
