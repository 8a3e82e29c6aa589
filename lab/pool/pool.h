#ifndef LAB_POOL_POOL_H
#define LAB_POOL_POOL_H

#include <jansson.h>
#include <stdint.h>
#include <stdio.h>

#include "lab/pool/neighbours.h"
#include "model/strength_shipped.h"
#include "model/strength_side.h"

/* A scale for a pool of players, from their games with evaluations: docs/pools.md. */

#define POOL_FOLDS    5
#define POOL_TREES    500
#define POOL_OPENINGS 8192 /* at most, in a table of openings */

/** Sides of games, with the ratings in the tags. */
struct pool_sides {
    size_t n;
    double between; /* variance of z between players of one rating; 0: found from these sides */
    /* Sides of other games of the same players, on whose curve these are but for a shift; NULL:
     * they have a curve of their own. */
    const struct pool_sides *standard;
    double *rating;                     /* [n] */
    double *moves;                      /* [n], that count; 0: not known */
    double *year;                       /* [n]; 0: not known */
    uint64_t *player, *opponent;        /* [n], digests */
    struct ipr_side_features *features; /* [n]; NULL: they have moves analysed here */
    struct neighbours_side *neighbour;  /* [n]; NULL likewise */
    struct ipr_strength_score *score;   /* [n], of estimates that did not see the player */
};

/** Reads PGN with evaluations from standard input; games without two ratings are left out. Scores
 * are not set. */
bool pool_read(struct pool_sides *out);

/** Reads figures of games that the engine setting `rating` has analysed, as `figures` writes them,
 * from standard input. Scores are those of the model that is fitted to masters. */
bool pool_read_figures(struct pool_sides *out);

/** Adds a side, its features uninitialised where there are to be some. */
void pool_add(struct pool_sides *s, bool features, double rating, uint64_t player);
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

/** Mean rating of the sides that are taken. */
double pool_mean(const struct pool_sides *s, const bool *take);

/** Sets the scores of all sides, each by a model without its player and the opponent. */
void pool_held_out(struct pool_sides *s, double mean);

/** The calibration of a pool. */
struct pool_scale {
    struct ipr_strength_calibration calibration;
    double prior_mean, prior_sd;
};

/** Keeps the sides of players who have sides in `standard`, too, each with the player's mean rating
 * there. */
void pool_pair(struct pool_sides *s, const struct pool_sides *standard);

/** The calibration of the rating, shifted by how much lower the z of the same players is in the
 * sides that are taken than in `standard`. The variance of the shift, from drawn players, is one of
 * the curve at every level; how much players differ in it adds to what they differ. */
void pool_shift(const struct pool_sides *s, const bool *take, struct pool_scale *out);

/** Calibrates the scores of the sides that are taken; knots [n] of the curve, ascending. */
void pool_calibrate(const struct pool_sides *s, const bool *take, const double *knot, size_t knots,
                    struct pool_scale *out);

/** Calibrates for each half of the players by the other half. */
void pool_halves(const struct pool_sides *s, const double *knot, size_t knots,
                 struct pool_scale out[2]);

/** How often sets of sides of one band of 50 points deviate by chance from the ratings of their
 * players, each by a calibration of the other half: random divisions into sets of 30, 100, 300 and
 * 1,000 moves. Where there are too few sets, the row is that of fewer moves; 0 sets: nothing is
 * known. */
void pool_null(const struct pool_sides *s, const struct pool_scale scale[2],
               struct ipr_strength_null out[IPR_STRENGTH_NULLS]);

/** Prints how good the estimates of 1, 5, 10 and 20 games are, by level, each player by a
 * calibration of the other half. The rows of the table as JSON (lab/bands.h), of that pool; kind:
 * what the estimates are from. */
json_t *pool_tables(const struct pool_sides *s, const struct pool_scale scale[2], const char *pool,
                    const char *kind);

/** Prints what the formulas of other programs say of every side, as they are and after a line that
 * is fitted to other players, beside the pool's estimates of the same sides. The same as JSON.
 * The sides have neighbours. */
json_t *pool_compare(const struct pool_sides *s, const struct pool_scale scale[2],
                     const char *pool);

/** Reads the knots of a curve, "700,1000,2500"; how many. */
size_t pool_knots(const char *text, double knot[IPR_STRENGTH_KNOTS]);

/** Writes a constant of type float, and the elements of an array of trees. */
void pool_write_float(FILE *out, const char *before, float value, int digits);
void pool_write_trees(FILE *out, const struct ipr_boost *b);

/** Writes the constants of a scale after those members; `null` NULL: not known. */
void pool_write_scale(FILE *out, const char *members, const struct pool_scale *scale,
                      const struct ipr_strength_null null[IPR_STRENGTH_NULLS]);

/** Writes the constants; m NULL: the scores are not by sides. */
bool pool_write(const struct pool_model *m, const struct pool_scale *scale,
                const struct ipr_strength_null null[IPR_STRENGTH_NULLS], const char *path);

#endif
