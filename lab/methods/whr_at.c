#include "lab/methods/whr_at.h"

#include <math.h>

/* Interpolates between two periods with games. */
static struct ipr_whr_at whr_bridge(const struct ipr_whr_strength *s, int32_t period, double drift)
{
    const double before = (double)period - s[0].period, after = (double)s[1].period - period;
    const double b = before / (before + after), a = 1 - b;
    const double variance = a * a * s[0].se * s[0].se + b * b * s[1].se * s[1].se +
                            2 * a * b * s[0].covariance + drift * a * before;

    return (struct ipr_whr_at){ a * s[0].elo + b * s[1].elo, sqrt(variance) };
}

struct ipr_whr_at ipr_whr_at(const struct ipr_whr_strength *strength, size_t n, int32_t period,
                             double drift)
{
    size_t k = 0;

    while (k + 1 < n && strength[k + 1].period <= period)
        k++;
    if (k + 1 < n && strength[k].period < period)
        return whr_bridge(strength + k, period, drift);
    return (struct ipr_whr_at){ strength[k].elo,
                                sqrt(strength[k].se * strength[k].se +
                                     drift * fabs((double)period - strength[k].period)) };
}
