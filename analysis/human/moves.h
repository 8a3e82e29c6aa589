#ifndef IPR_HUMAN_MOVES_H
#define IPR_HUMAN_MOVES_H

#include "chess/position.h"
#include "human/net.h"
#include "model/strength_human.h"

/** The networks of all levels, and room to run them: for one thread at a time. */
struct ipr_human {
    struct ipr_net net[IPR_HUMAN_NETS];
    struct ipr_net_work work;
    float *planes, *policy; /* of IPR_CONV_BATCH positions */
};

/** Room for networks that are still to be read. */
void ipr_human_init(struct ipr_human *human);
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
