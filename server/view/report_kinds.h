#ifndef IPR_VIEW_REPORT_KINDS_H
#define IPR_VIEW_REPORT_KINDS_H

#include "view/report.h"

/* The kinds of reports; what each one's answer holds is told at its function. */

extern const struct ipr_report_kind ipr_report_comparisons, ipr_report_conformance,
    ipr_report_complexity, ipr_report_covariance, ipr_report_score_curve;

#endif
