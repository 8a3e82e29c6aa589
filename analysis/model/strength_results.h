#ifndef IPR_MODEL_STRENGTH_RESULTS_H
#define IPR_MODEL_STRENGTH_RESULTS_H

#include "model/strength_rating.h"

/** Games against opponents of one Elo: points, and the sums over the moves of both sides. */
struct ipr_strength_match {
    double opponent; /* Elo */
    int colour;      /* of the player: 0 White, 1 Black */
    double games, points;
    double score, information;             /* of the player's moves; 0: not analysed */
    double other_score, other_information; /* of the opponents' moves */
};

/**
 * What results tell of strength, and how the moves of a game depend on its result: with e(d) =
 * 1 / (1 + 10^(-d/400)), d the difference of Elo and `white` more or less, the points of a game
 * have the mean e and the variance dispersion e(1 - e). Given them, z of either side has the mean
 * f(Elo) + shift (points - e) and the variance factor / information + that between players;
 * `shared` is the correlation of the two sides.
 */
struct ipr_strength_results {
    double white; /* advantage of the white pieces [Elo] */
    double dispersion, shift, factor, shared;
    double
        player; /* variance of the strength that results show between players of one Elo, Elo^2 */
};

/**
 * Moves and results: the posterior of the Elo of one player. Results are a quasi-likelihood, with
 * the draw as half a point; moves of games that are in no match count alone. `raw` is not set.
 *
 * score, information   sums over the player's moves of all games, at least those of the matches
 * match[n]             n >= 1; rated opponents, games with a result
 */
struct ipr_strength_estimate ipr_strength_with_results(const struct ipr_strength_calibration *m,
                                                       const struct ipr_strength_results *results,
                                                       double score, double information,
                                                       const struct ipr_strength_match *match,
                                                       size_t n, double prior_mean,
                                                       double prior_sd);

/** Points expected of a player of that Elo. */
double ipr_strength_expected_points(const struct ipr_strength_results *results,
                                    const struct ipr_strength_match *match, size_t n, double elo);

#endif
