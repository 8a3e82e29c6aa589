#ifndef IPR_MODEL_STRENGTH_SHIPPED_H
#define IPR_MODEL_STRENGTH_SHIPPED_H

#include "model/strength.h"
#include "model/strength_engines.h"
#include "model/strength_results.h"
#include "model/strength_side.h"

#define IPR_STRENGTH_NULLS 4

struct ipr_human_model;

/** Frequencies, as counted, with which sets of games deviate by chance from the Elo of their
 * players. */
struct ipr_strength_null {
    double moves, sets;        /* of sets of at least so many moves, so many in one division */
    double below[3], above[3]; /* shares with z < -2, -3, -4; with z > 2, 3, 4 */
};

/** All that a rating needs: the estimator that docs/benchmark.md chose, fitted to the games in
 * static/calibrations/rating.figures.*.ndjson.zst. */
struct ipr_strength_shipped {
    struct ipr_strength_model model;
    /* For one evaluation a move: the estimate of a side is this one's, not the model's. NULL: the
     * model's. */
    const struct ipr_side_model *sides;
    bool alone; /* the interval that holds at each level is the one without the prior */
    struct ipr_strength_calibration calibration;
    struct ipr_strength_results results;
    double prior_mean, prior_sd; /* of the Elo of a player of whom nothing is known */
    double opponents_sd; /* sd of a player's Elo about the mean Elo of the opponents; 0: this and
                            `results` are not known */
    struct ipr_strength_null null_sets[IPR_STRENGTH_NULLS]; /* ascending moves, then the
                                                        last again; 0 sets: not known */
    /* The last: as `sides`, of sides of which networks of human moves have seen the moves. */
    const struct ipr_human_model *human;
};

/** Grows when a constant changes, of any pool: ratings by others are computed again. */
#define IPR_STRENGTH_VERSION 8
/** Grows when scores of moves change: sums of others are computed again. */
#define IPR_STRENGTH_SUMS_VERSION 4

/** The engine whose evaluations it was fitted to, as in a judge. */
#define IPR_STRENGTH_ENGINE  "Stockfish 15.1"
#define IPR_STRENGTH_NETWORK "nn-ad9b42354671.nnue"

extern const struct ipr_strength_shipped ipr_strength_shipped;

/** The calibration for evaluations of other engines, whose equations add this standard error to z.
 * It is one that more moves do not make smaller, as that of players is. */
struct ipr_strength_calibration ipr_strength_calibration_of(const struct ipr_strength_shipped *s,
                                                            double equation_error);

/** ipr_strength_of_sums by that calibration, with lo and hi of the interval that is shown: without
 * the prior where that is the one that holds at each level, extended to the estimate where that is
 * beyond it. The sums are on the scale of the calibration's engine. */
struct ipr_strength_estimate ipr_strength_rating(const struct ipr_strength_shipped *s,
                                                 double equation_error, double score,
                                                 double information, double prior_mean,
                                                 double prior_sd);

#endif
