#ifndef IPR_MODEL_STRENGTH_RATING_H
#define IPR_MODEL_STRENGTH_RATING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Data of one side of a game. */
struct ipr_strength_side {
    uint64_t player;    /* any number, unique to its player */
    double elo;         /* for calibration */
    double z;           /* score / information, of mean f(Elo) */
    double information; /* inverse of the variance of z, up to a factor; 0: no moves */
};

#define IPR_STRENGTH_KNOTS 4

/** Mean z by Elo, linear between the knots and beyond them; rises or falls throughout. */
struct ipr_strength_curve {
    double elo[IPR_STRENGTH_KNOTS], z[IPR_STRENGTH_KNOTS];
    double var[IPR_STRENGTH_KNOTS];     /* from resampled players */
    double cov[IPR_STRENGTH_KNOTS - 1]; /* of each and the next */
};

/** Variance of z of a side, given Elo: factor / information + game + player. */
struct ipr_strength_spread {
    double factor, game, player;
};

struct ipr_strength_calibration {
    struct ipr_strength_curve curve;
    struct ipr_strength_spread spread;
};

/**
 * Curve and spread from sides of known Elo, by weighted least squares and moments in turn. z must
 * come from fits without the side's player.
 *
 * take[n]   sides to use
 */
void ipr_strength_calibrate(const struct ipr_strength_side *side, const bool *take, size_t n,
                            struct ipr_strength_calibration *m);

double ipr_strength_curve_at(const struct ipr_strength_curve *c, double elo);
double ipr_strength_curve_se(const struct ipr_strength_curve *c, double elo);

/** Weight of a side in a set: 1 / (factor / information + game + player); 0 of one without moves.
 */
double ipr_strength_weight(const struct ipr_strength_spread *s, double information);

/** An estimate of Elo from sides of a set. */
struct ipr_strength_estimate {
    double z, variance;    /* pooled; of sampling, games and players */
    double raw;            /* by the curve alone; 1400 or 3000 where it is beyond them */
    double raw_lo, raw_hi; /* its 95 % interval */
    double mean, sd;       /* posterior given the prior */
    double lo, hi;         /* its 95 % interval */
};

/**
 * Rating of the sides at[0 .. k), one of which at least has moves. Intervals include the errors of
 * sampling, games, players and the curve.
 *
 * prior_mean, prior_sd   of Elo, normal
 */
struct ipr_strength_estimate ipr_strength_estimate(const struct ipr_strength_calibration *m,
                                                   const struct ipr_strength_side *side,
                                                   const size_t *at, size_t k, double prior_mean,
                                                   double prior_sd);

/**
 * Rating of one player from the sums over the moves of any games: z = score / information, of
 * variance factor / information + player. For calibrations whose spread.game is 0.
 *
 * information   above 0
 */
struct ipr_strength_estimate ipr_strength_of_sums(const struct ipr_strength_calibration *m,
                                                  double score, double information,
                                                  double prior_mean, double prior_sd);

/**
 * How far the moves of a player are from play at an Elo, in standard errors: above 0 where they are
 * better. The error holds sampling, games, the difference between players of one Elo (and with it
 * the error of the Elo) and the curve's.
 *
 * elo   within the curve
 */
double ipr_strength_surprise(const struct ipr_strength_calibration *m, double score,
                             double information, double elo);

/* Posterior distributions of Elo are on a grid. */
#define IPR_STRENGTH_GRID 241

double ipr_strength_grid_elo(size_t i);

/** Sets mean, sd, lo and hi from densities on it, up to a factor. */
void ipr_strength_posterior(const double p[IPR_STRENGTH_GRID], struct ipr_strength_estimate *out);

#endif
