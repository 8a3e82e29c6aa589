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
 * Strength from results, and the dependence of a game's moves on its result. With e(d) =
 * 1 / (1 + 10^(-d/400)), where d is the difference in Elo plus `white` for White or minus it for
 * Black, the points of a game have mean e and variance dispersion e(1 - e). Given the points, z of
 * either side has mean f(Elo) + shift (points - e) and variance factor / information + the variance
 * between players; `shared` is the correlation between the two sides.
 */
struct ipr_strength_results {
    double white; /* White's advantage [Elo] */
    double dispersion, shift, factor, shared;
    double
        player; /* variance of the strength that results show between players of one Elo, Elo^2 */
};

/**
 * Moves and results: the posterior of the Elo of one player. Results are a quasi-likelihood, with
 * the draw as half a point; moves of games that are in no match count alone. `raw` is that of a
 * prior that is the same at every Elo.
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
