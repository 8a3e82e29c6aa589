#ifndef IPR_MODEL_LANES_H
#define IPR_MODEL_LANES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Inner loops of the models on IPR_BLOCK turns, or matches, at once; for the model's files and
 * their tests. Compiled for several instruction sets, which all give the same bits.
 *
 * Arrays "of lanes" hold the entries of a block interleaved: x[IPR_BLOCK * i + lane].
 */
#define IPR_BLOCK 8

/** Curve of one move each: G = ln(1/y) and its derivatives by ln s and ln c; lanes. */
struct ipr_curves {
    double *g, *ds, *dc;
};

/** Lists of a block of turns; all arrays are lanes, `n` entries long. */
struct ipr_rh_block {
    size_t n;
    const double *log_delta; /* -1e6 for delta = 0 and for entries beyond a turn's own */
    const double *delta;
    const float *count;          /* moves of the entry; 0 beyond a turn's own */
    const float *before;         /* those of them listed before the move played */
    const uint16_t *played;      /* [IPR_BLOCK] entry of the move played */
    const double *log_log_moves; /* [IPR_BLOCK] ln ln of the number of moves */
};

/** Results for a block of turns at one (s, c). */
struct ipr_rh_lanes {
    double p0[IPR_BLOCK];      /* of the first-listed move */
    double own[IPR_BLOCK];     /* of the move played */
    double below[IPR_BLOCK];   /* of the moves listed before it, together */
    double loss[IPR_BLOCK];    /* sum p delta; only with IPR_RH_WANT_LOSS */
    double log_own[IPR_BLOCK]; /* not below ln 1e-300; only with IPR_RH_WANT_LOG */
    double log_l[IPR_BLOCK];   /* ln L, -infinity when only the first entry is within reach */
    /* by ln s and by ln c; only with IPR_RH_WANT_GRADIENT */
    double dp0[2][IPR_BLOCK], down[2][IPR_BLOCK], dbelow[2][IPR_BLOCK], dloss[2][IPR_BLOCK];
    double dlog_l[2][IPR_BLOCK];
};

enum { IPR_RH_WANT_GRADIENT = 1, IPR_RH_WANT_LOSS = 2, IPR_RH_WANT_LOG = 4 };

struct ipr_lanes {
    const char *name;

    /** The curve e^-z, z = (delta/s)^c, of n entries; ds and dc only with `gradient`. */
    void (*curve)(const double *log_delta, size_t n, double log_s, double c, bool gradient,
                  const struct ipr_curves *out);

    /**
     * Solves sum_i count_i exp(-L g_i) = 1 for ln L, each lane by itself, by Newton's method on
     * ln(sum_{i>0} ...) - ln(1 - e^-L), safeguarded; L >= 1e-300. g = ln(1/y), 0 in the first entry
     * and >= 0 in the others. Writes p (lanes, n), the probability of one move of an entry, and
     * w = p L/y (lanes, n). log_l[IPR_BLOCK] is the first guess (NaN: none) and the result;
     * -infinity when all but the first entry are beyond reach, or with one move, then p = 1 there.
     */
    void (*solve)(const double *g, const float *count, const double *log_log_moves, size_t n,
                  double *log_l, double *p, double *w);

    /** p = y/sum y; w = p. log_l is written. */
    void (*normalise)(const double *g, const float *count, size_t n, double *log_l, double *p,
                      double *w);

    /**
     * Sums over the lists from p, w and the curves; log_own and log_l are not written. With the
     * gradient ds and dc are overwritten with those of p.
     */
    void (*sums)(const struct ipr_rh_block *block, const struct ipr_curves *curves, const double *p,
                 const double *w, int want, struct ipr_rh_lanes *out);

    /**
     * Adds weight (lanes) times the share of each turn that is 'up' at q = 0.05, 0.10, .. to
     * r[IPR_BLOCK * quantiles] and its derivatives, by ln s then ln c for each q, to
     * jac[2 * IPR_BLOCK * quantiles] unless NULL.
     */
    void (*quantiles)(const struct ipr_rh_lanes *at, const double *weight, size_t quantiles,
                      double *r, double *jac);

    /** Adds weight[i] times times[IPR_BLOCK] to the cells cell[i] of counts (lanes), i < n. */
    void (*tally)(const uint16_t *cell, const double *weight, size_t n, const double *times,
                  double *counts);

    /**
     * Rows of counts (lanes, n * n) to probabilities, in place; a row without any is left alone.
     * Returns the OR of 1 << lane over lanes with such a row.
     */
    unsigned (*rows)(double *counts, size_t n);

    /**
     * Long-run distribution of the chains F mirror(S) of lower triangular F and S (lanes, n * n),
     * n <= IPR_CHAIN_MAX: entries 0 and n-1 of pi and of pi F, ends[4 * IPR_BLOCK] in this order.
     * Returns the OR of 1 << lane over lanes where not every state leads to state 0, whose `ends`
     * mean nothing: these need ipr_chain_limit.
     */
    unsigned (*chain)(const double *f, const double *s, size_t n, double *ends);
};

/** The fastest set that this processor supports. */
const struct ipr_lanes *ipr_lanes_best(void);

/** All that this processor supports, the fastest last; returns their number. */
size_t ipr_lanes_all(const struct ipr_lanes *out[3]);

extern const struct ipr_lanes ipr_lanes_2;

/* Clang cannot compile a whole file for another processor. */
#if defined(__x86_64__) && !defined(__clang__)
#define IPR_WIDE_LANES
extern const struct ipr_lanes ipr_lanes_4, ipr_lanes_8;
#endif

#endif
