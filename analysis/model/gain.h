#ifndef IPR_MODEL_GAIN_H
#define IPR_MODEL_GAIN_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "model/conformance.h"
#include "model/turn.h"

#define IPR_GAIN_BINS 1001 /* a loss of 0, 1, .. 1000 cp; the last takes all above */

/** One decision and its loss. */
struct ipr_gain_turn {
    int32_t game; /* cluster: turns of one game share it; any numbering */
    uint16_t bin; /* loss in cp, below IPR_GAIN_BINS */
};

/** Distribution of a player's losses. */
struct ipr_gain {
    double share[IPR_GAIN_BINS]; /* probability of each loss; they sum to 1 */
    unsigned top;                /* largest loss that occurs [cp] */
    size_t turns, games;
    size_t clipped; /* turns in the last bin: losses of 10.00 and more */
};

/** Bin of a loss in pawns, >= 0: floor(100 loss + 1/2), at most 1000; 1e-7 cp of rounding. */
unsigned ipr_gain_bin(double loss);

/**
 * Losses of turns, raw or weighted; the Guid-Bratko form is the raw loss of its own window's.
 *
 * turns, keep[n]   the n turns turns[keep[i]]; keep NULL: turns[0 .. n)
 * out[n]           in the same order
 *
 * IPR_EINVAL if k1 <= 0 or k2 >= 0, and then nothing is written.
 */
IPR_CHECK enum ipr_code ipr_gain_turns(const struct ipr_conformance_params *params,
                                       const struct ipr_turn *turns, const size_t *keep, size_t n,
                                       struct ipr_gain_turn *out, struct ipr_err *err);

/**
 * Distribution of the losses of turns[n], in any order.
 *
 * weight   [n], > 0; NULL: all weigh the same
 * out      untouched on error
 *
 * IPR_EDATA if n = 0; IPR_EINVAL for a bin out of range. Source: A section 3.3, methods section 3.
 */
IPR_CHECK enum ipr_code ipr_gain_distribution(const struct ipr_gain_turn *turns,
                                              const double *weight, size_t n, struct ipr_gain *out,
                                              struct ipr_err *err);

#endif
