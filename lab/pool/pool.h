#ifndef LAB_POOL_POOL_H
#define LAB_POOL_POOL_H

#include <stdint.h>
#include <stdio.h>

#include "model/strength_rating.h"
#include "model/strength_side.h"

/* A scale for a pool of players, from their games with evaluations: docs/pools.md. */

#define POOL_FOLDS    5
#define POOL_TREES    500
#define POOL_OPENINGS 8192 /* at most, in a table of openings */

/** Sides of games, with the ratings in the tags. */
struct pool_sides {
    size_t n;
    double *rating;                     /* [n] */
    uint64_t *player, *opponent;        /* [n], digests */
    struct ipr_side_features *features; /* [n] */
};

/** Reads PGN with evaluations from a file; games without two ratings are left out. */
bool pool_read(FILE *in, struct pool_sides *out);
void pool_free(struct pool_sides *s);

/** Which of five parts of the players one is in, and which half: no player is in two. */
unsigned pool_fold(uint64_t player);
unsigned pool_half(uint64_t player);

/** A model with the memory it refers to. */
struct pool_model {
    struct ipr_side_model model;
    struct ipr_boost_tree tree[POOL_TREES];
    struct ipr_side_opening opening[POOL_OPENINGS];
};

/** Fits the trees and the table of openings to the sides that are taken; leaves their openings'
 * features set. */
void pool_fit(struct pool_sides *s, const bool *take, struct pool_model *m);

/** Estimates of all sides, each by a model without its player and the opponent. */
void pool_held_out(struct pool_sides *s, double *estimate);

/** The calibration of a pool. */
struct pool_scale {
    double mean; /* of the ratings: 0 of z */
    struct ipr_strength_calibration calibration;
    double prior_mean, prior_sd;
};

/** Calibrates the estimates of the sides that are taken; knots [n] of the curve, ascending. */
void pool_calibrate(const struct pool_sides *s, const double *estimate, const bool *take,
                    const double *knot, size_t knots, struct pool_scale *out);

/** Prints how good the estimates of 1, 5, 10 and 20 games are, by level, each player by a
 * calibration of the other half. */
void pool_tables(const struct pool_sides *s, const double *estimate, const double *knot,
                 size_t knots);

bool pool_write(const struct pool_model *m, const struct pool_scale *scale, const char *path);

#endif
