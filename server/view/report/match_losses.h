#ifndef IPR_VIEW_REPORT_MATCH_LOSSES_H
#define IPR_VIEW_REPORT_MATCH_LOSSES_H

#include <jansson.h>

/**
 * Log losses of predictors on the same games: {"games", "log_losses"}, new reference.
 *
 * matches   as in /comparisons: "games" n, "score" s of the first player, "predictions" by name
 * with "expected" p, null if not predicted
 *
 * Of matches that all predictors predict, but for those that predict none: the mean over the games
 * of -s ln p - (1 - s) ln(1 - p), p within [.001, .999], of each predictor and of half the points
 * ("even"); lowest first. "difference" is that from the lowest, null for that itself, with its
 * standard error, clustered by match, and 95 % interval by Student's quantile, null below
 * IPR_PREDICTION_ERROR_MATCHES matches. Errors do not include that the lowest was chosen by these
 * games.
 */
json_t *ipr_match_losses(const json_t *matches);

#endif
