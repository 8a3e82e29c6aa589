#ifndef IPR_MODEL_GTH_H
#define IPR_MODEL_GTH_H

#include <stddef.h>

#include "base/error.h"

#define IPR_CHAIN_MAX 32 /* states */

/**
 * Long-run distribution of a finite Markov chain.
 *
 * p[n*n]         row-major, p[i*n+j] = P(i to j) >= 0, rows sum to 1 (1e-9); n <= IPR_CHAIN_MAX
 * start          state the chain begins in; matters only with several recurrent classes
 * pi[n]          output [probability]; with one recurrent class its stationary vector, zeros
 *                elsewhere; with several, the Cesaro limit from `start`: each class's stationary
 *                vector times the probability of ending in it
 * recurrent      output, number of recurrent classes; may be NULL
 *
 * No subtractions are made, so every entry has a small relative error, however small it is.
 * IPR_EINVAL if n, start or an entry is out of domain.
 * Source: Grassmann, Taksar and Heyman, Operations Research 33 (1985) 1107-1116.
 */
IPR_CHECK enum ipr_code ipr_chain_limit(const double *p, size_t n, size_t start, double *pi,
                                        unsigned *recurrent, struct ipr_err *err);

#endif
