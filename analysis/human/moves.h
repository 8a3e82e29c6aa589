#ifndef IPR_HUMAN_MOVES_H
#define IPR_HUMAN_MOVES_H

#include "chess/position.h"
#include "human/net.h"
#include "model/strength_human.h"

/** The networks of all levels; any number of threads may run them. */
struct ipr_human {
    struct ipr_net net[IPR_HUMAN_NETS];
};

void ipr_human_free(struct ipr_human *human);

/**
 * What the networks say of the moves of a game.
 *
 * start   the initial position of chess
 * moves   [n], legal
 * out     [n]
 */
void ipr_human_moves(const struct ipr_human *human, const struct ipr_pos *start,
                     const ipr_move *moves, size_t n, struct ipr_human_move *out);

/** Where a move is in the policy of its position. */
size_t ipr_human_policy_at(const struct ipr_pos *pos, ipr_move m);

#endif
