#ifndef IPR_MODEL_REGAN_DEPTH_H
#define IPR_MODEL_REGAN_DEPTH_H

#include <stddef.h>

#include "base/error.h"

#define IPR_RH_DEPTHS_MAX 64

/**
 * Probabilities when a player sees the moves at several depths (R section 8):
 *   y_i = sum_d w_d exp(-(delta_(i,d)/s)^c),  p_i = exp(-L/y_i),  sum p_i = 1.
 *
 * delta[moves * depths]   scaled pawns >= 0, delta[i * depths + d]; moves <= 256
 * w[depths]               weights >= 0, not all zero; taken as shares of their sum
 * p[moves]                output
 *
 * IPR_EINVAL out of domain; IPR_EDATA when no move has a proxy above 0.
 */
IPR_CHECK enum ipr_code ipr_rh_depth_probs(const double *delta, const double *w, size_t moves,
                                           size_t depths, double s, double c, double *p,
                                           struct ipr_err *err);

#endif
