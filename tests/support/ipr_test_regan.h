/* Reference implementations of the Regan-Haworth model for one turn, as its definition reads; the
 * model solves blocks of turns. */
#ifndef IPR_TEST_REGAN_H
#define IPR_TEST_REGAN_H

#include <math.h>

#include "model/lanes.h"
#include "model/regan_set.h"

/** Solves sum_i count_i exp(-L g_i) = 1 for ln L as struct ipr_lanes does, of one turn:
 * log_g[n] = ln(1/y_i), log_g[0] = 0, the others >= 0; count[n] moves that share entry i; `start`
 * the first guess of ln L; p[n] output. Returns ln L. */
static inline double ipr_test_solve(const double *log_g, const unsigned *count, size_t n,
                                    double start, double *p)
{
    double g[IPR_BLOCK * IPR_RH_ENTRIES_MAX] = { 0 };
    float counts[IPR_BLOCK * IPR_RH_ENTRIES_MAX] = { 0 };
    double log_log_moves[IPR_BLOCK];
    double log_l[IPR_BLOCK];
    double all[IPR_BLOCK * IPR_RH_ENTRIES_MAX];
    double w[IPR_BLOCK * IPR_RH_ENTRIES_MAX];
    double moves = 0.0;

    for (size_t i = 0; i < n; i++) {
        g[IPR_BLOCK * i] = log_g[i];
        counts[IPR_BLOCK * i] = (float)count[i];
        moves += count[i];
    }
    for (size_t lane = 0; lane < IPR_BLOCK; lane++) {
        log_l[lane] = start;
        log_log_moves[lane] = log(log(moves));
        if (lane > 0)
            counts[lane] = 1.0F;
    }
    ipr_lanes_best()->solve(g, counts, log_log_moves, n, log_l, all, w);
    for (size_t i = 0; i < n; i++)
        p[i] = all[IPR_BLOCK * i];
    return log_l[0];
}

/** Probabilities p[moves] of a player who sees the moves at several depths (R section 8):
 *   y_i = sum_d w_d exp(-(delta_(i,d)/s)^c),  p_i = exp(-L/y_i),  sum p_i = 1.
 * delta[i * depths + d] scaled pawns >= 0; w[depths] weights, taken as shares of their sum. */
static inline void ipr_test_depth_probs(const double *delta, const double *w, size_t moves,
                                        size_t depths, double s, double c, double *p)
{
    double log_y[256], log_g[256], found[256], total = 0.0;
    unsigned count[256];
    size_t best = 0;

    for (size_t d = 0; d < depths; d++)
        total += w[d];
    for (size_t i = 0; i < moves; i++) {
        double y = 0.0;

        for (size_t d = 0; d < depths; d++)
            y += w[d] / total * exp(-pow(delta[i * depths + d] / s, c));
        log_y[i] = y > 0.0 ? log(y) : -INFINITY;
        if (log_y[i] > log_y[best])
            best = i;
    }
    /* The solver wants the likeliest move first; L is counted in its proxy. */
    for (size_t i = 0; i < moves; i++) {
        log_g[i] = log_y[best] - log_y[i];
        count[i] = 1;
    }
    log_g[best] = log_g[0];
    log_g[0] = 0.0;
    ipr_test_solve(log_g, count, moves, NAN, found);
    for (size_t i = 0; i < moves; i++)
        p[i] = found[i];
    p[best] = found[0];
    p[0] = found[best];
}

#endif
