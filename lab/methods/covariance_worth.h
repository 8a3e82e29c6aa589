#ifndef IPR_LAB_COVARIANCE_WORTH_H
#define IPR_LAB_COVARIANCE_WORTH_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "model/conformance.h"
#include "model/conformance_game.h"
#include "stats/correlation.h"

/** The slope of the worth (1 + tanh(a x))/2 of a difference x of losses. */
struct ipr_covariance_worth {
    size_t used, excluded;        /* games in which both sides have a turn; others */
    double a;                     /* per pawn, of a grid from 0.05 to 18 in steps of 10 % */
    struct ipr_interval interval; /* 95 %, of a; unless it reaches an end of the grid */
    bool interval_known;
    struct ipr_correlation best; /* with a; its interval as if a had been chosen beforehand */
};

/**
 * The constant a with the highest correlation over games of the result with White's expected score
 * E (1 + tanh(a D))/2, D the difference of the losses of a move of Black and one of White of the
 * same game (A's figure 9): ipr_covariance_predict with IPR_COVARIANCE_TANH and n0 = 0.
 *
 * params      form of the loss
 * games[n]    turns of both sides that the window kept, and White's result; any order
 * sum, won    output, [n]: of each game that counts Black's summed loss less White's [pawns], and
 *             White's result
 *
 * The interval of a has every value whose likelihood (result = beta x + alpha, normal errors) is
 * not significantly lower. IPR_EDATA with fewer than 3 games that count, or when all of these ended
 * alike; IPR_EINVAL for k1 <= 0, k2 >= 0. Source: A section 4.3.1.
 */
IPR_CHECK enum ipr_code ipr_covariance_worth(const struct ipr_conformance_params *params,
                                             const struct ipr_conformance_game *games, size_t n,
                                             double *sum, double *won,
                                             struct ipr_covariance_worth *out, struct ipr_err *err);

#endif
