#include "rate/engines.h"

#include <math.h>
#include <string.h>

#include "core/pools.h"
#include "db/strength.h"
#include "model/strength_curve.h"

#define ENGINES_ELO 2200. /* the rating at which the error is given */

const struct ipr_judge *ipr_rate_engine(const struct ipr_rate_game *g)
{
    const bool rated =
        g->source == IPR_RATE_ENGINE && g->side[0].strength_moves + g->side[1].strength_moves > 0;

    return rated ? &g->text->judge : NULL;
}

void ipr_rate_engine_add(const struct ipr_rate_game *g, double information,
                         struct ipr_db_strength *sums)
{
    const struct ipr_judge *const judge = ipr_rate_engine(g);
    const size_t n = strlen(sums->engines);
    bool there = false; /* in the list "A, B" */

    if (judge == NULL || information <= 0)
        return;
    const struct ipr_strength_engine *const engine = ipr_judge_strength_engine(judge);

    ipr_strength_mix_add(&sums->mix, engine, information);
    for (const char *at = sums->engines; (at = strstr(at, judge->engine)) != NULL; at++)
        there = there || at[strlen(judge->engine)] == ',' || at[strlen(judge->engine)] == '\0';
    if (!there && !ipr_strength_engine_is_own(engine))
        snprintf(sums->engines + n, sizeof sums->engines - n, "%s%s", n > 0 ? ", " : "",
                 judge->engine);
}

/* Standard error in Elo. */
static double engine_error(const struct ipr_judge *judge)
{
    const struct ipr_strength_curve *const curve =
        &ipr_pool_of(IPR_TIME_SET_DEFAULT)->moves.fit->calibration.curve;
    return ipr_strength_equation_error(ipr_judge_strength_engine(judge),
                                       ipr_strength_curve_at(curve, ENGINES_ELO)) /
           fabs(ipr_strength_curve_slope(curve, ENGINES_ELO));
}

static void engine_write(const struct ipr_judge *judge, size_t games, struct ipr_buf *out)
{
    const struct ipr_strength_engine *const engine = ipr_judge_strength_engine(judge);

    if (ipr_strength_engine_is_own(engine))
        return;
    ipr_buf_printf(out, "Engine: %s (%zu %s)", judge->engine, games, games == 1 ? "game" : "games");
    if (ipr_strength_engine_is_known(engine))
        ipr_buf_printf(out,
                       "; evaluations are brought to the scale of " IPR_STRENGTH_ENGINE
                       ", the intervals include the error of %.0f Elo.\n",
                       engine_error(judge));
    else
        ipr_buf_printf(out,
                       ", which is not in the table of engines (docs/engines.md): the intervals "
                       "include the widest error, %.0f Elo.\n",
                       engine_error(judge));
}

/* Games by the engine of the i-th, unless an earlier one has it. */
static size_t engine_games(const struct ipr_rate_games *games, size_t i)
{
    const struct ipr_judge *const judge = ipr_rate_engine(games->at[i]);
    size_t n = 0;

    for (size_t k = 0; judge != NULL && k < games->n; k++) {
        const struct ipr_judge *const other = ipr_rate_engine(games->at[k]);
        const bool same = other != NULL && ipr_judge_same(judge, other);

        if (same && k < i)
            return 0;
        n += same;
    }
    return n;
}

void ipr_rate_engines_write(const struct ipr_rate_games *games, struct ipr_buf *out)
{
    for (size_t i = 0; games->calibrated && i < games->n; i++) {
        const size_t n = engine_games(games, i);

        if (n > 0)
            engine_write(ipr_rate_engine(games->at[i]), n, out);
    }
}
