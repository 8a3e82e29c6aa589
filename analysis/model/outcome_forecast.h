#ifndef IPR_MODEL_OUTCOME_FORECAST_H
#define IPR_MODEL_OUTCOME_FORECAST_H

#include "model/outcome.h"

/*
 * The score of a match, from the expected score of a game that any predictor gives. The interval of
 * an expected score is that of its mean over very many games; the score of n games also varies by
 * chance, with the variance (E (1 - E) - D/4) / n, where E is the expected score and D the share of
 * draws. Few predictors have D, and the shares that some have are no results of games (the end
 * states of a chain), so that D comes from the outcome model for all of them:
 *   1. E, mean of both colours, is that of a difference in strength d of the model, with the level
 *      and the year of the match; likewise the ends E-, E+ of its 95 % interval give d-, d+.
 *   2. The difference in strength has the mean d and a normal error with the standard deviation
 *      (d - d-)/1.96 below and (d+ - d)/1.96 above it; the same error in all games.
 *   3. Given the difference, the games are independent and have the model's chances of win, draw
 *      and loss, half of them with White; of an odd number either colour has the last one equally
 *      often.
 * For one game this is a score in {0, 1/2, 1}; for many the interval tends to that of E.
 */
struct ipr_outcome_forecast {
    double expected;              /* score of a game, in [0, 1] */
    struct ipr_interval interval; /* its 95 % interval; NaN if it has no error */
    double level;                 /* mean of both strengths [Elo] */
    double year;
    unsigned games; /* 1 to IPR_OUTCOME_GAMES */
};

struct ipr_outcome_score {
    double draws;                 /* share of draws at the expected score */
    struct ipr_outcome outcome;   /* chances to win, draw or lose the match */
    double mean, sd;              /* of the share of the points */
    struct ipr_interval interval; /* 95 % of the share of the points, closed, possible scores */
};

/** Expected score, mean of both colours, at a difference in strength [Elo]. */
double ipr_outcome_expected(const struct ipr_outcome_model *model, double difference, double level,
                            double year);

/** The inverse of ipr_outcome_expected. Scores beyond .001 and .999 are replaced by these. */
double ipr_outcome_difference(const struct ipr_outcome_model *model, double expected, double level,
                              double year);

/** IPR_EINVAL if the number of games, the expected score, the level or the year is out of range or
 * not finite. */
IPR_CHECK enum ipr_code ipr_outcome_forecast(const struct ipr_outcome_model *model,
                                             const struct ipr_outcome_forecast *given,
                                             struct ipr_outcome_score *out, struct ipr_err *err);

#endif
