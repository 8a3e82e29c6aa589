#ifndef IPR_MODEL_REGAN_SET_H
#define IPR_MODEL_REGAN_SET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/regan_delta.h"

/* Inside of struct ipr_rh_set and its evaluation; for the regan files, ipr.c and no one else. */

/** One turn: entries [first, first + n) of the set's arrays. */
struct ipr_rh_turn {
    uint32_t first, n;
    uint32_t game;          /* 0 .. games - 1 */
    uint32_t position;      /* of the move played in listing order */
    uint32_t legal;         /* legal moves */
    uint16_t played;        /* entry of the move played, from `first` */
    uint16_t played_before; /* moves of that entry listed before it */
};

struct ipr_rh_set {
    struct ipr_rh_params params;
    struct ipr_rh_turn *turns; /* by game, then ply */
    size_t n;
    size_t games;
    size_t entries;
    uint32_t widest; /* most entries of a turn */
    /* Per entry: moves with one delta that follow each other in the list. */
    double *delta;     /* scaled pawns */
    double *log_delta; /* -infinity for 0 */
    unsigned *count;
};

/** Largest number of entries a turn can have: every line, the tail, the extra move. */
#define IPR_RH_ENTRIES_MAX (IPR_RH_LINES_MAX + 2)

/** Probabilities of one turn's entries, and what derivatives need. */
struct ipr_rh_point {
    double p[IPR_RH_ENTRIES_MAX];     /* of one move of each entry */
    double dp[2][IPR_RH_ENTRIES_MAX]; /* d p / d ln s, d p / d ln c; only when asked for */
    double log_played;                /* ln p of the move played, not below ln 1e-300 */
    double log_l;                     /* ln L, a start for a neighbouring (s, c) */
};

/**
 * Probabilities of turn t at (ln s, ln c), derivatives too when `gradient`.
 * start: first guess of ln L (any finite number).
 */
void ipr_rh_turn_point(const struct ipr_rh_set *set, size_t t, double log_s, double log_c,
                       double start, bool gradient, struct ipr_rh_point *out);

/** Sums over a turn that the statistics are made of. */
struct ipr_rh_moments {
    double p0, loss;         /* p_0; sum p delta */
    double dp0[2], dloss[2]; /* by ln s, ln c; only with derivatives */
};

void ipr_rh_turn_moments(const struct ipr_rh_set *set, size_t t, const struct ipr_rh_point *at,
                         bool gradient, struct ipr_rh_moments *out);

/** delta of the move played. */
double ipr_rh_played_delta(const struct ipr_rh_set *set, size_t t);

/** (s, c) inside the domain of regan_prob.h. */
bool ipr_rh_in_domain(double s, double c);

#endif
