#ifndef IPR_MODEL_STRENGTH_RATING_H
#define IPR_MODEL_STRENGTH_RATING_H

#include <stddef.h>

#define IPR_STRENGTH_KNOTS 8 /* at most */

/** Mean z by Elo, linear between the knots and beyond them; rises or falls throughout. */
struct ipr_strength_curve {
    size_t knots; /* 2 to IPR_STRENGTH_KNOTS; what follows has values of as many */
    double elo[IPR_STRENGTH_KNOTS], z[IPR_STRENGTH_KNOTS];
    double var[IPR_STRENGTH_KNOTS];     /* from resampled players */
    double cov[IPR_STRENGTH_KNOTS - 1]; /* of each and the next */
};

/** Components of the variance of a side's z, given Elo: factor / information + game + player.
 * `event` is the variance shared by the players of one event; only ipr_strength_surprise uses it.
 */
struct ipr_strength_spread {
    double factor, game, player, event;
    /* The factor at each knot of the curve in units of `factor`, linear between them and constant
     * beyond: games of weak players vary otherwise than those of masters. 0: 1. */
    double level[IPR_STRENGTH_KNOTS];
};

#define IPR_STRENGTH_ERAS 2 /* knots of the era after the first */

/**
 * The change with time of play at equal Elo. elo[k] is how much better it is in year[k + 1] than in
 * year[0], in Elo: linear between these years, constant before and after. The effect is centred at
 * each Elo on the mean year of the sides of that Elo, so that fitting it leaves the curve
 * unchanged.
 */
struct ipr_strength_era {
    double year[IPR_STRENGTH_ERAS + 1];
    double elo[IPR_STRENGTH_ERAS];
    double centre[IPR_STRENGTH_ERAS]
                 [IPR_STRENGTH_KNOTS];                /* mean weights of the years at each knot */
    double cov[IPR_STRENGTH_ERAS][IPR_STRENGTH_ERAS]; /* of elo[], from resampled players */
    double cov_curve[IPR_STRENGTH_ERAS][IPR_STRENGTH_KNOTS]; /* of elo[] with the curve's z */
};

struct ipr_strength_calibration {
    struct ipr_strength_curve curve;
    struct ipr_strength_spread spread;
    struct ipr_strength_era era;
};

double ipr_strength_curve_at(const struct ipr_strength_curve *c, double elo);
/** Elo at which the curve passes z, within IPR_STRENGTH_BEYOND of its ends. */
#define IPR_STRENGTH_BEYOND 600.
double ipr_strength_curve_elo(const struct ipr_strength_curve *c, double z);
/** Standard error of z. Beyond the ends of the curve that it goes on as a line is an assumption:
 * the error grows by 44 Elo for each 100, what the sides of 2801 to 2900 Elo allow
 * (docs/benchmark.md). */
double ipr_strength_curve_se(const struct ipr_strength_curve *c, double elo);

/** Effect of the year on the Elo expected of the moves; 0 if the year is unknown (0). */
double ipr_strength_era_at(const struct ipr_strength_calibration *m, double elo, double year);
double ipr_strength_era_se(const struct ipr_strength_calibration *m, double elo, double year);

/** Expected z of players of an Elo in a year, and its standard error. */
double ipr_strength_expected(const struct ipr_strength_calibration *m, double elo, double year);
double ipr_strength_expected_se(const struct ipr_strength_calibration *m, double elo, double year);

/** The factor at a level in units of spread.factor. */
double ipr_strength_level(const struct ipr_strength_calibration *m, double elo);

/** An estimate of Elo from moves. */
struct ipr_strength_estimate {
    double z, variance;    /* pooled; of sampling, games and players */
    double raw;            /* by the curve alone, as ipr_strength_curve_elo */
    double raw_lo, raw_hi; /* its 95 % interval */
    double mean, sd;       /* posterior given the prior */
    double lo, hi;         /* its 95 % interval */
};

/**
 * Rating of one player from the sums over the moves of any games: z = score / information, of
 * variance factor / information + player. For calibrations whose spread.game is 0.
 *
 * information   above 0
 */
struct ipr_strength_estimate ipr_strength_of_sums(const struct ipr_strength_calibration *m,
                                                  double score, double information,
                                                  double prior_mean, double prior_sd);

/** The moves of a player in games of known Elo. */
struct ipr_strength_set {
    double score, information; /* sums over them; information above 0 */
    double elo;                /* mean Elo of the player; within the curve */
    double year;               /* mean; 0: unknown */
    double events;             /* sum of the squares of the events' shares in the information */
};

/**
 * Deviation of a player's moves from those expected at the player's Elo in that year, in standard
 * errors; positive: better. The standard error includes sampling, games, events, the spread between
 * players of equal Elo (which contains the error of the Elo), the curve and the era.
 */
double ipr_strength_surprise(const struct ipr_strength_calibration *m,
                             const struct ipr_strength_set *set);

/* Posterior distributions of Elo are on a grid, which ends 600 beyond the curve. */
#define IPR_STRENGTH_GRID 321 /* at most */

size_t ipr_strength_grid_size(const struct ipr_strength_curve *c);
double ipr_strength_grid_elo(const struct ipr_strength_curve *c, size_t i);

/** Sets mean, sd, lo and hi from densities on it, up to a factor. */
void ipr_strength_posterior(const struct ipr_strength_curve *c, const double p[IPR_STRENGTH_GRID],
                            struct ipr_strength_estimate *out);

#endif
