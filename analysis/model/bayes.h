#ifndef IPR_MODEL_BAYES_H
#define IPR_MODEL_BAYES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "model/turn.h"
#include "model/window.h"
#include "stats/interval.h"
#include "stats/line.h"

/*
 * Bayesian reference agent: a player who chooses among the best `top` moves with probability
 *   p_i = (v_max - v_i + kappa)^-c / sum_j (v_max - v_j + kappa)^-c,
 * so that c = 0 plays at random and a greater c plays better. The posterior of c from the moves
 * played, with a uniform prior on [0, c_max].
 *
 * Source: Di Fatta, Haworth & Regan, CIDM 2009, sections III and IV; methods section 6.
 */

struct ipr_bayes_params {
    struct ipr_window window; /* window.top: moves the agent chooses among; 0 is all */
    double kappa;             /* pawns, > 0 */
    double c_max;             /* upper end of the prior, within (0, 100] */
};

/** Window of methods section 0 (from move 13, top 10), kappa = 0.1, c_max = 10. */
struct ipr_bayes_params ipr_bayes_default(void);

/** Turns prepared for the likelihood. */
struct ipr_bayes_events;

/**
 * Takes the turns that count.
 *
 * turns[n]   any order; not referred to afterwards
 * out        ipr_bayes_events_free it; untouched on error
 *
 * A turn with fewer lines than min(top, legal) has no list of the best moves. D leaves open what
 * becomes of it: here it is left out and counted as unjudged, and as a short list too. If it were
 * kept, the sum over the moves would lack some that the agent chooses among, and every move played
 * would look more probable than it is. A move played that was judged
 * apart does not count as one of the top, whatever its evaluation.
 * IPR_EINVAL if kappa or c_max is out of its domain; IPR_EDATA if no turn remains.
 */
IPR_CHECK enum ipr_code ipr_bayes_events_new(const struct ipr_bayes_params *params,
                                             const struct ipr_turn *turns, size_t n,
                                             struct ipr_bayes_events **out, struct ipr_err *err);

/** Accepts NULL; clears the pointer. */
void ipr_bayes_events_free(struct ipr_bayes_events **e);

/** sum ln p_played at c, within [0, c_max]. Concave in c; within 1e-11 of each event's own. */
double ipr_bayes_log_likelihood(const struct ipr_bayes_events *e, double c);

struct ipr_bayes_posterior {
    double mean, sd;
    struct ipr_interval interval; /* 95 % credible, 2.5 % of the posterior on either side of it */
    double mode;                  /* the maximum-likelihood c within [0, c_max] */
    bool at_bound; /* density at c_max exceeds 1e-3 of its maximum: the figures depend on c_max */
    bool at_zero;  /* the same at c = 0: play no better than random */
    /*
     * Game-clustered standard error of the mode. The posterior assumes that all moves are
     * independent; if moves of one game are correlated its sd is too small, this error is not.
     */
    double clustered_se;
    bool clustered_known; /* false with one game, or with the mode at 0 or c_max */
    size_t events, games;
    struct ipr_window_counts counts; /* turns left out, by reason */
    size_t short_lists;              /* of the unjudged: too few lines */
    unsigned levels;                 /* grids until the step was fine enough */
    unsigned evaluations;            /* of the log likelihood */
    double step;                     /* of the last grid; <= sd/20 */
};

/**
 * Posterior on an adaptive grid: 0 .. c_max in steps of 0.1 at most, narrowed to where the
 * density is above e^-40 of its maximum and refined until the step is <= sd/20. Moments and
 * quantiles by the trapezoidal rule. On fine grids the log likelihood of a large set is read off
 * its Chebyshev series of 33 terms whenever the series' tail is below 1e-9, else computed.
 *
 * IPR_ENOCONV after 60 grids (does not happen: every grid is finer than the one before).
 * The result does not depend on the order of the turns, to about 1e-11.
 */
IPR_CHECK enum ipr_code ipr_bayes_posterior(const struct ipr_bayes_events *e,
                                            struct ipr_bayes_posterior *out, struct ipr_err *err);

