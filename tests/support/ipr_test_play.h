#ifndef IPR_TEST_PLAY_H
#define IPR_TEST_PLAY_H

#include <gsl/gsl_rng.h>
#include <stddef.h>

#include "model/markov.h"
#include "model/regan_delta.h"

/* Play simulated from the models at known parameters, for tests and for the bench. */

/* Turns with evaluations of their own; the moves played are drawn from the model. */
struct ipr_test_play {
    struct ipr_turn *turns;
    int16_t *cp;
    size_t n;
};

struct ipr_test_play_shape {
    size_t games, turns_each;
    unsigned lines; /* <= 40; every turn has these, and more legal moves */
    double game_sd; /* of a game's own ln s about ln s: what makes turns of one game alike */
};

/* Turn i is of game i / turns_each. v_0 is within +-200 cp. */
void ipr_test_play(const struct ipr_rh_params *p, double s, double c,
                   const struct ipr_test_play_shape *shape, gsl_rng *rng,
                   struct ipr_test_play *out);
/*
 * Play of the Bayesian reference agent with kappa = 0.1 pawn, which chooses among all the
 * shape's lines: turns of White and Black in turn from move 13 on. Here game_sd is that of a
 * game's own c about c.
 */
void ipr_test_agent_play(double c, const struct ipr_test_play_shape *shape, gsl_rng *rng,
                         struct ipr_test_play *out);
/* The same with a shape of these members. */
struct ipr_test_play ipr_test_agent_games(gsl_rng *rng, double c, double game_sd, size_t games,
                                          size_t turns_each, unsigned lines);
void ipr_test_play_release(struct ipr_test_play *play);

/*
 * A player of the Markov model: matrix[19 * 19] of one who keeps the class of the position with
 * probability 1 - error, in the end classes 1 - error * end, and otherwise falls by a few classes
 * (geometric with ratio `fall`).
 */
void ipr_test_markov_player(double error, double end, double fall, double *matrix);

/*
 * Games between two matrices as the model has them, player 1 White in every other game, each
 * begun at 0 and of 2 * turns_each turns: the turns of both players, room for games * turns_each
 * each. Games are numbered from `first`.
 */
void ipr_test_markov_games(const double *matrix1, const double *matrix2, size_t games,
                           size_t turns_each, int32_t first, int32_t year, gsl_rng *rng,
                           struct ipr_markov_turn *turns1, struct ipr_markov_turn *turns2);

#endif
