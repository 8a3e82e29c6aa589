#ifndef IPR_VIEW_REPORT_MATCH_LOSSES_H
#define IPR_VIEW_REPORT_MATCH_LOSSES_H

#include "view/figure/shape.h"

/**
 * Sets the log losses of predictors on the same games, and the number of these.
 *
 * Of matches that all predictors predict, but for those that predict none: the mean over the games
 * of -s ln p - (1 - s) ln(1 - p), p (`expected`) within [.001, .999], of each predictor and of half
 * the points
 * ("even"); lowest first. "difference" is that from the lowest, null for that itself, with its
 * standard error, clustered by match, and 95 % interval by Student's quantile, null below
 * IPR_PREDICTION_ERROR_MATCHES matches. Errors do not include that the lowest was chosen by these
 * games.
 */
void ipr_match_losses(const struct ipr_list_match *matches, struct ipr_arena *mem,
                      struct ipr_answer_common_matches *out);

#endif