/** The two steps above for one set of turns. */
IPR_CHECK enum ipr_code ipr_bayes_rate(const struct ipr_bayes_params *params,
                                       const struct ipr_turn *turns, size_t n,
                                       struct ipr_bayes_posterior *out, struct ipr_err *err);

/* Sides of games, and classes of sides (D section V.D) */

enum ipr_bayes_class {
    IPR_BAYES_LOST, /* the first three as half points */
    IPR_BAYES_DREW,
    IPR_BAYES_WON,
    IPR_BAYES_UNFINISHED,
    IPR_BAYES_CLASSES
};

/** One player's moves in one game. */
struct ipr_bayes_side {
    int32_t game;
    uint8_t mover; /* enum ipr_colour */
    enum ipr_bayes_class class;
    struct ipr_bayes_posterior posterior;
};

/**
 * D's Table III. Means of single games are biased upwards (+0.07 at 26 moves), and near-perfect
 * ones depend on c_max: neither is true of `pooled`.
 */
struct ipr_bayes_class_summary {
    size_t sides;    /* with at least one event */
    size_t empty;    /* without */
    size_t at_bound; /* sides whose posterior reaches c_max */
    double mean, sd; /* of the sides' posterior means (sd with sides - 1; 0 for one side) */
    bool pooled_known;
    struct ipr_bayes_posterior pooled; /* all moves of the class together */
};

/**
 * Posteriors of each player in each game, and of winners, losers and drawers.
 *
 * turns[n]    of both players of any games, any order
 * class[n]    how the game ended for the mover; one for all turns of a side
 * sides       output, those with events by game, then mover; free() it; may be NULL
 * n_sides     output, how many; may be NULL
 * classes     output
 *
 * IPR_EINVAL as ipr_bayes_events_new or if the turns of a side have different classes; IPR_EDATA
 * if no turn remains. Outputs are untouched on error.
 */
IPR_CHECK enum ipr_code ipr_bayes_by_side(const struct ipr_bayes_params *params,
                                          const struct ipr_turn *turns,
                                          const enum ipr_bayes_class *class, size_t n,
                                          struct ipr_bayes_side **sides, size_t *n_sides,
                                          struct ipr_bayes_class_summary classes[IPR_BAYES_CLASSES],
                                          struct ipr_err *err);

/* The Elo scale */

struct ipr_bayes_milepost {
    double elo;
    double mean; /* of the posterior of its turns */
    size_t events;
    double se; /* of the mean by sampling, clustered by game; 0: not known */
};

/** Elo = line.a + line.b c. One judge. */
struct ipr_bayes_calibration {
    struct ipr_line line;
    double sampling_variance; /* of the residual one, what the sampling of the moves makes; 0: not
                                 known */
    double elo_min, elo_max;  /* of the mileposts; outside is extrapolation */
    size_t mileposts, events;
};

/**
 * Straight line of Elo on mean c, weighted by events.
 *
 * IPR_EDATA with fewer than 3 mileposts, if all have one mean, or if c does not rise with Elo.
 * IPR_EINVAL if a figure is not finite.
 */
IPR_CHECK enum ipr_code ipr_bayes_calibrate(const struct ipr_bayes_milepost *m, size_t n,
                                            struct ipr_bayes_calibration *out, struct ipr_err *err);

struct ipr_bayes_elo {
    double elo;
    double se;                    /* the posterior's sd in Elo */
    struct ipr_interval interval; /* the credible interval in Elo: sampling of the moves only */
    double line_se;               /* of the line at this c */
    double excess_sd;             /* of the mileposts around the line, beyond their sampling */
    /*
     * All errors together: the greater of the posterior's sd and the clustered error
     * (that with Student's t below 30 games), the line's error and what scatter its mileposts have
     * beyond the sampling of their own moves, which is in the line's error; ipr_stats_line_half.
     */
    struct ipr_interval total;
    bool extrapolated; /* elo is outside the mileposts */
    bool at_bound;     /* as the posterior's: elo depends on c_max */
};

/** The posterior on the Elo scale. Cannot fail. */
struct ipr_bayes_elo ipr_bayes_elo(const struct ipr_bayes_calibration *calibration,
                                   const struct ipr_bayes_posterior *posterior);

#endif
