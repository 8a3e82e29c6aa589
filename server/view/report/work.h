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

/** Parameters of a kind, ended by a NULL name; never NULL. */
const struct ipr_report_param *ipr_report_params(const struct ipr_report_kind *kind);

/** Every parameter of the kind, checked, defaults where none was given; to be released. IPR_EPARSE
 * "bad_parameter", "unknown_parameter". */
IPR_CHECK enum ipr_code ipr_report_params_read(const struct ipr_report_query *q, json_t **out,
                                               struct ipr_err *err);

/** Whether they are the defaults. */
bool ipr_report_params_usual(const struct ipr_report_kind *kind, const json_t *params);

/** The same text for the same values: part of the key of an answer. */
const char *ipr_report_params_text(const json_t *params, struct ipr_arena *mem);

/** {"name", "type", "low", "high", "choices", "default"} */
json_t *ipr_report_param_json(const struct ipr_report_param *p);

#endif
