#ifndef LAB_PREDICTORS_H
#define LAB_PREDICTORS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/error.h"
#include "lab/data.h"
#include "model/markov.h"
#include "model/turn.h"

/* Analysed moves of a year that make a champion take part in the next. */
#define PREDICTORS_TURNS 500

/** Moves of somebody: a champion, or all players of about one Elo. */
struct predictors_moves {
    struct ipr_turn *turn; /* [n] from move 10 on, not forced; cp: best, played */
    int16_t (*cp)[2];
    size_t n, room;
};

/** A champion's year: analysed moves of all kinds, and sums of the rating (model/strength.h). */
struct predictors_year {
    size_t turns;
    double score, information;
};

#define PREDICTORS_FIRST_YEAR 1800
#define PREDICTORS_YEARS      300

struct predictors_person {
    char *name;
    struct predictors_moves moves;
    struct predictors_year year[PREDICTORS_YEARS];
};

struct predictors_game {
    int year;
    size_t person[2]; /* White's, Black's */
    int elo[2];       /* 0: none */
    double score;     /* White's; below 0: it is not predicted */
    int64_t key;      /* of its moves */
    bool side[2];     /* those with figures */
};

struct predictors_games {
    struct predictors_game *game; /* [n] by year */
    size_t n;
    struct predictors_person *person; /* [persons] */
    size_t persons;
    char digest[BENCH_DIGEST]; /* SHA-256 of the set, hexadecimal */
};

/** Reads a set of figures (docs/interchange.md). A game that is in it twice counts once. */
IPR_CHECK enum ipr_code predictors_games_read(FILE *in, struct predictors_games *out,
                                              struct ipr_err *err);
/** Lets no game of the rating's calibration be predicted: the same year, players, Elo and result.
 * The number of them. */
size_t predictors_games_leave_out(struct predictors_games *g, const struct bench_data *calibration);
void predictors_games_free(struct predictors_games *g);
void predictors_moves_add(struct predictors_moves *m, struct ipr_turn turn, int16_t best,
                          int16_t played);

/** The data of a year; NULL if it is out of range. */
struct predictors_year *predictors_year(struct predictors_person *p, int year);

/* ---- opponents known by Elo ---- */

#define PREDICTORS_POOL_MIN  1600
#define PREDICTORS_POOL_STEP 50
#define PREDICTORS_POOLS     25

struct predictors_pools {
    struct predictors_moves pool[PREDICTORS_POOLS]; /* of Elo MIN + k STEP; of one year, 1 */
    double *all;                                    /* transitions of all, 19 classes */
    double intercept, slope;                        /* of Elo on the mean loss */
};

void predictors_pools_make(const struct bench_data *d, struct predictors_pools *out);
void predictors_pools_free(struct predictors_pools *p);
size_t predictors_pool_of(double elo);
/** Mean loss, cp, with |best| <= 300; moves of year j weigh 2^(j - year); NaN without any. */
double predictors_mean_loss(const struct predictors_moves *m, int year);

/* ---- predictions ---- */

enum predictor {
    PREDICTOR_EVEN,
    PREDICTOR_ELO,
    PREDICTOR_RATING,
    PREDICTOR_LOSS,
    PREDICTOR_CONFORMANCE,
    PREDICTOR_BOUND,
    PREDICTOR_TANH,
    PREDICTOR_MARKOV,
    /* variants of Markov */
    PREDICTOR_MARKOV_10,
    PREDICTOR_MARKOV_COLOURS,
    PREDICTOR_MARKOV_IDENTITY,
    PREDICTOR_MARKOV_CAREER,
    PREDICTOR_MARKOV_YEAR,
    /* variants of covariance with a bound */
    PREDICTOR_BOUND_FORGETTING,
    PREDICTOR_BOUND_CAREER,
    PREDICTORS
};

/** A game as it is predicted, from the view of a champion. */
struct predictors_unit {
    size_t first, second; /* persons; `first` takes part */
    bool white;           /* the first one's colour */
    bool both;            /* the second takes part too */
    int year;
    int elo[2];
    double score;
    double p[PREDICTORS]; /* NaN: none */
    double
        error[PREDICTORS]; /* standard error of the difference [Elo] that p is of; NaN: unknown */
};

/** Predicts the games in which a champion takes part; *units is allocated. */
IPR_CHECK enum ipr_code predictors_units(struct predictors_games *g,
                                         const struct predictors_pools *pools,
                                         struct predictors_unit **units, size_t *n,
                                         struct ipr_err *err);

/* ---- comparison ---- */

/** Prints the tables in Markdown, and writes them to a file, unless it is NULL, as JSON with the
 * digest of the data. */
bool predictors_report(const struct predictors_unit *units, size_t n, const char *digest,
                       const char *path);

#endif
