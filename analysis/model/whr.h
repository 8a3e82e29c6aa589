#ifndef IPR_MODEL_WHR_H
#define IPR_MODEL_WHR_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/mem.h"

/*
 * Whole-History Rating: strength over time from results alone. The strength of a player is a Wiener
 * process over the periods (years, say) in which he plays; the points of a game have the
 * expectation of Bradley and Terry, with White's advantage.
 *
 * It is the maximum of the posterior of all strengths, which is unique: Newton's method for one
 * player after the other, whose Hessian is tridiagonal, until no strength moves. Strengths are on
 * the scale of Elo around 0; `ipr_whr_anchor` finds the offset to known ratings.
 *
 * Source: R. Coulom, Whole-History Rating: A Bayesian Rating System for Players of Time-Varying
 * Strength, Computers and Games (2008) 113-124; R. R. Davidson, JASA 65 (1970) 317-328 (draws).
 */

struct ipr_whr_game {
    uint32_t white, black; /* players, 0 .. players - 1, not the same */
    int32_t period;        /* any unit of time that `drift` is given in; +-2^30 at most */
    double points;         /* of White: 0, 0.5 or 1 */
    double weight;         /* 1; 0 leaves the game out (not rated, say) */
};

struct ipr_whr_options {
    double drift; /* variance of strength gained a period [Elo^2], > 0; w^2 in the paper */
    /* Davidson's parameter, >= 0: P(draw) = nu sqrt(P(win) P(loss)). 0: half a win and half a
     * loss, as in the paper. One Elo is the same change of expected points at equality. */
    double draw;
    double dispersion;    /* variance of the points, divided by the model's, > 0; 1 in the paper */
    double virtual_games; /* draws against strength 0 at a player's first period, > 0; 2 there */
    double white;         /* White's advantage expected [Elo], +-10000 at most */
    double white_sd;      /* and its error; 0: it is known */
};

/** A player in a period in which he has games. */
struct ipr_whr_strength {
    uint32_t player;
    int32_t period;
    double games; /* sum of their weights */
    double elo;
    /* From the inverse of the player's own Hessian, as in the paper: opponents count as known, so
     * that it is somewhat too small where they have few games. */
    double se;
    double covariance; /* with his next period [Elo^2]; 0 in the last */
};

struct ipr_whr {
    struct ipr_whr_strength *strength; /* [n] by player, then period */
    size_t n;
    size_t *first; /* [players + 1] of each player; a player without games has none */
    double white, white_se;
    unsigned sweeps; /* through all players */
};

/**
 * game[n]   in any order, which changes results by rounding only; the same input gives the same
 * bits out       in `mem`; untouched on error
 *
 * IPR_EINVAL outside the domains above; IPR_EDATA without a game of weight > 0; IPR_ENOCONV when
 * strengths still move after 5000 sweeps, or a step is not finite.
 */
IPR_CHECK enum ipr_code ipr_whr_fit(const struct ipr_whr_game *game, size_t n, size_t players,
                                    const struct ipr_whr_options *options, struct ipr_arena *mem,
                                    struct ipr_whr *out, struct ipr_err *err);

struct ipr_whr_at {
    double elo, se;
};

/** A player's strength in any period, from strength[n >= 1], his own: between two periods with
 * games a Brownian bridge, outside them the nearest with the drift since. */
struct ipr_whr_at ipr_whr_at(const struct ipr_whr_strength *strength, size_t n, int32_t period,
                             double drift);

struct ipr_whr_anchor {
    double offset; /* to add to strengths [Elo] */
    double rms;    /* of known ratings around them afterwards [Elo]; NaN for one */
    size_t n;      /* ratings that were compared */
};

/**
 * Mean difference to known ratings.
 *
 * strength[n], known[n]   ratings of the same players and periods [Elo]; NaN where there is none
 * games                   periods with fewer games do not count
 *
 * IPR_EDATA if none is left.
 */
IPR_CHECK enum ipr_code ipr_whr_anchor(const struct ipr_whr_strength *strength, const double *known,
                                       size_t n, double games, struct ipr_whr_anchor *out,
                                       struct ipr_err *err);

/** Points that White expects with a strength greater by `difference`, White's advantage included,
 * and their variance; `draw` as in the options. */
double ipr_whr_expect(double difference, double draw, double *variance);

#endif
