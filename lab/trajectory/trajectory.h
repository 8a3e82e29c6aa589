#ifndef LAB_TRAJECTORY_H
#define LAB_TRAJECTORY_H

#include <jansson.h>
#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/error.h"
#include "model/trajectory.h"

#define TRAJECTORY_YEARS 8   /* minimum of a career */
#define TRAJECTORY_MOVES 100 /* minimum of a year whose moves are predicted */
#define TRAJECTORY_PARTS 5   /* of the players; one is held out */
#define TRAJECTORY_EARLY 8   /* calendar years that a career begins with */

/* ---- games.c ---- */

/** A player's own moves in a game. */
struct career_side {
    int year;
    uint64_t event; /* digest of its name */
    int64_t game;   /* digest of its moves */
    double score, information;
    int moves;
    bool white;
    int elo, opponent; /* in the tags; 0: none */
    double points;     /* NaN: unknown */
};

struct career {
    char name[128];           /* as bench_player has it */
    struct career_side *side; /* [n] by year and event */
    size_t n, years;
};

struct careers {
    struct career *career; /* [n] by name */
    size_t n;
};

/** Reads analysed games (docs/interchange.md), with or without moves. A game that is there twice
 * counts once; players with fewer than TRAJECTORY_YEARS years are left out. */
IPR_CHECK enum ipr_code careers_read(FILE *in, struct careers *out, struct ipr_err *err);
void careers_free(struct careers *c);
/** Sorts the sides, drops those that are there twice and counts the years. */
void career_order(struct career *c);

#define TRAJECTORY_ALWAYS INT_MAX

/**
 * Sums of the years before one; of the sides that are taken (NULL: all).
 *
 * year[c->years]   output
 */
size_t career_years(const struct career *c, const bool *take, int before,
                    struct ipr_trajectory_year *year);
/** Moves of a year that count. */
int career_moves(const struct career *c, int year);

/* ---- constants.c ---- */

/* The constants that are fitted: a local level is a model whose rise is next to 0. */
enum constants_kind {
    CONSTANTS_LEVEL,
    CONSTANTS_TREND, /* the model that ships */
    CONSTANTS_PRIOR, /* with the trend, and the prior of the first year too */
    CONSTANTS_KINDS
};

struct constants {
    struct ipr_trajectory_model model;
    double prior_mean, prior_sd; /* those of the ratings, unless they are fitted */
};

/** With the prior of the ratings. */
struct constants constants_of(const struct ipr_trajectory_model *m);
/** Sum over the careers that are taken (NULL: all). */
double constants_log_density(const struct careers *c, const bool *take, const struct constants *k);
/** The constants of the highest density. */
struct constants constants_fit(const struct careers *c, const bool *take, enum constants_kind kind);
/** Those of the careers that are not in a part. */
struct constants constants_without(const struct careers *c, size_t part, enum constants_kind kind);
void constants_print(const struct careers *c);
/** The trajectory of these years. */
struct ipr_trajectory constants_path(const struct constants *k,
                                     const struct ipr_trajectory_year *year, size_t n);

/* ---- forecast.c ---- */

enum method {
    METHOD_PATH,     /* CONSTANTS_TREND */
    METHOD_LEVEL,    /* CONSTANTS_LEVEL */
    METHOD_RAW,      /* the last year alone */
    METHOD_CAREER,   /* mean of all years */
    METHOD_FITTED,   /* CONSTANTS_PRIOR */
    METHOD_SMOOTHED, /* model/hierarchy.h, which fits a prior, too */
    METHODS
};

extern const char *const method_name[METHODS];

/** The strength in a year as the years before it say. */
struct forecast {
    size_t career;
    struct ipr_trajectory_year year; /* the one that is predicted */
    int moves, last_moves;           /* of it, of the last year before it with games */
    int age;                         /* calendar years since the first */
    double mean[METHODS];
    double own[METHODS];      /* variance as the method states it */
    double variance[METHODS]; /* with what is fitted to other players */
};

struct forecasts {
    struct forecast *forecast; /* [n] */
    size_t n;
    const struct careers *careers;
};

struct forecasts forecasts_make(const struct careers *c);
void forecasts_free(struct forecasts *f);

/** The year's z less the predicted one, in standard errors. */
double forecast_deviation(const struct forecast *f, enum method m);
/** Logarithm of the predicted density of z. */
double forecast_score(const struct forecast *f, enum method m, double variance);
/** The year's strength by its moves alone less the predicted one [Elo]; *noise: the variance of the
 * former. */
double forecast_error(const struct forecast *f, enum method m, double *noise);

/** Adds `moves` and `coverage` to `out`, as points_print adds `points`, halves_print `halves`. */
void forecasts_print(const struct forecasts *f, json_t *out);

/* ---- points.c ---- */

/** Expected points of a strength with that standard error against an Elo. */
double points_expected(double mean, double sd, double opponent, bool white);
void points_print(const struct forecasts *f, json_t *out);

/* ---- halves.c ---- */

/** 1 for two differences of the same sign, -1 for others, 0 where one is none. */
double halves_order(double first, double second);
void halves_print(const struct careers *c, json_t *out);

/* ---- measure.c ---- */

struct measure {
    double mean, lo, hi; /* 95 % interval, players resampled */
};

/** A statistic of the players; times[careers]: how often each of them is drawn. */
struct measure measure_players(double (*f)(const double *times, void *of), void *of,
                               size_t careers);
/** Root of a measure of squares. */
struct measure measure_root(struct measure m);
/** career[n]: whose each value is, below `careers`. */
struct measure measure_mean(const double *x, const size_t *career, size_t n, size_t careers);
/** Its interval, for an answer. */
json_t *measure_interval(const struct measure *m);
/** The x of [lo, hi] with the least f, which has one minimum there. */
double measure_least(double (*f)(double x, void *of), void *of, double lo, double hi);

/** Seconds of 5,000 careers of ten years, to standard error. */
void speed_print(void);

#endif
