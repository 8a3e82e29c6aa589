#include "core/lag.h"

#include <string.h>

#define STEP_MS 500

static void lag_drop(struct ipr_lag *lag, size_t at, size_t n)
{
    memmove(&lag->mark[at], &lag->mark[at + n], (lag->n - at - n) * sizeof *lag->mark);
    lag->n -= n;
}

static void lag_mark(struct ipr_lag *lag, int64_t position, int64_t now_ms)
{
    if (lag->n == 0)
        lag->step_ms = STEP_MS;
    else if (position <= lag->mark[lag->n - 1].position ||
             now_ms - lag->mark[lag->n - 1].ms < lag->step_ms)
        return;
    if (lag->n == IPR_LAG_MARKS) {
        /* Every second mark but the first, whose age is the answer, is dropped. */
        for (size_t i = 1; i < lag->n; i++)
            lag_drop(lag, i, 1);
        lag->step_ms = 2 * lag->step_ms;
    }
    lag->mark[lag->n].position = position;
    lag->mark[lag->n++].ms = now_ms;
}

int64_t ipr_lag_ms(struct ipr_lag *lag, int64_t position, int64_t copied, int64_t now_ms)
{
    size_t reached = 0;

    lag_mark(lag, position, now_ms);
    while (reached < lag->n && lag->mark[reached].position <= copied)
        reached++;
    lag_drop(lag, 0, reached);
    return lag->n > 0 ? now_ms - lag->mark[0].ms : 0;
}
