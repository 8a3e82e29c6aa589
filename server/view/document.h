#ifndef IPR_VIEW_DOCUMENT_H
#define IPR_VIEW_DOCUMENT_H

#include <jansson.h>

#include "view/view.h"

/** A JSON object that ships in static/; *out is a new reference. IPR_EIO if it cannot be read. */
IPR_CHECK enum ipr_code ipr_view_document(const struct ipr_view *v, const char *name, json_t **out,
                                          struct ipr_err *err);

/** The same as an answer: without `words`, the sentences that it has for other answers. */
IPR_CHECK enum ipr_code ipr_view_shipped(const struct ipr_view *v, const char *name, json_t **out,
                                         struct ipr_err *err);

/** The predictors that `make validate` recommends (docs/predictors.md), shape predictor_verdicts; a
 * new reference. */
IPR_CHECK enum ipr_code ipr_recommended(const struct ipr_view *v, json_t **out,
                                        struct ipr_err *err);

#endif
