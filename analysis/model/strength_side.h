#ifndef IPR_MODEL_STRENGTH_SIDE_H
#define IPR_MODEL_STRENGTH_SIDE_H

#include <stdbool.h>

#include "model/strength.h"
#include "stats/boost.h"

/*
 * Strength of one side of a game from one evaluation a move: what the side lost, where, and which
 * moves it played. Unlike the sum over moves of model/strength.h it looks at the side as a whole,
 * by boosted trees: beginners differ from club players by much that single losses do not tell.
 */

/** A move of a game, in the order of play. */
struct ipr_side_move {
    int16_t cp;    /* evaluation after it, centipawns, White's view; IPR_STRENGTH_NONE: unknown */
    uint16_t kind; /* as chess/kind.h has it: bits, and the piece from bit 6 on */
    uint8_t to;    /* square, 0 (a1) to 63 (h8) */
};

/** Numbers of own moves of an opening by which it is looked up. */
#define IPR_SIDE_OPENINGS 7
#define IPR_SIDE_FEATURES 120

/** An opening of one side: its own first moves, whatever the other played. */
struct ipr_side_opening {
    uint32_t key; /* ascending in a model */
    float elo;    /* how much stronger than the mean those are who play it, shrunk */
};

struct ipr_side_model {
    struct ipr_boost boost; /* Elo by features */
    size_t openings;
    const struct ipr_side_opening *opening;
    double mean; /* Elo of score 0 */
};

/** A side as features. */
struct ipr_side_features {
    size_t moves;                        /* own, that count: from move 9, |evaluation| <= 500 */
    uint32_t opening[IPR_SIDE_OPENINGS]; /* keys; 0: the game is shorter */
    float x[IPR_SIDE_FEATURES];          /* the last IPR_SIDE_OPENINGS are those of the openings */
};

/**
 * Features of the moves of White (0) or Black (1), those of the openings NAN.
 *
 * move[n]   of both sides, from the initial position
 */
void ipr_side_features(const struct ipr_side_move *move, size_t n, unsigned colour,
                       struct ipr_side_features *out);

/** Sets the features of the openings by a model's table. */
void ipr_side_look_up(const struct ipr_side_opening *opening, size_t n,
                      struct ipr_side_features *f);

/** Returns what a side adds to sums, by the Elo that the trees say. Each side counts as much as any
 * other: short games were not found to say less. */
struct ipr_strength_score ipr_side_score(double mean, double boosted);

/** Adds a side of a game to sums; false: none of its moves counts, and nothing is added. */
bool ipr_side_add(const struct ipr_side_model *m, struct ipr_side_features *f,
                  struct ipr_strength_score *sum);

#endif
