#ifndef LAB_REPORT_H
#define LAB_REPORT_H

#include <jansson.h>

#include "lab/entries.h"
#include "lab/number.h"
#include "model/strength_curve.h"
#include "model/strength_results.h"

#define BENCH_ENTRIES 24

/** An estimator's answers, and the curve and spread they have. */
struct bench_entry {
    const char *name;
    const char *uses;    /* what it uses beyond the moves; NULL: nothing */
    bool every_line;     /* whether it needs an engine setting of 20 lines */
    bool sets;           /* whether sets of games are estimated by it */
    bool results, alone; /* with the results against rated opponents; without the moves */
    struct ipr_strength_side *answer; /* [n_sides] */
    struct ipr_strength_calibration model;
};

struct bench_report {
    struct bench_data d;
    struct bench_features f;
    bool *take; /* sides the tables are of */
    bool blind; /* whether these are the blind players' */
    bool *fit;  /* sides that curves and spreads are of */
    double prior_mean, prior_sd;
    double opponents_sd; /* of a player's Elo about the opponent's, in one-sided games */
    struct ipr_strength_results results; /* of the chosen entry */
    struct bench_entry entry[BENCH_ENTRIES];
    size_t n, chosen;
};

/* report.c: what is compared, and on which sides. */

/** An entry with no answers yet. */
struct ipr_strength_side *bench_report_new(struct bench_report *r, const char *name);

/** Answers of a CSV: side (two a game, White's first), score, information. */
bool bench_report_read(struct bench_report *r, const char *path);

/** The entries of docs/benchmark.md; the last, the chain, is the chosen one. */
IPR_CHECK enum ipr_code bench_report_entries(struct bench_report *r, bool variants,
                                             struct ipr_err *err);

/** No player is blind: the shipped estimator is fitted to all. */
void bench_report_open(struct bench_report *r);

/** Sides of the tables and of the fits, and the prior. */
void bench_report_take(struct bench_report *r, bool blind);

/** Curve and spread of every entry. */
void bench_report_fit(struct bench_report *r);
/** The prior of the service: every level from 1200 to 2900 alike, since nobody knows who will ask.
 * Tables, which compare estimators, have that of their sides. */
#define BENCH_PRIOR_MEAN 2050.
#define BENCH_PRIOR_SD   490.7

/** ipr_strength_calibrate_levels with the knots of Elo over the board, 1200 to 2800; that of 1200
 * only where there are so many sides nearer to it than to 1600. */
#define BENCH_KNOT_SIDES 60
void bench_calibrate(const struct ipr_strength_side *side, const bool *take, size_t n,
                     struct ipr_strength_calibration *m);

/** The score corrected for how hard the game was, as estimated from the other side, whose Elo is
 * known. */
void bench_report_opponent(struct bench_report *r, const struct bench_entry *e);

/* results.c: moves and results together. */

/** How results tell strength and moves depend on them, in games with both sides fitted. */
void bench_results_fit(struct bench_report *r, const struct bench_entry *e);

/** The estimate of a set, with the results where the entry says so. */
struct ipr_strength_estimate bench_estimate(const struct bench_report *r,
                                            const struct bench_entry *e, const size_t *at,
                                            size_t n);

/* residuals.c: scores from their curve. */

/** Score of side i less its curve's. */
double bench_residual(const struct bench_report *r, const struct bench_entry *e, size_t i);

/** Score of side i less the one expected at its Elo and year. */
double bench_residual_of_year(const struct bench_report *r, const struct bench_entry *e, size_t i);

/** bench_residual in Elo. */
double bench_residual_elo(const struct bench_report *r, const struct bench_entry *e, size_t i);

json_t *bench_bias(const struct bench_report *r, const struct bench_entry *e);
json_t *bench_era(const struct bench_entry *e);
json_t *bench_years(const struct bench_report *r, const struct bench_entry *e);
json_t *bench_curve(const struct bench_entry *e);
json_t *bench_spread(const struct bench_report *r, const struct bench_entry *e);
json_t *bench_games(const struct bench_report *r, const struct bench_entry *e);

