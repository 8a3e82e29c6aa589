#ifndef IPR_VIEW_REPORT_WORK_H
#define IPR_VIEW_REPORT_WORK_H

#include "view/report/report.h"

/* What asking for reports (report.c) and computing them (report_work.c) share; for these, and for
 * report_params.c. */

/** Of a kind and of the methods behind it; neither ever falls. */
int ipr_report_version(const struct ipr_report_kind *kind);

/** Digest of the calibration an answer rests on; "": none. Borrowed from the context. */
const char *ipr_report_calibration(const struct ipr_view_context *c);

/** Sets what every answer says of where it comes from: "judge", "calibration", "time_classes" and
 * "params" (which stays the caller's). */
void ipr_report_add_provenance(const struct ipr_view_context *c, json_t *params, json_t *out);

/** What describes its parameters. */
const struct ipr_resource *ipr_report_resource(const struct ipr_report_kind *kind);

/** Its parameters where none is given; new reference. */
json_t *ipr_report_params_default(const struct ipr_report_kind *kind);
bool ipr_report_params_are_default(const struct ipr_report_kind *kind, const json_t *params);

/** The same text for the same values: part of the key of an answer. */
const char *ipr_report_params_text(const json_t *params, struct ipr_arena *mem);

#endif
