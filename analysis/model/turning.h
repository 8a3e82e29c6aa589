#ifndef IPR_MODEL_TURNING_H
#define IPR_MODEL_TURNING_H

#include <stddef.h>

/*
 * Where a game turned: the last time that the winner's expected score passed 60 per cent and never
 * fell below it again. One move of the loser did it, or several together.
 */

/** Expected score from which a side stands better. */
#define IPR_TURNING_BETTER 0.60
/** The fall towards it begins when the score was last at most this, and ends when it is first at
 * least IPR_TURNING_WON. Within these half-moves the game turned. */
#define IPR_TURNING_EVEN 0.55
#define IPR_TURNING_WON  0.75
/** One move turned the game if it lost as much as this, and as this share of all that the
 * loser lost there. */
#define IPR_TURNING_MOVE  0.10
#define IPR_TURNING_SHARE 0.40

enum ipr_turning_kind {
    IPR_TURNING_NONE,    /* the winner never stood better, or always did */
    IPR_TURNING_AT_MOVE, /* at half-move `to` */
    IPR_TURNING_DECLINE  /* between half-moves `from` and `to`, both the loser's */
};

struct ipr_turning {
    enum ipr_turning_kind kind;
    size_t from, to;
};

/**
 * - expected[n + 1]: the winner's expected score before each half-move and after the last one; NAN
 *   where it is unknown.
 * - lost[n]: expected points that each half-move of the loser lost, 0 where that is unknown; NAN
 *   for those of the winner.
 */
struct ipr_turning ipr_turning_of(const double *expected, const double *lost, size_t n);

#endif
