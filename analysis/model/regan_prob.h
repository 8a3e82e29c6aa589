#ifndef IPR_MODEL_REGAN_PROB_H
#define IPR_MODEL_REGAN_PROB_H

#include <stddef.h>

#include "base/error.h"
#include "model/regan_delta.h"

/* Domain of the parameters everywhere in the model. */
#define IPR_RH_S_MIN 1e-6
#define IPR_RH_S_MAX 100.0
#define IPR_RH_C_MIN 0.01
#define IPR_RH_C_MAX 20.0

/** Probabilities of one turn's moves. */
struct ipr_rh_probs {
    unsigned lines;
    double p[IPR_RH_LINES_MAX]; /* in listing order, as struct ipr_rh_list */
    double tail_each;           /* of one move that was not evaluated */
    unsigned tail;
    double extra; /* of a move played behind the list; 0 without one */
    double played;
    double expected_loss; /* sum p_i delta_i, scaled pawns */
    double played_loss;   /* scaled pawns */
};

/**
 * Probabilities of the moves of one turn for a player of sensitivity s and consistency c.
 *
 * s, c   within IPR_RH_S_MIN .. IPR_RH_S_MAX [scaled pawns], IPR_RH_C_MIN .. IPR_RH_C_MAX
 *
 * |sum p - 1| <= 1e-12. IPR_EINVAL out of domain. Source: R sections 3, 4.
 */
IPR_CHECK enum ipr_code ipr_rh_probs(const struct ipr_rh_params *params,
                                     const struct ipr_turn *turn, double s, double c,
                                     struct ipr_rh_probs *out, struct ipr_err *err);

#define IPR_RH_QUANTILES 19 /* 0.05, 0.10, ..., 0.95 */

/** Projected and actual statistics of a set. */
struct ipr_rh_aggregates {
    double mm_p, mm_a; /* mean p_0; share of turns whose first-listed move was played */
    double ad_p, ad_a; /* mean sum p_i delta_i; mean delta of the move played; scaled pawns */
    double loglik;     /* sum ln p_played; a probability below 1e-300 counts as that */
    double qfit;       /* 10000 mean_i (M_i - mm_a(i))^2, i = 0 .. k-1; compare at equal k only */
    double s_score;    /* S = sum_q (R_q - q)^2 */
    double r_q[IPR_RH_QUANTILES];
    unsigned k;
    double m_p[IPR_RH_LINES_MAX], m_a[IPR_RH_LINES_MAX]; /* M_i, i < k */
    double var_mm, var_ad; /* variance of mm_a and ad_a given independent turns: sum_t.../T^2 */
    size_t turns, games;
};

/** All of the above at (s, c). IPR_EINVAL out of domain. Source: R sections 5, 6. */
IPR_CHECK enum ipr_code ipr_rh_aggregates(const struct ipr_rh_set *set, double s, double c,
                                          struct ipr_rh_aggregates *out, struct ipr_err *err);

/**
 * Projected scaled error on a set and its derivatives:
 *   AE(s, c) = mean_t sum_i p_i delta_i.
 *
 * grad[2]   output, dAE/d ln s and dAE/d ln c; may be NULL
 */
IPR_CHECK enum ipr_code ipr_rh_ae(const struct ipr_rh_set *set, double s, double c, double *ae,
                                  double grad[2], struct ipr_err *err);

#endif
