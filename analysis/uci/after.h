#ifndef IPR_UCI_AFTER_H
#define IPR_UCI_AFTER_H

#include "uci/search.h"

/**
 * A move judged by the position after it (IPR_APART_AFTER, IPR_APART_EACH). If the answer is forced
 * it is played too, and so on, each one ply less deep: engines do not search a forced move. The
 * score of depth d there is that of the move at depth d + the plies between; the search is of at
 * least one ply.
 */
struct ipr_after {
    struct ipr_pos pos; /* to be searched */
    ipr_move moves[IPR_DEPTH_MAX];
    unsigned behind; /* plies between: moves[0] is the move, then forced answers */
    unsigned depth;  /* of the search there */
    bool ended;      /* no search: mate or stalemate */
};

/** `depth`: of the turn the move is played in. */
void ipr_after_begin(struct ipr_after *a, const struct ipr_pos *pos, ipr_move m, unsigned depth);

/** Scores of the move for the depths 1 to `depth` of its turn, mover's view. `s`: the completed
 * search of a->pos; not read when the game is over there. */
void ipr_after_scores(const struct ipr_after *a, const struct ipr_search *s, unsigned depth,
                      int16_t *score);

#endif
