#ifndef BENCHMARK_SCORE_H
#define BENCHMARK_SCORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** One side of a game. */
struct bench_side {
    size_t game;
    uint32_t player; /* digest */
    double elo, result;
    int year;
    double moves; /* that count */
    unsigned fold;
    bool blind;      /* its player is */
    bool blind_game; /* one of the players is */
};

/** What an entry says of a side: a score of mean g(Elo) and its information (the inverse of its
 * variance, up to a factor, were moves independent). information 0: nothing. */
struct bench_answer {
    double z, information;
};

#define BENCH_KNOTS 5

/** Mean score by Elo, linear between knots and beyond them; rises or falls throughout. */
struct bench_curve {
    double elo[BENCH_KNOTS], z[BENCH_KNOTS];
    double se[BENCH_KNOTS]; /* by players */
};

/** Variance of a side's score: factor / information + game + player. */
struct bench_spread {
    double factor, game, player;
};

struct bench_model {
    struct bench_curve curve;
    struct bench_spread spread;
};

/** Whether a side counts: Elo from 1600 to 2800 and a move that counts. */
static inline bool bench_rated(const struct bench_side *s)
{
    return s->elo >= 1600 && s->elo <= 2800 && s->moves > 0;
}

/** fold, blind and blind_game of the two sides of a game, from the players' digests. */
void bench_split(struct bench_side side[2]);

/**
 * Curve and spread from sides of known Elo.
 *
 * take[n]   sides to use
 */
void bench_model_fit(const struct bench_side *side, const struct bench_answer *answer,
                     const bool *take, size_t n, struct bench_model *m);

double bench_curve_at(const struct bench_curve *c, double elo);
double bench_curve_se(const struct bench_curve *c, double elo);

/** Weight of a side in a set: 1 / (factor / information + game + player); 0 of an empty side. */
double bench_weight(const struct bench_spread *s, double information);

/**
 * Standard deviation of an estimate from 1,000 moves where it is unbiased in Elo:
 * sqrt(sum w^2 r^2) / (|b| sum w) sqrt(N / 1000), r = z - a - b Elo.
 *
 * times[game]   how often a game was drawn, NULL for once each
 * take[n]       sides it is of
 * lo, hi        Elo of the sides; the band's own mean and, if `own`, slope; else that of all
 */
double bench_sd(const struct bench_side *side, const struct bench_answer *answer,
                const struct bench_spread *s, const bool *take, size_t n, const double *times,
                double lo, double hi, bool own);

/** An estimate of Elo from sides of a set. */
struct bench_estimate {
    double raw;            /* by the curve alone; beyond 1400 to 3000 that limit */
    double raw_lo, raw_hi; /* its 95 % interval */
    double mean, lo, hi;   /* posterior given the prior, and its 95 % interval */
};

/**
 * From the sides at[0 .. k).
 *
 * prior_mean, prior_sd   of the Elo
 */
struct bench_estimate bench_estimate(const struct bench_model *m, const struct bench_side *side,
                                     const struct bench_answer *answer, const size_t *at, size_t k,
                                     double prior_mean, double prior_sd);

#endif
