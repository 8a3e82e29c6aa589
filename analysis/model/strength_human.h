#ifndef IPR_MODEL_STRENGTH_HUMAN_H
#define IPR_MODEL_STRENGTH_HUMAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/strength_side.h"

/*
 * Strength of one side of a game from how probable its moves are among players of several levels:
 * docs/pools.md. It needs no engine and no evaluation.
 */

#define IPR_HUMAN_NETS     9 /* levels 1100, 1200, … 1900, rapid ratings of lichess */
#define IPR_HUMAN_VIEWS    3 /* the lowest, the middle and the highest level */
#define IPR_HUMAN_FEATURES 106

/** The answer of the networks to a move that was played. */
struct ipr_human_move {
    float log_p[IPR_HUMAN_NETS];   /* log of its probability among the legal moves */
    float log_top[IPR_HUMAN_NETS]; /* the same of the most probable one */
    float entropy[IPR_HUMAN_NETS]; /* of the probabilities */
    float drift[IPR_HUMAN_VIEWS];  /* mean of log p(highest) - log p(lowest) over the moves of that
                                      view */
    bool first[IPR_HUMAN_NETS];    /* it is the most probable one */
    bool takes;
    uint8_t legal; /* moves */
};

/** Features of a side of a game from the initial position; NAN: not known. move [n] of both sides.
 */
void ipr_human_features(const struct ipr_human_move *move, size_t n, unsigned colour,
                        float x[IPR_HUMAN_FEATURES]);

/** Trees of such features, and the scale of their estimates. */
struct ipr_human_model {
    struct ipr_boost boost; /* rating by features */
    double mean;            /* rating of score 0 */
};

/** Adds a side of a game to sums, as ipr_side_add does. How many of its moves count, from move 9 on
 * and not forced; 0: nothing is added. */
size_t ipr_human_add(const struct ipr_human_model *m, const struct ipr_human_move *move, size_t n,
                     unsigned colour, struct ipr_strength_score *sum);

#endif
