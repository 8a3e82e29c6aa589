#ifndef IPR_MODEL_CONFORMANCE_GAME_H
#define IPR_MODEL_CONFORMANCE_GAME_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "model/conformance.h"
#include "model/turn.h"
#include "stats/line.h"

/** Turns of one game that a window kept, and how it ended. */
struct ipr_conformance_game {
    const struct ipr_turn *turns;
    const size_t *keep; /* the n turns turns[keep[i]]; NULL: turns[0 .. n) */
    size_t n;
    double result; /* White's: +1, 0, -1 */
};

/**
 * p(x) = p_w(x) - p_b(x) of the games in which both sides have a turn, and how they ended.
 *
 * p[n], r[n]   output, in the order of the games
 *
 * Returns how many there are. Cannot fail; The caller ensures k1 > 0 and k2 < 0.
 */
size_t ipr_conformance_differences(const struct ipr_conformance_params *params,
                                   const struct ipr_conformance_game *games, size_t n, double x,
                                   double *p, double *r);

/** Correlation of conformance at loss <= x with results. */
struct ipr_conformance_point {
    double x;           /* in: pawns */
    bool known;         /* false when p or the result is the same in all games */
    double rho;         /* Pearson's correlation of p(x) = p_w(x) - p_b(x) with the result */
    double beta, alpha; /* result = beta p + alpha, least squares */
};

/**
 * Correlation of the players' conformance with results, game by game (A's figures 4 and 5).
 *
 * games[n]    p_w(x), p_b(x): share of White's, Black's turns with loss <= x (1e-9 allowed)
 * points[m]   x is read, the rest written
 * used        output, games in which both sides have a turn; others do not count
 *
 * IPR_EDATA with fewer than 3 such games. Source: A section 3.2, methods section 1.
 */
IPR_CHECK enum ipr_code ipr_conformance_curve(const struct ipr_conformance_params *params,
                                              const struct ipr_conformance_game *games, size_t n,
                                              struct ipr_conformance_point *points, size_t m,
                                              size_t *used, struct ipr_err *err);

/** delta = a v_b + b over the turns with an error; b/a is the constant that levels it. */
struct ipr_loss_line {
    size_t n; /* turns with an error; the rest is 0 unless known */
    bool known;
    double a, b;
    double b_over_a;
};

/**
 * Regression of the raw losses that are not zero on v_b, for v_b > 0 and for v_b < 0 (pawns).
 * A prints a/b where b/a is meant (methods section 1).
 *
 * turns, keep[n]   as in ipr_conformance
 * A side with fewer than two different v_b has known = false. Cannot fail.
 */
void ipr_conformance_loss_lines(const struct ipr_turn *turns, const size_t *keep, size_t n,
                                enum ipr_played_order order, struct ipr_loss_line *positive,
                                struct ipr_loss_line *negative);

/**
 * k1 and k2 that maximise rho at x, by Nelder and Mead's simplex from several starts. rho is a
 * step function of them: compare rho, not k.
 *
 * params   in: order; out: k1, k2, loss = IPR_LOSS_WEIGHTED
 * rho      output, the correlation reached (to 1e-6)
 * known    output, whether the games determine k1, k2: whether 0.01 and 100 pawns, the ends of the
 *          search, are both excluded at 95 % (likelihood ratio of the regression, the other k as it
 * is)
 *
 * IPR_EDATA as ipr_conformance_curve, or when rho is not known at any start.
 */
IPR_CHECK enum ipr_code ipr_conformance_fit_k(const struct ipr_conformance_game *games, size_t n,
                                              double x, struct ipr_conformance_params *params,
                                              double *rho, bool known[2], struct ipr_err *err);

#endif
