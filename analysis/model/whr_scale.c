#include "model/whr_scale.h"

#include <math.h>

#define SCALE_FROM  1971 /* first year of the lists */
#define SCALE_FLOOR 2200 /* where they began until the next year */
#define SCALE_LOWER 1987

int16_t ipr_whr_elo(int32_t year, int32_t elo)
{
    const bool none = year < SCALE_FROM || (year < SCALE_LOWER && elo == SCALE_FLOOR) || elo <= 0 ||
                      elo > INT16_MAX;

    return (int16_t)(none ? 0 : elo);
}

void ipr_whr_scale_add(const struct ipr_whr_strength *strength, size_t n,
                       struct ipr_whr_scale *scale)
{
    const size_t before = scale->ratings;

    for (size_t k = 0; k < n; k++) {
        const int32_t year = strength[k].period;

        if (isnan(strength[k].known))
            continue;
        scale->from = scale->ratings == 0 || year < scale->from ? year : scale->from;
        scale->to = scale->ratings == 0 || year > scale->to ? year : scale->to;
        scale->ratings++;
    }
    scale->players += scale->ratings > before;
}

bool ipr_whr_scaled(const struct ipr_whr_scale *scale, const struct ipr_whr_scale_options *options)
{
    return scale->ratings >= options->ratings && scale->players >= options->players;
}

size_t ipr_whr_early(const struct ipr_whr_strength *strength, size_t n,
                     const struct ipr_whr_scale_options *options)
{
    double games = 0;

    for (size_t k = 0; k < n; k++) {
        games += strength[k].games;
        if (games >= options->games || 2 * strength[k].rated >= strength[k].games)
            return k;
    }
    return n;
}

struct ipr_whr_place ipr_whr_place(const struct ipr_whr_scale *scale, double year)
{
    if (scale->ratings == 0)
        return (struct ipr_whr_place){ .before = -year };
    return (struct ipr_whr_place){ fmax(scale->from - year, 0), fmax(year - scale->to, 0) };
}

double ipr_whr_place_difference_se(const struct ipr_whr_place *a, const struct ipr_whr_place *b,
                                   const struct ipr_whr_scale_options *options)
{
    return options->drift * hypot(a->before - b->before, a->after - b->after);
}

double ipr_whr_place_se(const struct ipr_whr_scale *scale, const struct ipr_whr_place *place,
                        const struct ipr_whr_scale_options *options)
{
    const struct ipr_whr_place within = { 0, 0 };

    return hypot(options->sd / sqrt((double)scale->ratings),
                 ipr_whr_place_difference_se(place, &within, options));
}
