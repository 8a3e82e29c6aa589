#ifndef IPR_VIEW_FIGURE_SCORE_BINS_H
#define IPR_VIEW_FIGURE_SCORE_BINS_H

#include <jansson.h>

#include "model/score_curve.h"

/**
 * Mean scores of positions by their evaluation, in bins of half a pawn up to five pawns either way:
 * [{"low", "high" [pawns; null: the bin is open there], "v" [pawns], "score", "interval" (null with
 * "interval_reason"), "positions", "games"}], with `errors` "standard_error" (null where it is not
 * known, or all scored alike). `number` writes the numbers.
 */
json_t *ipr_figure_score_bins(const struct ipr_score_position *x, size_t n,
                              json_t *(*number)(double x), bool errors);

#endif
