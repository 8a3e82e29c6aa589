#ifndef IPR_VIEW_REPORT_FINDING_H
#define IPR_VIEW_REPORT_FINDING_H

#include <stdbool.h>

#include <jansson.h>

#include "base/mem.h"
#include "view/figure/shape.h"

/* A report's result in a sentence made from its answer by the rules of docs/figures.md. */

struct ipr_report_finding {
    const char *text; /* NULL: the answer has no figures to say it of */
    const char *by;   /* what that rests on, and how far it can be believed; NULL: not said */
    bool shown;       /* the data show what is asked, rather than that they do not */
};

/** Returns the finding of the answer of a kind ("royale"); the text lives in `mem`. `predictors`:
 * static/predictors.json, for what the royale and the comparisons say of it; NULL: they do not. */
struct ipr_report_finding ipr_report_finding(const char *kind, const json_t *answer,
                                             const json_t *predictors, struct ipr_arena *mem);

/** Returns that of the list of reports, each with "finding", null if not computed, and "shown": how
 * many questions are answered, and the first finding that the data show. */
const char *ipr_report_list_finding(const struct ipr_list_report_kind *reports,
                                    struct ipr_arena *mem);

/** "small" from .1 on, "medium" from .3, "large" from .5, else "negligible": the absolute value of
 * a correlation in the words of J. Cohen, Statistical Power Analysis (1988), section 3.2. */
const char *ipr_correlation_size(double rho);

#endif
