#ifndef IPR_VIEW_REPORT_H
#define IPR_VIEW_REPORT_H

#include <jansson.h>

#include "view/context.h"

/*
 * Reports: answers too heavy for a request. They are computed as jobs by a thread of the service
 * (http/report_runner.c) and kept, keyed by kind, parameters, judge, classes of time control and
 * the data they rest on. One file a kind: report_NAME.c.
 */

enum ipr_report_type { IPR_REPORT_INT, IPR_REPORT_REAL, IPR_REPORT_CHOICE };

/** A parameter of a kind, by its name in the query. */
struct ipr_report_param {
    const char *name;
    enum ipr_report_type type;
    double low, high, fallback; /* of numbers, both ends included */
    const char *const *choices; /* of a choice, ended by NULL; the first one is the default */
};

struct ipr_report_kind {
    const char *name;                      /* "royale" */
    const struct ipr_report_param *params; /* ended by a NULL name; NULL: none */
    /**
     * The answer, from the data of the context's judge; `params` has every parameter, checked, its
     * default where it was not given. What cannot be given is refused in the answer with a
     * "reason"; only failures of our own are errors. Members "judge", "calibration",
     * "time_classes", "params" and "report" are added by the caller. Order of the work and memory
     * are the kind's own business: state them in its file.
     */
    enum ipr_code (*compute)(const struct ipr_view_context *c, const json_t *params, json_t **out,
                             struct ipr_err *err);
};

/** Kinds in their order; NULL after the last. */
const struct ipr_report_kind *ipr_report_kind_at(size_t i);
/** NULL: none of that name. */
const struct ipr_report_kind *ipr_report_kind(const char *name);

#endif
