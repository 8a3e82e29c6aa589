#include "uci/adaptive.h"

#include <stddef.h>
#include <stdlib.h>

static int32_t eval_smaller(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

static int32_t eval_larger(int32_t a, int32_t b)
{
    return a > b ? a : b;
}

static bool eval_steady(double limit, double spent, const int32_t e[3])
{
    const bool white = e[0] > 0 && e[1] > 0 && e[2] > 0;
    const bool black = e[0] < 0 && e[1] < 0 && e[2] < 0;
    const int32_t least = eval_smaller(abs(e[0]), eval_smaller(abs(e[1]), abs(e[2])));
    const double share = (1000.0 - least) / 3.0;

    return (white || black) && spent > limit * (share > 100.0 ? share : 100.0) / 400.0;
}

static bool eval_stable(double limit, double spent, const int32_t e[3])
{
    const int32_t spread =
        eval_larger(abs(e[0] - e[1]), eval_larger(abs(e[0] - e[2]), abs(e[1] - e[2])));

    return spent > limit * (10.0 + spread) / 40.0;
}

bool ipr_adaptive_enough(uint32_t limit_ms, uint32_t spent_ms, const int32_t depths[3],
                         const int32_t turns[3])
{
    const double limit = limit_ms, spent = spent_ms;

    if (spent < limit / 4.0)
        return false;
    return spent >= limit * 3.0 / 4.0 || (turns != NULL && eval_steady(limit, spent, turns)) ||
           (depths != NULL && eval_stable(limit, spent, depths));
}
