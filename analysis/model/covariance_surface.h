#ifndef IPR_MODEL_COVARIANCE_SURFACE_H
#define IPR_MODEL_COVARIANCE_SURFACE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "model/conformance.h"
#include "model/conformance_game.h"
#include "stats/correlation.h"

/* Larger grids would need tables of more than 100 MB. */
#define IPR_COVARIANCE_GRID_N0 127
#define IPR_COVARIANCE_GRID_B  100

/** Points at which the surface is computed. A's figure 11 has n0 = 0, 1, .. 95 and b = 0.0, 0.2, ..
 * 7.8. */
struct ipr_covariance_grid {
    const unsigned *n0;       /* [n_n0] ascending, the last at most IPR_COVARIANCE_GRID_N0 */
    size_t n_n0;              /* >= 1 */
    const double *b;          /* [n_b] pawns, >= 0 */
    size_t n_b;               /* 1 .. IPR_COVARIANCE_GRID_B */
    bool (*go_on)(void *arg); /* asked before each game, some 3 ms; NULL: it always goes on */
    void *arg;
};

/** The predictions x = 2E - 1 in [-1, 1] at one (n0, b), and the results in [-1, 1] (A's Table 6).
 */
struct ipr_covariance_point {
    bool known;      /* false when the prediction is the same for all games; the rest is 0 then */
    double rho;      /* correlation */
    double mean, sd; /* of x over the games */
    double beta, alpha; /* result = beta x + alpha, least squares */
};

/** Figures of the whole surface. */
struct ipr_covariance_surface {
    size_t used;      /* games in which both sides have a turn */
    size_t excluded;  /* games in which a side has none */
    bool known;       /* false when no point is; the rest is 0 then */
    unsigned best_n0; /* where rho is highest: the lowest n0, then the lowest b, of several */
    double best_b;    /* pawns */
    struct ipr_correlation best; /* its interval, as if (n0, b) had been chosen beforehand */
};

/**
 * Correlation of the covariance predictor with results, by game (A's figures 11 and 12): the losses
 * of White's and of Black's turns in a game are each a distribution; White's expected score at (n0,
 * b) from the two is correlated (Pearson) with the game's result over the games.
 *
 * params      form of the loss
 * games[n]    turns of both sides that the window kept, and White's result; any order
 * point       output, point[i * n_b + k] for n0[i], b[k]
 * out         the best of many points is better in these games than it would be in others
 *
 * Games are taken as independent: the interval's clusters are games.
 * IPR_ERETRY when it may not go on; IPR_EDATA with fewer than 3 games that count, or when all of
 * these ended alike; IPR_EINVAL for k1 <= 0, k2 >= 0 or a malformed grid. Nothing is written on
 * error. Source: A section 4.3.1; methods section 3.
 */
IPR_CHECK enum ipr_code ipr_covariance_surface(const struct ipr_conformance_params *params,
                                               const struct ipr_conformance_game *games, size_t n,
                                               const struct ipr_covariance_grid *grid,
                                               struct ipr_covariance_point *point,
                                               struct ipr_covariance_surface *out,
                                               struct ipr_err *err);

#endif
