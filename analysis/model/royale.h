#ifndef IPR_MODEL_ROYALE_H
#define IPR_MODEL_ROYALE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "model/markov.h"
#include "stats/interval.h"

/* Every active player-year against every other by the Markov predictor. */

/** Transitions of one player in one calendar year, those of other years not included. */
struct ipr_royale_year {
    int64_t player; /* any numbering */
    int32_t year;
    const double *counts; /* [classes.n ^ 2], see ipr_markov_count with year 0; their sum is the
                             number of turns; borrowed during the call */
};

struct ipr_royale_params {
    struct ipr_markov_classes classes;
    enum ipr_markov_empty_row empty_row;
    double active_turns; /* a player-year with as many turns of its own takes part */
};

/** 19 classes, pooled rows, 500 turns. */
struct ipr_royale_params ipr_royale_default(void);

/** One active player-year. */
struct ipr_royale_row {
    int64_t player;
    int32_t year;
    double turns;        /* of the year itself */
    double weight;       /* with those of earlier years, which weigh 2^(their year - year) */
    double exits_top;    /* weighted transitions out of the best class */
    unsigned empty_rows; /* filled from the pool or the identity */
    size_t favoured, even, unfavoured; /* against how many others the expected score, both colours
                                          averaged, is above, at and below 1/2 */
    double expected;                   /* mean expected score against all others */
    size_t rank;                       /* by it, from 1 */
    bool best;                         /* the player's best year */
};

struct ipr_royale {
    struct ipr_royale_row *rows; /* by player, then year */
    size_t n;
    double *white; /* [n*n] expected score of row i with White against row j; 1/2 on the diagonal */
    size_t *ranking; /* [n] rows by expected score, best first */
    size_t *best;    /* [players] best years in the same order */
    size_t players;
    size_t inactive; /* player-years with too few turns of their own */
};

/**
 * Plays the royale.
 *
 * years[n]   every year of every player, inactive ones too (they count for later years); in any
 *            order, no player-year twice
 * pool       counts of many players, see ipr_markov_predict; NULL for none
 * out        to be released; untouched on error
 *
 * A player's best year is the one favoured against most others, by mean expected score where
 * several are against as many, by the earlier year where that is the same too. Equal ranks are
 * broken by player and year. Own other years are opponents like any other. The colours share one
 * matrix a player-year. There are no error bars here: ipr_royale_bootstrap has those of the mean
 * expected scores, a pair's is ipr_markov_predict's.
 *
 * IPR_EDATA with fewer than two active player-years. IPR_EINVAL for malformed classes, a
 * player-year that comes twice or a count that is negative or not finite.
 * Order of the work: n^2/2 chains of classes.n states. Source: A section 4.4, table 9.
 */
IPR_CHECK enum ipr_code ipr_royale(const struct ipr_royale_year *years, size_t n,
                                   const double *pool, const struct ipr_royale_params *params,
                                   struct ipr_royale *out, struct ipr_err *err);
void ipr_royale_release(struct ipr_royale *r);

/** All turns of a player in dated games, in any order: those of its counts. */
struct ipr_royale_player {
    int64_t player;
    const struct ipr_markov_turn *turns;
    size_t n;
};

struct ipr_royale_bootstrap {
    unsigned replicates; /* >= 2 */
    uint64_t seed;
    bool (*go_on)(void *arg); /* asked before each replicate; NULL: always */
    void *arg;
};

/** Uncertainty of a row's mean expected score. */
struct ipr_royale_spread {
    double sd;                    /* over the replicates; NaN: none is known */
    struct ipr_interval interval; /* 95 %; NaN: none is known */
};

/**
 * Error bars of the mean expected scores: every replicate resamples the games of every player (with
 * replacement, within each year; games alone in their year as in ipr_markov_predict) and repeats
 * the whole royale, so that a game counts in all years in which it has weight, and opponents are as
 * uncertain as the player. The field itself is taken as given. The interval is logit(E) -+ 1.96 sd
 * as ipr_markov_predict's, without its factor for few exits, which makes intervals of a mean over
 * several opponents too narrow. In simulated fields of ten players of one year each it contained
 * the true value in 93.2 % (520 turns, exits from the best class in about 10 % of the turns there),
 * 93.8 % (2,000 turns) and 93.6 % (520 turns, exits in 3 %). A player of whom there is one game has
 * none, nor has a year in which (and before which) the player never left the best class: its
 * replicates are all the same then, or its row is the pool's, which does not vary.
 *
 * players[n]  those of all rows, others are ignored; the turns must be those of the rows' counts
 * out         [r->n], untouched on error
 *
 * The same seed gives the same answer, whatever the order of players and turns and however games
 * are numbered. A year's draws depend on the turns of that year alone (years of a single game,
 * drawn with others, on all of these), so that games that are added to other years and players
 * change nothing else about it. IPR_EINVAL when a row's year has other turns than the row, a player
 * comes twice or replicates < 2. IPR_ERETRY when go_on returned an error. Order of the work:
 * replicates times that of ipr_royale. Memory: 8 r->n (r->n + classes.n^2 + replicates) bytes, and
 * some 40 a distinct transition of a game.
 */
IPR_CHECK enum ipr_code ipr_royale_bootstrap(const struct ipr_royale *r,
                                             const struct ipr_royale_player *players, size_t n,
                                             const double *pool,
                                             const struct ipr_royale_params *params,
                                             const struct ipr_royale_bootstrap *how,
                                             struct ipr_royale_spread *out, struct ipr_err *err);

/** Expected score of row i against row j, the mean of both colours; 1/2 for i = j. */
double ipr_royale_expected(const struct ipr_royale *r, size_t i, size_t j);

#endif