/** Periods of years: decades where there are enough sides. */
#define BENCH_PERIODS 5

extern const int bench_period[BENCH_PERIODS + 1];

json_t *bench_years_of(size_t period);

/* levels.c: what sides have in common beyond their Elo. */

/** Covariance of the residuals of two games of one player, or of one event. */
json_t *bench_levels(const struct bench_report *r, const struct bench_entry *e);

/** Variance of scores that is shared by different players of one event, from pairs of sides that
 * curves are fitted to. An event's weight is that of its games, not of its pairs. Not below 0. */
double bench_event_variance(const struct bench_report *r, const struct bench_entry *e);

/* effects.c */

/** Effects of year, opponent and colour at equal Elo. */
json_t *bench_effects(const struct bench_report *r, const struct bench_entry *e);

/* The other tables, each in the file of its name; all are new references. */

/** Standard deviation at 1,000 moves of every entry, and the ratio of the chosen one's to it. */
json_t *bench_deviations(const struct bench_report *r);

/** Sums over sets of games: errors of the posterior mean and of the prior mean, and intervals. */
struct bench_errors {
    double n, absolute, square, flat_absolute, flat_square, raw_inside, inside, width;
};

struct bench_errors bench_one_game(const struct bench_report *r, const struct bench_entry *e);

/** Errors over sets of games, for the entries that have `sets`; `results`: also for the chosen
 * entry with the results of the games, and for the results alone. */
json_t *bench_sets(const struct bench_report *r, bool results);

/** Estimates from sets of so many games by level, of all sides that curves are fitted to; none has
 * a score by a fit that knows its player. */
json_t *bench_by_level(struct bench_report *r, const struct bench_entry *e, size_t games);

/** Curves without the sides of a fold's players; the last is of all that are fitted to. */
void bench_curves(const struct bench_report *r, const struct bench_entry *e,
                  struct ipr_strength_calibration curve[BENCH_FOLDS + 1]);

json_t *bench_null(const struct bench_report *r, const struct bench_entry *e);

/** Elo from one game's moves and result, by regression. */
json_t *bench_both(const struct bench_report *r, const struct bench_entry *e);

/** The information in one game when the opponent's Elo is known; in opponent.c. */
json_t *bench_results(const struct bench_report *r, const struct bench_entry *e);

/* document.c: all of it together. */

/** Data and split, with no "parts" yet. */
json_t *bench_document(const struct bench_report *r);

/** Returns what is found of the sides that are taken; with `fits` also what is of the sides that
 * curves are fitted to. */
json_t *bench_part(const struct bench_report *r, const char *name, bool fits);

/** Estimators that need every line, beside those of `r`, on the sides that the figures of a
 * calibration in the file have as well; NULL on error. */
json_t *bench_lines(const struct bench_report *r, const char *path, struct ipr_err *err);

/** Rows by level (lab/bands.h): of these sides, and of the pools in the files; NULL on error. */
json_t *bench_pools(struct bench_report *r, char *const *file, size_t n);

/** Core-seconds that the chosen estimator takes a position: measured, another figure each time. */
json_t *bench_cost(const struct bench_report *r);

/** Adds the sentences at the head of /validation, `finding` and `tested`: words.c. */
void bench_words(json_t *document);

/** Prints the tables of every part. */
void bench_markdown(const json_t *document);

/** The chosen estimator as initialisers in C, with all that a rating needs. */
/** The member .calibration of struct ipr_strength_shipped, as C. */
void bench_model_calibration(FILE *out, const struct ipr_strength_calibration *c);

bool bench_model_write(const struct bench_report *r, const struct bench_entry *e,
                       const json_t *null_sets, const char *path);

#endif
