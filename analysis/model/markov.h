#ifndef IPR_MODEL_MARKOV_H
#define IPR_MODEL_MARKOV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "model/gth.h"
#include "stats/interval.h"

#define IPR_MARKOV_MAX   IPR_CHAIN_MAX
#define IPR_MARKOV_EDGES 14 /* so that zero may have a class of its own beside them */

/**
 * Classes of an evaluation, symmetric about zero. With k edges e_1 < ... < e_k there are k + 1
 * classes on each side, (0, e_1], (e_1, e_2], ..., mirrored below, and zero has a class of its
 * own (2k + 3 classes) or shares the one above it (2k + 2).
 */
struct ipr_markov_classes {
    unsigned n;                     /* number of classes */
    unsigned edges;                 /* k */
    int16_t edge[IPR_MARKOV_EDGES]; /* cp, ascending, > 0 */
    bool zero_class;                /* 0 is a class of its own */
    bool end_takes_edge;            /* +-e_k belongs to the end class, not to the one before */
};

/** 19 classes: 0; edges 10 22 38 58 82 113 152 200 on both sides, +-200 in the end classes. */
struct ipr_markov_classes ipr_markov_classes_19(void);

/** Alliot's first model: 10 classes 40 cp wide within +-2.00, 0 in class 5. */
struct ipr_markov_classes ipr_markov_classes_10(void);

/** Any edges: edge[k] ascending, positive, 1 <= k <= IPR_MARKOV_EDGES. IPR_EPARSE otherwise. */
IPR_CHECK enum ipr_code ipr_markov_classes_make(const int16_t *edge, unsigned k, bool zero_class,
                                                bool end_takes_edge, struct ipr_markov_classes *out,
                                                struct ipr_err *err);

/** Class of an evaluation in cp, 0 (worst) to n - 1 (best). */
unsigned ipr_markov_class(const struct ipr_markov_classes *classes, int cp);

/** One decision: the evaluation before it (v_b) and after it (v_p), mover's view. */
struct ipr_markov_turn {
    int32_t game;      /* any numbering; turns of one game have one year */
    int32_t year;      /* 0: unknown */
    int16_t best_cp;   /* within +-IPR_CP_LIMIT */
    int16_t played_cp; /* <= best_cp */
    uint8_t mover;     /* enum ipr_colour; matters only with separate colours */
};

enum ipr_markov_empty_row {
    IPR_EMPTY_ROW_POOL = 0, /* the pool's row; the identity when that is empty too */
    IPR_EMPTY_ROW_IDENTITY
};

struct ipr_markov_params {
    struct ipr_markov_classes classes;
    enum ipr_markov_empty_row empty_row;
    bool separate_colours; /* matrices from the games as White and as Black */
    double forgetting;     /* weight of a year against the next, 0..1 (model/years.h) */
    unsigned replicates;   /* of the game bootstrap; 0 or 1: no interval */
    uint64_t seed;
    /* Calls f(a) and f(b), which depend on nothing of each other; NULL: one after the other. */
    void (*both)(void (*f)(void *), void *a, void *b);
};

/** 19 classes, pooled rows, both colours together, forgetting 0.5, 4000 replicates, seed 1. */
struct ipr_markov_params ipr_markov_default(void);

/**
 * Adds the transitions of turns[n] to counts[classes->n ^ 2] (row-major, from class(v_b) to
 * class(v_p)). Year y >= 1: turns of year j <= y weigh 2^(j-y), others nothing, games of
 * unknown year nothing. Year 0 (whole career): every turn weighs 1.
 * A pool is this over the turns of many players, year 0.
 */
void ipr_markov_count(const struct ipr_markov_classes *classes, const struct ipr_markov_turn *turns,
                      size_t n, int32_t year, double *counts);

/** The same play seen from the other side: out(i,j) = in(n-1-i, n-1-j). out != in. */
void ipr_markov_mirror(const double *in, size_t n, double *out);

/** Turns of one player, up to and including `year` (0: whole career). */
struct ipr_markov_player {
    const struct ipr_markov_turn *turns;
    size_t n;
    int32_t year;
};

/** Probabilities of a game's outcome; they sum to 1. */
struct ipr_markov_outcome {
    double win, draw, loss;
    double expected; /* win + draw/2 */
};

