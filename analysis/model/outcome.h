#ifndef IPR_MODEL_OUTCOME_H
#define IPR_MODEL_OUTCOME_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "stats/interval.h"

/*
 * Win, draw and loss of a game from the strengths of both players. Ordered logit:
 *   P(White wins) = s(m - e^t), P(Black wins) = s(-m - e^t), s(x) = 1/(1 + e^-x)
 * m is linear in the difference of strength, with White's advantage; t, of which draws depend, in
 * the difference, the level (mean strength) and the year, each with knots. docs/results.md has how
 * the terms were chosen, and what they are worth.
 *
 * Source: P. McCullagh, J. R. Statist. Soc. B 42 (1980) 109-142; R. R. Davidson, JASA 65 (1970)
 * 317-328 for the model that it was compared with.
 */
enum {
    IPR_OUTCOME_MEAN = 6,  /* terms of m: difference, 1, level, year, difference * each */
    IPR_OUTCOME_DRAW = 14, /* of t: 1, difference with knots, level with knots, year with knots */
    IPR_OUTCOME_TERMS = IPR_OUTCOME_MEAN + IPR_OUTCOME_DRAW
};

/* Range of the games that it was fitted to; beyond it level and year are held at the end. */
#define IPR_OUTCOME_LEVEL_MIN 2300
#define IPR_OUTCOME_LEVEL_MAX 2850
#define IPR_OUTCOME_YEAR_MIN  1971
#define IPR_OUTCOME_YEAR_MAX  2025

struct ipr_outcome_model {
    double term[IPR_OUTCOME_TERMS];
    bool davidson; /* instead: odds of win, draw and loss e^m, e^t, e^-m; for comparison */
};

/** Chances; win and loss are of the side that is named first, White where none is. */
struct ipr_outcome {
    double win, draw, loss;
};

/** Strength with its standard error, both in Elo; se >= 0, finite. */
struct ipr_outcome_side {
    double elo, se;
};

/** The terms of a game of two exact strengths [Elo] in a year. */
void ipr_outcome_terms(double white, double black, double year, double term[IPR_OUTCOME_TERMS]);

/** m and t of these terms. */
void ipr_outcome_predictors(const struct ipr_outcome_model *model,
                            const double term[IPR_OUTCOME_TERMS], double *m, double *t);

struct ipr_outcome ipr_outcome_link(const struct ipr_outcome_model *model, double m, double t);

/** Whether level or year are beyond the range. */
bool ipr_outcome_extrapolated(double white, double black, double year);

/** A game of players whose strengths have independent normal errors, which are integrated over by
 * Gauss and Hermite's rule, nine points each. */
struct ipr_outcome ipr_outcome_game(const struct ipr_outcome_model *model,
                                    const struct ipr_outcome_side *white,
                                    const struct ipr_outcome_side *black, double year);

#define IPR_OUTCOME_GAMES 1000 /* of a match at most */

struct ipr_outcome_match {
    struct ipr_outcome outcome;          /* of the match */
    double points, sd;                   /* expected of the first player, and their spread */
    struct ipr_interval points_interval; /* 95 %: the score, errors of both strengths included */
};

/**
 * Distribution of the score of a match: games are independent given the strengths, whose errors
 * are the same in all of them.
 *
 * white, black             games with White and Black of the first player; their sum n is 1 to
 *                          IPR_OUTCOME_GAMES
 * chance[2 n + 1]          output, of 0, 1/2, 1, .. n points of the first player
 *
 * IPR_EINVAL outside that range, or where an error is negative or something is not finite.
 */
IPR_CHECK enum ipr_code ipr_outcome_match(const struct ipr_outcome_model *model,
                                          const struct ipr_outcome_side *first,
                                          const struct ipr_outcome_side *second, double year,
                                          unsigned white, unsigned black, double *chance,
                                          struct ipr_outcome_match *out, struct ipr_err *err);

#endif
