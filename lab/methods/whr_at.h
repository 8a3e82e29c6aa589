#ifndef IPR_LAB_WHR_AT_H
#define IPR_LAB_WHR_AT_H

#include "model/whr.h"

struct ipr_whr_at {
    double elo, se;
};

/** Strength in any period of the player whose strengths are strength[n], n >= 1. Between two
 * periods with games it is a Brownian bridge; before the first and after the last it is theirs,
 * with a variance that grows by the drift. */
struct ipr_whr_at ipr_whr_at(const struct ipr_whr_strength *strength, size_t n, int32_t period,
                             double drift);

#endif
