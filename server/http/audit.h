#ifndef IPR_HTTP_AUDIT_H
#define IPR_HTTP_AUDIT_H

#include "http/request.h"

/** At the end of a write that a token was taken for, or none was needed: notes who did it, from
 * where, with which outcome (`intrinsic audit`), and counts the bytes of a body without a length
 * for the quota of its token. Refused strangers are in the log alone: they must not displace what
 * others did. */
void ipr_audit_write(struct ipr_req *req);

#endif
