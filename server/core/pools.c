#include "core/pools.h"

#include "model/strength_evals.h"
#include "pgn/time_class.h"

/* One pool so far: Elo over the board, of games at classical or unknown time controls. */
static const struct ipr_pool pools[] = {
    { "otb",
      "Elo over the board at classical or unknown time controls",
      IPR_TIME_SET_DEFAULT,
      { IPR_JUDGE_RATING, &ipr_strength_shipped, 1600, 2800 },
      { IPR_JUDGE_FILES, &ipr_strength_evals, 1600, 2800 } },
};

const struct ipr_pool *ipr_pool_of(unsigned times)
{
    (void)times;
    return &pools[0];
}

const char *ipr_scale_name(const struct ipr_scale *scale)
{
    return ipr_judge_role_name(scale->role);
}

bool ipr_scale_holds(const struct ipr_scale *scale, double elo)
{
    return elo >= scale->low && elo <= scale->high;
}

struct ipr_judge ipr_scale_judge(const struct ipr_scale *scale)
{
    struct ipr_judge judge = { .multipv = 0 };

    (void)ipr_judge_builtin(ipr_scale_name(scale), &judge);
    return judge;
}