/** Data about one of the players of a prediction. */
struct ipr_markov_evidence {
    size_t turns, games;        /* with weight */
    size_t turns_in_year;       /* of the year itself; `active` means 500 */
    double weight;              /* sum of the weights of the turns */
    size_t exits_top;           /* transitions out of the best class: the other side's comebacks */
    double exits_top_weight;    /* the same, weighted */
    double exits_top_effective; /* effective sample size (Kish): (sum w)^2 / sum w^2 */
    size_t turns_top;           /* turns in the best class, left or not */
    unsigned empty_rows;        /* rows filled from the pool or the identity */
};

struct ipr_markov_prediction {
    /* player 1's view */
    struct ipr_markov_outcome as_white, as_black, mean;
    unsigned recurrent_white, recurrent_black; /* recurrent classes of the two chains */
    struct ipr_interval expected;              /* 95 %, of mean.expected; [0, 1] if not known */
    bool interval_known;                       /* see ipr_markov_predict */
    double sd;                                 /* of mean.expected over the replicates */
    double sd_logit;                           /* half the interval on the logit scale / 1.96 */
    unsigned replicates;                       /* 0: none requested */
    struct ipr_markov_evidence player1, player2;
    size_t exits_from_top;    /* out of class n-1 (player 1 winning): player 1's errors */
    size_t exits_from_bottom; /* out of class 0 (player 1 losing): player 2's errors */
};

/**
 * Result of a game between two players from their transition matrices: M = F_white S_black,
 * pi = pi M; White wins pi_(n-1), Black wins pi_0, the rest is drawn.
 *
 * pool      counts of many players [classes.n ^ 2], see ipr_markov_count; NULL for none
 * out       untouched on error
 *
 * The interval is logit(E) -+ 1.96 sd_logit, from replicates that draw each player's games with
 * replacement within each year: sd_logit is the sd of their logits, E held within [0.001, 0.999],
 * or sd/(E(1 - E)) where that is less, times
 *   sqrt((1/(n1 + 1) + 1/(n2 + 1)) / (1/n1 + 1/n2)),
 * n1, n2 the players' effective exits from the best class: the logarithm of a small count varies
 * more in replicates than in the count itself (docs/statistics.md says why, how often the interval
 * holds E, and how little it depends on the seed). If a player never left the best class, E is 0 or
 * 1 and all replicates are the same; if a player was never in it, the row is the pool's, which does
 * not vary: no interval is known then. A game alone in its year is drawn among all such games of
 * the player, each with the weight of its own year; if there is only one such game, it is drawn
 * among those of the year with the most games (the first of these years). The same seed gives the
 * same answer; neither the order of the turns nor the numbers of the games nor the order of the
 * players matters (swapped players give the complement).
 *
 * IPR_EDATA when a player has no turn that counts, or turns of one game only and an interval is
 * requested (replicates > 1): one game gives no interval. IPR_EINVAL for malformed classes. Source:
 * A sections 3.4, 4.4; methods section 4.
 */
IPR_CHECK enum ipr_code ipr_markov_predict(const struct ipr_markov_player *player1,
                                           const struct ipr_markov_player *player2,
                                           const double *pool,
                                           const struct ipr_markov_params *params,
                                           struct ipr_markov_prediction *out, struct ipr_err *err);

/** Results for one assignment of colours; matrices are [n * n], row-major, n = classes.n. */
struct ipr_markov_chain {
    double white[IPR_MARKOV_MAX * IPR_MARKOV_MAX]; /* F of the player with White */
    double black[IPR_MARKOV_MAX * IPR_MARKOV_MAX]; /* S of the other one, mirrored: White's view */
    double product[IPR_MARKOV_MAX * IPR_MARKOV_MAX]; /* M = F S */
    double stationary[IPR_MARKOV_MAX];               /* pi; White wins pi_(n-1), Black pi_0 */
    unsigned recurrent;                              /* recurrent classes of M */
};

/**
 * The chains of ipr_markov_predict, which has the same arguments (replicates are not drawn).
 *
 * out[2]   player 1 with White; player 2 with White. Untouched on error
 *
 * IPR_EDATA when a player has no turn that counts; IPR_EINVAL for malformed classes.
 */
IPR_CHECK enum ipr_code ipr_markov_chains(const struct ipr_markov_player *player1,
                                          const struct ipr_markov_player *player2,
                                          const double *pool,
                                          const struct ipr_markov_params *params,
                                          struct ipr_markov_chain out[2], struct ipr_err *err);

#endif
