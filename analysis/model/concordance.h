#ifndef IPR_MODEL_CONCORDANCE_H
#define IPR_MODEL_CONCORDANCE_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "model/regan_delta.h"

/** Play compared with the model's projection at (s, c). */
struct ipr_concordance {
    double mm_p, mm_a, sigma_mm; /* sigma: of the mean, turns independent */
    double ad_p, ad_a, sigma_ad;
    double factor_mm, factor_ad; /* k >= 1, widening for dependence within games */
    double z_mm_unclustered, z_ad_unclustered;
    double z_mm, z_ad;       /* (actual - projected) / (k sigma) */
    double tail_mm, tail_ad; /* simulated P(|z| at least as far out, same side) */
    unsigned replicates;     /* behind the tails; 0: not simulated, tails are 0 */
    size_t turns, games;
};

struct ipr_concordance_options {
    double factor_mm, factor_ad; /* from the milepost sets; 0: from this set */
    unsigned replicates;         /* simulated sets for the tails; 0: none */
    uint64_t seed;
};

/** Sums behind the factors k, to be added up over sets. */
struct ipr_dependence {
    double between_mm, between_ad; /* G/(G-1) sum_g (sum_t (r_t - mean r))^2 */
    double total_mm, total_ad;     /* sum_t (r_t - mean r)^2 */
};

/** Adds a set's sums at (s, c); nothing with fewer than two games. IPR_EINVAL out of domain. */
IPR_CHECK enum ipr_code ipr_dependence_add(const struct ipr_rh_set *set, double s, double c,
                                           struct ipr_dependence *sum, struct ipr_err *err);

/** k = sqrt(max(1, between / total)); 1 if there are no sums. */
double ipr_dependence_factor(double between, double total);

/**
 * Concordance test at (s, c).
 *
 *   sigma_mm^2 = sum_t p_0 (1 - p_0) / T^2,  sigma_ad^2 = sum_t Var(delta) / T^2,
 *   k^2 = max(1, G/(G-1) sum_g (sum_t (r_t - mean r))^2 / sum_t (r_t - mean r)^2)
 *
 * with r_t the turn's actual minus projected value. z_ad is skewed under the null hypothesis; the
 * tails are the share of sets drawn from the model (turns independent) whose unclustered z lies
 * beyond z_mm, z_ad on the same side. IPR_EDATA when the model has no variance (sigma = 0); k = 1
 * with one game. Source: R question 4, L section 4, methods section 5.
 */
IPR_CHECK enum ipr_code ipr_concordance(const struct ipr_rh_set *set, double s, double c,
                                        const struct ipr_concordance_options *options,
                                        struct ipr_concordance *out, struct ipr_err *err);

#endif
