#ifndef IPR_MODEL_COVARIANCE_GAIN_H
#define IPR_MODEL_COVARIANCE_GAIN_H

#include "model/conformance_game.h"
#include "model/covariance.h"
#include "model/covariance_spectrum.h"

/* Shared by the files of the covariance predictor. */

/** |phi^n|, and chances of S to leave the circle, below this: the sums are off by 1e-13 at most. */
#define IPR_SPECTRUM_FLOOR 1e-15

/** Largest whole number of cp within a bound of b pawns. */
unsigned long ipr_covariance_bound(double b);

/** G (covariance_spectrum.h) of the score at the frequencies j[count] of a circle of n points. */
void ipr_covariance_score_at(const struct ipr_covariance_params *params, size_t n,
                             const uint32_t *j, size_t count, double *g);

/** Losses of the turns of one side of a game (0 White, else Black); out[game->n]. Returns how many
 * there are. The caller ensures k1 > 0 and k2 < 0. */
size_t ipr_covariance_side(const struct ipr_conformance_params *params,
                           const struct ipr_conformance_game *game, int side,
                           struct ipr_gain_turn *out);

/**
 * Expected scores in params->replicates replicates that draw each player's games with replacement.
 *
 * l1, l2        the players' own distributions; both have more than one game
 * expected[]    output, [params->replicates]
 */
void ipr_covariance_replicates(const struct ipr_covariance_player *player1,
                               const struct ipr_covariance_player *player2,
                               const struct ipr_gain *l1, const struct ipr_gain *l2,
                               const struct ipr_covariance_params *params, double *expected);

#endif
