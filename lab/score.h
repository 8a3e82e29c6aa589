#ifndef LAB_SCORE_H
#define LAB_SCORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lab/methods/strength_sides.h"

#define BENCH_FOLDS 10
#define BENCH_BLIND 5 /* one player of so many is blind */

/** One side of a game. */
struct bench_side {
    size_t game;
    uint32_t player; /* digest */
    uint32_t event;  /* digest */
    double elo, result;
    int year;
    double moves; /* that count */
    unsigned fold;
    bool one_sided; /* the game was chosen for one player's Elo, not for both */
    bool below; /* of the part of weaker players, to which curve and variances alone are fitted */
    bool blind; /* its player is */
    bool blind_game; /* one of the players is */
};

/** True if a side counts: Elo from 1600 to 2800 and a move that counts. */
static inline bool bench_rated(const struct bench_side *s)
{
    return s->elo >= 1600 && s->elo <= 2800 && s->moves > 0 && !s->below;
}

#define BENCH_LOWEST  1000
#define BENCH_HIGHEST 2900

/** True if curves and variances are fitted to it: Elo from 1000 to 2900 and a move that counts. The
 * range is wider than that of bench_rated, so that there are sides beyond both ends of the curve.
 */
static inline bool bench_fitted(const struct bench_side *s)
{
    return s->elo >= BENCH_LOWEST && s->elo <= BENCH_HIGHEST && s->moves > 0;
}

/** fold, blind and blind_game of the two sides of a game, from the players' digests. */
void bench_split(struct bench_side side[2]);

/**
 * Standard deviation of an estimate from 1,000 moves where it is unbiased in Elo:
 * sqrt(sum w^2 r^2) / (|b| sum w) sqrt(N / 1000), r = z - a - b Elo.
 *
 * times[game]   how often a game was drawn, NULL for once each
 * take[n]       sides it is of
 * lo, hi        Elo of the sides; the band's own mean and, if `own`, slope; else that of all
 */
double bench_sd(const struct bench_side *side, const struct ipr_strength_side *answer,
                const struct ipr_strength_spread *s, const bool *take, size_t n,
                const double *times, double lo, double hi, bool own);

#endif
