#ifndef IPR_CORE_HUMAN_MODEL_H
#define IPR_CORE_HUMAN_MODEL_H

#include "base/error.h"
#include "core/interchange.h"
#include "human/moves.h"
#include "model/strength_shipped.h"

/* The networks of human moves that an operator names: docs/pools.md. They are not distributed with
 * this software. */

/** Reads maia-1100.pb.gz … maia-1900.pb.gz of a folder. IPR_EIO: one is not there; IPR_EDATA: one
 * is not the network to which the ratings are fitted. Nothing is to be freed then. */
IPR_CHECK enum ipr_code ipr_human_model_read(const char *folder, struct ipr_human *out,
                                             struct ipr_err *err);

/** Sums over the sides of a game for the rating on a scale by these networks; false: the game does
 * not begin at the initial position. */
bool ipr_human_model_sums(const struct ipr_human *human, const struct ipr_strength_shipped *fit,
                          const struct ipr_pos *start, const ipr_move *moves, size_t n_moves,
                          struct ipr_side_sums sums[2]);

#endif
