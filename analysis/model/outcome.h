#ifndef IPR_MODEL_OUTCOME_H
#define IPR_MODEL_OUTCOME_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "stats/interval.h"

/*
 * Win, draw and loss of a game from the strengths of both players. Ordered logit:
 *   P(White wins) = s(m - e^t), P(Black wins) = s(-m - e^t), s(x) = 1/(1 + e^-x)
 * m is linear in the difference in strength and includes White's advantage. t sets the share of
 * draws; it is a linear spline in the difference, the level (mean strength) and the year.
 * docs/results.md describes how the terms were chosen and how much each improves the predictions.
 *
 * Source: P. McCullagh, J. R. Statist. Soc. B 42 (1980) 109-142; R. R. Davidson, JASA 65 (1970)
 * 317-328 for the model that it was compared with.
 */
enum {
    IPR_OUTCOME_MEAN = 6,  /* terms of m: difference, 1, level, year, difference * each */
    IPR_OUTCOME_DRAW = 14, /* terms of t: 1, and splines of the difference, level and year */
    IPR_OUTCOME_TERMS = IPR_OUTCOME_MEAN + IPR_OUTCOME_DRAW
};

/* Range of the games that the model was fitted to; a level or year outside it is replaced by the
 * nearer limit. */
#define IPR_OUTCOME_LEVEL_MIN 2300
#define IPR_OUTCOME_LEVEL_MAX 2850
#define IPR_OUTCOME_YEAR_MIN  1971
#define IPR_OUTCOME_YEAR_MAX  2025

struct ipr_outcome_model {
    double term[IPR_OUTCOME_TERMS];
    bool davidson; /* instead of the logit: win, draw and loss in the ratio e^m : e^t : e^-m; for
                      comparison only */
};

/** Probabilities; win and loss are those of the side named first, or of White where neither is. */
struct ipr_outcome {
    double win, draw, loss;
};

/** Strength with its standard error, both in Elo; se >= 0, finite. */
struct ipr_outcome_side {
    double elo, se;
};

/** The terms of a game of two exact strengths [Elo] in a year. */
void ipr_outcome_terms(double white, double black, double year, double term[IPR_OUTCOME_TERMS]);

/** Computes m and t from the terms. */
void ipr_outcome_predictors(const struct ipr_outcome_model *model,
                            const double term[IPR_OUTCOME_TERMS], double *m, double *t);

struct ipr_outcome ipr_outcome_link(const struct ipr_outcome_model *model, double m, double t);

/** True if the level or the year is outside the range that the model was fitted to. */
bool ipr_outcome_extrapolated(double white, double black, double year);

/** A game between exact strengths [Elo]. */
struct ipr_outcome ipr_outcome_exact(const struct ipr_outcome_model *model, double white,
                                     double black, double year);

/** Quadrature over the error of a strength: the strength at a node, and the node's weight, over the
 * square root of pi. */
#define IPR_OUTCOME_NODES 9
double ipr_outcome_at_node(const struct ipr_outcome_side *s, size_t k);
extern const double ipr_outcome_weight[IPR_OUTCOME_NODES];

/** A game between players whose strengths have independent normal errors; integrates over both by
 * Gauss-Hermite quadrature, nine points each. */
struct ipr_outcome ipr_outcome_game(const struct ipr_outcome_model *model,
                                    const struct ipr_outcome_side *white,
                                    const struct ipr_outcome_side *black, double year);

#define IPR_OUTCOME_GAMES 1000 /* maximum in a match */

struct ipr_outcome_match {
    struct ipr_outcome outcome;          /* of the match */
    double points, sd;                   /* of the first player: expected, standard deviation */
    struct ipr_interval points_interval; /* 95 % of the score; includes the errors of strength */
};

/** Adds `weight` times the distribution of the score between exact strengths to chance[2 n + 1];
 * `one` is room for as many, 0 at first and left as any. */
void ipr_outcome_add(const struct ipr_outcome_model *model, double first, double second,
                     double year, const unsigned games[2], double weight, double *one,
                     double *chance);

/** Summary of such a distribution. */
struct ipr_outcome_match ipr_outcome_summary(const double *chance, unsigned n);

#endif
