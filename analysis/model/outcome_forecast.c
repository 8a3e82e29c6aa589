#include "model/outcome_forecast.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"

#define SCORE_LIMIT  0.001
#define WIDEST       3000 /* Elo; the model's expected score is beyond the limits there */
#define NODES_A_SIDE 16
#define NODES_STEP   0.25 /* standard deviations */

/* Chances of a game, averaged over both colours. */
static struct ipr_outcome forecast_game(const struct ipr_outcome_model *model, double d,
                                        double level, double year)
{
    const double first = level + d / 2, second = level - d / 2;
    const struct ipr_outcome own = ipr_outcome_exact(model, first, second, year);
    const struct ipr_outcome other = ipr_outcome_exact(model, second, first, year);

    return (struct ipr_outcome){ (own.win + other.loss) / 2, (own.draw + other.draw) / 2,
                                 (own.loss + other.win) / 2 };
}

double ipr_outcome_expected(const struct ipr_outcome_model *model, double difference, double level,
                            double year)
{
    const struct ipr_outcome o = forecast_game(model, difference, level, year);

    return o.win + o.draw / 2;
}

/* The expected score rises with the difference: bisection. */
double ipr_outcome_difference(const struct ipr_outcome_model *model, double expected, double level,
                              double year)
{
    const double wanted = fmin(fmax(expected, SCORE_LIMIT), 1 - SCORE_LIMIT);
    double lo = -WIDEST, hi = WIDEST;

    while (hi - lo > 1e-6) {
        const double middle = (lo + hi) / 2;

        *(ipr_outcome_expected(model, middle, level, year) < wanted ? &lo : &hi) = middle;
    }
    return (lo + hi) / 2;
}

/* The difference and its error on either side. */
struct difference {
    double at, below, above;
};

static struct difference forecast_difference(const struct ipr_outcome_model *model,
                                             const struct ipr_outcome_forecast *f)
{
    const double d = ipr_outcome_difference(model, f->expected, f->level, f->year);
    struct difference out = { d, 0, 0 };

    if (!isfinite(f->interval.lo) || !isfinite(f->interval.hi))
        return out;
    out.below = d - ipr_outcome_difference(model, f->interval.lo, f->level, f->year);
    out.above = ipr_outcome_difference(model, f->interval.hi, f->level, f->year) - d;
    out.below = fmax(out.below / IPR_Z95, 0);
    out.above = fmax(out.above / IPR_Z95, 0);
    return out;
}

/* Adds the distribution of the score at one difference; without a game of an odd number twice. */
static void forecast_add(const struct ipr_outcome_model *model,
                         const struct ipr_outcome_forecast *f, double d, double weight, double *one,
                         double *chance)
{
    const unsigned half = f->games / 2, rest = f->games - half;
    const unsigned more_white[2] = { rest, half }, more_black[2] = { half, rest };
    const double first = f->level + d / 2, second = f->level - d / 2;

    ipr_outcome_add(model, first, second, f->year, more_white, half == rest ? weight : weight / 2,
                    one, chance);
    if (half != rest)
        ipr_outcome_add(model, first, second, f->year, more_black, weight / 2, one, chance);
}

/* Integrates over the error by the trapezoidal rule, which is accurate for a normal density. */
static void forecast_fill(const struct ipr_outcome_model *model,
                          const struct ipr_outcome_forecast *f, const struct difference *d,
                          double *one, double *chance)
{
    const int nodes = d->below > 0 || d->above > 0 ? NODES_A_SIDE : 0;
    double all = 0;

    for (int k = -nodes; k <= nodes; k++)
        all += exp(-k * NODES_STEP * k * NODES_STEP / 2);
    for (int k = -nodes; k <= nodes; k++) {
        const double x = k * NODES_STEP, weight = exp(-x * x / 2) / all;

        forecast_add(model, f, d->at + x * (k < 0 ? d->below : d->above), weight, one, chance);
    }
}

enum ipr_code ipr_outcome_forecast(const struct ipr_outcome_model *model,
                                   const struct ipr_outcome_forecast *given,
                                   struct ipr_outcome_score *out, struct ipr_err *err)
{
    const unsigned n = given->games;
    const bool valid = n >= 1 && n <= IPR_OUTCOME_GAMES && given->expected >= 0 &&
                       given->expected <= 1 && isfinite(given->level) && isfinite(given->year);

    if (!valid)
        return ipr_err_set(err, IPR_EINVAL, "match: games or expected score out of range");
    const struct difference d = forecast_difference(model, given);
    double *chance = ipr_xcalloc(2 * (2 * (size_t)n + 1), sizeof *chance);

    forecast_fill(model, given, &d, chance + 2 * (size_t)n + 1, chance);
    const struct ipr_outcome_match m = ipr_outcome_summary(chance, n);
    free(chance);
    *out = (struct ipr_outcome_score){
        .draws = forecast_game(model, d.at, given->level, given->year).draw,
        .outcome = m.outcome,
        .mean = m.points / n,
        .sd = m.sd / n,
        .interval = { m.points_interval.lo / n, m.points_interval.hi / n },
    };
    return IPR_OK;
}
