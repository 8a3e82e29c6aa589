#ifndef IPR_HTTP_AUDIT_H
#define IPR_HTTP_AUDIT_H

#include "http/base/request.h"

/** Before a write that a token was taken for, or none was needed: notes who does it, and from where
 * (`intrinsic audit`). What cannot be noted is not done. Refused strangers are in the log alone:
 * they must not displace what others did. */
struct ipr_problem ipr_audit_begin(struct ipr_req *req);

/** Notes the outcome, before the answer is sent; also of what was refused before it began. */
void ipr_audit_end(struct ipr_req *req);

#endif
