#ifndef IPR_LAB_COVARIANCE_DISTRIBUTION_H
#define IPR_LAB_COVARIANCE_DISTRIBUTION_H

#include "model/covariance.h"

/**
 * Distribution of the summed gain S after so many pairs of moves (A's figure 10).
 *
 * pairs   copies of D, 1 .. IPR_COVARIANCE_N0_MAX + 1
 * p       output, [2 reach + 1]: P(S = x cp) for x = -reach .. reach; untouched on error
 *
 * Errors as of ipr_covariance_predict.
 */
IPR_CHECK enum ipr_code ipr_covariance_distribution(const struct ipr_covariance_player *player1,
                                                    const struct ipr_covariance_player *player2,
                                                    unsigned pairs, unsigned reach, double *p,
                                                    struct ipr_err *err);

#endif
