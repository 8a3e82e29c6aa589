#ifndef IPR_MODEL_WHR_H
#define IPR_MODEL_WHR_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/mem.h"

/*
 * Whole-History Rating: strength over time from results alone. A player's strength is a Wiener
 * process over the periods (such as years) in which the player has games; the expected points of a
 * game follow the Bradley-Terry model with White's advantage.
 *
 * The estimate is the maximum of the joint posterior, which is unique. Newton's method is applied
 * to one player after another (the Hessian for one player is tridiagonal) until every step is
 * negligible.
 *
 * Strengths are in Elo around `level`. Known ratings, such as the Elo in tags, put them on the
 * scale of their lists: a strength is observed by the mean of its player's in the period, with a
 * normal error. Chosen as docs/results.md describes.
 *
 * Source: R. Coulom, Whole-History Rating: A Bayesian Rating System for Players of Time-Varying
 * Strength, Computers and Games (2008) 113-124; R. R. Davidson, JASA 65 (1970) 317-328 (draws).
 */

struct ipr_whr_game {
    uint32_t white, black; /* indices of two different players, 0 .. players - 1 */
    int32_t period;        /* in any unit of time, the one of `drift`; within +-2^30 */
    double points;         /* of White: 0, 0.5 or 1 */
    double weight;         /* usually 1; 0 excludes the game (for example if unrated) */
    int16_t elo[2];        /* known ratings of White and Black; 0: unknown */
};

struct ipr_whr_options {
    double drift; /* variance of the change in strength per period [Elo^2], > 0; w^2 in the paper */
    /* Davidson's parameter nu, >= 0: P(draw) = nu sqrt(P(win) P(loss)). 0: a draw is half a win and
     * half a loss, as in the paper. At equal strength the expected points per Elo do not depend on
     * it. */
    double draw;
    double dispersion;     /* variance of the points over the model's, > 0; 1 in the paper */
    double virtual_games;  /* prior: draws in a player's first period, > 0; 2 in the paper */
    double white;          /* prior mean of White's advantage [Elo], within +-10000 */
    double white_sd;       /* its prior standard deviation; 0: the advantage is fixed */
    double level;          /* about which strengths are [Elo], and their prior mean if no rating is
                              known; within +-10000 */
    double elo_sd;         /* standard deviation of a known rating around the strength; 0: known
                              ratings count neither here nor in the prior */
    double below;          /* how far the prior mean of a player's strength is below the mean known
                              rating of the opponents in his first period, within +-10000 */
    double below_all;      /* and below that of all players, if none of these opponents has one or
                              `below` is NaN */
    double early;          /* factor of `drift` in a player's first periods, > 0 */
    int32_t early_periods; /* their number, >= 0 */
};

/** A player in a period with games. */
struct ipr_whr_strength {
    uint32_t player;
    int32_t period;
    double games; /* sum of the weights of these games */
    double rated; /* of those against opponents whose rating is known */
    double known; /* mean of the player's known ratings; NaN: none */
    double elo;
    /* Standard error from the inverse of the player's own Hessian, as in the paper: opponents'
     * strengths are taken as known, so the error is somewhat too small where opponents have few
     * games. */
    double se;
    double covariance; /* with the player's next period [Elo^2]; 0 in the last */
};

struct ipr_whr {
    struct ipr_whr_strength *strength; /* [n] by player, then period */
    size_t n;
    size_t *first; /* [players + 1] where each player's begin; a player without games has none */
    double white, white_se;
    unsigned sweeps; /* through all players */
};

/**
 * Fits strengths to games.
 *
 * game[n]   in any order: it affects rounding only, and the same input gives identical bits
 * out       in `mem`; untouched on error
 *
 * IPR_EINVAL outside the domains above; IPR_EDATA if no game has a weight > 0; IPR_ENOCONV if the
 * fit has not converged after 5000 sweeps, or a step is not finite.
 */
IPR_CHECK enum ipr_code ipr_whr_fit(const struct ipr_whr_game *game, size_t n, size_t players,
                                    const struct ipr_whr_options *options, struct ipr_arena *mem,
                                    struct ipr_whr *out, struct ipr_err *err);

/** Expected points of White, and their variance. `difference`: White's strength less Black's, plus
 * White's advantage [Elo]; `draw` as in the options. */
double ipr_whr_expect(double difference, double draw, double *variance);

#endif
