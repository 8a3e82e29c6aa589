#ifndef IPR_HTTP_AUTHORIZATION_H
#define IPR_HTTP_AUTHORIZATION_H

#include "http/request.h"

/**
 * Whether the Host header names this service, when only this machine can reach it: a page of
 * another site whose name was rebound to 127.0.0.1 sends its own name. IPR_EDENIED "unknown_host".
 */
IPR_CHECK enum ipr_code ipr_authorize_host(const struct ipr_req *req, struct ipr_err *err);

/**
 * Whether this may write: not from another site's page (IPR_EDENIED "cross_site"), and with a
 * known token once one exists or when others can reach us ("token_needed", "token_unknown").
 */
IPR_CHECK enum ipr_code ipr_authorize_write(struct ipr_req *req, struct ipr_err *err);

/** The same by the token that a form of ours brings in a field, since a page without JavaScript
 * sends no header; NULL: the field is empty. */
IPR_CHECK enum ipr_code ipr_authorize_form(struct ipr_req *req, const char *token,
                                           struct ipr_err *err);

/** The token or key in the header; p NULL: none. */
struct ipr_str ipr_authorize_bearer(const struct ipr_req *req);
/** What is stored of it. */
void ipr_authorize_digest(struct ipr_str secret, unsigned char out[32]);

/** Whether a token exists, so that forms must ask for one. */
IPR_CHECK enum ipr_code ipr_authorize_asks(struct ipr_req *req, struct ipr_db *db, bool *out,
                                           struct ipr_err *err);

#endif
