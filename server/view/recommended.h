#ifndef IPR_VIEW_RECOMMENDED_H
#define IPR_VIEW_RECOMMENDED_H

#include "view/view.h"

/** The predictors that `make validate` recommends (docs/predictors.md), shape predictor_verdicts:
 * each with its test, and "text", the sentence that every page has of them. New reference. */
IPR_CHECK enum ipr_code ipr_recommended(const struct ipr_view *v, json_t **out,
                                        struct ipr_err *err);

/** Adds "text" to such an object. */
void ipr_recommended_add_text(json_t *recommended, struct ipr_arena *mem);

#endif
