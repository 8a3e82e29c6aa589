#ifndef IPR_MODEL_REGAN_SET_H
#define IPR_MODEL_REGAN_SET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/lanes.h"
#include "model/regan_delta.h"

/* Internals of struct ipr_rh_set and its evaluation; for the regan files and ipr.c only. */

/** One turn: entries [first, first + n) of the set's arrays. */
struct ipr_rh_turn {
    uint32_t first, n;
    uint32_t game;          /* 0 .. games - 1 */
    uint32_t position;      /* of the move played in listing order */
    uint32_t legal;         /* legal moves */
    uint32_t slot;          /* IPR_BLOCK * block + lane */
    uint16_t played;        /* entry of the move played, from `first` */
    uint16_t played_before; /* moves of that entry listed before it */
};

#define IPR_RH_NO_TURN UINT32_MAX

struct ipr_rh_set {
    struct ipr_rh_params params;
    struct ipr_rh_turn *turns; /* by game, then ply */
    size_t n;
    size_t games;
    size_t entries;
    uint32_t widest; /* most entries of a turn */
    /* Per entry: moves with one delta that follow each other in the list. */
    double *delta; /* scaled pawns */
    unsigned *count;
    /* The same interleaved: blocks of IPR_BLOCK turns of like length (lanes.h). */
    const struct ipr_lanes *lanes;
    size_t blocks;
    uint32_t *slot_turn; /* [IPR_BLOCK * blocks] turn, or IPR_RH_NO_TURN */
    struct ipr_rh_block *block;
    double *lane_values; /* what the blocks point into */
    float *lane_counts;
    uint16_t *lane_played;
};

/** Largest number of entries a turn can have: every line, the tail, the extra move. */
#define IPR_RH_ENTRIES_MAX (IPR_RH_LINES_MAX + 2)

/**
 * Everything about a block of turns at (ln s, ln c).
 *
 * want    of IPR_RH_WANT_GRADIENT, IPR_RH_WANT_LOSS, IPR_RH_WANT_LOG
 * p       output, lanes, [IPR_BLOCK * set->block[b].n]: probability of one move of each entry;
 *         may be NULL
 * out     log_l holds the first guesses of ln L (NaN: none) and is overwritten with the rest;
 *         lanes without a turn mean nothing
 *
 * A lane's figures do not depend on its neighbours.
 */
void ipr_rh_block_at(const struct ipr_rh_set *set, size_t b, double log_s, double log_c, int want,
                     double *p, struct ipr_rh_lanes *out);

/** ipr_rh_delta with the tie rule, of a move listed behind the first. */
double ipr_rh_ruled_delta(const struct ipr_rh_params *p, int best_cp, int cp);

/** Evaluation of a move that was not evaluated, from those that were: v[lines], descending. */
int ipr_rh_tail_value(const struct ipr_rh_params *p, const int *v, unsigned lines);

/** v_0 .. v_(lines-1) of a turn, clamped and made non-increasing, into v[lines]. */
void ipr_rh_read_lines(const struct ipr_turn *t, int *v);

/** delta of the move played. */
double ipr_rh_played_delta(const struct ipr_rh_set *set, size_t t);

/** (s, c) inside the domain of regan_prob.h. */
bool ipr_rh_in_domain(double s, double c);

#endif
