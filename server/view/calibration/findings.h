#ifndef IPR_VIEW_CALIBRATION_FINDINGS_H
#define IPR_VIEW_CALIBRATION_FINDINGS_H

#include "base/mem.h"
#include "view/figure/shape.h"

/*
 * What a calibration says, in words, by rules (docs/figures.md, "Calibrations").
 * Texts from `mem`.
 */

/**
 * Of a record: the engine setting, the Elo that the line covers, its 95 % error where it is least
 * and greatest of the round ratings of "band", what it rests on, and whether the mileposts scatter
 * about the line more than the sampling of their moves alone lets expect: whether
 * (n - 2) residual_sd^2 / sampling_sd^2 is beyond the 95 % quantile of chi-squared with n - 2
 * degrees of freedom. That quantile is by Wilson and Hilferty (PNAS 17, 1931). NULL where the
 * record has no line.
 */
const char *ipr_calibration_finding(const struct ipr_answer_calibration_record *record,
                                    struct ipr_arena *mem);

/** For records with "finding": how many there are, and the finding of the one named `standard`. */
const char *ipr_calibrations_finding(const struct ipr_list_calibration_record *records,
                                     const char *standard, struct ipr_arena *mem);

#endif
