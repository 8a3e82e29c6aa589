#ifndef IPR_MODEL_REGAN_DELTA_H
#define IPR_MODEL_REGAN_DELTA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "model/judged.h"
#include "model/turn.h"

/* Scaled differences of the Regan-Haworth model, prepared once per set of turns. */

#define IPR_RH_LINES_MAX 255

/** Correction for moves that tie with the first-listed one. */
enum ipr_rh_tie {
    IPR_RH_TIE_FIRST = 0, /* a later move of raw difference 0 gets tie_pawns (R's rule) */
    IPR_RH_TIE_FLOOR,     /* every later move gets at least tie_pawns */
    IPR_RH_TIE_NONE
};

/** The evaluation assumed for a legal move without one. */
enum ipr_rh_tail {
    IPR_RH_TAIL_EXTRAPOLATED = 0, /* 2 v_K - v_(K/2) */
    IPR_RH_TAIL_VK,               /* v_K */
    IPR_RH_TAIL_NONE              /* left out */
};

/** Curve g(delta) = y; z = (delta/s)^c. R section 4. */
enum ipr_rh_family {
    IPR_RH_EXP = 0, /* e^-z */
    IPR_RH_IPA,     /* 1/(1 + z) */
    IPR_RH_IPB,     /* 1/(1 + delta/s)^c */
    IPR_RH_SECHA,   /* 2/(e^z + e^-z) */
    IPR_RH_SECHB    /* 4/(e^z + 2 + e^-z) */
};

/** The conversion of proxies y to probabilities p. */
enum ipr_rh_conversion {
    IPR_RH_POWER = 0, /* p_i = p_0^(1/y_i), sum 1 */
    IPR_RH_NORM       /* p_i = y_i / sum y */
};

struct ipr_rh_params {
    unsigned k;       /* judge's MultiPV: number of M_i */
    double cap;       /* pawns; larger raw differences are cut to this, > 0 */
    double tie_pawns; /* scaled difference of a tie, >= 0 */
    enum ipr_rh_tie tie;
    enum ipr_rh_tail tail;
    enum ipr_played_order order;
    enum ipr_rh_family family;
    enum ipr_rh_conversion conversion;
};

#define IPR_RH_PARAMS_INIT                                                                         \
    {                                                                                              \
        .k = 20, .cap = 4.0, .tie_pawns = 0.03, .tie = IPR_RH_TIE_FIRST,                           \
        .tail = IPR_RH_TAIL_EXTRAPOLATED, .order = IPR_PLAYED_PLACED, .family = IPR_RH_EXP,        \
        .conversion = IPR_RH_POWER                                                                 \
    }

/**
 * delta = |F(a) - F(b)|, F(x) = sign(x) ln(1 + |x|), x in pawns, after b is raised to a - cap.
 *
 * best_cp, cp   v_0 and v_i, cp
 * Returns scaled pawns, >= 0. No tie rule. Source: R section 3.1.
 */
double ipr_rh_delta(int best_cp, int cp, double cap);

struct ipr_rh_set;

/**
 * Prepares turns for fitting: lists put in order, delta and ln delta of every move computed,
 * equal neighbours merged, the moves that were not evaluated kept as one entry with a count.
 * Turns are kept by game and ply, so that their order in the input does not matter.
 *
 * turns, keep[n]   the n turns turns[keep[i]]; keep NULL: turns[0 .. n). Not needed afterwards
 * out              new set, to be freed; untouched on error
 *
 * The listing order (first move first, as M_i and the percentile fit count it) is: the lines,
 * the moves not evaluated, a move played outside the lines and not better than those; with
 * IPR_PLAYED_PLACED a better one stands among the lines.
 * IPR_EDATA if n = 0; IPR_EINVAL for parameters out of domain or a turn that is not valid.
 */
IPR_CHECK enum ipr_code ipr_rh_set_new(const struct ipr_rh_params *params,
                                       const struct ipr_turn *turns, const size_t *keep, size_t n,
                                       struct ipr_rh_set **out, struct ipr_err *err);
void ipr_rh_set_free(struct ipr_rh_set **set);

size_t ipr_rh_set_games(const struct ipr_rh_set *set);

/** The list of one turn. */
struct ipr_rh_list {
    unsigned lines;                 /* moves evaluated as lines (and one placed among them) */
    double delta[IPR_RH_LINES_MAX]; /* of each, scaled pawns */
    unsigned tail;                  /* moves not evaluated that count */
    double tail_delta;              /* of each; 0 without any */
    bool extra;                     /* the move played stands behind these */
    double extra_delta;
    int played;                   /* index into delta, or -1 when it is the extra one */
    int cp[IPR_RH_LINES_MAX + 1]; /* evaluation of each line, within +-IPR_CP_LIMIT */
    int tail_cp, extra_cp;
};

/** Scaled differences of a single turn; turn and parameters must be valid. */
void ipr_rh_list(const struct ipr_rh_params *params, const struct ipr_turn *turn,
                 struct ipr_rh_list *out);

#endif
