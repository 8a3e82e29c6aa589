#ifndef IPR_LAB_OUTCOME_MATCH_H
#define IPR_LAB_OUTCOME_MATCH_H

#include "model/outcome.h"

/**
 * Distribution of the score of a match. Given both strengths the games are independent; the error
 * of a strength is the same in all of them.
 *
 * white, black             games with White and Black of the first player; their sum n is 1 to
 *                          IPR_OUTCOME_GAMES
 * chance[2 n + 1]          output, probabilities that the first player scores 0, 1/2, 1, .. n
 *
 * IPR_EINVAL if n is out of range, a standard error is negative or a value is not finite.
 */
IPR_CHECK enum ipr_code ipr_outcome_match(const struct ipr_outcome_model *model,
                                          const struct ipr_outcome_side *first,
                                          const struct ipr_outcome_side *second, double year,
                                          unsigned white, unsigned black, double *chance,
                                          struct ipr_outcome_match *out, struct ipr_err *err);

#endif
