#ifndef IPR_MODEL_STRENGTH_POOLS_H
#define IPR_MODEL_STRENGTH_POOLS_H

#include "model/strength_shipped.h"

/* Ratings of lichess, and Elo over the board at other speeds (docs/pools.md). `results` and
 * `opponents_sd` are not known of these pools, `null_sets` only of moves analysed here. */

/** In rapid, from evaluations in files, by sides of games. */
extern const struct ipr_strength_shipped ipr_strength_online_rapid_files;

/** From the moves alone, by networks of human moves (model/strength_human.h): the trees are those
 * of rapid in all, which were better in the others than trees of their own. */
extern const struct ipr_strength_shipped ipr_strength_online_rapid_humans;
extern const struct ipr_strength_shipped ipr_strength_online_blitz_humans;
extern const struct ipr_strength_shipped ipr_strength_online_bullet_humans;

/** From moves that the engine setting `rating` has analysed: scores of the model that is fitted to
 * masters, with a curve, errors and a prior of each pool. */
extern const struct ipr_strength_shipped ipr_strength_online_rapid_moves;
extern const struct ipr_strength_shipped ipr_strength_online_blitz_moves;
extern const struct ipr_strength_shipped ipr_strength_online_bullet_moves;

/** Elo over the board from rapid and from blitz games: the curve of standard games, shifted by what
 * the same players show, with the error of that. */
extern const struct ipr_strength_shipped ipr_strength_otb_rapid_moves;
extern const struct ipr_strength_shipped ipr_strength_otb_blitz_moves;

#endif
