#ifndef IPR_HTTP_ANSWER_H
#define IPR_HTTP_ANSWER_H

#include "http/base/request.h"

/** The resource of the request's route with these parameters, over a connection of the pool. New
 * reference; other memory is from `view->mem`. The caller also sets the members of the view that
 * are for streams. */
IPR_CHECK enum ipr_code ipr_answer_compute(struct ipr_req *req, const void *params,
                                           struct ipr_view *view, json_t **out,
                                           struct ipr_err *err);

#endif
