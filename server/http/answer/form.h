#ifndef IPR_HTTP_FORM_H
#define IPR_HTTP_FORM_H

#include "http/base/request.h"

/* Pages whose form stays filled in where its request is refused (flag `keeps` in
 * server/resources.def). The template has `refused`: {"name", "detail"}, the parameter at fault,
 * and `page.given` and `page.chosen` as they were sent, each of `page.given` with "wrong". */

/** Sends the page with its form where it keeps one, else the problem as ipr_reply_problem does. */
enum MHD_Result ipr_form_refuse(struct ipr_req *req, const struct ipr_problem *p);
/** The same of an error, which is logged. */
enum MHD_Result ipr_form_error(struct ipr_req *req, const struct ipr_err *err);

#endif
