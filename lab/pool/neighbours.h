#ifndef LAB_POOL_NEIGHBOURS_H
#define LAB_POOL_NEIGHBOURS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Ratings of one side of a game as other programs give or propose them: formulas of accuracy and of
 * mean loss. docs/pools.md names the sources. */

#define NEIGHBOURS_INITIAL 15 /* evaluation of the initial position, centipawns */

/** A position of a game from the initial one; evaluations from White's view. */
struct neighbours_position {
    bool known, forced; /* has an evaluation; has one legal move at most */
    bool mate;          /* value is moves to mate, 0: given; else centipawns */
    int32_t value;
};

/** The figures of a side that the formulas read. */
struct neighbours_side {
    double accuracy;   /* lichess's, 0 to 100; NAN: no move has evaluations before and after */
    double loss;       /* mean, centipawns, evaluations within 1000; NAN likewise */
    double wintrchess; /* rating that is proposed for wintrchess; NAN likewise */
};

/** The review of a side's moves by wintrchess: mean accuracy, and errors counted. */
struct neighbours_review {
    double accuracy; /* up to 100 */
    size_t moves, inaccuracies, mistakes, blunders;
};

/** Sets the figures of White and Black; at[moves + 1]. */
void neighbours_sides(const struct neighbours_position *at, size_t moves,
                      struct neighbours_side out[2]);

/** lichessTools; accuracy 0 to 100. */
double neighbours_lichesstools(double accuracy);

/** En Croissant and Chesskit; centipawns. */
double neighbours_of_loss(double loss);

double neighbours_wintrchess(const struct neighbours_review *r);

#endif
