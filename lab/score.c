#include "lab/score.h"

#include <math.h>
#include <string.h>

void bench_split(struct bench_side side[2])
{
    for (size_t k = 0; k < 2; k++) {
        side[k].blind = side[k].player % BENCH_BLIND == 0;
        side[k].fold = side[k].player / BENCH_BLIND % BENCH_FOLDS;
    }
    side[0].blind_game = side[1].blind_game = side[0].blind || side[1].blind;
}

/* Weighted sums of a band: w, w e, w z, w e e, w e z, moves. */
static void sd_sums(const struct bench_side *side, const struct ipr_strength_side *answer,
                    const struct ipr_strength_spread *s, const bool *take, size_t n,
                    const double *times, double lo, double hi, double sum[6])
{
    memset(sum, 0, 6 * sizeof *sum);
    for (size_t i = 0; i < n; i++) {
        const double e = side[i].elo - 2200, z = answer[i].z;
        const double c = times != NULL ? times[side[i].game] : 1;
        double w;

        if (!take[i] || side[i].elo < lo || side[i].elo >= hi)
            continue;
        w = c * ipr_strength_weight(s, answer[i].information);
        sum[0] += w;
        sum[1] += w * e;
        sum[2] += w * z;
        sum[3] += w * e * e;
        sum[4] += w * e * z;
        sum[5] += c * side[i].moves;
    }
}

static double sd_slope(const double sum[6])
{
    return (sum[0] * sum[4] - sum[1] * sum[2]) / (sum[0] * sum[3] - sum[1] * sum[1]);
}

double bench_sd(const struct bench_side *side, const struct ipr_strength_side *answer,
                const struct ipr_strength_spread *s, const bool *take, size_t n,
                const double *times, double lo, double hi, bool own)
{
    double sum[6], band[6], b, square = 0;

    sd_sums(side, answer, s, take, n, times, 0, 1e9, sum);
    sd_sums(side, answer, s, take, n, times, lo, hi, band);
    b = sd_slope(own ? band : sum);
    for (size_t i = 0; i < n; i++) {
        const double w = ipr_strength_weight(s, answer[i].information);
        double r;

        if (!take[i] || side[i].elo < lo || side[i].elo >= hi)
            continue;
        r = answer[i].z - band[2] / band[0] - b * (side[i].elo - 2200 - band[1] / band[0]);
        square += (times != NULL ? times[side[i].game] : 1) * w * w * r * r;
    }
    return sqrt(square) / (fabs(b) * band[0]) * sqrt(band[5] / 1000);
}
