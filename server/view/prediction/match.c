/* The score of a match of a number of games, from the expected score that a predictor gives. */
#include <math.h>

#include "model/elo.h"
#include "model/outcome_forecast.h"
#include "model/results_shipped.h"
#include "stats/interval.h"
#include "view/prediction/predict.h"
#include "view/rating/rate.h"

static double match_elo(const struct ipr_predict_side *s)
{
    return s->rating->elo != NULL ? s->rating->elo->elo_mean.figure.estimate : NAN;
}

/* Mean of both; NaN unless both have one. */
static enum ipr_code match_level_of_results(const struct ipr_predict *p, double *out,
                                            struct ipr_err *err)
{
    struct ipr_figure_results_strength *a, *b;
    struct ipr_results_place place;
    enum ipr_code rc =
        ipr_results_strength(p->context, p->white->who.player, p->white->who.year, &a, &place, err);

    if (rc == IPR_OK)
        rc = ipr_results_strength(p->context, p->black->who.player, p->black->who.year, &b, &place,
                                  err);
    if (rc == IPR_OK)
        *out = (a->figure.estimate + b->figure.estimate) / 2;
    return rc;
}

enum ipr_code ipr_predict_match(struct ipr_predict *p, unsigned games, int year,
                                struct ipr_err *err)
{
    double level = (match_elo(p->white) + match_elo(p->black)) / 2;
    enum ipr_code rc = IPR_OK;

    if (games == 0)
        return IPR_OK;
    if (!isfinite(level))
        rc = match_level_of_results(p, &level, err);
    if (!isfinite(level))
        level = (IPR_OUTCOME_LEVEL_MIN + IPR_OUTCOME_LEVEL_MAX) / 2.0;
    p->match = (struct ipr_predict_match){ games, level, year };
    return rc;
}

/* The interval of the expected score; of Elo with its error in a match. */
static struct ipr_interval match_interval(const struct ipr_figure_prediction *p)
{
    const double half = IPR_Z95 * M_SQRT2 * ipr_results_shipped.elo_se;

    if (p->source == NULL)
        return p->interval;
    return (struct ipr_interval){ ipr_elo_expect(p->difference - half, 0.0),
                                  ipr_elo_expect(p->difference + half, 0.0) };
}

static enum ipr_code match_fill(const struct ipr_predict *p,
                                const struct ipr_outcome_forecast *given,
                                struct ipr_figure_match_score **out, struct ipr_err *err)
{
    struct ipr_outcome_score s;
    const enum ipr_code rc = ipr_outcome_forecast(&ipr_results_shipped.outcome, given, &s, err);

    if (rc != IPR_OK)
        return rc;
    const struct ipr_figure_match_score score = { .games = given->games,
                                                  .draws = s.draws,
                                                  .errors = isfinite(given->interval.lo),
                                                  .standard_deviation = s.sd,
                                                  .interval = s.interval,
                                                  .win = s.outcome.win,
                                                  .draw = s.outcome.draw,
                                                  .loss = s.outcome.loss };
    *out = ipr_shape_copy(IPR_SHAPE_MATCH_SCORE, &score, p->context->v->mem);
    return IPR_OK;
}

enum ipr_code ipr_predict_score(const struct ipr_predict *p, struct ipr_figure_prediction *out,
                                struct ipr_err *err)
{
    const struct ipr_outcome_forecast given = { .expected = out->expected,
                                                .interval = match_interval(out),
                                                .level = p->match.level,
                                                .year = p->match.year,
                                                .games = p->match.games };

    if (p->match.games == 0 || !isfinite(out->expected))
        return IPR_OK;
    return match_fill(p, &given, &out->match, err);
}

struct ipr_interval ipr_predict_score_interval(const struct ipr_outcome_side *first,
                                               const struct ipr_outcome_side *second, double year)
{
    const struct ipr_outcome_model *model = &ipr_results_shipped.outcome;
    const double d = first->elo - second->elo, level = (first->elo + second->elo) / 2;
    const double half = IPR_Z95 * hypot(first->se, second->se);

    return (struct ipr_interval){ ipr_outcome_expected(model, d - half, level, year),
                                  ipr_outcome_expected(model, d + half, level, year) };
}

enum ipr_code ipr_predict_score_of(const struct ipr_predict *p,
                                   const struct ipr_outcome_side *first,
                                   const struct ipr_outcome_side *second,
                                   struct ipr_figure_match_score **out, struct ipr_err *err)
{
    const struct ipr_outcome_model *model = &ipr_results_shipped.outcome;
    const double d = first->elo - second->elo, level = (first->elo + second->elo) / 2;
    const struct ipr_outcome_forecast given = {
        .expected = ipr_outcome_expected(model, d, level, p->match.year),
        .interval = ipr_predict_score_interval(first, second, p->match.year),
        .level = level,
        .year = p->match.year,
        .games = p->match.games
    };

    return p->match.games > 0 ? match_fill(p, &given, out, err) : IPR_OK;
}
