#ifndef BENCHMARK_REPORT_H
#define BENCHMARK_REPORT_H

#include "benchmark/entries.h"

#define BENCH_ENTRIES 24

/** An estimator's answers, and the curve and spread they have. */
struct bench_entry {
    const char *name;
    struct ipr_strength_side *answer; /* [n_sides] */
    struct ipr_strength_calibration model;
};

struct bench_report {
    struct bench_data d;
    struct bench_features f;
    bool *take; /* sides the tables are of */
    bool *fit;  /* sides that curves and spreads are of */
    double prior_mean, prior_sd;
    struct bench_entry entry[BENCH_ENTRIES];
    size_t n;
};

/* report.c: what is compared, and on which sides. */

/** An entry with no answers yet. */
struct ipr_strength_side *bench_report_new(struct bench_report *r, const char *name);

/** Answers of a CSV: side (two a game, White's first), score, information. */
bool bench_report_read(struct bench_report *r, const char *path);

/** The entries of docs/benchmark.md; the last is the chain. */
IPR_CHECK enum ipr_code bench_report_entries(struct bench_report *r, bool variants,
                                             struct ipr_err *err);

/** No player is blind: the shipped estimator is fitted to all. */
void bench_report_open(struct bench_report *r);

/** Sides of the tables and of the fits, and the prior; prints their counts. */
void bench_report_take(struct bench_report *r, bool blind);

/** Curve and spread of every entry. */
void bench_report_fit(struct bench_report *r);

/** The score corrected for how hard the game was, as estimated from the other side, whose Elo is
 * known. */
void bench_report_opponent(struct bench_report *r, const struct bench_entry *e);

/* residuals.c: scores from their curve. */

/** Slope of the curve, per Elo. */
double bench_slope(const struct ipr_strength_curve *c, double elo);

/** Score of side i less its curve's. */
double bench_residual(const struct bench_report *r, const struct bench_entry *e, size_t i);

/** The same in Elo. */
double bench_residual_elo(const struct bench_report *r, const struct bench_entry *e, size_t i);

void bench_table_residuals(const struct bench_report *r, const struct bench_entry *e);
void bench_table_curve(const struct bench_report *r, const struct bench_entry *e);
void bench_line_games(const struct bench_report *r, const struct bench_entry *e);

/* The other tables, each in the file of its name. */

/** Standard deviation at 1,000 moves of every entry, and its ratio to that of one. */
void bench_table_deviations(const struct bench_report *r, size_t chosen);

/** Errors of estimates from sets of games. */
struct bench_errors {
    double n, absolute, square, flat_absolute, flat_square, raw_inside, inside, width;
};

struct bench_errors bench_one_game(const struct bench_report *r, const struct bench_entry *e);

/** Of the first `given` entries, and of those from `first` on. */
void bench_table_sets(const struct bench_report *r, size_t given, size_t first);

void bench_table_null(const struct bench_report *r, const struct bench_entry *e);

/** Elo from one game's moves and result, by regression. */
void bench_table_both(const struct bench_report *r, const struct bench_entry *e);

/** The information in one game when the opponent's Elo is known; in opponent.c. */
void bench_table_results(const struct bench_report *r, const struct bench_entry *e);

/** The chosen estimator as JSON, with all that a rating needs. */
bool bench_model_write(const struct bench_report *r, const struct bench_entry *e, const char *path);

#endif
