#include "model/years.h"

#include <math.h>

double ipr_year_weight(int32_t turn_year, int32_t year, double forgetting)
{
    if (year == 0)
        return 1.0;
    return turn_year != 0 && turn_year <= year ? pow(forgetting, year - turn_year) : 0.0;
}

size_t ipr_strata(struct ipr_stratum *strata, size_t n, size_t games, size_t *drawn)
{
    size_t singles = 0, single = 0, largest = 0, kept = 0, at = 0;

    for (size_t k = 0; k < n; k++) {
        if (strata[k].games > strata[largest].games)
            largest = k;
        if (strata[k].games == 1) {
            singles++;
            single = strata[k].first;
        }
    }
    size_t last = games - singles; /* stratum of the single games */
    for (size_t k = 0; k < n; k++) {
        const struct ipr_stratum run = strata[k];
        const size_t first = at;

        if (run.games == 1) {
            if (singles > 1)
                drawn[last++] = run.first;
            continue;
        }
        for (size_t g = 0; g < run.games; g++)
            drawn[at++] = run.first + g;
        if (singles == 1 && k == largest)
            drawn[at++] = single;
        strata[kept++] = (struct ipr_stratum){ .first = first, .games = at - first };
    }
    if (singles > 1)
        strata[kept++] = (struct ipr_stratum){ .first = at, .games = singles };
    return kept;
}
